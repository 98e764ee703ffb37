//! `completion shell-helper`: the functions that shell scripts report with, printed or put into a file. A file that holds
//! anything else is a person's, shown and left alone unless they insist.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use augment_core::file::{ContentHash, FilePath};
use augment_core::text::visible;
use augment_host::files::{self, Expected, ExpectedThing, HardLinks, Root, Thing, Wanted};
use augment_protocol::changes::BodyKind;

use crate::args::ShellHelperArgs;
use crate::commands::{Ended, Ending, Failure, Session};
use crate::output::Format;
use crate::output::diff::{self, Side};

const HELPER: &str = include_str!("../../../../../scripts/agents/completion-report.sh");
/// Scripts source it; nobody starts it.
const MODE: u32 = 0o644;
/// Longer files are nobody's shell functions.
const LONGEST: u64 = 1_024 * 1_024;
/// The hashes of what this file was in earlier versions: ours, as nobody has changed them.
const EARLIER: [&str; 1] = ["f76c9a13ad6f8e0093f7e9a239394a56c53f568f36b64c3b61e01099593e6d3c"];

pub(super) fn run(session: &Session, args: &ShellHelperArgs) -> Ended {
    match &args.to {
        None => {
            match session.output.format() {
                Format::Human => session.output.print(HELPER)?,
                Format::Json => session.output.json(&serde_json::json!({ "text": HELPER }))?,
            }
            Ok(Ending::Done)
        }
        Some(path) => install(session, path, args.force),
    }
}

fn install(session: &Session, path: &Path, force: bool) -> Ended {
    let shown = visible(&path.to_string_lossy()).into_owned();
    let no_name =
        || Failure::told("bad-path", format!("{shown} names no file. Name one, for example completion-report.sh."));
    let name = path.file_name().ok_or_else(no_name)?;
    let at = FilePath::new(name.as_bytes()).map_err(|why| Failure::told("bad-path", format!("{shown}: {why}.")))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let folder = visible(&folder.to_string_lossy()).into_owned();
        return Err(Failure::told("no-folder", format!("There is no folder {folder}. Make it first.")));
    }
    if path.is_dir() {
        return Err(Failure::told("bad-path", format!("{shown} is a folder. Name a file in it.")));
    }
    let failed = |error: files::WriteError| Failure::told("not-written", error.to_string());
    let root = Root::open(folder, LONGEST, HardLinks::Separate).map_err(failed)?;
    let before = match files::look(&root, &at).map_err(failed)?.thing {
        Thing::Absent => None,
        Thing::File { content, mode } => Some((content, mode)),
        Thing::Link(_) => {
            return Err(Failure::told(
                "a-link",
                format!("{shown} is a link. Name the file itself, or remove the link."),
            ));
        }
    };
    if before.as_ref().is_some_and(|(content, _)| content == HELPER.as_bytes()) {
        return told(session, &shown, &at, "is there already, as it should be");
    }
    if let Some((content, mode)) = &before {
        if session.output.format() == Format::Human {
            session.output.print(&diff::painted(&difference(&shown, content, *mode)))?;
        }
        if !force && !is_ours(content) {
            let message =
                format!("{shown} holds something else and was left alone. Name another file, or insist with --force.");
            return Err(Failure::told("not-ours", message));
        }
    }
    let mode = before.as_ref().map_or(MODE, |(_, mode)| *mode);
    let thing = match &before {
        Some((content, mode)) => ExpectedThing::File { hash: ContentHash::of(content), mode: Some(*mode) },
        None => ExpectedThing::Absent,
    };
    let wanted = Thing::File { content: HELPER.as_bytes().to_vec(), mode };
    files::replace(&root, &Expected { path: at.clone(), thing }, &Wanted { path: at.clone(), thing: wanted })
        .map_err(failed)?;
    told(session, &shown, &at, if before.is_some() { "was updated" } else { "was written" })
}

fn is_ours(content: &[u8]) -> bool {
    let hash = ContentHash::of(content).to_string();
    EARLIER.contains(&hash.as_str())
}

fn difference(path: &str, before: &[u8], mode: u32) -> String {
    let body = if std::str::from_utf8(before).is_ok() { BodyKind::Text } else { BodyKind::Whole };
    diff::unified(
        Side { path, body, content: before, hash: None, mode },
        Side { path, body: BodyKind::Text, content: HELPER.as_bytes(), hash: None, mode },
    )
}

fn told(session: &Session, shown: &str, at: &FilePath, what: &str) -> Ended {
    let file = visible(&at.to_text()).into_owned();
    session.show(&serde_json::json!({ "file": shown, "outcome": what }), |_| {
        format!("{shown} {what}. Scripts beside it use it with `. ./{file}`.")
    })?;
    Ok(Ending::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_changed_is_ours() {
        assert!(!is_ours(HELPER.as_bytes()), "what is there now is no earlier version");
        assert!(!is_ours(format!("{HELPER}# mine\n").as_bytes()));
    }
}
