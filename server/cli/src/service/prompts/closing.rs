//! `prompt push`, `prompt undo` and `prompt drop`: the session's commit is brought to the remote and looked for there, and
//! only then does the next one begin; what was written last can be taken back as long as nobody else has it; what was begun
//! is made or gone before a prompt is given up.

use augment_core::prompt::{Outcome, Prompt, PromptId, PromptRefusal, PromptState, Pushed, Step, Writing, Written};
use augment_core::refusal::Refusal;
use augment_core::text::visible;
use augment_host::vcs::history::{Commit, History, HistoryError, Remote, System};
use augment_protocol::REFUSED;
use augment_protocol::prompts as wire;
use augment_protocol::status::RefusalData;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::branches::taken_back_elsewhere;
use super::desk::{Desk, Found, expect_undoable, told};
use super::finishing::head_of;
use super::{listing, to_wire};
use crate::service::methods::{no, no_with, refusal};

pub(super) fn push(desk: &Desk, wanted: &wire::PushPrompt) -> Result<wire::PushedPrompt> {
    let history = desk.history()?;
    let history = history.as_ref();
    let mut notes = desk.take_up(history, wanted.dry_run)?.notes();
    let prompt = match last_pushed(desk)? {
        Some((closed, Pushed { remote, branch, .. })) => {
            let closed = PromptRefusal::Closed { prompt: closed.id, remote, branch };
            return Err(refusal(&Refusal::Prompt(closed)));
        }
        None => desk.prompt_under_way()?,
    };
    if prompt.state != PromptState::Finished {
        let (id, state) = (prompt.id, prompt.state);
        let wrong = PromptRefusal::WrongState { prompt: id, state, wanted: PromptState::Finished };
        return Err(refusal(&Refusal::Prompt(wrong)));
    }
    let remote = desk.remote(wanted.remote.as_deref());
    let branch = desk.branch(history, wanted.branch.as_deref())?;
    let head = head_of(history, &prompt)?;
    let at = history.remote(&remote, &branch).map_err(|error| told(&error))?;
    let (commit, is_there) = match &at {
        Remote::NoRemote => {
            let add = match history.system() {
                System::Git => "git remote add",
                System::Jj { .. } => "jj git remote add",
            };
            let (name, word) = (visible(&remote), augment_core::text::shell_word(&remote));
            let message =
                format!("There is no remote {name}. Add it (`{add} {word} URL`), or name another with --remote.");
            return Err(no(REFUSED, "no-remote", message));
        }
        Remote::NoBranch => (head.id.clone(), false),
        Remote::At(found) => to_push(history, &head, found, &remote, &branch)?,
    };
    let is_shown = wanted.commit.as_ref().is_none_or(|named| is_named_so(&commit, named));
    let is_only_told = wanted.dry_run || !is_shown;
    if prompt.report.is_none() {
        notes.push(without_report(is_only_told));
    }
    if at == Remote::NoBranch {
        notes.push(format!("{} has no {} yet; the push makes it.", visible(&remote), visible(&branch)));
    }
    notes.extend(going(history, &commit, &at, is_only_told)?);
    let to = Pushed { remote: remote.clone(), branch: branch.clone(), commit: commit.clone() };
    if is_only_told {
        if is_there {
            notes.push("The remote has it already.".to_owned());
        }
        let now = answer(&to, false, None, notes, &prompt);
        return if is_shown { Ok(now) } else { Err(shown_otherwise(now)) };
    }
    if !is_there {
        history.push(&remote, &branch, &commit).map_err(|error| told(&error))?;
    }
    // The word of whoever pushed is not enough: the remote itself is asked.
    match history.remote(&remote, &branch).map_err(|error| told(&error))? {
        Remote::At(found) if found == commit || (is_there && holds(history, &found, &head.id)?) => {}
        Remote::At(found) if !is_there => {
            let short = found.get(..12).unwrap_or(&found);
            let message = format!(
                "It was pushed, and the {} of {} has moved on to {short} since. Fetch it, then repeat to have it verified.",
                visible(&branch),
                visible(&remote)
            );
            return Err(no(REFUSED, "not-verified", message));
        }
        Remote::At(found) => {
            let moved = HistoryError::RemoteMoved { remote, branch, found };
            return Err(told(&moved));
        }
        Remote::NoRemote | Remote::NoBranch => {
            let message = format!(
                "{} was pushed to, and has no {}. Look there, then repeat.",
                visible(&remote),
                visible(&branch)
            );
            return Err(no(REFUSED, "not-verified", message));
        }
    }
    let prompt = desk.post(Step::Push { prompt: prompt.id, pushed: to.clone() })?;
    let child = history.fresh_child(&commit).map_err(|error| told(&error))?;
    let child = child.map(|child| child.name().to_owned());
    let prompt = desk.post(Step::Close { prompt: prompt.id, child: child.clone() })?;
    Ok(answer(&to, true, child, notes, &prompt))
}

