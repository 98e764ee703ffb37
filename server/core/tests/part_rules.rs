//! What a commit of one logical change takes of a file: exactly the chosen, approved lines, on top of what the commit
//! before holds.

use augment_core::attribution::{Author, Evidence};
use augment_core::file::{Body, FilePath, FileState};
use augment_core::id::{RunId, TaskId};
use augment_core::time::Wall;
use augment_core::weave::{MarkRef, NewRevision, Revision, Standing, Weave};

fn state(text: &str) -> FileState {
    FileState { path: path("a.txt"), body: Body::Text(text.as_bytes().to_vec()), mode: 0o644 }
}

fn path(name: &str) -> FilePath {
    FilePath::new(name.as_bytes()).expect("a path")
}

fn text(state: &FileState) -> String {
    let Body::Text(text) = &state.body else { panic!("no text but {:?}", state.body) };
    String::from_utf8(text.clone()).expect("UTF-8")
}

fn run(task: u64) -> Author {
    Author::Run(RunId { task: TaskId::new(task).expect("a task"), attempt: 1 })
}

fn me() -> Author {
    Author::Person { name: "me".to_owned() }
}

fn write(weave: &mut Weave, by: &Author, to: &str) {
    let held = matches!(by, Author::Run(_));
    weave.revise(&state(to), NewRevision { author: by.clone(), evidence: Evidence::Nothing, time: Wall(1), held });
}

fn approve(weave: &mut Weave, by: &Author) {
    let marks: Vec<MarkRef> =
        weave.hunks().into_iter().filter(|hunk| hunk.author == *by).flat_map(|hunk| hunk.marks).collect();
    weave.decide(&marks, Standing::Approved, Wall(2));
}

fn of(weave: &Weave, before: &str, author: &Author) -> String {
    text(&weave.part(&state(before), None, Some(&|_, revision: &Revision| revision.author == *author)).state)
}

#[test]
fn what_waits_is_left_out() {
    let mut weave = Weave::new(&state("a\nb\n"));
    write(&mut weave, &run(1), "a\none\nb\n");
    write(&mut weave, &run(2), "a\none\nb\ntwo\n");
    approve(&mut weave, &run(2));
    assert_eq!(text(&weave.part(&state("a\nb\n"), None, None).state), "a\nb\ntwo\n");
    assert_eq!(of(&weave, "a\nb\n", &run(2)), "a\nb\ntwo\n");
    assert_eq!(of(&weave, "a\nb\n", &run(1)), "a\nb\n");
}

fn gone() -> FileState {
    FileState { path: path("a.txt"), body: Body::Absent, mode: 0 }
}

fn at(weave: &mut Weave, time: i64, to: &FileState) {
    let author = me();
    weave.revise(to, NewRevision { author, evidence: Evidence::Nothing, time: Wall(time), held: false });
}

#[test]
fn a_file_that_had_gone_is_committed_whole_by_the_change_that_brings_it_back() {
    for (base, again) in [("A\nB\n", "A\nB\nC\n"), ("two\n", "two\n"), ("A\nB\n", "B\n")] {
        for mut weave in [Weave::new(&state(base)), Weave::new(&gone())] {
            at(&mut weave, 1, &state(base));
            at(&mut weave, 2, &gone());
            at(&mut weave, 5, &state(again));
            let since = |from: i64| move |_: MarkRef, revision: &Revision| revision.time >= Wall(from);
            assert_eq!(text(&weave.part(&gone(), None, Some(&since(4))).state), again);
            assert_eq!(weave.part(&gone(), None, Some(&since(6))).state.body, Body::Absent);
            // What is added to it later by a change that is not chosen stays out.
            let later = format!("{again}later\n");
            at(&mut weave, 9, &state(&later));
            let until = |_: MarkRef, revision: &Revision| (4..9).contains(&revision.time.0);
            assert_eq!(text(&weave.part(&gone(), None, Some(&until)).state), again);
        }
    }
}

