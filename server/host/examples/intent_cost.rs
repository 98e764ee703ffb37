//! What one intent costs in a repository of git. For the benches, no part of the product.
//!
//! `intent_cost ROOT FILE ROUNDS` adds a line to the file and commits it, that often, and prints the processor time of one
//! commit in ms as JSON (programs that hooks and signing start are not in it). The repository is opened anew for each.

use std::io::Write as _;
use std::path::Path;

use augment_core::file::FilePath;
use augment_host::vcs::git::Git;
use augment_host::vcs::history::{Body, History as _, NewCommit, Part};
use rustix::time::{ClockId, clock_gettime};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [root, file, rounds] = words[..] else { return Err("intent_cost ROOT FILE ROUNDS".into()) };
    let answer = rounds_of(Path::new(root), file, rounds.parse()?)?;
    writeln!(std::io::stdout(), "{answer}")?;
    Ok(())
}

fn rounds_of(root: &Path, file: &str, rounds: u32) -> Result<serde_json::Value, Failure> {
    let environment: Vec<(String, String)> = std::env::vars().collect();
    let path = FilePath::from_text(file).map_err(|bad| bad.to_string())?;
    let mut spent = 0.0;
    for round in 0..rounds {
        let mut content = std::fs::read(root.join(file))?;
        content.extend_from_slice(format!("line {round}\n").as_bytes());
        std::fs::write(root.join(file), &content)?;
        let begun = processor_ms();
        let git = Git::open(root, &environment)?.ok_or("no repository")?;
        let wanted = NewCommit {
            message: format!("intent: line {round}"),
            parts: vec![Part { path: path.clone(), body: Body::File { content, executable: false } }],
            change: "k".repeat(32),
            tip: git.ground()?.tip.map(|tip| tip.id),
        };
        git.commit(&wanted)?;
        spent += processor_ms() - begun;
    }
    Ok(serde_json::json!({ "ms": spent / f64::from(rounds.max(1)), "rounds": rounds }))
}

fn processor_ms() -> f64 {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.tv_sec as f64 * 1_000.0 + spent.tv_nsec as f64 / 1_000_000.0
}
