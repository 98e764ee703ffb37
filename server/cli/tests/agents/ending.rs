//! Endings: asked for, forced, by the agent itself, by the clock; and that nothing is left of a run.

use std::time::{Duration, Instant};

use augment_host::agents::keeping::{Event, Exit, Why};
use augment_host::agents::order::Polite;
use augment_host::agents::processes::Process;
use rustix::process::{Signal, kill_process_group};
use rustix::time::{ClockId, clock_gettime};

use crate::rig::{FOLDER, Place, ROLE, assert_ends, empty, has_ended, kill, pid, plays, role_arguments, start};

/// A shell that waits for ever, with a child. It is the child that says when it is ready: a signal that comes while a
/// shell is still making one reaches the shell alone. No second child is made when the first has ended.
const WAITS: &str = "sh -c 'echo ready; exec sleep 1000' & while :; do wait; done";

#[test]
fn a_polite_agent_leaves_by_itself() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(&format!("trap 'echo bye; exit 7' TERM; {WAITS}")));
    events.ready();
    keeping.stop(60_000).unwrap();
    let rest = events.rest();
    assert_eq!(rest[..2], [Event::Ending(Why::Asked), Event::Exited(Exit::Code(7))]);
    assert_eq!(rest.last(), Some(&empty(0)));
    assert_eq!(events.said, "bye\n");
}

#[test]
fn an_agent_that_wants_it_so_is_asked_by_the_end_of_its_input() {
    let place = Place::new();
    let mut order = place.shell("trap 'echo terminated' TERM; echo ready; cat; exit 8");
    order.polite = Polite::CloseStdin;
    let (keeping, mut events) = start(order);
    events.ready();
    keeping.stop(60_000).unwrap();
    let rest = events.rest();
    assert_eq!(rest, [Event::Ending(Why::Asked), Event::Exited(Exit::Code(8)), empty(0)]);
    assert_eq!(events.said, "");
}

#[test]
fn an_agent_that_does_not_leave_is_made_to() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(&format!("trap '' TERM; {WAITS}")));
    events.ready();
    keeping.stop(50).unwrap();
    let rest = events.rest();
    assert_eq!(rest[..2], [Event::Ending(Why::Asked), Event::Exited(Exit::Signal(9))]);
    assert!(matches!(rest.last(), Some(Event::Empty { killed: 1.., .. })), "{rest:?}");
}

#[test]
fn a_second_word_hurries_the_first() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(&format!("trap 'echo heard' TERM; {WAITS}")));
    events.ready();
    keeping.stop(3_600_000).unwrap();
    assert_eq!(events.line(), "heard");
    keeping.kill().unwrap();
    assert!(events.rest().contains(&Event::Exited(Exit::Signal(9))));
}

#[test]
fn a_stopped_agent_is_ended_too() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(WAITS));
    events.ready();
    let agent = Process::read(keeping.pid()).unwrap().identity;
    kill(agent, Signal::STOP);
    keeping.kill().unwrap();
    assert!(events.rest().contains(&Event::Exited(Exit::Signal(9))));
    assert!(has_ended(agent));
}

/// A daemon as they are made: forked twice, in a session of its own, its environment emptied, deaf to SIGTERM.
const LEAVES_A_DAEMON: &str = "(setsid env -i PATH=\"$PATH\" sh -c 'trap \"\" TERM HUP; echo $$; exec sleep 1000' &) ";

#[test]
fn a_daemon_that_the_agent_leaves_behind_ends_with_the_run() {
    let place = Place::new();
    let mut order = place.shell(&format!("{LEAVES_A_DAEMON}; read x; exit 0"));
    order.linger_ms = 50;
    let (keeping, mut events) = start(order);
    let daemon = events.process();
    let session = Process::read(daemon.pid).unwrap().session;
    assert_eq!(session, daemon.pid, "it has detached itself");
    keeping.close_stdin().unwrap();
    let rest = events.rest();
    assert_eq!(rest, [Event::Exited(Exit::Code(0)), Event::Ending(Why::AgentExited), empty(1)]);
    assert!(has_ended(daemon));
}

#[test]
fn a_tree_that_goes_on_growing_is_ended_whole() {
    let place = Place::new();
    // Each one starts the next and leaves, in a new session: whoever is seen is gone when it is signalled.
    let script = "cat >next <<'X'\ntrap '' TERM\n[ -e stop ] || setsid sh next &\nX\nfor i in 1 2 3 4; do setsid sh next & done; echo ready; exec sleep 1000";
    let (keeping, mut events) = start(place.shell(script));
    events.ready();
    keeping.kill().unwrap();
    let rest = events.rest();
    assert!(matches!(rest.last(), Some(Event::Empty { .. })), "{rest:?}");
    let left = |entry: std::fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse::<u32>().ok()?;
        let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
        (cwd == place.cwd.canonicalize().unwrap()).then_some(pid)
    };
    let left: Vec<u32> = std::fs::read_dir("/proc").unwrap().flatten().filter_map(left).collect();
    assert_eq!(left, Vec::<u32>::new(), "processes of the run");
}

