//! Those who change files: the person at the editor and beside it, agents with and without a word, and git.

use super::text::{Hand, nothing_at, persons, shown, text_at, text_of, words};
use super::world::{Buffer, Step, World};
use crate::actor::Actor;
use crate::attribution::SavedHow;
use crate::file::{Body, ContentHash, FilePath, FileState};
use crate::review::{Cause, FileClaim, VcsMoved};
use crate::turn::{Command, Input};

pub(super) const NAMES: [&str; 7] = ["f", "g", "h", "i", "docs/d", "law/l", ".vscode/s"];

pub(super) fn path(name: &str) -> FilePath {
    FilePath::from_text(name).expect("the names are paths")
}

pub(super) fn ada() -> Actor {
    Actor::Person { name: "ada".to_owned() }
}

impl World {
    pub(super) fn any_path(&mut self) -> FilePath {
        path(self.random.pick(&NAMES))
    }

    /// A path where there is a file, if there is any.
    pub(super) fn any_file(&mut self) -> FilePath {
        let there: Vec<FilePath> = self.disk.files().map(|file| file.path.clone()).collect();
        if there.is_empty() { self.any_path() } else { self.random.pick(&there) }
    }

    /// The person saves an edited text in the editor, or writes it with another program.
    pub(super) fn person_edits(&mut self, path: &FilePath) -> Step {
        if self.buffers.contains_key(path) {
            return self.person_saves_buffer(path);
        }
        let was = self.disk.at(path);
        let how = self.random.below(100);
        let hand = if how < 12 { Hand::Program } else { Hand::Person };
        let restored = self.earlier.get(path).and_then(|earlier| earlier.last().cloned());
        let state = match restored.filter(|_| self.random.chance(15)) {
            Some(restored) if restored.body != Body::Absent => restored,
            Some(_) | None => {
                let text = self.words.edited(text_of(&was), hand, &mut self.random);
                let mode = if was.mode == 0 { 0o644 } else { was.mode };
                FileState { mode, ..text_at(path, text) }
            }
        };
        if state == was {
            return Ok(());
        }
        self.fates.replaced(&self.memory, &was, &state);
        self.put(&state);
        self.summary.met(if hand == Hand::Program { "a program in the editor" } else { "the person edits" });
        self.say(format!("person writes {}", shown(&state)));
        let Body::Text(text) = &state.body else { return Ok(()) };
        match how {
            0..12 => self.editor_saved(path, text, SavedHow::Applied),
            12..65 => self.editor_saved(path, text, SavedHow::ByHand),
            65..75 => {
                let input = saved(path, text, SavedHow::ByHand);
                self.untold.push(input);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn editor_saved(&mut self, path: &FilePath, text: &[u8], how: SavedHow) -> Step {
        self.say(format!("   editor says it saved {path} {how:?}"));
        let _answer = self.turn(&saved(path, text, how))?;
        self.fates.claimed(&self.disk, &self.memory);
        Ok(())
    }

    /// Words of the editor that come late.
    pub(super) fn tell_untold(&mut self) -> Step {
        for input in std::mem::take(&mut self.untold) {
            self.summary.met("late word");
            self.say("   editor says late what it saved");
            let _answer = self.turn(&input)?;
            self.fates.claimed(&self.disk, &self.memory);
        }
        Ok(())
    }

    pub(super) fn person_types(&mut self, path: &FilePath) -> Step {
        let opened = self.disk.at(path);
        if !matches!(opened.body, Body::Text(_)) {
            return Ok(());
        }
        let buffer = self.buffers.remove(path);
        let buffer = buffer.unwrap_or_else(|| Buffer { text: text_of(&opened).to_vec(), opened });
        let text = self.words.edited(&buffer.text, Hand::Person, &mut self.random);
        self.say(format!("person types in {path}: {:?}", String::from_utf8_lossy(&text)));
        self.buffers.insert(path.clone(), Buffer { text, ..buffer });
        Ok(())
    }

    pub(super) fn person_saves_buffer(&mut self, path: &FilePath) -> Step {
        let Some(buffer) = self.buffers.remove(path) else { return Ok(()) };
        let was = self.disk.at(path);
        if was != buffer.opened && self.random.chance(40) {
            self.say(format!("person lets go of what is typed in {path}"));
            self.fates.replaced(&self.memory, &FileState { body: Body::Text(buffer.text), ..was.clone() }, &was);
            return Ok(());
        }
        let mode = if was.mode == 0 { 0o644 } else { was.mode };
        let state = FileState { mode, ..text_at(path, buffer.text.clone()) };
        if state == was {
            return Ok(());
        }
        self.summary.met("a buffer saved");
        self.fates.replaced(&self.memory, &was, &state);
        self.put(&state);
        self.say(format!("person saves {}", shown(&state)));
        if self.random.chance(85) { self.editor_saved(path, &buffer.text, SavedHow::ByHand) } else { Ok(()) }
    }

    /// Removing, moving and changing the mode, by hand.
    pub(super) fn person_rearranges(&mut self, path: &FilePath) -> Step {
        let was = self.disk.at(path);
        if was.body == Body::Absent || self.buffers.contains_key(path) {
            return Ok(());
        }
        match self.random.below(3) {
            0 => {
                self.say(format!("person removes {path}"));
                self.fates.replaced(&self.memory, &was, &nothing_at(path));
                self.put(&nothing_at(path));
            }
            1 => self.moves_file(&was, "person"),
            _ => self.changes_mode(&was, "person"),
        }
        Ok(())
    }

    fn moves_file(&mut self, was: &FileState, who: &str) {
        let to = self.any_path();
        if self.disk.at(&to).body != Body::Absent || self.buffers.contains_key(&was.path) {
            return;
        }
        self.summary.met("a file moved");
        self.say(format!("{who} moves {} to {to}", was.path));
        let from = self.moves.remove(&was.path).unwrap_or_else(|| was.path.clone());
        self.put(&nothing_at(&was.path));
        self.put(&FileState { path: to.clone(), ..was.clone() });
        self.moves.insert(to, from);
    }

    fn changes_mode(&mut self, was: &FileState, who: &str) {
        if matches!(was.body, Body::Text(_) | Body::Whole { .. }) {
            let mode = if was.mode == 0o644 { 0o755 } else { 0o644 };
            self.say(format!("{who} changes the mode of {} to {mode:o}", was.path));
            self.put(&FileState { mode, ..was.clone() });
        }
    }

    pub(super) fn agent_edits(&mut self, path: &FilePath) -> Step {
        let was = self.disk.at(path);
        let who = if self.runs.is_empty() { None } else { Some(self.random.pick(&self.runs.clone())) };
        let name = who.map_or("somebody".to_owned(), |run| format!("run {run}"));
        let state = match self.random.below(100) {
            0..=5 if was.body != Body::Absent => nothing_at(path),
            6..=11 if was.body != Body::Absent => {
                self.moves_file(&was, &name);
                return Ok(());
            }
            12..=15 => {
                self.changes_mode(&was, &name);
                return Ok(());
            }
            16..=18 => FileState { body: Body::Link(b"elsewhere".to_vec()), ..nothing_at(path) },
            19..=20 => {
                let hash = ContentHash::of(&self.words.line(Hand::Agent));
                FileState { path: path.clone(), body: Body::Whole { hash, length: 9 }, mode: 0o644 }
            }
            21 => {
                let body = Body::Large { length: 99_000_000, changed_ns: self.wall };
                FileState { path: path.clone(), body, mode: 0o644 }
            }
            22 => FileState { body: Body::Special, ..nothing_at(path) },
            23..=28 => self.taken_back(&was),
            _ => {
                let text = self.words.edited(text_of(&was), Hand::Agent, &mut self.random);
                let mode = if was.mode == 0 { 0o644 } else { was.mode };
                FileState { mode, ..text_at(path, text) }
            }
        };
        if state == was {
            return Ok(());
        }
        self.summary.met("an agent edits");
        let text = if let Body::Text(text) = &state.body { Some(text) } else { None };
        let hash = text.filter(|_| self.random.chance(50)).map(|text| ContentHash::of(text).to_string());
        let says = hash.is_some() || self.random.chance(25);
        let words_first = self.random.chance(85);
        let claim = FileClaim { path: path.to_text(), hash, task: None };
        let input = who.map(|run| Input::Asked { actor: Actor::Run { run }, command: Command::ClaimFile(claim) });
        if let Some(input) = input.as_ref().filter(|_| says && words_first) {
            self.say(format!("   {name} says that it writes {path}"));
            let _answer = self.turn(input)?;
        }
        self.say(format!("{name} writes {}", shown(&state)));
        self.put(&state);
        if let Some(input) = input.filter(|_| says && !words_first) {
            self.untold.push(input);
        }
        Ok(())
    }

    /// An earlier content, but for lines of the person that are not there now: an agent has no copy of those.
    fn taken_back(&mut self, was: &FileState) -> FileState {
        let earlier = self.earlier.get(&was.path).cloned().unwrap_or_default();
        if earlier.is_empty() {
            return was.clone();
        }
        let state = self.random.pick(&earlier);
        let there: Vec<String> = persons(was).into_iter().collect();
        let is_known = |line: &&[u8]| words(line).all(|word| !super::text::is_persons(&word) || there.contains(&word));
        match &state.body {
            Body::Text(text) => {
                let kept: Vec<u8> =
                    text.split_inclusive(|byte| *byte == b'\n').filter(is_known).flatten().copied().collect();
                FileState { body: Body::Text(kept), ..state }
            }
            Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => was.clone(),
        }
    }

    /// Git commits, checks out, pulls or puts back. The host waits for its lock, so it has looked just before.
    pub(super) fn git(&mut self) -> Step {
        self.look_at(&Cause::Live, |_, _| true)?;
        match self.random.below(6) {
            0..=1 => self.commits(),
            2..=3 => self.checks_out(),
            4 => self.pulls(),
            _ => self.puts_back(),
        }
        if self.random.chance(85) { self.look_at(&Cause::Live, |_, _| true) } else { Ok(()) }
    }

    fn moved(&self) -> VcsMoved {
        VcsMoved {
            from_branch: Some(self.head.clone()),
            to_branch: Some(self.head.clone()),
            from_commit: Some("c1".to_owned()),
            to_commit: Some("c2".to_owned()),
            ..VcsMoved::default()
        }
    }

    fn commits(&mut self) {
        self.summary.met("a commit");
        self.say("git commits everything");
        self.branches.insert(self.head.clone(), self.disk.clone());
        let tracked = self.memory.files().all().filter(|file| file.parked.is_none() && !file.awaits_save);
        let committed = tracked.map(|file| file.path().clone()).collect();
        self.git = Some(VcsMoved { committed, ..self.moved() });
    }

    fn git_writes(&mut self, state: &FileState) {
        self.fates.replaced(&self.memory, &self.disk.at(&state.path), state);
        self.say(format!("   git writes {}", shown(state)));
        self.put(state);
        self.from_git.insert(state.path.clone(), state.clone());
    }

    fn checks_out(&mut self) {
        let to = if self.head == "main" { "dev" } else { "main" };
        let (from_tree, to_tree) = (self.branches[&self.head].clone(), self.branches[to].clone());
        let differ = |path: &FilePath| from_tree.at(path) != to_tree.at(path);
        let paths: Vec<FilePath> = NAMES.iter().map(|name| path(name)).filter(differ).collect();
        let dirty = paths.iter().any(|path| self.disk.at(path) != from_tree.at(path));
        if dirty && self.random.chance(60) {
            self.say(format!("git refuses to check out {to}"));
            return;
        }
        self.summary.met("a checkout");
        self.say(format!("git checks out {to}"));
        for path in paths.iter().filter(|path| self.disk.at(path) != to_tree.at(path)).cloned().collect::<Vec<_>>() {
            self.git_writes(&to_tree.at(&path));
        }
        self.git = Some(VcsMoved { to_branch: Some(to.to_owned()), ..self.moved() });
        self.head = to.to_owned();
    }

    fn pulls(&mut self) {
        let path = self.any_path();
        let tree = self.branches[&self.head].clone();
        let was = tree.at(&path);
        if self.disk.at(&path) != was || !matches!(was.body, Body::Text(_) | Body::Absent) {
            return;
        }
        self.summary.met("a pull");
        self.say("git pulls");
        let text = self.words.edited(text_of(&was), Hand::Git, &mut self.random);
        let state = FileState { mode: if was.mode == 0 { 0o644 } else { was.mode }, ..text_at(&path, text) };
        self.git_writes(&state);
        if let Some(tree) = self.branches.get_mut(&self.head) {
            tree.put(&state);
        }
        self.git = Some(self.moved());
    }

    fn puts_back(&mut self) {
        let path = self.any_file();
        let committed = self.branches[&self.head].at(&path);
        if self.disk.at(&path) == committed {
            return;
        }
        self.summary.met("a file put back by git");
        self.say(format!("git puts {path} back"));
        self.git_writes(&committed);
        self.git = Some(self.moved());
    }
}

fn saved(path: &FilePath, text: &[u8], how: SavedHow) -> Input {
    let text = String::from_utf8_lossy(text).into_owned();
    Input::Asked {
        actor: ada(),
        command: Command::EditorSaved { path: path.to_text(), text, how: Some(how), ago_ms: 0 },
    }
}
