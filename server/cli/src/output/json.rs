//! JSON for programs that is also safe to look at: what could steer or fool a terminal stands in it only as `\u…`.

use augment_core::text::is_unseen;

/// One document on one line.
pub(crate) fn line(document: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(document).map(|text| escaped(&text))
}

/// A document over several lines, for people. Only for values that were read from JSON.
pub(crate) fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}").split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// The document that stands for an error.
pub(crate) fn error_line(code: &str, message: &str, data: Option<&serde_json::Value>) -> String {
    let mut error = serde_json::json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data.clone();
    }
    escaped(&serde_json::json!({ "error": error }).to_string())
}

/// Spells out every unseen character. Outside of its strings JSON holds none, and inside `\u…` means the same.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unseen(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped_and_reads_back() {
        let hostile =
            "a\u{1b}]52;c;AA\u{7}\u{9b}31m\r\n\t\u{7f}\u{85}\u{202e}\u{200b}\u{feff}\u{e0041}\u{2028}\"\\äö😀";
        let text = line(&serde_json::json!({ hostile: [hostile] })).unwrap();
        assert!(!text.chars().any(is_unseen), "{text}");
        assert!(text.contains("\\u009b31m") && text.contains("\\u202e") && text.contains("\\udb40\\udc41"), "{text}");
        assert!(text.contains("äö😀"), "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back, serde_json::json!({ hostile: [hostile] }));
    }

    #[test]
    fn errors_are_documents() {
        assert_eq!(
            error_line("unknown-task", "There is no task \"x\u{9b}\".", None),
            r#"{"error":{"code":"unknown-task","message":"There is no task \"x\u009b\"."}}"#
        );
        let data = serde_json::json!({ "code": "stale" });
        assert_eq!(
            error_line("stale", "No.", Some(&data)),
            r#"{"error":{"code":"stale","data":{"code":"stale"},"message":"No."}}"#
        );
    }

    #[test]
    fn pretty_documents_keep_their_lines() {
        assert_eq!(pretty(&serde_json::json!({ "a": "x\u{202e}" })), "{\n  \"a\": \"x\\u202e\"\n}");
    }
}
