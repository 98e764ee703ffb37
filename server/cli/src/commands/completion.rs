//! `completion …`: what a text holds of completion reports, telling one that a program has printed, and the functions that
//! shell scripts report with. Looking needs no workspace and no host.

mod shell_helper;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use augment_core::completion::{self, Found, Left, MAX_TEXT_BYTES, MAX_UNKNOWN, Report, Unknown, What};
use augment_core::text::visible;

use super::{Ended, Ending, Failure, Session, own_run, report};
use crate::args::CompletionCommand;
use crate::output::Format;
use crate::output::reports::{self, Checked, Finding, Note};

pub(super) async fn run(session: &mut Session, command: CompletionCommand) -> Ended {
    match command {
        CompletionCommand::Check(args) => check(session, &args.file),
        CompletionCommand::Tell(args) => tell(session, &args.file).await,
        CompletionCommand::ShellHelper(args) => shell_helper::run(session, &args),
    }
}

fn check(session: &Session, file: &Path) -> Ended {
    let text = read(file)?;
    let checked = checked(&name(file), &completion::examine(&text));
    session.show(&checked, reports::checked)?;
    Ok(if checked.is_good { Ending::Done } else { Ending::No })
}

fn checked(file: &str, found: &[Found]) -> Checked {
    let findings: Vec<Finding> = found.iter().map(finding).collect();
    let count = |is: fn(&What) -> bool| found.iter().filter(|found| is(&found.what)).count();
    let good = count(|what| matches!(what, What::Report(_)));
    let broken = count(|what| matches!(what, What::Broken(_)));
    Checked { file: file.to_owned(), is_good: good > 0 && broken == 0, reports: good, broken, findings }
}

fn finding(found: &Found) -> Finding {
    let (line, column) = (found.line, found.column);
    let of = |kind, message: &str| Finding {
        kind,
        line,
        column,
        report: None,
        message: Some(message.to_owned()),
        notes: Vec::new(),
    };
    match &found.what {
        What::Report(report) => {
            let notes = notes(&found.unknown);
            Finding { kind: "report", line, column, report: Some(report::to_wire(report)), message: None, notes }
        }
        // Where the trouble is, which is often further down than where the report begins.
        What::Broken(bad) => Finding { line: bad.line, column: bad.column, ..of("broken", &bad.problem.to_string()) },
        What::Other => of(
            "other",
            "another program's element of this name, with attributes and none of a report's elements. A report has <status> in it.",
        ),
        What::Quoted => of(
            "quoted",
            "an example: it stands in code, a quotation, a comment or character data. To report, write it outside of them, or \
             as the only thing in a fence at the end.",
        ),
        What::LeftOut => of("left-out", "more than is looked at: what stands before the last ones was passed over."),
    }
}

/// What is not as its writer perhaps meant it, although the report counts.
fn notes(unknown: &[Unknown]) -> Vec<Note> {
    let note = |element: &Unknown| {
        let what = match element.left {
            Left::Text => "its text is kept, its tags are not",
            Left::Nothing => "it is ignored with all that is in it",
        };
        let message = format!("<{}> is no element that a report has here: {what}.", element.name);
        Note { line: element.line, column: element.column, message }
    };
    let mut notes: Vec<Note> = unknown.iter().map(note).collect();
    if let Some(last) = notes.last_mut().filter(|_| unknown.len() == MAX_UNKNOWN) {
        last.message.push_str(" There may be more; no more are told.");
    }
    notes
}

/// Tells what a script has printed by itself.
async fn tell(session: &mut Session, file: &Path) -> Ended {
    if !own_run::has_token() {
        return Err(own_run::no_token());
    }
    let report = last_report(&read(file)?)?;
    let told = report::tell(session, &report).await?;
    match session.output.format() {
        Format::Json => session.output.json(&serde_json::json!({ "run": told }))?,
        // On stderr: whoever calls this has printed the report, and nothing more belongs there.
        Format::Human => session.output.tell(&report::how_it_was_told(Some(&told))),
    }
    Ok(Ending::Done)
}

fn last_report(text: &[u8]) -> Result<Report, Failure> {
    let mut problem = None;
    let mut last = None;
    for found in completion::find(text) {
        match found.what {
            What::Report(report) => last = Some(report),
            What::Broken(bad) => problem = Some(bad.to_string()),
            What::Other | What::Quoted | What::LeftOut => {}
        }
    }
    last.ok_or_else(|| {
        let message = match problem {
            Some(problem) => format!("The report cannot be read: {problem}"),
            None => "There is no <agent_completion> in this text, so nothing was told.".to_owned(),
        };
        Failure::told("bad-report", message)
    })
}

