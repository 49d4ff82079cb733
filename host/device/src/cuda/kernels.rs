//! derate's own kernels, in the sources beside this file: what cuBLAS has no product for.

use std::ffi::{CStr, CString};

use super::Arithmetic;
use super::arithmetic::NO_EXPONENTIALS;
use super::sys::{Address, Argument, Driver, Function, Module, Nvrtc, Target};
use crate::error::CudaError;
use crate::packed::{Code, PackedFormat, Scale};

const SOURCE: &str = concat!(include_str!("kernels.cu"), include_str!("packed.cu"));

/// Threads of a block at most.
const THREADS: u32 = 256;
/// Of which so many run in step.
const WARP: u32 = 32;
/// Blocks of a launch at most: each goes on to further rows or elements.
const MOST_BLOCKS: u64 = 1 << 20;

/// The kernels of one way to store elements.
#[derive(Debug)]
struct OfFloats {
    softmax: Function,
    gelu: Function,
    slope: Function,
}

/// The kernels on a GPU; unloaded when this is dropped.
#[derive(Debug)]
pub(super) struct Kernels {
    driver: &'static Driver,
    module: Module,
    nvrtc: String,
    fp32: OfFloats,
    fp16: OfFloats,
    bf16: OfFloats,
}

/// Threads of a block of the product with one vector.
const VECTOR_THREADS: u32 = 128;
/// Rows and vectors of a tile.
const TILE: u64 = 64;

/// The kernels of a packed format.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedKernels {
    vector: Function,
    tiles: Function,
}

/// A product with packed weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedProduct {
    pub(super) codes: Address,
    pub(super) scales: Address,
    pub(super) x: Address,
    pub(super) y: Address,
    pub(super) rows: u32,
    /// A multiple of 32.
    pub(super) columns: u32,
    pub(super) vectors: u32,
    /// Of the elements that share a scale, their number as a power of two; 31 where a row has one.
    pub(super) shift: u32,
    pub(super) tensor: f32,
}

/// What a softmax goes over: rows of scores, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) count: u64,
    /// Queries of a sequence: rows count through them again and again.
    pub(super) queries: u32,
    pub(super) keys: u32,
    pub(super) causal: bool,
    /// What scores are multiplied with before the exponential.
    pub(super) scale: f32,
}

/// Threads that share a row.
fn threads_per_row(keys: u64) -> u32 {
    let wanted = keys.min(THREADS.into()).next_multiple_of(WARP.into()).max(WARP.into());
    u32::try_from(wanted).unwrap_or(THREADS)
}

/// Numbers that are added one after another until a row's sum is there: of one thread, of a warp, of the block.
pub(super) fn additions_per_row(keys: u64) -> u64 {
    let threads = u64::from(threads_per_row(keys));
    keys.div_ceil(threads) + 5 + threads / u64::from(WARP)
}

fn limit_blocks(wanted: u64) -> u32 {
    u32::try_from(wanted.clamp(1, MOST_BLOCKS)).unwrap_or(1)
}

/// What is compiled for: the GPU itself, or the latest one before it that the compiler knows.
fn choose_target(capability: i32, known: &[i32]) -> Option<Target> {
    let latest = known.iter().copied().filter(|&known| known <= capability).max()?;
    Some(if latest == capability { Target::Own(latest) } else { Target::Later(latest) })
}

/// The kernels for a GPU of that capability, ten times the number, by the compiler that the machine has.
fn compile_kernels(nvrtc: &Nvrtc, capability: i32) -> Result<Vec<u8>, CudaError> {
    let Some(target) = choose_target(capability, &nvrtc.architectures()?) else {
        return Err(CudaError::Setup(format!(
            "{} compiles for no GPU as old as compute capability {}.{}: an earlier CUDA toolkit does; products without packed weights need none",
            compiler_title(nvrtc)?,
            capability / 10,
            capability % 10
        )));
    };
    compiled_for(nvrtc, target)
}

/// `NVRTC 13.0`.
fn compiler_title(nvrtc: &Nvrtc) -> Result<String, CudaError> {
    let [major, minor] = nvrtc.version()?;
    Ok(format!("NVRTC {major}.{minor}"))
}

/// Refuses a compiler whose instructions the driver does not load, as it is of a CUDA before it.
fn loaded_by(driver: i32, nvrtc: &Nvrtc) -> Result<(), CudaError> {
    let ([major, _], own) = (nvrtc.version()?, driver / 1000);
    if major <= own {
        return Ok(());
    }
    Err(CudaError::Setup(format!(
        "what {} compiles is not loaded by this machine's driver, which is of CUDA {own}.{}: install the CUDA toolkit {own}, or put \
         the folder of its libnvrtc into LD_LIBRARY_PATH, or install a driver of CUDA {major}; products without packed weights need no NVRTC",
        compiler_title(nvrtc)?,
        driver % 1000 / 10
    )))
}

