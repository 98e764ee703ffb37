//! The message of a session's commit: what was asked, how it was understood, what was changed, and the commits that it is
//! made of. `compose` writes one form only, and refuses what could not be read back; `parse` reads that form back to the
//! byte, whatever the prompt holds, and reads the older forms as well.
//!
//! A prompt may hold anything, a whole session message among it. So the message is read from its end: the context, the
//! changes and what was kept cannot hold a heading of the form, and the last `## Agent Context` ends the prompt.

mod read;
mod trailers;

use std::fmt;

pub use read::{Lack, Reading, read};
pub use trailers::CHANGE_ID;

use super::PROMPT_LIMIT;
use super::stamp_line::looks_like_stamp;
use crate::text::{self, BadText, Lines, quoted, visible};

/// How long a summary and a change may be, in characters.
pub const LINE_LIMIT: usize = 200;
/// How long a context may be, in characters.
pub const CONTEXT_LIMIT: usize = 64 * 1024;
/// How long what was there before may be, in characters.
pub const KEPT_LIMIT: usize = 64 * 1024;
/// How many changes, commits and trailers a session may have.
pub const CHANGES_LIMIT: usize = 2_000;

const SESSION: &str = "session:";
const INTENT: &str = "intent:";

/// A summary as it stands behind `session:`, which some type as well.
#[must_use]
pub fn without_session(summary: &str) -> &str {
    let mut rest = summary.trim();
    while let Some(found) = rest.get(..SESSION.len()).filter(|found| found.eq_ignore_ascii_case(SESSION)) {
        rest = rest[found.len()..].trim_start();
    }
    rest
}

/// A section of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Prompt,
    Context,
    Changes,
    Squashed,
}

impl Section {
    pub const ALL: [Self; 4] = [Self::Prompt, Self::Context, Self::Changes, Self::Squashed];

    /// Its heading, as it is written.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::Prompt => "## Original Prompt",
            Self::Context => "## Agent Context",
            Self::Changes => "## Logical Changes",
            Self::Squashed => "## Squashed Change IDs",
        }
    }

    /// The section that a line begins, in any form that is read.
    #[must_use]
    pub fn begun_by(line: &str) -> Option<Self> {
        const MARK: &str = "[synthetic]";
        let name = line.strip_prefix("## ")?.to_ascii_lowercase().replacen(MARK, " ", 1);
        let name = name.trim().trim_end_matches(':').trim_end();
        Self::ALL.into_iter().find(|section| section.heading()[3..].eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.heading())
    }
}

/// Whether a commit's message is that of a session.
#[must_use]
pub fn is_session(message: &str) -> bool {
    message.starts_with(SESSION)
}

/// Whether a commit's message is that of an intent.
#[must_use]
pub fn is_intent(message: &str) -> bool {
    message.starts_with(INTENT)
}

/// Whether a word names a commit: a change id of jj (8 to 32 letters from k to z) or a hash of git, whole or its beginning.
#[must_use]
pub fn is_id(word: &str) -> bool {
    let is_change = (8..=32).contains(&word.len()) && word.bytes().all(|byte| matches!(byte, b'k'..=b'z'));
    let is_hash = (7..=64).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_change || is_hash
}

/// The change id that a commit's message names in its trailers. Git itself looks for none behind a line that ends a message
/// for its own tools (`---`), which a prompt may hold.
#[must_use]
pub fn change_id(message: &str) -> Option<String> {
    let trailers = if is_session(message) {
        read(message).message.trailers
    } else {
        trailers::split(message, trailers::First::Title).1
    };
    trailers.into_iter().rfind(|(name, _)| trailers::is_change_id(name)).map(|(_, id)| id)
}

/// What a session's commit says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionMessage {
    /// What was achieved: one line, without `session:`.
    pub summary: String,
    /// As it stands in the message. Only older messages have none, or one in another form.
    pub stamp: Option<String>,
    /// To the byte.
    pub prompt: String,
    pub context: String,
    /// One line each.
    pub changes: Vec<String>,
    /// The commits that it is made of. Empty where one commit was rewritten.
    pub squashed: Vec<String>,
    /// What that one commit said before.
    pub kept: String,
    /// The last paragraph: names and values. A value of several lines has a space at the beginning of each but the first.
    pub trailers: Vec<(String, String)>,
}

impl SessionMessage {
    /// The message with the trailers of what was kept among its own, each once. A commit has one change id: where both name
    /// one, that of the message stands.
    #[must_use]
    pub fn tidied(&self) -> Self {
        let has_own = self.trailers.iter().any(|(name, _)| trailers::is_change_id(name));
        // A hook may have written below the id, which is no trailer of the description any more.
        let kept = if has_own { trailers::without_change_ids(&self.kept) } else { self.kept.clone() };
        let (kept, before) = trailers::split(&kept, trailers::First::Title);
        let mut all: Vec<(String, String)> = Vec::new();
        let before = before.into_iter().filter(|(name, _)| !(has_own && trailers::is_change_id(name)));
        for trailer in before.chain(self.trailers.iter().cloned()) {
            if !all.contains(&trailer) {
                all.push(trailer);
            }
        }
        Self { kept, trailers: all, ..self.clone() }
    }

