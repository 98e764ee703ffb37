//! What a turn costs, counted in steps of SQLite's own machine: the same however many tasks there are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use augment_core::actor::Actor;
use augment_core::analytics::{Analysis, Bucket, Filter, Period};
use augment_core::id::TaskId;
use augment_core::queue::{Claim, Edit, Ending, Finish, Place, TaskDraft};
use augment_core::session::SessionId;
use augment_core::task::Status;
use augment_core::time::Wall;
use augment_core::turn::{Command, Input, Processes, decide};
use augment_core::view::View as _;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::reader::list;
use super::{ListQuery, Store, TurnView};
use crate::clock;

struct Bench {
    store: Store,
    steps: Arc<AtomicU64>,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn with_tasks(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("state.db")).unwrap();
        store.connection.pragma_update(None, "synchronous", "OFF").unwrap();
        let steps = Arc::new(AtomicU64::new(0));
        let counted = steps.clone();
        let count_step = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            false
        };
        store.connection.progress_handler(1, Some(count_step)).unwrap();
        let mut bench = Self { store, steps, _folder: folder };
        // A third of them wait for another, a third need what our agent lacks, and half of the rest have ended.
        let adds = (1..=count).map(|number| {
            let draft = TaskDraft { title: format!("task {number}"), max_attempts: 3, ..TaskDraft::default() };
            Command::AddTask(match number % 6 {
                1 | 2 if number > 6 => TaskDraft { depends_on: vec!["a1".into()], ..draft },
                3 | 4 => TaskDraft { capabilities: vec![format!("skill-{}", number % 5)], ..draft },
                _ => draft,
            })
        });
        bench.ask(adds);
        let finish = Finish { ending: Ending::Completed, result: None };
        let ends = (6..=count).step_by(6).map(|number| Command::FinishTask {
            task: number.to_string(),
            attempt: None,
            finish: finish.clone(),
        });
        bench.ask(ends);
        // A twentieth is being worked on, by agents that can do what those need.
        let claims = (1..=count / 20).map(|at| {
            let capabilities = (0..5).map(|skill| format!("skill-{skill}")).collect();
            let token_hash = *blake3::hash(&at.to_le_bytes()).as_bytes();
            let task = (at * 6 + if at % 2 == 0 { 3 } else { 4 }).to_string();
            let claim = Claim { agent: "other".into(), capabilities, lease_ms: 3_600_000, token_hash };
            Command::ClaimTask { task, claim }
        });
        bench.ask(claims);
        bench
    }

    /// Performs commands in one transaction and gives the steps that it took.
    fn ask(&mut self, commands: impl Iterator<Item = Command>) -> u64 {
        let now = clock::now();
        let before = self.steps.load(Ordering::Relaxed);
        let mut batch = self.store.begin().unwrap();
        let asked = commands.map(|command| Input::Asked { actor: Actor::Person { name: "ada".into() }, command });
        for input in std::iter::once(Input::TimePassed(Processes::Seen)).chain(asked) {
            let mut turn = decide(&batch.view(), &input, &now).unwrap();
            batch.apply(&mut turn, now.wall).unwrap();
            assert!(turn.verdict.is_ok(), "{:?}", turn.verdict);
        }
        batch.commit().unwrap();
        self.steps.load(Ordering::Relaxed) - before
    }

    /// The steps that a look-up of the rules takes.
    fn look(&mut self, look: impl FnOnce(&TurnView<'_>)) -> u64 {
        let before = self.steps.load(Ordering::Relaxed);
        look(&self.store.begin().unwrap().view());
        self.steps.load(Ordering::Relaxed) - before
    }

    fn cost_of_each(&mut self) -> Vec<(&'static str, u64)> {
        let claim = |hash: u8| Claim {
            agent: "goose".into(),
            capabilities: ["skill-1".to_owned()].into(),
            lease_ms: 60_000,
            token_hash: [hash; 32],
        };
        let edit = Edit { title: Some("renamed".into()), priority: Some("low".into()), ..Edit::default() };
        let edit = Command::EditTask { task: "a2".into(), edit, shown_at: None };
        let failed = Finish { ending: Ending::Failed, result: None };
        let commands = [
            ("add", Command::AddTask(TaskDraft { title: "new".into(), max_attempts: 3, ..TaskDraft::default() })),
            ("move to the top", Command::MoveTask { task: "a5".into(), place: Place::Top, shown_at: None }),
            ("move after", Command::MoveTask { task: "a5".into(), place: Place::After("a2".into()), shown_at: None }),
            ("next", Command::TakeNext(claim(1))),
            ("heartbeat", Command::Heartbeat { task: "a1".into(), attempt: Some(1) }),
            ("cancel", Command::CancelTask { task: "a1".into(), reason: None, shown_at: None }),
            ("retry", Command::RetryTask { task: "a1".into(), shown_at: None }),
            ("claim", Command::ClaimTask { task: "a1".into(), claim: claim(2) }),
            ("edit", edit),
            ("fail", Command::FinishTask { task: "a1".into(), attempt: Some(2), finish: failed }),
            ("remove", Command::RemoveTask { task: "b11".into(), shown_at: None }),
        ];
        let mut costs: Vec<_> =
            commands.into_iter().map(|(name, command)| (name, self.ask(std::iter::once(command)))).collect();
        let lists = [
            ("list what is open", vec![Status::InProgress, Status::Pending]),
            ("list what has ended", Status::ALL.into_iter().filter(|status| status.is_ended()).collect()),
            ("list what is in trouble", Status::ALL.into_iter().filter(|status| status.is_trouble()).collect()),
        ];
        let before = self.steps.load(Ordering::Relaxed);
        self.store.next_due(clock::boot()).unwrap();
        costs.push(("look for the next lease", self.steps.load(Ordering::Relaxed) - before));
        costs.push(("look for sessions to complete", self.look(|view| drop(view.open_closings(16).unwrap()))));
        costs.push(("look up a completion", self.look(|view| drop(view.closing(SessionId(1)).unwrap()))));
        costs.push((
            "count what waits of a task",
            self.look(|view| assert_eq!(view.waiting_hunks(TaskId::new(1).unwrap()).unwrap(), 0)),
        ));
        let session = self.store.session().unwrap().expect("the claims began one");
        costs.push(("look for refusals", self.look(|view| drop(view.refused_in(&session, 50).unwrap()))));
        costs.push(("look for findings", self.look(|view| drop(view.acknowledged_since(Wall(0), 50).unwrap()))));
        costs.extend(lists.map(|(name, statuses)| {
            let before = self.steps.load(Ordering::Relaxed);
            let query = ListQuery { statuses, limit: 10, ..ListQuery::default() };
            list(&self.store.connection, &query).unwrap();
            (name, self.steps.load(Ordering::Relaxed) - before)
        }));
        costs
    }
}

