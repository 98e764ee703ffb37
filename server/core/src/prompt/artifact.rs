//! Research artifacts: the file that tells what came of a prompt, and the short files that join the two folders of a
//! subject. Here are their names and texts, and what can be read back of them: the prompt to the byte, and the parent change
//! that the work was based on.
//!
//! People write such files too. What is not there in one is `None`; nothing is guessed.

use super::stamp_line;
use super::subject::{self, Found, Place, Side, Tier};
use crate::text::{one_line, visible};

/// How long a slug may be, in characters.
pub const SLUG_LIMIT: usize = 60;
/// The file on each side of a subject that names the other.
pub const LINK_NAME: &str = "Counterpart.md";
/// How many names are tried where one is taken.
const CLASHES: u32 = 9_999;
/// Longer files are not read.
const ARTIFACT_LIMIT: usize = 8 * 1024 * 1024;
/// The fields that are read back.
const STAMP: &str = "Stamp";
const KIND: &str = "Kind";
const SCOPE: &str = "Change scope";
const SESSION: &str = "Session change";
const PARENT: &str = "Parent change";
const PROMPT: &str = "## Prompt";

/// What an artifact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Answer,
    Draft,
    Question,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Answer, Self::Draft, Self::Question];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Draft => "draft",
            Self::Question => "question",
        }
    }

    /// Capitals do not matter.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word().eq_ignore_ascii_case(word))
    }
}

/// Whether files were changed for the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    ModifiedFiles,
    NoFiles,
}

impl Scope {
    pub const ALL: [Self; 2] = [Self::ModifiedFiles, Self::NoFiles];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ModifiedFiles => "modified-files",
            Self::NoFiles => "no-files",
        }
    }

    /// Capitals do not matter.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word().eq_ignore_ascii_case(word))
    }
}

/// A title as a part of a file's name.
#[must_use]
pub fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let whole = parts.collect::<Vec<_>>().join("-");
    let cut = whole.get(..SLUG_LIMIT.min(whole.len())).unwrap_or_default().trim_end_matches('-');
    if cut.is_empty() { "prompt".to_owned() } else { cut.to_owned() }
}

/// The name of an artifact's file; `digits` are the twelve of its stamp. `None` where all names are taken.
#[must_use]
pub fn file_name(digits: &str, kind: Kind, title: &str, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let stem = format!("{digits}_{}_{}", kind.word(), slug(title));
    let plain = std::iter::once(format!("{stem}.md"));
    plain.chain((1..=CLASHES).map(|number| format!("{stem}_{number}.md"))).find(|name| !is_taken(name))
}

/// What the name of an artifact's file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name<'a> {
    /// Twelve, in older names eight.
    pub digits: &'a str,
    pub kind: Option<Kind>,
    pub slug: &'a str,
    /// The number that tells it from others of its name.
    pub number: Option<u32>,
}

/// Reads a file's name; `None` where it is not that of an artifact.
#[must_use]
pub fn parse_name(name: &str) -> Option<Name<'_>> {
    let stem = name.strip_suffix(".md")?;
    let (digits, rest) = stem.split_once('_')?;
    if !matches!(digits.len(), 8 | 12) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (kind, rest) = match rest.split_once('_') {
        Some((word, behind)) if Kind::from_word(word).is_some() => (Kind::from_word(word), behind),
        Some(_) | None => (None, rest),
    };
    let numbered = rest.rsplit_once('_').and_then(|(slug, number)| Some((slug, number.parse().ok()?)));
    let (slug, number) = numbered.map_or((rest, None), |(slug, number)| (slug, Some(number)));
    (!slug.is_empty()).then_some(Name { digits, kind, slug, number })
}

/// Whether a file is a finding about a subject: it lies in a subject's folder in `Research/` and is not the link there.
#[must_use]
pub fn is_research(path: &str) -> bool {
    Place::of(path).is_some_and(|place| {
        place.side == Side::Research && !place.inside.is_empty() && !place.inside.eq_ignore_ascii_case(LINK_NAME)
    })
}

/// What an artifact tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    pub title: String,
    /// In the form of a line.
    pub stamp: String,
    pub kind: Kind,
    pub scope: Scope,
    pub subject: String,
    /// The number of the prompt.
    pub prompt_number: u64,
    /// The change id of the session's commit, if there is one.
    pub session: Option<String>,
    /// The change that the work was based on, if it was based on one.
    pub parent: Option<String>,
    /// To the byte.
    pub prompt: String,
    /// Markdown, as it was given.
    pub answer: String,
    /// What was changed for the prompt.
    pub files: Vec<String>,
}

