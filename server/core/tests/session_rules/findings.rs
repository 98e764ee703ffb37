//! What the scan finds stops the approval of its hunk, whoever approves, until a person has looked at it; and nothing that is
//! kept anywhere holds the value.

use crate::script::Desk;

/// In two parts, so that it does not look live in the repository.
const KEY: &str = concat!("let key = \"gh", "p_9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt\";");
const OTHER: &str = concat!("let other = \"gh", "p_4TzW8vBn3YcJ6hSd1GpEaUo5Xt9fK2mQ7xLr\";");
const SECRETS: [&str; 2] = ["9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt", "4TzW8vBn3YcJ6hSd1GpEaUo5Xt9fK2mQ7xLr"];

/// After a run has begun; `KEY` and `OTHER` stand for tokens. What is kept afterwards holds neither.
fn play(script: &str) -> Desk {
    let mut desk = Desk::planned();
    let script = format!("start\n confirm\n claim a1\n claim a2\n {script}");
    desk.play(&script.replace("KEY", KEY).replace("OTHER", OTHER));
    let kept = desk.everything_kept();
    for secret in SECRETS {
        assert!(!kept.contains(secret), "a value is kept after\n{script}");
    }
    desk
}

const FOUND: &str = "base src/a.rs: one
                     a1 writes src/a.rs: one / KEY -> working
                     records -> file.changed, scan.found\n";

#[test]
fn s9_a_hunk_with_a_finding_is_not_approved_until_it_is_acknowledged_with_a_reason() {
    play(&format!(
        "{FOUND}
         ada approves hunk 1    -> refused findings
         ada approves src/a.rs  -> refused findings
         ada approves task a1   -> refused findings
         acknowledge hunk 1 because -> refused empty-text
         pending                -> src/a.rs by a1
         acknowledge hunk 1 because it is a sample
         records                -> scan.acknowledged
         acknowledge hunk 1 because once more -> refused nothing-found
         ada approves hunk 1    -> working; 1 decided
         pending                -> nothing"
    ));
    play(&format!("{FOUND} ada rejects hunk 1\n read src/a.rs -> one"));
    // In a file that is new, and in one that replaces another's lines.
    play("a1 writes src/n.rs: one / KEY\n ada approves src/n.rs -> refused findings");
    play("base src/a.rs: one / two\n a1 writes src/a.rs: KEY / two\n ada approves all -> refused findings");
    play("a1 writes src/a.rs: one\n acknowledge hunk 1 because nothing is there -> refused nothing-found");
}

#[test]
fn s9_approving_in_bulk_leaves_it_out_and_says_so() {
    play(&format!(
        "{FOUND}
         a1 writes src/b.rs: plain
         ada approves all -> working; 1 decided; not src/a.rs
         pending          -> src/a.rs by a1"
    ));
    // Other hunks of the same file are approved.
    play(
        "base src/a.rs: 1 / 2 / 3 / 4 / 5 / 6
         a1 writes src/a.rs: one / 2 / 3 / 4 / 5 / KEY
         ada approves src/a.rs -> working; 1 decided; not src/a.rs
         pending               -> src/a.rs by a1
         ada approves src/a.rs -> refused findings",
    );
}

#[test]
fn s9_what_was_acknowledged_is_what_was_looked_at_and_no_more() {
    play(&format!(
        "{FOUND}
         acknowledge hunk 1 because it is a sample
         a1 writes src/a.rs: one / KEY / OTHER
         ada approves all -> refused findings"
    ));
    play(&format!(
        "{FOUND}
         acknowledge hunk 1 because it is a sample
         a1 writes src/a.rs: one / OTHER
         ada approves all -> refused findings"
    ));
}

