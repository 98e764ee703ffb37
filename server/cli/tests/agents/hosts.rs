//! Hosts that go away and come back, and who may speak with a keeper.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use augment_host::agents::keeping::{self, AdoptError, Adopted, Event, Exit, Leftovers, Why};
use augment_host::agents::processes::{Identity, Process};
use rustix::process::Signal;

use crate::rig::{Other, Place, SCRIPT, assert_ends, empty, has_ended, keeper_program, kill, plays, sink, start};

const ECHOES: &str = "echo ready; while read x; do echo \"$x\"; done; exit 9";

/// A host in a process of its own, that starts a run and then waits until it is killed. Not a test by itself.
#[test]
fn host() {
    let Some(folder) = plays("hosts::host") else { return };
    let place = Place::new();
    let mut order = place.shell(&std::env::var(SCRIPT).unwrap());
    order.folder = folder.clone();
    order.cwd = folder.parent().unwrap().to_owned();
    if folder.ends_with("impatient") {
        order.adopt_ms = 0;
    }
    let (sink, mut events) = sink();
    let keeping = keeping::start(&keeper_program(), order, sink).unwrap();
    events.ready();
    let mut out = std::io::stdout();
    writeln!(out, "keeper {} {}", keeping.keeper().pid, keeping.keeper().start).unwrap();
    writeln!(out, "agent {}", keeping.pid()).unwrap();
    out.flush().unwrap();
    // Until the test kills this process, or is gone itself.
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

struct Running {
    host: Other,
    keeper: Identity,
    agent: Identity,
}

fn host_of(folder: &Path, script: &str) -> Running {
    let mut host = Other::start("hosts::host", folder, script);
    let keeper = host.line("keeper ");
    let (pid, start) = keeper.split_once(' ').unwrap();
    let keeper = Identity { pid: pid.parse().unwrap(), start: start.parse().unwrap() };
    let agent = Process::read(host.line("agent ").parse().unwrap()).unwrap().identity;
    Running { host, keeper, agent }
}

#[test]
fn a_run_outlives_its_host_and_goes_on_with_the_next() {
    let place = Place::new();
    let mut running = host_of(&place.folder, ECHOES);
    running.host.child.kill().unwrap();
    running.host.child.wait().unwrap();
    let (sink, mut events) = sink();
    let Adopted::Kept(keeping) = keeping::adopt(&place.folder, 0, sink).unwrap() else { panic!("it goes on") };
    assert_eq!((keeping.pid(), keeping.keeper()), (running.agent.pid, running.keeper));
    assert_eq!(events.next(), Event::Started { pid: running.agent.pid });
    assert_eq!(events.line(), "ready");
    keeping.write_stdin(b"still there\n").unwrap();
    assert_eq!(events.line(), "still there");
    keeping.close_stdin().unwrap();
    assert_eq!(events.rest(), [Event::Exited(Exit::Code(9)), empty(0)]);
    assert_ends(running.keeper);
}

#[test]
fn a_run_that_no_host_comes_for_is_ended() {
    let place = Place::new();
    let folder = place.folder.with_file_name("impatient");
    let mut running = host_of(&folder, ECHOES);
    running.host.child.kill().unwrap();
    running.host.child.wait().unwrap();
    assert_ends(running.agent);
    assert_ends(running.keeper);
    let (sink, mut events) = sink();
    assert!(matches!(keeping::adopt(&folder, 0, sink), Ok(Adopted::Over)));
    let told = events.rest();
    assert_eq!(
        told,
        [
            Event::Started { pid: running.agent.pid },
            Event::Ending(Why::Unadopted),
            Event::Exited(Exit::Signal(15)),
            empty(0)
        ]
    );
    assert_eq!(events.said, "ready\n");
}

#[test]
fn what_a_host_missed_is_told_from_where_it_left() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell("echo one; read x; echo two; read x; exit 2"));
    events.next();
    assert_eq!(events.line(), "one");
    keeping.write_stdin(b"\n\n").unwrap();
    let keeper = keeping.keeper();
    keeping.detach();
    // Nobody listens when it says the rest and ends.
    assert_ends(keeper);
    let (sink, mut events) = sink();
    assert!(matches!(keeping::adopt(&place.folder, 4, sink), Ok(Adopted::Over)));
    let told = events.rest();
    assert_eq!(told[1..], [Event::Exited(Exit::Code(2)), empty(0)]);
    assert_eq!(events.said, "two\n");
    assert!(events.resources.is_some(), "what it used is kept for whoever comes later");
}

#[test]
fn what_is_left_of_a_run_without_keeper_and_host_is_found_and_ended() {
    let place = Place::new();
    // Neither hears of the end of its input, nor of its keeper's. What is left becomes no other program after its word: in
    // that moment it has no environment to be known by.
    let script = "mkfifo never; setsid sh -c 'echo $$ >daemon; echo ready; read x <>never' & exec sleep 1000";
    let mut running = host_of(&place.folder, script);
    let daemon = std::fs::read_to_string(place.folder.with_file_name("daemon")).unwrap();
    let daemon = Process::read(daemon.trim().parse().unwrap()).unwrap().identity;
    // Both at once, as when somebody ends all processes of ours.
    kill(running.keeper, Signal::STOP);
    running.host.child.kill().unwrap();
    running.host.child.wait().unwrap();
    kill(running.keeper, Signal::KILL);
    assert_ends(running.keeper);
    // Nobody had to look for the agent itself.
    assert_ends(running.agent);
    assert!(!has_ended(daemon));
    let refused = keeping::adopt(&place.folder, 0, sink().0);
    assert!(matches!(refused, Err(AdoptError::KeeperGone { .. })), "{refused:?}");
    let Leftovers { ended, remaining } = keeping::end_leftovers(&place.folder).unwrap();
    let ended: Vec<_> = ended.iter().map(|process| process.identity).collect();
    assert_eq!((ended, remaining), (vec![daemon], Vec::new()));
    assert!(has_ended(daemon));
    assert_eq!(keeping::end_leftovers(&place.folder).unwrap(), Leftovers::default());
    let refused = keeping::adopt(&place.cwd, 0, sink().0);
    assert!(matches!(refused, Err(AdoptError::NoRun { .. })), "{refused:?}");
}

