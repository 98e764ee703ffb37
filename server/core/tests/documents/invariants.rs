//! What holds for every text, shared by the tests and the fuzzing example: reading and changing never fail to end, bytes
//! outside of the told places stay, a change made twice is made once, and nothing that is put in becomes more than it is.

use augment_core::document::{
    Changelog, Edited, Entry, NewDiscovered, NewEntry, Plan, PlanEdit, PlanStatus, PlanTask, add_entry, edit_plan,
};
use augment_core::simulation::Random;

/// Texts that would be something else if they were put into a document as they are.
pub(crate) const NASTY: &[&str] = &[
    "plain",
    "a | b || c",
    "# heading",
    "<!-- open",
    "--> close",
    "<!-- all -->",
    "- [ ] box",
    "[x] box",
    "[x](y) link",
    "1. one",
    "```",
    "~~~ fence",
    "---",
    "===",
    "| a | b |",
    "|---|---|",
    "> quote",
    "**bold** word",
    "**Phase:** x",
    "`code | `",
    "\\",
    "\\| \\",
    "line\nbreak\r\n## heading",
    "<script>alert(1)</script>",
    "&lt;!-- x --&gt;",
    "Session 12 again",
    "v1.2.3 — Session 4 — 2020-01-01",
    "2020-02-02",
    "nothing",
    "—",
    "",
    "\u{feff}\u{200b}x\u{1b}[31m",
    "🔵 in progress",
    "Title — High (Session 3)",
    "_a_ ~~b~~ *c*",
    "[",
    "](",
    ")",
    "progress: 3/5 (60%)",
    "Discovered Tasks",
];

/// A text of a few such parts, or a long one.
pub(crate) fn nasty(random: &mut Random) -> String {
    let mut text = random.pick(NASTY).to_owned();
    while random.chance(30) {
        text.push_str(random.pick(&["", " ", "\n"]));
        text.push_str(random.pick(NASTY));
    }
    if random.below(400) == 0 { text.repeat(200) } else { text }
}

/// Holds a text against all that must hold.
pub(crate) fn hold(text: &[u8], random: &mut Random) {
    hold_plan(text, random);
    hold_changelog(text, random);
}

/// The bytes outside of the told places are the same, and the places are in order.
fn hold_spans(old: &[u8], edited: &Edited) {
    let (mut at_old, mut at_new) = (0, 0);
    for (old_span, new_span) in &edited.spans {
        assert!(old_span.start >= at_old && new_span.start >= at_new, "the places are in order");
        assert_eq!(old[at_old..old_span.start], edited.text[at_new..new_span.start], "what is between stays");
        (at_old, at_new) = (old_span.end, new_span.end);
    }
    assert_eq!(old[at_old..], edited.text[at_new..], "what is behind stays");
    assert!(!edited.spans.is_empty() || edited.changes.is_empty(), "what is told is done: {:?}", edited.changes);
}

fn titles(plan: &Plan, random: &mut Random, most: usize) -> Vec<String> {
    let count = random.below(most + 1);
    let one = |random: &mut Random| match plan.tasks.len() {
        0 => nasty(random),
        _ if random.chance(5) => nasty(random),
        tasks => plan.tasks[random.below(tasks)].title.clone(),
    };
    (0..count).map(|_| one(random)).collect()
}

fn edit(plan: &Plan, random: &mut Random) -> PlanEdit {
    let new = |random: &mut Random| NewDiscovered {
        title: nasty(random),
        priority: random.pick(&["High", "low", "?|"]).to_owned(),
    };
    PlanEdit {
        complete: titles(plan, random, 4),
        in_progress: titles(plan, random, 2),
        blocked: titles(plan, random, 2).into_iter().map(|title| (title, nasty(random))).collect(),
        discovered: (0..random.below(3)).map(|_| new(random)).collect(),
        today: random.pick(&["2026-02-28", "2026-03-01", "today"]).to_owned(),
        session: u32::try_from(random.below(1200)).expect("it is small"),
    }
}

