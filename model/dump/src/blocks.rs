//! Block formats of GGUF: numbers that share scales, so that only whole blocks have a size.

/// Bytes and elements of one block: `block_q4_0` and its like in ggml-common.h.
const BLOCKS: [(&str, u64, u64); 11] = [
    ("q4_0", 18, 32),
    ("q4_1", 20, 32),
    ("q5_0", 22, 32),
    ("q5_1", 24, 32),
    ("q8_0", 34, 32),
    ("q2_k", 84, 256),
    ("q3_k", 110, 256),
    ("q4_k", 144, 256),
    ("q5_k", 176, 256),
    ("q6_k", 210, 256),
    ("q8_k", 292, 256),
];

fn find_block(dtype: &str) -> Option<(u64, u64)> {
    let dtype = dtype.to_ascii_lowercase();
    BLOCKS.iter().find(|(name, ..)| *name == dtype).map(|(_, bytes, elements)| (*bytes, *elements))
}

/// Whether a dtype is a block format of known size.
pub fn is_block_format(dtype: &str) -> bool {
    find_block(dtype).is_some()
}

/// Bytes of so many elements in that format; `None` for another dtype, and where a block would not be whole.
pub(super) fn block_bytes(dtype: &str, elements: u64) -> Option<u64> {
    let (bytes, per_block) = find_block(dtype)?;
    let whole = elements.is_multiple_of(per_block);
    (elements / per_block).checked_mul(bytes).filter(|_| whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_blocks_have_a_size() {
        assert_eq!(block_bytes("q4_0", 288 * 768), Some(124_416));
        assert_eq!(block_bytes("Q6_K", 288 * 32_000), Some(7_560_000));
        assert_eq!(
            (block_bytes("q8_0", 33), block_bytes("iq4_nl", 32), block_bytes("f16", 32)),
            (None, None, None)
        );
        assert_eq!(block_bytes("q8_0", u64::MAX - 31), None);
    }
}
