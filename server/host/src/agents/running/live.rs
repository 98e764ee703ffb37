//! One run that is kept: what it says is understood by its adapter, written down for people, and told to the mailbox as
//! what it means; what it is told is sent.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use augment_core::actor::Actor;
use augment_core::completion::{self, What};
use augment_core::file::ContentHash;
use augment_core::id::RunId;
use augment_core::review::FileClaim;
use augment_core::run::{
    Adapter as AdapterKind, AnswerOption, End, Leave, Note, Resources, RunEvent, Sign, Stopped, Telling, Usage, Wish,
    Word,
};
use augment_core::turn::{Command, Input};

use super::Post;
use super::sandbox::Refusals;
use super::secrets::Secrets;
use super::state::State;
use super::transcript::Transcript;
use crate::agents::adapter::{Act, Adapter, AskedOption, Asking, Assignment, Meaning, Order, Said, Voice};
use crate::agents::git_control::Control;
use crate::agents::keeping::{Event, Exit, Keeping, Leftovers, Why};
use crate::agents::output_log::Stream;
use crate::agents::processes::Process;
use crate::workspace::inside;

/// Signs of life are told this often at most, or twice an interval where that is more often.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// So much of what was said is looked through for a report.
const REPORT_TEXT: usize = 1_024 * 1_024;
/// How much of what was said in a turn is written down for a later host.
const KEPT_TURN: usize = 64 * 1_024;
/// What a later host needs to speak with the agent.
pub(super) const STATE: &str = "adapter";
/// What people read of an agent that speaks a protocol.
pub const SAID: &str = "said";
/// How many failed steps leave a record of their own.
const FAILURES: u32 = 100;

/// How a run was over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Over {
    /// How many processes had to be killed for that.
    killed: u64,
    resources: Option<Resources>,
}

pub(super) struct Live {
    id: RunId,
    adapter: Box<dyn Adapter>,
    kind: AdapterKind,
    root: PathBuf,
    folder: PathBuf,
    assignment: Option<Assignment>,
    input: Option<String>,
    keeping: Option<Keeping>,
    /// What is to be sent once the keeper is there.
    unsent: Vec<Act>,
    interval: Duration,
    leave: Leave,
    refusals: Refusals,
    heard: Instant,
    told: Option<Instant>,
    asked: Instant,
    transcript: Transcript,
    /// What was said in this turn, for the report in it.
    turn: String,
    /// What it was told to do.
    told_words: String,
    /// What must not be kept of what it says.
    secrets: Secrets,
    failures: u32,
    /// Whether its last step went well, as far as has been told.
    works: bool,
    offset: u64,
    kept: Vec<u8>,
    exit: Option<Exit>,
    /// It was to end before its keeper was there.
    ends: Option<u64>,
    /// What steered git before it began, where that is known.
    control: Option<Control>,
}

impl Live {
    pub(super) fn new(id: RunId, adapter: Box<dyn Adapter>, kind: AdapterKind, root: PathBuf, folder: PathBuf) -> Self {
        let now = Instant::now();
        let transcript = Transcript::new(id, folder.join(SAID));
        Self {
            id,
            adapter,
            kind,
            root,
            folder,
            assignment: None,
            input: None,
            keeping: None,
            unsent: Vec::new(),
            interval: Duration::from_secs(5),
            leave: Leave::Ask,
            refusals: Refusals::default(),
            heard: now,
            told: None,
            asked: now,
            transcript,
            turn: String::new(),
            told_words: String::new(),
            secrets: Secrets::default(),
            failures: 0,
            works: false,
            offset: 0,
            kept: Vec::new(),
            exit: None,
            ends: None,
            control: None,
        }
    }

    pub(super) fn that_found(mut self, control: Option<Control>) -> Self {
        self.control = control;
        self
    }

    pub(super) fn that_begins(mut self, assignment: Assignment, input: Option<String>) -> Self {
        self.told_words.clone_from(&assignment.prompt);
        self.assignment = Some(assignment);
        self.input = input;
        self
    }

    pub(super) fn taken_up_at(mut self, offset: u64, turn: String) -> Self {
        (self.offset, self.turn) = (offset, turn);
        self
    }

    pub(super) fn heard_every(mut self, interval: Duration) -> Self {
        self.interval = interval;
        self
    }

