//! What the result of an operator must be, and how far it may be off.

mod element;
mod gelu;
mod numbers;
mod product;
mod rounding;
mod worst;

pub use element::Element;
pub(crate) use gelu::{GELU_SLOPE, exact_gelu, exact_gelu_slope, gelu_scale};
pub(crate) use numbers::Numbers;
pub(crate) use product::exact_product;
pub use product::{Oracle, unit_roundoff};
pub use rounding::Rounding;
pub(crate) use worst::Worst;
