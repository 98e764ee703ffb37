//! Who changed a file, and how we know. One function weighs what was seen against what was claimed; what is not known is
//! called unknown and never guessed.

use crate::file::{ContentHash, FilePath};
use crate::id::RunId;
use crate::time::Wall;
use crate::written_text::{WrittenAs, writings};

/// Who made a revision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Author {
    Person {
        name: String,
    },
    Run(RunId),
    /// Version control: a checkout, a pull, a stash.
    Vcs,
    Unknown,
}

/// What an author is known by, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The person said whose it is.
    Assigned,
    /// The run said that it writes this very content.
    DeclaredContent,
    /// The run said that it writes this file.
    DeclaredPath,
    /// The editor saved this very content.
    Saved,
    /// The editor saved this content after a program, not a hand, had changed it.
    Applied,
    /// Written under version control's lock, and equal to what it keeps.
    VersionControl,
    /// Only one run was active.
    Inferred,
    /// Nobody was watching when it happened.
    Unwatched,
    /// Nothing speaks for anybody.
    Nothing,
}

impl Evidence {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Assigned => "assigned",
            Self::DeclaredContent => "declared-content",
            Self::DeclaredPath => "declared-path",
            Self::Saved => "saved",
            Self::Applied => "applied",
            Self::VersionControl => "version-control",
            Self::Inferred => "inferred",
            Self::Unwatched => "unwatched",
            Self::Nothing => "nothing",
        }
    }

    /// Evidence that gives way when somebody speaks up a moment later.
    #[must_use]
    pub fn is_weak(self) -> bool {
        match self {
            Self::Inferred | Self::Unwatched | Self::Nothing => true,
            Self::Assigned
            | Self::DeclaredContent
            | Self::DeclaredPath
            | Self::Saved
            | Self::Applied
            | Self::VersionControl => false,
        }
    }
}

/// Somebody's word about a file, given before or shortly after it was seen to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub number: u64,
    pub path: FilePath,
    pub time: Wall,
    pub word: Word,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A run writes this file, with this content if it said so.
    Writes { run: RunId, hash: Option<ContentHash> },
    /// An editor saved this text.
    Saved { person: String, text: Vec<u8>, how: SavedHow },
}

/// Who writes the record of a session, in the story of a document: the host, whose word counts as that of a person's editor.
pub const RECORD_WRITER: &str = "session record";

/// How a saved text came about since the file was last read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedHow {
    ByHand,
    /// A program in the editor changed it: another extension, a formatter.
    Applied,
    /// A hand and a program, and nobody can say which line is whose.
    Mixed,
}

/// How long a claim waits for the change it speaks of.
pub const CLAIM_MS: i64 = 60_000;
/// How long a word about a path alone holds. It is weaker, so it ends sooner.
pub const PATH_CLAIM_MS: i64 = 10_000;

/// How long after its end a run may still be writing: what it left behind goes on a moment.
pub const AFTERMATH_MS: i64 = 5_000;

/// Which runs could have written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActiveRuns {
    None,
    /// None any more, but one was at work a moment ago.
    JustEnded,
    One(RunId),
    Several,
}

/// Whether version control wrote what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FromVcs {
    #[default]
    No,
    /// Under its lock, and it keeps such content; but a program that used it to change the file would leave the same.
    Perhaps,
    /// Under its lock, and it is what the commit, the merge or the stash that it went to holds for this file.
    Yes,
}

/// What was seen of one change.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The hash of the text or bytes that are there now; `None` where nothing is, or a link.
    pub hash: Option<ContentHash>,
    /// How a text would be written in its place.
    pub written_as: WrittenAs,
    pub from_vcs: FromVcs,
    /// The file was just this before.
    pub was_before: bool,
    /// It was found afterwards: nobody was watching when it happened.
    pub unwatched: bool,
    /// An editor has the file open with text that is not saved.
    pub unsaved: bool,
    /// What is there was there before these, newest last.
    pub claims: &'a [Claim],
    pub runs: ActiveRuns,
    pub now: Wall,
}

/// An author for what was seen, or for a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub author: Author,
    pub evidence: Evidence,
    /// The claim that it rests on.
    pub claim: Option<u64>,
    /// Where an editor's save and somebody else's write fell into one look: the saved text in between.
    pub saved_before: Option<Box<SavedBefore>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedBefore {
    pub text: Vec<u8>,
    pub author: Author,
    pub evidence: Evidence,
    pub claim: u64,
}

