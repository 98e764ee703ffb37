//! How archived sessions kept to their protocols, for people.

use augment_core::text::visible;
use serde::Serialize;

use super::table::Look;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Judgement {
    pub(crate) sessions: Vec<Judged>,
}

/// One session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Judged {
    pub(crate) folder: String,
    pub(crate) session: Option<String>,
    pub(crate) number: Option<u32>,
    /// The session's and the completion's, by name and version.
    pub(crate) protocol: Option<[String; 2]>,
    /// So many points of so many.
    pub(crate) points: usize,
    pub(crate) of: usize,
    pub(crate) missing: Vec<Lacking>,
    /// Why it could not be checked.
    pub(crate) problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Lacking {
    pub(crate) point: String,
    pub(crate) what: String,
}

pub(crate) fn told(judgement: &Judgement) -> String {
    if judgement.sessions.is_empty() {
        return Look::Faint.paint("No archived session to check.");
    }
    let mut lines: Vec<String> = judgement.sessions.iter().flat_map(one).collect();
    let of = judgement.sessions.len();
    if of > 1 {
        let whole = judgement.sessions.iter().filter(|it| it.problem.is_none() && it.missing.is_empty()).count();
        lines.push(String::new());
        lines.push(Look::Faint.paint(&format!("{whole} of {of} sessions lack nothing.")));
    }
    lines.join("\n")
}

fn one(judged: &Judged) -> Vec<String> {
    let folder = visible(&judged.folder).into_owned();
    if let Some(problem) = &judged.problem {
        return vec![format!("{folder}  {}", Look::Bad.paint("cannot be checked")), format!("  {}", visible(problem))];
    }
    let look = if judged.missing.is_empty() { Look::Good } else { Look::Warn };
    let score = look.paint(&format!("{} of {} points", judged.points, judged.of));
    let missing = judged.missing.iter().map(|it| format!("  {}: {}", visible(&it.point), visible(&it.what)));
    std::iter::once(format!("{folder}  {score}")).chain(missing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    #[test]
    fn the_score_and_what_is_missing_are_told() {
        let whole = Judged { folder: "one".into(), points: 23, of: 23, ..Judged::default() };
        let missing = vec![Lacking { point: "tags".into(), what: "It has no tag\u{1b}.".into() }];
        let lacking = Judged { folder: "two\n".into(), points: 22, of: 23, missing, ..Judged::default() };
        let unread = Judged { folder: "three".into(), problem: Some("No.".into()), ..Judged::default() };
        assert_eq!(
            plain(&told(&Judgement { sessions: vec![whole, lacking, unread] })),
            "one  23 of 23 points\ntwo\\n  22 of 23 points\n  tags: It has no tag\\u{1b}.\nthree  cannot be checked\n  No.\n\n\
             1 of 3 sessions lack nothing."
        );
    }
}
