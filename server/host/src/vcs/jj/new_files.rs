//! Which new files jj would not take, whatever is asked of it: those that are ignored, and those that are too large. What `@` or
//! the commit below has already is taken as it is.

use std::path::Path;

use super::program::Look;
use super::{Jj, Result};
use crate::vcs::history::{Body, LeftOut};

/// What jj takes where nobody has set anything.
const USUAL_LIMIT: u64 = 1_024 * 1_024;

impl Jj {
    pub(super) fn not_tracked(&self, place: &str) -> Result<Option<LeftOut>> {
        let Some(why) = self.not_tracked_if_new(place)? else { return Ok(None) };
        let standing = self.standing(Look::Aside)?;
        for commit in [Some(&standing.working.commit), standing.tip.as_ref()].into_iter().flatten() {
            if self.body(&commit.id, place)? != Body::Absent {
                return Ok(None);
            }
        }
        Ok(Some(why))
    }

    fn not_tracked_if_new(&self, place: &str) -> Result<Option<LeftOut>> {
        let git = git2::Repository::open(&self.git)?;
        // The store of jj may have no files of its own; what is ignored lies beside these.
        git.set_workdir(&self.top, false)?;
        if git.is_path_ignored(Path::new(place))? {
            return Ok(Some(LeftOut::Ignored));
        }
        let length = std::fs::symlink_metadata(self.top.join(place)).map_or(0, |found| found.len());
        let is_large = length > USUAL_LIMIT && length > self.largest_new()?;
        Ok(is_large.then_some(LeftOut::TooLarge))
    }

    fn largest_new(&self) -> Result<u64> {
        let said = self.program.jj(Look::Aside, &["config", "get", "snapshot.max-new-file-size"])?;
        // What is not understood is left to jj, which refuses it by itself.
        Ok(bytes(String::from_utf8_lossy(&said).trim()).unwrap_or(u64::MAX))
    }
}

/// A size as jj's settings have it: `1MiB`, `10M`, `4096`; 0 is no limit.
fn bytes(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..end].parse().ok()?;
    let power = match text[end..].trim() {
        "" | "B" => 0,
        "K" | "KiB" => 1,
        "M" | "MiB" => 2,
        "G" | "GiB" => 3,
        _ => return None,
    };
    if number == 0 { Some(u64::MAX) } else { number.checked_mul(1_024_u64.pow(power)) }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_read_as_jj_reads_them() {
        for (text, expected) in [
            ("1MiB", Some(1_048_576)),
            ("10M", Some(10 * 1_048_576)),
            ("2 KiB", Some(2_048)),
            ("4096", Some(4_096)),
            ("0", Some(u64::MAX)),
            ("1.5MiB", None),
            ("much", None),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }
}
