//! From the events of one element to a report. Elements that reports do not have are passed over with all that is in
//! them; inside a field, only the tags are passed over and their text stays, so that a summary keeps its words.

use super::problem::Problem;
use super::xml::{Attribute, Event, Fault, Reader};
use super::{AgentName, Choice, DecisionPoint, Metric, NextStep, Report, Status};
use crate::text::shortened;

/// The most text that one field may have.
pub const MAX_FIELD_BYTES: usize = 64 << 10;
/// How many elements that reports do not have are told of one report, and how much of such a name.
pub const MAX_UNKNOWN: usize = 20;
const MAX_NAME: usize = 60;

/// What an element of the right name turned out to be.
#[derive(Debug)]
pub(super) enum Outcome {
    Report {
        report: Report,
        /// The first elements that reports do not have, in their order.
        unknown: Vec<UnknownElement>,
    },
    /// It has attributes and none of a report's elements: some other program's element.
    Other,
    Broken {
        at: usize,
        problem: Problem,
    },
}

#[derive(Debug)]
pub(super) struct UnknownElement {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) left: Left,
}

/// What is left of an element that reports do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It stands in a field: its tags are passed over, its text is kept.
    Text,
    /// It is passed over with all that is in it.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Reading {
    pub(super) outcome: Outcome,
    /// Up to where the text has been read.
    pub(super) resume: usize,
    /// The element was read to its end, which is `resume`.
    pub(super) is_whole: bool,
    pub(super) steps: u64,
}

/// Reads the element that begins at `start`, and nothing from `limit` on.
pub(super) fn read(text: &[u8], start: usize, limit: usize) -> Reading {
    let mut reader = Reader::new(text, start, limit);
    let mut draft = Draft::default();
    let fault = loop {
        match reader.next() {
            Ok(Some(event)) => draft.take(event),
            Ok(None) => break None,
            Err(fault) => break Some(fault),
        }
    };
    let (resume, is_whole) = fault.as_ref().map_or((reader.at(), true), |fault| (fault.resume, false));
    Reading { outcome: draft.outcome(start, fault), resume, is_whole, steps: reader.steps }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Report,
    Status,
    Agent,
    Timestamp,
    Summary,
    Metrics,
    Metric,
    NextSteps,
    Recommend,
    Reason,
    DecisionPoints,
    Decision,
    Question,
    Options,
    Option,
    Recommendation,
    Unknown,
}

impl Element {
    fn inside(parent: Option<Self>, name: &str) -> Self {
        match (parent, name) {
            (None, _) => Self::Report,
            (Some(Self::Report), "status") => Self::Status,
            (Some(Self::Report), "agent") => Self::Agent,
            (Some(Self::Report), "timestamp") => Self::Timestamp,
            (Some(Self::Report), "summary") => Self::Summary,
            (Some(Self::Report), "metrics") => Self::Metrics,
            (Some(Self::Report), "next_steps") => Self::NextSteps,
            (Some(Self::Report), "decision_points") => Self::DecisionPoints,
            (Some(Self::Metrics), "metric") => Self::Metric,
            (Some(Self::NextSteps), "recommend") => Self::Recommend,
            (Some(Self::NextSteps), "reason") => Self::Reason,
            (Some(Self::DecisionPoints), "decision") => Self::Decision,
            (Some(Self::Decision), "question") => Self::Question,
            (Some(Self::Decision), "options") => Self::Options,
            (Some(Self::Decision), "recommendation") => Self::Recommendation,
            (Some(Self::Options), "option") => Self::Option,
            (Some(_), _) => Self::Unknown,
        }
    }

    /// The name of an element whose text is a field of the report.
    fn field(self) -> Option<&'static str> {
        match self {
            Self::Status => Some("status"),
            Self::Agent => Some("agent"),
            Self::Timestamp => Some("timestamp"),
            Self::Summary => Some("summary"),
            Self::Metric => Some("metric"),
            Self::Recommend => Some("recommend"),
            Self::Reason => Some("reason"),
            Self::Question => Some("question"),
            Self::Option => Some("option"),
            Self::Recommendation => Some("recommendation"),
            Self::Report
            | Self::Metrics
            | Self::NextSteps
            | Self::DecisionPoints
            | Self::Decision
            | Self::Options
            | Self::Unknown => None,
        }
    }
}

