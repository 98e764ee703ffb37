//! What people and agents wrote on its way into documents and reports: what looks like a secret or personal data in it is
//! replaced by what it looks like, since a record is kept, shown and committed.

use crate::file::FilePath;
use crate::scan::{Kind, scan_all};

/// A text without what should not be spread.
pub(super) fn clean(text: &str) -> String {
    let Ok(path) = FilePath::from_text("record.txt") else { return text.to_owned() };
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut found = scan_all(&path, text.as_bytes());
    found.retain(|finding| match finding.rule.kind {
        Kind::Credential | Kind::PersonalData => true,
        Kind::Environment | Kind::Dependency => false,
    });
    // From the back, so that the places in front stay where they are.
    found.sort_by_key(|finding| std::cmp::Reverse((finding.line, finding.start)));
    for finding in found {
        let at = usize::try_from(finding.line).unwrap_or(usize::MAX);
        let (start, end) = (finding.start as usize, finding.end as usize);
        let Some(line) = lines.get_mut(at) else { continue };
        if line.is_char_boundary(start) && line.is_char_boundary(end) && start <= end {
            line.replace_range(start..end, &format!("[{}]", finding.rule.what));
        } else {
            *line = format!("[{}]", finding.rule.what);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_looks_like_a_secret_is_replaced_by_what_it_looks_like() {
        let token = format!("ghp_{}", "x7Kq2mP9vR4tZ8wL3nB6cD1fG5hJ0sA2eY4u");
        let said = clean(&format!("Cannot go on: Bearer {token} is refused"));
        assert!(!said.contains(&token), "{said}");
        assert!(said.starts_with("Cannot go on: Bearer [") && said.ends_with("] is refused"), "{said}");
        assert_eq!(clean("Nothing of note.\nTwo lines."), "Nothing of note.\nTwo lines.");
    }
}
