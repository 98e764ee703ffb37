//! The figures of a period against a naive recount: random histories are made by the real rules, and what the store counts by its
//! indexes is counted again from everything that it lists. A failure names its seed; the same seed makes the same history.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::collections::BTreeMap;
use std::sync::Arc;

use augment_core::actor::Actor;
use augment_core::analytics::{Analysis, Bucket, Figures, Filter, Period};
use augment_core::id::RunId;
use augment_core::ledger::{Data, Event, Topic};
use augment_core::queue::{Claim, Ending, Finish, TaskDraft};
use augment_core::review::DecisionId;
use augment_core::run::{Resources, Run, Usage};
use augment_core::session::SessionPolicy;
use augment_core::simulation::Random;
use augment_core::task::{Status, Task};
use augment_core::time::{Boot, Now, Steady, Wall};
use augment_core::turn::{Answer, Command, Effect, Input, Processes, Turn, decide};
use augment_host::store::{LedgerQuery, ListQuery, Order, Policies, Reader, RunQuery, Store};

const SEEDS: u64 = 8;
const OPERATIONS: usize = 400;
const START: i64 = 1_794_823_200_000;
const DAY_MS: i64 = 86_400_000;
/// Of all others the sum is told, of this the highest.
const PEAK: &str = "peak";

struct History {
    store: Store,
    path: std::path::PathBuf,
    random: Random,
    now_ms: i64,
    steady_ms: i64,
    decisions: u64,
    held: Vec<RunId>,
    tasks: Vec<String>,
    _folder: tempfile::TempDir,
}

