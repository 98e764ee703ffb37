//! Numbers of people and accounts. Each has a form and, but for the American and the British one, check digits, so that what
//! is found is seldom something else. Numbers that test pages and documentation show to everybody are left out.

use super::line::{Line, is_alnum, is_digit, is_upper, is_word, words};
use super::person::is_in_text;
use super::rules::{self, Rule};
use super::{Place, Spot, environment};

/// Everything that a run of digits can be a part of. Called where one begins.
pub(super) fn find(line: Line<'_>, at: usize, place: Place, spots: &mut Vec<Spot>) {
    let end = line.run(at, 40, is_digit);
    let length = end - at;
    if length <= 3 && line.at(end) == b'.' {
        spots.extend(environment::ipv4(line, at, place));
    }
    let before = line.before(at);
    if before.is_ascii_uppercase() || (before == b' ' && length == 2) {
        spots.extend(behind_letters(line, at, length, end));
    }
    if length == 3 && line.at(end) == b'-' {
        spots.extend(us_ssn(line, at));
    }
    if length == 8 && (line.at(end).is_ascii_uppercase() || line.at(end) == b'-') {
        spots.extend(spanish_dni(line, at, end));
    }
    let grouped = length <= 4 && matches!(line.at(end), b' ' | b'-') && line.at(end + 1).is_ascii_digit();
    if length >= 11 || grouped || (length == 7 && matches!(line.at(end), b'A' | b'B')) {
        spots.extend(digits_alone(line, at, place));
    }
}

/// Whether a number can begin there: it is no part of a longer number, a name or a fraction.
fn begins(line: Line<'_>, at: usize) -> bool {
    let before = line.before(at);
    let group = at >= 2 && matches!(before, b' ' | b'-') && line.at(at - 2).is_ascii_digit();
    line.begins_word(at) && !group && !matches!(before, b'.' | b'-' | b'+' | b'/' | b'#' | b'%' | b'$' | b'@')
}

fn ends(line: Line<'_>, end: usize) -> bool {
    let next = line.at(end);
    let goes_on = matches!(next, b'.' | b'-' | b'/') && is_alnum(line.at(end + 1));
    !(goes_on || is_word(next) || matches!(next, b'%' | b'@'))
}

fn behind_letters(line: Line<'_>, at: usize, length: usize, end: usize) -> Option<Spot> {
    let letters = line.run_back(at, 7, |byte| byte.is_ascii_uppercase());
    if at - letters == 2 && length >= 2 {
        iban(line, letters).or_else(|| uk_nino(line, letters, at))
    } else if at - letters == 6 && length == 2 {
        italian_code(line, letters)
    } else if at - letters == 1 && length == 7 {
        spanish_nie(line, letters, end)
    } else if at == letters && at >= 3 {
        uk_nino(line, at - 3, at)
    } else {
        None
    }
}

/// Lengths of an IBAN by country.
const IBANS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 \
    GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 \
    NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20";
/// Those that every description of the format shows.
const SHOWN_IBANS: &str = "DE89370400440532013000 GB82WEST12345698765432 GB29NWBK60161331926819 FR1420041010050500013M02606 ES9121000418450200051332 \
    IT60X0542811101000000123456 NL91ABNA0417164300 CH9300762011623852957 BE68539007547034 AT611904300234573201 DE12500105170648489890 \
    GB33BUKB20201555555555 FR7630006000011234567890189 IE29AIBK93115212345678 SE4550000000058398257466 PL61109010140000071219812874";

