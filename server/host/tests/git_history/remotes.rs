//! Remotes: asked, told, never forced, and what they refuse is sorted out.

use augment_host::vcs::history::{History as _, HistoryError, Remote};

use crate::bench::{Bench, file};
use crate::script::write_script;

/// A bare repository that is the remote `origin`, with the branch `main`.
fn with_remote() -> (Bench, tempfile::TempDir) {
    let bench = Bench::with(&["a=1\n"]);
    let remote = tempfile::tempdir().unwrap();
    let place = remote.path().to_str().unwrap();
    bench.git(&["init", "-q", "--bare", place]);
    bench.git(&["remote", "add", "origin", place]);
    bench.git(&["push", "-q", "origin", "main"]);
    (bench, remote)
}

#[test]
fn a_commit_is_brought_to_a_branch_and_asked_for() {
    let (bench, _remote) = with_remote();
    let history = bench.history();
    let base = bench.tip().unwrap();
    assert_eq!(history.remote("origin", "main").unwrap(), Remote::At(base));
    assert_eq!(history.remote("origin", "other").unwrap(), Remote::NoBranch);
    assert_eq!(history.remote("nobody", "main").unwrap(), Remote::NoRemote);
    assert_eq!(history.remote("--upload-pack=x", "main").unwrap(), Remote::NoRemote);
    let made = bench.intent(1, &[file("a", "2\n")]).commit;
    for branch in ["main", "other"] {
        history.push("origin", branch, &made.id).unwrap();
        assert_eq!(history.remote("origin", branch).unwrap(), Remote::At(made.id.clone()));
        // Told again, it is there already.
        history.push("origin", branch, &made.id).unwrap();
    }
    assert_eq!(bench.git(&["rev-parse", "origin/main"]), made.id);
    let before = made.parents[0].clone();
    let refused = history.take_back_commit(&made.id, &before, &[]);
    assert!(matches!(refused, Err(HistoryError::Pushed { .. })), "{refused:?}");
}

#[test]
fn a_remote_that_has_moved_is_not_written_over() {
    let (bench, remote) = with_remote();
    let other = tempfile::tempdir().unwrap();
    let clone = other.path().join("clone");
    let clone = clone.to_str().unwrap();
    bench.git(&["clone", "-q", remote.path().to_str().unwrap(), clone]);
    bench.git(&["-C", clone, "commit", "-q", "--allow-empty", "-m", "theirs"]);
    bench.git(&["-C", clone, "push", "-q", "origin", "main"]);
    let theirs = bench.git(&["-C", clone, "rev-parse", "HEAD"]);
    let made = bench.intent(1, &[file("a", "2\n")]).commit;
    // Unknown here, and then known.
    for fetched in [false, true] {
        if fetched {
            bench.git(&["fetch", "-q", "origin"]);
        }
        let refused = bench.history().push("origin", "main", &made.id);
        let Err(HistoryError::RemoteMoved { found, .. }) = &refused else { panic!("{refused:?}") };
        assert_eq!(found, &theirs);
    }
    assert_eq!(bench.history().remote("origin", "main").unwrap(), Remote::At(theirs));
}

#[test]
fn what_the_remote_says_is_told() {
    let (bench, remote) = with_remote();
    let hook = remote.path().join("hooks/pre-receive");
    write_script(&hook, "#!/bin/sh\necho main is closed today >&2\nexit 1\n", 0o755);
    let made = bench.intent(1, &[file("a", "2\n")]).commit;
    let refused = bench.history().push("origin", "main", &made.id);
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("main is closed today"), "{words}");
}

#[test]
fn who_cannot_be_asked_and_what_has_no_name_are_told_apart() {
    let (bench, _remote) = with_remote();
    bench.git(&["remote", "add", "away", "/nowhere/at/all"]);
    let made = bench.intent(1, &[file("a", "2\n")]).commit;
    let history = bench.history();
    let asked = history.remote("away", "main");
    assert!(matches!(asked, Err(HistoryError::Failed { .. })), "{asked:?}");
    let pushed = history.push("away", "main", &made.id);
    assert!(matches!(pushed, Err(HistoryError::Failed { .. })), "{pushed:?}");
    let unknown = history.push("nobody", "main", &made.id);
    assert!(matches!(unknown, Err(HistoryError::Refused { .. })), "{unknown:?}");
    let bad = history.push("origin", "no..such", &made.id);
    assert!(matches!(bad, Err(HistoryError::Refused { .. })), "{bad:?}");
    let unborn = history.push("origin", "main", &"1".repeat(40));
    assert!(matches!(unborn, Err(HistoryError::Unknown { .. })), "{unborn:?}");
}

#[test]
fn a_branch_that_only_the_remote_has_is_found_by_its_name() {
    let (bench, _remote) = with_remote();
    let base = bench.tip().unwrap();
    bench.git(&["checkout", "-q", "--detach"]);
    bench.git(&["branch", "-D", "main"]);
    let history = bench.history();
    for name in ["main", "origin/main"] {
        assert_eq!(history.lineage(Some(name), 1).unwrap()[0].id, base, "{name}");
        assert_eq!(history.remote("origin", name).unwrap(), Remote::At(base.clone()), "{name}");
    }
    let unknown = history.lineage(Some("nothing"), 1);
    assert!(matches!(unknown, Err(HistoryError::Unknown { .. })), "{unknown:?}");
    // Two remotes that disagree are no answer, unless one is origin.
    let made = bench.intent(1, &[file("a", "2\n")]).commit;
    for (remote, at) in [("one", &base), ("two", &made.id)] {
        bench.git(&["remote", "add", remote, "/nowhere"]);
        bench.git(&["update-ref", &format!("refs/remotes/{remote}/main"), at]);
        bench.git(&["update-ref", &format!("refs/remotes/{remote}/side"), at]);
    }
    assert_eq!(history.lineage(Some("main"), 1).unwrap()[0].id, base);
    let unknown = history.lineage(Some("side"), 1);
    assert!(matches!(unknown, Err(HistoryError::Unknown { .. })), "{unknown:?}");
    assert_eq!(history.lineage(Some("two/side"), 1).unwrap()[0].id, made.id);
    // A branch of here that is called so is that.
    bench.git(&["branch", "origin/main", &made.id]);
    assert_eq!(history.remote("origin", "origin/main").unwrap(), Remote::NoBranch);
}