impl History {
    fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.db");
        let mut store = Store::open(&path).unwrap();
        let session = SessionPolicy { is_on: false, ..SessionPolicy::default() };
        store.set_policy(Arc::new(Policies { session, ..Policies::default() }));
        let (held, tasks) = (Vec::new(), Vec::new());
        Self {
            store,
            path,
            random: Random::new(seed),
            now_ms: START,
            steady_ms: 0,
            decisions: 0,
            held,
            tasks,
            _folder: folder,
        }
    }

    fn now(&self) -> Now {
        Now { wall: Wall(self.now_ms), steady: Steady(self.steady_ms), boot: Boot("boot".into()) }
    }

    fn apply(&mut self, mut turn: Turn) {
        let now = self.now();
        let mut batch = self.store.begin().unwrap();
        batch.apply(&mut turn, now.wall).unwrap();
        batch.commit().unwrap();
    }

    /// What was refused changes nothing that is counted, so it is no matter here.
    fn ask(&mut self, command: Command) -> Option<Answer> {
        self.turn(&Input::Asked { actor: Actor::Person { name: "ada".into() }, command })
    }

    fn turn(&mut self, input: &Input) -> Option<Answer> {
        let now = self.now();
        let mut batch = self.store.begin().unwrap();
        let mut turn = decide(&batch.view(), input, &now).unwrap();
        batch.apply(&mut turn, now.wall).unwrap();
        batch.commit().unwrap();
        turn.verdict.ok()
    }

    fn step(&mut self) {
        // Now and then the clock is set back, and now and then days go by.
        let passed_ms = match self.random.below(40) {
            0 => -self.random.between(0, DAY_MS),
            1 => self.random.between(0, 3 * DAY_MS),
            _ => self.random.between(0, DAY_MS / 12),
        };
        self.now_ms += passed_ms;
        self.steady_ms += passed_ms.max(0);
        match self.random.below(10) {
            0 | 1 => self.add(),
            2 | 3 => self.take(),
            4 => self.tell_usage(),
            5 | 6 => self.finish(),
            7 => self.decide_something(),
            8 => drop(self.turn(&Input::TimePassed(Processes::Seen))),
            _ => {
                let task = self.some_task();
                let command = match self.random.below(3) {
                    0 => Command::CancelTask { task, reason: None, shown_at: None },
                    1 => Command::RetryTask { task, shown_at: None },
                    _ => Command::RemoveTask { task, shown_at: None },
                };
                self.ask(command);
            }
        }
    }

    fn some_task(&mut self) -> String {
        if self.tasks.is_empty() { "a1".to_owned() } else { self.random.pick(&self.tasks) }
    }

    fn add(&mut self) {
        let all = ["fix", "docs", "=x", "fix"];
        let labels = (0..self.random.below(3)).map(|_| self.random.pick(&all).to_owned()).collect();
        let draft = TaskDraft { title: "t".into(), labels, max_attempts: 5, ..TaskDraft::default() };
        if let Some(Answer::Task(task)) = self.ask(Command::AddTask(draft)) {
            self.tasks.push(task.id.to_string());
        }
    }

    fn take(&mut self) {
        let agent = self.random.pick(&["goose", "codex", "ada"]).to_owned();
        let token_hash = *blake3::hash(&self.random.number().to_le_bytes()).as_bytes();
        let claim = Claim { agent, capabilities: [].into(), lease_ms: DAY_MS, token_hash };
        if let Some(Answer::Taken { run, .. }) = self.ask(Command::TakeNext(claim)) {
            self.held.push(run);
        }
    }

    fn tell_usage(&mut self) {
        let Some(id) = self.some_run() else { return };
        let costs = [Some("0.25 USD"), Some("1.5 eur"), Some("a lot"), None];
        let usage = Usage {
            input_tokens: self.random.number() % 1_000,
            output_tokens: self.random.number() % 1_000,
            cost: self.random.pick(&costs).map(str::to_owned),
        };
        let mut reader = Reader::open(&self.path).unwrap();
        let Some(mut run) = reader.snapshot(|snapshot| snapshot.run(id)).unwrap() else { return };
        run.usage = Some(usage);
        run.resources = self.random.chance(50).then(|| Resources {
            cpu_ms: self.random.number() % 1_000,
            peak_memory_bytes: self.random.number() % 1_000,
        });
        self.apply(Turn::done(Answer::Noted, vec![Effect::PutRun(Box::new(run))]));
    }

    fn some_run(&mut self) -> Option<RunId> {
        // Mostly a late one, since the early ones have ended.
        let late = self.held.len().saturating_sub(4);
        let among: &[RunId] = if self.random.chance(70) { &self.held[late..] } else { &self.held };
        if among.is_empty() { None } else { Some(self.random.pick(among)) }
    }

    fn finish(&mut self) {
        let Some(run) = self.some_run() else { return };
        let ending =
            self.random.pick(&[Ending::Completed, Ending::Completed, Ending::Partial, Ending::Blocked, Ending::Failed]);
        let finish = Finish { ending, result: None };
        self.ask(Command::FinishTask { task: run.task.to_string(), attempt: Some(run.attempt), finish });
    }

    /// A record as the rules write them: of new ones the shares are told, of old ones only what they are about.
    fn decide_something(&mut self) {
        self.decisions += 1;
        let kind = self.random.pick(&["review.approved", "review.rejected", "review.undone", "review.redone"]);
        let runs: Vec<RunId> = (0..self.random.below(3)).filter_map(|_| self.some_run()).collect();
        let shares: Vec<(RunId, u32)> = runs.iter().map(|run| (*run, 1 + self.below(3))).collect();
        let hunks = shares.iter().map(|(_, hunks)| hunks).sum::<u32>() + self.below(3);
        let told = if self.random.chance(70) {
            let share =
                |(run, hunks): &(RunId, u32)| Data::map([("run", run.to_string().into()), ("hunks", (*hunks).into())]);
            Data::List(shares.iter().map(share).collect())
        } else {
            Data::Null
        };
        let event = Event {
            actor: Actor::Person { name: "ada".into() },
            kind,
            subject: Topic::Decision(DecisionId(self.decisions)),
            about: runs.iter().map(|run| Topic::Run(*run)).collect(),
            data: Data::map([("hunks", hunks.into()), ("runs", told)]),
        };
        self.apply(Turn::done(Answer::Noted, vec![Effect::Record(event)]));
    }

    fn below(&mut self, end: usize) -> u32 {
        u32::try_from(self.random.below(end)).unwrap()
    }
}

/// Everything that is kept, without any index.
struct Everything {
    runs: Vec<Run>,
    tasks: Vec<Task>,
    records: Vec<(Wall, String, serde_json::Value, Vec<String>)>,
}

/// The agent, the labels, the bucket, the word, and how many.
type Counted = (Option<String>, Vec<String>, i64, String, u64);