/// Weighs the claims against what was seen, strongest evidence first.
#[must_use]
pub fn attribute(facts: &Facts<'_>) -> Finding {
    let fresh = |claim: &&Claim| facts.now.0.saturating_sub(claim.time.0) <= lasts(&claim.word);
    let claims = || facts.claims.iter().rev().filter(fresh);
    let found = |author, evidence, claim: Option<u64>| Finding { author, evidence, claim, saved_before: None };

    // Where what the editor saved is no longer there, somebody wrote after it: two steps, not one.
    let saved_before = || {
        let saved = claims().find_map(|claim| match &claim.word {
            Word::Saved { person, text, how } => Some((claim.number, person, text, *how)),
            Word::Writes { .. } => None,
        });
        let (claim, person, text, how) = saved.filter(|(_, _, text, _)| !facts.is(text))?;
        let (author, evidence) = saved_by(person, how, facts.runs);
        Some((claim, text, author, evidence))
    };
    let after_the_save = |finding: Finding| {
        let Some((claim, text, author, evidence)) = saved_before() else { return finding };
        match facts.written_as.write(text) {
            Some(text) => {
                let saved_before = Some(Box::new(SavedBefore { text, author, evidence, claim }));
                Finding { saved_before, ..finding }
            }
            // The two steps cannot be told apart, so nobody is known to have made both.
            None if finding.evidence.is_weak() => found(Author::Unknown, Evidence::Nothing, None),
            None => finding,
        }
    };

    for claim in claims() {
        if let Word::Writes { run, hash: Some(hash) } = &claim.word
            && Some(*hash) == facts.hash
        {
            return after_the_save(found(Author::Run(*run), Evidence::DeclaredContent, Some(claim.number)));
        }
    }
    for claim in claims() {
        if let Word::Saved { person, text, how } = &claim.word
            && facts.is(text)
        {
            let (author, evidence) = saved_by(person, *how, facts.runs);
            return found(author, evidence, Some(claim.number));
        }
    }
    let by_vcs = match facts.from_vcs {
        FromVcs::No => false,
        // With nobody at work, or where an earlier state comes back, there is nobody it could be hidden for.
        FromVcs::Perhaps => facts.runs == ActiveRuns::None || facts.was_before,
        FromVcs::Yes => true,
    };
    if by_vcs {
        return after_the_save(found(Author::Vcs, Evidence::VersionControl, None));
    }
    let mut finding = unclaimed(facts);
    for claim in claims() {
        if let Word::Writes { run, hash: None } = &claim.word {
            finding = found(Author::Run(*run), Evidence::DeclaredPath, Some(claim.number));
            break;
        }
    }
    after_the_save(finding)
}

impl Facts<'_> {
    /// What is there now is this text, as an editor writes it.
    fn is(&self, text: &[u8]) -> bool {
        self.hash.is_some_and(|hash| is_written(text, hash))
    }
}

/// Whether a content with this hash is what an editor writes for a text.
#[must_use]
pub fn is_written(text: &[u8], hash: ContentHash) -> bool {
    writings(text).any(|content| ContentHash::of(&content) == hash)
}

fn lasts(word: &Word) -> i64 {
    match word {
        Word::Writes { hash: None, .. } => PATH_CLAIM_MS,
        Word::Writes { hash: Some(_), .. } | Word::Saved { .. } => CLAIM_MS,
    }
}

/// A save by hand is the person's. What a program in the editor applied is the only active run's, or nobody's we know;
/// without a run it is the person's tool. What both have made is nobody's we know: no run's, so that rejecting a task never
/// takes a person's line.
fn saved_by(person: &str, how: SavedHow, runs: ActiveRuns) -> (Author, Evidence) {
    let person = Author::Person { name: person.to_owned() };
    match (how, runs) {
        (SavedHow::ByHand, _) => (person, Evidence::Saved),
        (SavedHow::Applied | SavedHow::Mixed, ActiveRuns::None) => (person, Evidence::Applied),
        (SavedHow::Applied, ActiveRuns::One(run)) => (Author::Run(run), Evidence::Applied),
        (SavedHow::Applied, ActiveRuns::Several | ActiveRuns::JustEnded)
        | (SavedHow::Mixed, ActiveRuns::One(_) | ActiveRuns::Several | ActiveRuns::JustEnded) => {
            (Author::Unknown, Evidence::Applied)
        }
    }
}

fn unclaimed(facts: &Facts<'_>) -> Finding {
    let (author, evidence) = match facts.runs {
        _ if facts.unwatched => (Author::Unknown, Evidence::Unwatched),
        // The person is at work on the very file: only a claim can say that it was not them.
        _ if facts.unsaved => (Author::Unknown, Evidence::Nothing),
        ActiveRuns::One(run) => (Author::Run(run), Evidence::Inferred),
        ActiveRuns::None | ActiveRuns::JustEnded | ActiveRuns::Several => (Author::Unknown, Evidence::Nothing),
    };
    Finding { author, evidence, claim: None, saved_before: None }
}

