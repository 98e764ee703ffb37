//! Provenance as Markdown. Whatever came from outside stands in a code span and nowhere else: there it can be no link,
//! no command, no tag and no emphasis, in any dialect.

use augment_core::text::{shortened, visible};
use augment_protocol::changes::{Author, AuthorKind, BlameSpan, Hunk};

use crate::output::changes::words::{evidence_words, standing_name};
use crate::output::time::utc;

/// How much of one text is shown.
const SHOWN: usize = 200;

/// Text from outside, fenced off.
pub(super) fn fenced(text: &str) -> String {
    let shown = shortened(text, SHOWN);
    let shown = visible(&shown);
    let mut longest = 0;
    let mut run = 0;
    for c in shown.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    // A fence is longer than every run of backticks inside; spaces keep it apart from them, and a span is never empty.
    let fence = "`".repeat(longest + 1);
    if longest > 0 || shown.trim().is_empty() {
        format!("{fence} {shown} {fence}")
    } else {
        format!("{fence}{shown}{fence}")
    }
}

fn by(author: &Author) -> String {
    let name = author.name.as_deref().filter(|name| !name.is_empty()).map(fenced);
    let who = match author.kind {
        AuthorKind::Person => name.unwrap_or_else(|| "a person".to_owned()),
        AuthorKind::Run => name.unwrap_or_else(|| "an agent".to_owned()),
        AuthorKind::Vcs => "version control".to_owned(),
        AuthorKind::Unknown => "nobody known".to_owned(),
        AuthorKind::Before => "somebody before anything was tracked".to_owned(),
    };
    let task = author.task.as_deref().map(|task| format!(" for {}", fenced(task))).unwrap_or_default();
    let title = author.task_title.as_deref().filter(|title| !title.is_empty());
    let title = title.map(|title| format!(" {}", fenced(title))).unwrap_or_default();
    format!("{who}{task}{title}")
}

/// Who wrote a line.
pub(super) fn origin(span: &BlameSpan) -> String {
    let mut lines = vec![format!("Written by {}", by(&span.author))];
    lines.extend(span.author.run.as_deref().map(|run| format!("In run {}", fenced(run))));
    lines.extend(span.time.map(|time| format!("At {}", utc(time))));
    lines.extend(span.evidence.map(|evidence| format!("Known because {}", evidence_words(evidence))));
    lines.push(format!("Standing: {}", standing_name(span.standing)));
    lines.join("  \n")
}

/// What waits for a decision here.
pub(super) fn pending(hunk: &Hunk) -> String {
    let mut lines = vec![format!("Waits for a decision: {} by {}", fenced(&hunk.summary), by(&hunk.author))];
    lines.push(format!("Hunk {}, {}", fenced(&hunk.id), standing_name(hunk.standing)));
    lines.extend(hunk.flagged.as_deref().map(|why| format!("Flagged: {}", fenced(why))));
    if !hunk.entangled_with.is_empty() {
        let others = hunk.entangled_with.iter().map(by).collect::<Vec<_>>().join(", ");
        lines.push(format!("Entangled with the work of {others}"));
    }
    if !hunk.approved_by.is_empty() {
        let people = hunk.approved_by.iter().map(|name| fenced(name)).collect::<Vec<_>>().join(", ");
        lines.push(format!("Approved by {people}; a second approval is needed"));
    }
    lines.join("  \n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_never_broken_out_of() {
        for (text, expected) in [
            ("plain", "`plain`"),
            ("[x](command:evil)", "`[x](command:evil)`"),
            ("<img src=x onerror=alert(1)>", "`<img src=x onerror=alert(1)>`"),
            ("a`b", "`` a`b ``"),
            ("```\ncode", "```` ```\\ncode ````"),
            ("`", "`` ` ``"),
            ("", "`  `"),
            ("https://evil.example me@evil.example", "`https://evil.example me@evil.example`"),
            ("a\n\n# b\u{202e}", "`a\\n\\n# b\\u{202e}`"),
        ] {
            assert_eq!(fenced(text), expected);
        }
        assert!(fenced(&"x".repeat(5_000)).chars().count() < 210);
    }
}
