use super::Resources;
use derate_units::Figure;

/// A super logic region of the chip: the most that a design may use of it. All of the region where what the shell takes of
/// it is not published.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Its name, as in `slr=` of a v++ configuration: `SLR0`.
    pub name: String,
    /// DSP slices.
    pub dsp: Option<Figure<f64>>,
    /// Logic and memory blocks.
    pub resources: Resources,
}
