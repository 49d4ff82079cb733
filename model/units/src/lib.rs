//! Quantities with their units, where a figure comes from, number formats and the roofline.
//!
//! A leaf: no other room of derate is below. [`Precision`] is the format of one number, [`Encoding`] that of a tensor with its
//! scales, [`Mixture`] says which encoding weights, activations and caches have.
//!
//! ```
//! use derate_units::{BytesPerSecond, OpsPerByte, OpsPerSecond, Roofline};
//!
//! let card = Roofline { peak: OpsPerSecond(5.41e12), bandwidth: BytesPerSecond(460e9) };
//! assert!((card.ridge().0 - 11.76).abs() < 0.01);
//! assert_eq!(card.attainable(OpsPerByte(2.0)), OpsPerSecond(920e9));
//! ```

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
pub use provenance::{Figure, NOT_MEASURED, Provenance};
pub use rate_figure::RateFigure;
pub use roofline::{Bound, Roofline};
pub use units::{
    Bytes, BytesPerSecond, Cycles, Hertz, Ops, OpsPerByte, OpsPerSecond, Quantity, Seconds, Watts,
};
