//! What the newest commit has of each tracked file. A name in the commit is one file's: after a rename another file may lie
//! there by now. Nothing here decides what is committed.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use augment_core::file::{Body, FilePath, FileState};
use augment_core::review::{FileNumber, TrackedFile};
use augment_core::view::View as _;
use augment_core::weave::body_of;
use augment_host::vcs::history::{self, History};
use tower_lsp_server::jsonrpc::Result;

use super::desk::{Desk, told};

/// A file that a name in the newest commit stands for, and what it is called now.
pub(super) type Owner = (FileNumber, FilePath);

pub(super) struct TipFiles<'a> {
    desk: &'a Desk,
    history: &'a dyn History,
    /// The newest commit, once somebody has asked: whatever moves meanwhile, all is read of this one.
    tip: OnceCell<Option<String>>,
    /// By what they are called now.
    files: BTreeMap<&'a FilePath, &'a TrackedFile>,
    /// Who had a name before.
    former: BTreeMap<&'a FilePath, Vec<&'a TrackedFile>>,
    owners: RefCell<BTreeMap<FilePath, Option<Owner>>>,
    /// Names at which it is known to have no file.
    folders: RefCell<BTreeSet<FilePath>>,
}

impl<'a> TipFiles<'a> {
    /// `files` are all in which something may be left to be committed: a file whose rename is in no commit is among them.
    pub(super) fn new(desk: &'a Desk, history: &'a dyn History, files: &'a [TrackedFile]) -> Self {
        let mut former: BTreeMap<&FilePath, Vec<&TrackedFile>> = BTreeMap::new();
        for file in files {
            for name in file.weave.other_names() {
                former.entry(name).or_default().push(file);
            }
        }
        let files = files.iter().map(|file| (file.path(), file)).collect();
        Self {
            desk,
            history,
            tip: OnceCell::new(),
            files,
            former,
            owners: RefCell::default(),
            folders: RefCell::default(),
        }
    }

    /// The same, of this very commit.
    pub(super) fn of(self, tip: Option<String>) -> Self {
        Self { tip: OnceCell::from(tip), ..self }
    }

    /// The file as the newest commit has it: under its name, or under one that it had before.
    pub(super) fn before(&self, file: &TrackedFile) -> Result<FileState> {
        if let Some(state) = self.home(file)? {
            let owner = (file.number, file.path().clone());
            self.owners.borrow_mut().insert(state.path.clone(), Some(owner));
            return Ok(state);
        }
        for path in names_of(file) {
            let state = self.at_tip(path)?;
            if state.body != Body::Absent && self.owner_of(&state)?.is_some_and(|(owner, _)| owner == file.number) {
                return Ok(state);
            }
        }
        Ok(FileState { path: file.path().clone(), body: Body::Absent, mode: 0 })
    }

    /// Where the newest commit has a file: the one of its names to which its claim is the first, before all one whose content
    /// it is known to have held. It may stand there as another's second, too, if it stands nowhere else.
    fn home(&self, file: &TrackedFile) -> Result<Option<FileState>> {
        let mut unknown = None;
        for path in names_of(file) {
            let state = self.at_tip(path)?;
            let claims = if state.body == Body::Absent { Vec::new() } else { self.claims(&state)? };
            if claims.first().is_none_or(|first| first.number != file.number) {
                continue;
            }
            if file.weave.has_held(&state.body) {
                return Ok(Some(state));
            }
            unknown = unknown.or(Some(state));
        }
        Ok(unknown)
    }

    /// Whose a name in the newest commit is. `None` where it has none of that name, or nobody was seen to change it.
    pub(super) fn owner(&self, path: &FilePath) -> Result<Option<Owner>> {
        if let Some(known) = self.owners.borrow().get(path) {
            return Ok(known.clone());
        }
        let state = self.at_tip(path)?;
        if state.body == Body::Absent { Ok(None) } else { self.owner_of(&state) }
    }

    /// What the file is called by now that the newest commit has under a name, where that is another name: that it is not
    /// on disk any more is that file's renaming, which may still wait for a decision.
    pub(super) fn called_now(&self, path: &FilePath) -> Result<Option<FilePath>> {
        Ok(self.owner(path)?.map(|(_, now)| now).filter(|now| now != path))
    }

    /// What the newest commit has where a file of this name would have to take its place: a file where a folder would be,
    /// or whatever lies in a folder of this name.
    pub(super) fn in_the_way(&self, path: &FilePath) -> Result<Vec<FilePath>> {
        if self.at_tip(path)?.body != Body::Absent {
            return Ok(Vec::new());
        }
        let bytes = path.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
        for folder in ends.filter_map(|end| FilePath::new(&bytes[..end]).ok()) {
            let known = self.folders.borrow().contains(&folder);
            if !known && self.at_tip(&folder)?.body != Body::Absent {
                return Ok(vec![folder]);
            }
            self.folders.borrow_mut().insert(folder);
        }
        self.history.below(self.tip()?, path).map_err(|error| told(&error))
    }

