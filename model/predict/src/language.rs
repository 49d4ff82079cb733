//! Decoder language models: parameters, prefill, decode, key-value cache, and how far a run is from the roofline.
//!
//! A pass of such a model reads every weight once, whatever the batch; attention reads the cache of every sequence. The
//! first makes decoding a matter of bandwidth, the second keeps a larger batch from helping without end.

mod achieved;
mod catalogue;
mod config;
mod decoder;
mod deployment;
mod floor;
mod generation;
mod memory;
pub mod sweep;
mod usual_precision;

pub use achieved::AchievedRates;
pub use catalogue::ModelError;
pub use config::ConfigError;
pub use decoder::{Biases, Decoder, ParameterCounts};
pub(crate) use deployment::SHARED_INPUT;
pub use deployment::{Deployment, Logits, MOST_OF_LAYER, PassRecords, Records, Step};
pub use floor::Floor;
pub use generation::Generation;
pub use memory::{MemoryFit, MemoryFootprint};
pub use sweep::GenerationCase;
pub use usual_precision::UsualPrecision;
