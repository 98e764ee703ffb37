//! `prompt start`: the stamp before anything else, then the text, then what lies in the tree.

use augment_core::file::FilePath;
use augment_core::prompt::{Draft, Place, Prompt, PromptRefusal, PromptState, Role, Step, intent};
use augment_core::refusal::Refusal;
use augment_core::settings::STAMP_MODEL;
use augment_core::stamp::{Model, Stamp};
use augment_core::text::{shell_word, visible};
use augment_core::view::View as _;
use augment_host::clock;
use augment_host::vcs::history::{Commit, Ground, History, HistoryError, LeftOut, System};
use augment_protocol::prompts as wire;
use augment_protocol::status::RefusalData;
use augment_protocol::{FAILED, REFUSED};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::change::Change;
use super::committing::{checked, commit};
use super::desk::{Desk, told};
use super::gathering::{Which, gather, left};
use super::grouping::{Group, confirm_token, groups};
use super::{subjects, to_wire};
use crate::service::methods::{no, no_with, refusal};

pub(super) fn start(desk: &Desk, wanted: &wire::StartPrompt) -> Result<wire::StartedPrompt> {
    let set = desk.setting(STAMP_MODEL);
    let model = Model::from_name(&set).unwrap_or(Model::Chronos);
    let stamp = Stamp::at(clock::wall().0.div_euclid(1_000), model);
    let stamp = stamp.map_err(|error| no(FAILED, "no-stamp", error.to_string()))?.to_string();
    let history = desk.history()?;
    let history = history.as_ref();
    let mut notes = desk.take_up(history, wanted.dry_run)?.notes();
    let begun = begun(desk, wanted)?;
    notes.extend(other_model(desk, model)?);
    notes.extend(undecided(desk)?);
    let found = subjects::ranked(&wanted.text, &subjects::look(desk.shared.workspace.root()));
    let lying = Lying::look(desk, history, &mut notes)?;
    let existing = &lying.groups;
    notes.extend(submodules(history)?);
    let begun = begun.filter(|_| wanted.existing == Some(wire::Existing::Commit));
    if let Some(begun) = &begun {
        notes.push(format!("Prompt {} had begun and was interrupted; it goes on.", begun.id));
    }
    let stamp = begun.as_ref().map_or(stamp, |begun| begun.stamp.clone());
    let mut started = wire::StartedPrompt {
        prompt: None,
        stamp: stamp.clone(),
        subjects: found,
        existing: existing.iter().map(to_wire::group).collect(),
        confirm: lying.confirm.clone(),
        committed: Vec::new(),
        notes,
    };
    if wanted.dry_run || (!existing.is_empty() && wanted.existing.is_none()) {
        return Ok(started);
    }
    // A word about what was shown is a word about nothing else.
    if wanted.existing.is_some() && wanted.confirm.as_ref().is_some_and(|confirm| *confirm != lying.confirm) {
        return Err(shown_otherwise(started));
    }
    let before = begun.as_ref().map_or(0, |begun| begun.intents.len());
    let names = names_of(&wanted.existing_intents, existing, before)?;
    if let Some(begun) = begun {
        let prompt = commit_first(desk, history, begun, wanted, existing, names, &mut started)?;
        started.prompt = Some(to_wire::prompt(&prompt));
        return Ok(started);
    }
    let ground = &lying.ground;
    let subjects = if wanted.subjects.is_empty() {
        started.subjects.iter().map(|subject| subject.subject.clone()).collect()
    } else {
        wanted.subjects.clone()
    };
    let draft = Draft {
        text: wanted.text.clone(),
        context: wanted.context.clone(),
        stamp,
        model: model.name().to_owned(),
        subjects,
        system: match history.system() {
            System::Git => "git".to_owned(),
            System::Jj { .. } => "jj".to_owned(),
        },
        base: ground.tip.as_ref().map(place),
        branch: ground.branch.clone(),
        left: left(desk)?,
        with_credentials: wanted.with_credentials,
    };
    // What the person typed is looked at before anything begins.
    for text in &wanted.existing_intents {
        let bad = |problem| refusal(&Refusal::Prompt(PromptRefusal::Intent(problem)));
        intent::check(text, &wanted.text).map_err(bad)?;
    }
    let mut prompt = desk.post(Step::Start(Box::new(draft)))?;
    if prompt.context.is_empty() {
        started.notes.push(
            "It has no context yet, which its session's commit needs: `augment-cli prompt context \"…\"`.".to_owned(),
        );
    }
    started.notes.extend(new_bookmark(desk, history)?);
    match wanted.existing {
        Some(wire::Existing::Commit) => {
            prompt = commit_first(desk, history, prompt, wanted, existing, names, &mut started)?;
        }
        Some(wire::Existing::Leave) if !existing.is_empty() => {
            let words = "What lies in the tree was left as it is, and stays out of this prompt's commits unless its file is \
                         named.";
            started.notes.push(words.to_owned());
        }
        Some(wire::Existing::Leave) | None => {}
    }
    started.prompt = Some(to_wire::prompt(&prompt));
    Ok(started)
}

