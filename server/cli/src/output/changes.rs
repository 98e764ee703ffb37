//! Changes for people: what waits for a decision, by task, file and hunk, and one hunk with all that is known about it.
//! Every name, path and line comes from outside and is made visible here.

pub(crate) mod blame;
pub(crate) mod decided;
pub(crate) mod event;
pub(crate) mod history;
pub(crate) mod started;
pub(crate) mod words;

use std::collections::BTreeMap;

use augment_core::text::visible;
use augment_protocol::changes::{
    AuthorKind, ChangeCounts, ChangeList, ChangedFile, Hunk, HunkKind, LineSpan, Preview, PreviewFile, WatchState,
    Watching,
};
use augment_protocol::sessions::FlagKind;

use super::diff;
use super::table::{Cell, Column, Look, fields, table};
use super::time::{age, with_age};
use words::{author_short, author_words, evidence_name, evidence_words, standing_look, standing_name};

/// What hunks stand in by from their file.
const INDENT: u16 = 2;
/// How many spans of a hunk a table names.
const SPANS_NAMED: usize = 3;

pub(crate) fn list(list: &ChangeList, now_ms: i64, width: Option<u16>) -> String {
    let mut parts: Vec<String> = groups(&list.files)
        .into_values()
        .map(|group| format!("{}\n{}", group.heading, hunk_table(&group.hunks, now_ms, width)))
        .collect();
    parts.push(footer(list));
    parts.join("\n\n")
}

struct Group<'a> {
    heading: String,
    hunks: Vec<(&'a ChangedFile, &'a Hunk)>,
}

/// Tasks first, by their ids; then people and version control; what nobody is known to have made last, next to the
/// counts.
fn groups(files: &[ChangedFile]) -> BTreeMap<(u8, String), Group<'_>> {
    let mut groups = BTreeMap::new();
    for file in files {
        for hunk in &file.hunks {
            let author = &hunk.author;
            let rank = match author.kind {
                AuthorKind::Run => 0,
                AuthorKind::Person => 1,
                AuthorKind::Vcs => 2,
                AuthorKind::Before => 3,
                AuthorKind::Unknown => 4,
            };
            let key = author.task.as_ref().or(author.name.as_ref()).cloned().unwrap_or_default();
            let group: &mut Group<'_> =
                groups.entry((rank, key)).or_insert_with(|| Group { heading: group_heading(hunk), hunks: Vec::new() });
            group.hunks.push((file, hunk));
        }
    }
    groups
}

fn group_heading(hunk: &Hunk) -> String {
    let author = &hunk.author;
    match (&author.task, author.kind) {
        (Some(task), _) => {
            let title = author.task_title.as_deref().unwrap_or_default();
            format!("{}  {}", Look::Strong.paint(task), visible(title)).trim_end().to_owned()
        }
        (None, AuthorKind::Unknown) => Look::Warn.paint("Nobody is known to have made these"),
        (None, AuthorKind::Run | AuthorKind::Person | AuthorKind::Vcs | AuthorKind::Before) => {
            Look::Strong.paint(&author_words(author))
        }
    }
}

/// One table for the group, so that its columns stand under each other, with each file's name above its hunks.
fn hunk_table(hunks: &[(&ChangedFile, &Hunk)], now_ms: i64, width: Option<u16>) -> String {
    const COLUMNS: [Column; 8] = [
        Column::Fixed("HUNK"),
        Column::Fixed("LINES"),
        Column::Text("CHANGE"),
        Column::Text("BY"),
        Column::Fixed("EVIDENCE"),
        Column::Fixed("STANDING"),
        Column::Number("AGE"),
        Column::Text("NOTE"),
    ];
    let rows = hunks.iter().map(|(_, hunk)| {
        vec![
            Cell::styled(&hunk.id, Look::Strong),
            Cell::new(lines_words(hunk)),
            Cell::new(&hunk.summary),
            Cell::new(author_short(&hunk.author)),
            Cell::new(evidence_name(hunk.evidence)),
            Cell::styled(standing_name(hunk.standing), standing_look(hunk.standing)),
            Cell::new(age(hunk.time, now_ms)),
            Cell::styled(notes(hunk), Look::Warn),
        ]
    });
    // A row is one line, whatever stands in it.
    let table = table(&COLUMNS, rows.collect(), width.map(|width| width.saturating_sub(INDENT)));
    let mut lines = table.lines();
    let mut out: Vec<String> = lines.next().map(indented).into_iter().collect();
    let mut above = None;
    for ((file, _), line) in hunks.iter().zip(lines) {
        if above != Some(&file.path) {
            out.push(Look::Plain.paint(&file.path));
            above = Some(&file.path);
        }
        out.push(indented(line));
    }
    out.join("\n")
}

