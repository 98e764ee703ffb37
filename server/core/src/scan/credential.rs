//! Credentials that have a form but no prefix of their own at the beginning: keys between armour lines, tokens told by what
//! stands in their middle, passwords in addresses and connection strings, headers.

use super::line::{Line, holds, is_alnum, is_base64, is_hex, is_lower_hex, is_name, is_word, words};
use super::rules;
use super::value::{self, MAX_VALUE};
use super::{Place, Spot};

/// How many lines of a key may stand above a changed one.
const MAX_KEY_LINES: usize = 120;

/// What follows `-----BEGIN `: a private key, if it has a body. A program that only knows the words has none.
pub(super) fn private_key(line: Line<'_>, at: usize, following: &[&[u8]]) -> Option<Spot> {
    let from = at + b"-----BEGIN ".len();
    let end = header_end(line, from)?;
    line.count(MAX_VALUE);
    let here = line.part(end, end + 400);
    let below = following
        .iter()
        .take(6)
        .take_while(|below| !holds_end(below))
        .any(|below| has_key_body(&below[..below.len().min(100)]));
    (has_key_body(here) || below).then(|| Spot::beginning_with(&rules::PRIVATE_KEY, at, end, "-----BEGIN"))
}

/// Where the words `… PRIVATE KEY …-----` end.
fn header_end(line: Line<'_>, from: usize) -> Option<usize> {
    let to = line.run(from, 48, |byte| byte.is_ascii_uppercase() || byte == b' ' || byte.is_ascii_digit());
    let private = line.part(from, to).windows(11).any(|part| part == b"PRIVATE KEY");
    (private && line.has(to, b"-----")).then_some(to + 5)
}

fn holds_end(line: &[u8]) -> bool {
    line[..line.len().min(100)].windows(8).any(|part| part == b"-----END")
}

/// A long run of base 64 that no word is.
fn has_key_body(text: &[u8]) -> bool {
    text.split(|byte| !is_base64(*byte)).any(|run| {
        run.len() >= 32
            && run.iter().any(u8::is_ascii_uppercase)
            && run.iter().any(u8::is_ascii_lowercase)
            && run.iter().any(u8::is_ascii_digit)
            && !value::stands_in_for_token(&run[..run.len().min(MAX_VALUE)])
    })
}

/// A changed line in the middle of a private key whose first line was there before.
pub(super) fn changed_key(lines: &[&[u8]], at: usize) -> Option<Spot> {
    let own = lines.get(at)?;
    if !is_key_line(own) || !has_key_body(own) {
        return None;
    }
    for above in lines[..at].iter().rev().take(MAX_KEY_LINES) {
        let trimmed = above.trim_ascii();
        if trimmed.starts_with(b"-----BEGIN ") && trimmed.windows(11).any(|part| part == b"PRIVATE KEY") {
            return Some(Spot::new(&rules::PRIVATE_KEY, 0, own.len()));
        }
        if !is_key_line(above) {
            return None;
        }
    }
    None
}

/// Base 64, an empty line, or a header such as `DEK-Info: …`.
fn is_key_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() <= 100 && (line.iter().all(|byte| is_base64(*byte)) || line.windows(2).any(|pair| pair == b": "))
}

/// `Private-Lines: 14`: the private half of a `PuTTY` key.
pub(super) fn putty_key(line: Line<'_>, at: usize) -> Option<Spot> {
    let to = at + b"Private-Lines: ".len();
    let end = line.run(to, 4, |byte| byte.is_ascii_digit());
    (end > to && at == 0).then(|| Spot::new(&rules::PRIVATE_KEY, at, end))
}

/// `eyJ`: three parts of base 64, of which the first names an algorithm.
pub(super) fn json_web_token(line: Line<'_>, at: usize) -> Option<Spot> {
    if !line.begins_word(at) {
        return None;
    }
    let head = line.run(at, 1_024, is_name);
    if line.at(head) != b'.' || !line.has(head + 1, b"eyJ") {
        return None;
    }
    let claims = line.run(head + 1, 4_096, is_name);
    if line.at(claims) != b'.' {
        return None;
    }
    let end = line.run(claims + 1, 1_024, is_name);
    if end - claims < 21 || !holds(&decoded(line.part(at, head)), b"\"alg\"") {
        return None;
    }
    // The token that everybody shows: its subject is 1234567890.
    let said = decoded(&line.part(head + 1, claims)[..(claims - head - 1).min(MAX_VALUE)]);
    line.count(head - at + said.len());
    let shown = holds(&said, b"\"1234567890\"")
        || value::stands_in_for_token(&line.part(claims + 1, end)[..(end - claims - 1).min(MAX_VALUE)]);
    (!shown).then(|| Spot::new(&rules::JWT, at, end))
}

