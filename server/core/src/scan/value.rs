//! Whether a text looks made by a machine or chosen as a password, and whether it only stands for one. Nothing here is told
//! to anybody: the text goes in, a yes or no comes out.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::line::{holds, words};

/// The longest value that is judged; nobody writes longer secrets into a line.
pub(super) const MAX_VALUE: usize = 512;

/// Words that say "put yours here", or that the value is invented.
const STAND_INS: &str = "example sample placeholder change your dummy fake mock foobar redacted xxxx **** .... todo insert replace \
    undefined default notreal not-real not_a_real 12345678 87654321 abcdefgh abcd1234 qwerty lorem deadbeef \
    cafebabe 0000000 aaaaaaa secret password passwd my- my_ some test asdf hidden removed masked snip do-not \
    donot invalid goes-here goes_here fixme dev-only";

const TOKEN_STAND_INS: &str = "example placeholder xxxx 12345678 abcdefgh abcd1234 0000000 your deadbeef redacted changeme qwerty dummy \
    a1b2c3d4";

/// What else a connection string has.
const CONNECTION_PARTS: &str =
    "server= source= userid= uid= jdbc: host= catalog= database= username= dbname= addr= endpoint=";

/// What begins or marks a value that is looked up somewhere else.
const LOOK_UPS: &str = "${ {{ }} <% %( $( #{ @{ %{ env. environ getenv env( env[";

const LOOK_UP_BEGINNINGS: &str = "$ { < enc[ enc( vault: arn: ref+ ref: secret: ssm: op:// env: file: process. os. system. config. \
    settings. self. this. var. local. data. module.";

/// Words that are found in one pass, whatever their number and case.
static STANDS_IN: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(STAND_INS));
static STANDS_IN_FOR_TOKEN: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(TOKEN_STAND_INS));
static LOOKS_UP: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(LOOK_UPS));
static CONNECTS: LazyLock<AhoCorasick> = LazyLock::new(|| automaton(CONNECTION_PARTS));

fn automaton(list: &'static str) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(words(list))
        .expect("a few short words are far below the automaton's limits")
}

/// Whether the text only stands for a value: a word for it, a look-up, a template, a run of one character.
pub(super) fn stands_in(text: &[u8]) -> bool {
    text.is_empty() || is_template(text) || names_a_stand_in(text) || distinct(text) < 5
}

/// Whether one of the words that are put in place of a value is in it.
pub(super) fn names_a_stand_in(text: &[u8]) -> bool {
    STANDS_IN.is_match(text)
}

/// The same for what a service's own prefix begins: a few short words may stand in a random text by chance.
pub(super) fn stands_in_for_token(body: &[u8]) -> bool {
    STANDS_IN_FOR_TOKEN.is_match(body) || entropy(body) < least_entropy(body.len())
}

/// Whether what stands around a password is a connection string.
pub(super) fn is_connection(text: &[u8]) -> bool {
    CONNECTS.is_match(text)
}

/// A template or a look-up in place of a value.
pub(super) fn is_template(text: &[u8]) -> bool {
    let begins = |word: &[u8]| text.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
    LOOKS_UP.is_match(text)
        || words(LOOK_UP_BEGINNINGS).any(begins)
        || is_marked_name(text)
        || text.windows(2).any(|pair| matches!(pair, b"%s" | b"%d" | b"{}" | b"%v"))
        || text.windows(2).enumerate().any(|(at, pair)| pair[0] == b'{' && is_field(&text[at + 1..]))
        || (text.len() > 2 && text[0] == b'%' && text[text.len() - 1] == b'%')
}

/// `@name`, `!tag`, `*alias`, `#id`, `.class`: a sign, and then nothing but a name.
fn is_marked_name(text: &[u8]) -> bool {
    let [b'@' | b'!' | b'*' | b'&' | b'#' | b'.', name @ ..] = text else { return false };
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'/'))
}

/// `name}`: the inside of a field of a formatted text.
fn is_field(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'))
        .count();
    rest.get(name) == Some(&b'}')
}

/// Bits a byte, by how often each byte occurs.
pub(super) fn entropy(text: &[u8]) -> f32 {
    if text.is_empty() {
        return 0.0;
    }
    let mut counts = [0_u16; 256];
    for byte in text.iter().take(MAX_VALUE) {
        counts[usize::from(*byte)] += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "the length is at most MAX_VALUE")]
    let length = text.len().min(MAX_VALUE) as f32;
    let bits = |count: u16| {
        let share = f32::from(count) / length;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(|count| bits(*count)).sum()
}

/// Random text of that length has more, of any alphabet from hexadecimal on.
fn least_entropy(length: usize) -> f32 {
    match length {
        0..=11 => 2.0,
        12..=19 => 2.5,
        _ => 2.9,
    }
}

