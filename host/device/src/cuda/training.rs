//! Layers of one width, forward and backward: cuBLAS' products, and GELU and its slope of derate's own between them.

use derate_model::measurement::ResultCheck;
use derate_model::operator::Mlp as Extents;

use super::kernels::Kernels;
use super::memory::GpuMemory;
use super::sys::{Address, Cublas, Matrices};
use super::trained::{SEEDS, Set, Trained};
use super::turns::{GpuTiming, Job, Work, draw_operands, prepare_gpu, time_work};
use super::{Arithmetic, Gpu};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};
use crate::oracle::gelu_scale;

/// Layers whose gradients are of numbers that halves have, as on a processor.
pub(super) const MOST_LAYERS: u64 = 256;

/// Layers that are trained.
pub(super) struct TrainedLayers {
    pub(super) title: String,
    pub(super) extents: Extents,
    pub(super) arithmetic: Arithmetic,
    /// Rows and width as cuBLAS counts them.
    pub(super) counted: [i32; 2],
    /// Bytes of the weights of a layer, and of what flows into one.
    pub(super) one: [u64; 2],
}

struct Training<'a> {
    of: TrainedLayers,
    gpu: &'a Gpu,
    cublas: &'a Cublas,
    kernels: &'a Kernels,
    expected: Trained,
}

/// Bytes of a set; `None` where no memory holds it.
pub(super) fn training_bytes([weights, flow]: [u64; 2], layers: u64) -> Option<u64> {
    let of_layer = weights.checked_mul(2)?.checked_add(flow.checked_mul(3)?)?;
    of_layer.checked_mul(layers)?.checked_add(flow.checked_mul(3)?)
}

/// Computes both passes on a GPU, and times them by the GPU's own events.
pub(super) fn run_training(
    of: TrainedLayers,
    bytes: u64,
    gpu: &Gpu,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<GpuTiming, BenchError> {
    let job = Job { title: of.title.clone(), arithmetic: Some(of.arithmetic), bytes };
    prepare_gpu(gpu, &job, "an mlp")?;
    let (cublas, kernels) = (gpu.cublas()?, gpu.own_kernels()?);
    let expected = Trained::new(&of.extents, of.arithmetic);
    let work = Training { of, gpu, cublas, kernels, expected };
    time_work(work, &job, gpu, repeat, cancel, progress)
}

impl Training<'_> {
    /// A layer's part of what has one of each.
    fn flow(&self, of: &GpuMemory, layer: u64) -> Address {
        of.address().after(layer * self.of.one[1])
    }

    fn elements(&self) -> u64 {
        self.of.extents.batch * self.of.extents.width
    }

    /// What a layer reads.
    fn input(&self, set: &Set, layer: u64) -> Address {
        layer.checked_sub(1).map_or(set.input.address(), |before| self.flow(&set.results, before))
    }

    /// `sums = h W^T`.
    fn multiply(&self, set: &Set, layer: u64) -> Result<Address, CudaError> {
        let weights = set.weights.address().after(layer * self.of.one[0]);
        let to = self.flow(&set.sums, layer);
        let places = [weights, self.input(set, layer), to];
        let extents = [self.of.counted[1], self.of.counted[0], self.of.counted[1]];
        self.cublas.multiply(&self.of.arithmetic.to_matrices(places, extents))?;
        Ok(to)
    }

    fn activate(&self, set: &Set, layer: u64, scale: f32) -> Result<(), CudaError> {
        let places = [self.flow(&set.sums, layer), self.flow(&set.results, layer)];
        self.kernels.gelu(self.of.arithmetic, places, self.elements(), scale)
    }

    /// The gradients of a layer's sums, of what it read, and of its weights.
    fn go_back(&self, set: &Set, layer: u64, scale: f32) -> Result<(), CudaError> {
        let arithmetic = self.of.arithmetic;
        let gradient = self.flow(&set.gradients, layer);
        let is_last = layer + 1 == self.of.extents.layers;
        // Of a lower layer, the product above has made it where it is.
        let from = if is_last { set.given.address() } else { gradient };
        let places = [from, self.flow(&set.sums, layer), gradient];
        self.kernels.slope(arithmetic, places, self.elements(), scale)?;
        let weights = set.weights.address().after(layer * self.of.one[0]);
        let below = layer.checked_sub(1);
        let to = below.map_or(set.input_gradient.address(), |own| self.flow(&set.gradients, own));
        // Columns of what is stored by columns are rows here: the gradient times the weights as they are.
        let one = arithmetic.to_matrices(
            [weights, gradient, to],
            [self.of.counted[1], self.of.counted[0], self.of.counted[1]],
        );
        self.cublas.multiply(&Matrices { transposed: [false, false], ..one })?;
        let to = set.weight_gradients.address().after(layer * self.of.one[0]);
        let places = [self.input(set, layer), gradient, to];
        let one = arithmetic
            .to_matrices(places, [self.of.counted[1], self.of.counted[1], self.of.counted[0]]);
        self.cublas.multiply(&Matrices { transposed: [false, true], ..one })
    }

    /// Runs the layers forward, each multiplied with what its own sums ask for.
    fn scale(&self, set: &mut Set) -> Result<(), CudaError> {
        set.sums.wipe()?;
        for layer in 0..self.of.extents.layers {
            self.multiply(set, layer)?;
            let scale = gelu_scale(self.expected.compared_sums(&set.sums, layer)?.into_iter());
            self.activate(set, layer, scale)?;
            set.scales.push(scale);
        }
        Ok(())
    }
}

impl Work for Training<'_> {
    type Set = Set;

    fn make_set(&mut self, first: Option<&Set>) -> Result<Set, CudaError> {
        let ([weights, flow], Extents { layers, .. }) = (self.of.one, self.of.extents);
        let memory = |bytes| self.gpu.allocate_memory(bytes);
        let mut set = Set {
            scales: Vec::new(),
            input: memory(flow)?,
            weights: memory(weights * layers)?,
            given: memory(flow)?,
            sums: memory(flow * layers)?,
            results: memory(flow * layers)?,
            gradients: memory(flow * layers)?,
            weight_gradients: memory(weights * layers)?,
            input_gradient: memory(flow)?,
        };
        draw_operands(self.of.arithmetic, set.operands(), first.map(Set::operands), SEEDS)?;
        match first {
            Some(first) => set.scales.clone_from(&first.scales),
            None => self.scale(&mut set)?,
        }
        Ok(set)
    }

    fn launch_set(&self, set: &Set) -> Result<(), CudaError> {
        for (layer, &scale) in (0..).zip(&set.scales) {
            self.multiply(set, layer)?;
            self.activate(set, layer, scale)?;
        }
        for (layer, &scale) in (0..self.of.extents.layers).rev().zip(set.scales.iter().rev()) {
            self.go_back(set, layer, scale)?;
        }
        Ok(())
    }

    fn wipe_results(&self, set: &Set) -> Result<(), CudaError> {
        set.made().into_iter().try_for_each(GpuMemory::wipe)
    }

    fn check_set(&mut self, set: &Set) -> Result<(), CudaError> {
        self.expected.check_passes(set)
    }

    fn into_check(self) -> ResultCheck {
        self.expected.into_check()
    }
}
