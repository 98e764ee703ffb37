//! Holding a process to the folders that it may write to, with Landlock. It is done by the process that becomes the agent,
//! so all that the agent starts is held too, and nothing can undo it. Reading stays free.
//!
//! Where the kernel can, the agent also cannot send signals to anything but what it has started itself: not to its keeper,
//! and not to the host.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, Scope,
};

/// The first version that also refuses to cut a file short; without that, a file outside could still be emptied.
const NEEDED: ABI = ABI::V3;

/// What every program writes to without changing anything of anybody.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts"];

#[derive(Debug, thiserror::Error)]
#[error(
    "This system cannot hold an agent to the folders it may write to ({reason}). That takes Linux 6.2 or newer with Landlock switched on."
)]
pub struct ConfinementError {
    reason: String,
}

/// Whether this system can do it, found out by a thread that does it to itself and ends.
pub fn is_available() -> Result<(), ConfinementError> {
    let tried = std::thread::spawn(|| confine(&[])).join();
    tried.unwrap_or_else(|_| Err(ConfinementError { reason: "the attempt failed".into() }))
}

/// From now on this thread, and all that comes from it, can write below these paths only. A path that is not there cannot
/// be written to by this.
pub(super) fn confine(writable: &[PathBuf]) -> Result<(), ConfinementError> {
    let devices = DEVICES.iter().map(Path::new);
    let paths = writable.iter().map(PathBuf::as_path).chain(devices);
    restrict(paths).map_err(|error| ConfinementError { reason: error.to_string() })
}

fn restrict<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), landlock::RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::Signal)?
        .create()?;
    for path in paths {
        let Ok(held) = PathFd::new(path) else { continue };
        let mut access = AccessFs::from_write(NEEDED);
        if !path.is_dir() {
            access &= AccessFs::from_file(NEEDED);
        }
        ruleset = ruleset.add_rule(PathBeneath::new(held, access))?;
    }
    ruleset.restrict_self().map(drop)
}
