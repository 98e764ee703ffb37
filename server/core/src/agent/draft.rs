//! An agent as a file says it, and its way to one that can be started: on top of a preset or from nothing, every value
//! checked against its bounds. All that is wrong is told at once, and an agent with anything wrong is no agent: a key that
//! was mistyped may have been the one that holds it back.

use std::collections::BTreeSet;

use super::presets::{PRESETS, Preset, preset};
use super::problem::{AgentProblem, nearest_of};
use super::variables::{is_name, is_ours, steers_programs};
use super::{AgentSpec, Confine, PROMPT_PLACE, Permission, PromptBy, Source, done_by_name};
use crate::run::{Adapter, DoneBy};
use crate::task::{CAPABILITIES_LIMIT, NAME_LIMIT, TIME_LIMIT_MS};
use crate::text::{self, BadText, Lines, is_unseen};
use crate::time::parse_duration_ms;

/// The keys of an agent's table.
pub const KEYS: &[&str] = &[
    "preset",
    "command",
    "args",
    "env",
    "set",
    "adapter",
    "capabilities",
    "parallel",
    "timeLimit",
    "doneBy",
    "prompt",
    "mode",
    "writable",
    "confine",
    "permission",
];

/// How many runs of one agent there may be at once.
pub const PARALLEL: std::ops::RangeInclusive<u32> = 1..=64;
/// As many as the setting for all agents has by default, so that this one alone decides.
pub(super) const DEFAULT_PARALLEL: u32 = 4;

const ARGUMENTS: usize = 64;
const ARGUMENT_BYTES: usize = 4_096;
const VARIABLES: usize = 64;
const FOLDERS: usize = 32;

/// What a file says of an agent. What it leaves out is the preset's, or the usual. It is never printed: what it sets may
/// be secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AgentDraft {
    pub preset: Option<String>,
    pub command: Option<String>,
    pub args: Option<Vec<String>>,
    /// Added to the preset's, like `set`, `capabilities` and `writable`.
    pub env: Vec<String>,
    pub set: Vec<(String, String)>,
    pub adapter: Option<String>,
    pub capabilities: Vec<String>,
    pub parallel: Option<i64>,
    pub time_limit: Option<String>,
    pub done_by: Option<String>,
    pub prompt: Option<String>,
    pub mode: Option<String>,
    pub writable: Vec<String>,
    pub confine: Option<String>,
    pub permission: Option<String>,
}

impl AgentDraft {
    /// The agent of this name, or all that is wrong with it. A table that is named like a preset changes that preset.
    pub fn check(&self, name: &str, source: Source) -> Result<AgentSpec, Vec<AgentProblem>> {
        let mut checks = Checks { source, problems: Vec::new() };
        let spec = checks.all(self, name);
        if checks.problems.is_empty() { Ok(spec) } else { Err(checks.problems) }
    }
}

struct Checks {
    source: Source,
    problems: Vec<AgentProblem>,
}

impl Checks {
    fn all(&mut self, draft: &AgentDraft, name: &str) -> AgentSpec {
        self.name(name);
        let base = self.base(draft, name);
        let mut spec = base.map_or_else(|| AgentSpec::empty(name), |base| base.draft(name));
        if let Some(adapter) =
            self.choice("adapter", draft.adapter.as_deref(), &[Adapter::Acp, Adapter::Command], Adapter::name)
            && adapter != spec.adapter
        {
            spec.adapter = adapter;
            spec.prompt_by = usual_prompt(adapter);
            spec.mode = None;
        }
        match &draft.command {
            Some(command) => spec.program = self.program(command),
            None if spec.program.is_empty() => {
                self.problems.push(AgentProblem::NoCommand { preset: base.map(|base| base.name) });
            }
            None => {}
        }
        if let Some(arguments) = &draft.args {
            self.bounded("args", arguments, ARGUMENTS);
            spec.arguments.clone_from(arguments);
        }
        self.variables(&mut spec, draft);
        self.capabilities(&mut spec, draft);
        self.limits(&mut spec, draft);
        self.speaking(&mut spec, draft);
        self.folders(&mut spec, draft);
        spec.confine = self.choice("confine", draft.confine.as_deref(), &Confine::ALL, Confine::name).or(spec.confine);
        spec.permission = self
            .choice("permission", draft.permission.as_deref(), &Permission::ALL, Permission::name)
            .or(spec.permission);
        spec
    }

