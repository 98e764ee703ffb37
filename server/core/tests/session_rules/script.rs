//! The language of the scripts about sessions, obeyed by the rules, a store in memory and a disk in memory. After `->` stands
//! how the session stands then, and behind it what was told, ordered or answered in that step; a refusal stands alone. After
//! every turn it is checked that the session moved only along the edges that there are, and that the ledger says so.
//!
//! ```text
//! task One [for GOAL] [in src/**]      a task of the queue: a1, a2, … as they come
//! start [model]     confirm     confirm One; a2 [in src/** docs/**]     continue     end [title]     decides WHAT (and ends)
//! of s1 confirm     of 003 end     of s1 continue 2     the same about a session that is named, and its second checkpoint
//! adjust add One; remove a2; log Three; path src/**; only docs/**
//! adjust add One; seen none     adjust add One; seen 2     adjust only docs/**; shown src/**     what was before the person
//! claim a1     next     agent a1     agent next          an attached run takes a task; an agent of ours is started on it
//! finish a1 partial     cancel a1     retry a1     stop a1     gone a1     remove a1
//! a1 writes f: one / two     ada saves f: one     f: one     f vcs: one     a word and a change; a change alone; git's
//! base f: one                          what is there when nobody has touched it yet
//! unseen f: one                        what is there since, which nobody has looked at yet
//! a1 wishes f [freely]     hook goose f     hook goose shell     hook goose reads     a1 needs f because WHY     a1 discovers Title
//! answer q1 yes     flag f1 extend [src/**]     flag f1 log     flag f1 allow-once
//! shown f1     flag f1 log as shown     flag f1 log yes     what the person saw of it; the yes to what logging it then came to
//! ada approves all     bo rejects f     acknowledge hunk 1 because WHY     allow RULE PATH until DAY because WHY
//! disallow 1     undo [d1]     redo [d1]     assign f [to a1]     commit f     wait 30m     left     written     taken up     set session.protocol off
//! policy approve docs/**     governed     ungoverned     rolls back     checkpoint after 2     silence 60m     today DAY
//! session     tasks     flags     to answer     pending     read f     told     records
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use augment_core::actor::Actor;
use augment_core::attribution::{FromVcs, SavedHow};
use augment_core::document::{Changelog, Plan};
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::glob::Glob;
use augment_core::id::RunId;
use augment_core::ledger::{Head, check_next};
use augment_core::queue::{Claim, Ending, Finish, TaskDraft};
use augment_core::review::policy::ReviewPolicy;
use augment_core::review::{
    AllowDraft, Assignee, Cause, Decide, FileClaim, SeenFile, Selection, TakeBack, VcsMoved, WrittenFile,
    confirm_token, select,
};
use augment_core::run::{
    Adapter, AnswerOption, DoneBy, End, HookMoment, HookSeen, HookVerdict, Kept, Leave, RunEvent, Start, Wish, Word,
};
use augment_core::session::{
    AnswerFlag, DocumentsWritten, FlagAnswer, Governance, Scope, ScopeRequest, Session, SessionId, Told,
    all_flags_to_answer, flags_to_answer, taking_out,
};
use augment_core::settings::SettingChange;
use augment_core::simulation::{Backend, Disk, Memory};
use augment_core::time::{Boot, Now, Steady, Wall, parse_duration_ms};
use augment_core::turn::{Answer, Command, Decided, Effect, Input, Processes, Turn, decide};
use augment_core::weave::{Hunk, Standing};

use crate::words::{adjusted, author, bytes, confirm, draft, item, lines, path, review_policy, state, task_id};

pub(crate) const PLAN: &str = "\
current_phase: Phase 1 — Foundation
sprint_goal: \"Sign people in\"

## Phase Overview

| Phase | Name | Status | Goal |
| --- | --- | --- | --- |
| 1 | Foundation | 🔵 In Progress | People can sign in |
| 2 | Growth | ⬜ Planned | More people come |

## Phase 1: Foundation

