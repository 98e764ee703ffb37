//! The language of the scripts, read line by line and obeyed by the rules, a store in memory and a disk in memory. Texts
//! are lines with ` / ` between them; `-` is no file at all.
//!
//! ```text
//! base f: one / two                    what is there when nobody has touched it yet
//! start a1     end a1                  a task is added and taken by an agent (the run a1.1); it is completed
//! a1 says f: one / TWO                 the run's word that it writes this content; without a text only the path
//! ada saves f: one / TWO               the editor's word; `a program saves` where no hand did it
//! ada saved f 30s ago: one / TWO       the same, told late
//! f: one / TWO                         what is on disk now, seen at once; before the colon may stand
//!                                      `vcs`, `unsaved`, `gap`, `rescan`, `unknown base`, `from g` (renamed), `mode 755`
//! f link: a/b     f large:     f special:     f whole:      the same for what is no text
//! git main to dev: f one / f2 -        a checkout: each file that it changed; `git commit c1: f` a commit of these
//! a1 writes f: one / TWO               the word with the content and the change, in one line
//! ada approves f     bo rejects hunk 2     … task a1     … run a1.1     … unknown     … all     … hunk 1 task a2
//! ada looks, rejects all               what the confirmation would be bound to; then `ada rejects all, yes`
//! looks, redo d2                       the same for what is taken back; then `redo d2, yes`
//! undo [d1]     redo [d2]     assign all to me     assign f to a1     purge 1h[, yes]
//! policy approve docs/** [reject …] [second …]
//! the next write fails     the next write is in the editor     the disk changes under the next write
//! the editor closes f                  without saving what is in it
//! wait 11s
//! reviews of a1 -> the records of decisions that are found by a task
//! show f -> the lines     who f -> whose each line is, `?` for pending     pending -> the hunks     read f -> the disk
//! ```

use std::collections::BTreeMap;

use augment_core::actor::Actor;
use augment_core::attribution::{Author, FromVcs, SavedHow};
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::glob::Glob;
use augment_core::queue::{Claim, Ending, Finish, TaskDraft};
use augment_core::refusal::Refusal;
use augment_core::review::policy::ReviewPolicy;
use augment_core::review::{
    Assignee, Cause, Decide, FileClaim, FileWrite, Outcome, Purge, SeenFile, Selection, TakeBack, VcsMoved,
    WrittenFile, confirm_token, redo_shown, select, undo_shown,
};
use augment_core::simulation::{Backend, Disk, Memory};
use augment_core::time::{Boot, Now, Steady, Wall, parse_duration_ms};
use augment_core::turn::{Answer, Command, Decided, Effect, Input, decide};
use augment_core::view::View;
use augment_core::weave::{Hunk, Shape, Standing};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    Of(String),
    Refused(&'static str, String),
}

impl Came {
    pub(crate) fn short(&self) -> String {
        match self {
            Self::Of(what) => what.clone(),
            Self::Refused(code, _) => format!("refused {code}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextWrite {
    Works,
    Fails,
    InEditor,
    Overtaken,
}

/// A desk with files on it: what is on disk, what the rules know, and a clock.
pub(crate) struct Desk {
    pub(crate) memory: Memory,
    pub(crate) disk: Disk,
    bases: BTreeMap<FilePath, FileState>,
    wall: i64,
    next_write: NextWrite,
    token: Option<String>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            memory: Memory::new(),
            disk: Disk::default(),
            bases: BTreeMap::new(),
            wall: 1_760_000_000_000,
            next_write: NextWrite::Works,
            token: None,
        }
    }

    pub(crate) fn play(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_once(" -> ") {
                Some((order, expected)) => assert_eq!(self.obey(order).short(), expected.trim(), "{line}"),
                None => {
                    let came = self.obey(line);
                    assert!(matches!(came, Came::Of(_)), "{line}: {came:?}");
                }
            }
            assert_eq!(self.memory.verify().map(|_| ()), Ok(()), "after {line}");
        }
    }

