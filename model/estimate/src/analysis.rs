//! Everything that was read of a project, in one value.

mod built;
mod multiply_add;
mod possible;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use derate_hls::{FileId, Sources};

pub use built::BuiltFormats;
pub(crate) use multiply_add::design_mac;
pub use multiply_add::{default_mac, operators_of};

use crate::kernels::KernelInputs;
use crate::{AskedByTop, Commit, DesignTool, KernelModels, KernelReading};
use derate_dump::ModelShape;
use derate_kernel::find_card_part;
use derate_machine::{DspCost, Platform};
use derate_measure::times::MeasuredTime;
use derate_measure::{BandwidthClaim, Recording, Validation, validate_recordings};
use derate_project::{Build, Claim, Code, Project, ProjectError};
use derate_units::command::quote_word;
use derate_units::figures::quantity;
use derate_units::{Bytes, Figure, Hertz, Precision, Provenance, Seconds};
use derate_workload::graph::Graph;
use derate_workload::{Part, TokenCount, Workload, WorkloadError};

/// Clocks that differ by less than this share are the same.
const SAME_CLOCK: f64 = 0.001;

/// A project with its sources: what both the audit and the estimate work on.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The text of all files.
    pub sources: Sources,
    /// `derate.toml`.
    pub project: Project,
    /// The model dump.
    pub shape: ModelShape,
    /// The code.
    pub code: Code,
    /// The card.
    pub platform: Platform,
    /// The settings of the tools, and what they printed.
    pub build: Build,
    /// The operators.
    pub workload: Workload,
    /// The operations of a file, where the project names one.
    pub graph: Option<Arc<Graph>>,
    /// What was read of each kernel of `[[kernel]]`, in their order.
    pub kernels: Vec<KernelReading>,
    /// The number formats that these kernels decide.
    pub built: BuiltFormats,
    /// The headers that are named and that nothing of the design includes: they decide nothing.
    pub unbuilt: BTreeSet<FileId>,
    /// The times of each `[[measured]]`, in their order.
    pub times: Vec<Vec<MeasuredTime>>,
    /// What was measured, as far as the project names it.
    pub recordings: Vec<Recording>,
    /// The words of the command line that the reading depends on (`-I DIR`, `-D NAME`); empty for none.
    pub options: Vec<String>,
    /// The commit that the project is of, where it was asked for.
    pub commit: Option<Commit>,
    /// The kernels as the model schedules them, once they are asked for.
    models: OnceLock<Option<KernelModels>>,
}

impl Analysis {
    /// Puts the parts together; `code` was read from `sources`. The error is the line of `derate.toml` that does not fit
    /// the model or the card.
    pub fn new(
        sources: Sources,
        project: Project,
        shape: ModelShape,
        code: Code,
        platform: Platform,
        build: Build,
    ) -> Result<Self, ProjectError> {
        Self::with_graph(sources, project, shape, None, code, platform, build)
    }

    /// The same for a project whose workload is a file.
    pub fn with_graph(
        sources: Sources,
        project: Project,
        shape: ModelShape,
        graph: Option<Arc<Graph>>,
        code: Code,
        platform: Platform,
        build: Build,
    ) -> Result<Self, ProjectError> {
        let workload = Workload::new(&project, &shape, graph.as_ref()).map_err(|error| {
            // The line to correct is the workload's name where it is unknown, else the dump's.
            let model = &project.model;
            let claim = match (&error, &model.workload) {
                (WorkloadError::Batch(_), _) => {
                    let claim = project.claims.batch.as_ref();
                    let span = claim.map_or(project.platform.span, |claim| claim.span);
                    return ProjectError::at(&sources, span, error.to_string());
                }
                (WorkloadError::Unknown(_), Some(claim)) => Some(claim),
                (_, Some(claim)) if model.shapes.is_none() => Some(claim),
                _ => model.shapes.as_ref(),
            };
            let claim = claim.unwrap_or(&project.platform);
            ProjectError::at(&sources, claim.span, error.to_string())
        })?;
        let analysis = Self {
            sources,
            project,
            shape,
            code,
            platform,
            build,
            workload,
            graph,
            kernels: Vec::new(),
            built: BuiltFormats::default(),
            unbuilt: BTreeSet::new(),
            times: Vec::new(),
            recordings: Vec::new(),
            options: Vec::new(),
            commit: None,
            models: OnceLock::new(),
        };
        match possible::find_impossible(&analysis) {
            Some((span, reason)) => Err(ProjectError::at(&analysis.sources, span, reason)),
            None => Ok(analysis),
        }
    }

