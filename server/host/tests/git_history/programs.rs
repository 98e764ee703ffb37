//! What the person has set up around commits is respected: who they are, hooks, signatures.

use augment_host::vcs::CommitError;
use augment_host::vcs::history::{History as _, HistoryError};

use crate::bench::{Bench, absent, change, file, intent};
use crate::script::write_script;

fn identities(bench: &Bench) -> String {
    bench.git(&["log", "-1", "--format=%an <%ae> %ad / %cn <%ce> %cd", "--date=raw"])
}

#[test]
fn author_and_committer_come_from_the_environment_and_the_configuration() {
    let mut bench = Bench::with(&["a=1\n"]);
    bench.git(&["config", "author.name", "Author"]);
    bench.git(&["config", "committer.email", "committer@example.org"]);
    bench.set("GIT_AUTHOR_DATE", "2026-02-21T12:57:13+02:00");
    bench.set("GIT_COMMITTER_DATE", "1771678633 -0330");
    bench.intent(1, &[file("a", "2\n")]);
    let expected = "Author <person@example.org> 1771671433 +0200 / Person <committer@example.org> 1771678633 -0330";
    assert_eq!(identities(&bench), expected);
    bench.set("GIT_AUTHOR_NAME", "Shell");
    bench.set("GIT_AUTHOR_EMAIL", "shell@example.org");
    bench.set("GIT_COMMITTER_NAME", "Other");
    bench.intent(2, &[file("a", "3\n")]);
    let expected = "Shell <shell@example.org> 1771671433 +0200 / Other <committer@example.org> 1771678633 -0330";
    assert_eq!(identities(&bench), expected);
    bench.set("GIT_AUTHOR_DATE", "never");
    let refused = bench.try_intent(3, &[file("a", "4\n")]);
    assert!(matches!(refused, Err(HistoryError::Refused { .. })), "{refused:?}");
}

#[test]
fn nobody_is_made_up() {
    let mut bench = Bench::with(&["a=1\n"]);
    let empty = bench.top().join(".git/empty");
    std::fs::write(&empty, "").unwrap();
    bench.set("GIT_CONFIG_GLOBAL", empty.to_str().unwrap());
    let before = bench.index();
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::NoIdentity))), "{refused:?}");
    assert_eq!(bench.index(), before);
}

#[test]
fn without_a_git_program_hooks_are_not_passed_over() {
    let mut bench = Bench::with(&["a=1\n"]);
    bench.hook("pre-commit", "exit 0");
    let path = bench.environment[0].1.clone();
    bench.set("PATH", "bin:/nowhere");
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::NoGit { .. })), "{refused:?}");
    bench.set("PATH", &path);
    assert_eq!(bench.status(), "");
}

#[test]
fn a_refusing_hook_says_why_and_nothing_is_changed() {
    for name in ["pre-commit", "prepare-commit-msg", "commit-msg"] {
        let bench = Bench::with(&["a=1\n", "b=1\n"]);
        bench.write("a", "2\n");
        bench.write("b", "staged\n");
        bench.git(&["add", "b"]);
        bench.write("b", "later\n");
        let (tip, status) = (bench.tip(), bench.status());
        bench.hook(name, "echo the tests are red >&2\nexit 1");
        let refused = bench.try_intent(1, &[file("a", "2\n"), file("new", "1\n")]);
        let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{name}: {refused:?}") };
        assert!(words.contains("the tests are red"), "{name}: {words}");
        assert_eq!((bench.tip(), bench.status()), (tip, status), "{name}");
        assert_eq!(bench.git(&["show", ":b"]), "staged", "{name}");
    }
}

#[test]
fn what_a_hook_left_running_does_not_hide_why_it_refused() {
    let bench = Bench::with(&["a=1\n"]);
    bench.hook("pre-commit", "sleep 600 & echo $! > .git/left\necho the tests are red >&2\nexit 1");
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    let left = std::fs::read_to_string(bench.top().join(".git/left")).unwrap();
    let left = rustix::process::Pid::from_raw(left.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(left, rustix::process::Signal::KILL).expect("it is still running");
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("the tests are red"), "{words}");
}

