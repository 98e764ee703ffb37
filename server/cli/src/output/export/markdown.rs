//! Markdown for people. Whatever comes from outside stands in code, where no reader of Markdown looks for markup, links, names or
//! HTML; no table is used, since readers do not agree on what a bar means in one.

use augment_core::text::{visible, visible_lines};

use super::{About, Exported, Form, Sum};
use crate::output::html::ReportText;
use crate::output::json;
use crate::output::time::utc;

pub(super) struct Markdown {
    reports: Vec<ReportText>,
    day: String,
}

impl Markdown {
    pub(super) fn new(reports: Vec<ReportText>) -> Self {
        Self { reports, day: String::new() }
    }
}

impl Form for Markdown {
    fn begin(&mut self, about: &About) -> String {
        let wanted = about.wanted.iter().map(|(name, value)| format!("- {name}: {}\n", code(value)));
        let wanted: String = if about.wanted.is_empty() { "- everything\n".to_owned() } else { wanted.collect() };
        format!("# Ledger of {}\n\n{wanted}- exported: {}\n\n## Records\n", code(&about.project), utc(about.made))
    }

    fn record(&mut self, exported: &Exported) -> Result<String, serde_json::Error> {
        let record = &exported.record;
        let time = utc(record.time);
        let (day, clock) = time.split_once(' ').unwrap_or((&time, ""));
        let heading = if self.day == day { String::new() } else { format!("\n### {day}\n\n") };
        day.clone_into(&mut self.day);
        let redacted = if exported.redacted { " (redacted)" } else { "" };
        Ok(format!(
            "{heading}- **{}** {clock} {} {} {}{redacted}\n  {}\n",
            record.sequence,
            code(&record.actor),
            code(&record.kind),
            code(&record.subject),
            code(&json::line(&record.data)?)
        ))
    }

    fn end(&mut self, sum: &Sum) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        if !self.reports.is_empty() {
            text.push_str("\n## Reports\n");
        }
        for report in &self.reports {
            text.push_str(&format!("\n### {}\n\n{}\n", utc(report.time), block(&report.text)));
        }
        text.push_str(&format!(
            "\n## End\n\n- records: {}, {} of them redacted\n- head: {}\n\nThis is for reading. What can be checked is the export as \
             JSON Lines.\n",
            sum.records,
            sum.redacted,
            code(&sum.head)
        ));
        Ok(text)
    }
}

/// The most backticks that stand in a row.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text as a code span: on one line, and nothing in it ends the span.
fn code(text: &str) -> String {
    let text = visible(text);
    if text.trim().is_empty() {
        return "–".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // The spaces are taken away again; without them a backtick at an end would join the fence.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Lines as a code block that nothing in them ends.
fn block(text: &str) -> String {
    let text = visible_lines(text.trim_end());
    let fence = "`".repeat((longest_run(&text) + 1).max(3));
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_code() {
        for (text, expected) in [
            ("plain", "`plain`"),
            ("<img src=x onerror=alert(1)>", "`<img src=x onerror=alert(1)>`"),
            ("a `b` c", "``a `b` c``"),
            ("``", "``` `` ```"),
            ("`x", "`` `x ``"),
            ("@all [x](javascript:1) | # - *b*", "`@all [x](javascript:1) | # - *b*`"),
            ("one\n# two", "`one\\n# two`"),
            ("", "–"),
        ] {
            assert_eq!(code(text), expected);
        }
        assert_eq!(block("a\n````\nb\n"), "`````text\na\n````\nb\n`````");
    }
}
