//! What made-up sessions went through, so that a test can see that they went through enough.

use std::collections::BTreeMap;
use std::fmt;

use crate::refusal::Refusal;
use crate::review::{Cause, Outcome, WrittenFile};
use crate::turn::Answer;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionSummary {
    pub sessions: u64,
    pub steps: u64,
    pub looks: u64,
    pub crashes: u64,
    /// Files that somebody wrote while the host was about to.
    pub overtaken: u64,
    pub records: u64,
    pub most_files: u64,
    pub most_hunks: u64,
    /// Files woven, parked, decided and so on, by name.
    pub met: BTreeMap<&'static str, u64>,
    pub refusals: BTreeMap<&'static str, u64>,
}

impl SessionSummary {
    pub fn add(&mut self, other: &Self) {
        self.sessions += other.sessions;
        self.steps += other.steps;
        self.looks += other.looks;
        self.crashes += other.crashes;
        self.overtaken += other.overtaken;
        self.records += other.records;
        self.most_files = self.most_files.max(other.most_files);
        self.most_hunks = self.most_hunks.max(other.most_hunks);
        for (own, others) in [(&mut self.met, &other.met), (&mut self.refusals, &other.refusals)] {
            for (name, count) in others {
                *own.entry(name).or_default() += count;
            }
        }
    }

    pub(super) fn met(&mut self, what: &'static str) {
        *self.met.entry(what).or_default() += 1;
    }

    pub(super) fn count(&mut self, verdict: &Result<Answer, Refusal>) {
        match verdict {
            Err(refusal) => *self.refusals.entry(refusal.code()).or_default() += 1,
            Ok(Answer::Decided(decided)) => self.met(if decided.half > 0 { "half approved" } else { "decided" }),
            Ok(Answer::Assigned { .. }) => self.met("assigned"),
            Ok(Answer::Purged { done: true, .. }) => self.met("purged"),
            Ok(Answer::Purged { done: false, .. }) => self.met("purge told"),
            Ok(Answer::Taken { .. }) => self.met("run begun"),
            Ok(
                Answer::Task(_)
                | Answer::NothingReady
                | Answer::Removed(_)
                | Answer::Moved { .. }
                | Answer::SettingChanged
                | Answer::Run(_)
                | Answer::Question(_)
                | Answer::HandOff(_)
                | Answer::Hook(_)
                | Answer::Session(_)
                | Answer::Flag(_)
                | Answer::Prompt(_)
                | Answer::Noted,
            ) => {}
        }
    }

    pub(super) fn writes(&mut self, files: &[WrittenFile]) {
        for file in files {
            self.met(match file.outcome {
                Outcome::Written => "written",
                Outcome::InEditor => "written in the editor",
                Outcome::NotWritten { .. } => "not written",
            });
        }
    }

    pub(super) fn say_cause(&mut self, cause: &Cause) {
        self.met(match cause {
            Cause::Live => "live look",
            Cause::Rescan(_) => "rescan",
            Cause::Gap => "gap",
        });
    }
}

impl fmt::Display for SessionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} sessions, {} steps, {} looks, {} crashes, {} files overtaken, {} records; up to {} files, {} hunks",
            self.sessions,
            self.steps,
            self.looks,
            self.crashes,
            self.overtaken,
            self.records,
            self.most_files,
            self.most_hunks
        )?;
        let counts = |of: &BTreeMap<&'static str, u64>| -> String {
            let parts: Vec<String> = of.iter().map(|(name, count)| format!("{name} {count}")).collect();
            parts.join(", ")
        };
        writeln!(f, "met: {}", counts(&self.met))?;
        write!(f, "refusals: {}", counts(&self.refusals))
    }
}