    fn name(&mut self, name: &str) {
        let problem = if name.trim().is_empty() {
            Some(BadText::Empty)
        } else if name.starts_with(char::is_whitespace) || name.ends_with(char::is_whitespace) {
            Some(BadText::Unseen {
                character: ' ',
                position: name.chars().position(char::is_whitespace).unwrap_or(0) + 1,
            })
        } else {
            text::check(name, Lines::One, NAME_LIMIT).err()
        };
        self.problems.extend(problem.map(|problem| AgentProblem::BadName { problem }));
    }

    fn base(&mut self, draft: &AgentDraft, name: &str) -> Option<&'static Preset> {
        let Some(wanted) = &draft.preset else {
            return preset(name);
        };
        let found = preset(wanted);
        if found.is_none() {
            let nearest = nearest_of(wanted, PRESETS.iter().map(|preset| preset.name));
            self.problems.push(AgentProblem::UnknownPreset { value: wanted.clone(), nearest });
        }
        found
    }

    fn program(&mut self, command: &str) -> String {
        self.bounded("command", std::slice::from_ref(&command.to_owned()), 1);
        let command = command.trim();
        if command.is_empty() {
            self.problems.push(AgentProblem::BadText { key: "command", value: String::new(), problem: BadText::Empty });
        }
        let has_folder = command.contains('/');
        let goes_up = command.split('/').any(|part| part == "..");
        match self.source {
            Source::Preset => {}
            // A path of the user's own file must not lead into whatever workspace it is used in.
            Source::User if has_folder && !command.starts_with('/') && !command.starts_with("~/") => {
                self.problems.push(AgentProblem::RelativeProgram { program: command.to_owned() });
            }
            // What lies in the workspace is bound to the yes by its content; a path elsewhere is a guess about this machine.
            Source::Workspace if has_folder && (goes_up || !command.starts_with("./")) => {
                self.problems.push(AgentProblem::PathNotInWorkspace { program: command.to_owned() });
            }
            Source::User | Source::Workspace => {}
        }
        command.to_owned()
    }

    fn variables(&mut self, spec: &mut AgentSpec, draft: &AgentDraft) {
        for name in &draft.env {
            self.variable("env", name);
            if self.source == Source::Workspace && !PRESETS.iter().any(|preset| preset.pass.contains(&name.as_str())) {
                self.problems.push(AgentProblem::NotForWorkspace { key: "env", value: name.clone() });
            }
            if !spec.pass.contains(name) {
                spec.pass.push(name.clone());
            }
        }
        for (name, value) in &draft.set {
            self.variable("set", name);
            if self.source == Source::Workspace && steers_programs(name) {
                self.problems.push(AgentProblem::NotForWorkspace { key: "set", value: name.clone() });
            }
            // Told by its name: the value may be secret.
            self.problems.extend(unfit(value).map(|problem| AgentProblem::BadText {
                key: "set",
                value: name.clone(),
                problem,
            }));
            spec.set.retain(|(known, _)| known != name);
            spec.set.push((name.clone(), value.clone()));
        }
        self.count("env", spec.pass.len(), VARIABLES);
        self.count("set", spec.set.len(), VARIABLES);
    }

    fn variable(&mut self, key: &'static str, name: &str) {
        if !is_name(name) {
            self.problems.push(AgentProblem::BadVariable { key, name: name.to_owned() });
        } else if is_ours(name) {
            self.problems.push(AgentProblem::OurVariable { key, name: name.to_owned() });
        }
    }

    fn capabilities(&mut self, spec: &mut AgentSpec, draft: &AgentDraft) {
        for capability in &draft.capabilities {
            let capability = capability.trim();
            let problem = if capability.is_empty() {
                Some(BadText::Empty)
            } else {
                text::check(capability, Lines::One, NAME_LIMIT).err()
            };
            self.problems.extend(problem.map(|problem| AgentProblem::BadText {
                key: "capabilities",
                value: capability.to_owned(),
                problem,
            }));
            spec.capabilities.insert(capability.to_owned());
        }
        self.count("capabilities", spec.capabilities.len(), CAPABILITIES_LIMIT);
    }

    fn limits(&mut self, spec: &mut AgentSpec, draft: &AgentDraft) {
        if let Some(parallel) = draft.parallel {
            match u32::try_from(parallel).ok().filter(|parallel| PARALLEL.contains(parallel)) {
                Some(parallel) => spec.parallel = parallel,
                None => {
                    let wanted = format!("a whole number from {} to {}", PARALLEL.start(), PARALLEL.end());
                    self.problems.push(AgentProblem::BadValue { key: "parallel", value: parallel.to_string(), wanted });
                }
            }
        }
        if let Some(limit) = &draft.time_limit {
            match parse_duration_ms(limit).filter(|limit| TIME_LIMIT_MS.contains(limit)) {
                Some(limit) => spec.time_limit_ms = Some(limit),
                None => {
                    let wanted = "for example 90s, 30m or 2h, up to 720h; a bare number is minutes".to_owned();
                    self.problems.push(AgentProblem::BadValue { key: "timeLimit", value: limit.clone(), wanted });
                }
            }
        }
    }

    /// How it gets its prompt, in which mode it works, and when it is done.
    fn speaking(&mut self, spec: &mut AgentSpec, draft: &AgentDraft) {
        let done_by = [DoneBy::Report, DoneBy::Exit];
        spec.done_by = self.choice("doneBy", draft.done_by.as_deref(), &done_by, done_by_name).unwrap_or(spec.done_by);
        match (spec.adapter, &draft.prompt) {
            (_, None) => {}
            (Adapter::Acp, Some(prompt)) if prompt == PromptBy::Protocol.name() => {}
            (Adapter::Acp, Some(_)) => self.problems.push(AgentProblem::OnlyForCommand { key: "prompt" }),
            (Adapter::Command | Adapter::Attached, Some(prompt)) => {
                let ways = [PromptBy::Argument, PromptBy::Stdin, PromptBy::Nothing];
                spec.prompt_by = self.choice("prompt", Some(prompt), &ways, PromptBy::name).unwrap_or(spec.prompt_by);
            }
        }
        match (spec.adapter, &draft.mode) {
            (_, None) => {}
            (Adapter::Command | Adapter::Attached, Some(_)) => {
                self.problems.push(AgentProblem::OnlyForAcp { key: "mode" });
            }
            (Adapter::Acp, Some(mode)) => {
                self.bounded("mode", std::slice::from_ref(mode), 1);
                spec.mode = Some(mode.trim().to_owned()).filter(|mode| !mode.is_empty());
            }
        }
        if let Some(argument) = running_argument(spec) {
            self.problems.push(AgentProblem::PromptRuns { argument });
        }
        let has_place = spec.arguments.iter().any(|argument| argument.contains(PROMPT_PLACE));
        if has_place && spec.prompt_by != PromptBy::Argument {
            self.problems.push(AgentProblem::PlaceWithoutPrompt);
        }
    }

    fn folders(&mut self, spec: &mut AgentSpec, draft: &AgentDraft) {
        self.bounded("writable", &draft.writable, FOLDERS);
        for folder in &draft.writable {
            let is_whole = folder.starts_with('/') || folder.starts_with("~/");
            if !is_whole || folder.split('/').any(|part| part == "..") {
                self.problems.push(AgentProblem::BadFolder { folder: folder.clone() });
            }
            if self.source == Source::Workspace
                && !PRESETS.iter().any(|preset| preset.writable.contains(&folder.as_str()))
            {
                self.problems.push(AgentProblem::NotForWorkspace { key: "writable", value: folder.clone() });
            }
            if !spec.writable.contains(folder) {
                spec.writable.push(folder.clone());
            }
        }
        self.count("writable", spec.writable.len(), FOLDERS);
    }

    fn count(&mut self, key: &'static str, count: usize, limit: usize) {
        if count > limit {
            self.problems.push(AgentProblem::TooMany { key, count, limit });
        }
    }

    /// Few enough, short enough, and all of it can be seen: a person says yes to what is shown.
    fn bounded(&mut self, key: &'static str, values: &[String], limit: usize) {
        self.count(key, values.len(), limit);
        for value in values {
            self.problems.extend(unfit(value).map(|problem| AgentProblem::BadText {
                key,
                value: value.clone(),
                problem,
            }));
        }
    }

    fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        value: Option<&str>,
        choices: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let value = value?;
        let found = choices.iter().copied().find(|choice| name(*choice) == value.trim());
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|choice| name(*choice)).collect();
            let wanted = match names.as_slice() {
                [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
                all => all.concat(),
            };
            self.problems.push(AgentProblem::BadValue { key, value: value.to_owned(), wanted });
        }
        found
    }
}

