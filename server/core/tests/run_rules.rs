//! The rules of runs, one requirement at a time, as scripts: what is seen of a run and what people do, a step a line; after
//! `->` stands how the run and its task stand then, and what is ordered of the agent in that step.

use augment_core::actor::Actor;
use augment_core::completion::{AgentName, Choice, DecisionPoint, NextStep, Report, Status};
use augment_core::file::FilePath;
use augment_core::id::RunId;
use augment_core::queue::{Claim, TaskDraft};
use augment_core::run::{
    Adapter, AnswerOption, Asks, DOCUMENT_LIMIT, DoneBy, End, HandOffStart, HandOffState, HandOffWord, HookMoment,
    HookSeen, Kept, Leave, Note, Resources, RunEvent, Sign, Start, Stopped, Telling, Wish, Word,
};
use augment_core::simulation::Memory;
use augment_core::time::{Boot, Now, Steady, Wall};
use augment_core::turn::{Answer, Command, Effect, Input, Processes, decide};
use augment_core::view::View as _;

struct Desk {
    memory: Memory,
    now: Now,
    run: Option<RunId>,
    tokens: u8,
}

fn person() -> Actor {
    Actor::Person { name: "ada".into() }
}

fn report(status: Status, decisions: &[&str], next: &[&str]) -> Report {
    let point = |question: &&str| DecisionPoint {
        question: (*question).to_owned(),
        options: vec![Choice { value: "yes".into(), text: "Yes".into() }],
        recommendation: None,
    };
    Report {
        status,
        agent: None,
        timestamp: None,
        summary: "Said so.".into(),
        metrics: Vec::new(),
        next_steps: next
            .iter()
            .map(|name| NextStep { agent: AgentName::new(name).expect("a name"), reason: None })
            .collect(),
        decisions: decisions.iter().map(point).collect(),
    }
}