#[test]
fn every_hook_is_run_once_with_exactly_what_is_committed() {
    let bench = Bench::with(&["a=1\n", "b=1\n"]);
    let log = bench.top().join(".git/said");
    let said = log.display();
    bench.hook("pre-commit", &format!("echo pre-commit $(git diff --cached --name-only) >> {said}"));
    bench.hook("prepare-commit-msg", &format!("echo prepare-commit-msg $2 >> {said}"));
    bench.hook("commit-msg", &format!("echo commit-msg $(head -1 $1) >> {said}"));
    bench.hook("post-commit", &format!("echo post-commit $(git log -1 --format=%s) >> {said}\nexit 1"));
    bench.write("a", "2\n");
    bench.write("b", "staged\n");
    bench.git(&["add", "b"]);
    let made = bench.intent(1, &[file("a", "2\n")]);
    assert!(made.notes.is_empty(), "{:?}", made.notes);
    assert_eq!(made.commit.change, Some(change(1)));
    let told = std::fs::read_to_string(log).unwrap();
    assert_eq!(
        told,
        "pre-commit a\nprepare-commit-msg message\ncommit-msg intent: step 1\npost-commit intent: step 1\n"
    );
    assert_eq!(bench.status(), "M  b");
    bench.judge();
    // The taking back needs no hook.
    bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(bench.status(), " M a\nM  b");
}

#[test]
fn hooks_in_a_folder_of_the_persons_are_run_and_those_that_are_not_executable_are_not() {
    let bench = Bench::with(&["a=1\n", "hooks/pre-commit=#!/bin/sh\nexit 1\n"]);
    bench.git(&["config", "core.hooksPath", "hooks"]);
    bench.intent(1, &[file("a", "2\n")]);
    let hook = bench.top().join("hooks/pre-commit");
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let refused = bench.try_intent(2, &[file("a", "3\n")]);
    assert!(matches!(refused, Err(HistoryError::Refused { .. })), "{refused:?}");
}

#[test]
fn what_a_hook_changes_in_the_content_is_taken_back_and_refused() {
    for above in ["", "git commit -q -m above --allow-empty --no-verify"] {
        let bench = Bench::with(&["a=1\n", "gone=1\n"]);
        bench.hook("pre-commit", "echo formatted > a && git add a && echo more > added && git add added");
        let once = "[ -n \"$ONCE\" ] && exit\nexport ONCE=1";
        bench.hook("post-commit", &format!("{once}\n{above}"));
        bench.write("a", "2\n");
        std::fs::remove_file(bench.top().join("gone")).unwrap();
        let tip = bench.tip();
        let refused = bench.try_intent(1, &[file("a", "2\n"), absent("gone")]);
        let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{above}: {refused:?}") };
        assert!(words.contains("(a, added)"), "{words}");
        if above.is_empty() {
            assert!(words.contains("was taken back"), "{words}");
            assert_eq!((bench.tip(), bench.status().as_str()), (tip, " M a\n D gone\n?? added"));
        } else {
            // What somebody has put on it is not taken away.
            assert!(words.contains("Something stands on it already"), "{words}");
            assert_eq!(bench.git(&["log", "--format=%s"]), "above\nintent: step 1\nbegin");
        }
        bench.judge();
    }
}

#[test]
fn what_a_hook_changes_in_the_message_is_told() {
    let bench = Bench::with(&["a=1\n"]);
    bench.hook("commit-msg", "git interpret-trailers --in-place --trailer 'Ticket: 12' \"$1\"");
    bench.write("a", "2\n");
    let made = bench.intent(1, &[file("a", "2\n")]);
    assert_eq!(made.notes, ["A hook has changed the message of the commit."]);
    assert_eq!(made.commit.change, Some(change(1)));
    assert_eq!(bench.git(&["log", "-1", "--format=%(trailers:key=Ticket,valueonly)"]).trim(), "12");
    assert_eq!(bench.status(), "");
    bench.judge();
}

