//! The rules of the weave, as stories. Each line of a script is a revision or a decision; the last view is checked.
//! Contents are lines between slashes; `(no newline)` ends one without a terminator, other things stand in parentheses.

use augment_core::attribution::{Author, Evidence};
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::id::{RunId, TaskId};
use augment_core::time::Wall;
use augment_core::weave::{CannotUndo, Decided, DecisionNo, Hunk, NewRevision, Shape, Standing, Weave};

fn author(name: &str) -> Author {
    match name.split_once(' ') {
        None if name == "git" => Author::Vcs,
        None if name == "unknown" => Author::Unknown,
        None => Author::Person { name: name.to_owned() },
        Some((_, number)) => Author::Run(RunId {
            task: TaskId::new(number.parse().expect("a number")).expect("a task's number"),
            attempt: 1,
        }),
    }
}

fn show_author(author: &Author) -> String {
    match author {
        Author::Person { name } => name.clone(),
        Author::Run(run) => format!("task {}", run.task.number()),
        Author::Vcs => "git".to_owned(),
        Author::Unknown => "unknown".to_owned(),
    }
}

fn state(before: &FileState, text: &str) -> FileState {
    let mut state = before.clone();
    for word in text.split(" + ") {
        match word.trim().split_once(' ') {
            Some(("(mode", mode)) => state.mode = u32::from_str_radix(mode.trim_end_matches(')'), 8).expect("a mode"),
            Some(("(path", path)) => state.path = FilePath::new(path.trim_end_matches(')')).expect("a path"),
            Some(("(link", target)) => {
                (state.body, state.mode) = (Body::Link(target.trim_end_matches(')').into()), 0);
            }
            Some(("(binary", content)) => {
                state.body = Body::Whole { hash: ContentHash::of(content.as_bytes()), length: 9 };
            }
            _ if word.trim() == "(absent)" => (state.body, state.mode) = (Body::Absent, 0),
            _ => state.body = Body::Text(content(word)),
        }
    }
    if state.mode == 0 && matches!(state.body, Body::Text(_) | Body::Whole { .. }) {
        state.mode = 0o644;
    }
    state
}

fn content(text: &str) -> Vec<u8> {
    let (text, ends_bare) = match text.trim().strip_suffix("(no newline)") {
        Some(text) => (text.trim(), true),
        None => (text.trim(), false),
    };
    let mut content = Vec::new();
    for line in text.split('/').map(str::trim).filter(|line| *line != "(empty)") {
        content.extend(line.replace("\\r", "\r").into_bytes());
        content.push(b'\n');
    }
    if ends_bare {
        content.pop();
    }
    content
}

fn show(state: &FileState) -> String {
    let mut shown = match &state.body {
        Body::Absent => "(absent)".to_owned(),
        Body::Text(content) if content.is_empty() => "(empty)".to_owned(),
        Body::Text(content) => {
            let text = String::from_utf8_lossy(content).replace('\r', "\\r");
            let bare = if text.ends_with('\n') { "" } else { " (no newline)" };
            format!("{}{bare}", text.trim_end_matches('\n').replace('\n', " / "))
        }
        Body::Whole { .. } => "(binary)".to_owned(),
        Body::Link(target) => format!("(link {})", String::from_utf8_lossy(target)),
        Body::Large { .. } | Body::Special => "(other)".to_owned(),
    };
    if ![0, 0o644].contains(&state.mode) {
        shown += &format!(" + (mode {:o})", state.mode);
    }
    if state.path.as_bytes() != b"f" {
        shown += &format!(" + (path {})", state.path);
    }
    shown
}

struct Story {
    weave: Weave,
    decisions: Vec<DecisionNo>,
}

const NOW: Wall = Wall(0);

impl Story {
    fn tell(script: &str) -> Self {
        let mut lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
        let nothing = FileState { path: FilePath::new("f").expect("a path"), body: Body::Absent, mode: 0 };
        let base = lines.next().and_then(|line| line.strip_prefix("base")).expect("a story begins with its base");
        let mut story = Self { weave: Weave::new(&state(&nothing, base)), decisions: Vec::new() };
        for line in lines {
            story.step(line);
        }
        story
    }

