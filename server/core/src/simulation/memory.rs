//! A store in memory: the tasks, the indexes that the look-ups of `View` need, the ledger and the runs; tracked files and
//! decisions are in `Files`. It performs the effects of a turn and decides nothing. Effects that cannot be right (a run
//! begun twice) are bugs, so it panics.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::Backend;
use super::files::Files;
use super::governed::Governed;
use crate::agent::AllowedText;
use crate::attribution::Claim;
use crate::closing::Closing;
use crate::file::{ContentHash, FilePath};
use crate::id::{MAX_TASK_NUMBER, RunId, TaskId};
use crate::ledger::{Head, Link, Record, check_next};
use crate::prompt::{Prompt, PromptId};
use crate::refusal::Refusal;
use crate::review::policy::ReviewPolicy;
use crate::review::{Acknowledged, Allowed, Approval, Decision, DecisionId, FileNumber, PendingOf, TrackedFile};
use crate::run::{AnsweredBy, HandOff, HandOffId, HandOffPolicy, Question, QuestionId, QuestionKind, Run, RunState};
use crate::session::{Flag, FlagId, Governance, Session, SessionId, SessionPolicy, SessionState, Touch};
use crate::task::{Priority, Rank, Route, Status, Task};
use crate::time::{Boot, Now, Steady, Wall};
use crate::turn::{Answer, Effect, Input, Turn, decide};
use crate::view::{Side, View};
use crate::weave::DecisionNo;

/// A store that lives as long as the test.
#[derive(Debug, Clone)]
pub struct Memory {
    tasks: BTreeMap<TaskId, Task>,
    indexes: Indexes,
    last_number: u64,
    links: Vec<Link>,
    head: Head,
    runs: BTreeMap<RunId, RunKept>,
    settings: BTreeMap<String, String>,
    files: Files,
    talk: Talk,
    governed: Governed,
}

/// What runs reported, asked and handed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Talk {
    reports: BTreeMap<RunId, String>,
    questions: BTreeMap<QuestionId, Question>,
    hand_offs: BTreeMap<HandOffId, HandOff>,
    allowed: BTreeMap<String, (String, AllowedText)>,
}

/// A run as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunKept {
    pub run: Run,
    pub token_hash: [u8; 32],
}

/// A task's place in the list. The id is part of it because a spread of ranks passes through states in which two tasks
/// share one.
type Placed = (Priority, Rank, TaskId);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Indexes {
    order: BTreeSet<Placed>,
    ready: BTreeMap<Route, BTreeSet<Placed>>,
    dependents: BTreeMap<TaskId, BTreeSet<TaskId>>,
    leases: BTreeMap<String, BTreeSet<(Steady, TaskId)>>,
}

impl Indexes {
    fn of<'a>(tasks: impl Iterator<Item = &'a Task>) -> Self {
        let mut indexes = Self::default();
        tasks.for_each(|task| indexes.insert(task));
        indexes
    }

    fn insert(&mut self, task: &Task) {
        let placed = (task.priority, task.rank, task.id);
        self.order.insert(placed);
        if task.is_ready() {
            self.ready.entry(task.route.clone()).or_default().insert(placed);
        }
        for &dependency in &task.depends_on {
            self.dependents.entry(dependency).or_default().insert(task.id);
        }
        if let Some(lease) = &task.lease {
            self.leases.entry(lease.boot.0.clone()).or_default().insert((lease.due, task.id));
        }
    }

    fn remove(&mut self, task: &Task) {
        let placed = (task.priority, task.rank, task.id);
        self.order.remove(&placed);
        if task.is_ready() {
            take_out(&mut self.ready, &task.route, &placed);
        }
        for dependency in &task.depends_on {
            take_out(&mut self.dependents, dependency, &task.id);
        }
        if let Some(lease) = &task.lease {
            take_out(&mut self.leases, &lease.boot.0, &(lease.due, task.id));
        }
    }
}