fn wish(key: &str, leave: Leave, paths: &[&str]) -> Wish {
    let option = |value: &str| AnswerOption { value: value.into(), text: value.into() };
    Wish {
        key: key.into(),
        title: format!("write {key}"),
        detail: String::new(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        outside: paths.is_empty(),
        options: vec![option("yes"), option("no")],
        allow: Some("yes".into()),
        refuse: Some("no".into()),
        leave,
    }
}

impl Desk {
    fn new() -> Self {
        let now = Now { wall: Wall(1_000), steady: Steady(1_000), boot: Boot("b".into()) };
        let mut desk = Self { memory: Memory::new(), now, run: None, tokens: 0 };
        for title in ["One", "Two"] {
            let draft = TaskDraft { title: title.into(), max_attempts: 3, ..TaskDraft::default() };
            desk.ask(person(), Command::AddTask(draft));
        }
        desk
    }

    fn turn(&mut self, input: &Input) -> String {
        let turn = decide(&self.memory, input, &self.now).unwrap_or_else(|never| match never {});
        self.memory.apply(&turn, &self.now);
        let mut told = Vec::new();
        match &turn.verdict {
            Err(refusal) => told.push(format!("refused {}", refusal.code())),
            Ok(Answer::Taken { run, .. }) => self.run = Some(*run),
            Ok(_) => {}
        }
        for effect in &turn.effects {
            if let Effect::EndProcess(_) = effect {
                told.push("END".to_owned());
            }
            if let Effect::TellAgent { word, .. } = effect {
                told.push(match word {
                    Word::Permission { key, choice } => {
                        format!("TELL {key} {}", choice.as_deref().unwrap_or("nothing"))
                    }
                    Word::Say { .. } => "SAY".to_owned(),
                });
            }
        }
        told.join(", ")
    }

    fn ask(&mut self, actor: Actor, command: Command) -> String {
        self.turn(&Input::Asked { actor, command })
    }

    fn own(&self) -> RunId {
        self.run.expect("a run was started")
    }

    fn see(&mut self, event: RunEvent) -> String {
        self.turn(&Input::RunFollowed { run: self.own(), event })
    }

    fn start(&mut self, task: &str, agent: &str, adapter: Adapter, done_by: DoneBy) -> String {
        self.tokens += 1;
        let start = Start {
            task: Some(task.to_owned()),
            agent: agent.into(),
            capabilities: std::collections::BTreeSet::default(),
            how: Kept { adapter, done_by, interval_ms: 5_000 },
            lease_ms: 60_000,
            token_hash: [self.tokens; 32],
            parallel: 1,
            parallel_in_all: 2,
        };
        self.ask(person(), Command::StartAgent(start))
    }

    fn pass(&mut self, seconds: i64, processes: Processes) -> String {
        self.now.steady = self.now.steady.plus_ms(seconds * 1_000);
        self.now.wall = Wall(self.now.wall.0 + seconds * 1_000);
        self.turn(&Input::TimePassed(processes))
    }

    fn step(&mut self, words: &[&str]) -> String {
        let run = || Actor::Run { run: self.own() };
        match *words {
            ["start", task, agent] => self.start(task, agent, Adapter::Acp, DoneBy::Report),
            ["start", task, agent, "exit"] => self.start(task, agent, Adapter::Command, DoneBy::Exit),
            ["attach", task, agent] => {
                self.tokens += 1;
                let claim = Claim {
                    agent: agent.into(),
                    capabilities: std::collections::BTreeSet::default(),
                    lease_ms: 60_000,
                    token_hash: [self.tokens; 32],
                };
                self.ask(person(), Command::ClaimTask { task: task.into(), claim })
            }
            ["began"] => self.see(RunEvent::Began { agent: None }),
            ["heard"] => self.see(RunEvent::Heard(Sign::Message)),
            ["adopted"] => self.see(RunEvent::Noted { note: Note::Adopted, message: "It goes on.".into() }),
            ["turn"] => self.see(RunEvent::TurnBegan),
            ["worked"] => self.see(RunEvent::Worked),
            ["failed"] => self.see(RunEvent::Failed { message: "no".into(), telling: Telling::Recorded }),
            ["ended", "done"] => self.see(RunEvent::TurnEnded(Stopped::Done)),
            ["ended", "cancelled"] => self.see(RunEvent::TurnEnded(Stopped::Cancelled)),
            ["reports", "completed"] => self.see(RunEvent::Reported(Box::new(report(Status::Completed, &[], &[])))),
            ["reports", "completed", "next", agent] => {
                self.see(RunEvent::Reported(Box::new(report(Status::Completed, &[], &[agent]))))
            }
            ["reports", "partial", "asking", question] => {
                self.see(RunEvent::Reported(Box::new(report(Status::Partial, &[question], &[]))))
            }
            ["wants", key] => self.see(RunEvent::Wishes(Box::new(wish(key, Leave::Ask, &["a.txt"])))),
            ["wants", key, "allowed"] => self.see(RunEvent::Wishes(Box::new(wish(key, Leave::Give, &["a.txt"])))),
            ["wants", key, "allowed", "of", path] => {
                self.see(RunEvent::Wishes(Box::new(wish(key, Leave::Give, &[path]))))
            }
            ["wants", key, "outside"] => self.see(RunEvent::Wishes(Box::new(wish(key, Leave::Give, &[])))),
            ["wants", key, "refused"] => self.see(RunEvent::Wishes(Box::new(wish(key, Leave::Refuse, &["a.txt"])))),
            ["withdraws", key] => self.see(RunEvent::Withdrew { key: key.into() }),
            ["asks", question] => {
                let asks = Asks {
                    question: question.into(),
                    detail: String::new(),
                    options: Vec::new(),
                    recommendation: None,
                };
                let actor = run();
                self.ask(actor, Command::AskPerson(asks))
            }
            ["answer", question, value] => {
                let (choice, text) =
                    if value == "text" { (None, Some("words".into())) } else { (Some(value.into()), None) };
                self.ask(person(), Command::AnswerQuestion { question: question.into(), choice, text })
            }
            ["agent", "answers", question] => {
                let (question, choice) = (question.into(), Some("yes".into()));
                let actor = run();
                self.ask(actor, Command::AnswerQuestion { question, choice, text: None })
            }
            ["completes"] => {
                let report = Box::new(report(Status::Completed, &[], &[]));
                let actor = run();
                self.ask(actor, Command::ReportRun { task: None, report })
            }
            ["completes", task] => {
                let report = Box::new(report(Status::Completed, &[], &[]));
                let actor = run();
                self.ask(actor, Command::ReportRun { task: Some(task.into()), report })
            }
            ["exited"] => self.see(RunEvent::Exited),
            ["gone", "code", code] => {
                let end = End::Code(code.parse().expect("a code"));
                self.see(RunEvent::Gone { end, killed: 0, resources: None })
            }
            ["gone", "code", code, "used", cpu_ms, peak] => {
                let end = End::Code(code.parse().expect("a code"));
                let resources = Some(Resources {
                    cpu_ms: cpu_ms.parse().expect("milliseconds"),
                    peak_memory_bytes: peak.parse().expect("bytes"),
                });
                self.see(RunEvent::Gone { end, killed: 0, resources })
            }
            ["gone", "signal", signal] => {
                let end = End::Signal(signal.parse().expect("a signal"));
                self.see(RunEvent::Gone { end, killed: 1, resources: None })
            }
            ["gone"] => self.see(RunEvent::Gone { end: End::Unseen, killed: 0, resources: None }),
            ["stop"] => {
                let run = self.own();
                self.ask(person(), Command::StopRun(run))
            }
            ["cancel", task] => {
                let command = Command::CancelTask { task: task.into(), reason: None, shown_at: None };
                self.ask(person(), command)
            }
            ["wait", seconds] => self.pass(seconds.parse().expect("seconds"), Processes::Seen),
            ["wait", seconds, "unseen"] => self.pass(seconds.parse().expect("seconds"), Processes::Unseen),
            ["hook", agent] => {
                let hook = HookSeen {
                    agent: agent.into(),
                    moment: HookMoment::BeforeTool,
                    writes: vec!["a.txt".into()],
                    only_reads: false,
                    failure: None,
                    leave: Leave::Ask,
                };
                self.ask(person(), Command::HookSeen(hook))
            }
            _ => panic!("{words:?} is no step"),
        }
    }

    /// How the run and its task stand.
    fn stands(&self) -> String {
        let Some(id) = self.run else { return "nobody".to_owned() };
        let run = self.memory.run(id).expect("memory answers").expect("the run is kept");
        let task = self.memory.task(id.task).expect("memory answers").expect("the task is kept");
        let over = if run.ended.is_some() { " over" } else { "" };
        let used = run.resources.map_or(String::new(), |Resources { cpu_ms, peak_memory_bytes }| {
            format!(" used {cpu_ms} ms {peak_memory_bytes} B")
        });
        format!("{}{over} {}{used}", run.standing.state, task.status)
    }
}

fn check(script: &str) {
    let mut desk = Desk::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (order, expected) =
            line.split_once("->").map_or((line, None), |(order, after)| (order, Some(after.trim())));
        let orders = desk.step(&order.split_whitespace().collect::<Vec<_>>());
        let Some(expected) = expected else { continue };
        let stands = desk.stands();
        let came = if orders.is_empty() { stands } else { format!("{stands}; {orders}") };
        assert_eq!(came, expected, "after {line:?} in\n{script}");
    }
}