fn compiled_for(nvrtc: &Nvrtc, target: Target) -> Result<Vec<u8>, CudaError> {
    let source = CString::new(SOURCE);
    let source = source.map_err(|_| CudaError::Setup("derate's kernels hold a zero".to_owned()))?;
    nvrtc.compile(&source, target)
}

impl Kernels {
    /// Compiles them for the GPU whose context is current.
    pub(super) fn new(driver: &'static Driver, capability: i32) -> Result<Self, CudaError> {
        let version = driver.version()?;
        let nvrtc = Nvrtc::get(Some(version / 1000))?;
        loaded_by(version, nvrtc)?;
        let module = driver.load(&compile_kernels(nvrtc, capability)?)?;
        let of = |names: [&CStr; 3]| {
            let [softmax, gelu, slope] = names.map(|name| driver.function(&module, name));
            Ok(OfFloats { softmax: softmax?, gelu: gelu?, slope: slope? })
        };
        let found = || -> Result<[OfFloats; 3], CudaError> {
            Ok([
                of([c"softmax_fp32", c"gelu_fp32", c"slope_fp32"])?,
                of([c"softmax_fp16", c"gelu_fp16", c"slope_fp16"])?,
                of([c"softmax_bf16", c"gelu_bf16", c"slope_bf16"])?,
            ])
        };
        let [fp32, fp16, bf16] = found().inspect_err(|_| driver.unload(&module))?;
        Ok(Self { driver, nvrtc: compiler_title(nvrtc)?, fp32, fp16, bf16, module })
    }

    /// What compiled them: `NVRTC 13.0`.
    pub(super) fn compiler(&self) -> &str {
        &self.nvrtc
    }

    fn of(&self, arithmetic: Arithmetic) -> Result<&OfFloats, CudaError> {
        match arithmetic {
            Arithmetic::Fp32 | Arithmetic::Tf32 => Ok(&self.fp32),
            Arithmetic::Fp16 => Ok(&self.fp16),
            Arithmetic::Bf16 => Ok(&self.bf16),
            Arithmetic::Int8 | Arithmetic::Fp8E4m3 | Arithmetic::Fp8E5m2 => {
                Err(CudaError::Setup(NO_EXPONENTIALS.to_owned()))
            }
        }
    }

    /// Puts a softmax of each row into the GPU's order of work.
    pub(super) fn softmax(
        &self,
        arithmetic: Arithmetic,
        scores: Address,
        rows: Rows,
    ) -> Result<(), CudaError> {
        let arguments = [
            Argument::Address(scores),
            Argument::Count(rows.count),
            Argument::Whole(rows.queries),
            Argument::Whole(rows.keys),
            Argument::Whole(rows.causal.into()),
            Argument::Single(rows.scale),
        ];
        let grid = [limit_blocks(rows.count), threads_per_row(rows.keys.into())];
        self.driver.launch(self.of(arithmetic)?.softmax, grid, &arguments)
    }

    /// Puts `to = gelu(scale from)` into the GPU's order of work; `from` may be `to`.
    pub(super) fn gelu(
        &self,
        arithmetic: Arithmetic,
        [from, to]: [Address; 2],
        elements: u64,
        scale: f32,
    ) -> Result<(), CudaError> {
        let arguments = [
            Argument::Address(from),
            Argument::Address(to),
            Argument::Count(elements),
            Argument::Single(scale),
        ];
        let grid = [limit_blocks(elements.div_ceil(THREADS.into())), THREADS];
        self.driver.launch(self.of(arithmetic)?.gelu, grid, &arguments)
    }

    /// Puts `to = scale from gelu'(scale of)` into the GPU's order of work; `from` may be `to`.
    pub(super) fn slope(
        &self,
        arithmetic: Arithmetic,
        [from, of, to]: [Address; 3],
        elements: u64,
        scale: f32,
    ) -> Result<(), CudaError> {
        let arguments = [
            Argument::Address(from),
            Argument::Address(of),
            Argument::Address(to),
            Argument::Count(elements),
            Argument::Single(scale),
        ];
        let grid = [limit_blocks(elements.div_ceil(THREADS.into())), THREADS];
        self.driver.launch(self.of(arithmetic)?.slope, grid, &arguments)
    }

    /// The kernels that multiply with weights in a packed format.
    pub(super) fn find_packed(&self, format: PackedFormat) -> Result<PackedKernels, CudaError> {
        let named = |way: &str| {
            let name = CString::new(format!("{way}_{}", packed_name(format))).unwrap_or_default();
            self.driver.function(&self.module, &name)
        };
        Ok(PackedKernels { vector: named("vector")?, tiles: named("tiles")? })
    }