#[test]
fn a_commit_of_somebody_else_while_hooks_run_is_not_claimed() {
    // Of their own file alone, and of all that is staged, ours with it.
    for (how, status, content) in [("commit -q -m theirs b", " M a", "1"), ("commit -q -a -m theirs", "", "2")] {
        let bench = Bench::with(&["a=1\n", "b=1\n"]);
        let once = "[ -n \"$ONCE\" ] && exit\nexport ONCE=1\nunset GIT_INDEX_FILE";
        bench.hook("pre-commit", &format!("{once}\necho theirs > b && git {how}"));
        bench.write("a", "2\n");
        let tip = bench.tip().unwrap();
        let refused = bench.try_intent(1, &[file("a", "2\n")]);
        assert!(matches!(refused, Err(HistoryError::Moved { .. })), "{how}: {refused:?}");
        assert_eq!(bench.git(&["log", "--format=%s"]), "theirs\nbegin", "{how}");
        assert_eq!(bench.git(&["rev-parse", "HEAD~1"]), tip, "{how}");
        assert_eq!((bench.status().as_str(), bench.git(&["show", "HEAD:a"]).as_str()), (status, content), "{how}");
        bench.judge();
    }
}

#[test]
fn what_a_hook_commits_on_top_is_not_taken_for_the_intent() {
    for own in ["", "unset GIT_INDEX_FILE\n"] {
        let bench = Bench::with(&["a=1\n", "version=1\n", "staged=1\n"]);
        let once = "[ -n \"$ONCE\" ] && exit\nexport ONCE=1";
        bench.hook("post-commit", &format!("{once}\n{own}echo 2 > version && git commit -q -m bump version"));
        bench.write("a", "2\n");
        bench.write("staged", "2\n");
        bench.git(&["add", "staged"]);
        let tip = bench.tip().unwrap();
        let made = bench.intent(1, &[file("a", "2\n")]);
        assert_eq!((made.commit.change, made.commit.parents), (Some(change(1)), vec![tip]));
        assert_eq!(made.commit.id, bench.git(&["rev-parse", "HEAD~1"]));
        assert!(made.notes.len() == 1 && made.notes[0].ends_with("bump."), "{:?}", made.notes);
        assert_eq!(bench.status(), "M  staged", "{own}");
        bench.judge();
    }
}

#[test]
fn the_hook_for_messages_has_its_say_on_the_sessions_commit() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.intent(1, &[file("a", "2\n")]);
    bench.intent(2, &[file("a", "3\n")]);
    let plan = bench.plan(Some(&base));
    bench.hook("commit-msg", "echo no session commits here >&2\nexit 1");
    let refused = bench.history().synthesise(&plan);
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("no session commits here"), "{words}");
    assert_eq!(bench.tip().as_ref(), Some(&plan.tip));
    bench.hook("commit-msg", "git interpret-trailers --in-place --trailer 'Ticket: 12' \"$1\"");
    let made = bench.history().synthesise(&plan).unwrap();
    assert_eq!(made.notes.len(), 1);
    assert_eq!(made.commit.change, Some(change(1_000)));
    assert!(made.commit.message.contains("\nTicket: 12\n"), "{}", made.commit.message);
    assert_eq!(bench.history().find_synthesised(&plan).unwrap(), Some(made.commit));
}

const APPENDS: &str = "printf '\\nJira ticket ABC-1\\n' >> \"$1\"";
const TAKES_OUT: &str = "sed -i '/^Change-Id: /d' \"$1\"";

#[test]
fn a_commit_is_known_whatever_a_hook_did_to_its_message() {
    for (hook, known, word) in [(APPENDS, Some(change(1)), "no trailer"), (TAKES_OUT, None, "by its hash alone")] {
        let bench = Bench::with(&["a=1\n"]);
        let base = bench.tip().unwrap();
        bench.hook("commit-msg", hook);
        bench.write("a", "2\n");
        let made = bench.intent(1, &[file("a", "2\n")]);
        assert_eq!((made.commit.change.clone(), bench.tip()), (known, Some(made.commit.id.clone())));
        assert!(made.notes.len() == 1 && made.notes[0].contains(word), "{:?}", made.notes);
        assert_eq!(bench.status(), "");
        bench.write("a", "3\n");
        bench.intent(2, &[file("a", "3\n")]);
        let plan = bench.plan(Some(&base));
        let history = bench.history();
        let made = history.synthesise(&plan).unwrap();
        assert!(made.notes.len() == 1 && made.notes[0].contains(word), "{:?}", made.notes);
        // As a kill leaves it that comes before anybody was told.
        assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made.commit.clone()));
        assert_eq!(history.synthesise(&plan).unwrap().commit, made.commit);
        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(history.find_synthesised(&plan).unwrap(), None);
        bench.judge();
    }
}