#[test]
fn one_change_after_the_other_gives_all_that_is_approved() {
    let mut weave = Weave::new(&state("a\nb\nc\n"));
    write(&mut weave, &run(1), "a\none\nb\nc\n");
    write(&mut weave, &run(2), "a\none\ntwo\nb\n");
    for author in [run(1), run(2)] {
        approve(&mut weave, &author);
    }
    let first = of(&weave, "a\nb\nc\n", &run(1));
    assert_eq!(first, "a\none\nb\nc\n");
    let second = of(&weave, &first, &run(2));
    assert_eq!(second, "a\none\ntwo\nb\n");
    // And in the other order.
    let second = of(&weave, "a\nb\nc\n", &run(2));
    assert_eq!(second, "a\ntwo\nb\n");
    assert_eq!(of(&weave, &second, &run(1)), "a\none\ntwo\nb\n");
}

#[test]
fn what_a_commit_has_taken_out_does_not_come_back() {
    let mut weave = Weave::new(&state("a\n"));
    write(&mut weave, &run(1), "a\none\n");
    approve(&mut weave, &run(1));
    write(&mut weave, &me(), "a\n");
    write(&mut weave, &run(1), "a\nagain\n");
    approve(&mut weave, &run(1));
    // "one" was committed and taken out by two commits before.
    assert_eq!(of(&weave, "a\n", &run(1)), "a\nagain\n");
}

#[test]
fn a_replacement_goes_with_what_it_replaced() {
    let mut weave = Weave::new(&state("x\n"));
    write(&mut weave, &run(1), "y\n");
    approve(&mut weave, &run(1));
    write(&mut weave, &me(), "z\n");
    let part = weave.part(&state("x\n"), None, Some(&|_, revision: &Revision| revision.author == run(1)));
    assert_eq!(text(&part.state), "z\n");
    assert_eq!(part.along.len(), 1, "and that is told");
    // Once the first is committed, the second is a change of its own.
    assert_eq!(of(&weave, "y\n", &run(1)), "y\n");
    assert_eq!(of(&weave, "y\n", &me()), "z\n");
}

#[test]
fn lines_that_nobody_knows_stay_as_the_commit_has_them() {
    // The file was changed before it was first seen: the commit has "old", the weave began with "dirty".
    let mut weave = Weave::new(&state("a\ndirty\nb\n"));
    write(&mut weave, &run(1), "a\ndirty\nb\none\n");
    approve(&mut weave, &run(1));
    assert_eq!(of(&weave, "a\nold\nb\n", &run(1)), "a\nold\nb\none\n");
    assert_eq!(text(&weave.part(&state("a\nold\nb\n"), None, None).state), "a\ndirty\nb\none\n");
}

#[test]
fn what_is_chosen_stands_where_it_was_written_among_lines_that_nobody_knows() {
    let check = |committed: &str, base: &str, written: &str, expected: &str| {
        let mut weave = Weave::new(&state(base));
        write(&mut weave, &run(1), written);
        approve(&mut weave, &run(1));
        assert_eq!(of(&weave, committed, &run(1)), expected, "{committed:?} {base:?} {written:?}");
    };
    check("x1\nx2\nx3\n", "y1\ny2\ny3\n", "y1\ny2\ny3\nnew\n", "x1\nx2\nx3\nnew\n");
    check("x1\nx2\nx3\n", "y1\ny2\ny3\n", "new\ny1\ny2\ny3\n", "new\nx1\nx2\nx3\n");
    check("x1\nx2\nx3\n", "y1\ny2\ny3\n", "y1\nnew\ny2\ny3\n", "x1\nnew\nx2\nx3\n");
    check("h\nx1\nx2\nx3\nt\n", "h\ny1\ny2\ny3\nt\n", "h\ny1\ny2\ny3\nnew\nt\n", "h\nx1\nx2\nx3\nnew\nt\n");
    // A line is replaced in its place, and its neighbours, which nobody has approved either, stay the commit's.
    check("x1\nx2\nx3\n", "y1\ny2\ny3\n", "y1\nz\ny3\n", "x1\nz\nx3\n");
    check("x1\nx2\nx3\n", "y1\ny2\ny3\n", "z\n", "z\n");
    // More or fewer lines than the commit has there.
    check("x1\n", "y1\ny2\ny3\n", "y1\ny2\ny3\nnew\n", "x1\nnew\n");
    check("x1\nx2\nx3\n", "y1\n", "new\ny1\n", "new\nx1\nx2\nx3\n");
    check("", "y1\n", "y1\nnew\n", "new\n");
    check("x1\n", "", "new\n", "new\nx1\n");
}