    fn step(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let decided = match words[0] {
            "approve" | "reject" => {
                let to = if words[0] == "approve" { Standing::Approved } else { Standing::Rejected };
                let marks = match words[1] {
                    "hunk" => self.weave.hunks()[words[2].parse::<usize>().expect("a number") - 1].marks.clone(),
                    _ => {
                        let wanted = author(&words[1..].join(" "));
                        self.weave.marks_of(&|author| *author == wanted)
                    }
                };
                Some(self.weave.decide(&marks, to, NOW))
            }
            "undo" => {
                let undone = self.decisions[words[1].parse::<usize>().expect("a number") - 1];
                Some(self.weave.undo(undone, NOW).expect("it can be undone"))
            }
            "fold" => {
                let last = self.weave.revisions().last().expect("there is one").no;
                let before = self.weave.view();
                let implied = self.weave.implied(last);
                assert_eq!(implied.len(), words[1].parse::<usize>().expect("a number"), "hunks taken back");
                let decision = self.weave.fold(last, &implied, NOW);
                assert_eq!(self.weave.view(), before, "folding changes nothing that can be seen");
                Some(decision)
            }
            "compact" => {
                self.weave.compact(None);
                None
            }
            "assign" => {
                let last = self.weave.revisions().last().expect("there is one").no;
                let to = author(&words[1..].join(" "));
                let held = matches!(to, Author::Run(_));
                self.weave.reattribute(last, to, Evidence::Assigned, held);
                None
            }
            who => {
                let name = if who == "task" { words[..2].join(" ") } else { who.to_owned() };
                let author = author(&name);
                let held = matches!(author, Author::Run(_) | Author::Unknown);
                let to = state(&self.weave.view(), line.strip_prefix(&name).expect("it begins with its author"));
                let by = NewRevision { author, evidence: Evidence::Nothing, time: NOW, held };
                assert!(self.weave.revise(&to, by).is_some(), "{line}: nothing new");
                assert_eq!(self.weave.view(), to, "{line}");
                None
            }
        };
        self.decisions.extend(decided);
    }
}

fn check(script: &str, expected: &str) {
    assert_eq!(show(&Story::tell(script).weave.view()), expected, "{script}");
}

fn show_hunk(hunk: &Hunk) -> String {
    let shape = match &hunk.shape {
        Shape::Lines(change) => {
            let removed: Vec<String> =
                change.removed.iter().map(|text| String::from_utf8_lossy(text).trim_end().to_owned()).collect();
            let spans: Vec<String> = change.spans.iter().map(|span| format!("{}-{}", span.start, span.end)).collect();
            format!("{} +{} [{}] -[{}]", change.start, change.added, spans.join(" "), removed.join(" / "))
        }
        Shape::Created { .. } => "created".to_owned(),
        Shape::Deleted { .. } => "deleted".to_owned(),
        Shape::Replaced { .. } => "replaced".to_owned(),
        Shape::Mode { from, to } => format!("mode {from:o} {to:o}"),
        Shape::Renamed { from, to } => format!("renamed {from} {to}"),
    };
    let entangled: Vec<String> = hunk.entangled.iter().map(show_author).collect();
    let entangled = if entangled.is_empty() { String::new() } else { format!(", with {}", entangled.join(" and ")) };
    format!("{}: {shape}{entangled}", show_author(&hunk.author))
}

fn check_hunks(script: &str, expected: &[&str]) {
    let hunks: Vec<String> = Story::tell(script).weave.hunks().iter().map(show_hunk).collect();
    assert_eq!(hunks, expected, "{script}");
}

#[test]
fn rejecting_a_task_keeps_the_persons_lines() {
    check(
        "base   one / two / three
         task 1 one / TWO / three
         ann    zero / one / TWO / three
         reject task 1",
        "zero / one / two / three",
    );
    check(
        "base   a / b / c
         task 1 a / x / y / c
         ann    a / x / mine / y / c
         task 2 a / x / mine / y / z / c
         reject task 1",
        "a / b / mine / z / c",
    );
}

#[test]
fn approving_and_undoing() {
    let script = "base   a / b
         task 1 a / B / c
         approve hunk 1";
    check(script, "a / B / c");
    check(&format!("{script}\nundo 1\nreject task 1"), "a / b");
    check(&format!("{script}\nundo 1\nreject task 1\nundo 3"), "a / B / c");
    check(&format!("{script}\nundo 1\nreject task 1\nundo 3\nundo 4"), "a / b");
}

