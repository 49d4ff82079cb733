use std::fmt::Write;

use derate_model::gemm_time::{ErrorBand, FittedFile, ThreeConstants};

use super::timings::{Set, sets};

const TOP: &str = "
## GEMM on GPUs

Made from `fixtures/gpu_gemm`: timings of whole calls that others published, and constants that `make fit` fits to them. Errors are
those on shapes left out: every other shape is given constants that were fitted on the rest, so that no timing of a shape is ever on
both sides. `model/predict/gemm_constants.toml` has the constants, fitted on all rows for use and on each half for this page.
The form of the model was *chosen here*, while all rows were looked at: only its constants are held out, so that shapes that nobody
looked at may be met a little worse.

*Roofline* is `max(2 m n k / peak, bytes / bandwidth)`; *three constants* fits two efficiencies and a launch to it, by the same
measure; *ours* is the model of tiles and caches in `model/src/gemm_time.rs`. Each has mean, median and p90.

| device | arithmetic | rows | framework | roofline | three constants | ours |
|---|---|--:|---|--:|--:|--:|
";

fn band(band: &ErrorBand) -> String {
    let ErrorBand { mean, half, nine_tenths, .. } = band;
    let [mean, half, nine_tenths] = [mean, half, nine_tenths].map(|share| share * 100.0);
    format!("{mean:.1} / {half:.1} / {nine_tenths:.1} %")
}

/// The errors of the roofline itself, which has nothing to fit.
fn roofline(set: &Set) -> ErrorBand {
    let elements = set.conditions.elements;
    let off = |timing: &derate_model::gemm_time::GemmTiming| {
        let time = ThreeConstants::ROOFLINE.model_time(timing.product, &elements, &set.machine);
        (time / timing.time - 1.0).abs()
    };
    ErrorBand::of(set.timings.iter().map(off).collect()).unwrap()
}

const REMARKS: &str = "
What the timings hold besides the product. A100: SGLang 0.5.10; H100, H200 and L40S: vLLM 0.24.0; all by way of aiconfigurator-core
0.12.0. Calls there take turns with several copies of the weights, six as the L40S with its large cache shows, while activations are
used again. FP8 calls quantise the activations row by row, which products with 32 columns show plainly. T4 and V100 are DeepBench's:
the same matrices every time, as they are and transposed, which the model does not tell apart, so two timings of a shape set a floor
under its error.

Shares of peak and bandwidth are bounded by 1, so no device is quicker than its sheet. Where a fit would go higher without the bound,
the launch or the cache takes its place; `tile`, `edge` and `compute` can partly replace one another, so they are not measurements of
the device one by one. Libraries choose tiles by rules of their own: FP8 ones take large tiles and do not share contractions out, and
on the L40S some middling widths take twice what their neighbours do, which the model does not follow.
";

/// The section of the page.
pub(crate) fn section() -> String {
    let file = FittedFile::embedded().unwrap();
    let mut text = TOP.to_owned();
    let sets = sets();
    for set in &sets {
        let fitted = file.of(&set.device, &set.arithmetic).unwrap();
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            set.device,
            set.arithmetic,
            fitted.rows,
            fitted.framework,
            band(&roofline(set)),
            band(&fitted.three_left_out),
            band(&fitted.left_out),
        )
        .unwrap();
    }
    text += "\nOurs by what most of the modelled time is, which is the band that a prediction gets; regions of fewer than ten rows take \
             that of all.\n\n| device | arithmetic | region | rows | mean / median / p90 |\n|---|---|---|--:|--:|\n";
    for fitted in &file.fit {
        for region in &fitted.region {
            writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                fitted.device,
                fitted.arithmetic,
                region.of,
                region.band.rows,
                band(&region.band)
            )
            .unwrap();
        }
    }
    text += "\nA GPU without timings in an arithmetic that others have borrows three constants from them. The errors are those on each device\n\
             of constants fitted on the others. In any other arithmetic (TF32, FP4, INT8 but on the T4) the time is unknown, and so is that\n\
             of a product outside of the extents that were timed.\n\n| arithmetic | from | compute | memory | launch | mean / median / p90 |\n|---|---|--:|--:|--:|--:|\n";
    for borrowed in &file.borrowed {
        let arithmetic = borrowed.arithmetic.join(", ");
        let ThreeConstants { compute, memory, launch } = borrowed.three;
        writeln!(
            text,
            "| {arithmetic} | {} | {:.0} % | {:.0} % | {launch:.1} us | {} |",
            borrowed.sets.join(", "),
            100.0 * compute,
            100.0 * memory,
            band(&borrowed.left_out)
        )
        .unwrap();
    }
    text + REMARKS
}
