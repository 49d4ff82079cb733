//! The table of operators: delays, latencies, LUT, FF and DSP slices by type, width, clock, part and version of the tool.
//!
//! ```
//! use derate_machine::find_part;
//! use derate_operators::Settings;
//!
//! // A sum of two `float` at 10 ns on UltraScale+ takes three cycles and two DSP slices.
//! let part = find_part("xczu9eg").ok_or("the catalogue has it")?;
//! let sum = Settings::new(part, 10.0, (2022, 1)).float("add", 32);
//! assert_eq!((sum.latency, sum.dsp), (3, 2));
//! # Ok::<(), &str>(())
//! ```

mod area;
mod binding;
mod busy;
mod cause;
mod conditions;
mod constants;
mod multiplexer;
mod settings;
mod span;
mod timing;
mod waits;
mod weights;
mod whole;

pub use area::{Area, Band};
pub use binding::{Binding, Build};
pub use busy::Operators;
pub use cause::Cause;
pub use constants::{BusCycles, Constants, ConstantsError, FloatOperator};
pub use multiplexer::multiplexer_lut;
pub use settings::{DEFAULT_TOOL, Settings};
pub use span::Span;
pub use timing::Timing;
pub use waits::Waits;
pub use weights::{Counted, Weights};
pub use whole::WholeNumberArea;
