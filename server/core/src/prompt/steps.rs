//! The steps of a prompt session. Each is a turn of its own and leaves a record; what is written to history is announced
//! by one turn and told by another, and nothing else is written in between.

use std::collections::{BTreeMap, BTreeSet};

use super::intent;
use super::message;
use super::refusal::PromptRefusal;
use super::state::{
    Began, Finished, INTENTS_LIMIT, Intent, Place, Prompt, PromptId, PromptState, Pushed, Role, SUBJECTS_LIMIT,
    Writing, Written,
};
use crate::actor::Actor;
use crate::attribution::{Claim, SavedHow, Word};
use crate::file::{ContentHash, FilePath};
use crate::ledger::{Data, Event, Topic};
use crate::queue::look;
use crate::refusal::Refusal;
use crate::review::FileNumber;
use crate::scan;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::HeldLines;

/// What a prompt begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub text: String,
    pub context: String,
    pub stamp: String,
    pub model: String,
    pub subjects: Vec<String>,
    pub system: String,
    pub base: Option<Place>,
    pub branch: Option<String>,
    /// The step of each file in which something may have been left; `None` where those are too many.
    pub left: Option<BTreeMap<FileNumber, u32>>,
    /// The person has seen that it holds what looks like a credential.
    pub with_credentials: bool,
}

/// A file of which nothing is left to be committed, if it has not changed since this step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    pub file: FileNumber,
    pub step: u32,
}

/// What is known of files once a commit is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommittedFiles {
    pub settled: Vec<Settled>,
    /// The lines that the commit has of each, as far as they are known.
    pub lines: Vec<(FileNumber, HeldLines)>,
}

/// What came of a writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Made { commit: String, change: String, before: String, files: CommittedFiles },
    NotMade { why: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Start(Box<Draft>),
    /// What lay in the tree is committed now, and the prompt begins here.
    Rebase {
        prompt: PromptId,
        base: Option<Place>,
    },
    Context {
        prompt: PromptId,
        context: String,
        with_credentials: bool,
    },
    Begin {
        prompt: PromptId,
        writing: Box<Writing>,
    },
    /// What is about to be committed was staged just so in these files.
    Staged {
        prompt: PromptId,
        files: Vec<String>,
    },
    End {
        prompt: PromptId,
        outcome: Outcome,
    },
    /// A file is about to be written for the prompt; without one, where subjects are paired while nothing is under way.
    Announce {
        prompt: Option<PromptId>,
        path: FilePath,
        before: Option<ContentHash>,
        text: Vec<u8>,
    },
    Reported {
        prompt: PromptId,
        path: String,
    },
    /// The newest thing that was written is about to be taken back.
    TakeBack {
        prompt: PromptId,
    },
    /// It was.
    TookBack {
        prompt: PromptId,
    },
    Push {
        prompt: PromptId,
        pushed: Pushed,
    },
    Close {
        prompt: PromptId,
        child: Option<String>,
    },
    Drop {
        prompt: PromptId,
    },
}

impl Step {
    /// The command's name in the ledger and in messages.
    #[must_use]
    pub fn command_name(&self) -> &'static str {
        match self {
            Self::Start(_) | Self::Rebase { .. } => "prompt start",
            Self::Context { .. } => "prompt context",
            Self::Begin { .. } | Self::Staged { .. } | Self::End { .. } => "prompt write",
            Self::Announce { .. } | Self::Reported { .. } => "prompt report",
            Self::TakeBack { .. } | Self::TookBack { .. } => "prompt undo",
            Self::Push { .. } => "prompt push",
            Self::Close { .. } => "prompt close",
            Self::Drop { .. } => "prompt drop",
        }
    }
}

/// Who writes what a prompt leaves, in the story of a file.
const WRITER: &str = "prompt record";
/// The record of a file that is written.
const DOCUMENT: &str = "prompt.document";

fn no(refusal: PromptRefusal) -> Refusal {
    Refusal::Prompt(refusal)
}