| Task | Area | Estimated | Depends On | Status | Notes |
| --- | --- | --- | --- | --- | --- |
| Draw the form | ui | 1h | — | ✅ Complete | |
| Check passwords | auth | 2h | — | ⬜ Planned | |
| Keep sessions | auth | 3h | — | ⬜ Planned | |
| Write the guide | docs | 1h | — | ⬜ Planned | |

## Phase 2: Growth

| Task | Area | Estimated | Depends On | Status | Notes |
| --- | --- | --- | --- | --- | --- |
| Invite friends | ui | 4h | — | ⬜ Planned | |
";

const CHANGELOG: &str = "\
# Changelog

## 2026-02-27 — Session 009: The form

**Completed:**
- Draw the form

**Not completed:**
- Check passwords
";

/// Which changes of state there are, and what the ledger calls them. A state may also stay as it is.
pub(crate) const EDGES: &[(&str, &str, &str)] = &[
    ("none", "planned", "session.started"),
    ("none", "working", "session.started"),
    ("none", "checkpoint", "session.checkpoint"),
    ("planned", "confirmed", "session.confirmed"),
    ("confirmed", "working", "session.working"),
    ("confirmed", "checkpoint", "session.checkpoint"),
    ("working", "checkpoint", "session.checkpoint"),
    ("checkpoint", "working", "session.continued"),
    ("checkpoint", "working", "session.adjusted"),
    ("confirmed", "ending", "session.ending"),
    ("working", "ending", "session.ending"),
    ("checkpoint", "ending", "session.ending"),
    ("planned", "ending", "session.ending"),
    ("planned", "abandoned", "session.abandoned"),
    ("confirmed", "abandoned", "session.abandoned"),
    ("ending", "ended", "session.ended"),
];

/// A project under a session: its documents, its queue, its files and a clock.
pub(crate) struct Desk {
    pub(crate) memory: Memory,
    pub(crate) now: Now,
    disk: Disk,
    bases: BTreeMap<FilePath, FileState>,
    tokens: u8,
    last: Vec<Effect>,
    shown: Shown,
}

/// What a person was shown of a flag.
#[derive(Default)]
struct Shown {
    hunks: Vec<String>,
    /// The yes to what taking that out came to.
    yes: String,
}

impl Desk {
    /// A project with a plan and a changelog, and a policy that governs its work.
    pub(crate) fn planned() -> Self {
        let mut desk = Self::bare();
        let governed = desk.memory.governed_mut();
        governed.governance = Arc::new(Governance {
            plan_path: "PROJECT_PLAN.md".to_owned(),
            project: "demo".to_owned(),
            read: vec!["PROJECT_PLAN.md".to_owned(), "CHANGELOG.md".to_owned()],
            missing: vec!["ARCHITECTURE.md".to_owned()],
            problems: Vec::new(),
            plan: Some(Plan::read(PLAN.as_bytes()).expect("a plan")),
            changelog: Some(Changelog::read(CHANGELOG.as_bytes()).expect("a changelog")),
            today: "2026-02-28".to_owned(),
        });
        desk
    }

    /// The same without documents.
    pub(crate) fn bare() -> Self {
        let wall = 1_760_000_000_000;
        let mut memory = Memory::new();
        memory.governed_mut().policy.is_on = true;
        memory.set_policy(review_policy());
        Self {
            memory,
            now: Now { wall: Wall(wall), steady: Steady(wall), boot: Boot("boot".to_owned()) },
            disk: Disk::default(),
            bases: BTreeMap::new(),
            tokens: 0,
            last: Vec::new(),
            shown: Shown::default(),
        }
    }

