//! Agents for people: the presets, and how a test of one went. What an agent says of itself is shown as text.

use augment_core::text::{visible, visible_lines};
use serde::Serialize;

use super::table::{Cell, Column, Look, fields, table};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PresetList {
    pub(crate) presets: Vec<KnownPreset>,
    /// Where own agents are configured.
    pub(crate) user_file: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KnownPreset {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) install: &'static str,
    pub(crate) sign_in: Option<&'static str>,
    pub(crate) adapter: &'static str,
    /// Null where it has to be filled in.
    pub(crate) command: Option<String>,
    /// Where its program was found; null where it was not.
    pub(crate) program: Option<String>,
    pub(crate) env: &'static [&'static str],
    pub(crate) writable: &'static [&'static str],
}

pub(crate) fn presets(list: &PresetList, width: Option<u16>) -> String {
    let columns = [
        Column::Fixed("PRESET"),
        Column::Fixed("ADAPTER"),
        Column::Fixed("FOUND"),
        Column::Text("COMMAND"),
        Column::Text("ABOUT"),
    ];
    let rows = list.presets.iter().map(|preset| {
        let (found, look) = match (&preset.program, &preset.command) {
            (Some(_), _) => ("yes", Look::Good),
            (None, Some(_)) => ("no", Look::Faint),
            (None, None) => ("–", Look::Faint),
        };
        vec![
            Cell::styled(preset.name, Look::Strong),
            Cell::new(preset.adapter),
            Cell::styled(found, look),
            Cell::new(preset.command.as_deref().unwrap_or("your own")),
            Cell::new(preset.about),
        ]
    });
    let mut parts = vec![table(&columns, rows.collect(), width)];
    let missing: Vec<String> = list
        .presets
        .iter()
        .filter(|preset| preset.program.is_none())
        .map(|preset| {
            let next = preset.sign_in.map(|next| format!(" {next}")).unwrap_or_default();
            format!("{}: {}{next}", Look::Strong.paint(preset.name), preset.install)
        })
        .collect();
    if !missing.is_empty() {
        parts.push(missing.join("\n"));
    }
    parts.push(format!("Agents of your own are configured in {}.", visible(&list.user_file)));
    parts.join("\n\n")
}

/// How a test of an agent went.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentTest {
    pub(crate) name: String,
    pub(crate) source: &'static str,
    pub(crate) works: bool,
    pub(crate) adapter: &'static str,
    pub(crate) command: String,
    pub(crate) program: Option<String>,
    /// What it calls itself.
    pub(crate) version: Option<String>,
    pub(crate) protocol_version: Option<i64>,
    pub(crate) needs_sign_in: bool,
    pub(crate) sign_in_ways: Vec<String>,
    pub(crate) session: bool,
    pub(crate) modes: Vec<String>,
    /// The mode that its session begins in.
    pub(crate) mode: Option<String>,
    /// Null where it was not started.
    pub(crate) confinement: Option<Confinement>,
    pub(crate) steps: Vec<Step>,
    pub(crate) notes: Vec<String>,
    pub(crate) problem: Option<Problem>,
    /// The end of what it said on stderr, where something is wrong.
    pub(crate) complaints: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Confinement {
    pub(crate) setting: &'static str,
    pub(crate) in_force: bool,
    /// Why it is not.
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) step: &'static str,
    pub(crate) ms: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

pub(crate) fn tested(test: &AgentTest) -> String {
    let mut entries = vec![
        ("agent", Cell::new(format!("{} ({})", test.name, test.source))),
        ("command", Cell::new(&test.command)),
        ("program", Cell::new(test.program.as_deref().unwrap_or("not found"))),
        ("adapter", Cell::new(test.adapter)),
    ];
    if let Some(version) = &test.version {
        entries.push(("version", Cell::new(version)));
    }
    if let Some(version) = test.protocol_version {
        entries.push(("protocol", Cell::new(format!("ACP {version}"))));
        let sign_in = if test.needs_sign_in { "needed" } else { "not needed" };
        entries.push(("sign-in", Cell::new(sign_in)));
        entries.push(("session", Cell::new(session(test))));
    }
    if let Some(confinement) = &test.confinement {
        let told = match (confinement.in_force, &confinement.reason) {
            (true, _) => format!("in force ({})", confinement.setting),
            (false, reason) => format!("not in force. {}", reason.as_deref().unwrap_or_default()),
        };
        entries.push(("confinement", Cell::new(told)));
    }
    if !test.steps.is_empty() {
        let steps: Vec<String> = test.steps.iter().map(|step| format!("{} {} ms", step.step, step.ms)).collect();
        entries.push(("took", Cell::new(steps.join(", "))));
    }
    let mut parts = vec![fields(&entries)];
    if let Some(complaints) = &test.complaints {
        parts.push(format!("What it said on stderr at the end:\n{}", visible_lines(complaints)));
    }
    let mut last: Vec<String> =
        test.notes.iter().map(|note| format!("{} {}", Look::Warn.paint("note:"), visible(note))).collect();
    last.push(match &test.problem {
        Some(problem) => format!("{} {}", Look::Bad.paint("failed:"), visible(&problem.message)),
        None if test.steps.is_empty() => format!("{} its program is there.", Look::Good.paint("ok:")),
        None => format!("{} it works.", Look::Good.paint("ok:")),
    });
    parts.push(last.join("\n"));
    parts.join("\n\n")
}

fn session(test: &AgentTest) -> String {
    let made = if test.session { "made" } else { "not made" };
    match (&test.mode, test.modes.as_slice()) {
        (_, []) => made.to_owned(),
        (Some(mode), modes) => format!("{made}, in mode {mode} of {}", modes.join(", ")),
        (None, modes) => format!("{made}, with modes {}", modes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    fn sample() -> AgentTest {
        AgentTest {
            name: "goose".into(),
            source: "preset",
            works: true,
            adapter: "acp",
            command: "goose acp".into(),
            program: Some("/bin/goose".into()),
            version: Some("goose 1\u{1b}[2J".into()),
            protocol_version: Some(1),
            needs_sign_in: false,
            sign_in_ways: Vec::new(),
            session: true,
            modes: vec!["ask".into(), "auto".into()],
            mode: Some("ask".into()),
            confinement: Some(Confinement { setting: "enforce", in_force: true, reason: None }),
            steps: vec![Step { step: "start", ms: 12 }, Step { step: "end", ms: 3 }],
            notes: vec!["Odd.".into()],
            problem: None,
            complaints: None,
        }
    }

    #[test]
    fn a_test_tells_what_was_seen_and_nothing_of_it_steers_the_terminal() {
        assert_eq!(
            plain(&tested(&sample())),
            "agent        goose (preset)\n\
             command      goose acp\n\
             program      /bin/goose\n\
             adapter      acp\n\
             version      goose 1\\u{1b}[2J\n\
             protocol     ACP 1\n\
             sign-in      not needed\n\
             session      made, in mode ask of ask, auto\n\
             confinement  in force (enforce)\n\
             took         start 12 ms, end 3 ms\n\
             \n\
             note: Odd.\n\
             ok: it works."
        );
        let problem = Problem { code: "exited", message: "It ended.".into() };
        let failed = AgentTest { problem: Some(problem), complaints: Some("a\u{9b}\nb".into()), ..sample() };
        let told = plain(&tested(&failed));
        assert!(
            told.ends_with("What it said on stderr at the end:\na\\u{9b}\nb\n\nnote: Odd.\nfailed: It ended."),
            "{told}"
        );
    }
}
