//! `requirements.txt` and `pyproject.toml`, the latter with the tables of PEP 621, of dependency groups and of Poetry.

use super::toml::{Entry, Item, Source, items, names, without_comment};
use super::{Unpinned, columns, is_commit, position, without_quotes};
use crate::scan::rules;

pub(super) fn requirements(lines: &[&[u8]], unpinned: &mut Unpinned) {
    let mut continued = false;
    for (at, line) in lines.iter().enumerate() {
        let goes_on = line.trim_ascii_end().ends_with(b"\\");
        let begins = !std::mem::replace(&mut continued, goes_on);
        let text = without_remark(line);
        let text = text.strip_suffix(b"\\").unwrap_or(text).trim_ascii();
        if !begins || text.is_empty() {
            continue;
        }
        if let Some(rest) = text.strip_prefix(b"-e").or_else(|| text.strip_prefix(b"--editable")) {
            let source = rest.trim_ascii_start().strip_prefix(b"=").unwrap_or(rest).trim_ascii();
            judge_url(at, columns(line, text), source, source, unpinned);
        } else if text[0] != b'-' {
            requirement(at, line, text, unpinned);
        }
    }
}

/// A comment begins a line or follows a blank: a `#` in an address is part of it.
fn without_remark(line: &[u8]) -> &[u8] {
    let remark =
        line.iter().enumerate().position(|(at, byte)| *byte == b'#' && (at == 0 || line[at - 1].is_ascii_whitespace()));
    line[..remark.unwrap_or(line.len())].trim_ascii()
}

/// `name[extra] ==1.2 ; marker` or `name @ address`.
fn requirement(at: usize, line: &[u8], text: &[u8], unpinned: &mut Unpinned) {
    let text = text.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let end = text.iter().position(|byte| !is_name(byte)).unwrap_or(text.len());
    let name = &text[..end];
    let mut rest = text[end..].trim_ascii();
    if rest.starts_with(b"[") {
        let close = rest.iter().position(|byte| *byte == b']').map_or(rest.len(), |at| at + 1);
        rest = rest[close..].trim_ascii();
    }
    if name.is_empty() || matches!(rest.first(), Some(b':' | b'/' | b'+')) {
        judge_url(at, columns(line, text), text, text, unpinned);
    } else if let Some(address) = rest.strip_prefix(b"@") {
        judge_url(at, columns(line, text), name, address.trim_ascii(), unpinned);
    } else {
        let rest = rest.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")).unwrap_or(rest);
        let specifier = rest
            .split(|byte| byte.is_ascii_whitespace())
            .find(|part| part.starts_with(b"--"))
            .map_or(rest, |option| &rest[..columns(rest, option).0]);
        judge_version(at, columns(line, text), name, specifier.trim_ascii(), unpinned);
    }
}

fn judge_version(at: usize, columns: (usize, usize), name: &[u8], specifier: &[u8], unpinned: &mut Unpinned) {
    let exact = specifier.starts_with(b"==") && !specifier.contains(&b'*') && !specifier.contains(&b',');
    if exact {
        return;
    }
    let above = specifier.starts_with(b"~") || specifier.starts_with(b"==") || specifier.contains(&b'<');
    if above {
        unpinned.tell(at, columns, &rules::PYTHON_RANGED, name, "is given as a range of versions, not as one");
    } else {
        unpinned.tell(at, columns, &rules::PYTHON_UNPINNED, name, "is not pinned to a version");
    }
}

/// A version from an address must have a hash or a commit; a folder beside the manifest is ours.
fn judge_url(at: usize, columns: (usize, usize), name: &[u8], address: &[u8], unpinned: &mut Unpinned) {
    let local = !address.windows(3).any(|part| part == b"://") || address.starts_with(b"file:");
    let hashed = address.windows(8).any(|part| part == b"#sha256=" || part == b"&sha256=");
    let end = address.iter().position(|byte| *byte == b'#').unwrap_or(address.len());
    let commit =
        address[..end].iter().rposition(|byte| *byte == b'@').is_some_and(|at| is_commit(&address[at + 1..end]));
    if local || hashed || commit {
        return;
    }
    // An address may hold a password, so it is not named.
    let name = if name == address { b"A package".as_slice() } else { name };
    unpinned.tell(at, columns, &rules::PYTHON_UNPINNED, name, "comes from an address without a hash or a commit");
}

pub(super) fn pyproject(lines: &[&[u8]], unpinned: &mut Unpinned) {
    for item in items(lines) {
        let Item::Entry(entry) = item else { continue };
        let section: Vec<&[u8]> = entry.section.iter().map(Vec::as_slice).collect();
        match &section[..] {
            [b"project"] if entry.key == b"dependencies" => array(lines, &entry, unpinned),
            [b"project", b"optional-dependencies"] | [b"dependency-groups"] => array(lines, &entry, unpinned),
            [b"tool", b"poetry", b"dependencies" | b"dev-dependencies"]
            | [b"tool", b"poetry", b"group", _, b"dependencies"] => {
                poetry(lines, &entry, unpinned);
            }
            _ => {}
        }
    }
}

/// The texts of an array, each a requirement.
fn array(lines: &[&[u8]], entry: &Entry<'_>, unpinned: &mut Unpinned) {
    for (at, line) in lines.iter().enumerate().skip(entry.line).take(entry.lines) {
        let mut rest = if at == entry.line { entry.value } else { without_comment(line) };
        while let Some(open) = position(rest, |byte| matches!(byte, b'"' | b'\'')) {
            let quote = rest[open];
            let inside = &rest[open + 1..];
            let Some(close) = position(inside, |byte| byte == quote) else { break };
            let included = rest[..open].trim_ascii_end().ends_with(b"=");
            if !included && close > 0 {
                requirement(at, line, &inside[..close], unpinned);
            }
            rest = &inside[close + 1..];
        }
    }
}

fn poetry(lines: &[&[u8]], entry: &Entry<'_>, unpinned: &mut Unpinned) {
    let name = names(entry.key).swap_remove(0);
    if name == b"python" || entry.value.starts_with(b"[") || entry.lines > 1 {
        return;
    }
    let line = lines[entry.line];
    let Source { version, git, fixed, elsewhere } = Source::of_value(entry.line, entry.value);
    let whole = columns(line, line.trim_ascii());
    if elsewhere {
        return;
    }
    if git.is_some() {
        if !fixed {
            unpinned.tell(entry.line, whole, &rules::PYTHON_UNPINNED, &name, "comes from git without a rev or a tag");
        }
        return;
    }
    let text = version.map_or(&b""[..], |(_, version)| without_quotes(version));
    // Poetry takes a bare number for exactly that version.
    let exact = text.first().is_some_and(u8::is_ascii_digit)
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
    if exact {
        return;
    }
    let ranged = text.starts_with(b"^") || text.first().is_some_and(u8::is_ascii_digit);
    judge_version(entry.line, whole, &name, if ranged { b"~" } else { text }, unpinned);
}