fn iban(line: Line<'_>, start: usize) -> Option<Spot> {
    let country = line.part(start, start + 2);
    let length = words(IBANS)
        .find(|row| row.starts_with(country))
        .map(|row| usize::from(row[2] - b'0') * 10 + usize::from(row[3] - b'0'))?;
    let mut text: Vec<u8> = Vec::with_capacity(34);
    let mut to = start;
    while text.len() < length {
        match line.at(to) {
            byte if is_upper(byte) => text.push(byte),
            // Groups of four, as on paper.
            b' ' if text.len().is_multiple_of(4) && !text.is_empty() => {}
            _ => return None,
        }
        to += 1;
    }
    line.count(to - start);
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let rest = text[4..].iter().chain(&text[..4]).fold(0_u32, |sum, byte| match byte {
        b'0'..=b'9' => (sum * 10 + u32::from(byte - b'0')) % 97,
        _ => (sum * 100 + u32::from(byte - b'A') + 10) % 97,
    });
    let shown = words(SHOWN_IBANS).any(|other| other == text) || text[4..].iter().all(|byte| *byte == text[4]);
    (rest == 1 && digits >= 8 && !shown && line.begins_word(start) && !is_alnum(line.at(to)))
        .then(|| Spot::new(&rules::IBAN, start, to))
}

/// Two letters, six digits perhaps in pairs, a letter from A to D.
fn uk_nino(line: Line<'_>, start: usize, digits_at: usize) -> Option<Spot> {
    let (first, second) = (line.at(start), line.at(start + 1));
    let mut digits: Vec<u8> = Vec::new();
    let mut to = digits_at;
    while digits.len() < 6 {
        match line.at(to) {
            byte if byte.is_ascii_digit() => digits.push(byte),
            b' ' if digits.len().is_multiple_of(2) && !digits.is_empty() => {}
            _ => return None,
        }
        to += 1;
    }
    if line.at(to) == b' ' {
        to += 1;
    }
    line.count(12);
    let letters = first.is_ascii_uppercase()
        && second.is_ascii_uppercase()
        && !matches!(first, b'D' | b'F' | b'I' | b'Q' | b'U' | b'V')
        && !matches!(second, b'D' | b'F' | b'I' | b'O' | b'Q' | b'U' | b'V')
        && !matches!(&[first, second], b"BG" | b"GB" | b"KN" | b"NK" | b"NT" | b"TN" | b"ZZ");
    let suffix = matches!(line.at(to), b'A'..=b'D');
    (letters && suffix && line.begins_word(start) && ends(line, to + 1) && !is_shown(&digits))
        .then(|| Spot::new(&rules::UK_NINO, start, to + 1))
}

/// Digits in order or all the same.
fn is_shown(digits: &[u8]) -> bool {
    let in_order = digits.windows(6).any(|part| part.windows(2).all(|pair| pair[1] == pair[0] + 1));
    let backwards = digits.windows(6).any(|part| part.windows(2).all(|pair| pair[0] == pair[1] + 1));
    in_order || backwards || digits.iter().all(|digit| *digit == digits[0])
}

