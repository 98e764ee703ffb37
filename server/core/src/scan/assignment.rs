//! Values that are told by the name they are given: `db_password = "…"`, `"apiKey": "…"`, `--token …`. A name alone proves
//! nothing, so the value must look random (or, for passwords, chosen), and not stand for one that is looked up elsewhere.

use super::line::{Line, holds, is_name, words};
use super::rules;
use super::value::{self, MAX_VALUE};
use super::{Place, Spot};

/// A name that is longer is no name.
const MAX_NAME: usize = 64;

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Password,
    Secret,
    AwsSecret,
}

/// The words that make somebody look at a name. `key` and `pass` are parts of many others; the whole name decides.
pub(super) const BEGINNINGS: &str = "pass Pass PASS pwd Pwd PWD secret Secret SECRET token Token TOKEN key Key KEY \
    credential Credential CREDENTIAL kennwort Kennwort psk PSK";

const PASSWORDS: &str =
    "password passwd pwd pass passphrase passcode passwort kennwort userpass dbpass dbpassword userpassword";
const SECRETS: &str = "secret secrets token apikey apisecret apitoken credential credentials psk authtoken accesstoken accesskey \
    secretkey privatekey clientsecret refreshtoken bearertoken signingkey encryptionkey masterkey secretaccesskey";
/// What makes a key a secret one.
const KEYS: &str = "api access private secret signing signature encryption encrypt auth account master shared storage app application \
    client subscription admin root deploy jwt hmac aes crypto cookie session webhook rest license service sas fernet hash";
/// What makes a token none that is secret.
const OPEN_TOKENS: &str = "page next cancellation cancel continuation pagination syntax lexer parse design mask pad unk eos bos sep cls public \
    idempotency csrf xsrf change sync resume start end last first current prev previous special stop";
/// Words behind the telling one that do not change what it is.
const NEUTRAL: &str = "value val str string text plain raw literal base prod production live dev staging default";

/// A value that is given to the name in which a telling word stands there.
pub(super) fn find(line: Line<'_>, at: usize, length: usize, place: Place) -> Option<Spot> {
    if matches!(place, Place::Lock | Place::Made) {
        return None;
    }
    let start = line.run_back(at, MAX_NAME, is_name);
    let end = line.run(at + length, MAX_NAME, is_name);
    // Of several telling words in a name the last one is enough.
    if has_another(line.part(at + length, end)) {
        return None;
    }
    let says = meaning(line.part(start, end))?;
    let (from, to) = value_behind(line, start, end, place)?;
    let text = line.part(from, to);
    line.count(text.len());
    let rule = match says {
        Says::Password => (!value::stands_in(text) && (value::is_chosen_password(text) || value::is_random(text)))
            .then_some(&rules::HARDCODED_PASSWORD),
        Says::Secret => is_secret(text).then_some(&rules::HARDCODED_SECRET),
        Says::AwsSecret if is_aws_secret(text) => Some(&rules::AWS_SECRET_KEY),
        Says::AwsSecret => is_secret(text).then_some(&rules::HARDCODED_SECRET),
    }?;
    Some(Spot::new(rule, from, to))
}

fn is_secret(text: &[u8]) -> bool {
    !value::stands_in(text) && (value::is_random(text) || value::is_uuid(text))
}

fn is_aws_secret(text: &[u8]) -> bool {
    let alphabet = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len() == 40
        && text.iter().all(alphabet)
        && !value::stands_in_for_token(text)
        && text.iter().any(u8::is_ascii_uppercase)
}

fn has_another(rest: &[u8]) -> bool {
    words(BEGINNINGS).any(|word| word[0].is_ascii_lowercase() && holds(rest, word))
}

/// What a name says, by its last words: `token_url` names an address, `url_token` a token.
fn meaning(name: &[u8]) -> Option<Says> {
    let mut parts = parts(name);
    while let Some(last) = parts.last() {
        if last.iter().all(u8::is_ascii_digit) || words(NEUTRAL).any(|word| word == last) {
            parts.pop();
        } else {
            break;
        }
    }
    let last = parts.pop()?;
    let is = |list: &'static str, part: &[u8]| words(list).any(|word| word == part);
    let before = parts.last().map_or(&b""[..], Vec::as_slice);
    if is(PASSWORDS, &last) {
        return Some(Says::Password);
    }
    let aws = holds(name, b"aws")
        || holds(name, b"secretaccess")
        || holds(name, b"secret_access")
        || holds(name, b"secret-access");
    if last == b"key" && is(KEYS, before) || is(SECRETS, &last) && !(last == b"token" && is(OPEN_TOKENS, before)) {
        return Some(if aws { Says::AwsSecret } else { Says::Secret });
    }
    None
}

