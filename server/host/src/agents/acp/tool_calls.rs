//! The tool calls of an agent, as far as they are known: what each is called, and which files it says it writes.
//!
//! A file is claimed when the agent says that the call works or is done, and again when leave for it has been given: it
//! writes only then, and a claim does not wait for ever. A call that waits, or of which it is not said whether it waits,
//! claims nothing.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use super::detail::{bounded, detail};
use super::meaning::{CallKind, CallNews, CallStep, Extent};
use crate::agents::adapter::{Said, Voice};

/// So many calls are remembered; for another the oldest that has ended is let go, or else the oldest.
pub(super) const CALLS: usize = 1_024;
/// So many files of one call are remembered.
const FILES: usize = 256;
/// So much of what calls are to write is remembered, of all together. Beyond that only the path is claimed.
pub(super) const CONTENT_BYTES: usize = 8 * 1_024 * 1_024;
const TITLE_CHARS: usize = 200;
/// The most of a tool's output that is passed on.
const OUTPUT_BYTES: usize = 4 * 1_024;

#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    calls: HashMap<String, Call>,
    /// Their ids, oldest first.
    order: VecDeque<String>,
    /// How much content is held.
    held_bytes: usize,
}

#[derive(Debug, Default)]
struct Call {
    title: String,
    changes_files: bool,
    files: Vec<File>,
    detail: String,
    announced: bool,
    /// Whoever was asked said no, so that its end is not a failure.
    refused: bool,
    ended: bool,
}

#[derive(Debug)]
struct File {
    path: PathBuf,
    content: Option<Vec<u8>>,
    /// It is written, as far as is known; else it is only touched upon.
    written: bool,
    claimed: bool,
}

/// What a person has to know to give leave for a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct About {
    pub(super) title: String,
    pub(super) detail: String,
    pub(super) paths: Vec<PathBuf>,
}

impl ToolCalls {
    /// Takes in what is newly known, and returns what is to be told of it.
    pub(super) fn heard(&mut self, news: CallNews, cwd: &Path) -> Vec<Said> {
        let (step, id) = (news.step, news.call.clone());
        let text = news.text.as_ref().map(|text| bounded(text, OUTPUT_BYTES));
        let mut said = Vec::new();
        let call = self.learn(news, cwd);
        if call.ended {
            return said;
        }
        if !call.announced && !call.title.is_empty() {
            call.announced = true;
            said.push(Said::Spoke { voice: Voice::Tool, text: format!("{}\n", call.title) });
        }
        match step {
            None | Some(CallStep::Waits) => {}
            Some(CallStep::Works) => said.extend(call.claims()),
            Some(CallStep::Done) => {
                said.extend(call.claims());
                said.extend(text.map(|text| Said::Spoke { voice: Voice::Tool, text: text + "\n" }));
                said.push(Said::Worked { title: call.shown_title() });
                self.end(&id);
            }
            Some(CallStep::Failed) => {
                let message = text.unwrap_or_default();
                said.push(if call.refused {
                    Said::Spoke { voice: Voice::Tool, text: format!("refused: {}\n", call.shown_title()) }
                } else {
                    Said::Failed { title: call.shown_title(), message }
                });
                self.end(&id);
            }
        }
        said
    }

    /// What is asked about in a question that tells this of a call.
    pub(super) fn asked(&mut self, news: CallNews, cwd: &Path) -> About {
        let call = self.learn(news, cwd);
        let written = call.files.iter().filter(|file| file.written || call.changes_files);
        About {
            title: call.shown_title(),
            detail: call.detail.clone(),
            paths: written.map(|file| file.path.clone()).collect(),
        }
    }

    /// Leave was given: it writes now.
    pub(super) fn allowed(&mut self, id: &str) -> Vec<Said> {
        let Some(call) = self.calls.get_mut(id) else { return Vec::new() };
        for file in &mut call.files {
            file.claimed = false;
        }
        call.claims()
    }

    pub(super) fn refused(&mut self, id: &str) {
        if let Some(call) = self.calls.get_mut(id) {
            call.refused = true;
        }
    }

    fn learn(&mut self, news: CallNews, cwd: &Path) -> &mut Call {
        if !self.calls.contains_key(&news.call) {
            self.make_room();
            self.order.push_back(news.call.clone());
        }
        let call = self.calls.entry(news.call.clone()).or_default();
        if call.ended {
            return call;
        }
        if let Some(detail) = detail(&news) {
            call.detail = detail;
        }
        if let Some(title) = &news.title {
            call.title = augment_core::text::shortened(title, TITLE_CHARS).into_owned();
        }
        if let Some(kind) = news.kind {
            call.changes_files = kind == CallKind::ChangesFiles;
        }
        for path in news.places {
            call.file(cwd.join(path));
        }
        for change in news.changes {
            let Some(file) = call.file(cwd.join(change.path)) else { break };
            file.written = true;
            let content = match change.extent {
                Extent::Whole => Some(change.after.into_bytes()),
                Extent::Part => None,
            };
            self.held_bytes -= file.content.as_ref().map_or(0, Vec::len);
            let content = content.filter(|content| self.held_bytes + content.len() <= CONTENT_BYTES);
            self.held_bytes += content.as_ref().map_or(0, Vec::len);
            if file.content != content {
                file.claimed = false;
                file.content = content;
            }
        }
        call
    }

