//! What a yes to a workspace's agent is bound to besides its own words: the content of each file in the workspace that its
//! program, its arguments and the variables that it sets name. Without this, a yes to `sh run.sh` would be a yes to
//! whatever `run.sh` says tomorrow. What cannot be bound to, such as a folder, is refused rather than passed over.
//!
//! A value names a file as a whole, after each `=`, and, in an argument, right after a short option (`-r./x`). Not bound: what
//! those files load in turn, words within a longer argument such as that of `sh -c`, and what lies outside of the workspace.

use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

use augment_core::agent::{AgentSpec, PRESETS};
use augment_core::text::{quoted, visible, visible_lines};

use crate::toml_file;

/// How much of a workspace's files a yes is bound to: for one agent, all in all.
const BOUND_BYTES: u64 = 32 * 1_024 * 1_024;
/// How much of that is shown and kept, for one agent, all in all. The rest is there by its hash.
const SHOWN_BYTES: usize = 64 * 1_024;
/// How many parts of paths are looked at for one agent. A workspace could otherwise make every look at it last.
const STEPS: u32 = 20_000;
const OWN_FILE: &str = "or configure the agent in your own file.";

/// A value of an agent, and where it stands.
struct Named<'a> {
    /// For sentences. Values that are set are told by their name: they may be secret.
    told: String,
    value: &'a str,
    is_argument: bool,
}

/// What lies where a path leads.
enum Found {
    Nothing,
    Outside,
    File(PathBuf),
    Folder,
    Other,
    Link(PathBuf),
}

struct Binding<'a> {
    root: &'a Path,
    /// Each is bound to once, however it is named.
    files: Vec<PathBuf>,
    bytes_left: u64,
    shown_left: usize,
    steps_left: u32,
    text: String,
}

/// What an agent's text says of the files that it names, or why it cannot be bound to them. `program` is where its program
/// was found.
pub(super) fn bound_text(spec: &AgentSpec, root: &Path, program: Option<&Path>) -> Result<String, String> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let mut binding = Binding {
        root: &root,
        files: Vec::new(),
        bytes_left: BOUND_BYTES,
        shown_left: SHOWN_BYTES,
        steps_left: STEPS,
        text: String::new(),
    };
    // A name that is looked up may be found in the workspace as well, where the person's PATH leads there.
    if let Some(program) = program {
        binding.bind(program, &format!("{} in command", quoted(&spec.program)))?;
    }
    for named in named(spec) {
        for path in meant(&named) {
            binding.bind(Path::new(path), &named.told)?;
        }
    }
    Ok(binding.text)
}

/// The values that may name a file. What a preset says is known to name none.
fn named(spec: &AgentSpec) -> Vec<Named<'_>> {
    let presets = || PRESETS.iter().filter(|preset| preset.program == Some(spec.program.as_str()));
    let mut named = Vec::new();
    if spec.program.contains('/') {
        let told = format!("{} in command", quoted(&spec.program));
        named.push(Named { told, value: &spec.program, is_argument: false });
    }
    if !presets().any(|preset| spec.arguments == preset.arguments) {
        named.extend(spec.arguments.iter().map(|value| Named {
            told: format!("{} in args", quoted(value)),
            value,
            is_argument: true,
        }));
    }
    let is_known = |name: &str, value: &str| presets().any(|preset| preset.set.contains(&(name, value)));
    named.extend(spec.set.iter().filter(|(name, value)| !is_known(name, value)).map(|(name, value)| Named {
        told: format!("The value of {} in set", visible(name)),
        value,
        is_argument: false,
    }));
    named
}

/// The paths that a value may mean.
fn meant<'a>(named: &Named<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let value = named.value;
    let short = value.strip_prefix('-').filter(|rest| named.is_argument && !rest.starts_with('-'));
    let after_short = short.and_then(|rest| {
        let mut characters = rest.chars();
        characters.next()?;
        Some(characters.as_str())
    });
    let after_equals = value.match_indices('=').map(move |(at, mark)| &value[at + mark.len()..]);
    std::iter::once(value).chain(after_equals).chain(after_short).filter(|path| !path.is_empty())
}

