//! CSV for spreadsheets (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe in front, and what
//! could not be seen in it is spelled out.

use augment_core::text::visible;

use super::{About, Exported, Form, Sum, gist};
use crate::output::json;
use crate::output::time::utc;

const HEAD: &str = "sequence,time,actor,kind,subject,about,text,data,redacted,version,previous,hash\r\n";

pub(super) struct Csv;

impl Form for Csv {
    fn begin(&mut self, _: &About) -> String {
        HEAD.to_owned()
    }

    fn record(&mut self, exported: &Exported) -> Result<String, serde_json::Error> {
        let record = &exported.record;
        let cells = [
            record.sequence.to_string(),
            utc(record.time),
            cell(&record.actor),
            cell(&record.kind),
            cell(&record.subject),
            cell(&record.about.join("; ")),
            cell(gist(record)),
            cell(&json::line(&record.data)?),
            exported.redacted.to_string(),
            record.version.to_string(),
            cell(&record.previous),
            cell(&record.hash),
        ];
        Ok(format!("{}\r\n", cells.join(",")))
    }

    fn end(&mut self, _: &Sum) -> Result<String, serde_json::Error> {
        Ok(String::new())
    }
}

/// The signs with which a spreadsheet begins a formula.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A cell that is text and nothing else.
pub(crate) fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['\t', '\r', '\n']) || begins_formula(text);
    let shown = apart(&visible(text));
    let mark = if is_formula { "'" } else { "" };
    if is_formula || shown.contains([',', ';', '"', ' ', '\'']) {
        format!("\"{mark}{}\"", shown.replace('"', "\"\""))
    } else {
        shown
    }
}

/// Whether a spreadsheet could take this for a formula, once it has taken blanks and quotation marks away.
fn begins_formula(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || c == '"').starts_with(SIGNS)
}

/// Where a semicolon divides cells, it does so inside of quotation marks as well: what follows one is a cell of its own there.
fn apart(text: &str) -> String {
    let mut parts = text.split(';');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push_str(if begins_formula(part) { ";'" } else { ";" });
        whole.push_str(part);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_cell_is_never_a_formula() {
        for (text, expected) in [
            ("plain", "plain"),
            ("", ""),
            ("two words", "\"two words\""),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "\"'=1+1\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("  =1", "\"'  =1\""),
            ("\t=1", "\"'\\t=1\""),
            ("\rx", "\"'\\rx\""),
            ("＝1", "\"'＝1\""),
            ("\"=1\"", "\"'\"\"=1\"\"\""),
            ("x;=HYPERLINK(1)", "\"x;'=HYPERLINK(1)\""),
            ("x; +1;-1;\"@a\";b;", "\"x;' +1;'-1;'\"\"@a\"\";b;\""),
            ("x;＝1;\t=1", "\"x;'＝1;\\t=1\""),
            ("one\r\ntwo", "one\\r\\ntwo"),
            ("a\u{1b}[31m", "a\\u{1b}[31m"),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }
}
