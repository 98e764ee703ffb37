//! What the model takes for a good value, and the code of the refusal for a bad one. Written from the limits that the
//! queue states, not from how it checks them.

use crate::queue::Claim;
use crate::settings::SettingChange;

pub(super) type Refused = &'static str;

pub(super) fn claimant(claim: &Claim) -> Result<String, Refused> {
    if claim.lease_ms < 1_000 || claim.lease_ms > 24 * 3_600_000 {
        return Err("bad-duration");
    }
    one_line(&claim.agent, 100)
}

fn hidden(c: char) -> bool {
    c.is_control() || c == '\u{202e}'
}

pub(super) fn one_line(text: &str, limit: usize) -> Result<String, Refused> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("empty-text"),
        length if length > limit => Err("text-too-long"),
        _ if text.chars().any(hidden) => Err("control-character"),
        _ => Ok(text.to_owned()),
    }
}

pub(super) fn clearable(text: &str, limit: usize) -> Result<Option<String>, Refused> {
    if text.trim().is_empty() { Ok(None) } else { one_line(text, limit).map(Some) }
}

pub(super) fn lines(text: &str) -> Result<String, Refused> {
    if text.chars().count() > 65_536 {
        return Err("text-too-long");
    }
    if text.chars().any(|c| hidden(c) && c != '\n' && c != '\t') {
        Err("control-character")
    } else {
        Ok(text.to_owned())
    }
}

pub(super) fn names(values: &[String], limit: usize, length: usize) -> Result<Vec<String>, Refused> {
    if values.len() > limit {
        return Err("too-many");
    }
    let mut names = Vec::new();
    for value in values {
        let name = one_line(value, length)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

pub(super) fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

pub(super) fn priority(name: &str) -> Result<String, Refused> {
    if ["high", "medium", "low"].contains(&name) { Ok(name.to_owned()) } else { Err("unknown-priority") }
}

pub(super) fn limit(limit_ms: Option<i64>) -> Result<Option<i64>, Refused> {
    match limit_ms {
        None | Some(1_000..=2_592_000_000) => Ok(limit_ms),
        Some(_) => Err("bad-duration"),
    }
}

pub(super) fn attempts(count: u32) -> Result<u32, Refused> {
    if count == 0 || count > 1_000 { Err("bad-attempts") } else { Ok(count) }
}

/// The model knows one setting.
pub(super) fn setting(change: &SettingChange) -> Result<(), Refused> {
    if change.key != "queue.maxAttempts" {
        return Err("unknown-setting");
    }
    let number = change.value.as_deref().map(str::parse::<u32>);
    match number {
        None | Some(Ok(1..=1_000)) => Ok(()),
        Some(_) => Err("bad-setting"),
    }
}