/// What lies in the tree, and on what.
struct Lying {
    groups: Vec<Group>,
    ground: Ground,
    confirm: String,
}

impl Lying {
    fn look(desk: &Desk, history: &dyn History, notes: &mut Vec<String>) -> Result<Self> {
        let changed = history.changed().map_err(|error| told(&error))?;
        let groups = groups(desk, history, &changed, None, notes)?;
        let ground = history.ground().map_err(|error| told(&error))?;
        let confirm = confirm_token(&groups, ground.tip.as_ref().map(|tip| tip.id.as_str()));
        Ok(Self { groups, ground, confirm })
    }
}

fn shown_otherwise(now: wire::StartedPrompt) -> Error {
    let message = "What lies in the tree is no longer what was shown. Look at it again, then say yes to that.";
    let data = RefusalData { start: Some(now), ..RefusalData::of("shown-otherwise") };
    no_with(REFUSED, message.to_owned(), data)
}

/// The names that the person gave for these groups, one for each; none where none was given. The first ones may be those of
/// the groups that an interrupted start has committed already.
fn names_of<'a>(names: &'a [String], groups: &[Group], before: usize) -> Result<&'a [String]> {
    match names.len() {
        0 => Ok(names),
        _ if groups.is_empty() => Ok(&[]),
        count if count == groups.len() => Ok(names),
        count if count == before + groups.len() => Ok(&names[before..]),
        count => {
            let names = if count == 1 { "1 name is".to_owned() } else { format!("{count} names are") };
            let groups = match groups.len() {
                1 => "1 group of changes lies".to_owned(),
                many => format!("{many} groups of changes lie"),
            };
            let message = format!(
                "{names} given, and {groups} in the tree. Name each of them, in their order (`augment-cli prompt start \
                 --dry-run` shows them), or none, then repeat."
            );
            Err(no(REFUSED, "names-do-not-fit", message))
        }
    }
}

/// jj has no branch that is checked out, so the name that a session is known by may come as a surprise.
fn new_bookmark(desk: &Desk, history: &dyn History) -> Result<Option<String>> {
    let Some(bookmark) = desk.bookmark(history, None) else { return Ok(None) };
    let is_new = matches!(history.lineage(Some(&bookmark), 1), Err(HistoryError::Unknown { .. }));
    Ok(is_new.then(|| {
        format!(
            "There is no bookmark {} yet: the end of this prompt makes it. `augment-cli config set prompt.branch NAME` names \
             another one.",
            visible(&bookmark)
        )
    }))
}

/// How many submodules are named, and the file that says where they come from.
const NAMED: usize = 20;
const MODULES: &str = ".gitmodules";

/// Submodules that lie there changed are committed by nobody here, nor is the file that names those that are staged.
fn submodules(history: &dyn History) -> Result<Option<String>> {
    let found = history.submodules().map_err(|error| told(&error))?;
    let (what, differ) = match found.as_slice() {
        [] => return Ok(None),
        [_] => ("The submodule", "is not as"),
        [..] => ("The submodules", "are not as"),
    };
    let names: Vec<String> = found.iter().take(NAMED).map(FilePath::to_text).collect();
    let rest = match found.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let list = FilePath::from_text(MODULES).map_err(|_| Error::internal_error())?;
    let is_left_out = history.left_out(&list).map_err(|error| told(&error))? == Some(LeftOut::Submodule);
    let words = is_left_out.then_some(MODULES).into_iter().chain(names.iter().map(String::as_str)).map(shell_word);
    Ok(Some(format!(
        "{what} {}{rest} {differ} in the newest commit, and none is committed here. Commit by hand what shall be: `git \
         commit -- {}`.",
        visible(&names.join(", ")),
        words.collect::<Vec<_>>().join(" "),
    )))
}