#[test]
fn what_was_decided_later_is_undone_first() {
    let mut story = Story::tell(
        "base   a
         task 1 a / b
         approve task 1",
    );
    let marks = story.weave.decisions()[0].changes.iter().map(|change| change.mark).collect::<Vec<_>>();
    let first = story.decisions[0];
    let second = story.weave.decide(&marks, Standing::Rejected, NOW);
    assert_eq!(story.weave.undo(first, NOW), Err(CannotUndo::ChangedSince { by: second }));
    let third = story.weave.undo(second, NOW).unwrap();
    assert_eq!(story.weave.undo(second, NOW), Err(CannotUndo::AlreadyUndone { by: third }));
    assert!(story.weave.undo(first, NOW).is_ok());
    // To redo the second now would skip the first.
    assert!(matches!(story.weave.undo(third, NOW), Err(CannotUndo::ChangedSince { .. })));
    assert_eq!(story.weave.undo(DecisionNo(99), NOW), Err(CannotUndo::Unknown));
}

#[test]
fn bytes_come_back_exactly() {
    for base in ["a / b (no newline)", "a\\r / b\\r", "a\\r / b (no newline)", "(empty)", "x (no newline)"] {
        for edit in ["a / b / c", "a / b / c (no newline)", "b", "(empty)", "new / a\\r / b", "(binary 1)", "(absent)"]
        {
            let script = format!("base {base}\ntask 1 {edit}");
            if state(&state(&Story::tell("base (absent)").weave.view(), base), edit)
                != Story::tell(&format!("base {base}")).weave.view()
            {
                check(&format!("{script}\nreject task 1"), base);
                check(&format!("{script}\nreject task 1\nundo 1"), &edit.replace("(binary 1)", "(binary)"));
            }
        }
    }
}

#[test]
fn a_last_line_without_newline_is_not_glued_to_the_next() {
    check(
        "base   x (no newline)
         task 1 x / y (no newline)
         ann    x / y / z (no newline)
         reject task 1",
        "x / z (no newline)",
    );
    check_hunks(
        "base   x (no newline)
         task 1 x / y (no newline)",
        &["task 1: 1 +1 [1-2] -[]"],
    );
    check_hunks(
        "base   x (no newline)
         task 1 x",
        &["task 1: 0 +1 [0-1] -[x]"],
    );
}

#[test]
fn a_created_file_goes_and_keeps_what_others_wrote() {
    let script = "base   (absent)
         task 1 a / b + (mode 755)";
    check_hunks(script, &["task 1: created"]);
    check(&format!("{script}\nreject hunk 1"), "(absent)");
    let script = format!("{script}\nann a / mine / b");
    check_hunks(&script, &["task 1: created, with ann"]);
    check(&format!("{script}\nreject hunk 1"), "mine + (mode 755)");
    check(&format!("{script}\nreject hunk 1\nundo 1"), "a / mine / b + (mode 755)");
    check(&format!("{script}\nreject hunk 1\nann (empty)"), "(empty) + (mode 755)");
}

#[test]
fn a_deleted_file_comes_back_with_its_mode() {
    let script = "base   a / b + (mode 755)
         task 1 (absent)";
    check_hunks(script, &["task 1: deleted"]);
    check(&format!("{script}\nreject hunk 1"), "a / b + (mode 755)");
    check(&format!("{script}\napprove hunk 1"), "(absent)");
    // Its own earlier edits go with it.
    let script = "base   a / b
         task 1 a / B
         task 1 (absent)";
    check_hunks(script, &["task 1: deleted"]);
    check(&format!("{script}\nreject hunk 1"), "a / b");
}

/// What is left out of a file that is written anew went with the file, not with whoever wrote it anew.
#[test]
fn a_file_written_anew_gets_back_what_was_deleted_with_it() {
    let script = "base   a / b
         task 1 (absent)
         ann    a / c";
    check_hunks(script, &["task 1: 1 +0 [] -[b]"]);
    check(&format!("{script}\nreject hunk 1"), "a / b / c");
    check(&format!("{script}\nreject hunk 1\nundo 1"), "a / c");
    check_hunks("base a / b\ntask 1 (absent)\napprove task 1\nann a / c", &[]);
    // Also where the deletion had been approved by then, and that is taken back.
    let script = "base   a / b
         task 1 (absent)
         approve task 1
         task 1 c
         undo 1";
    check(script, "c");
    check(&format!("{script}\nreject task 1"), "a / b");
    check(&format!("{script}\nreject task 1\nundo 3\nundo 2"), "c");
    check_hunks(&format!("{script}\nundo 2"), &["task 1: created"]);
    let story = Story::tell("base a / b\ntask 1 (absent)\nreject task 1\nundo 1\nann a");
    let steps: Vec<String> = (0..=4).filter_map(|step| story.weave.at(step)).map(|state| show(&state)).collect();
    assert_eq!(steps, ["a / b", "(absent)", "a / b", "(absent)", "a"]);
}

