//! The solar stamp (J5): the figures of both models, the turn of years and signs, and every form there and back.

use augment_core::simulation::Random;
use augment_core::stamp::{BadStamp, Form, Model, Precision, Stamp, arc_seconds};
use augment_core::time::{civil, day_of};

const FIRST: i64 = -2_208_988_800;
const LAST: i64 = 4_133_980_799;
const PRECISIONS: [Precision; 5] =
    [Precision::Year, Precision::Sign, Precision::Degree, Precision::Minute, Precision::Second];

fn unix(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64) -> i64 {
    day_of(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
}

fn stamp(unix_seconds: i64, model: Model) -> Stamp {
    Stamp::at(unix_seconds, model).unwrap_or_else(|error| panic!("{error}"))
}

fn am(stamp: Stamp) -> String {
    stamp.text(Form::Am, Precision::Second)
}

/// The first second of which `is_after` holds, which it does from some second on.
fn turn(mut before: i64, mut after: i64, is_after: impl Fn(i64) -> bool) -> i64 {
    assert!(!is_after(before) && is_after(after));
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        if is_after(middle) { after = middle } else { before = middle }
    }
    after
}

/// The second that a year's equinox falls into: the first one of the new year.
fn equinox(year: i64, model: Model) -> i64 {
    let new = i32::try_from(year + 3_894).expect("a year of four digits");
    turn(unix(year, 3, 18, 0, 0, 0), unix(year, 3, 24, 0, 0, 0), |at| stamp(at, model).year >= new)
}

#[test]
fn chronos_gives_the_figures_of_the_chronos_program() {
    for (at, expected) in [
        (0, "♑\u{fe0e}.11.10.13 5863AM"),
        (unix(2026, 2, 21, 12, 57, 13), "♓\u{fe0e}.3.55.25 5919AM"),
        (unix(2026, 2, 21, 15, 25, 30), "♓\u{fe0e}.4.1.39 5919AM"),
        (unix(2026, 2, 22, 0, 0, 0), "♓\u{fe0e}.4.23.15 5919AM"),
        (unix(2026, 2, 22, 16, 39, 31), "♓\u{fe0e}.5.5.11 5919AM"),
        (unix(2026, 2, 23, 10, 19, 25), "♓\u{fe0e}.5.49.38 5919AM"),
        (unix(2026, 2, 25, 17, 37, 7), "♓\u{fe0e}.8.8.41 5919AM"),
        (unix(2026, 2, 26, 9, 11, 3), "♓\u{fe0e}.8.47.48 5919AM"),
    ] {
        assert_eq!(stamp(at, Model::Chronos).to_string(), expected, "{at}");
    }
    assert_eq!(am(stamp(0, Model::Chronos)), "5863.10.11.10.13");
}

/// Seconds since 1970, and the apparent longitude of the Sun in seconds of arc from pyerfa 2.0.1.5: `epv00` for the Earth, `ab` for the aberration, `pnm06a`, `obl06` and `nut06a` for the true
/// ecliptic and equinox of date; the time by `utctai` and `taitt`, before 1960 with the ΔT of the Astronomical Almanac.
const TRUE_SUN: [(i64, f64); 23] = [
    (-2_202_157_260, 1_295_999.98), // 1900-03-21T01:39:00Z
    (-1_880_409_600, 250_615.57),   // 1910-06-01T00:00:00Z
    (-1_577_923_200, 1_005_413.24), // 1920-01-01T00:00:00Z
    (-1_240_056_000, 618_884.07),   // 1930-09-15T12:00:00Z
    (-946_771_200, 1_005_907.96),   // 1940-01-01T00:00:00Z
    (-631_152_000, 1_008_017.49),   // 1950-01-01T00:00:00Z
    (-446_751_000, 799_428.08),     // 1955-11-05T06:30:00Z
    (-268_358_400, 356_106.39),     // 1961-07-01T00:00:00Z
    (-14_182_940, 424_480.27),      // 1969-07-20T20:17:40Z
    (63_072_000, 1_006_785.76),     // 1972-01-01T00:00:00Z
    (194_464_800, 1_225_031.48),    // 1976-02-29T18:00:00Z
    (429_178_088, 486_811.48),      // 1983-08-08T08:08:08Z
    (662_687_999, 1_008_198.84),    // 1990-12-31T23:59:59Z
    (946_728_000, 1_009_328.12),    // 2000-01-01T12:00:00Z
    (1_145_763_213, 118_264.20),    // 2006-04-23T03:33:33Z
    (1_483_228_799, 1_010_718.96),  // 2016-12-31T23:59:59Z
    (1_584_676_200, 0.95),          // 2020-03-20T03:50:00Z
    (1_771_678_633, 1_198_450.46),  // 2026-02-21T12:57:13Z
    (1_794_823_200, 842_607.64),    // 2026-11-16T10:00:00Z
    (2_347_131_600, 207_330.47),    // 2044-05-17T21:00:00Z
    (2_958_512_523, 680_055.30),    // 2063-10-02T01:02:03Z
    (3_492_265_500, 569_800.33),    // 2080-08-30T17:45:00Z
    (4_101_544_800, 971_984.05),    // 2099-12-21T14:00:00Z
];

