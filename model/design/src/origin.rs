//! Where the figures of a kernel come from: its model, its report, its stages.

use crate::kernel::{CycleRange, UsedResource};
use crate::stages::{StageCycles, join_stages, list_stages};
use derate_estimate::{KernelReading, ReportReading, SourceModel};
use derate_hls::Report;
use derate_kernel::pipeline::reported_latency;
use derate_machine::ResourceKind;
use derate_project::{KernelOrigin, KernelSection, StageList};
use derate_units::{Figure, Provenance};

/// What an origin tells of one call.
#[derive(Default)]
pub(crate) struct OriginFigures {
    pub(crate) cycles: Option<CycleRange>,
    pub(crate) interval: Option<f64>,
    pub(crate) multiply_adds: Option<Figure<f64>>,
    pub(crate) used: Vec<UsedResource>,
    pub(crate) top: Option<String>,
    pub(crate) stages: Vec<StageCycles>,
    pub(crate) unknown: Vec<String>,
}

impl OriginFigures {
    pub(crate) fn of_kernel(section: &KernelSection, reading: Option<&KernelReading>) -> Self {
        let mut figures = match (&section.origin, reading) {
            (KernelOrigin::Stages(list), _) => Self::of_stages(list),
            (_, Some(KernelReading::Modelled(kernel))) => Self::of_model(kernel),
            (_, Some(KernelReading::Reported(reading))) => Self::of_reading(reading),
            _ => {
                let unknown = vec!["its files were not read".to_owned()];
                Self { unknown, ..Self::default() }
            }
        };
        figures.put_stated(section);
        figures
    }

    fn of_stages(list: &StageList) -> Self {
        let stages = list_stages(list);
        let (latency, interval) = join_stages(list, &stages);
        let source = "[[kernel.stage]] in derate.toml";
        let figure = |value| Figure::new(value, Provenance::Assumed, source);
        Self {
            cycles: Some(CycleRange { low: latency.0, value: figure(latency.0), high: latency.0 }),
            interval: Some(interval.0),
            multiply_adds: Some(figure(stages.iter().map(|stage| stage.multiply_adds).sum())),
            stages,
            ..Self::default()
        }
    }

    fn of_model(kernel: &SourceModel) -> Self {
        let answer = &kernel.answer;
        let source = format!("modelled from the source of {}", answer.top);
        let figure = |value: f64| Figure::new(value, Provenance::Derived, source.clone());
        let expected = answer.latency.expected;
        let range = kernel.uncertainty;
        let cycles = answer.latency.is_known().then(|| CycleRange {
            low: expected * range.low,
            value: figure(expected),
            high: expected * range.high,
        });
        let of = &answer.resources;
        let amounts = [
            (ResourceKind::Dsp, of.dsp.value),
            (ResourceKind::Bram18, of.bram18.needed()),
            (ResourceKind::Uram, of.uram.value),
            (ResourceKind::Lut, of.lut.value),
            (ResourceKind::Ff, of.ff.value),
        ];
        let used =
            amounts.map(|(resource, amount)| UsedResource { resource, amount: figure(amount) });
        let place = |one: &derate_kernel::ir::Unknown| {
            let file = answer.files.get(usize::from(one.place.file)).map_or("", String::as_str);
            format!("{file}:{}: {}", one.place.line, one.reason)
        };
        Self {
            interval: cycles.as_ref().map(|_| answer.interval.expected),
            cycles,
            multiply_adds: answer.multiply_adds().map(figure),
            used: if answer.is_scheduled { used.into() } else { Vec::new() },
            top: Some(answer.top.clone()),
            unknown: answer.unknown.iter().map(place).collect(),
            ..Self::default()
        }
    }

    /// A report counts no multiply-adds; its source does, where it is still the same.
    fn of_reading(reading: &ReportReading) -> Self {
        let source = reading.source.as_ref().filter(|_| reading.stale.is_empty());
        let multiply_adds = source.and_then(|source| Self::of_model(source).multiply_adds);
        let unknown = source.map_or_else(Vec::new, |source| Self::of_model(source).unknown);
        let mut figures = Self::of_report(&reading.report);
        figures.multiply_adds = multiply_adds;
        figures.unknown.extend(unknown);
        figures
    }

    fn of_report(report: &Report) -> Self {
        let mut figures = Self::default();
        match reported_latency(report) {
            Ok(latency) => {
                let value = latency.worst.map(|cycles| cycles.0);
                let best = latency.best.map_or(value.value, |best| best.value.0);
                figures.cycles = Some(CycleRange { low: best, high: value.value, value });
            }
            Err(reason) => figures.unknown.push(reason.to_string()),
        }
        let Some(module) = report.top_module() else { return figures };
        figures.top = Some(module.name.value.clone());
        figures.interval =
            module.interval.as_ref().and_then(|one| one.value.max()).map(|max| max as f64);
        let source = format!("the synthesis report of {}", module.name.value);
        let names = [
            (ResourceKind::Dsp, "DSP"),
            (ResourceKind::Bram18, "BRAM_18K"),
            (ResourceKind::Uram, "URAM"),
            (ResourceKind::Lut, "LUT"),
            (ResourceKind::Ff, "FF"),
        ];
        let amount = |(resource, name): (ResourceKind, &str)| {
            let used = module.resources.get(name)?.used.value.max()?;
            let amount = Figure::new(used as f64, Provenance::Synthesised, source.clone());
            Some(UsedResource { resource, amount })
        };
        figures.used = names.into_iter().filter_map(amount).collect();
        figures
    }

    /// What `derate.toml` states of resources goes before what is modelled.
    fn put_stated(&mut self, section: &KernelSection) {
        let of = &section.used;
        let stated = [
            (ResourceKind::Dsp, &of.dsp),
            (ResourceKind::Bram18, &of.bram18),
            (ResourceKind::Uram, &of.uram),
            (ResourceKind::Lut, &of.lut),
            (ResourceKind::Ff, &of.ff),
        ];
        for (resource, claim) in stated {
            let Some(claim) = claim else { continue };
            self.used.retain(|one| one.resource != resource);
            let source = "[[kernel]] in derate.toml";
            let amount = Figure::new(claim.value as f64, Provenance::Assumed, source);
            self.used.push(UsedResource { resource, amount });
        }
        self.used.sort_by_key(|one| one.resource);
    }
}