fn take_out<K: Ord, V: Ord>(index: &mut BTreeMap<K, BTreeSet<V>>, key: &K, value: &V) {
    if let Some(values) = index.get_mut(key) {
        values.remove(value);
        if values.is_empty() {
            index.remove(key);
        }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    #[must_use]
    pub fn new() -> Self {
        Self {
            tasks: BTreeMap::new(),
            indexes: Indexes::default(),
            last_number: 0,
            links: Vec::new(),
            head: Head::EMPTY,
            runs: BTreeMap::new(),
            settings: BTreeMap::new(),
            files: Files::default(),
            talk: Talk::default(),
            governed: Governed::default(),
        }
    }

    /// Performs the effects of a turn. The tasks put in it get the sequence number of its last record as their revision;
    /// a turn without a record leaves revisions as they are.
    pub fn apply(&mut self, turn: &Turn, now: &Now) {
        let before = self.head.sequence;
        for effect in &turn.effects {
            if let Effect::Record(event) = effect {
                let record = Record::of(event, self.head.sequence + 1, now.wall);
                let previous = self.head.hash;
                self.head = self.head.after(&record);
                self.links.push(Link { record, previous, hash: self.head.hash });
            }
        }
        let revision = (self.head.sequence > before).then_some(self.head.sequence);
        for effect in &turn.effects {
            match effect {
                Effect::Record(_) => {}
                Effect::PutTask(task) => self.put(task, revision),
                Effect::RemoveTask(id) => {
                    let task = self.tasks.remove(id).expect("only a known task is removed");
                    self.indexes.remove(&task);
                }
                Effect::FreeDependents(id) => {
                    for dependent in self.dependents(*id).unwrap_or_default() {
                        let mut task = self.tasks[&dependent].clone();
                        task.waits_for -= 1;
                        self.put(&task, None);
                    }
                }
                Effect::BeginRun { run, token_hash } => {
                    let kept = RunKept { run: (**run).clone(), token_hash: *token_hash };
                    assert_eq!(self.runs.insert(run.id, kept), None, "run {} began twice", run.id);
                }
                Effect::PutRun(run) => {
                    let kept = self.runs.get_mut(&run.id).expect("only a run that began can go on");
                    assert!(kept.run.ended.is_none() || run.ended == kept.run.ended, "run {} ended twice", run.id);
                    kept.run = (**run).clone();
                }
                Effect::PutReport { run, report } => drop(self.talk.reports.insert(*run, report.clone())),
                Effect::PutQuestion(question) => {
                    let before = self.talk.questions.insert(question.id, (**question).clone());
                    let is_open = before.is_none_or(|before| before.answer.is_none());
                    assert!(is_open, "question {} was answered twice", question.id);
                }
                Effect::PutHandOff(hand_off) => {
                    self.talk.hand_offs.insert(hand_off.id, (**hand_off).clone());
                }
                Effect::AllowAgent { name, hash, text } => {
                    self.talk.allowed.insert(name.clone(), (hash.clone(), text.clone()));
                }
                Effect::EndProcess(_)
                | Effect::TellAgent { .. }
                | Effect::StartHandOff { .. }
                // The rules never look at it again.
                | Effect::PutHandOffText { .. } => {}
                Effect::WriteSetting(change) => match &change.value {
                    Some(value) => drop(self.settings.insert(change.key.clone(), value.clone())),
                    None => drop(self.settings.remove(&change.key)),
                },
                Effect::PutFile(file) => self.files.put(file),
                Effect::PutDecision(decision) => self.files.put_decision(decision),
                Effect::ForgetDecision(id) => self.files.forget_decision(*id),
                Effect::DropContent(_) => {}
                Effect::KeepApproval(approval) => self.files.keep_approval(approval),
                Effect::PutClaim(claim) => self.files.put_claim(claim),
                Effect::DropClaim(number) => self.files.drop_claim(*number),
                Effect::WriteFile(write) => self.files.begin_write(write),
                Effect::SettleWrite { decision, file } => self.files.settle_write(*decision, *file),
                Effect::PutSession(_)
                | Effect::TellSession(_)
                | Effect::PutFlag(_)
                | Effect::NoteTouched { .. }
                | Effect::WriteDocuments(_)
                | Effect::PutClosing(_)
                | Effect::PutPrompt(_)
                | Effect::SettleFiles(_)
            | Effect::LoosenFiles(_)
                | Effect::CloseStep(_)
                | Effect::SealArchive(_)
                | Effect::PutAcknowledged(_)
                | Effect::PutAllowed(_)
                | Effect::DropAllowed(_) => self.governed.apply(effect),
            }
        }
    }

    fn put(&mut self, task: &Task, revision: Option<u64>) {
        let mut task = task.clone();
        task.revision = revision.unwrap_or(task.revision);
        self.last_number = self.last_number.max(task.id.number());
        if let Some(old) = self.tasks.get(&task.id) {
            self.indexes.remove(old);
        }
        self.indexes.insert(&task);
        self.tasks.insert(task.id, task);
    }

    pub fn links(&self) -> &[Link] {
        &self.links
    }

    pub fn runs(&self) -> &BTreeMap<RunId, RunKept> {
        &self.runs
    }

    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// What is kept of files and decisions.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// What is kept of sessions, and what governs them.
    pub fn governed(&self) -> &Governed {
        &self.governed
    }

    pub fn governed_mut(&mut self) -> &mut Governed {
        &mut self.governed
    }

    /// What the person wants done with changes without being asked.
    pub fn set_policy(&mut self, policy: ReviewPolicy) {
        self.files.set_policy(policy);
    }

    /// The answer with its task as it was kept.
    fn as_kept(&self, answer: Answer) -> Answer {
        let kept = |task: Box<Task>| self.tasks.get(&task.id).cloned().map_or(task, Box::new);
        match answer {
            Answer::Task(task) => Answer::Task(kept(task)),
            Answer::Taken { task, run } => Answer::Taken { task: kept(task), run },
            Answer::Moved { task, was } => Answer::Moved { task: kept(task), was },
            Answer::NothingReady
            | Answer::Removed(_)
            | Answer::SettingChanged
            | Answer::Decided { .. }
            | Answer::Assigned { .. }
            | Answer::Purged { .. }
            | Answer::Run(_)
            | Answer::Question(_)
            | Answer::HandOff(_)
            | Answer::Hook(_)
            | Answer::Session(_)
            | Answer::Flag(_)
            | Answer::Prompt(_)
            | Answer::Noted => answer,
        }
    }
}

impl Backend for Memory {
    type Error = Infallible;

    fn turn(&mut self, input: &Input, now: &Now) -> Result<Result<Answer, Refusal>, Infallible> {
        let turn = decide(self, input, now)?;
        self.apply(&turn, now);
        Ok(turn.verdict.map(|answer| self.as_kept(answer)))
    }

    fn tasks(&self) -> Vec<Task> {
        self.tasks.values().cloned().collect()
    }

    fn task(&self, id: TaskId) -> Option<Task> {
        self.tasks.get(&id).cloned()
    }

    fn records(&self) -> u64 {
        self.head.sequence
    }

    fn verify(&self) -> Result<u64, String> {
        let end = self.links.iter().try_fold(Head::EMPTY, check_next).map_err(|broken| broken.to_string())?;
        if end != self.head {
            return Err(format!("the chain ends with {end:?}, the kept head is {:?}", self.head));
        }
        if Indexes::of(self.tasks.values()) != self.indexes {
            return Err("the indexes are not those of the tasks".to_owned());
        }
        let open: BTreeSet<RunId> =
            self.runs.iter().filter(|(_, kept)| kept.run.ended.is_none()).map(|(run, _)| *run).collect();
        let held: BTreeSet<RunId> =
            self.tasks.values().filter(|task| task.status == Status::InProgress).map(Task::run).collect();
        if open != held {
            return Err(format!("open runs {open:?} are not the runs of the tasks in progress {held:?}"));
        }
        self.files.verify()?;
        Ok(self.head.sequence)
    }
}

fn id(number: u64) -> TaskId {
    TaskId::new(number.clamp(1, MAX_TASK_NUMBER)).expect("it was clamped to the numbers of tasks")
}

impl View for Memory {
    type Error = Infallible;

    fn task(&self, id: TaskId) -> Result<Option<Task>, Infallible> {
        Ok(self.tasks.get(&id).cloned())
    }

    fn next_number(&self) -> Result<u64, Infallible> {
        Ok(self.last_number + 1)
    }

    fn task_count(&self) -> Result<u64, Infallible> {
        Ok(u64::try_from(self.tasks.len()).expect("a usize fits 64 bits"))
    }

    fn ids_within(&self, numbers: RangeInclusive<u64>, limit: usize) -> Result<Vec<TaskId>, Infallible> {
        let range = id(*numbers.start())..=id(*numbers.end());
        Ok(self.tasks.range(range).map(|(id, _)| *id).take(limit).collect())
    }

    fn dependents(&self, id: TaskId) -> Result<Vec<TaskId>, Infallible> {
        Ok(self.indexes.dependents.get(&id).into_iter().flatten().copied().collect())
    }

    fn ready_routes(&self) -> Result<Vec<Route>, Infallible> {
        Ok(self.indexes.ready.keys().cloned().collect())
    }

    fn first_ready(&self, route: &Route) -> Result<Option<Placed>, Infallible> {
        Ok(self.indexes.ready.get(route).and_then(|ready| ready.first()).copied())
    }

    fn neighbour(&self, priority: Priority, rank: Option<Rank>, side: Side) -> Result<Option<Rank>, Infallible> {
        let (lowest, highest) = (Rank { major: i64::MIN, minor: i64::MIN }, Rank { major: i64::MAX, minor: i64::MAX });
        let (first, last) = (id(1), id(MAX_TASK_NUMBER));
        let found = match side {
            Side::Before => match rank {
                Some(rank) => self.indexes.order.range((priority, lowest, first)..(priority, rank, first)).next_back(),
                None => self.indexes.order.range((priority, lowest, first)..=(priority, highest, last)).next_back(),
            },
            Side::After => {
                let from = rank.map_or((priority, lowest, first), |rank| (priority, rank, last));
                let mut after = self.indexes.order.range(from..=(priority, highest, last));
                after.find(|(_, found, _)| Some(*found) != rank)
            }
        };
        Ok(found.map(|(_, rank, _)| *rank))
    }

    fn ids_at(&self, priority: Priority, major: i64) -> Result<Vec<TaskId>, Infallible> {
        let from = (priority, Rank { major, minor: i64::MIN }, id(1));
        let to = (priority, Rank { major, minor: i64::MAX }, id(MAX_TASK_NUMBER));
        Ok(self.indexes.order.range(from..=to).map(|(_, _, id)| *id).collect())
    }

    fn leases_due(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<TaskId>, Infallible> {
        let due = self.indexes.leases.iter().flat_map(|(of, leases)| {
            let end = if *of == boot.0 { steady } else { Steady(i64::MAX) };
            leases.range(..=(end, id(MAX_TASK_NUMBER))).map(|(_, id)| *id)
        });
        Ok(due.take(limit).collect())
    }

    fn run(&self, id: RunId) -> Result<Option<Run>, Infallible> {
        Ok(self.runs.get(&id).map(|kept| kept.run.clone()))
    }

    fn runs_silent(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<RunId>, Infallible> {
        let is_silent = |run: &&Run| {
            run.ended.is_none()
                && run.standing.state != RunState::Disconnected
                && run.last_sign.boot == *boot
                && run.silent_at() < steady
        };
        Ok(self.runs.values().map(|kept| &kept.run).filter(is_silent).map(|run| run.id).take(limit).collect())
    }

    fn processes(&self, agent: &str) -> Result<(u32, u32), Infallible> {
        let kept: Vec<&Run> =
            self.runs.values().map(|kept| &kept.run).filter(|run| run.ended.is_none() && run.has_process()).collect();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Ok((count(kept.iter().filter(|run| run.agent == agent).count()), count(kept.len())))
    }

    fn report(&self, id: RunId) -> Result<Option<String>, Infallible> {
        Ok(self.talk.reports.get(&id).cloned())
    }

    fn question(&self, id: QuestionId) -> Result<Option<Question>, Infallible> {
        Ok(self.talk.questions.get(&id).cloned())
    }

    fn open_questions(&self, run: RunId) -> Result<Vec<Question>, Infallible> {
        let open = self.talk.questions.values().filter(|question| question.run == run && question.answer.is_none());
        Ok(open.cloned().collect())
    }

    fn questions_of(&self, run: RunId, limit: usize) -> Result<Vec<Question>, Infallible> {
        Ok(self.talk.questions.values().filter(|question| question.run == run).take(limit).cloned().collect())
    }

    fn next_question(&self) -> Result<QuestionId, Infallible> {
        Ok(QuestionId(self.talk.questions.keys().next_back().map_or(1, |id| id.0 + 1)))
    }

    fn hand_off(&self, id: HandOffId) -> Result<Option<HandOff>, Infallible> {
        Ok(self.talk.hand_offs.get(&id).cloned())
    }

    fn hand_off_to(&self, task: TaskId) -> Result<Option<HandOff>, Infallible> {
        Ok(self.talk.hand_offs.values().find(|hand_off| hand_off.task == Some(task)).cloned())
    }

    fn next_hand_off(&self) -> Result<HandOffId, Infallible> {
        Ok(HandOffId(self.talk.hand_offs.keys().next_back().map_or(1, |id| id.0 + 1)))
    }

    fn hand_off_policy(&self) -> Result<HandOffPolicy, Infallible> {
        Ok(HandOffPolicy::default())
    }

    fn active_runs(&self, limit: usize) -> Result<Vec<RunId>, Infallible> {
        let at_work = self.tasks.values().filter(|task| task.status == Status::InProgress);
        Ok(at_work.map(Task::run).take(limit).collect())
    }

    fn has_run_since(&self, since: Wall) -> Result<bool, Infallible> {
        Ok(self.runs.values().any(|kept| kept.run.ended.is_some_and(|ended| ended >= since)))
    }

    fn file(&self, number: FileNumber) -> Result<Option<TrackedFile>, Infallible> {
        Ok(self.files.file(number))
    }

    fn file_at(&self, path: &FilePath) -> Result<Option<TrackedFile>, Infallible> {
        Ok(self.files.file_at(path))
    }

    fn parked_at(&self, path: &FilePath, branch: &str) -> Result<Option<TrackedFile>, Infallible> {
        Ok(self.files.parked_at(path, branch))
    }

    fn parked(&self, path: &FilePath, limit: usize) -> Result<Vec<TrackedFile>, Infallible> {
        Ok(self.files.parked(path, limit))
    }

    fn next_file(&self) -> Result<u64, Infallible> {
        Ok(self.files.next_file())
    }

    fn pending_files(&self, of: &PendingOf, limit: usize) -> Result<Vec<FileNumber>, Infallible> {
        Ok(self.files.pending_files(of, limit))
    }

    fn hunks_starting(&self, beginning: &str, limit: usize) -> Result<Vec<(String, FileNumber)>, Infallible> {
        Ok(self.files.hunks_starting(beginning, limit))
    }

    fn approvals(&self, hunk: &str) -> Result<Vec<Approval>, Infallible> {
        Ok(self.files.approvals(hunk))
    }

    fn claims(&self, path: &FilePath) -> Result<Vec<Claim>, Infallible> {
        Ok(self.files.claims(path))
    }

    fn decision(&self, id: DecisionId) -> Result<Option<Decision>, Infallible> {
        Ok(self.files.decision(id))
    }

    fn decision_in(&self, file: FileNumber, step: DecisionNo) -> Result<Option<Decision>, Infallible> {
        Ok(self.files.decision_in(file, step))
    }

    fn approved_by(&self, decision: DecisionId) -> Result<Vec<Approval>, Infallible> {
        Ok(self.files.approved_by(decision))
    }

    fn next_decision(&self) -> Result<DecisionId, Infallible> {
        Ok(self.files.next_decision())
    }

    fn newest_decisions(&self, limit: usize) -> Result<Vec<Decision>, Infallible> {
        Ok(self.files.newest_decisions(limit))
    }

    fn decisions_until(&self, until: Wall, limit: usize) -> Result<Vec<Decision>, Infallible> {
        Ok(self.files.decisions_until(until, limit))
    }

    fn done_files(&self, limit: usize) -> Result<Vec<FileNumber>, Infallible> {
        Ok(self.files.done(limit))
    }

    /// Contents are not kept here.
    fn unneeded(&self, _: &[TrackedFile]) -> Result<Vec<(ContentHash, u64)>, Infallible> {
        Ok(Vec::new())
    }

    fn session(&self) -> Result<Option<Session>, Infallible> {
        Ok(self.governed.open())
    }

    fn session_of(&self, id: SessionId) -> Result<Option<Session>, Infallible> {
        Ok(self.governed.sessions.get(&id).cloned())
    }

    fn closing(&self, session: SessionId) -> Result<Option<Closing>, Infallible> {
        Ok(self.governed.closings.get(&session).cloned())
    }

    fn open_closings(&self, limit: usize) -> Result<Vec<Closing>, Infallible> {
        Ok(self.governed.closings.values().filter(|closing| closing.is_open()).take(limit).cloned().collect())
    }

    fn prompt(&self) -> Result<Option<Prompt>, Infallible> {
        Ok(self.governed.prompts.values().rev().find(|prompt| prompt.state.is_under_way()).cloned())
    }

    fn prompt_of(&self, id: PromptId) -> Result<Option<Prompt>, Infallible> {
        Ok(self.governed.prompts.get(&id).cloned())
    }

    fn next_prompt(&self) -> Result<PromptId, Infallible> {
        Ok(PromptId(self.governed.prompts.keys().next_back().map_or(1, |id| id.0 + 1)))
    }

    fn next_session(&self) -> Result<SessionId, Infallible> {
        Ok(self.governed.next_session())
    }

    fn last_session_number(&self) -> Result<u32, Infallible> {
        let ended = self.governed.sessions.values().filter(|session| session.state == SessionState::Ended);
        Ok(ended.map(|session| session.number).max().unwrap_or(0))
    }

    fn session_policy(&self) -> Result<SessionPolicy, Infallible> {
        Ok(self.governed.policy.clone())
    }

    fn governance(&self) -> Result<Arc<Governance>, Infallible> {
        Ok(self.governed.governance.clone())
    }

    fn open_task_titled(&self, title: &str) -> Result<Option<TaskId>, Infallible> {
        let open = self.tasks.values().find(|task| task.title == title && !task.status.is_ended());
        Ok(open.map(|task| task.id))
    }

    fn waiting_hunks(&self, task: TaskId) -> Result<u32, Infallible> {
        Ok(self.files.waiting_hunks(task))
    }

    fn touched_by(&self, task: TaskId, limit: usize) -> Result<Vec<(FilePath, Touch)>, Infallible> {
        Ok(self.governed.touched_by(task, limit))
    }

    fn flag(&self, id: FlagId) -> Result<Option<Flag>, Infallible> {
        Ok(self.governed.flags.get(&id).cloned())
    }

    fn next_flag(&self) -> Result<u64, Infallible> {
        Ok(self.governed.next_flag())
    }

    fn flags_at(&self, session: SessionId, path: &FilePath) -> Result<Vec<Flag>, Infallible> {
        Ok(self.governed.flags_at(session, path))
    }

    /// Nothing here makes commits.
    fn is_committed(&self, _: FileNumber) -> Result<bool, Infallible> {
        Ok(false)
    }

    fn flags_open_at(&self, path: &FilePath) -> Result<Vec<Flag>, Infallible> {
        let open = self.governed.flags.values().filter(|flag| flag.path == *path && flag.answer.is_none());
        Ok(open.cloned().collect())
    }

    fn flags_passed_at(&self, path: &FilePath) -> Result<Vec<Flag>, Infallible> {
        let passed = self.governed.flags.values().filter(|flag| flag.path == *path && flag.passed_by.is_some());
        Ok(passed.cloned().collect())
    }

    fn flags_waiting(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, Infallible> {
        Ok(self.governed.flags_waiting(session, limit))
    }

    fn flags_left(&self, but: Option<SessionId>, limit: usize) -> Result<Vec<Flag>, Infallible> {
        let open = self.governed.flags.values().filter(|flag| flag.answer.is_none() && Some(flag.session) != but);
        let waits = |flag: &&Flag| self.files.file_at(&flag.path).is_some_and(|file| !file.weave.hunks().is_empty());
        Ok(open.filter(waits).take(limit).cloned().collect())
    }

    fn flags_of(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, Infallible> {
        Ok(self.governed.flags.values().filter(|flag| flag.session == session).take(limit).cloned().collect())
    }

    fn refused_in(&self, session: &Session, limit: usize) -> Result<Vec<String>, Infallible> {
        let (since, until) = (session.started, session.ended.unwrap_or(Wall(i64::MAX)));
        let refused = self.links.iter().map(|link| &link.record).filter(|record| record.kind == "refused");
        let meant = refused.filter(|record| record.time >= since && record.time <= until);
        // The message is the last of the data, in which keys are in order.
        let message = |data: &str| Some(data.split_once(r#""message":""#)?.1.strip_suffix("\"}")?.to_owned());
        Ok(meant.filter_map(|record| message(&record.data)).take(limit).collect())
    }

    fn acknowledged_since(&self, since: Wall, limit: usize) -> Result<Vec<Acknowledged>, Infallible> {
        Ok(self.governed.acknowledged.iter().filter(|seen| seen.time >= since).take(limit).cloned().collect())
    }

    fn decided_since(&self, since: Wall, limit: usize) -> Result<Vec<Question>, Infallible> {
        let is_decided = |question: &&Question| {
            question.kind != QuestionKind::Permission
                && question
                    .answer
                    .as_ref()
                    .is_some_and(|answer| answer.at >= since && matches!(answer.by, AnsweredBy::Person { .. }))
        };
        Ok(self.talk.questions.values().filter(is_decided).take(limit).cloned().collect())
    }

    fn acknowledged(&self, hunk: &str) -> Result<Vec<Acknowledged>, Infallible> {
        Ok(self.governed.acknowledged.iter().filter(|seen| seen.hunk == hunk).cloned().collect())
    }

    fn allowed(&self) -> Result<Vec<Allowed>, Infallible> {
        Ok(self.governed.allowed.clone())
    }

    fn next_allowed(&self) -> Result<u64, Infallible> {
        Ok(self.governed.allowed.iter().map(|allowed| allowed.number).max().unwrap_or(0) + 1)
    }

    fn review_policy(&self) -> Result<ReviewPolicy, Infallible> {
        Ok(self.files.policy())
    }
}
