//! Subjects: what a workspace has plans and findings about. A subject is a folder `Development/<tier>/<Subject>/`, its
//! counterpart `Research/<tier>/<Subject>/`, and both are one subject whatever the capitals of their names.
//!
//! Ranking counts words and nothing else, so the same prompt and the same folders give the same list on every machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::text::quoted;

/// How long the name of a subject may be, in characters.
pub const NAME_LIMIT: usize = 80;
/// How many subjects a ranking names.
pub const RANKED_LIMIT: usize = 20;
/// How many folders, files of each and bytes of their text are looked at.
pub const FOUND_LIMIT: usize = 10_000;
pub const FILES_LIMIT: usize = 1_000;
pub const TEXT_LIMIT: usize = 64 * 1024;
/// How many words of a prompt are looked for.
const WORDS_LIMIT: usize = 2_000;
/// What a word counts, by where it is found. It counts once, where it counts most.
const IN_NAME: u32 = 10;
const IN_FILE: u32 = 3;
const IN_TEXT: u32 = 1;
/// Words that stand in every prompt.
const COMMON: &[&str] = &[
    "a", "about", "add", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "before", "but", "by",
    "can", "do", "does", "for", "from", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "make", "me",
    "my", "need", "new", "no", "not", "now", "of", "on", "or", "our", "please", "should", "so", "some", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "up", "us", "use", "want", "was", "we", "what",
    "when", "where", "which", "why", "will", "with", "you", "your",
];

/// The tree that a subject's folder lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Development,
    Research,
}

impl Side {
    pub const ALL: [Self; 2] = [Self::Development, Self::Research];

    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Development => "Development",
            Self::Research => "Research",
        }
    }

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Development => Self::Research,
            Self::Research => Self::Development,
        }
    }
}

/// How much a subject matters. The first is looked at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    High,
    Medium,
    Low,
}

impl Tier {
    pub const ALL: [Self; 3] = [Self::High, Self::Medium, Self::Low];

    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    /// Capitals do not matter.
    #[must_use]
    pub fn from_folder(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.folder().eq_ignore_ascii_case(name))
    }
}

/// Where a path lies in the trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    pub side: Side,
    pub tier: Tier,
    pub subject: &'a str,
    /// The subject's folder as it is spelled, without a slash at its end.
    pub folder: &'a str,
    /// The path within the folder; empty for the folder itself.
    pub inside: &'a str,
}

impl<'a> Place<'a> {
    /// A path from the top of the workspace, with slashes. `None` where it lies in no subject.
    #[must_use]
    pub fn of(path: &'a str) -> Option<Self> {
        let mut parts = path.splitn(4, '/');
        let (side, tier, subject) = (parts.next()?, parts.next()?, parts.next()?);
        let side = Side::ALL.into_iter().find(|known| known.folder() == side)?;
        let folder = path.get(..side.folder().len() + 1 + tier.len() + 1 + subject.len())?;
        let tier = Tier::from_folder(tier)?;
        let is_subject = !subject.is_empty() && !subject.starts_with('.');
        is_subject.then(|| Self { side, tier, subject, folder, inside: parts.next().unwrap_or_default() })
    }
}

/// A subject's folder on one side, as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub side: Side,
    pub tier: Tier,
    pub subject: String,
    /// The folder from the top of the workspace, as it is spelled.
    pub folder: String,
    /// Paths within the folder.
    pub files: Vec<String>,
    /// Some of what the files say.
    pub words: String,
}

/// A subject that a prompt touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    pub subject: String,
    pub score: u32,
    /// The prompt's words that were found, those that count most first.
    pub why: Vec<String>,
    /// Where it is: Development before Research, then by tier.
    pub places: Vec<(Side, Tier, String)>,
}

impl Ranked {
    #[must_use]
    pub fn has(&self, side: Side) -> bool {
        self.places.iter().any(|(known, _, _)| *known == side)
    }
}

/// The subjects that a prompt touches, best first. Those with no word in common are left out.
#[must_use]
pub fn rank(prompt: &str, found: &[Found]) -> Vec<Ranked> {
    let wanted: BTreeSet<String> = words(prompt).take(WORDS_LIMIT).collect();
    let mut ranked: Vec<Ranked> = joined(found).into_values().filter_map(|places| ranking(&wanted, &places)).collect();
    ranked.sort_by(|one, other| other.score.cmp(&one.score).then_with(|| one.subject.cmp(&other.subject)));
    ranked.truncate(RANKED_LIMIT);
    ranked
}

/// The folders of each subject, in the order of sides and tiers.
pub(super) fn joined(found: &[Found]) -> BTreeMap<String, Vec<&Found>> {
    let mut subjects: BTreeMap<String, Vec<&Found>> = BTreeMap::new();
    for one in found.iter().take(FOUND_LIMIT) {
        subjects.entry(one.subject.to_lowercase()).or_default().push(one);
    }
    for places in subjects.values_mut() {
        places.sort_by_key(|one| (one.side, one.tier, &one.folder));
    }
    subjects
}