/// Base 64 in either alphabet, as far as it goes.
fn decoded(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = (bits << 6 | u32::from(digit)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count).to_le_bytes()[0]);
        }
    }
    out
}

/// `://`: an address with a user and a password before its host.
pub(super) fn address(line: Line<'_>, at: usize) -> Option<Spot> {
    let scheme = line.run_back(at, 24, |byte| is_alnum(byte) || matches!(byte, b'+' | b'-' | b'.'));
    let from = at + 3;
    let is_user = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'/' | b'"'
                    | b'\''
                    | b'`'
                    | b'<'
                    | b'>'
                    | b':'
                    | b'@'
                    | b','
                    | b'('
                    | b')'
                    | b'\\'
                    | b'?'
                    | b'#'
                    | b'['
            )
    };
    let user = line.run(from, 128, is_user);
    if scheme == at || line.at(user) != b':' {
        return None;
    }
    let is_secret = |byte: u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'@' | b'\\' | b' ')
    };
    let end = line.run(user + 1, 256, is_secret);
    let (name, secret) = (line.part(from, user), line.part(user + 1, end));
    if line.at(end) != b'@' || !is_alnum(line.at(end + 1)) || secret.len() < 3 {
        return None;
    }
    let host_end = line.run(end + 1, 128, |byte| is_name(byte) || byte == b'.');
    line.count(secret.len());
    (!is_shown(name, secret, line.part(end + 1, host_end))).then(|| Spot::new(&rules::CONNECTION_STRING, user + 1, end))
}

/// Passwords that stand in instructions: a word for it, or the name again on the own machine.
fn is_shown(name: &[u8], secret: &[u8], host: &[u8]) -> bool {
    const WORDS: &str = "pass pwd pw passwd password secret token user username key hunter2 guest root admin test foo bar baz abc xyz 123 1234 12345 123456";
    let local = matches!(
        host,
        b"localhost"
            | b"127.0.0.1"
            | b"db"
            | b"host"
            | b"hostname"
            | b"server"
            | b"postgres"
            | b"redis"
            | b"mysql"
            | b"mongo"
    );
    let example = words("example.com example.org example.net example.test").any(|end| host.ends_with(end));
    let only_word = words(WORDS).any(|word| secret.eq_ignore_ascii_case(word));
    value::is_template(secret)
        || value::is_template(name)
        || only_word
        || example
        || value::names_a_stand_in(secret)
        || (local && (name.eq_ignore_ascii_case(secret) || secret.len() < 6))
}

/// `Password=` among the parts of a connection string: `Server=…;User Id=…;Password=…;` or `jdbc:…?user=…&password=…`.
pub(super) fn connection_part(line: Line<'_>, at: usize, length: usize) -> Option<Spot> {
    let from = at + length;
    let end = line.run(from, 129, |byte| {
        byte.is_ascii_graphic() && !matches!(byte, b';' | b'"' | b'\'' | b'&' | b'<' | b'`' | b',')
    });
    let secret = line.part(from, end);
    if secret.len() < 4 || secret.len() > 128 || value::stands_in(secret) {
        return None;
    }
    let around = line.part(at.saturating_sub(240), (end + 160).min(line.bytes.len()));
    line.count(around.len());
    value::is_connection(around).then(|| Spot::new(&rules::CONNECTION_STRING, from, end))
}

/// `Bearer …` and `Basic …` with a value that is no word.
pub(super) fn header(line: Line<'_>, at: usize, length: usize) -> Option<Spot> {
    let from = at + length;
    let end = line.run(from, MAX_VALUE + 1, |byte| is_base64(byte) || matches!(byte, b'-' | b'_' | b'.' | b'~'));
    let text = line.part(from, end);
    if text.len() < 12 || text.len() > MAX_VALUE || !line.begins_word(at) || value::stands_in(text) {
        return None;
    }
    line.count(text.len());
    let fits = if line.has(at, b"Basic") || line.has(at, b"basic") {
        is_basic(text)
    } else {
        text.len() >= 20 && value::is_random(text)
    };
    fits.then(|| Spot::new(&rules::AUTHORIZATION, from, end))
}

/// `user:password` in base 64.
fn is_basic(text: &[u8]) -> bool {
    let said = decoded(text);
    let Some(colon) = said.iter().position(|byte| *byte == b':') else { return false };
    let secret = &said[colon + 1..];
    colon > 0 && secret.len() >= 4 && said.iter().all(u8::is_ascii_graphic) && !value::names_a_stand_in(secret)
}

