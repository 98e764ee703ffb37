//! Places that belong to one machine or one installation: home folders, folders of servers, hosts, addresses, accounts, and
//! the name of the production environment written down as a value.

use super::line::{Line, holds, is_alnum, is_name, is_word, words};
use super::person::is_in_text;
use super::rules;
use super::{Place, Spot};

pub(super) const HOMES: &str = "/home/ /Users/ \\Users\\ :/Users/";
pub(super) const SERVERS: &str = "/var/www /srv/";
pub(super) const HOST_WORDS: &str = "prod";
pub(super) const HOST_ENDINGS: &str = ".internal .corp .intra .intranet .lan";
pub(super) const ENVIRONMENTS: &str = "_ENV ENVIRONMENT PROFILES_ACTIVE profiles.active Environment";

/// Homes that everybody has, or that stand for one; and first parts of a web page's address.
const NOBODY: &str = "user username users you your yourname your-name your_name me name runner ubuntu vscode node app jovyan circleci vagrant linuxbrew \
    shared public default admin root docker appuser runneradmin somebody someone foo bar alice bob myuser home index dashboard page pages \
    news about controller git nobody xxx travis foobar fred john jane johndoe janedoe test testuser user1 user2 example coder gitpod codespace builder developer dev";

/// `/home/NAME/…` with somebody's name.
pub(super) fn home(line: Line<'_>, at: usize, length: usize) -> Option<Spot> {
    let before = line.before(at);
    let drive = before == b':' || before == b'\\' || line.at(at) == b':';
    if !drive
        && (is_name(before) || matches!(before, b'.' | b'}' | b')' | b'>' | b'~' | b'$' | b'*'))
        && !line.has(at.saturating_sub(6), b"/mnt/")
    {
        return None;
    }
    if line.at(at) == b'\\' && !drive {
        return None;
    }
    // A backslash in a quoted text is written twice.
    let from = line.run(at + length, 2, |byte| byte == b'\\');
    let to = line.run(from, 40, |byte| is_name(byte) || byte == b'.');
    let name = line.part(from, to).to_ascii_lowercase();
    let ends = matches!(line.at(to), b'/' | b'\\');
    let somebody = !name.is_empty() && name[0].is_ascii_alphabetic() && !words(NOBODY).any(|word| word == name);
    (ends && somebody).then(|| Spot::new(&rules::HOME_PATH, at, to))
}

/// `/var/www/…` and `/srv/…`.
pub(super) fn server(line: Line<'_>, at: usize, length: usize, place: Place) -> Option<Spot> {
    let before = line.before(at);
    if place == Place::Prose || is_name(before) || matches!(before, b'.' | b'}' | b')' | b'*' | b'/' | b'>') {
        return None;
    }
    if is_word(line.at(at + length)) && line.before(at + length) != b'/' {
        return None;
    }
    let to = line.run(at + length, 100, |byte| is_name(byte) || matches!(byte, b'/' | b'.'));
    let named = line.before(at + length) != b'/' || to > at + length;
    (named && (place == Place::Configuration || is_in_text(line, at)))
        .then(|| Spot::new(&rules::PRODUCTION_PATH, at, to))
}

const TOP_DOMAINS: &str = "com net org io dev app cloud co de uk fr eu us ai info biz tech es it nl be ch at se no dk fi pl cz pt ie ca au nz jp cn in \
    br ru kr sg hk tw za mx ar cl tr il ae site online xyz tv gg network systems local internal corp lan intra";