fn distinct(text: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in text {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|seen| **seen).count()
}

#[derive(Default)]
struct Makeup {
    lower: usize,
    upper: usize,
    digits: usize,
    symbols: usize,
    /// How often the kind of character changes from one to the next. Words change seldom, random text all the time.
    changes: usize,
}

fn makeup(text: &[u8]) -> Makeup {
    let mut made = Makeup::default();
    let mut last = None;
    for byte in text {
        let kind = match byte {
            b'a'..=b'z' => {
                made.lower += 1;
                0
            }
            b'A'..=b'Z' => {
                made.upper += 1;
                1
            }
            b'0'..=b'9' => {
                made.digits += 1;
                2
            }
            _ => {
                made.symbols += 1;
                3
            }
        };
        if last.is_some_and(|last| last != kind) {
            made.changes += 1;
        }
        last = Some(kind);
    }
    made
}

/// Whether it looks made by a machine to be secret: long, of many characters, and without the shape of words, paths or addresses.
pub(super) fn is_random(text: &[u8]) -> bool {
    if text.len() < 16 || text.len() > MAX_VALUE || !text.iter().all(u8::is_ascii_graphic) {
        return false;
    }
    let made = makeup(text);
    let letters = made.lower + made.upper;
    if letters == 0 || made.digits == 0 && (made.upper == 0 || made.lower == 0) || is_place_or_code(text) {
        return false;
    }
    // `acquireTokenSilently` is a name.
    if letters == text.len() && is_pronounceable(text) {
        return false;
    }
    let changes = made.changes * 100 / text.len();
    let floor = if made.digits == 0 { 30 } else { 18 };
    changes >= floor && entropy(text) >= 3.0 && !is_words(text)
}

/// Whether it looks like a password that somebody chose: no word, no phrase, no address, no pattern.
pub(super) fn is_chosen_password(text: &[u8]) -> bool {
    if text.len() < 6 || text.len() > 128 || !text.iter().all(u8::is_ascii_graphic) || is_place_or_code(text) {
        return false;
    }
    let made = makeup(text);
    let letters = made.lower + made.upper;
    let odd = text
        .iter()
        .filter(|byte| matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'?' | b'~'))
        .count();
    let mixed = letters > 0 && (made.digits > 0 || odd > 0);
    mixed && !words(ALGORITHMS).any(|name| text.eq_ignore_ascii_case(name)) && !is_words(text)
}

const ALGORITHMS: &str = "sha256 sha512 sha-256 sha-512 base64 oauth2 pbkdf2 bcrypt argon2 argon2id aes256 aes-256 ed25519 rsa2048 \
    scram-sha-256 utf8mb4 iso-8859-1 x509v3";

/// An address, a path, a call, a selector or a pattern rather than a value.
fn is_place_or_code(text: &[u8]) -> bool {
    let slashes = text.iter().filter(|byte| **byte == b'/').count();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_');
    let path = slashes >= 2 && text.len() < 40 && text.iter().all(plain);
    let pattern = |pair: &[u8]| matches!(pair, b"(?" | b".*" | b"::" | b"->" | b"=>" | b"\\d" | b"\\w" | b"\\s");
    matches!(text[0], b'/' | b'^' | b'[' | b'~')
        || path
        || is_call(text)
        || text.windows(2).any(pattern)
        || [&b"://"[..], b"[a-z", b"[0-9"].iter().any(|part| holds(text, part))
}

/// `name(…)`.
fn is_call(text: &[u8]) -> bool {
    let name =
        text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':')).count();
    name > 0 && text.get(name) == Some(&b'(') && text.ends_with(b")")
}

/// Words with `-`, `_`, `.`, `:` or nothing between, perhaps with a number: `my-app_v2`, `user.profile.name`, `Sha256Digest`.
fn is_words(text: &[u8]) -> bool {
    let mut words = 0_usize;
    let mut in_words = 0_usize;
    for part in text.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b':' | b'/' | b'@')) {
        let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = part[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let whole =
            letters + digits == part.len() && digits <= 4 && (letters == 0 || is_pronounceable(&part[..letters]));
        if whole {
            words += 1;
            in_words += part.len();
        }
    }
    words >= 2 && in_words * 100 / text.len() >= 60
}

/// Letters as words have them: of one case, or humps of some length, with a vowel now and then.
fn is_pronounceable(letters: &[u8]) -> bool {
    let humps = letters.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    let vowels = letters
        .iter()
        .filter(|byte| matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
        .count();
    humps * 4 <= letters.len() && (letters.len() < 4 || vowels * 6 >= letters.len())
}

/// 8-4-4-4-12 hexadecimal digits.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
