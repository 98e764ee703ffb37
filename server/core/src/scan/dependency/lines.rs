//! Manifests that are read a line at a time: `go.mod`, `Gemfile`, `pom.xml`.

use super::{Unpinned, columns, position, without_quotes};
use crate::scan::line::holds;
use crate::scan::rules;

pub(super) fn go(lines: &[&[u8]], unpinned: &mut Unpinned) {
    let mut block: &[u8] = b"";
    for (at, line) in lines.iter().enumerate() {
        let end = line.windows(2).position(|pair| pair == b"//").unwrap_or(line.len());
        let mut words: Vec<&[u8]> =
            line[..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let directive = match words.first().copied() {
            Some(b")") => {
                block = b"";
                continue;
            }
            Some(word @ (b"require" | b"replace")) => {
                if words.get(1) == Some(&&b"("[..]) {
                    block = if word == b"require" { b"require" } else { b"replace" };
                    continue;
                }
                words.remove(0)
            }
            Some(_) => block,
            None => continue,
        };
        let whole = columns(line, line[..end].trim_ascii());
        let arrow = words.iter().position(|word| *word == b"=>");
        match (directive, &words[..], arrow) {
            (b"require", [name, rest @ ..], _) if !rest.first().is_some_and(|version| is_go_version(version)) => {
                unpinned.tell(at, whole, &rules::GO_UNPINNED, name, "has no version");
            }
            (b"replace", [name, ..], Some(arrow)) => {
                let target = words.get(arrow + 1).copied().unwrap_or_default();
                let local = target.starts_with(b".") || target.starts_with(b"/");
                if !local && !words.get(arrow + 2).is_some_and(|version| is_go_version(version)) {
                    unpinned.tell(at, whole, &rules::GO_UNPINNED, name, "is replaced by a module without a version");
                }
            }
            _ => {}
        }
    }
}

fn is_go_version(version: &[u8]) -> bool {
    matches!(without_quotes(version), [b'v', digit, ..] if digit.is_ascii_digit())
}

pub(super) fn gems(lines: &[&[u8]], unpinned: &mut Unpinned) {
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_ascii();
        let Some(rest) = text.strip_prefix(b"gem").filter(|rest| matches!(rest.first(), Some(b' ' | b'(' | b'\t')))
        else {
            continue;
        };
        let mut arguments = rest.split(|byte| *byte == b',').map(|part| part.trim_ascii().trim_ascii_start());
        let name = arguments.next().unwrap_or_default();
        let name = without_quotes(name.strip_prefix(b"(").unwrap_or(name));
        let versions: Vec<&[u8]> = arguments
            .filter(|part| matches!(part.first(), Some(b'"' | b'\'')))
            .map(|part| without_quotes(until_quote(part)))
            .collect();
        let from_git = holds(rest, b"git:") || holds(rest, b"github:") || holds(rest, b":git ");
        let fixed = holds(rest, b"ref:") || holds(rest, b"tag:") || holds(rest, b":ref ");
        let local = holds(rest, b"path:") || holds(rest, b":path ");
        let whole = columns(line, text);
        match &versions[..] {
            _ if local || (from_git && fixed) => {}
            _ if from_git => {
                unpinned.tell(at, whole, &rules::GEM_UNPINNED, name, "comes from git without a ref or a tag")
            }
            [] => unpinned.tell(at, whole, &rules::GEM_UNPINNED, name, "has no version"),
            [version] if is_exact_gem(version) => {}
            _ => unpinned.tell(at, whole, &rules::GEM_UNPINNED, name, "is given as a range of versions, not as one"),
        }
    }
}

/// A quoted text without what follows it.
fn until_quote(text: &[u8]) -> &[u8] {
    let close = position(&text[1..], |byte| byte == text[0]).map_or(text.len(), |at| at + 2);
    &text[..close]
}

fn is_exact_gem(version: &[u8]) -> bool {
    let version = version.strip_prefix(b"=").unwrap_or(version).trim_ascii();
    version.first().is_some_and(u8::is_ascii_digit)
        && version.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
}

/// Only versions of what the project takes in; its own may be a snapshot.
pub(super) fn maven(lines: &[&[u8]], unpinned: &mut Unpinned) {
    let mut inside = false;
    let mut artifact: Vec<u8> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut rest = *line;
        while let Some(open) = position(rest, |byte| byte == b'<') {
            rest = &rest[open + 1..];
            let text_end = position(rest, |byte| byte == b'<').unwrap_or(rest.len());
            let close = position(&rest[..text_end], |byte| matches!(byte, b'>' | b' ')).unwrap_or(text_end);
            let text = rest.get(close + 1..text_end).unwrap_or_default().trim_ascii();
            match &rest[..close] {
                b"dependency" | b"plugin" | b"parent" | b"extension" => inside = true,
                b"/dependency" | b"/plugin" | b"/parent" | b"/extension" => inside = false,
                b"artifactId" if inside => artifact = text.to_vec(),
                b"version" if inside && !is_fixed(text) => {
                    unpinned.tell(
                        at,
                        columns(line, text),
                        &rules::MAVEN_UNPINNED,
                        &artifact,
                        "has a version that changes with time",
                    );
                }
                _ => {}
            }
        }
    }
}

fn is_fixed(version: &[u8]) -> bool {
    !matches!(version, b"LATEST" | b"RELEASE")
        && !version.ends_with(b"-SNAPSHOT")
        && !matches!(version.first(), Some(b'[' | b'('))
}
