//! A task as a row: writing and reading it back, nothing else.

use augment_core::id::TaskId;
use augment_core::task::{Lease, Origin, Priority, Rank, Route, Status, Task};
use augment_core::time::{Boot, Steady, Wall};
use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};

pub(super) const COLUMNS: &str = "number, title, description, priority, status, major, minor, origin, goal, scope, labels, \
     route, waits_for, time_limit_ms, attempt, attempts_used, max_attempts, created_ms, started_ms, ended_ms, holder, result, \
     lease_boot, lease_length_ms, lease_started_ms, lease_due_ms, lease_heartbeat_ms, revision";

pub(super) fn number(id: TaskId) -> i64 {
    i64::try_from(id.number()).unwrap_or(i64::MAX)
}

pub(super) fn put(connection: &Connection, task: &Task, revision: u64) -> rusqlite::Result<()> {
    let lease = task.lease.as_ref();
    let sql = "INSERT INTO task (number, title, description, priority, status, major, minor, origin, goal, scope, labels, \
         route, waits_for, time_limit_ms, attempt, attempts_used, max_attempts, created_ms, started_ms, ended_ms, holder, \
         result, lease_boot, lease_length_ms, lease_started_ms, lease_due_ms, lease_heartbeat_ms, revision) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, \
         ?24, ?25, ?26, ?27, ?28) \
         ON CONFLICT (number) DO UPDATE SET title = ?2, description = ?3, priority = ?4, status = ?5, major = ?6, minor = ?7, \
         origin = ?8, goal = ?9, scope = ?10, labels = ?11, route = ?12, waits_for = ?13, time_limit_ms = ?14, attempt = ?15, \
         attempts_used = ?16, max_attempts = ?17, created_ms = ?18, started_ms = ?19, ended_ms = ?20, holder = ?21, \
         result = ?22, lease_boot = ?23, lease_length_ms = ?24, lease_started_ms = ?25, lease_due_ms = ?26, \
         lease_heartbeat_ms = ?27, revision = ?28";
    connection.prepare_cached(sql)?.execute(params![
        number(task.id),
        task.title,
        task.description,
        priority_number(task.priority),
        task.status.name(),
        task.rank.major,
        task.rank.minor,
        task.origin.name(),
        task.goal,
        task.scope.join("\n"),
        task.labels.join("\n"),
        task.route.key(),
        task.waits_for,
        task.time_limit_ms,
        task.attempt,
        task.attempts_used,
        task.max_attempts,
        task.created.0,
        task.started.map(|wall| wall.0),
        task.ended.map(|wall| wall.0),
        task.holder,
        task.result,
        lease.map(|lease| &lease.boot.0),
        lease.map(|lease| lease.length_ms),
        lease.map(|lease| lease.started.0),
        lease.map(|lease| lease.due.0),
        lease.map(|lease| lease.last_heartbeat.0),
        i64::try_from(revision).unwrap_or(i64::MAX),
    ])?;
    if dependencies(connection, task.id)? != task.depends_on {
        connection.prepare_cached("DELETE FROM dependency WHERE task = ?1")?.execute([number(task.id)])?;
        for (place, &depends_on) in task.depends_on.iter().enumerate() {
            connection
                .prepare_cached("INSERT INTO dependency (task, place, depends_on) VALUES (?1, ?2, ?3)")?
                .execute(params![number(task.id), super::rows(place), number(depends_on)])?;
        }
    }
    Ok(())
}

pub(super) fn remove(connection: &Connection, id: TaskId) -> rusqlite::Result<()> {
    super::view::keep_last_number(connection, id)?;
    connection.prepare_cached("DELETE FROM dependency WHERE task = ?1")?.execute([number(id)])?;
    connection.prepare_cached("DELETE FROM task WHERE number = ?1")?.execute([number(id)])?;
    Ok(())
}

fn dependencies(connection: &Connection, id: TaskId) -> rusqlite::Result<Vec<TaskId>> {
    let sql = "SELECT depends_on FROM dependency WHERE task = ?1 ORDER BY place";
    connection.prepare_cached(sql)?.query_map([number(id)], |row| read_id(row, 0))?.collect()
}

/// Reads `COLUMNS` into a task, with a second look-up for what it depends on.
pub(super) fn read(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<Task> {
    let id = read_id(row, 0)?;
    let lease = match row.get::<_, Option<String>>(22)? {
        None => None,
        Some(boot) => Some(Lease {
            boot: Boot(boot),
            length_ms: row.get(23)?,
            started: Steady(row.get(24)?),
            due: Steady(row.get(25)?),
            last_heartbeat: Wall(row.get(26)?),
        }),
    };
    Ok(Task {
        id,
        title: row.get(1)?,
        description: row.get(2)?,
        priority: read_priority(row, 3)?,
        status: read_named(row, 4, Status::from_name)?,
        rank: Rank { major: row.get(5)?, minor: row.get(6)? },
        origin: read_named(row, 7, Origin::from_name)?,
        goal: row.get(8)?,
        scope: read_lines(row, 9)?,
        labels: read_lines(row, 10)?,
        route: Route::from_key(row.get_ref(11)?.as_str()?),
        depends_on: dependencies(connection, id)?,
        waits_for: row.get(12)?,
        time_limit_ms: row.get(13)?,
        attempt: row.get(14)?,
        attempts_used: row.get(15)?,
        max_attempts: row.get(16)?,
        created: Wall(row.get(17)?),
        started: row.get::<_, Option<i64>>(18)?.map(Wall),
        ended: row.get::<_, Option<i64>>(19)?.map(Wall),
        holder: row.get(20)?,
        result: row.get(21)?,
        lease,
        revision: u64::try_from(row.get::<_, i64>(27)?).unwrap_or(0),
    })
}

pub(super) fn read_id(row: &Row<'_>, at: usize) -> rusqlite::Result<TaskId> {
    let number: i64 = row.get(at)?;
    u64::try_from(number).ok().and_then(TaskId::new).ok_or(rusqlite::Error::IntegralValueOutOfRange(at, number))
}

pub(super) fn priority_number(priority: Priority) -> i64 {
    match priority {
        Priority::High => 0,
        Priority::Medium => 1,
        Priority::Low => 2,
    }
}

pub(super) fn read_priority(row: &Row<'_>, at: usize) -> rusqlite::Result<Priority> {
    let number: i64 = row.get(at)?;
    let found = Priority::ALL.into_iter().find(|priority| priority_number(*priority) == number);
    found.ok_or(rusqlite::Error::IntegralValueOutOfRange(at, number))
}

fn read_named<T>(row: &Row<'_>, at: usize, from_name: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let name = row.get_ref(at)?.as_str()?;
    from_name(name)
        .ok_or_else(|| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, format!("unknown name {name}").into()))
}

fn read_lines(row: &Row<'_>, at: usize) -> rusqlite::Result<Vec<String>> {
    Ok(row.get_ref(at)?.as_str()?.lines().map(str::to_owned).collect())
}

/// A task of this very title that has not ended; the oldest where there are several.
pub(super) fn open_titled(connection: &Connection, title: &str) -> rusqlite::Result<Option<TaskId>> {
    connection
        .prepare_cached(
            "SELECT min(number) FROM task INDEXED BY task_open_title \
             WHERE title = ?1 AND status IN ('pending', 'in-progress')",
        )?
        .query_row([title], |row| {
            let number: Option<i64> = row.get(0)?;
            number.map(|_| read_id(row, 0)).transpose()
        })
}
