//! Archived sessions and what was learnt, for people. All of it came from files: it is shown as text, line by line.

use augment_core::text::{shortened, visible, visible_lines};
use augment_protocol::archive::{
    ArchiveDetails, ArchiveHits, ArchiveList, ArchiveProblem, ArchivedSession, ArchivesImported, ArchivesVerified,
    KnowledgeEntry, KnowledgeList,
};

use super::table::{Cell, Column, Look, table};

/// How much of an entry is told where it is only a reminder.
const REMINDER: usize = 300;

pub(crate) fn list(list: &ArchiveList, width: Option<u16>) -> String {
    let mut parts = Vec::new();
    if list.sessions.is_empty() {
        parts.push(Look::Faint.paint("No archived session to show."));
    } else {
        let columns = [
            Column::Fixed("ENDED"),
            Column::Number("NO"),
            Column::Fixed("ID"),
            Column::Text("TITLE"),
            Column::Text("TAGS"),
            Column::Text("FOLDER"),
        ];
        let row = |session: &ArchivedSession| {
            vec![
                Cell::new(day(session.ended_at)),
                Cell::styled(format!("{:03}", session.number), Look::Strong),
                Cell::new(&session.id),
                Cell::new(&session.title),
                Cell::styled(session.tags.join(" "), Look::Faint),
                Cell::styled(&session.folder, Look::Faint),
            ]
        };
        parts.push(table(&columns, list.sessions.iter().map(row).collect(), width));
    }
    if list.more {
        parts.push(Look::Faint.paint("… older ones; --limit shows more"));
    }
    parts.extend(problems(&list.problems));
    parts.join("\n\n")
}

fn day(ms: i64) -> String {
    augment_core::time::date(ms)
}

fn problems(problems: &[ArchiveProblem]) -> Option<String> {
    let line = |problem: &ArchiveProblem| {
        format!("{} {}: {}", Look::Warn.paint("not read:"), visible(&problem.folder), visible(&problem.message))
    };
    (!problems.is_empty()).then(|| problems.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Each session with the words around what was found.
pub(crate) fn hits(hits: &ArchiveHits) -> String {
    let mut parts: Vec<String> = hits
        .hits
        .iter()
        .map(|hit| {
            let session = &hit.session;
            format!(
                "{}  {}  {}\n  {}\n  {}",
                Look::Strong.paint(&format!("{:03}", session.number)),
                day(session.ended_at),
                Look::Strong.paint(&session.title),
                visible(&hit.snippet),
                Look::Faint.paint(&session.folder)
            )
        })
        .collect();
    if parts.is_empty() {
        let looked = match hits.sessions {
            1 => "1 archived session".to_owned(),
            count => format!("{count} archived sessions"),
        };
        parts.push(Look::Faint.paint(&format!("Nothing found in {looked}.")));
    }
    if hits.more {
        parts.push(Look::Faint.paint("… more; --limit shows them"));
    }
    parts.extend(problems(&hits.problems));
    parts.join("\n\n")
}

pub(crate) fn details(details: &ArchiveDetails) -> String {
    let place = Look::Faint.paint(&details.path);
    match details.summary.trim_end() {
        "" => format!("It has no summary. `--json` shows its record.\n\n{place}"),
        summary => format!("{}\n\n{place}", visible_lines(summary)),
    }
}

pub(crate) fn verified(verified: &ArchivesVerified) -> String {
    let mut lines: Vec<String> = Vec::new();
    for archive in &verified.archives {
        if let Some(problem) = &archive.problem {
            lines.push(format!(
                "{} {}: {}",
                Look::Bad.paint("does not hold:"),
                visible(&archive.folder),
                visible(problem)
            ));
        }
    }
    let bad = lines.len();
    let records: u64 = verified.archives.iter().map(|archive| archive.records).sum();
    let count = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let archives = count(verified.archives.len(), "archive");
    lines.push(match bad {
        0 => format!("{} {archives} with {records} records of the ledger.", Look::Good.paint("They hold:")),
        bad => format!("{} of {archives} {} not hold.", bad, if bad == 1 { "does" } else { "do" }),
    });
    lines.push(Look::Faint.paint(
        "What this cannot show: a folder that was written anew as a whole, hashes and all, or a change to session.json alone.",
    ));
    lines.join("\n")
}

pub(crate) fn imported(imported: &ArchivesImported) -> String {
    let lines = |word: &str, folders: &[String]| -> Vec<String> {
        folders.iter().map(|folder| format!("{word} {}", visible(folder))).collect()
    };
    let mut all = lines("imported", &imported.imported);
    all.extend(lines("there already", &imported.already));
    all.extend(lines(&Look::Warn.paint("left out, since the name is no plain name:"), &imported.skipped));
    all.join("\n")
}

/// Which entries were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    All,
    Some,
}

pub(crate) fn knowledge(list: &KnowledgeList, asked: Asked) -> String {
    let mut parts: Vec<String> = list.entries.iter().map(entry).collect();
    if parts.is_empty() {
        parts.push(Look::Faint.paint(match asked {
            Asked::All => "Nothing is known yet. `augment-cli knowledge add` takes it.",
            Asked::Some => "Nothing that is known matches. `augment-cli knowledge list` shows all of it.",
        }));
    }
    if list.more {
        parts.push(Look::Faint.paint("… more; --limit shows them"));
    }
    parts.extend(list.problems.iter().map(|problem| format!("{} {}", Look::Warn.paint("not read:"), visible(problem))));
    parts.join("\n\n")
}

fn entry(entry: &KnowledgeEntry) -> String {
    let (look, state) = if entry.shared { (Look::Good, "shared") } else { (Look::Faint, "local") };
    let text = visible_lines(&entry.text).replace('\n', "\n  ");
    format!(
        "{}  {}\n  {text}\n  {}",
        Look::Strong.paint(&entry.id),
        look.paint(state),
        Look::Faint.paint(&told_by(entry))
    )
}

/// Where an entry comes from, in a line.
fn told_by(entry: &KnowledgeEntry) -> String {
    let mut words = vec![day(entry.at)];
    words.extend(entry.by.as_ref().map(|by| format!("by {by}")));
    words.extend(entry.source.as_ref().map(|source| format!("from {source}")));
    words.extend((!entry.tags.is_empty()).then(|| format!("tags: {}", entry.tags.join(", "))));
    words.extend((!entry.files.is_empty()).then(|| format!("files: {}", entry.files.join(", "))));
    words.join(", ")
}

pub(crate) fn kept(word: &str, entry: &KnowledgeEntry) -> String {
    format!("{word}: {}  {}", Look::Strong.paint(&entry.id), visible(&shortened(&entry.text, REMINDER)))
}

/// What was learnt earlier, for whoever begins: quoted, each with its source.
pub(crate) fn from_earlier(entries: &[KnowledgeEntry]) -> Option<String> {
    if entries.is_empty() {
        return None;
    }
    let line = |entry: &KnowledgeEntry| {
        let source = match (&entry.source, &entry.by) {
            (Some(source), _) => source.clone(),
            (None, Some(by)) => by.clone(),
            (None, None) => "unknown".to_owned(),
        };
        let text = visible(&shortened(&entry.text, REMINDER)).into_owned();
        format!("  {} \"{text}\" ({})", Look::Strong.paint(&entry.id), visible(&source))
    };
    let lines: Vec<String> = entries.iter().map(line).collect();
    Some(format!("{}\n{}", Look::Strong.paint("From earlier sessions"), lines.join("\n")))
}
