//! Lost events, limits, a sink that refuses, a process that dies: nothing is missed, and all of it is told.

use std::time::Duration;

use augment_host::seeing::{Options, SeeError, Sight};

use crate::bench::Bench;

/// More than the kernel keeps events for.
fn more_than_the_queue() -> usize {
    let limit = std::fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    limit.trim().parse::<usize>().unwrap() + 100
}

#[test]
fn lost_events_lead_to_a_look_at_everything() {
    let bench = Bench::repository(&["a=1\n", "b=1\n"]);
    let seeing = bench.start_with(Options::default());
    // While the sink is at work nobody takes events, so the queue overflows.
    bench.store.hold();
    bench.replace("a", "2\n");
    bench.store.wait_for_a_batch();
    for _ in 0..more_than_the_queue() / 4 + 1 {
        bench.write("noise", "x");
        bench.remove("noise");
    }
    bench.write("b", "lost\n");
    bench.write("new/one", "lost\n");
    bench.store.release();
    let told = bench.settled(&seeing);
    assert_eq!(
        told,
        ["a: \"1\\n\" => \"2\\n\"", "rescan b: \"1\\n\" => \"lost\\n\"", "rescan new/one: absent => \"lost\\n\""]
    );
    let (_, why) = seeing.condition().last_rescan.unwrap();
    assert!(why.contains("more happened at once"), "{why}");
    bench.replace("new/one", "watched\n");
    assert_eq!(bench.settled(&seeing).len(), 1);
}

#[test]
fn a_checkout_whose_events_were_lost_is_still_version_controls() {
    let bench = Bench::repository(&["a=1\n", "b=1\n"]);
    bench.git("checkout -q -b side");
    bench.write("b", "side\n");
    bench.git("commit -q -a -m side");
    let seeing = bench.start_with(Options::default());
    bench.store.hold();
    bench.replace("a", "2\n");
    bench.store.wait_for_a_batch();
    for _ in 0..more_than_the_queue() / 4 + 1 {
        bench.write("noise", "x");
        bench.remove("noise");
    }
    bench.git("checkout -q main");
    bench.store.release();
    let told = bench.settled(&seeing);
    assert_eq!(told, ["a: \"1\\n\" => \"2\\n\"", "rescan HEAD moved side => main", "rescan quiet b"]);
}

#[test]
fn beyond_the_limit_of_watches_the_rest_is_polled_and_that_is_told() {
    let bench = Bench::plain();
    for at in 0..10 {
        bench.write(format!("d{at}/f"), "1");
    }
    let options = Options { max_watches: 4, fallback_poll: Duration::from_millis(30), ..Options::default() };
    let seeing = bench.start_with(options);
    let condition = seeing.condition();
    assert!(
        matches!(&condition.sight, Sight::Partly { why } if why.contains("no more than 4 folders")),
        "{condition:?}"
    );
    assert_eq!(condition.folders_watched, 4);
    for at in 0..10 {
        bench.replace(&format!("d{at}/f"), "2");
    }
    seeing.settle().unwrap();
    assert_eq!(bench.told().len(), 10);
    // Also without being asked.
    bench.store.hold();
    bench.replace("d9/f", "3");
    bench.store.wait_for_a_batch();
    bench.store.release();
}

#[test]
fn polling_sees_everything_too() {
    let bench = Bench::repository(&["a=1\n", "b=1\n"]);
    let seeing = bench.start_with(Options { poll: Some(Duration::from_secs(3_600)), ..Options::default() });
    assert!(matches!(seeing.condition().sight, Sight::Polling { .. }));
    bench.write("a", "2\n");
    bench.write("new/c", "1\n");
    std::fs::rename(bench.path("b"), bench.path("d")).unwrap();
    assert_eq!(
        bench.settled(&seeing),
        ["rescan a: \"1\\n\" => \"2\\n\"", "rescan b -> d: \"1\\n\" => \"1\\n\"", "rescan new/c: absent => \"1\\n\""]
    );
    bench.git("checkout -q -- a b");
    assert_eq!(bench.settled(&seeing), ["rescan quiet b", "rescan vcs a: \"2\\n\" => \"1\\n\""]);
}

