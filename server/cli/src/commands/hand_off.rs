//! `handoff …`: who agents suggest to go on, what was left for them, and starting them with it. What is started is what the
//! person has seen: the text that was shown and confirmed is the text that the agent gets.

mod editor;

use std::io::{self, Read};
use std::path::Path;

use augment_core::run::{DOCUMENT_LIMIT, HandOffId};
use augment_core::text::visible;
use augment_protocol::agents::{DecideHandOff, HandOff, HandOffState, ReadHandOff, StartAgent};
use augment_protocol::methods::{AgentStart, HandOffDecide, HandOffsList, RunHandOff, SessionShown};
use augment_protocol::sessions::{Session as WireSession, SessionState};
use augment_protocol::status::Nothing;

use editor::Edited;

use super::{Ended, Ending, Failure, Session, ask};
use crate::args::{HandOffCommand, StartHandOffArgs};
use crate::client::Client;
use crate::connect::Wish;
use crate::output::{Format, runs};

/// No character takes more bytes.
const DOCUMENT_BYTES: usize = 4 * DOCUMENT_LIMIT;

pub(super) async fn run(session: &mut Session, command: HandOffCommand) -> Ended {
    match command {
        HandOffCommand::List => list(session).await,
        HandOffCommand::Show(args) => show(session, args.hand_off).await,
        HandOffCommand::Start(args) => start(session, args).await,
        HandOffCommand::Dismiss(args) => {
            let mut client = session.connect(Wish::OneShot).await?;
            let dismiss = DecideHandOff {
                hand_off: args.hand_off,
                accept: false,
                document: None,
                start: None,
                add_to_scope: None,
            };
            let decided = client.call::<HandOffDecide>(dismiss).await?;
            session.show(&decided, runs::hand_off_line)?;
            Ok(Ending::Done)
        }
    }
}

pub(super) async fn list(session: &mut Session) -> Ended {
    let list = session.connect(Wish::OneShot).await?.call::<HandOffsList>(Nothing {}).await?;
    session.show(&list, |list| runs::hand_offs(&list.hand_offs))?;
    Ok(Ending::Done)
}

pub(super) async fn show(session: &mut Session, hand_off: String) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let document = client.call::<RunHandOff>(ReadHandOff { hand_off: Some(hand_off) }).await?;
    session.show(&document, |document| runs::lines(&document.text))?;
    Ok(Ending::Done)
}

async fn start(session: &mut Session, args: StartHandOffArgs) -> Ended {
    let proposal = proposal(session, &args.hand_off).await?;
    if !args.edit {
        let document = document(session, &args).await?;
        return start_with(session, args, &proposal, document).await;
    }
    let edited = edited(session, &args).await?;
    let ended = start_with(session, args, &proposal, Some(edited.text.clone())).await;
    match ended {
        Ok(Ending::Done) => edited.let_go(),
        Ok(Ending::No | Ending::Unreadable) | Err(_) => session.output.tell(&edited.kept()),
    }
    ended
}

async fn start_with(
    session: &mut Session,
    args: StartHandOffArgs,
    proposal: &HandOff,
    document: Option<String>,
) -> Ended {
    let mut add_to_scope = args.add_to_scope;
    if !args.yes {
        let outside = if args.add_to_scope { None } else { outside(session, proposal).await? };
        if !agreed(session, proposal, document.as_deref(), outside.as_ref()).await? {
            session.output.tell("Nothing was started.");
            return Ok(Ending::No);
        }
        add_to_scope |= outside.is_some();
    }
    let mut client = session.connect(Wish::Lasting).await?;
    let decide = DecideHandOff {
        hand_off: args.hand_off,
        accept: true,
        document,
        start: Some(true),
        add_to_scope: Some(add_to_scope),
    };
    let decided = client.call::<HandOffDecide>(decide).await?;
    begin(session, &mut client, &decided).await
}

/// The proposal as it stands, so that nobody edits a text for one that is decided.
async fn proposal(session: &mut Session, wanted: &str) -> Result<HandOff, Failure> {
    let list = session.connect(Wish::OneShot).await?.call::<HandOffsList>(Nothing {}).await?;
    let id = HandOffId::read(wanted).map(|id| id.to_string());
    let found = list.hand_offs.into_iter().find(|hand_off| Some(&hand_off.id) == id.as_ref());
    let unknown = || {
        let message = format!("There is no hand-off \"{}\". `augment-cli handoff list` lists them.", visible(wanted));
        Failure::told("unknown-hand-off", message)
    };
    let hand_off = found.ok_or_else(unknown)?;
    if hand_off.can_start {
        return Ok(hand_off);
    }
    let state = if hand_off.state == HandOffState::Dismissed { "dismissed" } else { "accepted" };
    let how = match (&hand_off.run, &hand_off.task) {
        (Some(run), _) => {
            format!(", and run {0} has begun. `augment-cli agent status --id {0}` shows it.", visible(run))
        }
        (None, Some(task)) => format!(". `augment-cli queue show {}` says how its task stands.", visible(task)),
        (None, None) => ".".to_owned(),
    };
    Err(Failure::told("hand-off-decided", format!("{} was {state} already{how}", visible(&hand_off.id))))
}

