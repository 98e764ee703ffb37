//! How a run stands with its adapter, as a file in its folder: what a later host needs to go on in the middle.

/// What a later host needs to go on with a run in the middle.
pub(super) struct State {
    /// From here on what it says is heard anew.
    pub(super) offset: u64,
    /// What it has said in its turn until there.
    pub(super) turn: String,
    pub(super) adapter: Vec<u8>,
}

impl State {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut state = format!("{} {}\n", self.offset, self.turn.len()).into_bytes();
        state.extend_from_slice(self.turn.as_bytes());
        state.extend_from_slice(&self.adapter);
        state
    }

    pub(super) fn read(state: &[u8]) -> Option<Self> {
        let line = state.iter().position(|byte| *byte == b'\n')?;
        let (offset, turn) = std::str::from_utf8(&state[..line]).ok()?.split_once(' ')?;
        let (offset, turn) = (offset.parse().ok()?, turn.parse::<usize>().ok()?);
        let rest = &state[line + 1..];
        let (turn, adapter) = rest.split_at_checked(turn)?;
        Some(Self { offset, turn: std::str::from_utf8(turn).ok()?.to_owned(), adapter: adapter.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written_and_half_of_one_is_none() {
        let state = State { offset: 12, turn: "said ü\n".into(), adapter: b"{}\n".to_vec() };
        let written = state.write();
        let read = State::read(&written).expect("it was whole");
        assert_eq!((read.offset, read.turn, read.adapter), (state.offset, state.turn, state.adapter));
        for length in 0.."12 8\n".len() {
            assert!(State::read(&written[..length]).is_none(), "{length}");
        }
    }
}
