//! The one place that changes a user's file: byte for byte what was wanted, or nothing at all, whatever others do to the
//! same file at the same moment.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::{RwLock, RwLockReadGuard};

use augment_core::file::{ContentHash, FilePath};
use augment_host::files::{
    Expected, ExpectedThing, HardLinks, Root, Seen, Thing, Wanted, WriteError, Written, is_ours, look, replace, sweep,
    tidy_folders,
};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};

#[path = "files/faults.rs"]
mod faults;
#[path = "files/races.rs"]
mod races;
#[path = "files/together.rs"]
mod together;

const MAX: u64 = 64 * 1024 * 1024;

/// Held for writing while a program is started, for reading by whoever has files. A child has all that this process has open
/// until it runs its own program, so a file that was just written would still be open for writing there: it would rightly be
/// left alone.
static STARTING: RwLock<()> = RwLock::new(());

struct Bench {
    root: Root,
    folder: PathBuf,
    outside: PathBuf,
    _temporary: tempfile::TempDir,
    /// Nobody is started as long as this is there.
    alone: Option<RwLockReadGuard<'static, ()>>,
}

impl Bench {
    fn new() -> Self {
        Self::with(HardLinks::WriteThrough)
    }

    fn with(hard_links: HardLinks) -> Self {
        let alone = Some(STARTING.read().unwrap());
        let temporary = tempfile::tempdir().unwrap();
        let (folder, outside) = (temporary.path().join("workspace"), temporary.path().join("outside"));
        fs::create_dir(&folder).unwrap();
        fs::create_dir(&outside).unwrap();
        let root = Root::open(&folder, MAX, hard_links).unwrap();
        Self { root, folder, outside, _temporary: temporary, alone }
    }

    fn at(&self, path: &[u8]) -> PathBuf {
        self.folder.join(OsStr::from_bytes(path))
    }

    fn put(&self, path: &str, content: &[u8], mode: u32) {
        let at = self.at(path.as_bytes());
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(&at, content).unwrap();
        fs::set_permissions(&at, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn replace(&self, path: &str, expected: ExpectedThing, wanted: Thing) -> Result<Written, WriteError> {
        self.rename(path, expected, path, wanted)
    }

    fn rename(&self, from: &str, expected: ExpectedThing, to: &str, wanted: Thing) -> Result<Written, WriteError> {
        let expected = Expected { path: path(from), thing: expected };
        replace(&self.root, &expected, &Wanted { path: path(to), thing: wanted })
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path.as_bytes())).unwrap()
    }

    fn mode(&self, path: &str) -> u32 {
        fs::symlink_metadata(self.at(path.as_bytes())).unwrap().mode() & 0o7777
    }

    fn exists(&self, path: &str) -> bool {
        fs::symlink_metadata(self.at(path.as_bytes())).is_ok()
    }

    /// Every name below the workspace that is one of ours.
    fn leftovers(&self) -> Vec<PathBuf> {
        fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    walk(&entry.path(), found);
                } else if is_ours(entry.file_name().as_bytes()) || entry.file_name().as_bytes().starts_with(b".augment")
                {
                    found.push(entry.path());
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.folder, &mut found);
        found
    }

    fn assert_clean(&self) {
        assert_eq!(self.leftovers(), Vec::<PathBuf>::new());
    }
}

fn path(text: &str) -> FilePath {
    FilePath::from_text(text).unwrap()
}

fn is(content: &[u8]) -> ExpectedThing {
    ExpectedThing::File { hash: ContentHash::of(content), mode: None }
}

fn is_with(content: &[u8], mode: u32) -> ExpectedThing {
    ExpectedThing::File { hash: ContentHash::of(content), mode: Some(mode) }
}

fn file(content: &[u8], mode: u32) -> Thing {
    Thing::File { content: content.to_vec(), mode }
}

fn link(target: &str) -> Thing {
    Thing::Link(target.into())
}

/// Contents that tools like to damage.
fn contents() -> Vec<Vec<u8>> {
    vec![
        b"one\r\ntwo\r\n".to_vec(),
        b"mixed\r\nends\nand\rmore".to_vec(),
        b"\xef\xbb\xbfwith a mark\n".to_vec(),
        b"\xff\xfeu\0t\0f\0".to_vec(),
        b"zero \0 bytes \0".to_vec(),
        b"".to_vec(),
        b"no final newline".to_vec(),
        b"\n\n\n".to_vec(),
        b"not \xff\xc0 utf-8".to_vec(),
    ]
}

