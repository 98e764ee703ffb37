//! Version 1 of the Agent Client Protocol: its messages into our words and back. The one place that knows its names.
//!
//! Reading is strict where a wrong guess would matter (what a frame is, which request it answers) and passes over, unread,
//! what is of no use here. Paths that are not absolute are left as they are.

mod calls;
mod sending;

use std::borrow::Cow;

use augment_core::run::Stopped;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::meaning::{Greeting, ModelHealth, Opened, Problem, ProblemKind, Question, Tokens, TurnOver, Update};
use crate::agents::adapter::{AskedOption, Meaning};

pub(super) use sending::{
    answer_chosen, answer_withdrawn, cancel, initialize, new_session, ping, prompt, refuse, set_mode,
};

pub(super) const VERSION: i64 = 1;
/// The longest name that an agent may give to a request, a session, a call or an option.
pub(super) const NAME_BYTES: usize = 512;
/// So many options of a question, and lines of a plan, are looked at.
const LIST_ITEMS: usize = 64;

const LOG_IN: i64 = -32_000;
const CANCELLED: i64 = -32_800;
pub(super) const NO_SUCH_METHOD: i64 = -32_601;

/// One message, as far as it can be understood without knowing what was asked.
#[derive(Debug)]
pub(super) enum Frame<'a> {
    /// To a request of ours.
    Answer {
        id: u64,
        outcome: Result<&'a RawValue, Problem>,
    },
    /// The agent waits for an answer under this id, which is its JSON as it came.
    Asks {
        id: &'a str,
        question: Box<Question>,
    },
    /// A request that we do not do.
    Wants {
        id: &'a str,
        method: Cow<'a, str>,
    },
    Told(Box<Update>),
    /// It takes back a request.
    TakesBack {
        id: &'a str,
    },
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Error {
    code: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: ErrorData,
}

/// What agents put beside an error's message, where it is more than that: some have only "Internal error" there.
#[derive(Deserialize, Default)]
#[serde(untagged)]
enum ErrorData {
    Text(String),
    Details {
        details: String,
    },
    #[default]
    None,
    Else(serde::de::IgnoredAny),
}