    /// Puts a product with packed weights into the GPU's order of work: `y[vectors][rows] = x[vectors][columns] W[rows][columns]^T`.
    pub(super) fn multiply_packed(
        &self,
        kernels: &PackedKernels,
        of: &PackedProduct,
    ) -> Result<(), CudaError> {
        let arguments = [
            Argument::Address(of.codes),
            Argument::Address(of.scales),
            Argument::Address(of.x),
            Argument::Address(of.y),
            Argument::Whole(of.rows),
            Argument::Whole(of.columns),
            Argument::Whole(of.vectors),
            Argument::Whole(of.shift),
            Argument::Single(of.tensor),
        ];
        let (rows, vectors) = (u64::from(of.rows), u64::from(of.vectors));
        if of.vectors == 1 {
            let blocks = rows.div_ceil(u64::from(2 * VECTOR_THREADS / WARP));
            return self.driver.launch(
                kernels.vector,
                [limit_blocks(blocks), VECTOR_THREADS],
                &arguments,
            );
        }
        let tiles = rows.div_ceil(TILE) * vectors.div_ceil(TILE);
        self.driver.launch(kernels.tiles, [limit_blocks(tiles), THREADS], &arguments)
    }
}

/// How the kernels of a packed format are called: `e2m1_eight`.
fn packed_name(format: PackedFormat) -> String {
    let code = match format.code {
        Code::E4m3 => "e4m3",
        Code::E5m2 => "e5m2",
        Code::E2m1 => "e2m1",
        Code::Int4 => "int4",
        Code::Int8 => "int8",
        Code::Nf4 => "nf4",
    };
    let scale = match format.scale {
        Scale::None => "none",
        Scale::Half(_) => "half",
        Scale::E4m3(_) => "eight",
        Scale::Exponent(_) => "exponent",
        Scale::Single(_) | Scale::Row => "single",
    };
    format!("{code}_{scale}")
}

impl Drop for Kernels {
    fn drop(&mut self) {
        self.driver.unload(&self.module);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_gpu_runs_what_is_compiled_for_an_earlier_one() {
        let known = [50, 75, 80, 90, 120];
        assert_eq!(choose_target(90, &known), Some(Target::Own(90)));
        assert_eq!(choose_target(89, &known), Some(Target::Later(80)));
        assert_eq!(choose_target(121, &known), Some(Target::Later(120)));
        assert_eq!(choose_target(37, &known), None);
        assert_eq!(
            [Target::Own(90), Target::Later(80)].map(|own| own.to_string()),
            ["sm_90", "compute_80"]
        );
    }

    #[test]
    fn a_row_has_whole_warps() {
        for (keys, wanted) in [(1, 32), (32, 32), (33, 64), (256, 256), (4096, 256)] {
            assert_eq!(threads_per_row(keys), wanted, "{keys}");
        }
        assert_eq!([additions_per_row(1), additions_per_row(4096)], [7, 29]);
    }

    /// The compiler needs no GPU. Only where it goes on to the GPU's own instructions does it look at what is between the
    /// quotes of `asm`.
    #[test]
    #[ignore = "needs NVIDIA's NVRTC; `make test` runs it where that is installed"]
    fn nvidias_own_compiler_takes_the_kernels() {
        let nvrtc = Nvrtc::get(None).unwrap();
        let known = nvrtc.architectures().unwrap();
        let mut tried = 0;
        for own in [75, 80, 89, 90, 100, 120].into_iter().filter(|own| known.contains(own)) {
            let text = compiled_for(nvrtc, Target::Later(own)).unwrap();
            let text = String::from_utf8_lossy(&text);
            for name in ["fp32", "fp16", "bf16"]
                .iter()
                .flat_map(|own| ["softmax", "gelu", "slope"].map(|way| format!("{way}_{own}")))
                .chain(PackedFormat::all().into_iter().flat_map(|format| {
                    ["vector", "tiles"].map(|way| format!("{way}_{}", packed_name(format)))
                }))
            {
                assert!(text.contains(&format!(".visible .entry {name}(")), "{name}");
            }
            assert!(text.contains("cvt.rn.f16.f32") && text.contains(&format!(".target sm_{own}")));
            assert!(compiled_for(nvrtc, Target::Own(own)).unwrap().starts_with(b"\x7fELF"));
            tried += 1;
        }
        assert!(tried > 0, "{known:?}");
        let wrong = nvrtc
            .compile(c"__global__ void f() { nothing_like_it(); }", Target::Later(80))
            .unwrap_err();
        let said = wrong.to_string();
        assert!(said.contains("could not compile") && said.contains("nothing_like_it"), "{said}");
        assert!(!wrong.is_passing() && said.lines().count() == 1, "{said}");
    }
}