/// The artifact as Markdown.
#[must_use]
pub fn artifact_text(artifact: &Artifact) -> String {
    let number = artifact.prompt_number.to_string();
    let fields = [
        (STAMP, Some(artifact.stamp.as_str())),
        (KIND, Some(artifact.kind.word())),
        (SCOPE, Some(artifact.scope.word())),
        ("Subject", Some(artifact.subject.as_str())),
        ("Prompt", Some(number.as_str())),
        (SESSION, artifact.session.as_deref()),
        (PARENT, artifact.parent.as_deref()),
    ];
    let mut out = format!("# {}\n\n", one_line(&artifact.title));
    for (name, value) in fields.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        out.push_str(&format!("- {name}: {}\n", one_line(value)));
    }
    let fence = fence_for(&artifact.prompt);
    out.push_str(&format!("\n{PROMPT}\n\n{fence}text\n{}\n{fence}\n", artifact.prompt));
    let answer = artifact.answer.trim();
    out.push_str(&format!("\n## Answer\n\n{}\n", if answer.is_empty() { "None." } else { answer }));
    out.push_str("\n## Files changed\n\n");
    for file in &artifact.files {
        let file = visible(file);
        let fence = "`".repeat(longest_run(&file) + 1);
        let space = if file.starts_with('`') || file.ends_with('`') { " " } else { "" };
        out.push_str(&format!("- {fence}{space}{file}{space}{fence}\n"));
    }
    if artifact.files.is_empty() {
        out.push_str("None.\n");
    }
    out
}

/// A fence that no line of a text closes.
fn fence_for(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// What a file in a subject's folder says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArtifactRead {
    pub kind: Option<Kind>,
    pub scope: Option<Scope>,
    pub stamp: Option<String>,
    /// The change of the session that it was written for.
    pub session: Option<String>,
    pub parent: Option<String>,
    pub prompt: Option<String>,
}

/// Reads what stands before the first section, and the prompt where that is the first. Nothing that an answer says counts.
#[must_use]
pub fn parse_artifact(text: &str) -> ArtifactRead {
    if text.len() > ARTIFACT_LIMIT {
        return ArtifactRead::default();
    }
    let mut end = 0;
    for line in text.split_inclusive('\n').take_while(|line| !line.starts_with("## ")) {
        end += line.len();
    }
    let (head, sections) = text.split_at(end);
    let field = |name: &str| head.lines().find_map(|line| value_of(line, name));
    ArtifactRead {
        kind: field(KIND).and_then(Kind::from_word),
        scope: field(SCOPE).and_then(Scope::from_word),
        stamp: field(STAMP).filter(|stamp| stamp_line::told_by(stamp).is_some()).map(str::to_owned),
        session: field(SESSION).and_then(|value| value.split_whitespace().next()).map(str::to_owned),
        parent: field(PARENT).and_then(|value| value.split_whitespace().next()).map(str::to_owned),
        prompt: prompt_in(sections).map(str::to_owned),
    }
}

/// The value of a field in a line such as `- **Kind:** answer`. Stars and capitals do not matter.
fn value_of<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let is_mark = |c: char| matches!(c, '-' | '*' | '`' | '>' | ' ' | '\t');
    let (found, value) = line.split_once(':')?;
    let value = value.trim_matches(|c: char| matches!(c, '*' | '`') || c.is_whitespace());
    (found.trim_matches(is_mark).eq_ignore_ascii_case(name) && !value.is_empty()).then_some(value)
}

/// The prompt that the first section holds in a fence.
fn prompt_in(sections: &str) -> Option<&str> {
    let (heading, rest) = sections.split_once('\n')?;
    let (opening, rest) = rest.trim_start_matches('\n').split_once('\n')?;
    let marks = opening.bytes().take_while(|byte| *byte == b'`').count();
    if heading.trim_end() != PROMPT || marks < 3 {
        return None;
    }
    let closing = format!("\n{}\n", &opening[..marks]);
    rest.split_once(&closing).map(|(prompt, _)| prompt)
}

/// A file that is to be made so that both trees know a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub side: Side,
    pub tier: Tier,
    pub subject: String,
    /// The file, from the top of the workspace. Its folder may have to be made.
    pub path: String,
    pub text: String,
}

/// What is missing for every subject to have a folder in both trees, and a link to the other in each.
#[must_use]
pub fn unify(found: &[Found]) -> Vec<Missing> {
    subject::joined(found).into_values().flat_map(|places| missing_of(&places, found)).collect()
}

fn missing_of(places: &[&Found], found: &[Found]) -> Vec<Missing> {
    let Some(named) = places.first() else { return Vec::new() };
    let first_on = |side: Side| places.iter().copied().find(|place| place.side == side);
    let folder_on = |side: Side| match first_on(side) {
        Some(place) => (place.tier, place.folder.clone()),
        None => (named.tier, subject::folder_for(side, named.tier, &named.subject, found)),
    };
    let is_linked = |side: Side| {
        first_on(side).is_some_and(|place| place.files.iter().any(|file| file.eq_ignore_ascii_case(LINK_NAME)))
    };
    Side::ALL
        .into_iter()
        .filter(|side| !is_linked(*side))
        .map(|side| {
            let (tier, folder) = folder_on(side);
            let (_, other) = folder_on(side.other());
            let subject = first_on(side).unwrap_or(named).subject.clone();
            let text = link_text(&subject, side, &other);
            Missing { side, tier, subject, path: format!("{folder}/{LINK_NAME}"), text }
        })
        .collect()
}

/// The file that points from one side of a subject to the folder on the other.
#[must_use]
pub fn link_text(subject: &str, side: Side, other: &str) -> String {
    let what = match side {
        Side::Development => "What was found out about it is in",
        Side::Research => "What is planned and built of it is in",
    };
    // From a subject's folder it is three steps to the top of the workspace.
    format!("# {}\n\n{what} [{other}](<../../../{other}/>).\n", one_line(subject))
}
