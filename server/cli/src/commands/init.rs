//! `init`: teaches agents, in the files of the workspace that they read, how to work with the queue; and takes that out
//! again. Every change is shown first and made on a yes, through the one place that writes users' files: only over what
//! was shown, and never through a link.

mod edit;
mod json_text;
mod memory;
mod section;
mod wanted;
mod words;

use std::io;

use augment_core::file::{ContentHash, FilePath};
use augment_core::text::visible;
use augment_host::files::{self, Expected, ExpectedThing, HardLinks, Root, Thing, Wanted};
use augment_protocol::changes::BodyKind;
use clap::ValueEnum as _;

use super::{Ended, Ending, Failure, Session, ask, own_run};
use crate::args::{InitAgent, InitArgs};
use crate::output::Format;
use crate::output::diff::{self, Side};
use memory::{Memory, Remembered};
use wanted::WantedFile;

/// Longer files are nobody's settings, and left alone.
const LONGEST: u64 = 1_024 * 1_024;

/// A file that is to be changed.
struct Change {
    path: String,
    at: FilePath,
    /// The text and the mode that are there.
    before: Option<(String, u32)>,
    after: Option<(String, u32)>,
    /// What is to be remembered of it; nothing when our things come out.
    remembered: Option<Remembered>,
}

/// What is to be done, and what is left alone and why.
#[derive(Default)]
struct Plan {
    changes: Vec<Change>,
    notes: Vec<String>,
}

pub(super) async fn run(session: &Session, args: InitArgs) -> Ended {
    if own_run::has_token() {
        return Err(Failure::told("role-may-not", "A run may not do `init`. A person decides that."));
    }
    let workspace = session.workspace()?;
    let agents = chosen(&args)?;
    let root = Root::open(workspace.root(), LONGEST, HardLinks::Separate)
        .map_err(|error| Failure::told("workspace", error.to_string()))?;
    let mut memory = Memory::load(&workspace.places().data).map_err(|error| forgotten(&error))?;
    let mut plan = Plan::default();
    for file in files_of(&args, &agents) {
        if let Err(why) = plan.add(&root, &file, &memory, args.remove) {
            plan.notes.push(format!("{} is left alone: {}.", file.path, visible(&why)));
        }
    }
    if !args.remove {
        plan.notes.extend(agents.iter().filter_map(|agent| wanted::left_to_do(*agent)).map(str::to_owned));
    }
    show(session, &plan)?;
    if plan.changes.is_empty() || args.dry_run {
        return told(session, &plan, Outcome::Untouched);
    }
    if !args.yes && !agreed(session, plan.changes.len()).await? {
        return told(session, &plan, Outcome::Declined);
    }
    let problems = carry_out(&root, &plan, &mut memory)?;
    if let Some(first) = problems.first() {
        let more = if problems.len() > 1 { format!(" (and {} more)", problems.len() - 1) } else { String::new() };
        return Err(Failure::told("not-written", format!("{first}{more}")));
    }
    told(session, &plan, Outcome::Done)
}

fn forgotten(error: &io::Error) -> Failure {
    let message = format!("What the files were before cannot be read or kept: {error}. Nothing was changed.");
    Failure::told("init-memory", message)
}

