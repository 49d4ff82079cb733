use super::GemmTimeError;
use derate_machine::Processor;
use derate_units::{Bytes, BytesPerSecond, OpsPerSecond, Precision};

/// What the time of a GEMM needs to know of a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuFigures {
    /// Peak of the arithmetic, all units together.
    pub peak: OpsPerSecond,
    /// What the memory's wires carry.
    pub bandwidth: BytesPerSecond,
    /// Streaming multiprocessors.
    pub units: f64,
    /// The last-level cache.
    pub cache: Bytes,
}

impl GpuFigures {
    /// Of a processor; the error says which figure is missing.
    pub fn of(processor: &Processor, arithmetic: Precision) -> Result<Self, GemmTimeError> {
        let missing = |figure| GemmTimeError::NoFigure { title: processor.title.clone(), figure };
        let units = processor.units.as_ref().ok_or_else(|| missing("number of units"))?;
        let cache =
            processor.last_level_cache.as_ref().ok_or_else(|| missing("last-level cache"))?;
        let roofs = Self::from_roofs(processor, processor.peak(arithmetic)?.rate.value);
        Ok(Self { units: units.value, cache: cache.value, ..roofs })
    }

    /// The two roofs alone, for a model that asks for no more.
    pub(super) fn from_roofs(processor: &Processor, peak: OpsPerSecond) -> Self {
        let bandwidth = processor.memory.bandwidth.value;
        Self { peak, bandwidth, units: 1.0, cache: Bytes(0.0) }
    }
}
