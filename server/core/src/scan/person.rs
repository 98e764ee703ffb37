//! Mail addresses and phone numbers. They have no check digits, so what is known to be nobody's is left out: reserved
//! domains, addresses of machines and of roles, numbers that are reserved for films.

use super::line::{Line, is_alnum, is_name, words};
use super::rules;
use super::{Place, Spot};

/// How far to the left it is asked whether something stands in quotes or in a comment.
const LOOK_BACK: usize = 160;

/// Whether a place in a line is inside quotes or a comment, as far as the line tells.
pub(super) fn is_in_text(line: Line<'_>, at: usize) -> bool {
    let before = line.part(at.saturating_sub(LOOK_BACK), at);
    line.count(before.len());
    let (mut open, mut escaped) = (None, false);
    for (index, byte) in before.iter().enumerate() {
        let next = before.get(index + 1).copied().unwrap_or(0);
        match (byte, open) {
            _ if escaped => escaped = false,
            (b'\\', Some(_)) => escaped = true,
            (b'"' | b'\'' | b'`', None) => open = Some(*byte),
            (byte, Some(quote)) if *byte == quote => open = None,
            (b'/', None) if matches!(next, b'/' | b'*') => return true,
            (b'#' | b'-', None) if matches!(next, b' ' | b'-') && index > 0 || index == 0 && *byte == b'#' => {
                return true;
            }
            _ => {}
        }
    }
    open.is_some() || before.trim_ascii_start().starts_with(b"*") || at > LOOK_BACK
}

/// Local parts of machines and roles: nobody in particular is reached there.
const ROLES: &str = "git hg svn noreply no-reply no_reply donotreply do-not-reply root postmaster webmaster hostmaster abuse security support info \
    contact admin administrator hello help sales press team office mail email user username you your-email youremail your.email me name \
    someone somebody nobody test foo bar example service services bot github-actions dependabot mailer-daemon daemon www privacy legal opensource \
    oss dev developers devnull build ci jobs billing feedback enquiries x y a b user1 user2 my.email first.last firstname.lastname john.doe johndoe \
    jane.doe janedoe john jane alice bob conduct maintainers";
/// Domains of nobody, or whose addresses are public by nature.
const NOBODYS_DOMAINS: &str = "example.com example.org example.net example.edu domain.com email.com mail.com test.com foo.com bar.com company.com yourcompany.com \
    acme.com users.noreply.github.com users.noreply.gitlab.com noreply.github.com localhost.localdomain mydomain.com yourdomain.com host.com \
    users.noreply.codeberg.org googlegroups.com lists.sourceforge.net server.com site.com your-domain.com";
/// Endings of files and units that stand behind an `@` as well, and of domains that are reserved for nobody.
const NO_DOMAINS: &str = "png jpg jpeg gif svg webp js ts mjs cjs json css scss less html htm py rs go rb sh md txt yml yaml toml service socket timer \
    target mount device slice scope local localhost test invalid example internal lan localdomain xml jar zip gz tgz so dll exe conf vue tsx jsx map";

fn is_local(byte: u8) -> bool {
    is_alnum(byte) || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-')
}

fn is_domain(byte: u8) -> bool {
    is_alnum(byte) || matches!(byte, b'.' | b'-')
}

/// A mail address around an `@`.
pub(super) fn mail(line: Line<'_>, at: usize, place: Place) -> Option<Spot> {
    if matches!(place, Place::Lock | Place::People | Place::Made) {
        return None;
    }
    let mut start = line.run_back(at, 65, is_local);
    while start < at && !is_alnum(line.at(start)) {
        start += 1;
    }
    let mut end = line.run(at + 1, 200, is_domain);
    while end > at + 1 && !is_alnum(line.at(end - 1)) {
        end -= 1;
    }
    if at - start > 64
        || start == at
        || line.at(end) == b'@'
        || matches!(line.before(start), b'/' | b'@' | b'$' | b':' | b'}' | b'%')
            && !line.has(start.saturating_sub(7), b"mailto:")
    {
        return None;
    }
    // `user@host:path` is where a repository is fetched from.
    if line.at(end) == b':' && (is_alnum(line.at(end + 1)) || matches!(line.at(end + 1), b'/' | b'~'))
        || line.at(end) == b'('
        || line.at(end) == b'/'
    {
        return None;
    }
    let local = line.part(start, at).to_ascii_lowercase();
    let domain = line.part(at + 1, end).to_ascii_lowercase();
    let labels: Vec<&[u8]> = domain.split(|byte| *byte == b'.').collect();
    let last = labels.last().copied().unwrap_or_default();
    let named = labels.len() >= 2
        && labels.iter().all(|label| !label.is_empty() && is_alnum(label[0]))
        && last.len() >= 2
        && last.iter().all(u8::is_ascii_alphabetic);
    let base = local.split(|byte| *byte == b'+').next().unwrap_or_default();
    let nobody = words(ROLES).any(|role| role == base)
        || words(NOBODYS_DOMAINS).any(|other| {
            other == domain || (domain.ends_with(other) && domain[..domain.len() - other.len()].ends_with(b"."))
        })
        || words(NO_DOMAINS).any(|ending| ending == last)
        || local.starts_with(b"noreply")
        || local.starts_with(b"no-reply")
        || labels.contains(&&b"example"[..])
        || labels.contains(&&b"noreply"[..])
        || local.iter().all(u8::is_ascii_digit);
    (named && !nobody).then(|| Spot::new(&rules::MAIL_ADDRESS, start, end))
}

