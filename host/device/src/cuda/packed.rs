//! Products with packed weights, and layers of them: kernels of derate's own expand them in registers and multiply in FP32.

use derate_model::measurement::ResultCheck;
use ndarray::Array1;

use super::entries::spread_over;
use super::expected::{COMPARED, WHEN};
use super::extent::{GIVE, to_cublas_extent};
use super::kernels::{Kernels, PackedKernels, PackedProduct};
use super::memory::GpuMemory;
use super::packed_expected::expected_element;
use super::sys::Address;
use super::turns::{GpuTiming, Job, Work, prepare_gpu, sum_bytes, time_work};
use super::{Arithmetic, Gpu};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};
use crate::oracle::{Numbers, Worst, gelu_scale};
use crate::packed::{PackedFormat, PackedMatrix};

/// What the length of a row is a multiple of: whole tiles, whole words, whole blocks.
const ROW_UNIT: u64 = 32;

/// The seed of what is multiplied; those of the weights follow it.
const SEED: u64 = 31;

/// Layers, each `h = gelu(s h W^T)` of packed weights, or one product `h W^T` without GELU; what flows is FP32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed {
    pub(super) format: PackedFormat,
    /// Rows of what is multiplied: 1 of a vector.
    pub(super) vectors: u64,
    /// Rows of weights.
    pub(super) rows: u64,
    /// Weights of a row; as many as rows where there are several layers.
    pub(super) columns: u64,
    pub(super) layers: u64,
    pub(super) activated: bool,
}

/// One set: the layers' weights one behind the other, what the first multiplies, and what each makes of it.
struct Set {
    codes: GpuMemory,
    scales: GpuMemory,
    input: GpuMemory,
    flows: GpuMemory,
}

/// The weights of the rows that are compared, and the scale of the tensor, of a layer.
struct DrawnLayer {
    weights: Vec<Array1<f64>>,
    tensor: f32,
    /// What its sums are multiplied with.
    scale: f32,
}

/// Packed layers on a GPU.
struct PackedLayers<'a> {
    of: Packed,
    extents: [u32; 3],
    gpu: &'a Gpu,
    kernels: &'a Kernels,
    own: PackedKernels,
    drawn: Vec<DrawnLayer>,
    first: Option<Set>,
    seen: Worst,
}

impl Packed {
    fn title(&self) -> String {
        let Self { format, vectors, rows, columns, layers, .. } = self;
        format!("{vectors} x {rows} x {columns}, {layers} deep, weights in {}", format.encoding)
    }

    fn setup_error(&self, what: &str) -> CudaError {
        CudaError::Setup(format!("{}: {what}", self.title()))
    }

    /// Vectors, rows and columns as the kernels count them; a sentence where they do not multiply such matrices.
    pub(super) fn extents(&self) -> Result<[u32; 3], CudaError> {
        let counted = |extent: u64| u32::try_from(to_cublas_extent(extent)?).ok();
        let (Some(vectors), Some(rows), Some(columns), Some(_)) = (
            counted(self.vectors),
            counted(self.rows),
            counted(self.columns),
            counted(self.layers),
        ) else {
            return Err(self.setup_error(GIVE));
        };
        let unit = ROW_UNIT.max(self.format.row_unit() as u64);
        if !self.columns.is_multiple_of(unit) {
            return Err(self.setup_error(&format!(
                "rows of {} weights are not whole blocks on a GPU: give a multiple of {unit} columns",
                self.columns
            )));
        }
        Ok([vectors, rows, columns])
    }

    /// Bytes of the weights with their scales, of the input, and of what the layers make of it.
    pub(super) fn bytes(&self) -> Option<[u64; 3]> {
        let weights = self.rows.checked_mul(self.columns)?.checked_mul(self.layers)?;
        let codes = weights.checked_mul(self.format.code.bits() as u64)? / 8;
        let scales = self.scales()?.checked_mul(self.format.scale.bytes() as u64)?;
        let flow = |width: u64| self.vectors.checked_mul(width)?.checked_mul(4);
        Some([
            codes.checked_add(scales)?,
            flow(self.columns)?,
            flow(self.rows)?.checked_mul(self.layers)?,
        ])
    }

