//! Figures for people and for spreadsheets. A rate of nothing is told as nothing, never as 0 %.

use augment_core::time::{date, utc as moment};
use augment_protocol::figures::{Analytics, Bucket, BucketFigures, CostFigures, Figures, MOST_NAMED, Rate};

use super::export::cell;
use super::size::size;
use super::table::{Cell, Column, Look, fields, table};
use super::time::{length, utc};
use crate::args::By;

const NOBODY: &str = "(unknown)";
const NO_LABEL: &str = "(no label)";

pub(crate) fn told(figures: &Analytics, by: By, width: Option<u16>) -> String {
    let period = format!("{} to {}", utc(figures.from), utc(figures.to));
    if is_nothing(&figures.total) {
        let hint = "No run, task or decision ended in this period. Figures appear once a run has ended; --from names an earlier beginning.";
        return format!("{}\n{}", Look::Strong.paint(&period), Look::Faint.paint(hint));
    }
    let rows: Vec<Vec<Cell>> = groups(figures, by).map(|(name, figures)| row(&name, figures)).collect();
    let mut parts = vec![Look::Strong.paint(&period), summary(&figures.total), table(&columns(by), rows, width)];
    let named = match by {
        By::Agent => figures.by_agent.len(),
        By::Type => figures.by_type.len(),
        By::Hour | By::Day | By::Week => 0,
    };
    if named >= MOST_NAMED {
        parts.push(Look::Faint.paint(&format!("Only the {MOST_NAMED} busiest are listed.")));
    }
    if figures.more {
        parts
            .push(Look::Warn.paint("More happened than is counted, so the oldest is left out. Name a shorter period."));
    }
    parts.join("\n\n")
}

fn is_nothing(figures: &Figures) -> bool {
    let hunks = &figures.hunks;
    figures.runs.ended + figures.tasks.ended + hunks.approved + hunks.rejected + hunks.undone + hunks.redone == 0
}

/// The rows of a table; parts of the period in which nothing happened are left out.
fn groups(figures: &Analytics, by: By) -> Box<dyn Iterator<Item = (String, &Figures)> + '_> {
    let named = |name: &Option<String>, none: &str| name.clone().unwrap_or_else(|| none.to_owned());
    match by {
        By::Agent => Box::new(figures.by_agent.iter().map(move |one| (named(&one.name, NOBODY), &one.figures))),
        By::Type => Box::new(figures.by_type.iter().map(move |one| (named(&one.name, NO_LABEL), &one.figures))),
        By::Hour | By::Day | By::Week => {
            let happened = figures.by_bucket.iter().filter(|one| !is_nothing(&one.figures));
            Box::new(happened.map(|one| (start(figures.bucket, one.start, 0), &one.figures)))
        }
    }
}

/// Where a part begins, as it is called by whoever asked for it.
fn start(bucket: Bucket, ms: i64, utc_offset_minutes: i32) -> String {
    let there = ms.saturating_add(i64::from(utc_offset_minutes) * 60_000);
    match bucket {
        Bucket::Hour if utc_offset_minutes != 0 => moment(there).trim_end_matches('Z').to_owned(),
        Bucket::Hour => moment(ms),
        Bucket::Day | Bucket::Week => date(there),
    }
}

fn columns(by: By) -> [Column; 13] {
    let name = match by {
        By::Agent => "AGENT",
        By::Type => "TYPE",
        By::Hour => "HOUR",
        By::Day => "DAY",
        By::Week => "WEEK OF",
    };
    [
        Column::Text(name),
        Column::Number("RUNS"),
        Column::Number("SUCCESS"),
        Column::Number("FAILURE"),
        Column::Number("MEDIAN"),
        Column::Number("P90"),
        Column::Number("TASKS"),
        Column::Number("APPROVED"),
        Column::Number("REJECTED"),
        Column::Number("CPU"),
        Column::Number("MEMORY"),
        Column::Number("TOKENS"),
        Column::Text("COST"),
    ]
}

