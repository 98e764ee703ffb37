//! The Sun of the `chronos` program. Stamps have to be the same as its own to the second, so these are its figures as
//! they are; nothing here makes them better. The time is UTC as if it were uniform.

use super::centuries;

/// Degrees, not brought into the circle.
pub(super) fn longitude(unix_seconds: i64) -> f64 {
    let t = centuries(unix_seconds as f64 / 86_400.0);
    let sin = |degrees: f64| degrees.to_radians().sin();
    let cos = |degrees: f64| degrees.to_radians().cos();
    let mean_longitude = 280.46646 + 36000.76983 * t + 0.0003032 * t * t;
    let anomaly = 357.52911 + 35999.05029 * t - 0.0001537 * t * t;
    let centre = (1.914602 - 0.004817 * t - 0.000014 * t * t) * sin(anomaly)
        + (0.019993 - 0.000101 * t) * sin(2.0 * anomaly)
        + 0.000289 * sin(3.0 * anomaly);
    let perturbations = 0.00134 * cos(153.23 + 22518.7541 * t)
        + 0.00154 * cos(216.57 + 45037.5082 * t)
        + 0.00200 * cos(312.69 + 32964.4670 * t)
        + 0.00179 * sin(350.74 + 445267.1142 * t)
        + 0.00178 * sin(231.19 + 20.20 * t);
    mean_longitude + centre + perturbations - 0.00569 - 0.00478 * sin(125.04 - 1934.136 * t)
}
