//! Starting: what the agent gets, and what is said when it cannot be started.

use std::path::{Path, PathBuf};

use augment_host::agents::confinement;
use augment_host::agents::keeping::{self, Event, Exit};
use augment_host::agents::order::{Confinement, Order};
use augment_host::agents::output_log::Stream;

use crate::rig::{Place, empty, keeper_program, output, sink, start};
use crate::script::write_script;

#[test]
fn an_agent_runs_is_heard_in_order_and_its_exit_is_told() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell("echo one; read x; echo two >&2; read x; exit 3"));
    assert_eq!(events.next(), Event::Started { pid: keeping.pid() });
    assert_eq!(events.next(), output(Stream::Stdout, 0, "one\n"));
    keeping.write_stdin(b"\n").unwrap();
    assert_eq!(events.next(), output(Stream::Stderr, 4, "two\n"));
    keeping.write_stdin(b"\n").unwrap();
    assert_eq!(events.next(), Event::Exited(Exit::Code(3)));
    assert_eq!(events.next(), empty(0));
    assert!(events.is_closed());
    assert_eq!(keeping.kill(), Err(keeping::KeepingError::Gone));
}

#[test]
fn an_agent_that_a_signal_ended_did_not_exit() {
    let place = Place::new();
    let (_, mut events) = start(place.shell("kill -SEGV $$"));
    assert_eq!(events.rest()[1..], [Event::Exited(Exit::Signal(11)), empty(0)]);
}

#[test]
fn the_agent_gets_the_environment_of_the_order_and_no_open_file_of_ours() {
    let place = Place::new();
    let mut order = place.shell("");
    order.program = "env".into();
    order.arguments = Vec::new();
    order.environment.push(("TOKEN".into(), "of the run".into()));
    let (_, mut events) = start(order);
    events.rest();
    let names: Vec<&str> = events.said.lines().filter_map(|line| line.split('=').next()).collect();
    assert_eq!(names, ["AUGMENT_RUN", "AUGMENT_RUN_MARK", "PATH", "TOKEN"]);
    assert!(events.said.contains("AUGMENT_RUN=a1.1\n") && events.said.contains("TOKEN=of the run\n"));

    // The shell's own list of its files is read by a program that it becomes, so no pipe of the shell is among them.
    let place = Place::new();
    let (_, mut events) = start(place.shell("pwd; exec ls /proc/self/fd"));
    events.rest();
    // The fourth is the folder that `ls` reads.
    assert_eq!(events.said, format!("{}\n0\n1\n2\n3\n", place.cwd.canonicalize().unwrap().display()));
}

#[test]
fn a_folder_too_deep_for_a_socket_is_no_trouble() {
    let mut place = Place::new();
    place.folder = place.folder.join("x".repeat(100)).join("y".repeat(100));
    let (keeping, mut events) = start(place.shell("read x; exit 4"));
    events.next();
    let again = keeping::adopt(&place.folder, 0, sink().0);
    assert!(matches!(again, Err(keeping::AdoptError::Busy { .. })), "it is reached, and has a host: {again:?}");
    keeping.close_stdin().unwrap();
    assert_eq!(events.rest(), [Event::Exited(Exit::Code(4)), empty(0)]);
}

fn refused(order: Order) -> String {
    let folder = order.folder.clone();
    let (sink, events) = sink();
    let error = keeping::start(&keeper_program(), order, sink).unwrap_err();
    assert!(events.is_closed(), "a run that never began has no events");
    if folder.exists() {
        assert_eq!(keeping::end_leftovers(&folder).unwrap(), keeping::Leftovers::default());
    }
    error.to_string()
}

fn script(place: &Place, content: &str, mode: u32) -> PathBuf {
    let path = place.cwd.join("agent");
    write_script(&path, content, mode);
    path.canonicalize().unwrap()
}

