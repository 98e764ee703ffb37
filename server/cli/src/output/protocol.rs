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
    /// Every point, in the order of the protocols. How many there are depends on the session: one for each task that
    /// ended and each artifact.
    pub(crate) checked: Vec<Checked>,
    /// Why it could not be checked.
    pub(crate) problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Lacking {
    pub(crate) point: String,
    pub(crate) what: String,
    /// What can still be done about it.
    pub(crate) next: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Checked {
    pub(crate) point: String,
    pub(crate) met: bool,
    pub(crate) lacks: Option<String>,
    /// By what it is met, where that is not what the point's name says.
    pub(crate) note: Option<&'static str>,
    pub(crate) next: Option<&'static str>,
}

/// How much people read of each session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    WhatIsMissing,
    EveryPoint,
}

pub(crate) fn told(judgement: &Judgement, shown: Shown) -> String {
    if judgement.sessions.is_empty() {
        return Look::Faint.paint("No archived session to check.");
    }
    let mut lines: Vec<String> = judgement.sessions.iter().flat_map(|judged| one(judged, shown)).collect();
    let of = judgement.sessions.len();
    if of > 1 {
        let whole = judgement.sessions.iter().filter(|it| it.problem.is_none() && it.missing.is_empty()).count();
        lines.push(String::new());
        lines.push(Look::Faint.paint(&format!("{whole} of {of} sessions lack nothing.")));
    }
    lines.join("\n")
}

fn one(judged: &Judged, shown: Shown) -> Vec<String> {
    let folder = visible(&judged.folder).into_owned();
    if let Some(problem) = &judged.problem {
        return vec![format!("{folder}  {}", Look::Bad.paint("cannot be checked")), format!("  {}", visible(problem))];
    }
    let look = if judged.missing.is_empty() { Look::Good } else { Look::Warn };
    let score = look.paint(&format!("{} of {} points", judged.points, judged.of));
    let mut lines = vec![format!("{folder}  {score}")];
    match shown {
        Shown::WhatIsMissing => {
            lines.extend(judged.missing.iter().map(|it| format!("  {}", lacking(&it.point, &it.what, it.next))));
        }
        Shown::EveryPoint => lines.extend(judged.checked.iter().map(|it| match &it.lacks {
            None => {
                let note = it.note.map_or_else(String::new, |note| format!(": {}", visible(note)));
                format!("  {}  {}{note}", Look::Good.paint("met  "), visible(&it.point))
            }
            Some(what) => format!("  {}  {}", Look::Warn.paint("lacks"), lacking(&it.point, what, it.next)),
        })),
    }
    lines
}

fn lacking(point: &str, what: &str, next: Option<&str>) -> String {
    let next = next.map_or_else(String::new, |next| format!(" {next}"));
    format!("{}: {}{next}", visible(point), visible(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    #[test]
    fn the_score_and_what_is_missing_are_told() {
        let whole = Judged { folder: "one".into(), points: 23, of: 23, ..Judged::default() };
        let missing =
            vec![Lacking { point: "tags".into(), what: "It has no tag\u{1b}.".into(), next: Some("Tag it.") }];
        let checked = vec![
            Checked { point: "metrics".into(), met: true, lacks: None, note: None, next: None },
            Checked { point: "scope".into(), met: true, lacks: None, note: Some("By itself."), next: None },
            Checked {
                point: "tags".into(),
                met: false,
                lacks: Some("It has no tag\u{1b}.".into()),
                note: None,
                next: Some("Tag it."),
            },
        ];
        let lacking = Judged { folder: "two\n".into(), points: 22, of: 23, missing, checked, ..Judged::default() };
        let unread = Judged { folder: "three".into(), problem: Some("No.".into()), ..Judged::default() };
        let every = plain(&told(&Judgement { sessions: vec![lacking.clone()] }, Shown::EveryPoint));
        assert_eq!(
            every,
            "two\\n  22 of 23 points\n  met    metrics\n  met    scope: By itself.\n  lacks  tags: It has no tag\\u{1b}. Tag it."
        );
        assert_eq!(
            plain(&told(&Judgement { sessions: vec![whole, lacking, unread] }, Shown::WhatIsMissing)),
            "one  23 of 23 points\ntwo\\n  22 of 23 points\n  tags: It has no tag\\u{1b}. Tag it.\nthree  cannot be checked\n  No.\n\n\
             1 of 3 sessions lack nothing."
        );
    }
}