#[test]
fn killing_the_agent_alone_ends_what_it_started() {
    let place = Place::new();
    let mut order = place.shell("sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1000; done' & wait");
    order.linger_ms = 0;
    let (keeping, mut events) = start(order);
    let child = events.process();
    let agent = Process::read(keeping.pid()).unwrap().identity;
    kill(agent, Signal::KILL);
    let rest = events.rest();
    assert_eq!(rest[..2], [Event::Exited(Exit::Signal(9)), Event::Ending(Why::AgentExited)]);
    assert!(matches!(rest.last(), Some(Event::Empty { killed: 1.., .. })), "{rest:?}");
    assert!(has_ended(child));
}

#[test]
fn killing_the_group_is_one_end() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(WAITS));
    events.ready();
    let agent = Process::read(keeping.pid()).unwrap().identity;
    kill_process_group(pid(agent), Signal::KILL).unwrap();
    let rest = events.rest();
    assert_eq!(rest[0], Event::Exited(Exit::Signal(9)));
    assert!(matches!(rest.last(), Some(Event::Empty { .. })), "{rest:?}");
}

#[test]
fn the_time_limit_ends_a_run() {
    let place = Place::new();
    let mut order = place.shell("exec sleep 1000");
    order.time_limit_ms = Some(50);
    let (_, mut events) = start(order);
    assert_eq!(events.rest()[1..], [Event::Ending(Why::TimedOut), Event::Exited(Exit::Signal(15)), empty(0)]);
}

#[test]
fn killing_the_keeper_ends_the_agent_and_all_it_started() {
    let place = Place::new();
    // The one that keeps its environment becomes no other program after its word: in that moment it has none to be seen.
    let script = format!("mkfifo never; {LEAVES_A_DAEMON}; setsid sh -c 'echo $$; read x <>never' & read x");
    let (keeping, mut events) = start(place.shell(&script));
    let [first, second] = [events.process(), events.process()];
    // The one with the emptied environment is found as long as it descends from something that is known.
    let marked =
        [first, second].into_iter().find(|process| Process::read(process.pid).unwrap().parent == keeping.pid());
    let agent = Process::read(keeping.pid()).unwrap().identity;
    kill(keeping.keeper(), Signal::KILL);
    let rest = events.rest();
    let [Event::Lost { reason, leftovers }] = &rest[..] else { panic!("{rest:?}") };
    assert_eq!(reason, "The keeper of the run is gone: it was killed or has crashed.");
    assert_ends(agent);
    let marked = marked.unwrap();
    assert!(leftovers.ended.iter().any(|process| process.identity == marked), "{leftovers:?}");
    assert!(has_ended(marked));
    assert_eq!(leftovers.remaining, []);
    // What shed its environment, its session and its parents before the keeper died cannot be told from a stranger.
    for process in [first, second].into_iter().filter(|process| !has_ended(*process)) {
        kill(process, Signal::KILL);
    }
}

/// Prints how soon, for people to look at; that it comes without being asked for is what is tested.
#[test]
fn the_end_of_an_agent_is_told_by_itself() {
    let mut took: Vec<u128> = (0..50)
        .map(|_| {
            let place = Place::new();
            let (keeping, mut events) = start(place.shell("echo ready; exec sleep 1000"));
            events.ready();
            let agent = Process::read(keeping.pid()).unwrap().identity;
            let before = Instant::now();
            kill(agent, Signal::KILL);
            assert_eq!(events.next(), Event::Exited(Exit::Signal(9)));
            let took = before.elapsed().as_micros();
            events.rest();
            took
        })
        .collect();
    took.sort_unstable();
    println!("from kill to event: median {} µs, slowest {} µs", took[took.len() / 2], took[took.len() - 1]);
}

const BURNT: Duration = Duration::from_millis(300);
const HELD_BYTES: usize = 96 * 1_024 * 1_024;

/// Not a test: this program once more, as something that an agent starts. It works and holds memory, so much of each.
#[test]
fn burner() {
    if plays("ending::burner").is_none() {
        return;
    }
    let held = std::hint::black_box(vec![1_u8; HELD_BYTES]);
    let cpu = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap();
    let mut sum = 0_u64;
    while cpu() < BURNT {
        sum = held.iter().fold(sum, |sum, byte| std::hint::black_box(sum + u64::from(*byte)));
    }
    assert_ne!(sum, 0);
}

#[test]
fn what_a_run_used_counts_all_that_it_started_also_what_had_left_it() {
    let place = Place::new();
    // One that the agent waits for, and one that has nobody but the keeper any more.
    let mut order = place.shell(
        r#"mkfifo done; (setsid sh -c '"$0" "$@"; echo >done' "$0" "$@" &); "$0" "$@"; read -r x <done; exit 3"#,
    );
    order.arguments.push(std::env::current_exe().unwrap().into());
    order.arguments.extend(role_arguments("ending::burner").map(Into::into));
    order.environment.push((ROLE.into(), "ending::burner".into()));
    order.environment.push((FOLDER.into(), place.folder.clone().into()));
    let (_keeping, mut events) = start(order);
    assert_eq!(events.rest().last(), Some(&empty(0)), "{}", events.said);
    let used = events.resources.unwrap();
    assert!(used.cpu_ms >= 600, "{used:?}");
    assert!(used.peak_memory_bytes >= HELD_BYTES as u64, "{used:?}");
}

#[test]
fn what_a_run_used_is_not_made_up_when_its_keeper_was_killed() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(WAITS));
    events.ready();
    kill(keeping.keeper(), Signal::KILL);
    assert!(matches!(events.rest().last(), Some(Event::Lost { .. })));
    assert_eq!(events.resources, None);
}
