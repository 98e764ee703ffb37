//! `prompt finish`: one `session:` commit of all the intents. What is shown in a dry run is what is written.

use std::collections::BTreeSet;

use augment_core::prompt::guard::REPORT_INTENT;
use augment_core::prompt::message::{SessionMessage, is_intent, is_session, without_session};
use augment_core::prompt::{CommittedFiles, Intent, Plan, Prompt, PromptRefusal, Role, Step, Writing};
use augment_core::refusal::Refusal;
use augment_core::text::{quoted, visible};
use augment_host::vcs::history::{Commit, History, System};
use augment_protocol::REFUSED;
use augment_protocol::prompts as wire;
use augment_protocol::status::RefusalData;
use tower_lsp_server::jsonrpc::Result;

use super::branches::finished_elsewhere;
use super::committing::no_credential;
use super::desk::{Desk, Found, session_change, synthesis, told};
use super::doubts::{Doubted, doubted};
use super::grouping::groups;
use super::lost_intents::lost;
use super::sorting::{Said, Sorted, first_line, is_named, sort};
use super::starting::short_name;
use super::to_wire;
use crate::service::methods::{no, no_about, no_with, refusal};

const INTENT: &str = "intent:";

pub(super) fn finish(desk: &Desk, wanted: &wire::FinishPrompt) -> Result<wire::FinishedPrompt> {
    desk.refuse_other(wanted.prompt.as_deref())?;
    let history = desk.history()?;
    let history = history.as_ref();
    let found = desk.take_up(history, wanted.dry_run)?;
    let mut notes = found.notes();
    let is_left_open = found.is_left_open();
    // What was interrupted is what was wanted: it is done, and said to be.
    if let Found::Done { writing, prompt } = found
        && let Writing::Synthesis(plan) = *writing
    {
        let intents = told_intents(history, &plan, &prompt)?;
        return Ok(answer(&plan, intents, &prompt, notes));
    }
    let mut prompt = desk.open_prompt()?;
    history.undisturbed().map_err(|error| told(&error))?;
    let range = Range::find(history, &prompt, wanted)?;
    notes.extend(range.notes.iter().cloned());
    notes.extend(finished_elsewhere(history, &prompt)?);
    notes.extend(beside_shared(history, &prompt, &range, &wanted.include)?);
    notes.extend(lost(history, &prompt)?.notes());
    let doubted = doubted(desk, history, &range.commits)?;
    refuse_unseen(&prompt, &doubted, &wanted.include)?;
    notes.extend(doubted.note());
    // Where jj's `@` is the newest intent, all that lies there is in it.
    let is_all_in = history.tip().map_err(|error| told(&error))?.is_none_or(|tip| tip != range.tip);
    let left: usize = match is_all_in {
        true => 0,
        false => {
            let groups = groups(desk, history, &[], Some(&prompt.began), &mut Vec::new())?;
            groups.iter().flat_map(|group| &group.files).collect::<BTreeSet<_>>().len()
        }
    };
    if left > 0 {
        let files = if left == 1 { "1 file holds".to_owned() } else { format!("{left} files hold") };
        notes.push(format!("{files} approved changes that are in no intent and stay uncommitted."));
    }
    let context = wanted.context.clone().unwrap_or_else(|| prompt.context.clone());
    if context.trim().is_empty() {
        let message = "The prompt has no context: how it was understood, the approach, the constraints. Give it with --context, \
                       or with `augment-cli prompt context`, then repeat.";
        return Err(no(REFUSED, "empty-text", message.to_owned()));
    }
    if !wanted.with_credentials {
        no_credential("summary", &wanted.summary)?;
    }
    let plan = plan(desk, history, &prompt, wanted, &context, &range)?;
    let is_agreed = wanted.confirm.as_ref().is_none_or(|confirm| *confirm == plan.confirm_token(prompt.id));
    if wanted.dry_run || !is_agreed {
        let mut shown = answer(&plan, range.intents(), &prompt, notes);
        (shown.finished, shown.before) = (None, None);
        if is_agreed {
            if !is_left_open {
                history.may_synthesise(&synthesis(&plan, prompt.id.0)).map_err(|error| told(&error))?;
            }
            return Ok(shown);
        }
        let no = PromptRefusal::FinishShownOtherwise { prompt: prompt.id };
        let data = RefusalData { finish: Some(shown), ..RefusalData::of(no.code()) };
        return Err(no_with(REFUSED, no.to_string(), data));
    }
    if context != prompt.context {
        prompt = desk.post(Step::Context { prompt: prompt.id, context, with_credentials: wanted.with_credentials })?;
    }
    let order = synthesis(&plan, prompt.id.0);
    let plan = Plan { operation: history.newest_operation().map_err(|error| told(&error))?, ..plan };
    let (made, prompt) = desk
        .write(&prompt, Writing::Synthesis(plan.clone()), CommittedFiles::default(), || history.synthesise(&order))?;
    notes.extend(made.notes);
    Ok(answer(&plan, range.intents(), &prompt, notes))
}