    pub(crate) fn obey(&mut self, line: &str) -> Came {
        let line = line.trim();
        let (order, text) = line.split_once(':').map_or((line, None), |(order, text)| (order, Some(text.trim())));
        let words: Vec<&str> = order.split_whitespace().collect();
        let done = Came::Of(String::new());
        match (&words[..], text) {
            (["base", name], Some(text)) => {
                let state = text_state(name, text);
                self.disk.put(&state);
                self.bases.insert(state.path.clone(), state);
                done
            }
            (["start", task], None) => self.start(task),
            (["end", task], None) => {
                let finish = Finish { ending: Ending::Completed, result: None };
                let command = Command::FinishTask { task: (*task).to_owned(), attempt: Some(1), finish };
                self.ask(person("ada"), command)
            }
            ([run, "says", name], text) => self.says(run, name, text),
            ([run, "writes", name], Some(text)) => {
                self.says(run, name, Some(text));
                self.see(&[name], text)
            }
            (["a", "program", "saves", name], Some(text)) => self.saves("ada", name, text, SavedHow::Applied, "0s"),
            ([who, "saves", name], Some(text)) => self.saves(who, name, text, SavedHow::ByHand, "0s"),
            ([who, "saved", name, ago, "ago"], Some(text)) => self.saves(who, name, text, SavedHow::ByHand, ago),
            (["git", "commit", commit], Some(files)) => self.commit(commit, files),
            (["git", from, "to", to], Some(files)) => self.check_out(from, to, files),
            (["policy", rules @ ..], None) => {
                self.memory.set_policy(policy(rules));
                done
            }
            (["the", "next", "write", "fails"], None) => self.next(NextWrite::Fails),
            (["the", "next", "write", "is", "in", "the", "editor"], None) => self.next(NextWrite::InEditor),
            (["the", "disk", "changes", "under", "the", "next", "write"], None) => self.next(NextWrite::Overtaken),
            (["the", "editor", "closes", name], None) => {
                let on_disk = match self.disk.at(&path(name)).body {
                    Body::Text(text) => Some(ContentHash::of(&text)),
                    Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => None,
                };
                self.turn(&Input::EditorClosed { path: path(name), on_disk })
            }
            (["wait", time], None) => {
                self.wall += parse_duration_ms(time).expect("a duration");
                done
            }
            (["show", name], None) => Came::Of(lines(&self.tracked(name).view())),
            (["read", name], None) => Came::Of(lines(&self.disk.at(&path(name)))),
            (["who", name], None) => Came::Of(self.who(name)),
            (["pending"], None) => Came::Of(self.pending()),
            (["reviews", "of", task], None) => Came::Of(self.reviews_of(task)),
            (_, Some(text)) => self.see(&words, text),
            (_, None) => self.decides(order),
        }
    }

    fn next(&mut self, next: NextWrite) -> Came {
        self.next_write = next;
        Came::Of(String::new())
    }

    fn start(&mut self, task: &str) -> Came {
        let draft = TaskDraft { title: "Work".to_owned(), max_attempts: 3, ..TaskDraft::default() };
        self.ask(person("ada"), Command::AddTask(draft));
        let claim =
            Claim { agent: "goose".to_owned(), capabilities: [].into(), lease_ms: 3_600_000, token_hash: [7; 32] };
        self.ask(person("ada"), Command::ClaimTask { task: task.to_owned(), claim })
    }

    fn says(&mut self, run: &str, name: &str, text: Option<&str>) -> Came {
        let hash = text.map(|text| ContentHash::of(&bytes(text)).to_string());
        self.ask(self.run(run), Command::ClaimFile(FileClaim { path: name.to_owned(), hash, task: None }))
    }

    fn saves(&mut self, who: &str, name: &str, text: &str, how: SavedHow, ago: &str) -> Came {
        let ago_ms = parse_duration_ms(ago).and_then(|ago| u32::try_from(ago).ok()).expect("a duration");
        let text = String::from_utf8(bytes(text)).expect("scripts are text");
        self.ask(person(who), Command::EditorSaved { path: name.to_owned(), text, how: Some(how), ago_ms })
    }

    /// What is on disk now, and is seen.
    fn see(&mut self, words: &[&str], text: &str) -> Came {
        let mut state = text_state(words[0], text);
        let mut seen = self.seen(state.clone());
        let mut cause = Cause::Live;
        let mut rest = words[1..].iter();
        while let Some(word) = rest.next() {
            match *word {
                "vcs" => seen.from_vcs = FromVcs::Yes,
                "perhaps-vcs" => seen.from_vcs = FromVcs::Perhaps,
                "unsaved" => seen.unsaved = true,
                "discards" => seen.discards = true,
                "gap" => cause = Cause::Gap,
                "rescan" => cause = Cause::Rescan("too much at once".to_owned()),
                "unknown" => seen.before = None,
                "base" => {}
                "from" => {
                    let from = path(rest.next().expect("where it was"));
                    seen.before = self.bases.remove(&from);
                    self.disk.put(&FileState { path: from.clone(), body: Body::Absent, mode: 0 });
                    seen.renamed_from = Some(from);
                }
                "mode" => state.mode = u32::from_str_radix(rest.next().expect("a mode"), 8).expect("a mode"),
                "link" => (state.body, state.mode) = (Body::Link(text.into()), 0),
                "large" => state.body = Body::Large { length: 99_000_000, changed_ns: self.wall },
                "special" => (state.body, state.mode) = (Body::Special, 0),
                "whole" => state.body = Body::Whole { hash: ContentHash::of(text.as_bytes()), length: 9 },
                other => panic!("{other:?} in {words:?}"),
            }
        }
        self.disk.put(&state);
        seen.now = state;
        self.turn(&Input::FilesSeen { files: vec![seen], cause, vcs: None })
    }

