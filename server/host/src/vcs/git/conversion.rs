//! Content on its way between the disk and the repository: line ends are turned as git turns them for the path, and the
//! executable bit counts where the person's git lets it. What needs more than that is refused, and no filter is ever run.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use git2::{AttrCheckFlags, AttrValue, Commit as Known, FileMode, ObjectType, Oid, Repository, Tree};

use super::tree::Kept;
use super::{CommitError, Git, Result, as_path, io};
use crate::vcs::committing;
use crate::vcs::history::Body;

/// What becomes of the objects of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objects {
    Written,
    /// Only what they would be called is asked.
    Named,
}

impl Objects {
    /// The object of a content as it is.
    pub(super) fn plain(self, git: &Repository, content: &[u8]) -> Result<Oid, git2::Error> {
        match self {
            Self::Written => git.blob(content),
            Self::Named => Oid::hash_object(ObjectType::Blob, content),
        }
    }
}

impl Git {
    /// The object of a file's content as it lies on disk: with line ends as `git add` would turn them.
    pub(super) fn blob(
        &self,
        before: Option<&Tree<'_>>,
        place: &[u8],
        path: &FilePath,
        content: &[u8],
        objects: Objects,
    ) -> Result<Oid> {
        // Looking up attributes reads the whole index, so it is done only where there are any.
        if !self.may_convert(before, place)? {
            return Ok(objects.plain(&self.git, content)?);
        }
        if let Some(filter) = self.filtered(place)? {
            return Err(CommitError::Filtered { path: path.clone(), filter }.into());
        }
        self.as_added(place, content)
    }

    /// What would have to be run, or done besides line ends, to commit a file.
    pub(super) fn filter_at(&self, before: Option<&Tree<'_>>, place: &[u8]) -> Result<Option<String>> {
        if self.may_convert(before, place)? { self.filtered(place) } else { Ok(None) }
    }

    fn filtered(&self, place: &[u8]) -> Result<Option<String>> {
        match committing::filter(&self.git, as_path(place))? {
            Some(filter) => Ok(Some(filter)),
            None => self.other_conversion(place),
        }
    }

    /// The object that `git add` would make of this content; the files that it is asked of go through no filter. libgit2
    /// cannot say what it would be called without writing it.
    fn as_added(&self, place: &[u8], content: &[u8]) -> Result<Oid> {
        let mut writer = self.git.blob_writer(Some(as_path(place)))?;
        writer.write_all(content).map_err(|source| io(as_path(place), source))?;
        Ok(writer.commit()?)
    }