fn answer(plan: &Plan, intents: Vec<wire::Intent>, prompt: &Prompt, notes: Vec<String>) -> wire::FinishedPrompt {
    wire::FinishedPrompt {
        mode: if plan.is_multi() { wire::SynthesisMode::Multi } else { wire::SynthesisMode::Single },
        message: plan.message.clone(),
        intents,
        finished: to_wire::finished(prompt),
        before: prompt.written.last().map(|written| way_back(&prompt.system, &written.before)),
        confirm: plan.confirm_token(prompt.id),
        notes,
        prompt: to_wire::prompt(prompt),
    }
}

/// The system's own command that brings everything back.
fn way_back(system: &str, before: &str) -> String {
    let short = before.get(..16).unwrap_or(before);
    if system == "jj" { format!("jj op restore {short}") } else { format!("git reset --soft {short}") }
}

/// What an interrupted plan was made of, as far as it is still there.
fn told_intents(history: &dyn History, plan: &Plan, prompt: &Prompt) -> Result<Vec<wire::Intent>> {
    let mut intents = Vec::new();
    for name in &plan.names {
        let known = prompt.intents.iter().find(|intent| intent.change.starts_with(name.as_str()));
        if let Some(known) = known {
            intents.push(to_wire::intent(known));
        } else if let Some(commit) = history.find(name).map_err(|error| told(&error))? {
            intents.push(plain_intent(&commit));
        }
    }
    Ok(intents)
}

fn plain_intent(commit: &Commit) -> wire::Intent {
    wire::Intent {
        text: first_line(&commit.message).to_owned(),
        role: wire::IntentRole::Work,
        commit: commit.id.clone(),
        change: commit.name().to_owned(),
    }
}

/// The commits of the session, oldest first.
struct Range {
    base: Option<String>,
    /// Merges of its branches among them.
    commits: Vec<Commit>,
    /// The newest commit below the working tree.
    tip: String,
    notes: Vec<String>,
}

impl Range {
    fn find(history: &dyn History, prompt: &Prompt, wanted: &wire::FinishPrompt) -> Result<Self> {
        let (line, beside) = since(history, prompt)?;
        let mut notes = refuse_parallel(history, beside, &wanted.leave)?;
        if let Some(commit) = line.iter().find(|commit| commit.conflict) {
            let message = format!(
                "{} ({}) holds unresolved conflicts. Resolve them first, then repeat.",
                short_name(commit),
                quoted(first_line(&commit.message))
            );
            return Err(no(REFUSED, "conflicts", message));
        }
        let said = Said { include: &wanted.include, leave: &wanted.leave };
        let Sorted { base, own: commits, tip, notes: of_sorting } = sort(history, prompt, line, said)?;
        notes.extend(of_sorting);
        let known: BTreeSet<&str> = prompt.intents.iter().map(|intent| intent.change.as_str()).collect();
        let by_hand = commits.iter().filter(|commit| is_intent(&commit.message) && !known.contains(commit.name()));
        for commit in by_hand {
            let line = quoted(first_line(&commit.message));
            notes.push(format!("{} ({line}) was not made by `prompt intent`, and is counted in.", short_name(commit)));
        }
        for name in &wanted.include {
            if !commits.iter().any(|commit| is_named(commit, name)) {
                let message =
                    format!("{} is no commit of this prompt. `prompt finish --dry-run` shows them.", quoted(name));
                return Err(no(REFUSED, "unknown-commit", message));
            }
        }
        match tip {
            Some(tip) if !commits.is_empty() => Ok(Self { base, commits, tip, notes }),
            Some(_) | None => Err(nothing(history, prompt)),
        }
    }

