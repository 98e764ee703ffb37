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

/// A cell that is text and nothing else.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
        || text.trim_start().starts_with(['=', '+', '-', '@']);
    let shown = visible(text);
    let mark = if is_formula { "'" } else { "" };
    if is_formula || shown.contains([',', '"', ' ', '\'']) {
        format!("\"{mark}{}\"", shown.replace('"', "\"\""))
    } else {
        shown.into_owned()
    }
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
            ("one\r\ntwo", "one\\r\\ntwo"),
            ("a\u{1b}[31m", "a\\u{1b}[31m"),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }
}
