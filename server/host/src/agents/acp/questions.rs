//! Questions of an agent, and what becomes of them: each is answered once, by a person, or with no.

use super::meaning::Question;
use super::{Acp, v1};
use crate::agents::adapter::{Act, AskedOption, Asking, Meaning, Said};

/// So many questions may be open at a time; more are refused.
pub(super) const QUESTIONS: usize = 64;

/// A question that waits for its answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Open {
    /// The request's id as JSON; it is the question's key, too.
    pub(super) id: String,
    pub(super) call: String,
    pub(super) options: Vec<OpenOption>,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct OpenOption {
    pub(super) id: String,
    pub(super) refuses: bool,
}

impl Acp {
    pub(super) fn asked(&mut self, id: &str, question: Question, acts: &mut Vec<Act>) {
        if self.questions.iter().any(|open| open.id == id) {
            // An answer would be one to the first of the two.
            return self.trouble(&format!("asks a second question under the id {id}"), None, acts);
        }
        let call = question.about.call.clone();
        let about = self.calls.asked(question.about, &self.cwd);
        let refuses = |option: &AskedOption| matches!(option.meaning, Meaning::RefuseOnce | Meaning::RefuseAlways);
        let options = question.options.iter();
        let options = options.map(|option| OpenOption { id: option.id.clone(), refuses: refuses(option) }).collect();
        let open = Open { id: id.to_owned(), call, options };
        if self.questions.len() >= QUESTIONS {
            acts.push(Act::Send(open.refusal()));
            return self.trouble(
                &format!("asks more than {QUESTIONS} questions at a time; this one was refused"),
                None,
                acts,
            );
        }
        self.questions.push(open);
        acts.push(Act::Said(Said::Asks(Asking {
            key: id.to_owned(),
            title: about.title,
            detail: about.detail,
            paths: about.paths,
            options: question.options,
        })));
    }

    pub(super) fn answer(&mut self, key: &str, option: Option<&str>) -> Vec<Act> {
        // Somebody may answer while the agent takes the question back.
        let Some(at) = self.questions.iter().position(|open| open.id == key) else { return Vec::new() };
        let open = self.questions.remove(at);
        let chosen = open.options.iter().find(|offered| Some(offered.id.as_str()) == option);
        match chosen {
            Some(offered) if !offered.refuses => {
                let mut acts = vec![Act::Send(v1::answer_chosen(&open.id, &offered.id))];
                acts.extend(self.calls.allowed(&open.call).into_iter().map(Act::Said));
                acts
            }
            Some(offered) => {
                self.calls.refused(&open.call);
                vec![Act::Send(v1::answer_chosen(&open.id, &offered.id))]
            }
            // An option that was not offered is no leave.
            None => {
                self.calls.refused(&open.call);
                vec![Act::Send(open.refusal())]
            }
        }
    }

    pub(super) fn withdraw_all(&mut self, acts: &mut Vec<Act>) {
        acts.extend(self.questions.drain(..).map(|open| Act::Said(Said::Withdrew { key: open.id })));
    }
}

impl Open {
    /// No, in a way that the agent knows.
    fn refusal(&self) -> Vec<u8> {
        match self.options.iter().find(|option| option.refuses) {
            Some(option) => v1::answer_chosen(&self.id, &option.id),
            None => v1::answer_withdrawn(&self.id),
        }
    }
}
