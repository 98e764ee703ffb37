//! What could be committed: of every file that may hold something uncommitted, what is approved and not in the newest
//! commit, and whose it is. Cost follows the files that were changed, never the size of the tree.

use std::collections::{BTreeMap, BTreeSet};

use augment_core::attribution::Author;
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::id::TaskId;
use augment_core::prompt::{Began, CommittedFiles, PromptId, Settled};
use augment_core::review::{DecisionId, FileNumber, TrackedFile};
use augment_core::view::View as _;
use augment_core::weave::{Chosen, MarkRef, Revision, Verdict};
use augment_host::vcs::history::{self, History, Part};
use augment_protocol::prompts::CommittedPart;
use tower_lsp_server::jsonrpc::Result;

use super::at_start::AtStart;
use super::change::{Change, as_it_is, change, from_disk, same};
use super::desk::{Desk, told};
use super::lost_intents::{Lost, lost_now};
use super::tip_files::TipFiles;

/// How many files one commit takes.
const FILES: usize = 10_000;

/// Which approved changes are wanted.
#[derive(Debug, Clone)]
pub(super) enum Which {
    /// Also what lay there before anybody was seen.
    Everything,
    /// What was written, or approved, since then: what was left when a prompt began stays out of it.
    Since(Began),
    /// Of that, what is no task's.
    OwnSince(Began),
    Task(TaskId),
    Decision(DecisionId),
}

#[derive(Default)]
pub(super) struct Gathered {
    /// The newest commit that all this was held against; on another one it would take back what that one has.
    pub(super) tip: Option<String>,
    pub(super) changes: Vec<Change>,
    /// Files of which nothing is left already.
    pub(super) settled: Vec<Settled>,
    pub(super) notes: Vec<String>,
    /// Why something that is approved is not among the changes.
    pub(super) held_back: Vec<String>,
}

impl Gathered {
    /// Where one file goes from a name and another one comes to it, the one that comes is what the commit has there.
    pub(super) fn parts(&self) -> Vec<Part> {
        let (gone, there): (Vec<&Part>, Vec<&Part>) =
            self.changes.iter().flat_map(|change| &change.parts).partition(|part| part.body == history::Body::Absent);
        let names: BTreeSet<&FilePath> = there.iter().map(|part| &part.path).collect();
        let gone = gone.into_iter().filter(|part| !names.contains(&part.path));
        gone.chain(there.iter().copied()).cloned().collect()
    }

    /// Stands for exactly these files as they would be, on that commit, for that prompt: what a person's yes is bound to.
    pub(super) fn confirm_token(&self, prompt: PromptId) -> String {
        // Each part with its length, so that no two are written alike.
        let mut text = format!("intent {prompt} {}\n", self.tip.as_deref().unwrap_or("-"));
        for Change { holding, .. } in &self.changes {
            text += &format!("{} {holding}\n", holding.len());
        }
        ContentHash::of(text.as_bytes()).to_string()[..32].to_owned()
    }

    /// Takes out what would be put in the place of another file that stays there.
    fn hold_back(&mut self, tip: &TipFiles<'_>) -> Result<()> {
        let mut in_the_way = BTreeMap::new();
        for part in self.coming() {
            let files = tip.in_the_way(&part.path)?;
            if !files.is_empty() {
                in_the_way.insert(part.path.clone(), files);
            }
        }
        loop {
            let taken = match self.without_room(&in_the_way) {
                Some(taken) => Some(taken),
                None => self.in_anothers_place(tip)?,
            };
            let Some((at, why)) = taken else { return Ok(()) };
            self.changes.remove(at);
            self.held_back.push(why);
        }
    }

    fn coming(&self) -> impl Iterator<Item = &Part> {
        let parts = self.changes.iter().flat_map(|change| &change.parts);
        parts.filter(|part| part.body != history::Body::Absent)
    }