#[test]
fn endings_without_a_newline() {
    let mut weave = Weave::new(&state("a"));
    write(&mut weave, &run(1), "a\none");
    approve(&mut weave, &run(1));
    assert_eq!(of(&weave, "a", &run(1)), "a\none");
    write(&mut weave, &me(), "a\none\n");
    assert_eq!(of(&weave, "a\none", &me()), "a\none\n");
    assert_eq!(of(&weave, "a\none", &run(1)), "a\none");
    assert_eq!(of(&weave, "a\none", &run(2)), "a\none");
}

#[test]
fn files_that_come_and_go() {
    let none = FileState { path: path("a.txt"), body: Body::Absent, mode: 0 };
    let mut weave = Weave::new(&none);
    write(&mut weave, &run(1), "one\n");
    write(&mut weave, &run(2), "one\ntwo\n");
    approve(&mut weave, &run(1));
    let chosen = |author: Author| move |_: MarkRef, revision: &Revision| revision.author == author;
    let made = weave.part(&none, None, Some(&chosen(run(1)))).state;
    assert_eq!((text(&made), made.mode), ("one\n".to_owned(), 0o644));
    assert_eq!(weave.part(&none, None, Some(&chosen(run(2)))).state, none, "what waits makes no file");
    let mut gone = Weave::new(&state("a\n"));
    let by = NewRevision { author: run(3), evidence: Evidence::Nothing, time: Wall(1), held: true };
    gone.revise(&none, by);
    assert_eq!(gone.part(&state("a\n"), None, Some(&chosen(run(3)))).state, state("a\n"), "it waits");
    approve(&mut gone, &run(3));
    assert_eq!(gone.part(&state("a\n"), None, Some(&chosen(run(3)))).state.body, Body::Absent);
    assert_eq!(gone.part(&state("a\n"), None, Some(&chosen(run(4)))).state, state("a\n"));
}

#[test]
fn a_line_that_was_changed_before_it_was_seen_is_replaced_once() {
    // The commit has 2, the person had made it 2x before anybody looked, and the agent made that 2y.
    let mut weave = Weave::new(&state("1\n2x\n3\n"));
    write(&mut weave, &run(1), "1\n2y\n3\n");
    approve(&mut weave, &run(1));
    let part = weave.part(&state("1\n2\n3\n"), None, Some(&|_, revision: &Revision| revision.author == run(1)));
    assert_eq!(text(&part.state), "1\n2y\n3\n");
    assert_eq!(part.along.len(), 1, "and that is told");
}

