//! Which assumption moves the answer most.

use serde::Serialize;

use super::setting::{held, parameters, peaks, setting};
use crate::classes::classes;
use crate::pass::{Setting, pass};
use crate::scenario::Scenario;
use crate::units::Seconds;
use crate::workload::Parameters;
use crate::{Analysis, Precision, Schedule, Storage, TensorFormats};

/// What the answer becomes when one assumption is another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assumption {
    /// The assumption.
    pub name: &'static str,
    /// What it is.
    pub from: String,
    /// What it is changed to.
    pub to: String,
    /// The answer as it is: latency where a design is given, else roofline time.
    pub before: Seconds,
    /// The answer with the change.
    pub after: Seconds,
    /// `after / before - 1`.
    pub change: f64,
}

/// One change to the setting, the parameters or the formats.
struct Change {
    name: &'static str,
    from: String,
    to: String,
    setting: Box<dyn Fn(&mut Setting)>,
    parameters: Box<dyn Fn(&mut Parameters)>,
    storage: Option<Storage>,
}

fn change(name: &'static str, from: impl Into<String>, to: impl Into<String>) -> Change {
    Change {
        name,
        from: from.into(),
        to: to.into(),
        setting: Box::new(|_| {}),
        parameters: Box::new(|_| {}),
        storage: None,
    }
}

/// A parameter: its name, its value, another value, and how that is set.
type Counted = (&'static str, u64, u64, fn(&mut Parameters, u64));

/// The changes that are tried: to the value that is commonly taken instead, else by a tenth.
fn changes(scenario: &Scenario, base: &Setting, p: Parameters) -> Vec<Change> {
    let gbs = |b: f64| format!("{:.0} GB/s", b / 1e9);
    let mut list = vec![
        Change {
            setting: Box::new(|s| s.bandwidth *= 0.9),
            ..change("bandwidth", gbs(base.bandwidth), gbs(base.bandwidth * 0.9))
        },
        Change {
            setting: Box::new(|s| {
                for (_, peak) in &mut s.peaks {
                    *peak *= 0.9;
                }
                if let Some((machine, ..)) = &mut s.machine {
                    machine.target_clock *= 0.9;
                    machine.clock *= 0.9;
                }
            }),
            ..change("clock", "as given", "10 % lower")
        },
    ];
    let next = match scenario.storage {
        Storage::Uniform(Precision::BF16 | Precision::FP16) => Some(Precision::FP32),
        Storage::Uniform(Precision::FP32) => Some(Precision::BF16),
        Storage::Uniform(Precision::INT8) => Some(Precision::INT16),
        Storage::Uniform(_) | Storage::Each { .. } => Some(Precision::INT8),
    };
    if let Some(next) = next {
        list.push(Change {
            storage: Some(Storage::Uniform(next)),
            ..change("precision", scenario.storage.name(), next.key())
        });
    }
    let counted: [Counted; 4] = [
        ("cameras", p.cameras, p.cameras.saturating_sub(1), |p, n| p.cameras = n),
        ("language tokens", p.language_tokens, p.language_tokens / 2, |p, n| p.language_tokens = n),
        ("denoising steps", p.denoise_steps, p.denoise_steps / 2, |p, n| p.denoise_steps = n),
        ("action chunk", p.chunk, p.chunk / 2, |p, n| p.chunk = n),
    ];
    for (name, from, to, set) in counted {
        if to > 0 {
            list.push(Change {
                parameters: Box::new(move |p| set(p, to)),
                ..change(name, from.to_string(), to.to_string())
            });
        }
    }
    let next = match base.schedule {
        Schedule::Block => Schedule::Unfused,
        _ => Schedule::Block,
    };
    list.push(Change {
        setting: Box::new(move |s| s.schedule = next),
        ..change("fusion", base.schedule.name(), next.name())
    });
    list.push(Change {
        setting: Box::new(|s| s.capacity *= 0.5),
        ..change("on-chip memory", format!("{:.1} MB", base.capacity / 1e6), "half of it")
    });
    if let Some((machine, launch, _)) = base.machine {
        list.push(Change {
            setting: Box::new(|s| {
                if let Some((_, launch, _)) = &mut s.machine {
                    *launch = 0.0;
                }
            }),
            ..change("launch", format!("{} ms per call", launch * 1e3), "nothing")
        });
        list.push(Change {
            setting: Box::new(|s| {
                if let Some((machine, ..)) = &mut s.machine {
                    machine.fill = 0.0;
                }
            }),
            ..change("tile fill", format!("{} cycles", machine.fill), "0 cycles")
        });
        list.push(Change {
            setting: Box::new(|s| {
                if let Some((machine, ..)) = &mut s.machine {
                    machine.rows = (machine.rows / 2.0).ceil();
                    for (_, peak) in &mut s.peaks {
                        *peak /= 2.0;
                    }
                }
            }),
            ..change(
                "array rows",
                machine.rows.to_string(),
                (machine.rows / 2.0).ceil().to_string(),
            )
        });
    }
    list
}

/// The answer under `scenario` with each assumption changed, the strongest change first; empty where it is unknown.
pub(super) fn sensitivity(analysis: &Analysis, scenario: &Scenario) -> Vec<Assumption> {
    let p = parameters(analysis, scenario);
    let held = held(analysis, scenario);
    let own = scenario.storage.formats(&analysis.shape);
    let parts = analysis.workload.inference(&p);
    let rates = |formats: &TensorFormats| {
        let classes = classes(&parts, formats, &held).ok()?;
        let peaks = peaks(analysis, scenario, &classes);
        Some(setting(analysis, scenario, &peaks, scenario.schedule))
    };
    let answer = |p: Parameters, formats: &TensorFormats, setting: &Setting| {
        let pass = pass(analysis.workload.inference(&p), formats, &held, setting).ok()?;
        let answer = pass.latency.unwrap_or(pass.roofline);
        answer.is_finite().then_some(answer)
    };
    let Some(base) = rates(&own) else { return Vec::new() };
    let Some(before) = answer(p, &own, &base) else { return Vec::new() };
    let mut rows: Vec<Assumption> = changes(scenario, &base, p)
        .into_iter()
        .filter_map(|change| {
            let mut parameters = p;
            (change.parameters)(&mut parameters);
            let other = change.storage.as_ref().map(|storage| storage.formats(&analysis.shape));
            let formats = other.as_ref().unwrap_or(&own);
            let mut setting = if other.is_some() { rates(formats)? } else { base.clone() };
            (change.setting)(&mut setting);
            let after = answer(parameters, formats, &setting)?;
            Some(Assumption {
                name: change.name,
                from: change.from,
                to: change.to,
                before: Seconds(before),
                after: Seconds(after),
                change: after / before - 1.0,
            })
        })
        .collect();
    rows.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    rows
}
