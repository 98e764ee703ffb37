//! Questions of a run that somebody follows in a terminal: shown once each, and answered there with a line.
//!
//! A line answers only the question that was put last and that is still open when the line comes; what was typed before it
//! was put is thrown away. Nothing waits for the person: the run is followed on meanwhile.

use std::collections::BTreeSet;
use std::io;

use augment_protocol::agents::{AnswerQuestion, Question};
use augment_protocol::methods::QuestionAnswered;
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};
use tokio::sync::oneshot::{self, error::TryRecvError};

use super::talk::meant;
use crate::client::Client;
use crate::commands::ask::read_line;
use crate::commands::{Failure, Session, now_ms};
use crate::output::{Format, runs};

#[derive(Debug, Default)]
pub(super) struct Answers {
    shown: BTreeSet<String>,
    /// What the person has answered here or left open.
    left: BTreeSet<String>,
    put: Option<Put>,
    /// The input has ended: nobody answers any more.
    is_over: bool,
}

/// A question that waits for a line.
#[derive(Debug)]
struct Put {
    question: String,
    line: oneshot::Receiver<io::Result<Option<String>>>,
}

impl Answers {
    /// Shows what is asked anew, hands on what was typed, and puts the next question.
    pub(super) async fn look(
        &mut self,
        session: &Session,
        client: &mut Client,
        questions: &[Question],
    ) -> Result<(), Failure> {
        if session.output.format() != Format::Human {
            return Ok(());
        }
        let open: Vec<&Question> = questions.iter().filter(|question| question.answer.is_none()).collect();
        for question in &open {
            if self.shown.insert(question.id.clone()) {
                session.output.tell(&runs::question(question, now_ms()));
            }
        }
        self.hear(session, client, &open).await?;
        let next = open.into_iter().find(|question| !self.left.contains(&question.id));
        match next {
            Some(question) if self.put.is_none() && !self.is_over && is_listening(session) => {
                self.put(session, question)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn put(&mut self, session: &Session, question: &Question) -> Result<(), Failure> {
        // What lies there was typed for something else.
        if let Err(error) = tcflush(io::stdin(), QueueSelector::IFlush) {
            tracing::debug!(%error, "what was typed before stays");
        }
        let how = if question.options.is_empty() { "Your answer" } else { "Number or name of your answer" };
        session.output.question(&format!("{how} to {}, or Enter to leave it open:", question.id))?;
        let (tell, line) = oneshot::channel();
        // A thread of its own: a read of a terminal cannot be given up, and must not keep the program from ending.
        std::thread::spawn(move || tell.send(read_line(io::stdin().lock())).unwrap_or_default());
        self.put = Some(Put { question: question.id.clone(), line });
        Ok(())
    }

    /// What was typed, if it was.
    async fn hear(&mut self, session: &Session, client: &mut Client, open: &[&Question]) -> Result<(), Failure> {
        let Some(put) = &mut self.put else { return Ok(()) };
        let line = match put.line.try_recv() {
            Ok(Ok(line)) => line,
            Err(TryRecvError::Empty) => return Ok(()),
            Ok(Err(_)) | Err(TryRecvError::Closed) => None,
        };
        let id = put.question.clone();
        self.put = None;
        let Some(line) = line else {
            self.is_over = true;
            return Ok(());
        };
        let Some(question) = open.iter().find(|question| question.id == id) else {
            session.output.tell(&format!("{id} was answered elsewhere meanwhile; what you typed answers nothing."));
            return Ok(());
        };
        if line.is_empty() {
            session.output.tell(&format!("{id} stays open: `augment-cli agent answer {id} …`."));
            self.left.insert(id);
            return Ok(());
        }
        let (choice, text) =
            if question.options.is_empty() { (None, Some(line)) } else { (Some(meant(question, line)), None) };
        match client.call::<QuestionAnswered>(AnswerQuestion { question: id.clone(), choice, text }).await {
            Ok(answered) => {
                session.output.tell(&runs::answered(&answered));
                // What was shown of it here is older than the answer.
                self.left.insert(id);
            }
            // A refusal says what can be answered; the question is put again.
            Err(error) => match Failure::from(error) {
                Failure::Told { message, code, .. } if code != "disconnected" => {
                    session.output.tell(&runs::plain(&message));
                }
                failure @ (Failure::Told { .. } | Failure::Closed | Failure::Interrupted) => return Err(failure),
            },
        }
        Ok(())
    }
}

/// Whether somebody can be asked here and now: a program in the background that reads its terminal is stopped by it.
fn is_listening(session: &Session) -> bool {
    session.output.can_ask() && tcgetpgrp(io::stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}