impl Binding<'_> {
    fn bind(&mut self, path: &Path, told: &str) -> Result<(), String> {
        match self.find(path, told)? {
            Found::Nothing | Found::Outside => Ok(()),
            Found::File(path) if self.files.contains(&path) => Ok(()),
            Found::File(path) => self.take(path, told),
            Found::Folder => Err(format!(
                "{told} is a folder of the workspace, and a yes cannot be bound to all that is in it. Name the file in it \
                 that is meant, put the command into a script below the workspace, {OWN_FILE}"
            )),
            Found::Other => Err(format!(
                "{told} is a pipe, a socket or a device in the workspace, which a yes cannot be bound to. Name a file, \
                 {OWN_FILE}"
            )),
            Found::Link(link) => Err(format!(
                "{told} leads over the symbolic link {}, which may lead elsewhere tomorrow. Name the file itself, \
                 {OWN_FILE}",
                self.name(&link)
            )),
        }
    }

    /// Follows a path part by part from the workspace's root, as the system does. Links are followed only outside of the
    /// workspace: those in it are what somebody could turn.
    fn find(&mut self, path: &Path, told: &str) -> Result<Found, String> {
        let mut at = self.root.to_owned();
        for part in path.components() {
            match part {
                Component::RootDir | Component::Prefix(_) => at = PathBuf::from("/"),
                Component::CurDir => {}
                Component::ParentDir => drop(at.pop()),
                Component::Normal(name) => {
                    let next = at.join(name);
                    let is_inside = at.starts_with(self.root);
                    let looked = if is_inside {
                        next.symlink_metadata().map(|found| (found.is_symlink(), next))
                    } else {
                        // As the system spells it, so that other letter cases of the root are seen to be it.
                        next.canonicalize().map(|real| (false, real))
                    };
                    match looked {
                        Ok((true, link)) => return Ok(Found::Link(link)),
                        Ok((false, real)) => at = real,
                        Err(error) if is_inside && !is_nothing(&error) => return Err(unreadable(told, &error)),
                        Err(_) => return Ok(Found::Nothing),
                    }
                }
            }
            self.steps_left = self.steps_left.checked_sub(1).ok_or_else(|| {
                format!("{told} and what stands before it have too many parts to be looked at. Shorten it, {OWN_FILE}")
            })?;
        }
        if !at.starts_with(self.root) {
            return Ok(Found::Outside);
        }
        let found = at.symlink_metadata().map_err(|error| unreadable(told, &error))?;
        Ok(match found.file_type() {
            kind if kind.is_file() => Found::File(at),
            kind if kind.is_dir() => Found::Folder,
            kind if kind.is_symlink() => Found::Link(at),
            _ => Found::Other,
        })
    }

    fn take(&mut self, path: PathBuf, told: &str) -> Result<(), String> {
        let file = toml_file::open(&path).map_err(|reason| format!("{told} cannot be bound to. {reason}"))?;
        let Some(file) = file else { return Ok(()) };
        let mut content = Vec::new();
        file.take(self.bytes_left + 1).read_to_end(&mut content).map_err(|error| unreadable(told, &error))?;
        let length = content.len() as u64;
        if length > self.bytes_left {
            return Err(format!(
                "{told} is too large: what an agent names in the workspace may have {} MB in all. Name a smaller file, \
                 {OWN_FILE}",
                BOUND_BYTES / 1_024 / 1_024
            ));
        }
        self.bytes_left -= length;
        let hash = blake3::hash(&content).to_hex();
        self.text.push_str(&format!("content of {} = {hash}\n", self.name(&path)));
        self.show(&content);
        self.files.push(path);
        Ok(())
    }

    /// The lines of a text, each behind a mark, so that none of them looks like a line of the configuration.
    fn show(&mut self, content: &[u8]) {
        let is_short = content.len() <= self.shown_left;
        let text = std::str::from_utf8(content).ok().filter(|text| is_short && !text.contains('\0'));
        let Some(text) = text else {
            let why = if is_short { "it is no text" } else { "it is too long" };
            self.text.push_str(&format!("  not shown, since {why}: {} bytes\n", content.len()));
            return;
        };
        let mut shown = String::new();
        for line in text.split_inclusive('\n') {
            shown.push_str(&format!("| {}\n", visible_lines(line.strip_suffix('\n').unwrap_or(line))));
        }
        if !text.is_empty() && !text.ends_with('\n') {
            shown.push_str("  no line break at its end\n");
        }
        if shown.len() > self.shown_left {
            self.text.push_str(&format!("  not shown, since it is too long: {} bytes\n", content.len()));
            return;
        }
        self.shown_left -= shown.len();
        self.text.push_str(&shown);
    }

    fn name(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.root).unwrap_or(path);
        format!("\"{}\"", visible(&below.to_string_lossy()))
    }
}

/// Whether there is nothing of that name, and cannot be.
fn is_nothing(error: &std::io::Error) -> bool {
    let is_too_long = error.raw_os_error() == Some(rustix::io::Errno::NAMETOOLONG.raw_os_error());
    is_too_long || matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn unreadable(told: &str, error: &std::io::Error) -> String {
    format!("{told} cannot be looked at: {error}. Make it readable, {OWN_FILE}")
}
