//! Patterns of paths, as people know them from `.gitignore`: `*` and `?` within a part, `**` across parts, a name without
//! a slash anywhere in the tree. Matching takes time by the product of the lengths, whatever the pattern.

use crate::file::FilePath;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    parts: Vec<Vec<u8>>,
    ignores_case: bool,
}

impl Glob {
    #[must_use]
    pub fn new(pattern: &str) -> Self {
        Self::made(pattern, false)
    }

    /// For names that file systems without case would take for the same.
    #[must_use]
    pub fn ignoring_case(pattern: &str) -> Self {
        Self::made(pattern, true)
    }

    fn made(pattern: &str, ignores_case: bool) -> Self {
        let pattern = pattern.trim();
        let folder = pattern.ends_with('/');
        let rooted = pattern.trim_end_matches('/').contains('/');
        let mut parts: Vec<Vec<u8>> = Vec::new();
        if !rooted {
            parts.push(b"**".to_vec());
        }
        for part in pattern.split('/').filter(|part| !part.is_empty()) {
            let part = if ignores_case { part.to_ascii_lowercase() } else { part.to_owned() };
            parts.push(part.into_bytes());
        }
        if folder {
            parts.push(b"**".to_vec());
        }
        Self { parts, ignores_case }
    }

    #[must_use]
    pub fn matches(&self, path: &FilePath) -> bool {
        let lower = self.ignores_case.then(|| path.as_bytes().to_ascii_lowercase());
        let bytes = lower.as_deref().unwrap_or(path.as_bytes());
        let parts: Vec<&[u8]> = bytes.split(|byte| *byte == b'/').collect();
        // Which prefixes of the path the pattern so far can match; a pattern that matches a folder matches what is in it.
        let mut reached = vec![false; parts.len() + 1];
        reached[0] = true;
        for pattern in &self.parts {
            if pattern == b"**" {
                let first = reached.iter().position(|reached| *reached).unwrap_or(reached.len());
                reached.iter_mut().skip(first).for_each(|reached| *reached = true);
                continue;
            }
            for at in (0..parts.len()).rev() {
                reached[at + 1] = reached[at] && part_matches(pattern, parts[at]);
            }
            reached[0] = false;
        }
        reached.iter().skip(1).any(|reached| *reached)
    }
}

/// One part against its pattern, greedy with one point to come back to: linear in the product of the lengths.
fn part_matches(pattern: &[u8], part: &[u8]) -> bool {
    let (mut p, mut at) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < part.len() {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p, at));
                p += 1;
            }
            Some(byte) if *byte == part[at] || *byte == b'?' => {
                p += 1;
                at += 1;
            }
            Some(_) | None => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    p = star + 1;
                    at = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        for path in yes {
            assert!(Glob::new(pattern).matches(&FilePath::from_text(path).unwrap()), "{pattern} {path}");
        }
        for path in no {
            assert!(!Glob::new(pattern).matches(&FilePath::from_text(path).unwrap()), "{pattern} {path}");
        }
    }

    #[test]
    fn patterns_match_as_people_know_them() {
        check("*.md", &["a.md", "docs/b.md"], &["a.mdx", "md"]);
        check("docs/**", &["docs/a", "docs/a/b"], &["src/docs/a", "docs2/a"]);
        check("docs/", &["docs/a", "docs/a/b", "x/docs/a"], &["docs2/a"]);
        check("src/*.rs", &["src/a.rs"], &["src/b/a.rs", "a.rs"]);
        check("src/**/test_?.py", &["src/test_a.py", "src/x/y/test_b.py"], &["src/test_ab.py"]);
        check("**/node_modules", &["node_modules/a/b", "x/node_modules/y"], &["node_modules2"]);
        check("a*b*c", &["abc", "axxbyyc", "abbc"], &["acb"]);
        check("*", &["a", "b/c"], &[]);
        assert!(Glob::ignoring_case(".VSCode/").matches(&FilePath::from_text(".vsCODE/tasks.json").unwrap()));
    }

    #[test]
    fn a_hostile_pattern_ends_soon() {
        let pattern = format!("{}b", "a*".repeat(200));
        assert!(!Glob::new(&pattern).matches(&FilePath::new(vec![b'a'; 4_000]).unwrap()));
    }
}