#[test]
fn a_keeper_that_does_not_answer_is_ended_with_all_it_keeps() {
    let place = Place::new();
    let script = "setsid sh -c 'echo $$; trap \"\" TERM; while :; do sleep 1000; done' & cat";
    let (keeping, mut events) = start(place.shell(script));
    let detached = events.process();
    let agent = Process::read(keeping.pid()).unwrap().identity;
    kill(keeping.keeper(), Signal::STOP);
    let leftovers = keeping::end_leftovers(&place.folder).unwrap();
    // The run's own thread sees the keeper's end in the same moment and looks too; between them they name everybody.
    let rest = events.rest();
    let [Event::Lost { leftovers: also, .. }] = &rest[..] else { panic!("{rest:?}") };
    let ended: Vec<u32> = leftovers.ended.iter().chain(&also.ended).map(|process| process.identity.pid).collect();
    assert!(ended.contains(&keeping.keeper().pid) && ended.contains(&detached.pid), "{leftovers:?} {also:?}");
    assert_eq!((&leftovers.remaining, &also.remaining), (&Vec::new(), &Vec::new()));
    assert!(has_ended(detached));
    assert_ends(agent);
}

/// A host to which orphans fall, with an agent whose keeper is killed, another agent, and a child of its own. Not a test by
/// itself.
#[test]
fn heir() {
    let Some(folder) = plays("hosts::heir") else { return };
    keeping::inherit().unwrap();
    let place = Place::new();
    let (bystander, mut its_events) = start(place.shell(ECHOES));
    its_events.ready();
    let mut child = Command::new("sleep").arg("1000").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut order = place.shell(&std::env::var(SCRIPT).unwrap());
    order.folder = folder.clone();
    let (keeping, mut events) = start(order);
    let daemon = events.process();
    assert_eq!(Process::read(daemon.pid).unwrap().parent, keeping.keeper().pid);
    if folder.ends_with("forgotten") {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    kill(keeping.keeper(), Signal::KILL);
    let rest = events.rest();
    let Some(Event::Lost { leftovers, .. }) = rest.last() else { panic!("{rest:?}") };
    assert!(leftovers.ended.iter().any(|process| process.identity == daemon), "{leftovers:?}");
    assert_eq!(leftovers.remaining, []);
    assert!(!daemon.is_there(), "not even its entry in the list of processes is left");
    assert!(child.try_wait().unwrap().is_none(), "what the host itself has started goes on");
    child.kill().unwrap();
    child.wait().unwrap();
    bystander.write_stdin(b"undisturbed\n").unwrap();
    assert_eq!(its_events.line(), "undisturbed");
    bystander.close_stdin().unwrap();
    assert_eq!(its_events.rest().last(), Some(&empty(0)));
    writeln!(std::io::stdout(), "heir done").unwrap();
}

#[test]
fn what_has_shed_everything_falls_to_the_host_that_started_its_keeper() {
    let script =
        "daemon=$(env -i setsid sh -c 'setsid sleep 1000 >/dev/null 2>&1 & echo $!'); echo $daemon; exec sleep 1000";
    for name in ["run", "forgotten"] {
        let place = Place::new();
        let mut heir = Other::start("hosts::heir", &place.folder.with_file_name(name), script);
        heir.line("heir done");
        assert!(heir.child.wait().unwrap().success());
    }
}

#[test]
fn a_second_host_is_turned_away_while_there_is_one() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell(ECHOES));
    events.ready();
    let refused = keeping::adopt(&place.folder, 0, sink().0);
    assert!(matches!(refused, Err(AdoptError::Busy { .. })), "{refused:?}");
    keeping.write_stdin(b"undisturbed\n").unwrap();
    assert_eq!(events.line(), "undisturbed");
    keeping.kill().unwrap();
    events.rest();
}

/// An agent that poses as the host of its own run. Not a test by itself.
#[test]
fn impostor() {
    let Some(folder) = plays("hosts::impostor") else { return };
    let mut out = std::io::stdout();
    writeln!(out, "ready").unwrap();
    std::io::stdin().read_line(&mut String::new()).unwrap();
    let (sink, _events) = sink();
    let adopted = keeping::adopt(&folder, 0, sink);
    writeln!(out, "verdict {}", if adopted.is_ok() { "let in" } else { "turned away" }).unwrap();
}

#[test]
fn an_agent_cannot_pose_as_the_host_of_its_own_run() {
    let place = Place::new();
    let (keeping, mut events) = start(place.role("hosts::impostor"));
    while !events.line().ends_with("ready") {}
    keeping.write_stdin(b"\n").unwrap();
    let keeper = keeping.keeper();
    keeping.detach();
    assert_ends(keeper);
    let (sink, mut events) = sink();
    assert!(matches!(keeping::adopt(&place.folder, 0, sink), Ok(Adopted::Over)));
    events.rest();
    assert!(events.said.contains("verdict turned away"), "{}", events.said);
}
