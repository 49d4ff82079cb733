//! The machine's own roofs, measured beside each run of a table of precisions.

use anyhow::{Error, anyhow};
use derate_host::cpu;
use derate_host::measure::{Cancel, Progress, Repeat};
use derate_host::operators::OperatorDevice;
use derate_model::measurement::{KernelKind, Run};
use derate_model::operator::{OperatorFormats, Shape};
use derate_model::predict::PredictedRun;
use derate_model::units::{Bytes, BytesPerSecond, OpsPerSecond};
use derate_model::{Encoding, Mixture, Precision};

use super::request::OperatorWork;
use crate::output;

const REPEAT: Repeat = Repeat { repetitions: 5, warm_up: 2 };

/// Rows, columns and terms of a product that is large enough for its peak; a program without optimisation has none to show.
fn product_extent() -> u64 {
    if cpu::build_note().is_some() { 64 } else { 1088 }
}

/// No read is smaller: threads take a while to start.
const LEAST: f64 = 4e6;

pub(super) struct OwnRoofs {
    threads: usize,
    single: OpsPerSecond,
    integer: OpsPerSecond,
    /// Each run so far beside its roofs.
    pub(super) beside: Vec<PredictedRun>,
}

fn fastest_rate(
    device: &OperatorDevice,
    of: Precision,
    cancel: Cancel<'_>,
) -> Result<OpsPerSecond, Error> {
    let side = product_extent();
    let product = Shape::Gemm { m: side, n: side, k: side };
    let run = device.run(&product, of, REPEAT, cancel, &mut output::show_progress)?;
    output::show_progress("");
    let (fastest, _) = run.extremes().ok_or_else(|| anyhow!("the product gave no time"))?;
    Ok(OpsPerSecond(2.0 * (side * side * side) as f64 / fastest.0))
}

impl OwnRoofs {
    /// Of this machine, where a table is asked for; a GPU has its roofs from `derate platform measure`.
    pub(super) fn of(
        work: &OperatorWork,
        device: &OperatorDevice,
        cancel: Cancel<'_>,
    ) -> Result<Option<Self>, Error> {
        let OperatorDevice::Cpu { threads } = device else {
            if work.is_compared {
                output::note(
                    "note: `derate platform measure` and `derate compare` hold these runs against the roofs of the GPU",
                );
            }
            return Ok(None);
        };
        if !work.is_compared {
            return Ok(None);
        }
        Ok(Some(Self {
            threads: *threads,
            single: fastest_rate(device, Precision::FP32, cancel)?,
            integer: fastest_rate(device, Precision::INT8, cancel)?,
            beside: Vec::new(),
        }))
    }

    /// What reads of as many bytes as the operator's reach now.
    pub(super) fn read_rate(
        &self,
        shape: &Shape,
        stored: Encoding,
        progress: Progress<'_>,
    ) -> Result<BytesPerSecond, Error> {
        let (Bytes(read), _) = shape.bytes(&OperatorFormats::new(Mixture::of(stored)));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "of a shape that runs"
        )]
        let bytes = read.max(LEAST) as u64;
        let setup = cpu::Machine { bytes: vec![bytes], threads: self.threads, repeat: REPEAT };
        let measured = cpu::measure_streams(KernelKind::Read, &setup, progress)?;
        let rate = measured.runs.first().and_then(Run::bandwidth);
        rate.ok_or_else(|| anyhow!("the read beside the run gave no time: run it again"))
    }

    /// Keeps a run beside the reads before and after it.
    pub(super) fn add_run(
        &mut self,
        work: &OperatorWork,
        run: &Run,
        (before, after): (BytesPerSecond, BytesPerSecond),
    ) {
        let integer = run.computed.as_ref().is_some_and(|own| own.arithmetic.starts_with("int"));
        let peak = if integer { self.integer } else { self.single };
        let bandwidth = BytesPerSecond(f64::midpoint(before.0, after.0));
        self.beside.extend(PredictedRun::of(run, work.kind.into(), bandwidth, peak));
    }
}
