//! Whose the commits below the working tree are: the session's own, or the ground that they stand on. What a remote has
//! and this prompt did not make is somebody else's, whatever it says of itself, and the session never holds any of it.
//!
//! Nothing here writes, and nothing is left out silently.

use std::collections::{BTreeSet, HashMap};

use augment_core::prompt::message::{is_intent, is_session};
use augment_core::prompt::{Intent, Prompt, Role};
use augment_core::text::quoted;
use augment_host::vcs::history::{About, Commit, Held, History, HistoryError};
use augment_protocol::REFUSED;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::desk::told;
use super::starting::short_name;
use crate::service::methods::{no, no_about};

/// How many commits below the session are named.
const NAMED: usize = 5;

/// What a person says about single commits.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) include: &'a [String],
    pub(super) leave: &'a [String],
}

/// The commits below the working tree, sorted.
pub(super) struct Sorted {
    /// What the session's commit stands on.
    pub(super) base: Option<String>,
    /// Oldest first, merges of them among them.
    pub(super) own: Vec<Commit>,
    /// The newest commit below the working tree, where any of it is the session's.
    pub(super) tip: Option<String>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Own,
    Ground,
    /// It changes nothing and says nothing.
    Blank,
}

/// Sorts the commits since a prompt began, oldest first.
pub(super) fn sort(history: &dyn History, prompt: &Prompt, commits: Vec<Commit>, said: Said<'_>) -> Result<Sorted> {
    let began = prompt.base.as_ref().map(|base| base.commit.clone());
    let about = history.about(began.as_deref()).map_err(|error| told(&error))?;
    let about = |commit: &Commit| about.get(&commit.id).copied().unwrap_or_default();
    // In git a commit that a remote has may be made into a session all the same, beside itself; but not somebody else's.
    let shared = match commits.last() {
        Some(tip) => history.shared(began.as_deref(), &tip.id).map_err(|error| told(&error))?,
        None => Vec::new(),
    };
    let shared: BTreeSet<String> = shared.into_iter().map(|(id, _)| id).collect();
    let seen = |commit: &Commit| {
        let about = about(commit);
        About { on_remote: about.on_remote || shared.contains(&commit.id), ..about }
    };
    let left = left_below(prompt, &commits, said);
    let mut parts: HashMap<&str, Part> = HashMap::new();
    // For each commit with an intent of the session in it or below it, that intent.
    let mut holds: HashMap<&str, &Commit> = HashMap::new();
    for commit in &commits {
        let below = commit.parents.iter().find_map(|parent| holds.get(parent.as_str()).copied());
        let part = part_of(prompt, commit, seen(commit), left.contains(commit.id.as_str()), below.is_some(), said);
        parts.insert(&commit.id, part);
        if let Some(own) = (part == Part::Own).then_some(commit).or(below) {
            holds.insert(&commit.id, own);
        }
    }
    let part = |id: &str| parts.get(id).copied();
    refuse_held(history, &commits, |commit| part(&commit.id) == Some(Part::Own), about)?;
    for foreign in commits.iter().filter(|commit| part(&commit.id) == Some(Part::Ground)) {
        if let Some(own) = holds.get(foreign.id.as_str()) {
            return Err(among(foreign, own, seen(foreign)));
        }
    }
    let is_line = |commit: &&Commit| holds.contains_key(commit.id.as_str());
    let tip = commits.last().filter(is_line).map(|tip| tip.id.clone());
    let base = match &tip {
        Some(_) => {
            let blank = |id: &str| commits.iter().find(|commit| commit.id == id && part(id) == Some(Part::Blank));
            newest_of(history, &grounds(commits.iter().filter(is_line), |id| holds.contains_key(id), blank))?
        }
        None => began,
    };
    let below = commits.iter().filter(|commit| part(&commit.id) == Some(Part::Ground)).collect::<Vec<_>>();
    let notes = below_notes(if tip.is_some() { &below } else { &[] });
    let own: BTreeSet<String> =
        parts.iter().filter(|(_, part)| **part == Part::Own).map(|(id, _)| (*id).into()).collect();
    let own = commits.into_iter().filter(|commit| own.contains(&commit.id)).collect();
    Ok(Sorted { base, own, tip, notes })
}

/// What is no part of the session by word of the person, or because it was there before, with all that it stands on.
fn left_below<'a>(prompt: &Prompt, commits: &'a [Commit], said: Said<'_>) -> BTreeSet<&'a str> {
    let before = |intent: &&Intent| intent.role == Role::Before;
    let before: BTreeSet<&str> = prompt.intents.iter().filter(before).map(|intent| intent.change.as_str()).collect();
    // The base has its name also where it was rebased.
    let is_base = |commit: &Commit| prompt.base.as_ref().is_some_and(|base| is_named(commit, &base.name));
    let mut left = BTreeSet::new();
    for commit in commits.iter().rev() {
        let is_left = left.contains(commit.id.as_str())
            || said.leave.iter().any(|name| is_named(commit, name))
            || before.contains(commit.name())
            || is_base(commit);
        if is_left {
            left.insert(commit.id.as_str());
            left.extend(commit.parents.iter().map(String::as_str));
        }
    }
    left
}

