//! Layers of one width: cuBLAS' product of each, then a GELU of derate's own.

use derate_model::measurement::ResultCheck;
use derate_model::operator::Mlp as Extents;

use super::activated::{Activated, SEEDS, Set};
use super::arithmetic::NO_EXPONENTIALS;
use super::extent::{GIVE, to_cublas_extent};
use super::kernels::Kernels;
use super::memory::GpuMemory;
use super::sys::{Address, Cublas};
use super::training::{MOST_LAYERS, TrainedLayers, run_training, training_bytes};
use super::turns::{GpuTiming, Job, Work, draw_operands, prepare_gpu, sum_bytes, time_work};
use super::{Arithmetic, Gpu};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};
use crate::oracle::gelu_scale;

/// Layers, each `h = gelu(s h W^T)` with weights of its own, and an `s` of its own that keeps results of a size from layer to layer.
/// The product is written, and GELU reads and writes it where it is.
#[derive(Clone, Copy, Debug)]
pub struct Mlp {
    /// Extents.
    pub extents: Extents,
    /// How it is computed: what flows is stored as operands are.
    pub arithmetic: Arithmetic,
}

/// An MLP on a GPU.
struct Layers<'a> {
    of: Mlp,
    batch: i32,
    width: i32,
    bytes: [u64; 3],
    gpu: &'a Gpu,
    cublas: &'a Cublas,
    kernels: &'a Kernels,
    expected: Activated,
}

impl Mlp {
    fn title(&self) -> String {
        let shape = derate_model::operator::Shape::Mlp(self.extents);
        format!("{} in {}", shape.title(), self.arithmetic.name())
    }

    fn setup_error(&self, what: &str) -> CudaError {
        CudaError::Setup(format!("an mlp of {}: {what}", self.title()))
    }

    /// A sentence where it is not run here.
    pub(super) fn check_support(&self) -> Result<(), CudaError> {
        if self.extents.backward && self.extents.layers > MOST_LAYERS {
            return Err(self.setup_error(&format!(
                "more than {MOST_LAYERS} layers run forward only, as their gradients may leave the numbers that fp16 has"
            )));
        }
        if !self.arithmetic.has_exponentials() {
            return Err(self.setup_error(NO_EXPONENTIALS));
        }
        self.count_extents().map(|_| ())
    }

    fn count_extents(&self) -> Result<[i32; 2], CudaError> {
        let Extents { batch, width, layers, .. } = self.extents;
        let (Some(batch), Some(width), Some(_)) =
            (to_cublas_extent(batch), to_cublas_extent(width), to_cublas_extent(layers))
        else {
            return Err(self.setup_error(GIVE));
        };
        Ok([batch, width])
    }

    /// Bytes of the weights, of the input, and of what the layers make of it.
    pub fn bytes(&self) -> Option<[u64; 3]> {
        let Extents { batch, width, layers, .. } = self.extents;
        let flow = batch.checked_mul(width)?.checked_mul(self.arithmetic.operand_bytes())?;
        let weights = width.checked_mul(width)?.checked_mul(layers)?;
        Some([
            weights.checked_mul(self.arithmetic.operand_bytes())?,
            flow,
            flow.checked_mul(layers)?,
        ])
    }

    /// Computes it on a GPU, and times it by the GPU's own events.
    pub fn run(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<GpuTiming, BenchError> {
        self.check_support()?;
        let [batch, width] = self.count_extents()?;
        let bytes =
            self.bytes().ok_or_else(|| self.setup_error("that is more than any memory holds"))?;
        if self.extents.backward {
            let one = [bytes[0] / self.extents.layers, bytes[1]];
            let all = training_bytes(one, self.extents.layers)
                .ok_or_else(|| self.setup_error("that is more than any memory holds"))?;
            let of = TrainedLayers {
                title: self.title(),
                extents: self.extents,
                arithmetic: self.arithmetic,
                counted: [batch, width],
                one,
            };
            return run_training(of, all, gpu, repeat, cancel, progress);
        }
        let job =
            Job { title: self.title(), arithmetic: Some(self.arithmetic), bytes: sum_bytes(bytes) };
        prepare_gpu(gpu, &job, "an mlp")?;
        let (cublas, kernels) = (gpu.cublas()?, gpu.own_kernels()?);
        let expected = Activated::new(&self.extents, self.arithmetic, cancel)?;
        let work = Layers { of: *self, batch, width, bytes, gpu, cublas, kernels, expected };
        time_work(work, &job, gpu, repeat, cancel, progress)
    }
}

impl Set {
    /// What is drawn, in the order of its seeds.
    fn operands(&self) -> [&GpuMemory; 2] {
        [&self.input, &self.weights]
    }
}

impl Layers<'_> {
    /// The product of a layer, with what it reads and where it is written.
    fn multiply(&self, set: &Set, layer: u64) -> Result<Address, CudaError> {
        let [weights, flow, _] = self.bytes;
        let to = set.flows.address().after(layer * flow);
        let from = match layer {
            0 => set.input.address(),
            _ => set.flows.address().after((layer - 1) * flow),
        };
        let weights = set.weights.address().after(layer * (weights / self.of.extents.layers));
        let extents = [self.width, self.batch, self.width];
        self.cublas.multiply(&self.of.arithmetic.to_matrices([weights, from, to], extents))?;
        Ok(to)
    }