/// What an agent made of a prompt, as it is kept. It may come later.
fn checked_context(context: &str, with_credentials: bool) -> Result<String, Refusal> {
    let context = context.trim_matches(['\n', '\r']).trim_end().to_owned();
    if context.is_empty() {
        return Ok(context);
    }
    message::check_context(&context).map_err(|problem| no(PromptRefusal::Message(problem)))?;
    if !with_credentials && scan::without_credentials(&context) != context {
        return Err(no(PromptRefusal::Credential { what: "context" }));
    }
    Ok(context)
}

pub(crate) fn step<V: View>(view: &V, actor: &Actor, step: &Step, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let prompt_of = |id: PromptId| {
        let found = look(view.prompt_of(id))?;
        found.ok_or_else(|| Stop::from(no(PromptRefusal::UnknownPrompt { wanted: id.to_string() })))
    };
    match step {
        Step::Start(draft) => start(view, actor, draft, now),
        Step::Rebase { prompt, base } => {
            let mut prompt = prompt_of(*prompt)?;
            prompt.base.clone_from(base);
            let data = Data::map([("base", base.as_ref().map(|base| base.name.clone()).into())]);
            Ok(told(actor, prompt, "prompt.ground", data, Vec::new()))
        }
        Step::Context { prompt, context, with_credentials } => {
            let mut prompt = in_state(prompt_of(*prompt)?, PromptState::Open)?;
            prompt.context = checked_context(context, *with_credentials)?;
            let data = Data::map([("hash", ContentHash::of(prompt.context.as_bytes()).to_string().into())]);
            Ok(told(actor, prompt, "prompt.context", data, Vec::new()))
        }
        Step::Begin { prompt, writing } => Ok(begin(actor, prompt_of(*prompt)?, writing)?),
        Step::Staged { prompt, files } => Ok(note_staged(actor, prompt_of(*prompt)?, files)?),
        Step::End { prompt, outcome } => end(view, actor, prompt_of(*prompt)?, outcome, now),
        Step::Announce { prompt, path, before, text } => {
            let prompt = prompt.map(prompt_of).transpose()?;
            Ok(announce(actor, prompt, path, *before, text, now))
        }
        Step::Reported { prompt, path } => {
            let mut prompt = prompt_of(*prompt)?;
            prompt.report = Some(path.clone());
            Ok(told(actor, prompt, "prompt.report", Data::map([("path", path.as_str().into())]), Vec::new()))
        }
        Step::TakeBack { prompt } => {
            let mut prompt = prompt_of(*prompt)?;
            let data = Data::map([("what", last_written(&prompt)?.writing.title().into())]);
            prompt.taking_back = true;
            Ok(told(actor, prompt, "prompt.taking-back", data, Vec::new()))
        }
        Step::TookBack { prompt } => took_back(view, actor, prompt_of(*prompt)?),
        Step::Push { prompt, pushed } => {
            let mut prompt = in_state(prompt_of(*prompt)?, PromptState::Finished)?;
            let data = Data::map([
                ("remote", pushed.remote.as_str().into()),
                ("branch", pushed.branch.as_str().into()),
                ("commit", pushed.commit.as_str().into()),
            ]);
            prompt.pushed = Some(pushed.clone());
            Ok(told(actor, prompt, "prompt.pushed", data, Vec::new()))
        }
        Step::Close { prompt, child } => {
            let mut prompt = in_state(prompt_of(*prompt)?, PromptState::Finished)?;
            if prompt.pushed.is_none() {
                return Err(no(PromptRefusal::NotPushed { prompt: prompt.id }).into());
            }
            prompt.state = PromptState::Closed;
            Ok(told(actor, prompt, "prompt.closed", Data::map([("child", child.clone().into())]), Vec::new()))
        }
        Step::Drop { prompt } => {
            let mut prompt = prompt_of(*prompt)?;
            if !prompt.state.is_under_way() {
                let wanted = PromptState::Open;
                return Err(no(PromptRefusal::WrongState { prompt: prompt.id, state: prompt.state, wanted }).into());
            }
            // What became of it is found out first: nobody asks again afterwards.
            if prompt.is_begun() {
                return Err(no(PromptRefusal::Writing { prompt: prompt.id }).into());
            }
            prompt.state = PromptState::Dropped;
            Ok(told(actor, prompt, "prompt.dropped", Data::map([]), Vec::new()))
        }
    }
}