    /// A change that comes under a name at which another file stays, and why it is left out.
    fn in_anothers_place(&self, tip: &TipFiles<'_>) -> Result<Option<(usize, String)>> {
        let goes = |path: &FilePath, file: FileNumber| {
            let of_file = self.changes.iter().filter(|change| change.file == Some(file));
            of_file
                .flat_map(|change| &change.parts)
                .any(|part| part.path == *path && part.body == history::Body::Absent)
        };
        for (at, change) in self.changes.iter().enumerate() {
            for part in change.parts.iter().filter(|part| part.body != history::Body::Absent) {
                let path = &part.path;
                let other = tip.owner(path)?.filter(|(owner, _)| Some(*owner) != change.file);
                if let Some((_, now)) = other.filter(|(owner, _)| !goes(path, *owner)) {
                    let why = format!(
                        "{path} is left out: what the newest commit has under that name is {now} by now, and that is not part of this. Commit {now} first, or both together."
                    );
                    return Ok(Some((at, why)));
                }
            }
        }
        Ok(None)
    }

    /// A change that makes a folder of a file that stays, or a file of a folder in which something stays, and why it is
    /// left out. `in_the_way` is what has to go for each file.
    fn without_room(&self, in_the_way: &BTreeMap<FilePath, Vec<FilePath>>) -> Option<(usize, String)> {
        if in_the_way.is_empty() {
            return None;
        }
        let come: BTreeSet<&FilePath> = self.coming().map(|part| &part.path).collect();
        let parts = self.changes.iter().flat_map(|change| &change.parts);
        let gone = parts.filter(|part| part.body == history::Body::Absent && !come.contains(&part.path));
        let gone: BTreeSet<&FilePath> = gone.map(|part| &part.path).collect();
        let stays = |path: &FilePath| in_the_way.get(path)?.iter().find(|other| !gone.contains(other));
        self.changes.iter().enumerate().find_map(|(at, change)| {
            let come = change.parts.iter().filter(|part| part.body != history::Body::Absent);
            let (path, other) = come.into_iter().find_map(|part| Some((&part.path, stays(&part.path)?)))?;
            let why = format!(
                "{path} is left out: the newest commit has {other}, which has to go for it, and that is not part of this. Commit that first, or both together."
            );
            Some((at, why))
        })
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.changes.iter().map(|change| change.told.path.clone()).collect()
    }

    /// What is known of the files once this is committed: of which nothing is left, and which lines the commit has.
    pub(super) fn files(&self) -> CommittedFiles {
        let settled = self.changes.iter().filter_map(|change| change.settles);
        let lines = self.changes.iter().filter_map(|change| change.file.zip(change.lines.clone()));
        CommittedFiles { settled: self.settled.iter().copied().chain(settled).collect(), lines: lines.collect() }
    }

    pub(super) fn told(&self) -> Vec<CommittedPart> {
        self.changes.iter().map(|change| change.told.clone()).collect()
    }
}

/// The tracked files that are looked at: those that are named, else all that may hold something, with those of intents that
/// are gone.
pub(super) fn tracked(desk: &Desk, files: &[FilePath], lost: &Lost) -> Result<Vec<TrackedFile>> {
    let named: BTreeSet<FilePath> = if files.is_empty() { &lost.files } else { files }.iter().cloned().collect();
    let with_loose = files.is_empty();
    desk.read(move |snapshot| {
        let view = snapshot.view();
        let mut found = Vec::new();
        if with_loose {
            for number in snapshot.loose_files(FILES)? {
                found.extend(view.file(number)?);
            }
        }
        for path in &named {
            let known =
                view.file_at(path)?.filter(|file| !found.iter().any(|one: &TrackedFile| one.number == file.number));
            found.extend(known);
        }
        Ok(found)
    })
}

/// The step of each file in which something may be left to be committed; `None` where they are too many.
pub(super) fn left(desk: &Desk) -> Result<Option<BTreeMap<FileNumber, u32>>> {
    let files = tracked(desk, &[], &Lost::default())?;
    let steps = files.iter().map(|file| (file.number, file.weave.step())).collect();
    Ok((files.len() < FILES).then_some(steps))
}

