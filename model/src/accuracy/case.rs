//! One run, and the times of its operations at the roofs.

use super::{Efficiency, Half, Key, Point};
use crate::measurement::{Kind, Measurement, Run, Times};
use crate::operator::{Formats, Given, Ground, Record};
use crate::units::{Bytes, Ops, OpsPerSecond, Seconds};
use crate::{Bound, Encoding, Mixture, Precision, Target};

/// The times of an operation at each roof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// How often it runs.
    pub(super) runs: f64,
    /// At the peak.
    pub(super) compute: Seconds,
    /// At the memory's bandwidth.
    pub(super) memory: Seconds,
}

/// A run that can be predicted.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) file: String,
    pub(super) kind: Kind,
    pub(super) precision: String,
    pub(super) arithmetic: String,
    pub(super) peak: OpsPerSecond,
    pub(super) key: Key,
    pub(super) pieces: Vec<Piece>,
    /// Whether all its operands fit the last-level cache.
    pub(super) cached: bool,
    shape: String,
    flops: Ops,
    bytes: Bytes,
    bound: Bound,
    times: Times,
}

impl Case {
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
        let encoding = Encoding::parse(stored).ok_or_else(|| Encoding::unknown(stored))?;
        if run.is_wrong() {
            return Err("its results were wrong, so the work was not done".to_owned());
        }
        let times = run.times().ok_or("it has no times")?;
        let formats = Formats::new(Mixture::of(encoding));
        let ran = match &run.computed {
            Some(own) => {
                let known = |name: &str| {
                    Precision::parse(name).ok_or_else(|| format!("`{name}` is no known precision"))
                };
                let arithmetic = known(&own.arithmetic)?;
                Mixture { accumulate: known(&own.accumulate)?, ..Mixture::of(arithmetic.into()) }
            }
            None => formats.mixture,
        };
        let clock = measurement.kernel_clock.filter(|_| target.card().is_some());
        let given = Given { clock, ..Given::default() };
        let ground = Ground::new(target, &Formats::new(ran), &given)?;
        let arithmetic = ran.arithmetic();
        let peak = ground.peaks.iter().find(|peak| peak.arithmetic == arithmetic);
        let peak = peak.ok_or("it multiplies nothing")?.peak.as_ref().map_err(Clone::clone)?.value;
        let (mut pieces, mut flops, mut bytes) = (Vec::new(), Ops(0.0), Bytes(0.0));
        let (mut by_compute, mut by_memory) = (0.0, 0.0);
        for (operation, runs) in shape.operations() {
            let record = Record::new(&operation, runs, &formats, &ground.roofs);
            let compute = record.compute.ok_or("the peak of an operation is not known")?;
            let runs = runs as f64 * count as f64;
            flops = flops + record.flops * runs;
            bytes = bytes + record.bytes * runs;
            let side = if compute >= record.memory { &mut by_compute } else { &mut by_memory };
            *side += record.seconds().0 * runs;
            pieces.push(Piece { runs, compute, memory: record.memory });
        }
        let bound = if by_compute >= by_memory { Bound::Compute } else { Bound::Memory };
        let cache = target.processor().and_then(|own| own.last_level_cache.as_ref());
        Ok(Self {
            file: file.to_owned(),
            kind,
            precision: stored.to_owned(),
            arithmetic: arithmetic.key(),
            peak,
            key: Key::of(&shape, count),
            pieces,
            cached: cache.is_some_and(|cache| bytes <= cache.value),
            shape: shape.title(),
            flops,
            bytes,
            bound,
            times,
        })
    }

    /// What it took.
    pub(super) fn measured(&self) -> Seconds {
        self.times.median
    }

    /// `sum of runs x max(compute / share, memory / share) + launch`.
    pub(super) fn time(&self, with: &Efficiency) -> Seconds {
        let compute = with.compute.unwrap_or(1.0);
        let memory = with.memory.unwrap_or(1.0);
        let memory = if self.cached { with.cached.unwrap_or(memory) } else { memory };
        let one =
            |piece: &Piece| piece.runs * (piece.compute.0 / compute).max(piece.memory.0 / memory);
        let launch = with.launch_seconds.unwrap_or(Seconds(0.0));
        Seconds(self.pieces.iter().map(one).sum::<f64>()) + launch
    }

    pub(super) fn point(&self, fitted: Option<&Efficiency>, half: Option<Half>) -> Point {
        let (predicted, measured) = (self.time(&Efficiency::ROOFLINE), self.measured());
        let fitted = fitted.map(|efficiency| self.time(efficiency));
        Point {
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
            half,
            fitted_seconds: fitted,
            fitted_error: fitted.map(|fitted| fitted / measured - 1.0),
        }
    }
}
