//! Lines that occur exactly once on each side of a box, the longest series of them that is in the same order on both:
//! what people see as "the same place" (the idea of Bram Cohen's patience diff).

/// Where a line was seen in a box, on one side.
#[derive(Clone, Copy, Default, PartialEq)]
enum Seen {
    #[default]
    Never,
    Once(u32),
    Often,
}

impl Seen {
    fn again(&mut self, at: usize) {
        *self = match (*self, u32::try_from(at)) {
            (Self::Never, Ok(at)) => Self::Once(at),
            (Self::Never, Err(_)) | (Self::Once(_) | Self::Often, _) => Self::Often,
        };
    }
}

/// Room for counting, kept from box to box. All of it is `Never` between calls.
pub(crate) struct Anchors {
    seen: Vec<(Seen, Seen)>,
}

impl Anchors {
    pub(crate) fn new(distinct: usize) -> Self {
        Self { seen: vec![(Seen::Never, Seen::Never); distinct] }
    }

    /// Pairs of places in `before` and `after`, both growing.
    pub(crate) fn find(&mut self, before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
        for (at, number) in before.iter().enumerate() {
            self.seen[*number as usize].0.again(at);
        }
        for (at, number) in after.iter().enumerate() {
            self.seen[*number as usize].1.again(at);
        }
        let mut unique = Vec::new();
        for (at, number) in before.iter().enumerate() {
            if let (Seen::Once(_), Seen::Once(there)) = self.seen[*number as usize] {
                unique.push((at, there as usize));
            }
        }
        for number in before.iter().chain(after) {
            self.seen[*number as usize] = (Seen::Never, Seen::Never);
        }
        longest_growing(&unique)
    }
}

/// The longest series whose second places grow; the first ones do already.
fn longest_growing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]` is the pair that ends the series of length n + 1 with the smallest second place.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, there)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *there);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut series = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        series.push(pairs[at]);
        next = previous[at];
    }
    series.reverse();
    series
}