#[test]
fn a_hook_that_takes_out_the_id_and_changes_the_content_is_refused_as_any_other() {
    let bench = Bench::with(&["a=1\n"]);
    bench.hook("commit-msg", TAKES_OUT);
    bench.hook("pre-commit", "echo formatted > a && git add a");
    bench.write("a", "2\n");
    let tip = bench.tip();
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("was taken back"), "{words}");
    assert_eq!((bench.tip(), bench.status().as_str()), (tip, " M a"));
}

/// What a hook keeps of the state in which a kill during it would leave everything; and its bringing back.
const KEEPS: &str = "mkdir -p .git/kept && cp -r .git/augment-* .git/kept/ && cp .git/index .git/kept/index";

fn as_killed(bench: &Bench, with_index: bool) {
    let script = format!(
        "cp -r .git/kept/augment-* .git/ && {} && rm -r .git/kept",
        if with_index { "cp .git/kept/index .git/index" } else { "true" }
    );
    let status = std::process::Command::new("sh").args(["-c", &script]).current_dir(bench.top()).status().unwrap();
    assert!(status.success());
}

fn left_behind(bench: &Bench) -> usize {
    let found = std::fs::read_dir(bench.top().join(".git")).unwrap().map(|entry| entry.unwrap().file_name());
    found.filter(|name| name.to_string_lossy().starts_with("augment-")).count()
}

#[test]
fn a_kill_during_a_hook_leaves_nothing_staged_and_nothing_behind() {
    let bench = Bench::with(&["a=1\n", "b=1\n", "gone=1\n"]);
    bench.write("a", "2\n");
    bench.write("b", "2\n");
    bench.git(&["add", "b"]);
    std::fs::remove_file(bench.top().join("gone")).unwrap();
    let status = bench.status();
    let parts = [file("a", "2\n"), file("b", "2\n"), absent("gone"), file("new", "1\n")];
    let wanted = intent(1, bench.tip(), &parts);
    bench.hook("pre-commit", &format!("{KEEPS}\nexit 1"));
    assert!(bench.history().commit(&wanted).is_err());
    assert_eq!((bench.status(), left_behind(&bench)), (status.clone(), 0));
    as_killed(&bench, true);
    assert_ne!(bench.status(), status);
    // While that git still runs nothing can be known.
    let folder = bench.top().join(".git").join(format!("augment-{}", change(1)));
    let running = std::fs::File::open(folder.join("running")).unwrap();
    running.lock().unwrap();
    let refused = bench.history().find_made(&wanted);
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("still run"), "{words}");
    // Not by closing it: a child that another test is just starting has it open too, until it runs its own program.
    running.unlock().unwrap();
    assert_eq!(bench.history().find_made(&wanted).unwrap(), None);
    assert_eq!((bench.status(), left_behind(&bench)), (status, 0));
    bench.judge();
}

#[test]
fn a_commit_without_its_id_is_found_after_a_kill() {
    let bench = Bench::with(&["a=1\n"]);
    bench.write("a", "2\n");
    let wanted = intent(1, bench.tip(), &[file("a", "2\n")]);
    bench.hook("commit-msg", TAKES_OUT);
    bench.hook("post-commit", KEEPS);
    let made = bench.history().commit(&wanted).unwrap();
    as_killed(&bench, false);
    let without_parts = intent(1, wanted.tip.clone(), &[]);
    assert_eq!(bench.history().find_made(&without_parts).unwrap(), Some(made.commit));
    assert_eq!((bench.status().as_str(), left_behind(&bench)), ("", 0));
    // Another commit on the same one is none of ours.
    std::fs::remove_file(bench.top().join(".git/hooks/post-commit")).unwrap();
    let other = intent(2, bench.tip(), &[file("a", "3\n")]);
    bench.git(&["commit", "-q", "--allow-empty", "-m", "other"]);
    assert_eq!(bench.history().find_made(&other).unwrap(), None);
}

