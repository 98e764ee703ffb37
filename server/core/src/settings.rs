//! The settings: their names, what they take, and how the user's file, the workspace's policy and the defaults combine.
//! A policy comes with the repository, so it may only tighten; where it would widen, it is a request that is shown and
//! not followed. What allows nothing and has to be the same for everybody it may say. Nothing here reads a file.

use crate::actor::Actor;
use crate::ledger::{Data, Event, Topic};
use crate::refusal::Refusal;
use crate::text::is_unseen;
use crate::turn::{Answer, Effect, Turn};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Number {
        low: i64,
        high: i64,
    },
    Choice(&'static [&'static str]),
    /// Patterns of paths with commas between them.
    Patterns,
    /// Some of these words, with commas between them.
    Set(&'static [&'static str]),
    /// A file's path, from the root of the workspace.
    Path,
    /// A folder's path, from the root of the workspace, or none.
    Folder,
    /// A short text, or none.
    Name,
    /// A program and its arguments, or none.
    Program,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}

/// What a workspace's policy may do with a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyMay {
    Nothing,
    Lower,
    /// Choose what comes later in the list of choices, which then goes from loose to strict.
    Tighten,
    /// Add patterns to the person's.
    Add,
    /// Say it for everybody who works there: it allows nothing, but has to be the same for all.
    Say,
}

#[derive(Debug)]
pub struct Setting {
    pub key: &'static str,
    pub about: &'static str,
    pub kind: Kind,
    default: Default,
    pub policy_may: PolicyMay,
}