    /// Those that are told: merges only bring together what others did.
    fn told(&self) -> impl Iterator<Item = &Commit> {
        self.commits.iter().filter(|commit| commit.parents.len() < 2 || is_intent(&commit.message))
    }

    fn intents(&self) -> Vec<wire::Intent> {
        self.told().map(plain_intent).collect()
    }
}

/// Commits beside the working tree, each with what it is called by.
type Beside = Vec<(Commit, String)>;

/// The commits since a prompt began: those below the working tree, and those beside it.
fn since(history: &dyn History, prompt: &Prompt) -> Result<(Vec<Commit>, Beside)> {
    let began = prompt.base.as_ref().map(|base| base.commit.as_str());
    // jj's own commit of the working tree holds what is not committed, unless somebody calls it an intent. It is asked for
    // first: jj looks at the files for that, and the commit is another one afterwards.
    let working = history.ground().map_err(|error| told(&error))?.working;
    let since = history.since(began).map_err(|error| told(&error))?;
    let is_rest = |commit: &Commit| {
        working.as_ref().is_some_and(|working| working.id == commit.id) && !is_intent(&commit.message)
    };
    let (mut line, mut beside) = (Vec::new(), Vec::new());
    for (commit, branch) in since {
        match branch {
            None if is_rest(&commit) => {}
            None => line.push(commit),
            Some(branch) => beside.push((commit, branch)),
        }
    }
    Ok((line, beside))
}

/// Refuses intents that stand beside the working tree, unless they are left out; gives what is to be heard of those.
fn refuse_parallel(history: &dyn History, beside: Beside, leave: &[String]) -> Result<Vec<String>> {
    let (mut elsewhere, mut left) = (BTreeSet::new(), BTreeSet::new());
    for (commit, branch) in beside.into_iter().filter(|(commit, _)| is_intent(&commit.message)) {
        let is_left = leave.iter().any(|name| *name == branch || is_named(&commit, name));
        if is_left {
            left.insert(branch)
        } else {
            elsewhere.insert(branch)
        };
    }
    if let Some(branch) = elsewhere.first() {
        let merge = match history.system() {
            System::Git => "git merge",
            System::Jj { .. } => "jj new @-",
        };
        let word = augment_core::text::shell_word(branch);
        let message = format!(
            "{} has intents that are not in what is checked out. Bring them in (`{merge} {word}`), or leave them out \
             with --leave {word}, then repeat.",
            visible(branch)
        );
        return Err(no_about(REFUSED, "parallel-branch", message, Some(branch.clone())));
    }
    Ok(left.iter().map(|branch| format!("The intents of {} stay out of it.", visible(branch))).collect())
}

/// What the session's commit would stand on as things are, by its name.
pub(super) fn base_now(history: &dyn History, prompt: &Prompt) -> Result<Option<String>> {
    let (line, _) = since(history, prompt)?;
    match sort(history, prompt, line, Said { include: &[], leave: &[] }) {
        Ok(Sorted { base, tip: Some(_), .. }) => {
            let base = base.map(|base| history.find(&base)).transpose().map_err(|error| told(&error))?.flatten();
            Ok(base.as_ref().map(short_name))
        }
        // Its first intent will stand on what is the newest now.
        Ok(Sorted { tip: None, .. }) => {
            let tip = history.ground().map_err(|error| told(&error))?.tip;
            Ok(tip.as_ref().map(short_name))
        }
        // What is in the way is told by whoever makes the session.
        Err(_) => Ok(prompt.base.as_ref().map(|base| base.name.clone())),
    }
}

/// Why there is nothing to make a session of: intents that there are are never said not to be.
fn nothing(history: &dyn History, prompt: &Prompt) -> tower_lsp_server::jsonrpc::Error {
    let is_own = |intent: &&Intent| intent.role != Role::Before;
    let Some(newest) = prompt.intents.iter().rfind(is_own) else {
        return refusal(&Refusal::Prompt(PromptRefusal::NothingToFinish { prompt: prompt.id }));
    };
    let name = newest.change.get(..12).unwrap_or(&newest.change);
    let to = match history.system() {
        System::Git => format!("git switch --detach {}", newest.commit.get(..12).unwrap_or(&newest.commit)),
        System::Jj { .. } => format!("jj new {name}"),
    };
    let message = format!(
        "None of the intents of prompt {id} is left to make a session of here: {name} ({text}) is its newest. Check it out \
         (`{to}`) or leave it in, then repeat; or give the prompt up with `augment-cli prompt drop {id}`.",
        id = prompt.id,
        text = quoted(&newest.text),
    );
    no(REFUSED, "nothing-to-finish", message)
}

