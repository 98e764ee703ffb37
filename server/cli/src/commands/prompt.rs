//! `prompt …`: what was asked, the commits that came of it, and the one commit that tells the whole. Texts are sent as they
//! were given, to the byte. While a person thinks about a question no connection is held.

mod guard;
mod show;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;

use augment_core::prompt::PROMPT_LIMIT;
use augment_core::prompt::message::CONTEXT_LIMIT;
use augment_core::text::visible;
use augment_protocol::methods::{
    PromptContext, PromptDropped, PromptFinished, PromptIntent, PromptPushed, PromptReported, PromptShown,
    PromptStarted, PromptUndone, PromptUnified, PromptsListed,
};
use augment_protocol::prompts::{
    ArtifactKind, ChangeScope, CommitIntent, Existing, FinishPrompt, ListPrompts, OnePrompt, PASSED_ON, PushPrompt,
    ReportPrompt, SetContext, StartPrompt, StartedPrompt, UndoPrompt, UnifySubjects,
};
use augment_protocol::status::Nothing;

use text::Source;

use super::{Ended, Ending, Failure, Session, ask, now_ms};
use crate::args::{
    AnswerKind, ContextArgs, FinishArgs, IntentArgs, ListPromptsArgs, PromptCommand, PromptContextArgs, PushArgs,
    ReportPromptArgs, StartPromptArgs, TextArgs, TypedScope,
};
use crate::client::CallError;
use crate::connect::Wish;
use crate::output::Format;
use crate::output::prompt::{self as shown, Trial};
use crate::surroundings::{BadSurroundings, passed_on};

/// No character takes more bytes. What is too long by its characters is told by the core.
const CONTEXT_BYTES: usize = 4 * CONTEXT_LIMIT;
/// The longest answer that is read. It fits into one message of the protocol however it has to be written there.
const ANSWER_BYTES: usize = 2 * 1_024 * 1_024;

pub(super) async fn run(session: &mut Session, command: PromptCommand) -> Ended {
    match command {
        PromptCommand::Start(args) => start(session, args).await,
        PromptCommand::Status => {
            let status = session.connect(Wish::OneShot).await?.call::<PromptShown>(Nothing {}).await?;
            session.show(&status, |status| shown::status(status, now_ms()))?;
            Ok(Ending::Done)
        }
        PromptCommand::Context(args) => context(session, args).await,
        PromptCommand::Intent(args) => intent(session, args).await,
        PromptCommand::Finish(args) => finish(session, args).await,
        PromptCommand::Report(args) => report(session, args).await,
        PromptCommand::Unify { write } => unify(session, write).await,
        PromptCommand::Push(args) => push(session, args).await,
        PromptCommand::Undo { dry_run, commit } => {
            let params = UndoPrompt { dry_run, commit, environment: environment()? };
            let undone = session.connect(Wish::OneShot).await?.call::<PromptUndone>(params).await?;
            session.show(&undone, shown::undone)?;
            Ok(Ending::Done)
        }
        PromptCommand::Drop { prompt } => {
            let params = OnePrompt { prompt, environment: environment()? };
            let status = session.connect(Wish::OneShot).await?.call::<PromptDropped>(params).await?;
            session.show(&status, |status| shown::dropped(status, now_ms()))?;
            Ok(Ending::Done)
        }
        PromptCommand::List(args) => list(session, args).await,
        PromptCommand::Show(args) => show::run(session, args).await,
        PromptCommand::Guard(args) => guard::run(session, args).await,
    }
}

/// What of this process's environment the host needs to write as the person would. Nothing else of it is sent.
fn environment() -> Result<BTreeMap<String, String>, Failure> {
    let told = |problem: BadSurroundings| Failure::told(problem.code(), problem.to_string());
    let mut variables = BTreeMap::new();
    for &name in PASSED_ON {
        let Some(value) = std::env::var_os(name) else { continue };
        let value = value.into_string().map_err(|_| told(BadSurroundings::NotText { name }))?;
        variables.insert(name.to_owned(), value);
    }
    passed_on(&variables).map_err(told)
}

/// The text that a command is about, which must come from somewhere.
fn main_text(args: TextArgs, what: &'static str) -> Result<Source, Failure> {
    text::source(args.text, args.file).or_else(text::piped).ok_or_else(|| missing(what))
}

fn missing(what: &str) -> Failure {
    let message = format!("The {what} is missing. Give it as an argument, with --file FILE, or on stdin with -.");
    Failure::told("no-text", message)
}

fn context_source(args: PromptContextArgs) -> Option<Source> {
    match (args.context, args.context_file) {
        (Some(context), _) => Some(Source::Given(context)),
        (None, file) => file.map(text::of_file),
    }
}

