//! Quantities with their units, where a figure comes from, number formats and the roofline.

pub mod axes;
pub mod command;
mod encoding;
pub mod figures;
pub mod json;
mod mixture;
pub mod number;
mod precision;
mod provenance;
pub mod quantity;
mod rate_figure;
mod roofline;
mod units;

pub use encoding::{Encoding, Extra, Per};
pub use mixture::Mixture;
pub use precision::{ElementFormat, Precision};
pub use provenance::{Figure, Provenance};
pub use rate_figure::RateFigure;
pub use roofline::{Bound, Roofline};
pub use units::{
    Bytes, BytesPerSecond, Cycles, Hertz, Ops, OpsPerByte, OpsPerSecond, Quantity, Seconds, Watts,
};
