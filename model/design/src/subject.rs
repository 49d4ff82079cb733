//! What a claim is of: the whole inference, a part, an operation or a kernel.

use std::collections::BTreeSet;

use crate::design::KernelDesign;
use crate::served::{is_named, serves_operation, split_name};
use derate_estimate::Analysis;
use derate_project::{ClaimPer, ClaimedFigure, FigureClaim};
use derate_units::{Ops, Seconds};
use derate_workload::{Block, FormatOf, Kernel, Part, Repeated, TensorId};

/// What a claim is of, with what the model has of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimSubject {
    /// Its name; `None` for the whole inference.
    pub name: Option<String>,
    /// What all of it does.
    pub all: SubjectWork,
    /// What its layers do, without what runs before and after them.
    pub layers: SubjectWork,
    /// Runs of its layers per pass.
    pub layer_runs: f64,
    /// Whether its layers run the same kernels.
    pub is_alike: bool,
    /// Its matrix products: part and operation.
    pub operations: BTreeSet<(String, String)>,
    /// The kernel, by its place in `derate.toml`, where it is one.
    pub kernel: Option<usize>,
}

/// Work and weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectWork {
    /// Operations of matrix products per pass.
    pub products: Ops,
    /// All other operations per pass.
    pub elementwise: Ops,
    /// The tensors that are read, by their place in the dump.
    pub tensors: BTreeSet<TensorId>,
    /// Layers that have tensors of their own.
    pub count: f64,
}

/// Time of the kernels that compute a subject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubjectTime {
    /// The least of the range.
    pub least: Seconds,
    /// What is expected.
    pub value: Seconds,
    /// Calls of the kernels.
    pub calls: f64,
}

/// What is meant by a name: a part (`vision`), an operation (`vision.fc1`), or a kernel of `[[kernel]]`. The error says what
/// there is.
pub fn find_subject(analysis: &Analysis, name: Option<&str>) -> Result<ClaimSubject, String> {
    let parts: Vec<Part> = analysis.inference_parts();
    let Some(name) = name else {
        return Ok(gather(None, None, &parts, |_, _| true));
    };
    let text = Some(name.to_owned());
    let pieces = split_name(name);
    let is_meant = |part: &Part, kernel: &Kernel| is_named(pieces, part, kernel);
    let found = gather(text.clone(), None, &parts, is_meant);
    if !found.operations.is_empty() {
        return Ok(found);
    }
    let sections = &analysis.project.kernels;
    if let Some(at) = sections.iter().position(|section| section.name.value == name) {
        return Ok(gather(text, Some(at), &parts, |part, kernel| {
            kernel.op.product().is_some() && serves_operation(&sections[at], part, kernel)
        }));
    }
    let kernels = sections.iter().map(|section| section.name.value.as_str());
    let all: Vec<&str> = parts.iter().map(|part| part.key.as_ref()).chain(kernels).collect();
    Err(format!(
        "`{name}` is not a part, an operation or a kernel: there are {}; an operation is written as PART.OPERATION",
        all.join(", ")
    ))
}

/// Why a claim cannot be of what it names; `None` where it can.
#[must_use]
pub fn refuse_claim(analysis: &Analysis, claim: &FigureClaim) -> Option<String> {
    let name = claim.of.as_ref().map(|of| of.value.as_str());
    let subject = match find_subject(analysis, name) {
        Ok(subject) => subject,
        Err(reason) => return Some(reason),
    };
    match claim.per {
        ClaimPer::Call if subject.kernel.is_none() => Some(
            "only a kernel has calls: write `of` with the name of a [[kernel]], or per layer"
                .to_owned(),
        ),
        ClaimPer::Layer if subject.layer_runs <= 0.0 => {
            Some("it has no layers: leave `per layer` out".to_owned())
        }
        _ => None,
    }
}

