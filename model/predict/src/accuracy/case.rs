//! One run, and the times of its operations at the roofs.

use super::{ComparedPoint, Efficiency, Half, ShapeKey};
use derate_machine::Target;
use derate_measure::{BytesFrom, KernelKind, Measurement, Run, RunTimes};
use derate_units::figures::quantity;
use derate_units::{Bound, Bytes, Encoding, Mixture, Ops, OpsPerSecond, Precision, Seconds};
use derate_workload::operator::{OperationRecord, OperatorFormats, RoofOverrides, TargetRoofs};

/// The times of an operation at each roof.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoofTimes {
    /// How often it runs.
    pub(super) runs: f64,
    /// At the peak.
    pub(super) compute: Seconds,
    /// At the memory's bandwidth.
    pub(super) memory: Seconds,
}

/// A run that can be predicted.
#[derive(Clone, Debug)]
pub(super) struct ComparedRun {
    pub(super) file: String,
    pub(super) kind: KernelKind,
    pub(super) precision: String,
    /// What was multiplied, and what it was summed in; `None` where the run does not tell.
    pub(super) arithmetic: Option<String>,
    pub(super) accumulate: Option<String>,
    pub(super) device: String,
    pub(super) threads: Option<u64>,
    pub(super) peak: OpsPerSecond,
    /// The arithmetic whose peak that is.
    pub(super) peak_of: Precision,
    pub(super) key: ShapeKey,
    pub(super) pieces: Vec<RoofTimes>,
    /// Whether the last-level cache may hold what it works on: as its file says, else by the size of its operands.
    pub(super) cached: bool,
    /// What it moved by its file, over its operands and result at their stored size: above 1 where results are kept wider.
    pub(super) wider: f64,
    /// Whether it is layers that run backward, too.
    pub(super) backward: bool,
    shape: String,
    flops: Ops,
    bytes: Bytes,
    bound: Bound,
    times: RunTimes,
}

/// What a run moved by the formulas of its device, over what operands and result take as they are stored: a library may write
/// sums of 32 bits where operands have eight. The error is a sentence.
fn moved_share(run: &Run, stored: Bytes) -> Result<f64, String> {
    let own = run.bytes().filter(|_| run.bytes_from == Some(BytesFrom::Formulas));
    let Some(own) = own else { return Ok(1.0) };
    let share = own / stored;
    // Sums of the same numbers in another order.
    if (share - 1.0).abs() < 1e-9 {
        return Ok(1.0);
    }
    if !share.is_finite() || share < 1.0 {
        return Err(format!(
            "its bytes, {}, are fewer than its operands and its result have, {}",
            quantity(own),
            quantity(stored)
        ));
    }
    Ok(share)
}

