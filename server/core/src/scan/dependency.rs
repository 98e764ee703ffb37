//! Dependencies that are not pinned, in the manifests of package managers. A manifest is read as a whole, since only its
//! sections tell what a line means; the findings stand on the lines that name the dependency or its version.
//!
//! What counts as pinned follows what the manager does with it:
//! - Cargo: `"1.2"` is how everybody writes it and `Cargo.lock` holds the rest, so only `*`, `>=` without an upper bound, no version at all and git
//!   without `rev` or `tag` are told.
//! - npm and Python: there a person means one version when they speak of a pinned one, and libraries are installed without
//!   the lock file of others. So a range (`^1.2.3`, `~=1.2`) is told too, by a rule of its own that can be allowed as a whole.
//! - Bundler: exact versions. Go: versions are exact already; what is missing or `latest` is told.
//! - Maven: `LATEST`, `RELEASE`, ranges and snapshots. A version that is missing is managed by a parent.
//! - Images: a tag that is not `latest`; a digest is not asked for. Actions: a whole commit, since tags are moved.

mod container;
mod lines;
mod npm;
mod python;
mod toml;

use super::rules::Rule;
use super::{MAX_LINE, Spot};
use crate::file::FilePath;
use crate::text::quoted;

/// So much of a dependency's name is told.
const NAME_SHOWN: usize = 100;

/// Findings of a manifest as they are collected.
#[derive(Default)]
struct Unpinned {
    found: Vec<(usize, Spot)>,
}

impl Unpinned {
    /// `words` go on with the sentence that begins with the dependency's name.
    fn tell(&mut self, line: usize, columns: (usize, usize), rule: &'static Rule, name: &[u8], words: &str) {
        let name = quoted(&String::from_utf8_lossy(&name[..name.len().min(NAME_SHOWN)]));
        self.found.push((line, Spot::saying(rule, columns.0, columns.1, format!("{name} {words}."))));
    }
}

/// What is not pinned, with its line, in the order of the text. Nothing if the path names no manifest.
pub(super) fn find(path: &FilePath, lines: &[&[u8]]) -> Vec<(usize, Spot)> {
    let Some(read) = reader(path) else { return Vec::new() };
    let mut unpinned = Unpinned::default();
    let lines: Vec<&[u8]> = lines.iter().map(|line| &line[..line.len().min(MAX_LINE)]).collect();
    read(&lines, &mut unpinned);
    unpinned.found.sort_by_key(|(line, spot)| (*line, spot.start));
    unpinned.found
}

type Reader = fn(&[&[u8]], &mut Unpinned);

fn reader(path: &FilePath) -> Option<Reader> {
    let name = path.name();
    let whole = path.as_bytes();
    let workflow =
        whole.starts_with(b".github/workflows/") || whole.windows(19).any(|part| part == b"/.github/workflows/");
    let yaml = name.ends_with(b".yml") || name.ends_with(b".yaml");
    let lower = name.to_ascii_lowercase();
    let requirements = lower.ends_with(b".txt")
        && (lower.starts_with(b"requirements")
            || lower.ends_with(b"requirements.txt")
            || path.folder().is_some_and(|folder| folder.name() == b"requirements"));
    let image =
        lower.starts_with(b"dockerfile") || lower.ends_with(b".dockerfile") || lower.starts_with(b"containerfile");
    match name {
        b"Cargo.toml" => Some(toml::cargo),
        b"pyproject.toml" => Some(python::pyproject),
        b"package.json" => Some(npm::package),
        b"go.mod" => Some(lines::go),
        b"Gemfile" | b"gems.rb" => Some(lines::gems),
        b"pom.xml" => Some(lines::maven),
        _ if requirements => Some(python::requirements),
        _ if image => Some(container::image),
        _ if yaml && (workflow || matches!(name, b"action.yml" | b"action.yaml")) => Some(container::actions),
        _ => None,
    }
}

/// Where the first byte of this kind stands. What readers look for they look for with this, so that a test can count it: a
/// reader that searches the same bytes again and again would hold up everything else.
fn position(text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    let at = text.iter().position(|byte| is(*byte));
    looked_at(at.map_or(text.len(), |at| at + 1));
    at
}

#[cfg(not(test))]
fn looked_at(_: usize) {}

#[cfg(test)]
fn looked_at(bytes: usize) {
    tests::LOOKED_AT.with(|counter| counter.set(counter.get() + bytes as u64));
}

/// Where a part of a line lies in it. Both come from the same line.
fn columns(line: &[u8], part: &[u8]) -> (usize, usize) {
    let start = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len());
    (start, (start + part.len()).min(line.len()))
}

fn without_quotes(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    for quote in [b'"', b'\''] {
        if text.len() >= 2 && text[0] == quote && text[text.len() - 1] == quote {
            return &text[1..text.len() - 1];
        }
    }
    text
}

/// A commit as git writes it, whole or shortened.
fn is_commit(text: &[u8]) -> bool {
    matches!(text.len(), 7..=64) && text.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        pub(super) static LOOKED_AT: Cell<u64> = const { Cell::new(0) };
    }

    /// How many bytes the reader of this manifest looks at.
    fn work(path: &str, text: &[u8]) -> u64 {
        LOOKED_AT.set(0);
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        find(&FilePath::from_text(path).unwrap(), &lines);
        LOOKED_AT.get()
    }

    #[test]
    fn the_work_grows_with_the_length_alone() {
        const MANIFESTS: [&str; 9] = [
            "Cargo.toml",
            "pyproject.toml",
            "package.json",
            "go.mod",
            "Gemfile",
            "pom.xml",
            "requirements.txt",
            "Dockerfile",
            ".github/workflows/a.yml",
        ];
        let units = [
            "<",
            "<a",
            "<version>",
            "\"",
            "'",
            "[",
            "{",
            "[a.",
            "a.",
            "a=",
            "a.b=1\n",
            "[dependencies]\n",
            "#",
            "=",
            ",",
            ";",
            "//",
            "@",
            "gem 'a',",
            "FROM a AS b\n",
            "uses: a@",
            "require a ",
            "\\\n",
            "://",
            "a = [\n",
        ];
        for path in MANIFESTS {
            for unit in units {
                let of = |bytes: usize| work(path, unit.repeat(bytes / unit.len() + 1).as_bytes());
                let (once, twice) = (of(20_000), of(40_000));
                assert!(twice <= once * 5 / 2 + 1_000, "{path}, {unit:?}: {once} and then {twice}");
                assert!(twice <= 16 * 40_000, "{path}, {unit:?}: {} a byte", twice / 40_000);
            }
        }
    }

    /// Each entry knows its section; a section with a long name and many entries is kept once.
    #[test]
    fn a_long_section_with_many_entries_takes_no_more_than_the_text() {
        let mut text = format!("[{}]\n", vec!["a"; 30_000].join(".")).into_bytes();
        text.extend("b=1\n".repeat(100_000).bytes());
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let entries = toml::items(&lines);
        let names: Vec<usize> = entries
            .iter()
            .map(|item| match item {
                toml::Item::Section(section, _) => section.len(),
                toml::Item::Entry(entry) => entry.section.len(),
            })
            .collect();
        assert_eq!(names.len(), 100_001);
        assert!(names.iter().all(|count| *count <= toml::MAX_NAMES), "{:?}", names.first());
    }
}