#[test]
fn what_cannot_be_started_is_named_with_what_to_do() {
    let place = Place::new();
    let mut order = place.shell("");
    order.program = "no-such-agent".into();
    order.environment = vec![("PATH".into(), "/bin:/usr/bin".into())];
    assert_eq!(
        refused(order.clone()),
        "The agent's program no-such-agent was not found in /bin:/usr/bin. Install it, or set its full path."
    );
    order.program = "/no/such/agent".into();
    assert_eq!(
        refused(order.clone()),
        "The agent's program /no/such/agent does not exist. Check the path in the agent's settings."
    );
    let path = script(&place, "#!/bin/sh\n", 0o644);
    order.program = path.clone();
    assert!(refused(order.clone()).contains("is not executable. Make it so with `chmod +x`"));
    order.environment = vec![("PATH".into(), place.cwd.clone().into())];
    order.program = "agent".into();
    assert!(refused(order.clone()).contains(&format!("{} is not executable", path.display())));
    script(&place, "#!/no/such/interpreter\n", 0o755);
    assert!(refused(order.clone()).contains("names an interpreter or loader that does not exist"));
    script(&place, "#!/bin/sh\n", 0o755);
    order.arguments = vec!["x".repeat(200_000).into()];
    assert!(refused(order.clone()).contains("too long for this system"));
    order.cwd = "/no/such/folder".into();
    assert_eq!(
        refused(order),
        "The agent's working folder /no/such/folder cannot be entered: No such file or directory (os error 2). Make it, \
         or name another one."
    );
}

#[test]
fn a_run_that_is_kept_is_not_started_twice() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell("read x"));
    assert!(refused_while_kept(&place).contains(&format!("is already kept by process {}", keeping.keeper().pid)));
    keeping.kill().unwrap();
    events.rest();
}

fn refused_while_kept(place: &Place) -> String {
    keeping::start(&keeper_program(), place.shell(""), sink().0).unwrap_err().to_string()
}

#[test]
fn four_agents_at_once_do_not_hear_each_other() {
    let places: Vec<Place> = (0..4).map(|_| Place::new()).collect();
    let script = "while read x; do echo \"$x\"; done; exit $1";
    let mut runs: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(number, place)| {
            let mut order = place.shell(script);
            order.arguments.extend(["sh".into(), number.to_string().into()]);
            start(order)
        })
        .collect();
    for round in 0..50 {
        for (number, (keeping, _)) in runs.iter().enumerate() {
            keeping.write_stdin(format!("{number} {round}\n").as_bytes()).unwrap();
        }
    }
    for (number, (keeping, events)) in runs.iter_mut().enumerate() {
        (0..50).for_each(|round| assert_eq!(events.line(), format!("{number} {round}")));
        keeping.close_stdin().unwrap();
        let code = i32::try_from(number).unwrap();
        let rest = events.rest();
        assert_eq!(rest[rest.len() - 2..], [Event::Exited(Exit::Code(code)), empty(0)]);
    }
}

fn write_inside_and_outside(place: &Place, outside: &Path) -> Order {
    let script = format!(
        "exec 2>&1; echo x >inside; echo x >/dev/null; echo x >{0}; cat {0}; kill -0 $PPID && echo alive; (kill -9 $PPID) 2>&1; echo end",
        outside.display()
    );
    place.shell(&script)
}

#[test]
fn a_confined_agent_writes_only_where_it_may_and_cannot_reach_its_keeper() {
    assert!(confinement::is_available().is_ok(), "this test needs Landlock");
    let place = Place::new();
    let outside = place.folder.with_file_name("outside");
    std::fs::write(&outside, "untouched\n").unwrap();
    let mut order = write_inside_and_outside(&place, &outside);
    order.confinement = Confinement::Enforce { writable: vec![place.cwd.clone(), "/not/there".into()] };
    let (_, mut events) = start(order);
    let rest = events.rest();
    assert_eq!(rest[1..], [Event::Exited(Exit::Code(0)), empty(0)], "{}", events.said);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "untouched\n");
    assert_eq!(std::fs::read_to_string(place.cwd.join("inside")).unwrap(), "x\n");
    let said = &events.said;
    assert!(said.contains("untouched\n") && !said.contains("alive") && said.ends_with("end\n"), "{said}");
    assert!(said.contains("Permission denied") && said.contains("not permitted"), "{said}");
}