#[test]
fn a1_a_turn_that_ends_lets_the_agent_go_and_counts_once_it_is_gone() {
    check(
        "start a1 goose -> starting in-progress
         began          -> running in-progress
         turn
         worked
         ended done     -> running in-progress; END
         gone code 0    -> completed over completed",
    );
}

#[test]
fn a1_an_exit_without_a_word_is_no_completion_nor_is_a_failure_one() {
    check(
        "start a1 goose
         began
         gone code 0 -> disconnected over pending",
    );
    check(
        "start a1 goose
         began
         turn
         worked
         failed
         ended done  -> running in-progress; END
         gone code 0 -> failed over failed",
    );
    check(
        "start a1 script exit
         began
         gone code 0 -> completed over completed",
    );
}

#[test]
fn m1_what_a_run_used_is_known_once_it_is_gone_and_only_if_somebody_saw_it() {
    check(
        "start a1 script exit
         began                     -> running in-progress
         exited                    -> running in-progress
         gone code 0 used 1500 4096 -> completed over completed used 1500 ms 4096 B
         gone                      -> completed over completed used 1500 ms 4096 B",
    );
    check(
        "start a1 script exit
         began
         gone code 0 used 0 0 -> completed over completed used 0 ms 0 B",
    );
    check(
        "start a1 script exit
         began
         gone code 0 -> completed over completed",
    );
    check(
        "start a1 script exit
         began
         gone                     -> disconnected over pending
         gone code 0 used 30 4096 -> disconnected over pending used 30 ms 4096 B",
    );
}

#[test]
fn a2_silence_for_two_intervals_is_a_disconnection_and_a_word_reconnects() {
    check(
        "start a1 goose
         began
         wait 9  -> running in-progress
         wait 2  -> disconnected in-progress
         heard   -> running in-progress
         wait 11 -> disconnected in-progress
         gone    -> disconnected over pending",
    );
}

#[test]
fn a2_a_lease_that_runs_out_ends_the_process_before_anybody_else_gets_the_task() {
    check(
        "start a1 goose
         began
         wait 11      -> disconnected in-progress
         wait 50      -> disconnected in-progress; END
         heard        -> disconnected in-progress
         gone signal 9 -> disconnected over pending",
    );
}

#[test]
fn a2_nobody_judges_a_process_that_nobody_sees() {
    check(
        "start a1 goose
         began
         wait 500 unseen -> running in-progress
         heard           -> running in-progress",
    );
}