#[test]
fn the_true_sun_is_where_an_independent_ephemeris_has_it() {
    let circle = 1_296_000.0;
    for (at, expected) in TRUE_SUN {
        let found = arc_seconds(at, Model::True);
        let off = (found - expected + circle / 2.0).rem_euclid(circle) - circle / 2.0;
        assert!(off.abs() < 0.2, "@{at} is {off:.3}″ off: {found:.3} and not {expected}");
    }
}

#[test]
fn the_two_models_differ_by_less_than_a_minute_and_do_differ() {
    let mut most = 0.0_f64;
    for at in (FIRST..=LAST).step_by(86_400 * 9) {
        let off = (arc_seconds(at, Model::Chronos) - arc_seconds(at, Model::True) + 648_000.0).rem_euclid(1_296_000.0);
        most = most.max((off - 648_000.0).abs());
    }
    assert!((20.0..45.0).contains(&most), "{most}");
}

#[test]
fn the_year_turns_with_the_first_sign() {
    for model in Model::ALL {
        let new = equinox(2026, model);
        assert_eq!(am(stamp(new - 1, model)), "5919.12.30.60.60");
        assert_eq!(am(stamp(new, model)), "5920.1.1.1.1");
    }
    // By the same ephemeris as in the table above; in 5 seconds the Sun moves 0.2″.
    assert!((equinox(2026, Model::True) - unix(2026, 3, 20, 14, 45, 58)).abs() <= 5);
}

#[test]
fn year_and_sign_never_disagree_in_any_second_around_an_equinox() {
    for model in Model::ALL {
        for year in 1900..=2100 {
            let (new, old) = (i32::try_from(year + 3_894).unwrap(), i32::try_from(year + 3_893).unwrap());
            let turn = equinox(year, model);
            for at in turn - 100..turn + 100 {
                let Stamp { year, sign, degree, .. } = stamp(at, model);
                let expected = if at < turn { (old, 12, 30) } else { (new, 1, 1) };
                assert_eq!((year, sign, degree), expected, "{model:?} @{at}");
            }
        }
    }
}

#[test]
fn every_sign_follows_on_the_one_before() {
    for model in Model::ALL {
        let mut from = equinox(2026, model);
        for sign in 2..=12_u8 {
            let border = turn(from, from + 86_400 * 40, |at| {
                let found = stamp(at, model);
                found.year > 5920 || found.sign >= sign
            });
            assert_eq!(am(stamp(border - 1, model)), format!("5920.{}.30.60.60", sign - 1));
            assert_eq!(am(stamp(border, model)), format!("5920.{sign}.1.1.1"));
            from = border;
        }
    }
}

#[test]
fn two_centuries_pass_in_order_and_in_range() {
    for (model, step) in [(Model::Chronos, 3_600), (Model::True, 3_600 * 11)] {
        let mut before = None;
        for at in (FIRST..=LAST).step_by(step) {
            let now = stamp(at, model);
            assert!(before < Some(now), "{model:?} @{at}: {before:?}, then {now}");
            assert!((1..=12).contains(&now.sign) && (1..=30).contains(&now.degree), "{now:?}");
            assert!((1..=60).contains(&now.minute) && (1..=60).contains(&now.second), "{now:?}");
            before = Some(now);
        }
    }
}

#[test]
fn the_sun_never_goes_back_where_the_figures_for_the_time_change() {
    // The polynomials count in mean years from 1970, the leap seconds in those of the calendar.
    let changes = [-50, -29, -9].map(|years| years * 31_556_952);
    for change in changes.into_iter().chain([63_072_000, 78_796_800, 1_483_228_800]) {
        for at in change - 300..change + 300 {
            let step = arc_seconds(at + 1, Model::True) - arc_seconds(at, Model::True);
            assert!((0.0..0.2).contains(&step), "@{at}: {step}");
        }
    }
}

