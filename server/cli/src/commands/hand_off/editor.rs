//! The person's own editor on a text. It is asked only where a person sits at a terminal, and runs what their environment
//! names, never what a workspace does. A text stays where they wrote it until it was used.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use augment_core::run::HandOffId;
use augment_core::text::{shell_word, visible};

use super::DOCUMENT_BYTES;
use crate::commands::Failure;

/// How many names are tried for a new file.
const TRIES: u32 = 100;

/// What the person made of a text, and where it lies.
pub(super) struct Edited {
    pub(super) text: String,
    path: PathBuf,
}

impl Edited {
    /// It was used, so nobody needs the file any more.
    pub(super) fn let_go(&self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!("{} stays: {error}", self.path.display());
        }
    }

    /// Where it is, for those who want to use it after all.
    pub(super) fn kept(&self) -> String {
        let path = self.path.to_string_lossy();
        format!("Your text is kept in {}; use it again with --document {}", visible(&path), shell_word(&path))
    }
}

/// What the person makes of a text.
pub(super) async fn edit(hand_off: &str, text: String) -> Result<Edited, Failure> {
    let Some(editor) = chosen(|name| std::env::var(name).ok()) else {
        let message = "Neither VISUAL nor EDITOR is set. Set one, or give the text with --document FILE.";
        return Err(Failure::told("no-editor", message));
    };
    let name = HandOffId::read(hand_off).map_or_else(|| "hand-off".to_owned(), |id| format!("hand-off-{id}"));
    let edited = tokio::task::spawn_blocking(move || edited(&editor, &name, &text)).await;
    edited.unwrap_or_else(|error| Err(Failure::told("editor", format!("The editor cannot be waited for: {error}."))))
}

fn chosen(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    ["VISUAL", "EDITOR"].into_iter().filter_map(variable).find(|editor| !editor.trim().is_empty())
}

fn edited(editor: &str, name: &str, text: &str) -> Result<Edited, Failure> {
    let path = written(name, text)
        .map_err(|error| Failure::told("editor", format!("No file can be made to edit: {error}.")))?;
    let kept = |why: String| {
        let message = format!("{why} Your text is kept in {}.", visible(&path.to_string_lossy()));
        Failure::told("editor", message)
    };
    // As other programs do it: the variable may name arguments, too.
    let ended = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg(editor).arg(&path).status();
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(kept(format!("The editor ended with {status}, so nothing was started."))),
        Err(error) => return Err(kept(format!("The editor cannot be started: {error}."))),
    }
    let text = read(&path).map_err(|error| kept(format!("What was edited cannot be read: {error}.")))?;
    Ok(Edited { text, path })
}

/// A new file that only this user can read.
fn written(name: &str, text: &str) -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..TRIES {
        let path = folder.join(format!("augment-{name}-{}-{number}.md", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let limit = u64::try_from(DOCUMENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    // What is one too many is refused with its length by the rules.
    fs::File::open(path)?.take(limit).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_visual_editor_comes_first_and_an_empty_one_is_none() {
        let of = |visual: &'static str, editor: &'static str| {
            chosen(|name| Some(if name == "VISUAL" { visual } else { editor }.to_owned()))
        };
        assert_eq!(of("code --wait", "vi").as_deref(), Some("code --wait"));
        assert_eq!(of(" ", "vi").as_deref(), Some("vi"));
        assert_eq!(of("", ""), None);
    }

    #[test]
    fn what_the_editor_writes_is_what_comes_back() {
        let added = "f() { printf 'and ü more\n' >> \"$1\"; }; f";
        let Ok(edited) = edited(added, "test", "first\n") else { panic!("it was edited") };
        assert_eq!(edited.text, "first\nand ü more\n");
        assert_eq!(fs::read_to_string(&edited.path).unwrap(), edited.text, "it stays until it was used");
        edited.let_go();
        assert!(!edited.path.exists());
    }

    #[test]
    fn an_editor_that_fails_leaves_the_text_there() {
        let Err(Failure::Told { message, .. }) = edited("false", "test", "mine\n") else { panic!("it failed") };
        let path = message.rsplit_once("kept in ").map(|(_, path)| path.trim_end_matches('.').to_owned()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
        fs::remove_file(path).unwrap();
    }
}
