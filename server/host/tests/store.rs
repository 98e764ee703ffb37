//! The store's promises about its file: what it refuses, what it never loses, what its look-ups cost.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::path::{Path, PathBuf};

use augment_core::actor::Actor;
use augment_core::file::{ContentHash, FilePath};
use augment_core::id::{Wanted, read_wanted};
use augment_core::queue::{Claim, Ending, Finish, TaskDraft};
use augment_core::task::Status;
use augment_core::turn::{Answer, Command, Input, decide};
use augment_core::view::View as _;
use augment_host::clock;
use augment_host::store::{Batch, LedgerQuery, ListQuery, Reader, RunQuery, Store, StoreError};
use rusqlite::Connection;

struct Bench {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { path: folder.path().join("state.db"), _folder: folder }
    }

    /// A database with `count` tasks, closed again, everything in its one file.
    fn with_tasks(count: usize) -> Self {
        let bench = Self::new();
        let mut store = Store::open(&bench.path).unwrap();
        for at in 1..=count {
            ask(&mut store, add(&format!("task {at}"), "medium"));
        }
        drop(store);
        Connection::open(&bench.path).unwrap().pragma_update(None, "wal_checkpoint", "TRUNCATE").unwrap();
        bench
    }

    fn sql(&self, sql: &str) {
        Connection::open(&self.path).unwrap().execute_batch(sql).unwrap();
    }

    fn broken(&self) -> Option<String> {
        let (_, broken) = Reader::open(&self.path).unwrap().snapshot(|snapshot| snapshot.verify()).unwrap();
        broken.map(|broken| broken.to_string())
    }
}

fn person() -> Actor {
    Actor::Person { name: "ada".into() }
}

fn add(title: &str, priority: &str) -> Command {
    Command::AddTask(TaskDraft {
        title: title.into(),
        priority: Some(priority.into()),
        max_attempts: 3,
        ..TaskDraft::default()
    })
}

fn ask(store: &mut Store, command: Command) -> Answer {
    let now = clock::now();
    let mut batch = store.begin().unwrap();
    let mut turn = decide(&batch.view(), &Input::Asked { actor: person(), command }, &now).unwrap();
    batch.apply(&mut turn, now.wall).unwrap();
    batch.commit().unwrap();
    turn.verdict.unwrap()
}

fn titles(path: &Path, query: &ListQuery) -> (Vec<String>, Option<String>) {
    let page = Reader::open(path).unwrap().snapshot(|snapshot| snapshot.list(query)).unwrap();
    (page.tasks.into_iter().map(|task| task.title).collect(), page.next.map(|id| id.to_string()))
}

#[test]
fn a_database_of_the_ninth_form_gets_its_index_and_keeps_its_records() {
    let bench = Bench::with_tasks(3);
    bench.sql(
        "DROP INDEX ledger_kind; ALTER TABLE run DROP COLUMN cpu_ms; ALTER TABLE run DROP COLUMN peak_memory_bytes; \
         PRAGMA user_version = 9;",
    );
    drop(Store::open(&bench.path).unwrap());
    let connection = Connection::open(&bench.path).unwrap();
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 11);
    let asked =
        "EXPLAIN QUERY PLAN SELECT data FROM ledger WHERE kind = 'review.approved' AND time_ms >= 1 AND time_ms < 2";
    let plan: String = connection.query_row(asked, [], |row| row.get(3)).unwrap();
    assert!(plan.contains("ledger_kind"), "{plan}");
    assert_eq!(bench.broken(), None);
}

/// The forms that a database can have been left in, each as the migrations up to it made it.
const FORMS: [&str; 11] = [
    include_str!("../src/store/schema.sql"),
    include_str!("../src/store/changes.sql"),
    include_str!("../src/store/review.sql"),
    include_str!("../src/store/runs.sql"),
    include_str!("../src/store/sessions.sql"),
    include_str!("../src/store/closing.sql"),
    include_str!("../src/store/hand_off_text.sql"),
    include_str!("../src/store/flag_passed.sql"),
    include_str!("../src/store/prompts.sql"),
    include_str!("../src/store/figures.sql"),
    include_str!("../src/store/resources.sql"),
];

