//! How far something has come, as a percent and as a bar. The bar rounds up, so that a beginning is seen; the percent
//! rounds down, so that 100 is said of nothing but all.

const CELLS: u64 = 10;

/// So many of so many. Plans in the wild count more done than there are; that is all of them, never more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub done: u32,
    pub total: u32,
}

impl Progress {
    #[must_use]
    pub fn percent(&self) -> u32 {
        u32::try_from(self.capped() * 100 / self.whole()).expect("at most a hundred")
    }

    /// Ten cells.
    #[must_use]
    pub fn bar(&self) -> String {
        let filled = (self.capped() * CELLS).div_ceil(self.whole());
        (0..CELLS).map(|cell| if cell < filled { '█' } else { '░' }).collect()
    }

    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.total > 0 && self.done >= self.total
    }

    /// `11/14`
    pub(super) fn fraction(&self) -> String {
        format!("{}/{}", self.done, self.total)
    }

    fn capped(&self) -> u64 {
        u64::from(self.done.min(self.total))
    }

    fn whole(&self) -> u64 {
        u64::from(self.total.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_rounds_up_and_the_percent_down() {
        for (done, total, percent, bar) in [
            (0, 14, 0, "░░░░░░░░░░"),
            (1, 1000, 0, "█░░░░░░░░░"),
            (9, 20, 45, "█████░░░░░"),
            (12, 20, 60, "██████░░░░"),
            (11, 14, 78, "████████░░"),
            (93, 100, 93, "██████████"),
            (999, 1000, 99, "██████████"),
            (14, 14, 100, "██████████"),
            (15, 14, 100, "██████████"),
            (0, 0, 0, "░░░░░░░░░░"),
            (3, 0, 0, "░░░░░░░░░░"),
            (u32::MAX - 1, u32::MAX, 99, "██████████"),
        ] {
            let progress = Progress { done, total };
            assert_eq!((progress.percent(), progress.bar().as_str()), (percent, bar), "{done} of {total}");
            assert_eq!(progress.is_complete(), percent == 100, "{done} of {total}");
        }
    }
}