impl ComparedRun {
    /// The run of a file on `target`; the error is a sentence.
    pub(super) fn of(
        file: &str,
        measurement: &Measurement,
        run: &Run,
        target: &Target,
    ) -> Result<Self, String> {
        let kind = measurement.kernel;
        let (shape, count) =
            run.shape(kind).ok_or_else(|| format!("it names no extents of a {kind}"))?;
        let stored = run.stored().unwrap_or_default();
        let encoding = Encoding::parse(stored).ok_or_else(|| Encoding::describe_unknown(stored))?;
        if run.is_wrong() {
            return Err("its results were wrong, so the work was not done".to_owned());
        }
        let times = run.times().ok_or("it has no times")?;
        let formats = OperatorFormats::new(Mixture::of(encoding));
        let ran = match &run.computed {
            Some(own) => {
                let known = |name: &str| {
                    Precision::parse(name)
                        .ok_or_else(|| format!("`{name}` is not a known precision"))
                };
                let arithmetic = known(&own.arithmetic)?;
                Mixture { accumulate: known(&own.accumulate)?, ..Mixture::of(arithmetic.into()) }
            }
            None => formats.mixture,
        };
        let clock = measurement.kernel_clock.filter(|_| target.card().is_some());
        let given = RoofOverrides { clock, ..RoofOverrides::default() };
        let ground = TargetRoofs::new(target, &OperatorFormats::new(ran), &given);
        let ground = ground.map_err(|error| error.to_string())?;
        let arithmetic = ran.arithmetic();
        let peak = ground.peaks.iter().find(|peak| peak.arithmetic == arithmetic);
        let peak = peak.ok_or("it multiplies nothing")?.peak.as_ref().map_err(Clone::clone)?.value;
        let (mut pieces, mut flops, mut stored_bytes) = (Vec::new(), Ops(0.0), Bytes(0.0));
        for (operation, runs) in shape.operations() {
            let record = OperationRecord::new(&operation, runs, &formats, &ground.roofs);
            let compute = record.compute.ok_or("the peak of an operation is not known")?;
            let runs = runs as f64 * count as f64;
            flops = flops + record.flops * runs;
            stored_bytes = stored_bytes + record.bytes * runs;
            pieces.push(RoofTimes { runs, compute, memory: record.memory });
        }
        let wider = moved_share(run, stored_bytes)?;
        let bytes = stored_bytes * wider;
        let (mut by_compute, mut by_memory) = (0.0, 0.0);
        for RoofTimes { runs, compute, memory } in &mut pieces {
            *memory = *memory * wider;
            let side = if *compute >= *memory { &mut by_compute } else { &mut by_memory };
            *side += compute.0.max(memory.0) * *runs;
        }
        let bound = if by_compute >= by_memory { Bound::Compute } else { Bound::Memory };
        let cache = target.processor().and_then(|own| own.last_level_cache.as_ref());
        Ok(Self {
            file: file.to_owned(),
            kind,
            precision: stored.to_owned(),
            arithmetic: run.computed.as_ref().map(|_| arithmetic.key()),
            accumulate: run.computed.as_ref().map(|_| ran.accumulate.key()),
            device: measurement.device.name.clone(),
            threads: measurement.threads,
            peak,
            peak_of: ground.computed_as(arithmetic),
            key: ShapeKey::of(&shape, count),
            pieces,
            cached: match run.beyond_cache {
                Some(beyond) => !beyond,
                None => cache.is_some_and(|cache| bytes <= cache.value),
            },
            wider,
            backward: run.mlp.as_ref().is_some_and(|own| own.backward),
            shape: shape.title(),
            flops,
            bytes,
            bound,
            times,
        })
    }

    /// What it took.
    pub(super) fn measured_time(&self) -> Seconds {
        self.times.median
    }

    /// `sum of runs x max(compute / share, memory / share) + launch`.
    pub(super) fn model_time(&self, with: &Efficiency) -> Seconds {
        let compute = with.compute.unwrap_or(1.0);
        let memory = with.memory.unwrap_or(1.0);
        let memory = if self.cached { with.cached.unwrap_or(memory) } else { memory };
        let one = |piece: &RoofTimes| {
            piece.runs * (piece.compute.0 / compute).max(piece.memory.0 / memory)
        };
        let launch = with.launch_seconds.unwrap_or(Seconds(0.0));
        Seconds(self.pieces.iter().map(one).sum::<f64>()) + launch
    }

    pub(super) fn to_point(
        &self,
        group: usize,
        fitted: Option<&Efficiency>,
        half: Option<Half>,
    ) -> ComparedPoint {
        let (predicted, measured) = (self.model_time(&Efficiency::ROOFLINE), self.measured_time());
        let fitted = fitted.map(|efficiency| self.model_time(efficiency));
        ComparedPoint {
            group,
            file: self.file.clone(),
            kind: self.kind,
            shape: self.shape.clone(),
            precision: self.precision.clone(),
            arithmetic: self.arithmetic.clone(),
            flops: self.flops,
            bytes: self.bytes,
            oi: self.flops / self.bytes,
            bound: self.bound,
            predicted_seconds: predicted,
            measured_seconds: measured,
            times: self.times,
            error: predicted / measured - 1.0,
            error_of_predicted: (1.0 - measured / predicted).abs(),
            half,
            fitted_seconds: fitted,
            fitted_error: fitted.map(|fitted| fitted / measured - 1.0),
        }
    }
}
