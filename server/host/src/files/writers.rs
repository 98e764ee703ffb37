//! Programs that have a file open for writing. Replacing a file does not reach those: they would go on writing into the
//! old one, which nobody sees any more. A database, a log, an editor that writes in place would lose everything from
//! then on without noticing.
//!
//! The file in question lies under a name of ours when this is asked, so nobody can open it any more, and its name is
//! unmistakable in the list of every process. Processes of other users do not show us their lists, and a file that is
//! mapped but not open is not in them; where there is no `/proc` nobody is found.

use std::collections::{HashMap, HashSet};
use std::fs::{File, read_dir, read_link, read_to_string};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use augment_core::text::visible;

/// The two lowest bits of an open file's flags: 0 is for reading only.
const WRITES: u32 = 0o3;

/// A program that can write to the file with this name, as a person would call it; our `own` handle does not count.
pub(super) fn of(name: &[u8], own: Option<&File>) -> Option<String> {
    of_each(&[name], own).remove(name)
}

/// The same for many files at once, by their names: going through all processes takes as long for one.
pub(super) fn of_each<'a>(names: &[&'a [u8]], own: Option<&File>) -> HashMap<&'a [u8], String> {
    let names: HashSet<&'a [u8]> = names.iter().copied().collect();
    let ours = own.map(|file| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
    let mut found = HashMap::new();
    let Ok(processes) = read_dir("/proc") else { return found };
    for process in processes.flatten() {
        if !process.file_name().as_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        // Processes end while we look, and those of others are closed to us.
        let Ok(handles) = read_dir(process.path().join("fd")) else { continue };
        for handle in handles.flatten().map(|handle| handle.path()) {
            let target = read_link(&handle).ok();
            let name = target.as_deref().and_then(Path::file_name).and_then(|name| names.get(name.as_bytes()));
            if let Some(name) = name
                && ours.as_deref().is_none_or(|ours| handle != Path::new(ours))
                && writes(&handle)
            {
                found.entry(*name).or_insert_with(|| title(&process.path()));
            }
        }
    }
    found
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
