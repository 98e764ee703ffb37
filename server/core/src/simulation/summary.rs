//! What a simulation went through, so that a test can see that it went through enough.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Commands and waits that were made up.
    pub operations: u64,
    /// How often each answer was given, and each refusal, by its code.
    pub answers: BTreeMap<&'static str, u64>,
    pub refusals: BTreeMap<&'static str, u64>,
    /// Leases that ran out and those carried over to a new boot.
    pub expired: u64,
    pub carried: u64,
    /// How often a reorder was seen to have renumbered tasks that it did not name.
    pub respread: u64,
    pub records: u64,
    pub comparisons: u64,
    pub most_tasks: u64,
    pub most_held: u64,
    /// The most leases that ended or were carried over at one moment.
    pub most_due: u64,
}

impl Summary {
    pub fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        self.expired += other.expired;
        self.carried += other.carried;
        self.respread += other.respread;
        self.records += other.records;
        self.comparisons += other.comparisons;
        self.most_tasks = self.most_tasks.max(other.most_tasks);
        self.most_held = self.most_held.max(other.most_held);
        self.most_due = self.most_due.max(other.most_due);
        for (own, others) in [(&mut self.answers, &other.answers), (&mut self.refusals, &other.refusals)] {
            for (name, count) in others {
                *own.entry(name).or_default() += count;
            }
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} operations, {} records, {} full comparisons; up to {} tasks, {} held at once, {} leases due at once",
            self.operations, self.records, self.comparisons, self.most_tasks, self.most_held, self.most_due
        )?;
        writeln!(
            f,
            "leases: {} ran out, {} carried over; ranks spread anew: {}",
            self.expired, self.carried, self.respread
        )?;
        writeln!(f, "answers: {}", counts(&self.answers))?;
        write!(f, "refusals: {}", counts(&self.refusals))
    }
}

fn counts(of: &BTreeMap<&'static str, u64>) -> String {
    let parts: Vec<String> = of.iter().map(|(name, count)| format!("{name} {count}")).collect();
    parts.join(", ")
}
