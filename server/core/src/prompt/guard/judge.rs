//! The five judgements, each over the facts and the place where the session is closed.

use super::{
    Closure, CommitFact, Facts, Freshness, Invariant, JjFact, Judged, Pushed, REPORT_INTENT, ResearchFact, System,
    Verdict, closure,
};
use crate::prompt::artifact::is_research;
use crate::prompt::message::{self, Reading, Section};
use crate::prompt::stamp_digits;
use crate::prompt::state::PromptState;
use crate::text::{quoted, shell_word, visible};

/// Shorter beginnings of ids name nothing.
const ID_LENGTH: usize = 4;
const NO_SESSION: &str = "There is no session's commit that it could be about.";
/// What a shallow clone does not have.
const CUT: &str =
    "The clone is shallow, and what is below is not here. Fetch it (`git fetch --unshallow`), then repeat.";
/// How many values a sentence names.
const NAMED: usize = 3;

/// Judges all five, in their order.
#[must_use]
pub fn judge(facts: &Facts) -> Vec<Judged> {
    let found = closure(&facts.lineage).and_then(|closure| Case::of(facts, closure));
    Invariant::ALL
        .into_iter()
        .map(|invariant| {
            let verdict = match (&found, invariant) {
                (None, Invariant::SessionCommit) => no_session(facts),
                (
                    None,
                    Invariant::ResearchArtifact | Invariant::FreshParent | Invariant::PushedHead | Invariant::NextChild,
                ) => Verdict::CannotBeJudged(NO_SESSION.to_owned()),
                (Some(case), Invariant::SessionCommit) => case.session_commit(),
                (Some(case), Invariant::ResearchArtifact) => case.research_artifact(),
                (Some(case), Invariant::FreshParent) => case.fresh_parent(),
                (Some(case), Invariant::PushedHead) => case.pushed_head(),
                (Some(case), Invariant::NextChild) => case.next_child(),
            };
            Judged { invariant, verdict }
        })
        .collect()
}

fn no_session(facts: &Facts) -> Verdict {
    if facts.lineage.last().is_some_and(|oldest| oldest.is_cut) {
        return Verdict::CannotBeJudged(CUT.to_owned());
    }
    let branch = visible(&facts.branch);
    let wrong = match (facts.has_branch, facts.lineage.len()) {
        (true, 0) => format!("No commit on {branch} begins with `session:`; it has no commits."),
        (true, 1) => format!("No commit on {branch} begins with `session:`; of the 1 commit looked at none is one."),
        (true, count) => {
            format!("No commit on {branch} begins with `session:`; of the {count} commits looked at none is one.")
        }
        (false, count) => {
            let (kind, below) = match facts.system() {
                System::Git => ("branch", "HEAD"),
                System::Jj => ("bookmark", "`@`"),
            };
            let commits = if count == 1 { "1 commit".to_owned() } else { format!("{count} commits") };
            format!("There is no {kind} {branch} here, and none of the {commits} at {below} begins with `session:`.")
        }
    };
    let mend = match facts.prompt {
        Some(PromptState::Open) => "Finish the prompt: `augment-cli prompt finish`.",
        Some(PromptState::Finished | PromptState::Closed | PromptState::Dropped) | None => {
            "Name the branch that sessions are on with --branch, or make one: `augment-cli prompt start`, and `augment-cli prompt finish` at its end."
        }
    };
    Verdict::Broken { wrong, mend: mend.to_owned() }
}

/// A session's commit with what is known around it.
struct Case<'a> {
    facts: &'a Facts,
    session: &'a CommitFact,
    head: &'a CommitFact,
    /// Everything above the session's commit, its reports among it.
    above: &'a [CommitFact],
    /// The session's commit and the reports directly on it.
    own: &'a [CommitFact],
    reading: Reading,
}

impl<'a> Case<'a> {
    fn of(facts: &'a Facts, closure: Closure) -> Option<Self> {
        let session = facts.lineage.get(closure.session)?;
        let head = facts.lineage.get(closure.head)?;
        let above = facts.lineage.get(..closure.session)?;
        let own = facts.lineage.get(closure.head..=closure.session)?;
        Some(Self { facts, session, head, above, own, reading: message::read(&session.message) })
    }

    fn session_commit(&self) -> Verdict {
        if self.reading.lacks.is_empty() {
            return Verdict::Holds;
        }
        let lacks: Vec<String> = self.reading.lacks.iter().take(NAMED).map(ToString::to_string).collect();
        let name = self.session.name();
        let open = match self.facts.system() {
            System::Jj => format!("jj describe {name}"),
            System::Git if self.above.is_empty() => "git commit --amend".to_owned(),
            System::Git => format!("git rebase -i {}^", short(&self.session.hash)),
        };
        let wanted = [Section::Prompt, Section::Context, Section::Changes].map(|section| format!("`{section}`"));
        Verdict::Broken {
            wrong: format!("The session's commit {name} is not whole: {}.", lacks.join(", ")),
            mend: format!(
                "Write what is missing into its message (`{open}`): {} with text under each, and `{}` with their ids where several commits were squashed.",
                wanted.join(", "),
                Section::Squashed
            ),
        }
    }