fn row(name: &str, figures: &Figures) -> Vec<Cell> {
    let Figures { tasks, runs, times, hunks, tokens, costs, resources } = figures;
    let counted = |part: u64| if hunks.approval.of == 0 { "-".to_owned() } else { part.to_string() };
    vec![
        Cell::styled(name, Look::Strong),
        Cell::new(runs.ended.to_string()),
        Cell::new(percent(runs.success)),
        Cell::styled(percent(runs.failure), if runs.failure.part > 0 { Look::Warn } else { Look::Plain }),
        Cell::new(lasted(times.median_ms)),
        Cell::new(lasted(times.p90_ms)),
        Cell::new(tasks.ended.to_string()),
        Cell::new(counted(hunks.approved)),
        Cell::new(counted(hunks.rejected)),
        Cell::new(lasted((resources.runs > 0).then_some(resources.cpu_total_ms))),
        Cell::new(resources.peak_memory_bytes.map_or("-".to_owned(), size)),
        Cell::new(if tokens.runs == 0 { "-".to_owned() } else { (tokens.input + tokens.output).to_string() }),
        Cell::new(spent(costs)),
    ]
}

fn summary(total: &Figures) -> String {
    let Figures { tasks, runs, times, hunks, tokens, costs, resources } = total;
    let runs_words = said(&[
        (runs.completed, "completed"),
        (runs.partial, "partial"),
        (runs.blocked, "blocked"),
        (runs.failed, "failed"),
        (runs.cancelled, "cancelled"),
        (runs.timed_out, "timed out"),
        (runs.disconnected, "disconnected"),
    ]);
    let tasks_words = said(&[
        (tasks.completed, "completed"),
        (tasks.partial, "partial"),
        (tasks.blocked, "blocked"),
        (tasks.failed, "failed"),
        (tasks.cancelled, "cancelled"),
    ]);
    let hunks_words = said(&[
        (hunks.approved, "approved"),
        (hunks.rejected, "rejected"),
        (hunks.undone, "undone"),
        (hunks.redone, "redone"),
    ]);
    let time = match (times.median_ms, times.p90_ms) {
        (Some(median), Some(p90)) => {
            format!("median {}, nine in ten within {}, {} in all", length(median), length(p90), length(times.total_ms))
        }
        (_, _) => "no run has ended".to_owned(),
    };
    let cost = if tokens.runs == 0 {
        "no agent told it".to_owned()
    } else {
        let money = if costs.is_empty() { String::new() } else { format!(", {}", spent(costs)) };
        format!(
            "{} tokens in, {} out, told by {} of {} runs{money}",
            tokens.input, tokens.output, tokens.runs, runs.ended
        )
    };
    let used = match (resources.cpu_median_ms, resources.peak_memory_bytes) {
        (Some(median), Some(peak)) => format!(
            "{} of processor time, median {}, at most {} of memory in one process, seen of {} of {} runs",
            length(resources.cpu_total_ms),
            length(median),
            size(peak),
            resources.runs,
            runs.ended
        ),
        (_, _) => "not known of any run".to_owned(),
    };
    fields(&[
        ("runs", Cell::new(format!("{} ended: {runs_words}; success {}", runs.ended, percent(runs.success)))),
        ("tasks", Cell::new(format!("{} ended: {tasks_words}; success {}", tasks.ended, percent(tasks.success)))),
        ("time", Cell::new(time)),
        ("hunks", Cell::new(format!("{hunks_words}; approval {}", percent(hunks.approval)))),
        ("cost", Cell::new(cost)),
        ("used", Cell::new(used)),
    ])
}

fn said(counts: &[(u64, &str)]) -> String {
    let some: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if some.is_empty() { "none".to_owned() } else { some.join(", ") }
}

/// `67% (2/3)`; nothing can be said of none.
fn percent(rate: Rate) -> String {
    if rate.of == 0 {
        return "-".to_owned();
    }
    format!("{}% ({}/{})", (rate.part * 100 + rate.of / 2) / rate.of, rate.part, rate.of)
}

fn lasted(ms: Option<i64>) -> String {
    ms.map_or("-".to_owned(), length)
}

fn spent(costs: &[CostFigures]) -> String {
    if costs.is_empty() {
        return "-".to_owned();
    }
    costs.iter().map(|cost| format!("{} {}", cost.amount, cost.currency)).collect::<Vec<_>>().join(", ")
}

