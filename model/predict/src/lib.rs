//! Operators and language models on cards and processors, and number formats beside each other.

pub mod accuracy;
pub mod formats;
pub mod gemm_time;
pub mod language;
mod predict;

pub use predict::{
    BasisRow, DecoderQuestion, ExpectedSum, ExpectedTime, GenerationFigures, LanguageFigures,
    LanguageModels, LengthSweep, MeasuredGeneration, MemoryUse, ModelInfo, OperandRow,
    OperationRow, Operators, Phase, PhaseSums, PlatformName, PredictedWorkload, Prediction,
    PredictionSetup, RoofFigures, RoofPeak, Stores, TimingsRow, join_command,
};