/// What the system told of a name, one word an event.
fn told_of(inotify: &impl AsFd, name: &str) -> Vec<ReadFlags> {
    let mut buffer = [const { MaybeUninit::uninit() }; 4096];
    let mut events = inotify::Reader::new(inotify, &mut buffer);
    let mut told = Vec::new();
    while let Ok(event) = events.next() {
        if event.file_name().is_some_and(|named| named.to_bytes() == name.as_bytes()) {
            told.push(event.events());
        }
    }
    told
}

#[test]
fn the_last_that_watchers_hear_of_a_replaced_file_is_that_it_came() {
    let bench = Bench::new();
    bench.put("a.txt", b"old\n", 0o644);
    let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).unwrap();
    inotify::add_watch(&inotify, &bench.folder, WatchFlags::MOVE | WatchFlags::DELETE | WatchFlags::CREATE).unwrap();
    bench.replace("a.txt", is(b"old\n"), Thing::File { content: b"new\n".to_vec(), mode: 0o644 }).unwrap();
    // Whoever folds what is heard of one name, as editors do, believes the last word.
    assert_eq!(told_of(&inotify, "a.txt"), [ReadFlags::MOVED_FROM, ReadFlags::MOVED_TO]);
}

#[test]
fn every_byte_comes_through() {
    let bench = Bench::new();
    let mut before = b"old\n".to_vec();
    bench.put("a", &before, 0o644);
    for content in contents() {
        let written = bench.replace("a", is(&before), file(&content, 0o644)).unwrap();
        assert_eq!(bench.read("a"), content);
        let metadata = fs::metadata(bench.at(b"a")).unwrap();
        let stamp = written.stamp.unwrap();
        assert_eq!((stamp.inode, stamp.length, stamp.mode), (metadata.ino(), content.len() as u64, 0o644));
        let ns = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        assert_eq!(stamp.modified_ns, ns(metadata.mtime(), metadata.mtime_nsec()));
        assert_eq!(stamp.changed_ns, ns(metadata.ctime(), metadata.ctime_nsec()));
        assert_eq!(look(&bench.root, &path("a")).unwrap().thing, file(&content, 0o644));
        before = content;
    }
    bench.assert_clean();
}

#[test]
fn fifty_megabytes_with_holes_come_through() {
    let bench = Bench::new();
    let sparse = fs::File::create(bench.at(b"big")).unwrap();
    sparse.set_len(50 * 1024 * 1024).unwrap();
    drop(sparse);
    let before = bench.read("big");
    let mut content = before.clone();
    content[25_000_000] = 7;
    content.truncate(content.len() - 1);
    bench.replace("big", is(&before), file(&content, 0o600)).unwrap();
    assert_eq!(blake3::hash(&bench.read("big")), blake3::hash(&content));
    bench.assert_clean();
}

#[test]
fn a_file_over_the_limit_is_refused_both_ways() {
    let bench = Bench::new();
    let large = fs::File::create(bench.at(b"large")).unwrap();
    large.set_len(10 * 1024 * 1024 * 1024).unwrap();
    let error = bench.replace("large", is(b""), file(b"x", 0o644)).unwrap_err();
    assert!(matches!(error, WriteError::TooLarge { length: 10_737_418_240, max: MAX, .. }), "{error}");
    assert!(matches!(look(&bench.root, &path("large")), Err(WriteError::TooLarge { .. })));

    let root = Root::open(&bench.folder, 3, HardLinks::WriteThrough).unwrap();
    let expected = Expected { path: path("new"), thing: ExpectedThing::Absent };
    let error = replace(&root, &expected, &Wanted { path: path("new"), thing: file(b"four", 0o644) }).unwrap_err();
    assert!(matches!(error, WriteError::TooLarge { length: 4, max: 3, .. }), "{error}");
    assert!(replace(&root, &expected, &Wanted { path: path("new"), thing: file(b"333", 0o644) }).is_ok());
    bench.assert_clean();
}

