//! What LUT and FF a thing of a module costs, as the tool's report counts and after place and route.

use serde::Deserialize;

/// The weights of LUT and FF.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    pub(crate) lut: Weights,
    pub(crate) ff: Weights,
    pub(crate) lut_routed: Weights,
    pub(crate) ff_routed: Weights,
    pub(crate) band: Band,
}

/// The truth is between the value divided and the value multiplied by these in nine of ten designs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Band {
    pub(crate) lut: (f64, f64),
    pub(crate) ff: (f64, f64),
}

/// What one of each costs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Weights {
    /// A LUT of the table of expressions.
    pub(crate) expression: f64,
    /// A value that goes round a loop.
    pub(crate) carried: f64,
    /// An input of a choice between banks.
    pub(crate) choice: f64,
    /// A module.
    pub(crate) module: f64,
    /// A pipeline.
    pub(crate) pipeline: f64,
    /// An array of the interface.
    pub(crate) port: f64,
    /// A scalar of the interface.
    pub(crate) scalar: f64,
    /// 32 bits that are read from a memory, at each place.
    pub(crate) read: f64,
    /// A bit that is kept between states.
    pub(crate) register: f64,
    /// A bit that is kept for one more iteration of a pipeline.
    pub(crate) delay: f64,
    /// A bit of a word in which a lane is found.
    pub(crate) shift: f64,
    /// A state.
    pub(crate) state: f64,
    /// A LUT of the choices of what a shared operator gets.
    pub(crate) operand: f64,
    /// A bit of a divider of whole numbers.
    pub(crate) divider: f64,
    /// The kernel itself.
    pub(crate) start: f64,
    pub(crate) add16: f64,
    pub(crate) mul16: f64,
    pub(crate) add32: f64,
    pub(crate) mul32: f64,
    pub(crate) div32: f64,
    pub(crate) compare32: f64,
    pub(crate) add64: f64,
    pub(crate) mul64: f64,
    pub(crate) div64: f64,
    pub(crate) compare64: f64,
    pub(crate) convert: f64,
    pub(crate) math32: f64,
    pub(crate) math64: f64,
    /// A bus.
    pub(crate) bus: f64,
}