    fn seen(&self, now: FileState) -> SeenFile {
        let before = self.bases.get(&now.path).cloned();
        let absent = FileState { path: now.path.clone(), body: Body::Absent, mode: 0 };
        let before = Some(before.unwrap_or(absent));
        SeenFile { now, before, from_vcs: FromVcs::No, renamed_from: None, unsaved: false, discards: false }
    }

    fn check_out(&mut self, from: &str, to: &str, files: &str) -> Came {
        let files: Vec<SeenFile> = files
            .split(';')
            .map(|file| {
                let (name, text) = file.trim().split_once(' ').expect("a file and its text");
                let state = text_state(name, text);
                self.disk.put(&state);
                SeenFile { from_vcs: FromVcs::Yes, ..self.seen(state) }
            })
            .collect();
        let vcs = VcsMoved {
            from_branch: Some(from.to_owned()),
            to_branch: Some(to.to_owned()),
            from_commit: Some("c1".to_owned()),
            to_commit: Some("c2".to_owned()),
            ..VcsMoved::default()
        };
        self.turn(&Input::FilesSeen { files, cause: Cause::Live, vcs: Some(vcs) })
    }

    fn commit(&mut self, commit: &str, files: &str) -> Came {
        let vcs = VcsMoved {
            from_branch: Some("main".to_owned()),
            to_branch: Some("main".to_owned()),
            from_commit: Some("c0".to_owned()),
            to_commit: Some(commit.to_owned()),
            quiet: 0,
            committed: files.split_whitespace().map(path).collect(),
        };
        self.turn(&Input::FilesSeen { files: Vec::new(), cause: Cause::Live, vcs: Some(vcs) })
    }

    fn decides(&mut self, order: &str) -> Came {
        let words: Vec<&str> = order.split_whitespace().collect();
        if let ["undo" | "redo" | "undo," | "redo,", ..] | ["looks,", "undo" | "redo", ..] = &words[..] {
            return self.takes_back(order);
        }
        if let Some((what, to)) = order.strip_prefix("assign ").and_then(|rest| rest.split_once(" to ")) {
            let to = if to == "me" { Assignee::Me } else { Assignee::Task(to.to_owned()) };
            let what = self.selection(what);
            return self.ask(person("ada"), Command::AssignChanges { what, to });
        }
        if let Some(age) = order.strip_prefix("purge ") {
            let (age, confirm) = age.strip_suffix(", yes").map_or((age, false), |age| (age, true));
            let older_than_ms = parse_duration_ms(age).expect("a duration");
            return self.ask(person("ada"), Command::PurgeDecisions(Purge { older_than_ms, confirm }));
        }
        let (who, what) = order.split_once(' ').unwrap_or_else(|| panic!("not understood: {order}"));
        let actor =
            if who.starts_with('a') && who.len() == 2 { self.run(who) } else { person(who.trim_end_matches(',')) };
        let (looks, what) = what.strip_prefix("looks, ").map_or((false, what), |what| (true, what));
        let (what, yes) = what.strip_suffix(", yes").map_or((what, false), |what| (what, true));
        let (verdict, what) = match what.split_once(' ') {
            Some(("approves", what)) => (Standing::Approved, what),
            Some(("rejects", what)) => (Standing::Rejected, what),
            other => panic!("not understood: {order}: {other:?}"),
        };
        let what = self.selection(what);
        if looks {
            let selected = select(&self.memory, &what).expect("it is there to be looked at");
            self.token = Some(confirm_token(verdict, &selected));
            return Came::Of(String::new());
        }
        let confirm = yes.then(|| self.token.clone().expect("it was looked at"));
        self.ask(actor, Command::Decide(Decide { verdict, what, confirm }))
    }