fn name(file: &Path) -> String {
    if is_stdin(file) { "stdin".to_owned() } else { visible(&file.to_string_lossy()).into_owned() }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// All of a text, as far as it is not too long to be looked at.
fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let read = if is_stdin(file) { bounded(io::stdin().lock()) } else { File::open(file).and_then(bounded) };
    let unread = |error| Failure::told("unreadable", format!("{} cannot be read: {error}.", name(file)));
    let text = read.map_err(unread)?;
    if text.len() > MAX_TEXT_BYTES {
        let message = format!(
            "{} is longer than {} MiB. Give the part with the report, for example `tail -c 1000000 FILE | augment-cli completion check -`.",
            name(file),
            MAX_TEXT_BYTES >> 20
        );
        return Err(Failure::told("too-long", message));
    }
    Ok(text)
}

fn bounded(input: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let limit = u64::try_from(MAX_TEXT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    input.take(limit).read_to_end(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    fn check(text: &str, is_good: bool, expected: &str) {
        let checked = checked("out.txt", &completion::examine(text.as_bytes()));
        assert_eq!(checked.is_good, is_good, "{text}");
        assert_eq!(plain(&reports::checked(&checked)), expected, "{text}");
    }

    const REPORT: &str = "<agent_completion><status>completed</status><agent>goose</agent><summary>Did <![CDATA[<it>]]></summary>\
        <metrics><metric name='files_modified'>3</metric><metric name='cups'>2</metric></metrics>\
        <next_steps><recommend>ops</recommend><reason>keys</reason><recommend>qa</recommend></next_steps>\
        <decision_points><decision><question>Now?</question><options><option value='yes'>Yes</option></options>\
        <recommendation>yes</recommendation></decision></decision_points></agent_completion>";

    #[test]
    fn each_thing_that_looks_like_a_report_is_told_for_what_it_is() {
        check(
            &format!("Done.\n{REPORT}\n"),
            true,
            "line 2, column 1: a report: completed, by @goose\n    Did <it>\n    files_modified: 3 files\n    cups: 2 \
             (not one of the common metrics; kept as it is)\n    next: @ops: keys\n    next: @qa\n    to decide: Now? (yes), \
             recommends yes\n1 report in out.txt.",
        );
        check(
            &format!("{REPORT}\n<agent_completion>\n<status>completed</status>&</agent_completion>"),
            false,
            "line 1, column 1: a report: completed, by @goose\n    Did <it>\n    files_modified: 3 files\n    cups: 2 \
             (not one of the common metrics; kept as it is)\n    next: @ops: keys\n    next: @qa\n    to decide: Now? (yes), \
             recommends yes\nline 3, column 27: broken: a & that begins no entity. Write &amp; for it.\n\
             1 report in out.txt, and 1 that is broken.",
        );
        check(
            "<agent_completion path='a' status='b'>text</agent_completion>\n`<agent_completion>`",
            false,
            "line 1, column 1: not a report: another program's element of this name, with attributes and none of a report's \
             elements. A report has <status> in it.\nline 2, column 2: not a report: an example: it stands in \
             code, a quotation, a comment or character data. To report, write it outside of them, or as the only thing in a \
             fence at the end.\nNo report in out.txt. \
             `augment-cli complete --help` shows how one is written.",
        );
        check(
            "<agent_completion><status>completed</status>\n<sumary>x<y/></sumary><summary>a <b>b</b></summary></agent_completion>",
            true,
            "line 1, column 1: a report: completed, by nobody who is named\n    a b\n    note (line 2, column 1): <sumary> is no \
             element that a report has here: it is ignored with all that is in it.\n    note (line 2, column 34): <b> is no \
             element that a report has here: its text is kept, its tags are not.\n1 report in out.txt.",
        );
        check("", false, "No report in out.txt. `augment-cli complete --help` shows how one is written.");
    }

    #[test]
    fn what_would_steer_a_terminal_does_not() {
        let text =
            "<agent_completion><status>partial</status><summary>a&#x9b;31m &#x202e;b</summary></agent_completion>";
        check(
            text,
            true,
            "line 1, column 1: a report: partial, by nobody who is named\n    a\\u{9b}31m \\u{202e}b\n1 report in out.txt.",
        );
    }

    #[test]
    fn only_a_whole_report_is_told() {
        assert_eq!(
            last_report(format!("{REPORT} {REPORT}").as_bytes()).ok().map(|report| report.metrics.len()),
            Some(2)
        );
        for (text, part) in
            [("prose", "no <agent_completion>"), ("<agent_completion>", "line 1, column 1: the text ends")]
        {
            let Err(Failure::Told { code, message, .. }) = last_report(text.as_bytes()) else { panic!("{text}") };
            assert!(code == "bad-report" && message.contains(part), "{message}");
        }
    }
}