    pub(super) fn with_leave(mut self, leave: Leave) -> Self {
        self.leave = leave;
        self
    }

    pub(super) fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    pub(super) fn confined_to(mut self, writable: Option<Vec<PathBuf>>) -> Self {
        self.refusals = writable.map(|writable| Refusals::new(writable, self.root.clone())).unwrap_or_default();
        self
    }

    /// Its keeper is there: what waited to be sent is sent.
    pub(super) fn keep(&mut self, keeping: Keeping, post: &Post) {
        self.keeping = Some(keeping);
        let waiting = std::mem::take(&mut self.unsent);
        self.act(waiting, post);
        self.keep_state();
        if let Some(grace_ms) = self.ends.take() {
            self.end(grace_ms, post);
        }
    }

    pub(super) fn detach(&mut self) {
        self.keep_state();
        if let Some(keeping) = self.keeping.take() {
            keeping.detach();
        }
    }

    fn tell(&self, post: &Post, event: RunEvent) {
        post(Input::RunFollowed { run: self.id, event: self.secrets.masked(event) });
    }

    fn note(&self, post: &Post, note: Note, message: String) {
        self.tell(post, RunEvent::Noted { note, message });
    }

    /// Something happened in the run. At its end it says how that was.
    pub(super) fn followed(&mut self, event: Event, post: &Post) -> Option<Over> {
        match event {
            Event::Started { .. } => {
                if self.kind == AdapterKind::Command {
                    self.tell(post, RunEvent::Began { agent: None });
                }
                if let Some(assignment) = self.assignment.take() {
                    let acts = self.adapter.begin(&assignment);
                    self.act(acts, post);
                    if let Some(input) = self.input.take() {
                        self.act(vec![Act::Send(input.into_bytes()), Act::CloseInput], post);
                    }
                    // Until its first words are sent there is nothing that a later host could go on with.
                    if self.keeping.is_some() {
                        self.keep_state();
                    }
                }
            }
            Event::Unconfined { reason } => {
                self.refusals = Refusals::default();
                self.note(post, Note::Unconfined, reason);
            }
            Event::Output { stream, offset, bytes } => self.output(stream, offset, &bytes, post),
            Event::Missed { from, to } => {
                self.note(post, Note::OutputDropped, format!("{} bytes of its output were not kept.", to - from));
                self.offset = to;
                let acts = self.adapter.missed();
                self.act(acts, post);
            }
            Event::Ending(why) => match why {
                Why::TimedOut => self.tell(post, RunEvent::TimeUp),
                Why::Asked | Why::Unadopted | Why::AgentExited => {}
            },
            Event::Exited(exit) => {
                self.exit = Some(exit);
                self.tell(post, RunEvent::Exited);
            }
            Event::Stuck { pids } => {
                let pids: Vec<String> = pids.iter().map(ToString::to_string).collect();
                let message = format!("These processes were killed and do not end: {}.", pids.join(", "));
                self.note(post, Note::Stuck, message);
            }
            Event::Empty { killed, resources } => {
                self.last_words(post);
                return Some(Over { killed, resources });
            }
            Event::Lost { reason, leftovers } => {
                self.note(post, Note::LeftBehind, format!("{reason} {}", left_behind(&leftovers)));
                self.last_words(post);
                return Some(Over { killed: 0, resources: None });
            }
        }
        None
    }

    /// All that it will ever say has been said.
    fn last_words(&mut self, post: &Post) {
        let acts = self.adapter.ended();
        self.act(acts, post);
        self.report(post);
    }

    /// Nothing of it is left.
    pub(super) fn gone(&mut self, Over { killed, resources }: Over, post: &Post) {
        if let Some(message) = self.control.take().and_then(|control| control.what_changed(&self.root)) {
            self.note(post, Note::ControlChanged, message);
        }
        let end = match self.exit {
            Some(Exit::Code(code)) => End::Code(code),
            Some(Exit::Signal(signal)) => End::Signal(signal),
            None => End::Unseen,
        };
        self.tell(post, RunEvent::Gone { end, killed, resources });
        self.keeping = None;
    }

    fn output(&mut self, stream: Stream, offset: u64, bytes: &[u8], post: &Post) {
        self.offset = offset + bytes.len() as u64;
        self.heard = Instant::now();
        let acts = self.adapter.heard(stream, bytes);
        let matters = acts.iter().any(matters);
        self.act(acts, post);
        if matters {
            self.keep_state();
        }
    }

