//! The rules' view of the store: each look-up is one indexed query inside the transaction of the turn.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use augment_core::attribution::Claim;
use augment_core::closing::Closing;
use augment_core::file::{ContentHash, FilePath};
use augment_core::id::{RunId, TaskId};
use augment_core::prompt::{Prompt, PromptId};
use augment_core::review::policy::ReviewPolicy;
use augment_core::review::{Acknowledged, Allowed, Approval, Decision, DecisionId, FileNumber, PendingOf, TrackedFile};
use augment_core::run::{HandOff, HandOffId, HandOffPolicy, Question, QuestionId, Run};
use augment_core::session::{Flag, FlagId, Governance, Session, SessionId, SessionPolicy, Touch};
use augment_core::task::{Priority, Rank, Route, Task};
use augment_core::time::{Boot, Steady, Wall};
use augment_core::view::{Side, View};
use augment_core::weave::DecisionNo;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{
    Policies, StoreError, closing_row, decision_row, file_row, flag_row, kept, ledger, prompt_row, rows, run_row,
    session_row, talk_row, task_row,
};

/// The highest task number given so far, kept so that a removed task's number is not given again.
const LAST_NUMBER: &str = "last-task-number";

#[derive(Debug)]
pub struct TurnView<'batch> {
    connection: &'batch Connection,
    path: &'batch Path,
    policy: &'batch Policies,
    /// What was kept for a turn that is still to come; `None` where that is not known.
    lately: Option<&'batch HashSet<ContentHash>>,
}

impl<'batch> TurnView<'batch> {
    pub(super) fn new(connection: &'batch Connection, path: &'batch Path, policy: &'batch Policies) -> Self {
        Self { connection, path, policy, lately: None }
    }

    pub(super) fn with_lately(self, lately: &'batch HashSet<ContentHash>) -> Self {
        Self { lately: Some(lately), ..self }
    }

    /// The manifest file, which lies beside the database; `None` where it cannot be read.
    fn manifest(&self) -> Option<Vec<u8>> {
        match std::fs::read(self.path.with_file_name(crate::seeing::MANIFEST)) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(Vec::new()),
            Err(_) => None,
        }
    }

    fn ask<T>(&self, answer: rusqlite::Result<T>) -> Result<T, StoreError> {
        answer.map_err(|source| StoreError::new(self.path, source))
    }

    fn ids(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<TaskId>, StoreError> {
        self.ask((|| {
            self.connection.prepare_cached(sql)?.query_map(params, |row| task_row::read_id(row, 0))?.collect()
        })())
    }
}

pub(super) fn fact(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    connection.prepare_cached("SELECT value FROM fact WHERE name = ?1")?.query_row([name], |row| row.get(0)).optional()
}

pub(super) fn put_fact(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    let put = "INSERT INTO fact (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
    connection.prepare_cached(put)?.execute([name, value]).map(drop)
}

pub(super) fn task(connection: &Connection, id: TaskId) -> rusqlite::Result<Option<Task>> {
    let sql = format!("SELECT {} FROM task WHERE number = ?1", task_row::COLUMNS);
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row([task_row::number(id)], |row| task_row::read(connection, row)).optional()
}

pub(super) fn dependents(connection: &Connection, id: TaskId) -> rusqlite::Result<Vec<TaskId>> {
    let sql = "SELECT task FROM dependency WHERE depends_on = ?1 ORDER BY task";
    connection.prepare_cached(sql)?.query_map([task_row::number(id)], |row| task_row::read_id(row, 0))?.collect()
}

fn rank(row: &Row<'_>) -> rusqlite::Result<Rank> {
    Ok(Rank { major: row.get(0)?, minor: row.get(1)? })
}