/// Reads one line. The error is a sentence's end: what is wrong with it.
pub(super) fn frame(line: &[u8]) -> Result<Frame<'_>, String> {
    let envelope: Envelope<'_> = serde_json::from_slice(line).map_err(|error| reason(&error, "is not a message"))?;
    if envelope.jsonrpc.as_deref() != Some("2.0") {
        return Err("is not a JSON-RPC 2.0 message".to_owned());
    }
    let id = envelope.id.map(RawValue::get);
    if let Some(id) = id.filter(|id| {
        id.len() > NAME_BYTES || !id.starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    }) {
        return Err(format!(
            "has an id that is no short text or number, beginning with {}",
            augment_core::text::quoted(id)
        ));
    }
    let params = envelope.params.map_or("{}", RawValue::get);
    match (envelope.method, id) {
        (Some(method), Some(id)) if method == "session/request_permission" => {
            Ok(Frame::Asks { id, question: Box::new(question(params)?) })
        }
        (Some(method), Some(id)) => Ok(Frame::Wants { id, method }),
        (Some(method), None) if method == "session/update" => Ok(Frame::Told(Box::new(update(params)?))),
        (Some(method), None) if method == "$/cancel_request" => {
            let taken: TakenBack<'_> = read(params, "names no request to cancel")?;
            Ok(Frame::TakesBack { id: taken.request_id.get() })
        }
        (Some(_), None) => Ok(Frame::Told(Box::new(Update::Other))),
        (None, Some(id)) => {
            let id = id.parse().map_err(|_| format!("answers a request that was not made: {id}"))?;
            let outcome = match (envelope.error, envelope.result) {
                (Some(error), _) => Err(problem(error)),
                // A result of `null` reads as none at all.
                (None, result) => Ok(result.unwrap_or(RawValue::NULL)),
            };
            Ok(Frame::Answer { id, outcome })
        }
        (None, None) => Err("is neither a request nor an answer".to_owned()),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TakenBack<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

/// An error that cannot be read is an error all the same: whoever waits for the answer must not wait on.
fn problem(error: &RawValue) -> Problem {
    let Ok(Error { code, message, data }) = serde_json::from_str(error.get()) else {
        let message = format!("an error that cannot be read, {}", augment_core::text::quoted(error.get()));
        return Problem { kind: ProblemKind::Other, message };
    };
    let kind = match code {
        LOG_IN => ProblemKind::LogIn,
        CANCELLED => ProblemKind::Cancelled,
        _ => ProblemKind::Other,
    };
    let message = match message.trim() {
        "" => format!("error {code}"),
        message => message.to_owned(),
    };
    let message = match data {
        ErrorData::Text(details) | ErrorData::Details { details } => format!("{message}: {details}"),
        ErrorData::None | ErrorData::Else(_) => message,
    };
    Problem { kind, message }
}

fn read<'a, T: Deserialize<'a>>(json: &'a str, what: &str) -> Result<T, String> {
    serde_json::from_str(json).map_err(|error| reason(&error, what))
}

fn reason(error: &serde_json::Error, what: &str) -> String {
    format!("{what}: {}", augment_core::text::visible(&augment_core::text::shortened(&error.to_string(), 120)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GreetingV1 {
    protocol_version: i64,
    agent_info: Option<AgentInfo>,
    auth_methods: Option<Vec<LogIn>>,
}

#[derive(Deserialize)]
struct AgentInfo {
    name: String,
    title: Option<String>,
    version: Option<String>,
}

#[derive(Deserialize)]
struct LogIn {
    id: String,
    name: Option<String>,
}

pub(super) fn greeting(result: &RawValue) -> Result<Greeting, String> {
    let said: GreetingV1 = read(result.get(), "greets in a way that is not known")?;
    let agent = said.agent_info.map(|info| match info.version {
        Some(version) => format!("{} {version}", info.title.unwrap_or(info.name)),
        None => info.title.unwrap_or(info.name),
    });
    let log_ins = said.auth_methods.unwrap_or_default().into_iter().take(LIST_ITEMS);
    let log_ins = log_ins.map(|method| method.name.unwrap_or(method.id)).collect();
    Ok(Greeting { version: said.protocol_version, agent, log_ins })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedV1 {
    session_id: String,
    modes: Option<Modes>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Modes {
    current_mode_id: Option<String>,
    #[serde(default)]
    available_modes: Vec<Mode>,
}

#[derive(Deserialize)]
struct Mode {
    id: String,
}

pub(super) fn opened(result: &RawValue) -> Result<Opened, String> {
    let said: OpenedV1 = read(result.get(), "names no session")?;
    if said.session_id.len() > NAME_BYTES {
        return Err(format!("names a session in more than {NAME_BYTES} bytes"));
    }
    let (mode, modes) = said.modes.map_or((None, Vec::new()), |modes| (modes.current_mode_id, modes.available_modes));
    let modes = modes.into_iter().take(LIST_ITEMS).map(|mode| mode.id).collect();
    Ok(Opened { session: said.session_id, mode, modes })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnOverV1<'a> {
    stop_reason: String,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

/// Both spellings have been seen.
#[derive(Deserialize)]
struct TokensV1 {
    #[serde(alias = "inputTokens")]
    input_tokens: u64,
    #[serde(alias = "outputTokens")]
    output_tokens: u64,
}

#[derive(Deserialize)]
struct TurnMeta {
    quota: Quota,
}

#[derive(Deserialize)]
struct Quota {
    token_count: TokensV1,
}

pub(super) fn turn_over(result: &RawValue) -> Result<TurnOver, String> {
    let said: TurnOverV1<'_> = read(result.get(), "ends its turn without a reason")?;
    let stopped = match said.stop_reason.as_str() {
        "end_turn" => Ok(Stopped::Done),
        "max_tokens" | "max_turn_requests" => Ok(Stopped::AtLimit),
        "refusal" => Ok(Stopped::Refused),
        "cancelled" => Ok(Stopped::Cancelled),
        _ => Err(said.stop_reason),
    };
    // Counts are an extra: where they cannot be read the turn has ended all the same.
    let usage = said.usage.and_then(|usage| serde_json::from_str::<TokensV1>(usage.get()).ok());
    let meta = || said.meta.and_then(|meta| serde_json::from_str::<TurnMeta>(meta.get()).ok());
    let used = usage.or_else(|| meta().map(|meta| meta.quota.token_count));
    Ok(TurnOver { stopped, used: used.map(|used| Tokens { input: used.input_tokens, output: used.output_tokens }) })
}

#[derive(Deserialize)]
struct UpdateParams<'a> {
    #[serde(borrow)]
    update: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateKind<'a> {
    #[serde(borrow)]
    session_update: Cow<'a, str>,
}

fn update(params: &str) -> Result<Update, String> {
    let params: UpdateParams<'_> = read(params, "is an update without content")?;
    let update = params.update.get();
    let kind: UpdateKind<'_> = read(update, "is an update of no kind")?;
    Ok(match &*kind.session_update {
        "agent_message_chunk" => {
            let Chunk { message_id, content } = read(update, "is a message that cannot be read")?;
            Update::Message { message: message_id, text: content.shown() }
        }
        "agent_thought_chunk" => {
            let chunk: Chunk = read(update, "is a thought that cannot be read")?;
            Update::Thought { text: chunk.content.shown() }
        }
        "tool_call" | "tool_call_update" => Update::Call(calls::news(update)?),
        "plan" => {
            let plan: Plan = read(update, "is a plan that cannot be read")?;
            Update::Plan { lines: plan.entries.into_iter().take(LIST_ITEMS).map(PlanEntry::line).collect() }
        }
        "usage_update" => {
            let usage: Usage = read(update, "tells a use that cannot be read")?;
            usage.cost.map_or(Update::Other, |cost| Update::Cost { cost: format!("{} {}", cost.amount, cost.currency) })
        }
        // What the session is called is of no use; how the agent's own thread stands is.
        "session_info_update" => model_health(update).map_or(Update::Other, Update::Model),
        _ => Update::Other,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    message_id: Option<String>,
    content: Content,
}

/// A block of content. Only texts are shown; of others it is said what they are.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content {
    Text {
        text: String,
    },
    Image,
    Audio,
    ResourceLink {
        uri: String,
    },
    Resource,
    #[serde(other)]
    Else,
}

impl Content {
    fn shown(self) -> String {
        match self {
            Self::Text { text } => text,
            Self::Image => "[an image]".to_owned(),
            Self::Audio => "[a recording]".to_owned(),
            Self::ResourceLink { uri } => format!("[{uri}]"),
            Self::Resource => "[a file]".to_owned(),
            Self::Else => String::new(),
        }
    }
}

#[derive(Deserialize)]
struct Plan {
    entries: Vec<PlanEntry>,
}

#[derive(Deserialize)]
struct PlanEntry {
    content: String,
    status: Option<String>,
}

impl PlanEntry {
    fn line(self) -> String {
        let mark = match self.status.as_deref() {
            Some("completed") => "[x]",
            Some("in_progress") => "[>]",
            _ => "[ ]",
        };
        format!("{mark} {}", self.content)
    }
}

#[derive(Deserialize)]
struct Usage {
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    amount: f64,
    currency: String,
}

/// Codex tells in this way that its model could not be reached; its turn then ends as if all were well.
fn model_health(update: &str) -> Option<ModelHealth> {
    #[derive(Deserialize)]
    struct Info {
        #[serde(rename = "_meta")]
        meta: Meta,
    }
    #[derive(Deserialize)]
    struct Meta {
        codex: Codex,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Codex {
        thread_status: Status,
    }
    #[derive(Deserialize)]
    struct Status {
        r#type: String,
    }
    let info: Info = serde_json::from_str(update).ok()?;
    match info.meta.codex.thread_status.r#type.as_str() {
        "systemError" => Some(ModelHealth::Failed),
        "active" => Some(ModelHealth::Works),
        _ => None,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QuestionV1<'a> {
    #[serde(borrow)]
    tool_call: &'a RawValue,
    options: Vec<OptionV1>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OptionV1 {
    option_id: String,
    name: Option<String>,
    kind: Option<String>,
}

fn question(params: &str) -> Result<Question, String> {
    let said: QuestionV1<'_> = read(params, "asks in a way that is not known")?;
    if said.options.len() > LIST_ITEMS || said.options.iter().any(|option| option.option_id.len() > NAME_BYTES) {
        return Err(format!(
            "asks with more than {LIST_ITEMS} options, or with one named in more than {NAME_BYTES} bytes"
        ));
    }
    let options = said.options.into_iter().map(|option| AskedOption {
        meaning: match option.kind.as_deref() {
            Some("allow_once") => Meaning::AllowOnce,
            Some("allow_always") => Meaning::AllowAlways,
            Some("reject_once") => Meaning::RefuseOnce,
            Some("reject_always") => Meaning::RefuseAlways,
            _ => Meaning::Other,
        },
        label: option.name.unwrap_or_else(|| option.option_id.clone()),
        id: option.option_id,
    });
    Ok(Question { about: calls::news(said.tool_call.get())?, options: options.collect() })
}