fn in_state(prompt: Prompt, wanted: PromptState) -> Result<Prompt, Refusal> {
    if prompt.state == wanted {
        return Ok(prompt);
    }
    Err(no(PromptRefusal::WrongState { prompt: prompt.id, state: prompt.state, wanted }))
}

fn start<V: View>(view: &V, actor: &Actor, draft: &Draft, now: &Now) -> Result<Turn, Stop<V::Error>> {
    if let Some(open) = look(view.prompt())? {
        return Err(no(PromptRefusal::under_way(&open)).into());
    }
    message::check_prompt(&draft.text).map_err(|problem| no(PromptRefusal::Message(problem)))?;
    if !draft.with_credentials && scan::without_credentials(&draft.text) != draft.text {
        return Err(no(PromptRefusal::Credential { what: "prompt" }).into());
    }
    let id = look(view.next_prompt())?;
    let mut last = match id.0.checked_sub(1) {
        Some(last) => look(view.prompt_of(PromptId(last)))?,
        None => None,
    };
    // The newest commit has them still, unless somebody else has made one: its text tells. They go along, so that they are
    // kept once.
    let mut lines = last.as_mut().map(|last| std::mem::take(&mut last.lines)).unwrap_or_default();
    while lines.len() > CARRIED {
        lines.pop_first();
    }
    let prompt = Prompt {
        id,
        state: PromptState::Open,
        text: draft.text.clone(),
        context: checked_context(&draft.context, draft.with_credentials)?,
        stamp: draft.stamp.clone(),
        model: draft.model.clone(),
        subjects: draft.subjects.iter().take(SUBJECTS_LIMIT).cloned().collect(),
        system: draft.system.clone(),
        base: draft.base.clone(),
        branch: draft.branch.clone(),
        began: Began { time: now.wall, left: draft.left.clone() },
        intents: Vec::new(),
        finished: None,
        report: None,
        pushed: None,
        writing: None,
        written: Vec::new(),
        taking_back: false,
        lines,
    };
    let data = Data::map([
        ("stamp", prompt.stamp.as_str().into()),
        ("model", prompt.model.as_str().into()),
        ("hash", ContentHash::of(prompt.text.as_bytes()).to_string().into()),
        ("bytes", u64::try_from(prompt.text.len()).unwrap_or(u64::MAX).into()),
        ("base", prompt.base.as_ref().map(|base| base.name.clone()).into()),
        ("system", prompt.system.as_str().into()),
    ]);
    let mut turn = told(actor, prompt, "prompt.started", data, Vec::new());
    turn.effects.extend(last.map(|last| Effect::PutPrompt(Box::new(last))));
    Ok(turn)
}

/// Of so many files the next prompt knows which lines the newest commit has; of others its text tells.
const CARRIED: usize = 5_000;

fn begin(actor: &Actor, mut prompt: Prompt, writing: &Writing) -> Result<Turn, Refusal> {
    if prompt.is_begun() {
        return Err(no(PromptRefusal::Writing { prompt: prompt.id }));
    }
    let data = match writing {
        Writing::Commit { role, text, tip, files, .. } => {
            // The report may also follow the session's commit.
            if !(*role == Role::Report && prompt.state == PromptState::Finished) {
                prompt = in_state(prompt, PromptState::Open)?;
            }
            if prompt.intents.len() >= INTENTS_LIMIT {
                return Err(no(PromptRefusal::TooManyIntents { prompt: prompt.id, limit: INTENTS_LIMIT }));
            }
            intent::check(text, &prompt.text).map_err(|problem| no(PromptRefusal::Intent(problem)))?;
            Data::map([
                ("intent", text.as_str().into()),
                ("role", role.name().into()),
                ("on", tip.clone().into()),
                ("files", u64::try_from(files.len()).unwrap_or(u64::MAX).into()),
            ])
        }
        Writing::Synthesis(plan) => {
            prompt = in_state(prompt, PromptState::Open)?;
            if plan.commits.is_empty() {
                return Err(no(PromptRefusal::NothingToFinish { prompt: prompt.id }));
            }
            Data::map([
                ("summary", plan.summary.as_str().into()),
                ("tip", plan.tip.as_str().into()),
                ("intents", u64::try_from(plan.commits.len()).unwrap_or(u64::MAX).into()),
            ])
        }
    };
    prompt.writing = Some(writing.clone());
    Ok(told(actor, prompt, "prompt.writing", data, Vec::new()))
}