    /// Writes down what a later host needs. The last one that was written stands.
    fn keep_state(&mut self) {
        // What a program said is heard again from its beginning; it has no protocol that would be confused by that.
        let (consumed, turn) = match self.kind {
            AdapterKind::Command => (0, ""),
            AdapterKind::Acp | AdapterKind::Attached => {
                (self.offset.saturating_sub(self.adapter.unsettled() as u64), end_of(&self.turn, KEPT_TURN))
            }
        };
        let kept = match self.kind {
            AdapterKind::Command => Vec::new(),
            AdapterKind::Acp | AdapterKind::Attached => self.adapter.kept(),
        };
        let state = State { offset: consumed, turn: turn.to_owned(), adapter: kept }.write();
        if state == self.kept {
            return;
        }
        let write = || -> std::io::Result<()> {
            let beside = self.folder.join("adapter.new");
            let mut file =
                std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
            file.write_all(&state)?;
            std::fs::rename(&beside, self.folder.join(STATE))
        };
        match write() {
            Ok(()) => self.kept = state,
            Err(error) => tracing::warn!("how run {} stands could not be written down: {error}", self.id),
        }
    }

    fn act(&mut self, acts: Vec<Act>, post: &Post) {
        for act in acts {
            match act {
                Act::Said(said) => self.said(said, post),
                act @ (Act::Send(_) | Act::CloseInput) => self.send(act, post),
            }
        }
    }

    fn send(&mut self, act: Act, post: &Post) {
        let Some(keeping) = &self.keeping else {
            self.unsent.push(act);
            return;
        };
        let sent = match &act {
            Act::Send(bytes) => keeping.write_stdin(bytes),
            Act::CloseInput => keeping.close_stdin(),
            Act::Said(_) => Ok(()),
        };
        if let Err(error) = sent {
            // One that is gone says so itself.
            if error != crate::agents::keeping::KeepingError::Gone {
                self.tell(post, RunEvent::Failed { message: error.to_string(), telling: Telling::Recorded });
                self.tell(post, RunEvent::TurnEnded(Stopped::InError));
            }
        }
    }

    fn said(&mut self, said: Said, post: &Post) {
        match said {
            Said::Alive(sign) => self.alive(sign, post),
            Said::Began { agent } => self.tell(post, RunEvent::Began { agent }),
            Said::Spoke { voice, text } => self.spoke(voice, &text, post),
            Said::Writes { path, content } => self.writes(&path, content.as_deref(), post),
            Said::Worked { title } => {
                self.write_down(Voice::Tool, &format!("{title}: done\n"));
                // That it works on is a sign of life; only that it works again after a failure is news.
                if std::mem::replace(&mut self.works, true) {
                    self.alive(Sign::Message, post);
                } else {
                    self.tell(post, RunEvent::Worked);
                }
            }
            Said::Failed { title, message } => {
                let message = if title.is_empty() { message } else { format!("{title}: {message}") };
                self.write_down(Voice::Tool, &format!("failed: {message}\n"));
                self.look_for_refusals(&message, post);
                self.failures += 1;
                self.works = false;
                let telling = if self.failures > FAILURES { Telling::Counted } else { Telling::Recorded };
                self.tell(post, RunEvent::Failed { message, telling });
            }
            Said::Asks(asking) => {
                self.write_down(Voice::Tool, &format!("asks: {}\n", asking.title));
                let wish = self.wish(asking);
                self.tell(post, RunEvent::Wishes(Box::new(wish)));
            }
            Said::Withdrew { key } => self.tell(post, RunEvent::Withdrew { key }),
            Said::TurnBegan => {
                self.turn.clear();
                self.tell(post, RunEvent::TurnBegan);
            }
            Said::TurnEnded(stopped) => {
                self.report(post);
                self.tell(post, RunEvent::TurnEnded(stopped));
            }
            Said::Used { input_tokens, output_tokens, cost } => {
                self.tell(post, RunEvent::Used(Usage { input_tokens, output_tokens, cost }));
            }
            Said::NotUnderstood { problem } => self.note(post, Note::NotUnderstood, problem),
            Said::Unusable { reason } => {
                self.tell(post, RunEvent::Failed { message: reason, telling: Telling::Recorded });
                self.tell(post, RunEvent::TurnEnded(Stopped::InError));
            }
        }
    }