fn gather(
    name: Option<String>,
    kernel: Option<usize>,
    parts: &[Part],
    is_meant: impl Fn(&Part, &Kernel) -> bool,
) -> ClaimSubject {
    let mut subject = ClaimSubject { name, kernel, ..ClaimSubject::default() };
    let (mut other_runs, mut alike) = (0.0, 0);
    for part in parts.iter().filter(|part| part.never_runs.is_none()) {
        for repeated in &part.blocks {
            let block: &Block = &repeated.block;
            let meant: Vec<&Kernel> =
                block.kernels.iter().filter(|kernel| is_meant(part, kernel)).collect();
            let is_layer = block.layers.iter().any(|layer| layer.number.is_some());
            let is_product = |kernel: &&Kernel| kernel.op.product().is_some();
            for kernel in meant.iter().filter(|kernel| is_product(kernel)) {
                subject.operations.insert((part.key.to_string(), kernel.name.to_string()));
            }
            let count = if meant.is_empty() { 0.0 } else { block.layers.len() as f64 };
            subject.all.add(repeated, &meant, count);
            if is_layer {
                subject.layers.add(repeated, &meant, count);
                alike += usize::from(!meant.is_empty());
            }
            if meant.iter().any(is_product) {
                *(if is_layer { &mut subject.layer_runs } else { &mut other_runs }) +=
                    count_runs(repeated);
            }
        }
    }
    subject.is_alike = alike <= 1;
    if subject.layer_runs <= 0.0 {
        (subject.layer_runs, subject.layers) = (other_runs, subject.all.clone());
    }
    subject
}

fn count_runs(repeated: &Repeated) -> f64 {
    repeated.block.layers.len().max(1) as f64 * repeated.runs as f64
}

impl SubjectWork {
    fn add(&mut self, repeated: &Repeated, kernels: &[&Kernel], layers: f64) {
        let block: &Block = &repeated.block;
        let runs = count_runs(repeated);
        self.count += layers;
        for kernel in kernels {
            if let Some(&matmul) = kernel.op.product() {
                self.products = self.products + Ops(matmul.flops().0 * runs);
            } else {
                let ops = block.elementwise_ops(kernel).0 * runs;
                self.elementwise = self.elementwise + Ops(ops);
            }
            for operand in block.operands_of(kernel).iter().filter(|one| one.role.is_stored()) {
                let FormatOf::Slot(slot) = operand.format else { continue };
                let layers = block.layers.iter();
                let tensors = layers.filter_map(|layer| layer.tensors.get(usize::from(slot)));
                self.tensors.extend(tensors.copied());
            }
        }
    }
}

impl ClaimSubject {
    /// How many of what a claim is for a pass has: each layer has its weights once, however often it runs.
    #[must_use]
    pub fn count(&self, claim: &FigureClaim, design: Option<&KernelDesign>) -> f64 {
        let runs = match claim.per {
            ClaimPer::Inference => return 1.0,
            ClaimPer::Layer => self.layer_runs,
            ClaimPer::Call => {
                let kernel = self.kernel.and_then(|at| design?.kernels.get(at));
                kernel.map_or(1.0, |kernel| kernel.calls.value)
            }
        };
        match claim.figure {
            ClaimedFigure::Weights(_) if self.layer_runs > 0.0 => {
                runs * self.layers.count / self.layer_runs
            }
            _ => runs,
        }
    }

    /// The work that a claim is about: that of the layers where it is for one of them.
    #[must_use]
    pub fn work(&self, per: ClaimPer) -> &SubjectWork {
        if per == ClaimPer::Inference { &self.all } else { &self.layers }
    }

    /// Time of the kernels that compute it, as far as it is known; of one that computes more, the share of its work.
    #[must_use]
    pub fn time(&self, design: &KernelDesign, launch: Seconds) -> Option<SubjectTime> {
        let mut time = SubjectTime { least: Seconds(0.0), value: Seconds(0.0), calls: 0.0 };
        for (at, kernel) in design.kernels.iter().enumerate() {
            let Some(cycles) = &kernel.cycles else { continue };
            let is_own = |part: &str, operation: &str| {
                self.operations.contains(&(part.to_owned(), operation.to_owned()))
            };
            let served = kernel.serves.operations.iter();
            let own = served.filter(|one| is_own(&one.part, &one.operation));
            let own: f64 = own.map(|one| one.multiply_adds).sum();
            let all = kernel.serves.multiply_adds();
            let share = match self.kernel {
                Some(kernel) => f64::from(u8::from(kernel == at)),
                None if all > 0.0 => own / all,
                // What serves nothing is part of the whole alone.
                None => f64::from(u8::from(self.name.is_none())),
            };
            let calls = kernel.calls.value * share;
            let seconds = |cycles: f64| share * kernel.seconds_of(cycles) + calls * launch.0;
            time.least = time.least + Seconds(seconds(cycles.low));
            time.value = time.value + Seconds(seconds(cycles.value.value));
            time.calls += calls;
        }
        (time.calls > 0.0).then_some(time)
    }
}