    /// Of a call that has ended only the title stays.
    fn end(&mut self, id: &str) {
        let Some(call) = self.calls.get_mut(id) else { return };
        self.held_bytes -= call.held_bytes();
        let title = std::mem::take(&mut call.title);
        *call = Call { title, ended: true, ..Call::default() };
    }

    fn make_room(&mut self) {
        if self.order.len() < CALLS {
            return;
        }
        let ended = self.order.iter().position(|id| self.calls.get(id).is_none_or(|call| call.ended));
        let oldest = self.order.remove(ended.unwrap_or(0));
        if let Some(call) = oldest.and_then(|id| self.calls.remove(&id)) {
            self.held_bytes -= call.held_bytes();
        }
    }
}

impl Call {
    fn shown_title(&self) -> String {
        if self.title.is_empty() { "a tool call".to_owned() } else { self.title.clone() }
    }

    fn held_bytes(&self) -> usize {
        self.files.iter().filter_map(|file| file.content.as_ref()).map(Vec::len).sum()
    }

    fn file(&mut self, path: PathBuf) -> Option<&mut File> {
        let known = self.files.iter().position(|file| file.path == path);
        let place = match known {
            Some(place) => place,
            None if self.files.len() >= FILES => return None,
            None => {
                self.files.push(File { path, content: None, written: false, claimed: false });
                self.files.len() - 1
            }
        };
        self.files.get_mut(place)
    }

    fn claims(&mut self) -> Vec<Said> {
        let changes_files = self.changes_files;
        let unclaimed = self.files.iter_mut().filter(|file| !file.claimed && (file.written || changes_files));
        let claim = |file: &mut File| {
            file.claimed = true;
            Said::Writes { path: file.path.clone(), content: file.content.clone() }
        };
        unclaimed.map(claim).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::acp::meaning::Change;

    fn news(call: &str, step: Option<CallStep>) -> CallNews {
        CallNews { call: call.to_owned(), title: Some(format!("call {call}")), step, ..CallNews::default() }
    }

    fn writing(call: &str, step: Option<CallStep>, bytes: usize) -> CallNews {
        let after = "x".repeat(bytes);
        let change = Change { path: "a".into(), before: None, after, extent: Extent::Whole };
        CallNews { changes: vec![change], ..news(call, step) }
    }

    fn claims(said: &[Said]) -> usize {
        said.iter().filter(|said| matches!(said, Said::Writes { .. })).count()
    }

    #[test]
    fn calls_are_let_go_those_first_that_have_ended() {
        let mut calls = ToolCalls::default();
        let cwd = Path::new("/w");
        calls.heard(news("open", Some(CallStep::Works)), cwd);
        for number in 0..3 * CALLS {
            calls.heard(news(&number.to_string(), Some(CallStep::Works)), cwd);
            calls.heard(news(&number.to_string(), Some(CallStep::Done)), cwd);
        }
        assert_eq!((calls.calls.len(), calls.order.len()), (CALLS, CALLS));
        let said = calls.heard(CallNews { title: None, ..news("open", Some(CallStep::Done)) }, cwd);
        assert_eq!(said, [Said::Worked { title: "call open".to_owned() }]);
        for number in 0..2 * CALLS {
            calls.heard(news(&format!("never ends {number}"), Some(CallStep::Works)), cwd);
        }
        assert_eq!((calls.calls.len(), calls.order.len()), (CALLS, CALLS));
    }

    #[test]
    fn content_is_held_up_to_a_limit_and_beyond_it_the_path_is_claimed() {
        let mut calls = ToolCalls::default();
        let cwd = Path::new("/w");
        let half = CONTENT_BYTES / 2;
        calls.heard(writing("1", None, half), cwd);
        calls.heard(writing("2", None, half), cwd);
        let said = calls.heard(writing("3", Some(CallStep::Works), 1), cwd);
        assert_eq!(said[1], Said::Writes { path: "/w/a".into(), content: None });
        calls.heard(news("1", Some(CallStep::Failed)), cwd);
        assert_eq!(calls.held_bytes, half);
        let said = calls.heard(writing("4", Some(CallStep::Done), 1), cwd);
        assert_eq!(said[1], Said::Writes { path: "/w/a".into(), content: Some(b"x".to_vec()) });
        for number in 0..2 * CALLS {
            calls.heard(writing(&format!("open {number}"), None, 10_000), cwd);
        }
        assert!(calls.held_bytes <= CONTENT_BYTES);
        assert_eq!(calls.held_bytes, calls.calls.values().map(Call::held_bytes).sum::<usize>());
    }

    #[test]
    fn a_file_is_claimed_once_and_again_when_leave_is_given_or_the_content_is_another() {
        let mut calls = ToolCalls::default();
        let cwd = Path::new("/w");
        assert_eq!(claims(&calls.heard(writing("1", None, 1), cwd)), 0);
        assert_eq!(claims(&calls.heard(writing("1", Some(CallStep::Waits), 1), cwd)), 0);
        assert_eq!(claims(&calls.heard(writing("1", Some(CallStep::Works), 1), cwd)), 1);
        assert_eq!(claims(&calls.heard(writing("1", Some(CallStep::Works), 1), cwd)), 0);
        assert_eq!(claims(&calls.heard(writing("1", Some(CallStep::Works), 2), cwd)), 1);
        assert_eq!(claims(&calls.allowed("1")), 1);
        assert_eq!(claims(&calls.heard(writing("1", Some(CallStep::Done), 2), cwd)), 0);
        assert_eq!(calls.heard(writing("1", Some(CallStep::Done), 3), cwd), []);
    }
}