/// The words of a name in lower case: between `_` and `-`, and humps.
fn parts(name: &[u8]) -> Vec<Vec<u8>> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut part: Vec<u8> = Vec::new();
    for (at, byte) in name.iter().enumerate() {
        let next = name.get(at + 1).copied().unwrap_or(0);
        let before = if at == 0 { 0 } else { name[at - 1] };
        // `apiKey` and `APIKey` both have a hump at the K.
        let hump = byte.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && next.is_ascii_lowercase()));
        let number = byte.is_ascii_digit() != before.is_ascii_digit();
        if (hump || number || !byte.is_ascii_alphanumeric()) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if byte.is_ascii_alphanumeric() {
            part.push(byte.to_ascii_lowercase());
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// Where the value begins and ends that stands behind a name, if one does.
fn value_behind(line: Line<'_>, start: usize, end: usize, place: Place) -> Option<(usize, usize)> {
    let mut at = end;
    let element = line.before(start) == b'<' && line.at(at) == b'>';
    if element {
        let to = line.run(at + 1, MAX_VALUE, |byte| !matches!(byte, b'<' | b' '));
        return (line.at(to) == b'<').then_some((at + 1, to));
    }
    // The end of the name's own quotes or brackets.
    at = line.run(at, 3, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b')' | b'?'));
    let blanks = at;
    at = line.after_blanks(at);
    let option = line.before(start) == b'-' || holds(line.part(start, end), b"--") || line.has(start, b"--");
    match line.at(at) {
        b':' if line.at(at + 1) == b':' => None,
        b':' if line.at(at + 1) == b'=' => value_at(line, at + 2, place),
        b':' => value_at(line, at + 1, place).or_else(|| typed(line, at + 1)),
        b'=' => {
            let to = line.run(at, 3, |byte| matches!(byte, b'=' | b'>' | b'~'));
            value_at(line, to, place)
        }
        b'!' | b'?' | b'+' | b'|' if line.at(at + 1) == b'=' || line.at(at + 2) == b'=' => {
            let to = line.run(at, 4, |byte| matches!(byte, b'!' | b'?' | b'+' | b'|' | b'='));
            quoted(line, line.after_blanks(to))
        }
        // `.pass(…)` and `passValue(…)` hand something on.
        b'(' if is_verb(line.part(start, end)) => None,
        b',' | b'(' => quoted(line, line.after_blanks(at + 1)),
        _ if option && at > blanks => value_at(line, at, Place::Configuration),
        _ => None,
    }
}

fn is_verb(name: &[u8]) -> bool {
    let passes = name.get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"pass"));
    passes && !matches!(name.get(4), Some(b'w' | b'W' | b'p' | b'P' | b'c' | b'C'))
}

/// `: &str = "…"`: the value behind a type.
fn typed(line: Line<'_>, from: usize) -> Option<(usize, usize)> {
    let is_type = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b'&' | b'\'' | b'<' | b'>' | b'_' | b'.' | b'?' | b'|' | b'[' | b']' | b':')
    };
    let to = line.run(from, 48, is_type);
    (line.at(to) == b'=').then(|| quoted(line, line.after_blanks(to + 1))).flatten()
}

fn value_at(line: Line<'_>, from: usize, place: Place) -> Option<(usize, usize)> {
    let at = line.after_blanks(from);
    quoted(line, at).or_else(|| bare(line, at, place))
}

/// A text in quotes, perhaps with a letter before them (`b"…"`, `@"…"`).
fn quoted(line: Line<'_>, at: usize) -> Option<(usize, usize)> {
    let at = match line.at(at) {
        b'b' | b'r' | b'u' | b'f' | b'L' | b'@' | b'$' | b'&' | b'('
            if matches!(line.at(at + 1), b'"' | b'\'' | b'`') =>
        {
            at + 1
        }
        b'\\' if matches!(line.at(at + 1), b'"' | b'\'') => at + 1,
        _ => at,
    };
    let class = match line.at(at) {
        b'"' => |byte: u8| byte != b'"',
        b'\'' => |byte: u8| byte != b'\'',
        b'`' => |byte: u8| byte != b'`',
        _ => return None,
    };
    let to = line.run(at + 1, MAX_VALUE + 1, class);
    let end = if line.before(to) == b'\\' { to - 1 } else { to };
    (to < line.bytes.len() && to - at <= MAX_VALUE && end > at + 1).then_some((at + 1, end))
}

/// A value without quotes, to the end of the line or a comment, where the language has such.
fn bare(line: Line<'_>, at: usize, place: Place) -> Option<(usize, usize)> {
    if place != Place::Configuration {
        return None;
    }
    let to = line.run(at, MAX_VALUE + 1, |byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'\\')
    });
    let rest = line.after_blanks(to);
    let ends = rest >= line.bytes.len()
        || matches!(line.at(rest), b'#' | b';' | b',' | b'\\' | b'-' | b'"' | b'\'')
        || to < rest && line.at(to) == b' ';
    let call = line.part(at, to).iter().any(|byte| matches!(byte, b'(' | b')' | b'{' | b'}'));
    (to > at && to - at <= MAX_VALUE && ends && !call).then_some((at, to))
}
