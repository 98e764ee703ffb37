//! The line comparison at random and on hostile texts: its edits always turn the one text into the other, stand apart,
//! and are about as few as can be.

use augment_core::diff::{Edit, lines, split_lines};
use augment_core::simulation::Random;

fn applied<'a>(before: &[&'a [u8]], after: &[&'a [u8]], edits: &[Edit]) -> Vec<&'a [u8]> {
    let mut result = Vec::new();
    let mut at = 0;
    for edit in edits {
        result.extend(&before[at..edit.before.start as usize]);
        result.extend(&after[edit.after.start as usize..edit.after.end as usize]);
        at = edit.before.end as usize;
    }
    result.extend(&before[at..]);
    result
}

fn check(before: &[&[u8]], after: &[&[u8]]) -> Vec<Edit> {
    let edits = lines(before, after);
    assert!(applied(before, after, &edits) == after, "the edits make the second text of the first");
    for pair in edits.windows(2) {
        assert!(pair[0].before.end < pair[1].before.start && pair[0].after.end < pair[1].after.start, "{pair:?} touch");
    }
    assert!(edits.iter().all(|edit| !edit.before.is_empty() || !edit.after.is_empty()), "no edit is empty");
    edits
}

fn changed(edits: &[Edit]) -> usize {
    edits.iter().map(|edit| edit.before.len() + edit.after.len()).sum()
}

/// The fewest lines that have to be deleted and inserted, by the plain table.
fn fewest(before: &[&[u8]], after: &[&[u8]]) -> usize {
    let mut row: Vec<usize> = (0..=after.len()).collect();
    for (b, left) in before.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = b + 1;
        for (a, right) in after.iter().enumerate() {
            let best = if left == right { diagonal } else { 1 + row[a].min(row[a + 1]) };
            diagonal = std::mem::replace(&mut row[a + 1], best);
        }
    }
    row[after.len()]
}

/// A line for each number; some are blank or indented, so that edits find places they like better.
fn texts(numbers: &[usize]) -> Vec<Vec<u8>> {
    let line = |number: &usize| match number {
        0 => b"\n".to_vec(),
        1..=3 => format!("{}x();\n", "    ".repeat(*number)).into_bytes(),
        _ => format!("line {number}\n").into_bytes(),
    };
    numbers.iter().map(line).collect()
}

fn slices(texts: &[Vec<u8>]) -> Vec<&[u8]> {
    texts.iter().map(Vec::as_slice).collect()
}

/// Small texts over alphabets of all sizes, compared with the plain table.
#[test]
fn short_texts_at_random_have_the_fewest_edits() {
    let mut random = Random::new(1);
    for _ in 0..60_000 {
        let alphabet = 1 + random.below(12);
        let make =
            |random: &mut Random| -> Vec<usize> { (0..random.below(14)).map(|_| random.below(alphabet)).collect() };
        let (before, after) = (texts(&make(&mut random)), texts(&make(&mut random)));
        let (before, after) = (slices(&before), slices(&after));
        let edits = check(&before, &after);
        assert_eq!(changed(&edits), fewest(&before, &after), "{before:?} {after:?}");
    }
}

fn edited(random: &mut Random, before: &[usize], edits: usize, alphabet: usize) -> Vec<usize> {
    let mut after = before.to_vec();
    for _ in 0..edits {
        let at = random.below(after.len());
        match random.below(3) {
            0 => after.insert(at, random.below(alphabet)),
            1 => after[at] = random.below(alphabet),
            _ => drop(after.remove(at)),
        }
    }
    after
}

/// Ordinary edits of longer texts: a program has many unique lines and some that occur often.
#[test]
fn ordinary_edits_are_about_as_few_as_can_be() {
    let mut random = Random::new(2);
    let (mut found, mut best) = (0, 0);
    for round in 0..60 {
        let alphabet = [20, 200, 2_000][round % 3];
        let before: Vec<usize> = (0..1_000).map(|_| random.below(alphabet)).collect();
        let edits = 1 + random.below(80);
        let after = edited(&mut random, &before, edits, alphabet);
        let (before, after) = (texts(&before), texts(&after));
        let (before, after) = (slices(&before), slices(&after));
        found += changed(&check(&before, &after));
        best += fewest(&before, &after);
    }
    assert!(found * 100 <= best * 102, "{found} lines changed where {best} would do");
}