/// The agents that were named, else those whose program is installed.
fn chosen(args: &InitArgs) -> Result<Vec<InitAgent>, Failure> {
    let all = InitAgent::value_variants();
    if args.all || (args.remove && args.agent.is_empty()) {
        return Ok(all.to_vec());
    }
    if !args.agent.is_empty() {
        return Ok(all.iter().copied().filter(|agent| args.agent.contains(agent)).collect());
    }
    let found: Vec<InitAgent> = all.iter().copied().filter(|agent| is_installed(wanted::program(*agent))).collect();
    if found.is_empty() {
        let message = "None of the agents that are known is installed. Name one with --agent, or all with --all.";
        return Err(Failure::told("no-agent", message));
    }
    Ok(found)
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// What all agents share stays while only some of them are taken out.
fn files_of(args: &InitArgs, agents: &[InitAgent]) -> Vec<WantedFile> {
    let shared = (!args.remove || args.agent.is_empty()).then(wanted::shared);
    shared.into_iter().chain(agents.iter().copied().flat_map(wanted::of)).collect()
}

impl Plan {
    fn add(&mut self, root: &Root, file: &WantedFile, memory: &Memory, remove: bool) -> Result<(), String> {
        let at = FilePath::new(file.path.as_bytes()).map_err(|why| why.to_string())?;
        let before =
            match files::look(root, &at).map_err(|error| error.to_string().trim_end_matches('.').to_owned())?.thing {
                Thing::Absent => None,
                Thing::File { content, mode } => {
                    Some((String::from_utf8(content).map_err(|_| "it is not UTF-8".to_owned())?, mode))
                }
                Thing::Link(target) => return Err(format!("it is a link to {}", String::from_utf8_lossy(&target))),
            };
        let known = memory.of(&file.path);
        let change = if remove { taken_out(file, before, known)? } else { put_in(file, before, known)? };
        self.changes.extend(change.map(|(before, after, remembered)| Change {
            path: file.path.clone(),
            at,
            before,
            after,
            remembered,
        }));
        Ok(())
    }
}

type TextAndMode = (String, u32);
type Planned = (Option<TextAndMode>, Option<TextAndMode>, Option<Remembered>);

fn put_in(
    file: &WantedFile,
    before: Option<TextAndMode>,
    known: Option<&Remembered>,
) -> Result<Option<Planned>, String> {
    let text = before.as_ref().map(|(text, _)| text.as_str());
    let as_left = known.filter(|known| text.is_some_and(|text| known.is_as_left(text)));
    // As we left it some time ago: what it was before that is what it goes back to. Else it is what is left without what
    // is ours in it already.
    let (base, without) = match as_left {
        Some(known) => (known.before.as_deref(), known.before.clone()),
        None => (text, without_ours(file, text, known)?),
    };
    let Some(edited) = edit::put(base, &file.pieces)? else { return Ok(None) };
    let Some(after) = edited.text.filter(|after| Some(after.as_str()) != text) else { return Ok(None) };
    let mode = before.as_ref().map_or(edited.mode, |(_, mode)| *mode);
    let mut remembered = Remembered::new(without, &after, edited.made);
    if let Some(known) = known {
        remembered.made.extend(known.made.iter().filter(|_| as_left.is_none()).cloned());
        remembered.folders = known.folders.clone();
    }
    Ok(Some((before, Some((after, mode)), Some(remembered))))
}

/// What a file is without what is ours in it already.
fn without_ours(file: &WantedFile, text: Option<&str>, known: Option<&Remembered>) -> Result<Option<String>, String> {
    let Some(text) = text else { return Ok(None) };
    // A file that is another's as a whole has nothing of ours.
    if matches!(file.pieces.as_slice(), [wanted::Piece::Whole { .. }]) {
        return Ok(Some(text.to_owned()));
    }
    Ok(match edit::take_out(text, &file.pieces, known.map(|known| known.made.as_slice()))? {
        Some(edited) => edited.text.or_else(|| known.and_then(|known| known.before.clone())),
        None => Some(text.to_owned()),
    })
}

fn taken_out(
    file: &WantedFile,
    before: Option<TextAndMode>,
    known: Option<&Remembered>,
) -> Result<Option<Planned>, String> {
    let Some((text, mode)) = before else { return Ok(None) };
    let after = match known {
        Some(known) if known.is_as_left(&text) => known.before.clone(),
        Some(_) | None => {
            let made = known.map(|known| known.made.as_slice());
            let Some(edited) = edit::take_out(&text, &file.pieces, made)? else { return Ok(None) };
            // Nothing but what we had put in was there, so it is what it was.
            edited.text.or_else(|| known.and_then(|known| known.before.clone()))
        }
    };
    Ok(Some((Some((text, mode)), after.map(|after| (after, mode)), None)))
}

fn diff_of(change: &Change) -> String {
    let side = |thing: &'_ Option<TextAndMode>| -> (BodyKind, Vec<u8>, u32) {
        match thing {
            Some((text, mode)) => (BodyKind::Text, text.as_bytes().to_vec(), *mode),
            None => (BodyKind::Absent, Vec::new(), 0),
        }
    };
    let (before, after) = (side(&change.before), side(&change.after));
    let path = change.path.as_str();
    diff::unified(
        Side { path, body: before.0, content: &before.1, hash: None, mode: before.2 },
        Side { path, body: after.0, content: &after.1, hash: None, mode: after.2 },
    )
}

