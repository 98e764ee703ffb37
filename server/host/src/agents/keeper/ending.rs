//! How a run is ended: asked politely, then made to, then again and again until nothing of it lives. Every process that the
//! agent started is below the keeper, so the tree that `/proc` shows is the whole of it, and no children left means that
//! it is over.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::agents::processes::{self, Identity, Process, Signalled};

/// The first pause between two rounds of killing; it doubles.
const FIRST_PAUSE_MS: i64 = 5;
const LONGEST_PAUSE_MS: i64 = 500;
/// What still lives after so long does not end when it is killed (it waits for a disk or a network), and that is told.
const STUCK_AFTER_MS: i64 = 5_000;
/// So many killed ones are told apart; a run that multiplies without end is only counted up to here.
const MAX_COUNTED: usize = 65_536;

/// The family of one agent.
pub(super) struct Family {
    keeper: u32,
    agent: u32,
    /// While its number cannot be anybody else's, its group can be signalled as one.
    agent_unreaped: bool,
    killed: BTreeSet<Identity>,
}

impl Family {
    pub(super) fn new(agent: u32) -> Self {
        Self { keeper: std::process::id(), agent, agent_unreaped: true, killed: BTreeSet::new() }
    }

    pub(super) fn agent_was_reaped(&mut self) {
        self.agent_unreaped = false;
    }

    /// How many had to be killed.
    pub(super) fn killed(&self) -> u64 {
        self.killed.len() as u64
    }

    fn members(&self) -> Vec<Process> {
        processes::below(&BTreeSet::from([self.keeper]), &processes::all())
    }

    pub(super) fn living(&self) -> Vec<u32> {
        self.members().into_iter().filter(|member| !member.ended).map(|member| member.identity.pid).collect()
    }

    /// Asks the agent's group to leave; once the agent itself has left, all that it started.
    pub(super) fn ask_to_leave(&self) {
        if self.agent_unreaped {
            self.signal_group(Signal::TERM);
            // One that was stopped hears of it only when it goes on.
            self.signal_group(Signal::CONT);
        } else {
            for member in self.members() {
                member.signal(Signal::TERM);
                member.signal(Signal::CONT);
            }
        }
    }

    /// Kills all that is there now.
    fn kill(&mut self) {
        let members = self.members();
        if self.agent_unreaped {
            self.signal_group(Signal::KILL);
        }
        for member in members.into_iter().filter(|member| !member.ended) {
            let sent = member.signal(Signal::KILL) == Signalled::Sent;
            let in_group = self.agent_unreaped && member.group == self.agent;
            if (sent || in_group) && self.killed.len() < MAX_COUNTED {
                self.killed.insert(member.identity);
            }
        }
    }

    fn signal_group(&self, signal: Signal) {
        let group = i32::try_from(self.agent).ok().and_then(Pid::from_raw);
        // It fails when all of the group have ended, which is what is wanted.
        group.and_then(|group| kill_process_group(group, signal).ok());
    }
}

/// An ending that has begun.
pub(super) struct Ending {
    /// Until then nobody is killed.
    polite_until: i64,
    firm: Option<Firm>,
}

struct Firm {
    since: i64,
    next_round: i64,
    pause: i64,
    told: bool,
}

impl Ending {
    pub(super) fn new(now: i64, grace_ms: u64) -> Self {
        Self { polite_until: later(now, grace_ms), firm: None }
    }

    /// A second word may only shorten the time.
    pub(super) fn hurry(&mut self, now: i64, grace_ms: u64) {
        self.polite_until = self.polite_until.min(later(now, grace_ms));
    }

    /// Nobody has been killed yet.
    pub(super) fn is_polite(&self) -> bool {
        self.firm.is_none()
    }

    pub(super) fn next_step(&self) -> i64 {
        self.firm.as_ref().map_or(self.polite_until, |firm| firm.next_round)
    }

    /// Does what is due. Returns who does not end, once.
    pub(super) fn go_on(&mut self, now: i64, family: &mut Family) -> Option<Vec<u32>> {
        if now < self.next_step() {
            return None;
        }
        let firm = self.firm.get_or_insert(Firm { since: now, next_round: now, pause: FIRST_PAUSE_MS, told: false });
        family.kill();
        firm.next_round = now + firm.pause;
        firm.pause = (firm.pause * 2).min(LONGEST_PAUSE_MS);
        if firm.told || now - firm.since < STUCK_AFTER_MS {
            return None;
        }
        firm.told = true;
        Some(family.living())
    }

    /// Somebody has ended, so others may have become visible or were left behind: look again at once.
    pub(super) fn look_again(&mut self, now: i64) {
        if let Some(firm) = &mut self.firm {
            firm.next_round = now;
        }
    }
}

/// A time that far ahead, or never.
pub(super) fn later(now: i64, by_ms: u64) -> i64 {
    now.saturating_add(i64::try_from(by_ms).unwrap_or(i64::MAX))
}
