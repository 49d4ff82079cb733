use crate::oracle::Element;
use derate_emulate::emulator::ExpectedTraffic;

/// Bytes of a word: rows start at one.
pub(super) const WORD: u64 = 64;

/// What a matrix kernel keeps on chip, and what it multiplies in a cycle.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Tile {
    /// Rows of the result.
    pub m: u64,
    /// Columns of the result.
    pub n: u64,
    /// Terms of each sum before the next part is loaded.
    pub k: u64,
    /// Columns in a cycle.
    pub lanes: u64,
    /// Terms in a cycle.
    pub depth: u64,
}

impl Tile {
    /// That of `hls/kernels/gemm.h`. A lies in panels of `k` columns, B and C in panels of `n`.
    pub const OURS: Self = Self { m: 64, n: 64, k: 256, lanes: 16, depth: 4 };
}

/// Words that a row takes.
pub(super) fn row_words(elements: u64, bytes: u64) -> u64 {
    (elements * bytes).div_ceil(WORD)
}

/// The traffic of an `m x k` times `k x n` product by its tiles: A is read once for each column of tiles, B once for each row
/// of tiles, C is written once. Padding counts, as it is moved, too.
#[expect(clippy::many_single_char_names, reason = "matrices and their extents have these names")]
pub fn expected_traffic(element: Element, m: u64, n: u64, k: u64) -> Vec<ExpectedTraffic> {
    let Tile { m: high, n: wide, .. } = Tile::OURS;
    let a = n.div_ceil(wide) * m * row_words(k, element.bytes()) * WORD;
    let b = m.div_ceil(high) * k * row_words(n, element.bytes()) * WORD;
    let c = m * row_words(n, element.result_bytes()) * WORD;
    [("a", a, 0), ("b", b, 0), ("c", 0, c)]
        .map(|(argument, read, written)| ExpectedTraffic {
            argument: argument.to_owned(),
            read,
            written,
        })
        .into()
}