#[test]
fn a4_what_a_later_host_takes_over_runs_also_where_nobody_could_say_that_it_began() {
    check(
        "start a1 goose
         heard   -> starting in-progress
         adopted -> running in-progress
         began   -> running in-progress",
    );
}

#[test]
fn a4_a_stop_ends_it_withdraws_what_it_asked_and_puts_the_task_aside() {
    check(
        "start a1 goose
         began
         turn
         wants w1       -> waiting in-progress
         stop           -> running in-progress; END
         answer q1 yes  -> running in-progress; refused not-needed
         wants w2       -> running in-progress; TELL w2 no
         gone signal 15 -> cancelled over blocked
         stop           -> cancelled over blocked; refused run-ended",
    );
}

#[test]
fn a4_a_cancelled_task_ends_its_run_and_an_unasked_cancel_uses_an_attempt() {
    check(
        "start a1 goose
         began
         cancel a1     -> running cancelled; END
         gone signal 9 -> cancelled over cancelled",
    );
    check(
        "start a1 goose
         began
         turn
         ended cancelled -> running in-progress; END
         gone code 0     -> cancelled over pending",
    );
}

#[test]
fn c3_leave_is_given_by_a_person_or_by_policy_and_never_by_the_agent() {
    check(
        "start a1 goose
         began
         turn
         wants w1                        -> waiting in-progress
         agent answers q1                -> waiting in-progress; refused role-may-not
         answer q1 perhaps               -> waiting in-progress; refused no-such-option
         answer q1 text                  -> waiting in-progress; refused no-answer
         answer q1 yes                   -> running in-progress; TELL w1 yes
         answer q1 yes                   -> running in-progress; refused answered-before
         wants w2 allowed                -> running in-progress; TELL w2 yes
         wants w3 refused                -> running in-progress; TELL w3 no
         wants w4 allowed of AGENTS.md   -> waiting in-progress
         withdraws w4                    -> running in-progress
         wants w5 outside                -> waiting in-progress",
    );
}

#[test]
fn c3_points_of_a_report_are_answered_and_the_agent_goes_on() {
    check(
        "start a1 goose
         began
         turn
         worked
         reports partial asking which -> waiting in-progress
         ended done                   -> waiting in-progress
         answer q1 yes                -> running in-progress; SAY
         turn
         worked
         reports completed
         ended done                   -> running in-progress; END
         gone code 0                  -> completed over completed",
    );
}

#[test]
fn c3_a_question_of_its_own_waits_for_a_text() {
    check(
        "start a1 goose
         began
         asks why       -> waiting in-progress
         answer q1 text -> running in-progress",
    );
}

#[test]
fn c1_a_report_is_kept_until_it_is_gone_and_is_for_its_own_task_only() {
    check(
        "start a1 goose
         began
         completes a2  -> running in-progress; refused not-its-task
         completes     -> running in-progress
         gone code 0   -> completed over completed
         completes     -> completed over completed; refused late-word",
    );
    check(
        "start a1 goose
         began
         completes
         gone code 3 -> failed over failed",
    );
}

#[test]
fn p1_no_more_runs_than_an_agent_and_all_may_have() {
    check(
        "start a1 goose
         start a2 goose -> starting in-progress; refused too-many-runs
         start a2 codex -> starting in-progress",
    );
}

#[test]
fn a3_a_hook_without_a_token_speaks_for_an_agent_that_somebody_else_started() {
    let path = FilePath::from_text("a.txt").expect("a path");
    let records = |desk: &Desk| desk.memory.claims(&path).expect("memory answers").len();
    let mut kept = Desk::new();
    kept.step(&["start", "a1", "claude"]);
    kept.step(&["began"]);
    kept.step(&["hook", "claude-code"]);
    assert_eq!(records(&kept), 0, "ours has a token");
    let mut attached = Desk::new();
    attached.step(&["attach", "a1", "claude"]);
    attached.step(&["hook", "claude-code"]);
    assert_eq!(records(&attached), 1);
}

#[test]
fn c4_a_run_without_a_process_proposes_with_the_report_that_ends_it() {
    let mut desk = Desk::new();
    for line in ["attach a1 goose", "reports completed next reviewer"] {
        desk.step(&line.split_whitespace().collect::<Vec<_>>());
    }
    let found = desk.memory.hand_off(augment_core::run::HandOffId(1)).expect("memory answers");
    let found = found.map(|hand_off| (hand_off.to_agent, hand_off.state));
    assert_eq!(found, Some(("reviewer".into(), HandOffState::Proposed)));
}

