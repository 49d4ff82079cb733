//! The parts that documents of this crate share: appendices and a subtitle.

use derate_estimate::Analysis;
use derate_measure::points::MeasuredPoint;
use derate_render::{Block, Section};
use derate_units::NOT_MEASURED;

/// A section that is looked up rather than read.
pub(crate) fn new_appendix(name: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { appendix: true, ..Section::new(name, title, blocks) }
}

/// How a subtitle says that something was measured.
const MEASURED_APART: &str = "modelled; what was measured is separate";

/// What was analysed, on which card, and whether anything was measured.
pub(crate) fn write_subtitle(analysis: &Analysis, points: &[MeasuredPoint]) -> String {
    let recorded = !analysis.recordings.is_empty() || !analysis.times.is_empty();
    let measured = if recorded || !points.is_empty() { MEASURED_APART } else { NOT_MEASURED };
    // That mode is nobody's model: the name of the dump says more.
    let workload = match analysis.workload.name() {
        "linear" => {
            let dump = analysis.project.model.shapes.as_ref().map_or("a model", |path| &path.value);
            format!("linear layers of {}", dump.rsplit(['/', '\\']).next().unwrap_or(dump))
        }
        name => name.to_owned(),
    };
    format!("{workload} on {}, batch {}; {measured}", analysis.platform.title, analysis.batch())
}