fn indented(line: &str) -> String {
    format!("{:1$}{line}", "", usize::from(INDENT))
}

/// What keeps a hunk from being decided like any other.
fn notes(hunk: &Hunk) -> String {
    let mut notes: Vec<String> = hunk.flagged.iter().cloned().collect();
    notes.extend(hunk.flag.as_ref().map(|flag| format!("{} {}", flag.id, flag_words(flag.kind))));
    let stopping = findings(hunk);
    if !stopping.is_empty() {
        notes.push(format!("found: {stopping}"));
    }
    if !hunk.entangled_with.is_empty() {
        notes.push(format!("entangled with {}", words::authors(&hunk.entangled_with)));
    }
    notes.join("; ")
}

fn flag_words(kind: FlagKind) -> &'static str {
    match kind {
        FlagKind::OutOfScope => "outside the scope",
        FlagKind::Unauthorised => "before the scope was confirmed",
    }
}

/// The rules whose findings stop a hunk's approval, each once.
fn findings(hunk: &Hunk) -> String {
    let stopping = hunk.findings.iter().filter(|finding| finding.allowed.is_none());
    let mut rules: Vec<&str> = stopping.map(|finding| finding.rule.as_str()).collect();
    rules.dedup();
    rules.join(", ")
}

/// The lines of a hunk as people count them, from 1.
pub(crate) fn lines_words(hunk: &Hunk) -> String {
    match hunk.kind {
        HunkKind::Lines if hunk.spans.is_empty() => format!("at {}", hunk.line.saturating_add(1)),
        HunkKind::Lines => {
            let named = hunk.spans.iter().take(SPANS_NAMED).map(span_words).collect::<Vec<_>>().join(",");
            if hunk.spans.len() > SPANS_NAMED { format!("{named},…") } else { named }
        }
        HunkKind::Created => "new file".to_owned(),
        HunkKind::Deleted => "deleted".to_owned(),
        HunkKind::Replaced => "whole file".to_owned(),
        HunkKind::Mode => "mode".to_owned(),
        HunkKind::Renamed => "name".to_owned(),
        HunkKind::Link => "link".to_owned(),
    }
}

fn span_words(span: &LineSpan) -> String {
    let first = span.start.saturating_add(1);
    if span.end <= first { first.to_string() } else { format!("{first}-{}", span.end) }
}

fn footer(list: &ChangeList) -> String {
    let mut lines = Vec::new();
    if let Some(next) = &list.next {
        lines.push(format!("… more files; --limit or --after {}", visible(next)));
    }
    for file in &list.files {
        let path = visible(&file.path);
        if file.more_hunks {
            lines.push(format!("{path} has more hunks than are shown; decide some, or the file as a whole"));
        }
        if file.awaits_save {
            lines.push(format!("{path} was changed in the editor and waits there to be saved"));
        }
    }
    if list.files.iter().all(|file| file.hunks.is_empty()) {
        lines.push("No change to show.".to_owned());
    }
    lines.push(counts(&list.counts));
    lines.iter().map(|line| Look::Faint.paint(line)).collect::<Vec<_>>().join("\n")
}

