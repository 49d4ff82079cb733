//! What the runs of a program moved, counted, and how long a card would take, modelled.
//!
//! Bytes are those that emulated kernels really moved. Times are not measured: a run takes what [`model_time`](crate::emulator::model_time) says, a
//! transfer its bytes over the rate of the card's link, and each begins as soon as its unit or the link and its buffers are
//! free. The same record gives the same profile, whatever this machine's clock said meanwhile.

mod card;
mod moved;
mod order;
mod plan;
mod run;
mod schedule;
mod stream;

pub use card::{CardProfile, Lane, Span, UnitProfile, profile_card};
pub use moved::{PortProfile, StreamProfile, TransferProfile};
pub use run::{CycleModel, NoCycles, RunTime};

#[cfg(test)]
mod tests;