    fn gelu(&self, of: Address, scale: f32) -> Result<(), CudaError> {
        let Extents { batch, width, .. } = self.of.extents;
        self.kernels.gelu(self.of.arithmetic, [of, of], batch * width, scale)
    }

    /// Runs the layers once, each multiplied with what its own sums ask for. Where those are wrong, so is the scale, and all that
    /// is looked at later is held against what it must be with that one.
    fn scale(&self, set: &mut Set) -> Result<(), CudaError> {
        set.flows.wipe()?;
        for layer in 0..self.of.extents.layers {
            let product = self.multiply(set, layer)?;
            let scale = gelu_scale(self.expected.compared_rows(&set.flows, layer)?.into_iter());
            self.gelu(product, scale)?;
            set.scales.push(scale);
        }
        Ok(())
    }
}

impl Work for Layers<'_> {
    type Set = Set;

    fn make_set(&mut self, first: Option<&Set>) -> Result<Set, CudaError> {
        let ([weights, input, flows], arithmetic) = (self.bytes, self.of.arithmetic);
        let memory = |bytes| self.gpu.allocate_memory(bytes);
        let mut set = Set {
            scales: Vec::new(),
            weights: memory(weights)?,
            input: memory(input)?,
            flows: memory(flows)?,
        };
        draw_operands(arithmetic, set.operands(), first.map(Set::operands), SEEDS)?;
        match first {
            Some(first) => set.scales.clone_from(&first.scales),
            None => self.scale(&mut set)?,
        }
        Ok(set)
    }

    fn launch_set(&self, set: &Set) -> Result<(), CudaError> {
        for (layer, &scale) in (0..).zip(&set.scales) {
            self.gelu(self.multiply(set, layer)?, scale)?;
        }
        Ok(())
    }

    fn wipe_results(&self, set: &Set) -> Result<(), CudaError> {
        set.flows.wipe()
    }

    fn check_set(&mut self, set: &Set) -> Result<(), CudaError> {
        self.expected.check_layers(set)
    }

    fn into_check(self) -> ResultCheck {
        self.expected.into_check()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::spread_over;
    use super::super::expected::COMPARED;
    use super::*;
    use crate::cuda::entries::entry;
    use crate::oracle::exact_gelu;

    /// Of the numbers that a GPU is given, stored in the format of the least range, by the rows that are looked at.
    #[test]
    fn results_keep_their_size_over_64_layers() {
        let (batch, width, layers) = (24_u64, 48_u64, 64_u64);
        let half = |number: f64| Arithmetic::Fp16.round_stored(number);
        let number = |seed, at| f64::from(entry(seed, at));
        let mut flow: Vec<Vec<f64>> = (0..batch)
            .map(|row| (0..width).map(|at| number(SEEDS[0], row * width + at)).collect())
            .collect();
        for layer in 0..layers {
            let weights: Vec<Vec<f64>> = (0..width)
                .map(|to| {
                    let first = (layer * width + to) * width;
                    (first..first + width).map(|at| number(SEEDS[1], at)).collect()
                })
                .collect();
            let sum = |row: &[f64], weights: &[f64]| {
                half(row.iter().zip(weights).map(|(a, b)| a * b).sum())
            };
            let sums: Vec<Vec<f64>> =
                flow.iter().map(|row| weights.iter().map(|own| sum(row, own)).collect()).collect();
            let seen = spread_over(batch, COMPARED).flat_map(|row| {
                usize::try_from(row).ok().and_then(|row| sums.get(row)).into_iter().flatten()
            });
            let scale = f64::from(gelu_scale(seen.copied()));
            let gelu =
                |row: Vec<f64>| row.into_iter().map(|x| half(exact_gelu(x * scale))).collect();
            flow = sums.into_iter().map(gelu).collect();
            let squares: f64 = flow.iter().flatten().map(|one| one * one).sum();
            let size = (squares / (batch * width) as f64).sqrt();
            assert!((0.1..=10.0).contains(&size), "layer {layer}: {size}");
        }
    }
}