#[test]
fn what_waits_again_stays_in_the_history_and_what_is_rejected_goes_out() {
    let none = FileState { path: path("a.txt"), body: Body::Absent, mode: 0 };
    let mut weave = Weave::new(&state("a\n"));
    write(&mut weave, &run(1), "a\none\n");
    let hunks: Vec<MarkRef> = weave.hunks().into_iter().flat_map(|hunk| hunk.marks).collect();
    let decision = weave.decide(&hunks, Standing::Approved, Wall(2));
    assert_eq!(of(&weave, "a\n", &run(1)), "a\none\n");
    weave.undo(decision, Wall(3)).expect("undone");
    assert_eq!(of(&weave, "a\none\n", &run(1)), "a\none\n");
    assert_eq!(text(&weave.part(&state("a\none\n"), None, None).state), "a\none\n");
    weave.decide(&hunks, Standing::Rejected, Wall(4));
    assert_eq!(of(&weave, "a\none\n", &run(1)), "a\n");
    assert_eq!(text(&weave.part(&state("a\none\n"), None, None).state), "a\n");
    // Taken out by its author while it waits again, it is as if it had never been.
    let mut withdrawn = Weave::new(&state("a\n"));
    write(&mut withdrawn, &run(1), "a\none\n");
    let hunks: Vec<MarkRef> = withdrawn.hunks().into_iter().flat_map(|hunk| hunk.marks).collect();
    let decision = withdrawn.decide(&hunks, Standing::Approved, Wall(2));
    write(&mut withdrawn, &run(1), "a\n");
    withdrawn.undo(decision, Wall(3)).expect("undone");
    assert!(withdrawn.hunks().is_empty(), "nobody is asked");
    assert_eq!(of(&withdrawn, "a\none\n", &run(1)), "a\n");
    assert_eq!(of(&withdrawn, "a\none\n", &run(2)), "a\none\n");
    // A file whose creation waits again stays, too.
    let mut made = Weave::new(&none);
    write(&mut made, &run(1), "one\n");
    assert_eq!(made.part(&state("one\n"), None, None).state, state("one\n"));
    // And one whose creation was rejected goes, for whoever takes that run's work.
    let hunks: Vec<MarkRef> = made.hunks().into_iter().flat_map(|hunk| hunk.marks).collect();
    made.decide(&hunks, Standing::Rejected, Wall(2));
    assert_eq!(made.part(&state("one\n"), None, None).state, none);
    let by = |author: Author| move |_: MarkRef, revision: &Revision| revision.author == author;
    assert_eq!(made.part(&state("one\n"), None, Some(&by(run(1)))).state, none);
    assert_eq!(made.part(&state("one\n"), None, Some(&by(run(2)))).state, state("one\n"));
}

/// What `run(1)` did is committed on top of `base`, and rejected then.
fn rejected_after(base: &FileState, lay: &FileState, made: &FileState) -> (Weave, FileState) {
    let mut weave = Weave::new(lay);
    let by = NewRevision { author: run(1), evidence: Evidence::Nothing, time: Wall(1), held: true };
    weave.revise(made, by);
    let marks: Vec<MarkRef> = weave.hunks().into_iter().flat_map(|hunk| hunk.marks).collect();
    let decision = weave.decide(&marks, Standing::Approved, Wall(2));
    let first = |_: MarkRef, revision: &Revision| revision.author == run(1);
    let committed = weave.part_since(base, None, Some(base), Some(&first)).state;
    weave.undo(decision, Wall(3)).expect("undone");
    weave.decide(&marks, Standing::Rejected, Wall(4));
    assert_eq!(weave.view(), *lay);
    (weave, committed)
}

#[test]
fn what_a_commit_took_away_by_a_change_that_was_rejected_since_comes_back() {
    let first = |_: MarkRef, revision: &Revision| revision.author == run(1);
    let other = |_: MarkRef, revision: &Revision| revision.author == run(2);
    let executable = FileState { mode: 0o755, ..state("a\n") };
    let renamed = FileState { path: path("b.txt"), ..state("a\n") };
    let whole = FileState { body: Body::Text(b"a\nb\nc\n".to_vec()), ..state("") };
    for (base, made) in [
        (state("a\nb\nc\n"), state("a\nc\n")),
        (state("a\nb\nc\n"), state("a\nB\nc\n")),
        (state("a\nb\nc"), state("a")),
        (state("}\n}\nx\n}\n"), state("}\nx\n}\n")),
        (whole, gone()),
        (state("a\n"), executable),
        (state("a\n"), renamed),
    ] {
        let (weave, committed) = rejected_after(&base, &base, &made);
        assert_eq!(committed, made, "it was committed");
        assert!(weave.may_return());
        assert_eq!(weave.part_since(&committed, None, Some(&base), Some(&first)).state, base);
        assert_eq!(weave.part_since(&committed, None, Some(&base), Some(&other)).state, committed, "not chosen");
        assert_eq!(weave.part_since(&base, None, Some(&base), Some(&first)).state, base, "given back");
    }
}

