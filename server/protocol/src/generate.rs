//! Writes the TypeScript of the wire types and the reference of the methods. Both are committed; a test fails when they
//! are not what this writes.

use std::fmt::Write as _;

use ts_rs::TS;

use crate::methods::{Callers, METHODS, MovedNotice, Notification};
use crate::{
    agents, archive, changes, closing, completion, demo, figures, prompts, queue, records, sessions, settings, status,
};

const TS_HEAD: &str = "// Written by `npm run generate` from server/protocol. Do not edit.\n";

macro_rules! declarations {
    ($config:expr; $($type:ty),+ $(,)?) => {
        [$(declaration::<$type>($config)),+]
    };
}

fn declaration<T: TS>(config: &ts_rs::Config) -> String {
    let docs = T::docs().map(|docs| docs.trim_end().to_owned() + "\n").unwrap_or_default();
    format!("{docs}export {}\n", T::decl(config))
}

/// The text of `extension/src/protocol.gen.ts`.
#[must_use]
pub fn typescript() -> String {
    let config = ts_rs::Config::default();
    let types = declarations![&config;
        queue::Task, queue::Lease, queue::Priority, queue::Status, queue::Origin, queue::AddTask, queue::EditTask,
        queue::MoveTask, queue::Place, queue::OneTask, queue::CancelTask, queue::TakeNext, queue::ClaimTask, queue::Taken,
        queue::Next, queue::OutOfScope, queue::Heartbeat, queue::CompleteTask, queue::CompleteOutcome, queue::FailTask, queue::ListTasks,
        queue::TaskList, queue::Counts, queue::TaskDetails, queue::TaskSummary, queue::Run,
        changes::Author, changes::AuthorKind, changes::Evidence, changes::Standing, changes::HunkKind, changes::Hunk,
        changes::LineSpan, changes::BodyKind, changes::ChangedFile, changes::Selection, changes::ListChanges,
        changes::ChangeList, changes::ChangeCounts, changes::OneFile, changes::WhichContent, changes::Content,
        changes::Verdict, changes::Decide, changes::Preview, changes::PreviewFile, changes::Decided, changes::DecidedFile,
        changes::FileOutcome, changes::WhichDecision, changes::Assign, changes::Assigned, changes::FileHistory,
        changes::HistoryStep, changes::StepKind, changes::Purge, changes::Purged, changes::Blame, changes::BlameSpan,
        changes::ClaimFile, changes::EditorSaved, changes::SavedHow, changes::Watching, changes::WatchState,
        completion::CompletionReport, completion::ReportedStatus, completion::ReportedMetric, completion::NextStep,
        completion::DecisionPoint, completion::Choice,
        agents::Agent, agents::AgentSource, agents::AdapterKind, agents::AgentList, agents::AllowAgent, agents::StartAgent,
        agents::Started, agents::OneRun, agents::ListRuns, agents::RunList, agents::RunState, agents::RunInfo, agents::Usage,
        agents::Resources,
        agents::RunDetails, agents::ReadOutput, agents::Output, agents::Question, agents::QuestionKind,
        agents::QuestionAnswer, agents::ListQuestions, agents::QuestionList, agents::OneQuestion, agents::AnswerQuestion,
        agents::HandOff, agents::HandOffState, agents::HandOffList, agents::DecideHandOff, agents::HandOffDocument,
        agents::ReadHandOff, agents::OwnTask, agents::AskDecision, agents::LogDiscovered, agents::ReportWork,
        agents::HookSeen, agents::HookMoment, agents::HookVerdict, agents::HookDecision,
        sessions::SessionState, sessions::ScopeItem, sessions::Progress, sessions::Session, sessions::Governance,
        sessions::Flag, sessions::FlagKind, sessions::FlagAnswer, sessions::SessionStatus, sessions::StartSession,
        sessions::ScopeDraft, sessions::ConfirmScope, sessions::AdjustScope, sessions::AnswerCheckpoint,
        sessions::EndSession, sessions::CommitProposal, sessions::EndedSession, sessions::CommitSession,
        sessions::CommittedSession, sessions::ListSessions, sessions::SessionList, sessions::OneSession,
        sessions::ReportLevel, sessions::SessionReport, sessions::SessionDetails, sessions::ListReports,
        sessions::ReportList, sessions::AnswerFlag, sessions::AnsweredFlag, sessions::RequestScope, sessions::PlanView, sessions::PlanPhase,
        sessions::PlanTask, sessions::Finding, sessions::ScanFiles, sessions::ScanResult,
        sessions::AcknowledgeFinding, sessions::AllowFinding, sessions::ScanAllow, sessions::ScanAllowList,
        sessions::DropScanAllow,
        prompts::PromptState, prompts::IntentRole, prompts::Intent, prompts::FinalCommit, prompts::PushedTo,
        prompts::Prompt, prompts::UncommittedGroup, prompts::Interrupted, prompts::PromptStatus, prompts::Existing, prompts::StartPrompt,
        prompts::Subject, prompts::StartedPrompt, prompts::SetContext, prompts::CommitIntent, prompts::PartChange,
        prompts::CommittedPart, prompts::IntentCommitted, prompts::FinishPrompt, prompts::SynthesisMode,
        prompts::FinishedPrompt, prompts::ArtifactKind, prompts::ChangeScope, prompts::ReportPrompt,
        prompts::ReportedPrompt, prompts::UnifySubjects, prompts::Counterpart, prompts::UnifiedSubjects,
        prompts::PushPrompt, prompts::PushedPrompt, prompts::UndoPrompt, prompts::UndonePrompt, prompts::OnePrompt,
        prompts::ListPrompts, prompts::NamedChange, prompts::SessionCommit, prompts::PromptList, prompts::GuardPrompt,
        prompts::Invariant, prompts::Guarded,
        closing::ClosingStepName, closing::StepOutcome, closing::ClosingStep, closing::Artifact, closing::Closing,
        closing::CompleteSession, closing::ClosedSession,
        archive::ArchivedSession, archive::ListArchives, archive::ArchiveProblem, archive::ArchiveList,
        archive::SearchArchives, archive::ArchiveHit, archive::ArchiveHits, archive::OneArchive, archive::ArchiveDetails,
        archive::VerifyArchives, archive::VerifiedArchive, archive::ArchivesVerified, archive::ImportArchives,
        archive::ArchivesImported, archive::KnowledgeEntry, archive::ListKnowledge, archive::SearchKnowledge,
        archive::KnowledgeList, archive::AddKnowledge, archive::OneKnowledge,
        records::Record, records::ListRecords, records::RecordList, records::OneRecord, records::Verified, records::BrokenRecord,
        figures::Bucket, figures::AskAnalytics, figures::Rate, figures::TaskFigures, figures::RunFigures,
        figures::TimeFigures, figures::HunkFigures, figures::TokenFigures, figures::CostFigures, figures::ResourceFigures, figures::Figures,
        figures::NamedFigures, figures::BucketFigures, figures::Analytics, figures::AnalyticsFile, figures::PointKind, figures::WhoKind,
        figures::TimelineWho, figures::AskTimeline, figures::TimelinePoint, figures::Timeline, figures::OneStep,
        figures::StepDiff,
        settings::Setting, settings::SettingList, settings::ChangeSetting, settings::InspectFile, settings::SettingsFile,
        settings::InspectedFile, settings::FileProblem, settings::FileKey,
        demo::DemoStage, demo::DemoStatus,
        status::OverallStatus, status::HostStatus, status::Trouble, status::Moved, status::Part, status::RefusalData,
        status::Introduction, status::Nothing,
    ];
    let mut out = String::from(TS_HEAD);
    writeln!(out, "\nexport const PROTOCOL_VERSION = {};", crate::PROTOCOL_VERSION).expect("a string takes it");
    writeln!(out, "export const REFUSED = {};", crate::REFUSED).expect("a string takes it");
    writeln!(out, "export const FAILED = {};\n", crate::FAILED).expect("a string takes it");
    out.push_str(
        "/** The only variables of a person's surroundings that a client may send. */\nexport const PASSED_ON = [\n",
    );
    for name in prompts::PASSED_ON {
        writeln!(out, "  \"{name}\",").expect("a string takes it");
    }
    out.push_str("] as const;\n\n/** So many agents, and so many types, are told at most: the busiest. */\n");
    writeln!(out, "export const MOST_NAMED = {};\n", figures::MOST_NAMED).expect("a string takes it");
    for declaration in types {
        out.push_str(&declaration);
        out.push('\n');
    }
    out.push_str("/** Every request: its parameters and its result. */\nexport interface Methods {\n");
    for entry in METHODS {
        writeln!(out, "  /** {} */", entry.about.trim()).expect("a string takes it");
        writeln!(out, "  \"{}\": {{ params: {}; result: {} }};", entry.name, entry.params, entry.result)
            .expect("a string takes it");
    }
    out.push_str("}\n\n/** Every notification from the host. */\nexport interface Notifications {\n");
    writeln!(out, "  \"{}\": Moved;\n}}", MovedNotice::NAME).expect("a string takes it");
    out
}

/// The method table of `server/protocol/README.md`, between its two marks.
#[must_use]
pub fn reference() -> String {
    let mut out =
        String::from("| method | parameters | result | who | what it does |\n| --- | --- | --- | --- | --- |\n");
    for entry in METHODS {
        let who = match entry.callers {
            Callers::PersonOnly => "person",
            Callers::PersonAndRun => "person, run",
        };
        writeln!(
            out,
            "| `{}` | `{}` | `{}` | {who} | {} |",
            entry.name,
            entry.params,
            entry.result,
            entry.about.trim()
        )
        .expect("a string takes it");
    }
    out
}

pub const REFERENCE_BEGIN: &str = "<!-- methods: written by `npm run generate` -->\n";
pub const REFERENCE_END: &str = "<!-- end of methods -->\n";

/// A README with its method table replaced; `None` if the marks are missing.
#[must_use]
pub fn with_reference(readme: &str) -> Option<String> {
    let begin = readme.find(REFERENCE_BEGIN)? + REFERENCE_BEGIN.len();
    let end = begin + readme[begin..].find(REFERENCE_END)?;
    Some(format!("{}{}{}", &readme[..begin], reference(), &readme[end..]))
}
