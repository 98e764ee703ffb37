//! Programs that have a file open for writing. Replacing a file does not reach those: they would go on writing into the
//! old one, which nobody sees any more. A database, a log, an editor that writes in place would lose everything from
//! then on without noticing.
//!
//! The file in question lies under a name of ours when this is asked, so nobody can open it any more, and its name is
//! unmistakable in the list of every process. Processes of other users do not show us their lists, and a file that is
//! mapped but not open is not in them; where there is no `/proc` nobody is found.

use std::fs::{File, read_dir, read_link, read_to_string};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use augment_core::text::visible;

/// The two lowest bits of an open file's flags: 0 is for reading only.
const WRITES: u32 = 0o3;

/// A program that can write to the file with this name, as a person would call it; our `own` handle does not count.
pub(super) fn of(name: &[u8], own: Option<&File>) -> Option<String> {
    let ours = own.map(|file| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
    for process in read_dir("/proc").ok()?.flatten() {
        if !process.file_name().as_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        // Processes end while we look, and those of others are closed to us.
        let Ok(handles) = read_dir(process.path().join("fd")) else { continue };
        for handle in handles.flatten().map(|handle| handle.path()) {
            let leads_here =
                read_link(&handle).is_ok_and(|target| target.file_name().is_some_and(|n| n.as_bytes() == name));
            if leads_here && ours.as_deref().is_none_or(|ours| handle != Path::new(ours)) && writes(&handle) {
                return Some(title(&process.path()));
            }
        }
    }
    None
}

fn writes(handle: &Path) -> bool {
    let Some((process, number)) = handle.parent().and_then(Path::parent).zip(handle.file_name()) else { return false };
    let Ok(info) = read_to_string(process.join("fdinfo").join(number)) else { return false };
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & WRITES != 0)
}

fn title(process: &Path) -> String {
    let number = process.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = read_to_string(process.join("comm")).unwrap_or_default();
    format!("{} (process {number})", visible(name.trim_end()))
}
