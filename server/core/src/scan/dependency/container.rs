//! Images that a container is built from, and actions that a workflow runs.

use std::collections::BTreeSet;

use super::{Unpinned, columns, position, without_quotes};
use crate::scan::rules;

pub(super) fn image(lines: &[&[u8]], unpinned: &mut Unpinned) {
    let mut stages: BTreeSet<Vec<u8>> = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let Some((first, rest)) = words.split_first() else { continue };
        if first.eq_ignore_ascii_case(b"FROM") {
            let mut rest = rest.iter().skip_while(|word| word.starts_with(b"--"));
            let Some(image) = rest.next() else { continue };
            judge_image(at, line, image, &stages, unpinned);
            if let (Some(word), Some(stage)) = (rest.next(), rest.next())
                && word.eq_ignore_ascii_case(b"AS")
            {
                stages.insert(stage.to_ascii_lowercase());
            }
        } else if first.eq_ignore_ascii_case(b"COPY") {
            for image in rest.iter().filter_map(|word| word.strip_prefix(b"--from=")) {
                judge_image(at, line, image, &stages, unpinned);
            }
        }
    }
}

fn judge_image(at: usize, line: &[u8], image: &[u8], stages: &BTreeSet<Vec<u8>>, unpinned: &mut Unpinned) {
    let lower = image.to_ascii_lowercase();
    let known =
        image == b"scratch" || image.contains(&b'$') || stages.contains(&lower) || image.iter().all(u8::is_ascii_digit);
    if known || image.windows(8).any(|part| part == b"@sha256:") {
        return;
    }
    let name_at = image.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let tag = position(&image[name_at..], |byte| byte == b':').map(|at| &image[name_at + at + 1..]);
    match tag {
        None => unpinned.tell(at, columns(line, image), &rules::IMAGE_UNPINNED, image, "has no tag"),
        Some(b"latest" | b"") => unpinned.tell(
            at,
            columns(line, image),
            &rules::IMAGE_UNPINNED,
            image,
            "has a tag that moves with every release",
        ),
        Some(_) => {}
    }
}

pub(super) fn actions(lines: &[&[u8]], unpinned: &mut Unpinned) {
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"-").map_or(text, <[u8]>::trim_ascii_start);
        let Some(rest) = text.strip_prefix(b"uses:").filter(|rest| rest.starts_with(b" ")) else { continue };
        let comment = rest.windows(2).position(|pair| pair == b" #").unwrap_or(rest.len());
        let action = without_quotes(&rest[..comment]);
        let (name, pin) = action
            .iter()
            .position(|byte| *byte == b'@')
            .map_or((action, &b""[..]), |at| (&action[..at], &action[at + 1..]));
        let commit = pin.len() == 40 && pin.iter().all(u8::is_ascii_hexdigit);
        let digest = action.starts_with(b"docker://") && pin.starts_with(b"sha256:");
        if action.is_empty() || action.starts_with(b"./") || action.contains(&b'$') || commit || digest {
            continue;
        }
        let words =
            if pin.is_empty() { "names no commit" } else { "is pinned to a name that can be moved, not to a commit" };
        unpinned.tell(at, columns(line, action), &rules::ACTION_UNPINNED, name, words);
    }
}