#[test]
fn what_the_sink_refuses_is_offered_again() {
    let bench = Bench::repository(&["a=1\n", "gone=1\n"]);
    let seeing = bench.start();
    *bench.store.refusal.lock().unwrap() = Some("the disk is full".into());
    bench.write("a", "2\n");
    bench.remove("gone");
    let refused = seeing.settle();
    assert!(
        matches!(&refused, Err(SeeError::NotTaken { reason }) if reason.contains("the disk is full")),
        "{refused:?}"
    );
    assert!(bench.told().is_empty());
    *bench.store.refusal.lock().unwrap() = None;
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"2\\n\"", "gone: \"1\\n\" => absent"]);
}

#[test]
fn a_process_that_dies_finds_everything_at_the_next_start() {
    let bench = Bench::repository(&["a=1\n", "b=1\n", "c=1\n"]);
    let seeing = bench.start();
    bench.write("a", "taken\n");
    assert_eq!(bench.settled(&seeing).len(), 1);
    // The sink has it, and the process dies before anything else is written.
    *bench.store.refusal.lock().unwrap() = Some("dying".into());
    bench.write("b", "not taken\n");
    assert!(seeing.settle().is_err());
    drop(seeing);
    *bench.store.refusal.lock().unwrap() = None;
    bench.remove("c");
    let seeing = bench.start();
    assert_eq!(bench.told(), ["gap b: \"1\\n\" => \"not taken\\n\"", "gap c: \"1\\n\" => absent"]);
    assert_eq!(bench.base(&seeing, "a"), "\"taken\\n\"");
    seeing.stop().unwrap();
    assert!(bench.store.overrides.lock().unwrap().is_empty(), "the manifest file has it all");
    bench.once();
    assert!(bench.told().is_empty());
}

#[test]
fn a_manifest_written_before_the_overrides_are_forgotten_is_as_good() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    bench.write("a", "2\n");
    bench.settled(&seeing);
    let overrides = bench.store.overrides.lock().unwrap().clone();
    bench.write("a", "3\n");
    bench.settled(&seeing);
    seeing.stop().unwrap();
    // Old entries that are still there do not take back what the file knows.
    *bench.store.overrides.lock().unwrap() = overrides;
    bench.once();
    assert!(bench.told().is_empty());
}

#[test]
fn a_root_that_goes_away_is_told() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    std::fs::rename(&bench.root, bench.folder.path().join("elsewhere")).unwrap();
    assert!(matches!(seeing.settle(), Err(SeeError::Blind { why }) if why.contains("moved or removed")));
    assert!(matches!(seeing.condition().sight, Sight::Blind { .. }));
    assert!(seeing.condition().sentences()[0].starts_with("Changes are not seen"));
}

#[test]
fn a_link_to_a_folder_outside_is_never_followed() {
    let bench = Bench::plain();
    let outside = bench.folder.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret"), "s").unwrap();
    bench.write("dir/secret", "mine");
    let seeing = bench.start();
    std::fs::remove_dir_all(bench.path("dir")).unwrap();
    std::os::unix::fs::symlink(&outside, bench.path("dir")).unwrap();
    seeing.look(&[augment_core::file::FilePath::from_text("dir/secret").unwrap()]).unwrap();
    let told = bench.told();
    assert_eq!(
        told,
        ["dir/secret: \"mine\" => absent".to_owned(), format!("dir: absent => link {}", outside.display())]
    );
}

#[test]
fn our_own_data_in_the_workspace_is_not_looked_at() {
    let mut bench = Bench::plain();
    bench.data = bench.root.join("home/data");
    std::fs::create_dir_all(&bench.data).unwrap();
    bench.write("home/mine", "1");
    let seeing = bench.start();
    std::fs::write(bench.data.join("state.db"), "x").unwrap();
    bench.write("home/mine", "2");
    assert_eq!(bench.settled(&seeing), ["home/mine: \"1\" => \"2\""]);
}
