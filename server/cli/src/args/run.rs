//! What a run's own process types: `complete`, `ask`, `hook`.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::values::{duration_ms, named_value};

/// How the work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportStatus {
    /// All of it is done
    Completed,
    /// Some of it is done, and it waits for an approval or an answer
    Partial,
    /// It cannot go on
    Blocked,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// How the work stands
    #[arg(long, value_name = "STATUS", default_value = "completed")]
    pub(crate) status: ReportStatus,
    /// What was done, what is left and why; - reads stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) summary: String,
    /// An agent that should work next, with or without a reason; may be given several times
    #[arg(long, value_name = "AGENT[:REASON]")]
    pub(crate) next: Vec<String>,
    /// A figure about the work, such as files_modified=3; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = named_value)]
    pub(crate) metric: Vec<(String, String)>,
    /// The agent that reports
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) decisions: DecisionArgs,
}

/// What a person has to decide: each `--decision` with the `--option` and `--recommend` that stand behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DecisionArgs(pub(crate) Vec<TypedDecision>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TypedDecision {
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    pub(crate) recommend: Option<String>,
}

const DECISION: &str = "decision";
const OPTION: &str = "option";
const RECOMMEND: &str = "recommend";

/// By hand, since only the place of an option tells which decision it belongs to.
impl Args for DecisionArgs {
    fn augment_args(command: Command) -> Command {
        let text = |name, value: &'static str, help| {
            let arg = Arg::new(name).long(name).value_name(value).help(help);
            arg.action(ArgAction::Append).allow_hyphen_values(true)
        };
        command
            .arg(text(DECISION, "QUESTION", "What a person has to decide; may be given several times"))
            .arg(text(OPTION, "VALUE=TEXT", "One way to decide the --decision before it; may be given several times"))
            .arg(text(RECOMMEND, "VALUE", "What you would choose for the --decision before it"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for DecisionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |name: &str| -> Vec<(usize, String)> {
            let places = matches.indices_of(name).into_iter().flatten();
            places.zip(matches.get_many::<String>(name).into_iter().flatten().cloned()).collect()
        };
        let asked = typed(DECISION);
        let places: Vec<usize> = asked.iter().map(|(place, _)| *place).collect();
        let before = |name: &str, place: usize| {
            places.partition_point(|asked| *asked < place).checked_sub(1).ok_or_else(|| {
                let message =
                    format!("--{name} stands before any --decision; write it behind the one that it belongs to\n");
                clap::Error::raw(ErrorKind::MissingRequiredArgument, message)
            })
        };
        let decision = |(_, question)| TypedDecision { question, ..TypedDecision::default() };
        let mut decisions: Vec<TypedDecision> = asked.into_iter().map(decision).collect();
        for (place, option) in typed(OPTION) {
            decisions[before(OPTION, place)?].options.push(option);
        }
        for (place, value) in typed(RECOMMEND) {
            if decisions[before(RECOMMEND, place)?].recommend.replace(value).is_some() {
                let message = "a --decision has two --recommend; give one\n";
                return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message));
            }
        }
        Ok(Self(decisions))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// What a person shall decide
    #[arg(value_name = "QUESTION", allow_hyphen_values = true)]
    pub(crate) question: String,
    /// One way to answer: what is printed when it is chosen, and what the person reads; without any the answer is a text
    #[arg(long, value_name = "VALUE=TEXT")]
    pub(crate) option: Vec<String>,
    /// The value of the option that you would choose
    #[arg(long, value_name = "VALUE")]
    pub(crate) recommend: Option<String>,
    /// What the question is about: a command, a diff; - reads stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) detail: Option<String>,
    /// How long to wait for the answer: 90s, 10m; a bare number is minutes
    #[arg(long, value_name = "TIME", value_parser = duration_ms, default_value = "10m")]
    pub(crate) wait: i64,
}

/// Nothing is refused here: to some agents the exit code of a usage error means that the tool may not be used.
#[derive(Debug, Args)]
#[command(trailing_var_arg = true)]
pub(crate) struct HookArgs {
    /// The agent whose hook this is (claude-code, codex, gemini, qwen or auggie), then its event, where it comes as an argument
    #[arg(value_name = "AGENT [EVENT]", allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}
