//! What an agent says and is told: any length, any speed, and never more than a bounded part of it in memory or on disk.

use augment_host::agents::keeping::{self, Adopted, Event, Exit, KeepingError, MAX_INPUT_BYTES};
use augment_host::agents::output_log::{HEAD_BYTES, TAIL_FILE_BYTES};
use augment_host::agents::processes::Process;

use crate::rig::{Place, Signpost, assert_ends, empty, memory, sink, start};

const MEGA: u64 = 1_024 * 1_024;

/// Far less than what was said went through the keeper's memory at any time. A debug build of the program itself is some
/// 25 MiB of it.
fn assert_small(keeper: u32) {
    let (most, own) = memory(keeper);
    assert!(most < 64 * 1_024 && own < 4 * 1_024, "{most} KiB at most, {own} KiB of its own now");
}

#[test]
fn a_line_of_100_mb_goes_through_whole_and_is_kept_in_part() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell("head -c 100000000 /dev/zero | tr '\\0' x; read x"));
    let mut said = 0;
    while said < 100_000_000 {
        match events.next() {
            Event::Output { bytes, offset, .. } => {
                assert_eq!(offset, said);
                said += bytes.len() as u64;
                events.said.clear();
            }
            event => assert_eq!(event, Event::Started { pid: keeping.pid() }),
        }
    }
    assert_small(keeping.keeper().pid);
    assert!(place.on_disk() < HEAD_BYTES + 2 * TAIL_FILE_BYTES + MEGA);
    keeping.close_stdin().unwrap();
    assert_eq!(events.rest(), [Event::Exited(Exit::Code(1)), empty(0)]);
}

#[test]
fn a_flood_that_nobody_hears_does_not_hold_the_agent_back() {
    let place = Place::new();
    let signpost = Signpost::new(&place);
    let script = "echo beginning; read x; head -c 1073741824 /dev/zero; echo end >&2; echo >signpost; read x; exit 5";
    let (keeping, mut events) = start(place.shell(script));
    assert_eq!(events.line(), "beginning");
    keeping.write_stdin(b"\n").unwrap();
    let keeper = keeping.keeper();
    keeping.detach();
    // The agent has got through.
    signpost.wait();
    assert_small(keeper.pid);
    assert!(place.on_disk() < HEAD_BYTES + 2 * TAIL_FILE_BYTES + MEGA);

    let (sink, mut events) = sink();
    let Adopted::Kept(keeping) = keeping::adopt(&place.folder, 0, sink).unwrap() else { panic!("it goes on") };
    assert_eq!(events.next(), Event::Started { pid: keeping.pid() });
    assert_eq!(events.line(), "beginning");
    keeping.write_stdin(b"\n").unwrap();
    let (bytes, rest) = events.count();
    let missed: Vec<u64> = rest
        .iter()
        .filter_map(|event| match event {
            Event::Missed { from, to } => Some(to - from),
            _ => None,
        })
        .collect();
    assert_eq!(missed.len(), 1, "{rest:?}");
    // What came with the first line counts as said already.
    let total = 10 + 1_024 * MEGA + 4;
    assert!(bytes + missed[0] <= total && bytes + missed[0] + HEAD_BYTES > total, "{bytes} and {missed:?}");
    assert_eq!(rest[rest.len() - 2..], [Event::Exited(Exit::Code(5)), empty(0)]);
}

#[test]
fn a_host_that_does_not_listen_holds_the_agent_back_and_loses_nothing() {
    let place = Place::new();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut waited = false;
    let slow = Box::new(move |event| {
        if matches!(event, Event::Output { .. }) && !std::mem::replace(&mut waited, true) {
            held.recv().unwrap();
        }
        sender.send(event).unwrap();
    });
    let order = place.shell("echo begun; head -c 50000000 /dev/zero; exit 6");
    let keeping = keeping::start(&crate::rig::keeper_program(), order, slow).unwrap();
    // The agent stands at a full pipe now or soon; either way a word to its keeper gets through, and so does all it said.
    keeping.write_stdin(b"heard\n").unwrap();
    release.send(()).unwrap();
    let mut said = 0;
    loop {
        match receiver.recv_timeout(crate::rig::PATIENCE).unwrap() {
            Event::Output { bytes, .. } => said += bytes.len(),
            Event::Empty { .. } => break,
            event => assert!(matches!(event, Event::Started { .. } | Event::Exited(Exit::Code(6))), "{event:?}"),
        }
    }
    assert_eq!(said, 50_000_006);
}

#[test]
fn a_host_that_stops_listening_does_not_hold_the_agent_back_for_ever() {
    let place = Place::new();
    let signpost = Signpost::new(&place);
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (mut pass_on, mut events) = sink();
    let mut waited = false;
    let deaf = Box::new(move |event| {
        if matches!(event, Event::Output { .. }) && !std::mem::replace(&mut waited, true) {
            held.recv().unwrap();
        }
        pass_on(event);
    });
    let mut order = place.shell("head -c 50000000 /dev/zero; echo >signpost; read x; exit 6");
    order.stall_ms = 10;
    let keeping = keeping::start(&crate::rig::keeper_program(), order, deaf).unwrap();
    let agent = Process::read(keeping.pid()).unwrap().identity;
    // The agent has got through, though the host has not taken a byte.
    signpost.wait();
    // What the host wants is heard meanwhile.
    keeping.write_stdin(b"\n").unwrap();
    assert_ends(agent);
    release.send(()).unwrap();
    let (bytes, rest) = events.count();
    let missed: u64 = rest
        .iter()
        .map(|event| match event {
            Event::Missed { from, to } => to - from,
            _ => 0,
        })
        .sum();
    assert_eq!(bytes + missed, 50_000_000, "every byte is told or counted: {rest:?}");
    assert!(missed > 0, "the agent was ahead by more than is kept");
    assert_eq!(rest[rest.len() - 2..], [Event::Exited(Exit::Code(6)), empty(0)]);
}

#[test]
fn input_of_any_size_arrives_and_what_is_not_read_is_refused_at_some_point() {
    let place = Place::new();
    let (keeping, mut events) = start(place.shell("read x; echo ready; exec wc -c"));
    keeping.write_stdin(b"go\n").unwrap();
    events.ready();
    let huge = vec![b'x'; usize::try_from(MAX_INPUT_BYTES).unwrap() + 1];
    assert_eq!(keeping.write_stdin(&huge), Err(KeepingError::TooLarge { bytes: MAX_INPUT_BYTES + 1 }));
    let large = &huge[1..];
    keeping.write_stdin(large).unwrap();
    keeping.close_stdin().unwrap();
    assert_eq!(events.line(), MAX_INPUT_BYTES.to_string());
    events.rest();

    let place = Place::new();
    let (keeping, mut events) = start(place.shell("echo ready; exec sleep 1000"));
    events.ready();
    let mut given = 0;
    let refusal = loop {
        match keeping.write_stdin(&large[..1_000_000]) {
            Ok(()) => given += 1,
            Err(refusal) => break refusal,
        }
        assert!(given < 10, "input without end is taken");
    };
    assert!(matches!(refusal, KeepingError::Full { .. }), "{refusal}");
    // The way is not blocked by that.
    keeping.kill().unwrap();
    assert_eq!(events.rest().last(), Some(&empty(1)));
}
