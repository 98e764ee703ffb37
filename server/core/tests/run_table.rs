//! The table of run states in ARCHITECTURE.md, walked row by row, and what must hold of every combination of facts.

use augment_core::run::{Asked, DoneBy, End, Facts, Heard, Process, Reported, RunState, Stopped, judge};

const TABLE: &str = include_str!("../../../ARCHITECTURE.md");

fn plain() -> Facts {
    Facts {
        process: Process::Alive,
        reported: None,
        stopped: None,
        asked: Asked::Nothing,
        heard: Heard::Lately,
        has_question: false,
        has_worked: false,
        has_failed: false,
        done_by: DoneBy::Report,
    }
}

fn process(word: &str) -> Process {
    match word.split(' ').collect::<Vec<_>>()[..] {
        ["elsewhere"] => Process::Elsewhere,
        ["starting"] => Process::Starting,
        ["alive"] => Process::Alive,
        ["leaving"] => Process::Leaving,
        ["code", code] => Process::Ended(End::Code(code.parse().expect("a code"))),
        ["signal", signal] => Process::Ended(End::Signal(signal.parse().expect("a signal"))),
        ["gone"] => Process::Ended(End::Unseen),
        _ => panic!("process {word:?}"),
    }
}

fn reported(word: &str) -> Option<Reported> {
    match word {
        "–" => None,
        "completed" => Some(Reported::Completed),
        "partial" => Some(Reported::Partial),
        "blocked" => Some(Reported::Blocked),
        _ => panic!("report {word:?}"),
    }
}

fn stopped(word: &str) -> Option<Stopped> {
    match word {
        "–" => None,
        "done" => Some(Stopped::Done),
        "at a limit" => Some(Stopped::AtLimit),
        "refused" => Some(Stopped::Refused),
        "cancelled" => Some(Stopped::Cancelled),
        "in error" => Some(Stopped::InError),
        _ => panic!("turn {word:?}"),
    }
}

fn asked(word: &str) -> Asked {
    match word {
        "–" => Asked::Nothing,
        "stop" => Asked::Stop,
        "time is up" => Asked::TimeUp,
        "lease is out" => Asked::LeaseOut,
        _ => panic!("asked {word:?}"),
    }
}

fn besides(facts: &mut Facts, words: &str) {
    for word in words.split(", ").filter(|word| *word != "–") {
        match word {
            "silent" => facts.heard = Heard::Silent,
            "asks" => facts.has_question = true,
            "has worked" => facts.has_worked = true,
            "last step failed" => facts.has_failed = true,
            "exit is enough" => facts.done_by = DoneBy::Exit,
            _ => panic!("besides {word:?}"),
        }
    }
}

#[test]
fn every_row_of_the_table_holds() {
    let header = "| process | report | turn ended | asked to | besides | state | because |";
    let rows = TABLE.split(header).nth(1).expect("ARCHITECTURE.md has the table of run states");
    let mut seen = Vec::new();
    for row in rows.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [process_word, report, turn, ask, more, state, because] = cells[..] else { panic!("{row}") };
        let mut facts = Facts {
            process: process(process_word),
            reported: reported(report),
            stopped: stopped(turn),
            asked: asked(ask),
            ..plain()
        };
        besides(&mut facts, more);
        let standing = judge(&facts);
        assert_eq!((standing.state.name(), standing.why.to_string().as_str()), (state, because), "{row}");
        seen.push(standing.state);
    }
    for state in RunState::ALL {
        assert!(seen.contains(&state), "no row leads to {state}");
    }
}

/// Every combination of facts there is.
fn all() -> impl Iterator<Item = Facts> {
    let processes = ["elsewhere", "starting", "alive", "leaving", "code 0", "code 3", "signal 9", "gone"];
    let reports = ["–", "completed", "partial", "blocked"];
    let turns = ["–", "done", "at a limit", "refused", "cancelled", "in error"];
    let asks = ["–", "stop", "time is up", "lease is out"];
    let mut facts = Vec::new();
    for at in 0..processes.len() * reports.len() * turns.len() * asks.len() * 32 {
        let (bits, rest) = (at % 32, at / 32);
        let (ask, rest) = (rest % asks.len(), rest / asks.len());
        let (turn, rest) = (rest % turns.len(), rest / turns.len());
        let (report, which) = (rest % reports.len(), rest / reports.len());
        let is = |bit: usize| bits >> bit & 1 == 1;
        facts.push(Facts {
            process: process(processes[which]),
            reported: reported(reports[report]),
            stopped: stopped(turns[turn]),
            asked: asked(asks[ask]),
            heard: if is(0) { Heard::Silent } else { Heard::Lately },
            has_question: is(1),
            has_worked: is(2),
            has_failed: is(3),
            done_by: if is(4) { DoneBy::Exit } else { DoneBy::Report },
        });
    }
    facts.into_iter()
}

#[test]
fn a_disconnection_is_never_a_completion_nor_the_reverse() {
    for facts in all() {
        let state = judge(&facts).state;
        let is_said_done = facts.reported == Some(Reported::Completed)
            || (facts.stopped == Some(Stopped::Done) && facts.has_worked)
            || (facts.process == Process::Ended(End::Code(0)) && facts.done_by == DoneBy::Exit);
        assert!(state != RunState::Completed || (is_said_done && !facts.has_failed) || is_exit(&facts), "{facts:?}");
        // As long as anything of it lives it may write, so it is not over. Of one that is not ours there is only its word.
        if let Process::Starting | Process::Alive | Process::Leaving = facts.process {
            assert!(!state.is_ended(), "{facts:?}");
        }
        // What was killed without a word has not finished anything.
        if let Process::Ended(End::Signal(_) | End::Unseen) = facts.process
            && facts.reported.is_none()
            && facts.stopped.is_none()
        {
            assert!(
                matches!(state, RunState::Disconnected | RunState::Cancelled | RunState::TimedOut),
                "{facts:?}: {state}"
            );
        }
    }
}

fn is_exit(facts: &Facts) -> bool {
    facts.process == Process::Ended(End::Code(0)) && facts.done_by == DoneBy::Exit
}
