//! What of a conversation is kept for a later host, as JSON. A half-heard line is not in it (`Adapter::unsettled`), and
//! neither are the tool calls: a call that goes on across a host's end loses its title and what it said before.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::last_words::LastWords;
use super::lines::Lines;
use super::meaning::Tokens;
use super::questions::Open;
use super::tool_calls::ToolCalls;
use super::{Acp, Options, Stage};
use crate::agents::adapter::{Assignment, ToolServer};
use crate::agents::words::Words;

/// These bytes are not what an adapter of this kind has kept.
#[derive(Debug, thiserror::Error)]
#[error("what was kept of a conversation over ACP cannot be read")]
pub struct NotResumable(#[from] serde_json::Error);

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    stage: Stage,
    next_id: u64,
    cwd: PathBuf,
    assignment: Option<KeptAssignment>,
    session: Option<String>,
    waiting: Option<String>,
    ping: Option<u64>,
    questions: Vec<Open>,
    cancelling: bool,
    agent: Option<String>,
    log_ins: Vec<String>,
    used: Option<(u64, u64)>,
    cost: Option<String>,
    troubles: u64,
    last_words: LastWords,
    passing: bool,
    half_character: Vec<u8>,
    heard_again: usize,
    after_gap: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptAssignment {
    prompt: String,
    tools: Option<KeptTools>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptTools {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            stage: Stage::New,
            next_id: 1,
            cwd: PathBuf::new(),
            assignment: None,
            session: None,
            waiting: None,
            ping: None,
            questions: Vec::new(),
            cancelling: false,
            agent: None,
            log_ins: Vec::new(),
            used: None,
            cost: None,
            troubles: 0,
            last_words: LastWords::default(),
            passing: false,
            half_character: Vec::new(),
            heard_again: 0,
            after_gap: false,
        }
    }
}

impl Kept {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, NotResumable> {
        Ok(serde_json::from_slice(bytes)?)
    }

    /// A folder whose name is not UTF-8 cannot be written down; with such a one no session is ever opened, so that
    /// nothing is lost by beginning anew.
    pub(super) fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Acp {
    pub(super) fn from_kept(kept: Kept, options: Options) -> Self {
        let cwd = kept.cwd;
        let assignment = kept.assignment.map(|assignment| Assignment {
            prompt: assignment.prompt,
            cwd: cwd.clone(),
            tools: assignment.tools.map(|tools| ToolServer {
                name: tools.name,
                program: tools.program,
                arguments: tools.arguments,
                environment: tools.environment,
            }),
        });
        Self {
            options,
            stage: kept.stage,
            next_id: kept.next_id,
            cwd,
            assignment,
            session: kept.session,
            waiting: kept.waiting,
            ping: kept.ping,
            questions: kept.questions,
            cancelling: kept.cancelling,
            agent: kept.agent,
            log_ins: kept.log_ins,
            used: kept.used.map(|(input, output)| Tokens { input, output }),
            cost: kept.cost,
            troubles: kept.troubles,
            calls: ToolCalls::default(),
            last_words: kept.last_words,
            lines: Lines::new(kept.passing),
            complaints: Words::after(&kept.half_character),
            complained: 0,
            heard_again: kept.heard_again,
            after_gap: kept.after_gap,
        }
    }

    pub(super) fn to_kept(&self) -> Kept {
        let assignment = self.assignment.as_ref().map(|assignment| KeptAssignment {
            prompt: assignment.prompt.clone(),
            tools: assignment.tools.as_ref().map(|tools| KeptTools {
                name: tools.name.clone(),
                program: tools.program.clone(),
                arguments: tools.arguments.clone(),
                environment: tools.environment.clone(),
            }),
        });
        let half = self.lines.half() > 0;
        Kept {
            stage: self.stage,
            next_id: self.next_id,
            cwd: self.cwd.clone(),
            assignment,
            session: self.session.clone(),
            waiting: self.waiting.clone(),
            ping: self.ping,
            questions: self.questions.clone(),
            cancelling: self.cancelling,
            agent: self.agent.clone(),
            log_ins: self.log_ins.clone(),
            used: self.used.map(|used| (used.input, used.output)),
            cost: self.cost.clone(),
            troubles: self.troubles,
            last_words: self.last_words.clone(),
            passing: self.lines.is_passing(),
            half_character: self.complaints.half().to_vec(),
            heard_again: self.heard_again + if half { self.complained } else { 0 },
            after_gap: self.after_gap,
        }
    }
}