/// Tokens that are told by what stands in their middle.
pub(super) fn sendgrid(line: Line<'_>, at: usize) -> Option<Spot> {
    let first = line.run(at + 3, 23, is_name);
    let end = line.run(first + 1, 44, is_name);
    let fits = line.begins_word(at)
        && first == at + 25
        && line.at(first) == b'.'
        && end == first + 44
        && !is_word(line.at(end));
    (fits && is_token(line, at + 3, end)).then(|| Spot::beginning_with(&rules::SENDGRID_KEY, at, end, "SG."))
}

pub(super) fn telegram(line: Line<'_>, at: usize) -> Option<Spot> {
    let start = line.run_back(at, 11, |byte| byte.is_ascii_digit());
    let end = line.run(at + 1, 36, is_name);
    let bot = start >= 3 && line.has(start - 3, b"bot");
    let fits =
        matches!(at - start, 8..=10) && end == at + 36 && !is_word(line.at(end)) && (bot || line.begins_word(start));
    (fits && is_token(line, at + 1, end)).then(|| Spot::new(&rules::TELEGRAM_BOT_TOKEN, start, end))
}

pub(super) fn mailchimp(line: Line<'_>, at: usize) -> Option<Spot> {
    let start = line.run_back(at, 33, is_lower_hex);
    let end = line.run(at + 3, 3, |byte| byte.is_ascii_digit());
    let fits = at - start == 32 && matches!(end - at, 4 | 5) && line.begins_word(start) && !is_word(line.at(end));
    (fits && is_token(line, start, at)).then(|| Spot::new(&rules::MAILCHIMP_KEY, start, end))
}

pub(super) fn terraform(line: Line<'_>, at: usize) -> Option<Spot> {
    let start = line.run_back(at, 15, is_alnum);
    let from = at + b".atlasv1.".len();
    let end = line.run(from, 80, is_name);
    let fits = at - start == 14 && end - from >= 60 && line.begins_word(start);
    (fits && is_token(line, from, end)).then(|| Spot::new(&rules::TERRAFORM_TOKEN, start, end))
}

pub(super) fn firebase(line: Line<'_>, at: usize) -> Option<Spot> {
    let start = line.run_back(at, 12, is_name);
    let end = line.run(at + 1, 180, is_name);
    let fits = at - start >= 11 && end - at >= 120;
    (fits && is_token(line, at + 1, end)).then(|| Spot::new(&rules::FIREBASE_KEY, start, end))
}

pub(super) fn azure_client_secret(line: Line<'_>, at: usize) -> Option<Spot> {
    let is_part = |byte: u8| is_name(byte) || matches!(byte, b'.' | b'~');
    let start = line.run_back(at, 5, is_part);
    let end = line.run(at + 2, 35, is_part);
    let fits =
        at - start == 4 && line.before(at).is_ascii_digit() && matches!(end - at, 33..=36) && !is_word(line.at(end));
    (fits && is_token(line, at + 2, end)).then(|| Spot::new(&rules::AZURE_CLIENT_SECRET, start, end))
}

/// `"private_key_id": "…"`: 40 hexadecimal digits.
pub(super) fn google_service_account(line: Line<'_>, at: usize, length: usize) -> Option<Spot> {
    let from = line.run(at + length, 8, |byte| matches!(byte, b'"' | b'\'' | b':' | b'=' | b' ' | b'\\'));
    let end = line.run(from, 41, is_hex);
    (end - from == 40 && !is_alnum(line.at(end)) && is_token(line, from, end))
        .then(|| Spot::new(&rules::GOOGLE_SERVICE_ACCOUNT, from, end))
}

/// `_authToken=`: what npm is let in with, whatever its form.
pub(super) fn npm_login(line: Line<'_>, at: usize, length: usize, place: Place) -> Option<Spot> {
    let from = line.run(at + length, 4, |byte| matches!(byte, b'=' | b' ' | b'"' | b'\''));
    let end = line.run(from, 200, |byte| is_base64(byte) || matches!(byte, b'-' | b'_' | b'.'));
    let value = line.part(from, end);
    let fits = place == Place::Configuration && from > at + length && value.len() >= 20 && !value::stands_in(value);
    fits.then(|| Spot::new(&rules::NPM_TOKEN, from, end))
}

fn is_token(line: Line<'_>, from: usize, to: usize) -> bool {
    line.count(to - from);
    !value::stands_in_for_token(line.part(from, to))
}