#[test]
fn a_turn_costs_the_same_with_a_hundred_tasks_and_with_ten_thousand() {
    let few = Bench::with_tasks(100).cost_of_each();
    let many = Bench::with_tasks(10_000).cost_of_each();
    for ((name, few), (_, many)) in few.iter().zip(&many) {
        println!("{name}: {few} steps at 100 tasks, {many} at 10,000");
        assert!(*many <= few + few / 5 + 20, "{name}: {few} steps at 100 tasks, {many} at 10,000");
    }
}

/// Figures of a period with ten runs, two tasks and three decisions in it, whatever else there is.
fn cost_of_figures(tasks: usize) -> u64 {
    let bench = Bench::with_tasks(tasks);
    let steps = || bench.steps.load(Ordering::Relaxed);
    let sql = "UPDATE run SET ended_ms = 5000, state = 'completed' WHERE task IN (SELECT task FROM run ORDER BY task LIMIT 10);
               UPDATE run SET ended_ms = 9000000 WHERE ended_ms IS NULL;
               UPDATE task SET ended_ms = 5000 WHERE number IN (6, 12);
               UPDATE ledger SET kind = 'review.approved', data = '{\"hunks\":2}' WHERE sequence % 2 = 0;
               UPDATE ledger SET time_ms = 5000 WHERE sequence IN (10, 20, 30);";
    bench.store.connection.execute_batch(sql).unwrap();
    let period = Period::new(Wall(0), Wall(10_000), Bucket::Hour, 0).unwrap();
    let mut analysis = Analysis::new(period, Filter::default());
    let before = steps();
    super::figures::count(&bench.store.connection, &mut analysis).unwrap();
    let total = &analysis.total;
    assert_eq!((total.runs.ended(), total.tasks.ended(), total.hunks.approved), (10, 2, 6));
    steps() - before
}

#[test]
fn figures_cost_what_happened_in_their_period() {
    let (few, many) = (cost_of_figures(300), cost_of_figures(10_000));
    println!("figures: {few} steps at 300 tasks, {many} at 10,000");
    assert!(many <= few + few / 5 + 20, "{few} steps at 300 tasks, {many} at 10,000");
}

#[test]
fn a_turn_like_the_one_before_translates_no_query_anew() {
    let mut bench = Bench::with_tasks(20);
    let claim = Claim { agent: "goose".into(), capabilities: [].into(), lease_ms: 3_600_000, token_hash: [7; 32] };
    bench.ask(std::iter::once(Command::ClaimTask { task: "a1".into(), claim }));
    let translated: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = translated.clone();
    // SQLite asks for leave when it translates a query, and never when it runs one.
    let hear = move |asked: AuthContext<'_>| {
        if !matches!(asked.action, AuthAction::Transaction { .. }) {
            heard.lock().unwrap().push(format!("{:?}", asked.action));
        }
        Authorization::Allow
    };
    bench.store.connection.authorizer(Some(hear)).unwrap();
    let mut turn = || {
        bench.ask(std::iter::once(Command::Heartbeat { task: "a1".into(), attempt: Some(1) }));
        bench.store.next_due(clock::boot()).unwrap();
    };
    turn();
    translated.lock().unwrap().clear();
    turn();
    assert_eq!(*translated.lock().unwrap(), Vec::<String>::new());
}
