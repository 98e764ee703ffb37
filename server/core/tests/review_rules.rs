//! The rules of review, one requirement at a time, as scripts. A line says what happens or orders something, and after
//! `->` what comes of it; without that it must not be refused. The language is in `review_rules/script.rs`.

#[path = "review_rules/script.rs"]
mod script;

use augment_core::simulation::Backend;
use script::{Came, Desk};

#[test]
fn t2_each_change_has_an_author_and_only_a_runs_waits() {
    play(
        "base f: one / two
         start a1
         a1 writes f: one / TWO
         who f   -> base, a1?
         ada saves f: zero / one / TWO
         f: zero / one / TWO
         who f   -> ada, base, a1?
         f vcs: zero / one / TWO / four
         who f   -> ada, base, a1?, vcs
         f unsaved: zero / one / TWO / four / five
         who f   -> ada, base, a1?, vcs, unknown?
         f gap: zero / one / TWO / four / five / six
         who f   -> ada, base, a1?, vcs, unknown?, unknown?
         pending -> f +1 -1 by a1; f +2 -0 by unknown",
    );
}

#[test]
fn t2_without_a_word_the_only_run_is_taken_for_the_author_and_of_two_nobody() {
    play(
        "base f: one
         f: one / two
         who f -> base, unknown
         start a1
         f: one / two / three
         who f -> base, unknown, a1?
         start a2
         f: one / two / three / four
         who f -> base, unknown, a1?, unknown?
         end a1
         end a2
         f: one / two / three / four / five
         who f -> base, unknown, a1?, unknown?, unknown?
         wait 6s
         f: one / two / three / four / five / six
         who f -> base, unknown, a1?, unknown?, unknown?, unknown",
    );
}

#[test]
fn t2_a_word_about_the_path_alone_ends_sooner() {
    let two = "base f: one\n start a1\n start a2\n a2 says f\n";
    play(&format!("{two} f: one / two\n who f -> base, a2?"));
    play(&format!("{two} wait 10s\n f: one / two\n who f -> base, a2?"));
    play(&format!("{two} wait 11s\n f: one / two\n who f -> base, unknown?"));
    let with_content = "base f: one\n start a1\n start a2\n a2 says f: one / two\n";
    play(&format!("{with_content} wait 60s\n f: one / two\n who f -> base, a2?"));
    play(&format!("{with_content} wait 61s\n f: one / two\n who f -> base, unknown?"));
    // A word about other content says nothing about this.
    play(&format!("{with_content} f: one / three\n who f -> base, unknown?"));
}

#[test]
fn t2_a_word_given_late_still_counts() {
    let seen = "base f: one\n start a1\n f: one / two\n who f -> base, a1?\n";
    play(&format!("{seen} wait 10s\n ada saves f: one / two\n who f -> base, ada\n pending -> nothing"));
    play(&format!("{seen} wait 11s\n ada saves f: one / two\n who f -> base, a1?"));
    // Told late, it speaks of then.
    play(&format!("{seen} wait 30m\n ada saved f 30m ago: one / two\n who f -> base, ada\n pending -> nothing"));
    play(&format!("{seen} wait 30m\n ada saved f 29m ago: one / two\n who f -> base, a1?"));
    play(&format!("{seen} ada saves f: one / three\n who f -> base, a1?"));
    play("base f: one\n start a1\n start a2\n f: one / two\n a2 says f: one / two\n who f -> base, a2?");
    // What was declared stays so.
    play("base f: one\n start a1\n a1 writes f: one / two\n ada saves f: one / two\n who f -> base, a1?");
}

#[test]
fn t2_a_save_that_takes_a_runs_line_back_is_the_persons_whenever_it_is_told() {
    let begun = "base f: one / two / three / end\n start a1\n a1 writes f: one / TWO / three / end / five\n";
    let saves = "ada saves f: one / two / three / end / five\n";
    let looks = "f: one / two / three / end / five\n";
    for order in [format!("{saves}{looks}"), format!("{looks}{saves}"), format!("{looks}wait 9s\n{saves}")] {
        play(&format!(
            "{begun}{order}
             pending -> f +1 -0 by a1
             who f   -> base, base, base, base, a1?
             undo -> d2: 1 decided, 1 to write
             read f  -> one / TWO / three / end / five
             redo
             read f  -> one / two / three / end / five
             pending -> f +1 -0 by a1"
        ));
    }
    // Once somebody has decided about it since, it stays as it was.
    play(&format!("{begun}{looks}ada approves all\n{saves}who f -> base, base, base, base, a1"));
}

#[test]
fn t2_a_save_and_a_write_in_one_look_are_two_steps() {
    play(
        "base f: one
         start a1
         ada saves f: ada / one
         f: ada / one / goose
         who f   -> ada, base, a1?
         ada rejects all -> d1: 1 decided, 1 to write
         read f  -> ada / one",
    );
    // The saved line is gone from the disk, not from the story: it comes back when the run's part is rejected.
    play(
        "base f: one
         start a1
         ada saves f: ada / one
         f: goose / one
         pending -> f +1 -1 by a1
         ada rejects all
         read f  -> ada / one",
    );
    // Also where the run said what it writes.
    play(
        "base f: one
         start a1
         ada saves f: ada / one
         a1 writes f: goose / one
         pending -> f +1 -1 by a1
         ada rejects all
         read f  -> ada / one",
    );
}

#[test]
fn t2_what_a_program_in_the_editor_applied_is_the_runs_if_there_is_one() {
    play("base f: one\n a program saves f: two\n f: two\n who f -> ada");
    play("base f: one\n start a1\n a program saves f: two\n f: two\n who f -> a1?");
    play("base f: one\n start a1\n start a2\n a program saves f: two\n f: two\n who f -> unknown?");
}