    /// The kernels of the sources as the model schedules them, `None` where the card's part is not known. The first call
    /// schedules them.
    pub fn kernel_models(&self) -> Option<&KernelModels> {
        let inputs = KernelInputs {
            sources: &self.sources,
            code: &self.code,
            build: &self.build,
            tops: &BTreeSet::new(),
            builds: &[],
            compiled: &BTreeSet::new(),
            clock: self.clock().value,
            assumes_clock: false,
            part_from: None,
            tool: &DesignTool::of_reports(&self.build).unwrap_or_default(),
            asked: &AskedByTop::default(),
            memo: None,
            only_tops: false,
            is_compiled: true,
        };
        let schedule = |part| KernelModels::of_inputs(&inputs, part);
        self.models.get_or_init(|| find_card_part(&self.platform).map(schedule)).as_ref()
    }

    /// The command that gives a result again: `derate VERB`, the options that the reading depends on, then `arguments`.
    pub fn command(&self, verb: &str, arguments: &str) -> String {
        let mut command = format!("derate {verb}");
        for word in &self.options {
            command.push(' ');
            command.push_str(&quote_word(word));
        }
        if !arguments.is_empty() {
            command.push(' ');
            command.push_str(arguments);
        }
        command
    }

    /// What the recordings say about the bandwidth that the project claims; `None` where there are none.
    pub fn validation(&self) -> Option<Validation> {
        let claims = BandwidthClaim::of_project(&self.sources, &self.project, &self.platform);
        let (claim, others) = claims.split_first()?;
        (!self.recordings.is_empty())
            .then(|| validate_recordings(&[], &self.recordings, claim, others))
    }

    /// The kernel clock: the claim at most what the DSP slices allow, else what v++ is asked for, else the platform's; lower than
    /// the claim where v++ is asked for less, and no link report says that more was reached.
    pub fn clock(&self) -> Figure<Hertz> {
        let claimed = self.claimed_clock();
        let Some(((file, _), asked)) =
            self.build.connectivity.as_ref().zip(self.build.asked_clock())
        else {
            return claimed;
        };
        // No more digits than the options of v++ are printed with.
        let is_lower = |clock: Hertz| asked.0 < clock.0 * (1.0 - SAME_CLOCK);
        let more_was_reached = self.reached_clock().is_some_and(|one| is_lower(one.value));
        let is_other = (asked.0 / claimed.value.0 - 1.0).abs() > SAME_CLOCK;
        let unclaimed = self.project.claims.clock.is_none() && is_other;
        if more_was_reached || !(is_lower(claimed.value) || unclaimed) {
            return claimed;
        }
        let source = format!(
            "{} asks v++ for {}; {} says {}",
            self.sources.name(*file),
            quantity(asked),
            claimed.source,
            quantity(claimed.value)
        );
        let asked = Figure::new(asked, Provenance::Assumed, source);
        self.at_most_borne(asked)
    }

    /// The kernel clock as it is claimed, at most what the DSP slices allow, else the platform's.
    pub fn claimed_clock(&self) -> Figure<Hertz> {
        match &self.project.claims.clock {
            // No peak is derived at a clock that the slices do not bear.
            Some(claim) => {
                let fastest = self.platform.exceeded_clock(claim.value).cloned();
                fastest.unwrap_or_else(|| {
                    Figure::new(claim.value, Provenance::Assumed, "[claims] clock in derate.toml")
                })
            }
            None => self.platform.clock.clone(),
        }
    }

    /// The tokens that the layers see. Where `cameras` is not given, any camera count that the claim fits will do.
    pub fn true_tokens(&self) -> Option<TokenCount> {
        let mut tokens = self.workload.token_counts();
        let claimed = self.project.claims.sequence_length.as_ref().map(|claim| claim.value);
        let fits = tokens
            .iter()
            .position(|t| self.project.model.cameras.is_none() && Some(t.count) == claimed);
        (!tokens.is_empty()).then(|| tokens.swap_remove(fits.unwrap_or(0)))
    }

    /// The clock that the bitstream reached, as `[design]` says, else as `xclbin.info` does, at most what the DSP slices allow;
    /// `None` where neither says.
    pub fn reached_clock(&self) -> Option<Figure<Hertz>> {
        let given = self.project.design.clock.as_ref().map(|claim| {
            Figure::new(claim.value, Provenance::Assumed, "[design] clock in derate.toml")
        });
        let reached = given.or_else(|| self.build.achieved_clock())?;
        Some(self.at_most_borne(reached))
    }

    /// A clock, or the maximum of the DSP slices where that is known and lower.
    fn at_most_borne(&self, clock: Figure<Hertz>) -> Figure<Hertz> {
        match self.platform.fastest_clock.as_ref() {
            Some(fastest) => at_most(clock, fastest, "the DSP slices bear"),
            None => clock,
        }
    }