impl AgentSpec {
    /// An agent of which nothing is said yet.
    pub(crate) fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            adapter: Adapter::Command,
            program: String::new(),
            arguments: Vec::new(),
            pass: Vec::new(),
            set: Vec::new(),
            capabilities: BTreeSet::new(),
            parallel: DEFAULT_PARALLEL,
            time_limit_ms: None,
            done_by: DoneBy::Report,
            prompt_by: usual_prompt(Adapter::Command),
            mode: None,
            writable: Vec::new(),
            confine: None,
            permission: None,
        }
    }
}

fn unfit(value: &str) -> Option<BadText> {
    if value.len() > ARGUMENT_BYTES {
        return Some(BadText::TooLong { length: value.len(), limit: ARGUMENT_BYTES });
    }
    let (at, character) = value.chars().enumerate().find(|&(_, c)| is_unseen(c))?;
    Some(BadText::Unseen { character, position: at + 1 })
}

/// A program of which nothing is known gets its prompt where it can do no harm: as data on its input.
fn usual_prompt(adapter: Adapter) -> PromptBy {
    match adapter {
        Adapter::Acp => PromptBy::Protocol,
        Adapter::Command => PromptBy::Stdin,
        Adapter::Attached => PromptBy::Nothing,
    }
}

/// Programs that run what they are given after `-c` or `-e`, or on their input.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "pwsh", "python", "python3", "node",
    "deno", "bun", "perl", "ruby", "php", "lua", "awk", "gawk", "eval", "ssh", "su", "script", "watch", "xargs",
];