/// The rule for the year as it is told of `chronos`: by the equinox that three steps from 20 March lead to.
#[test]
fn the_year_is_that_of_the_equinox_by_the_same_figures() {
    let signed = |at: f64| {
        let t = (2_440_587.5 + at / 86_400.0 - 2_451_545.0) / 36_525.0;
        let (sin, cos) = (|x: f64| x.to_radians().sin(), |x: f64| x.to_radians().cos());
        let l0 = 280.46646 + 36000.76983 * t + 0.0003032 * t * t;
        let m = 357.52911 + 35999.05029 * t - 0.0001537 * t * t;
        let c = (1.914602 - 0.004817 * t - 0.000014 * t * t) * sin(m)
            + (0.019993 - 0.000101 * t) * sin(2.0 * m)
            + 0.000289 * sin(3.0 * m);
        let p = 0.00134 * cos(153.23 + 22518.7541 * t)
            + 0.00154 * cos(216.57 + 45037.5082 * t)
            + 0.00200 * cos(312.69 + 32964.4670 * t)
            + 0.00179 * sin(350.74 + 445267.1142 * t)
            + 0.00178 * sin(231.19 + 20.20 * t);
        let place = l0 + c + p - 0.00569 - 0.00478 * sin(125.04 - 1934.136 * t);
        (place + 180.0).rem_euclid(360.0) - 180.0
    };
    for year in 1900..=2100 {
        let mut moment = unix(year, 3, 20, 0, 0, 0) as f64;
        for _ in 0..3 {
            moment -= signed(moment) / 360.0 * 365.2422 * 86_400.0;
        }
        // Where the equinox falls on a second itself, three steps may miss it by a part of one.
        let off = (equinox(year, Model::Chronos) as f64 - moment).abs();
        assert!(off <= 1.1, "{year}: {off} s");
        for month in 1..=12 {
            let at = unix(year, month, 15, 12, 0, 0);
            let expected = year + if (at as f64) < moment { 3_893 } else { 3_894 };
            assert_eq!(i64::from(stamp(at, Model::Chronos).year), expected, "{year}-{month}");
        }
    }
}

#[test]
fn moments_that_the_figures_are_not_good_for_are_refused() {
    for model in Model::ALL {
        for inside in [FIRST, LAST] {
            assert!(Stamp::at(inside, model).is_ok());
        }
        for outside in [FIRST - 1, LAST + 1, i64::MIN, i64::MAX] {
            assert_eq!(Stamp::at(outside, model).unwrap_err().code(), "stamp-out-of-range");
        }
    }
    let said = |at| Stamp::at(at, Model::Chronos).unwrap_err().to_string();
    assert_eq!(
        said(LAST + 1),
        "2101-01-01T00:00:00Z has no stamp. Name a moment from 1900-01-01 up to the end of 2100 (UTC)."
    );
    assert!(said(i64::MAX).starts_with("@9223372036854775807 has no stamp."));
    assert_eq!(civil(FIRST / 86_400), (1900, 1, 1));
}

const PISCES: Stamp = Stamp { year: 5919, sign: 12, degree: 5, minute: 4, second: 47 };

#[test]
fn every_form_is_cut_after_a_field() {
    let lines = PRECISIONS.map(|precision| Form::ALL.map(|form| PISCES.text(form, precision)).join("   "));
    assert_eq!(
        lines.join("\n").replace('\u{fe0e}', "_"),
        "5919AM   5919   5919 AM   5919\n\
         ♓_ 5919AM   5919.12   ♓_ | 5919 AM   591912\n\
         ♓_.5 5919AM   5919.12.5   ♓_5° | 5919 AM   59191205\n\
         ♓_.5.4 5919AM   5919.12.5.4   ♓_5°4' | 5919 AM   5919120504\n\
         ♓_.5.4.47 5919AM   5919.12.5.4.47   ♓_5°4'47\" | 5919 AM   591912050447"
    );
    assert_eq!(PISCES.to_string(), PISCES.text(Form::Line, Precision::Second));
}

#[test]
fn every_form_is_read_also_those_of_older_commits() {
    for text in [
        "♓\u{fe0e}.5.4.47 5919AM",
        "♓.5.4.47 5919AM",
        "  ♓.5.4.47 5919 AM\n",
        "5919.12.5.4.47",
        "solar: 5919.12.5.4.47",
        "solar: ♓\u{fe0e}5°4'47\" | 5919 AM",
        "♓5°4'47\" | 5919 AM",
        "♓5°4'47\"|5919AM",
        "591912050447",
        "5919.12.05.04.47",
    ] {
        assert_eq!(Stamp::parse(text), Ok(PISCES), "{text}");
    }
    let aries = Stamp { year: 5920, sign: 1, degree: 1, minute: 60, second: 60 };
    assert_eq!(Stamp::parse("♈\u{fe0e}.1.60.60 5920AM"), Ok(aries));
}