#[test]
fn modes_are_exact() {
    let bench = Bench::new();
    for mode in [0o644, 0o755, 0o600, 0o444, 0o777, 0o4755, 0o2755, 0o1644, 0o000, 0o666] {
        let name = format!("m{mode:o}");
        bench.put(&name, b"old", 0o644);
        bench.replace(&name, is_with(b"old", 0o644), file(b"new", mode)).unwrap();
        assert_eq!(bench.mode(&name), mode, "replaced");
        let created = format!("c{mode:o}");
        let written = bench.replace(&created, ExpectedThing::Absent, file(b"new", mode)).unwrap();
        assert_eq!((bench.mode(&created), written.stamp.unwrap().mode), (mode, mode), "created");
    }
    bench.put("exec", b"same", 0o755);
    let error = bench.replace("exec", is_with(b"same", 0o644), file(b"same", 0o600)).unwrap_err();
    assert!(matches!(&error, WriteError::Changed { found: Seen::File { mode: 0o755, .. }, .. }), "{error}");
    bench.replace("exec", is_with(b"same", 0o755), file(b"same", 0o644)).unwrap();
    assert_eq!(bench.mode("exec"), 0o644);
    bench.assert_clean();
}

#[test]
fn a_read_only_file_is_replaced_since_that_needs_only_its_folder() {
    let bench = Bench::new();
    bench.put("a", b"old", 0o444);
    bench.replace("a", is(b"old"), file(b"new", 0o444)).unwrap();
    assert_eq!((bench.read("a"), bench.mode("a")), (b"new".to_vec(), 0o444));
}

#[test]
fn owner_and_attributes_come_along() {
    let bench = Bench::new();
    bench.put("a", b"old", 0o640);
    let at = bench.at(b"a");
    let attributes = rustix::fs::setxattr(&at, "user.note", b"kept", rustix::fs::XattrFlags::empty()).is_ok();
    let owner = if rustix::process::getuid().is_root() {
        std::os::unix::fs::chown(&at, Some(12_345), Some(23_456)).unwrap();
        (12_345, 23_456)
    } else {
        let metadata = fs::metadata(&at).unwrap();
        (metadata.uid(), metadata.gid())
    };
    bench.replace("a", is(b"old"), file(b"new", 0o4750)).unwrap();
    let metadata = fs::metadata(&at).unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), bench.mode("a")), (owner.0, owner.1, 0o4750));
    if attributes {
        let mut value = [0_u8; 16];
        let length = rustix::fs::getxattr(&at, "user.note", &mut value[..]).unwrap();
        assert_eq!(&value[..length], b"kept");
    }
    // A new name is the same file to its user, so they come along there too.
    bench.rename("a", is(b"new"), "b/c", file(b"new", 0o4750)).unwrap();
    let metadata = fs::metadata(bench.at(b"b/c")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), bench.mode("b/c")), (owner.0, owner.1, 0o4750));
}

#[test]
fn an_access_list_comes_along() {
    let bench = Bench::new();
    bench.put("a", b"old", 0o640);
    // Version 2; owner rw, user 12345 r, group r, mask r, others none.
    let entry = |tag: u16, rights: u16, id: u32| {
        [&tag.to_le_bytes()[..], &rights.to_le_bytes()[..], &id.to_le_bytes()[..]].concat()
    };
    let acl = [
        2_u32.to_le_bytes().to_vec(),
        entry(1, 6, u32::MAX),
        entry(2, 4, 12_345),
        entry(4, 4, u32::MAX),
        entry(16, 4, u32::MAX),
        entry(32, 0, u32::MAX),
    ]
    .concat();
    let name = "system.posix_acl_access";
    let at = bench.at(b"a");
    match rustix::fs::setxattr(&at, name, &acl, rustix::fs::XattrFlags::empty()) {
        Ok(()) => {}
        // The file system of the temporary folder has none; there is nothing to keep then.
        Err(rustix::io::Errno::NOTSUP) => return,
        Err(errno) => panic!("{errno}"),
    }
    bench.replace("a", is(b"old"), file(b"new", 0o640)).unwrap();
    let mut value = [0_u8; 128];
    let length = rustix::fs::getxattr(&at, name, &mut value[..]).unwrap();
    assert_eq!(&value[..length], acl);
    assert_eq!(bench.mode("a"), 0o640);
}

