//! Settings that are recorded but may not be in their file yet. They are kept in the transaction of their record, so that
//! a process that ends in between leaves them to the next one.

use augment_core::settings::SettingChange;
use rusqlite::Connection;

const PREFIX: &str = "setting-under-way:";
/// Comes right after all names that begin with the prefix.
const PREFIX_END: &str = "setting-under-way;";

pub(super) fn keep(connection: &Connection, change: &SettingChange) -> rusqlite::Result<()> {
    // An empty text stands for going back to the default; every other one begins with `=`.
    let value = change.value.as_ref().map_or_else(String::new, |value| format!("={value}"));
    super::view::put_fact(connection, &format!("{PREFIX}{}", change.key), &value)
}

pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<SettingChange>> {
    let sql = "SELECT name, value FROM fact WHERE name > ?1 AND name < ?2 ORDER BY name";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([PREFIX, PREFIX_END], |row| {
        let (name, value): (String, String) = (row.get(0)?, row.get(1)?);
        let key = name.strip_prefix(PREFIX).unwrap_or_default().to_owned();
        Ok(SettingChange { key, value: value.strip_prefix('=').map(str::to_owned) })
    })?;
    rows.collect()
}

pub(super) fn forget(connection: &Connection, key: &str) -> rusqlite::Result<()> {
    let sql = "DELETE FROM fact WHERE name = ?1";
    connection.prepare_cached(sql)?.execute([format!("{PREFIX}{key}")]).map(drop)
}