#[test]
fn what_comes_to_nothing_is_not_to_be_decided() {
    check_hunks("base (absent)\ntask 1 a\ntask 1 (absent)", &[]);
    check_hunks("base a\ntask 1 a / b\ntask 1 a", &[]);
    check_hunks("base a\ntask 1 a + (mode 755)\ntask 1 a + (mode 644)", &[]);
    check_hunks("base a\ntask 1 a + (path g)\ntask 1 a + (path f)", &[]);
    // Another's edit of a line that is gone already, too.
    check_hunks("base a\ntask 1 a / b\nann a", &[]);
    // But not if somebody else's lines went with it.
    let script = "base (absent)\ntask 1 a\nann a / mine\ntask 1 (absent)";
    check_hunks(script, &["task 1: deleted, with ann"]);
    check(&format!("{script}\nreject task 1"), "mine");
}

#[test]
fn properties_are_decided_by_themselves() {
    let script = "base   a
         task 1 a / b + (mode 755) + (path g)
         task 2 a / b + (mode 700)";
    check_hunks(script, &["task 1: renamed f g", "task 2: mode 755 700", "task 1: 1 +1 [1-2] -[]"]);
    check(&format!("{script}\nreject task 1"), "a + (mode 700)");
    check(&format!("{script}\nreject task 2"), "a / b + (mode 755) + (path g)");
    check(&format!("{script}\nreject hunk 1"), "a / b + (mode 700)");
}

#[test]
fn binary_content_and_links_are_decided_as_a_whole() {
    let script = "base   a / b
         task 1 (binary 1)
         task 1 (link there)";
    check_hunks(script, &["task 1: replaced"]);
    check(&format!("{script}\nreject hunk 1"), "a / b");
    let script = "base   (binary 1)
         task 1 a / b
         ann    a / b / c";
    check_hunks(script, &["task 1: replaced, with ann"]);
    check(&format!("{script}\nreject hunk 1"), "c");
}

#[test]
fn hunks_are_torn_apart_by_lines_that_were_there() {
    check_hunks(
        "base   a / b / c
         task 1 A / b / C / d",
        &["task 1: 0 +1 [0-1] -[a]", "task 1: 2 +2 [2-4] -[c]"],
    );
    // The line between is gone later: still two.
    check_hunks(
        "base   a / b / c
         task 1 A / b / C
         ann    A / C",
        &["task 1: 0 +1 [0-1] -[a]", "task 1: 1 +1 [1-2] -[c]"],
    );
    // A line came between later: still one.
    check_hunks(
        "base   a / z
         task 1 a / x / y / z
         ann    a / x / mine / y / z",
        &["task 1: 1 +2 [1-2 3-4] -[], with ann"],
    );
}

#[test]
fn a_hunk_whose_line_another_deleted_is_entangled() {
    check_hunks(
        "base   a
         task 1 a / x / y
         task 2 a / y / z",
        &["task 1: 1 +1 [1-2] -[], with task 2", "task 2: 1 +0 [] -[x]", "task 2: 2 +1 [2-3] -[]"],
    );
}

#[test]
fn hunk_ids_stay_while_others_edit_around() {
    let mut story = Story::tell("base a / b / c / d\ntask 1 a / B / c / d");
    let id = story.weave.hunks()[0].id;
    story.step("ann zero / a / B / c / d");
    story.step("task 2 zero / a / B / c / D / e");
    assert_eq!(story.weave.hunks()[0].id, id);
    assert_eq!(id.to_string().len(), 16);
    story.step("task 1 zero / a / BB / c / D / e");
    assert_ne!(story.weave.hunks()[0].id, id);
}