    /// Scales of all layers.
    fn scales(&self) -> Option<u64> {
        let columns = usize::try_from(self.columns).ok()?;
        let row = self.format.row_scales(columns) as u64;
        row.checked_mul(self.rows)?.checked_mul(self.layers)
    }

    /// Elements that share a scale, as a power of two; 31 where a whole row does.
    fn shift(&self) -> u32 {
        self.format.scale.shared().map_or(31, usize::trailing_zeros)
    }

    /// Computes it on a GPU, and times it by the GPU's own events.
    pub(super) fn run(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<GpuTiming, BenchError> {
        let extents = self.extents()?;
        let bytes =
            self.bytes().ok_or_else(|| self.setup_error("that is more than any memory holds"))?;
        let job = Job { title: self.title(), arithmetic: None, bytes: sum_bytes(bytes) };
        prepare_gpu(gpu, &job, "a product")?;
        let kernels = gpu.own_kernels()?;
        let own = kernels.find_packed(self.format)?;
        let mut work = PackedLayers {
            of: *self,
            extents,
            gpu,
            kernels,
            own,
            drawn: Vec::new(),
            first: None,
            seen: Worst::new(),
        };
        work.draw(bytes, cancel)?;
        time_work(work, &job, gpu, repeat, cancel, progress)
    }
}

impl PackedLayers<'_> {
    fn allocate(&self, [_, input, flows]: [u64; 3]) -> Result<Set, CudaError> {
        let layers = self.of.layers * self.of.rows;
        let columns = usize::try_from(self.of.columns).unwrap_or(usize::MAX);
        let (format, memory) = (self.of.format, |bytes| self.gpu.allocate_memory(bytes));
        let scales = format.row_scales(columns) * format.scale.bytes();
        Ok(Set {
            codes: memory(layers * format.row_bytes(columns) as u64)?,
            // Where nothing is scaled there is still an address.
            scales: memory((layers * scales as u64).max(4))?,
            input: memory(input)?,
            flows: memory(flows)?,
        })
    }

    /// Draws and packs the weights on this machine, layer by layer, and keeps the rows that are compared.
    fn draw(&mut self, bytes: [u64; 3], cancel: Cancel<'_>) -> Result<(), BenchError> {
        let set = self.allocate(bytes)?;
        let Packed { format, rows, columns, layers, vectors, .. } = self.of;
        let [rows_here, columns_here] =
            [rows, columns].map(|own| usize::try_from(own).unwrap_or(0));
        for layer in 0..layers {
            let matrix =
                PackedMatrix::draw(format, [rows_here, columns_here], SEED + 1 + layer, cancel)?;
            set.codes.write(layer * matrix.codes.len() as u64, &matrix.codes)?;
            set.scales.write(layer * matrix.scales.len() as u64, &matrix.scales)?;
            let weights = spread_over(rows, COMPARED)
                .map(|row| matrix.exact_row(usize::try_from(row).unwrap_or(0)))
                .collect();
            self.drawn.push(DrawnLayer { weights, tensor: matrix.tensor, scale: 1.0 });
        }
        let mut numbers = Numbers::new(SEED);
        set.input.fill(4, |_| numbers.unit().to_le_bytes())?;
        set.flows.wipe()?;
        if self.of.activated {
            for at in 0..layers {
                let to = self.multiply(&set, at)?;
                let flow =
                    set.flows.read(at * vectors * rows * 4, vectors.min(COMPARED) * rows * 4)?;
                let scale = gelu_scale(decode(&flow).into_iter());
                self.kernels.gelu(Arithmetic::Fp32, [to, to], vectors * rows, scale)?;
                if let Some(layer) = usize::try_from(at).ok().and_then(|at| self.drawn.get_mut(at))
                {
                    layer.scale = scale;
                }
            }
        }
        self.first = Some(set);
        Ok(())
    }