    /// Whether anything could make the object of a file other than its bytes.
    fn may_convert(&self, before: Option<&Tree<'_>>, place: &[u8]) -> Result<bool> {
        let config = self.git.config()?.snapshot()?;
        let converts =
            config.get_str("core.autocrlf").is_ok_and(|value| !matches!(value, "false" | "no" | "off" | "0"));
        if converts || config.get_str("core.attributesFile").is_ok() {
            return Ok(true);
        }
        let home = self.variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let home = home.or_else(|| self.variable("HOME").map(|home| Path::new(home).join(".config")));
        let usual = [
            Some(self.git.commondir().join("info/attributes")),
            home.map(|home| home.join("git/attributes")),
            Some(PathBuf::from("/etc/gitattributes")),
        ];
        if usual.iter().flatten().any(|file| file.exists()) {
            return Ok(true);
        }
        let folders = place.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at + 1);
        Ok(std::iter::once(0).chain(folders).any(|end| {
            let file = [&place[..end], b".gitattributes"].concat();
            std::fs::symlink_metadata(self.top.join(as_path(&file))).is_ok()
                || before.is_some_and(|before| before.get_path(as_path(&file)).is_ok())
        }))
    }

    /// What else git does to the content of a file that libgit2 does not.
    fn other_conversion(&self, place: &[u8]) -> Result<Option<String>> {
        if let Some(encoding) = self.attribute(place, "working-tree-encoding")?.filter(|value| value != "false") {
            return Ok(Some(format!("working-tree-encoding={encoding}")));
        }
        Ok(self.attribute(place, "ident")?.filter(|value| value == "true").map(|_| "ident".to_owned()))
    }

    /// An attribute's value; `true` and `false` where it is set or unset without one.
    fn attribute(&self, place: &[u8], name: &str) -> Result<Option<String>> {
        let found = self.git.get_attr_bytes(as_path(place), name, AttrCheckFlags::FILE_THEN_INDEX)?;
        Ok(match AttrValue::from_bytes(found) {
            AttrValue::True => Some("true".to_owned()),
            AttrValue::False => Some("false".to_owned()),
            AttrValue::String(value) => Some(value.to_owned()),
            AttrValue::Bytes(value) => Some(String::from_utf8_lossy(value).into_owned()),
            AttrValue::Unspecified => None,
        })
    }

    /// What a commit has at a path, as a checkout would lay it down.
    pub(super) fn read_laid_down(&self, commit: &Known<'_>, path: &FilePath) -> Result<Body> {
        let body = self.read_at(commit, path)?;
        let Body::File { content, executable } = body else { return Ok(body) };
        let content = self.laid_down(&commit.tree()?, &self.within(path), content)?;
        Ok(Body::File { content, executable })
    }

    /// The content of an object with the line ends that a checkout gives it, where `git add` would take them off again.
    fn laid_down(&self, tree: &Tree<'_>, place: &[u8], content: Vec<u8>) -> Result<Vec<u8>> {
        let is_plain = content.contains(&b'\r') || !content.contains(&b'\n');
        if is_plain || !self.may_convert(Some(tree), place)? || !self.ends_lines_with_crlf(place)? {
            return Ok(content);
        }
        if self.filtered(place)?.is_some() {
            return Ok(content);
        }
        let mut turned = Vec::with_capacity(content.len() + content.len() / 16);
        for line in content.split_inclusive(|byte| *byte == b'\n') {
            match line.split_last() {
                Some((b'\n', line)) => {
                    turned.extend_from_slice(line);
                    turned.extend_from_slice(b"\r\n");
                }
                Some(_) | None => turned.extend_from_slice(line),
            }
        }
        let is_same = self.as_added(place, &turned)? == Oid::hash_object(ObjectType::Blob, &content)?;
        Ok(if is_same { turned } else { content })
    }

    /// Whether git's rules for a path give its lines CRLF on disk: `eol` says it, or the path is text (or may be) and the
    /// configuration does.
    fn ends_lines_with_crlf(&self, place: &[u8]) -> Result<bool> {
        let config = self.git.config()?.snapshot()?;
        let automatic = config.get_str("core.autocrlf").unwrap_or("false").to_ascii_lowercase();
        let is_automatic = matches!(automatic.as_str(), "true" | "yes" | "on" | "1" | "");
        let by_configuration = is_automatic
            || (automatic != "input"
                && config.get_str("core.eol").is_ok_and(|value| value.eq_ignore_ascii_case("crlf")));
        // `crlf` is what `text` was called once.
        let text = match self.attribute(place, "text")? {
            Some(text) => Some(text),
            None => self.attribute(place, "crlf")?,
        };
        let by_end = self.attribute(place, "eol")?.and_then(|end| match end.as_str() {
            "crlf" => Some(true),
            "lf" => Some(false),
            _ => None,
        });
        Ok(match (text.as_deref(), by_end) {
            (Some("false" | "input"), _) => false,
            (_, Some(by_end)) => by_end,
            (Some("true" | "auto"), None) => by_configuration,
            (_, None) => is_automatic,
        })
    }

    /// Whether the executable bit on disk says anything (core.fileMode).
    pub(super) fn has_modes(&self) -> Result<bool> {
        Ok(self.git.config()?.snapshot()?.get_bool("core.filemode").unwrap_or(true))
    }

    /// The mode of a file in a commit: where the disk's says nothing, the one that it had.
    pub(super) fn mode(&self, kept: Option<Kept>, executable: bool) -> Result<u32> {
        let asked = u32::from(if executable { FileMode::BlobExecutable } else { FileMode::Blob });
        if self.has_modes()? {
            return Ok(asked);
        }
        let was_executable = kept.is_some_and(|(_, mode)| mode == u32::from(FileMode::BlobExecutable));
        Ok(u32::from(if was_executable { FileMode::BlobExecutable } else { FileMode::Blob }))
    }
}
