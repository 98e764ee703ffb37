//! Archives as they lie on disk: golden files of every form are read for ever, a newer form is refused, each key that is
//! missing is named, and every touch is found (E3, E4).

use std::path::{Path, PathBuf};

use augment_core::closing::LEARNINGS_LIMIT;
use augment_core::file::FilePath;
use augment_core::knowledge::Draft;
use augment_host::archive::form::{SESSION, SessionRecord};
use augment_host::archive::{
    ArchiveIndex, Filter, Found, Shelf, Taken, check_files, is_plain_name, prepare, put, record_of, schema, to_match,
};
use augment_host::knowledge::{LocalKnowledge, SharedFile, all};
use serde_json::Value;

const WHOLE: &str = "2026-11-16-s3-lifesum-connector";
const BARE: &str = "2026-11-17-s4-nothing-in-it";

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives")
}

fn document(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden().join(name).join(SESSION)).expect("the test's own files"))
        .expect("the test's own files")
}

fn problem(document: &Value) -> String {
    record_of(document.to_string().as_bytes()).expect_err("it is wrong").to_string()
}

#[test]
fn a_record_of_form_1_is_read_to_the_last_key_and_written_the_same() {
    for name in [WHOLE, BARE] {
        let text = std::fs::read_to_string(golden().join(name).join(SESSION)).unwrap();
        let record: SessionRecord = record_of(text.as_bytes()).unwrap();
        let mut written = serde_json::to_value(&record).unwrap();
        assert_eq!(written, document(name), "{name}");
        // The order of the keys is the order of the form, so a record that was read is written back to the byte.
        written = serde_json::from_str(&text).unwrap();
        assert_eq!(schema::check(&written), Ok(()), "{name}");
        assert_eq!(format!("{}\n", serde_json::to_string_pretty(&record).unwrap()), text, "{name}");
    }
}

#[test]
fn golden_archives_hold() {
    let shelf = Shelf::open(&golden(), None).unwrap();
    let names: Vec<String> = shelf.names().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [WHOLE, BARE]);
    for (name, records) in [(WHOLE, 4), (BARE, 0)] {
        assert_eq!(check_files(&shelf, name).unwrap().1.records, records, "{name}");
    }
}

#[test]
fn a_newer_form_is_refused_with_what_to_do() {
    let mut newer = document(WHOLE);
    newer["form"] = "augment-session/2".into();
    assert_eq!(
        problem(&newer),
        "session.json is of the form \"augment-session/2\", which this program does not know. Update Augment Orchestrator \
         to read it."
    );
}

#[test]
fn keys_that_are_not_known_are_passed_over() {
    let mut more = document(WHOLE);
    more["later"] = serde_json::json!({ "x": 1 });
    more["tasks"][0]["later"] = 3.5.into();
    assert!(record_of(more.to_string().as_bytes()).is_ok());
}