fn is_host(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// A host one of whose labels says that it is production.
pub(super) fn production_host(line: Line<'_>, at: usize, place: Place) -> Option<Spot> {
    let start = line.run_back(at, 100, is_host);
    let end = line.run(at, 100, is_host);
    // Only the first such word of a name is looked at.
    if line.part(start, at).windows(4).any(|part| part == b"prod") || !host_stands_alone(line, start, end, place) {
        return None;
    }
    let host = line.part(start, end);
    let labels: Vec<&[u8]> = host.split(|byte| *byte == b'.').collect();
    let (last, labels) = labels.split_last()?;
    let says =
        |label: &&[u8]| label.split(|byte| *byte == b'-').any(|word| matches!(word, b"prod" | b"production" | b"prd"));
    let fits = labels.len() >= 2
        && labels.iter().all(|label| !label.is_empty())
        && labels.iter().any(says)
        && words(TOP_DOMAINS).any(|domain| domain == *last)
        && !holds(host, b"example.");
    fits.then(|| Spot::new(&rules::PRODUCTION_HOST, start, end))
}

/// A host of a network that only its owner can reach.
pub(super) fn internal_host(line: Line<'_>, at: usize, length: usize, place: Place) -> Option<Spot> {
    let start = line.run_back(at, 100, is_host);
    let end = at + length;
    if is_host(line.at(end)) || !host_stands_alone(line, start, end, place) {
        return None;
    }
    let host = line.part(start, end);
    let labels: Vec<&[u8]> = host.split(|byte| *byte == b'.').collect();
    let known = words(
        "host.docker.internal gateway.docker.internal kubernetes.docker.internal metadata.google.internal host.containers.internal",
    );
    let first = labels[0];
    let addressed = line.before(start) == b'/' || line.before(start) == b'@' || matches!(line.at(end), b':' | b'/');
    let fits = labels.iter().all(|label| !label.is_empty())
        && !matches!(first, b"com" | b"org" | b"net" | b"io" | b"dev")
        && (labels.len() >= 3 || addressed || first.iter().any(|byte| *byte == b'-' || byte.is_ascii_digit()))
        && !known.into_iter().any(|name| name == host)
        && !holds(host, b"example.");
    fits.then(|| Spot::new(&rules::PRODUCTION_HOST, start, end))
}

/// A host and no part of a path, a name or an expression.
fn host_stands_alone(line: Line<'_>, start: usize, end: usize, place: Place) -> bool {
    let before = line.before(start);
    let path = before == b'/' && !line.has(start.saturating_sub(2), b"//");
    let rest = line.after_blanks(end);
    let key = line.at(rest) == b'=' || (line.at(rest) == b':' && !line.at(rest + 1).is_ascii_digit());
    let open = place == Place::Configuration || is_in_text(line, start);
    open && place != Place::Prose
        && !path
        && !key
        && !is_word(before)
        && !matches!(before, b'$' | b'\\' | b'*')
        && !is_word(line.at(end))
        && !matches!(line.at(end), b'(' | b'\\')
}

/// `NODE_ENV=production` and the like: given, not compared.
pub(super) fn environment(line: Line<'_>, at: usize, length: usize, place: Place) -> Option<Spot> {
    let mut to = at + length;
    if place == Place::Prose
        || is_word(line.at(to))
        || (line.at(at) == b'E' && line.before(at) != 0 && is_alnum(line.before(at)) && line.at(at + 1) == b'n')
    {
        return None;
    }
    to = line.run(to, 2, |byte| matches!(byte, b'"' | b'\'' | b']'));
    to = line.after_blanks(to);
    let given = match line.at(to) {
        b'=' => !matches!(line.at(to + 1), b'=' | b'~'),
        b':' => true,
        b' ' => false,
        _ => false,
    };
    let from = line.run(line.after_blanks(to + 1), 1, |byte| matches!(byte, b'"' | b'\''));
    let end = line.run(from, 12, is_alnum);
    let names = line.part(from, end);
    let production = names.eq_ignore_ascii_case(b"production") || names.eq_ignore_ascii_case(b"prod");
    let rest = line.after_blanks(line.run(end, 1, |byte| matches!(byte, b'"' | b'\'')));
    let code =
        place == Place::Code && !matches!(line.at(from.saturating_sub(1)), b'"' | b'\'') && !is_in_text(line, at);
    if !given || !production || is_name(line.at(end)) || matches!(line.at(rest), b'|' | b'?' | b'.') || code {
        return None;
    }
    let start = line.run_back(at, 40, is_word);
    Some(Spot::new(&rules::ENVIRONMENT_NAME, start, end))
}

/// `arn:aws:SERVICE:REGION:ACCOUNT:…` with an account of twelve digits that is not one of the documentation's.
pub(super) fn arn(line: Line<'_>, at: usize) -> Option<Spot> {
    let is_field = |byte: u8| is_name(byte);
    let mut to = at + b"arn:".len();
    for _ in 0..3 {
        to = line.run(to, 40, is_field);
        if line.at(to) != b':' {
            return None;
        }
        to += 1;
    }
    let end = line.run(to, 13, |byte| byte.is_ascii_digit());
    let account = line.part(to, end);
    let shown = words(
        "123456789012 000000000000 111122223333 444455556666 111111111111 222222222222 999999999999 012345678901 210987654321 123456789123 777788889999",
    );
    let fits = account.len() == 12
        && line.at(end) == b':'
        && !shown.into_iter().any(|other| other == account)
        && line.begins_word(at);
    fits.then(|| Spot::new(&rules::CLOUD_ARN, at, end))
}

/// Four numbers with dots that are an address of a machine.
pub(super) fn ipv4(line: Line<'_>, at: usize, place: Place) -> Option<Spot> {
    if !matches!(place, Place::Code | Place::Configuration)
        || is_name(line.before(at))
        || matches!(line.before(at), b'.' | b'+')
    {
        return None;
    }
    let mut parts = [0_u16; 4];
    let mut to = at;
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            if line.at(to) != b'.' {
                return None;
            }
            to += 1;
        }
        let end = line.run(to, 4, |byte| byte.is_ascii_digit());
        let digits = line.part(to, end);
        if digits.is_empty() || digits.len() > 3 || (digits.len() > 1 && digits[0] == b'0') {
            return None;
        }
        *part = digits.iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'));
        to = end;
    }
    let after = line.at(to);
    if parts.iter().any(|part| *part > 255)
        || is_name(after)
        || (after == b'.' && is_alnum(line.at(to + 1)))
        || is_version(line, at)
    {
        return None;
    }
    let network = after == b'/' && parts[3] == 0;
    let quoted = place == Place::Configuration || is_in_text(line, at);
    let rule = match parts {
        _ if network || !quoted => return None,
        [0 | 127, ..]
        | [224..=255, ..]
        | [169, 254, ..]
        | [192, 0, 0 | 2, _]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [198, 18 | 19, ..] => return None,
        [8, 8, 8 | 4, 8 | 4] | [1, 1, 1, 1] | [1, 0, 0, 1] | [9, 9, 9, 9] | [208, 67, 222, 222] => return None,
        // Versions, sections of a document and invented addresses look like this.
        [a, _, c, d] if a < 10 && c < 20 && d < 20 => return None,
        [1, 2, 3, _] | [12, 34, 56, 78] | [123, 123, 123, 123] => return None,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => &rules::PRIVATE_ADDRESS,
        _ => &rules::PUBLIC_ADDRESS,
    };
    Some(Spot::new(rule, at, to))
}

/// Four numbers that somebody calls a version.
fn is_version(line: Line<'_>, at: usize) -> bool {
    let before = line.part(at.saturating_sub(48), at);
    line.count(before.len());
    holds(before, b"version")
        || holds(before, b"release")
        || holds(before, b"oid")
        || before.ends_with(b"==")
        || before.ends_with(b"@")
        || before.ends_with(b"chrome/")
        || (before.ends_with(b"/") && !before.ends_with(b"//"))
}
