//! Who wrote each line: one line of output a line of the file.

use augment_core::diff::split_lines;
use augment_core::text::{shortened, visible};
use augment_protocol::changes::{AuthorKind, Blame, BlameSpan, BodyKind, Content};

use super::words::{author_short, evidence_name, standing_look, standing_name};
use crate::args::LineRange;
use crate::output::diff::line_text;
use crate::output::table::Look;
use crate::output::time::utc;

/// How much of a name stands in front of each line.
const NAME_SHOWN: usize = 20;

/// The same with only these lines of it.
pub(crate) fn clipped(mut blame: Blame, lines: LineRange) -> Blame {
    let (first, last) = (lines.first - 1, lines.last);
    for span in &mut blame.spans {
        span.start = span.start.max(first);
        span.end = span.end.min(last);
    }
    blame.spans.retain(|span| span.start < span.end);
    blame
}

/// The lines of the spans, each after who wrote it. `content` is the file's bytes, where they are text.
pub(crate) fn blame(blame: &Blame, content: Option<&[u8]>) -> String {
    if blame.spans.is_empty() {
        return Look::Faint.paint(&format!("{} has no such lines.", blame.path));
    }
    let names: Vec<[String; 4]> = blame.spans.iter().map(columns).collect();
    let width = |at: usize| names.iter().map(|name| name[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let digits = blame.spans.last().map_or(1, |span| span.end.to_string().len());
    let lines = content.map(split_lines).unwrap_or_default();
    let mut out = Vec::new();
    for (span, names) in blame.spans.iter().zip(&names) {
        let padded: Vec<String> = names.iter().zip(widths).map(|(name, width)| format!("{name:<width$}")).collect();
        // Nobody ever decided about what was there before.
        let standing = match span.author.kind {
            AuthorKind::Before => "-",
            AuthorKind::Person | AuthorKind::Run | AuthorKind::Vcs | AuthorKind::Unknown => {
                standing_name(span.standing)
            }
        };
        let standing = standing_look(span.standing).paint(&format!("{standing:<13}"));
        let origin = format!("{}  {standing}", Look::Faint.paint(&padded.join("  ")));
        for at in span.start..span.end {
            let text =
                usize::try_from(at).ok().and_then(|at| lines.get(at)).map_or_else(String::new, |line| shown(line));
            out.push(format!("{origin}  {:>digits$}  {text}", u64::from(at) + 1).trim_end().to_owned());
        }
    }
    out.join("\n")
}

fn shown(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    Look::Plain.paint_lines(&line_text(line.strip_suffix(b"\r").unwrap_or(line)))
}

fn columns(span: &BlameSpan) -> [String; 4] {
    [
        shortened(&author_short(&span.author), NAME_SHOWN).into_owned(),
        visible(span.author.task.as_deref().unwrap_or("-")).into_owned(),
        span.evidence.map_or("-", evidence_name).to_owned(),
        span.time.map_or_else(|| "-".to_owned(), utc),
    ]
}

/// What to say of a file that has no lines.
pub(crate) fn no_lines(content: &Content) -> Option<&'static str> {
    match content.body {
        BodyKind::Text => None,
        BodyKind::Absent => Some("The file is not there now."),
        BodyKind::Whole => Some("The file is binary, or too much for lines: it is known as a whole only."),
        BodyKind::Link => Some("It is a symbolic link and has no lines."),
        BodyKind::Large => Some("The file is too large to be kept: who wrote its lines is not known."),
        BodyKind::Special => Some("It is a pipe, socket or device and is never read."),
    }
}

#[cfg(test)]
mod tests {
    use augment_protocol::changes::{Evidence, Standing};

    use super::*;
    use crate::output::changes::tests::{NOW, other, run};
    use crate::output::plain;

    fn sample() -> Blame {
        let span =
            |start, end, author, evidence, time, standing| BlameSpan { start, end, author, evidence, time, standing };
        Blame {
            path: "a.rs".into(),
            hash: None,
            spans: vec![
                span(0, 2, other(AuthorKind::Before, None), None, None, Standing::Approved),
                span(2, 3, run("claude", "b12", "Fix"), Some(Evidence::Inferred), Some(NOW), Standing::Pending),
            ],
        }
    }

    #[test]
    fn each_line_follows_its_origin() {
        assert_eq!(
            plain(&blame(&sample(), Some(b"one\r\n\ttwo\nthr\x1bee\xff"))),
            "before tracking  -    -         -                     -              1  one\n\
             before tracking  -    -         -                     -              2  \ttwo\n\
             claude           b12  inferred  2026-11-16 10:00:05Z  pending        3  thr\\u{1b}ee\\xff"
        );
    }

    #[test]
    fn only_the_lines_asked_for_are_shown() {
        let clip = |first, last| clipped(sample(), LineRange { first, last });
        let lines = |blame: &Blame| blame.spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>();
        assert_eq!(lines(&clip(2, 3)), [(1, 2), (2, 3)]);
        assert_eq!(lines(&clip(3, u32::MAX)), [(2, 3)]);
        assert_eq!(plain(&blame(&clip(9, 10), Some(b""))), "a.rs has no such lines.");
    }
}