#[test]
fn what_no_commit_had_does_not_come_in_by_the_rejection_of_its_removal() {
    let first = |_: MarkRef, revision: &Revision| revision.author == run(1);
    // "dirty" lay there uncommitted before anybody looked; the agent took it and "b" away.
    let base = state("a\nb\nc\n");
    let (weave, committed) = rejected_after(&base, &state("a\ndirty\nb\nc\n"), &state("a\nc\n"));
    assert_eq!(committed, state("a\nc\n"));
    assert_eq!(weave.part_since(&committed, None, Some(&base), Some(&first)).state, base);
    // The file lay there, and no commit had it.
    let (weave, _) = rejected_after(&gone(), &state("a\n"), &gone());
    assert_eq!(weave.part_since(&gone(), None, Some(&gone()), Some(&first)).state.body, Body::Absent);
}

#[test]
fn a_moved_file_is_committed_whole_where_somebody_else_has_committed_what_took_its_place() {
    let (base, moved) = (state("a\nb\n"), FileState { path: path("b.txt"), ..state("a\nb\nc\n") });
    let mut weave = Weave::new(&base);
    at(&mut weave, 1, &moved);
    let mine = |_: MarkRef, revision: &Revision| revision.author == me();
    let part = |began: &FileState| weave.part_since(&gone(), None, Some(began), Some(&mine)).state;
    assert_eq!(part(&base), moved);
    // It lay there uncommitted: what nobody was seen to write stays out.
    assert_eq!(text(&part(&gone())), "c\n");
}

#[test]
fn a_bit_that_was_set_before_anybody_looked_goes_with_everything_and_with_no_choice() {
    let executable = FileState { mode: 0o755, ..state("a\n") };
    let mut weave = Weave::new(&executable);
    let added = FileState { mode: 0o755, ..state("a\none\n") };
    at(&mut weave, 1, &added);
    assert_eq!(weave.part(&state("a\n"), None, None).state, added);
    let mine = |_: MarkRef, revision: &Revision| revision.author == me();
    assert_eq!(weave.part(&state("a\n"), None, Some(&mine)).state, state("a\none\n"));
}

/// A small generator, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn place(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("small")
    }
}

/// Whatever was written by whom: committing the work of one author after the other leaves all that is approved, nothing
/// that waits gets in, and choosing nobody changes nothing.
#[test]
fn any_order_of_commits_ends_at_what_is_approved() {
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let mut lines: Vec<String> = (0..random.below(6)).map(|at| format!("base {at}\n")).collect();
        let base = lines.concat();
        let mut weave = Weave::new(&state(&base));
        for step in 0..random.below(8) {
            let by = run(1 + random.below(4));
            for _ in 0..=random.below(2) {
                let at = random.place(lines.len() + 1);
                if random.below(3) == 0 && at < lines.len() {
                    lines.remove(at);
                } else {
                    lines.insert(at, format!("line {step} of {}\n", random.below(1_000_000)));
                }
            }
            write(&mut weave, &by, &lines.concat());
        }
        commit_in_any_order(seed, &mut random, &base, &mut weave);
    }
}

/// Code: braces and empty lines are everywhere, and none can be told from another by its text.
#[test]
fn so_does_any_order_where_lines_repeat() {
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let function = |random: &mut Random| {
            let name = random.below(1_000_000);
            let body: String = (0..random.below(3)).map(|_| ["    }\n", "    x();\n"][random.place(2)]).collect();
            format!("fn f{name}() {{\n{body}}}\n\n")
        };
        let mut functions: Vec<String> = (0..random.below(5)).map(|_| function(&mut random)).collect();
        let base = functions.concat();
        let mut weave = Weave::new(&state(&base));
        for _ in 0..random.below(8) {
            let by = run(1 + random.below(4));
            for _ in 0..=random.below(2) {
                let at = random.place(functions.len() + 1);
                let written = function(&mut random);
                match random.below(3) {
                    0 if at < functions.len() => drop(functions.remove(at)),
                    1 if at < functions.len() => functions[at] = written,
                    _ => functions.insert(at, written),
                }
            }
            write(&mut weave, &by, &functions.concat());
        }
        commit_in_any_order(seed, &mut random, &base, &mut weave);
    }
}

