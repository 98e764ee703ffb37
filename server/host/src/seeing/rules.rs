//! What is not looked at: `.gitignore` files, a repository's own and the person's global excludes, and the patterns of the
//! settings. Rules are only asked for what is neither known nor tracked, since those are looked at in any case.
//!
//! A folder without rules of its own shares those of the folder above it, so a walk makes only as many as there are
//! files of rules.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::conversion::{Attributes, Conversion};
use super::disk::Disk;
use super::manifest::join;

/// A longer file of rules is not one that a person wrote.
pub(super) const MAX_RULES_BYTES: u64 = 1_024 * 1_024;

/// The rules in force in a folder.
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    /// What the patterns are relative to.
    place: Place,
    ignore: Gitignore,
    attributes: Attributes,
    /// Somewhere from here upwards there are attributes that matter.
    converts: bool,
    /// The number of the repository that the folder lies in.
    pub(super) repository: Option<usize>,
}

enum Place {
    /// A folder of the workspace.
    Inside(Box<[u8]>),
    /// A folder above the workspace, given by the way from there to the workspace.
    Above(Box<[u8]>),
}

/// The texts of a folder's rules.
pub(super) struct Texts {
    /// The way from the folder down to the workspace; empty when it is not above it.
    pub(super) way: Box<[u8]>,
    pub(super) ignore: Vec<u8>,
    pub(super) attributes: Vec<u8>,
}

/// Patterns from text as in a `.gitignore`. A line that is not understood leaves out nothing.
pub(super) fn patterns(text: &[u8]) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Err(error) = builder.add_line(None, &String::from_utf8_lossy(line)) {
            tracing::debug!("a pattern is not understood: {error}");
        }
    }
    builder.build().unwrap_or_else(|error| {
        tracing::debug!("patterns are not understood: {error}");
        Gitignore::empty()
    })
}

impl Rules {
    /// Where no repository says anything.
    pub(super) fn plain() -> Arc<Self> {
        Arc::new(Self {
            above: None,
            place: Place::Inside(Box::default()),
            ignore: Gitignore::empty(),
            attributes: Attributes::default(),
            converts: false,
            repository: None,
        })
    }

    /// The rules of a repository's top folder (or of the workspace in it) before its own files of rules. `texts` are the
    /// rules from elsewhere, the strongest last; `always` is what its configuration does to every file.
    pub(super) fn top(folder: &[u8], repository: usize, texts: &[Texts], always: Conversion) -> Arc<Self> {
        let mut rules: Option<Arc<Self>> = None;
        let none = Texts { way: Box::default(), ignore: Vec::new(), attributes: Vec::new() };
        for (at, texts) in std::iter::once(&none).chain(texts).enumerate() {
            let place =
                if texts.way.is_empty() { Place::Inside(folder.into()) } else { Place::Above(texts.way.clone()) };
            let always = if at == 0 { always } else { Conversion::None };
            let attributes = Attributes::read(&texts.attributes).with_always(always);
            rules = Some(Arc::new(Self {
                converts: !attributes.is_empty() || rules.as_ref().is_some_and(|above| above.converts),
                above: rules,
                place,
                ignore: patterns(&texts.ignore),
                attributes,
                repository: Some(repository),
            }));
        }
        rules.unwrap_or_else(Self::plain)
    }

    /// The rules of a folder below, given which files of rules it has.
    pub(super) fn enter(
        self: &Arc<Self>,
        disk: &Disk,
        folder: &[u8],
        has_ignore: bool,
        has_attributes: bool,
    ) -> Arc<Self> {
        if !has_ignore && !has_attributes {
            return Arc::clone(self);
        }
        let read = |has: bool, name: &[u8]| has.then(|| disk.take_rules(&join(folder, name))).flatten();
        let ignore = read(has_ignore, b".gitignore").map_or_else(Gitignore::empty, |text| patterns(&text));
        let attributes = read(has_attributes, b".gitattributes").map(|text| Attributes::read(&text));
        let attributes = attributes.unwrap_or_default();
        Arc::new(Self {
            above: Some(Arc::clone(self)),
            place: Place::Inside(folder.into()),
            ignore,
            converts: self.converts || !attributes.is_empty(),
            attributes,
            repository: self.repository,
        })
    }

    /// Whether a file or folder directly in a folder that these rules are for is left out. What lies in a folder that is
    /// left out is not asked for.
    pub(super) fn leave_out(&self, path: &[u8], is_folder: bool) -> bool {
        let mut rules = Some(self);
        while let Some(these) = rules {
            if !these.ignore.is_empty() {
                match these.ignore.matched(&*these.relative(path), is_folder) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            rules = these.above.as_deref();
        }
        false
    }

    pub(super) fn may_convert(&self) -> bool {
        self.converts
    }

    /// What a checkout may have done to a file.
    pub(super) fn conversion(&self, path: &[u8]) -> Conversion {
        let mut found = Conversion::None;
        let mut rules = self.converts.then_some(self);
        while let Some(these) = rules {
            found = found.max(these.attributes.conversion(&these.relative(path)));
            rules = these.above.as_deref();
        }
        found
    }

    fn relative<'a>(&self, path: &'a [u8]) -> Cow<'a, Path> {
        match &self.place {
            Place::Inside(folder) => {
                let inside = path.strip_prefix(&**folder).unwrap_or(path);
                Cow::Borrowed(Path::new(OsStr::from_bytes(inside.strip_prefix(b"/").unwrap_or(inside))))
            }
            Place::Above(way) => Cow::Owned(PathBuf::from(OsString::from_vec(join(way, path)))),
        }
    }
}
