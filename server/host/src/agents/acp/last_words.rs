//! Two agents end a turn as if all were well after their model failed, and say so only in words for people. Here are those
//! words, as they were seen, so that such a turn is not taken for one that is done.
//!
//! A text counts only where it is all of the agent's last message: its first words *and* its last ones, so that an agent
//! that speaks about such an error has not had one.

use super::detail::{first, last};
use super::meaning::ModelHealth;

/// Of each end of the last message so much is remembered.
const KEPT_BYTES: usize = 2_048;

/// What the last words mean for the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    /// As its stop reason says.
    AsSaid,
    ModelFailed {
        message: String,
    },
    /// It would go on if it were told to.
    AtLimit,
}

enum Means {
    ModelFailed,
    AtLimit,
}

/// How goose 1.52 ends a turn with `end_turn`: the first and the last words of its message.
const GOOSE: [(&str, &str, Means); 4] = [
    // Statuses 400, 429 and 500 of its provider.
    (
        "Ran into this error: ",
        "Please retry if you think this is a transient or recoverable error.",
        Means::ModelFailed,
    ),
    // A stream that is cut off.
    ("Network error: ", "Please resend your message to try again.", Means::ModelFailed),
    ("The model returned an empty response.", "Please resend your message to continue.", Means::ModelFailed),
    (
        "I've reached the maximum number of actions I can do without user input.",
        "Would you like me to continue?",
        Means::AtLimit,
    ),
];

/// Follows what an agent says until its turn ends.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct LastWords {
    message: Option<String>,
    start: String,
    end: String,
    /// The agent's own word, where it gives one: codex does, and then says the error in its own words.
    model_failed: bool,
}

impl LastWords {
    pub(super) fn spoke(&mut self, message: Option<&str>, text: &str) {
        if message.is_some() && self.message.as_deref() != message {
            self.forget_words();
            self.message = message.map(str::to_owned);
        }
        let room = KEPT_BYTES.saturating_sub(self.start.len());
        self.start.push_str(first(text, room));
        self.end.push_str(last(text, KEPT_BYTES));
        let over = self.end.len() - last(&self.end, KEPT_BYTES).len();
        self.end.drain(..over);
    }

    /// It did something else than speak.
    pub(super) fn worked(&mut self) {
        self.forget_words();
    }

    pub(super) fn model(&mut self, health: ModelHealth) {
        self.forget_words();
        self.model_failed = health == ModelHealth::Failed;
    }

    /// The turn has ended; whatever comes is another one's.
    pub(super) fn ending(&mut self) -> Ending {
        let said = std::mem::take(self);
        let (start, end) = (said.start.trim(), said.end.trim());
        if said.model_failed {
            let message = if start.is_empty() { "The model could not be reached." } else { start };
            return Ending::ModelFailed { message: message.to_owned() };
        }
        match GOOSE.iter().find(|(first, last, _)| start.starts_with(first) && end.ends_with(last)) {
            Some((_, _, Means::ModelFailed)) => Ending::ModelFailed { message: start.to_owned() },
            Some((_, _, Means::AtLimit)) => Ending::AtLimit,
            None => Ending::AsSaid,
        }
    }

    fn forget_words(&mut self) {
        self.message = None;
        self.start.clear();
        self.end.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(chunks: &[(&str, &str)]) -> Ending {
        let mut words = LastWords::default();
        for (message, text) in chunks {
            words.spoke(Some(message), text);
        }
        words.ending()
    }

    fn failed(message: &str) -> Ending {
        Ending::ModelFailed { message: message.to_owned() }
    }

    #[test]
    fn what_goose_says_when_its_model_failed_is_known() {
        for text in [
            "Ran into this error: Request failed: Bad request (400): scripted failure.\n\nPlease retry if you think this is a transient or recoverable error.",
            "Ran into this error: Server error: Server error (500 Internal Server Error) at http://127.0.0.1:46039/v1/chat/completions: scripted failure.\n\nPlease retry if you think this is a transient or recoverable error.",
            "Ran into this error: Rate limit exceeded: scripted failure.\n\nPlease retry if you think this is a transient or recoverable error.",
            "Network error: Network error — check your network connection and try again.\n\nPlease resend your message to try again.",
            "The model returned an empty response. Please resend your message to continue.",
        ] {
            assert_eq!(after(&[("1", "I will edit."), ("2", text)]), failed(text));
            let (one, two) = text.split_at(20);
            assert_eq!(after(&[("2", one), ("2", two)]), failed(text), "in two pieces");
        }
    }

    #[test]
    fn goose_at_its_limit_is_at_a_limit() {
        let text =
            "I've reached the maximum number of actions I can do without user input. Would you like me to continue?";
        assert_eq!(after(&[("msg_1", text)]), Ending::AtLimit);
    }

    #[test]
    fn what_codex_says_after_its_model_failed_is_the_error() {
        for text in [
            "{\"error\":{\"message\":\"scripted failure\",\"type\":\"server_error\",\"code\":400}}\n\n",
            "We’re currently experiencing high demand, which may cause temporary errors.\n\n",
            "stream disconnected before completion: error sending request\n\n",
            "exceeded retry limit, last status: 429 Too Many Requests\n\n",
        ] {
            let mut words = LastWords::default();
            words.spoke(Some("msg_1"), "I patch.");
            words.model(ModelHealth::Failed);
            words.spoke(None, text);
            assert_eq!(words.ending(), failed(text.trim()));
            assert_eq!(words.ending(), Ending::AsSaid, "the next turn is another one");
        }
    }

    #[test]
    fn a_model_that_works_again_has_not_failed() {
        let mut words = LastWords::default();
        words.model(ModelHealth::Failed);
        words.model(ModelHealth::Works);
        words.spoke(Some("1"), "Done.");
        assert_eq!(words.ending(), Ending::AsSaid);
    }

    #[test]
    fn an_agent_that_speaks_about_such_an_error_has_not_had_one() {
        let quote = "Ran into this error: x.\n\nPlease retry if you think this is a transient or recoverable error.";
        assert_eq!(after(&[("1", &format!("I have put this text into the page: {quote}"))]), Ending::AsSaid);
        assert_eq!(after(&[("1", &format!("{quote} That is what it says now."))]), Ending::AsSaid);
        assert_eq!(after(&[("1", quote), ("2", "Then it went well.")]), Ending::AsSaid);
        let mut words = LastWords::default();
        words.spoke(None, quote);
        words.worked();
        assert_eq!(words.ending(), Ending::AsSaid);
    }

    #[test]
    fn long_messages_are_not_kept() {
        let mut words = LastWords::default();
        for _ in 0..1_000 {
            words.spoke(None, &"ä€".repeat(1_000));
        }
        assert!(words.start.len() <= KEPT_BYTES && words.end.len() <= KEPT_BYTES);
    }
}