#[test]
fn s9_a_list_lets_a_rule_or_a_kind_pass_below_a_path_until_a_day() {
    for (allow, came) in [
        ("allow github-token src/** until 2026-03-01", "working; 1 decided"),
        ("allow credential src/** until 2026-03-01", "working; 1 decided"),
        ("allow credential src/a.rs until 2026-02-28", "working; 1 decided"),
        ("allow slack-token src/** until 2026-03-01", "refused findings"),
        ("allow personal-data src/** until 2026-03-01", "refused findings"),
        ("allow github-token docs/** until 2026-03-01", "refused findings"),
    ] {
        play(&format!("{FOUND} {allow} because samples\n ada approves all -> {came}"));
        play(&format!("{allow} because samples\n a1 writes src/a.rs: one / KEY\n ada approves all -> {came}"));
    }
    play(&format!(
        "{FOUND}
         allow github-token src/** until 2026-03-01 because samples
         today 2026-03-02
         ada approves all -> refused findings
         today 2026-03-01
         disallow 1
         disallow 1       -> refused unknown-allowed
         ada approves all -> refused findings"
    ));
    play(
        "allow github-token src/** until 2026-02-27 because samples -> refused bad-date
         allow github-token src/** until tomorrow because samples   -> refused bad-date
         allow nonsense src/** until 2026-03-01 because samples     -> refused unknown-rule
         allow github-token src/** until 2026-03-01 because         -> refused empty-text",
    );
}

#[test]
fn s9_an_allow_comment_counts_only_where_whoever_wrote_the_value_did_not_write_it() {
    play(
        "base src/a.rs: one / // augment: allow github-token a sample
         a1 writes src/a.rs: one / // augment: allow github-token a sample / KEY
         ada approves all -> working; 1 decided",
    );
    play(
        "base src/a.rs: one
         a1 writes src/a.rs: one / // augment: allow github-token a sample / KEY
         ada approves all -> refused findings",
    );
    play("a1 writes src/a.rs: KEY // augment: allow github-token a sample\n ada approves all -> refused findings");
    // Nor one that another run wrote and nobody has approved.
    play(
        "base src/a.rs: one
         a1 writes src/a.rs: one / // augment: allow github-token a sample
         a2 writes src/a.rs: one / // augment: allow github-token a sample / KEY
         ada approves task a2 -> refused findings
         ada approves task a1
         ada approves task a2 -> working; 1 decided",
    );
    // A person's own comment counts.
    play(
        "ada saves src/a.rs: one / // augment: allow github-token a sample
         a1 writes src/a.rs: one / // augment: allow github-token a sample / KEY
         ada approves all -> working; 1 decided",
    );
}

#[test]
fn s9_neither_a_policy_nor_a_commit_approves_it() {
    play(
        "policy approve **
         a1 writes src/a.rs: one / KEY
         pending -> src/a.rs by a1
         a1 writes src/b.rs: plain
         pending -> src/a.rs by a1
         finish a1 completed
         finish a2 completed
         wait 10s
         commit src/a.rs
         pending -> src/a.rs by a1",
    );
    // What was acknowledged may be committed.
    play(
        "a1 writes src/a.rs: one / KEY
         acknowledge hunk 1 because it is a sample
         finish a1 completed
         finish a2 completed
         wait 10s
         commit src/a.rs
         pending -> nothing",
    );
}

#[test]
fn s9_saying_that_it_is_ones_own_is_no_way_around_it() {
    play(&format!(
        "{FOUND}
         assign src/a.rs -> refused findings
         acknowledge hunk 1 because it is a sample
         assign src/a.rs -> working"
    ));
}

#[test]
fn s9_no_record_and_no_report_holds_the_value() {
    let desk = play(&format!(
        "{FOUND}
         ada approves all -> refused findings
         acknowledge hunk 1 because it is a sample
         ada approves all
         a2 writes src/b.rs: OTHER
         finish a1 completed
         finish a2 completed
         end
         written -> ended; comprehensive"
    ));
    assert!(desk.everything_kept().contains("scan.acknowledged"), "what is searched is what was kept");
}

#[test]
fn s9_an_approval_that_is_brought_back_is_held_to_what_holds_now() {
    play(&format!(
        "{FOUND}
         allow github-token src/** until 2026-03-01 because samples
         ada approves all -> working; 1 decided
         undo
         disallow 1
         redo    -> refused findings
         pending -> src/a.rs by a1
         acknowledge hunk 1 because it is a sample
         redo
         pending -> nothing"
    ));
    // A rejection is brought back whatever is in it.
    play(&format!("{FOUND} ada rejects all\n undo\n redo\n read src/a.rs -> one"));
}

#[test]
fn s9_what_people_and_agents_say_is_kept_without_the_value() {
    let desk = play(
        "a1 needs docs/a because the key is KEY
         a1 discovers Rotate KEY
         a1 writes src/b.rs: OTHER
         acknowledge hunk 1 because it is OTHER
         allow github-token src/** until 2026-03-01 because it is OTHER
         finish a1 completed
         finish a2 completed
         answer q1 no
         decides we keep KEY
         written -> ended; comprehensive",
    );
    let kept = desk.everything_kept();
    for kind in ["scope.left", "task.added", "scan.acknowledged", "scan.allowed", "[github-token]"] {
        assert!(kept.contains(kind), "{kind} is among what was kept");
    }
}
