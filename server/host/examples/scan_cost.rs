//! What the scan of added lines finds and what it costs. For the benches, no part of the product.
//!
//! `scan_cost files ROOT BYTES ROUNDS` reads source files below ROOT up to so many bytes before the clock starts, scans them
//! that often on one core and prints the processor time of one round in ms, the bytes and how much was found by rule and by kind, as JSON. `scan_cost samples FILE`
//! takes a JSON array of `[path, text]` and prints for each the rules that were found.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use augment_core::file::FilePath;
use augment_core::scan::{Finding, scan_all};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let answer = match words[..] {
        ["files", root, bytes, rounds] => files(Path::new(root), bytes.parse()?, rounds.parse()?)?,
        ["samples", file] => samples(&std::fs::read_to_string(file)?)?,
        _ => return Err("Usage: scan_cost files ROOT BYTES ROUNDS | scan_cost samples FILE".into()),
    };
    writeln!(std::io::stdout(), "{answer}")?;
    Ok(())
}

fn files(root: &Path, most: usize, rounds: u32) -> Result<serde_json::Value, Failure> {
    let mut texts = Vec::new();
    let mut left = most;
    gather(root, root, &mut left, &mut texts)?;
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    let rounds = rounds.max(1);
    let mut findings = Vec::new();
    let started = processor_ms()?;
    for _ in 0..rounds {
        findings.clear();
        for (path, text) in &texts {
            findings.extend(scan_all(path, text));
        }
    }
    let ms = (processor_ms()? - started) / f64::from(rounds);
    let (mut by_rule, mut by_kind) = (BTreeMap::new(), BTreeMap::new());
    for Finding { rule, .. } in &findings {
        *by_rule.entry(rule.id).or_insert(0) += 1;
        *by_kind.entry(rule.kind.name()).or_insert(0) += 1;
    }
    Ok(serde_json::json!({ "ms": ms, "bytes": bytes, "files": texts.len(), "rules": by_rule, "kinds": by_kind }))
}

/// Processor time of this thread as the kernel counts it: what others do on the machine is not in it.
fn processor_ms() -> Result<f64, Failure> {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = counts.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e6)
}

/// The files below a folder in the order of their names, while they fit.
fn gather(root: &Path, folder: &Path, left: &mut usize, texts: &mut Vec<(FilePath, Vec<u8>)>) -> Result<(), Failure> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if *left == 0 {
            break;
        } else if kind.is_dir() {
            gather(root, &path, left, texts)?;
        } else if kind.is_file() {
            let text = std::fs::read(&path)?;
            let name = path.strip_prefix(root)?.as_os_str().as_encoded_bytes();
            if text.len() <= *left && !text.iter().take(8_192).any(|byte| *byte == 0) {
                *left -= text.len();
                texts.push((FilePath::new(name).map_err(|why| why.to_string())?, text));
            }
        }
    }
    Ok(())
}

fn samples(text: &str) -> Result<serde_json::Value, Failure> {
    let samples: Vec<(String, String)> = serde_json::from_str(text)?;
    let mut answers = Vec::new();
    for (path, text) in samples {
        let path = FilePath::from_text(&path).map_err(|why| why.to_string())?;
        let found: Vec<[&str; 2]> = scan_all(&path, text.as_bytes())
            .iter()
            .map(|finding| [finding.rule.id, finding.rule.kind.name()])
            .collect();
        answers.push(found);
    }
    Ok(serde_json::to_value(answers)?)
}