#[test]
fn links_are_changed_made_and_removed_themselves() {
    let bench = Bench::new();
    let secret = bench.outside.join("secret");
    fs::write(&secret, b"secret").unwrap();
    symlink(&secret, bench.at(b"l")).unwrap();
    let to_secret = || ExpectedThing::Link(secret.as_os_str().as_bytes().to_vec());
    let target = |name: &[u8]| fs::read_link(bench.at(name)).unwrap();

    bench.replace("l", to_secret(), link("elsewhere")).unwrap();
    assert_eq!(target(b"l"), Path::new("elsewhere"));
    let elsewhere = || ExpectedThing::Link(b"elsewhere".to_vec());
    let error = bench.replace("l", to_secret(), link("x")).unwrap_err();
    assert!(matches!(&error, WriteError::Changed { found: Seen::Link(found), .. } if found == b"elsewhere"), "{error}");

    bench.replace("l", elsewhere(), file(b"a file now", 0o755)).unwrap();
    assert_eq!((bench.read("l"), bench.mode("l")), (b"a file now".to_vec(), 0o755));
    bench.replace("l", is(b"a file now"), Thing::Link(secret.as_os_str().as_bytes().to_vec())).unwrap();
    assert_eq!(target(b"l"), secret);
    assert_eq!(look(&bench.root, &path("l")).unwrap().thing, Thing::Link(secret.as_os_str().as_bytes().to_vec()));
    bench.replace("l", to_secret(), Thing::Absent).unwrap();
    assert!(!bench.exists("l"));
    bench.replace("deep/l", ExpectedThing::Absent, link("../x")).unwrap();
    bench.rename("deep/l", ExpectedThing::Link(b"../x".to_vec()), "l", link("x")).unwrap();
    assert_eq!(target(b"l"), Path::new("x"));
    assert!(!bench.exists("deep/l"));
    assert_eq!(fs::read(&secret).unwrap(), b"secret");
    bench.assert_clean();
}

#[test]
fn files_are_made_with_their_folders_and_go_with_them() {
    let bench = Bench::new();
    fs::create_dir(bench.at(b"was")).unwrap();
    let written = bench.replace("was/x/y/z.txt", ExpectedThing::Absent, file(b"z", 0o640)).unwrap();
    assert_eq!(written.made, [path("was/x"), path("was/x/y")]);
    assert_eq!((bench.read("was/x/y/z.txt"), bench.mode("was/x/y/z.txt")), (b"z".to_vec(), 0o640));

    let may_go = written.made;
    assert_eq!(tidy_folders(&bench.root, &path("was/x/y/z.txt"), &may_go).unwrap(), []);
    bench.replace("was/x/y/z.txt", is(b"z"), Thing::Absent).unwrap();
    bench.put("was/x/other", b"", 0o644);
    assert_eq!(tidy_folders(&bench.root, &path("was/x/y/z.txt"), &may_go).unwrap(), [path("was/x/y")]);
    fs::remove_file(bench.at(b"was/x/other")).unwrap();
    assert_eq!(
        tidy_folders(&bench.root, &path("was/x/y/z.txt"), &may_go).unwrap(),
        [path("was/x/y"), path("was/x")],
        "finishes what was begun"
    );
    assert!(bench.exists("was"), "it existed before");
    bench.assert_clean();
}

#[test]
fn tidying_never_goes_through_a_link() {
    let bench = Bench::new();
    fs::create_dir_all(bench.outside.join("empty")).unwrap();
    symlink(&bench.outside, bench.at(b"x")).unwrap();
    let may_go = [path("x"), path("x/empty")];
    let error = tidy_folders(&bench.root, &path("x/empty/file"), &may_go).unwrap_err();
    assert!(matches!(&error, WriteError::LeadsOut { .. }), "{error}");
    assert_eq!(tidy_folders(&bench.root, &path("x/file"), &may_go).unwrap(), []);
    assert!(bench.outside.join("empty").is_dir() && bench.exists("x"));
}

#[test]
fn removing_takes_exactly_what_was_expected() {
    let bench = Bench::new();
    bench.put("a", b"mine", 0o644);
    let error = bench.replace("a", is(b"theirs"), Thing::Absent).unwrap_err();
    assert!(matches!(&error, WriteError::Changed { .. }), "{error}");
    assert_eq!(bench.read("a"), b"mine");
    bench.replace("a", is(b"mine"), Thing::Absent).unwrap();
    assert!(!bench.exists("a"));
    let again = bench.replace("a", is(b"mine"), Thing::Absent).unwrap();
    assert!(again.already_there && again.stamp.is_none());
    bench.assert_clean();
}

