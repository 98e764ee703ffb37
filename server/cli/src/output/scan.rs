//! What the scan finds, for people: where it is and what it looks like, never what it is.

use augment_core::scan::rules;
use augment_core::text::visible;
use augment_protocol::sessions::{Finding, ScanAllowList, ScanResult};

use super::table::{Cell, Column, Look, table};

/// `src/a.rs:3:12  github-token  This looks like …`
fn line(finding: &Finding) -> String {
    let place = format!("{}:{}:{}", finding.path, finding.line + 1, finding.start + 1);
    let hunk = finding.hunk.as_ref().map(|hunk| format!(" [{}]", visible(hunk))).unwrap_or_default();
    let (look, why) = match &finding.allowed {
        None => (Look::Bad, String::new()),
        Some(why) => (Look::Faint, format!(" ({})", visible(why))),
    };
    format!("{}{hunk} {}: {}{why}", visible(&place), look.paint(&finding.rule), visible(&finding.message))
}

pub(super) fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

pub(crate) fn result(result: &ScanResult, of_files: bool) -> String {
    let mut lines: Vec<String> = result.findings.iter().map(line).collect();
    lines.extend(result.not_read.iter().map(|why| format!("{} {}", Look::Warn.paint("not read:"), visible(why))));
    let stops = result.findings.iter().filter(|finding| finding.allowed.is_none()).count();
    let passes = result.findings.len() - stops;
    let looked = counted(usize::try_from(result.files).unwrap_or(usize::MAX), "file");
    let what = if of_files { looked } else { format!("{looked} with changes that wait") };
    let passing = if passes > 0 { format!(", {passes} that may stay") } else { String::new() };
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.push(match stops {
        0 if !result.not_read.is_empty() => format!("nothing stops in {what} that could be read{passing}."),
        0 => format!("{} nothing stops in {what}{passing}.", Look::Good.paint("ok:")),
        stops => format!("{} in {what}{passing}.", Look::Bad.paint(&counted(stops, "finding"))),
    });
    if result.more {
        lines.push("There is more than one answer carries. Name fewer files.".to_owned());
    }
    lines.join("\n")
}

pub(crate) fn acknowledged(result: &ScanResult) -> String {
    let mut lines: Vec<String> = result.findings.iter().map(line).collect();
    let left = result.findings.iter().filter(|finding| finding.allowed.is_none()).count();
    lines.push(match left {
        0 => "Acknowledged. Nothing in it stops any more.".to_owned(),
        left => format!("Acknowledged. {} left in it.", counted(left, "finding")),
    });
    lines.join("\n")
}

pub(crate) fn allowed(list: &ScanAllowList, width: Option<u16>) -> String {
    if list.allowed.is_empty() {
        return "Nothing is let pass.".to_owned();
    }
    let columns = [
        Column::Number("NUMBER"),
        Column::Fixed("RULE"),
        Column::Fixed("PATH"),
        Column::Fixed("UNTIL"),
        Column::Fixed("BY"),
        Column::Text("REASON"),
    ];
    let rows = list.allowed.iter().map(|entry| {
        let until = if entry.expired {
            Cell::styled(format!("{} (over)", entry.until), Look::Faint)
        } else {
            Cell::new(&entry.until)
        };
        vec![
            Cell::new(entry.number.to_string()),
            Cell::new(&entry.rule),
            Cell::new(&entry.path),
            until,
            Cell::new(&entry.by),
            Cell::new(&entry.reason),
        ]
    });
    table(&columns, rows.collect(), width)
}

pub(crate) fn rules_table(width: Option<u16>) -> String {
    let columns = [Column::Fixed("RULE"), Column::Fixed("KIND"), Column::Text("FINDS")];
    let rows = rules().iter().map(|rule| vec![Cell::new(rule.id), Cell::new(rule.kind.name()), Cell::new(rule.what)]);
    table(&columns, rows.collect(), width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    #[test]
    fn findings_are_told_by_place_and_rule() {
        let finding = |allowed: Option<&str>| Finding {
            path: "a\u{1b}.rs".into(),
            rule: "github-token".into(),
            kind: "credential".into(),
            line: 2,
            start: 4,
            end: 9,
            message: "This looks like one.".into(),
            hunk: Some("3fa2c1".into()),
            allowed: allowed.map(str::to_owned),
        };
        let found = |findings| ScanResult { findings, files: 1, not_read: vec![], more: false };
        assert_eq!(
            plain(&result(&found(vec![finding(None), finding(Some("allowed until x: y"))]), true)),
            "a\\u{1b}.rs:3:5 [3fa2c1] github-token: This looks like one.\n\
             a\\u{1b}.rs:3:5 [3fa2c1] github-token: This looks like one. (allowed until x: y)\n\n\
             1 finding in 1 file, 1 that may stay."
        );
        assert_eq!(plain(&result(&found(vec![]), false)), "ok: nothing stops in 1 file with changes that wait.");
    }
}
