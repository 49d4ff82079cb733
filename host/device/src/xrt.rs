//! XRT, where it is installed: a card, or XRT's own software emulation with derate's device behind it.
//!
//! Three floors: a table of functions that is loaded at run time, a check before the first call (XRT ends the process where
//! its own set-up is wrong), and handles that close themselves, each before what it depends on. Nothing is linked: derate
//! builds and runs without XRT.

mod buffer;
mod card;
mod device;
mod error;
mod examine;
mod facts;
mod kernel;
mod library;
mod name;
mod open;
mod preflight;
mod socket;
mod sys;

pub use buffer::{Direction, XrtBuffer};
pub use card::Card;
pub use device::{XrtDevice, check_installed, check_ready};
pub use error::XrtError;
pub use kernel::{XrtKernel, XrtRun};
pub use name::XrtName;
pub use preflight::{Environment, RunMode, check_environment};