fn note_staged(actor: &Actor, mut prompt: Prompt, files: &[String]) -> Result<Turn, Refusal> {
    let Some(Writing::Commit { staged, .. }) = &mut prompt.writing else {
        return Err(no(PromptRefusal::NotWriting { prompt: prompt.id }));
    };
    *staged = files.to_vec();
    let data = Data::map([("files", u64::try_from(files.len()).unwrap_or(u64::MAX).into())]);
    Ok(told(actor, prompt, "prompt.staged", data, Vec::new()))
}

fn end<V: View>(
    view: &V,
    actor: &Actor,
    mut prompt: Prompt,
    outcome: &Outcome,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    if !prompt.is_begun() {
        return Err(no(PromptRefusal::NotWriting { prompt: prompt.id }).into());
    }
    let writing = prompt.writing.take();
    let (commit, change, before, committed) = match outcome {
        Outcome::Made { commit, change, before, files } => (commit, change, before, files),
        Outcome::NotMade { why } => {
            prompt.taking_back = false;
            let data = Data::map([("message", why.as_str().into())]);
            return Ok(told(actor, prompt, "prompt.not-written", data, Vec::new()));
        }
    };
    let writing = writing.ok_or_else(|| no(PromptRefusal::NotWriting { prompt: prompt.id }))?;
    let (kind, data, about) = match &writing {
        Writing::Commit { role, text, files, .. } => {
            let intent = Intent { text: text.clone(), role: *role, commit: commit.clone(), change: change.clone() };
            prompt.intents.push(intent);
            let named = files.iter().filter_map(|path| FilePath::from_text(path).ok()).take(NAMED);
            let data = Data::map([
                ("intent", text.as_str().into()),
                ("role", role.name().into()),
                ("commit", commit.as_str().into()),
                ("change", change.as_str().into()),
            ]);
            ("prompt.intent", data, named.map(Topic::File).collect())
        }
        Writing::Synthesis(plan) => {
            prompt.state = PromptState::Finished;
            prompt.finished = Some(Finished {
                summary: plan.summary.clone(),
                commit: commit.clone(),
                change: change.clone(),
                squashed: if plan.is_multi() { plan.names.clone() } else { Vec::new() },
                at: now.wall,
            });
            let mode = if plan.is_multi() { "multi" } else { "single" };
            let data = Data::map([
                ("summary", plan.summary.as_str().into()),
                ("mode", mode.into()),
                ("commit", commit.as_str().into()),
                ("change", change.as_str().into()),
            ]);
            ("prompt.finished", data, Vec::new())
        }
    };
    let files = files_of(view, &writing)?;
    let lines_before = prompt.lines.iter().filter(|(file, _)| files.contains(file));
    let lines_before = lines_before.map(|(file, lines)| (*file, lines.clone())).collect();
    prompt.lines.retain(|file, _| !files.contains(file));
    prompt.lines.extend(committed.lines.iter().cloned());
    prompt.written.push(Written { writing, commit: commit.clone(), before: before.clone(), lines_before });
    let mut turn = told(actor, prompt, kind, data, about);
    let mut done = Vec::new();
    for Settled { file, step } in &committed.settled {
        // Somebody may have written to it while a hook ran.
        if look(view.file(*file))?.is_some_and(|file| file.weave.step() == *step) {
            done.push(*file);
        }
    }
    if !done.is_empty() {
        turn.effects.push(Effect::SettleFiles(done));
    }
    Ok(turn)
}

/// The files that a writing commits.
fn files_of<V: View>(view: &V, writing: &Writing) -> Result<BTreeSet<FileNumber>, Stop<V::Error>> {
    let files = match writing {
        Writing::Commit { files, .. } => files.as_slice(),
        Writing::Synthesis(_) => &[],
    };
    let mut numbers = BTreeSet::new();
    for path in files.iter().filter_map(|path| FilePath::from_text(path).ok()) {
        numbers.extend(look(view.file_at(&path))?.map(|file| file.number));
    }
    Ok(numbers)
}

