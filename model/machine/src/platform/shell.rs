use super::Resources;
use derate_units::Figure;

/// What the shell leaves to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// The platform's name.
    pub name: String,
    /// DSP slices left, where that is published.
    pub dsp: Option<Figure<f64>>,
    /// Logic and memory blocks left.
    pub resources: Resources,
}