/// Country codes of one and two digits; every other first two digits begin one of three.
const SHORT_CODES: &str = "1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";

/// A phone number in international form behind a `+`.
pub(super) fn phone(line: Line<'_>, at: usize, place: Place) -> Option<Spot> {
    let before = line.before(at);
    if matches!(place, Place::Lock | Place::Made)
        || is_name(before)
        || matches!(before, b')' | b']' | b'+' | b'.' | b'/' | b'*' | b'\\')
    {
        return None;
    }
    let mut digits: Vec<u8> = Vec::new();
    let (mut to, mut groups, mut last) = (at + 1, 1, 0);
    let end =
        line.run(at + 1, 26, |byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'.' | b'(' | b')' | b'/'));
    for index in at + 1..end {
        let byte = line.at(index);
        if byte.is_ascii_digit() {
            digits.push(byte);
            to = index + 1;
        } else if !is_between(last, byte, line.at(index + 1)) {
            break;
        } else if last.is_ascii_digit() {
            groups += 1;
        }
        last = byte;
    }
    let told =
        matches!(before, b'"' | b'\'' | b'>' | b':' | b',' | b';' | b'`') || line.has(at.saturating_sub(4), b"tel:");
    let form = if groups >= 3 { matches!(digits.len(), 9..=15) } else { told && matches!(digits.len(), 10..=15) };
    let text = place != Place::Code || is_in_text(line, at);
    (form && text && !is_alnum(line.at(to)) && has_country(&digits) && !is_invented(&digits))
        .then(|| Spot::new(&rules::PHONE_NUMBER, at, to))
}

/// Whether a character may stand between the groups of a number: one alone, or a bracket with a blank.
fn is_between(before: u8, byte: u8, after: u8) -> bool {
    let alone = before.is_ascii_digit() && (after.is_ascii_digit() || after == b'(');
    let bracket = matches!(byte, b'(' | b')') || matches!(before, b'(' | b')') || after == b'(';
    alone || bracket && !matches!((before, byte), (b'(', b'(') | (b')', b')'))
}

fn has_country(digits: &[u8]) -> bool {
    let short = words(SHORT_CODES).any(|code| digits.starts_with(code));
    let three = matches!(
        digits,
        [b'2', b'1'..=b'6' | b'8' | b'9', ..]
            | [b'3', b'5' | b'7' | b'8', ..]
            | [b'4', b'2', ..]
            | [b'5', b'0' | b'9', ..]
            | [b'6', b'7'..=b'9', ..]
            | [b'8', b'0' | b'5' | b'7' | b'8', ..]
            | [b'9', b'6' | b'7' | b'9', ..]
    );
    // North American numbers have ten digits of their own, the first of area and exchange from 2 on.
    let american = digits[0] != b'1' || digits.len() == 11 && digits[1] >= b'2' && digits[4] >= b'2';
    (short || three) && american
}

/// Numbers for films and examples: 555-01xx in North America, 7700 900xxx and others in Britain, runs of a digit or in order.
fn is_invented(digits: &[u8]) -> bool {
    let film = digits.first() == Some(&b'1') && digits.get(4..7) == Some(b"555");
    let british =
        digits.starts_with(b"447700900") || digits.starts_with(b"442079460") || digits.starts_with(b"441632960");
    let mut seen = [0_usize; 10];
    for digit in digits {
        seen[usize::from(digit - b'0')] += 1;
    }
    let in_order = digits.windows(6).any(|part| part.windows(2).all(|pair| pair[1] == pair[0] + 1));
    film || british
        || in_order
        || seen.iter().any(|count| *count * 2 > digits.len())
        || digits.windows(5).any(|part| part.iter().all(|digit| *digit == part[0]))
}
