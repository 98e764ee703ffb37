//! What must hold for a prompt to be closed: each with a mark, and where it does not hold, what is wrong and how to mend it.

use augment_core::prompt::guard;
use augment_core::text::visible;
use augment_protocol::prompts::{Guarded, Invariant};

use super::{note_lines, short};
use crate::output::table::Look;

pub(crate) fn guarded(judged: &Guarded) -> String {
    let session = judged.session.as_deref().map_or_else(
        || "No session commit was found".to_owned(),
        |session| format!("Session {}", visible(short(session))),
    );
    let place = format!("{session}, {} of {}", visible(&judged.branch), visible(&judged.remote));
    let lines: Vec<String> = judged.invariants.iter().map(invariant).collect();
    let broken = judged.invariants.iter().filter(|invariant| invariant.wrong.is_some()).count();
    let unjudged = judged.invariants.iter().filter(|invariant| !invariant.holds).count() - broken;
    let of = judged.invariants.len();
    let hold = if broken == 1 { "does not hold" } else { "do not hold" };
    let words = match (broken, unjudged) {
        (broken, 0) => format!("{broken} of {of} {hold}."),
        (0, unjudged) => format!("{unjudged} of {of} could not be judged."),
        (broken, unjudged) => format!("{broken} of {of} {hold}, {unjudged} could not be judged."),
    };
    let end =
        if judged.holds { Look::Good.paint("All hold: this session is closed.") } else { Look::Bad.paint(&words) };
    let parts = [Some(place), Some(lines.join("\n")), note_lines(&judged.notes), Some(end)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn invariant(judged: &Invariant) -> String {
    let mark = match (judged.holds, &judged.wrong) {
        (true, _) => Look::Good.paint("✓"),
        (false, Some(_)) => Look::Bad.paint("✗"),
        // It could not be judged; what is missing stands behind it.
        (false, None) => Look::Warn.paint("?"),
    };
    let known = guard::Invariant::ALL.into_iter().find(|known| known.name() == judged.name);
    let wants = known.map(|known| format!("  {}", Look::Faint.paint(known.wants()))).unwrap_or_default();
    // As wide as the longest name.
    let mut lines =
        vec![format!("{mark} {}  {:<17}{wants}", judged.number, visible(&judged.name)).trim_end().to_owned()];
    lines.extend(judged.wrong.iter().map(|wrong| format!("     {}", visible(wrong))));
    lines.extend(judged.mend.iter().map(|mend| match judged.wrong {
        Some(_) => format!("     {} {}", Look::Strong.paint("mend:"), visible(mend)),
        None => format!("     {}", visible(mend)),
    }));
    lines.join("\n")
}