/// The argument that would run a word of a task, if there is one.
fn running_argument(spec: &AgentSpec) -> Option<String> {
    let base = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let is_interpreter = |word: &str| INTERPRETERS.contains(&base(word).as_str());
    match spec.prompt_by {
        PromptBy::Protocol | PromptBy::Nothing => None,
        // An interpreter without a script runs its input.
        PromptBy::Stdin => {
            let has_script = spec.arguments.iter().any(|argument| !argument.starts_with('-'));
            let reads_input = spec.arguments.iter().any(|argument| argument == "-s" || argument == "-");
            (is_interpreter(&spec.program) && (!has_script || reads_input)).then(|| spec.program.clone())
        }
        PromptBy::Argument => {
            let words: Vec<String> =
                std::iter::once(spec.program.clone()).chain(spec.arguments_for(PROMPT_PLACE)).collect();
            let at = words.iter().position(|word| word.contains(PROMPT_PLACE))?;
            let interpreter = words[..at].iter().rposition(|word| is_interpreter(word))?;
            let between = &words[interpreter + 1..at];
            // After a script it is the script's own argument; without one, or right after `-c`, it is the script.
            let is_code = between.last().is_some_and(|word| runs_next(word));
            let has_script = between.iter().any(|word| !word.starts_with('-'));
            (is_code || !has_script).then(|| words[at - 1..=at].join(" "))
        }
    }
}