#[test]
fn t3_a_file_nobody_knows_is_tracked_from_what_is_there() {
    play("start a1\n f unknown base: one\n who f -> base\n pending -> nothing\n f: one / two\n who f -> base, a1?");
}

#[test]
fn r1_r2_decisions_by_hunk_file_task_run_and_all() {
    let two = "base f: 1 / 2 / 3 / 4 / 5
               base g: x
               start a1
               start a2
               a1 writes f: one / 2 / 3 / 4 / 5
               a2 writes f: one / 2 / 3 / 4 / five
               a2 writes g: X\n";
    for (order, f, g, left) in [
        ("rejects hunk 1", "1 / 2 / 3 / 4 / five", "X", "f +1 -1 by a2; g +1 -1 by a2"),
        ("rejects hunk 2", "one / 2 / 3 / 4 / 5", "X", "f +1 -1 by a1; g +1 -1 by a2"),
        ("rejects f", "1 / 2 / 3 / 4 / 5", "X", "g +1 -1 by a2"),
        ("rejects task a2", "one / 2 / 3 / 4 / 5", "x", "f +1 -1 by a1"),
        ("rejects run a2.1", "one / 2 / 3 / 4 / 5", "x", "f +1 -1 by a1"),
        ("rejects f task a2", "one / 2 / 3 / 4 / 5", "X", "f +1 -1 by a1; g +1 -1 by a2"),
        ("rejects all", "1 / 2 / 3 / 4 / 5", "x", "nothing"),
        ("approves hunk 3", "one / 2 / 3 / 4 / five", "X", "f +1 -1 by a1; f +1 -1 by a2"),
        ("approves all", "one / 2 / 3 / 4 / five", "X", "nothing"),
    ] {
        play(&format!("{two} ada {order}\n read f -> {f}\n read g -> {g}\n pending -> {left}"));
    }
    play(&format!("{two} ada approves all -> d1: 3 decided, 0 to write"));
    play("start a1\n start a2\n f: one\n a1 writes g: two\n ada rejects unknown\n read f -> -\n read g -> two");
}

#[test]
fn r8_created_deleted_renamed_and_chmodded_files_come_back_and_go() {
    play(
        "base f: one
         start a1
         a1 writes g: new
         f: -
         pending -> f deleted by a1; g created by a1
         ada rejects all -> d1: 2 decided, 2 to write
         read f -> one
         read g -> -
         undo   -> d2: 2 decided, 2 to write
         read f -> -
         read g -> new",
    );
    play(
        "base f: one
         start a1
         g from f: one / two
         pending -> g renamed from f by a1; g +1 -0 by a1
         ada rejects hunk 1 -> d1: 1 decided, 1 to write
         read g -> -
         read f -> one / two
         pending -> f +1 -0 by a1",
    );
    play(
        "base f: one
         start a1
         f mode 755: one
         pending -> f mode 644 to 755 by a1
         ada rejects all
         read f  -> one",
    );
    play(
        "base f: one
         start a1
         f link: a/b
         pending -> f replaced by a1
         ada rejects all
         read f  -> one",
    );
}

const TANGLED: &str = "base f: one / two
                       start a1
                       a1 writes f: one / A / B / two
                       ada saves f: one / A / mine / B / two
                       f: one / A / mine / B / two\n";

#[test]
fn r3_what_is_entangled_is_shown_first_and_the_yes_is_for_that_alone() {
    refused(
        TANGLED,
        "ada rejects all",
        "entangled",
        "The work of ada is entangled with what you reject in 1 file. Look at the result first, then say yes to it.",
    );
    play(&format!("{TANGLED} ada looks, rejects all\n ada rejects all, yes\n read f -> one / mine / two"));
    // Approving takes nothing out, so nothing is asked.
    play(&format!("{TANGLED} ada approves all -> d1: 1 decided, 0 to write"));
    refused(
        &format!("{TANGLED} ada looks, rejects all\n f: one / A / mine / B / two / more"),
        "ada rejects all, yes",
        "shown-otherwise",
        "The result is no longer what was shown. Look at it again, then say yes to that.",
    );
    // A yes to approving is none to rejecting.
    play(&format!("{TANGLED} ada looks, approves all\n ada rejects all, yes -> refused shown-otherwise"));
}

#[test]
fn r6_control_files_ask_in_a_sweep_and_not_by_name() {
    let swept = "start a1\n a1 writes .vscode/tasks.json: x\n a1 writes f: y\n";
    refused(
        swept,
        "ada approves all",
        "control-files",
        "Among these are files that steer editors, agents, hooks or CI. Look at them first, then say yes, or \
         approve them by file.",
    );
    play(&format!("{swept} ada approves task a1 -> refused control-files"));
    play(&format!("{swept} ada looks, approves all\n ada approves all, yes -> d1: 2 decided, 0 to write"));
    play(&format!("{swept} ada approves .vscode/tasks.json -> d1: 1 decided, 0 to write"));
    play(&format!("{swept} ada approves hunk 1 -> d1: 1 decided, 0 to write"));
    play(&format!("{swept} ada rejects all -> d1: 2 decided, 2 to write"));
    // Everything as it was listed is everything still.
    play(&format!("{swept} ada approves all hunk 1 hunk 2 -> refused control-files"));
}

