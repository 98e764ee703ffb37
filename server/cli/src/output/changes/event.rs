//! One thing that happened to files or was decided about them, on one line: when, what, where, who, and how that is known.
//! It is made from a record of the ledger; what a record of another version says otherwise is left out, never guessed.

use augment_core::text::visible;
use augment_protocol::records::Record;
use serde_json::Value;

use super::words::count;
use crate::output::table::Look;
use crate::output::time::utc;

/// How many files a decision names.
const NAMED: usize = 3;

pub(crate) fn line(record: &Record) -> String {
    let (what, look, rest) = told(record);
    let rest: Vec<String> = rest.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}  {}  {}", utc(record.time), look.paint(&format!("{what:<10}")), rest.join("  ")).trim_end().to_owned()
}

/// The word for it, and what follows: where, how much, who.
fn told(record: &Record) -> (&'static str, Look, Vec<String>) {
    let data = &record.data;
    let file = || subject(record, "file:");
    match record.kind.as_str() {
        "file.changed" => ("changed", Look::Plain, vec![file(), lines(data), by_evidence(data), waits(data)]),
        "file.attributed" => {
            let instead = format!("instead of {}", who(text(data, "instead")));
            ("attributed", Look::Plain, vec![file(), by_evidence(data), instead])
        }
        "file.claimed" => ("claimed", Look::Plain, vec![file(), format!("by {}", who(&record.actor))]),
        "file.found" => ("found", Look::Faint, vec![file(), "nobody knows what it was before".to_owned()]),
        "file.parked" => ("parked", Look::Faint, vec![file(), format!("with the branch {}", word(data, "branch"))]),
        "file.returned" => {
            ("came back", Look::Faint, vec![file(), format!("with the branch {}", word(data, "branch"))])
        }
        "file.came-back" => ("came back", Look::Faint, vec![file(), by_evidence(data)]),
        "review.approved" => ("approved", Look::Good, decision(record)),
        "review.rejected" => ("rejected", Look::Warn, decision(record)),
        "review.undone" => ("undone", Look::Warn, decision(record)),
        "review.redone" => ("redone", Look::Warn, decision(record)),
        "review.implied" => {
            let what = if text(data, "verdict") == "approved" { "approved" } else { "taken back" };
            let decided = format!("by {}, {} (undo with {})", who(text(data, "by")), hunks(data), decided_in(record));
            (what, if what == "approved" { Look::Good } else { Look::Warn }, vec![file(), decided])
        }
        "review.assigned" => {
            let to = format!("to {} by {}", who(text(data, "to")), who(&record.actor));
            ("assigned", Look::Plain, vec![file(), to])
        }
        "review.carried-out" => ("written", carried_look(data), vec![subject(record, "decision:"), carried_out(data)]),
        "review.purged" => ("purged", Look::Warn, vec![purged(data), format!("by {}", who(&record.actor))]),
        "vcs.moved" => ("moved", Look::Plain, vec![moved(data)]),
        "watch.rescanned" => ("looked", Look::Faint, vec![format!("at everything again: {}", word(data, "why"))]),
        "watch.changed" => ("watching", Look::Warn, vec![word(data, "message")]),
        other => ("recorded", Look::Plain, vec![visible(other).into_owned(), visible(&record.subject).into_owned()]),
    }
}

fn text<'a>(data: &'a Value, name: &str) -> &'a str {
    data.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn word(data: &Value, name: &str) -> String {
    visible(text(data, name)).into_owned()
}

fn number(data: &Value, name: &str) -> u32 {
    data.get(name).and_then(Value::as_u64).map_or(0, |number| u32::try_from(number).unwrap_or(u32::MAX))
}

fn subject(record: &Record, kind: &str) -> String {
    visible(record.subject.strip_prefix(kind).unwrap_or(&record.subject)).into_owned()
}

/// An actor or author as the ledger spells them, for people.
fn who(name: &str) -> String {
    match name.split_once(':') {
        Some(("person" | "run", name)) => visible(name).into_owned(),
        Some(("commit", commit)) => format!("commit {}", visible(&commit.chars().take(12).collect::<String>())),
        Some(_) | None => match name {
            "vcs" => "version control".to_owned(),
            "host" => "the policy".to_owned(),
            "" => "unknown".to_owned(),
            other => visible(other).into_owned(),
        },
    }
}

fn by_evidence(data: &Value) -> String {
    format!("by {} ({})", who(text(data, "author")), word(data, "evidence"))
}

fn lines(data: &Value) -> String {
    format!("+{} −{}", number(data, "added"), number(data, "removed"))
}

fn waits(data: &Value) -> String {
    let held = data.get("held").and_then(Value::as_bool).unwrap_or(false);
    if held { "waits for review".to_owned() } else { String::new() }
}

fn hunks(data: &Value) -> String {
    count(number(data, "hunks"), "hunk", "hunks")
}

fn decided_in(record: &Record) -> String {
    let id = record.about.iter().find_map(|topic| topic.strip_prefix("decision:")).unwrap_or("undo");
    visible(id).into_owned()
}