    /// Whether the session's commit or a report on it brought a file.
    fn brought(&self, path: &str) -> bool {
        self.own.iter().any(|commit| commit.touched.iter().any(|touched| touched == path))
    }

    /// Whether a change that is named is this session, or one that it was made of.
    fn is_this(&self, named: &str) -> bool {
        let own = [self.session.change.as_deref(), Some(self.session.hash.as_str())];
        let squashed = self.reading.message.squashed.iter().map(String::as_str);
        own.into_iter().flatten().chain(squashed).any(|own| is_same(own, named))
    }

    fn research_artifact(&self) -> Verdict {
        let digits = self.reading.message.stamp.as_deref().and_then(stamp_digits);
        // Two sessions may have one stamp, so what says that it is another's is that one's.
        let is_named = |found: &ResearchFact| {
            let name = found.path.rsplit('/').next().unwrap_or(&found.path);
            digits.as_ref().is_some_and(|digits| name.starts_with(digits))
                && found.session.as_deref().is_none_or(|session| self.is_this(session))
        };
        let mut research = self.facts.research.iter().filter(|found| is_research(&found.path));
        if research.any(|found| is_named(found) || self.brought(&found.path)) {
            return Verdict::Holds;
        }
        if self.own.iter().any(|commit| commit.is_cut) {
            return Verdict::CannotBeJudged(CUT.to_owned());
        }
        let begins = digits
            .as_deref()
            .map(|digits| format!(", and none of this session there begins with {digits}"))
            .unwrap_or_default();
        Verdict::Broken {
            wrong: format!(
                "Neither the session's commit {} nor a report on it brought a file in Research/<tier>/<Subject>/{begins}.",
                self.session.name()
            ),
            mend: self.write_report(),
        }
    }

    /// How an artifact is written: by our own command as long as the prompt is not closed.
    fn write_report(&self) -> String {
        if self.facts.prompt == Some(PromptState::Finished) {
            return "Write the report: `augment-cli prompt report`.".to_owned();
        }
        let digits = self.reading.message.stamp.as_deref().and_then(stamp_digits);
        let digits = digits.unwrap_or_else(|| "<stamp>".to_owned());
        let commit = match self.facts.system() {
            System::Git => "git commit",
            System::Jj => "jj commit",
        };
        format!(
            "Its prompt is not under way here, so write it by hand: Research/high/<Subject>/{digits}_answer_<title>.md, committed directly on {} (`{commit} -m \"{REPORT_INTENT} {digits}\"`), then push it.",
            self.session.name()
        )
    }

    fn fresh_parent(&self) -> Verdict {
        let own = || self.facts.freshness.iter().filter(|one| self.brought(&one.path));
        let stale: Vec<(&Freshness, &[String])> = own()
            .filter_map(|one| Some((one, one.actual.as_deref()?)))
            .filter(|(one, actual)| !is_fresh(one, actual))
            .collect();
        let Some((first, actual)) = stale.first() else {
            let is_cut = self.own.iter().any(|commit| commit.is_cut) || own().any(|one| one.actual.is_none());
            return if is_cut { Verdict::CannotBeJudged(CUT.to_owned()) } else { Verdict::Holds };
        };
        let actual = match actual.first() {
            Some(actual) => format!("its parent is {}", quoted(short(actual))),
            None => "it has no parent".to_owned(),
        };
        let more = match stale.len() - 1 {
            0 => String::new(),
            1 => " 1 more file names another parent, too.".to_owned(),
            count => format!(" {count} more files name another parent, too."),
        };
        Verdict::Broken {
            wrong: format!(
                "{} was made on the parent change {}, and {actual}.{more}",
                visible(&first.path),
                quoted(&first.named)
            ),
            mend: format!("Look whether it still holds on the new parent. {}", self.write_report()),
        }
    }

    fn pushed_head(&self) -> Verdict {
        let (branch, remote) = (visible(&self.facts.branch), visible(&self.facts.remote));
        let head = self.head.name();
        let push = self.push();
        let (wrong, mend) = match &self.facts.pushed {
            Pushed::At { has_head: true, .. } => return Verdict::Holds,
            Pushed::Unknown { tip } => return Verdict::CannotBeJudged(self.unknown(tip)),
            Pushed::NoRemote => (
                format!("There is no remote {remote} that {head} could be pushed to."),
                format!("Add it (`{}`), then push: `{push}`.", self.add_remote()),
            ),
            Pushed::NoBranch => {
                (format!("{remote} has no branch {branch}, so {head} is not pushed."), format!("Push it: `{push}`."))
            }
            Pushed::At { tip, has_head: false, .. } => (
                format!("{branch} on {remote} is at {}, which does not hold {head}.", quoted(short(tip))),
                format!("Push it: `{push}`. If that is refused because the remote has moved, fetch and rebase first."),
            ),
        };
        Verdict::Broken { wrong, mend }
    }