#[test]
fn a_rename_that_was_cut_short_is_finished_by_the_same_call() {
    let bench = Bench::new();
    let rename = || bench.rename("old/a", is(b"text"), "new/b", file(b"text", 0o755));
    bench.put("old/a", b"text", 0o755);
    assert_eq!(rename().unwrap().made, [path("new")]);
    assert_eq!((bench.read("new/b"), bench.mode("new/b"), bench.exists("old/a")), (b"text".to_vec(), 0o755, false));
    assert!(rename().unwrap().already_there);

    bench.put("old/a", b"text", 0o755);
    rename().unwrap();
    assert_eq!((bench.exists("new/b"), bench.exists("old/a")), (true, false));

    bench.put("old/a", b"text", 0o755);
    bench.put("new/b", b"somebody's", 0o644);
    let error = rename().unwrap_err();
    assert!(matches!(&error, WriteError::Exists { .. }), "{error}");
    assert_eq!((bench.read("new/b"), bench.read("old/a")), (b"somebody's".to_vec(), b"text".to_vec()));

    bench.put("old/a", b"changed", 0o755);
    fs::remove_dir_all(bench.at(b"new")).unwrap();
    let error = rename().unwrap_err();
    assert!(matches!(&error, WriteError::Changed { .. }), "{error}");
    assert!(!bench.exists("new"), "no folder is left of a refused rename");
    bench.assert_clean();
}

#[test]
fn what_is_there_already_is_not_written_again() {
    let bench = Bench::new();
    bench.put("a", b"new", 0o644);
    let inode = fs::metadata(bench.at(b"a")).unwrap().ino();
    let written = bench.replace("a", is(b"old"), file(b"new", 0o644)).unwrap();
    assert!(written.already_there);
    assert_eq!(written.stamp.unwrap().inode, inode);
    let error = bench.replace("a", ExpectedThing::Absent, file(b"other", 0o644)).unwrap_err();
    assert!(matches!(&error, WriteError::Exists { .. }), "{error}");
    let error = bench.replace("gone/b", is(b"old"), file(b"new", 0o644)).unwrap_err();
    assert!(matches!(&error, WriteError::Changed { found: Seen::Absent, .. }), "{error}");
    assert!(!bench.exists("gone"));
    assert_eq!(bench.read("a"), b"new");
}

#[test]
fn strange_names_are_written_exactly_and_shown_escaped() {
    let bench = Bench::new();
    let long = [b"n".repeat(250), b"\n\x1b-".to_vec(), b"xy".to_vec()].concat();
    assert_eq!(long.len(), 255);
    for name in [
        b"-rf".to_vec(),
        b"new\nline".to_vec(),
        b"\x1b]52;c;x\x07".to_vec(),
        b"\xff\xfe".to_vec(),
        "\u{202e}txt".as_bytes().to_vec(),
        b"$(touch x)".to_vec(),
        b" ".to_vec(),
        b"back\\slash".to_vec(),
        long,
    ] {
        let nested = [&b"-d\xff/"[..], &name].concat();
        for name in [name, nested] {
            let path = FilePath::new(name.clone()).unwrap();
            let go = |expected, thing| {
                let expected = Expected { path: path.clone(), thing: expected };
                replace(&bench.root, &expected, &Wanted { path: path.clone(), thing })
            };
            go(ExpectedThing::Absent, file(b"1", 0o644)).unwrap();
            go(is(b"1"), file(b"2", 0o644)).unwrap();
            assert_eq!(fs::read(bench.at(&name)).unwrap(), b"2");
            let shown = go(is(b"1"), file(b"3", 0o644)).unwrap_err().to_string();
            assert!(!shown.chars().any(char::is_control), "{shown:?}");
            go(is(b"2"), Thing::Absent).unwrap();
        }
    }
    let too_long = path(&"n".repeat(256));
    let expected = Expected { path: too_long.clone(), thing: ExpectedThing::Absent };
    let error = replace(&bench.root, &expected, &Wanted { path: too_long, thing: file(b"", 0o644) }).unwrap_err();
    assert!(error.to_string().contains("name too long"), "{error}");
    bench.assert_clean();
}