fn show(session: &Session, plan: &Plan) -> Result<(), Failure> {
    if session.output.format() == Format::Human {
        for change in &plan.changes {
            session.output.print(&diff::painted(&diff_of(change)))?;
        }
        for note in &plan.notes {
            session.output.tell(&format!("note: {note}"));
        }
    }
    Ok(())
}

async fn agreed(session: &Session, count: usize) -> Result<bool, Failure> {
    if !session.output.can_ask() {
        return Ok(false);
    }
    ask::yes(session, &format!("Make {}?", files_in_words(count))).await
}

fn files_in_words(count: usize) -> String {
    if count == 1 { "this change".to_owned() } else { format!("these {count} changes") }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    Untouched,
    Declined,
}

fn told(session: &Session, plan: &Plan, outcome: Outcome) -> Ended {
    match session.output.format() {
        Format::Json => {
            let changes: Vec<_> = plan
                .changes
                .iter()
                .map(|change| serde_json::json!({ "path": change.path, "diff": diff_of(change) }))
                .collect();
            let document =
                serde_json::json!({ "changes": changes, "notes": plan.notes, "done": outcome == Outcome::Done });
            session.output.json(&document)?;
        }
        Format::Human => {
            let text = match outcome {
                Outcome::Done => format!("Made {}.", files_in_words(plan.changes.len())),
                Outcome::Untouched if plan.changes.is_empty() => "Nothing to change.".to_owned(),
                Outcome::Untouched => "Nothing was changed.".to_owned(),
                Outcome::Declined => "Nothing was changed. Say yes, or --yes, to make these changes.".to_owned(),
            };
            session.output.tell(&text);
        }
    }
    Ok(if outcome == Outcome::Declined { Ending::No } else { Ending::Done })
}

/// Makes the changes, and says which of them could not be made. What the files were is on the disk before the first of
/// them is written.
fn carry_out(root: &Root, plan: &Plan, memory: &mut Memory) -> Result<Vec<String>, Failure> {
    let known: Vec<Option<Remembered>> = plan.changes.iter().map(|change| memory.of(&change.path).cloned()).collect();
    for change in &plan.changes {
        if let Some(remembered) = &change.remembered {
            memory.keep(&change.path, remembered.clone());
        }
    }
    memory.save().map_err(|error| forgotten(&error))?;
    let mut problems = Vec::new();
    let mut folders = Vec::new();
    for (change, known) in plan.changes.iter().zip(known) {
        match (write(root, change), &change.remembered) {
            (Ok(made), Some(_)) => memory.add_folders(&change.path, made),
            (Ok(_), None) => {
                memory.forget(&change.path);
                folders.extend(known.map(|known| known.folders).unwrap_or_default());
            }
            (Err(error), Some(_)) => {
                problems.push(error);
                match known {
                    Some(known) => memory.keep(&change.path, known),
                    None => memory.forget(&change.path),
                }
            }
            (Err(error), None) => problems.push(error),
        }
    }
    tidy(root, plan, &folders);
    memory.save().map_err(|error| forgotten(&error))?;
    Ok(problems)
}

/// The folders that were made for the file.
fn write(root: &Root, change: &Change) -> Result<Vec<String>, String> {
    let expected = match &change.before {
        Some((text, mode)) => ExpectedThing::File { hash: ContentHash::of(text.as_bytes()), mode: Some(*mode) },
        None => ExpectedThing::Absent,
    };
    let wanted = match &change.after {
        Some((text, mode)) => Thing::File { content: text.clone().into_bytes(), mode: *mode },
        None => Thing::Absent,
    };
    let expected = Expected { path: change.at.clone(), thing: expected };
    let wanted = Wanted { path: change.at.clone(), thing: wanted };
    let written = files::replace(root, &expected, &wanted).map_err(|error| error.to_string())?;
    Ok(written.made.iter().map(FilePath::to_text).collect())
}

/// Folders that were made for our files go with the last file in them.
fn tidy(root: &Root, plan: &Plan, folders: &[String]) {
    let may_go: Vec<FilePath> = folders.iter().filter_map(|folder| FilePath::from_text(folder).ok()).collect();
    for change in plan.changes.iter().filter(|change| change.after.is_none()) {
        if let Err(error) = files::tidy_folders(root, &change.at, &may_go) {
            tracing::debug!("a folder stays: {error}");
        }
    }
}
