//! What a session says at its start: what was read, where the plan stands, what happened last, and what it proposes.

use super::bar::Progress;
use super::lines::{Lines, goal, listed, remarked};

/// What the newest entry of the changelog tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LastSession {
    pub session: Option<u32>,
    pub date: Option<String>,
    pub completed: Vec<String>,
    pub carried_over: Vec<String>,
    pub duration: Option<String>,
}

/// A task that the session proposes to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposed {
    pub title: String,
    pub estimate: Option<String>,
    pub goal: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionStart {
    pub project: String,
    pub model: Option<String>,
    /// The plan asks for a more capable model than the one at work.
    pub model_warning: Option<String>,
    pub session: u32,
    pub continues: Option<u32>,
    pub read: Vec<String>,
    pub missing: Vec<String>,
    /// What could not be understood in what was read.
    pub problems: Vec<String>,
    pub phase: Option<String>,
    /// The third of four phases: `(3, 4)`.
    pub phase_place: Option<(u32, u32)>,
    pub sprint_goal: Option<String>,
    pub progress: Option<Progress>,
    pub last: Option<LastSession>,
    pub proposed: Vec<Proposed>,
    /// Where the current phase is done and another has open tasks, what to do, in a sentence.
    pub phase_is_done: Option<String>,
    /// Why it starts by itself, where nobody started it.
    pub automatic: Option<String>,
    /// What is proposed is all that the sprint's goal still needs.
    pub would_complete: bool,
}

impl SessionStart {
    #[must_use]
    pub fn render(&self) -> String {
        let mut lines = Lines::default();
        match &self.automatic {
            Some(why) => {
                self.automatic_block(&mut lines, why);
                lines.blank();
                self.identification(&mut lines);
            }
            None => {
                lines.line(&format!("Project: {}", self.project));
                self.identification(&mut lines);
                self.status(&mut lines);
                self.last_session(&mut lines);
            }
        }
        self.proposal(&mut lines);
        lines.text()
    }

    fn automatic_block(&self, lines: &mut Lines, why: &str) {
        lines.line("[Session start protocol — running automatically]");
        lines.blank();
        lines.line("Governance sync complete. Before addressing your request:");
        lines.blank();
        lines.line(&format!("Project: {}", self.project));
        lines.line(&format!("Phase: {}", self.phase.as_deref().unwrap_or("(none in the plan)")));
        let complete = self.progress.map(|progress| format!("{}% complete", progress.percent()));
        lines.line(&format!("Sprint goal: {}", remarked(&goal(self.sprint_goal.as_deref()), complete.as_deref())));
        lines.line(&format!("Last session: {}", self.last.as_ref().map_or_else(none_recorded, LastSession::in_a_line)));
        lines.blank();
        lines.line(why);
        lines.line("The session end protocol runs when the work is done.");
    }

    fn identification(&self, lines: &mut Lines) {
        lines.line(&format!("Model: {}", self.model.as_deref().unwrap_or("(not known)")));
        if let Some(warning) = &self.model_warning {
            lines.line(&format!("Model warning: {warning}"));
        }
        let kind = self
            .continues
            .map_or_else(|| "new session".to_owned(), |last| format!("continuing from session {last:03}"));
        lines.line(&format!("Session: {:03} ({kind})", self.session));
        lines.line(&format!("Governance files read: {}", listed(&self.read, "(none)")));
        if !self.missing.is_empty() {
            lines.line(&format!("Governance files missing: {}", self.missing.join(", ")));
        }
        lines.points("Not understood:", &self.problems);
    }

    fn status(&self, lines: &mut Lines) {
        lines.blank();
        lines.line("Sprint status:");
        let place = self.phase_place.map(|(place, of)| format!("{place} of {of} phases"));
        let phase = self.phase.as_deref().unwrap_or("(none in the plan)");
        lines.line(&format!("  Phase: {}", remarked(phase, place.as_deref())));
        lines.line(&format!("  Sprint goal: {}", goal(self.sprint_goal.as_deref())));
        let progress = match &self.progress {
            None => "(not known)".to_owned(),
            Some(progress) => {
                format!("{} {}% ({} tasks complete)", progress.bar(), progress.percent(), progress.fraction())
            }
        };
        lines.line(&format!("  Sprint progress: {progress}"));
    }

    fn last_session(&self, lines: &mut Lines) {
        lines.blank();
        let Some(last) = &self.last else {
            lines.line(&format!("Last session: {}", none_recorded()));
            return;
        };
        let when: Vec<String> =
            last.date.clone().into_iter().chain(last.session.map(|session| format!("session {session:03}"))).collect();
        let when = (!when.is_empty()).then(|| when.join(", "));
        lines.line(&format!("{}:", remarked("Last session", when.as_deref())));
        lines.line(&format!("  Completed: {}", listed(&last.completed, "(nothing)")));
        lines.line(&format!("  Carried over: {}", listed(&last.carried_over, "(nothing)")));
        lines.line(&format!("  Duration: {}", last.duration.as_deref().unwrap_or("(not recorded)")));
    }

    fn proposal(&self, lines: &mut Lines) {
        lines.blank();
        let is_asked = self.automatic.is_none();
        lines.line(if is_asked { "Proposed scope for this session:" } else { "Scope of this session:" });
        for (at, proposed) in self.proposed.iter().enumerate() {
            let task = remarked(&proposed.title, proposed.estimate.as_deref());
            // The sprint's goal stands above; only another one is news.
            let other = proposed.goal.as_ref().filter(|goal| Some(*goal) != self.sprint_goal.as_ref());
            let other = other.map_or_else(String::new, |goal| format!(" — goal: \"{goal}\""));
            lines.line(&format!("  {}. {task}{other}", at + 1));
        }
        if self.proposed.is_empty() {
            let why = self.phase_is_done.as_deref().unwrap_or("no open task was found in the plan");
            lines.line(&format!("  (nothing: {why})"));
        }
        let completes = self.would_complete.then_some("This would complete the sprint goal.");
        // What has begun by itself is agreed to: there is nothing to confirm.
        let ask = is_asked.then_some(match self.proposed.is_empty() {
            true => "What is in scope?",
            false => "Confirm scope, or adjust?",
        });
        let said: Vec<&str> = completes.into_iter().chain(ask).collect();
        if !said.is_empty() {
            lines.blank();
            lines.line(&format!("  {}", said.join(" ")));
        }
    }
}

impl LastSession {
    fn in_a_line(&self) -> String {
        let parts: Vec<String> =
            self.session.map(|session| format!("{session:03}")).into_iter().chain(self.date.clone()).collect();
        let when = if parts.is_empty() { "(no number)".to_owned() } else { parts.join(", ") };
        let completed = (!self.completed.is_empty()).then(|| self.completed.join(" + "));
        remarked(&when, completed.as_deref())
    }
}

fn none_recorded() -> String {
    "(none recorded)".to_owned()
}