    /// The likeliest that does not stand in the newest commit under another of its names: a file stands there under one.
    fn owner_of(&self, state: &FileState) -> Result<Option<Owner>> {
        if let Some(known) = self.owners.borrow().get(&state.path) {
            return Ok(known.clone());
        }
        let mut owner = None;
        for file in self.claims(state)? {
            if self.home(&file)?.is_none_or(|home| home.path == state.path) {
                owner = Some((file.number, file.path().clone()));
                break;
            }
        }
        self.owners.borrow_mut().insert(state.path.clone(), owner.clone());
        Ok(owner)
    }

    /// Of whoever has the name and whoever had it, those that are known to have held this content, likeliest first: one that
    /// was just this before one that says more, and of two that were, not the one that came in the other's place. Where
    /// nobody is, a file that was made there after another had gone is not what the commit has.
    fn claims(&self, state: &FileState) -> Result<Vec<Cow<'a, TrackedFile>>> {
        let here = self.here(&state.path)?;
        let Some(former) = self.former.get(&state.path) else { return Ok(here.into_iter().collect()) };
        let former = former.iter().map(|file| Cow::Borrowed(*file));
        let is_newcomer = here.as_ref().is_some_and(|here| self.is_newcomer(here));
        let was_made_there = here.as_ref().is_some_and(|here| here.weave.began_absent());
        let mut ranked = Vec::new();
        for file in former.clone().filter(|file| file.weave.has_held(&state.body)) {
            let rank = if is_newcomer && self.is_under_way(&file)? { 0 } else { 2 };
            ranked.push((rank, file));
        }
        ranked.extend(here.clone().into_iter().filter(|here| here.weave.has_held(&state.body)).map(|here| (1, here)));
        if ranked.len() > 1 {
            ranked.sort_by_cached_key(|(rank, file)| (!file.weave.has_been(&state.body), *rank));
        }
        if !ranked.is_empty() {
            return Ok(ranked.into_iter().map(|(_, file)| file).collect());
        }
        Ok(if was_made_there { former.chain(here).collect() } else { here.into_iter().chain(former).collect() })
    }

    /// Whether a file may have come to its name since the newest commit: it was made there, or had another one, and it is
    /// not known that nothing of it is left to be committed.
    fn is_newcomer(&self, file: &TrackedFile) -> bool {
        let has_come = file.weave.began_absent() || !file.weave.other_names().is_empty();
        has_come && self.files.contains_key(file.path())
    }

    /// Whether a file may have got its name since the newest commit, which has no such file under that name. One that has
    /// gone meanwhile had its renaming committed, or is made anew.
    fn is_under_way(&self, file: &TrackedFile) -> Result<bool> {
        if file.weave.has_gone_as_it_is_called() {
            return Ok(false);
        }
        let there = self.at_tip(file.path())?;
        Ok(there.body == Body::Absent || !file.weave.has_held(&there.body))
    }

    /// The file of this name.
    fn here(&self, path: &FilePath) -> Result<Option<Cow<'a, TrackedFile>>> {
        if let Some(file) = self.files.get(path) {
            return Ok(Some(Cow::Borrowed(file)));
        }
        Ok(self.desk.read(|snapshot| snapshot.view().file_at(path))?.map(Cow::Owned))
    }

    fn at_tip(&self, path: &FilePath) -> Result<FileState> {
        let body = self.history.checked_out(self.tip()?, path).map_err(|error| told(&error))?;
        Ok(state_of(path, body))
    }

    fn tip(&self) -> Result<Option<&str>> {
        let tip = match self.tip.get() {
            Some(tip) => tip,
            None => {
                let found = self.history.tip().map_err(|error| told(&error))?;
                self.tip.get_or_init(|| found)
            }
        };
        Ok(tip.as_deref())
    }
}

/// The name that a file has, then those that it had before.
fn names_of(file: &TrackedFile) -> impl Iterator<Item = &FilePath> {
    [file.path()].into_iter().chain(file.weave.other_names())
}

pub(super) fn state_of(path: &FilePath, body: history::Body) -> FileState {
    let (body, mode) = match body {
        history::Body::Absent => (Body::Absent, 0),
        history::Body::File { content, executable } => (body_of(content), if executable { 0o755 } else { 0o644 }),
        history::Body::Link(target) => (Body::Link(target), 0),
    };
    FileState { path: path.clone(), body, mode }
}