    /// The product of a layer; where it is written.
    fn multiply(&self, set: &Set, at: u64) -> Result<Address, CudaError> {
        let Packed { format, rows, columns, vectors, .. } = self.of;
        let columns_here = usize::try_from(columns).unwrap_or(0);
        let codes = rows * format.row_bytes(columns_here) as u64;
        let scales = rows * (format.row_scales(columns_here) * format.scale.bytes()) as u64;
        let flow = vectors * rows * 4;
        let to = set.flows.address().after(at * flow);
        let x = match at {
            0 => set.input.address(),
            _ => set.flows.address().after((at - 1) * flow),
        };
        let [vectors, rows, columns] = self.extents;
        let tensor = usize::try_from(at).ok().and_then(|at| self.drawn.get(at));
        let product = PackedProduct {
            codes: set.codes.address().after(at * codes),
            scales: set.scales.address().after(at * scales),
            x,
            y: to,
            rows,
            columns,
            vectors,
            shift: self.of.shift(),
            tensor: tensor.map_or(1.0, |layer| layer.tensor),
        };
        self.kernels.multiply_packed(&self.own, &product)?;
        Ok(to)
    }
}

/// Numbers of FP32.
fn decode(bytes: &[u8]) -> Vec<f64> {
    let numbers = bytes.chunks_exact(4);
    numbers.map(|own| f32::from_le_bytes(own.try_into().unwrap_or_default()).into()).collect()
}

impl Work for PackedLayers<'_> {
    type Set = Set;

    fn make_set(&mut self, first: Option<&Set>) -> Result<Set, CudaError> {
        if let Some(drawn) = self.first.take() {
            return Ok(drawn);
        }
        let bytes = self.of.bytes().ok_or_else(|| self.of.setup_error("that is too large"))?;
        let set = self.allocate(bytes)?;
        if let Some(first) = first {
            set.codes.copy_from(&first.codes)?;
            set.scales.copy_from(&first.scales)?;
            set.input.copy_from(&first.input)?;
        }
        Ok(set)
    }

    fn launch_set(&self, set: &Set) -> Result<(), CudaError> {
        for (at, layer) in (0..).zip(&self.drawn) {
            let to = self.multiply(set, at)?;
            if self.of.activated {
                let elements = self.of.vectors * self.of.rows;
                self.kernels.gelu(Arithmetic::Fp32, [to, to], elements, layer.scale)?;
            }
        }
        Ok(())
    }

    fn wipe_results(&self, set: &Set) -> Result<(), CudaError> {
        set.flows.wipe()
    }

    /// Each layer against the exact one of what it really read.
    fn check_set(&mut self, set: &Set) -> Result<(), CudaError> {
        let Packed { rows, columns, vectors, activated, .. } = self.of;
        for vector in spread_over(vectors, COMPARED) {
            let mut read = decode(&set.input.read(vector * columns * 4, columns * 4)?);
            for (at, layer) in (0..).zip(&self.drawn) {
                let from = (at * vectors + vector) * rows * 4;
                let made = decode(&set.flows.read(from, rows * 4)?);
                for (row, weights) in spread_over(rows, COMPARED).zip(&layer.weights) {
                    let got = usize::try_from(row).ok().and_then(|row| made.get(row).copied());
                    let scale = activated.then_some(layer.scale);
                    let element = expected_element(&read, weights.iter().copied(), scale);
                    element.check_value(got.unwrap_or(f64::NAN), &mut self.seen);
                }
                read = made;
            }
        }
        Ok(())
    }

    fn into_check(self) -> ResultCheck {
        self.seen.check(format!(
            "entries at {COMPARED} vectors and rows at most, spread over the result of every product, against sums in f64 of what \
             it read, of the weights as they are packed: {WHEN}"
        ))
    }
}