/// A merge has brought in what others have: in the session's commit it would be taken for the session's own.
fn came_by_merge(commit: &Commit, onto: &str) -> tower_lsp_server::jsonrpc::Error {
    let message = format!(
        "{} ({}) came from {} by a merge, and is no part of the session. Put the intents on top of it instead (`git rebase \
         --autostash {}`), then repeat.",
        short_name(commit),
        quoted(first_line(&commit.message)),
        visible(onto),
        augment_core::text::shell_word(onto)
    );
    no(REFUSED, "foreign-commit", message)
}

/// Whether what a remote has already may be made into a session's commit: it stays there as it is, the session's commit
/// stands beside it, and the person has said so by its name. Gives what should be heard of it.
fn beside_shared(history: &dyn History, prompt: &Prompt, range: &Range, include: &[String]) -> Result<Vec<String>> {
    let Some(tip) = range.commits.last() else { return Ok(Vec::new()) };
    let shared = history.shared(range.base.as_deref(), &tip.id).map_err(|error| told(&error))?;
    let has_merges = range.commits.iter().any(|commit| commit.parents.len() > 1);
    let mut notes = Vec::new();
    let mut not_named = Vec::new();
    for (id, remote) in &shared {
        let Some(commit) = range.commits.iter().find(|commit| commit.id == *id) else { continue };
        let is_own = prompt.intents.iter().any(|intent| intent.change == commit.name() || intent.commit == commit.id);
        if has_merges && !is_own && commit.parents.len() < 2 {
            return Err(came_by_merge(commit, remote));
        }
        if include.iter().any(|name| is_named(commit, name)) {
            let name = short_name(commit);
            notes.push(format!(
                "{name} is on {} and stays there; the session's commit stands beside it.",
                visible(remote)
            ));
        } else {
            not_named.push((commit, remote));
        }
    }
    let Some((first, remote)) = not_named.first() else { return Ok(notes) };
    let words: Vec<String> = shared
        .iter()
        .filter_map(|(id, _)| range.commits.iter().find(|commit| commit.id == *id))
        .map(|commit| format!("--include {}", short_name(commit)))
        .collect();
    let message = format!(
        "{} ({}) is on {} already, so it is not rewritten. With {} the session's commit is made beside what is there, which \
         stays as it is; or give the prompt up with `augment-cli prompt drop`.",
        short_name(first),
        quoted(first_line(&first.message)),
        visible(remote),
        words.join(" ")
    );
    Err(no(REFUSED, "already-pushed", message))
}

/// What waits for a decision is made into a session only on a person's word, where a commit holds it that is not as `prompt
/// intent` made it: an agent may have committed what nobody has seen.
fn refuse_unseen(prompt: &Prompt, doubted: &Doubted, include: &[String]) -> Result<()> {
    let is_ours = |commit: &Commit| prompt.intents.iter().any(|intent| intent.commit == commit.id);
    let is_said = |commit: &Commit| include.iter().any(|name| is_named(commit, name));
    let Some((commit, file)) = doubted.by.iter().find(|(commit, _)| !is_ours(commit) && !is_said(commit)) else {
        return Ok(());
    };
    let name = short_name(commit);
    let is_known = prompt.intents.iter().any(|intent| intent.change == commit.name());
    let how = if is_known { "was changed since `prompt intent` made it" } else { "was not made by `prompt intent`" };
    let message = format!(
        "{name} ({}) {how}, and {}, which it changes, holds what waits for a decision. Decide it (`augment-cli changes`) and \
         commit what comes of it, then repeat; or count it in as it is with --include {name}.",
        quoted(first_line(&commit.message)),
        visible(file)
    );
    Err(no_about(REFUSED, "foreign-commit", message, Some(name)))
}

/// What a commit did, in one line.
fn change_line(commit: &Commit) -> String {
    let line = first_line(&commit.message);
    line.strip_prefix(INTENT).unwrap_or(line).trim().to_owned()
}