    pub(crate) fn play(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (order, expected) =
                line.split_once("->").map_or((line, None), |(order, after)| (order, Some(after.trim())));
            let came = self.obey(order.trim());
            match expected {
                Some(expected) => assert_eq!(came, expected, "after {line:?} in\n{script}"),
                None => assert!(!came.starts_with("refused"), "{line}: {came} in\n{script}"),
            }
            self.check_chain();
        }
    }

    pub(crate) fn obey(&mut self, line: &str) -> String {
        let (order, text) = line.split_once(": ").map_or((line, None), |(order, text)| (order, Some(text.trim())));
        let words: Vec<&str> = order.split_whitespace().collect();
        if let Some(shown) = self.query(&words) {
            return shown;
        }
        if let Some(done) = self.set(&words, text) {
            return done;
        }
        match (&words[..], text) {
            ([run, "writes", name], Some(text)) => {
                let hash = Some(ContentHash::of(&bytes(text)).to_string());
                let claim = FileClaim { path: (*name).to_owned(), hash, task: None };
                self.ask(self.run(run), Command::ClaimFile(claim));
                self.see(name, text, FromVcs::No)
            }
            ([who, "saves", name], Some(text)) => {
                let (path, how) = ((*name).to_owned(), Some(SavedHow::ByHand));
                let saved = String::from_utf8(bytes(text)).expect("scripts are text");
                self.ask(
                    Actor::Person { name: (*who).to_owned() },
                    Command::EditorSaved { path, text: saved, how, ago_ms: 0 },
                );
                self.see(name, text, FromVcs::No)
            }
            ([name, "vcs"], Some(text)) => self.see(name, text, FromVcs::Yes),
            ([name], Some(text)) => self.see(name, text, FromVcs::No),
            (_, Some(_)) => panic!("{line:?} is no step"),
            (_, None) => self.order(order, &words),
        }
    }

    fn order(&mut self, order: &str, words: &[&str]) -> String {
        let (order, because) =
            order.split_once(" because ").map_or((order, ""), |(order, because)| (order, because.trim()));
        match words {
            ["start", model @ ..] => {
                let model = model.first().map(|model| (*model).to_owned());
                self.person(Command::StartSession { model })
            }
            ["of", meant, _, ..] => self.order_of(meant, order),
            ["confirm", ..] => self.person(confirm(order, None)),
            ["adjust", ..] => self.person(Command::AdjustScope(adjusted(order))),
            ["continue", checkpoint @ ..] => {
                let checkpoint = checkpoint.first().map(|number| number.parse().expect("which checkpoint"));
                self.person(Command::ContinueSession { session: None, checkpoint })
            }
            ["end", ..] => {
                let title = Some(order["end".len()..].trim().to_owned()).filter(|title| !title.is_empty());
                self.person(Command::EndSession { session: None, title, decisions: Vec::new() })
            }
            ["task", ..] => self.person(Command::AddTask(draft(order))),
            ["claim", task] => {
                let claim = self.claim();
                self.person(Command::ClaimTask { task: (*task).to_owned(), claim })
            }
            ["next"] => {
                let claim = self.claim();
                self.person(Command::TakeNext(claim))
            }
            ["agent", task] => self.agent(task),
            ["gone", task] => {
                let run = self.run_id(task);
                self.turn(&Input::RunFollowed {
                    run,
                    event: RunEvent::Gone { end: End::Signal(15), killed: 0, resources: None },
                })
            }
            ["finish", task, how] => self.finish(task, how),
            ["cancel", task] => {
                self.person(Command::CancelTask { task: (*task).to_owned(), reason: None, shown_at: None })
            }
            ["retry", task] => self.person(Command::RetryTask { task: (*task).to_owned(), shown_at: None }),
            ["remove", task] => self.person(Command::RemoveTask { task: (*task).to_owned(), shown_at: None }),
            ["stop", task] => {
                let run = self.run_id(task);
                self.person(Command::StopRun(run))
            }
            [run, "wishes", name, how @ ..] => self.wishes(run, name, how),
            ["hook", agent, how @ ..] => {
                let (writes, only_reads) = match how {
                    ["reads"] => (Vec::new(), true),
                    ["shell"] => (Vec::new(), false),
                    names => (names.iter().map(|name| (*name).to_owned()).collect(), false),
                };
                let hook = HookSeen {
                    agent: (*agent).to_owned(),
                    moment: HookMoment::BeforeTool,
                    writes,
                    only_reads,
                    failure: None,
                    leave: Leave::Give,
                };
                self.person(Command::HookSeen(hook))
            }
            [run, "needs", name, ..] => {
                let request = ScopeRequest { paths: vec![(*name).to_owned()], why: because.to_owned() };
                self.ask(self.run(run), Command::RequestScope(request))
            }
            [run, "discovers", title @ ..] => {
                let origin = Some("discovered".to_owned());
                let draft = TaskDraft { title: title.join(" "), origin, max_attempts: 3, ..TaskDraft::default() };
                self.ask(self.run(run), Command::LogDiscovered(draft))
            }
            ["answer", question, choice] => {
                let (question, choice) = ((*question).to_owned(), Some((*choice).to_owned()));
                self.person(Command::AnswerQuestion { question, choice, text: None })
            }
            ["flag", flag, answer, how @ ..] => self.answer_flag(flag, answer, how),
            ["shown", flag] => {
                let Shown { hunks, yes } = &mut self.shown;
                let waiting = all_flags_to_answer(&self.memory, 100).unwrap_or_else(|never| match never {});
                let waiting = waiting.into_iter().find(|waiting| waiting.flag.id.to_string() == *flag);
                *hunks = waiting.iter().flat_map(|waiting| &waiting.hunks).map(ToString::to_string).collect();
                let decide = taking_out(&self.memory, flag, Some(hunks)).expect("it waits");
                let token =
                    |decide: Decide| Some(confirm_token(decide.verdict, &select(&self.memory, &decide.what).ok()?));
                *yes = decide.and_then(token).unwrap_or_default();
                String::new()
            }
            ["acknowledge", "hunk", number, ..] => {
                let hunk = self.hunk(number);
                self.person(Command::AcknowledgeFinding { hunk, rule: None, reason: because.to_owned() })
            }
            ["allow", rule, path, "until", until, ..] => self.person(Command::AllowFinding(AllowDraft {
                rule: (*rule).to_owned(),
                path: (*path).to_owned(),
                until: (*until).to_owned(),
                reason: because.to_owned(),
            })),
            ["assign", name, to @ ..] => {
                let what = Selection { file: Some((*name).to_owned()), ..Selection::default() };
                let to = match to {
                    ["to", task] => Assignee::Task((*task).to_owned()),
                    _ => Assignee::Me,
                };
                self.person(Command::AssignChanges { what, to })
            }
            ["undo", which @ ..] => self.person(Command::UndoDecision(taking_back(which))),
            ["redo", which @ ..] => self.person(Command::RedoDecision(taking_back(which))),
            ["decides", ..] => {
                let decisions = vec![order["decides".len()..].trim().to_owned()];
                self.person(Command::EndSession { session: None, title: None, decisions })
            }
            ["disallow", number] => self.person(Command::DropAllowed(number.parse().expect("a number"))),
            ["set", key, value] => self.person(Command::ChangeSetting(SettingChange {
                key: (*key).to_owned(),
                value: Some((*value).to_owned()),
            })),
            _ => self.happening(words),
        }
    }

    fn answer_flag(&mut self, flag: &str, answer: &str, how: &[&str]) -> String {
        let (pattern, hunks, confirm) = match how {
            ["as", "shown"] => (None, Some(self.shown.hunks.clone()), None),
            ["yes"] => (None, Some(self.shown.hunks.clone()), Some(self.shown.yes.clone())),
            pattern => (pattern.first().map(|pattern| (*pattern).to_owned()), None, None),
        };
        let answer = FlagAnswer::from_name(answer).expect("an answer");
        let flag = flag.to_owned();
        self.person(Command::AnswerFlag(AnswerFlag { flag, answer, pattern, hunks, confirm, max_attempts: 3 }))
    }

    /// The same order about a session that is named.
    fn order_of(&mut self, meant: &str, order: &str) -> String {
        let (_, order) = order.split_once(&format!("{meant} ")).expect("what is ordered");
        let session = Some(meant.to_owned());
        let words: Vec<&str> = order.split_whitespace().collect();
        let command = match &words[..] {
            ["confirm", ..] => confirm(order, session),
            ["adjust", ..] => Command::AdjustScope(Scope { session, ..adjusted(order) }),
            ["continue", checkpoint @ ..] => {
                let checkpoint = checkpoint.first().map(|number| number.parse().expect("which checkpoint"));
                Command::ContinueSession { session, checkpoint }
            }
            ["end"] => Command::EndSession { session, title: None, decisions: Vec::new() },
            _ => panic!("{order:?} is not about a session"),
        };
        self.person(command)
    }

    fn happening(&mut self, words: &[&str]) -> String {
        match words {
            ["wait", time] => {
                let ms = parse_duration_ms(time).expect("a duration");
                self.now.wall = Wall(self.now.wall.0 + ms);
                self.now.steady = self.now.steady.plus_ms(ms);
                self.turn(&Input::TimePassed(Processes::Seen))
            }
            ["announced", "as", number] => {
                let session = self.newest().map_or(SessionId(1), |session| session.id);
                let (number, text) = (Some(number.parse().expect("a number")), b"an entry".to_vec());
                self.turn(&Input::DocumentAnnounced { session, number, path: path("CHANGELOG.md"), before: None, text })
            }
            ["reboot"] => {
                self.now.steady = Steady(0);
                self.now.boot = Boot(format!("{}+", self.now.boot.0));
                self.turn(&Input::TimePassed(Processes::Seen))
            }
            ["left"] => self.turn(&Input::SessionLeft { reason: "the window was closed".to_owned() }),
            ["taken", "up"] => self.turn(&Input::SessionTakenUp),
            ["written"] => {
                let session = self.newest().map_or(SessionId(1), |session| session.id);
                self.turn(&Input::DocumentsWritten(DocumentsWritten {
                    session,
                    lines: vec!["CHANGELOG.md: an entry for this session".to_owned()],
                    changed: vec!["CHANGELOG.md".to_owned()],
                    left_alone: Vec::new(),
                    changelog: Some("CHANGELOG.md".to_owned()),
                    plan: None,
                }))
            }
            ["commit", name] => {
                let vcs =
                    VcsMoved { to_commit: Some("c1".to_owned()), committed: vec![path(name)], ..VcsMoved::default() };
                self.turn(&Input::FilesSeen { files: Vec::new(), cause: Cause::Live, vcs: Some(vcs) })
            }
            [who, verdict @ ("approves" | "rejects"), what @ ..] => {
                let verdict = if *verdict == "approves" { Standing::Approved } else { Standing::Rejected };
                let what = match what {
                    ["all"] => Selection { all: true, ..Selection::default() },
                    ["all", "as", "listed"] => {
                        let hunks = self.hunks().iter().map(|(_, hunk)| hunk.id.to_string()).collect();
                        Selection { all: true, hunks, ..Selection::default() }
                    }
                    ["hunk", number] => Selection { hunks: vec![self.hunk(number)], ..Selection::default() },
                    ["task", task] => Selection { task: Some((*task).to_owned()), ..Selection::default() },
                    [name] => Selection { file: Some((*name).to_owned()), ..Selection::default() },
                    _ => panic!("{words:?} is no step"),
                };
                let actor = Actor::Person { name: (*who).to_owned() };
                self.ask(actor, Command::Decide(Decide { verdict, what, confirm: None }))
            }
            _ => panic!("{words:?} is no step"),
        }
    }

    /// What is there, and what the person's settings are.
    fn set(&mut self, words: &[&str], text: Option<&str>) -> Option<String> {
        let governed = self.memory.governed_mut();
        match (words, text) {
            (["base", name], Some(text)) => {
                let state = state(name, text);
                self.disk.put(&state);
                self.bases.insert(state.path.clone(), state);
            }
            (["unseen", name], Some(text)) => self.disk.put(&state(name, text)),
            (["governed"], None) => governed.policy.is_on = true,
            (["ungoverned"], None) => governed.policy.is_on = false,
            (["rolls", "back"], None) => governed.policy.rolls_back = true,
            (["checkpoint", "after", tasks], None) => {
                governed.policy.checkpoint_after = tasks.parse().expect("a number");
            }
            (["silence", time], None) => governed.policy.silence_ms = parse_duration_ms(time).expect("a duration"),
            (["today", day], None) => Arc::make_mut(&mut governed.governance).today = (*day).to_owned(),
            (["policy", "approve", glob], None) => {
                self.memory.set_policy(ReviewPolicy { approve: vec![Glob::new(glob)], ..review_policy() });
            }
            _ => return None,
        }
        Some(String::new())
    }

    fn query(&self, words: &[&str]) -> Option<String> {
        Some(match words {
            ["session"] => self.newest().map_or("none".to_owned(), |session| {
                let scope: Vec<String> = session.items.iter().map(item).collect();
                let paths = if session.paths.is_empty() { "anywhere".to_owned() } else { session.paths.join(" ") };
                format!("{:03} {}: {} in {paths}", session.number, session.state.name(), scope.join(", "))
            }),
            ["tasks"] => {
                let shown: Vec<String> = self
                    .memory
                    .tasks()
                    .iter()
                    .map(|task| format!("{} {} {}", task.id, task.title, task.status.name()))
                    .collect();
                shown.join(", ")
            }
            ["to", "answer"] => {
                let session = self.newest().map_or(SessionId(1), |session| session.id);
                let flags = flags_to_answer(&self.memory, session, 100).unwrap_or_else(|never| match never {});
                let shown: Vec<String> = flags.iter().map(|waiting| waiting.flag.id.to_string()).collect();
                if shown.is_empty() { "nothing".to_owned() } else { shown.join(", ") }
            }
            ["flags"] => {
                let shown = self.memory.governed().flags.values().map(|flag| {
                    let by = flag.run.map_or("unknown".to_owned(), |run| run.task.to_string());
                    let needed = if flag.why.is_some() { " needed" } else { "" };
                    let answer = flag.answer.map_or("waits", FlagAnswer::name);
                    format!("{}{needed} {} {} by {by}: {answer}", flag.id, flag.kind.name(), flag.path)
                });
                let shown: Vec<String> = shown.collect();
                if shown.is_empty() { "none".to_owned() } else { shown.join("; ") }
            }
            ["pending"] => {
                let shown: Vec<String> =
                    self.hunks().iter().map(|(path, hunk)| format!("{path} by {}", author(&hunk.author))).collect();
                if shown.is_empty() { "nothing".to_owned() } else { shown.join("; ") }
            }
            ["read", name] => lines(&self.disk.at(&path(name))),
            ["records"] => {
                let records = self.last.iter().filter_map(|effect| {
                    let Effect::Record(event) = effect else { return None };
                    Some(event.kind)
                });
                records.collect::<Vec<_>>().join(", ")
            }
            _ => return None,
        })
    }

    /// The ledger's chain holds.
    pub(crate) fn check_chain(&self) {
        let end = self.memory.links().iter().try_fold(Head::EMPTY, check_next).expect("the chain holds");
        assert_eq!(end.sequence, self.memory.records());
    }

    pub(crate) fn told(&self) -> &[Told] {
        &self.memory.governed().told
    }

    /// All that was ever kept in words: the ledger, what was told, flags and sessions.
    pub(crate) fn everything_kept(&self) -> String {
        let records = self.memory.links().iter().map(|link| format!("{:?}\n", link.record));
        let governed = self.memory.governed();
        let kept = (&governed.told, &governed.flags, &governed.sessions, &governed.acknowledged, &governed.to_write);
        format!("{}{kept:?}", records.collect::<String>())
    }

    pub(crate) fn newest(&self) -> Option<&Session> {
        self.memory.governed().sessions.values().next_back()
    }

    pub(crate) fn state(&self) -> &'static str {
        self.newest().map_or("none", |session| session.state.name())
    }

    fn person(&mut self, command: Command) -> String {
        self.ask(Actor::Person { name: "ada".to_owned() }, command)
    }

    fn ask(&mut self, actor: Actor, command: Command) -> String {
        self.turn(&Input::Asked { actor, command })
    }

    fn turn(&mut self, input: &Input) -> String {
        let turn = decide(&self.memory, input, &self.now).unwrap_or_else(|never| match never {});
        let before = self.newest().cloned();
        self.memory.apply(&turn, &self.now);
        self.last.clone_from(&turn.effects);
        self.moved_rightly(before.as_ref(), &turn);
        let mut writes = turn.effects.iter().filter_map(|effect| {
            let Effect::WriteFile(write) = effect else { return None };
            Some((**write).clone())
        });
        let write = writes.next();
        assert!(writes.next().is_none(), "scripts write one file at a time");
        let shown = self.shown(&turn);
        if let Some(write) = write {
            let outcome = self.disk.carry_out(&write);
            let files = vec![WrittenFile { file: write.file, outcome }];
            let kept = self.last.clone();
            self.turn(&Input::FilesWritten { decision: write.decision, files, after_crash: false });
            self.last = kept;
        }
        shown
    }

    fn moved_rightly(&self, before: Option<&Session>, turn: &Turn) {
        let after = self.newest();
        if turn.verdict.is_err() {
            assert_eq!(before, after, "a refusal changes no session");
            return;
        }
        let Some(after) = after else { return };
        let from = before.filter(|before| before.id == after.id).map_or("none", |before| before.state.name());
        let to = after.state.name();
        if from == to {
            return;
        }
        let told = |kind: &str| {
            turn.effects.iter().any(|effect| matches!(effect, Effect::Record(event) if event.kind == kind))
        };
        let known = EDGES.iter().any(|edge| (edge.0, edge.1) == (from, to) && told(edge.2));
        assert!(known, "from {from} to {to} without a record of it: {:?}", turn.effects);
        assert!(before.is_none_or(|before| before.id == after.id || !before.state.is_open()), "two are open");
        assert!(
            !matches!(before, Some(before) if before.id == after.id && !before.state.is_open()),
            "{from} is the end"
        );
    }

    /// How the session stands, and what came of a turn.
    fn shown(&self, turn: &Turn) -> String {
        let answer = match &turn.verdict {
            Err(refusal) => return format!("refused {}", refusal.code()),
            Ok(answer) => answer,
        };
        let mut shown = vec![self.state().to_owned()];
        match answer {
            Answer::Taken { run, .. } => shown.push(run.to_string()),
            Answer::NothingReady => shown.push("nothing ready".to_owned()),
            Answer::Decided(Decided { hunks, files, .. }) => {
                shown.push(format!("{hunks} decided"));
                let left = files.iter().filter(|file| file.outcome.is_some()).map(|file| format!("not {}", file.path));
                shown.extend(left);
            }
            Answer::Flag(answered) => {
                shown.extend(answered.took_out.as_ref().map(|it| format!("takes {} out", it.hunks)))
            }
            Answer::Hook(HookVerdict::Allow) => shown.push("let".to_owned()),
            Answer::Hook(HookVerdict::Deny { .. }) => shown.push("denied".to_owned()),
            Answer::Hook(HookVerdict::Nothing) => shown.push("its own business".to_owned()),
            Answer::Question(question) => shown.push(question.id.to_string()),
            Answer::Task(_)
            | Answer::Removed(_)
            | Answer::Moved { .. }
            | Answer::SettingChanged
            | Answer::Assigned { .. }
            | Answer::Purged { .. }
            | Answer::Run(_)
            | Answer::HandOff(_)
            | Answer::Session(_)
            | Answer::Prompt(_)
            | Answer::Noted => {}
        }
        for effect in &turn.effects {
            if let Effect::TellSession(told) = effect {
                let task = told.task.map_or(String::new(), |task| format!(" {task}"));
                shown.push(format!("{}{task}", told.level.name()));
            }
            if let Effect::TellAgent { word: Word::Permission { choice, .. }, .. } = effect {
                shown.push(format!("tells {}", choice.as_deref().unwrap_or("nothing")));
            }
            if let Effect::WriteDocuments(_) = effect {
                shown.push("writes documents".to_owned());
            }
        }
        shown.join("; ")
    }

    fn claim(&mut self) -> Claim {
        self.tokens += 1;
        Claim { agent: "goose".to_owned(), capabilities: [].into(), lease_ms: 600_000, token_hash: [self.tokens; 32] }
    }

    fn agent(&mut self, task: &str) -> String {
        self.tokens += 1;
        self.person(Command::StartAgent(Start {
            task: (task != "next").then(|| task.to_owned()),
            agent: "goose".to_owned(),
            capabilities: [].into(),
            how: Kept { adapter: Adapter::Acp, done_by: DoneBy::Report, interval_ms: 86_400_000 },
            lease_ms: 600_000,
            token_hash: [self.tokens; 32],
            parallel: 4,
            parallel_in_all: 4,
        }))
    }

    fn finish(&mut self, task: &str, how: &str) -> String {
        let ending = match how {
            "completed" => Ending::Completed,
            "partial" => Ending::Partial,
            "blocked" => Ending::Blocked,
            "failed" => Ending::Failed,
            _ => panic!("{how:?} is no ending"),
        };
        let id = task_id(task).expect("a task");
        let kept = Backend::task(&self.memory, id);
        let attempt = kept.filter(|task| task.lease.is_some()).map(|task| task.attempt);
        let finish = Finish { ending, result: None };
        self.person(Command::FinishTask { task: task.to_owned(), attempt, finish })
    }

    fn wishes(&mut self, run: &str, name: &str, how: &[&str]) -> String {
        let option = |value: &str| AnswerOption { value: value.to_owned(), text: value.to_owned() };
        let (leave, options) = match how {
            ["freely"] => (Leave::Give, vec![option("allow_once"), option("reject_once")]),
            [] => (Leave::Ask, vec![option("allow_once"), option("reject_once")]),
            of => (Leave::Ask, of.iter().map(|value| option(value)).collect()),
        };
        let wish = Wish {
            key: name.to_owned(),
            title: format!("write {name}"),
            detail: String::new(),
            paths: vec![name.to_owned()],
            outside: false,
            allow: options.first().map(|option| option.value.clone()),
            refuse: options.last().map(|option| option.value.clone()),
            options,
            leave,
        };
        let run = self.run_id(run);
        self.turn(&Input::RunFollowed { run, event: RunEvent::Wishes(Box::new(wish)) })
    }

    fn see(&mut self, name: &str, text: &str, from_vcs: FromVcs) -> String {
        let now = state(name, text);
        self.disk.put(&now);
        let absent = FileState { path: now.path.clone(), body: Body::Absent, mode: 0 };
        let before = Some(self.bases.get(&now.path).cloned().unwrap_or(absent));
        let seen = SeenFile { now, before, from_vcs, renamed_from: None, unsaved: false, discards: false };
        self.turn(&Input::FilesSeen { files: vec![seen], cause: Cause::Live, vcs: None })
    }

    /// A run moves a file.
    pub(crate) fn moves(&mut self, from: &str, to: &str) -> String {
        let before = self.disk.at(&path(from));
        let now = FileState { path: path(to), ..before.clone() };
        self.disk.put(&FileState { path: path(from), body: Body::Absent, mode: 0 });
        self.disk.put(&now);
        let seen = SeenFile {
            now,
            before: Some(before),
            from_vcs: FromVcs::No,
            renamed_from: Some(path(from)),
            unsaved: false,
            discards: false,
        };
        self.turn(&Input::FilesSeen { files: vec![seen], cause: Cause::Live, vcs: None })
    }

    /// All pending hunks by path, in each file in their order.
    fn hunks(&self) -> Vec<(FilePath, Hunk)> {
        let mut files: Vec<_> = self.memory.files().all().collect();
        files.sort_by_key(|file| file.path().clone());
        let hunks = files.iter().flat_map(|file| {
            let path = file.path().clone();
            file.weave.hunks().into_iter().map(move |hunk| (path.clone(), hunk))
        });
        hunks.collect()
    }

    fn hunk(&self, number: &str) -> String {
        let number: usize = number.parse().expect("which hunk");
        self.hunks()[number - 1].1.id.to_string()
    }

    /// The newest run of a task.
    fn run_id(&self, task: &str) -> RunId {
        let task = task_id(task).expect("a task");
        *self.memory.runs().keys().rfind(|run| run.task == task).expect("the run began")
    }

    fn run(&self, task: &str) -> Actor {
        Actor::Run { run: self.run_id(task) }
    }
}

fn taking_back(which: &[&str]) -> TakeBack {
    TakeBack { decision: which.first().map(|id| (*id).to_owned()), confirm: None }
}
