//! A memory behind an `m_axi` port: which bus carries it, and what was asked of the bus.

/// What is known of an array behind a bus.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bus {
    /// The name of the bus; empty until the buses are linked, where no pragma gives it.
    pub(crate) bundle: String,
    /// The first storage on the same bus.
    pub(crate) master: usize,
    /// The first storage of the same parameter: the members of a struct travel together.
    pub(crate) port: usize,
    /// Bits of one element, with all members.
    pub(crate) bits: u64,
    /// `latency`: cycles that memory is expected to take.
    pub(crate) latency: Option<u64>,
    /// `max_widen_bitwidth`: up to here elements side by side share a beat.
    pub(crate) widen: Option<u64>,
    /// `max_read_burst_length`: beats of one request.
    pub(crate) burst_length: Option<u64>,
    /// `num_read_outstanding`: requests under way at once.
    pub(crate) outstanding: Option<u64>,
}

impl Bus {
    /// Beats that one element takes: one whose bytes are not a power of two lies across two words.
    pub(crate) fn beats(&self) -> u64 {
        let bytes = self.bits.div_ceil(8).max(1);
        if self.bits > 64 && !bytes.is_power_of_two() { 2 } else { 1 }
    }
}

/// What a beat carries: the bus and its bank, the direction, the parameter and the place in it.
pub(crate) type Beat = (usize, u64, bool, usize, Vec<super::Linear>);

#[cfg(test)]
mod tests {
    use super::*;

    /// Published: a struct of six integers, 24 bytes, is read every second cycle.
    #[test]
    fn an_element_across_two_words_takes_two_beats() {
        let bits = |bits| Bus { bits, ..Bus::default() }.beats();
        assert_eq!((bits(192), bits(32), bits(512), bits(24)), (2, 1, 1, 1));
    }
}