fn plan(
    desk: &Desk,
    history: &dyn History,
    prompt: &Prompt,
    wanted: &wire::FinishPrompt,
    context: &str,
    range: &Range,
) -> Result<Plan> {
    let ground = history.ground().map_err(|error| told(&error))?;
    let tip = range.tip.clone();
    if let Some(now) = ground.tip.as_ref().filter(|now| now.id != tip)
        && ground.working.as_ref().is_none_or(|working| working.id != tip)
    {
        let message = format!("The newest commit is {}, and it is no part of the session.", short_name(now));
        return Err(no(REFUSED, "foreign-commit", message));
    }
    let is_multi = range.commits.len() > 1;
    let is_git = history.system() == System::Git;
    let summary = without_session(&wanted.summary);
    let single = range.commits.first().filter(|_| !is_multi);
    let change = match single.and_then(|commit| commit.change.clone()).filter(|_| is_git) {
        Some(change) => change,
        None => session_change(&tip, summary),
    };
    let names: Vec<String> = range.commits.iter().map(short_name).collect();
    let message = SessionMessage {
        summary: summary.to_owned(),
        stamp: Some(prompt.stamp.clone()),
        prompt: prompt.text.clone(),
        context: context.trim_matches(['\n', '\r']).trim_end().to_owned(),
        changes: range.told().map(change_line).collect(),
        squashed: if is_multi { names.clone() } else { Vec::new() },
        kept: single.map(|commit| commit.message.trim_end().to_owned()).unwrap_or_default(),
        trailers: if is_git { vec![("Change-Id".to_owned(), change.clone())] } else { Vec::new() },
    };
    let message = message.compose().map_err(|problem| refusal(&Refusal::Prompt(PromptRefusal::Message(problem))))?;
    Ok(Plan {
        summary: summary.to_owned(),
        message,
        base: range.base.clone(),
        tip,
        commits: range.commits.iter().map(|commit| commit.id.clone()).collect(),
        names,
        change,
        bookmark: desk.bookmark(history, wanted.bookmark.as_deref()),
        operation: None,
    })
}

/// How far down the session's commit is looked for.
const LINEAGE: usize = 5_000;

/// The commit that a finished prompt ends with: its own, or the reports that stand right on it. It is looked for in what is
/// checked out, by its change id, so that one that was rebased since is found and one that was thrown away is not.
pub(super) fn head_of(history: &dyn History, prompt: &Prompt) -> Result<Commit> {
    let (commit, change) = prompt.finished.as_ref().map(|finished| (&finished.commit, &finished.change)).unzip();
    let is_it = |found: &Commit| {
        commit.is_some_and(|commit| found.id == *commit)
            || (change.is_some() && found.change.as_ref() == change && is_session(&found.message))
    };
    let mut line = history.lineage(None, LINEAGE).map_err(|error| told(&error))?;
    if let Some(head) = with_reports(&line, is_it) {
        return Ok(head.clone());
    }
    let ground = history.ground().map_err(|error| told(&error))?;
    if let Some(working) = ground.working.filter(is_it) {
        return Ok(working);
    }
    let is_in = |of: &str, found: &Commit| history.is_ancestor(of, &found.id).map_err(|error| told(&error));
    for name in [commit, change].into_iter().flatten() {
        let found = history.find(name).map_err(|error| told(&error))?.filter(is_it);
        let (Some(found), Some(tip)) = (found, &ground.tip) else { continue };
        if !is_in(&tip.id, &found)? {
            continue;
        }
        // It came by a merge, and its reports with it.
        for parent in line.drain(..).flat_map(|commit| commit.parents.into_iter().skip(1)) {
            if is_in(&parent, &found)? {
                let side = history.lineage(Some(&parent), LINEAGE).map_err(|error| told(&error))?;
                return Ok(with_reports(&side, is_it).cloned().unwrap_or(found));
            }
        }
        return Ok(found);
    }
    let message = format!(
        "The session's commit {} of prompt {} is not in what is checked out. Check its branch out, then repeat; or give \
         the prompt up with `augment-cli prompt drop`.",
        quoted(change.or(commit).map_or("", String::as_str)),
        prompt.id
    );
    Err(no(REFUSED, "commit-gone", message))
}

/// The session's commit in a line of commits, the newest first, or the newest of the reports that stand right on it.
fn with_reports(line: &[Commit], is_it: impl FnMut(&Commit) -> bool) -> Option<&Commit> {
    let at = line.iter().position(is_it)?;
    let reports = line[..at].iter().rev().take_while(|found| found.message.starts_with(REPORT_INTENT)).count();
    line.get(at - reports)
}