#[test]
fn r6_a_yes_to_everything_as_it_was_listed_is_to_nothing_else() {
    let listed = "start a1\n a1 writes f: one\n a1 writes g: one\n";
    play(&format!("{listed} a1 writes h: one\n ada approves all hunk 1 hunk 2 -> d1: 2 decided, 0 to write"));
    play(&format!("{listed} a1 writes h: one\n ada rejects all hunk 1 hunk 2 -> d1: 2 decided, 2 to write"));
}

#[test]
fn r6_two_people_approve_where_two_must() {
    let law = "policy second law/**\n start a1\n a1 writes law/f: one\n";
    play(&format!(
        "{law} ada approves all -> d1: 0 decided, 0 to write, 1 half
         pending -> law/f created by a1
         bo approves all -> d2: 1 decided, 0 to write
         pending -> nothing"
    ));
    // The first approval can be taken back, and that, too.
    play(&format!(
        "{law} ada approves all
         undo -> d2: 1 decided, 0 to write
         bo approves all -> d3: 0 decided, 0 to write, 1 half
         redo d2 -> d4: 1 decided, 0 to write
         ada approves all -> d5: 1 decided, 0 to write"
    ));
    // What the same person has approved before is left out where there is more.
    play(&format!(
        "{law} ada approves all
         a1 writes law/g: two
         ada approves task a1 -> d2: 0 decided, 0 to write, 1 half
         bo approves all -> d3: 2 decided, 0 to write"
    ));
    let mut desk = Desk::new();
    desk.play(&format!("{law} ada approves law/f"));
    let hunk = desk.hunks()[0].1.id;
    let sentence = format!("You have approved {hunk} already. It needs the approval of somebody else, too.");
    assert_eq!(desk.obey("ada approves law/f"), Came::Refused("same-approver", sentence));
    // One is enough to say no, and an approval is for the hunk as it was.
    play(&format!("{law} ada approves all\n ada rejects all -> d2: 1 decided, 1 to write"));
    play(&format!(
        "{law} ada approves all
         a1 writes law/f: one / two
         bo approves all -> d2: 0 decided, 0 to write, 1 half"
    ));
}

#[test]
fn r6_policies_decide_unasked_but_never_about_control_files_or_entangled_work() {
    play(
        "policy approve docs/** reject secret/**
         start a1
         a1 writes docs/a: one
         pending -> nothing
         read docs/a -> one
         a1 writes secret/a: one
         read secret/a -> -
         pending -> nothing
         undo -> refused nothing-to-undo
         undo d2 -> d3: 1 decided, 1 to write
         read secret/a -> one
         a1 writes src/a: one
         pending -> secret/a created by a1; src/a created by a1",
    );
    play("policy approve **\n start a1\n a1 writes AGENTS.md: one\n pending -> AGENTS.md created by a1");
    play("policy approve law/** second law/**\n start a1\n a1 writes law/a: one\n pending -> law/a created by a1");
    // Somebody else's work lies in between: it waits for a person.
    play(
        "base f: one / two
         start a1
         a1 writes f: one / A / B / two
         ada saves f: one / A / mine / B / two
         f: one / A / mine / B / two
         policy reject f
         a1 writes f: one / A / mine / B / two / C
         pending -> f +2 -0 by a1 entangled; f +1 -0 by a1
         read f  -> one / A / mine / B / two / C",
    );
    // What a person wrote is never a policy's business, and neither is what cannot be written back.
    play("policy reject **\n start a1\n ada saves f: mine\n f: mine\n read f -> mine");
    play("policy reject **\n start a1\n f large:\n pending -> f created by a1");
}

#[test]
fn r5_every_decision_can_be_undone_and_the_undo_undone() {
    let rejected = "base f: 1 / 2 / 3
                    start a1
                    a1 writes f: one / 2 / three
                    ada rejects hunk 1 -> d1: 1 decided, 1 to write
                    ada rejects all    -> d2: 1 decided, 1 to write\n";
    play(&format!(
        "{rejected} undo -> d3: 1 decided, 1 to write
         read f -> 1 / 2 / three
         redo   -> d4: 1 decided, 1 to write
         read f -> 1 / 2 / 3
         undo   -> d5: 1 decided, 1 to write
         undo   -> d6: 1 decided, 1 to write
         read f -> one / 2 / three
         pending -> f +1 -1 by a1; f +1 -1 by a1"
    ));
    // An older one by its name, while the newer one stands.
    play(&format!("{rejected} undo d1 -> d3: 1 decided, 1 to write\n read f -> one / 2 / 3"));
    // Nobody else's later work is touched.
    play(&format!(
        "{rejected} ada saves f: zero / 1 / 2 / 3
         f: zero / 1 / 2 / 3
         undo d1
         read f -> zero / one / 2 / 3"
    ));
    play("base f: one\n start a1\n a1 writes f: two\n ada approves all\n undo\n pending -> f +1 -1 by a1");
    refused("start a1", "undo", "nothing-to-undo", "There is no decision to undo.");
    refused("start a1", "redo", "nothing-to-redo", "There is no undo to take back.");
    refused(
        rejected,
        "undo d9",
        "unknown-decision",
        "There is no decision \"d9\", or it was purged. `augment-cli audit list --kind review` shows them.",
    );
    refused(rejected, "redo d1", "not-undone", "d1 has not been undone, so there is nothing to redo.");
    refused(
        &format!("{rejected} undo d1"),
        "undo d1",
        "already-undone",
        "d1 was taken back already, by d3. Take that back with `augment-cli changes redo d3`.",
    );
    play(&format!("{rejected} undo d1\n redo d1 -> d4: 1 decided, 1 to write\n read f -> 1 / 2 / 3"));
    play(&format!("{rejected} undo d1\n redo d3 -> d4: 1 decided, 1 to write\n read f -> 1 / 2 / 3"));
}

