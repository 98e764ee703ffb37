//! `prompt …` as it is typed. Long texts may come as an argument, from a file or from stdin; none of them is trimmed.

use std::path::PathBuf;

use augment_core::text::quoted;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::values::how_many;

#[derive(Debug, Subcommand)]
pub(crate) enum PromptCommand {
    /// Begin a prompt: takes its stamp, keeps its text to the byte, and finds the subjects that it touches
    #[command(
        after_help = "The text is an argument, a file or stdin. What lies uncommitted in the tree is shown first: on a terminal you are \
                      asked what becomes of it, elsewhere --commit-first or --leave says it, and without either nothing begins.\n\n\
                      Examples:\n  augment-cli prompt start \"Teach the parser comments\"\n  \
                      augment-cli prompt start --file prompt.md --context \"A new token, no new grammar\"\n  \
                      pbpaste | augment-cli prompt start - --commit-first\n  \
                      augment-cli prompt start --file prompt.md --dry-run"
    )]
    Start(StartPromptArgs),
    /// Show the prompt that is under way, what could be committed for it, and what comes next
    Status,
    /// Say how the prompt is understood; replaces what was said before
    #[command(after_help = "Examples:\n  augment-cli prompt context \"Comments are tokens; the grammar stays\"\n  \
                      augment-cli prompt context --file context.md")]
    Context(ContextArgs),
    /// Commit approved changes, and nothing else, as one intent
    #[command(
        after_help = "Without a task, a decision or files it is all that is approved. What waits for a decision stays out of it.\n\n\
                      Examples:\n  augment-cli prompt intent \"Read comments as tokens\"\n  \
                      augment-cli prompt intent \"Read comments as tokens\" --task b12\n  \
                      augment-cli prompt intent \"Test comments\" tests/comments.rs --dry-run"
    )]
    Intent(IntentArgs),
    /// Make one `session:` commit of the intents; the files on disk stay as they are
    #[command(
        after_help = "One intent gets the session's message; several are squashed into one new commit, and are kept. \
                      --dry-run prints the whole message as it would be. `augment-cli prompt undo` takes it back.\n\n\
                      Examples:\n  augment-cli prompt finish \"The parser reads comments\"\n  \
                      augment-cli prompt finish \"The parser reads comments\" --dry-run\n  \
                      augment-cli prompt finish \"The parser reads comments\" --include 3fa2c1d --leave spike"
    )]
    Finish(FinishArgs),
    /// Write the answer to the prompt into `Research/`, and commit it
    #[command(
        after_help = "Examples:\n  augment-cli prompt report --title \"Comments\" --answer \"The parser reads them.\"\n  \
                      augment-cli prompt report --title \"Comments\" --answer-file answer.md --subject Parser\n  \
                      my-agent | augment-cli prompt report --title \"Comments\" --kind question --change-scope no-files -"
    )]
    Report(ReportPromptArgs),
    /// Show which subjects of `Development/` and `Research/` lack their counterpart; with --write make it
    #[command(after_help = "Examples:\n  augment-cli prompt unify\n  augment-cli prompt unify --write")]
    Unify {
        /// Make the folders that are missing, with a link on each side
        #[arg(long)]
        write: bool,
    },
    /// Push the session's commit, ask the remote whether it has it, and only then begin a fresh child
    #[command(
        after_help = "Nothing is ever forced on a remote. Exit code 1 when the remote does not have it.\n\nExamples:\n  \
                      augment-cli prompt push\n  augment-cli prompt push --remote origin --to dev\n  augment-cli prompt push --dry-run"
    )]
    Push(PushArgs),
    /// Take back what was written to history last for the prompt; the files on disk stay as they are
    #[command(after_help = "Examples:\n  augment-cli prompt undo --dry-run\n  augment-cli prompt undo")]
    Undo {
        /// Only say what would be taken back
        #[arg(long)]
        dry_run: bool,
        /// Take it back only if it is this commit, as --dry-run has shown it
        #[arg(long, value_name = "HASH")]
        commit: Option<String>,
    },
    /// Give a prompt up; what was committed for it stays
    #[command(after_help = "Examples:\n  augment-cli prompt drop\n  augment-cli prompt drop p7")]
    Drop {
        /// The prompt, such as p7; without it the one that is under way
        #[arg(value_name = "PROMPT")]
        prompt: Option<String>,
    },
    /// List the prompts that are known here, and the `session:` commits of the history, newest first
    #[command(after_help = "Examples:\n  augment-cli prompt list\n  augment-cli prompt list --branch dev --limit 5")]
    List(ListPromptsArgs),
    /// Show one prompt or one `session:` commit with its whole message
    #[command(after_help = "Exit code 1 when nothing has that name.\n\nExamples:\n  augment-cli prompt show p7\n  \
                      augment-cli prompt show qpvuntsm\n  augment-cli prompt show p7 --prompt > prompt.md")]
    Show(ShowPromptArgs),
    /// Check the five things that must hold for a prompt to be closed
    #[command(
        after_help = "Exit code 0 when all hold, 1 when one does not, 2 when they could not be judged.\n\nExamples:\n  \
                      augment-cli prompt guard\n  augment-cli prompt guard --branch main --remote upstream --json"
    )]
    Guard(GuardArgs),
}

