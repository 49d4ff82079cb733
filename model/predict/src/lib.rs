//! Operators and language models on cards and processors, and number formats beside each other.
//!
//! [`Operators`] and [`DecoderQuestion`] predict, [`formats`] compares number formats, [`accuracy`] holds predictions against
//! measurements, [`gemm_time`] expects times of products from published timings.
//!
//! ```
//! use derate_predict::language::Decoder;
//!
//! let model = Decoder::named("llama-3-8b").unwrap();
//! assert_eq!(model.parameters().total(), 8_030_261_248);
//! ```

pub mod accuracy;
mod beside;
mod error;
pub mod formats;
pub mod gemm_time;
pub mod language;
mod predict;

pub use beside::PredictedRun;
pub use error::PredictionError;
pub use predict::{
    BasisRow, ConditionalTime, CountedOperator, DecoderQuestion, EnergyUse, ExpectedSum,
    ExpectedTime, GenerationFigures, HeldFigures, LanguageFigures, LanguageModels, LengthSweep,
    MeasuredGeneration, MeasuredOperator, MemoryUse, ModelInfo, OperandRow, OperationRow,
    Operators, Phase, PhaseSums, PlatformName, PredictedWorkload, Prediction, PredictionSetup,
    RoofFigures, RoofPeak, Stores, TimingsRow, join_command,
};