/// A rejection that was clear of everybody else's work, and taken back; then ada writes between its lines.
const TANGLED_SINCE: &str = "base f: one / two
                             start a1
                             a1 writes f: one / A / B / two
                             ada rejects all -> d1: 1 decided, 1 to write
                             undo            -> d2: 1 decided, 1 to write
                             ada saves f: one / A / mine / B / two
                             f: one / A / mine / B / two\n";

#[test]
fn r3_a_redo_that_is_entangled_by_now_is_shown_first() {
    refused(
        TANGLED_SINCE,
        "redo",
        "entangled",
        "The work of ada is entangled with what you reject in 1 file. Look at the result first, then say yes to it.",
    );
    // Whichever way it is asked for: by the name of what was undone, or as the undoing of the undo.
    play(&format!("{TANGLED_SINCE} redo d1 -> refused entangled"));
    play(&format!("{TANGLED_SINCE} undo d2 -> refused entangled\n read f -> one / A / mine / B / two"));
    play(&format!("{TANGLED_SINCE} looks, redo\n redo, yes -> d3: 1 decided, 1 to write\n read f -> one / mine / two"));
    // The yes is for what was shown, and for that decision alone.
    play(&format!(
        "{TANGLED_SINCE} looks, redo
         f: one / A / mine / B / two / more
         redo, yes -> refused shown-otherwise
         looks, redo
         redo, yes -> d3: 1 decided, 1 to write
         read f    -> one / mine / two / more"
    ));
    play(&format!("{TANGLED_SINCE} ada looks, rejects all\n redo, yes -> refused shown-otherwise"));
    // Where ada's lines are beside and not in between, nothing is asked.
    play(
        "base f: one / two
         start a1
         a1 writes f: one / A / B / two
         ada rejects all
         undo
         ada saves f: one / A / B / two / mine
         f: one / A / B / two / mine
         redo   -> d3: 1 decided, 1 to write
         read f -> one / two / mine",
    );
}

#[test]
fn r3_a_redo_of_what_was_said_yes_to_asks_only_when_its_result_is_another() {
    let undone =
        format!("{TANGLED} ada looks, rejects all\n ada rejects all, yes\n undo -> d2: 1 decided, 1 to write\n");
    play(&format!("{undone} redo -> d3: 1 decided, 1 to write\n read f -> one / mine / two"));
    // As often as wanted.
    play(&format!("{undone} redo\n undo\n undo d4 -> d5: 1 decided, 1 to write\n read f -> one / mine / two"));
    let since = format!("{undone} ada saves f: one / A / mine / too / B / two\n f: one / A / mine / too / B / two\n");
    play(&format!("{since} redo -> refused entangled\n read f -> one / A / mine / too / B / two"));
}

#[test]
fn r5_what_was_decided_again_must_be_undone_first() {
    let again = "base f: one
                 start a1
                 a1 writes f: two
                 ada rejects all  -> d1: 1 decided, 1 to write
                 undo             -> d2: 1 decided, 1 to write
                 ada approves all -> d3: 1 decided, 0 to write\n";
    refused(
        again,
        "redo d2",
        "cannot-undo",
        "d2 cannot be taken back in f: the same lines were decided again since, or it was purged. Undo the newer \
         decision first.",
    );
    play(&format!("{again} undo d3\n redo d2 -> d5: 1 decided, 1 to write\n read f -> one"));
}

#[test]
fn t2_a_person_says_whose_a_change_is() {
    let unknown = "base f: one\n start a1\n start a2\n f: one / two\n who f -> base, unknown?\n";
    play(&format!("{unknown} assign all to me -> 1 in 1\n who f -> base, ada\n pending -> nothing"));
    // Taken back, it waits again and can be given to somebody else.
    play(&format!(
        "{unknown} assign all to me
         undo -> d2: 1 decided, 0 to write
         who f -> base, ada?
         assign all to a2
         who f -> base, a2?"
    ));
    // One look is one edit: naming a part of it takes all of it along, and the answer says so.
    play(
        "base f: one / two / three
         start a1
         start a2
         f: ONE / two / THREE
         assign hunk 1 to a2 -> 2 in 1
         who f -> a2?, base, a2?",
    );
    play(&format!("{unknown} assign f to a2 -> 1 in 1\n who f -> base, a2?\n ada rejects task a2\n read f -> one"));
    play("start a1\n start a2\n a1 writes f: one\n assign task a1 to a2\n who f -> a2?");
    refused(
        &format!("{unknown} end a1"),
        "assign all to b10",
        "unknown-task",
        "There is no task \"b10\". `augment-cli queue list --all` shows them all.",
    );
}

#[test]
fn r5_purging_is_told_first_and_final() {
    let rejected = "base f: one\n start a1\n a1 writes f: two\n ada rejects all -> d1: 1 decided, 1 to write\n";
    play(&format!(
        "{rejected} purge 1h -> would purge 0 in 0
         wait 2h
         purge 1h      -> would purge 1 in 1
         undo d1       -> d2: 1 decided, 1 to write
         redo d1       -> d3: 1 decided, 1 to write
         wait 2h
         purge 1h, yes -> purged 3 in 1
         read f  -> one
         undo d1 -> refused unknown-decision
         undo    -> refused nothing-to-undo
         a1 writes f: three
         ada rejects all -> d4: 1 decided, 1 to write"
    ));
    // What is newer stays as it is, in the same file too.
    play(
        "base f: 1 / 2 / 3
         start a1
         a1 writes f: one / 2 / three
         ada rejects hunk 1 -> d1: 1 decided, 1 to write
         wait 2h
         ada rejects all    -> d2: 1 decided, 1 to write
         purge 1h, yes      -> purged 1 in 1
         undo d2            -> d3: 1 decided, 1 to write
         read f             -> 1 / 2 / three",
    );
}