/// A text as an argument, from a file or from stdin.
#[derive(Debug, Args)]
pub(crate) struct TextArgs {
    /// The text; - reads stdin, as does no text where stdin is no terminal
    #[arg(value_name = "TEXT", allow_hyphen_values = true, value_parser = no_option, conflicts_with = "file")]
    pub(crate) text: Option<String>,
    /// The file that holds it; - reads stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// How a prompt is understood.
#[derive(Debug, Args)]
pub(crate) struct PromptContextArgs {
    /// How the prompt is understood: the approach, the constraints
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "context_file")]
    pub(crate) context: Option<String>,
    /// The same from a file; - reads stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) context_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct StartPromptArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) context: PromptContextArgs,
    /// A subject that it belongs to, instead of those that are found; may be repeated
    #[arg(long, value_name = "SUBJECT")]
    pub(crate) subject: Vec<String>,
    /// Commit what lies in the tree first, each group as an intent of its own
    #[arg(long, conflicts_with = "leave")]
    pub(crate) commit_first: bool,
    /// Leave what lies in the tree as it is
    #[arg(long)]
    pub(crate) leave: bool,
    /// What the commit of a group of what lies there is called, instead of what is proposed; once for each group, in their order
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "leave")]
    pub(crate) before: Vec<String>,
    /// Go on only if what lies in the tree is what was shown with this word
    #[arg(long, value_name = "WORD", conflicts_with = "dry_run")]
    pub(crate) confirm: Option<String>,
    /// Take the text also where something in it looks like a credential
    #[arg(long)]
    pub(crate) with_credentials: bool,
    /// Only show the stamp, the subjects and what lies in the tree
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// Only if this prompt is the one that is under way, such as p7
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Take the text also where something in it looks like a credential
    #[arg(long)]
    pub(crate) with_credentials: bool,
}

#[derive(Debug, Args)]
pub(crate) struct IntentArgs {
    /// What the change does, in one line; with or without `intent: ` in front
    #[arg(value_name = "TEXT", allow_hyphen_values = true, value_parser = no_option)]
    pub(crate) text: String,
    /// Only in these files
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Only in this file; may be repeated
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
    pub(crate) path: Vec<PathBuf>,
    /// Only what this task did
    #[arg(long, visible_alias = "task-id", value_name = "ID")]
    pub(crate) task: Option<String>,
    /// Only what this decision approved, such as d12
    #[arg(long, value_name = "DECISION")]
    pub(crate) decision: Option<String>,
    /// Only what is no task's, and not from before the prompt
    #[arg(long, conflicts_with_all = ["task", "decision"])]
    pub(crate) own: bool,
    /// Take the text also where something in it looks like a credential
    #[arg(long)]
    pub(crate) with_credentials: bool,
    /// Only show what would be committed
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Commit only if it is what --dry-run has shown with this word
    #[arg(long, value_name = "WORD", conflicts_with = "dry_run")]
    pub(crate) confirm: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FinishArgs {
    /// What was achieved, in one line
    #[arg(value_name = "SUMMARY", allow_hyphen_values = true, value_parser = no_option)]
    pub(crate) summary: String,
    /// Only if this prompt is the one that is under way, such as p7
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    #[command(flatten)]
    pub(crate) context: PromptContextArgs,
    /// A commit that is no intent, or that a remote has already, and belongs to the session all the same; may be repeated
    #[arg(long, value_name = "REV")]
    pub(crate) include: Vec<String>,
    /// A branch whose intents stay out of it, or an intent that does, with what it stands on; may be repeated
    #[arg(long, value_name = "BRANCH")]
    pub(crate) leave: Vec<String>,
    /// The bookmark of jj that is led to the result
    #[arg(long, value_name = "NAME")]
    pub(crate) bookmark: Option<String>,
    /// Take the context also where something in it looks like a credential
    #[arg(long)]
    pub(crate) with_credentials: bool,
    /// Only print the whole message as it would be
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Make the commit only if it is what --dry-run has shown with this word
    #[arg(long, value_name = "WORD", conflicts_with = "dry_run")]
    pub(crate) confirm: Option<String>,
}

/// What kind of answer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerKind {
    Answer,
    Draft,
    Question,
}

