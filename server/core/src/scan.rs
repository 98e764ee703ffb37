//! The scan of added lines: credentials, personal data, production paths and hosts, and new dependencies that are not pinned.
//!
//! It is given a path and a text and returns findings. A finding never holds what was found, only where it is and what it
//! looks like: findings are stored and shown, and a scan that spreads secrets would be worse than none. Nothing here can take
//! long: the text is walked once for the beginnings of everything known, and what follows a beginning is looked at within a
//! bound, so the cost grows with the length of the text and with nothing else.
//!
//! Each kind has rooms of its own. A known token is told by its prefix (`token`), other credentials by their form
//! (`credential`) or by the name they are given (`assignment`); personal data by check digits wherever there are any (`number`)
//! and by form where not (`person`); `environment` is about places; `dependency` reads manifests.

mod allow;
mod assignment;
mod credential;
mod dependency;
mod environment;
mod line;
mod mask;
mod number;
mod person;
mod place;
mod rules;
mod token;
mod trigger;
mod value;

use std::cell::Cell;
use std::ops::Range;

pub use allow::AllowComment;
pub use mask::{masked, without_credentials};
pub use rules::{Kind, Rule, rules};

use crate::file::FilePath;
use line::Line;
use place::Place;

/// So many findings are told of a text; if there are more, the last one says so.
pub const MAX_FINDINGS: usize = 1_000;
/// Of a line that is longer, only so much is looked at, and a finding says so.
pub const MAX_LINE: usize = 64 * 1_024;
/// A zero byte among the first so many means that it is no text.
const BINARY_LOOK: usize = 8 * 1_024;

/// Something on an added line that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static Rule,
    /// 0-based line of the text.
    pub line: u32,
    /// Byte columns in that line.
    pub start: u32,
    pub end: u32,
    /// For people; never holds the value.
    pub message: String,
    /// An allow comment that stands on that line or alone on the line above.
    pub allowed: Option<AllowComment>,
}

/// Where something was found in a line, before it becomes a finding.
#[derive(Clone)]
struct Spot {
    rule: &'static Rule,
    start: usize,
    end: usize,
    detail: Detail,
}

/// What a message adds to the name of the rule.
#[derive(Clone)]
enum Detail {
    Nothing,
    /// The public prefix of a token.
    Prefix(&'static str),
    /// A whole sentence in place of the usual one. Never about a value.
    Sentence(String),
}

impl Spot {
    fn new(rule: &'static Rule, start: usize, end: usize) -> Self {
        Self { rule, start, end, detail: Detail::Nothing }
    }

    fn beginning_with(rule: &'static Rule, start: usize, end: usize, prefix: &'static str) -> Self {
        Self { rule, start, end, detail: Detail::Prefix(prefix) }
    }

    fn saying(rule: &'static Rule, start: usize, end: usize, sentence: String) -> Self {
        Self { rule, start, end, detail: Detail::Sentence(sentence) }
    }

    fn message(&self) -> String {
        let Rule { what, kind, .. } = self.rule;
        let next = kind.next_step();
        let length = self.end - self.start;
        match &self.detail {
            Detail::Nothing => format!("This looks like {what} ({length} bytes). {next}"),
            Detail::Prefix(prefix) => {
                format!("This looks like {what} ({length} bytes, it begins with {prefix}). {next}")
            }
            Detail::Sentence(sentence) => format!("{sentence} {next}"),
        }
    }
}

/// Findings on the added lines, in order. The rest of the text is only context: which section of a manifest a line stands in,
/// a comment above, the beginning of a key.
#[must_use]
pub fn scan(path: &FilePath, text: &[u8], added: &[Range<u32>]) -> Vec<Finding> {
    Text::new(path, text).map_or_else(Vec::new, |text| text.findings(Some(added)))
}

/// Findings on the lines that each of several changes has added, as `scan` tells them for each alone; the text is read once
/// for all of them.
#[must_use]
pub fn scan_each(path: &FilePath, text: &[u8], changes: &[Vec<Range<u32>>]) -> Vec<Vec<Finding>> {
    counted(path, text, changes).0
}

/// Findings on all lines.
#[must_use]
pub fn scan_all(path: &FilePath, text: &[u8]) -> Vec<Finding> {
    Text::new(path, text).map_or_else(Vec::new, |text| text.findings(None))
}

/// The finding that content was not looked through which is decided as a whole: it has too long a line, too many lines or too
/// many bytes. Why it is, its name has to tell; `None` for what is named like pictures and the like.
#[must_use]
pub fn not_looked_at(path: &FilePath, length: u64) -> Option<Finding> {
    let message = format!(
        "This content was not looked through: it has {length} bytes and is decided as a whole. Look at it yourself, and acknowledge it with a reason."
    );
    let rule = &rules::NOT_LOOKED_AT;
    place::may_be_text(path).then_some(Finding { rule, line: 0, start: 0, end: 0, message, allowed: None })
}

/// The findings of each change, and how many bytes were looked at for them.
fn counted(path: &FilePath, text: &[u8], changes: &[Vec<Range<u32>>]) -> (Vec<Vec<Finding>>, u64) {
    if changes.iter().all(Vec::is_empty) {
        return (vec![Vec::new(); changes.len()], 0);
    }
    let Some(text) = Text::new(path, text) else { return (vec![Vec::new(); changes.len()], 0) };
    let findings = changes.iter().map(|added| text.findings(Some(added))).collect();
    (findings, text.looked_at.get())
}

/// A text that is looked through.
struct Text<'a> {
    lines: Vec<&'a [u8]>,
    place: Place,
    /// What is not pinned, by line.
    unpinned: Vec<(usize, Spot)>,
    /// How many bytes were looked at.
    looked_at: Cell<u64>,
}