/// Letters and digits in their places, and a letter that follows from them.
fn italian_code(line: Line<'_>, start: usize) -> Option<Spot> {
    let text = line.part(start, start + 16);
    line.count(16);
    let form = b"LLLLLLNNLNNLNNNL";
    let fits = |(byte, kind): (&u8, &u8)| {
        if *kind == b'L' { byte.is_ascii_uppercase() } else { byte.is_ascii_digit() || (b'L'..=b'V').contains(byte) }
    };
    if text.len() != 16
        || !text.iter().zip(form).all(fits)
        || !matches!(text[8], b'A'..=b'E' | b'H' | b'L' | b'M' | b'P' | b'R'..=b'T')
    {
        return None;
    }
    // What the characters at odd places count, by the published table; those at even places count their own value.
    const ODD: [u8; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let own = |byte: u8| if byte.is_ascii_digit() { byte - b'0' } else { byte - b'A' };
    let sum: u32 = text[..15]
        .iter()
        .enumerate()
        .map(|(at, byte)| u32::from(if at % 2 == 0 { ODD[usize::from(own(*byte))] } else { own(*byte) }))
        .sum();
    let shown = text == b"RSSMRA85T10A562S" || text == b"RSSMRA80A01H501U";
    let checks = sum % 26 == u32::from(text[15] - b'A');
    (checks && !shown && line.begins_word(start) && !is_word(line.at(start + 16)))
        .then(|| Spot::new(&rules::ITALIAN_CODE, start, start + 16))
}

const DNI_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

fn spanish_dni(line: Line<'_>, at: usize, end: usize) -> Option<Spot> {
    let letter = if line.at(end) == b'-' { end + 1 } else { end };
    spanish(line, at, letter, line.part(at, end), 0)
}

fn spanish_nie(line: Line<'_>, start: usize, end: usize) -> Option<Spot> {
    let first = match line.at(start) {
        b'X' => 0,
        b'Y' => 10_000_000,
        b'Z' => 20_000_000,
        _ => return None,
    };
    let letter = if line.at(end) == b'-' { end + 1 } else { end };
    spanish(line, start, letter, line.part(start + 1, end), first)
}

fn spanish(line: Line<'_>, start: usize, letter: usize, digits: &[u8], first: usize) -> Option<Spot> {
    let number = digits.iter().fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0')) + first;
    let fits = line.at(letter) == DNI_LETTERS[number % 23]
        && begins(line, start)
        && ends(line, letter + 1)
        && !is_shown(digits);
    fits.then(|| Spot::new(&rules::SPANISH_DNI, start, letter + 1))
}

/// `ddd-dd-dddd` within the ranges that were ever given out.
fn us_ssn(line: Line<'_>, at: usize) -> Option<Spot> {
    let text = line.part(at, at + 11);
    line.count(11);
    let form = text.len() == 11
        && text
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 3 | 6) { *byte == b'-' } else { byte.is_ascii_digit() });
    if !form || !begins(line, at) || !ends(line, at + 11) {
        return None;
    }
    let given =
        !matches!(&text[..3], b"000" | b"666") && text[0] != b'9' && &text[4..6] != b"00" && &text[7..] != b"0000";
    let shown = matches!(
        text,
        b"078-05-1120"
            | b"219-09-9999"
            | b"123-45-6789"
            | b"111-11-1111"
            | b"987-65-4321"
            | b"222-22-2222"
            | b"555-55-5555"
            | b"111-22-3333"
    );
    (given && !shown).then(|| Spot::new(&rules::US_SSN, at, at + 11))
}

/// Digits with the lengths of their groups, and where they end.
struct Groups {
    digits: Vec<u8>,
    lengths: Vec<usize>,
    end: usize,
}

fn groups(line: Line<'_>, at: usize) -> Groups {
    let (mut digits, mut lengths, mut to) = (Vec::new(), vec![0], at);
    let separator = line.at(line.run(at, 20, is_digit));
    while digits.len() <= 19 {
        let byte = line.at(to);
        // The French number has a letter for Corsica.
        if byte.is_ascii_digit() || (digits.len() == 6 && matches!(byte, b'A' | b'B')) {
            digits.push(byte);
            if let Some(last) = lengths.last_mut() {
                *last += 1;
            }
        } else if byte == separator && matches!(byte, b' ' | b'-') && line.at(to + 1).is_ascii_digit() {
            lengths.push(0);
        } else {
            break;
        }
        to += 1;
    }
    line.count(to - at);
    Groups { digits, lengths, end: to }
}

fn digits_alone(line: Line<'_>, at: usize, place: Place) -> Option<Spot> {
    let Groups { digits, lengths, end } = groups(line, at);
    if !matches!(digits.len(), 11 | 13..=19) || !begins(line, at) || !ends(line, end) {
        return None;
    }
    let whole = lengths.len() == 1;
    // In a program a bare number is a number.
    if matches!(place, Place::Lock | Place::Made) || (whole && place == Place::Code && !is_in_text(line, at)) {
        return None;
    }
    let plain = digits.iter().all(u8::is_ascii_digit);
    let rule: &'static Rule = match (digits.len(), &lengths[..]) {
        (15, [15] | [13, 2] | [1, 2, 2, 2, 3, 3, 2] | [1, 2, 2, 2, 3, 3] | [1, 2, 2, 5, 3, 2]) if is_nir(&digits) => {
            &rules::FRENCH_NIR
        }
        (11, [11] | [2, 3, 3, 3]) if plain && is_german_tax_id(&digits) => &rules::GERMAN_TAX_ID,
        (13..=19, [_] | [4, 4, 4, 4] | [4, 6, 5] | [4, 6, 4] | [4, 4, 4, 4, 3]) if plain && is_card(&digits) => {
            &rules::PAYMENT_CARD
        }
        _ => return None,
    };
    Some(Spot::new(rule, at, end))
}