/// What a word given late changes: it speaks for a revision that was seen a moment ago on weak evidence.
#[must_use]
pub fn late_word(claim: &Claim, seen: ContentHash, evidence: Evidence, runs: ActiveRuns) -> Option<(Author, Evidence)> {
    if !evidence.is_weak() {
        return None;
    }
    match &claim.word {
        Word::Writes { run, hash: Some(hash) } if *hash == seen => Some((Author::Run(*run), Evidence::DeclaredContent)),
        Word::Saved { person, text, how } if is_written(text, seen) => Some(saved_by(person, *how, runs)),
        Word::Writes { .. } | Word::Saved { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TaskId;

    fn run(task: u64) -> RunId {
        RunId { task: TaskId::new(task).unwrap(), attempt: 1 }
    }

    /// Reads a case: what is there (`x`, in each case the text), then words: `a1 writes x`, `a1 writes the file`,
    /// `ada saves y`, `a program saves y`, `(old)` in front for a claim past its time, and facts: `vcs`, `unwatched`,
    /// `unsaved`, `run a1`, `ended` for a run that has just ended, `perhaps vcs`, `as before`, `foreign` for content that is no UTF-8.
    fn check(case: &str, expected: &str) {
        let mut claims = Vec::new();
        let (mut from_vcs, mut was_before, mut unwatched, mut unsaved) = (FromVcs::No, false, false, false);
        let (mut ended, mut written_as) = (false, WrittenAs::Plain);
        let mut runs = Vec::new();
        let mut words = case.split(", ");
        let content = words.next().unwrap();
        for word in words {
            let (word, time) = match word.strip_prefix("(old) ") {
                Some(word) => (word, Wall(0)),
                None => (word, Wall(1_000_000)),
            };
            let word = match word.split(' ').collect::<Vec<_>>()[..] {
                ["vcs"] => {
                    from_vcs = FromVcs::Yes;
                    continue;
                }
                ["perhaps", "vcs"] => {
                    from_vcs = FromVcs::Perhaps;
                    continue;
                }
                ["as", "before"] => {
                    was_before = true;
                    continue;
                }
                ["unwatched"] => {
                    unwatched = true;
                    continue;
                }
                ["unsaved"] => {
                    unsaved = true;
                    continue;
                }
                ["ended"] => {
                    ended = true;
                    continue;
                }
                ["foreign"] => {
                    written_as = WrittenAs::Otherwise;
                    continue;
                }
                ["run", id] => {
                    runs.push(run(id[1..].parse().unwrap()));
                    continue;
                }
                [id, "writes", "the", "file"] => Word::Writes { run: run(id[1..].parse().unwrap()), hash: None },
                [id, "writes", text] => {
                    Word::Writes { run: run(id[1..].parse().unwrap()), hash: Some(ContentHash::of(text.as_bytes())) }
                }
                ["a", "program", "saves", text] => {
                    Word::Saved { person: "ada".into(), text: text.into(), how: SavedHow::Applied }
                }
                ["both", "save", text] => Word::Saved { person: "ada".into(), text: text.into(), how: SavedHow::Mixed },
                [name, "saves", text] => Word::Saved { person: name.into(), text: text.into(), how: SavedHow::ByHand },
                _ => panic!("{word}"),
            };
            let number = claims.len() as u64 + 1;
            claims.push(Claim { number, path: FilePath::from_text("f").unwrap(), time, word });
        }
        let runs = match runs[..] {
            [] if ended => ActiveRuns::JustEnded,
            [] => ActiveRuns::None,
            [one] => ActiveRuns::One(one),
            _ => ActiveRuns::Several,
        };
        let hash = (content != "-").then(|| ContentHash::of(content.as_bytes()));
        let now = Wall(1_000_500);
        let found = attribute(&Facts {
            hash,
            written_as,
            from_vcs,
            was_before,
            unwatched,
            unsaved,
            claims: &claims,
            runs,
            now,
        });
        let show = |author: &Author, evidence: Evidence| match author {
            Author::Person { name } => format!("{name} {}", evidence.name()),
            Author::Run(run) => format!("{run} {}", evidence.name()),
            Author::Vcs => format!("vcs {}", evidence.name()),
            Author::Unknown => format!("unknown {}", evidence.name()),
        };
        let mut text = String::new();
        if let Some(before) = &found.saved_before {
            let saved = String::from_utf8(before.text.clone()).unwrap();
            text = format!("{saved}: {}; then ", show(&before.author, before.evidence));
        }
        text += &show(&found.author, found.evidence);
        assert_eq!(text, expected, "{case}");
    }

    #[test]
    fn the_table_of_cases() {
        // Declared by the run, with the content or only the path.
        check("x, a1 writes x, run a1", "a1.1 declared-content");
        check("x, a1 writes x, run a1, run a2", "a1.1 declared-content");
        check("x, a2 writes the file, run a1, run a2", "a2.1 declared-path");
        check("x, a1 writes y, run a1, run a2", "unknown nothing");
        check("x, a1 writes y, run a1", "a1.1 inferred");
        check("x, a1 writes x, a2 writes the file, run a1, run a2", "a1.1 declared-content");
        // The editor: equal content is the person's, whatever else is going on.
        check("x, ada saves x, run a1", "ada saved");
        check("x, ada saves x", "ada saved");
        check("x, ada saves x, a1 writes the file, run a1", "ada saved");
        check("x, ada saves x, a1 writes x, run a1", "a1.1 declared-content");
        check("x, ada saves x, unsaved, run a1", "ada saved");
        check("x, ada saves x, unwatched", "ada saved");
        check("x, a program saves x, run a1", "a1.1 applied");
        check("x, a program saves x, run a1, run a2", "unknown applied");
        check("x, a program saves x", "ada applied");
        check("x, both save x", "ada applied");
        check("x, both save x, run a1", "unknown applied");
        // A save and a write in one look are two steps.
        check("x, ada saves y, run a1", "y: ada saved; then a1.1 inferred");
        check("x, ada saves y, a1 writes the file, run a1, run a2", "y: ada saved; then a1.1 declared-path");
        check("x, ada saves y, run a1, run a2", "y: ada saved; then unknown nothing");
        check("-, ada saves y, run a1", "y: ada saved; then a1.1 inferred");
        check("x, ada saves y, a1 writes x, run a1", "y: ada saved; then a1.1 declared-content");
        check("x, a1 writes x, ada saves y, run a1", "y: ada saved; then a1.1 declared-content");
        // A save in another encoding is recognised; where we cannot write it, two steps cannot be told apart.
        check("\u{feff}x, ada saves x, run a1", "ada saved");
        check("x, foreign, ada saves y, run a1", "y: ada saved; then a1.1 inferred");
        check("x, foreign, ada saves 日, run a1", "unknown nothing");
        check("x, foreign, ada saves 日, a1 writes x, run a1", "a1.1 declared-content");
        check("x, foreign, run a1", "a1.1 inferred");
        // Version control: told by the host only when both lock and content agree.
        check("x, vcs, run a1", "vcs version-control");
        check("x, vcs, a1 writes the file, run a1", "vcs version-control");
        check("x, vcs, a1 writes x, run a1", "a1.1 declared-content");
        check("-, vcs, run a1, run a2", "vcs version-control");
        check("x, vcs, ada saves y", "y: ada saved; then vcs version-control");
        check("x, vcs, unwatched", "vcs version-control");
        check("x, perhaps vcs", "vcs version-control");
        check("x, perhaps vcs, run a1", "a1.1 inferred");
        check("x, perhaps vcs, run a1, run a2", "unknown nothing");
        check("x, perhaps vcs, ended", "unknown nothing");
        check("x, perhaps vcs, as before, run a1", "vcs version-control");
        check("x, as before, run a1", "a1.1 inferred");
        // Nobody spoke up.
        check("x, run a1", "a1.1 inferred");
        check("x", "unknown nothing");
        check("x, run a1, run a2", "unknown nothing");
        check("x, unwatched, run a1", "unknown unwatched");
        check("x, unsaved, run a1", "unknown nothing");
        check("-, run a1", "a1.1 inferred");
        // Right after its end a run may have left something at work, but nobody can say so.
        check("x, ended", "unknown nothing");
        check("x, ended, ada saves x", "ada saved");
        check("x, ended, a program saves x", "unknown applied");
        // Words do not last.
        check("x, (old) a1 writes x, run a1, run a2", "unknown nothing");
        check("x, (old) ada saves x, run a1", "a1.1 inferred");
        check("x, (old) a2 writes the file, run a1, run a2", "unknown nothing");
    }

    #[test]
    fn a_late_word_speaks_only_for_what_rests_on_weak_evidence() {
        let claim = |word| Claim { number: 1, path: FilePath::from_text("f").unwrap(), time: Wall(0), word };
        let saved = claim(Word::Saved { person: "ada".into(), text: b"x".to_vec(), how: SavedHow::ByHand });
        let x = ContentHash::of(b"x");
        let ada = Some((Author::Person { name: "ada".into() }, Evidence::Saved));
        assert_eq!(late_word(&saved, x, Evidence::Inferred, ActiveRuns::One(run(1))), ada);
        assert_eq!(late_word(&saved, x, Evidence::DeclaredContent, ActiveRuns::One(run(1))), None);
        assert_eq!(late_word(&saved, ContentHash::of(b"y"), Evidence::Nothing, ActiveRuns::None), None);
        let path_only = claim(Word::Writes { run: run(1), hash: None });
        assert_eq!(late_word(&path_only, x, Evidence::Nothing, ActiveRuns::Several), None);
    }
}