/// What waits for a decision is no group of what lies there: nobody has approved it.
fn undecided(desk: &Desk) -> Result<Option<String>> {
    let waiting = desk.read(|snapshot| snapshot.pending_counts())?.hunks;
    let hunks = match waiting {
        0 => return Ok(None),
        1 => "1 hunk waits".to_owned(),
        count => format!("{count} hunks wait"),
    };
    Ok(Some(format!(
        "In the tree {hunks} for a decision, and nothing of that is committed before: `augment-cli changes`."
    )))
}

/// The same prompt, where an earlier process has begun it and did not come to its end: what lies in the tree is not all
/// committed, or what was committed first is not known to be below the prompt. Any other that is under way is in the way,
/// whatever lies in the tree.
fn begun(desk: &Desk, wanted: &wire::StartPrompt) -> Result<Option<Prompt>> {
    let Some(prompt) = desk.read(|snapshot| snapshot.view().prompt())? else { return Ok(None) };
    let base = prompt.base.as_ref().map(|base| base.commit.as_str());
    let is_whole = prompt.intents.last().is_some_and(|last| base == Some(last.commit.as_str()));
    let is_begun = prompt.state == PromptState::Open
        && (prompt.text == wanted.text && prompt.context == wanted.context)
        && prompt.intents.iter().all(|intent| intent.role == Role::Before)
        && !is_whole;
    if is_begun { Ok(Some(prompt)) } else { Err(refusal(&Refusal::Prompt(PromptRefusal::under_way(&prompt)))) }
}

/// Stamps of two models do not sort together.
fn other_model(desk: &Desk, model: Model) -> Result<Option<String>> {
    let last = desk.read(|snapshot| snapshot.prompts(1))?.into_iter().next();
    Ok(last.filter(|last| last.model != model.name()).map(|last| {
        format!(
            "Prompt {} was stamped by the model {}, this one by {}: the two do not sort together.",
            last.id,
            last.model,
            model.name()
        )
    }))
}

pub(super) fn place(commit: &Commit) -> Place {
    Place { commit: commit.id.clone(), name: short_name(commit) }
}

/// What a commit is called where it is written down: twelve letters of its change id or its hash.
pub(super) fn short_name(commit: &Commit) -> String {
    let name = commit.change.as_deref().unwrap_or(&commit.id);
    name.get(..12).unwrap_or(name).to_owned()
}

/// Commits what lay there, each group for itself; the prompt begins on top of it.
fn commit_first(
    desk: &Desk,
    history: &dyn History,
    mut prompt: Prompt,
    wanted: &wire::StartPrompt,
    existing: &[Group],
    texts: &[String],
    started: &mut wire::StartedPrompt,
) -> Result<Prompt> {
    // Those that an interrupted start has committed already are no longer there.
    let before = prompt.intents.len();
    for (at, group) in existing.iter().enumerate() {
        let named = texts.get(at).map_or(group.intent.as_str(), String::as_str);
        let plain = format!("intent: work from before, group {}", before + at + 1);
        let text = match checked(named, &prompt) {
            Ok(text) => text,
            // What is proposed may be the prompt's own words; what the person typed is theirs to mend.
            Err(error) if texts.get(at).is_some() => return Err(error),
            Err(_) => plain,
        };
        let files = if matches!(group.which, Which::Everything) { group.files.clone() } else { Vec::new() };
        let gathered = gather(desk, history, &group.which, &files)?;
        for note in &gathered.notes {
            if !started.notes.contains(note) {
                started.notes.push(note.clone());
            }
        }
        // What came while the groups before it were committed was not shown.
        let is_shown = |change: &Change| group.holding.contains(&change.holding);
        if wanted.confirm.is_some() && !gathered.changes.iter().all(is_shown) {
            let now = Lying::look(desk, history, &mut started.notes)?;
            started.existing = now.groups.iter().map(to_wire::group).collect();
            started.confirm = now.confirm;
            started.committed = prompt.intents.iter().map(to_wire::intent).collect();
            return Err(shown_otherwise(started.clone()));
        }
        if gathered.changes.is_empty() {
            continue;
        }
        let (notes, then) = commit(desk, history, &prompt, Role::Before, &text, &gathered)?;
        started.notes.extend(notes);
        prompt = then;
    }
    started.committed = prompt.intents.iter().map(to_wire::intent).collect();
    let Ground { tip, .. } = history.ground().map_err(|error| told(&error))?;
    desk.post(Step::Rebase { prompt: prompt.id, base: tip.as_ref().map(place) })
}