#[test]
fn a_database_of_every_earlier_form_becomes_the_newest_and_keeps_its_runs() {
    let layout = |path: &Path| -> Vec<String> {
        let connection = Connection::open(path).unwrap();
        let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
        connection.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let newest = Bench::with_tasks(0);
    for form in 1..=FORMS.len() {
        let bench = Bench::new();
        bench.sql(&FORMS[..form].concat());
        bench.sql(&format!(
            "INSERT INTO run (task, attempt, agent, token_hash, started_ms, ended_ms, outcome)
                 VALUES (1, 1, 'goose', x'01', 1000, 2000, 'completed');
             PRAGMA application_id = 1096107853; PRAGMA user_version = {form};"
        ));
        drop(Store::open(&bench.path).unwrap());
        assert_eq!(layout(&bench.path), layout(&newest.path), "from form {form}");
        let mut reader = Reader::open(&bench.path).unwrap();
        let runs =
            reader.snapshot(|snapshot| snapshot.run_list(&RunQuery { limit: 9, ..RunQuery::default() })).unwrap();
        let told: Vec<_> = runs.iter().map(|run| (run.agent.as_str(), run.resources)).collect();
        assert_eq!(told, [("goose", None)], "from form {form}");
    }
}

#[test]
fn a_newer_database_is_refused_untouched() {
    let bench = Bench::with_tasks(3);
    bench.sql("PRAGMA user_version = 99");
    let before = std::fs::read(&bench.path).unwrap();
    let error = Store::open(&bench.path).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    assert!(std::fs::read(&bench.path).unwrap() == before, "the file was changed");
}

#[test]
fn somebody_elses_database_is_refused_untouched() {
    let bench = Bench::new();
    bench.sql("CREATE TABLE theirs (x)");
    let before = std::fs::read(&bench.path).unwrap();
    assert!(matches!(Store::open(&bench.path), Err(StoreError::Foreign { .. })));
    assert!(std::fs::read(&bench.path).unwrap() == before, "the file was changed");
}

#[test]
fn a_damaged_database_is_reported_and_kept() {
    let bench = Bench::with_tasks(200);
    let mut bytes = std::fs::read(&bench.path).unwrap();
    bytes[..64].fill(0x5a);
    std::fs::write(&bench.path, &bytes).unwrap();
    let error = Store::open(&bench.path).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(std::fs::read(&bench.path).unwrap() == bytes, "the file was changed");
}

#[test]
fn every_touch_of_the_ledger_is_found() {
    let cases = [
        (
            "UPDATE ledger SET data = replace(data, 'task 4', 'task 5') WHERE sequence = 4",
            "Record 4 was changed after it was written.",
        ),
        ("UPDATE ledger SET actor = 'person:eve' WHERE sequence = 7", "Record 7 was changed after it was written."),
        ("UPDATE ledger SET time_ms = time_ms + 1 WHERE sequence = 1", "Record 1 was changed after it was written."),
        ("UPDATE ledger SET hash = x'00' WHERE sequence = 6", "Record 6 was changed after it was written."),
        ("UPDATE ledger SET data = data || ' ' WHERE sequence = 9", "Record 9 was changed after it was written."),
        (
            "DELETE FROM ledger_topic WHERE topic = 'task:a4'",
            "Record 4 cannot be found by what it is about: its look-up entries were removed.",
        ),
        (
            "INSERT INTO ledger_topic (topic, sequence) VALUES ('task:a1', 7)",
            "There are look-up entries that none of the 9 records has: they were added.",
        ),
        ("DELETE FROM ledger WHERE sequence = 5", "Record 5 is missing."),
        ("DELETE FROM ledger WHERE sequence = 1", "Record 1 is missing."),
        ("DELETE FROM ledger WHERE sequence = 9", "The ledger should end with record 9, but it ends with record 8."),
        (
            "UPDATE ledger SET sequence = -1 WHERE sequence = 3; UPDATE ledger SET sequence = 3 WHERE sequence = 4; \
             UPDATE ledger SET sequence = 4 WHERE sequence = -1",
            "Record 3 does not follow the record before it: one of them was replaced.",
        ),
    ];
    for (touch, expected) in cases {
        let bench = Bench::with_tasks(9);
        assert_eq!(bench.broken(), None);
        bench.sql(touch);
        assert_eq!(bench.broken().as_deref(), Some(expected), "{touch}");
    }
}

#[test]
fn a_cut_tail_stays_visible_however_much_is_recorded_later() {
    let bench = Bench::with_tasks(9);
    bench.sql("DELETE FROM ledger WHERE sequence > 6");
    let mut store = Store::open(&bench.path).unwrap();
    ask(&mut store, add("later", "low"));
    assert_eq!(bench.broken().as_deref(), Some("Record 7 is missing."));
}

#[test]
fn a_number_is_never_given_twice() {
    let bench = Bench::with_tasks(3);
    let mut store = Store::open(&bench.path).unwrap();
    ask(&mut store, Command::RemoveTask { task: "a3".into(), shown_at: None });
    let Answer::Task(task) = ask(&mut store, add("another", "medium")) else { panic!("no task") };
    assert_eq!(task.id.to_string(), "a4");
}

#[test]
fn a_list_has_what_is_worked_on_then_what_waits_then_what_has_ended() {
    let bench = Bench::new();
    let mut store = Store::open(&bench.path).unwrap();
    for (title, priority) in
        [("low", "low"), ("old", "high"), ("new", "high"), ("taken", "medium"), ("first", "low"), ("last", "low")]
    {
        ask(&mut store, add(title, priority));
    }
    let claim = Claim { agent: "goose".into(), capabilities: [].into(), lease_ms: 60_000, token_hash: [7; 32] };
    ask(&mut store, Command::ClaimTask { task: "a4".into(), claim });
    for task in ["a5", "a6"] {
        let finish = Finish { ending: Ending::Completed, result: None };
        ask(&mut store, Command::FinishTask { task: task.into(), attempt: None, finish });
        // Ended times are milliseconds, and the order of equal ones is by number.
    }
    let all = ListQuery { statuses: Status::ALL.to_vec(), limit: 100, ..ListQuery::default() };
    let expected = ["taken", "old", "new", "low", "last", "first"];
    assert_eq!(titles(&bench.path, &all), (expected.map(str::to_owned).to_vec(), None));
    // The same, a page of one at a time.
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let (page, next) = titles(&bench.path, &ListQuery { limit: 1, after, ..all.clone() });
        paged.extend(page);
        let Some(next) = next else { break };
        let Wanted::Exactly(id) = read_wanted(&next) else { panic!("{next} is no id") };
        after = Some(id);
    }
    assert_eq!(paged, expected);
}

