//! Where this very program lies, for whoever has to start it again: an agent's tools, the built-in agent, another host. An
//! update may have moved and replaced it while it runs.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static BEGAN_AT: OnceLock<Option<PathBuf>> = OnceLock::new();

/// To be called as soon as the process begins. Later the system may tell where the file was moved to, to be deleted.
pub fn note() {
    path();
}

/// Where it began; `None` where the system does not tell. What was installed there since is the same program, or a newer
/// one.
pub fn path() -> Option<&'static Path> {
    BEGAN_AT.get_or_init(|| std::env::current_exe().ok()).as_deref()
}