/// Eleven digits of which among the first ten one occurs twice or three times, and a check digit (ISO 7064, 11 and 10).
fn is_german_tax_id(digits: &[u8]) -> bool {
    let mut seen = [0_u8; 10];
    for digit in &digits[..10] {
        seen[usize::from(digit - b'0')] += 1;
    }
    let repeated = seen.iter().filter(|count| **count > 1).count();
    let most = seen.iter().max().copied().unwrap_or(0);
    let mut product = 10_u32;
    for digit in &digits[..10] {
        let sum = (u32::from(digit - b'0') + product) % 10;
        product = (if sum == 0 { 10 } else { sum }) * 2 % 11;
    }
    let check = (11 - product) % 10;
    digits[0] != b'0' && repeated == 1 && most <= 3 && check == u32::from(digits[10] - b'0') && !is_shown(&digits[..10])
}

/// Sex, year, month, place and order, and 97 less their rest by 97.
fn is_nir(digits: &[u8]) -> bool {
    let month = (digits[3] - b'0') * 10 + (digits[4] - b'0');
    // Corsica's departments count as 19 and 18.
    let corsica = match digits[6] {
        b'A' => Some(b"19"),
        b'B' => Some(b"18"),
        _ => None,
    };
    let mut number: Vec<u8> = digits[..13].to_vec();
    if let Some(place) = corsica {
        if digits[5] != b'2' {
            return false;
        }
        number[5..7].copy_from_slice(place);
    }
    let value = number.iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    let key = u64::from(digits[13] - b'0') * 10 + u64::from(digits[14] - b'0');
    matches!(digits[0], b'1' | b'2') && matches!(month, 1..=12 | 20..=42) && key == 97 - value % 97
}

/// Numbers that the card networks and payment services publish for tests.
const TEST_CARDS: &str = "4242424242424242 4111111111111111 4012888888881881 4000056655665556 5555555555554444 5105105105105100 2223003122003222 \
    5200828282828210 378282246310005 371449635398431 378734493671000 6011111111111117 6011000990139424 30569309025904 38520000023237 3530111333300000 \
    3566002020360505 6200000000000005 4222222222222 4000000000000002 4000000000000077 4000000000009995 4000002500003155 4000000000003220 \
    4917610000000000 4484070000000000 5425233430109903 2222420000001113 4263982640269299 374245455400126 36227206271667 6011000991300009 3056930009020004";

fn is_card(digits: &[u8]) -> bool {
    let first = |count: usize| digits[..count].iter().fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    let issued = match digits.len() {
        13 => first(1) == 4,
        14 => matches!(first(3), 300..=305) || matches!(first(2), 36 | 38 | 39),
        15 => matches!(first(2), 34 | 37),
        16 => {
            first(1) == 4
                || matches!(first(2), 51..=55 | 62 | 65)
                || matches!(first(4), 2221..=2720 | 3528..=3589 | 6011)
                || matches!(first(3), 644..=649)
        }
        17..=19 => first(2) == 62 || (digits.len() == 19 && first(1) == 4),
        _ => false,
    };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| {
            let value = u32::from(digit - b'0') << (at % 2);
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    let zeros = digits.windows(6).any(|part| part.iter().all(|digit| *digit == b'0'));
    issued
        && sum.is_multiple_of(10)
        && !zeros
        && !words(TEST_CARDS).any(|card| card == digits)
        && !is_shown(&digits[digits.len() - 10..])
}
