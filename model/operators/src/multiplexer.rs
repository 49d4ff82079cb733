//! LUT of a multiplexer.

/// Inputs, and LUT of as many, as the tables of multiplexers in published reports of 2020.1 to 2023.2 have them (56,000 rows;
/// the width of the inputs does not count). Switches between banks, `mux` and `sparsemux`, have the same.
const TABLE: [(f64, f64); 21] = [
    (1.0, 0.0),
    (2.0, 9.0),
    (3.0, 14.0),
    (4.0, 20.0),
    (5.0, 26.0),
    (6.0, 31.0),
    (7.0, 37.0),
    (8.0, 43.0),
    (9.0, 49.0),
    (10.0, 54.0),
    (12.0, 65.0),
    (16.0, 65.0),
    (17.0, 81.0),
    (24.0, 118.0),
    (29.0, 145.0),
    (33.0, 152.0),
    (64.0, 273.0),
    (88.0, 429.0),
    (129.0, 678.0),
    (256.0, 1362.0),
    (490.0, 2578.0),
];

/// LUT of a multiplexer of so many inputs; between the rows of the table, and beyond them, on a line.
#[must_use]
pub fn multiplexer_lut(inputs: f64) -> f64 {
    if inputs <= 1.0 {
        return 0.0;
    }
    let above = TABLE.partition_point(|row| row.0 < inputs).min(TABLE.len() - 1);
    let (low, high) = (TABLE[above - 1], TABLE[above]);
    low.1 + (high.1 - low.1) * (inputs - low.0) / (high.0 - low.0)
}

#[cfg(test)]
mod tests {
    use super::multiplexer_lut;

    #[test]
    fn rows_of_the_table_are_met() {
        for (inputs, lut) in [(1.0, 0.0), (2.0, 9.0), (5.0, 26.0), (16.0, 65.0), (256.0, 1362.0)] {
            assert!((multiplexer_lut(inputs) - lut).abs() < 1e-9, "{inputs}");
        }
        // Reports have 1006 for 190 inputs.
        assert!((multiplexer_lut(190.0) - 1006.0).abs() < 12.0);
        assert!(multiplexer_lut(1000.0) > 4.0 * multiplexer_lut(256.0) * 0.9);
    }
}
