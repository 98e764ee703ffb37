//! What the person wants done with changes without being asked, by path, and what always asks: files that steer the
//! editor, agents, hooks or CI would let a change approve or run more than itself.

use crate::file::{Body, FilePath, FileState};
use crate::glob::Glob;
use crate::scan::Kind;
use crate::weave::Weave;

/// The person's rules about paths, and those that a workspace's policy adds to tighten them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewPolicy {
    pub approve: Vec<Glob>,
    pub reject: Vec<Glob>,
    pub second_approver: Vec<Glob>,
    /// Control files besides those that are always.
    pub control: Vec<Glob>,
    /// Which kinds of findings stop an approval.
    pub blocks: Vec<Kind>,
}

/// What happens to a run's hunk when it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    Ask,
    Approve,
    Reject,
}

/// Files and folders that steer programs, wherever in the tree they lie. Compared without case.
const CONTROL: &[&str] = &[
    ".vscode/",
    ".idea/",
    ".devcontainer/",
    ".mcp.json",
    ".claude/",
    ".cursor/",
    ".cursorrules",
    ".codex/",
    ".gemini/",
    ".qwen/",
    ".augment/",
    ".augment-guidelines",
    ".windsurf/",
    ".windsurfrules",
    ".clinerules",
    ".clinerules/",
    ".roo/",
    ".continue/",
    ".goosehints",
    ".aider.conf.yml",
    "opencode.json",
    "agents.md",
    "claude.md",
    "gemini.md",
    "copilot-instructions.md",
    ".github/",
    ".gitlab-ci.yml",
    ".circleci/",
    ".travis.yml",
    ".drone.yml",
    ".buildkite/",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
    ".husky/",
    ".githooks/",
    ".git/",
    ".gitmodules",
    ".gitattributes",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".envrc",
];

impl ReviewPolicy {
    #[must_use]
    pub fn treatment(&self, state: &FileState) -> Treatment {
        let matches = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(&state.path));
        if matches(&self.reject) {
            return Treatment::Reject;
        }
        if matches(&self.approve) && !self.is_control(state) && !matches(&self.second_approver) {
            return Treatment::Approve;
        }
        Treatment::Ask
    }

    /// By any name that the file has or had: moving it away does not make it need less.
    #[must_use]
    pub fn needs_second(&self, weave: &Weave) -> bool {
        let mut names = weave.other_names().into_iter().chain([weave.path()]);
        names.any(|name| self.second_approver.iter().any(|glob| glob.matches(name)))
    }

    /// Always asks: a control file, or a link that leads to one.
    #[must_use]
    pub fn is_control(&self, state: &FileState) -> bool {
        if self.is_control_path(&state.path) {
            return true;
        }
        match &state.body {
            Body::Link(target) => {
                let kept: Vec<&[u8]> =
                    target.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"." | b"..")).collect();
                FilePath::new(kept.join(&b'/')).is_ok_and(|path| self.is_control_path(&path))
            }
            Body::Absent | Body::Text(_) | Body::Whole { .. } | Body::Large { .. } | Body::Special => false,
        }
    }

    /// A path where a control file would lie.
    #[must_use]
    pub fn is_control_path(&self, path: &FilePath) -> bool {
        CONTROL.iter().any(|pattern| Glob::ignoring_case(pattern).matches(path))
            || self.control.iter().any(|glob| glob.matches(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str, body: Body) -> FileState {
        FileState { path: FilePath::from_text(path).unwrap(), body, mode: 0o644 }
    }

    #[test]
    fn control_files_always_ask() {
        let policy = ReviewPolicy { approve: vec![Glob::new("*")], ..ReviewPolicy::default() };
        for path in [
            ".vscode/settings.json",
            ".VSCODE/Tasks.json",
            "pkg/.mcp.json",
            ".claude/settings.json",
            ".cursor/rules/x.md",
            "AGENTS.md",
            "sub/Agents.MD",
            ".github/workflows/ci.yml",
            ".husky/pre-commit",
            ".augment/policy.toml",
            "Jenkinsfile",
        ] {
            assert_eq!(policy.treatment(&at(path, Body::Text(Vec::new()))), Treatment::Ask, "{path}");
        }
        assert_eq!(policy.treatment(&at("docs", Body::Link(b"../.vscode".to_vec()))), Treatment::Ask);
        assert_eq!(policy.treatment(&at("src/main.rs", Body::Text(Vec::new()))), Treatment::Approve);
    }

    #[test]
    fn rejecting_goes_before_approving_and_two_approvers_before_none() {
        let policy = ReviewPolicy {
            approve: vec![Glob::new("docs/**")],
            reject: vec![Glob::new("docs/secret/**")],
            second_approver: vec![Glob::new("docs/law/**")],
            control: vec![Glob::new("docs/build.md")],
            blocks: Vec::new(),
        };
        let treatment = |path: &str| policy.treatment(&at(path, Body::Absent));
        assert_eq!(treatment("docs/a.md"), Treatment::Approve);
        assert_eq!(treatment("docs/secret/a.md"), Treatment::Reject);
        assert_eq!(treatment("docs/law/a.md"), Treatment::Ask);
        assert_eq!(treatment("docs/build.md"), Treatment::Ask);
        assert_eq!(treatment("src/a.rs"), Treatment::Ask);
    }
}