/// Hardly a line can be told from its neighbours.
#[test]
fn so_does_any_order_where_all_lines_repeat() {
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let line = |random: &mut Random| ["}\n", "\n", "x\n"][random.place(3)].to_owned();
        let mut lines: Vec<String> = (0..random.below(6)).map(|_| line(&mut random)).collect();
        let base = lines.concat();
        let mut weave = Weave::new(&state(&base));
        for _ in 0..random.below(8) {
            let by = run(1 + random.below(4));
            let at = random.place(lines.len() + 1);
            if random.below(3) == 0 && at < lines.len() {
                lines.remove(at);
            } else {
                lines.insert(at, line(&mut random));
            }
            write(&mut weave, &by, &lines.concat());
        }
        commit_in_any_order(seed, &mut random, &base, &mut weave);
    }
}

fn commit_in_any_order(seed: u64, random: &mut Random, base: &str, weave: &mut Weave) {
    let waits = run(4);
    for author in [run(1), run(2), run(3)] {
        approve(weave, &author);
    }
    assert_eq!(of(weave, base, &run(9)), base, "seed {seed}");
    let mut order = [run(1), run(2), run(3)];
    order.rotate_left(random.place(3));
    let (mut committed, mut lines) = (base.to_owned(), None);
    for author in &order {
        let of_author = |_: MarkRef, revision: &Revision| revision.author == *author;
        let part = weave.part(&state(&committed), lines.as_ref(), Some(&of_author));
        (committed, lines) = (text(&part.state), part.lines);
        assert!(lines.is_some(), "seed {seed}: every line is known");
    }
    assert_eq!(committed, text(&weave.without_pending()), "seed {seed}");
    assert_eq!(of(weave, &committed, &waits), committed, "seed {seed}");
}

/// One commit after the other of all that is approved by then, while the writing goes on.
#[test]
fn all_that_is_approved_is_what_is_committed_however_lines_repeat() {
    for seed in 0..6_000 {
        let mut random = Random(seed);
        let line = |random: &mut Random| ["}\n", "\n", "x\n"][random.place(3)].to_owned();
        let mut lines: Vec<String> = (0..random.below(6)).map(|_| line(&mut random)).collect();
        let mut committed = lines.concat();
        let mut weave = Weave::new(&state(&committed));
        for _ in 0..random.below(8) {
            let by = run(1 + random.below(3));
            for _ in 0..=random.below(2) {
                let at = random.place(lines.len() + 1);
                if random.below(3) == 0 && at < lines.len() {
                    lines.remove(at);
                } else {
                    lines.insert(at, line(&mut random));
                }
            }
            write(&mut weave, &by, &lines.concat());
            if random.below(2) == 0 {
                approve(&mut weave, &by);
            }
            if random.below(2) == 0 {
                let all = |_: MarkRef, revision: &Revision| revision.author != Author::Unknown;
                // Nothing but the text says which lines the commit has.
                committed = text(&weave.part(&state(&committed), None, Some(&all)).state);
                assert_eq!(committed, text(&weave.without_pending()), "seed {seed}");
            }
        }
    }
}

