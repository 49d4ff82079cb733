//! Sentences that explain the tables of an estimate.

use derate_estimate::Estimate;
use derate_render::Block;

/// How to read the ladder: its steps, the design beside them, and what the figures are of.
const STEPS: &str = "Each column makes one correction to the one on its left";
const DESIGN: &str = ", but for the design: it uses the corrected roofs with the precision of [design], else of the claim, whatever the code stores, and with its own array and ports";
const WHOLE: &str = "The roofline time is of a whole inference, every kernel on its own unless the column names another schedule: no pass of that schedule takes less, a more fused one may. OI, ridge and bound are of the kernels that the claim models, unfused.";

/// The same where the workload is the 2-D weights alone.
const OF_WEIGHTS: &str = "The roofline time is of the 2-D weights alone, every kernel on its own; OI, ridge and bound are of the same kernels.";

/// What workload `linear` counts and what it leaves out.
pub(crate) const TWO_DIMENSIONAL: &str = "Workload `linear` counts each 2-D weight as one product over all tokens. Attention products, convolutions, norms, softmax and activations are not modelled and in no figure, and a layer that sees fewer tokens, such as a classifier's head, counts too much: this is not a whole inference.";

/// Why there is no table of fusion.
pub(crate) const NOT_FUSED: &str = "Fusion is not modelled for workload `linear`: shapes do not tell which kernel reads what another writes. Every kernel is counted as reading from external memory and writing there; what fusing would save is unknown.";

/// What does not follow the inputs.
pub(crate) const OWN_VALUES: &str = "In the workbook and on the page, figures that are formulas follow the inputs under Assumptions. Sentences, captions and findings do not: they state what derate computed for the project as it is.";

/// What a schedule fuses.
pub(crate) const SCHEDULES: &str = "Schedule epilogue: biases, activations and residuals work on the tile just made. Schedule attention: scores never leave the chip, too. Schedule block: a layer is one kernel. A group that does not fit is split.";

/// Where figures of fusion do not follow the inputs.
pub(crate) const FIXED: &str = "What is fused of this model is not known as formulas: these figures are as derate computed them and do not follow the inputs.";

/// How to read the ladder of this estimate.
pub(crate) fn ladder_notes(estimate: &Estimate) -> impl Iterator<Item = Block> {
    let own = estimate.design();
    let beside = if own.is_some() { DESIGN } else { "" };
    let of = if estimate.is_whole() { WHOLE } else { OF_WEIGHTS };
    let mut ladder = format!("{STEPS}{beside}. {of}");
    if own.is_none_or(|design| design.latency.is_none()) {
        ladder =
            format!("{ladder} A latency needs a design: an array under [design] in derate.toml.");
    }
    let partial = (!estimate.is_whole()).then(|| TWO_DIMENSIONAL.to_owned());
    std::iter::once(ladder).chain(partial).map(Block::Prose)
}