    fn alive(&mut self, sign: Sign, post: &Post) {
        let often = TELL_EVERY.min(self.interval / 2);
        if self.told.is_none_or(|told| told.elapsed() >= often) {
            self.told = Some(Instant::now());
            self.tell(post, RunEvent::Heard(sign));
        }
    }

    fn spoke(&mut self, voice: Voice, text: &str, post: &Post) {
        self.write_down(voice, text);
        let is_report = match voice {
            Voice::Message => true,
            Voice::Thought | Voice::Tool | Voice::Complaint => false,
        };
        if is_report {
            self.turn.push_str(text);
            if self.turn.len() > REPORT_TEXT {
                self.turn = end_of(&self.turn, REPORT_TEXT / 2).to_owned();
            }
        }
        let found = self.refusals.in_words(text);
        self.tell_refusals(found, post);
    }

    fn look_for_refusals(&mut self, text: &str, post: &Post) {
        let found = self.refusals.in_complaint(text);
        self.tell_refusals(found, post);
    }

    fn tell_refusals(&self, found: Vec<PathBuf>, post: &Post) {
        for path in found {
            let message = format!(
                "It says that it may not write {}. agents.confine holds it to the workspace and its own folders; `writable` of the agent names more.",
                path.display()
            );
            self.note(post, Note::Confined, message);
        }
    }

    /// What a program writes is kept as it is already.
    fn write_down(&mut self, voice: Voice, text: &str) {
        match self.kind {
            AdapterKind::Command => {}
            AdapterKind::Acp | AdapterKind::Attached => self.transcript.write(voice, text),
        }
    }

    /// The report in what was said in this turn, if there is one. The last one counts.
    fn report(&mut self, post: &Post) {
        let text = std::mem::take(&mut self.turn);
        let mut last = None;
        for found in completion::find(text.as_bytes()) {
            // What stands in its task is not its own word, also when it repeats it.
            if self.told_words.contains(&text[found.span.clone()]) {
                continue;
            }
            match found.what {
                What::Report(report) => last = Some(report),
                What::Broken(problem) => {
                    self.note(post, Note::BadReport, format!("Its report cannot be read: {problem}"));
                }
                What::Other | What::Quoted | What::LeftOut => {}
            }
        }
        match last {
            Some(report) => self.tell(post, RunEvent::Reported(Box::new(report))),
            None if text.trim().is_empty() => {}
            None => self.tell(post, RunEvent::Said { message: last_words(&text) }),
        }
    }

    fn writes(&mut self, path: &Path, content: Option<&[u8]>, post: &Post) {
        let Some(path) = inside(&self.root, path) else { return };
        let hash = content.map(|content| ContentHash::of(content).to_string());
        let command = Command::ClaimFile(FileClaim { path, hash, task: None });
        post(Input::Asked { actor: Actor::Run { run: self.id }, command });
    }

    fn wish(&self, asking: Asking) -> Wish {
        let Asking { key, title, detail, paths, options } = asking;
        let of = |wanted: &[Meaning]| {
            let found = wanted.iter().find_map(|meaning| options.iter().find(|option| option.meaning == *meaning));
            found.map(|option| option.id.clone())
        };
        let inside: Vec<Option<String>> = paths.iter().map(|path| inside(&self.root, path)).collect();
        // People know their files by where they lie in the workspace.
        let below = format!("{}/", self.root.display());
        // What lets it once comes first, and what lets it for ever is not what somebody presses without reading.
        let mut offered: Vec<&AskedOption> = options.iter().collect();
        offered.sort_by_key(|option| option.meaning);
        Wish {
            key,
            title: title.replace(&below, ""),
            detail: detail.replace(&below, ""),
            outside: inside.iter().any(Option::is_none),
            paths: inside.into_iter().flatten().collect(),
            allow: of(&[Meaning::AllowOnce]),
            refuse: of(&[Meaning::RefuseOnce, Meaning::RefuseAlways]),
            options: offered
                .into_iter()
                .map(|option| AnswerOption { value: option.id.clone(), text: shown(option) })
                .collect(),
            leave: self.leave,
        }
    }

