//! Allow comments: `augment: allow RULE reason words`, in whatever way the file's language begins a comment, behind the line or
//! alone on the line above it. RULE is a rule's id or the name of a kind. Without a reason it does not count, nor with one in
//! which the scan finds something: the reason is shown and kept.

use super::Spot;
use super::rules::{Kind, Rule};
use crate::text;

/// A comment that allows a finding. The finding is told all the same: whoever wrote the line may have written the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowComment {
    /// 0-based line of the text.
    pub line: u32,
    pub reason: String,
}

const WORDS: &[u8] = b"augment: allow ";
/// What comments begin with; longest first does not matter, since only the end is compared.
const MARKERS: &[&[u8]] = &[
    b"#", b"//", b"/*", b"*", b"--", b";", b"<!--", b"%", b"{-", b"(*", b"'", b"rem", b"REM", b"{#", b"!", b"\"\"\"",
    b"dnl",
];
/// JSON has no comments; people write them as a value of such a key.
const COMMENT_KEYS: &[&[u8]] = &[b"\"//\"", b"\"_comment\"", b"\"$comment\""];
pub(super) const MAX_REASON: usize = 200;
/// How far into a line such words are looked for.
const MAX_LOOK: usize = 4_096;

/// What a comment ends with where the line may go on behind it.
const ENDS: &[&[u8]] = &[b"*/", b"-->", b"\"\"\"", b"-}", b"*)", b"#}"];

/// An allow comment as it stands in a text, whatever it allows.
pub(super) struct Comment<'a> {
    line: usize,
    /// A rule's id or the name of a kind.
    name: &'a [u8],
    reason: &'a [u8],
}

/// The comments that may allow findings of a line: those on it, then those alone on the line above. The reason of a comment
/// is told, so one in which something is found does not count. `spots_of` is asked only for a line with such a comment.
pub(super) fn around<'a>(lines: &[&'a [u8]], line: usize, own: &[Spot], spots_of: Walk<'_>) -> Vec<Comment<'a>> {
    let mut comments = Vec::new();
    if let Some(bytes) = lines.get(line) {
        comments_of(bytes, line, Stands::Anywhere, &|| own.to_vec(), &mut comments);
    }
    if let Some((above, bytes)) = line.checked_sub(1).and_then(|above| Some((above, lines.get(above)?))) {
        comments_of(bytes, above, Stands::Alone, &|| spots_of(above), &mut comments);
    }
    comments
}

/// What is found on a line of the text.
pub(super) type Walk<'a> = &'a dyn Fn(usize) -> Vec<Spot>;

/// The comment that allows findings of that rule, if there is one.
pub(super) fn for_rule(comments: &[Comment<'_>], rule: &Rule) -> Option<AllowComment> {
    let is_named = |name: &[u8]| name == rule.id.as_bytes() || name == rule.kind.name().as_bytes();
    let comment = comments.iter().find(|comment| is_named(comment.name))?;
    let reason = String::from_utf8_lossy(comment.reason);
    let reason = text::visible(&text::shortened(&reason, MAX_REASON)).into_owned();
    Some(AllowComment { line: u32::try_from(comment.line).ok()?, reason })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Anywhere,
    /// Nothing but comments may stand on the line. One behind or before other code belongs to that code.
    Alone,
}

fn comments_of<'a>(
    whole: &'a [u8],
    number: usize,
    stands: Stands,
    spots: &dyn Fn() -> Vec<Spot>,
    comments: &mut Vec<Comment<'a>>,
) {
    let line = &whole[..whole.len().min(MAX_LOOK)];
    let mut found_there: Option<Vec<Spot>> = None;
    let mut next = memchr::memmem::find(line, WORDS);
    while let Some(at) = next {
        let from = at + WORDS.len();
        next = memchr::memmem::find(&line[from..], WORDS).map(|found| from + found);
        let rest = &line[from..next.unwrap_or(line.len())];
        let Some(opened) = opened(&line[..at], stands) else { continue };
        let (inside, behind) = rest.split_at(end_of(rest, opened));
        if stands == Stands::Alone && !is_blank(behind) {
            continue;
        }
        let inside = inside.trim_ascii_start();
        let (name, words) = inside.split_at(inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len()));
        let reason = without_end(words);
        if !String::from_utf8_lossy(reason).chars().any(char::is_alphanumeric) {
            continue;
        }
        let there = found_there.get_or_insert_with(spots);
        // A dependency is found on its line as a whole, and is no secret.
        let is_told = |spot: &Spot| match spot.rule.kind {
            Kind::Credential | Kind::PersonalData | Kind::Environment => {
                spot.end > from && spot.start < from + rest.len() - behind.len()
            }
            Kind::Dependency => false,
        };
        if !there.iter().any(is_told) {
            comments.push(Comment { line: number, name, reason });
        }
    }
}

/// What a comment was begun with.
#[derive(Clone, Copy)]
enum Opened {
    Marker,
    /// The value of a key in JSON.
    Value,
}

fn opened(before: &[u8], stands: Stands) -> Option<Opened> {
    let before = before.trim_ascii();
    if let Some(value) = before.strip_suffix(b"\"").filter(|_| !before.ends_with(b"\"\"\"")) {
        let key = value.trim_ascii_end().strip_suffix(b":").map(<[u8]>::trim_ascii)?;
        return COMMENT_KEYS.iter().any(|name| key.ends_with(name)).then_some(Opened::Value);
    }
    let is_begun = |marker: &&[u8]| {
        let code = before.strip_suffix(*marker);
        code.is_some_and(|code| stands == Stands::Anywhere || code.iter().all(u8::is_ascii_punctuation))
    };
    MARKERS.iter().any(is_begun).then_some(Opened::Marker)
}

/// Where a comment ends of which this is left.
fn end_of(rest: &[u8], opened: Opened) -> usize {
    let end = match opened {
        Opened::Marker => ENDS.iter().filter_map(|end| memchr::memmem::find(rest, end)).min(),
        Opened::Value => memchr::memchr(b'"', rest),
    };
    end.unwrap_or(rest.len())
}

fn is_blank(behind: &[u8]) -> bool {
    behind.iter().all(|byte| byte.is_ascii_punctuation() || byte.is_ascii_whitespace())
}

/// The words without what ends the comment, or begins the next one.
fn without_end(words: &[u8]) -> &[u8] {
    let mut words = words.trim_ascii();
    for end in [&b"//"[..], b"#", b"/*", b"<!--", b"--", b";"] {
        words = words.strip_suffix(end).unwrap_or(words).trim_ascii_end();
    }
    words
}
