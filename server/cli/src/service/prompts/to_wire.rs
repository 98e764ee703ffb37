//! Prompts as the wire tells them.

use augment_core::prompt::{Intent, Prompt, PromptState, Role};
use augment_core::text::shortened;
use augment_protocol::prompts as wire;

use super::grouping::Group;

/// How much of a prompt's first line stands in lists.
const HEADLINE: usize = 100;

pub(super) fn prompt(prompt: &Prompt) -> wire::Prompt {
    wire::Prompt {
        id: prompt.id.to_string(),
        state: match prompt.state {
            PromptState::Open => wire::PromptState::Open,
            PromptState::Finished => wire::PromptState::Finished,
            PromptState::Closed => wire::PromptState::Closed,
            PromptState::Dropped => wire::PromptState::Dropped,
        },
        headline: shortened(prompt.headline(), HEADLINE).into_owned(),
        text: prompt.text.clone(),
        context: prompt.context.clone(),
        stamp: prompt.stamp.clone(),
        model: prompt.model.clone(),
        subjects: prompt.subjects.clone(),
        system: prompt.system.clone(),
        base: prompt.base.as_ref().map(|base| base.name.clone()),
        branch: prompt.branch.clone(),
        started_ms: prompt.began.time.0,
        intents: prompt.intents.iter().map(intent).collect(),
        finished: finished(prompt),
        report: prompt.report.clone(),
        pushed: prompt.pushed.as_ref().map(|pushed| wire::PushedTo {
            remote: pushed.remote.clone(),
            branch: pushed.branch.clone(),
            commit: pushed.commit.clone(),
        }),
    }
}

pub(super) fn finished(prompt: &Prompt) -> Option<wire::FinalCommit> {
    prompt.finished.as_ref().map(|finished| wire::FinalCommit {
        summary: finished.summary.clone(),
        commit: finished.commit.clone(),
        change: finished.change.clone(),
        squashed: finished.squashed.clone(),
    })
}

pub(super) fn intent(intent: &Intent) -> wire::Intent {
    wire::Intent {
        text: intent.text.clone(),
        role: match intent.role {
            Role::Work => wire::IntentRole::Work,
            Role::Before => wire::IntentRole::Before,
            Role::Report => wire::IntentRole::Report,
        },
        commit: intent.commit.clone(),
        change: intent.change.clone(),
    }
}

pub(super) fn group(group: &Group) -> wire::UncommittedGroup {
    wire::UncommittedGroup {
        task: group.task.map(|task| task.to_string()),
        about: group.about.clone(),
        intent: group.intent.clone(),
        files: group.files.iter().map(augment_core::file::FilePath::to_text).collect(),
    }
}