    /// What the rules want it to hear.
    pub(super) fn told(&mut self, word: Word, post: &Post) {
        let order = match word {
            Word::Permission { key, choice } => Order::Answer { key, option: choice },
            Word::Say { text } => Order::Say { text },
        };
        let acts = self.adapter.order(order);
        self.act(acts, post);
        self.keep_state();
    }

    /// Asks it to leave in its own words, and then in the system's.
    pub(super) fn end(&mut self, grace_ms: u64, post: &Post) {
        if self.keeping.is_none() {
            self.ends = Some(grace_ms);
            return;
        }
        let acts = self.adapter.order(Order::Cancel);
        self.act(acts, post);
        let Some(keeping) = &self.keeping else { return };
        if let Err(error) = keeping.stop(grace_ms) {
            tracing::debug!("run {}: {error}", self.id);
        }
    }

    /// Nothing was heard for a while: asks, and looks at the process.
    pub(super) fn look(&mut self, post: &Post) {
        let Some(keeping) = &self.keeping else { return };
        if self.heard.elapsed() < self.interval / 2 {
            return;
        }
        let pid = keeping.pid();
        match self.kind {
            AdapterKind::Command => {
                if Process::read(pid).is_some_and(|process| !process.ended && !process.stopped) {
                    self.alive(Sign::Process, post);
                }
            }
            AdapterKind::Acp | AdapterKind::Attached => {
                if self.asked.elapsed() >= self.interval / 2 {
                    self.asked = Instant::now();
                    let acts = self.adapter.order(Order::Ping);
                    self.act(acts, post);
                }
            }
        }
    }
}

/// Whether a later host has to know that this was done. What may be heard twice without harm is not written down.
fn matters(act: &Act) -> bool {
    match act {
        Act::Send(_) | Act::CloseInput => true,
        Act::Said(said) => match said {
            Said::Began { .. }
            | Said::Asks(_)
            | Said::Withdrew { .. }
            | Said::TurnBegan
            | Said::TurnEnded(_)
            | Said::Unusable { .. } => true,
            Said::Alive(_)
            | Said::Spoke { .. }
            | Said::Writes { .. }
            | Said::Worked { .. }
            | Said::Failed { .. }
            | Said::Used { .. }
            | Said::NotUnderstood { .. } => false,
        },
    }
}

/// What an option says to people. Some agents call their options only by their kind.
fn shown(option: &AskedOption) -> String {
    let is_said = option.label.contains(' ') || !option.label.contains('_');
    if is_said && !option.label.trim().is_empty() {
        return option.label.clone();
    }
    match option.meaning {
        Meaning::AllowOnce => "Allow Once".to_owned(),
        Meaning::RefuseOnce => "Refuse".to_owned(),
        Meaning::AllowAlways => "Always Allow".to_owned(),
        Meaning::RefuseAlways => "Always Refuse".to_owned(),
        Meaning::Other => option.label.clone(),
    }
}

/// The end of a text, at most so many bytes of it.
fn end_of(text: &str, bytes: usize) -> &str {
    let from = (text.len().saturating_sub(bytes)..=text.len()).find(|at| text.is_char_boundary(*at));
    &text[from.unwrap_or(0)..]
}

/// The end of what was said: its last paragraph, where that is not too long.
fn last_words(text: &str) -> String {
    const WORDS: usize = 1_000;
    let text = text.trim();
    let paragraph = text.rsplit("\n\n").next().unwrap_or(text).trim();
    let from = paragraph.char_indices().rev().nth(WORDS - 1).map_or(0, |(at, _)| at);
    if from == 0 { paragraph.to_owned() } else { format!("…{}", &paragraph[from..]) }
}

/// What was ended of a run whose keeper is gone, and what was not.
pub(super) fn left_behind(left: &Leftovers) -> String {
    let names = |processes: &[Process]| {
        let names: Vec<String> = processes.iter().map(|process| process.identity.pid.to_string()).collect();
        names.join(", ")
    };
    match (left.ended.is_empty(), left.remaining.is_empty()) {
        (true, true) => "Nothing of it was left.".to_owned(),
        (false, true) => format!("These processes of its were ended: {}.", names(&left.ended)),
        (_, false) => format!("These processes of its cannot be ended: {}.", names(&left.remaining)),
    }
}