/// The yes was to another commit, and to what that one stands on.
fn shown_otherwise(now: wire::PushedPrompt) -> Error {
    let message = format!(
        "What would be pushed for prompt {} is no longer what was shown. Look at it again, then say yes to that.",
        now.prompt.id
    );
    let data = RefusalData { push: Some(now), ..RefusalData::of("shown-otherwise") };
    no_with(REFUSED, message, data)
}

fn without_report(is_only_told: bool) -> String {
    let way = if is_only_told {
        "Write it first: `augment-cli prompt report`."
    } else {
        "A prompt that is closed takes none any more; `augment-cli prompt guard` says how one is written by hand."
    };
    format!("It has no report in Research/, which `prompt guard` asks for. {way}")
}

/// How many commits that go along are named.
const NAMED: usize = 20;

/// Whether a commit is known here and has another among its ancestors, or is it.
fn holds(history: &dyn History, commit: &str, head: &str) -> Result<bool> {
    let is_known = |name: &str| history.find(name).map(|found| found.is_some()).map_err(|error| told(&error));
    Ok(commit == head
        || (is_known(commit)? && is_known(head)? && history.is_ancestor(commit, head).map_err(|error| told(&error))?))
}

/// What is pushed to a branch that is there, and whether it has it already: the session's head, or what is checked out where
/// only that stands on what the remote has, as after a merge.
fn to_push(history: &dyn History, head: &Commit, found: &str, remote: &str, branch: &str) -> Result<(String, bool)> {
    if holds(history, found, &head.id)? {
        return Ok((head.id.clone(), true));
    }
    let tip = history.ground().map_err(|error| told(&error))?.tip;
    let ways = [Some(head.id.clone()), tip.map(|tip| tip.id)];
    for way in ways.into_iter().flatten() {
        if holds(history, &way, found)? && holds(history, &way, &head.id)? {
            return Ok((way, false));
        }
    }
    let (remote, branch, found) = (remote.to_owned(), branch.to_owned(), found.to_owned());
    Err(told(&HistoryError::RemoteMoved { remote, branch, found }))
}

/// Which commits go to the remote, so that nothing goes along unseen.
fn going(history: &dyn History, commit: &str, at: &Remote, is_only_told: bool) -> Result<Vec<String>> {
    let verb = if is_only_told { "would go" } else { "went" };
    let mut named = Vec::new();
    for found in history.lineage(Some(commit), NAMED + 1).map_err(|error| told(&error))? {
        let is_known = match at {
            Remote::At(tip) => holds(history, tip, &found.id)?,
            Remote::NoRemote | Remote::NoBranch => false,
        };
        if is_known {
            break;
        }
        let line = found.message.lines().next().unwrap_or_default();
        named.push(format!("{verb}: {} {}", found.id.get(..12).unwrap_or(&found.id), visible(line)));
    }
    if named.len() > NAMED {
        named.truncate(NAMED);
        named.push("and what they stand on".to_owned());
    }
    Ok(named)
}

fn answer(
    to: &Pushed,
    verified: bool,
    child: Option<String>,
    notes: Vec<String>,
    prompt: &Prompt,
) -> wire::PushedPrompt {
    let Pushed { remote, branch, commit } = to.clone();
    wire::PushedPrompt {
        to: wire::PushedTo { remote, branch, commit },
        verified,
        child,
        notes,
        prompt: to_wire::prompt(prompt),
    }
}

/// The newest prompt, where it is pushed and closed: that is said, rather than that there is none.
fn last_pushed(desk: &Desk) -> Result<Option<(Prompt, Pushed)>> {
    let newest = desk.read(|snapshot| snapshot.prompts(1))?.into_iter().next();
    Ok(newest.filter(|newest| newest.state == PromptState::Closed).and_then(|newest| {
        let to = newest.pushed.clone()?;
        Some((newest, to))
    }))
}