#[test]
fn a_person_who_takes_a_hunk_back_has_rejected_it() {
    let script = "base   a / b / c
         task 1 a / x / y / c
         ann    a / b / c";
    check_hunks(script, &["task 1: 1 +0 [] -[b], with ann"]);
    let story = Story::tell(&format!("{script}\nfold 1"));
    assert!(story.weave.is_settled());
    let by: Vec<u32> = story.weave.blame().iter().map(|blame| blame.revision.0).collect();
    assert_eq!(by, [0, 0, 0], "the line that came back is the base's again");
    check(&format!("{script}\nfold 1\nundo 1"), "a / x / y / c");
    check(&format!("{script}\nfold 1\nundo 1\nundo 2"), "a / b / c");
    Story::tell("base a / b / c\ntask 1 a / c\nann a / b / c\nfold 1");
    Story::tell("base a / c\ntask 1 a / b / c\nann a / c\nfold 1");
    Story::tell("base a / b / c\ntask 1 A / b / C\nann a / b / c\nfold 2");
    Story::tell("base a / b / c\ntask 1 a / x / c\nann a / b / new / c\nfold 1");
    Story::tell("base (absent)\ntask 1 a\nann (absent)\nfold 1");
    Story::tell("base a\ntask 1 (absent)\nann a\nfold 1");
    Story::tell("base a\ntask 1 a + (mode 755)\nann a + (mode 644)\nfold 1");
    Story::tell("base a\ntask 1 a + (path g)\nann a + (path f)\nfold 1");
    Story::tell("base a (no newline)\ntask 1 b (no newline)\nann a (no newline)\nfold 1");
    // Half of it is no rejection.
    Story::tell("base a / b / c\ntask 1 a / x / y / c\nann a / y / c\nfold 0");
    Story::tell("base a / b / c\ntask 1 a / x / c\nann a / c\nfold 0");
}

#[test]
fn assigned_revisions_follow_their_new_author() {
    let script = "base a\nunknown a / b";
    check_hunks(script, &["unknown: 1 +1 [1-2] -[]"]);
    check_hunks(&format!("{script}\nassign task 3"), &["task 3: 1 +1 [1-2] -[]"]);
    check_hunks(&format!("{script}\nassign ann"), &[]);
    // What was decided stays decided.
    check(&format!("{script}\nreject unknown\nassign task 3"), "a");
    check_hunks(&format!("{script}\nreject unknown\nassign task 3\nundo 1"), &["task 3: 1 +1 [1-2] -[]"]);
}

#[test]
fn decided_hunks_can_be_shown() {
    let story = Story::tell("base a / b\ntask 1 A / b\napprove task 1\ntask 2 A / B\nreject task 2");
    let approved = story.weave.decided_hunks(&|_| true, Decided::Approved);
    assert_eq!(approved.iter().map(show_hunk).collect::<Vec<_>>(), ["task 1: 0 +1 [0-1] -[a]"]);
    let rejected = story.weave.decided_hunks(&|_| true, Decided::Rejected);
    let texts: Vec<(Vec<u8>, bool)> =
        rejected[0].lines(&story.weave).into_iter().map(|line| (line.text, line.inserted)).collect();
    assert_eq!(texts, [(b"b\n".to_vec(), false), (b"B\n".to_vec(), true)]);
}

#[test]
fn the_file_before_a_task_and_at_each_step() {
    let story = Story::tell("base a\ntask 1 a / b\nann a / b / c\napprove task 1\ntask 2 b / c");
    assert_eq!(show(&story.weave.without(&|who| *who == author("task 1"))), "c");
    assert_eq!(show(&story.weave.without(&|who| *who == author("task 2"))), "a / b / c");
    let steps: Vec<String> = (0..=4).map(|step| show(&story.weave.at(step).unwrap())).collect();
    assert_eq!(steps, ["a", "a / b", "a / b / c", "a / b / c", "b / c"]);
    assert_eq!(story.weave.at(5), None);
}

#[test]
fn a_compacted_weave_keeps_what_is_needed() {
    let mut story = Story::tell(
        "base   a / b / c / d
         task 1 A / b / c / d
         approve task 1
         task 2 A / b / x / d
         reject task 2
         task 3 A / b / c / D
         ann    A / c / D",
    );
    let (view, hunks) = (story.weave.view(), story.weave.hunks());
    let was = story.weave.encode().len();
    story.weave.compact(None);
    assert_eq!((story.weave.view(), story.weave.hunks()), (view, hunks));
    assert!(story.weave.encode().len() < was);
    assert_eq!(story.weave.revisions().iter().map(|revision| revision.no.0).collect::<Vec<_>>(), [1, 3, 4]);
    story.step("reject task 3");
    assert_eq!(show(&story.weave.view()), "A / c / d");
}
