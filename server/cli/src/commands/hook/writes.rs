//! Which files a tool writes, by what it was given. It is an explanation, not the fact: the fact is what is seen on the
//! disk. Tools that only read name files in the same fields, so the tool's name decides whether they count.

use serde_json::Value;

const MOST: usize = 256;
const LONGEST_PATH: usize = 4_096;

/// Parts of the names of tools that write, in all agents.
const WRITING: [&str; 11] =
    ["write", "edit", "replace", "patch", "save", "create", "delete", "remove", "insert", "move", "rename"];
/// Parts of the names of tools that change nothing in the workspace.
const READING: [&str; 12] =
    ["read", "grep", "glob", "search", "list", "view", "fetch", "find", "think", "ask", "question", "plan"];
/// Whole names of such tools that other parts would mislead about.
const HARMLESS: [&str; 6] = ["ls", "todowrite", "todo_write", "write_todos", "task", "update_plan"];
/// Our own tools: they decide nothing and write nothing but what the rules let them.
const OURS: &str = "mcp__augment-orchestrator__";
const ONE: [&str; 6] = ["file_path", "path", "notebook_path", "absolute_path", "filename", "target_file"];
const MANY: [&str; 3] = ["file_paths", "paths", "files"];
const PATCH_LINES: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

pub(super) fn of(event: &Value, tool: &str, folder: Option<&str>) -> Vec<String> {
    let mut found = Found { folder, paths: Vec::new() };
    let input = event.get("tool_input").unwrap_or(&Value::Null);
    let tool = tool.to_ascii_lowercase();
    if WRITING.iter().any(|part| tool.contains(part)) {
        found.in_input(input);
    }
    // A patch says itself what it writes, also when it is handed to a shell.
    let texts = input.as_object().into_iter().flat_map(serde_json::Map::values).chain(std::iter::once(input));
    for text in texts {
        found.in_command(text);
    }
    let changes = event.get("file_changes").and_then(Value::as_array);
    for change in changes.into_iter().flatten() {
        found.add(change.get("path"));
    }
    found.paths
}

/// Whether a tool of this name is known to change nothing. What is not known may: a shell, above all.
pub(super) fn only_reads(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| tool.contains(part));
    HARMLESS.contains(&tool.as_str())
        || tool.starts_with(OURS)
        || (has(&READING) && !has(&WRITING) && !tool.starts_with("mcp__"))
}

struct Found<'a> {
    folder: Option<&'a str>,
    paths: Vec<String>,
}

impl Found<'_> {
    fn in_input(&mut self, input: &Value) {
        for key in ONE {
            self.add(input.get(key));
        }
        for key in MANY {
            for path in input.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.add(Some(path.get("path").unwrap_or(path)));
            }
        }
        for edit in input.get("edits").and_then(Value::as_array).into_iter().flatten() {
            for key in ONE {
                self.add(edit.get(key));
            }
        }
    }

    /// A patch as a text, or as one of the words of a command.
    fn in_command(&mut self, text: &Value) {
        let words = text.as_array().into_iter().flatten().chain(std::iter::once(text));
        for patch in words.filter_map(Value::as_str).filter(|text| text.contains("*** Begin Patch")) {
            for line in patch.lines() {
                if let Some(path) = PATCH_LINES.iter().find_map(|start| line.strip_prefix(start)) {
                    self.add_path(path.trim());
                }
            }
        }
    }

    fn add(&mut self, path: Option<&Value>) {
        if let Some(path) = path.and_then(Value::as_str) {
            self.add_path(path);
        }
    }

    /// Relative paths are relative to where the agent is, which need not be the workspace itself.
    fn add_path(&mut self, path: &str) {
        if path.is_empty() || path.len() > LONGEST_PATH || path.contains('\0') || self.paths.len() >= MOST {
            return;
        }
        let path = match self.folder {
            Some(folder) if !path.starts_with('/') => format!("{}/{path}", folder.trim_end_matches('/')),
            Some(_) | None => path.to_owned(),
        };
        if !self.paths.contains(&path) {
            self.paths.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(tool: &str, input: Value, expected: &[&str]) {
        assert_eq!(of(&json!({ "tool_input": input }), tool, Some("/w")), expected, "{tool} {input}");
    }

    #[test]
    fn tools_that_write_are_told_from_those_that_read() {
        check("Write", json!({ "file_path": "/w/a" }), &["/w/a"]);
        check("Read", json!({ "file_path": "/w/a" }), &[]);
        check("read_file", json!({ "absolute_path": "/w/a" }), &[]);
        check("Grep", json!({ "path": "src" }), &[]);
        check("Bash", json!({ "command": "rm a" }), &[]);
        check("TodoWrite", json!({ "todos": [] }), &[]);
        check("write_file", json!({ "file_path": "src/a", "content": "path" }), &["/w/src/a"]);
        check("replace", json!({ "file_path": "/w/a" }), &["/w/a"]);
        check("NotebookEdit", json!({ "notebook_path": "/w/a.ipynb" }), &["/w/a.ipynb"]);
        check("remove-files", json!({ "file_paths": ["a", "b"] }), &["/w/a", "/w/b"]);
        check(
            "MultiEdit",
            json!({ "file_path": "/w/a", "edits": [{ "old_string": "x" }, { "file_path": "/w/b" }] }),
            &["/w/a", "/w/b"],
        );
    }

    #[test]
    fn what_is_not_known_to_read_may_write() {
        for tool in
            ["Read", "read_file", "Grep", "Glob", "LS", "list_directory", "WebFetch", "TodoWrite", "AskUserQuestion"]
        {
            assert!(only_reads(tool), "{tool}");
        }
        for tool in
            ["Write", "Bash", "shell", "run_shell_command", "apply_patch", "mcp__fs__read_or_write", "MultiEdit", ""]
        {
            assert!(!only_reads(tool), "{tool}");
        }
        assert!(only_reads("mcp__augment-orchestrator__session_status"));
    }

    #[test]
    fn the_files_of_a_patch_are_found() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+*** Add File: no\n*** Move to: src/c.rs\n\
                     *** Add File: b.rs\n+new\n*** Delete File: /w/d.rs\n*** End Patch";
        let files = ["/w/src/a.rs", "/w/src/c.rs", "/w/b.rs", "/w/d.rs"];
        check("apply_patch", json!({ "command": patch }), &files);
        check("apply_patch", json!({ "input": patch }), &files);
        check("apply_patch", json!(patch), &files);
        check("shell", json!({ "command": ["apply_patch", patch] }), &files);
        check("Bash", json!({ "command": format!("apply_patch <<'E'\n{patch}\nE") }), &files);
        check("Bash", json!({ "command": "*** Add File: x" }), &[]);
    }

    #[test]
    fn paths_are_bounded_in_number_and_length() {
        let many: Vec<_> = (0..10_000).map(|n| json!(format!("f{n}"))).collect();
        assert_eq!(of(&json!({ "tool_input": { "paths": many } }), "edit", None).len(), MOST);
        check("Write", json!({ "file_path": "x".repeat(LONGEST_PATH + 1) }), &[]);
        check("Write", json!({ "file_path": "a\0b" }), &[]);
    }
}