fn ranking(wanted: &BTreeSet<String>, places: &[&Found]) -> Option<Ranked> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut count = |text: &str, worth: u32| {
        for word in words(text).filter(|word| wanted.contains(word)) {
            let best = counts.entry(word).or_default();
            *best = worth.max(*best);
        }
    };
    for place in places {
        count(&place.subject, IN_NAME);
        for file in place.files.iter().take(FILES_LIMIT) {
            count(file, IN_FILE);
        }
        count(beginning(&place.words, TEXT_LIMIT), IN_TEXT);
    }
    let mut why: Vec<(String, u32)> = counts.into_iter().collect();
    why.sort_by_key(|(_, worth)| std::cmp::Reverse(*worth));
    let score = why.iter().map(|(_, worth)| worth).sum();
    let subject = places.first()?.subject.clone();
    (score > 0).then(|| Ranked {
        subject,
        score,
        why: why.into_iter().map(|(word, _)| word).collect(),
        places: places.iter().map(|place| (place.side, place.tier, place.folder.clone())).collect(),
    })
}

/// At most so many bytes, cut at a character.
fn beginning(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// The words of a text that say something: lower case, without the `s` of several, and those within `CamelCase` as well as
/// the whole.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .flat_map(|word| {
            let parts = camel_parts(word);
            let whole = (parts.len() > 1).then(|| word.to_owned());
            parts.into_iter().map(str::to_owned).chain(whole)
        })
        .map(|word| word.to_lowercase())
        .filter(|word| (word.len() > 1) && !COMMON.contains(&word.as_str()))
        .map(one_of_several)
}

/// `PromptSession` is two words, and so is `HTTPServer`.
fn camel_parts(word: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let is_border = |at: usize| {
        let (before, here) = (letters[at - 1].1, letters[at].1);
        let next_is_small = letters.get(at + 1).is_some_and(|(_, next)| next.is_lowercase());
        here.is_uppercase() && (!before.is_uppercase() || next_is_small)
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..letters.len() {
        if is_border(at) {
            parts.push(&word[start..letters[at].0]);
            start = letters[at].0;
        }
    }
    parts.push(&word[start..]);
    parts
}

fn one_of_several(word: String) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let without = |count: usize| word[..word.len() - count].to_owned();
    if word.len() <= 3 || !word.is_ascii() || ends(&["ss", "us", "is"]) {
        word
    } else if word.len() > 4 && ends(&["ies"]) {
        format!("{}y", without(3))
    } else if ends(&["sses", "xes", "ches", "shes"]) {
        without(2)
    } else if ends(&["s"]) {
        without(1)
    } else {
        word
    }
}

/// The tier that something new about a subject goes to: the first that already holds it in either tree, else high.
#[must_use]
pub fn tier_for(subject: &str, found: &[Found]) -> Tier {
    let subject = subject.to_lowercase();
    let tiers = found.iter().filter(|one| one.subject.to_lowercase() == subject).map(|one| one.tier);
    tiers.min().unwrap_or(Tier::High)
}

/// The folder of a subject on one side, from the top of the workspace: the one that is there, else in a tier's folder as
/// that is spelled there.
#[must_use]
pub fn folder_for(side: Side, tier: Tier, subject: &str, found: &[Found]) -> String {
    let lower = subject.to_lowercase();
    let beside = |one: &&Found| one.side == side && one.tier == tier;
    let own = found.iter().filter(beside).find(|one| one.subject.to_lowercase() == lower);
    if let Some(own) = own {
        return own.folder.clone();
    }
    let above =
        found.iter().filter(beside).find_map(|one| one.folder.rsplit_once('/')).map(|(above, _)| above.to_owned());
    let above = above.unwrap_or_else(|| format!("{}/{}", side.folder(), tier.folder()));
    format!("{above}/{subject}")
}

/// The name of a subject as a folder: what was typed if it can be one, with a hyphen for white space.
pub fn subject_name(typed: &str) -> Result<String, BadSubject> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join("-");
    let length = name.chars().count();
    if name.is_empty() {
        return Err(BadSubject::Empty);
    }
    if length > NAME_LIMIT {
        return Err(BadSubject::TooLong { length });
    }
    match name.chars().find(|c| !(c.is_alphanumeric() || matches!(c, '-' | '_'))) {
        Some(character) => Err(BadSubject::Character { name, character }),
        None => Ok(name),
    }
}

/// Why a text cannot be a subject's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadSubject {
    Empty,
    TooLong { length: usize },
    Character { name: String, character: char },
}

impl BadSubject {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty-text",
            Self::TooLong { .. } => "text-too-long",
            Self::Character { .. } => "bad-subject",
        }
    }
}

impl fmt::Display for BadSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("The subject has no name. Give one such as Prompt-Session."),
            Self::TooLong { length } => {
                write!(f, "The subject's name has {length} characters, and {NAME_LIMIT} are taken. Shorten it.")
            }
            Self::Character { name, character } => write!(
                f,
                "{} cannot be a subject's folder because of {}. Take letters, digits, - and _ only.",
                quoted(name),
                quoted(&character.to_string())
            ),
        }
    }
}