/// `7 hunks in 3 files wait for a decision, 2 of them of no task`.
pub(crate) fn counts(counts: &ChangeCounts) -> String {
    if counts.pending_hunks == 0 {
        return "nothing waits for a decision".to_owned();
    }
    let wait = if counts.pending_hunks == 1 { "waits" } else { "wait" };
    let hunks = words::count(counts.pending_hunks, "hunk", "hunks");
    let files = words::count(counts.pending_files, "file", "files");
    let unknown = match counts.unknown_hunks {
        0 => String::new(),
        unknown => format!(", {unknown} of them of no task"),
    };
    format!("{hunks} in {files} {wait} for a decision{unknown}")
}

/// `3 hunks of a1 wait for review: augment-cli changes list --task-id a1`; nothing where none does.
pub(crate) fn still_waiting(task: &str, list: &ChangeList) -> Option<String> {
    let hunks: usize = list.files.iter().map(|file| file.hunks.len()).sum();
    if hunks == 0 {
        return None;
    }
    let cut = list.next.is_some() || list.files.iter().any(|file| file.more_hunks);
    let count = words::count(u32::try_from(hunks).unwrap_or(u32::MAX), "hunk", "hunks");
    let (count, wait) = match (cut, hunks) {
        (true, _) => (format!("More than {count}"), "wait"),
        (false, 1) => (count, "waits"),
        (false, _) => (count, "wait"),
    };
    let task = visible(task);
    Some(format!("{count} of {task} {wait} for review: augment-cli changes list --task-id {task}"))
}

/// How the files are watched, where that is not as it should be.
pub(crate) fn watching_trouble(watching: &Watching) -> Option<Cell> {
    let look = match watching.state {
        WatchState::Watching => return None,
        WatchState::Polling | WatchState::Once => Look::Faint,
        WatchState::Partly | WatchState::Off => Look::Warn,
    };
    Some(Cell::styled(&watching.message, look))
}

/// How the files are watched, whatever it is.
pub(crate) fn watching(watching: &Watching) -> String {
    let look = match watching.state {
        WatchState::Watching => Look::Good,
        WatchState::Polling | WatchState::Once => Look::Faint,
        WatchState::Partly | WatchState::Off => Look::Warn,
    };
    look.paint(&watching.message)
}

/// A file with each of its hunks.
pub(crate) fn file(file: &ChangedFile, now_ms: i64) -> String {
    let mut parts: Vec<String> = file.hunks.iter().map(|one| hunk(&file.path, one, now_ms)).collect();
    if parts.is_empty() {
        parts.push(Look::Faint.paint(&format!("Nothing in {} waits for a decision.", file.path)));
    }
    if file.more_hunks {
        parts.push(Look::Faint.paint("There are more hunks than are shown; decide some, or the file as a whole."));
    }
    if file.awaits_save {
        parts.push(Look::Warn.paint("A decision changed it in the editor, where it waits to be saved."));
    }
    parts.join("\n\n")
}

