//! What an agent was given and must not be kept: the values of its variables and its token. They are taken out of what it
//! says before anything of that goes into the ledger. What it writes to its output stays as it is, in files of this user only.

use augment_core::run::RunEvent;

const MASK: &str = "•••";
/// A shorter value would be found everywhere.
const SHORTEST: usize = 6;

#[derive(Debug, Clone, Default)]
pub(in crate::agents) struct Secrets(Vec<String>);

impl Secrets {
    pub(in crate::agents) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values.into_iter().filter(|value| value.len() >= SHORTEST).collect();
        // The longest first, so that none is found within another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Self(values)
    }

    fn mask(&self, text: &mut String) {
        for value in &self.0 {
            if text.contains(value.as_str()) {
                *text = text.replace(value.as_str(), MASK);
            }
        }
    }

    pub(super) fn masked(&self, mut event: RunEvent) -> RunEvent {
        match &mut event {
            RunEvent::GaveUp { message }
            | RunEvent::Said { message }
            | RunEvent::Failed { message, .. }
            | RunEvent::Noted { message, .. } => self.mask(message),
            RunEvent::Began { agent: Some(agent) } => self.mask(agent),
            RunEvent::Reported(report) => {
                self.mask(&mut report.summary);
                for metric in &mut report.metrics {
                    self.mask(&mut metric.value);
                }
                for reason in report.next_steps.iter_mut().filter_map(|step| step.reason.as_mut()) {
                    self.mask(reason);
                }
                for point in &mut report.decisions {
                    self.mask(&mut point.question);
                    point.options.iter_mut().for_each(|choice| self.mask(&mut choice.text));
                }
            }
            RunEvent::Wishes(wish) => {
                self.mask(&mut wish.title);
                self.mask(&mut wish.detail);
            }
            RunEvent::Heard(_)
            | RunEvent::Began { agent: None }
            | RunEvent::Exited
            | RunEvent::Gone { .. }
            | RunEvent::TurnBegan
            | RunEvent::TurnEnded(_)
            | RunEvent::Worked
            | RunEvent::Withdrew { .. }
            | RunEvent::TimeUp
            | RunEvent::Used(_) => {}
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_was_given_is_not_kept_of_what_it_says() {
        let secrets = Secrets::new(["hunter2-long".to_owned(), "hunter2".to_owned(), "no".to_owned()]);
        let said = secrets.masked(RunEvent::Said { message: "no: hunter2-long, hunter2".to_owned() });
        assert_eq!(said, RunEvent::Said { message: "no: •••, •••".to_owned() });
    }
}