fn part_of(prompt: &Prompt, commit: &Commit, about: About, is_left: bool, is_on_own: bool, said: Said<'_>) -> Part {
    if is_left {
        return Part::Ground;
    }
    let is_known = prompt.intents.iter().any(|intent| intent.change == commit.name());
    if is_known || said.include.iter().any(|name| is_named(commit, name)) {
        return Part::Own;
    }
    if about.blank {
        return Part::Blank;
    }
    // A merge only brings together what others did.
    let is_own = is_intent(&commit.message) || (commit.parents.len() > 1 && is_on_own);
    if is_own && !about.on_remote { Part::Own } else { Part::Ground }
}

/// An intent that must not be rewritten stops everything, the newest one by name: it is never dropped silently.
fn refuse_held(
    history: &dyn History,
    commits: &[Commit],
    is_own: impl Fn(&Commit) -> bool,
    about: impl Fn(&Commit) -> About,
) -> Result<()> {
    let mut own = commits.iter().filter(|commit| is_own(commit));
    // A single one is rewritten, where of several only a new one is made.
    let is_single = own.clone().count() == 1;
    let is_held = |commit: &&Commit| about(commit).held || (is_single && about(commit).on_remote);
    let Some(held) = own.rfind(is_held) else { return Ok(()) };
    let why = history.held(&held.id).map_err(|error| told(&error))?.unwrap_or(Held::Setting);
    let title = first_line(&held.message).to_owned();
    Err(told(&HistoryError::Held { name: short_name(held), title, why }))
}

/// A commit that is none of the session's, and stands on one of its own.
fn among(foreign: &Commit, own: &Commit, about: About) -> Error {
    let (name, line) = (short_name(foreign), quoted(first_line(&foreign.message)));
    let what = if is_session(&foreign.message) { "is a session's own commit" } else { "is no intent" };
    if about.on_remote {
        let message = format!(
            "{name} ({line}) is on a remote and stands on {own}, an intent of this prompt. Leave that intent out of the \
             session, with what it stands on (--leave {own}), or rebase your intents away from it, then repeat.",
            own = short_name(own)
        );
        return no(REFUSED, "foreign-commit", message);
    }
    let message = format!(
        "{name} ({line}) {what} and stands among the intents. Count it in with --include {name}, call it `intent: …`, or \
         move it away, then repeat."
    );
    no_about(REFUSED, "foreign-commit", message, Some(name))
}

/// The commits that a line stands on and that are none of it. Nobody stands on a blank one, but on what is below it.
fn grounds<'a>(
    line: impl Iterator<Item = &'a Commit>,
    is_line: impl Fn(&str) -> bool,
    blank: impl Fn(&str) -> Option<&'a Commit>,
) -> BTreeSet<String> {
    let mut grounds = BTreeSet::new();
    for parent in line.flat_map(|commit| &commit.parents).filter(|parent| !is_line(parent)) {
        let mut ground = Some(parent);
        while let Some(commit) = ground.and_then(|id| blank(id)) {
            ground = commit.parents.first();
        }
        grounds.extend(ground.cloned());
    }
    grounds
}

/// The one that holds all the others.
fn newest_of(history: &dyn History, grounds: &BTreeSet<String>) -> Result<Option<String>> {
    let is_below = |of: &str, ancestor: &str| history.is_ancestor(of, ancestor).map_err(|error| told(&error));
    let mut newest: Option<&str> = None;
    for one in grounds.iter().map(String::as_str) {
        newest = match newest {
            None => Some(one),
            Some(known) if is_below(one, known)? => Some(one),
            Some(known) if is_below(known, one)? => Some(known),
            Some(known) => {
                let message = format!(
                    "The intents stand on {} and on {}, neither of which holds the other. Rebase them onto one commit, or \
                     merge those two below them, then repeat.",
                    known.get(..12).unwrap_or(known),
                    one.get(..12).unwrap_or(one)
                );
                return Err(no(REFUSED, "several-grounds", message));
            }
        };
    }
    Ok(newest.map(str::to_owned))
}

fn below_notes(below: &[&Commit]) -> Vec<String> {
    let named = below.iter().rev().take(NAMED).rev().map(|commit| {
        let line = quoted(first_line(&commit.message));
        format!("{} ({line}) stands below the session and is no part of it.", short_name(commit))
    });
    let more = below.len().saturating_sub(NAMED);
    let told = (more > 0).then(|| format!("{more} more commits stand below the session and are no part of it."));
    told.into_iter().chain(named).collect()
}

pub(super) fn is_named(commit: &Commit, name: &str) -> bool {
    let begins = |whole: &str| name.len() >= 4 && whole.starts_with(name);
    begins(&commit.id) || commit.change.as_deref().is_some_and(begins)
}

pub(super) fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
