//! derate's own kernels, in the source beside this file: what cuBLAS has no product for.

use std::ffi::{CStr, CString};

use super::Arithmetic;
use super::arithmetic::NO_EXPONENTIALS;
use super::sys::{Address, Argument, Driver, Function, Module, Nvrtc, Target};
use crate::error::CudaError;

const SOURCE: &str = include_str!("kernels.cu");

/// Threads of a block at most.
const THREADS: u32 = 256;
/// Of which so many run in step.
const WARP: u32 = 32;
/// Blocks of a launch at most: each goes on to further rows or elements.
const MOST_BLOCKS: u64 = 1 << 20;

/// The kernels of one way to store elements.
#[derive(Debug)]
struct Pair {
    softmax: Function,
    gelu: Function,
}

/// The kernels on a GPU; unloaded when this is dropped.
#[derive(Debug)]
pub(super) struct Kernels {
    driver: &'static Driver,
    module: Module,
    nvrtc: String,
    fp32: Pair,
    fp16: Pair,
    bf16: Pair,
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
            "{} compiles for no GPU as old as compute capability {}.{}: an earlier CUDA toolkit does; gemv and gemm need none",
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
         the folder of its libnvrtc into LD_LIBRARY_PATH, or install a driver of CUDA {major}; gemv and gemm need no NVRTC",
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
        let pair = |softmax: &CStr, gelu: &CStr| {
            let [softmax, gelu] = [softmax, gelu].map(|name| driver.function(&module, name));
            Ok(Pair { softmax: softmax?, gelu: gelu? })
        };
        let found = || -> Result<[Pair; 3], CudaError> {
            Ok([
                pair(c"softmax_fp32", c"gelu_fp32")?,
                pair(c"softmax_fp16", c"gelu_fp16")?,
                pair(c"softmax_bf16", c"gelu_bf16")?,
            ])
        };
        let [fp32, fp16, bf16] = found().inspect_err(|_| driver.unload(&module))?;
        Ok(Self { driver, nvrtc: compiler_title(nvrtc)?, fp32, fp16, bf16, module })
    }

    /// What compiled them: `NVRTC 13.0`.
    pub(super) fn compiler(&self) -> &str {
        &self.nvrtc
    }

    fn of(&self, arithmetic: Arithmetic) -> Result<&Pair, CudaError> {
        match arithmetic {
            Arithmetic::Fp32 | Arithmetic::Tf32 => Ok(&self.fp32),
            Arithmetic::Fp16 => Ok(&self.fp16),
            Arithmetic::Bf16 => Ok(&self.bf16),
            Arithmetic::Int8 => Err(CudaError::Setup(NO_EXPONENTIALS.to_owned())),
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

    /// Puts GELU of each element times `scale` into the GPU's order of work.
    pub(super) fn gelu(
        &self,
        arithmetic: Arithmetic,
        values: Address,
        elements: u64,
        scale: f32,
    ) -> Result<(), CudaError> {
        let arguments =
            [Argument::Address(values), Argument::Count(elements), Argument::Single(scale)];
        let grid = [limit_blocks(elements.div_ceil(THREADS.into())), THREADS];
        self.driver.launch(self.of(arithmetic)?.gelu, grid, &arguments)
    }
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
        for own in [75, 80, 90].into_iter().filter(|own| known.contains(own)) {
            let text = compiled_for(nvrtc, Target::Later(own)).unwrap();
            let text = String::from_utf8_lossy(&text);
            for name in ["fp32", "fp16", "bf16"]
                .iter()
                .flat_map(|own| [format!("softmax_{own}"), format!("gelu_{own}")])
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