fn hold_plan(text: &[u8], random: &mut Random) {
    let Ok(plan) = Plan::read(text) else {
        assert!(edit_plan(text, &PlanEdit::default()).is_err(), "what is not read is not changed");
        return;
    };
    let (done, total) = plan.progress();
    assert!(done <= total, "{done} of {total}");
    let open = |task: &usize| matches!(plan.tasks[*task].status, PlanStatus::Planned | PlanStatus::InProgress);
    assert!(plan.proposed(3).iter().all(open), "only open tasks are proposed");
    let has_words = |task: &&PlanTask| task.title.contains(char::is_alphanumeric);
    let mut named = plan.tasks.iter().filter(has_words);
    assert!(named.all(|task| plan.find_task(&task.title).is_some()), "every task is found");
    let edit = edit(&plan, random);
    let once = edit_plan(text, &edit).expect("it was read");
    hold_spans(text, &once);
    let twice = edit_plan(&once.text, &edit).expect("it can still be read");
    assert_eq!(
        String::from_utf8_lossy(&twice.text),
        String::from_utf8_lossy(&once.text),
        "twice is once: {edit:?}\n{}",
        String::from_utf8_lossy(text)
    );
    hold_tasks(text, &plan, &edit, &once);
}

/// No task comes or goes, and only the named ones change.
fn hold_tasks(text: &[u8], plan: &Plan, edit: &PlanEdit, once: &Edited) {
    let after = Plan::read(&once.text).expect("it can still be read");
    let names = |plan: &Plan| -> Vec<String> { plan.tasks.iter().map(|task| task.title.clone()).collect() };
    let whole = || format!("{edit:?}\n{}\n=>\n{}", String::from_utf8_lossy(text), String::from_utf8_lossy(&once.text));
    assert_eq!(names(&after), names(plan), "{}", whole());
    let changed = plan.tasks.iter().zip(&after.tasks).filter(|(old, new)| old.status != new.status);
    let is_told = |(old, new): (&PlanTask, &PlanTask)| {
        let told = format!("{}: {}", old.title, new.status.word().to_lowercase());
        once.changes.contains(&told)
    };
    assert!(changed.into_iter().all(is_told), "{}", whole());
    let grown = once.changes.iter().filter(|change| change.starts_with("discovered task added")).count();
    assert_eq!(after.discovered.len(), plan.discovered.len() + grown, "{}", whole());
}

fn entry(log: &Changelog, random: &mut Random) -> NewEntry {
    let list = |random: &mut Random| (0..random.below(3)).map(|_| nasty(random)).collect::<Vec<_>>();
    NewEntry {
        session: log.next_session(),
        date: "2026-02-28".into(),
        title: nasty(random),
        phase: random.chance(50).then(|| nasty(random)),
        agent: nasty(random),
        model: random.chance(50).then(|| nasty(random)),
        minutes: 80,
        completed: (1, 2),
        done: list(random),
        not_done: list(random),
        decisions: list(random),
        discovered: list(random),
        goal: list(random),
    }
}

fn hold_changelog(text: &[u8], random: &mut Random) {
    let Ok(log) = Changelog::read(text) else {
        assert!(add_entry(text, &NewEntry::default()).is_err(), "what is not read is not changed");
        return;
    };
    if log.next_session() > 999_999_999 {
        return;
    }
    let new = entry(&log, random);
    let Ok(once) = add_entry(text, &new) else { return };
    hold_spans(text, &once);
    if once.spans.is_empty() {
        assert!(!once.left_alone.is_empty(), "what is not done is told");
        return;
    }
    let twice = add_entry(&once.text, &new).expect("it can still be read");
    let whole = || format!("{new:?}\n{}\n=>\n{}", String::from_utf8_lossy(text), String::from_utf8_lossy(&once.text));
    assert_eq!(String::from_utf8_lossy(&twice.text), String::from_utf8_lossy(&once.text), "twice is once: {}", whole());
    let after = Changelog::read(&once.text).expect("it can still be read");
    let kept = |log: &Changelog| -> Vec<Entry> {
        let mut entries: Vec<Entry> = log.entries.iter().map(|entry| Entry { line: 0, ..entry.clone() }).collect();
        entries.sort_by_key(|entry| format!("{entry:?}"));
        entries
    };
    let (old, now) = (kept(&log), kept(&after));
    // Where the new entry needs a heading for what is not released, that one is new as well.
    let mut rest = now.iter();
    assert!(old.iter().all(|entry| rest.any(|other| other == entry)), "{}", whole());
    assert!((1..=2).contains(&(now.len() - old.len())), "{}", whole());
    assert_eq!(after.next_session(), new.session + 1, "{}", whole());
}
