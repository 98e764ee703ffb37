//! `prompt intent`: exactly the approved changes that are wanted become one commit.

use augment_core::file::FilePath;
use augment_core::prompt::{Prompt, PromptRefusal, Role, Writing, intent as rules};
use augment_core::queue;
use augment_core::refusal::Refusal;
use augment_core::review::DecisionId;
use augment_core::view::View as _;
use augment_host::vcs::history::{Body, History, NewCommit};
use augment_protocol::REFUSED;
use augment_protocol::prompts as wire;
use augment_protocol::status::RefusalData;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::desk::{Desk, fresh_change, new_commit, told};
use super::gathering::{Gathered, Which, gather};
use super::to_wire;
use crate::service::methods::{no, no_with, refusal};

pub(super) fn intent(desk: &Desk, wanted: &wire::CommitIntent) -> Result<wire::IntentCommitted> {
    let history = desk.history()?;
    let said = wanted.text.trim().trim_start_matches("intent:").trim();
    let found = desk.take_up(history.as_ref(), wanted.dry_run)?;
    let mut notes = found.notes();
    let is_left_open = found.is_left_open();
    let is_same = |role, text: &str| role == Role::Work && text.trim_start_matches("intent:").trim() == said;
    if let Some(prompt) = found.same(is_same) {
        let intent = prompt.intents.last().map(to_wire::intent);
        let message = intent.as_ref().map(|intent| intent.text.clone()).unwrap_or_default();
        return Ok(wire::IntentCommitted {
            intent,
            message,
            files: Vec::new(),
            confirm: String::new(),
            notes,
            prompt: to_wire::prompt(&prompt),
        });
    }
    let prompt = desk.open_prompt()?;
    // What would be committed can be looked at before it has a name.
    let is_unnamed = wanted.dry_run && wanted.text.is_empty();
    let text = match wanted.with_credentials {
        _ if is_unnamed => String::new(),
        true => in_one_line(&wanted.text, &prompt)?,
        false => checked(&wanted.text, &prompt)?,
    };
    let which = which(desk, wanted, &prompt)?;
    let files = wanted.files.iter().map(|path| path_of(path)).collect::<Result<Vec<_>>>()?;
    let gathered = gather(desk, history.as_ref(), &which, &files)?;
    for path in &files {
        let is_there = desk.shared.workspace.root().join(path_on_disk(path)).symlink_metadata().is_ok();
        let in_tip = || history.checked_out(gathered.tip.as_deref(), path).map_err(|error| told(&error));
        if !is_there && in_tip()? == Body::Absent {
            let message = format!("{path} is neither there nor in the newest commit. Name a file of the workspace.");
            return Err(no(REFUSED, "no-such-file", message));
        }
    }
    if gathered.changes.is_empty() {
        return Err(nothing(desk, &gathered)?);
    }
    notes.extend(gathered.notes.iter().cloned());
    let mut answer = wire::IntentCommitted {
        intent: None,
        message: text.clone(),
        files: gathered.told(),
        confirm: gathered.confirm_token(prompt.id),
        notes,
        prompt: to_wire::prompt(&prompt),
    };
    // A yes to what was shown is a yes to nothing else.
    if wanted.confirm.as_ref().is_some_and(|confirm| *confirm != answer.confirm) {
        let message = format!(
            "What would be committed for prompt {} is no longer what was shown. Look at it again, then say yes to that.",
            prompt.id
        );
        let data = RefusalData { intent: Some(answer), ..RefusalData::of("shown-otherwise") };
        return Err(no_with(REFUSED, message, data));
    }
    if wanted.dry_run {
        if !is_left_open {
            let order = order(&text, &gathered)?;
            history.may_commit(&order).map_err(|error| told(&error))?;
        }
        return Ok(answer);
    }
    let (made, prompt) = commit(desk, history.as_ref(), &prompt, Role::Work, &text, &gathered)?;
    answer.notes.extend(made);
    answer.intent = prompt.intents.last().map(to_wire::intent);
    answer.prompt = to_wire::prompt(&prompt);
    Ok(answer)
}

/// Makes an intent of what a decision has approved; says what came of it, after what was found before.
pub(super) fn of_decision(desk: &Desk, decision: &str) -> String {
    let outcome = commit_decision(desk, decision).unwrap_or_else(|error| not_committed(&error));
    desk.take_found().into_iter().chain([outcome]).collect::<Vec<_>>().join(" ")
}

/// What is told of a decision that is not committed.
pub(super) fn not_committed(error: &Error) -> String {
    format!("Not committed: {}", error.message)
}