/// Whether files were changed for the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypedScope {
    ModifiedFiles,
    NoFiles,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true).multiple(false).args(["answer", "answer_file", "stdin"]))]
pub(crate) struct ReportPromptArgs {
    /// The answer
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) answer: Option<String>,
    /// The file that holds the answer; - reads stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) answer_file: Option<PathBuf>,
    /// Read the answer from stdin
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true)]
    pub(crate) stdin: Option<String>,
    /// What kind of answer it is
    #[arg(long, value_name = "KIND", default_value = "answer")]
    pub(crate) kind: AnswerKind,
    /// Whether files were changed for the prompt; without it by what was committed
    #[arg(long, value_name = "SCOPE")]
    pub(crate) change_scope: Option<TypedScope>,
    /// What the file is called, in a few words
    #[arg(long, value_name = "TITLE", allow_hyphen_values = true)]
    pub(crate) title: String,
    /// The subject that it is filed under; without it the first of the prompt
    #[arg(long, value_name = "SUBJECT")]
    pub(crate) subject: Option<String>,
    /// Only if this prompt is the one that is under way, such as p7
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Take the answer also where something in it looks like a credential
    #[arg(long)]
    pub(crate) with_credentials: bool,
    /// Write the files and leave them uncommitted
    #[arg(long)]
    pub(crate) no_commit: bool,
    /// Only print the file as it would be
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PushArgs {
    /// The remote; without it the one that is set
    #[arg(long, value_name = "REMOTE")]
    pub(crate) remote: Option<String>,
    /// The branch there; without it the one that is set
    #[arg(long, visible_alias = "branch", value_name = "BRANCH")]
    pub(crate) to: Option<String>,
    /// Only say what would be pushed
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Push only if it is this commit, as --dry-run has shown it
    #[arg(long, value_name = "HASH")]
    pub(crate) commit: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListPromptsArgs {
    /// How many of each
    #[arg(long, value_name = "N", value_parser = how_many)]
    pub(crate) limit: Option<u32>,
    /// The branch whose history is read; without it what is checked out
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowPromptArgs {
    /// A prompt (p7), or a change id or a commit of the list, or a unique beginning of at least four characters
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print only what was asked, to the byte
    #[arg(long)]
    pub(crate) prompt: bool,
    /// The branch whose history is read; without it what is checked out
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GuardArgs {
    /// The branch that sessions are pushed to; without it the one that is set
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,
    /// The remote; without it the one that is set
    #[arg(long, value_name = "REMOTE")]
    pub(crate) remote: Option<String>,
}

/// A text may begin with a dash, as a list does; a single word that does is an option with a slip in it.
fn no_option(text: &str) -> Result<String, String> {
    let is_option = text.len() > 1 && text.starts_with('-') && !text.contains(char::is_whitespace);
    if is_option {
        return Err(format!("{} looks like an option, and there is none of that name", quoted(text)));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_begin_with_a_dash_and_a_slip_is_no_text() {
        for text in ["-", "- one\n- two", "-- later", "plain", "", "a--b"] {
            assert_eq!(no_option(text).as_deref(), Ok(text));
        }
        for slip in ["--dry-rum", "-x", "--"] {
            assert!(no_option(slip).is_err(), "{slip}");
        }
    }
}