async fn start(session: &mut Session, args: StartPromptArgs) -> Ended {
    let source = main_text(args.text, "prompt")?;
    let context = context_source(args.context);
    text::once(&[Some(&source), context.as_ref()])?;
    let context = context.map(|context| context.read("context", CONTEXT_BYTES)).transpose()?;
    let existing = match (args.commit_first, args.leave) {
        (true, _) => Some(Existing::Commit),
        (false, true) => Some(Existing::Leave),
        (false, false) => None,
    };
    let params = StartPrompt {
        text: source.read("prompt", PROMPT_LIMIT)?,
        context: context.unwrap_or_default(),
        subjects: args.subject,
        existing,
        existing_intents: args.before,
        confirm: args.confirm,
        with_credentials: args.with_credentials,
        dry_run: args.dry_run,
        environment: environment()?,
    };
    let started = session.connect(Wish::OneShot).await?.call::<PromptStarted>(params.clone()).await?;
    session.show(&started, shown::started)?;
    if params.dry_run && !started.existing.is_empty() && session.output.format() == Format::Human {
        let confirm = visible(&started.confirm);
        session.output.tell(&format!("\n--commit-first --confirm {confirm} commits exactly this first."));
    }
    if started.prompt.is_some() || params.dry_run {
        return Ok(Ending::Done);
    }
    if existing.is_some() || !session.output.can_ask() {
        return Err(Failure::told("tree-not-clean", shown::not_begun(&started)));
    }
    ask_until_begun(session, params, started).await
}

/// Asks what becomes of what lies in the tree, and again where something else lies there by the time of the answer.
async fn ask_until_begun(session: &mut Session, mut params: StartPrompt, mut shown_last: StartedPrompt) -> Ended {
    loop {
        (params.existing, params.confirm) = (None, None);
        if !shown_last.existing.is_empty() {
            let Some(existing) = asked(session, &shown_last).await? else {
                let words = match shown_last.committed.is_empty() {
                    true => "Nothing was begun.",
                    false => "It is not all committed. The same command goes on.",
                };
                session.output.tell(words);
                return Ok(Ending::No);
            };
            (params.existing, params.confirm) = (Some(existing), Some(shown_last.confirm));
        } else if !shown_last.committed.is_empty() {
            // What was left of it is gone meanwhile, so the prompt begins on what was committed.
            (params.existing, params.confirm) = (Some(Existing::Commit), Some(shown_last.confirm));
        }
        let answer = session.connect(Wish::OneShot).await?.call::<PromptStarted>(params.clone()).await;
        shown_last = match answer {
            Ok(started) => {
                session.show(&started, shown::started)?;
                if started.prompt.is_some() {
                    return Ok(Ending::Done);
                }
                started
            }
            Err(error) => {
                let (message, now) = fresh_start(error)?;
                session.output.tell(&format!("\n{message}\n"));
                session.show(&now, shown::lying)?;
                now
            }
        };
    }
}

/// What lies in the tree now, where that is why it was refused.
fn fresh_start(error: CallError) -> Result<(String, StartedPrompt), Failure> {
    match error {
        CallError::Refused { code, message, data } => {
            let start = data.as_ref().and_then(|data| data.get("start")).cloned();
            let now = start.and_then(|start| serde_json::from_value::<Option<StartedPrompt>>(start).ok()).flatten();
            now.map(|now| (message.clone(), now)).ok_or(Failure::Told { code, message, data })
        }
        other @ (CallError::Failed { .. } | CallError::Disconnected | CallError::Protocol(_)) => Err(other.into()),
    }
}

/// What becomes of what lies in the tree; nothing where the person would rather stop.
async fn asked(session: &Session, started: &StartedPrompt) -> Result<Option<Existing>, Failure> {
    let them = if started.existing.len() == 1 { "it" } else { "them" };
    let question = format!("Commit {them} first, leave {them} there, or stop? [commit/leave/STOP]");
    Ok(ask::line(session, &question).await?.and_then(|answer| word(&answer)))
}

fn word(answer: &str) -> Option<Existing> {
    let is = |word: &str| answer.eq_ignore_ascii_case(word) || answer.eq_ignore_ascii_case(&word[..1]);
    if is("commit") {
        Some(Existing::Commit)
    } else if is("leave") {
        Some(Existing::Leave)
    } else {
        None
    }
}

async fn context(session: &mut Session, args: ContextArgs) -> Ended {
    let is_named = args.text.text.is_some() || args.text.file.is_some();
    let context = main_text(args.text, "context")?.read("context", CONTEXT_BYTES)?;
    if !is_named && context.trim().is_empty() {
        // A program that has written nothing has said nothing; whoever wants none says so.
        return Err(missing("context"));
    }
    let params = SetContext { context, prompt: args.prompt, with_credentials: args.with_credentials };
    let status = session.connect(Wish::OneShot).await?.call::<PromptContext>(params).await?;
    session.show(&status, |status| shown::understood(status, now_ms()))?;
    Ok(Ending::Done)
}

