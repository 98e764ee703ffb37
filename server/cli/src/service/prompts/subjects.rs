//! The subjects of `Development/` and `Research/`, as they lie in the workspace: read with limits, links not followed.

use std::path::Path;

use augment_core::prompt::artifact::parse_name;
use augment_core::prompt::subject::{Found, Ranked, Side, Tier, rank};
use augment_host::files;
use augment_protocol::prompts as wire;

/// How many subjects of a side are looked at, how many files in each, and how much of what they say.
const SUBJECTS: usize = 1_000;
const FILES: usize = 200;
const WORDS_FILES: usize = 20;
const WORDS_BYTES: u64 = 4_096;
/// How many are told, and how many files of each are named.
const TOLD: usize = 10;
const NAMED: usize = 10;

/// What is in a folder, by name; nothing where it is none.
fn entries(folder: &Path) -> Vec<(String, std::fs::FileType)> {
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let named = read.filter_map(|entry| {
        let entry = entry.ok()?;
        Some((entry.file_name().into_string().ok()?, entry.file_type().ok()?))
    });
    let mut named: Vec<_> = named.filter(|(name, _)| !name.starts_with('.')).collect();
    named.sort_by(|one, other| one.0.cmp(&other.0));
    named
}

pub(super) fn look(root: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    for side in Side::ALL {
        for (tier, subject, folder) in folders(root, side).into_iter().take(SUBJECTS) {
            let (files, words) = inside(&root.join(&folder));
            found.push(Found { side, tier, subject, folder, files, words });
        }
    }
    found
}

/// The subjects of a side, each with its folder.
fn folders(root: &Path, side: Side) -> Vec<(Tier, String, String)> {
    let mut found = Vec::new();
    for (tier_name, kind) in entries(&root.join(side.folder())) {
        let Some(tier) = Tier::from_folder(&tier_name).filter(|_| kind.is_dir()) else { continue };
        let subjects =
            entries(&root.join(side.folder()).join(&tier_name)).into_iter().filter(|(_, kind)| kind.is_dir());
        found.extend(subjects.map(|(subject, _)| {
            let folder = format!("{}/{tier_name}/{subject}", side.folder());
            (tier, subject, folder)
        }));
    }
    found
}

/// The findings of `Research/` whose names begin with a stamp's digits.
pub(super) fn stamped(root: &Path, digits: &str) -> Vec<String> {
    let folders = folders(root, Side::Research).into_iter();
    let found = folders.flat_map(|(_, _, folder)| {
        let files =
            entries(&root.join(&folder)).into_iter().filter(|(name, kind)| kind.is_file() && name.starts_with(digits));
        files.map(move |(name, _)| format!("{folder}/{name}")).collect::<Vec<_>>()
    });
    found.take(FILES).collect()
}

/// The files of a subject, two folders deep, what is not dated first and then the newest, and the beginnings of some of them.
fn inside(folder: &Path) -> (Vec<String>, String) {
    let (mut files, mut words) = (Vec::new(), String::new());
    for (name, kind) in entries(folder) {
        if kind.is_file() {
            files.push(name);
        } else if kind.is_dir() {
            let below = entries(&folder.join(&name)).into_iter().filter(|(_, kind)| kind.is_file());
            files.extend(below.map(|(file, _)| format!("{name}/{file}")));
        }
    }
    let (mut dated, mut files): (Vec<String>, Vec<String>) =
        files.into_iter().partition(|file| parse_name(file.rsplit('/').next().unwrap_or(file)).is_some());
    dated.sort_by(|one, other| other.cmp(one));
    files.extend(dated);
    files.truncate(FILES);
    for file in files.iter().take(WORDS_FILES) {
        if let Some(beginning) = files::beginning(&folder.join(file), WORDS_BYTES) {
            words.push_str(&String::from_utf8_lossy(&beginning));
            words.push('\n');
        }
    }
    (files, words)
}

/// The subjects that a prompt touches, best first, with what to read on both sides.
pub(super) fn ranked(text: &str, found: &[Found]) -> Vec<wire::Subject> {
    rank(text, found).into_iter().take(TOLD).map(|ranked| to_wire(ranked, found)).collect()
}

fn to_wire(ranked: Ranked, found: &[Found]) -> wire::Subject {
    let folders: Vec<String> = ranked.places.iter().map(|(_, _, folder)| folder.clone()).collect();
    let files = found.iter().filter(|one| folders.contains(&one.folder)).flat_map(|one| {
        let folder = one.folder.clone();
        one.files.iter().map(move |file| format!("{folder}/{file}"))
    });
    let files = files.take(NAMED).collect();
    wire::Subject { subject: ranked.subject, score: ranked.score, why: ranked.why, folders, files }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject_of(count: u32) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let subject = folder.path().join("Research/high/Login");
        std::fs::create_dir_all(&subject).unwrap();
        for at in 0..count {
            std::fs::write(subject.join(format!("59191205{at:04}_answer_a.md")), "").unwrap();
        }
        std::fs::write(subject.join("Counterpart.md"), "").unwrap();
        folder
    }

    #[test]
    fn of_many_files_the_undated_and_the_newest_are_looked_at() {
        let folder = subject_of(205);
        let found = look(folder.path());
        assert_eq!(found[0].files.len(), FILES);
        assert_eq!(found[0].files[..2], ["Counterpart.md", "591912050204_answer_a.md"]);
    }

    #[test]
    fn what_has_a_stamp_is_found_among_any_number() {
        let folder = subject_of(205);
        assert_eq!(stamped(folder.path(), "591912050204"), ["Research/high/Login/591912050204_answer_a.md"]);
        assert!(stamped(folder.path(), "591912050999").is_empty());
    }

    #[test]
    fn a_pipe_is_no_file_and_is_not_waited_for() {
        let folder = subject_of(1);
        let pipe = folder.path().join("Research/high/Login/notes.md");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert_eq!(look(folder.path())[0].files, ["Counterpart.md", "591912050000_answer_a.md"]);
        assert_eq!(files::beginning(&pipe, 10), None);
    }
}