    fn takes_back(&mut self, order: &str) -> Came {
        let (looks, order) = order.strip_prefix("looks, ").map_or((false, order), |order| (true, order));
        let (order, yes) = order.strip_suffix(", yes").map_or((order, false), |order| (order, true));
        let (undo, decision) = match order.split_once(' ') {
            Some((order, which)) => (order == "undo", Some(which.to_owned())),
            None => (order == "undo", None),
        };
        if looks {
            let wanted = decision.as_deref();
            let shown = if undo { undo_shown(&self.memory, wanted) } else { redo_shown(&self.memory, wanted) };
            self.token = Some(shown.expect("it is there to be looked at").confirm_token());
            return Came::Of(String::new());
        }
        let wanted = TakeBack { decision, confirm: yes.then(|| self.token.clone().expect("it was looked at")) };
        self.ask(person("ada"), if undo { Command::UndoDecision(wanted) } else { Command::RedoDecision(wanted) })
    }

    fn selection(&self, what: &str) -> Selection {
        let mut selection = Selection::default();
        let mut words = what.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "nothing" => {}
                "all" => selection.all = true,
                "unknown" => selection.unknown = true,
                "task" => selection.task = words.next().map(str::to_owned),
                "run" => selection.run = words.next().map(str::to_owned),
                "id" => selection.hunks.extend(words.next().map(str::to_owned)),
                "hunk" => {
                    let number: usize = words.next().and_then(|word| word.parse().ok()).expect("which hunk");
                    selection.hunks.push(self.hunks()[number - 1].1.id.to_string());
                }
                file => selection.file = Some(file.to_owned()),
            }
        }
        selection
    }

    /// All pending hunks by path, in each file in their order.
    pub(crate) fn hunks(&self) -> Vec<(FilePath, Hunk)> {
        let mut files: Vec<_> = self.memory.files().all().filter(|file| file.parked.is_none()).collect();
        files.sort_by_key(|file| file.path().clone());
        let of = |file: &augment_core::review::TrackedFile| {
            let path = file.path().clone();
            file.weave.hunks().into_iter().map(move |hunk| (path.clone(), hunk)).collect::<Vec<_>>()
        };
        files.into_iter().flat_map(of).collect()
    }

    fn reviews_of(&self, task: &str) -> String {
        let topic = format!("task:{task}");
        let records = self.memory.links().iter().map(|link| &link.record);
        let found = records.filter(|record| record.about.contains(&topic));
        let kinds: Vec<&str> =
            found.map(|record| record.kind.as_str()).filter(|kind| kind.starts_with("review.")).collect();
        if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
    }

    fn pending(&self) -> String {
        let shown: Vec<String> = self
            .hunks()
            .into_iter()
            .map(|(path, hunk)| {
                let what = match &hunk.shape {
                    Shape::Lines(change) => format!("+{} -{}", change.added, change.removed.len()),
                    Shape::Created { .. } => "created".to_owned(),
                    Shape::Deleted { .. } => "deleted".to_owned(),
                    Shape::Replaced { .. } => "replaced".to_owned(),
                    Shape::Mode { from, to } => format!("mode {from:o} to {to:o}"),
                    Shape::Renamed { from, .. } => format!("renamed from {from}"),
                };
                let tangled = if hunk.entangled.is_empty() { "" } else { " entangled" };
                format!("{path} {what} by {}{tangled}", author(&hunk.author))
            })
            .collect();
        if shown.is_empty() { "nothing".to_owned() } else { shown.join("; ") }
    }

    fn who(&self, name: &str) -> String {
        let weave = self.tracked(name);
        let shown: Vec<String> = weave
            .blame()
            .iter()
            .map(|line| {
                let revision = weave.revision(line.revision);
                let by = revision.map_or("base".to_owned(), |revision| author(&revision.author));
                let mark = if line.standing == Standing::Pending { "?" } else { "" };
                format!("{by}{mark}")
            })
            .collect();
        let whole = || {
            let last = weave.revisions().last();
            last.map_or("base".to_owned(), |revision| {
                format!("{} {}", author(&revision.author), revision.evidence.name())
            })
        };
        if shown.is_empty() { whole() } else { shown.join(", ") }
    }

    fn tracked(&self, name: &str) -> augment_core::weave::Weave {
        let found = self.memory.file_at(&path(name)).unwrap_or_else(|never| match never {});
        found.unwrap_or_else(|| panic!("{name} is not tracked")).weave
    }

    fn run(&self, task: &str) -> Actor {
        let run = self.memory.runs().keys().find(|run| run.task.to_string() == task).expect("the run began");
        Actor::Run { run: *run }
    }

    pub(crate) fn ask(&mut self, actor: Actor, command: Command) -> Came {
        self.turn(&Input::Asked { actor, command })
    }

    /// One turn, and then what the host does with it: files are written, and what came of that is told.
    fn turn(&mut self, input: &Input) -> Came {
        let now = Now { wall: Wall(self.wall), steady: Steady(self.wall), boot: Boot("boot".to_owned()) };
        let turn = decide(&self.memory, input, &now).unwrap_or_else(|never| match never {});
        self.memory.apply(&turn, &now);
        let writes: Vec<FileWrite> = turn
            .effects
            .iter()
            .filter_map(|effect| if let Effect::WriteFile(write) = effect { Some((**write).clone()) } else { None })
            .collect();
        for write in &writes {
            let outcome = self.write(write);
            let files = vec![WrittenFile { file: write.file, outcome }];
            self.turn(&Input::FilesWritten { decision: write.decision, files, after_crash: false });
        }
        came(turn.verdict)
    }

    fn write(&mut self, write: &FileWrite) -> Outcome {
        match std::mem::replace(&mut self.next_write, NextWrite::Works) {
            NextWrite::Works => self.disk.carry_out(write),
            NextWrite::Fails => Outcome::NotWritten { reason: "the disk is full".to_owned() },
            NextWrite::InEditor => Outcome::InEditor,
            NextWrite::Overtaken => {
                let mut other = self.disk.at(&write.before.path);
                other.body = Body::Text(b"somebody else\n".to_vec());
                self.disk.put(&other);
                self.disk.carry_out(write)
            }
        }
    }
}

