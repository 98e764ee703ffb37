//! The words for who made a change, how that is known and what was decided. The same in tables, in editors and in
//! messages. What comes out is visible text on one line.

use augment_core::attribution::RECORD_WRITER;
use augment_core::text::{shortened, visible};
use augment_protocol::changes::{Author, AuthorKind, Evidence, Standing};

use crate::output::table::Look;

/// How much of a task's title stands beside its id.
const TITLE_SHOWN: usize = 60;

/// `claude for b12 “Fix the login”`.
pub(crate) fn author_words(author: &Author) -> String {
    let who = author_short(author);
    let Some(task) = &author.task else { return who };
    let title = author.task_title.as_deref().filter(|title| !title.is_empty());
    match title {
        Some(title) => format!("{who} for {} “{}”", visible(task), visible(&shortened(title, TITLE_SHOWN))),
        None => format!("{who} for {}", visible(task)),
    }
}

/// The name alone.
pub(crate) fn author_short(author: &Author) -> String {
    let name = author.name.as_deref().filter(|name| !name.is_empty());
    let unnamed = match author.kind {
        AuthorKind::Person => "a person",
        AuthorKind::Run => "an agent",
        AuthorKind::Vcs => "version control",
        AuthorKind::Unknown => "unknown",
        AuthorKind::Before => "before tracking",
    };
    visible(name.unwrap_or(unnamed)).into_owned()
}

pub(crate) fn authors(authors: &[Author]) -> String {
    authors.iter().map(author_words).collect::<Vec<_>>().join(", ")
}

/// As the wire spells it.
pub(crate) fn evidence_name(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Assigned => "assigned",
        Evidence::DeclaredContent => "declared-content",
        Evidence::DeclaredPath => "declared-path",
        Evidence::Saved => "saved",
        Evidence::Applied => "applied",
        Evidence::VersionControl => "version-control",
        Evidence::Inferred => "inferred",
        Evidence::Unwatched => "unwatched",
        Evidence::Nothing => "nothing",
    }
}

/// What the evidence says, as the end of a sentence.
pub(crate) fn evidence_words(evidence: Evidence, author: &Author) -> &'static str {
    match evidence {
        Evidence::Saved if is_record(author) => "the host wrote it for the session's record",
        Evidence::Assigned => "a person said whose it is",
        Evidence::DeclaredContent => "the run said that it writes this very content",
        Evidence::DeclaredPath => "the run said that it writes this file",
        Evidence::Saved => "an editor saved this very content",
        Evidence::Applied => "an editor saved it after a program had changed the text",
        Evidence::VersionControl => "written under version control's lock, and equal to what it keeps",
        Evidence::Inferred => "only this run was active at the time",
        Evidence::Unwatched => "nobody was watching when it happened",
        Evidence::Nothing => "nothing speaks for anybody",
    }
}

/// Whether it is what a session's end writes into plans, changelogs and archives.
fn is_record(author: &Author) -> bool {
    author.kind == AuthorKind::Person && author.name.as_deref() == Some(RECORD_WRITER)
}

pub(crate) fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Pending => "pending",
        Standing::HalfApproved => "half approved",
        Standing::Approved => "approved",
        Standing::Rejected => "rejected",
    }
}

pub(crate) fn standing_look(standing: Standing) -> Look {
    match standing {
        Standing::Pending => Look::Busy,
        Standing::HalfApproved => Look::Warn,
        Standing::Approved => Look::Good,
        Standing::Rejected => Look::Faint,
    }
}

/// `1 hunk`, `3 hunks`.
pub(crate) fn count(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::changes::tests::{other, run};

    #[test]
    fn authors_are_named_with_their_task() {
        assert_eq!(author_words(&run("claude", "b12", "Fix\nlogin")), "claude for b12 “Fix\\nlogin”");
        assert_eq!(author_words(&run("claude", "b12", "")), "claude for b12");
        assert_eq!(author_words(&other(AuthorKind::Person, Some("ada\u{1b}"))), "ada\\u{1b}");
        assert_eq!(author_words(&other(AuthorKind::Vcs, None)), "version control");
    }

    #[test]
    fn what_the_host_writes_for_a_session_was_saved_by_no_editor() {
        let record = other(AuthorKind::Person, Some(RECORD_WRITER));
        assert_eq!(evidence_words(Evidence::Saved, &record), "the host wrote it for the session's record");
        assert_eq!(evidence_words(Evidence::Assigned, &record), "a person said whose it is");
        let person = other(AuthorKind::Person, Some("ada"));
        assert_eq!(evidence_words(Evidence::Saved, &person), "an editor saved this very content");
    }

    #[test]
    fn evidence_is_named_as_on_the_wire() {
        for evidence in [
            Evidence::Assigned,
            Evidence::DeclaredContent,
            Evidence::DeclaredPath,
            Evidence::Saved,
            Evidence::Applied,
            Evidence::VersionControl,
            Evidence::Inferred,
            Evidence::Unwatched,
            Evidence::Nothing,
        ] {
            assert_eq!(serde_json::to_value(evidence).unwrap(), evidence_name(evidence));
        }
    }
}
