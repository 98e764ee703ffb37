//! What of a person's shell a history is written with: who they are, how they sign, where their keys and their
//! configuration lie, which way leads to a remote. A fixed list of names (`augment_protocol::prompts::PASSED_ON`): nothing else of an environment is sent
//! to the host or given to a program of version control, so no other secret of a shell travels. Nothing here reads the environment itself.

use std::collections::BTreeMap;

use augment_protocol::prompts::PASSED_ON;

/// The longest value, in bytes: no variable of a process can be longer on Linux.
const VALUE_LIMIT: usize = 128 * 1024;

/// Why a value cannot be passed on. Left out, it would be another identity or another key without a word.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum BadSurroundings {
    #[error(
        "The variable {name} is {length} bytes long, and {VALUE_LIMIT} are taken. Shorten it or unset it, then repeat."
    )]
    TooLong { name: &'static str, length: usize },
    #[error("The variable {name} holds a zero byte, which no program takes. Set it anew or unset it, then repeat.")]
    ZeroByte { name: &'static str },
    #[error("The variable {name} is not UTF-8. Set it to a text or unset it, then repeat.")]
    NotText { name: &'static str },
}

impl BadSurroundings {
    /// Stable, for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "variable-too-long",
            Self::ZeroByte { .. } => "variable-zero-byte",
            Self::NotText { .. } => "variable-not-utf8",
        }
    }
}

/// What of these variables is passed on. Other names are passed over.
pub(crate) fn passed_on(given: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, BadSurroundings> {
    let mut passed = BTreeMap::new();
    for &name in PASSED_ON {
        let Some(value) = given.get(name) else { continue };
        if value.len() > VALUE_LIMIT {
            return Err(BadSurroundings::TooLong { name, length: value.len() });
        }
        if value.contains('\0') {
            return Err(BadSurroundings::ZeroByte { name });
        }
        passed.insert(name.to_owned(), value.clone());
    }
    Ok(passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(variables: &[(&str, &str)]) -> BTreeMap<String, String> {
        variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn only_the_names_of_the_list_are_passed_on_as_they_are() {
        let shell = given(&[
            ("GIT_AUTHOR_NAME", ""),
            ("HOME", "/home/ada"),
            ("GIT_DIR", "/elsewhere"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
            ("home", "/"),
        ]);
        assert_eq!(passed_on(&shell), Ok(given(&[("GIT_AUTHOR_NAME", ""), ("HOME", "/home/ada")])));
        let all: Vec<_> = PASSED_ON.iter().map(|&name| (name, "1")).collect();
        assert_eq!(passed_on(&given(&all)), Ok(given(&all)));
    }

    #[test]
    fn nothing_leads_to_another_repository_or_speaks_for_a_run() {
        for name in PASSED_ON {
            assert!(!augment_core::agent::is_ours(name), "{name}");
            assert!(!["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].contains(name), "{name}");
        }
    }

    #[test]
    fn a_value_that_cannot_be_passed_on_is_told_by_its_name() {
        let long = "x".repeat(VALUE_LIMIT + 1);
        let refused = passed_on(&given(&[("PATH", &long)])).unwrap_err();
        assert_eq!(refused, BadSurroundings::TooLong { name: "PATH", length: VALUE_LIMIT + 1 });
        assert!(refused.to_string().contains("PATH is 131073 bytes long"), "{refused}");
        assert_eq!(passed_on(&given(&[("HOME", "a\0b")])), Err(BadSurroundings::ZeroByte { name: "HOME" }));
        // What is passed over anyway is no reason to refuse.
        assert_eq!(passed_on(&given(&[("OTHER", &long)])), Ok(BTreeMap::new()));
    }
}