/// These files, and all others that may hold something.
pub(super) fn with_loose(desk: &Desk, files: &[TrackedFile]) -> Result<Vec<TrackedFile>> {
    let mut all = tracked(desk, &[], &Lost::default())?;
    let known: BTreeSet<FileNumber> = all.iter().map(|file| file.number).collect();
    all.extend(files.iter().filter(|file| !known.contains(&file.number)).cloned());
    Ok(all)
}

/// What is approved of it and not committed.
pub(super) fn gather(desk: &Desk, history: &dyn History, which: &Which, files: &[FilePath]) -> Result<Gathered> {
    let tip = history.ground().map_err(|error| told(&error))?.tip.map(|tip| tip.id);
    let mut gathered = Gathered { tip: tip.clone(), ..Gathered::default() };
    let marks = marks_of(desk, which)?;
    let lost = if files.is_empty() { lost_now(desk, history)? } else { Lost::default() };
    gathered.notes.extend(lost.notes());
    let known = tracked(desk, files, &lost)?;
    let held = desk.held_lines()?;
    let seen: BTreeSet<FilePath> = known.iter().map(|file| file.path().clone()).collect();
    let all = if files.is_empty() { known.clone() } else { with_loose(desk, &known)? };
    let tip = TipFiles::new(desk, history, &all).of(tip);
    let at_start = AtStart::new(desk, history, &all)?;
    if files.is_empty() && known.len() >= FILES {
        gathered
            .notes
            .push(format!("Only {FILES} changed files were looked at; the rest can be committed after this."));
    }
    for file in &known {
        if files.is_empty() && is_left_out(history, file.path(), &mut gathered.notes)? {
            continue;
        }
        let before = tip.before(file)?;
        let in_decision =
            |place: MarkRef, _: &Revision| marks.get(&file.number).is_some_and(|marks| marks.contains(&place));
        let began = at_start.of(file)?;
        let part =
            |chosen: Option<Chosen<'_>>| file.weave.part_since(&before, held.get(&file.number), began.as_ref(), chosen);
        let part = match which {
            Which::Everything => part(None),
            Which::Since(began) => part(Some(&since(file, began))),
            Which::OwnSince(began) => part(Some(&own_since(file, began))),
            Which::Task(task) => part(Some(&of_task(*task))),
            Which::Decision(_) => part(Some(&in_decision)),
        };
        let along = part.along.iter().map(|no| match file.weave.revision(*no) {
            Some(revision) => whose(&revision.author),
            None => whose(&Author::Unknown),
        });
        if files.is_empty()
            && !same(&before, &part.state)
            && let Some(why) = not_takable(history, &part.state)?
        {
            gathered.held_back.push(left_out_note(file.path(), &why));
            continue;
        }
        match change(desk, &before, &part.state, Some(file))? {
            Some(mut change) => {
                change.along = along.collect::<BTreeSet<String>>().into_iter().collect();
                change.lines = part.lines;
                gathered.changes.push(change);
            }
            None if same(&before, &file.weave.view()) => gathered.settled.push(as_it_is(file)),
            None => {}
        }
    }
    if matches!(which, Which::Everything) {
        for path in files.iter().filter(|path| !seen.contains(path)) {
            match tip.called_now(path)? {
                Some(now) if seen.contains(&now) => {
                    let mut parts = gathered.changes.iter().flat_map(|change| &change.parts);
                    if !parts.any(|part| part.path == *path) {
                        gathered.held_back.push(format!(
                            "{path} is left out: it is called {now} by now, with which it goes once the renaming is approved."
                        ));
                    }
                }
                Some(now) => gathered.held_back.push(format!(
                    "{path} is left out: it is called {now} by now. Name {now}, with which it goes once the renaming is approved."
                )),
                None => gathered.changes.extend(from_disk(desk, history, gathered.tip.as_deref(), path)?),
            }
        }
    }
    gathered.hold_back(&tip)?;
    gathered.notes.extend(gathered.held_back.iter().cloned());
    for change in &gathered.changes {
        if !change.along.is_empty() {
            let words = format!(
                "{}: lines of {} go with it, since they replaced what is committed.",
                change.told.path,
                change.along.join(", ")
            );
            gathered.notes.push(words);
        }
    }
    Ok(gathered)
}