#[test]
fn r7_a_person_who_takes_the_lines_back_has_rejected_them() {
    let back = "base f: 1 / 2 / 3
                start a1
                a1 writes f: one / 2 / three
                ada saves f: 1 / 2 / three
                f: 1 / 2 / three\n";
    play(&format!(
        "{back} pending -> f +1 -1 by a1
         who f -> base, base, a1?
         undo  -> d2: 1 decided, 1 to write
         read f -> one / 2 / three
         who f -> a1?, base, a1?"
    ));
    // A run that takes its own lines back has decided nothing.
    play("base f: 1\n start a1\n a1 writes f: one\n a1 writes f: 1\n undo -> refused nothing-to-undo");
}

#[test]
fn r6_a_commit_approves_only_while_nobody_works() {
    let held = "base f: one\n start a1\n a1 writes f: two\n";
    play(&format!("{held} git commit c1: f\n pending -> f +1 -1 by a1"));
    play(&format!(
        "{held} end a1
         git commit c1: f
         pending -> f +1 -1 by a1
         wait 6s
         git commit c2: f
         pending -> nothing
         undo -> d2: 1 decided, 0 to write
         pending -> f +1 -1 by a1"
    ));
}

#[test]
fn t2_a_checkout_parks_what_waits_and_brings_it_back() {
    let held = "base f: one
                start a1
                a1 writes f: one / two
                git main to dev: f dev\n";
    play(&format!(
        "{held} pending -> nothing
         read f -> dev
         git dev to main: f one / two
         pending -> f +1 -0 by a1
         ada rejects all
         read f -> one"
    ));
    // Where something else is there now than what waits, what waits stays where it is.
    play(&format!("{held} git dev to main: f other\n pending -> nothing\n read f -> other"));
    play(&format!("{held} git dev to main: f zero / one / two\n who f -> vcs, base, a1?"));
    refused(
        "base f: one
         start a1
         a1 writes f: one / two
         a1 writes f: one / two / three
         ada rejects all
         a1 writes f: one / four
         git main to dev: f dev",
        "undo d1",
        "parked",
        "f waits with the branch \"main\". Check that out first.",
    );
}

#[test]
fn r8_a_rename_is_not_undone_onto_another_file() {
    refused(
        "base f: one
         start a1
         g from f: one
         ada saves f: mine
         f: mine",
        "ada rejects task a1",
        "path-taken",
        "There is another file at f now. Move it away first, then repeat.",
    );
}

#[test]
fn t1_a_file_that_moves_to_a_place_with_a_story_ends_the_one_it_leaves() {
    play(
        "base f: one
         base g: two
         start a1
         g: -
         g from f: one
         show f -> -
         show g -> one
         ada rejects all -> d1: 2 decided, 2 to write
         read f -> one
         read g -> two",
    );
}

#[test]
fn r5_a_text_that_a_run_took_away_comes_back_beside_what_was_written_there_since() {
    for taken in ["f: -", "f link: elsewhere", "f whole: bytes"] {
        play(&format!(
            "base f: base
             start a1
             ada saves f: base / mine
             f: base / mine
             {taken}
             ada saves f: new
             f: new
             ada looks, rejects all
             ada rejects all, yes -> d1: 1 decided, 1 to write
             read f -> base / mine / new"
        ));
    }
}

#[test]
fn r8_what_is_not_kept_or_no_file_is_never_written() {
    refused(
        "base f: one\n start a1\n f large:",
        "ada rejects all",
        "too-large",
        "f has 99000000 bytes, more than is kept, so its content cannot be brought back. Take it from version \
         control, or raise changes.maxFileMegabytes for the next time.",
    );
    refused(
        "base f: one\n start a1\n f special:",
        "ada rejects all",
        "not-a-file",
        "f is a pipe, a socket or a device and is never written. Remove it by hand.",
    );
    play("base f: one\n start a1\n f large:\n ada approves all -> d1: 1 decided, 0 to write");
}

#[test]
fn abuse_15_a_run_cannot_decide() {
    let held = "start a1\n a1 writes f: one\n";
    let sentence = "A run may not do `changes decide`. A person decides that.";
    refused(held, "a1 approves all", "role-may-not", sentence);
    refused(held, "a1 rejects all", "role-may-not", sentence);
}

#[test]
fn r1_what_cannot_be_meant_is_refused() {
    let held = "base f: one\n start a1\n a1 writes f: two\n start a2\n";
    let mut desk = Desk::new();
    desk.play(held);
    let old = desk.hunks()[0].1.id;
    desk.play("a1 writes f: two / three");
    let sentence = format!(
        "There is no pending hunk \"{old}\". It may have been decided, or have changed since it was shown. \
         `augment-cli changes list` shows what is pending."
    );
    assert_eq!(desk.obey(&format!("ada rejects id {old}")), Came::Refused("unknown-hunk", sentence));
    refused(
        held,
        "ada rejects nothing",
        "nothing-selected",
        "Nothing is selected. Name hunks, a file, a task, a run, or all.",
    );
    refused(
        held,
        "ada rejects task a2",
        "nothing-pending",
        "Nothing of a2 waits for a decision. `augment-cli changes list --decided` shows what was decided.",
    );
    refused(
        held,
        "ada rejects g",
        "untracked-file",
        "Nothing is known of \"g\": no change of it was seen. `augment-cli changes list` shows what was.",
    );
    refused(
        held,
        "ada rejects ../g",
        "bad-path",
        "\"../g\" is no path inside the workspace: it has a part that is empty, \".\" or \"..\". Name it relative to \
         the workspace.",
    );
    play(&format!("{held} ada rejects run a1.2 -> refused unknown-run"));
    play(&format!("{held} ada rejects hunk 1 task a2 -> refused hunk-elsewhere"));
    play(&format!("{held} ada rejects id zzzz -> refused unknown-hunk"));
    play(&format!("{held} ada approves all\n ada approves f -> refused nothing-pending"));
}