impl Everything {
    fn of(reader: &mut Reader) -> Self {
        let all = ListQuery { statuses: Status::ALL.to_vec(), limit: usize::MAX - 1, ..ListQuery::default() };
        let records =
            LedgerQuery { order: Order::OldestFirst { after: 0 }, limit: usize::MAX, ..LedgerQuery::default() };
        reader
            .snapshot(|snapshot| {
                let records = snapshot.records(&records)?.links.into_iter().map(|link| {
                    let record = link.record;
                    (record.time, record.kind, serde_json::from_str(&record.data).unwrap(), record.about)
                });
                Ok(Self {
                    runs: snapshot.run_list(&RunQuery { limit: 100_000, ..RunQuery::default() })?,
                    tasks: snapshot.list(&all)?.tasks,
                    records: records.collect(),
                })
            })
            .unwrap()
    }

    fn labels(&self, run: RunId) -> Vec<String> {
        self.tasks.iter().find(|task| task.id == run.task).map(|task| task.labels.clone()).unwrap_or_default()
    }

    /// What is counted, one entry for each: where it belongs, and what it adds to which count.
    fn counts(&self, from: i64, to: i64) -> Vec<Counted> {
        let mut counts = Vec::new();
        for run in &self.runs {
            let Some(ended) = run.ended.filter(|ended| (from..to).contains(&ended.0)) else { continue };
            let mut add = |what: String, number| {
                counts.push((Some(run.agent.clone()), self.labels(run.id), ended.0, what, number));
            };
            add(format!("run {}", run.standing.state), 1);
            add("time".into(), u64::try_from((ended.0 - run.started.0).max(0)).unwrap());
            if let Some(usage) = &run.usage {
                add("told".into(), 1);
                add("input".into(), usage.input_tokens);
                add("output".into(), usage.output_tokens);
                match usage.cost.as_deref() {
                    Some("0.25 USD") => add("USD".into(), 25),
                    Some("1.5 eur") => add("EUR".into(), 150),
                    Some(_) | None => {}
                }
            }
            if let Some(used) = run.resources {
                add("seen".into(), 1);
                add("cpu".into(), used.cpu_ms);
                add(PEAK.into(), used.peak_memory_bytes);
            }
        }
        for task in self.tasks.iter().filter(|task| task.status.is_ended()) {
            let Some(ended) = task.ended.filter(|ended| (from..to).contains(&ended.0)) else { continue };
            counts.push((task.holder.clone(), task.labels.clone(), ended.0, format!("task {}", task.status), 1));
        }
        for (time, kind, data, about) in self.records.iter().filter(|(time, ..)| (from..to).contains(&time.0)) {
            if !kind.starts_with("review.") {
                continue;
            }
            let mut left = data["hunks"].as_u64().unwrap();
            let shares: Vec<(String, u64)> = match (data["runs"].as_array(), &about[..]) {
                (Some(told), _) if !told.is_empty() => {
                    let share = |share: &serde_json::Value| {
                        (share["run"].as_str().unwrap().to_owned(), share["hunks"].as_u64().unwrap())
                    };
                    told.iter().map(share).collect()
                }
                (_, [one]) => vec![(one.trim_start_matches("run:").to_owned(), left)],
                (_, _) => Vec::new(),
            };
            for (run, hunks) in shares {
                let run = self.runs.iter().find(|known| known.id.to_string() == run).unwrap();
                left -= hunks;
                counts.push((Some(run.agent.clone()), self.labels(run.id), time.0, kind.clone(), hunks));
            }
            if left > 0 {
                counts.push((None, Vec::new(), time.0, kind.clone(), left));
            }
        }
        counts
    }
}