fn decision(record: &Record) -> Vec<String> {
    let data = &record.data;
    let all = data.get("paths").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let named: Vec<String> =
        all.iter().filter_map(Value::as_str).take(NAMED).map(|path| visible(path).into_owned()).collect();
    let left_out = number(data, "files").saturating_sub(u32::try_from(named.len()).unwrap_or(u32::MAX));
    let mut files = named.join(", ");
    if left_out > 0 {
        files += &format!(" and {}", count(left_out, "more file", "more files"));
    }
    let mut said = vec![subject(record, "decision:"), files, hunks(data)];
    if number(data, "half") > 0 {
        said.push(format!("{} for a second approver", count(number(data, "half"), "hunk waits", "hunks wait")));
    }
    if !text(data, "takesBack").is_empty() {
        said.push(format!("takes back {}", word(data, "takesBack")));
    }
    said.push(format!("by {}", who(&record.actor)));
    said
}

fn carried_look(data: &Value) -> Look {
    if number(data, "notWritten") > 0 { Look::Bad } else { Look::Faint }
}

fn carried_out(data: &Value) -> String {
    let mut said = vec![count(number(data, "written"), "file", "files")];
    if number(data, "inEditor") > 0 {
        said.push(format!("{} in the editor, to be saved", count(number(data, "inEditor"), "file", "files")));
    }
    if number(data, "notWritten") > 0 {
        let reasons = data.get("reasons").and_then(Value::as_array).and_then(|reasons| reasons.first());
        let why = reasons.and_then(Value::as_str).map_or_else(String::new, |why| format!(" ({})", visible(why)));
        said.push(format!("{} not written{why}", count(number(data, "notWritten"), "file", "files")));
    }
    said.join(", ")
}

fn purged(data: &Value) -> String {
    let decisions = count(number(data, "decisions"), "decision", "decisions");
    format!("{decisions} in {}", count(number(data, "files"), "file", "files"))
}

fn moved(data: &Value) -> String {
    let place = |branch, commit| match (text(data, branch), text(data, commit)) {
        ("", "") => "nothing".to_owned(),
        ("", commit) => visible(&commit.chars().take(12).collect::<String>()).into_owned(),
        (branch, commit) => format!("{} {}", visible(branch), visible(&commit.chars().take(12).collect::<String>()))
            .trim_end()
            .to_owned(),
    };
    let files = count(number(data, "files"), "file", "files");
    format!("version control went from {} to {}, {files}", place("fromBranch", "from"), place("toBranch", "to"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::output::changes::tests::NOW;
    use crate::output::plain;

    fn check(kind: &str, subject: &str, actor: &str, data: Value, expected: &str) {
        let record = Record {
            sequence: 1,
            time: NOW,
            actor: actor.into(),
            kind: kind.into(),
            subject: subject.into(),
            about: vec!["decision:d7".into()],
            data,
            version: 1,
            previous: String::new(),
            hash: String::new(),
        };
        assert_eq!(plain(&line(&record)), format!("2026-11-16 10:00:05Z  {expected}"), "{kind}");
    }

    #[test]
    fn every_kind_of_event_reads_as_a_line() {
        let changed = json!({ "author": "run:a1.1", "evidence": "inferred", "added": 2, "removed": 1, "held": true });
        let said = "changed     src/a\\u{1b}.rs  +2 −1  by a1.1 (inferred)  waits for review";
        check("file.changed", "file:src/a\u{1b}.rs", "host", changed, said);
        let own = json!({ "author": "person:ada", "evidence": "saved", "added": 1, "removed": 0, "held": false });
        check("file.changed", "file:a", "host", own, "changed     a  +1 −0  by ada (saved)");
        let other = json!({ "author": "person:ada", "evidence": "assigned", "instead": "run:a1.1" });
        check("file.attributed", "file:a", "host", other, "attributed  a  by ada (assigned)  instead of a1.1");
        check("file.claimed", "file:a", "run:a1.1", json!({}), "claimed     a  by a1.1");
        check("file.returned", "file:a", "host", json!({ "branch": "topic" }), "came back   a  with the branch topic");
        let many = json!({ "hunks": 9, "half": 1, "files": 5, "paths": ["a", "b", "c", "d"], "takesBack": "d3" });
        let said = "undone      d4  a, b, c and 2 more files  9 hunks  1 hunk waits for a second approver  takes back d3  by ada";
        check("review.undone", "decision:d4", "person:ada", many, said);
        let one = json!({ "hunks": 1, "half": 0, "files": 1, "paths": ["a"], "takesBack": null });
        check("review.approved", "decision:d4", "host", one, "approved    d4  a  1 hunk  by the policy");
        let implied = json!({ "verdict": "rejected", "hunks": 1, "by": "vcs" });
        let said = "taken back  a  by version control, 1 hunk (undo with d7)";
        check("review.implied", "file:a", "host", implied, said);
        let failed = json!({ "written": 1, "inEditor": 0, "notWritten": 1, "reasons": ["b: it is locked"] });
        let said = "written     d4  1 file, 1 file not written (b: it is locked)";
        check("review.carried-out", "decision:d4", "host", failed, said);
        let moved =
            json!({ "fromBranch": "main", "from": "0123456789abcdef", "toBranch": "topic", "to": null, "files": 1 });
        let said = "moved       version control went from main 0123456789ab to topic, 1 file";
        check("vcs.moved", "workspace", "host", moved, said);
        check("review.new", "file:a", "host", json!({}), "recorded    review.new  file:a");
    }
}