impl<'a> Text<'a> {
    /// `None` if it is no text.
    fn new(path: &FilePath, text: &'a [u8]) -> Option<Self> {
        if memchr::memchr(0, &text[..text.len().min(BINARY_LOOK)]).is_some() {
            return None;
        }
        let lines = lines_of(text);
        let unpinned = dependency::find(path, &lines);
        Some(Self { lines, place: Place::of(path), unpinned, looked_at: Cell::new(text.len() as u64) })
    }

    /// The findings on these lines; on all of them for `None`.
    fn findings(&self, added: Option<&[Range<u32>]>) -> Vec<Finding> {
        let mut found = Found::default();
        for range in merged(added, self.lines.len()) {
            for at in range.clone() {
                let mut spots = self.walk(at);
                if at == range.start {
                    spots.extend(credential::changed_key(&self.lines, at));
                }
                let unpinned = &self.unpinned[self.unpinned.partition_point(|(line, _)| *line < at)..];
                spots.extend(unpinned.iter().take_while(|(line, _)| *line == at).map(|(_, spot)| spot.clone()));
                let length = self.lines[at].len();
                if length > MAX_LINE {
                    spots.push(long_line(length));
                }
                found.take(at, spots, self);
            }
        }
        found.findings
    }

    /// What is found on a line by itself.
    fn walk(&self, at: usize) -> Vec<Spot> {
        let mut spots = Vec::new();
        let bytes = self.lines[at];
        let looked = &bytes[..bytes.len().min(MAX_LINE)];
        trigger::walk(Line::new(looked, &self.looked_at), &self.lines[at + 1..], self.place, &mut spots);
        spots
    }
}

fn long_line(length: usize) -> Spot {
    let sentence =
        format!("This line has {length} bytes; only the first {MAX_LINE} were looked at. Look at the rest yourself.");
    Spot::saying(&rules::LONG_LINE, MAX_LINE, length, sentence)
}

/// The lines as `diff::split_lines` counts them, without what ends them.
fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::with_capacity(text.len() / 32 + 1);
    let mut from = 0;
    for at in memchr::memchr_iter(b'\n', text) {
        lines.push(&text[from..at]);
        from = at + 1;
    }
    if from < text.len() {
        lines.push(&text[from..]);
    }
    for line in &mut lines {
        *line = line.strip_suffix(b"\r").unwrap_or(line);
    }
    lines
}

/// The ranges in order, without overlaps and within the text; all of it for `None`.
fn merged(added: Option<&[Range<u32>]>, count: usize) -> Vec<Range<usize>> {
    let Some(added) = added else { return std::iter::once(0..count).collect() };
    let index = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).min(count);
    let mut ranges: Vec<Range<usize>> = added.iter().map(|range| index(range.start)..index(range.end)).collect();
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => merged.push(range),
        }
    }
    merged
}

#[derive(Default)]
struct Found {
    findings: Vec<Finding>,
    full: bool,
}