#[test]
fn r4_a_file_that_could_not_be_written_gets_its_marks_back() {
    let held = "base f: one\n base g: one\n start a1\n a1 writes f: two\n a1 writes g: two\n";
    play(&format!(
        "{held} the next write fails
         ada rejects all -> d1: 2 decided, 2 to write
         read f  -> two
         show f  -> two
         read g  -> one
         pending -> f +1 -1 by a1
         undo    -> d2: 1 decided, 1 to write
         pending -> f +1 -1 by a1; g +1 -1 by a1"
    ));
    // An undo that could not be written leaves the decision standing.
    play(&format!(
        "{held} ada rejects f -> d1: 1 decided, 1 to write
         the next write fails
         undo   -> d2: 1 decided, 1 to write
         read f -> one
         show f -> one
         undo   -> d3: 1 decided, 1 to write
         read f -> two"
    ));
    // Somebody wrote in between: nothing of theirs is overwritten, and it is seen like any change.
    play(&format!(
        "{held} the disk changes under the next write
         ada rejects f
         read f  -> somebody else
         show f  -> two
         ada saves f: somebody else
         f: somebody else
         who f   -> ada"
    ));
}

#[test]
fn r4_what_an_editor_holds_is_decided_once_it_is_saved() {
    let asked = "base f: one\n start a1\n a1 writes f: two\n the next write is in the editor\n ada rejects all\n";
    play(&format!(
        "{asked} read f -> two
         show f -> one
         ada saves f: one / mine
         f: one / mine
         who f  -> base, ada"
    ));
    play(&format!("{asked} ada saves f: one\n f: one\n who f -> base\n pending -> nothing"));
}

#[test]
fn r4_what_an_editor_never_saved_was_not_decided() {
    let written = "base f: one / two / three / four\n start a1\n a1 writes f: ONE / two / three / FOUR\n";
    let both = "f +1 -1 by a1; f +1 -1 by a1";
    // All that was carried into the text goes with it, not the newest alone.
    play(&format!(
        "{written} the next write is in the editor
         ada rejects hunk 1
         the next write is in the editor
         ada rejects hunk 1
         show f   -> one / two / three / four
         the editor closes f
         show f   -> ONE / two / three / FOUR
         pending  -> {both}
         ada rejects all
         read f   -> one / two / three / four"
    ));
    // What is on disk stays decided: also where the undo of it was never saved, and can be undone again.
    play(&format!(
        "{written} ada rejects hunk 1
         the next write is in the editor
         ada rejects hunk 1
         the editor closes f
         show f   -> one / two / three / FOUR
         pending  -> f +1 -1 by a1
         the next write is in the editor
         undo d1
         show f   -> ONE / two / three / FOUR
         the editor closes f
         show f   -> one / two / three / FOUR
         undo d1
         read f   -> ONE / two / three / FOUR
         pending  -> {both}"
    ));
    // An approval changes no text, so it is nothing that was not saved.
    play(&format!(
        "{written} the next write is in the editor
         ada rejects hunk 1
         ada approves hunk 1
         the editor closes f
         show f   -> ONE / two / three / FOUR
         pending  -> f +1 -1 by a1
         who f    -> a1?, base, base, a1"
    ));
    // Decided and taken back in the editor, the file is as it is on disk.
    play(&format!(
        "{written} the next write is in the editor
         ada rejects all
         the next write is in the editor
         undo
         the editor closes f
         show f   -> ONE / two / three / FOUR
         pending  -> {both}"
    ));
}

#[track_caller]
fn play(script: &str) {
    Desk::new().play(script);
}

/// After the script, the order is refused with this code and exactly this sentence, and nothing but a record is new.
#[track_caller]
fn refused(script: &str, order: &str, code: &'static str, sentence: &str) {
    let mut desk = Desk::new();
    desk.play(script);
    let files = |desk: &Desk| desk.memory.files().all().cloned().collect::<Vec<_>>();
    let (before, disk, records) = (files(&desk), desk.disk.clone(), desk.memory.records());
    assert_eq!(desk.obey(order), Came::Refused(code, sentence.to_owned()));
    assert_eq!(files(&desk), before, "{order} changed something");
    assert_eq!(desk.disk, disk, "{order} wrote something");
    assert_eq!(desk.memory.records(), records + 1, "{order} left a record");
}

#[test]
fn t2_a_runs_lines_that_a_merge_brings_go_on_waiting() {
    let held = "base f: one
                start a1
                a1 writes f: one / two
                end a1
                git dev to main: f one
                pending -> nothing\n";
    // Fast, and with lines of both sides.
    play(&format!("{held} f vcs: one / two\n pending -> f +1 -0 by a1\n ada rejects all\n read f -> one"));
    play(&format!(
        "{held} f vcs: zero / one
         f vcs: zero / one / two
         who f -> vcs, base, a1?
         ada rejects all
         read f -> zero / one"
    ));
    // Once it is there, what version control does besides leaves it alone.
    play(&format!(
        "{held} f vcs: one / two
         wait 1m
         f vcs: zero / one / two
         who f -> vcs, base, a1?
         ada rejects all
         read f -> zero / one"
    ));
    // What is not in the merge does not wait.
    play(&format!("{held} f vcs: one / other\n pending -> nothing\n who f -> base, vcs"));
    // Two runs' lines stay each their own.
    play(
        "base f: one
         start a1
         start a2
         a1 writes f: one / two
         a2 writes f: zero / one / two
         git dev to main: f one
         f vcs: zero / one / two / three
         who f -> a2?, base, a1?, vcs
         ada rejects task a1
         read f -> zero / one / three",
    );
}