#[test]
fn a_path_deeper_than_the_system_takes_at_once_is_reached() {
    let bench = Bench::new();
    let deep = format!("{}/f", vec!["d"; 2_000].join("/"));
    bench.replace(&deep, ExpectedThing::Absent, file(b"deep", 0o644)).unwrap();
    assert_eq!(look(&bench.root, &path(&deep)).unwrap().hash, Some(ContentHash::of(b"deep")));
}

#[test]
fn a_link_on_the_way_is_refused() {
    let bench = Bench::new();
    fs::write(bench.outside.join("f"), b"outside").unwrap();
    symlink(&bench.outside, bench.at(b"d")).unwrap();
    fs::create_dir(bench.at(b"inside")).unwrap();
    symlink("inside", bench.at(b"alias")).unwrap();
    for (name, expected, wanted) in [
        ("d/f", is(b"outside"), file(b"x", 0o644)),
        ("d/f", is(b"outside"), Thing::Absent),
        ("d/new", ExpectedThing::Absent, file(b"x", 0o644)),
        ("d/deep/new", ExpectedThing::Absent, file(b"x", 0o644)),
        ("alias/new", ExpectedThing::Absent, file(b"x", 0o644)),
    ] {
        let error = bench.replace(name, expected, wanted).unwrap_err();
        assert!(matches!(&error, WriteError::LeadsOut { .. }), "{error}");
    }
    assert!(matches!(look(&bench.root, &path("d/f")), Err(WriteError::LeadsOut { .. })));
    assert_eq!(fs::read(bench.outside.join("f")).unwrap(), b"outside");
    assert_eq!(fs::read_dir(&bench.outside).unwrap().count(), 1);

    symlink(bench.outside.join("f"), bench.at(b"f")).unwrap();
    let error = bench.replace("f", is(b"outside"), file(b"x", 0o644)).unwrap_err();
    assert!(matches!(&error, WriteError::Changed { found: Seen::Link(_), .. }), "{error}");
    assert_eq!(fs::read(bench.outside.join("f")).unwrap(), b"outside");
    bench.assert_clean();
}

#[test]
fn a_file_in_the_place_of_a_folder_is_named() {
    let bench = Bench::new();
    bench.put("a", b"file", 0o644);
    let error = bench.replace("a/b/c", ExpectedThing::Absent, file(b"x", 0o644)).unwrap_err();
    assert!(matches!(&error, WriteError::InTheWay { blocker, .. } if *blocker == path("a")), "{error}");
    let error = bench.rename("a", is(b"file"), "a/b", file(b"file", 0o644)).unwrap_err();
    assert!(matches!(&error, WriteError::InTheWay { .. }), "{error}");
    assert_eq!(look(&bench.root, &path("a/b")).unwrap().thing, Thing::Absent);
    assert_eq!(bench.read("a"), b"file");
}