/// The session whose confirmed scope the task of a hand-off would lie outside of.
async fn outside(session: &mut Session, hand_off: &HandOff) -> Result<Option<WireSession>, Failure> {
    let status = session.connect(Wish::OneShot).await?.call::<SessionShown>(Nothing {}).await?;
    let is_in = |open: &WireSession| {
        open.automatic.is_some() || hand_off.task.is_some() && open.items.iter().any(|item| item.task == hand_off.task)
    };
    Ok(status.session.filter(|open| match open.state {
        SessionState::Confirmed | SessionState::Working => !is_in(open),
        SessionState::Planned
        | SessionState::Checkpoint
        | SessionState::Ending
        | SessionState::Ended
        | SessionState::Abandoned => false,
    }))
}

/// What the agent is to read; nothing where nobody looks at it, so that it is what is known when the agent reads.
async fn document(session: &mut Session, args: &StartHandOffArgs) -> Result<Option<String>, Failure> {
    if let Some(file) = &args.document {
        return given(file).map(Some);
    }
    if args.yes {
        return Ok(None);
    }
    known(session, &args.hand_off).await.map(Some)
}

async fn known(session: &mut Session, hand_off: &str) -> Result<String, Failure> {
    let mut client = session.connect(Wish::OneShot).await?;
    Ok(client.call::<RunHandOff>(ReadHandOff { hand_off: Some(hand_off.to_owned()) }).await?.text)
}

/// What the person makes of what is known.
async fn edited(session: &mut Session, args: &StartHandOffArgs) -> Result<Edited, Failure> {
    if !session.output.can_ask() {
        let message = "There is no terminal to edit in. Give the text with --document FILE.";
        return Err(Failure::told("not-asked", message));
    }
    let known = known(session, &args.hand_off).await?;
    editor::edit(&args.hand_off, known).await
}

/// A text that somebody wrote: UTF-8, bounded.
fn given(file: &Path) -> Result<String, Failure> {
    let limit = u64::try_from(DOCUMENT_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let shown = visible(&file.to_string_lossy()).into_owned();
    let read = if file.as_os_str() == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::told("unreadable", format!("{shown} cannot be read: {error}.")))?;
    if bytes.len() > DOCUMENT_BYTES {
        return Err(Failure::told(
            "text-too-long",
            format!("{shown} is longer than {DOCUMENT_LIMIT} characters. Shorten it."),
        ));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| Failure::told("not-utf8", format!("{shown} is not UTF-8. Convert it first.")))
}

/// Whether the person says yes to this very text.
async fn agreed(
    session: &Session,
    hand_off: &HandOff,
    document: Option<&str>,
    outside: Option<&WireSession>,
) -> Result<bool, Failure> {
    if !session.output.can_ask() {
        let message = format!(
            "Nothing was started, since nobody can be asked. `augment-cli handoff show {0}` is what the agent gets; repeat \
             with --yes.",
            visible(&hand_off.id)
        );
        return Err(Failure::told("not-asked", message));
    }
    if session.output.format() == Format::Human {
        session.output.print(&runs::lines(document.unwrap_or_default()))?;
    }
    let agent = visible(&hand_off.to_agent);
    let question = match outside {
        None => format!("Start {agent} with this?"),
        Some(open) => format!(
            "This lies outside the confirmed scope of session {:03}. Add it to the scope and start {agent} with this?",
            open.number
        ),
    };
    ask::yes(session, &question).await
}

/// Starts the agent of a hand-off that was accepted.
pub(super) async fn begin(session: &Session, client: &mut Client, decided: &HandOff) -> Ended {
    let params = StartAgent { agent: decided.to_agent.clone(), task: decided.task.clone(), time_limit_ms: None };
    let started = client.call::<AgentStart>(params).await?;
    session.show(&started, |started| started.run.as_ref().map(runs::started).unwrap_or_default())?;
    Ok(Ending::Done)
}
