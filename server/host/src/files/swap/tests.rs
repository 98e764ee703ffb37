//! The steps that only a race or a poor file system leads to, one by one.

use std::fs;
use std::path::Path;

use augment_core::file::ContentHash;

use super::super::root::{HardLinks, Reached, Root};
use super::*;

struct Bench {
    folder: tempfile::TempDir,
    root: Root,
    path: FilePath,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(folder.path(), 1_000, HardLinks::Separate).unwrap();
        Self { folder, root, path: FilePath::from_text("a").unwrap() }
    }

    fn place(&self) -> Place<'_> {
        let Reached::Place(place) = self.root.reach(&self.path).unwrap() else { panic!() };
        place
    }

    fn put(&self, name: &str, content: &str) {
        fs::write(self.folder.path().join(name), content).unwrap();
    }

    /// Every name with its content.
    fn all(&self) -> Vec<(String, String)> {
        let entry = |path: &Path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let name = if name.ends_with(".kept") { ".kept" } else { name };
            (name.to_owned(), fs::read_to_string(path).unwrap())
        };
        let mut all: Vec<_> =
            fs::read_dir(self.folder.path()).unwrap().map(|found| entry(&found.unwrap().path())).collect();
        all.sort();
        all
    }

    fn expected(&self, content: &str) -> Expected {
        let thing = ExpectedThing::File { hash: ContentHash::of(content.as_bytes()), mode: None };
        Expected { path: self.path.clone(), thing }
    }

    fn check(&self, expected: &[(&str, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        assert_eq!(self.all(), expected);
    }

    /// Our own file as it is after an exchange: in the place, with our handle on it.
    fn put_back(&self) -> Option<FilePath> {
        let file = File::open(self.folder.path().join("ours")).unwrap();
        let stamp = Stamp::of(&fstat(&file).unwrap());
        let ours = Ours { file: Some(&file), stamp, expected: self.expected("ours") };
        put_back(&self.place(), b"hand", &ours).unwrap()
    }
}

#[test]
fn without_an_exchange_it_is_looked_at_and_renamed_over() {
    let bench = Bench::new();
    bench.put("a", "old");
    bench.put("hand", "new");
    put_over(&bench.place(), &bench.expected("old"), b"hand").unwrap();
    bench.check(&[("a", "new")]);
    bench.put("hand", "newer");
    let error = put_over(&bench.place(), &bench.expected("old"), b"hand").unwrap_err();
    assert!(matches!(error, WriteError::Changed { .. }));
    bench.check(&[("a", "new")]);
}

#[test]
fn without_an_exclusive_rename_nothing_is_replaced_either() {
    let bench = Bench::new();
    bench.put("hand", "new");
    put_by_link(&bench.place(), b"hand").unwrap();
    bench.check(&[("a", "new")]);
    bench.put("hand", "newer");
    assert_eq!(put_by_link(&bench.place(), b"hand"), Err(Errno::EXIST));
    bench.check(&[("a", "new"), ("hand", "newer")]);
}

#[test]
fn what_came_out_goes_back_and_ours_goes() {
    let bench = Bench::new();
    bench.put("hand", "theirs");
    bench.put("a", "ours");
    fs::hard_link(bench.folder.path().join("a"), bench.folder.path().join("ours")).unwrap();
    assert_eq!(bench.put_back(), None);
    bench.check(&[("a", "theirs"), ("ours", "ours")]);
}

#[test]
fn something_newer_stays_in_the_place_and_the_older_is_kept() {
    let bench = Bench::new();
    bench.put("ours", "ours");
    bench.put("hand", "theirs");
    bench.put("a", "newer");
    let kept = bench.put_back().unwrap();
    assert!(kept.name().ends_with(b".kept"));
    bench.check(&[(".kept", "theirs"), ("a", "newer"), ("ours", "ours")]);
}

#[test]
fn what_was_written_into_ours_meanwhile_stays_in_the_place() {
    let bench = Bench::new();
    bench.put("hand", "theirs");
    bench.put("a", "ours, and a line of theirs");
    fs::hard_link(bench.folder.path().join("a"), bench.folder.path().join("ours")).unwrap();
    assert!(bench.put_back().is_some());
    let line = "ours, and a line of theirs";
    bench.check(&[(".kept", "theirs"), ("a", line), ("ours", line)]);
}

#[test]
fn a_place_that_was_emptied_gets_back_what_came_out() {
    let bench = Bench::new();
    bench.put("ours", "ours");
    bench.put("hand", "theirs");
    assert_eq!(bench.put_back(), None);
    bench.check(&[("a", "theirs"), ("ours", "ours")]);
}

#[test]
fn what_is_written_at_the_last_moment_is_saved() {
    let bench = Bench::new();
    bench.put("hand", "old");
    let place = bench.place();
    let out = Held::take(&place, b"hand").unwrap();
    let late = fs::OpenOptions::new().append(true).open(bench.folder.path().join("hand")).unwrap();
    fs::remove_file(bench.folder.path().join("hand")).unwrap();
    std::io::Write::write_all(&mut &late, b" and late").unwrap();
    let error = rescue(&place, &out, &bench.expected("old")).unwrap_err();
    assert!(matches!(error, WriteError::Kept { .. }), "{error}");
    bench.check(&[(".kept", "old and late")]);
}