impl Found {
    /// Takes the spots of a line, of those that overlap the most specific one.
    fn take(&mut self, line: usize, mut spots: Vec<Spot>, text: &Text<'_>) {
        if spots.is_empty() || self.full {
            return;
        }
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        let column = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let comments = allow::around(&text.lines, line, &spots, &|at| text.walk(at));
        for spot in most_specific(&mut spots) {
            if self.findings.len() + 1 == MAX_FINDINGS {
                self.full = true;
                let sentence = format!("There is more here: only the first {} findings are told.", MAX_FINDINGS - 1);
                let spot = Spot::saying(&rules::TOO_MANY, spot.start, spot.end, sentence);
                self.findings.push(finding(&spot, number, column, None));
                return;
            }
            let allowed = allow::for_rule(&comments, spot.rule);
            self.findings.push(finding(spot, number, column, allowed));
        }
    }
}

fn finding(spot: &Spot, line: u32, column: impl Fn(usize) -> u32, allowed: Option<AllowComment>) -> Finding {
    Finding {
        rule: spot.rule,
        line,
        start: column(spot.start),
        end: column(spot.end),
        message: spot.message(),
        allowed,
    }
}

/// Of spots that overlap the one whose rule stands first, and the longer one of the same rule; in the order of the line.
fn most_specific(spots: &mut [Spot]) -> Vec<&Spot> {
    spots.sort_by_key(|spot| (spot.start, spot.end));
    let mut kept: Vec<(usize, &Spot)> = Vec::with_capacity(spots.len());
    for spot in spots.iter() {
        let rank = spot.rule.rank();
        let mut stays = true;
        // Those that are kept do not overlap, so a new one can only meet the last ones.
        while let Some((other_rank, other)) = kept.last() {
            if other.end <= spot.start {
                break;
            }
            let longer = spot.end - spot.start > other.end - other.start;
            if rank < *other_rank || (rank == *other_rank && longer) {
                kept.pop();
            } else {
                stays = false;
                break;
            }
        }
        if stays {
            kept.push((rank, spot));
        }
    }
    kept.into_iter().map(|(_, spot)| spot).collect()
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a text, as `line:start-end rule`. `{}` keeps the samples from looking live in the repository.
    fn found(path: &str, text: &str) -> Vec<String> {
        let path = FilePath::from_text(path).unwrap();
        let findings = scan_all(&path, text.replace("{}", "").as_bytes());
        findings.iter().map(|it| format!("{}:{}-{} {}", it.line, it.start, it.end, it.rule.id)).collect()
    }

    fn one(range: Range<u32>) -> Vec<Range<u32>> {
        std::iter::once(range).collect()
    }

    #[test]
    fn a_token_is_found_where_it_stands_and_not_told() {
        let text = "let a = 1;\nlet key = \"gh{}p_9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt\";\n";
        assert_eq!(found("src/a.rs", text), ["1:11-51 github-token"]);
        let path = FilePath::from_text("src/a.rs").unwrap();
        let [finding] = &scan_all(&path, text.replace("{}", "").as_bytes())[..] else { panic!("one finding") };
        assert_eq!(
            finding.message,
            "This looks like a GitHub token (40 bytes, it begins with ghp_). Take it out and rotate it, or acknowledge it with a reason."
        );
    }

    #[test]
    fn only_added_lines_are_told() {
        let path = FilePath::from_text("a.env").unwrap();
        let text = "DB_PASSWORD=kR7!vq2Lm\nx=1\nAPI_PASSWORD=zT4?wn8Qb\n".as_bytes();
        let lines = |added: &[Range<u32>]| -> Vec<u32> { scan(&path, text, added).iter().map(|it| it.line).collect() };
        assert_eq!(lines(std::slice::from_ref(&(0..1))), [0]);
        assert_eq!(lines(&[2..9, 1..2, 2..3]), [2]);
        assert_eq!(lines(&[]), Vec::<u32>::new());
        assert_eq!(scan_all(&path, text).len(), 2);
    }

    #[test]
    fn an_allow_comment_needs_the_rule_and_a_reason() {
        let allowed = |text: &str| {
            let path = FilePath::from_text("a.sh").unwrap();
            let findings = scan_all(&path, text.as_bytes());
            findings.last().unwrap().allowed.as_ref().map(|it| (it.line, it.reason.clone()))
        };
        let some = |line: u32, reason: &str| Some((line, reason.to_owned()));
        assert_eq!(allowed("PASSWORD=kR7!vq2Lm # augment: allow hardcoded-password of a test"), some(0, "of a test"));
        assert_eq!(allowed("# augment: allow credential of a test\nPASSWORD=kR7!vq2Lm"), some(0, "of a test"));
        assert_eq!(allowed("/* augment: allow credential of a test */\nPASSWORD=kR7!vq2Lm"), some(0, "of a test"));
        assert_eq!(
            allowed("\"//\": \"augment: allow credential of a test\",\n\"password\": \"kR7!vq2Lm\""),
            some(0, "of a test")
        );
        for none in [
            "PASSWORD=kR7!vq2Lm # augment: allow hardcoded-password",
            "PASSWORD=kR7!vq2Lm # augment: allow hardcoded-secret of a test",
            "echo augment: allow credential of a test\nPASSWORD=kR7!vq2Lm",
            "# augment: allow credential of a test\n\nPASSWORD=kR7!vq2Lm",
            "x=1 # augment: allow credential of a test\nPASSWORD=kR7!vq2Lm",
        ] {
            assert_eq!(allowed(none), None, "{none}");
        }
    }

    #[test]
    fn the_reason_of_an_allow_comment_never_holds_what_is_found() {
        let reasons = |path: &str, text: &str| -> Vec<Option<String>> {
            let path = FilePath::from_text(path).unwrap();
            let findings = scan_all(&path, text.as_bytes());
            findings.into_iter().map(|it| it.allowed.map(|comment| comment.reason)).collect()
        };
        let some = |reason: &str| vec![Some(reason.to_owned())];
        for (path, text) in [
            ("a.c", "/* augment: allow credential of a test */ char *password = \"kR7!vq2Lm\";"),
            ("a.c", "/* augment: allow credential of a test*/char *password = \"kR7!vq2Lm\";"),
            ("a.py", "\"\"\" augment: allow credential of a test \"\"\"; password = \"kR7!vq2Lm\""),
            ("a.xml", "<!-- augment: allow credential of a test --> <a password=\"kR7!vq2Lm\"/>"),
            ("a.json", "\"//\": \"augment: allow credential of a test\", \"password\": \"kR7!vq2Lm\""),
        ] {
            assert_eq!(reasons(path, text), some("of a test"), "{text}");
        }
        // Nobody can tell where these comments end, or they hold it themselves.
        for (path, text) in [
            ("a.c", "/* augment: allow credential of a test; char *password = \"kR7!vq2Lm\";"),
            ("a.sh", "# augment: allow credential of a test PASSWORD=kR7!vq2Lm"),
            ("a.sh", "# augment: allow PASSWORD=kR7!vq2Lm of a test"),
        ] {
            assert_eq!(reasons(path, text), [None], "{text}");
        }
        // What a comment on the line above holds is found there, whether that line is added or not.
        let above = "# augment: allow credential of a test PASSWORD=kR7!vq2Lm\nPASSWORD=zT4?wn8Qb\n";
        assert_eq!(reasons("a.sh", above), [None, None]);
        let path = FilePath::from_text("a.sh").unwrap();
        assert_eq!(scan(&path, above.as_bytes(), std::slice::from_ref(&(1..2)))[0].allowed, None);
        let code = "/* augment: allow credential of a test */ x();\nchar *password = \"kR7!vq2Lm\";";
        assert_eq!(reasons("a.c", code), [None]);
        let long = format!("PASSWORD=kR7!vq2Lm # augment: allow credential {}", "é ".repeat(400));
        assert_eq!(
            reasons("a.sh", &long)[0].as_ref().map(|reason| reason.chars().count()),
            Some(allow::MAX_REASON + 1)
        );
        for (path, text) in [
            ("requirements.txt", "flask # augment: allow dependency of a test"),
            ("Cargo.toml", "[dependencies]\nserde = \"*\" # augment: allow dependency of a test"),
            (".github/workflows/a.yml", "    - uses: a/b@v1 # augment: allow dependency of a test"),
            ("Gemfile", "gem \"rails\" # augment: allow dependency of a test"),
            ("pom.xml", "<version>LATEST</version> <!-- augment: allow dependency of a test -->"),
            ("package.json", "{\"dependencies\": {\n\"//\": \"augment: allow dependency of a test\",\n\"a\": \"*\"}}"),
        ] {
            let told = reasons(path, text);
            assert!(told.iter().all(|reason| reason.as_deref() == Some("of a test")), "{text}: {told:?}");
        }
    }

    #[test]
    fn several_changes_are_told_as_each_alone_and_cost_as_one() {
        let path = FilePath::from_text("Cargo.toml").unwrap();
        let mut text = String::from("[dependencies]\n");
        for number in 0..20_000 {
            text += &if number % 40 == 0 {
                format!("a{number} = \"*\"\n")
            } else {
                format!("b{number} = \"1.{number}\"\n")
            };
        }
        let changes: Vec<Vec<Range<u32>>> = (0..500).map(|number| one(number * 40..number * 40 + 3)).collect();
        let (each, work) = counted(&path, text.as_bytes(), &changes);
        for at in [0, 1, 250, 499] {
            assert_eq!(each[at], scan(&path, text.as_bytes(), &changes[at]));
            assert_eq!(each[at].len(), 1);
        }
        let (_, all) = counted(&path, text.as_bytes(), &[one(0..u32::MAX)]);
        assert!(work <= all, "{work} for the changes, {all} for the whole");
        // Changes that touch each other are not taken for one.
        let key = FilePath::from_text("key.pem").unwrap();
        let body = "MIIEpQ{}IBAAKCAQEA7v3kXw9ZtLq2Rf8sYb4NcJh6GdPm1UxTaVoEiWzQy5KgSrDn".replace("{}", "");
        let text = format!("-----BEGIN {}-----\n{body}\n{body}\n-----END\n", "RSA PRIVATE KEY");
        let each = scan_each(&key, text.as_bytes(), &[one(1..2), Vec::new(), one(2..3)]);
        assert_eq!(each.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 1]);
        // What one change holds leaves room for the others' findings.
        let env = FilePath::from_text("a.env").unwrap();
        let text = "PASSWORD=kR7!vq2Lm\n".repeat(2_000);
        let each = scan_each(&env, text.as_bytes(), &[one(0..1_500), one(1_500..1_501)]);
        assert_eq!(each.iter().map(Vec::len).collect::<Vec<_>>(), [MAX_FINDINGS, 1]);
    }

    #[test]
    fn content_that_may_be_text_is_told_when_it_is_not_looked_through() {
        let told = |path: &str| {
            let finding = not_looked_at(&FilePath::from_text(path).unwrap(), 3_000_000)?;
            Some((finding.rule.id, finding.rule.kind))
        };
        for path in
            ["dist/a.min.js", "a.json", ".env", ".env.local", ".npmrc", "Makefile", "a.TS", "x.sql", "a.b/plain"]
        {
            assert_eq!(told(path), Some(("not-looked-at", Kind::Credential)), "{path}");
        }
        for path in ["a.png", "b.jpg", "c.wasm", "d.tar.gz", "e.pdf", "f.woff2"] {
            assert_eq!(told(path), None, "{path}");
        }
    }

    #[test]
    fn a_changed_line_inside_a_key_is_told() {
        let path = FilePath::from_text("key.pem").unwrap();
        let body = "MIIEpQ{}IBAAKCAQEA7v3kXw9ZtLq2Rf8sYb4NcJh6GdPm1UxTaVoEiWzQy5KgSrDn".replace("{}", "");
        let text = format!("-----BEGIN {}-----\n{body}\n{body}\n-----END\n", "RSA PRIVATE KEY");
        let rules = |from: u32| -> Vec<&str> {
            scan(&path, text.as_bytes(), &[from..from + 1, 9..9]).iter().map(|it| it.rule.id).collect()
        };
        assert_eq!(rules(0), ["private-key"]);
        assert_eq!(rules(2), ["private-key"]);
        assert_eq!(rules(3), Vec::<&str>::new());
        assert_eq!(scan_all(&path, text.as_bytes()).len(), 1);
    }

    #[test]
    fn limits_are_told() {
        let path = FilePath::from_text("a.env").unwrap();
        let many = scan_all(&path, "PASSWORD=kR7!vq2Lm\n".repeat(2_000).as_bytes());
        assert_eq!((many.len(), many[MAX_FINDINGS - 1].rule.id), (MAX_FINDINGS, "too-many-findings"));
        let exact = scan_all(&path, "PASSWORD=kR7!vq2Lm\n".repeat(MAX_FINDINGS - 1).as_bytes());
        assert!(exact.iter().all(|it| it.rule.id == "hardcoded-password"));
        let long = scan_all(&path, format!("PASSWORD=kR7!vq2Lm {} PASSWORD=zT4?wn8Qb", "x ".repeat(40_000)).as_bytes());
        assert_eq!(long.iter().map(|it| it.rule.id).collect::<Vec<_>>(), ["hardcoded-password", "long-line"]);
        assert_eq!(scan_all(&path, b"PASSWORD=kR7!vq2Lm\n\0"), Vec::new());
    }

    #[test]
    fn of_two_findings_in_one_place_the_more_specific_is_told() {
        let text = "token = \"gh{}p_9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt\"\nurl = \"postgres://app:kR7vq2{}Lm@db1.fabrikam.io/x\"";
        assert_eq!(found("a.py", text), ["0:9-49 github-token", "1:22-30 connection-string-password"]);
    }
}