async fn intent(session: &mut Session, args: IntentArgs) -> Ended {
    let typed: Vec<PathBuf> = args.files.into_iter().chain(args.path).collect();
    let files = typed.iter().map(|file| session.typed_path(file)).collect::<Result<Vec<_>, _>>()?;
    let params = CommitIntent {
        text: args.text,
        task: args.task,
        decision: args.decision,
        own: args.own,
        files,
        dry_run: args.dry_run,
        confirm: args.confirm,
        with_credentials: args.with_credentials,
        environment: environment()?,
    };
    let committed = session.connect(Wish::OneShot).await?.call::<PromptIntent>(params).await?;
    let width = session.output.width();
    session.show(&committed, |committed| shown::intent(committed, width))?;
    if committed.intent.is_none() && session.output.format() == Format::Human {
        session.output.tell(&format!("\n--confirm {} commits exactly this.", visible(&committed.confirm)));
    }
    Ok(Ending::Done)
}

async fn finish(session: &mut Session, args: FinishArgs) -> Ended {
    let context = context_source(args.context).map(|context| context.read("context", CONTEXT_BYTES)).transpose()?;
    let params = FinishPrompt {
        summary: args.summary,
        prompt: args.prompt,
        context,
        include: args.include,
        leave: args.leave,
        bookmark: args.bookmark,
        with_credentials: args.with_credentials,
        dry_run: args.dry_run,
        confirm: args.confirm,
        environment: environment()?,
    };
    let finished = session.connect(Wish::OneShot).await?.call::<PromptFinished>(params).await?;
    session.show(&finished, shown::finished)?;
    if finished.finished.is_none() && session.output.format() == Format::Human {
        let (made_of, confirm) = (shown::made_of(&finished), visible(&finished.confirm));
        session.output.tell(&format!("\n{made_of}\n\nNothing was written. --confirm {confirm} makes exactly this."));
    }
    Ok(Ending::Done)
}

async fn report(session: &mut Session, args: ReportPromptArgs) -> Ended {
    let source = match (args.answer, args.answer_file, args.stdin) {
        (Some(answer), _, _) => Source::Given(answer),
        (None, Some(file), _) => text::of_file(file),
        (None, None, _) => Source::Stdin,
    };
    let params = ReportPrompt {
        answer: source.read("answer", ANSWER_BYTES)?,
        prompt: args.prompt,
        kind: match args.kind {
            AnswerKind::Answer => ArtifactKind::Answer,
            AnswerKind::Draft => ArtifactKind::Draft,
            AnswerKind::Question => ArtifactKind::Question,
        },
        scope: args.change_scope.map(|scope| match scope {
            TypedScope::ModifiedFiles => ChangeScope::ModifiedFiles,
            TypedScope::NoFiles => ChangeScope::NoFiles,
        }),
        title: args.title,
        subject: args.subject,
        leave: args.no_commit,
        with_credentials: args.with_credentials,
        dry_run: args.dry_run,
        environment: environment()?,
    };
    let trial = trial(args.dry_run);
    let reported = session.connect(Wish::OneShot).await?.call::<PromptReported>(params).await?;
    session.show(&reported, |reported| shown::reported(reported, trial))?;
    if args.dry_run && session.output.format() == Format::Human {
        session.output.tell(&shown::reported_files(&reported));
    }
    Ok(Ending::Done)
}

fn trial(dry_run: bool) -> Trial {
    if dry_run { Trial::DryRun } else { Trial::Done }
}

/// What was in the way of a counterpart makes it a no.
async fn unify(session: &mut Session, write: bool) -> Ended {
    let unified = session.connect(Wish::OneShot).await?.call::<PromptUnified>(UnifySubjects { write }).await?;
    let width = session.output.width();
    session.show(&unified, |unified| shown::unified(unified, width))?;
    let is_whole = unified.counterparts.iter().all(|counterpart| counterpart.problem.is_none());
    Ok(if is_whole { Ending::Done } else { Ending::No })
}

async fn push(session: &mut Session, args: PushArgs) -> Ended {
    let params = PushPrompt {
        remote: args.remote,
        branch: args.to,
        dry_run: args.dry_run,
        commit: args.commit,
        environment: environment()?,
    };
    let pushed = session.connect(Wish::OneShot).await?.call::<PromptPushed>(params).await?;
    session.show(&pushed, |pushed| shown::pushed(pushed, trial(args.dry_run)))?;
    Ok(if pushed.verified || args.dry_run { Ending::Done } else { Ending::No })
}

async fn list(session: &mut Session, args: ListPromptsArgs) -> Ended {
    let params = ListPrompts { limit: args.limit, branch: args.branch };
    let list = session.connect(Wish::OneShot).await?.call::<PromptsListed>(params).await?;
    let width = session.output.width();
    session.show(&list, |list| shown::list(list, now_ms(), width))?;
    Ok(Ending::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_word_says_what_becomes_of_the_tree() {
        for (answer, expected) in [
            ("commit", Some(Existing::Commit)),
            ("C", Some(Existing::Commit)),
            ("leave", Some(Existing::Leave)),
            ("l", Some(Existing::Leave)),
            ("", None),
            ("s", None),
            ("yes", None),
            ("committed", None),
        ] {
            assert_eq!(word(answer), expected, "{answer}");
        }
    }
}
