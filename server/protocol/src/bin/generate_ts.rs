//! `npm run generate`: writes the files that are made from the protocol. With `--check` it only says which are stale.

use std::path::Path;
use std::process::ExitCode;

use augment_protocol::generate;

fn main() -> Result<ExitCode, std::io::Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let only_check = std::env::args().any(|argument| argument == "--check");
    let readme = root.join("server/protocol/README.md");
    let readme_text = std::fs::read_to_string(&readme)?;
    let reference = generate::with_reference(&readme_text)
        .ok_or_else(|| std::io::Error::other("server/protocol/README.md has lost the marks around its method table"))?;
    let mut stale = false;
    for (path, text) in [(root.join("extension/src/protocol.gen.ts"), generate::typescript()), (readme, reference)] {
        if std::fs::read_to_string(&path).unwrap_or_default() == text {
            continue;
        }
        if only_check {
            stale = true;
            say(&format!("{} is stale; run `npm run generate`.", path.display()));
        } else {
            std::fs::write(&path, text)?;
            say(&format!("wrote {}", path.display()));
        }
    }
    Ok(if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

#[expect(clippy::print_stdout, reason = "this program's output is these lines")]
fn say(line: &str) {
    println!("{line}");
}
