//! Operators and language models on cards and processors, and number formats beside each other.

pub mod accuracy;
pub mod formats;
pub mod gemm_time;
pub mod language;
mod predict;

pub use predict::{
    BasisRow, Expected, ExpectedSum, Language, LanguageModels, Measured, Memory, ModelInfo,
    OperandRow, OperationRow, Operators, PeakRow, Phase, PlatformName, Prediction, Question,
    RoofFigures, Run, Setting, Stores, Sums, Swept, TimingsRow, Workload, command,
};