#[test]
fn what_is_no_file_is_refused_without_waiting() {
    use rustix::fs::{FileType, Mode};
    let bench = Bench::new();
    let mode = Mode::from_raw_mode(0o644);
    rustix::fs::mknodat(rustix::fs::CWD, bench.at(b"fifo"), FileType::Fifo, mode, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(bench.at(b"socket")).unwrap();
    fs::create_dir(bench.at(b"folder")).unwrap();
    let mut names = vec!["fifo", "socket", "folder"];
    // Only root may make a device.
    let device = rustix::fs::makedev(1, 5);
    if rustix::fs::mknodat(rustix::fs::CWD, bench.at(b"device"), FileType::CharacterDevice, mode, device).is_ok() {
        names.push("device");
    }
    for name in names {
        for expected in [is(b""), ExpectedThing::Absent] {
            for wanted in [file(b"x", 0o644), Thing::Absent, link("x")] {
                let error = bench.replace(name, expected.clone(), wanted).unwrap_err();
                assert!(matches!(&error, WriteError::NotAFile { .. }), "{name}: {error}");
            }
        }
        assert!(matches!(look(&bench.root, &path(name)), Err(WriteError::NotAFile { .. })));
        let below = bench.replace(&format!("{name}/x"), is(b""), Thing::Absent).unwrap();
        assert!(below.already_there, "there is nothing to remove below it");
    }
    bench.assert_clean();
}

#[test]
fn a_file_that_a_program_has_open_for_writing_is_left_to_it() {
    let bench = Bench::new();
    bench.put("log", b"one\n", 0o644);
    let mut program = fs::OpenOptions::new().append(true).open(bench.at(b"log")).unwrap();
    let reader = fs::File::open(bench.at(b"log")).unwrap();
    for wanted in [file(b"new", 0o644), link("x"), Thing::Absent] {
        let error = bench.replace("log", is(b"one\n"), wanted).unwrap_err();
        let us = format!("(process {})", std::process::id());
        assert!(matches!(&error, WriteError::InUse { by, .. } if by.ends_with(&us)), "{error}");
    }
    program.write_all(b"two\n").unwrap();
    assert_eq!(bench.read("log"), b"one\ntwo\n");
    drop(program);
    bench.replace("log", is(b"one\ntwo\n"), file(b"one\n", 0o644)).unwrap();
    drop(reader);
    bench.assert_clean();
}

#[test]
fn the_names_of_one_file_stay_that_if_the_root_says_so() {
    let bench = Bench::with(HardLinks::WriteThrough);
    bench.put("a", b"a longer old text", 0o644);
    fs::hard_link(bench.at(b"a"), bench.at(b"b")).unwrap();
    let inode = fs::metadata(bench.at(b"a")).unwrap().ino();
    for content in [&b"new"[..], b"something longer again", b""] {
        let before = bench.read("a");
        let written = bench.replace("a", is(&before), file(content, 0o600)).unwrap();
        assert_eq!(written.stamp.unwrap().inode, inode);
        assert_eq!((bench.read("a"), bench.read("b"), bench.mode("b")), (content.to_vec(), content.to_vec(), 0o600));
    }
    let error = bench.replace("b", is(b"else"), file(b"x", 0o600)).unwrap_err();
    assert!(matches!(&error, WriteError::Changed { .. }), "{error}");
    bench.replace("a", is(b""), Thing::Absent).unwrap();
    assert!(bench.exists("b"), "only the one name goes");
    bench.assert_clean();
}

#[test]
fn a_name_gets_a_file_of_its_own_if_the_root_says_so() {
    let bench = Bench::with(HardLinks::Separate);
    let backup = bench.outside.join("backup");
    bench.put("a", b"old", 0o644);
    fs::hard_link(bench.at(b"a"), &backup).unwrap();
    bench.replace("a", is(b"old"), file(b"new", 0o644)).unwrap();
    assert_eq!((bench.read("a"), fs::read(&backup).unwrap()), (b"new".to_vec(), b"old".to_vec()));
    bench.assert_clean();
}

#[test]
fn what_a_killed_process_left_is_swept_and_nothing_of_anybody_else() {
    let bench = Bench::new();
    // Real names, as a killed call leaves them: the checksum in them cannot be made up here, so one call is watched.
    let name = races::a_temporary_name(&bench);
    let stem = name.strip_suffix(".tmp").unwrap().to_owned();
    bench.put("d/x", b"", 0o644);
    bench.put(&format!("d/{stem}.tmp"), b"half wri", 0o600);
    bench.put(&format!("d/{stem}.swap"), b"somebody's only copy", 0o644);
    bench.put("d/.augment-0123456789abcdef0123456789abcdef.tmp", b"not ours", 0o644);
    bench.put("d/.augment-x.tmp", b"not ours", 0o644);
    let folder = path("d");

    let swept = sweep(&bench.root, Some(&folder), |_| false).unwrap();
    assert_eq!(swept.removed, [path(&format!("d/{stem}.tmp"))]);
    let [kept] = &swept.kept[..] else { panic!("{swept:?}") };
    assert_eq!(fs::read(bench.at(kept.as_bytes())).unwrap(), b"somebody's only copy");
    assert_eq!(sweep(&bench.root, Some(&folder), |_| true).unwrap().removed, [], "what is kept stays");

    bench.put(&format!("{stem}.swap"), b"in the store", 0o644);
    let known = |seen: &Seen| matches!(seen, Seen::File { hash, .. } if *hash == ContentHash::of(b"in the store"));
    assert_eq!(sweep(&bench.root, None, known).unwrap().removed, [path(&format!("{stem}.swap"))]);
    assert_eq!(sweep(&bench.root, Some(&path("gone")), |_| true).unwrap(), augment_host::files::Swept::default());
    assert!(bench.exists("d/.augment-x.tmp") && bench.exists("d/x"));
    assert!(bench.exists("d/.augment-0123456789abcdef0123456789abcdef.tmp"));
}
