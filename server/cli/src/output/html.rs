//! The exported page: one file that needs no network, with the facts, a timeline, the records, the reports and the diffs.
//!
//! Everything from outside goes into it as JSON that the page's script sets as text; none of it is ever HTML. The policy in the page
//! lets only our own style and script run, so that even a slip in one place would do nothing.

use augment_protocol::changes::{Author, AuthorKind, ChangedFile, Hunk, Standing};
use augment_protocol::sessions::{ReportLevel, Session, SessionDetails};
use serde_json::{Value, json};

use super::export::{About, Exported, Form, Sum, masked};
use super::json::line;
use super::session::state_name;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// More than so many records make no page that is a pleasure to open; the other formats take any number.
pub(crate) const MAX_RECORDS: u64 = 200_000;
/// How many files and lines of diffs a page shows.
const MAX_FILES: usize = 500;
const MAX_LINES: usize = 50_000;

/// A report as it was told.
#[derive(Debug, Clone)]
pub(crate) struct ReportText {
    pub(crate) level: &'static str,
    pub(crate) task: Option<String>,
    pub(crate) time: i64,
    pub(crate) text: String,
}

/// The diffs of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    files: Vec<Value>,
    lines: usize,
    /// Why there is more than is shown.
    limit: Option<&'static str>,
}

impl Changes {
    /// Takes a file's hunks while there is room.
    pub(crate) fn take(&mut self, file: &ChangedFile) {
        if self.files.len() == MAX_FILES || self.lines >= MAX_LINES {
            self.limit = Some("There is more than this page shows: `augment-cli changes list --decided` lists all.");
            return;
        }
        if file.more_hunks {
            self.limit = Some("Some files have more hunks than are shown.");
        }
        self.lines += file.hunks.iter().map(|hunk| hunk.removed_lines.len() + hunk.added_lines.len()).sum::<usize>();
        self.files.push(json!({
            "path": mask(&file.path),
            "hunks": file.hunks.iter().map(hunk).collect::<Vec<_>>(),
        }));
    }

    pub(crate) fn is_full(&self) -> bool {
        self.files.len() == MAX_FILES || self.lines >= MAX_LINES
    }
}

fn mask(text: &str) -> String {
    masked(text)
}

fn hunk(hunk: &Hunk) -> Value {
    // A key goes over several lines, so the lines are looked at together.
    let lines = |lines: &[String]| -> Vec<String> {
        if lines.is_empty() { Vec::new() } else { mask(&lines.join("\n")).split('\n').map(str::to_owned).collect() }
    };
    json!({
        "standing": standing(hunk.standing),
        "author": mask(&author(&hunk.author)),
        "task": hunk.author.task,
        "time": hunk.time,
        "line": hunk.line,
        "summary": mask(&hunk.summary),
        "removed": lines(&hunk.removed_lines),
        "added": lines(&hunk.added_lines),
        "cut": hunk.removed_lines.len() < hunk.removed as usize || hunk.added_lines.len() < hunk.added as usize,
    })
}

fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Pending => "pending",
        Standing::HalfApproved => "half approved",
        Standing::Approved => "approved",
        Standing::Rejected => "rejected",
    }
}

fn author(author: &Author) -> String {
    let name = |or: &str| author.name.clone().unwrap_or_else(|| or.to_owned());
    match author.kind {
        AuthorKind::Person => name("a person"),
        AuthorKind::Run => match &author.run {
            Some(run) => format!("{} ({run})", name("an agent")),
            None => name("an agent"),
        },
        AuthorKind::Vcs => "version control".to_owned(),
        AuthorKind::Unknown => "unknown".to_owned(),
        AuthorKind::Before => "from before".to_owned(),
    }
}

pub(crate) fn report_texts(details: &SessionDetails) -> Vec<ReportText> {
    let report = |report: &augment_protocol::sessions::SessionReport| ReportText {
        level: level(report.level),
        task: report.task.clone(),
        time: report.time,
        text: mask(&report.text),
    };
    details.reports.iter().map(report).collect()
}

fn level(level: ReportLevel) -> &'static str {
    match level {
        ReportLevel::Start => "start",
        ReportLevel::Light => "task",
        ReportLevel::Medium => "checkpoint",
        ReportLevel::Heavy => "sprint review",
        ReportLevel::Comprehensive => "session end",
    }
}

/// The page while it is being written.
pub(crate) struct Page {
    nonce: String,
    session: Option<Value>,
    reports: Vec<ReportText>,
    about: About,
    has_records: bool,
}

impl Page {
    /// `nonce` is random text that nobody knew before.
    pub(crate) fn new(nonce: String, details: Option<&SessionDetails>) -> Self {
        Self {
            nonce,
            session: details.map(|details| session(&details.session)),
            reports: details.map(report_texts).unwrap_or_default(),
            about: About::default(),
            has_records: false,
        }
    }

    pub(crate) fn reports(self) -> Vec<ReportText> {
        self.reports
    }