/// One hunk with its lines and all that is known about it.
pub(crate) fn hunk(path: &str, hunk: &Hunk, now_ms: i64) -> String {
    let mut entries = vec![
        ("hunk", Cell::styled(&hunk.id, Look::Strong)),
        ("file", Cell::new(path)),
        ("lines", Cell::new(lines_words(hunk))),
        ("change", Cell::new(&hunk.summary)),
        ("standing", Cell::styled(standing_name(hunk.standing), standing_look(hunk.standing))),
        ("author", Cell::new(author_words(&hunk.author))),
    ];
    let mut add = |name, value: Option<Cell>| entries.extend(value.map(|value| (name, value)));
    add("run", hunk.author.run.as_ref().map(Cell::new));
    add(
        "evidence",
        Some(Cell::new(format!("{}: {}", evidence_name(hunk.evidence), evidence_words(hunk.evidence, &hunk.author)))),
    );
    add("when", Some(Cell::new(with_age(hunk.time, now_ms))));
    add("flagged", hunk.flagged.as_ref().map(|why| Cell::styled(why, Look::Warn)));
    add("outside", hunk.flag.as_ref().map(|flag| Cell::styled(format!("{}: {}", flag.id, flag.message), Look::Warn)));
    for finding in &hunk.findings {
        let (look, why) = match &finding.allowed {
            None => (Look::Bad, String::new()),
            Some(why) => (Look::Faint, format!(" ({why})")),
        };
        let words = format!("line {}, {}: {}{why}", finding.line + 1, finding.rule, finding.message);
        add("found", Some(Cell::styled(words, look)));
    }
    let entangled = words::authors(&hunk.entangled_with);
    add("entangled", (!entangled.is_empty()).then(|| Cell::styled(format!("with {entangled}"), Look::Warn)));
    add("approved", (!hunk.approved_by.is_empty()).then(|| Cell::new(format!("by {}", hunk.approved_by.join(", ")))));
    // Where every line ends with CRLF, saying it at each one would only hide the change.
    let all_crlf = hunk.removed_lines.iter().chain(&hunk.added_lines).all(|line| unended(line).ends_with('\r'));
    let mut lines = shown_lines('-', Look::Removed, &hunk.removed_lines, hunk.removed, all_crlf);
    lines.extend(shown_lines('+', Look::Good, &hunk.added_lines, hunk.added, all_crlf));
    if lines.is_empty() { fields(&entries) } else { format!("{}\n\n{}", fields(&entries), lines.join("\n")) }
}

