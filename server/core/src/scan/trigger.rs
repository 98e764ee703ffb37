//! The one walk over a line: the beginnings of everything known are found by an automaton in one pass, whatever their number,
//! and each is handed to whoever knows what must follow it.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::line::{Line, is_digit, words};
use super::token::SHAPES;
use super::{Place, Spot, assignment, credential, environment, number, person, token};

/// Who looks at what follows a beginning.
#[derive(Clone, Copy)]
enum Trigger {
    Shape(usize),
    Name,
    PrivateKey,
    PuttyKey,
    JsonWebToken,
    Address,
    ConnectionPart,
    Header,
    SendGrid,
    Telegram,
    Mailchimp,
    Terraform,
    Firebase,
    AzureClient,
    ServiceAccount,
    NpmLogin,
    Home,
    Server,
    ProductionHost,
    InternalHost,
    Environment,
    Arn,
}

/// Beginnings other than the prefixes of tokens. A list is one text; blanks stand between its words.
const LISTS: &[(&str, Trigger)] = &[
    (assignment::BEGINNINGS, Trigger::Name),
    ("eyJ", Trigger::JsonWebToken),
    ("://", Trigger::Address),
    ("Password= password= PASSWORD= Pwd= pwd= PWD=", Trigger::ConnectionPart),
    ("SG.", Trigger::SendGrid),
    (":AA", Trigger::Telegram),
    ("-us", Trigger::Mailchimp),
    (".atlasv1.", Trigger::Terraform),
    (":APA91b", Trigger::Firebase),
    ("Q~", Trigger::AzureClient),
    ("private_key_id", Trigger::ServiceAccount),
    ("_authToken", Trigger::NpmLogin),
    (environment::HOMES, Trigger::Home),
    (environment::SERVERS, Trigger::Server),
    (environment::HOST_WORDS, Trigger::ProductionHost),
    (environment::HOST_ENDINGS, Trigger::InternalHost),
    (environment::ENVIRONMENTS, Trigger::Environment),
    ("arn:aws", Trigger::Arn),
];

/// Beginnings that have a blank in them.
const PHRASES: &[(&str, Trigger)] = &[
    ("-----BEGIN ", Trigger::PrivateKey),
    ("Private-Lines: ", Trigger::PuttyKey),
    ("Bearer ", Trigger::Header),
    ("bearer ", Trigger::Header),
    ("Basic ", Trigger::Header),
    ("basic ", Trigger::Header),
];

struct Triggers {
    automaton: AhoCorasick,
    meanings: Vec<Trigger>,
}

static TRIGGERS: LazyLock<Triggers> = LazyLock::new(|| {
    let shapes = SHAPES.iter().enumerate().map(|(at, shape)| (shape.prefix.as_bytes(), Trigger::Shape(at)));
    let listed = LISTS.iter().flat_map(|(list, trigger)| words(list).map(|word| (word, *trigger)));
    let phrases = PHRASES.iter().map(|(phrase, trigger)| (phrase.as_bytes(), *trigger));
    let (beginnings, meanings): (Vec<&[u8]>, Vec<Trigger>) = shapes.chain(listed).chain(phrases).unzip();
    let automaton = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .match_kind(MatchKind::Standard)
        .build(&beginnings)
        .expect("a few hundred short words are far below the automaton's limits");
    Triggers { automaton, meanings }
});

/// Everything in a line. `following` are the lines behind it, for a key that begins here.
pub(super) fn walk(line: Line<'_>, following: &[&[u8]], place: Place, spots: &mut Vec<Spot>) {
    let Triggers { automaton, meanings } = &*TRIGGERS;
    line.count(line.bytes.len());
    for found in automaton.find_overlapping_iter(line.bytes) {
        let (at, length) = (found.start(), found.end() - found.start());
        spots.extend(match meanings[found.pattern().as_usize()] {
            Trigger::Shape(shape) => token::find(&SHAPES[shape], line, at, place),
            Trigger::Name => assignment::find(line, at, length, place),
            Trigger::PrivateKey => credential::private_key(line, at, following),
            Trigger::PuttyKey => credential::putty_key(line, at),
            Trigger::JsonWebToken => credential::json_web_token(line, at),
            Trigger::Address => credential::address(line, at),
            Trigger::ConnectionPart => credential::connection_part(line, at, length),
            Trigger::Header => credential::header(line, at, length),
            Trigger::SendGrid => credential::sendgrid(line, at),
            Trigger::Telegram => credential::telegram(line, at),
            Trigger::Mailchimp => credential::mailchimp(line, at),
            Trigger::Terraform => credential::terraform(line, at),
            Trigger::Firebase => credential::firebase(line, at),
            Trigger::AzureClient => credential::azure_client_secret(line, at),
            Trigger::ServiceAccount => credential::google_service_account(line, at, length),
            Trigger::NpmLogin => credential::npm_login(line, at, length, place),
            Trigger::Home => environment::home(line, at, length),
            Trigger::Server => environment::server(line, at, length, place),
            Trigger::ProductionHost => environment::production_host(line, at, place),
            Trigger::InternalHost => environment::internal_host(line, at, length, place),
            Trigger::Environment => environment::environment(line, at, length, place),
            Trigger::Arn => environment::arn(line, at),
        });
    }
    if !matches!(place, Place::Lock | Place::Made) {
        numbers_and_addresses(line, place, spots);
    }
}

/// The bytes that something begins with all by themselves.
static SINGLE: [bool; 256] = {
    let mut single = [false; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        single[digit as usize] = true;
        digit += 1;
    }
    single[b'@' as usize] = true;
    single[b'+' as usize] = true;
    single
};

/// What begins with a single byte: runs of digits, `@` and `+`.
fn numbers_and_addresses(line: Line<'_>, place: Place, spots: &mut Vec<Spot>) {
    line.count(line.bytes.len());
    let mut at = 0;
    while let Some(found) = line.bytes[at..].iter().position(|byte| SINGLE[usize::from(*byte)]) {
        at += found;
        match line.at(at) {
            b'@' => spots.extend(person::mail(line, at, place)),
            b'+' if line.at(at + 1).is_ascii_digit() => spots.extend(person::phone(line, at, place)),
            b'+' => {}
            _ => {
                number::find(line, at, place, spots);
                at = line.run(at, usize::MAX, is_digit) - 1;
            }
        }
        at += 1;
    }
}
