//! `config …`.

use augment_core::settings::{PolicyMay, find};
use augment_protocol::methods::{ConfigList, ConfigSet};
use augment_protocol::settings::{ChangeSetting, Setting, SettingList};
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Failure, Session, places};
use crate::args::ConfigCommand;
use crate::connect::Wish;
use crate::output::table::{Cell, Look, fields};
use crate::output::{schema, settings};

pub(super) async fn run(session: &mut Session, command: ConfigCommand) -> Ended {
    match command {
        ConfigCommand::List => {
            let list = fetch(session).await?;
            let width = session.output.width();
            session.show(&list, |list| settings::list(list, width))?;
            Ok(Ending::Done)
        }
        ConfigCommand::Get { key } => {
            let list = fetch(session).await?;
            let setting = pick(&list, &key)?;
            session.show(setting, |setting| augment_core::text::visible(&setting.value).into_owned())?;
            Ok(Ending::Done)
        }
        ConfigCommand::Set { key, value } => change(session, key, Some(value)).await,
        ConfigCommand::Unset { key } => change(session, key, None).await,
        ConfigCommand::Path => {
            let workspace = session.workspace()?;
            let (user, policy) =
                (places::path(&workspace.places().user_settings), places::path(&workspace.places().policy));
            let document = serde_json::json!({ "user": user, "policy": policy });
            session.show(&document, |_| fields(&[("user", Cell::new(&user)), ("policy", Cell::new(&policy))]))?;
            Ok(Ending::Done)
        }
        ConfigCommand::Schema { file } => {
            let document = schema::schema(file);
            session.show(&document, |document| schema::text(document).trim_end().to_owned())?;
            Ok(Ending::Done)
        }
        ConfigCommand::Check => check(session).await,
    }
}

async fn fetch(session: &mut Session) -> Result<SettingList, Failure> {
    Ok(session.connect(Wish::OneShot).await?.call::<ConfigList>(Nothing {}).await?)
}

fn pick<'a>(list: &'a SettingList, key: &str) -> Result<&'a Setting, Failure> {
    list.settings.iter().find(|setting| setting.key == key).ok_or_else(|| match find(key) {
        Err(refusal) => Failure::told(refusal.code(), refusal.to_string()),
        Ok(_) => Failure::told(
            "unknown-setting",
            format!("The running host does not know {key} yet. Restart it with `augment-cli host stop`."),
        ),
    })
}

async fn change(session: &mut Session, key: String, value: Option<String>) -> Ended {
    let params = ChangeSetting { key: key.clone(), value: value.clone() };
    let list = session.connect(Wish::OneShot).await?.call::<ConfigSet>(params).await?;
    let setting = pick(&list, &key)?;
    match in_force(setting, value.as_deref()) {
        InForce::Yes => session.show(setting, settings::one)?,
        InForce::PolicyTightens => session.show(setting, |setting| {
            let note = Look::Warn.paint("note:");
            let says = find(&setting.key).is_ok_and(|known| known.policy_may == PolicyMay::Say);
            let does = if says { "says" } else { "tightens" };
            format!(
                "{}\n{note} the policy of this workspace {does} it; elsewhere your value counts.",
                settings::one(setting)
            )
        })?,
        InForce::No => {
            let message = format!(
                "{} was written to {}, but {} is in force. `augment-cli config check` says what is wrong in the file.",
                setting.key, list.user_file, setting.value
            );
            return Err(Failure::told("not-in-force", message));
        }
    }
    Ok(Ending::Done)
}

/// Whether what was wished is what now counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InForce {
    Yes,
    PolicyTightens,
    No,
}

fn in_force(setting: &Setting, wished: Option<&str>) -> InForce {
    let read = |text| find(&setting.key).and_then(|known| known.read(text)).map(|value| value.to_string()).ok();
    let as_wished = match wished {
        Some(text) => read(text).is_none_or(|value| value == setting.value),
        None => setting.source != "user",
    };
    match setting.source.as_str() {
        _ if as_wished => InForce::Yes,
        "policy" => InForce::PolicyTightens,
        _ => InForce::No,
    }
}

async fn check(session: &mut Session) -> Ended {
    let list = fetch(session).await?;
    let fine = list.problems.is_empty();
    let document = serde_json::json!({
        "fine": fine,
        "problems": list.problems,
        "userFile": list.user_file,
        "policyFile": list.policy_file,
    });
    session.show(&document, |_| {
        let mut lines = settings::notes(&list);
        if fine {
            lines.insert(0, format!("{} nothing is wrong in the settings files.", Look::Good.paint("ok:")));
        }
        lines.join("\n")
    })?;
    Ok(if fine { Ending::Done } else { Ending::No })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_does_not_count_is_told() {
        let now = |value: &str, source: &str| Setting {
            key: "queue.leaseSeconds".into(),
            value: value.into(),
            source: source.into(),
            about: String::new(),
            takes: String::new(),
            refused_policy: None,
        };
        let cases = [
            (now("90", "user"), Some("90"), InForce::Yes),
            (now("90", "user"), Some(" 090 "), InForce::Yes),
            (now("30", "policy"), Some("90"), InForce::PolicyTightens),
            (now("60", "default"), Some("90"), InForce::No),
            (now("60", "default"), None, InForce::Yes),
            (now("30", "policy"), None, InForce::Yes),
            (now("90", "user"), None, InForce::No),
        ];
        for (setting, wished, expected) in cases {
            assert_eq!(in_force(&setting, wished), expected, "{setting:?} {wished:?}");
        }
    }
}