#[test]
fn records_are_found_by_what_they_are_about() {
    let bench = Bench::with_tasks(20);
    let mut reader = Reader::open(&bench.path).unwrap();
    let mut count = |topics: &[&str]| {
        let topics = topics.iter().map(ToString::to_string).collect();
        let query = LedgerQuery { topics, limit: 100, ..LedgerQuery::default() };
        reader.snapshot(|snapshot| snapshot.records(&query)).unwrap().links.len()
    };
    assert_eq!(count(&[]), 20);
    assert_eq!(count(&["task:b12"]), 1);
    assert_eq!(count(&["kind:task"]), 20);
    assert_eq!(count(&["kind:task.added", "by:person:ada"]), 20);
    assert_eq!(count(&["kind:task.removed"]), 0);
    assert_eq!(count(&["task:b12", "by:person:eve"]), 0);
}

#[test]
fn a_page_ends_before_it_outgrows_a_frame() {
    let bench = Bench::new();
    let mut store = Store::open(&bench.path).unwrap();
    for at in 0..200 {
        let draft = TaskDraft {
            title: format!("task {at}"),
            description: "ä".repeat(65_536),
            max_attempts: 3,
            ..TaskDraft::default()
        };
        ask(&mut store, Command::AddTask(draft));
    }
    let mut reader = Reader::open(&bench.path).unwrap();
    let all = ListQuery { statuses: Status::ALL.to_vec(), limit: 1_000, ..ListQuery::default() };
    let (mut seen, mut after, mut pages) = (0, None, 0);
    loop {
        let page = reader.snapshot(|snapshot| snapshot.list(&ListQuery { after, ..all.clone() })).unwrap();
        assert!(page.tasks.len() * 131_072 <= 4 * 1_024 * 1_024, "{} tasks on one page", page.tasks.len());
        (seen, pages) = (seen + page.tasks.len(), pages + 1);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!((seen, pages), (200, 7));
    let query = LedgerQuery { limit: 1_000, ..LedgerQuery::default() };
    let records = reader.snapshot(|snapshot| snapshot.records(&query)).unwrap();
    assert!(records.more && records.links.len() < 40, "{} records", records.links.len());
}

#[test]
fn single_commands_do_not_let_the_log_grow_without_end() {
    let bench = Bench::new();
    let log = bench.path.with_file_name("state.db-wal");
    let mut longest = 0;
    for at in 0..150 {
        // As a command does that finds no host: open, one turn, and away without closing in order.
        let mut store = Store::open(&bench.path).unwrap();
        ask(&mut store, add(&format!("task {at}"), "medium"));
        drop(store);
        longest = longest.max(std::fs::metadata(&log).unwrap().len());
    }
    assert!(longest < 1_500_000, "the log was {longest} bytes long");
}

#[test]
fn a_database_that_has_vanished_is_not_taken_for_a_new_beginning() {
    let gone = Bench::with_tasks(3);
    std::fs::remove_file(&gone.path).unwrap();
    assert!(matches!(Store::open(&gone.path), Err(StoreError::Gone { .. })));
    assert!(!gone.path.exists(), "a new one was made");

    let emptied = Bench::with_tasks(3);
    std::fs::write(&emptied.path, b"").unwrap();
    assert!(matches!(Store::open(&emptied.path), Err(StoreError::Gone { .. })));
    assert_eq!(std::fs::metadata(&emptied.path).unwrap().len(), 0, "it was written to");
}

#[test]
fn a_record_that_cannot_be_read_does_not_stop_the_work() {
    let bench = Bench::with_tasks(3);
    bench.sql("UPDATE ledger SET hash = x'00' WHERE sequence = 3");
    let mut store = Store::open(&bench.path).unwrap();
    ask(&mut store, add("later", "low"));
    assert_eq!(bench.broken().as_deref(), Some("Record 3 was changed after it was written."));
}

#[test]
fn content_kept_for_a_turn_that_is_still_to_come_counts_as_needed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("state.db")).unwrap();
    let content = b"\0whole";
    let hash = ContentHash::of(content);
    let unneeded = |batch: &Batch<'_>| -> Vec<ContentHash> {
        batch.view().unneeded(&[]).unwrap().into_iter().map(|(hash, _)| hash).collect()
    };
    let mut batch = store.begin().unwrap();
    batch.keep(content).unwrap();
    batch.commit().unwrap();
    let mut batch = store.begin().unwrap();
    assert_eq!(unneeded(&batch), []);
    batch.kept_is_referred_to();
    assert_eq!(unneeded(&batch), [hash]);
    // What the manifest file names is needed, whatever stands around it; one that cannot be read may name everything.
    let manifest = folder.path().join("manifest");
    std::fs::write(&manifest, [b"any", &hash.0[..], b"form"].concat()).unwrap();
    assert_eq!(unneeded(&batch), []);
    std::fs::remove_file(&manifest).unwrap();
    std::fs::create_dir(&manifest).unwrap();
    assert_eq!(unneeded(&batch), []);
    // So is what is known of a file that is not tracked.
    std::fs::remove_dir(&manifest).unwrap();
    batch.put_known(&FilePath::from_text("a.bin").unwrap(), 1, &hash.0).unwrap();
    assert_eq!(unneeded(&batch), []);
}