impl View for TurnView<'_> {
    type Error = StoreError;

    fn task(&self, id: TaskId) -> Result<Option<Task>, StoreError> {
        self.ask(task(self.connection, id))
    }

    fn next_number(&self) -> Result<u64, StoreError> {
        let sql = "SELECT max(number) FROM task";
        let highest: Option<i64> =
            self.ask(self.connection.prepare_cached(sql).and_then(|mut query| query.query_row([], |row| row.get(0))))?;
        let kept: i64 = self.ask(fact(self.connection, LAST_NUMBER))?.and_then(|kept| kept.parse().ok()).unwrap_or(0);
        Ok(u64::try_from(highest.unwrap_or(0).max(kept)).unwrap_or(0) + 1)
    }

    fn task_count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(sum(tasks), 0) FROM tally";
        let sum: i64 =
            self.ask(self.connection.prepare_cached(sql).and_then(|mut query| query.query_row([], |row| row.get(0))))?;
        Ok(u64::try_from(sum).unwrap_or(0))
    }

    fn ids_within(&self, numbers: RangeInclusive<u64>, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        let bound = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql = "SELECT number FROM task WHERE number BETWEEN ?1 AND ?2 ORDER BY number LIMIT ?3";
        self.ids(sql, params![bound(*numbers.start()), bound(*numbers.end()), rows(limit)])
    }

    fn dependents(&self, id: TaskId) -> Result<Vec<TaskId>, StoreError> {
        self.ask(dependents(self.connection, id))
    }

    fn ready_routes(&self) -> Result<Vec<Route>, StoreError> {
        // Hops from one route to the next along the index instead of reading every ready task.
        let sql = "WITH RECURSIVE hop (route) AS ( \
                SELECT * FROM (SELECT route FROM task INDEXED BY task_ready \
                    WHERE status = 'pending' AND waits_for = 0 ORDER BY route LIMIT 1) \
                UNION ALL \
                SELECT (SELECT route FROM task INDEXED BY task_ready \
                    WHERE status = 'pending' AND waits_for = 0 AND route > hop.route ORDER BY route LIMIT 1) \
                FROM hop WHERE hop.route IS NOT NULL \
            ) SELECT route FROM hop WHERE route IS NOT NULL";
        self.ask((|| {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map([], |row| Ok(Route::from_key(row.get_ref(0)?.as_str()?)))?.collect()
        })())
    }

    fn first_ready(&self, route: &Route) -> Result<Option<(Priority, Rank, TaskId)>, StoreError> {
        let sql = "SELECT major, minor, priority, number FROM task INDEXED BY task_ready \
            WHERE status = 'pending' AND waits_for = 0 AND route = ?1 \
            ORDER BY priority, major, minor, number LIMIT 1";
        self.ask((|| {
            let mut statement = self.connection.prepare_cached(sql)?;
            let first = statement.query_row([route.key()], |row| {
                Ok((task_row::read_priority(row, 2)?, rank(row)?, task_row::read_id(row, 3)?))
            });
            first.optional()
        })())
    }

    fn neighbour(&self, priority: Priority, beside: Option<Rank>, side: Side) -> Result<Option<Rank>, StoreError> {
        let sql = match (beside, side) {
            (Some(_), Side::Before) => {
                "SELECT major, minor FROM task WHERE priority = ?1 AND (major, minor) < (?2, ?3) ORDER BY major DESC, minor DESC LIMIT 1"
            }
            (Some(_), Side::After) => {
                "SELECT major, minor FROM task WHERE priority = ?1 AND (major, minor) > (?2, ?3) ORDER BY major, minor LIMIT 1"
            }
            (None, Side::Before) => {
                "SELECT major, minor FROM task WHERE priority = ?1 AND ?2 = ?3 ORDER BY major DESC, minor DESC LIMIT 1"
            }
            (None, Side::After) => {
                "SELECT major, minor FROM task WHERE priority = ?1 AND ?2 = ?3 ORDER BY major, minor LIMIT 1"
            }
        };
        let beside = beside.unwrap_or(Rank { major: 0, minor: 0 });
        self.ask((|| {
            let mut statement = self.connection.prepare_cached(sql)?;
            let values = params![task_row::priority_number(priority), beside.major, beside.minor];
            statement.query_row(values, rank).optional()
        })())
    }

    fn ids_at(&self, priority: Priority, major: i64) -> Result<Vec<TaskId>, StoreError> {
        let sql = "SELECT number FROM task WHERE priority = ?1 AND major = ?2 ORDER BY minor, number";
        self.ids(sql, params![task_row::priority_number(priority), major])
    }

    fn leases_due(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        let due = "SELECT number FROM task WHERE lease_boot = ?1 AND lease_due_ms <= ?2 LIMIT ?3";
        let mut ids = self.ids(due, params![boot.0, steady.0, rows(limit)])?;
        let other =
            "SELECT number FROM task WHERE lease_boot IS NOT NULL AND (lease_boot < ?1 OR lease_boot > ?1) LIMIT ?2";
        ids.extend(self.ids(other, params![boot.0, rows(limit.saturating_sub(ids.len()))])?);
        Ok(ids)
    }

    fn run(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        self.ask(run_row::find(self.connection, id))
    }

    fn runs_silent(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<RunId>, StoreError> {
        self.ask(run_row::silent(self.connection, boot, steady, limit))
    }

    fn processes(&self, agent: &str) -> Result<(u32, u32), StoreError> {
        self.ask(run_row::processes(self.connection, agent))
    }

    fn report(&self, id: RunId) -> Result<Option<String>, StoreError> {
        self.ask(run_row::report(self.connection, id))
    }

    fn question(&self, id: QuestionId) -> Result<Option<Question>, StoreError> {
        self.ask(talk_row::question(self.connection, id))
    }

    fn open_questions(&self, run: RunId) -> Result<Vec<Question>, StoreError> {
        self.ask(talk_row::open_of(self.connection, run))
    }

    fn questions_of(&self, run: RunId, limit: usize) -> Result<Vec<Question>, StoreError> {
        self.ask(talk_row::questions_of(self.connection, run, limit))
    }

    fn next_question(&self) -> Result<QuestionId, StoreError> {
        self.ask(talk_row::next_question(self.connection))
    }

    fn hand_off(&self, id: HandOffId) -> Result<Option<HandOff>, StoreError> {
        self.ask(talk_row::hand_off(self.connection, id))
    }

    fn hand_off_to(&self, task: TaskId) -> Result<Option<HandOff>, StoreError> {
        self.ask(talk_row::hand_off_to(self.connection, task))
    }

    fn next_hand_off(&self) -> Result<HandOffId, StoreError> {
        self.ask(talk_row::next_hand_off(self.connection))
    }

    fn hand_off_policy(&self) -> Result<HandOffPolicy, StoreError> {
        Ok(self.policy.hand_off)
    }

    fn active_runs(&self, limit: usize) -> Result<Vec<RunId>, StoreError> {
        self.ask(file_row::active_runs(self.connection, limit))
    }

    fn has_run_since(&self, since: Wall) -> Result<bool, StoreError> {
        self.ask(file_row::has_run_since(self.connection, since))
    }

    fn file(&self, number: FileNumber) -> Result<Option<TrackedFile>, StoreError> {
        self.ask(file_row::by_number(self.connection, number))
    }

    fn file_at(&self, path: &FilePath) -> Result<Option<TrackedFile>, StoreError> {
        self.ask(file_row::at(self.connection, path))
    }

    fn parked_at(&self, path: &FilePath, branch: &str) -> Result<Option<TrackedFile>, StoreError> {
        self.ask(file_row::parked_with(self.connection, path, branch))
    }

    fn parked(&self, path: &FilePath, limit: usize) -> Result<Vec<TrackedFile>, StoreError> {
        self.ask(file_row::parked(self.connection, path, limit))
    }

    fn next_file(&self) -> Result<u64, StoreError> {
        self.ask(file_row::next(self.connection))
    }

    fn pending_files(&self, of: &PendingOf, limit: usize) -> Result<Vec<FileNumber>, StoreError> {
        self.ask(file_row::pending(self.connection, of, None, limit))
    }

    fn hunks_starting(&self, beginning: &str, limit: usize) -> Result<Vec<(String, FileNumber)>, StoreError> {
        self.ask(file_row::hunks_starting(self.connection, beginning, limit))
    }

    fn approvals(&self, hunk: &str) -> Result<Vec<Approval>, StoreError> {
        self.ask(decision_row::approvals(self.connection, hunk))
    }

    fn claims(&self, path: &FilePath) -> Result<Vec<Claim>, StoreError> {
        self.ask(decision_row::claims(self.connection, path))
    }

    fn decision(&self, id: DecisionId) -> Result<Option<Decision>, StoreError> {
        self.ask(decision_row::one(self.connection, id))
    }

    fn decision_in(&self, file: FileNumber, step: DecisionNo) -> Result<Option<Decision>, StoreError> {
        self.ask(decision_row::made_in(self.connection, file, step))
    }

    fn approved_by(&self, decision: DecisionId) -> Result<Vec<Approval>, StoreError> {
        self.ask(decision_row::approved_by(self.connection, decision))
    }

    fn next_decision(&self) -> Result<DecisionId, StoreError> {
        self.ask(decision_row::next(self.connection))
    }

    fn newest_decisions(&self, limit: usize) -> Result<Vec<Decision>, StoreError> {
        self.ask(decision_row::newest(self.connection, limit))
    }

    fn decisions_until(&self, until: Wall, limit: usize) -> Result<Vec<Decision>, StoreError> {
        self.ask(decision_row::until(self.connection, until, limit))
    }

    fn done_files(&self, limit: usize) -> Result<Vec<FileNumber>, StoreError> {
        self.ask(file_row::done(self.connection, limit))
    }

    fn unneeded(&self, files: &[TrackedFile]) -> Result<Vec<(ContentHash, u64)>, StoreError> {
        // An entry leaves the rows only once the file holds it, and not within this transaction, so it is in one of them.
        match (self.lately, self.manifest()) {
            (Some(lately), Some(manifest)) => self.ask(kept::unneeded(self.connection, files, &manifest, lately)),
            (_, _) => Ok(Vec::new()),
        }
    }

    fn session(&self) -> Result<Option<Session>, StoreError> {
        self.ask(session_row::open(self.connection))
    }

    fn session_of(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        self.ask(session_row::find(self.connection, id))
    }

    fn closing(&self, session: SessionId) -> Result<Option<Closing>, StoreError> {
        self.ask(closing_row::find(self.connection, session))
    }

    fn open_closings(&self, limit: usize) -> Result<Vec<Closing>, StoreError> {
        self.ask(closing_row::open(self.connection, limit))
    }

    fn prompt(&self) -> Result<Option<Prompt>, StoreError> {
        self.ask(prompt_row::open(self.connection))
    }

    fn prompt_of(&self, id: PromptId) -> Result<Option<Prompt>, StoreError> {
        self.ask(prompt_row::find(self.connection, id))
    }

    fn next_prompt(&self) -> Result<PromptId, StoreError> {
        self.ask(prompt_row::next(self.connection))
    }

    fn next_session(&self) -> Result<SessionId, StoreError> {
        self.ask(session_row::next(self.connection))
    }

    fn last_session_number(&self) -> Result<u32, StoreError> {
        self.ask(session_row::last_number(self.connection))
    }

    fn session_policy(&self) -> Result<SessionPolicy, StoreError> {
        Ok(self.policy.session.clone())
    }

    fn governance(&self) -> Result<Arc<Governance>, StoreError> {
        Ok(self.policy.governance.clone())
    }

    fn open_task_titled(&self, title: &str) -> Result<Option<TaskId>, StoreError> {
        self.ask(task_row::open_titled(self.connection, title))
    }

    fn waiting_hunks(&self, task: TaskId) -> Result<u32, StoreError> {
        self.ask(file_row::waiting_of(self.connection, task))
    }

    fn touched_by(&self, task: TaskId, limit: usize) -> Result<Vec<(FilePath, Touch)>, StoreError> {
        self.ask(flag_row::touched_by(self.connection, task, limit))
    }

    fn flag(&self, id: FlagId) -> Result<Option<Flag>, StoreError> {
        self.ask(flag_row::find(self.connection, id))
    }

    fn next_flag(&self) -> Result<u64, StoreError> {
        self.ask(flag_row::next(self.connection))
    }

    fn flags_at(&self, session: SessionId, path: &FilePath) -> Result<Vec<Flag>, StoreError> {
        self.ask(flag_row::at(self.connection, session, path))
    }

    fn is_committed(&self, file: FileNumber) -> Result<bool, StoreError> {
        self.ask(prompt_row::is_settled(self.connection, file))
    }

    fn flags_open_at(&self, path: &FilePath) -> Result<Vec<Flag>, StoreError> {
        self.ask(flag_row::open_at(self.connection, path))
    }

    fn flags_passed_at(&self, path: &FilePath) -> Result<Vec<Flag>, StoreError> {
        self.ask(flag_row::passed_at(self.connection, path))
    }

    fn flags_waiting(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, StoreError> {
        self.ask(flag_row::waiting(self.connection, session, limit))
    }

    fn flags_left(&self, but: Option<SessionId>, limit: usize) -> Result<Vec<Flag>, StoreError> {
        self.ask(flag_row::left(self.connection, but, limit))
    }

    fn flags_of(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, StoreError> {
        self.ask(flag_row::all(self.connection, session, limit))
    }

    fn refused_in(&self, session: &Session, limit: usize) -> Result<Vec<String>, StoreError> {
        self.ask(ledger::refused_in(self.connection, session, limit))
    }

    fn acknowledged_since(&self, since: Wall, limit: usize) -> Result<Vec<Acknowledged>, StoreError> {
        self.ask(flag_row::acknowledged_since(self.connection, since, limit))
    }

    fn decided_since(&self, since: Wall, limit: usize) -> Result<Vec<Question>, StoreError> {
        self.ask(talk_row::decided_since(self.connection, since, limit))
    }

    fn acknowledged(&self, hunk: &str) -> Result<Vec<Acknowledged>, StoreError> {
        self.ask(flag_row::acknowledged(self.connection, hunk))
    }

    fn allowed(&self) -> Result<Vec<Allowed>, StoreError> {
        self.ask(flag_row::allowed(self.connection))
    }

    fn next_allowed(&self) -> Result<u64, StoreError> {
        self.ask(flag_row::next_allowed(self.connection))
    }

    fn review_policy(&self) -> Result<ReviewPolicy, StoreError> {
        Ok(self.policy.review.clone())
    }
}

/// Remembers the number of a task that is about to go, if it is the highest.
pub(super) fn keep_last_number(connection: &Connection, id: TaskId) -> rusqlite::Result<()> {
    let kept: i64 = fact(connection, LAST_NUMBER)?.and_then(|kept| kept.parse().ok()).unwrap_or(0);
    if task_row::number(id) > kept {
        put_fact(connection, LAST_NUMBER, &task_row::number(id).to_string())?;
    }
    Ok(())
}
