//! Metrics: figures that an agent gives about its work. The common ones are known by name and have a unit; all others
//! are kept as they are.

/// One figure, as text: agents write `82%`, `about 40` and `n/a`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    pub name: String,
    pub value: String,
}

impl Metric {
    #[must_use]
    pub fn known(&self) -> Option<KnownMetric> {
        KnownMetric::from_name(&self.name)
    }

    /// The value as a number, where it is a plain one. The sign of a known metric's own unit may stand behind it.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        let sign = self.known().and_then(|known| known.unit().sign());
        let bare = sign.and_then(|sign| self.value.strip_suffix(sign)).unwrap_or(&self.value).trim_end();
        // Rust reads words like `infinity` and `nan` as numbers, which are no measurements.
        let is_plain = bare.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
        bare.parse().ok().filter(|number: &f64| is_plain && number.is_finite())
    }
}

/// The metrics that all agents should report where they have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownMetric {
    FilesScanned,
    ViolationsFound,
    ViolationsFixed,
    TestsGenerated,
    CoveragePercent,
    ComplexityScore,
    FilesModified,
    TimeSeconds,
}

/// What a known metric counts or measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Files,
    Violations,
    TestFiles,
    Percent,
    /// An average without a unit of its own.
    Score,
    Seconds,
}

impl KnownMetric {
    pub const ALL: [Self; 8] = [
        Self::FilesScanned,
        Self::ViolationsFound,
        Self::ViolationsFixed,
        Self::TestsGenerated,
        Self::CoveragePercent,
        Self::ComplexityScore,
        Self::FilesModified,
        Self::TimeSeconds,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FilesScanned => "files_scanned",
            Self::ViolationsFound => "violations_found",
            Self::ViolationsFixed => "violations_fixed",
            Self::TestsGenerated => "tests_generated",
            Self::CoveragePercent => "coverage_percent",
            Self::ComplexityScore => "complexity_score",
            Self::FilesModified => "files_modified",
            Self::TimeSeconds => "time_seconds",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    #[must_use]
    pub fn unit(self) -> Unit {
        match self {
            Self::FilesScanned | Self::FilesModified => Unit::Files,
            Self::ViolationsFound | Self::ViolationsFixed => Unit::Violations,
            Self::TestsGenerated => Unit::TestFiles,
            Self::CoveragePercent => Unit::Percent,
            Self::ComplexityScore => Unit::Score,
            Self::TimeSeconds => Unit::Seconds,
        }
    }
}

impl Unit {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Violations => "violations",
            Self::TestFiles => "test files",
            Self::Percent => "percent",
            Self::Score => "score",
            Self::Seconds => "seconds",
        }
    }

    /// What people write behind a number in this unit.
    fn sign(self) -> Option<&'static str> {
        match self {
            Self::Percent => Some("%"),
            Self::Seconds => Some("s"),
            Self::Files | Self::Violations | Self::TestFiles | Self::Score => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_metrics_are_known_with_their_units() {
        for (name, unit) in [
            ("files_scanned", "files"),
            ("violations_found", "violations"),
            ("violations_fixed", "violations"),
            ("tests_generated", "test files"),
            ("coverage_percent", "percent"),
            ("complexity_score", "score"),
            ("files_modified", "files"),
            ("time_seconds", "seconds"),
        ] {
            assert_eq!(KnownMetric::from_name(name).map(|known| known.unit().word()), Some(unit), "{name}");
        }
        assert_eq!(KnownMetric::from_name("coffee_cups"), None);
    }

    #[test]
    fn a_value_is_a_number_only_where_it_plainly_is_one() {
        for (name, value, number) in [
            ("files_scanned", "42", Some(42.0)),
            ("coverage_percent", "82.5 %", Some(82.5)),
            ("time_seconds", "12s", Some(12.0)),
            ("complexity_score", "-0.5", Some(-0.5)),
            ("files_scanned", "42%", None),
            ("coffee_cups", "3", Some(3.0)),
            ("files_scanned", "about 40", None),
            ("files_scanned", "inf", None),
            ("files_scanned", "NaN", None),
            ("files_scanned", "1e400", None),
            ("files_scanned", "", None),
        ] {
            let metric = Metric { name: name.to_owned(), value: value.to_owned() };
            assert_eq!(metric.number(), number, "{name} {value}");
        }
    }
}
