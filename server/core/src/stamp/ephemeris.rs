//! The true Sun: its apparent geocentric longitude, of the true equinox of date. VSOP87D for the Earth, the IAU 1980
//! nutation, aberration, and the difference between UTC and the uniform time that these count in. Against ERFA (`epv00`,
//! `pnm06a`) the terms that are kept stay within 0.07″ from 1900 to 2100.

mod terms;

use super::centuries;
use terms::{L0, L1, L2, NUTATION, R0, R1, Term};

/// VSOP87's equinox against that of the FK5, in seconds of arc.
const TO_FK5: f64 = -0.09033;
/// What the precession that is in VSOP87D is too much in a century, by the IAU 2000 precession. Without it the Sun of
/// 2100 would be 0.3″ off.
const PRECESSION_A_CENTURY: f64 = -0.29965;
/// Aberration at the distance of one astronomical unit.
const ABERRATION: f64 = -20.4898;

/// Degrees, not brought into the circle.
pub(super) fn longitude(unix_seconds: i64) -> f64 {
    let t = centuries((unix_seconds as f64 + ahead_of_utc(unix_seconds)) / 86_400.0);
    let millennia = t / 10.0;
    let earth = sum(L0, millennia) + millennia * (sum(L1, millennia) + millennia * sum(L2, millennia));
    let distance = sum(R0, millennia) + millennia * sum(R1, millennia);
    let arc_seconds = TO_FK5 + PRECESSION_A_CENTURY * t + ABERRATION / distance + nutation(t);
    earth.to_degrees() + 180.0 + arc_seconds / 3_600.0
}

fn sum(terms: &[Term], millennia: f64) -> f64 {
    terms.iter().map(|(amplitude, phase, frequency)| amplitude * (phase + frequency * millennia).cos()).sum()
}

/// The nutation in longitude, in seconds of arc.
fn nutation(t: f64) -> f64 {
    let elongation = 297.85036 + 445_267.111_480 * t - 0.0019142 * t * t + t * t * t / 189_474.0;
    let sun = 357.52772 + 35_999.050_340 * t - 0.0001603 * t * t - t * t * t / 300_000.0;
    let moon = 134.96298 + 477_198.867_398 * t + 0.0086972 * t * t + t * t * t / 56_250.0;
    let latitude = 93.27191 + 483_202.017_538 * t - 0.0036825 * t * t + t * t * t / 327_270.0;
    let node = 125.04452 - 1_934.136_261 * t + 0.0020708 * t * t + t * t * t / 450_000.0;
    let arguments = [elongation, sun, moon, latitude, node];
    let of_term = |(multiples, at_2000, a_century): &([f64; 5], f64, f64)| {
        let argument: f64 = multiples.iter().zip(arguments).map(|(multiple, argument)| multiple * argument).sum();
        (at_2000 + a_century * t) * argument.to_radians().sin()
    };
    NUTATION.iter().map(of_term).sum::<f64>() / 10_000.0
}

/// The seconds of UTC that were put in since 1972: from when (seconds since 1970), and how many seconds atomic time was
/// ahead from then on. None has been announced since 2017, and by the resolution of the CGPM of 2022 there are to be none
/// for a century from 2035 at the latest, so what is last here is taken for all that follows. Should another be put in,
/// the Sun moves 0.04″ in it.
const LEAPS: [(i64, f64); 28] = [
    (63_072_000, 10.0),
    (78_796_800, 11.0),
    (94_694_400, 12.0),
    (126_230_400, 13.0),
    (157_766_400, 14.0),
    (189_302_400, 15.0),
    (220_924_800, 16.0),
    (252_460_800, 17.0),
    (283_996_800, 18.0),
    (315_532_800, 19.0),
    (362_793_600, 20.0),
    (394_329_600, 21.0),
    (425_865_600, 22.0),
    (489_024_000, 23.0),
    (567_993_600, 24.0),
    (631_152_000, 25.0),
    (662_688_000, 26.0),
    (709_948_800, 27.0),
    (741_484_800, 28.0),
    (773_020_800, 29.0),
    (820_454_400, 30.0),
    (867_715_200, 31.0),
    (915_148_800, 32.0),
    (1_136_073_600, 33.0),
    (1_230_768_000, 34.0),
    (1_341_100_800, 35.0),
    (1_435_708_800, 36.0),
    (1_483_228_800, 37.0),
];

/// How many seconds Terrestrial Time is ahead of UTC. Before 1972, when UTC (or what was used for it) followed the turning
/// Earth, by the polynomials of Espenak and Meeus for ΔT, which are good to some tenths of a second.
fn ahead_of_utc(unix_seconds: i64) -> f64 {
    let leap = LEAPS.iter().rev().find(|(from, _)| *from <= unix_seconds);
    if let Some((_, atomic)) = leap {
        return atomic + 32.184;
    }
    let year = 1_970.0 + unix_seconds as f64 / 31_556_952.0;
    if year < 1_920.0 {
        let t = year - 1_900.0;
        -2.79 + t * (1.494119 + t * (-0.0598939 + t * (0.0061966 - t * 0.000197)))
    } else if year < 1_941.0 {
        let t = year - 1_920.0;
        21.20 + t * (0.84493 + t * (-0.076100 + t * 0.0020936))
    } else if year < 1_961.0 {
        let t = year - 1_950.0;
        29.07 + t * (0.407 + t * (-1.0 / 233.0 + t / 2_547.0))
    } else {
        let t = year - 1_975.0;
        45.45 + t * (1.067 + t * (-1.0 / 260.0 - t / 718.0))
    }
}