pub(super) fn undo(desk: &Desk, wanted: &wire::UndoPrompt) -> Result<wire::UndonePrompt> {
    let history = desk.history()?;
    let history = history.as_ref();
    let found = desk.take_up(history, wanted.dry_run)?;
    let mut notes = found.notes();
    let is_left_open = found.is_left_open();
    // What was interrupted is what was wanted: it is done, and said to be.
    if let Found::TakenBack { written, prompt, .. } = found
        && wanted.commit.as_ref().is_none_or(|named| is_named_so(&written.commit, named))
    {
        let what = named(&written.writing);
        let prompt = to_wire::prompt(&prompt);
        return Ok(wire::UndonePrompt { what, commit: written.commit, done: true, notes, prompt });
    }
    let refused = |prompt: &Prompt, Pushed { remote, branch, .. }: Pushed| {
        refusal(&Refusal::Prompt(PromptRefusal::AlreadyPushed { prompt: prompt.id, remote, branch }))
    };
    if let Some((closed, to)) = last_pushed(desk)? {
        return Err(refused(&closed, to));
    }
    let prompt = desk.prompt_under_way()?;
    if let Some(to) = prompt.pushed.clone() {
        return Err(refused(&prompt, to));
    }
    let Some(last) = prompt.written.last().cloned() else {
        return Err(refusal(&Refusal::Prompt(PromptRefusal::NothingToTakeBack { prompt: prompt.id })));
    };
    let (what, commit) = (named(&last.writing), last.commit.clone());
    notes.extend(taken_back_elsewhere(history, &prompt, &commit)?);
    notes.extend(bookmarks_on(history, &last)?);
    let shown = wire::UndonePrompt { what, commit, done: false, notes, prompt: to_wire::prompt(&prompt) };
    if wanted.commit.as_ref().is_some_and(|named| !is_named_so(&shown.commit, named)) {
        let no = PromptRefusal::UndoShownOtherwise { prompt: prompt.id };
        let data = RefusalData { undo: Some(shown), ..RefusalData::of(no.code()) };
        return Err(no_with(REFUSED, no.to_string(), data));
    }
    if wanted.dry_run {
        if !is_left_open {
            expect_undoable(history, prompt.id, &last).map_err(|error| told(&error))?;
        }
        return Ok(shown);
    }
    let prompt = desk.post(Step::TakeBack { prompt: prompt.id })?;
    let prompt = desk.take_back(history, prompt.id, &last)?;
    Ok(wire::UndonePrompt { done: true, prompt: to_wire::prompt(&prompt), ..shown })
}

/// What a person hears of their bookmarks that stand on what is taken back.
fn bookmarks_on(history: &dyn History, last: &Written) -> Result<Vec<String>> {
    let led = match &last.writing {
        Writing::Commit { .. } => None,
        Writing::Synthesis(plan) if plan.is_multi() => plan.bookmark.as_deref(),
        // A single commit only gets its own message back, and what stands on it stays.
        Writing::Synthesis(_) => return Ok(Vec::new()),
    };
    history.bookmarks_on(&last.commit, led).map_err(|error| told(&error))
}

/// What a person hears of something that was written.
fn named(writing: &Writing) -> String {
    let whose = match writing {
        Writing::Commit { .. } => "the commit",
        Writing::Synthesis(_) => "the session's commit",
    };
    format!("{whose} `{}`", writing.title())
}

/// Whether a commit is the one that was named, by its hash or a beginning of it that cannot be many.
fn is_named_so(commit: &str, named: &str) -> bool {
    named.len() >= 4 && commit.starts_with(named)
}

pub(super) fn give_up(desk: &Desk, named: Option<String>) -> Result<wire::PromptStatus> {
    let prompt = match named {
        Some(wanted) => PromptId::from_text(&wanted)
            .ok_or_else(|| refusal(&Refusal::Prompt(PromptRefusal::UnknownPrompt { wanted })))?,
        None => desk.prompt_under_way()?.id,
    };
    // Nobody asks again what became of something that was begun for a prompt that is given up.
    let is_begun = desk.prompt_under_way().is_ok_and(|open| open.id == prompt && open.is_begun());
    let notes = if is_begun { take_up_last(desk, prompt)? } else { Vec::new() };
    desk.post(Step::Drop { prompt })?;
    listing::status(desk, notes)
}

/// What became of something that was begun, also where there is no repository any more to hold it.
fn take_up_last(desk: &Desk, prompt: PromptId) -> Result<Vec<String>> {
    match desk.find_history() {
        Ok(history) => Ok(desk.take_up_to_drop(history.as_ref())?.notes()),
        Err(error @ HistoryError::NoRepository) => {
            let outcome = Outcome::NotMade { why: error.to_string() };
            desk.post(Step::End { prompt, outcome })?;
            Ok(Vec::new())
        }
        Err(error) => Err(told(&error)),
    }
}
