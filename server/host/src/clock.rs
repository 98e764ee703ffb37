//! The one place that reads clocks.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use augment_core::time::{Boot, Now, Steady, Wall};
use rustix::time::{ClockId, clock_gettime};

#[must_use]
pub fn now() -> Now {
    Now { wall: wall(), steady: steady(), boot: boot().clone() }
}

#[must_use]
pub fn wall() -> Wall {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Wall(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The monotonic clock of the system, not of the process: a lease outlives the host that gave it. It stands still while
/// the machine sleeps, so that waking up ends no lease.
#[must_use]
pub fn steady() -> Steady {
    let time = clock_gettime(ClockId::Monotonic);
    Steady(time.tv_sec.saturating_mul(1_000).saturating_add(time.tv_nsec / 1_000_000))
}

/// Names the boot that `steady` counts from.
pub fn boot() -> &'static Boot {
    static BOOT: OnceLock<Boot> = OnceLock::new();
    BOOT.get_or_init(|| {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        Boot(id.map_or_else(|_| boot_by_clocks(), |id| id.trim().to_owned()))
    })
}

/// Where the system does not name its boots: the minute in which it began, by the difference of the two clocks. A wall
/// clock that is set anew looks like a new boot, which only gives leases one more length.
fn boot_by_clocks() -> String {
    format!("since-minute-{}", (wall().0 - steady().0) / 60_000)
}