/// All that was approved is committed, as in a session that is over, and only the text tells so. What one change does then is
/// a commit of its own, whatever waits beside it.
#[test]
fn the_newest_change_alone_is_committed_on_top_of_all_the_others_however_lines_repeat() {
    for seed in 0..6_000 {
        let mut random = Random(seed);
        let line = |random: &mut Random| ["}\n", "\n", "x\n"][random.place(3)].to_owned();
        let mut lines: Vec<String> = (0..random.below(6)).map(|_| line(&mut random)).collect();
        let mut weave = Weave::new(&state(&lines.concat()));
        let change = |random: &mut Random, lines: &mut Vec<String>| {
            for _ in 0..=random.below(3) {
                let at = random.place(lines.len() + 1);
                if random.below(3) == 0 && at < lines.len() {
                    lines.remove(at);
                } else {
                    lines.insert(at, line(random));
                }
            }
        };
        for step in 0..random.below(5) {
            change(&mut random, &mut lines);
            write(&mut weave, &run(1 + step), &lines.concat());
            approve(&mut weave, &run(1 + step));
        }
        let committed = text(&weave.without_pending());
        change(&mut random, &mut lines);
        write(&mut weave, &run(9), &lines.concat());
        approve(&mut weave, &run(9));
        let wanted = text(&weave.without_pending());
        assert_eq!(of(&weave, &committed, &run(9)), wanted, "seed {seed}");
    }
}

#[test]
fn a_line_like_one_that_is_committed_is_another_one() {
    let check = |steps: &[&str], expected: &str| {
        let mut weave = Weave::new(&state(steps[0]));
        for step in &steps[1..steps.len() - 1] {
            write(&mut weave, &run(1), step);
        }
        approve(&mut weave, &run(1));
        let committed = text(&weave.without_pending());
        write(&mut weave, &run(2), steps[steps.len() - 1]);
        approve(&mut weave, &run(2));
        assert_eq!(of(&weave, &committed, &run(1)), committed, "{steps:?}");
        assert_eq!(of(&weave, &committed, &run(2)), expected, "{steps:?}");
    };
    check(&["q\ns\n", "q\n}\ns\n", "q\n}\n}\ns\n"], "q\n}\n}\ns\n");
    check(&["k\n\nz\n", "k\nz\n", "k\nb\n\nz\n", "k\nb\n\n}\nz\n"], "k\nb\n\n}\nz\n");
    let nested = "top\nif a {\n    if b {\n        x();\n    }\n}\n";
    check(&["top\n", "top\nif a {\n    x();\n}\n", nested], nested);
}

#[test]
fn a_line_that_repeats_is_the_one_that_it_was() {
    let mut weave = Weave::new(&state("a\n}\nb\n}\n"));
    write(&mut weave, &me(), "b\n}\nc\n}\n");
    write(&mut weave, &me(), "a\n}\nc\n}\n");
    assert_eq!(of(&weave, "a\n}\nb\n}\n", &me()), "a\n}\nc\n}\n");
}

/// Whatever lay changed before anybody looked: choosing nobody changes nothing; of the commit's lines none comes in twice or
/// changes its place, and everything chosen gets in, in its order.
#[test]
fn lines_that_lay_changed_before_are_never_committed_with_what_is_chosen() {
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let committed: Vec<String> = (0..random.below(7)).map(|at| format!("base {at}\n")).collect();
        let mut lines = committed.clone();
        for dirty in 0..random.below(6) {
            let at = usize::try_from(random.below(lines.len() as u64 + 1)).expect("small");
            match random.below(3) {
                0 if at < lines.len() => drop(lines.remove(at)),
                1 if at < lines.len() => lines[at] = format!("dirty {dirty}\n"),
                _ => lines.insert(at, format!("dirty {dirty}\n")),
            }
        }
        let before = committed.concat();
        let mut weave = Weave::new(&state(&lines.concat()));
        for step in 0..random.below(5) {
            let at = usize::try_from(random.below(lines.len() as u64 + 1)).expect("small");
            lines.insert(at, format!("new {step}\n"));
            write(&mut weave, &run(1), &lines.concat());
        }
        approve(&mut weave, &run(1));
        assert_eq!(of(&weave, &before, &run(9)), before, "seed {seed}");
        let part = of(&weave, &before, &run(1));
        let (new, old): (Vec<&str>, Vec<&str>) = part.split_inclusive('\n').partition(|line| line.starts_with("new"));
        assert_eq!(old.concat(), before, "seed {seed}");
        let wanted: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("new")).collect();
        assert_eq!(new, wanted, "seed {seed}");
    }
}