    /// The remote is at a commit that is not here.
    fn unknown(&self, tip: &str) -> String {
        let fetch = match self.facts.system() {
            System::Git => "git fetch",
            System::Jj => "jj git fetch --remote",
        };
        format!(
            "{} on {} is at {}, which is not here. Fetch first (`{fetch} {}`), then repeat.",
            visible(&self.facts.branch),
            visible(&self.facts.remote),
            quoted(short(tip)),
            shell_word(&self.facts.remote)
        )
    }

    fn push(&self) -> String {
        let (branch, remote) = (shell_word(&self.facts.branch), shell_word(&self.facts.remote));
        if self.facts.prompt == Some(PromptState::Finished) {
            return format!("augment-cli prompt push --remote {remote} --to {branch}");
        }
        match self.facts.system() {
            System::Git => format!("git push {remote} {}:refs/heads/{branch}", short(&self.head.hash)),
            System::Jj => format!(
                "jj bookmark set {branch} -r {} && jj git push --remote {remote} --bookmark {branch}",
                self.head.name()
            ),
        }
    }

    fn add_remote(&self) -> String {
        let remote = shell_word(&self.facts.remote);
        match self.facts.system() {
            System::Git => format!("git remote add {remote} <url>"),
            System::Jj => format!("jj git remote add {remote} <url>"),
        }
    }

    fn next_child(&self) -> Verdict {
        let in_jj = self.facts.jj.as_ref().and_then(|jj| self.in_jj(jj));
        match (in_jj.or_else(|| self.on_remote()), &self.facts.pushed) {
            (Some((wrong, mend)), _) => Verdict::Broken { wrong, mend },
            (None, Pushed::Unknown { tip }) => Verdict::CannotBeJudged(self.unknown(tip)),
            (None, Pushed::At { .. } | Pushed::NoRemote | Pushed::NoBranch) => Verdict::Holds,
        }
    }

    /// What is wrong with the places of the bookmark and of the working commit.
    fn in_jj(&self, jj: &JjFact) -> Option<(String, String)> {
        let (branch, head) = (visible(&self.facts.branch), self.head.name());
        let word = shell_word(&self.facts.branch);
        let set = format!("jj bookmark set {word} -r {head} --allow-backwards");
        if jj.working == self.session.hash || jj.working == self.head.hash {
            let wrong = format!("The working commit is the finalised {head} itself, so the next edit would change it.");
            return Some((wrong, format!("Make a fresh child: `jj new {word}`.")));
        }
        let not_there = match &jj.bookmark {
            Some(at) if *at == self.head.hash => return None,
            Some(at) => Some((
                format!("The bookmark {branch} is at {}, and not at the finalised {head}.", quoted(short(at))),
                format!("Bring it there: `{set}`."),
            )),
            None => Some((
                format!("There is no bookmark {branch} at the finalised {head}."),
                format!("Make it: `jj bookmark create {word} -r {head}`."),
            )),
        };
        // The push brings the bookmark along.
        let goes_by_push = self.facts.prompt == Some(PromptState::Finished)
            && !matches!(self.facts.pushed, Pushed::At { has_head: true, .. });
        let by_push = goes_by_push.then(|| format!("Push it: `{}`.", self.push()));
        not_there.map(|(wrong, mend)| (wrong, by_push.unwrap_or(mend)))
    }

    /// What the remote has in the place of the finalised head. A later session's commit closes what is below it.
    fn on_remote(&self) -> Option<(String, String)> {
        let above = match &self.facts.pushed {
            Pushed::At { has_head: true, above, .. } => above,
            Pushed::At { has_head: false, .. } | Pushed::Unknown { .. } | Pushed::NoRemote | Pushed::NoBranch => {
                return None;
            }
        };
        let unclosed = closure(above).map_or(above.len(), |closure| closure.head);
        let newest = above.first().filter(|_| unclosed > 0)?;
        let (branch, remote) = (visible(&self.facts.branch), visible(&self.facts.remote));
        let count = if unclosed == 1 { "1 commit".to_owned() } else { format!("{unclosed} commits") };
        let title = newest.message.lines().next().unwrap_or_default();
        let wrong = format!(
            "{branch} on {remote} has {count} above the last finalised one, {} {} the newest: no session closes them.",
            newest.name(),
            quoted(title)
        );
        Some((
            wrong,
            "Finish the prompt that they belong to, and push its session: `augment-cli prompt finish`.".to_owned(),
        ))
    }
}

fn is_fresh(one: &Freshness, actual: &[String]) -> bool {
    actual.iter().any(|actual| is_same(actual, &one.named))
}

/// Whether two ids, or beginnings of ids, can name one commit.
fn is_same(one: &str, other: &str) -> bool {
    let is_enough = one.len() >= ID_LENGTH && other.len() >= ID_LENGTH;
    is_enough && (one.starts_with(other) || other.starts_with(one))
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