#[derive(Debug, Clone, Copy)]
enum Default {
    Number(i64),
    Text(&'static str),
}

pub const LEASE_SECONDS: &str = "queue.leaseSeconds";
pub const MAX_ATTEMPTS: &str = "queue.maxAttempts";
pub const LIST_LIMIT: &str = "queue.listLimit";
pub const IDLE_SECONDS: &str = "host.idleSeconds";
pub const COLOR: &str = "output.color";
pub const TRACK: &str = "changes.track";
pub const IGNORE: &str = "changes.ignore";
pub const TRACK_IGNORED: &str = "changes.trackIgnored";
pub const MAX_FILE_MEGABYTES: &str = "changes.maxFileMegabytes";
pub const POLL_SECONDS: &str = "changes.pollSeconds";
pub const REVIEW_APPROVE: &str = "review.approve";
pub const REVIEW_REJECT: &str = "review.reject";
pub const REVIEW_SECOND: &str = "review.secondApprover";
pub const REVIEW_CONTROL: &str = "review.control";
pub const HEARTBEAT_SECONDS: &str = "agents.heartbeatSeconds";
pub const AGENTS_PARALLEL: &str = "agents.parallel";
pub const TIME_LIMIT_MINUTES: &str = "agents.timeLimitMinutes";
pub const GRACE_SECONDS: &str = "agents.graceSeconds";
pub const PERMISSION: &str = "agents.permission";
pub const CONFINE: &str = "agents.confine";
pub const HAND_OFF: &str = "agents.handOff";
pub const HAND_OFF_DEPTH: &str = "agents.handOffDepth";
pub const SESSION_PROTOCOL: &str = "session.protocol";
pub const SESSION_CHECKPOINT: &str = "session.checkpointTasks";
pub const SESSION_UNAUTHORISED: &str = "session.unauthorised";
pub const SESSION_SILENCE: &str = "session.silenceMinutes";
pub const SESSION_CLOSE: &str = "session.closeSeconds";
pub const SESSION_PLAN: &str = "session.plan";
pub const SESSION_CHANGELOG: &str = "session.changelog";
pub const SESSION_ARCHITECTURE: &str = "session.architecture";
pub const SESSION_MODEL: &str = "session.model";
pub const SCAN_BLOCKS: &str = "scan.blocks";
pub const ARCHIVE_FOLDER: &str = "archive.folder";
pub const ARCHIVE_TAGS: &str = "archive.tags";
pub const NOTICES_COMMAND: &str = "notices.command";
pub const KNOWLEDGE_FILE: &str = "knowledge.file";
pub const STAMP_MODEL: &str = "stamp.model";
pub const PROMPT_BRANCH: &str = "prompt.branch";
pub const PROMPT_REMOTE: &str = "prompt.remote";
pub const PROMPT_INTENTS: &str = "prompt.intents";

pub const SETTINGS: &[Setting] = &[
    Setting {
        key: LEASE_SECONDS,
        about: "How long a taken task stays with its holder without a heartbeat.",
        kind: Kind::Number { low: 1, high: 86_400 },
        default: Default::Number(60),
        policy_may: PolicyMay::Lower,
    },
    Setting {
        key: MAX_ATTEMPTS,
        about: "How many attempts a task gets before it counts as failed.",
        kind: Kind::Number { low: 1, high: 1_000 },
        default: Default::Number(3),
        policy_may: PolicyMay::Lower,
    },
    Setting {
        key: LIST_LIMIT,
        about: "How many rows a list shows at most, unless --limit says otherwise.",
        kind: Kind::Number { low: 1, high: 1_000 },
        default: Default::Number(50),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: IDLE_SECONDS,
        about: "How long the host stays after its last client has gone and no task is being worked on.",
        kind: Kind::Number { low: 1, high: 86_400 },
        default: Default::Number(300),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: COLOR,
        about: "Whether the terminal output has colours: auto means on a terminal only.",
        kind: Kind::Choice(&["auto", "always", "never"]),
        default: Default::Text("auto"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: TRACK,
        about: "Whether changes of files are seen, attributed and kept for review.",
        kind: Kind::Choice(&["on", "off"]),
        default: Default::Text("on"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: IGNORE,
        about: "Files and folders that are not tracked, besides what version control ignores.",
        kind: Kind::Patterns,
        default: Default::Text(""),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: TRACK_IGNORED,
        about: "Whether files that version control ignores are tracked, too.",
        kind: Kind::Choice(&["on", "off"]),
        default: Default::Text("off"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: MAX_FILE_MEGABYTES,
        about: "Files up to this size are kept and can be brought back; changes of larger ones are only seen.",
        kind: Kind::Number { low: 1, high: 1_024 },
        default: Default::Number(32),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: POLL_SECONDS,
        about: "Look at all files this often, for file systems that do not tell of changes; 0 relies on the system.",
        kind: Kind::Number { low: 0, high: 3_600 },
        default: Default::Number(0),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: REVIEW_APPROVE,
        about: "Where runs' changes are approved without asking. Control files and unknown authors still ask.",
        kind: Kind::Patterns,
        default: Default::Text(""),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: REVIEW_REJECT,
        about: "Where runs' changes are rejected without asking.",
        kind: Kind::Patterns,
        default: Default::Text(""),
        policy_may: PolicyMay::Add,
    },
    Setting {
        key: REVIEW_SECOND,
        about: "Where changes need the approval of two people.",
        kind: Kind::Patterns,
        default: Default::Text(""),
        policy_may: PolicyMay::Add,
    },
    Setting {
        key: REVIEW_CONTROL,
        about: "Files that always ask, besides those that steer editors, agents, hooks and builds.",
        kind: Kind::Patterns,
        default: Default::Text(""),
        policy_may: PolicyMay::Add,
    },
    Setting {
        key: HEARTBEAT_SECONDS,
        about: "How often an agent has to be heard; after two intervals without a sign of life it counts as disconnected.",
        kind: Kind::Number { low: 1, high: 3_600 },
        default: Default::Number(5),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: AGENTS_PARALLEL,
        about: "How many agents work at once in this workspace.",
        kind: Kind::Number { low: 1, high: 64 },
        default: Default::Number(4),
        policy_may: PolicyMay::Lower,
    },
    Setting {
        key: TIME_LIMIT_MINUTES,
        about: "How long a run may take, unless its agent, its task or the start says otherwise; 0 sets no limit.",
        kind: Kind::Number { low: 0, high: 43_200 },
        default: Default::Number(0),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: GRACE_SECONDS,
        about: "How long an agent that is stopped may take to leave before it is made to.",
        kind: Kind::Number { low: 0, high: 300 },
        default: Default::Number(5),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: PERMISSION,
        about: "What an agent that asks for leave to do something is told: ask leaves it to you.",
        kind: Kind::Choice(&["allow", "ask", "refuse"]),
        default: Default::Text("ask"),
        policy_may: PolicyMay::Tighten,
    },
    Setting {
        key: CONFINE,
        about: "Whether agents are held to the folders they may write to. Unless you say enforce yourself, they start \
                with a warning where the system cannot do it.",
        kind: Kind::Choice(&["off", "warn", "enforce"]),
        default: Default::Text("enforce"),
        policy_may: PolicyMay::Tighten,
    },
    Setting {
        key: HAND_OFF,
        about: "What becomes of work that an agent hands on to another: ask leaves it to you.",
        kind: Kind::Choice(&["auto", "ask", "off"]),
        default: Default::Text("ask"),
        policy_may: PolicyMay::Tighten,
    },
    Setting {
        key: HAND_OFF_DEPTH,
        about: "How many times in a row work is handed on without a person in between.",
        kind: Kind::Number { low: 1, high: 20 },
        default: Default::Number(3),
        policy_may: PolicyMay::Lower,
    },
    Setting {
        key: SESSION_PROTOCOL,
        about: "Whether work without a session begins one. It cannot be changed while a session is under way.",
        kind: Kind::Choice(&["off", "on"]),
        default: Default::Text("on"),
        policy_may: PolicyMay::Tighten,
    },
    Setting {
        key: SESSION_CHECKPOINT,
        about: "After so many tasks in a row without a word of yours a session waits at a checkpoint.",
        kind: Kind::Number { low: 1, high: 3 },
        default: Default::Number(3),
        policy_may: PolicyMay::Lower,
    },
    Setting {
        key: SESSION_UNAUTHORISED,
        about: "What becomes of what a run writes before the scope is confirmed: held for you, or taken out at once.",
        kind: Kind::Choice(&["hold", "roll-back"]),
        default: Default::Text("hold"),
        policy_may: PolicyMay::Tighten,
    },
    Setting {
        key: SESSION_SILENCE,
        about: "A session in which nothing happens for so long is ended, and its record written.",
        kind: Kind::Number { low: 1, high: 1_440 },
        default: Default::Number(60),
        policy_may: PolicyMay::Lower,
    },
    Setting {
        key: SESSION_CLOSE,
        about: "How long after the last window was closed a session is ended, unless an agent is at work.",
        kind: Kind::Number { low: 1, high: 86_400 },
        default: Default::Number(60),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: SESSION_PLAN,
        about: "The project's plan, from the root of the workspace.",
        kind: Kind::Path,
        default: Default::Text("PROJECT_PLAN.md"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: SESSION_CHANGELOG,
        about: "The changelog that a session's record goes to, from the root of the workspace.",
        kind: Kind::Path,
        default: Default::Text("CHANGELOG.md"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: SESSION_ARCHITECTURE,
        about: "The description of what stands, from the root of the workspace.",
        kind: Kind::Path,
        default: Default::Text("ARCHITECTURE.md"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: SESSION_MODEL,
        about: "The model that is at work, where nobody names it at the start of a session.",
        kind: Kind::Name,
        default: Default::Text(""),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: SCAN_BLOCKS,
        about: "Which kinds of findings stop the approval of a change until you have looked at them.",
        kind: Kind::Set(&["credential", "personal-data", "environment", "dependency"]),
        default: Default::Text("credential, personal-data, environment, dependency"),
        policy_may: PolicyMay::Add,
    },
    Setting {
        key: ARCHIVE_FOLDER,
        about: "Where the archives of sessions go, a folder for each; empty writes none.",
        kind: Kind::Folder,
        default: Default::Text("memory-bank/augment-sessions"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: ARCHIVE_TAGS,
        about: "What every archive is tagged with, with commas between.",
        kind: Kind::Name,
        default: Default::Text(""),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: NOTICES_COMMAND,
        about: "A program that is told of every completed session, as JSON on its standard input. No shell is involved.",
        kind: Kind::Program,
        default: Default::Text(""),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: KNOWLEDGE_FILE,
        about: "The file with what was learnt and approved for everybody, from the root of the workspace.",
        kind: Kind::Path,
        default: Default::Text("memory-bank/augment-knowledge.json"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: STAMP_MODEL,
        about: "Which Sun stamps are made by: as the chronos program has it, or the true one. Stamps of both do not sort.",
        kind: Kind::Choice(&["chronos", "true"]),
        default: Default::Text("chronos"),
        policy_may: PolicyMay::Say,
    },
    Setting {
        key: PROMPT_BRANCH,
        about: "The branch that sessions of prompts are pushed to. Without one it is the branch that is checked out, in jj the bookmark dev.",
        kind: Kind::Name,
        default: Default::Text(""),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: PROMPT_REMOTE,
        about: "The remote that sessions of prompts are pushed to.",
        kind: Kind::Name,
        default: Default::Text("origin"),
        policy_may: PolicyMay::Nothing,
    },
    Setting {
        key: PROMPT_INTENTS,
        about: "When approved changes are committed for the prompt under way: when you say so, or each as you approve it. What a policy approves waits until you say so.",
        kind: Kind::Choice(&["manual", "approved"]),
        default: Default::Text("manual"),
        policy_may: PolicyMay::Nothing,
    },
];

/// How many patterns a setting takes, and how long each may be.
const PATTERNS: usize = 64;
const PATTERN_LENGTH: usize = 256;
const NAME_LIMIT: usize = crate::task::NAME_LIMIT;

/// How long a program and its arguments may be.
const PROGRAM_LIMIT: usize = 1_000;

/// A program and its arguments: words with space between them, or a list of texts as JSON and TOML write it. Empty where
/// there is none; `None` where a list is not understood.
#[must_use]
pub fn program(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let Some(inside) = text.strip_prefix('[') else {
        return Some(text.split_whitespace().map(str::to_owned).collect());
    };
    let mut rest = inside.strip_suffix(']')?.trim();
    let mut words = Vec::new();
    while !rest.is_empty() {
        let mut word = String::new();
        let mut letters = rest.strip_prefix('"')?.char_indices();
        let end = loop {
            match letters.next()? {
                (at, '"') => break at + 2,
                (_, '\\') => word.push(letters.next().map(|(_, c)| c).filter(|c| matches!(c, '"' | '\\' | '/'))?),
                (_, c) => word.push(c),
            }
        };
        words.push(word);
        let after = rest.get(end..)?.trim_start();
        rest = match after.strip_prefix(',') {
            Some(more) => more.trim_start(),
            None if after.is_empty() => after,
            None => return None,
        };
    }
    Some(words).filter(|words| words.first().is_none_or(|program| !program.is_empty()))
}

/// Whether a program is the same one in every folder: known by its bare name, or by a whole path. What lies below the folder
/// that it is started in comes with a workspace, and is not the person's.
#[must_use]
pub fn is_anywhere(program: &str) -> bool {
    !program.contains('/') || program.starts_with('/') || program.starts_with("~/")
}

/// The patterns in a setting's text.
pub fn patterns(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|pattern| !pattern.is_empty())
}

/// The patterns of a list as JSON and TOML write it, as they are meant here; `None` where the text is no such list. Taken
/// as it stands it would be a pattern that no path ever matches.
fn without_brackets(text: &str) -> Option<String> {
    const QUOTES: [char; 2] = ['"', '\''];
    let text = text.trim();
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).filter(|inside| !inside.contains(']'));
    let quoted = |pattern: &str| pattern.len() > 1 && pattern.starts_with(QUOTES) && pattern.ends_with(QUOTES);
    // `[abc]` alone is a class of characters, as .gitignore knows it.
    let is_list = inside.is_some_and(|inside| inside.contains(QUOTES) || inside.contains([',', '/', '*']));
    if !is_list && !patterns(text).any(quoted) {
        return None;
    }
    let plain: Vec<&str> = patterns(inside.unwrap_or(text)).map(|pattern| pattern.trim_matches(QUOTES)).collect();
    Some(plain.join(", "))
}

impl Setting {
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self.default {
            Default::Number(number) => Value::Number(number),
            Default::Text(text) => Value::Text(text.to_owned()),
        }
    }

    /// What the setting takes, as a message says it.
    #[must_use]
    pub fn wanted(&self) -> String {
        match self.kind {
            Kind::Number { low, high } => format!("a whole number from {low} to {high}"),
            Kind::Choice(choices) => match choices {
                [] => String::new(),
                [one] => (*one).to_owned(),
                [most @ .., last] => format!("{} or {last}", most.join(", ")),
            },
            Kind::Patterns => format!("up to {PATTERNS} patterns such as docs/** or *.md, with commas between them"),
            Kind::Set(words) => format!("some of {}, with commas between them", words.join(", ")),
            Kind::Path => "a path from the root of the workspace, such as docs/PLAN.md".to_owned(),
            Kind::Folder => "a folder from the root of the workspace, such as docs/sessions, or nothing".to_owned(),
            Kind::Name => format!("one line of at most {NAME_LIMIT} characters"),
            Kind::Program => format!(
                "a program by its name or its whole path and its arguments, as words or as a list like \
                 [\"notify\", \"all done\"], at most {PROGRAM_LIMIT} characters"
            ),
        }
    }

    pub fn read(&'static self, text: &str) -> Result<Value, Refusal> {
        if self.kind == Kind::Patterns
            && let Some(plain) = without_brackets(text)
        {
            let wanted = format!("{}, without brackets and quotes: {plain}", self.wanted());
            return Err(Refusal::BadSetting { key: self.key, value: text.to_owned(), wanted });
        }
        let value = match self.kind {
            Kind::Number { low, high } => {
                text.trim().parse().ok().filter(|number| (low..=high).contains(number)).map(Value::Number)
            }
            Kind::Choice(choices) => choices.contains(&text.trim()).then(|| Value::Text(text.trim().to_owned())),
            Kind::Patterns => {
                let all: Vec<&str> = patterns(text).collect();
                let fit = all.len() <= PATTERNS
                    && all.iter().all(|pattern| pattern.len() <= PATTERN_LENGTH && !pattern.chars().any(is_unseen));
                fit.then(|| Value::Text(all.join(", ")))
            }
            Kind::Set(words) => {
                let all: Vec<&str> = patterns(text).collect();
                all.iter().all(|word| words.contains(word)).then(|| Value::Text(all.join(", ")))
            }
            Kind::Path => {
                let is_path = crate::file::FilePath::from_text(text.trim()).is_ok();
                (is_path && text.len() <= PATTERN_LENGTH).then(|| Value::Text(text.trim().to_owned()))
            }
            Kind::Folder => {
                let text = text.trim().trim_end_matches('/');
                let is_path = text.is_empty() || crate::file::FilePath::from_text(text).is_ok();
                (is_path && text.len() <= PATTERN_LENGTH).then(|| Value::Text(text.to_owned()))
            }
            Kind::Program => {
                let fits = text.chars().count() <= PROGRAM_LIMIT && !text.chars().any(is_unseen);
                let is_anywhere = program(text).is_some_and(|words| words.first().is_none_or(|word| is_anywhere(word)));
                (fits && is_anywhere).then(|| Value::Text(text.trim().to_owned()))
            }
            Kind::Name => {
                let text = text.trim();
                let fits = text.chars().count() <= NAME_LIMIT && !text.chars().any(is_unseen);
                fits.then(|| Value::Text(text.to_owned()))
            }
        };
        value.ok_or_else(|| Refusal::BadSetting { key: self.key, value: text.to_owned(), wanted: self.wanted() })
    }

    /// The place of a value among the choices.
    fn strictness(&self, value: &Value) -> Option<usize> {
        match (self.kind, value) {
            (Kind::Choice(choices), Value::Text(text)) => choices.iter().position(|choice| choice == text),
            (
                Kind::Choice(_)
                | Kind::Number { .. }
                | Kind::Patterns
                | Kind::Set(_)
                | Kind::Path
                | Kind::Name
                | Kind::Folder
                | Kind::Program,
                Value::Number(_) | Value::Text(_),
            ) => None,
        }
    }

    /// The value in force, and where it comes from.
    #[must_use]
    pub fn resolve(&self, user: Option<Value>, policy: Option<Value>) -> Resolved {
        let (value, origin) = match user {
            Some(value) => (value, Source::User),
            None => (self.default_value(), Source::Default),
        };
        match (policy, self.policy_may) {
            (None, _) => Resolved { value, source: origin, refused_policy: None },
            (Some(wish), PolicyMay::Lower) => match (&wish, &value) {
                (Value::Number(lower), Value::Number(current)) if lower <= current => {
                    Resolved { value: wish, source: Source::Policy, refused_policy: None }
                }
                _ => Resolved { value, source: origin, refused_policy: Some(wish) },
            },
            (Some(wish), PolicyMay::Tighten) => match (self.strictness(&wish), self.strictness(&value)) {
                (Some(wished), Some(current)) if wished >= current => {
                    Resolved { value: wish, source: Source::Policy, refused_policy: None }
                }
                _ => Resolved { value, source: origin, refused_policy: Some(wish) },
            },
            (Some(wish), PolicyMay::Add) => {
                let (mine, added) = (value.to_string(), wish.to_string());
                let more: Vec<&str> =
                    patterns(&added).filter(|pattern| !patterns(&mine).any(|own| own == *pattern)).collect();
                if more.is_empty() {
                    return Resolved { value, source: origin, refused_policy: None };
                }
                let all: Vec<&str> = patterns(&mine).chain(more).collect();
                Resolved { value: Value::Text(all.join(", ")), source: Source::Policy, refused_policy: None }
            }
            (Some(wish), PolicyMay::Say) => Resolved { value: wish, source: Source::Policy, refused_policy: None },
            (Some(wish), PolicyMay::Nothing) => Resolved { value, source: origin, refused_policy: Some(wish) },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Default,
    User,
    Policy,
}

impl Source {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User => "user",
            Self::Policy => "policy",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    pub value: Value,
    pub source: Source,
    /// What the policy asked for and did not get.
    pub refused_policy: Option<Value>,
}

/// The setting of this name, or the refusal that names the nearest one.
pub fn find(key: &str) -> Result<&'static Setting, Refusal> {
    SETTINGS
        .iter()
        .find(|setting| setting.key == key)
        .ok_or_else(|| Refusal::UnknownSetting { key: key.to_owned(), nearest: nearest(key) })
}

fn nearest(key: &str) -> Option<&'static str> {
    let key = key.to_lowercase();
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    // Many have left out the section, or mistaken it.
    let near = |typed: &str, known: &str| Some(distance(typed, known)).filter(|distance| *distance <= known.len() / 3);
    SETTINGS
        .iter()
        .filter_map(|setting| {
            let known = setting.key.to_lowercase();
            let distances = [near(&key, &known), near(&last(&key), &last(&known))];
            Some((distances.into_iter().flatten().min()?, setting.key))
        })
        .min()
        .map(|(_, known)| known)
}

/// How many single-character edits lie between two short texts.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = corner + usize::from(from != to);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// A new value for a setting of the user's file, or none to go back to the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    pub key: String,
    pub value: Option<String>,
}

pub(crate) fn change(actor: &Actor, change: &SettingChange) -> Result<Turn, Refusal> {
    let setting = find(&change.key)?;
    let value = change.value.as_deref().map(|text| setting.read(text)).transpose()?;
    let event = Event {
        actor: actor.clone(),
        kind: "setting.changed",
        subject: Topic::Setting(setting.key),
        about: Vec::new(),
        data: Data::map([("value", value.map(|value| value.to_string()).into())]),
    };
    Ok(Turn::done(Answer::SettingChanged, vec![Effect::Record(event), Effect::WriteSetting(change.clone())]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(key: &str, user: Option<i64>, policy: Option<i64>) -> (i64, Source, bool) {
        let resolved = find(key).unwrap().resolve(user.map(Value::Number), policy.map(Value::Number));
        let Value::Number(value) = resolved.value else { panic!("{key} is a number") };
        (value, resolved.source, resolved.refused_policy.is_some())
    }

    #[test]
    fn a_policy_may_only_tighten() {
        assert_eq!(number(MAX_ATTEMPTS, None, None), (3, Source::Default, false));
        assert_eq!(number(MAX_ATTEMPTS, Some(5), None), (5, Source::User, false));
        assert_eq!(number(MAX_ATTEMPTS, Some(5), Some(2)), (2, Source::Policy, false));
        assert_eq!(number(MAX_ATTEMPTS, Some(5), Some(9)), (5, Source::User, true));
        assert_eq!(number(IDLE_SECONDS, None, Some(1)), (300, Source::Default, true));
    }

    #[test]
    fn a_policy_may_add_what_asks_and_never_what_does_not() {
        let text = |key: &str, user: &str, policy: &str| {
            let resolved = find(key).unwrap().resolve(Some(Value::Text(user.into())), Some(Value::Text(policy.into())));
            (resolved.value.to_string(), resolved.refused_policy.is_some())
        };
        assert_eq!(text(REVIEW_REJECT, "a/**", "b/**, a/**"), ("a/**, b/**".to_owned(), false));
        assert_eq!(text(REVIEW_APPROVE, "a/**", "b/**"), ("a/**".to_owned(), true));
        assert_eq!(find(REVIEW_SECOND).unwrap().read(" x ,, y/ ").unwrap().to_string(), "x, y/");
        assert!(find(IGNORE).unwrap().read(&"x,".repeat(65)).is_err());
    }

    #[test]
    fn a_policy_may_choose_what_is_stricter() {
        let text = |key: &str, user: Option<&str>, policy: &str| {
            let value = |text: &str| Value::Text(text.to_owned());
            let resolved = find(key).unwrap().resolve(user.map(value), Some(value(policy)));
            (resolved.value.to_string(), resolved.source, resolved.refused_policy.is_some())
        };
        let is = |value: &str, source, refused| (value.to_owned(), source, refused);
        assert_eq!(text(PERMISSION, None, "refuse"), is("refuse", Source::Policy, false));
        assert_eq!(text(PERMISSION, None, "allow"), is("ask", Source::Default, true));
        assert_eq!(text(PERMISSION, Some("allow"), "ask"), is("ask", Source::Policy, false));
        assert_eq!(text(CONFINE, Some("off"), "warn"), is("warn", Source::Policy, false));
        assert_eq!(text(CONFINE, None, "off"), is("enforce", Source::Default, true));
        assert_eq!(text(CONFINE, None, "enforce"), is("enforce", Source::Policy, false));
        assert_eq!(text(HAND_OFF, None, "auto"), is("ask", Source::Default, true));
        assert_eq!(text(HAND_OFF, Some("auto"), "off"), is("off", Source::Policy, false));
        assert_eq!(text(STAMP_MODEL, None, "true"), is("true", Source::Policy, false));
        assert_eq!(text(STAMP_MODEL, Some("true"), "chronos"), is("chronos", Source::Policy, false));
        assert_eq!(number(AGENTS_PARALLEL, None, Some(2)), (2, Source::Policy, false));
        assert_eq!(number(HAND_OFF_DEPTH, Some(2), Some(5)), (2, Source::User, true));
    }

    #[test]
    fn wrong_keys_and_values_are_named_with_the_right_ones() {
        assert_eq!(
            find("queue.leaseSecond").unwrap_err().to_string(),
            "There is no setting \"queue.leaseSecond\". Did you mean queue.leaseSeconds?"
        );
        assert_eq!(
            find("maxattempts").unwrap_err().to_string(),
            "There is no setting \"maxattempts\". Did you mean queue.maxAttempts?"
        );
        assert_eq!(
            find("nonsense").unwrap_err().to_string(),
            "There is no setting \"nonsense\". `augment-cli config list` shows them all."
        );
        let refusal = find(COLOR).unwrap().read("blue").unwrap_err();
        assert_eq!(refusal.to_string(), "\"blue\" does not fit output.color. Use auto, always or never.");
        let refusal = find(LEASE_SECONDS).unwrap().read("0").unwrap_err();
        assert_eq!(refusal.to_string(), "\"0\" does not fit queue.leaseSeconds. Use a whole number from 1 to 86400.");
    }

    #[test]
    fn a_list_in_brackets_is_refused_with_the_right_spelling() {
        let read = |text: &str| find(REVIEW_APPROVE).unwrap().read(text).map_err(|no| no.to_string());
        for (text, plain) in [
            ("[\"docs/**\"]", "docs/**"),
            (" ['a/**', \"*.md\"] ", "a/**, *.md"),
            ("[docs/**]", "docs/**"),
            ("\"docs/**\"", "docs/**"),
            ("a, 'b c'", "a, b c"),
        ] {
            let said = read(text).unwrap_err();
            let end = format!("with commas between them, without brackets and quotes: {plain}.");
            assert!(said.ends_with(&end), "{said}");
        }
        for text in ["[abc]", "[ab]/x, [c]", "it's.md", "docs/**, *.md"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn every_default_fits_its_own_setting() {
        for setting in SETTINGS {
            assert_eq!(setting.read(&setting.default_value().to_string()), Ok(setting.default_value()));
        }
    }

    #[test]
    fn a_program_is_words_or_a_list() {
        let words = |text: &str| program(text).map(|words| words.join("|"));
        for (text, expected) in [
            ("", Some("")),
            ("notify-send  done ", Some("notify-send|done")),
            (r#"["notify send", "a \"b\"", "c"]"#, Some("notify send|a \"b\"|c")),
            (r#"["one", ]"#, Some("one")),
            ("[]", Some("")),
            (r#"["one" "two"]"#, None),
            (r#"["one"#, None),
            (r#"[one]"#, None),
            (r#"[""]"#, None),
        ] {
            assert_eq!(words(text).as_deref(), expected, "{text}");
        }
        let command = find(NOTICES_COMMAND).expect("it is a setting");
        for text in ["notify-send done", "/usr/bin/notify x", "~/bin/notify", r#"["/a b/c", "./x"]"#, ""] {
            assert_eq!(command.read(text), Ok(Value::Text(text.to_owned())), "{text}");
        }
        // A workspace could ship these.
        for text in ["./notify.sh", "bin/notify", "../notify", r#"["./a b.sh", "x"]"#, "~ada/bin/x"] {
            assert!(matches!(command.read(text), Err(Refusal::BadSetting { .. })), "{text}");
        }
    }
}