#[test]
fn a_lone_unique_line_that_moved_does_not_pull_the_rest_apart() {
    let often: Vec<usize> = (0..900).map(|at| at % 7).collect();
    let before = texts(&[vec![1_000], often.clone()].concat());
    let after = texts(&[often, vec![1_000]].concat());
    assert_eq!(changed(&check(&slices(&before), &slices(&after))), 2);
}

/// Texts that take quadratic time if nothing bounds it. They are compared in well under a second, so a bound that is
/// gone shows as a test that does not end.
#[test]
fn hostile_texts_come_through() {
    let mut random = Random::new(3);
    let mut of = |alphabet: usize| -> Vec<usize> { (0..100_000).map(|_| random.below(alphabet)).collect() };
    let (few, other) = (of(4), of(4));
    check(&slices(&texts(&few)), &slices(&texts(&other)));
    let (two, other) = (of(2), of(2));
    check(&slices(&texts(&two)), &slices(&texts(&other)));
    let sorted: Vec<usize> = (0..100_000).collect();
    let mut shuffled = sorted.clone();
    let mut random = Random::new(4);
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, random.below(at + 1));
    }
    check(&slices(&texts(&sorted)), &slices(&texts(&shuffled)));
    let reversed: Vec<usize> = sorted.iter().rev().copied().collect();
    check(&slices(&texts(&sorted)), &slices(&texts(&reversed)));
    let edits = check(&slices(&texts(&vec![1; 100_000])), &slices(&texts(&vec![1; 90_000])));
    assert_eq!(changed(&edits), 10_000);
    let often: Vec<usize> = (0..100_000).map(|at| at / 2 % 25_000).collect();
    let rotated: Vec<usize> = often.iter().skip(33_333).chain(&often[..33_333]).copied().collect();
    check(&slices(&texts(&often)), &slices(&texts(&rotated)));
}

#[test]
fn lines_keep_their_terminators() {
    for (content, expected) in [
        (&b""[..], &[][..]),
        (b"a", &[&b"a"[..]]),
        (b"a\n", &[b"a\n"]),
        (b"a\r\nb\rc\n\n", &[b"a\r\n", b"b\rc\n", b"\n"]),
        (b"\xff\n\0", &[b"\xff\n", b"\0"]),
    ] {
        assert_eq!(split_lines(content), expected);
    }
}

/// An added function is shown from its head to the blank line after it, not from its neighbour's last brace.
#[test]
fn edits_stand_where_people_see_them() {
    let before = b"fn a() {\n    x();\n}\n\nfn c() {\n    x();\n}\n";
    let after = b"fn a() {\n    x();\n}\n\nfn b() {\n    x();\n}\n\nfn c() {\n    x();\n}\n";
    assert_eq!(check(&split_lines(before), &split_lines(after)), [Edit { before: 4..4, after: 4..8 }]);
    assert_eq!(check(&split_lines(after), &split_lines(before)), [Edit { before: 4..8, after: 4..4 }]);
    let before = b"if a {\n    one();\n}\nif c {\n    one();\n}\n";
    let after = b"if a {\n    one();\n}\nif a {\n    one();\n}\nif c {\n    one();\n}\n";
    assert_eq!(check(&split_lines(before), &split_lines(after)), [Edit { before: 3..3, after: 3..6 }]);
    // At the end of a file, whatever closes a block.
    for end in ["}", "});", "</p>", "end"] {
        let before = format!("a\n  x\n{end}\n");
        let after = format!("{before}\nb\n  y\n{end}\n");
        let expected = [Edit { before: 3..3, after: 3..7 }];
        assert_eq!(check(&split_lines(before.as_bytes()), &split_lines(after.as_bytes())), expected, "{end}");
    }
}