const HEAD: &str = "by,name,tasks_ended,tasks_completed,tasks_partial,tasks_blocked,tasks_failed,tasks_cancelled,runs_ended,\
                    runs_completed,runs_partial,runs_blocked,runs_failed,runs_cancelled,runs_timed_out,runs_disconnected,\
                    runs_timed,run_median_ms,run_p90_ms,run_total_ms,hunks_approved,hunks_rejected,hunks_undone,hunks_redone,\
                    token_runs,input_tokens,output_tokens,cost,\
                    resource_runs,cpu_median_ms,cpu_total_ms,peak_memory_bytes\r\n";

/// Every figure with its count, one row for each group; of one kind of group where that is asked for. Counts are always told;
/// a figure of nothing is an empty cell. Days are those of whoever asked, so many minutes ahead of UTC.
pub(crate) fn csv(figures: &Analytics, by: Option<By>, utc_offset_minutes: i32) -> String {
    let mut out = String::from(HEAD);
    out.push_str(&csv_row("total", "", &figures.total));
    for one in [By::Agent, By::Type, By::Day] {
        let is_part = |by: By| matches!(by, By::Hour | By::Day | By::Week);
        if by.is_some_and(|by| by != one && !(is_part(by) && is_part(one))) {
            continue;
        }
        let word = match (one, figures.bucket) {
            (By::Agent, _) => "agent",
            (By::Type, _) => "type",
            (By::Hour | By::Day | By::Week, Bucket::Hour) => "hour",
            (By::Hour | By::Day | By::Week, Bucket::Day) => "day",
            (By::Hour | By::Day | By::Week, Bucket::Week) => "week",
        };
        let all: Vec<(String, &Figures)> = match one {
            By::Agent | By::Type => groups(figures, one).collect(),
            By::Hour | By::Day | By::Week => {
                let named = |one: &BucketFigures| start(figures.bucket, one.start, utc_offset_minutes);
                figures.by_bucket.iter().map(|one| (named(one), &one.figures)).collect()
            }
        };
        for (name, figures) in all {
            out.push_str(&csv_row(word, &name, figures));
        }
    }
    out
}