    /// The clock that the design runs at: the one that it reached, but none above the one that it is built for; else that.
    pub fn achieved_clock(&self) -> Figure<Hertz> {
        let target = self.clock();
        match self.reached_clock() {
            Some(reached) => at_most(reached, &target, "the design is built for"),
            None => target,
        }
    }

    /// The clock that the whole design is counted at: the one that it runs at, with the others that were asked for or claimed in its source.
    pub fn design_clock(&self) -> Figure<Hertz> {
        let mut clock = self.achieved_clock();
        if self.reached_clock().is_none() {
            return clock;
        }
        let asked = self.build.asked_clock().map(|asked| ("v++ is asked for", asked));
        let claim = self.project.claims.clock.as_ref();
        let claimed = claim.map(|claim| ("[claims] says", claim.value));
        let others: Vec<String> = [asked, claimed]
            .into_iter()
            .flatten()
            .filter(|(_, other)| (other.0 / clock.value.0 - 1.0).abs() > SAME_CLOCK)
            .map(|(who, other)| format!("{who} {}", quantity(other)))
            .collect();
        if !others.is_empty() {
            clock.source = format!("{}; {}", clock.source, others.join(", "));
        }
        clock
    }

    /// What a multiply-add costs: the design's word, else the platform's default; `None` where neither says.
    pub fn mac_cost(&self, precision: Precision) -> Option<Figure<DspCost>> {
        Some(default_mac(self, precision)?.1)
    }

    /// On-chip memory for operands: the design's buffer, else what the shell leaves.
    pub fn on_chip(&self) -> Figure<Bytes> {
        let buffer = self.project.design.buffer.as_ref().map(|claim| {
            Figure::new(claim.value, Provenance::Assumed, "[design] buffer in derate.toml")
        });
        buffer.or_else(|| self.platform.on_chip_bytes()).unwrap_or_else(|| {
            Figure::new(
                Bytes(0.0),
                Provenance::Assumed,
                "the platform file does not say what memory the chip has, so nothing is held on it",
            )
        })
    }

    /// Inferences at a time: the claim, else 1.
    pub fn batch(&self) -> u64 {
        self.project.claims.batch.as_ref().map_or(1, |claim| claim.value)
    }

    /// What one inference runs, with the true tokens; with the claimed ones where shapes do not tell them, else with one.
    pub fn inference_parts(&self) -> Vec<Part> {
        let claimed = self.project.claims.sequence_length.as_ref().map(|claim| claim.value);
        let tokens = self.true_tokens().map(|tokens| tokens.count).or(claimed).unwrap_or(1);
        self.workload.inference_parts(&self.workload.default_parameters(tokens, self.batch()))
    }

    /// Time of one kernel call by the host: the design's, else the platform's.
    pub fn launch(&self) -> Figure<Seconds> {
        let given = |claim: &Claim<Seconds>| {
            Figure::new(claim.value, Provenance::Assumed, "[design] launch in derate.toml")
        };
        let stated = self.project.design.launch.as_ref().map(given);
        stated.unwrap_or_else(|| self.platform.kernel.launch.clone())
    }

    /// The same project with other texts in some files; all else is as it was read. Places in files that did not
    /// change stay what they were.
    pub fn with_texts(&self, texts: &BTreeMap<FileId, String>) -> Result<Self, ProjectError> {
        let mut sources = Sources::default();
        for file in self.sources.files() {
            let text = texts.get(&file).map_or_else(|| self.sources.text(file), String::as_str);
            sources.add(self.sources.name(file), text);
        }
        let project = Project::parse(&sources, self.project.file)?;
        let code = self.code.again(&mut sources, Some(&self.shape));
        let (shape, platform, build) =
            (self.shape.clone(), self.platform.clone(), self.build.clone());
        let graph = self.graph.clone();
        let mut again = Self::with_graph(sources, project, shape, graph, code, platform, build)?;
        again.options.clone_from(&self.options);
        again.kernels.clone_from(&self.kernels);
        again.built.clone_from(&self.built);
        again.set_unbuilt(self.unbuilt.clone());
        again.times.clone_from(&self.times);
        again.recordings.clone_from(&self.recordings);
        Ok(again)
    }
}

/// A clock, or what limits it, with both in its source.
fn at_most(clock: Figure<Hertz>, limit: &Figure<Hertz>, by: &str) -> Figure<Hertz> {
    if clock.value <= limit.value {
        return clock;
    }
    let source = format!(
        "{} ({}); {} says {}, more than {by}",
        quantity(limit.value),
        limit.source,
        clock.source,
        quantity(clock.value)
    );
    Figure::new(limit.value, clock.provenance.min(limit.provenance), source)
}