#[test]
fn t2_a_stash_put_on_other_ground_brings_back_what_waited() {
    let stashed = "base f: one / end
                   start a1
                   a1 writes f: one / two / end
                   end a1
                   f vcs: one / end
                   pending -> nothing
                   ada saves f: zero / one / end
                   f: zero / one / end\n";
    play(&format!(
        "{stashed} f vcs: zero / one / two / end
         who f -> ada, base, a1?, base
         ada rejects all
         read f -> zero / one / end"
    ));
    play(&format!("{stashed} f vcs: zero / one / else / end\n pending -> nothing"));
}

#[test]
fn t2_a_stash_that_is_pushed_and_popped_again_and_again_takes_and_gives_the_same() {
    for (base, edited, waits) in [
        ("one / end", "ONE / end", "f +1 -1 by a1"),
        ("one / end", "one / two / end", "f +1 -0 by a1"),
        ("one / two / end", "one / end", "f +0 -1 by a1"),
        ("-", "new", "f created by a1"),
        ("one", "-", "f deleted by a1"),
    ] {
        let stashed = format!("wait 1m\n f vcs: {base}\n pending -> nothing\n");
        let popped = format!("wait 1m\n f vcs: {edited}\n pending -> {waits}\n");
        let rounds = [stashed, popped].concat().repeat(4);
        let begun = format!("base f: {base}\n start a1\n a1 writes f: {edited}\n");
        for ended in ["", "end a1\n"] {
            play(&format!("{begun}{ended}{rounds}ada rejects all\n read f -> {base}"));
        }
    }
}

#[test]
fn t2_what_was_done_by_way_of_version_control_waits_while_somebody_works() {
    play("base f: one\n f perhaps-vcs: two\n who f -> vcs\n pending -> nothing");
    play("base f: one\n start a1\n f perhaps-vcs: two\n pending -> f +1 -1 by a1");
    play(
        "base f: one
         start a1
         g perhaps-vcs from f: one
         g: one / two
         ada rejects task a1
         read f -> one",
    );
    // What was there before is brought back by whoever uses version control to undo.
    play("base f: one\n start a1\n a1 writes f: one / two\n f perhaps-vcs: one\n pending -> nothing\n who f -> base");
}

#[test]
fn t2_a_save_that_was_seen_in_the_middle_is_one_write_also_where_it_is_told_late() {
    // The editor empties the file and writes it, and what it says comes when both were seen.
    let saved = "base f: one / two / end
                 start a1
                 a1 writes f: one / TWO / A / end\n";
    let seen = "f: one / TWO / A mine / end
                ada saves f: one / TWO / A mine / end\n";
    for half in ["f unsaved:", "f:"] {
        play(&format!(
            "{saved} {half}
             wait 1s
             {seen} who f -> base, a1?, ada, base
             pending -> f +1 -1 by a1 entangled"
        ));
    }
    // What was there for longer is what somebody made of it.
    play(&format!("{saved} f:\n wait 3s\n {seen} who f -> ada, ada, ada, ada"));
}

#[test]
fn t2_an_edit_and_an_append_a_moment_later_are_two_writes() {
    play(
        "base f: one / two
         start a1
         f: one / TWO
         wait 1s
         f: one / TWO / mine
         ada saves f: one / TWO / mine
         who f -> base, a1?, ada",
    );
    // Half of a save was seen: what comes back with the rest was never gone.
    play(
        "base f: one / two / three
         start a1
         f: one
         ada saves f: one / 2 / three
         f: one / 2 / three
         who f -> base, ada, base",
    );
}

#[test]
fn t2_a_save_that_was_saved_over_has_had_its_say() {
    let rest = "wait 5s
                f: one / m1 / m2 / agent
                who f -> base, ada, ada, a1?
                ada rejects task a1
                read f -> one / m1 / m2";
    // Told before they were seen, and after.
    play(&format!(
        "base f: one\n start a1
         ada saves f: one / m1
         ada saves f: one / m1 / m2
         f: one / m1 / m2
         {rest}"
    ));
    play(&format!(
        "base f: one\n start a1
         f: one / m1 / m2
         ada saves f: one / m1
         ada saves f: one / m1 / m2
         {rest}"
    ));
}

#[test]
fn r5_what_version_control_throws_away_while_somebody_works_waits() {
    let dirty = "base f: one / mine\n start a1\n";
    play(&format!(
        "{dirty} f vcs discards: one
         pending -> f +0 -1 by vcs
         ada rejects all
         read f -> one / mine"
    ));
    // With nobody at work it is the person's own doing, and what a commit has can be had again.
    play("base f: one / mine\n f vcs discards: one\n pending -> nothing");
    play(&format!("{dirty} f vcs: one\n pending -> nothing"));
    // What only takes back a run's lines decides about those.
    play(
        "base f: one\n start a1\n f: one / two\n f vcs discards: one\n pending -> nothing\n undo\n read f -> one / two",
    );
    // A file that goes, and one in which a run's lines go with the person's.
    play("base f: mine\n start a1\n f vcs discards: -\n ada rejects all\n read f -> mine");
    play(
        "base f: one
         start a1
         ada saves f: one / mine
         f: one / mine
         f: one / mine / two
         f vcs discards: one
         ada rejects all
         read f -> one / mine",
    );
}