fn came(verdict: Result<Answer, Refusal>) -> Came {
    match verdict {
        Err(refusal) => Came::Refused(refusal.code(), refusal.to_string()),
        Ok(Answer::Decided(Decided { decision, hunks, half, files, .. })) => {
            let written = files.iter().filter(|file| file.writes.is_some()).count();
            let half = if half > 0 { format!(", {half} half") } else { String::new() };
            Came::Of(format!("{decision}: {hunks} decided, {written} to write{half}"))
        }
        Ok(Answer::Assigned { hunks, files, .. }) => Came::Of(format!("{hunks} in {files}")),
        Ok(Answer::Purged { done, decisions, files, .. }) => {
            Came::Of(format!("{} {decisions} in {files}", if done { "purged" } else { "would purge" }))
        }
        Ok(
            Answer::Task(_)
            | Answer::Taken { .. }
            | Answer::NothingReady
            | Answer::Removed(_)
            | Answer::Moved { .. }
            | Answer::SettingChanged
            | Answer::Run(_)
            | Answer::Question(_)
            | Answer::HandOff(_)
            | Answer::Hook(_)
            | Answer::Session(_)
            | Answer::Flag(_)
            | Answer::Prompt(_)
            | Answer::Noted,
        ) => Came::Of(String::new()),
    }
}

fn policy(rules: &[&str]) -> ReviewPolicy {
    let mut policy = ReviewPolicy::default();
    for rule in rules.chunks(2) {
        let [kind, pattern] = rule else { panic!("{rule:?} is no rule") };
        let globs = match *kind {
            "approve" => &mut policy.approve,
            "reject" => &mut policy.reject,
            "second" => &mut policy.second_approver,
            "control" => &mut policy.control,
            other => panic!("{other:?} is no rule"),
        };
        globs.push(Glob::new(pattern));
    }
    policy
}

pub(crate) fn person(name: &str) -> Actor {
    Actor::Person { name: name.to_owned() }
}

fn author(author: &Author) -> String {
    match author {
        Author::Person { name } => name.clone(),
        Author::Run(run) => run.task.to_string(),
        Author::Vcs => "vcs".to_owned(),
        Author::Unknown => "unknown".to_owned(),
    }
}

fn path(name: &str) -> FilePath {
    FilePath::from_text(name).expect("a path")
}

fn text_state(name: &str, text: &str) -> FileState {
    if text == "-" {
        return FileState { path: path(name), body: Body::Absent, mode: 0 };
    }
    FileState { path: path(name), body: Body::Text(bytes(text)), mode: 0o644 }
}

fn bytes(text: &str) -> Vec<u8> {
    text.split(" / ").filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn lines(state: &FileState) -> String {
    match &state.body {
        Body::Absent => "-".to_owned(),
        Body::Text(text) => {
            let text = String::from_utf8(text.clone()).expect("scripts are text");
            let shown = text.trim_end().replace('\n', " / ");
            if state.mode == 0o644 { shown } else { format!("{shown} ({:o})", state.mode) }
        }
        Body::Whole { .. } => "whole".to_owned(),
        Body::Link(target) => format!("link to {}", String::from_utf8_lossy(target)),
        Body::Large { .. } => "large".to_owned(),
        Body::Special => "special".to_owned(),
    }
}
