//! What the built-in agent does: one question, edits of three files, a report. One of the files lies outside of where its task
//! may work, and one of the hunks is nothing that a careful person would keep, so that there is something to reject.

pub const QUESTION: &str = "How long shall a session last?";
/// What can be answered: value and text. The first is recommended.
pub const ANSWERS: &[(&str, &str)] = &[("day", "A day"), ("hour", "An hour")];

/// One piece of text in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub path: &'static str,
    from: &'static str,
    to: String,
}

impl Edit {
    fn new(path: &'static str, from: &'static str, to: impl Into<String>) -> Self {
        Self { path, from, to: to.into() }
    }

    /// The file with the edit; `None` where it is not what the agent knows.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        let (before, after) = text.split_once(self.from)?;
        let is_once = !after.contains(self.from);
        is_once.then(|| [before, &self.to, after].concat())
    }
}

/// How long a session lasts by an answer, in hours and in words. Whatever else is answered, it is a day.
fn length(answer: &str) -> (u32, &'static str) {
    if answer == "hour" { (1, "an hour") } else { (24, "a day") }
}

/// What the agent edits, in this order.
#[must_use]
pub fn edits(answer: &str) -> Vec<Edit> {
    let (hours, words) = length(answer);
    let sessions = "const sessions = new Map();\n";
    vec![
        Edit::new("src/auth.js", sessions, format!("{sessions}const sessionMs = {hours} * 60 * 60 * 1000;\n")),
        Edit::new(
            "src/auth.js",
            "  sessions.set(token, name);\n",
            "  sessions.set(token, { name, ends: Date.now() + sessionMs });\n",
        ),
        Edit::new(
            "src/auth.js",
            "  return sessions.get(token);\n",
            "  const session = sessions.get(token);\n  if (session && session.ends < Date.now()) {\n    \
             sessions.delete(token);\n    return undefined;\n  }\n  return session?.name;\n",
        ),
        Edit::new(
            "src/server.js",
            "    const owner = whoIs(request.headers.authorization);\n",
            "    const owner = whoIs(request.headers.authorization);\n    \
             console.log(\"asked with\", request.headers.authorization);\n",
        ),
        Edit::new("src/server.js", "\"Who are you?\\n\"", "\"Log in again.\\n\""),
        Edit::new(
            "README.md",
            "passwords and sessions\n",
            format!("passwords and sessions, which end after {words}\n"),
        ),
    ]
}

/// What the agent says about its work at the end.
#[must_use]
pub fn summary(answer: &str) -> String {
    let (_, words) = length(answer);
    format!("Sessions end after {words}, and the door says to log in again. The README says so, too.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{FILES, TASK, TASKS, file};

    fn played(answer: &str) -> Vec<(&'static str, String)> {
        let mut files: Vec<(&str, String)> = FILES.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        for edit in edits(answer) {
            let (_, text) = files.iter_mut().find(|(path, _)| *path == edit.path).unwrap();
            *text = edit.apply(text).unwrap_or_else(|| panic!("{} is not what the agent knows", edit.path));
        }
        files.retain(|(path, text)| file(path) != Some(text));
        files
    }

    #[test]
    fn it_edits_three_files_of_the_demo_and_one_of_them_is_out_of_scope() {
        assert_eq!(TASKS.iter().find(|seed| seed.title == TASK).unwrap().scope, ["src/**"]);
        for (answer, _) in ANSWERS {
            let changed: Vec<_> = played(answer).into_iter().map(|(path, _)| path).collect();
            assert_eq!(changed, ["README.md", "src/auth.js", "src/server.js"], "{answer}");
            let outside: Vec<_> = changed.into_iter().filter(|path| !path.starts_with("src/")).collect();
            assert_eq!(outside, ["README.md"]);
        }
    }

    #[test]
    fn the_answer_counts() {
        let auth = |answer| played(answer).swap_remove(1).1;
        assert!(auth("hour").contains("sessionMs = 1 * 60"), "{}", auth("hour"));
        assert!(auth("day").contains("sessionMs = 24 * 60"), "{}", auth("day"));
        assert_eq!(auth("as you like"), auth("day"));
        assert!(summary("hour").contains("after an hour"));
    }

    #[test]
    fn text_that_is_not_the_demos_is_left_alone() {
        let [edit, ..] = &edits("day")[..] else { panic!("it edits something") };
        assert_eq!(edit.apply("const sessions = new Map<string, string>();\n"), None);
        assert_eq!(edit.apply("const sessions = new Map();\nconst sessions = new Map();\n"), None, "which of them?");
    }
}
