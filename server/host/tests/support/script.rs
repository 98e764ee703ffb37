//! A program that a test writes and then has run.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Written by a process of its own. A program that somebody has open for writing cannot be run, and whatever this process has
/// open is open in every child that another test starts in the same moment, until that child runs its own program.
pub(crate) fn write_script(path: &Path, text: &str, mode: u32) {
    let write = format!("cat > \"$0\" && chmod {mode:o} \"$0\"");
    let mut shell = Command::new("sh").args(["-c", &write]).arg(path).stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success(), "{} could not be written", path.display());
}