    /// The text for the commit. Reading it gives the message back, `tidied`.
    pub fn compose(&self) -> Result<String, BadMessage> {
        let message = self.tidied();
        let stamp = message.checked()?;
        let mut out = format!("{SESSION} {}\n{stamp}\n", message.summary);
        for (section, text) in [(Section::Prompt, &message.prompt), (Section::Context, &message.context)] {
            out.push_str(&format!("\n{section}\n{text}\n"));
        }
        list(&mut out, Section::Changes, &message.changes);
        if !message.squashed.is_empty() {
            list(&mut out, Section::Squashed, &message.squashed);
        }
        if !message.kept.is_empty() {
            out.push_str(&format!("\n{}\n", message.kept));
        }
        out.push_str(&trailers::paragraph(&message.trailers));
        Ok(out)
    }

    /// Whether it can be written and read back; its stamp if so.
    fn checked(&self) -> Result<&str, BadMessage> {
        check_line("summary", &self.summary)?;
        let stamp = self.stamp.as_deref().unwrap_or_default();
        if !looks_like_stamp(stamp) {
            return Err(BadMessage::Stamp { stamp: stamp.to_owned() });
        }
        check_prompt(&self.prompt)?;
        check_context(&self.context)?;
        check_count("changes", self.changes.len())?;
        check_count("squashed commits", self.squashed.len())?;
        check_count("trailers", self.trailers.len())?;
        if self.changes.is_empty() {
            return Err(BadMessage::Empty { part: "list of changes" });
        }
        for change in &self.changes {
            check_line("change", change)?;
        }
        if let Some(id) = self.squashed.iter().find(|id| !is_id(id)) {
            return Err(BadMessage::Id { id: id.clone() });
        }
        check_text("description that was there before", &self.kept, KEPT_LIMIT)?;
        match (self.squashed.is_empty(), self.kept.is_empty()) {
            (true, true) if self.changes.len() > 1 => return Err(BadMessage::NoIds { changes: self.changes.len() }),
            (false, false) => return Err(BadMessage::Both { kept: self.kept.clone() }),
            (true | false, true | false) => {}
        }
        if let Some((name, value)) = self.trailers.iter().find(|(name, value)| !trailers::is_sound(name, value)) {
            return Err(BadMessage::Trailer { name: name.clone(), value: value.clone() });
        }
        // Without something before them, only a change id tells trailers from a description.
        let is_alone = self.squashed.is_empty() && self.kept.is_empty();
        match self.trailers.first() {
            Some((name, value)) if is_alone && !trailers::is_change_id(name) => {
                Err(BadMessage::Trailer { name: name.clone(), value: value.clone() })
            }
            Some(_) | None => Ok(stamp),
        }
    }
}

/// Reads a session's commit that has all its sections; else what it lacks.
pub fn parse(text: &str) -> Result<SessionMessage, Vec<Lack>> {
    let Reading { message, lacks } = read(text);
    if lacks.is_empty() { Ok(message) } else { Err(lacks) }
}

/// Whether a prompt can be kept to the byte.
pub fn check_prompt(prompt: &str) -> Result<(), BadMessage> {
    if prompt.trim().is_empty() {
        return Err(BadMessage::Empty { part: "prompt" });
    }
    if prompt.len() > PROMPT_LIMIT {
        return Err(BadMessage::PromptTooLong { length: prompt.len() });
    }
    match prompt.find('\0') {
        Some(at) => Err(BadMessage::ZeroByte { line: prompt[..at].matches('\n').count() + 1 }),
        None => Ok(()),
    }
}

/// Whether a text can be the context: it holds no heading of the form, since the prompt's end is found by them.
pub fn check_context(context: &str) -> Result<(), BadMessage> {
    if context.trim().is_empty() {
        return Err(BadMessage::Empty { part: "context" });
    }
    check_text("context", context, CONTEXT_LIMIT)
}

fn check_text(part: &'static str, text: &str, limit: usize) -> Result<(), BadMessage> {
    let length = text.chars().count();
    if length > limit {
        return Err(BadMessage::BadText { part, problem: BadText::TooLong { length, limit } });
    }
    if let Some(at) = text.find('\0') {
        let position = text[..at].chars().count() + 1;
        return Err(BadMessage::BadText { part, problem: BadText::Unseen { character: '\0', position } });
    }
    let heading = text.split('\n').zip(1..).find(|(line, _)| Section::begun_by(line).is_some());
    match heading {
        Some((heading, line)) => Err(BadMessage::Heading { part, line, heading: heading.to_owned() }),
        None => Ok(()),
    }
}

