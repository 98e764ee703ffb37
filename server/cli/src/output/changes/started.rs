//! What whoever starts working on a task needs to know.

use augment_core::text::visible;
use augment_protocol::changes::Watching;
use augment_protocol::queue::Taken;

use crate::output::table::{Cell, Look, fields};
use crate::output::tasks::{one_line, token_line};
use crate::output::time::length;

/// Whether the token stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Shown,
    Hidden,
}

pub(crate) fn started(taken: &Taken, watching: Option<&Watching>, token: Token) -> String {
    let task = &taken.task;
    let (id, attempt) = (visible(&task.id), task.attempt);
    let mut entries = vec![("run", Cell::styled(&taken.run, Look::Strong))];
    let mut add = |name, value: Option<String>| entries.extend(value.map(|value| (name, Cell::new(value))));
    add("holder", task.holder.clone());
    add("lease", task.lease.as_ref().map(|lease| format!("{} without a heartbeat", length(lease.length_ms))));
    let mut parts = vec![format!("{}\n{}", one_line("Started", task), fields(&entries))];
    parts.extend(watching.map(super::watching));
    if token == Token::Shown {
        let heading = Look::Strong.paint("For the agent that works on it, and only there");
        parts.push(format!("{heading}\n  {}", token_line(&taken.token)));
    }
    parts.push(format!(
        "{}\n  augment-cli changes list --task-id {id}\n  augment-cli changes approve --task-id {id}\n  \
         augment-cli changes reject --task-id {id}\n  augment-cli queue complete {id} --attempt {attempt} --result \"…\"",
        Look::Strong.paint("Go on with")
    ));
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use augment_protocol::changes::WatchState;

    use super::*;
    use crate::output::plain;
    use crate::output::tasks::tests::task;

    #[test]
    fn it_says_what_to_do_next() {
        let mut taken = Taken { task: task("b12", "Refactor\u{1b}"), run: "b12.1".into(), token: "sesame".into() };
        taken.task.attempt = 1;
        taken.task.holder = Some("ada".into());
        let watching =
            Watching { state: WatchState::Watching, message: "Watching 3 files.".into(), files: 3, folders: 1 };
        assert_eq!(
            plain(&started(&taken, Some(&watching), Token::Shown)),
            "Started b12  Refactor\\u{1b}  (medium)\n\
             run     b12.1\n\
             holder  ada\n\n\
             Watching 3 files.\n\n\
             For the agent that works on it, and only there\n  \
               export AUGMENT_TOKEN=sesame\n\n\
             Go on with\n  \
               augment-cli changes list --task-id b12\n  \
               augment-cli changes approve --task-id b12\n  \
               augment-cli changes reject --task-id b12\n  \
               augment-cli queue complete b12 --attempt 1 --result \"…\""
        );
        assert!(!started(&taken, None, Token::Hidden).contains("sesame"));
    }
}