#[test]
fn messages_are_written_in_utf_8_whatever_is_set_for_typed_ones() {
    for signed in [false, true] {
        let bench = Bench::with(&["a=1\n"]);
        let base = bench.tip().unwrap();
        bench.git(&["config", "i18n.commitEncoding", "ISO-8859-1"]);
        if signed {
            signing(&bench);
        } else {
            bench.hook("pre-commit", "exit 0");
        }
        let mut wanted = intent(1, bench.tip(), &[file("a", "2\n")]);
        wanted.message = "intent: größer ♓︎".to_owned();
        bench.history().commit(&wanted).unwrap();
        let plan = bench.plan(Some(&base));
        let check = |title: &str| {
            let raw = bench.git(&["-c", "i18n.logOutputEncoding=UTF-8", "cat-file", "commit", "HEAD"]);
            assert!(!raw.contains("\nencoding ") && raw.contains(title), "{raw}");
        };
        check("intent: größer ♓︎");
        bench.history().synthesise(&plan).unwrap();
        check("♓︎.5.4.47 5919AM");
    }
}

#[test]
fn configuration_for_some_repositories_only_counts_as_git_says() {
    let mut bench = Bench::with(&["a=1\n"]);
    let keys = bench.home().join("keys");
    std::fs::create_dir(&keys).unwrap();
    let top = bench.top().canonicalize().unwrap();
    for (condition, remote) in
        [(format!("gitdir:{}/", top.display()), false), ("hasconfig:remote.*.url:https://corp/**".to_owned(), true)]
    {
        let global = keys.join(if remote { "by-remote" } else { "by-folder" });
        let work = keys.join("work");
        std::fs::write(&work, "[user]\n\temail = work@corp\n[core]\n\thooksPath = work-hooks\n").unwrap();
        let text = format!(
            "[user]\n\tname = Person\n\temail = private@home\n[includeIf \"{condition}\"]\n\tpath = {}\n",
            work.display()
        );
        std::fs::write(&global, text).unwrap();
        if remote {
            bench.git(&["remote", "add", "origin", "https://corp/x"]);
        }
        bench.set("GIT_CONFIG_GLOBAL", global.to_str().unwrap());
        let said = bench.git(&["var", "GIT_AUTHOR_IDENT"]);
        assert!(said.starts_with("Person <work@corp>"), "{condition}: {said}");
        bench.intent(if remote { 2 } else { 1 }, &[file("a", if remote { "3\n" } else { "2\n" })]);
        assert_eq!(bench.git(&["log", "-1", "--format=%ae %ce"]), "work@corp work@corp", "{condition}");
    }
    let hooks = bench.top().join("work-hooks");
    std::fs::create_dir(&hooks).unwrap();
    write_script(&hooks.join("pre-commit"), "#!/bin/sh\nexit 1\n", 0o755);
    let refused = bench.try_intent(3, &[file("a", "4\n")]);
    assert!(matches!(refused, Err(HistoryError::Refused { .. })), "{refused:?}");
    // Nobody can be asked: that is told.
    let path = bench.environment[0].1.clone();
    bench.set("PATH", "/nowhere");
    let made = bench.intent(3, &[file("a", "4\n")]);
    bench.set("PATH", &path);
    assert!(made.notes.len() == 1 && made.notes[0].contains("includeIf"), "{:?}", made.notes);
}

#[test]
fn a_hook_that_lets_no_branch_move_is_heard() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.write("a", "2\n");
    bench.hook("reference-transaction", "cat > /dev/null");
    bench.intent(1, &[file("a", "2\n")]);
    bench.write("a", "3\n");
    bench.intent(2, &[file("a", "3\n")]);
    bench.write("a", "4\n");
    let plan = bench.plan(Some(&base));
    let (tip, status) = (bench.tip(), bench.status());
    bench.hook("reference-transaction", "[ \"$1\" = prepared ] || exit 0\necho the branch is frozen >&2\nexit 1");
    for refused in [
        bench.try_intent(3, &[file("a", "4\n")]).map(drop),
        bench.history().synthesise(&plan).map(drop),
        bench.history().take_back_commit(&plan.tip, &plan.commits[0], &[]),
    ] {
        let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
        assert!(words.contains("the branch is frozen"), "{words}");
        assert_eq!((bench.tip(), bench.status()), (tip.clone(), status.clone()));
    }
    bench.hook("reference-transaction", "cat > /dev/null");
    let made = bench.history().synthesise(&plan).unwrap();
    assert_eq!((bench.tip(), bench.status()), (Some(made.commit.id), status));
    assert_eq!(bench.git(&["reflog", "-1", "--format=%gs", "main"]), "session: what was asked");
    bench.git(&["checkout", "-q", "--detach"]);
    bench.intent(3, &[file("a", "4\n")]);
    bench.judge();
}

