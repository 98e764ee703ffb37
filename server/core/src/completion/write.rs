//! Writing a report in its one form. What is written is always well formed, can be printed without steering a screen,
//! and is read back as the same report: `find` gives what `write` was given, with its text trimmed. Characters that XML
//! cannot hold are spelled out (`\u{1b}`), and what says nothing (a metric without a name, a decision without a
//! question) is not written.

use std::fmt::{self, Write as _};

use super::xml::{REPORT, is_xml};
use super::{DecisionPoint, Report};
use crate::text::is_unseen;

#[must_use]
pub fn write(report: &Report) -> String {
    let mut out = String::new();
    write_to(&mut out, report).expect("writing to a string cannot fail");
    out
}

fn write_to(out: &mut String, report: &Report) -> fmt::Result {
    writeln!(out, "<{REPORT}>")?;
    writeln!(out, "  <status>{}</status>", report.status.word())?;
    if let Some(agent) = &report.agent {
        writeln!(out, "  <agent>{}</agent>", Text(&agent.to_string()))?;
    }
    if let Some(timestamp) = said(report.timestamp.as_deref()) {
        writeln!(out, "  <timestamp>{}</timestamp>", Text(timestamp))?;
    }
    writeln!(out, "  <summary>{}</summary>", Text(&report.summary))?;
    let metrics: Vec<_> = report.metrics.iter().filter(|metric| !metric.name.trim().is_empty()).collect();
    if !metrics.is_empty() {
        writeln!(out, "  <metrics>")?;
        for metric in metrics {
            writeln!(out, "    <metric name=\"{}\">{}</metric>", Value(&metric.name), Text(&metric.value))?;
        }
        writeln!(out, "  </metrics>")?;
    }
    if !report.next_steps.is_empty() {
        writeln!(out, "  <next_steps>")?;
        for step in &report.next_steps {
            writeln!(out, "    <recommend>{}</recommend>", Text(&step.agent.to_string()))?;
            if let Some(reason) = said(step.reason.as_deref()) {
                writeln!(out, "    <reason>{}</reason>", Text(reason))?;
            }
        }
        writeln!(out, "  </next_steps>")?;
    }
    let decisions: Vec<_> = report.decisions.iter().filter(|point| !point.question.trim().is_empty()).collect();
    if !decisions.is_empty() {
        writeln!(out, "  <decision_points>")?;
        for point in decisions {
            write_decision(out, point)?;
        }
        writeln!(out, "  </decision_points>")?;
    }
    writeln!(out, "</{REPORT}>")
}

fn write_decision(out: &mut String, point: &DecisionPoint) -> fmt::Result {
    writeln!(out, "    <decision>")?;
    writeln!(out, "      <question>{}</question>", Text(&point.question))?;
    if !point.options.is_empty() {
        writeln!(out, "      <options>")?;
        for choice in &point.options {
            writeln!(out, "        <option value=\"{}\">{}</option>", Value(&choice.value), Text(&choice.text))?;
        }
        writeln!(out, "      </options>")?;
    }
    if let Some(recommendation) = said(point.recommendation.as_deref()) {
        writeln!(out, "      <recommendation>{}</recommendation>", Text(recommendation))?;
    }
    writeln!(out, "    </decision>")
}

fn said(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// Text of an element: line breaks and tabs stay as they are.
struct Text<'a>(&'a str);

/// The value of an attribute, in which a reader would make blanks of line breaks and tabs.
struct Value<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(f, self.0.trim(), |c| matches!(c, '\n' | '\t'))
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(f, self.0.trim(), |_| false)
    }
}

fn escape(f: &mut fmt::Formatter<'_>, text: &str, stays: fn(char) -> bool) -> fmt::Result {
    for c in text.chars() {
        match c {
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            c if !is_xml(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c if is_unseen(c) && !stays(c) => write!(f, "&#x{:x};", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    Ok(())
}
