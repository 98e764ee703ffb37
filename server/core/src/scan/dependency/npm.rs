//! `package.json`. Only what is installed with the package counts: peer dependencies are ranges by their nature.

use super::{Unpinned, is_commit};
use crate::scan::rules;

/// Deeper than this no manifest is.
const MAX_DEPTH: usize = 64;

struct Text {
    line: usize,
    start: usize,
    end: usize,
}

pub(super) fn package(lines: &[&[u8]], unpinned: &mut Unpinned) {
    // The keys that lead to where the reader is; an array or a key that is not read yet leaves an empty one.
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let mut expects_value = false;
    for (at, line) in lines.iter().enumerate() {
        let mut column = 0;
        while column < line.len() {
            match line[column] {
                b'"' => {
                    let text = string(at, line, column);
                    column = text.end + 1;
                    let inside = &line[text.start..text.end];
                    if expects_value {
                        judge(&keys, inside, &text, unpinned);
                    } else if let Some(last) = keys.last_mut() {
                        *last = inside.to_vec();
                    }
                    continue;
                }
                b'{' | b'[' => {
                    if keys.len() >= MAX_DEPTH {
                        return;
                    }
                    keys.push(Vec::new());
                    expects_value = line[column] == b'[';
                }
                b'}' | b']' => {
                    keys.pop();
                    expects_value = false;
                }
                b':' => expects_value = true,
                b',' => expects_value = false,
                _ => {}
            }
            column += 1;
        }
    }
}

fn string(at: usize, line: &[u8], quote: usize) -> Text {
    let start = quote + 1;
    let mut end = start;
    while end < line.len() && line[end] != b'"' {
        end += if line[end] == b'\\' { 2 } else { 1 };
    }
    Text { line: at, start, end: end.min(line.len()) }
}

fn judge(keys: &[Vec<u8>], version: &[u8], text: &Text, unpinned: &mut Unpinned) {
    let [section, name] = keys else { return };
    if !matches!(section.as_slice(), b"dependencies" | b"devDependencies" | b"optionalDependencies") {
        return;
    }
    let (rule, words) = match pin(version) {
        Pin::Exact => return,
        Pin::Ranged => (&rules::NPM_RANGED, "is given as a range of versions, not as one"),
        Pin::Open => (&rules::NPM_UNPINNED, "is not pinned to a version"),
        Pin::Git => (&rules::NPM_UNPINNED, "comes from git without a commit"),
    };
    unpinned.tell(text.line, (text.start, text.end), rule, name, words);
}

enum Pin {
    Exact,
    Ranged,
    Open,
    Git,
}

fn pin(version: &[u8]) -> Pin {
    let version = version.trim_ascii();
    let local = [&b"workspace:"[..], b"file:", b"link:", b"portal:", b"catalog:", b"patch:"];
    if local.iter().any(|scheme| version.starts_with(scheme)) {
        return Pin::Exact;
    }
    if let Some(alias) = version.strip_prefix(b"npm:") {
        let at = alias.iter().rposition(|byte| *byte == b'@').filter(|at| *at > 0);
        return at.map_or(Pin::Open, |at| pin(&alias[at + 1..]));
    }
    let archive = version.starts_with(b"http") && (version.ends_with(b".tgz") || version.ends_with(b".tar.gz"));
    if archive {
        return Pin::Exact;
    }
    if version.contains(&b'/') || version.starts_with(b"git") {
        let commit = version.iter().position(|byte| *byte == b'#').map(|at| &version[at + 1..]);
        return if commit.is_some_and(is_commit) { Pin::Exact } else { Pin::Git };
    }
    if is_exact(version) {
        return Pin::Exact;
    }
    let open = matches!(version, b"" | b"*" | b"x" | b"X")
        || version.starts_with(b">") && !version.contains(&b'<')
        || version[0].is_ascii_alphabetic() && version[0] != b'v';
    if open { Pin::Open } else { Pin::Ranged }
}

/// `1.2.3`, perhaps with `=` or `v` before and a name of a pre-release behind.
fn is_exact(version: &[u8]) -> bool {
    let version = version.strip_prefix(b"=").unwrap_or(version).trim_ascii();
    let version = version.strip_prefix(b"v").unwrap_or(version);
    let end = version.iter().position(|byte| matches!(byte, b'-' | b'+')).unwrap_or(version.len());
    let numbers: Vec<&[u8]> = version[..end].split(|byte| *byte == b'.').collect();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
    numbers.len() == 3
        && numbers.iter().all(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
        && version[end..].iter().all(word)
}
