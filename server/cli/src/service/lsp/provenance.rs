//! Provenance, as Markdown or plain. In Markdown whatever came from outside stands in a code span and nowhere else: there
//! it can be no link, no command, no tag and no emphasis, in any dialect.

use augment_core::text::{shortened, visible};
use augment_protocol::changes::{Author, AuthorKind, BlameSpan, Hunk};

use crate::output::changes::words::{evidence_words, standing_name};
use crate::output::time::utc;

/// How much of one text is shown.
const SHOWN: usize = 200;

/// What a hover is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Markdown,
    Plain,
}

impl Form {
    /// Text from outside, made visible and told apart from our own words.
    fn outside(self, text: &str) -> String {
        let shown = shortened(text, SHOWN);
        let shown = visible(&shown);
        match self {
            Self::Markdown => fenced(&shown),
            Self::Plain => format!("“{shown}”"),
        }
    }

    /// Ids and names of ours that are outside text all the same, where they would be quoted for nothing.
    fn name(self, text: &str) -> String {
        match self {
            Self::Markdown => self.outside(text),
            Self::Plain => visible(&shortened(text, SHOWN)).into_owned(),
        }
    }

    fn lines(self, lines: &[String]) -> String {
        match self {
            Self::Markdown => lines.join("  \n"),
            Self::Plain => lines.join("\n"),
        }
    }
}

/// Text fenced off in a code span.
fn fenced(shown: &str) -> String {
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

fn by(form: Form, author: &Author) -> String {
    let name = author.name.as_deref().filter(|name| !name.is_empty()).map(|name| form.name(name));
    let who = match author.kind {
        AuthorKind::Person => name.unwrap_or_else(|| "a person".to_owned()),
        AuthorKind::Run => name.unwrap_or_else(|| "an agent".to_owned()),
        AuthorKind::Vcs => "version control".to_owned(),
        AuthorKind::Unknown => "nobody known".to_owned(),
        AuthorKind::Before => "somebody before anything was tracked".to_owned(),
    };
    let task = author.task.as_deref().map(|task| format!(" for {}", form.name(task))).unwrap_or_default();
    let title = author.task_title.as_deref().filter(|title| !title.is_empty());
    let title = title.map(|title| format!(" {}", form.outside(title))).unwrap_or_default();
    format!("{who}{task}{title}")
}

/// Who wrote a line.
pub(super) fn origin(form: Form, span: &BlameSpan) -> String {
    let mut lines = vec![format!("Written by {}", by(form, &span.author))];
    lines.extend(span.author.run.as_deref().map(|run| format!("In run {}", form.name(run))));
    lines.extend(span.time.map(|time| format!("At {}", utc(time))));
    lines.extend(span.evidence.map(|evidence| format!("Known because {}", evidence_words(evidence, &span.author))));
    lines.push(format!("Standing: {}", standing_name(span.standing)));
    form.lines(&lines)
}

/// What waits for a decision here.
pub(super) fn pending(form: Form, hunk: &Hunk) -> String {
    let mut lines = vec![format!("Waits for a decision: {} by {}", form.name(&hunk.summary), by(form, &hunk.author))];
    lines.push(format!("Hunk {}, {}", form.name(&hunk.id), standing_name(hunk.standing)));
    lines.extend(hunk.flagged.as_deref().map(|why| format!("Flagged: {}", form.name(why))));
    lines.extend(hunk.flag.as_ref().map(|flag| format!("Flagged: {}", form.name(&flag.message))));
    lines.extend(hunk.findings.iter().map(|found| format!("Found: {}", form.name(&found.message))));
    if !hunk.entangled_with.is_empty() {
        let others = hunk.entangled_with.iter().map(|author| by(form, author)).collect::<Vec<_>>().join(", ");
        lines.push(format!("Entangled with the work of {others}"));
    }
    if !hunk.approved_by.is_empty() {
        let people = hunk.approved_by.iter().map(|name| form.name(name)).collect::<Vec<_>>().join(", ");
        lines.push(format!("Approved by {people}; a second approval is needed"));
    }
    form.lines(&lines)
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
            assert_eq!(Form::Markdown.outside(text), expected);
        }
        assert!(Form::Markdown.outside(&"x".repeat(5_000)).chars().count() < 210);
        assert_eq!(Form::Plain.outside("a`b\u{1b}[2J\n"), "“a`b\\u{1b}[2J\\n”");
        assert!(Form::Plain.name(&"x".repeat(5_000)).chars().count() < 210);
    }
}
