use derate_model::design::stage_cycles;

use super::csv::{Record, read};
use super::{Errors, Part, Row, Standing};

/// Read off the same counts, which are 4 or 5 above the product: the reports' own depth is not published.
const DEPTH: u64 = 5;

/// One multiply-add for each tile and iteration: `floor(M / a) x floor(N / b) x K` iterations.
fn product_cycles(r: &Record) -> f64 {
    let tiles =
        (r.count("rows") / r.count("tile_rows")) * (r.count("columns") / r.count("tile_columns"));
    stage_cycles(tiles * r.count("inner"), 1, 1, DEPTH).0
}

pub(crate) fn part() -> Part {
    let records = read("tiled_mlp.csv");
    let pairs: Vec<(f64, f64)> =
        records.iter().map(|r| (product_cycles(r), r.number("cycles"))).collect();
    Part {
        title: "Kernels described as stages",
        rows: vec![Row {
            set: "products of a tiled MLP".to_owned(),
            model: "floor(M / a) x floor(N / b) x K + 5",
            standing: Standing::Chosen,
            errors: Errors::of(&pairs),
            source: "csynth of one public repository",
        }],
        remarks: vec![
            "Each is one `[[kernel.stage]]` with `ii = 1` and `multiply_adds = 1`: the kernel multiplies one lane of each tile, \
             so the counts say how long it runs and not that it does the product. `design/work` says that."
                .to_owned(),
        ],
    }
}

/// What the page may not fall below.
pub(crate) fn check(part: &Part) {
    let errors = &part.rows[0].errors;
    assert!(errors.count == 32 && errors.max < 0.02, "{errors:?}");
}