/// How many files a record is found by.
const NAMED: usize = 50;

/// What could be taken back now.
fn last_written(prompt: &Prompt) -> Result<&Written, Refusal> {
    if prompt.is_begun() {
        return Err(no(PromptRefusal::Writing { prompt: prompt.id }));
    }
    if let Some(Pushed { remote, branch, .. }) = prompt.pushed.clone() {
        return Err(no(PromptRefusal::AlreadyPushed { prompt: prompt.id, remote, branch }));
    }
    prompt.written.last().ok_or_else(|| no(PromptRefusal::NothingToTakeBack { prompt: prompt.id }))
}

fn took_back<V: View>(view: &V, actor: &Actor, mut prompt: Prompt) -> Result<Turn, Stop<V::Error>> {
    if !std::mem::take(&mut prompt.taking_back) {
        return Err(no(PromptRefusal::NotWriting { prompt: prompt.id }).into());
    }
    let Some(last) = prompt.written.pop() else {
        return Err(no(PromptRefusal::NothingToTakeBack { prompt: prompt.id }).into());
    };
    // What it held is uncommitted again.
    let loose = files_of(view, &last.writing)?;
    prompt.lines.retain(|file, _| !loose.contains(file));
    prompt.lines.extend(last.lines_before);
    match &last.writing {
        Writing::Commit { role, tip, .. } => {
            prompt.intents.retain(|intent| intent.commit != last.commit);
            match role {
                Role::Work => {}
                Role::Report => prompt.report = None,
                // The prompt begins where that commit stood.
                Role::Before => prompt.base = tip.clone().map(|commit| Place { name: short(&commit), commit }),
            }
        }
        Writing::Synthesis(_) => {
            prompt.state = PromptState::Open;
            prompt.finished = None;
        }
    }
    let data = Data::map([
        ("what", last.writing.title().into()),
        ("commit", last.commit.as_str().into()),
        ("before", last.before.as_str().into()),
    ]);
    let mut turn = told(actor, prompt, "prompt.taken-back", data, Vec::new());
    if !loose.is_empty() {
        turn.effects.push(Effect::LoosenFiles(loose.into_iter().collect()));
    }
    Ok(turn)
}

fn short(commit: &str) -> String {
    commit.get(..12).unwrap_or(commit).to_owned()
}

/// What will be there is known beforehand: whose it is when it is seen, and that it was ours, also after a crash.
fn announce(
    actor: &Actor,
    prompt: Option<Prompt>,
    path: &FilePath,
    before: Option<ContentHash>,
    text: &[u8],
    now: &Now,
) -> Turn {
    let data = Data::map([
        ("path", path.to_text().into()),
        ("hash", ContentHash::of(text).to_string().into()),
        ("before", before.map(|before| before.to_string()).into()),
    ]);
    let word = Word::Saved { person: WRITER.to_owned(), text: text.to_vec(), how: SavedHow::ByHand };
    let claim = Claim { number: 0, path: path.clone(), time: now.wall, word };
    let file = Topic::File(path.clone());
    let mut turn = match prompt {
        Some(prompt) => told(actor, prompt, DOCUMENT, data, vec![file]),
        None => {
            let event = Event { actor: actor.clone(), kind: DOCUMENT, subject: file, about: Vec::new(), data };
            Turn::done(Answer::Noted, vec![Effect::Record(event)])
        }
    };
    turn.effects.push(Effect::PutClaim(Box::new(claim)));
    turn
}

fn told(actor: &Actor, prompt: Prompt, kind: &'static str, data: Data, about: Vec<Topic>) -> Turn {
    let event = Event { actor: actor.clone(), kind, subject: Topic::Prompt(prompt.id), about, data };
    let effects = vec![Effect::Record(event), Effect::PutPrompt(Box::new(prompt.clone()))];
    Turn::done(Answer::Prompt(Box::new(prompt)), effects)
}