#[test]
fn t4_authors_are_known_again_on_the_branch_that_one_comes_back_to() {
    play(
        "base f: one / two
         ada saves f: one / two / mine
         f: one / two / mine
         start a1
         git main to dev: f one / two
         f: one / TWO
         git dev to main: f one / two / mine
         who f -> base, base, ada",
    );
    // What was decided there can be taken back there.
    play(
        "base f: one
         start a1
         a1 writes f: one / two
         ada approves all
         git main to dev: f one
         git dev to main: f one / two
         undo -> d2: 1 decided, 0 to write
         pending -> f +1 -0 by a1",
    );
    // However often one goes there and back, a merge finds what waits.
    let trips = "git dev to main: f one\n git main to dev: f one / two\n".repeat(12);
    play(&format!(
        "base f: one
         start a1
         a1 writes f: one / two
         {trips}
         git dev to main: f one
         f vcs: one / two
         pending -> f +1 -0 by a1"
    ));
}

#[test]
fn r5_a_purge_leaves_an_approval_that_waits_for_another() {
    play(
        "policy second law/**
         start a1
         a1 writes law/f: one
         ada approves all
         wait 1d
         purge 1h, yes
         bo approves all -> d2: 1 decided, 0 to write",
    );
}

#[test]
fn r8_a_file_that_cannot_be_written_does_not_keep_the_others() {
    play(
        "base f: one
         start a1
         f: two
         big large: x
         ada rejects all -> d1: 1 decided, 1 to write
         read f -> one
         ada rejects all -> refused too-large",
    );
}

#[test]
fn r6_two_approvals_stand_together() {
    let law = "policy second law/**\n start a1\n a1 writes law/f: one\n ada approves all\n";
    play(&format!(
        "{law} bo approves all
         undo d1 -> refused undo-first
         undo d2
         pending -> law/f created by a1
         undo d1
         redo d2 -> refused approval-gone
         pending -> law/f created by a1"
    ));
    // A file that was moved away needs what it needed before.
    play(
        "base law/f: one
         policy second law/**
         start a1
         open/f from law/f: one
         ada approves open/f -> d1: 0 decided, 0 to write, 1 half",
    );
}

#[test]
fn r6_control_files_are_not_swept_up_by_calling_them_ones_own() {
    let swept = "start a1\n start a2\n .vscode/tasks.json: one\n src/a: one\n";
    play(&format!("{swept} assign all to me -> refused control-files"));
    play(&format!("{swept} assign .vscode/tasks.json to me -> 1 in 1"));
}

#[test]
fn r5_git_that_goes_back_to_an_earlier_step_takes_back_what_came_after_it() {
    let committed = "base f: 1 / 2 / 3\n start a1\n f: 1 / TWO / 3\n f: 1 / TWO again / THREE\n";
    play(&format!(
        "{committed} f vcs: 1 / TWO / 3
         who f -> base, a1?, base
         ada rejects all
         read f -> 1 / 2 / 3"
    ));
    // All the way back, nothing waits; and put back again, it does.
    play(&format!(
        "{committed} f vcs: 1 / TWO / 3\n f vcs: 1 / 2 / 3\n pending -> nothing\n who f -> base, base, base"
    ));
    play(&format!(
        "{committed} f vcs: 1 / TWO / 3
         f vcs: 1 / TWO again / THREE
         who f -> base, a1?, a1?
         ada rejects all
         read f -> 1 / 2 / 3"
    ));
    play(&format!("{committed} f vcs: 1 / TWO / 3\n undo\n read f -> 1 / TWO again / THREE"));
}

#[test]
fn r8_a_mode_and_a_deletion_are_rejected_together() {
    play(
        "base f: one
         start a1
         f mode 755: one
         f: -
         ada rejects all
         pending -> nothing
         read f -> one",
    );
}

#[test]
fn r2_what_somebody_put_back_while_nobody_is_at_work_does_not_come_back_once_more() {
    for gone in ["1 / 3", "9", "1 / TWO / 3", "1 / 2 / 3 / 4"] {
        play(&format!(
            "base f: 1 / 2 / 3
             start a1
             f: {gone}
             end a1
             wait 11s
             f: 1 / 2 / 3
             pending -> nothing
             read f -> 1 / 2 / 3
             undo
             read f -> {gone}"
        ));
    }
    // What is left of the hunks still waits, and another's line stays where it is.
    play(
        "base f: 1 / 2 / 3 / 4 / 5
         start a1
         f: 1 / 3 / 4 / FIVE
         end a1
         wait 11s
         f: 1 / 2 / 3 / 4 / FIVE / mine
         ada rejects all
         read f -> 1 / 2 / 3 / 4 / 5 / mine",
    );
}

#[test]
fn l2_decisions_are_found_by_the_tasks_whose_work_they_are_about() {
    play(
        "base f: one
         start a1
         start a2
         a1 writes f: one / two
         a2 writes g: three
         ada rejects f
         reviews of a1 -> review.rejected
         reviews of a2 -> none
         undo
         redo
         reviews of a1 -> review.rejected, review.undone, review.redone
         ada approves all
         reviews of a2 -> review.approved",
    );
    // What somebody takes back by hand, and one approval of two.
    play(
        "policy second docs/**
         base f: one
         start a1
         a1 writes f: one / two
         ada saves f: one
         f: one
         reviews of a1 -> review.implied
         a1 writes docs/a: three
         ada approves docs/a
         reviews of a1 -> review.implied, review.approved",
    );
}