    /// The parts of the page around its data: before the records, between them and the facts, and after.
    fn parts(&self) -> [String; 3] {
        let whole = PAGE.replace("NONCE", &self.nonce).replace("/* STYLE */", STYLE).replace("/* SCRIPT */", SCRIPT);
        let (before, rest) = whole.split_once("\"RECORDS\"").unwrap_or((&whole, ""));
        let (between, after) = rest.split_once("\"FACTS\"").unwrap_or((rest, ""));
        [before.to_owned(), between.to_owned(), after.to_owned()]
    }
}

fn session(session: &Session) -> Value {
    let items = session.items.iter().map(|item| {
        json!({ "title": mask(&item.title), "task": item.task, "goal": item.goal.as_deref().map(mask), "end": item.end })
    });
    json!({
        "id": session.id,
        "number": session.number,
        "state": state_name(session.state),
        "protocol": session.protocol,
        "automatic": session.automatic.as_deref().map(mask),
        "model": session.model.as_deref().map(mask),
        "startedAt": session.started_at,
        "confirmedAt": session.confirmed_at,
        "endedAt": session.ended_at,
        "endReason": session.end_reason.as_deref().map(mask),
        "phase": session.phase.as_deref().map(mask),
        "sprintGoal": session.sprint_goal.as_deref().map(mask),
        "before": [session.before.done, session.before.total],
        "now": [session.now.done, session.now.total],
        "items": items.collect::<Vec<_>>(),
        "discovered": session.discovered.iter().map(|title| mask(title)).collect::<Vec<_>>(),
    })
}

/// JSON that may stand in a script element: what could end the element, or begin a comment in it, is spelled out.
fn embedded(value: &Value) -> Result<String, serde_json::Error> {
    Ok(line(value)?.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}

impl Form for Page {
    fn begin(&mut self, about: &About) -> String {
        self.about = about.clone();
        let [before, _, _] = self.parts();
        format!("{before}[")
    }

    fn record(&mut self, exported: &Exported) -> Result<String, serde_json::Error> {
        let record = &exported.record;
        let row = json!([
            record.sequence,
            record.time,
            record.actor,
            record.kind,
            record.subject,
            record.about,
            record.data,
            u8::from(exported.redacted),
            record.hash,
        ]);
        let comma = if self.has_records { ",\n" } else { "\n" };
        self.has_records = true;
        Ok(format!("{comma}{}", embedded(&row)?))
    }

    fn end(&mut self, sum: &Sum) -> Result<String, serde_json::Error> {
        let [_, between, after] = self.parts();
        let report = |report: &ReportText| json!({ "level": report.level, "task": report.task, "time": report.time, "text": report.text });
        let facts = json!({
            "project": self.about.project,
            "wanted": self.about.wanted.iter().map(|(name, value)| [*name, value]).collect::<Vec<_>>(),
            "made": self.about.made,
            "session": self.session,
            "records": sum.records,
            "redacted": sum.redacted,
            "head": sum.head,
            "reports": self.reports.iter().map(report).collect::<Vec<_>>(),
            "files": sum.changes.files,
            "filesLimit": sum.changes.limit,
        });
        Ok(format!("\n]{between}{}{after}", embedded(&facts)?))
    }
}

#[cfg(test)]
mod tests {
    use augment_protocol::records::Record;

    use super::*;

    #[test]
    fn no_text_gets_out_of_its_place() {
        let hostile = "</script><img src=x onerror=alert(1)><!--\u{2028}&amp;";
        let record = Record {
            sequence: 1,
            time: 0,
            actor: "person:ada".into(),
            kind: "task.added".into(),
            subject: "task:a1".into(),
            about: vec![],
            data: json!({ "title": hostile }),
            version: 1,
            previous: "00".into(),
            hash: "ff".into(),
        };
        let mut page = Page::new("abc".into(), None);
        let about = About { project: hostile.into(), ..About::default() };
        let mut text = page.begin(&about);
        let made_by_us = text.clone();
        text.push_str(&page.record(&Exported { record: record.clone(), redacted: false }).unwrap());
        text.push_str(&page.record(&Exported { record, redacted: true }).unwrap());
        text.push_str(&page.end(&Sum { records: 2, ..Sum::default() }).unwrap());
        assert!(!text.contains("<img") && !text.contains('\u{2028}'), "{text}");
        assert_eq!(text.matches("</script>").count(), 3, "the records, the facts and the script end, and nothing else");
        assert!(made_by_us.contains("default-src 'none'; style-src 'nonce-abc'; script-src 'nonce-abc'"));
        assert!(!text.contains("NONCE") && !text.contains("/* STYLE */") && !text.contains("/* SCRIPT */"));
        let rows = text.split_once("id=\"records\">").unwrap().1.split_once("</script>").unwrap().0;
        let rows: Value = serde_json::from_str(rows).unwrap();
        assert_eq!(rows[1][6]["title"], hostile);
        let facts = text.split_once("id=\"facts\">").unwrap().1.split_once("</script>").unwrap().0;
        assert_eq!(serde_json::from_str::<Value>(facts).unwrap()["project"], hostile);
    }
}
