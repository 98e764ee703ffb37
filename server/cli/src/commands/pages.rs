//! Completions and manual pages, made from the commands as they are.

use std::path::Path;

use clap::CommandFactory as _;

use super::{Ended, Ending, Failure, Session};
use crate::args::Cli;

pub(super) fn completions(session: &Session, shell: clap_complete::Shell) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "augment-cli", &mut script);
    if shell == clap_complete::Shell::Bash {
        // clap_complete spells a hyphen in the program's name in two ways, so that no case of the script is ever met.
        script = String::from_utf8_lossy(&script).replace("augment__subcmd__cli", "augment__cli").into_bytes();
    }
    session.output.raw(&script)?;
    Ok(Ending::Done)
}

pub(super) fn man(session: &Session, dir: Option<&Path>) -> Ended {
    match dir {
        Some(dir) => write_pages(session, dir),
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command())
                .render(&mut page)
                .map_err(|error| Failure::told("man", format!("The manual page cannot be made: {error}.")))?;
            session.output.raw(&page)?;
            Ok(Ending::Done)
        }
    }
}

fn write_pages(session: &Session, dir: &Path) -> Ended {
    let unusable = |error: std::io::Error| {
        Failure::told(
            "man",
            format!(
                "The manual pages cannot be written to {}: {error}. Name a folder that you may write to.",
                dir.display()
            ),
        )
    };
    std::fs::create_dir_all(dir).map_err(unusable)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(unusable)?;
    let written = dir.display().to_string();
    session.show(&serde_json::json!({ "dir": written }), |_| {
        format!("The manual pages are in {}.", augment_core::text::visible(&written))
    })?;
    Ok(Ending::Done)
}
