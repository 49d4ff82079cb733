use derate_model::measurement::ResultCheck;

use super::entries::{entry, spread_over};
use super::stopwatch::choose_launches;
use super::{Gpu, GpuTiming};
use crate::error::CudaError;
use crate::measure::{Progress, Repeat};

/// Words that are compared after each repetition.
const COMPARED: u64 = 1024;
const SEED: u64 = 3;

/// Copies within a GPU's memory.
#[derive(Clone, Copy, Debug)]
pub struct Copies {
    /// What one copy copies; rounded up to whole words of four bytes.
    pub bytes: u64,
}

impl Copies {
    /// Bytes that are read, and as many that are written.
    pub fn moved(self) -> u64 {
        self.bytes.max(1).div_ceil(4).saturating_mul(4)
    }

    /// Copies, and times it by the GPU's own events. One copy reads so many bytes, and writes as many. The copy is wiped before
    /// each repetition and looked at after it.
    pub fn run(
        self,
        gpu: &Gpu,
        repeat: Repeat,
        progress: Progress<'_>,
    ) -> Result<GpuTiming, CudaError> {
        gpu.make_current()?;
        let bytes = self.moved();
        gpu.require_memory(bytes.saturating_mul(2), &format!("a copy of {bytes} bytes"))?;
        let (from, to) = (gpu.allocate_memory(bytes)?, gpu.allocate_memory(bytes)?);
        let word =
            |number| [entry(SEED, number), entry(SEED + 1, number), entry(SEED + 2, number), 1];
        from.fill(4, |number| word(number).map(i8::cast_unsigned))?;
        let watch = gpu.new_stopwatch()?;
        let each = choose_launches(watch.time(1, || to.copy_from(&from))?);
        let mut seconds = Vec::with_capacity(repeat.repetitions);
        let all = repeat.warm_up + repeat.repetitions;
        let mut passed = true;
        for at in 0..all {
            progress(&format!("copies of {bytes} bytes on {}: {} of {all}", gpu.name(), at + 1));
            to.wipe()?;
            let took = watch.time(each, || to.copy_from(&from))?;
            if at >= repeat.warm_up {
                seconds.push(took);
            }
            for number in spread_over(bytes / 4, COMPARED) {
                passed &= to.element(number * 4, 4)? == word(number).map(i8::cast_unsigned);
            }
        }
        let method = format!(
            "{COMPARED} words at most, spread over the copy, which was wiped before each repetition, against what was copied"
        );
        let check = ResultCheck { passed, method, worst_error: None, bound: None };
        let beyond_cache = bytes.saturating_mul(2) > gpu.last_level_cache()?;
        Ok(GpuTiming { seconds, launches: each, sets: 1, beyond_cache, check })
    }
}