fn unended(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

fn shown_lines(mark: char, look: Look, lines: &[String], in_all: u32, all_crlf: bool) -> Vec<String> {
    let mut shown: Vec<String> = lines
        .iter()
        .map(|line| {
            let line = unended(line);
            let line = if all_crlf { line.trim_end_matches('\r') } else { line };
            look.paint_lines(&format!("{mark}{}", line.replace('\n', "\\n")))
        })
        .collect();
    let left_out = in_all.saturating_sub(u32::try_from(lines.len()).unwrap_or(u32::MAX));
    if left_out > 0 {
        shown.push(Look::Faint.paint(&format!("… {} more", words::count(left_out, "line", "lines"))));
    }
    shown
}

/// What a decision would do, file by file, with whose work it touches. Files that stay as they are come last, by name.
pub(crate) fn preview(preview: &Preview) -> String {
    let (stay, change): (Vec<&PreviewFile>, Vec<&PreviewFile>) =
        preview.files.iter().partition(|file| file.diff.is_empty());
    let mut parts: Vec<String> = change.into_iter().map(previewed).collect();
    if !stay.is_empty() {
        let note = "These stay as they are; `augment-cli changes show --file` shows what is decided in them.";
        let paths = stay.iter().map(|file| {
            let path = indented(&visible(&file.path));
            let control = || Look::Warn.paint("steers editors, agents, hooks or CI");
            if file.control { format!("{path}  {}", control()) } else { path }
        });
        parts.push(format!("{}\n{}", Look::Faint.paint(note), paths.collect::<Vec<_>>().join("\n")));
    }
    if preview.more > 0 {
        let (are, them) = if preview.more == 1 { ("is", "it") } else { ("are", "them") };
        let files = words::count(preview.more, "more file", "more files");
        let how = "decide by --file or by hunk to see each one first";
        parts.push(Look::Warn.paint(&format!("{files} {are} not shown. A yes covers {them}, too; {how}.")));
    }
    parts.join("\n\n")
}

fn previewed(file: &PreviewFile) -> String {
    let mut lines = vec![Look::Strong.paint(&file.path)];
    if !file.entangled_with.is_empty() {
        lines.push(Look::Warn.paint(&format!("entangled with {}", words::authors(&file.entangled_with))));
    }
    if file.control {
        lines.push(Look::Warn.paint("steers editors, agents, hooks or CI"));
    }
    lines.push(diff::painted(&file.diff));
    lines.join("\n")
}

#[cfg(test)]
pub(crate) mod tests {
    use augment_protocol::changes::{Author, BodyKind, Evidence, Standing};

    use super::*;
    use crate::output::plain;

    pub(crate) const NOW: i64 = 1_794_823_205_000;

    pub(crate) fn run(name: &str, task: &str, title: &str) -> Author {
        Author {
            kind: AuthorKind::Run,
            name: Some(name.into()),
            run: Some(format!("{task}.1")),
            task: Some(task.into()),
            task_title: Some(title.into()),
        }
    }

    pub(crate) fn other(kind: AuthorKind, name: Option<&str>) -> Author {
        Author { kind, name: name.map(str::to_owned), run: None, task: None, task_title: None }
    }

    pub(crate) fn sample_hunk(id: &str, author: Author) -> Hunk {
        Hunk {
            findings: Vec::new(),
            flag: None,
            id: id.into(),
            kind: HunkKind::Lines,
            standing: Standing::Pending,
            author,
            evidence: Evidence::DeclaredContent,
            time: NOW - 300_000,
            line: 11,
            spans: vec![LineSpan { start: 11, end: 14 }],
            added: 3,
            removed: 1,
            removed_lines: vec!["old\n".into()],
            added_lines: vec!["new".into(), "\tnewer\u{1b}[2J".into(), "newest".into()],
            summary: "+3 −1".into(),
            entangled_with: vec![],
            flagged: None,
            approved_by: vec![],
        }
    }

    pub(crate) fn sample_file(path: &str, hunks: Vec<Hunk>) -> ChangedFile {
        ChangedFile {
            path: path.into(),
            body: BodyKind::Text,
            hash: Some("00".into()),
            hunks,
            more_hunks: false,
            awaits_save: false,
        }
    }

    fn sample() -> ChangeList {
        let claude = || run("claude", "b12", "Fix\u{7} login");
        let removal = Hunk { spans: vec![], added: 0, summary: "−1".into(), ..sample_hunk("9b40d7aa01", claude()) };
        let unknown = Hunk {
            kind: HunkKind::Created,
            evidence: Evidence::Nothing,
            flagged: Some("its author is unknown".into()),
            entangled_with: vec![run("goose", "a3", "Tests")],
            ..sample_hunk("77aa0b1c2d", other(AuthorKind::Unknown, None))
        };
        ChangeList {
            files: vec![
                sample_file("src/a.rs", vec![sample_hunk("3fa2c1d0e4", claude()), unknown]),
                ChangedFile { more_hunks: true, awaits_save: true, ..sample_file("src/b\u{1b}.rs", vec![removal]) },
            ],
            next: Some("src/b\u{1b}.rs".into()),
            counts: ChangeCounts { pending_files: 2, pending_hunks: 3, unknown_hunks: 1 },
            revision: 9,
        }
    }

    #[test]
    fn changes_are_listed_by_task_with_what_is_left_out() {
        assert_eq!(
            plain(&list(&sample(), NOW, None)),
            "b12  Fix\\u{7} login\n\
             \x20 HUNK        LINES  CHANGE  BY      EVIDENCE          STANDING  AGE  NOTE\n\
             src/a.rs\n\
             \x20 3fa2c1d0e4  12-14  +3 −1   claude  declared-content  pending    5m\n\
             src/b\\u{1b}.rs\n\
             \x20 9b40d7aa01  at 12  −1      claude  declared-content  pending    5m\n\
             \n\
             Nobody is known to have made these\n\
             \x20 HUNK        LINES     CHANGE  BY       EVIDENCE  STANDING  AGE  NOTE\n\
             src/a.rs\n\
             \x20 77aa0b1c2d  new file  +3 −1   unknown  nothing   pending    5m  its author is unknown; entangled with goose for a3 “Tests”\n\
             \n\
             … more files; --limit or --after src/b\\u{1b}.rs\n\
             src/b\\u{1b}.rs has more hunks than are shown; decide some, or the file as a whole\n\
             src/b\\u{1b}.rs was changed in the editor and waits there to be saved\n\
             3 hunks in 2 files wait for a decision, 1 of them of no task"
        );
        let empty = ChangeList { files: vec![], next: None, counts: ChangeCounts::default(), revision: 1 };
        assert_eq!(plain(&list(&empty, NOW, None)), "No change to show.\nnothing waits for a decision");
    }

    #[test]
    fn what_waits_after_the_end_of_a_task_is_counted() {
        let said = |list: &ChangeList| still_waiting("b12", list);
        let next = "wait for review: augment-cli changes list --task-id b12";
        assert_eq!(said(&sample()), Some(format!("More than 3 hunks of b12 {next}")));
        let mut list = ChangeList { next: None, ..sample() };
        list.files.truncate(1);
        assert_eq!(said(&list), Some(format!("2 hunks of b12 {next}")));
        list.files[0].hunks.truncate(1);
        assert_eq!(said(&list), Some(format!("1 hunk of b12 {}", next.replace("wait ", "waits "))));
        list.files.clear();
        assert_eq!(said(&list), None);
    }

    #[test]
    fn a_hunk_is_shown_with_its_provenance() {
        let hunk_value = Hunk {
            entangled_with: vec![other(AuthorKind::Person, Some("ada"))],
            flagged: Some("a control file".into()),
            approved_by: vec!["bo".into()],
            standing: Standing::HalfApproved,
            removed: 3,
            ..sample_hunk("3fa2c1d0e4", run("claude", "b12", "Fix login"))
        };
        assert_eq!(
            plain(&hunk("src/a.rs", &hunk_value, NOW)),
            "hunk       3fa2c1d0e4\n\
             file       src/a.rs\n\
             lines      12-14\n\
             change     +3 −1\n\
             standing   half approved\n\
             author     claude for b12 “Fix login”\n\
             run        b12.1\n\
             evidence   declared-content: the run said that it writes this very content\n\
             when       2026-11-16 09:55:05Z (5m ago)\n\
             flagged    a control file\n\
             entangled  with ada\n\
             approved   by bo\n\
             \n\
             -old\n… 2 lines more\n+new\n+\tnewer\\u{1b}[2J\n+newest"
        );
    }

    #[test]
    fn lines_are_counted_as_people_do() {
        let spans = |spans: &[(u32, u32)]| {
            let spans = spans.iter().map(|&(start, end)| LineSpan { start, end }).collect();
            lines_words(&Hunk { spans, ..sample_hunk("x", other(AuthorKind::Unknown, None)) })
        };
        assert_eq!(spans(&[(0, 1)]), "1");
        assert_eq!(spans(&[(0, 2), (4, 5)]), "1-2,5");
        assert_eq!(spans(&[(0, 2), (4, 5), (6, 7), (8, 9)]), "1-2,5,7,…");
        assert_eq!(spans(&[]), "at 12");
    }

    #[test]
    fn a_preview_names_whose_work_it_touches() {
        let shown = preview(&Preview {
            hunks: 1,
            files: vec![
                PreviewFile { path: "b\n".into(), diff: String::new(), entangled_with: vec![], control: true },
                PreviewFile {
                    path: "a\u{9b}".into(),
                    diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\u{1b}c\n+y\n".into(),
                    entangled_with: vec![other(AuthorKind::Person, Some("ada"))],
                    control: true,
                },
            ],
            more: 1,
            asks: true,
            confirm: "c".into(),
        });
        assert_eq!(
            plain(&shown),
            "a\\u{9b}\nentangled with ada\nsteers editors, agents, hooks or CI\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\\u{1b}c\n+y\n\n\
             These stay as they are; `augment-cli changes show --file` shows what is decided in them.\n  b\\n  \
             steers editors, agents, hooks or CI\n\n\
             1 more file is not shown. A yes covers it, too; decide by --file or by hunk to see each one first."
        );
    }
}