fn csv_row(by: &str, name: &str, figures: &Figures) -> String {
    let Figures { tasks, runs, times, hunks, tokens, costs, resources } = figures;
    let maybe = |ms: Option<i64>| ms.map(|ms| ms.to_string()).unwrap_or_default();
    let counts = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let money = if costs.is_empty() { String::new() } else { spent(costs) };
    let tokens_told = if tokens.runs == 0 { ",".to_owned() } else { counts(&[tokens.input, tokens.output]) };
    let seen = |number: i64| if resources.runs == 0 { String::new() } else { number.to_string() };
    format!(
        "{by},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
        cell(name),
        counts(&[tasks.ended, tasks.completed, tasks.partial, tasks.blocked, tasks.failed, tasks.cancelled]),
        counts(&[runs.ended, runs.completed, runs.partial, runs.blocked, runs.failed, runs.cancelled]),
        counts(&[runs.timed_out, runs.disconnected]),
        times.runs,
        maybe(times.median_ms),
        maybe(times.p90_ms),
        times.total_ms,
        counts(&[hunks.approved, hunks.rejected, hunks.undone, hunks.redone]),
        tokens.runs,
        tokens_told,
        cell(&money),
        resources.runs,
        maybe(resources.cpu_median_ms),
        seen(resources.cpu_total_ms),
        resources.peak_memory_bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use augment_protocol::figures::{BucketFigures, NamedFigures, ResourceFigures, RunFigures, TimeFigures};

    use super::*;
    use crate::output::plain;

    fn some() -> Figures {
        let rate = |part| Rate { part, of: 3 };
        Figures {
            runs: RunFigures {
                ended: 3,
                completed: 2,
                failed: 1,
                success: rate(2),
                failure: rate(1),
                ..RunFigures::default()
            },
            times: TimeFigures { runs: 3, median_ms: Some(60_000), p90_ms: Some(90_000), total_ms: 180_000 },
            resources: ResourceFigures {
                runs: 2,
                cpu_median_ms: Some(1_500),
                cpu_total_ms: 3_000,
                peak_memory_bytes: Some(104_857_600),
            },
            ..Figures::default()
        }
    }

    fn analytics(total: Figures, by_agent: Vec<(Option<&str>, Figures)>) -> Analytics {
        let named = |(name, figures): (Option<&str>, Figures)| NamedFigures { name: name.map(str::to_owned), figures };
        Analytics {
            from: 1_794_823_200_000,
            to: 1_794_909_600_000,
            bucket: Bucket::Day,
            by_bucket: vec![
                BucketFigures { start: 1_794_787_200_000, figures: total.clone() },
                BucketFigures { start: 1_794_873_600_000, figures: Figures::default() },
            ],
            total,
            by_agent: by_agent.into_iter().map(named).collect(),
            by_type: vec![],
            more: false,
            revision: 9,
        }
    }

    #[test]
    fn rates_come_with_their_counts_and_nothing_is_not_zero() {
        let shown = plain(&told(
            &analytics(some(), vec![(Some("goose"), some()), (None, Figures::default())]),
            By::Agent,
            None,
        ));
        for expected in [
            "2026-11-16 10:00:00Z to 2026-11-17 10:00:00Z",
            "runs   3 ended: 2 completed, 1 failed; success 67% (2/3)",
            "tasks  0 ended: none; success -",
            "hunks  none; approval -",
            "cost   no agent told it",
            "used   3s of processor time, median 1s, at most 100 MiB of memory in one process, seen of 2 of 3 runs",
        ] {
            assert!(shown.contains(expected), "{expected}\n{shown}");
        }
        let row: Vec<&str> = shown.lines().find(|line| line.starts_with("goose")).unwrap().split_whitespace().collect();
        assert_eq!(
            row,
            ["goose", "3", "67%", "(2/3)", "33%", "(1/3)", "1m", "90s", "0", "-", "-", "3s", "100", "MiB", "-", "-"]
        );
        assert!(shown.lines().any(|line| line.starts_with("(unknown)") && line.contains("-")), "{shown}");
        let unseen = Figures { resources: ResourceFigures::default(), ..some() };
        let shown = plain(&told(&analytics(unseen, vec![]), By::Agent, None));
        assert!(shown.contains("used   not known of any run"), "{shown}");
        let nothing = plain(&told(&analytics(Figures::default(), vec![]), By::Agent, None));
        assert!(nothing.contains("No run, task or decision ended in this period."), "{nothing}");
    }

    #[test]
    fn csv_has_one_row_a_group_and_no_formula() {
        let text = csv(&analytics(some(), vec![(Some("=HYPERLINK(1)"), some())]), None, 0);
        let rows: Vec<&str> = text.split("\r\n").collect();
        let columns = rows[0].split(',').count();
        assert_eq!(columns, 32);
        assert_eq!(
            rows[1],
            "total,,0,0,0,0,0,0,3,2,0,0,1,0,0,0,3,60000,90000,180000,0,0,0,0,0,,,,2,1500,3000,104857600"
        );
        assert!(rows[2].starts_with("agent,\"'=HYPERLINK(1)\",0,"), "{}", rows[2]);
        assert!(rows[3].starts_with("day,2026-11-16,"), "{}", rows[3]);
        assert_eq!(rows[4], "day,2026-11-17,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,0,0,0,0,0,0,,,,0,,,");
        let only = csv(&analytics(some(), vec![(Some("goose"), some())]), Some(By::Agent), 0);
        assert_eq!(only.matches("\r\n").count(), 3, "{only}");
    }

    #[test]
    fn csv_calls_a_day_as_the_person_does() {
        // Midnight in Tokyo is 15:00 in UTC, and in New York 05:00.
        let mut there = analytics(some(), vec![]);
        for (offset, midnight) in [(540, 1_794_841_200_000), (-300, 1_794_891_600_000)] {
            there.by_bucket = vec![BucketFigures { start: midnight, figures: some() }];
            let text = csv(&there, Some(By::Day), offset);
            assert!(text.contains("\r\nday,2026-11-17,"), "{offset}: {text}");
        }
        assert_eq!(start(Bucket::Hour, 1_794_841_200_000, 540), "2026-11-17T00:00:00");
    }
}