/// Flags of interpreters after which code comes. `-lc` and the like are shells' ways to write `-l -c`.
fn runs_next(flag: &str) -> bool {
    let is_short = flag.len() <= 6 && flag.starts_with('-') && !flag.starts_with("--");
    (is_short && flag.ends_with('c')) || ["-e", "-E", "-r", "--eval", "--command", "eval"].contains(&flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(command: &str) -> AgentDraft {
        AgentDraft { command: Some(command.into()), ..AgentDraft::default() }
    }

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    fn said(draft: &AgentDraft, source: Source) -> String {
        match draft.check("mine", source) {
            Ok(spec) => format!("ok {}", spec.command_line()),
            Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        }
    }

    #[test]
    fn a_table_changes_a_preset_or_stands_alone() {
        let more = AgentDraft {
            preset: Some("goose".into()),
            env: texts(&["MY_KEY", "OPENAI_API_KEY"]),
            set: vec![("GOOSE_MODE".into(), "auto".into())],
            parallel: Some(2),
            time_limit: Some("30m".into()),
            ..AgentDraft::default()
        };
        let spec = more.check("mine", Source::User).unwrap();
        assert_eq!((spec.name.as_str(), spec.program.as_str(), spec.parallel), ("mine", "goose", 2));
        assert_eq!(spec.set, [("GOOSE_MODE".to_owned(), "auto".to_owned())]);
        assert_eq!(spec.time_limit_ms, Some(1_800_000));
        assert_eq!(spec.pass.iter().filter(|name| *name == "OPENAI_API_KEY").count(), 1);
        assert!(spec.pass.contains(&"MY_KEY".to_owned()));

        let named_like_it = draft("/opt/goose").check("goose", Source::User).unwrap();
        assert_eq!(named_like_it.command_line(), "/opt/goose acp --with-builtin developer");

        let alone = draft("~/bin/agent").check("mine", Source::User).unwrap();
        assert_eq!(
            (alone.adapter, alone.prompt_by, alone.done_by),
            (Adapter::Command, PromptBy::Stdin, DoneBy::Report)
        );
        assert!(alone.pass.is_empty() && alone.writable.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_right() {
        let cases = [
            (AgentDraft::default(), "It says neither command nor preset."),
            (
                AgentDraft { preset: Some("shell".into()), ..AgentDraft::default() },
                "The preset shell is to be filled in.",
            ),
            (
                AgentDraft { preset: Some("gose".into()), ..draft("x") },
                "There is no preset \"gose\". Did you mean goose?",
            ),
            (
                AgentDraft { adapter: Some("apc".into()), ..draft("x") },
                "\"apc\" does not fit adapter. Use acp or command.",
            ),
            (
                AgentDraft { adapter: Some("attached".into()), ..draft("x") },
                "\"attached\" does not fit adapter. Use acp or command.",
            ),
            (
                AgentDraft { parallel: Some(0), ..draft("x") },
                "\"0\" does not fit parallel. Use a whole number from 1 to 64.",
            ),
            (AgentDraft { time_limit: Some("soon".into()), ..draft("x") }, "\"soon\" does not fit timeLimit."),
            (AgentDraft { time_limit: Some("721h".into()), ..draft("x") }, "\"721h\" does not fit timeLimit."),
            (
                AgentDraft { confine: Some("on".into()), ..draft("x") },
                "\"on\" does not fit confine. Use off, warn or enforce.",
            ),
            (
                AgentDraft { args: Some(texts(&["a\u{202e}b"])), ..draft("x") },
                "in args holds \"\\u{202e}\" at position 2",
            ),
            (
                AgentDraft { args: Some(vec!["x".repeat(4_097)]), ..draft("x") },
                "in args has 4097 bytes; 4096 are the most.",
            ),
            (AgentDraft { args: Some(vec![String::new(); 65]), ..draft("x") }, "args has 65 entries; 64 are the most."),
            (AgentDraft { env: texts(&["A-B"]), ..draft("x") }, "\"A-B\" in env is no name of a variable."),
            (AgentDraft { env: texts(&["AUGMENT_TOKEN"]), ..draft("x") }, "AUGMENT_TOKEN in env tells a run who it is"),
            (AgentDraft { set: vec![("AUGMENT_HOME".into(), "/".into())], ..draft("x") }, "AUGMENT_HOME in set tells"),
            (AgentDraft { writable: texts(&["here"]), ..draft("x") }, "\"here\" in writable is no whole path."),
            (AgentDraft { writable: texts(&["~/../x"]), ..draft("x") }, "\"~/../x\" in writable is no whole path."),
            (AgentDraft { mode: Some("plan".into()), ..draft("x") }, "mode is for agents with adapter = \"acp\"."),
            (
                AgentDraft { prompt: Some("stdin".into()), adapter: Some("acp".into()), ..draft("x") },
                "prompt is for agents with adapter = \"command\".",
            ),
            (
                AgentDraft { args: Some(texts(&["{prompt}"])), ..draft("x") },
                "args holds {prompt}, but the prompt does not",
            ),
            (draft("./x"), "The program \"./x\" would be another one in each workspace."),
            (draft(" "), "command is empty."),
        ];
        for (draft, expected) in cases {
            let said = said(&draft, Source::User);
            assert!(said.contains(expected), "{said}");
        }
        let both = AgentDraft { parallel: Some(99), confine: Some("no".into()), ..draft("x") };
        assert_eq!(both.check("mine", Source::User).unwrap_err().len(), 2, "all of it is told at once");
        assert!(draft("x").check(" ", Source::User).is_err() && draft("x").check("a\u{1b}", Source::User).is_err());
        assert!(draft("x").check(&"n".repeat(101), Source::User).is_err());
    }

    #[test]
    fn a_value_that_is_set_is_not_told() {
        let draft = AgentDraft { set: vec![("TOKEN".into(), "secret\u{1b}".into())], ..draft("x") };
        let told = said(&draft, Source::User);
        assert!(told.starts_with("\"TOKEN\" in set holds") && !told.contains("secret"), "{told}");
    }

    #[test]
    fn no_word_of_a_task_runs_as_a_command() {
        let with = |command: &str, arguments: &[&str], prompt: &str| {
            let args = Some(texts(arguments));
            said(&AgentDraft { args, prompt: Some(prompt.into()), ..draft(command) }, Source::User)
        };
        for (command, arguments, prompt) in [
            ("/bin/sh", &["-c", "{prompt}"][..], "argument"),
            ("bash", &["-lc", "goose run -t {prompt}"], "argument"),
            ("bash", &["-c"], "argument"),
            ("bash", &["-o", "pipefail", "-c", "{prompt}"], "argument"),
            ("env", &["sh", "-c", "{prompt}"], "argument"),
            ("python3", &["-c", "{prompt}"], "argument"),
            ("node", &["--eval", "{prompt}"], "argument"),
            ("sh", &["{prompt}"], "argument"),
            ("sh", &[], "stdin"),
            ("bash", &["-s"], "stdin"),
        ] {
            let said = with(command, arguments, prompt);
            assert!(said.contains("the words of a task would run as a command"), "{command} {arguments:?}: {said}");
        }
        for (command, arguments, prompt) in [
            ("goose", &["run", "-t", "{prompt}"][..], "argument"),
            ("sh", &["~/agent.sh", "{prompt}"], "argument"),
            ("sh", &["-c", "npm test"], "nothing"),
            ("sh", &["-c", "exec agent --read-stdin"], "stdin"),
            ("node", &["agent.mjs"], "stdin"),
            ("node", &["agent.mjs", "-p", "{prompt}"], "argument"),
            ("agent", &["-c", "{prompt}"], "argument"),
        ] {
            let said = with(command, arguments, prompt);
            assert!(said.starts_with("ok "), "{command} {arguments:?}: {said}");
        }
    }

    #[test]
    fn a_workspace_says_less_than_its_user() {
        let refused = [
            AgentDraft { env: texts(&["GITHUB_TOKEN"]), ..draft("x") },
            AgentDraft { set: vec![("PATH".into(), "bin".into())], ..draft("x") },
            AgentDraft { set: vec![("LD_PRELOAD".into(), "x.so".into())], ..draft("x") },
            AgentDraft { writable: texts(&["/"]), ..draft("x") },
            AgentDraft { writable: texts(&["~/.ssh"]), ..draft("x") },
        ];
        for draft in refused {
            let told = said(&draft, Source::Workspace);
            assert!(told.contains("is not for a workspace to say"), "{told}");
            let told = said(&draft, Source::User);
            assert!(told.starts_with("ok "), "{told}");
        }
        for command in ["/bin/x", "~/x", "./../x", "tools/x"] {
            assert!(said(&draft(command), Source::Workspace).contains("lies outside of the workspace"), "{command}");
        }
        let fine = AgentDraft { env: texts(&["OPENAI_API_KEY"]), ..draft("./tools/agent") };
        assert_eq!(said(&fine, Source::Workspace), "ok ./tools/agent");
    }
}