#[test]
fn what_cannot_be_is_told_by_its_name() {
    for (text, said) in [
        ("5919.12.5.61.47", "minute 61: counted from 1 to 60"),
        ("♓.5.4.0 5919AM", "second 0: counted from 1 to 60"),
        ("♓31°4'47\" | 5919 AM", "degree 31: counted from 1 to 30"),
        ("591913050447", "sign 13: counted from 1 to 12"),
        ("000012050447", "year 0: counted from 1 to 9999"),
        ("5919.12.5.400.47", "minute 400: counted from 1 to 60"),
    ] {
        assert_eq!(Stamp::parse(text).map_err(|bad| bad.to_string()), Err(said.to_owned()), "{text}");
    }
    for (field, precision) in PRECISIONS.iter().zip(["year", "sign", "degree", "minute"]) {
        for form in Form::ALL {
            let cut = PISCES.text(form, *field);
            let bad = Stamp::parse(&cut).unwrap_err();
            assert_eq!(bad, BadStamp::Cut { after: *field }, "{cut}");
            assert!(bad.to_string().starts_with(&format!("The stamp ends with its {precision}.")));
        }
    }
    for text in [
        "",
        "solar:",
        "model: x",
        "5919.12.5.4.47.1",
        "5919..5.4.47",
        "59191",
        "5919120504471",
        "+919.12.5.4.47",
        "♓",
        "♓\u{fe0e}\u{fe0e}.5.4.47 5919AM",
        "♓.5.4.47.1 5919AM",
        "♓.5.4.47 5919",
        "♓5.4.47 5919AM",
        "♓5°4'47 | 5919 AM",
        "⛎.5.4.47 5919AM",
        "５９１９.12.5.4.47",
        "99999.12.5.4.47",
    ] {
        assert_eq!(Stamp::parse(text), Err(BadStamp::NotOne), "{text}");
    }
    let long = format!("5919.12.5.4.47{}", " ".repeat(1_000_000));
    assert_eq!(Stamp::parse(&long), Err(BadStamp::TooLong { bytes: 1_000_014 }));
    let codes = ["x", "5919", "5919.13.1.1.1", &long].map(|text| Stamp::parse(text).unwrap_err().code());
    assert_eq!(codes, ["not-a-stamp", "stamp-cut", "stamp-field", "stamp-too-long"]);
}

#[test]
fn every_stamp_in_every_form_is_read_as_itself_and_nothing_that_is_like_one_breaks_the_reader() {
    let seed = 20_260_222;
    let mut random = Random::new(seed);
    let letters: Vec<char> = "0123456789.°'\"| AMsolar:♈♓⛎\u{fe0e}\u{fe0f}-+é\0".chars().collect();
    let mut read = 0;
    for round in 0..20_000 {
        let mut field = |high| u8::try_from(random.between(1, high)).unwrap();
        let (sign, degree, minute, second) = (field(12), field(30), field(60), field(60));
        let stamp = Stamp { year: i32::try_from(random.between(1, 9_999)).unwrap(), sign, degree, minute, second };
        for form in Form::ALL {
            let text = stamp.text(form, Precision::Second);
            for text in [text.clone(), text.replace('\u{fe0e}', ""), format!("solar: {text}")] {
                assert_eq!(Stamp::parse(&text), Ok(stamp), "{text} (seed {seed}, round {round})");
            }
            let mut mutated: Vec<char> = text.chars().collect();
            for _ in 0..random.between(1, 4) {
                let at = random.below(mutated.len() + 1);
                match random.below(3) {
                    0 => mutated.insert(at, random.pick(&letters)),
                    1 if at < mutated.len() => drop(mutated.remove(at)),
                    _ if at < mutated.len() => mutated[at] = random.pick(&letters),
                    _ => mutated.truncate(at),
                }
            }
            let mutated: String = mutated.into_iter().collect();
            // What is still read is in range, so that it is read as itself again.
            if let Ok(other) = Stamp::parse(&mutated) {
                read += 1;
                let again = Stamp::parse(&other.to_string());
                assert_eq!(again, Ok(other), "{mutated:?} (seed {seed}, round {round})");
            }
        }
    }
    assert!(read > 1_000, "only {read} of the mutated ones were read");
}

#[test]
fn stamps_sort_by_time_and_so_do_their_digits() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let (one, other) = (random.between(FIRST, LAST), random.between(FIRST, LAST));
        let (a, b) = (stamp(one, Model::Chronos), stamp(other, Model::Chronos));
        let digits = |stamp: Stamp| stamp.text(Form::Numeric, Precision::Second);
        assert_eq!(a.cmp(&b), digits(a).cmp(&digits(b)));
        if a != b {
            assert_eq!(a < b, one < other);
        }
    }
}

#[test]
fn models_are_known_by_their_names() {
    assert_eq!(Model::ALL.map(Model::name), ["chronos", "true"]);
    for model in Model::ALL {
        assert_eq!(Model::from_name(model.name()), Some(model));
    }
    assert_eq!(Model::from_name("True"), None);
}