#[test]
fn c4_a_chain_of_hand_offs_stops_at_a_circle() {
    let mut desk = Desk::new();
    let states = |desk: &Desk, id: u64| {
        let found = desk.memory.hand_off(augment_core::run::HandOffId(id)).expect("memory answers");
        found.map(|hand_off| (hand_off.to_agent, hand_off.state))
    };
    for line in ["start a1 goose", "began", "reports completed next reviewer", "gone code 0"] {
        desk.step(&line.split_whitespace().collect::<Vec<_>>());
    }
    assert_eq!(states(&desk, 1), Some(("reviewer".into(), HandOffState::Proposed)));
    let accept =
        Command::DecideHandOff { hand_off: "h1".into(), word: HandOffWord::Accept { document: None, start: None } };
    assert_eq!(desk.ask(person(), accept.clone()), "");
    assert_eq!(desk.ask(person(), accept), "refused hand-off-decided");
    for line in ["start a3 reviewer", "began", "reports completed next goose", "gone code 0"] {
        desk.step(&line.split_whitespace().collect::<Vec<_>>());
    }
    assert_eq!(states(&desk, 2), Some(("goose".into(), HandOffState::Stopped)));
}

#[test]
fn c4_a_chain_of_hand_offs_stops_at_its_depth() {
    let mut desk = Desk::new();
    for (number, task) in [(1, "a1"), (2, "a3"), (3, "a4"), (4, "a5")] {
        let next = format!("reports completed next agent{number}");
        for line in [&format!("start {task} agent{}", number - 1), "began", &next, "gone code 0"] {
            desk.step(&line.split_whitespace().collect::<Vec<_>>());
        }
        let hand_off =
            desk.memory.hand_off(augment_core::run::HandOffId(number)).expect("memory answers").expect("is proposed");
        let expected = if number <= 3 { HandOffState::Proposed } else { HandOffState::Stopped };
        assert_eq!((hand_off.state, hand_off.from.task.to_string().as_str()), (expected, task));
        let accept = HandOffWord::Accept { document: None, start: None };
        assert_eq!(desk.ask(person(), Command::DecideHandOff { hand_off: format!("h{number}"), word: accept }), "");
    }
}

#[test]
fn c4_a_hand_off_that_cannot_be_started_stays_as_it_is() {
    let mut desk = Desk::new();
    for line in ["start a1 goose", "began", "reports completed next reviewer", "gone code 0"] {
        desk.step(&line.split_whitespace().collect::<Vec<_>>());
    }
    let start = |parallel: u32| Command::DecideHandOff {
        hand_off: "h1".into(),
        word: HandOffWord::Accept {
            document: None,
            start: Some(HandOffStart { parallel, parallel_in_all: 4, into_scope: false }),
        },
    };
    let stands = |desk: &Desk| {
        let found = desk.memory.hand_off(augment_core::run::HandOffId(1)).expect("memory answers");
        found.map(|hand_off| (hand_off.state, hand_off.task.map(|task| task.to_string())))
    };
    assert_eq!(desk.ask(person(), start(0)), "refused too-many-runs");
    assert_eq!(stands(&desk), Some((HandOffState::Proposed, None)));
    // Until somebody has begun with its task it can be started again, and no second task is made.
    for _ in 0..2 {
        assert_eq!(desk.ask(person(), start(1)), "");
        assert_eq!(stands(&desk), Some((HandOffState::Accepted, Some("a3".into()))));
    }
    desk.step(&["start", "a3", "reviewer"]);
    assert_eq!(desk.ask(person(), start(2)), "refused hand-off-decided");
}

#[test]
fn c4_what_a_person_gives_the_next_agent_is_kept_and_known_by_its_hash() {
    let mut desk = Desk::new();
    for line in ["start a1 goose", "began", "reports completed next reviewer", "gone code 0"] {
        desk.step(&line.split_whitespace().collect::<Vec<_>>());
    }
    let give = |text: &str| Command::DecideHandOff {
        hand_off: "h1".into(),
        word: HandOffWord::Accept { document: Some(text.into()), start: None },
    };
    assert_eq!(desk.ask(person(), give(" \n")), "refused empty-text");
    assert_eq!(desk.ask(person(), give("a\u{1b}[1m")), "refused control-character");
    assert_eq!(desk.ask(person(), give(&"x".repeat(DOCUMENT_LIMIT + 1))), "refused text-too-long");
    assert_eq!(desk.ask(person(), give("Go on\n\twith it.\n")), "");
    assert_eq!(desk.ask(person(), give("Again")), "refused hand-off-decided");
}