/// Every key at every depth, as `tasks[0].files[0].path`.
fn keys(value: &Value, at: &str, all: &mut Vec<(String, Vec<String>)>, path: &[String]) {
    match value {
        Value::Object(entries) => {
            for (name, inner) in entries {
                // The names of files are the archive's own; the two that have to be there are required.
                let key = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
                all.push((key.clone(), path.clone()));
                keys(inner, &key, all, &path);
            }
        }
        Value::Array(items) => {
            for (nth, inner) in items.iter().enumerate() {
                let path: Vec<String> = path.iter().cloned().chain([nth.to_string()]).collect();
                keys(inner, &format!("{at}[{nth}]"), all, &path);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn take_out(value: &mut Value, path: &[String]) {
    let [name, rest @ ..] = path else { return };
    match (value, rest) {
        (Value::Object(entries), []) => drop(entries.remove(name)),
        (Value::Object(entries), rest) => take_out(&mut entries[name.as_str()], rest),
        (Value::Array(items), rest) => take_out(&mut items[name.parse::<usize>().expect("the test's own files")], rest),
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => unreachable!("keys lie in these"),
    }
}

#[test]
fn each_key_that_is_missing_is_named() {
    let whole = document(WHOLE);
    let mut all = Vec::new();
    keys(&whole, "", &mut all, &[]);
    assert!(all.len() > 70, "{}", all.len());
    for (key, path) in all {
        let mut less = whole.clone();
        take_out(&mut less, &path);
        assert_eq!(problem(&less), format!("session.json: {key} is missing."), "{key}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_key() {
    for (pointer, value, message) in [
        ("/number", Value::from("9"), "session.json: number is not a whole number."),
        ("/number", Value::from(-1), "session.json: number is out of range."),
        ("/feedback/rating", Value::from(6), "session.json: feedback.rating is out of range."),
        ("/tasks/0/title", Value::from(1), "session.json: tasks[0].title is not a string."),
        (
            "/tasks/0/end",
            Value::from("done"),
            "session.json: tasks[0].end is \"done\", not one of null, completed, partial, blocked, failed, cancelled, rejected.",
        ),
        ("/startedAt", Value::from("now"), "session.json: startedAt is not a time such as 2026-11-16T10:00:00Z."),
        ("/files/summary.md", Value::from("12"), "session.json: files.summary.md is not a BLAKE3 hash in hexadecimal."),
        ("/tags", Value::from("a"), "session.json: tags is not a list."),
        (
            "/tasks/0/files/0/path",
            Value::from("../../etc/x"),
            "session.json: tasks[0].files[0].path is \"../../etc/x\", but it has a part that is empty, \".\" or \"..\".",
        ),
    ] {
        let mut changed = document(WHOLE);
        *changed.pointer_mut(pointer).unwrap() = value;
        assert_eq!(problem(&changed), message);
    }
    let mut escaping = document(WHOLE);
    let hash = escaping["files"]["summary.md"].clone();
    escaping["files"]["../x"] = hash;
    assert_eq!(problem(&escaping), "session.json: files names \"../x\", which is no file of this folder.");
    assert_eq!(problem(&Value::from(1)), "session.json: the document is not an object.");
    assert!(record_of(b"{").unwrap_err().to_string().starts_with("session.json is not JSON: EOF"));
    assert!(record_of(&[0xff, 0xfe]).is_err());
    assert!(record_of("[".repeat(200_000).as_bytes()).is_err());
}

#[test]
fn names_are_plain() {
    for (name, plain) in [
        ("2026-11-16-s3-x", true),
        ("..", false),
        (".hidden", false),
        ("a/b", false),
        ("a b", false),
        ("-rf", false),
        ("é", false),
        ("", false),
    ] {
        assert_eq!(is_plain_name(name), plain, "{name}");
    }
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("the test's own files") };
        for name in [WHOLE, BARE] {
            place.copy(name, name);
        }
        place
    }

    fn shelf(&self) -> Shelf {
        Shelf::open(self.folder.path(), Some(folder())).expect("the test's own files")
    }

    fn copy(&self, from: &str, to: &str) {
        let to = self.path(to);
        std::fs::create_dir_all(&to).expect("the test's own files");
        for file in std::fs::read_dir(golden().join(from)).expect("the test's own files") {
            let file = file.expect("the test's own files");
            std::fs::copy(file.path(), to.join(file.file_name())).expect("the test's own files");
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("memory-bank/augment-sessions").join(name)
    }

    fn index(&self) -> ArchiveIndex {
        ArchiveIndex::new(self.folder.path(), self.folder.path().join("archive.sqlite"))
    }
}

fn folder() -> FilePath {
    FilePath::from_text("memory-bank/augment-sessions").expect("the test's own files")
}

fn found(index: &ArchiveIndex, words: &str, filter: &Filter) -> Vec<String> {
    let expression = to_match(words).expect("the test's own files");
    let hits = index.read(&folder(), 0, &mut |_, _| Taken::Done, |reading| reading.search(&expression, filter, 10));
    hits.expect("the test's own files").into_iter().map(|hit| hit.row.id).collect()
}

#[test]
fn the_index_follows_the_folders_and_is_made_anew_when_it_is_damaged() {
    let place = Place::new();
    let index = place.index();
    assert_eq!(found(&index, "lifesum", &Filter::default()), ["s3"]);
    assert_eq!(found(&index, "\"rate limit\" con*", &Filter::default()), ["s3"]);
    assert_eq!(found(&index, "nothing", &Filter::default()), ["s4"]);
    let tagged = |tag: &str| Filter { tags: vec![tag.to_owned()], ..Filter::default() };
    assert_eq!(found(&index, "lifesum", &tagged("Connector")), ["s3"]);
    assert_eq!(found(&index, "lifesum", &tagged("other")), Vec::<String>::new());
    place.copy(WHOLE, "2026-11-18-s5-copy");
    assert_eq!(found(&index, "lifesum", &Filter::default()), ["s3", "s3"]);
    std::fs::remove_dir_all(place.path("2026-11-18-s5-copy")).unwrap();
    assert_eq!(found(&index, "lifesum", &Filter::default()), ["s3"]);
    drop(index);
    let file = place.folder.path().join("archive.sqlite");
    for damage in [&b"not a database at all"[..], b""] {
        std::fs::write(&file, damage).unwrap();
        for end in ["-wal", "-shm"] {
            std::fs::remove_file(place.folder.path().join(format!("archive.sqlite{end}"))).ok();
        }
        assert_eq!(found(&place.index(), "lifesum", &Filter::default()), ["s3"]);
    }
    let other = rusqlite::Connection::open(&file).unwrap();
    other.pragma_update(None, "user_version", 7).unwrap();
    drop(other);
    assert_eq!(found(&place.index(), "lifesum", &Filter::default()), ["s3"]);
    let page = std::fs::metadata(&file).unwrap().len() / 2;
    let mut bytes = std::fs::read(&file).unwrap();
    for byte in bytes.iter_mut().skip(usize::try_from(page).unwrap()) {
        *byte = 0xaa;
    }
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(found(&place.index(), "lifesum", &Filter::default()), ["s3"]);
}

#[test]
fn what_was_learnt_is_given_once_and_again_when_it_could_not_be_taken() {
    let place = Place::new();
    let index = place.index();
    let mut given = Vec::new();
    let look = |taken: Taken, given: &mut Vec<String>| {
        let mut learn = |folder: &str, _: &SessionRecord| {
            given.push(folder.to_owned());
            taken
        };
        index.read(&folder(), 0, &mut learn, |reading| reading.count()).unwrap()
    };
    assert_eq!(look(Taken::Later, &mut given), 2);
    assert_eq!(given.len(), 2);
    assert_eq!(look(Taken::Done, &mut given), 2);
    assert_eq!(given.len(), 4);
    look(Taken::Done, &mut given);
    assert_eq!(given.len(), 4);
}

/// What is known, as the source and the beginning of the text.
fn known(knowledge: &LocalKnowledge, now: i64) -> Vec<(Option<String>, String)> {
    let shared = SharedFile::empty(&FilePath::from_text("k.json").expect("the test's own files"));
    let entries = all(knowledge.entries().expect("the test's own files"), &shared, now);
    assert!(entries.iter().all(|entry| entry.at <= now), "nothing is newer than now");
    entries.into_iter().map(|entry| (entry.source, entry.text)).collect()
}

#[test]
fn what_an_archive_tells_is_bounded_comes_after_what_persons_said_and_goes_with_it() {
    let place = tempfile::tempdir().unwrap();
    let knowledge = LocalKnowledge::new(place.path().join("knowledge.sqlite"));
    let told = |texts: &[&str]| {
        let mut record = document(WHOLE);
        record["endedAt"] = "9999-12-31T23:59:59Z".into();
        let learning = |text: &&str| serde_json::json!({ "text": text, "tags": [], "shared": true });
        record["learnings"] = texts.iter().map(learning).collect();
        record_of(record.to_string().as_bytes()).unwrap()
    };
    let mine = Draft { text: "Mine".to_owned(), ..Draft::default() };
    knowledge.add(&mine, "person:ada", 500).unwrap();
    let many: Vec<String> = (0..21_000).map(|n| format!("Flood {n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(knowledge.take_in("flood", &told(&many), 1_000).unwrap(), 21_000 - LEARNINGS_LIMIT);
    let entries = known(&knowledge, 1_000);
    assert_eq!(entries.len(), 1 + LEARNINGS_LIMIT);
    assert_eq!(entries[0], (None, "Mine".to_owned()), "persons come first");

    // Told by two archives, it stays with the one that is there; what a person took up is no archive's any more.
    for folder in ["one", "two"] {
        knowledge.take_in(folder, &told(&["Both", folder]), 1_000).unwrap();
    }
    knowledge.add(&Draft { text: "one".to_owned(), ..Draft::default() }, "person:ada", 400).unwrap();
    knowledge.keep_only(&["two".to_owned()]).unwrap();
    let (source, own) = (Some("two".to_owned()), |text: &str| (None, text.to_owned()));
    let mut left = known(&knowledge, 1_000);
    left[2..].sort();
    assert_eq!(left, [own("Mine"), own("one"), (source.clone(), "Both".to_owned()), (source, "two".to_owned())]);

    // An archive that is written anew tells what it tells now, and what was dropped does not come back with it.
    let entries = knowledge.entries().unwrap();
    knowledge.drop_entry(entries.iter().find(|entry| entry.text == "Both").unwrap()).unwrap();
    knowledge.take_in("two", &told(&["Both", "three"]), 1_000).unwrap();
    let texts: Vec<String> = known(&knowledge, 1_000).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["Mine", "one", "three"]);
}

#[test]
fn a_session_is_found_by_id_number_and_folder() {
    let place = Place::new();
    place.copy(WHOLE, "2026-11-16-s3-lifesum-other");
    let index = place.index();
    let find =
        |wanted: &str| index.read(&folder(), 0, &mut |_, _| Taken::Done, |reading| reading.find(wanted)).unwrap();
    assert_eq!(find("s4"), Found::One(BARE.to_owned()));
    assert_eq!(find("10"), Found::One(BARE.to_owned()));
    assert_eq!(find("2026-11-17"), Found::One(BARE.to_owned()));
    assert_eq!(find(WHOLE), Found::One(WHOLE.to_owned()));
    assert_eq!(find("s3"), Found::Several(vec![WHOLE.to_owned(), "2026-11-16-s3-lifesum-other".to_owned()]));
    for wanted in ["", "s9", "%", "_", "' OR 1=1"] {
        assert_eq!(find(wanted), Found::None, "{wanted}");
    }
}

#[test]
fn links_and_large_files_are_refused() {
    let place = Place::new();
    std::fs::remove_file(place.path(WHOLE).join("summary.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", place.path(WHOLE).join("summary.md")).unwrap();
    let told = |name: &str| check_files(&place.shelf(), name).unwrap_err().to_string();
    assert_eq!(told(WHOLE), "summary.md is a link. Links are not followed; put the file itself there.");
    std::fs::write(place.path(BARE).join(SESSION), vec![b' '; 4 * 1_024 * 1_024 + 1]).unwrap();
    assert_eq!(told(BARE), "session.json is too large: it has 4194305 bytes, and at most 4194304 are read.");
    let inner = place.folder.path().join("memory-bank");
    std::fs::rename(&inner, place.folder.path().join("real")).unwrap();
    std::os::unix::fs::symlink("real", &inner).unwrap();
    let message = place.shelf().names().unwrap_err().to_string();
    assert!(message.contains("Links are not followed."), "{message}");
}

#[test]
fn what_is_imported_is_checked_first_and_never_overwrites() {
    let place = Place::new();
    std::fs::remove_dir_all(place.path(BARE)).unwrap();
    let prepared = prepare(&place.shelf(), &[golden()]).unwrap();
    assert_eq!(prepared.already, [WHOLE]);
    assert_eq!(prepared.arrivals.iter().map(|arrival| arrival.folder.as_str()).collect::<Vec<_>>(), [BARE]);
    put(&place.shelf(), &prepared.arrivals[0]).unwrap();
    assert!(check_files(&place.shelf(), BARE).is_ok());
    // A second time changes nothing, and something else in its place stays.
    put(&place.shelf(), &prepared.arrivals[0]).unwrap();
    std::fs::write(place.path(BARE).join("summary.md"), "mine").unwrap();
    let clash = prepare(&place.shelf(), &[golden().join(BARE)]).unwrap_err().to_string();
    assert!(clash.starts_with(&format!("The archive has another session in \"{BARE}\".")), "{clash}");
    assert!(put(&place.shelf(), &prepared.arrivals[0]).is_err());
    assert_eq!(std::fs::read(place.path(BARE).join("summary.md")).unwrap(), b"mine");
}