fn commit_decision(desk: &Desk, decision: &str) -> Result<String> {
    let history = desk.history()?;
    desk.take_up(history.as_ref(), false)?;
    let prompt = desk.open_prompt()?;
    let id = decision_of(decision)?;
    let gathered = gather(desk, history.as_ref(), &Which::Decision(id), &[])?;
    if gathered.changes.is_empty() {
        return Err(nothing(desk, &gathered)?);
    }
    let title = desk.read(move |snapshot| {
        let view = snapshot.view();
        let files = view.decision(id)?.map(|decision| decision.files).unwrap_or_default();
        for in_file in files {
            let Some(file) = view.file(in_file.file)? else { continue };
            for author in file.weave.authors_in(in_file.weave_decision) {
                if let augment_core::attribution::Author::Run(run) = author {
                    return Ok(snapshot.task(run.task)?.map(|task| task.title));
                }
            }
        }
        Ok(None)
    })?;
    let paths = gathered.paths();
    let plain = match paths.as_slice() {
        [one] => format!("change {one}"),
        many => format!("change {} files", many.len()),
    };
    let short = |text: &str| augment_core::text::shortened(text, 150).into_owned();
    // A title may be the prompt's own words, which an intent does not repeat.
    let text = title.and_then(|title| rules::check(&short(&title), &prompt.text).ok());
    let text = text.map_or_else(|| checked(&short(&plain), &prompt), Ok)?;
    let (notes, _) = commit(desk, history.as_ref(), &prompt, Role::Work, &text, &gathered)?;
    let notes = notes.iter().map(|note| format!(" {}.", note.trim_end_matches('.')));
    Ok(format!("Committed as `{text}`.{}", notes.collect::<String>()))
}

/// One line for an intent. A credential in it would stand in the history for ever.
pub(super) fn checked(text: &str, prompt: &Prompt) -> Result<String> {
    no_credential("intent", text)?;
    in_one_line(text, prompt)
}

fn in_one_line(text: &str, prompt: &Prompt) -> Result<String> {
    rules::check(text, &prompt.text).map_err(|problem| refusal(&Refusal::Prompt(PromptRefusal::Intent(problem))))
}

pub(super) fn no_credential(what: &'static str, text: &str) -> Result<()> {
    if augment_core::scan::without_credentials(text) == text {
        return Ok(());
    }
    Err(refusal(&Refusal::Prompt(PromptRefusal::Credential { what })))
}

/// Commits what was gathered on the tip that it was gathered from, and gives what should be heard of it.
pub(super) fn commit(
    desk: &Desk,
    history: &dyn History,
    prompt: &Prompt,
    role: Role,
    text: &str,
    gathered: &Gathered,
) -> Result<(Vec<String>, Prompt)> {
    let wanted = order(text, gathered)?;
    let (change, tip, files) = (wanted.change.clone(), wanted.tip.clone(), gathered.paths());
    let writing = Writing::Commit { role, text: text.to_owned(), change, tip, files, staged: Vec::new() };
    let id = prompt.id;
    let note = |files: &[FilePath]| desk.note_staged(id, files);
    let (made, prompt) = desk.write(prompt, writing, gathered.files(), || history.commit_noting(&wanted, &note))?;
    Ok((made.notes, prompt))
}

/// What is to be written of what was gathered.
fn order(text: &str, gathered: &Gathered) -> Result<NewCommit> {
    Ok(new_commit(text, gathered.parts(), &fresh_change()?, gathered.tip.as_deref()))
}

fn path_on_disk(path: &FilePath) -> &std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(path.as_bytes())
}

fn which(desk: &Desk, wanted: &wire::CommitIntent, prompt: &Prompt) -> Result<Which> {
    match (&wanted.task, &wanted.decision, wanted.own) {
        (None, None, true) => Ok(Which::OwnSince(prompt.began.clone())),
        (None, None, false) if wanted.files.is_empty() => Ok(Which::Since(prompt.began.clone())),
        (None, None, false) => Ok(Which::Everything),
        (None, Some(decision), false) => {
            let id = decision_of(decision)?;
            let known = desk.read(move |snapshot| snapshot.view().decision(id))?;
            known.map(|_| Which::Decision(id)).ok_or_else(|| unknown_decision(decision))
        }
        (Some(task), None, false) => {
            let typed = task.clone();
            let found = desk.read(move |snapshot| queue::resolve(&snapshot.view(), &typed))?;
            found.map(Which::Task).map_err(|no| refusal(&no))
        }
        (Some(_), Some(_), _) | (Some(_), None, true) | (None, Some(_), true) => {
            let message = "Name a task or a decision, or ask for your own, and not two of them.";
            Err(no(REFUSED, "nothing-selected", message.to_owned()))
        }
    }
}

fn decision_of(typed: &str) -> Result<DecisionId> {
    DecisionId::from_text(typed).ok_or_else(|| unknown_decision(typed))
}

fn unknown_decision(typed: &str) -> Error {
    let message = format!(
        "There is no decision {}. Approving prints its name, as in d12; `augment-cli changes history FILE` shows those of a file.",
        augment_core::text::quoted(typed)
    );
    no(REFUSED, "unknown-decision", message)
}

fn path_of(path: &str) -> Result<FilePath> {
    let bad = |problem| refusal(&Refusal::BadPath { path: path.to_owned(), problem });
    FilePath::from_text(path).map_err(bad)
}

/// Why there is nothing to commit, and what to do about it.
fn nothing(desk: &Desk, gathered: &Gathered) -> Result<Error> {
    if let [why, ..] = gathered.held_back.as_slice() {
        return Ok(no(REFUSED, "nothing-to-commit", why.clone()));
    }
    let waiting = desk.read(|snapshot| snapshot.pending_counts())?.hunks;
    let message = match waiting {
        0 => "Nothing that is approved is left to commit.".to_owned(),
        1 => "Nothing that is approved is left to commit; 1 hunk waits. Decide about it with `augment-cli changes`, then \
              repeat."
            .to_owned(),
        count => format!(
            "Nothing that is approved is left to commit; {count} hunks wait. Decide about them with `augment-cli \
             changes`, then repeat."
        ),
    };
    Ok(no(REFUSED, "nothing-to-commit", message))
}