/// What is no part of a commit unless the person names it: what they told version control to leave alone, and what lies
/// in another repository.
pub(super) fn is_left_out(history: &dyn History, path: &FilePath, notes: &mut Vec<String>) -> Result<bool> {
    let left_out = history.left_out(path).map_err(|error| told(&error))?;
    notes.extend(left_out.map(|why| left_out_note(path, &why.to_string())));
    Ok(left_out.is_some())
}

pub(super) fn left_out_note(path: &FilePath, why: &str) -> String {
    format!("{path} is left out: {why}.")
}

/// Why a file cannot be committed here as it shall be. Where nobody named it, the rest is committed without it.
pub(super) fn not_takable(history: &dyn History, state: &FileState) -> Result<Option<String>> {
    let is_file = match &state.body {
        Body::Absent => return Ok(None),
        Body::Large { .. } | Body::Special => {
            return Ok(Some("it is too large, or no file; commit it with git or jj".to_owned()));
        }
        Body::Text(_) | Body::Whole { .. } => true,
        Body::Link(_) => false,
    };
    if let Some(why) = history.not_added(&state.path).map_err(|error| told(&error))? {
        return Ok(Some(why.to_string()));
    }
    let filter = if is_file { history.filter(&state.path).map_err(|error| told(&error))? } else { None };
    Ok(filter
        .map(|filter| format!("it goes through a filter of git ({filter}), which is not run here; commit it with git")))
}

/// What was written since a prompt began, or was written before and approved since.
pub(super) fn since(file: &TrackedFile, began: &Began) -> impl Fn(MarkRef, &Revision) -> bool {
    let (number, began) = (file.number, began.clone());
    let decisions = file.weave.decisions().iter();
    let decisions = decisions.filter(|decision| began.is_before(number, decision.no.0, decision.time));
    let decided: BTreeSet<MarkRef> =
        decisions.flat_map(|decision| decision.changes.iter().map(|change| change.mark)).collect();
    move |place, revision| {
        let is_since = began.is_before(number, revision.step, revision.time);
        is_since || (revision.held && decided.contains(&place))
    }
}

/// Of what was written, or approved, since a prompt began, what no run has written.
fn own_since(file: &TrackedFile, began: &Began) -> impl Fn(MarkRef, &Revision) -> bool {
    let since = since(file, began);
    move |place, revision| !matches!(revision.author, Author::Run(_)) && since(place, revision)
}

pub(super) fn of_task(task: TaskId) -> impl Fn(MarkRef, &Revision) -> bool {
    move |_, revision| matches!(&revision.author, Author::Run(run) if run.task == task)
}

/// The marks that a decision approved, by file.
fn marks_of(desk: &Desk, which: &Which) -> Result<BTreeMap<FileNumber, BTreeSet<MarkRef>>> {
    let Which::Decision(id) = which else { return Ok(BTreeMap::new()) };
    let id = *id;
    desk.read(move |snapshot| {
        let view = snapshot.view();
        let mut marks = BTreeMap::new();
        for in_file in view.decision(id)?.map(|decision| decision.files).unwrap_or_default() {
            let Some(file) = view.file(in_file.file)? else { continue };
            let step = file.weave.decisions().iter().find(|known| known.no == in_file.weave_decision);
            let approved = step.into_iter().flat_map(|step| &step.changes);
            let approved = approved.filter(|change| change.to == Verdict::Approved).map(|change| change.mark);
            marks.insert(in_file.file, approved.collect());
        }
        Ok(marks)
    })
}

pub(super) fn whose(author: &Author) -> String {
    match author {
        Author::Run(run) => format!("task {}", run.task),
        Author::Person { name } => name.clone(),
        Author::Vcs => "version control".to_owned(),
        Author::Unknown => "nobody known".to_owned(),
    }
}
