//! The store under the same random operations and the same model as the rules' own memory: both must do the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::sync::Arc;

use augment_core::id::TaskId;
use augment_core::refusal::Refusal;
use augment_core::session::SessionPolicy;
use augment_core::simulation::{Backend, run};
use augment_core::task::{Status, Task};
use augment_core::time::Now;
use augment_core::turn::{Answer, Input, decide};
use augment_host::store::{ListQuery, Policies, Reader, Store, StoreError};

const SEEDS: u64 = 6;
const OPERATIONS: u64 = 2_500;

struct InSqlite {
    store: Store,
    reader: std::cell::RefCell<Reader>,
    _folder: tempfile::TempDir,
}

impl InSqlite {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.db");
        let mut store = Store::open(&path).unwrap();
        // The model knows the queue and nothing of sessions.
        let session = SessionPolicy { is_on: false, ..SessionPolicy::default() };
        store.set_policy(Arc::new(Policies { session, ..Policies::default() }));
        let reader = std::cell::RefCell::new(Reader::open(&path).unwrap());
        Self { store, reader, _folder: folder }
    }
}

impl Backend for InSqlite {
    type Error = StoreError;

    fn turn(&mut self, input: &Input, now: &Now) -> Result<Result<Answer, Refusal>, StoreError> {
        let mut batch = self.store.begin()?;
        let mut turn = decide(&batch.view(), input, now)?;
        batch.apply(&mut turn, now.wall)?;
        batch.commit()?;
        Ok(turn.verdict)
    }

    fn tasks(&self) -> Vec<Task> {
        let all = ListQuery { statuses: Status::ALL.to_vec(), limit: usize::MAX - 1, ..ListQuery::default() };
        self.reader.borrow_mut().snapshot(|snapshot| snapshot.list(&all)).unwrap().tasks
    }

    fn task(&self, id: TaskId) -> Option<Task> {
        self.reader.borrow_mut().snapshot(|snapshot| snapshot.task(id)).unwrap()
    }

    fn records(&self) -> u64 {
        self.reader.borrow_mut().snapshot(|snapshot| snapshot.revision()).unwrap()
    }

    fn verify(&self) -> Result<u64, String> {
        let (head, broken) = self.reader.borrow_mut().snapshot(|snapshot| snapshot.verify()).unwrap();
        match broken {
            Some(broken) => Err(broken.to_string()),
            None => counts_are_right(self).map(|()| head.sequence),
        }
    }
}

/// The kept tally says what counting would.
fn counts_are_right(backend: &InSqlite) -> Result<(), String> {
    let tasks = backend.tasks();
    let counts = backend.reader.borrow_mut().snapshot(|snapshot| snapshot.counts()).unwrap();
    for status in Status::ALL {
        let counted = tasks.iter().filter(|task| task.status == status).count() as u64;
        if counts.of(status) != counted {
            return Err(format!("{} tasks are {status}, the tally says {}", counted, counts.of(status)));
        }
    }
    Ok(())
}

#[test]
fn the_store_does_what_the_model_does() {
    let mut operations = 0;
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2)
            .map(|part| {
                scope.spawn(move || {
                    let seeds = (1_000 + part..1_000 + SEEDS).step_by(2);
                    seeds.map(|seed| run(seed, OPERATIONS, &mut InSqlite::new()).operations).sum::<u64>()
                })
            })
            .collect();
        operations =
            runs.into_iter().map(|run| run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum();
    });
    assert_eq!(operations, SEEDS * OPERATIONS);
}