#[test]
fn a_hook_that_lets_no_branch_move_is_heard_also_before_the_first_commit_goes() {
    let bench = Bench::unborn();
    bench.write("a", "1\n");
    let made = bench.intent(1, &[file("a", "1\n")]);
    let status = bench.status();
    bench.hook("reference-transaction", "[ \"$1\" = prepared ] || exit 0\necho the branch is frozen >&2\nexit 1");
    let take_back = || bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged);
    let refused = take_back();
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("the branch is frozen"), "{words}");
    assert_eq!((bench.tip(), bench.status()), (Some(made.commit.id.clone()), status));
    let asked = bench.top().join(".git/asked");
    bench.hook("reference-transaction", &format!("[ \"$1\" = prepared ] && cat >> {}\nexit 0", asked.display()));
    take_back().unwrap();
    assert_eq!((bench.tip(), bench.status().as_str()), (None, "?? a"));
    let asked = std::fs::read_to_string(asked).unwrap();
    let gone = format!("{} {} refs/heads/main", made.commit.id, "0".repeat(40));
    assert!(asked.lines().any(|line| line == gone), "{asked}");
}

/// A key to sign with, and who may have signed.
fn signing(bench: &Bench) {
    let keys = bench.home().join("keys");
    std::fs::create_dir(&keys).unwrap();
    let key = keys.join("id");
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "person@example.org", "-f"])
        .arg(&key)
        .status()
        .unwrap();
    assert!(made.success());
    let public = std::fs::read_to_string(key.with_extension("pub")).unwrap();
    std::fs::write(keys.join("allowed"), format!("person@example.org {public}")).unwrap();
    for (name, value) in [
        ("gpg.format", "ssh"),
        ("user.signingKey", key.to_str().unwrap()),
        ("gpg.ssh.allowedSignersFile", keys.join("allowed").to_str().unwrap()),
        ("commit.gpgsign", "true"),
    ] {
        bench.git(&["config", name, value]);
    }
}

#[test]
fn commits_are_signed_where_the_person_signs_them() {
    let bench = Bench::with(&["a=1\n"]);
    signing(&bench);
    let base = bench.tip().unwrap();
    bench.write("a", "2\n");
    bench.intent(1, &[file("a", "2\n")]);
    bench.git(&["verify-commit", "HEAD"]);
    // With a hook git itself signs.
    bench.hook("pre-commit", "exit 0");
    bench.write("a", "3\n");
    let second = bench.intent(2, &[file("a", "3\n")]);
    bench.git(&["verify-commit", "HEAD"]);
    assert_eq!(second.commit.change, Some(change(2)));
    assert_eq!(bench.status(), "");
    let made = bench.history().synthesise(&bench.plan(Some(&base))).unwrap();
    bench.git(&["verify-commit", &made.commit.id]);
    assert_eq!(bench.git(&["log", "-1", "--format=%(trailers:key=Change-Id,valueonly)"]).trim(), change(1_000));
    bench.judge();
}

#[test]
fn what_cannot_be_signed_is_not_committed() {
    for hooked in [false, true] {
        let bench = Bench::with(&["a=1\n"]);
        signing(&bench);
        bench.git(&["config", "user.signingKey", bench.home().join("keys/none").to_str().unwrap()]);
        if hooked {
            bench.hook("pre-commit", "exit 0");
        }
        bench.write("a", "2\n");
        let (tip, status) = (bench.tip(), bench.status());
        let refused = bench.try_intent(1, &[file("a", "2\n")]);
        let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
        assert!(words.contains("keys/none"), "{words}");
        assert_eq!((bench.tip(), bench.status()), (tip, status));
    }
}
