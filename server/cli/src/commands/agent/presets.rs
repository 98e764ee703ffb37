//! `agent list-presets`.

use augment_core::agent::{PRESETS, Preset};
use augment_host::agents::catalog::{environment, find_program};

use super::super::places::path;
use super::super::{Ended, Ending, Session};
use crate::output::agents::{KnownPreset, PresetList, presets};

pub(super) fn run(session: &Session) -> Ended {
    let workspace = session.workspace()?;
    let places = workspace.places();
    let known = PRESETS.iter().map(|preset| told(preset, workspace.root())).collect();
    let list = PresetList { presets: known, user_file: path(&places.user_agents) };
    let width = session.output.width();
    session.show(&list, |list| presets(list, width))?;
    Ok(Ending::Done)
}

fn told(preset: &'static Preset, root: &std::path::Path) -> KnownPreset {
    let spec = preset.spec();
    let program = spec.as_ref().and_then(|spec| {
        let environment = environment(spec, std::env::vars_os());
        find_program(spec, root, &environment).ok()
    });
    KnownPreset {
        name: preset.name,
        about: preset.about,
        install: preset.install,
        sign_in: preset.sign_in,
        adapter: preset.adapter.name(),
        command: spec.map(|spec| spec.command_line()),
        program: program.map(|program| path(&program)),
        env: preset.pass,
        writable: preset.writable,
    }
}