/// A field whose element is open.
struct Field {
    element: Element,
    name: &'static str,
    at: usize,
    depth: usize,
    /// `name` of a metric, `value` of an option.
    attribute: Option<String>,
    text: String,
}

/// A decision whose element is open.
#[derive(Default)]
struct Undecided {
    at: usize,
    question: Option<String>,
    options: Vec<Choice>,
    recommendation: Option<String>,
}

#[derive(Default)]
struct Draft {
    path: Vec<Element>,
    field: Option<Field>,
    decision: Option<Undecided>,
    has_attributes: bool,
    has_elements: bool,
    status: Option<Status>,
    has_status: bool,
    agent: Option<String>,
    timestamp: Option<String>,
    summary: Option<String>,
    metrics: Vec<Metric>,
    next_steps: Vec<NextStep>,
    /// The last recommendation named nobody, so a reason behind it is no one's.
    names_nobody: bool,
    decisions: Vec<DecisionPoint>,
    unknown: Vec<UnknownElement>,
    /// The first thing that is wrong although the XML is right.
    wrong: Option<(usize, Problem)>,
}

impl Draft {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start { name, attributes, at } => self.begin(name, attributes, at),
            Event::Text(text) => self.add(&text),
            Event::End => self.end(),
        }
    }

    fn begin(&mut self, name: &str, attributes: Vec<Attribute<'_>>, at: usize) {
        let parent = self.path.last().copied();
        let element = Element::inside(parent, name);
        self.path.push(element);
        match element {
            Element::Report => self.has_attributes = !attributes.is_empty(),
            // What is in an unknown element goes its way.
            Element::Unknown if parent == Some(Element::Unknown) => {}
            Element::Unknown => self.wonder(name, at),
            Element::Decision => self.decision = Some(Undecided { at, ..Undecided::default() }),
            Element::Status
            | Element::Agent
            | Element::Timestamp
            | Element::Summary
            | Element::Metrics
            | Element::Metric
            | Element::NextSteps
            | Element::Recommend
            | Element::Reason
            | Element::DecisionPoints
            | Element::Question
            | Element::Options
            | Element::Option
            | Element::Recommendation => self.has_elements = true,
        }
        if let Some(name) = element.field() {
            let wanted = if element == Element::Metric { "name" } else { "value" };
            let attribute = attributes.into_iter().find(|attribute| attribute.name == wanted);
            let attribute = attribute.map(|attribute| attribute.value.trim().to_owned());
            self.field = Some(Field { element, name, at, depth: self.path.len(), attribute, text: String::new() });
        }
    }

    fn wonder(&mut self, name: &str, at: usize) {
        if self.unknown.len() < MAX_UNKNOWN {
            let left = if self.field.is_some() { Left::Text } else { Left::Nothing };
            let name = shortened(name, MAX_NAME).into_owned();
            self.unknown.push(UnknownElement { at, name, left });
        }
    }

    fn add(&mut self, text: &str) {
        let Some(field) = &mut self.field else { return };
        if field.text.len() + text.len() <= MAX_FIELD_BYTES {
            field.text.push_str(text);
        } else {
            let (at, problem) = (field.at, Problem::FieldTooLong { name: field.name });
            self.note(at, problem);
        }
    }

    fn end(&mut self) {
        let depth = self.path.len();
        let element = self.path.pop();
        if let Some(field) = self.field.take_if(|field| field.depth == depth) {
            self.fill(field);
        }
        if element == Some(Element::Decision) {
            self.close_decision();
        }
    }

    fn fill(&mut self, field: Field) {
        let text = field.text.trim().to_owned();
        let decision = self.decision.as_mut();
        let twice = match field.element {
            Element::Status => {
                let twice = std::mem::replace(&mut self.has_status, true);
                self.status = Status::from_word(&text);
                if self.status.is_none() {
                    self.note(field.at, Problem::BadStatus { value: text });
                }
                twice
            }
            Element::Agent => self.agent.replace(text).is_some(),
            Element::Timestamp => self.timestamp.replace(text).is_some(),
            Element::Summary => self.summary.replace(text).is_some(),
            Element::Metric => {
                self.measure(field.at, field.attribute.unwrap_or_default(), text);
                false
            }
            Element::Recommend => {
                let agent = AgentName::new(&text);
                self.names_nobody = agent.is_none();
                self.next_steps.extend(agent.map(|agent| NextStep { agent, reason: None }));
                false
            }
            Element::Reason => {
                self.explain(text);
                false
            }
            Element::Question => decision.is_some_and(|decision| decision.question.replace(text).is_some()),
            Element::Recommendation => decision.is_some_and(|decision| decision.recommendation.replace(text).is_some()),
            Element::Option => {
                let choice = choice(field.attribute.unwrap_or_default(), text);
                if let Some(decision) = decision {
                    decision.options.extend(choice);
                }
                false
            }
            Element::Report
            | Element::Metrics
            | Element::NextSteps
            | Element::DecisionPoints
            | Element::Decision
            | Element::Options
            | Element::Unknown => false,
        };
        if twice {
            self.note(field.at, Problem::Twice { name: field.name });
        }
    }

    fn measure(&mut self, at: usize, name: String, value: String) {
        if !name.is_empty() {
            self.metrics.push(Metric { name, value });
        } else if !value.is_empty() {
            self.note(at, Problem::NamelessMetric);
        }
    }

    /// A reason belongs to the recommendation before it. One that follows none says nothing that a report has a place for.
    fn explain(&mut self, text: String) {
        let Some(step) = self.next_steps.last_mut().filter(|_| !self.names_nobody && !text.is_empty()) else { return };
        step.reason = Some(match step.reason.take() {
            Some(before) => format!("{before}\n{text}"),
            None => text,
        });
    }

    fn close_decision(&mut self) {
        let Some(decision) = self.decision.take() else { return };
        let recommendation = decision.recommendation.filter(|text| !text.is_empty());
        match decision.question.filter(|text| !text.is_empty()) {
            Some(question) => {
                self.decisions.push(DecisionPoint { question, options: decision.options, recommendation });
            }
            None if decision.options.is_empty() && recommendation.is_none() => {}
            None => self.note(decision.at, Problem::NoQuestion),
        }
    }

    fn note(&mut self, at: usize, problem: Problem) {
        self.wrong.get_or_insert((at, problem));
    }

    fn outcome(self, start: usize, fault: Option<Fault>) -> Outcome {
        if self.has_attributes && !self.has_elements {
            return Outcome::Other;
        }
        let fault = fault.map(|fault| (fault.at, fault.problem));
        // What comes first in the text is told, since the rest may follow from it.
        let first = [self.wrong, fault].into_iter().flatten().min_by_key(|(at, _)| *at);
        match (first, self.status) {
            (Some((at, problem)), _) => Outcome::Broken { at, problem },
            (None, None) => Outcome::Broken { at: start, problem: Problem::NoStatus },
            (None, Some(status)) => {
                let report = Report {
                    status,
                    agent: self.agent.and_then(|name| AgentName::new(&name)),
                    timestamp: self.timestamp.filter(|text| !text.is_empty()),
                    summary: self.summary.unwrap_or_default(),
                    metrics: self.metrics,
                    next_steps: self.next_steps,
                    decisions: self.decisions,
                };
                Outcome::Report { report, unknown: self.unknown }
            }
        }
    }
}

fn choice(value: String, text: String) -> Option<Choice> {
    match (value.is_empty(), text.is_empty()) {
        (true, true) => None,
        (true, false) => Some(Choice { value: text.clone(), text }),
        (false, true) => Some(Choice { text: value.clone(), value }),
        (false, false) => Some(Choice { value, text }),
    }
}