/// All counts of some figures that are not 0, by name.
fn shown(figures: &Figures) -> BTreeMap<String, u64> {
    let Figures { tasks, runs, hunks, tokens, costs, .. } = figures;
    let (times, used) = (figures.times(), figures.used());
    let mut all = vec![
        ("run completed".to_owned(), runs.completed),
        ("run partial".into(), runs.partial),
        ("run blocked".into(), runs.blocked),
        ("run failed".into(), runs.failed),
        ("run cancelled".into(), runs.cancelled),
        ("run timed-out".into(), runs.timed_out),
        ("run disconnected".into(), runs.disconnected),
        ("task completed".into(), tasks.completed),
        ("task partial".into(), tasks.partial),
        ("task blocked".into(), tasks.blocked),
        ("task failed".into(), tasks.failed),
        ("task cancelled".into(), tasks.cancelled),
        ("review.approved".into(), hunks.approved),
        ("review.rejected".into(), hunks.rejected),
        ("review.undone".into(), hunks.undone),
        ("review.redone".into(), hunks.redone),
        ("told".into(), tokens.runs),
        ("input".into(), tokens.input),
        ("output".into(), tokens.output),
        ("time".into(), u64::try_from(times.total_ms).unwrap()),
        ("seen".into(), used.runs),
        ("cpu".into(), u64::try_from(used.cpu_total_ms).unwrap()),
        (PEAK.into(), used.peak_memory_bytes.unwrap_or(0)),
    ];
    for (unit, spent) in costs {
        all.push((unit.clone(), u64::try_from(spent.amount.0 / 10_000_000).unwrap()));
    }
    all.retain(|(_, number)| *number > 0);
    all.into_iter().collect()
}

fn recounted<'a>(counts: impl Iterator<Item = (&'a String, u64)>) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for (what, number) in counts {
        let counted = all.entry(what.clone()).or_insert(0);
        *counted = if what == PEAK { number.max(*counted) } else { *counted + number };
    }
    all.retain(|_, number| *number > 0);
    all
}

fn compare(seed: u64, reader: &mut Reader, everything: &Everything, period: Period, filter: &Filter) -> u64 {
    let mut analysis = Analysis::new(period, filter.clone());
    let counted = reader.snapshot(|snapshot| snapshot.count_figures(&mut analysis)).unwrap();
    assert!(!counted.more);
    let mut counts = everything.counts(period.from().0, period.to().0);
    counts.retain(|(agent, labels, ..)| {
        filter.agent.as_ref().is_none_or(|wanted| agent.as_ref() == Some(wanted))
            && filter.label.as_ref().is_none_or(|wanted| labels.contains(wanted))
    });
    let at = format!("seed {seed}, {period:?}, {filter:?}");
    assert_eq!(shown(&analysis.total), recounted(counts.iter().map(|count| (&count.3, count.4))), "{at}");
    for (agent, figures) in &analysis.by_agent {
        let own = counts.iter().filter(|count| count.0 == *agent).map(|count| (&count.3, count.4));
        assert_eq!(shown(figures), recounted(own), "{at}: {agent:?}");
    }
    for (label, figures) in &analysis.by_type {
        let is_of = |labels: &[String]| label.as_ref().map_or(labels.is_empty(), |label| labels.contains(label));
        let own = counts.iter().filter(|count| is_of(&count.1)).map(|count| (&count.3, count.4));
        assert_eq!(shown(figures), recounted(own), "{at}: {label:?}");
    }
    for start in period.buckets() {
        let own = counts.iter().filter(|count| (start.0..start.0 + period.bucket().length_ms()).contains(&count.2));
        let expected = recounted(own.map(|count| (&count.3, count.4)));
        let nothing = Figures::default();
        assert_eq!(shown(analysis.by_bucket.get(&start).unwrap_or(&nothing)), expected, "{at}: {start:?}");
    }
    analysis.total.runs.ended() + analysis.total.hunks.decided()
}

#[test]
fn figures_are_what_a_naive_recount_gives() {
    let mut seen = 0;
    for seed in 0..SEEDS {
        let mut history = History::new(seed);
        for _ in 0..OPERATIONS {
            history.step();
        }
        let mut reader = Reader::open(&history.path).unwrap();
        let everything = Everything::of(&mut reader);
        let end = history.now_ms.max(START) + 30 * DAY_MS;
        for bucket in [Bucket::Day, Bucket::Week] {
            let offset_ms = history.random.between(-14, 14) * 3_600_000;
            let (from, to) = (START - 30 * DAY_MS, end);
            let within = history.random.between(from, to - 1);
            for (from, to) in [(from, to), (within, to), (from, within.max(from + 1))] {
                let period = Period::new(Wall(from), Wall(to), bucket, offset_ms).unwrap();
                for agent in [None, Some("goose".to_owned())] {
                    for label in [None, Some("fix".to_owned())] {
                        let filter = Filter { agent: agent.clone(), label };
                        seen += compare(seed, &mut reader, &everything, period, &filter);
                    }
                }
            }
        }
    }
    assert!(seen > 5_000, "the histories hold too little to compare: {seen}");
}