fn check_line(part: &'static str, line: &str) -> Result<(), BadMessage> {
    if line.trim().is_empty() {
        return Err(BadMessage::Empty { part });
    }
    text::check(line, Lines::One, LINE_LIMIT).map_err(|problem| BadMessage::BadText { part, problem })?;
    // A list's item that begins with a colon is a trailer to git.
    if line.trim() != line || line.starts_with(':') {
        return Err(BadMessage::Edge { part, line: line.to_owned() });
    }
    Ok(())
}

fn check_count(part: &'static str, count: usize) -> Result<(), BadMessage> {
    if count > CHANGES_LIMIT { Err(BadMessage::TooMany { part, count }) } else { Ok(()) }
}

fn list(out: &mut String, section: Section, items: &[String]) {
    out.push_str(&format!("\n{section}\n"));
    for item in items {
        out.push_str(&format!("- {item}\n"));
    }
}

/// Why a message is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadMessage {
    Empty {
        part: &'static str,
    },
    BadText {
        part: &'static str,
        problem: BadText,
    },
    /// White space or a colon where a line begins or ends.
    Edge {
        part: &'static str,
        line: String,
    },
    PromptTooLong {
        length: usize,
    },
    ZeroByte {
        line: usize,
    },
    Stamp {
        stamp: String,
    },
    Heading {
        part: &'static str,
        line: usize,
        heading: String,
    },
    TooMany {
        part: &'static str,
        count: usize,
    },
    Id {
        id: String,
    },
    /// Several changes, and neither the commits that they were made in nor a description that was kept.
    NoIds {
        changes: usize,
    },
    /// Commits that were squashed, and a description that was kept.
    Both {
        kept: String,
    },
    Trailer {
        name: String,
        value: String,
    },
}

impl BadMessage {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "empty-text",
            Self::BadText { problem, .. } => match problem {
                BadText::Empty => "empty-text",
                BadText::TooLong { .. } => "text-too-long",
                BadText::Unseen { .. } => "control-character",
            },
            Self::Edge { .. } => "bad-line",
            Self::PromptTooLong { .. } => "text-too-long",
            Self::ZeroByte { .. } => "control-character",
            Self::Stamp { .. } => "bad-stamp",
            Self::Heading { .. } => "session-heading",
            Self::TooMany { .. } => "too-many",
            Self::Id { .. } => "bad-change-id",
            Self::NoIds { .. } => "no-change-ids",
            Self::Both { .. } => "kept-and-squashed",
            Self::Trailer { .. } => "bad-trailer",
        }
    }
}

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { part } | Self::BadText { part, problem: BadText::Empty } => {
                write!(f, "The {part} is empty. Say it, then repeat.")
            }
            Self::BadText { part, problem: BadText::TooLong { length, limit } } => {
                write!(f, "The {part} has {length} characters, and {limit} are taken. Shorten it, then repeat.")
            }
            Self::BadText { part, problem: BadText::Unseen { character, position } } => write!(
                f,
                "The {part} holds {} at character {position}, which cannot be kept there. Take it out, then repeat.",
                visible(&character.to_string())
            ),
            Self::Edge { part, line } => write!(
                f,
                "The {part} {} begins or ends with white space or a colon. Take that away, then repeat.",
                quoted(line)
            ),
            Self::PromptTooLong { length } => write!(
                f,
                "The prompt has {length} bytes, and {PROMPT_LIMIT} are kept. Put the long part into a file and name it in the prompt."
            ),
            Self::ZeroByte { line } => write!(
                f,
                "Line {line} of the prompt holds a zero byte, which no commit can keep. Take it out, then repeat."
            ),
            Self::Stamp { stamp } => {
                write!(f, "{} is no stamp such as ♓︎.5.4.47 5919AM. `augment-cli stamp` prints one.", quoted(stamp))
            }
            Self::Heading { part, line, heading } => write!(
                f,
                "Line {line} of the {part} is {}, a heading of session commits, and so the message could not be read back. Word that line otherwise, then repeat.",
                quoted(heading)
            ),
            Self::TooMany { part, count } => {
                write!(f, "There are {count} {part}, and {CHANGES_LIMIT} are taken. Finish in several sessions.")
            }
            Self::Id { id } => write!(
                f,
                "{} names no commit: a change id has 8 to 32 letters from k to z, a hash 7 to 64 hexadecimal digits.",
                quoted(id)
            ),
            Self::NoIds { changes } => write!(
                f,
                "There are {changes} changes and no commits named that they were made in. Name each under {}.",
                Section::Squashed
            ),
            Self::Both { kept } => write!(
                f,
                "A session of several commits keeps their ids and no description of one of them: leave out {}.",
                quoted(kept)
            ),
            Self::Trailer { name, value } => write!(
                f,
                "{} cannot stand as the trailer of the message: a name of letters, digits and hyphens, a value of one line, after a description or a {CHANGE_ID}.",
                quoted(&format!("{name}: {value}"))
            ),
        }
    }
}
