//! Paths as they are typed, turned into paths inside the workspace. The file need not exist any more, and no link on
//! the way to it is followed: what is meant is the name, not where it leads.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use augment_core::file::FilePath;
use augment_core::text::visible;

use super::{Failure, Session};

impl Session {
    /// The wire's text for a path that was typed: relative to the current folder, or to the workspace where the current
    /// folder lies outside of it.
    pub(super) fn typed_path(&self, typed: &Path) -> Result<String, Failure> {
        let workspace = self.workspace()?;
        let here = std::env::current_dir().ok();
        inside(workspace.root(), here.as_deref(), typed).map(|path| path.to_text())
    }

    /// The same for what may also be the workspace itself, which is `.`.
    pub(super) fn typed_below(&self, typed: &Path) -> Result<String, Failure> {
        let workspace = self.workspace()?;
        let here = std::env::current_dir().ok();
        let whole = joined(workspace.root(), here.as_deref(), typed);
        if below(workspace.root(), &whole).is_some_and(|rest| rest.as_os_str().is_empty()) {
            return Ok(".".to_owned());
        }
        inside(workspace.root(), here.as_deref(), typed).map(|path| path.to_text())
    }
}

fn joined(root: &Path, here: Option<&Path>, typed: &Path) -> PathBuf {
    let from = here.filter(|here| here.starts_with(root)).unwrap_or(root);
    straightened(&from.join(typed))
}

pub(super) fn inside(root: &Path, here: Option<&Path>, typed: &Path) -> Result<FilePath, Failure> {
    let whole = joined(root, here, typed);
    let shown = || visible(&typed.to_string_lossy()).into_owned();
    let Some(rest) = below(root, &whole) else {
        let root = visible(&root.to_string_lossy()).into_owned();
        let message = format!(
            "{} lies outside of the workspace {root}. Name a file inside it, or another workspace with -C.",
            shown()
        );
        return Err(Failure::told("outside-workspace", message));
    };
    if rest.as_os_str().is_empty() {
        return Err(Failure::told("bad-path", format!("{} is the workspace itself. Name a file in it.", shown())));
    }
    FilePath::new(rest.as_os_str().as_bytes())
        .map_err(|why| Failure::told("bad-path", format!("{} cannot be a path in the workspace: {why}.", shown())))
}

/// Without `.` and `..`, by the names alone.
fn straightened(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                straight.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => straight.push(part),
        }
    }
    straight
}

/// What of a path lies below the root. The way to the root may lead over links, as `/tmp` does on some systems; the way
/// below it is taken by its names.
fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    if let Ok(rest) = path.strip_prefix(root) {
        return Some(rest.to_owned());
    }
    let folder = path.ancestors().find(|folder| folder.canonicalize().is_ok_and(|real| real == root))?;
    path.strip_prefix(folder).ok().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn check(here: &str, typed: &str, expected: Result<&str, &str>) {
        let found = inside(Path::new("/w/s"), Some(Path::new(here)), Path::new(typed));
        let found = found.map(|path| path.to_text()).map_err(|failure| match failure {
            Failure::Told { code, .. } => code,
            Failure::Closed | Failure::Interrupted => String::new(),
        });
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{here} {typed}");
    }

    #[test]
    fn paths_are_relative_to_the_current_folder_inside_the_workspace() {
        check("/w/s", "a.rs", Ok("a.rs"));
        check("/w/s/src", "a.rs", Ok("src/a.rs"));
        check("/w/s/src", "../b//./c.rs", Ok("b/c.rs"));
        check("/w/s/src", "/w/s/d.rs", Ok("d.rs"));
        check("/w/s", "-rf", Ok("-rf"));
        check("/w/s", "a\\b", Ok("a\\\\b"));
        // From elsewhere only the workspace can be meant.
        check("/home", "src/a.rs", Ok("src/a.rs"));
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        check("/w/s", "../x", Err("outside-workspace"));
        check("/w/s", "/etc/passwd", Err("outside-workspace"));
        check("/w/s", "/w/s2/x", Err("outside-workspace"));
        check("/w/s", "a/../../x", Err("outside-workspace"));
        check("/w/s", ".", Err("bad-path"));
        check("/w/s", "src/..", Err("bad-path"));
    }

    #[test]
    fn bytes_that_are_not_utf8_come_through() {
        let typed = Path::new(OsStr::from_bytes(b"a\xff.rs"));
        let path = inside(Path::new("/w"), None, typed).map(|path| path.to_text());
        assert!(matches!(path.as_deref(), Ok("a\\xff.rs")), "{path:?}");
    }

    #[test]
    fn a_link_to_the_workspace_leads_into_it_but_links_inside_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        let root = real.join("root");
        std::fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(&root, real.join("link")).unwrap();
        std::os::unix::fs::symlink("/etc", root.join("out")).unwrap();
        let text = |typed: PathBuf| inside(&root, None, &typed).map(|path| path.to_text()).ok();
        assert_eq!(text(real.join("link/a.rs")), Some("a.rs".into()));
        assert_eq!(text(root.join("out/passwd")), Some("out/passwd".into()));
        assert_eq!(text(real.join("other/a.rs")), None);
    }
}
