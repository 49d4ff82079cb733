//! The workload over the inputs: the builder of `derate-workload`, run with polynomials for counts.

use derate_render::{Formula, formula};

use super::name;
use super::polynomial::{Point, Polynomial, variable_index};
use derate_estimate::Analysis;
use derate_workload::{InferenceParameters, Part, PartCache, Repeated};

/// A table of more kernels is too long to read.
const MOST_KERNELS: usize = 2000;
/// So many cameras are compared.
const MOST_CAMERAS: u64 = 3;

/// A workload in numbers and as polynomials of the inputs, part by part in the same order.
pub(crate) struct Symbols {
    /// In numbers, with the project's own parameters: the claim's own kernels, then what an inference runs.
    pub(super) parts: Vec<Part>,
    grown: Vec<Part<Polynomial>>,
    /// What the counts are made from.
    pub(super) parameters: InferenceParameters,
    /// The input or the name that gives the tokens of the claim's own kernels.
    tokens: &'static str,
    /// The project's own parameters.
    own: Point,
    /// Tokens of the prefix over cameras and language tokens.
    prefix: Option<Polynomial>,
}

impl Symbols {
    /// The workload for some parameters, with what gives the tokens of the claim's own kernels; `None` where it has too many kernels, or counts beyond 64 bits.
    pub(super) fn of(
        analysis: &Analysis,
        parameters: &InferenceParameters,
        tokens: &'static str,
    ) -> Option<Self> {
        let workload = &analysis.workload;
        let mut parts = workload.as_claimed(parameters);
        parts.extend(workload.inference_parts(parameters));
        let kernels = parts.iter().flat_map(|part| &part.blocks).map(|b| b.block.kernels.len());
        if kernels.sum::<usize>() > MOST_KERNELS || !is_exact(&parts) {
            return None;
        }
        let p = InferenceParameters {
            batch: Polynomial::from(parameters.batch),
            cameras: Polynomial::variable(name::CAMERAS),
            language_tokens: Polynomial::variable(name::LANGUAGE_TOKENS),
            denoise_steps: Polynomial::variable(name::DENOISE_STEPS),
            chunk: Polynomial::variable(name::CHUNK),
            tokens: Polynomial::variable(tokens),
            hoist_cross_kv: parameters.hoist_cross_kv,
            drop_dead_work: parameters.drop_dead_work,
        };
        let named = Polynomial::variable(name::PREFIX_TOKENS);
        let mut grown = workload.as_claimed(&p);
        grown.extend(workload.build_parts(&p, &named, &mut PartCache::default()));
        let mut own = Point::default();
        for (variable, value) in [
            (name::CAMERAS, parameters.cameras),
            (name::PREFIX_TOKENS, workload.prefix_tokens(parameters).unwrap_or(0)),
            (name::LANGUAGE_TOKENS, parameters.language_tokens),
            (name::DENOISE_STEPS, parameters.denoise_steps),
            (name::CHUNK, parameters.chunk),
            (name::TOKENS, parameters.tokens),
        ] {
            own[variable_index(variable)?] = value;
        }
        let prefix = workload.prefix_tokens(&p);
        Some(Self { parts, grown, parameters: *parameters, tokens, own, prefix })
    }

    /// The same parameters with other cameras; tokens that follow the prefix are those of these cameras.
    pub(super) fn with_cameras(&self, analysis: &Analysis, cameras: u64) -> InferenceParameters {
        let mut parameters = InferenceParameters { cameras, ..self.parameters };
        if self.tokens == name::PREFIX_TOKENS {
            let prefix = analysis.workload.prefix_tokens(&parameters);
            parameters.tokens = prefix.unwrap_or(parameters.tokens);
        }
        parameters
    }

    /// A block by its part and its place there.
    pub(super) fn find_block(&self, part: usize, block: usize) -> Option<&Repeated<Polynomial>> {
        self.grown.get(part)?.blocks.get(block)
    }

    /// The parts with their places; only those that an inference runs, or all.
    pub(super) fn list_parts(&self, all: bool) -> impl Iterator<Item = &Part<Polynomial>> {
        self.grown.iter().filter(move |part| all || part.never_runs.is_none())
    }

    /// The tokens of the prefix, and their formula.
    pub(super) fn prefix_tokens(&self) -> Option<(f64, Formula)> {
        let prefix = self.prefix.as_ref()?;
        Some((prefix.value_at(&self.own) as f64, prefix.formula()))
    }

    /// What gives that number of tokens: the claim, the prefix, or the prefix with other cameras.
    pub(super) fn find_tokens(&self, count: u64) -> Option<Formula> {
        let own = |variable| variable_index(variable).map(|at| self.own[at]);
        if own(name::TOKENS) == Some(count) {
            return Some(formula::name(name::TOKENS));
        }
        let prefix = self.prefix.as_ref()?;
        if prefix.value_at(&self.own) == u128::from(count) {
            return Some(formula::name(name::PREFIX_TOKENS));
        }
        (1..=own(name::CAMERAS)?.max(MOST_CAMERAS)).find_map(|cameras| {
            let value = prefix.value_at(&self.point_with(name::CAMERAS, cameras));
            (value == u128::from(count))
                .then(|| prefix.formula_with(name::CAMERAS, &formula::number(cameras as f64)))
        })
    }

    /// The project's own parameters, one of them changed.
    pub(super) fn point_with(&self, variable: &str, value: u64) -> Point {
        let mut point = self.own;
        if let Some(at) = variable_index(variable) {
            point[at] = value;
        }
        point
    }

    /// The number of times that the host starts a part: the most runs of a block.
    pub(super) fn count_starts(&self, part: usize) -> Option<Formula> {
        let mut runs: Vec<&Polynomial> = Vec::new();
        for repeated in &self.grown.get(part)?.blocks {
            if !runs.contains(&&repeated.runs) {
                runs.push(&repeated.runs);
            }
        }
        runs.into_iter().map(Polynomial::formula).reduce(formula::max)
    }

    /// Whether what one run of a kernel moves or computes depends on an input: of those that an inference runs, or of all.
    pub(super) fn depend_on(&self, input: &str, all: bool) -> bool {
        let in_prefix = self.prefix.as_ref().is_some_and(|prefix| prefix.depends_on(input));
        let depends = |count: &Polynomial| {
            count.depends_on(input) || in_prefix && count.depends_on(name::PREFIX_TOKENS)
        };
        let blocks = self.list_parts(all).flat_map(|part| &part.blocks);
        blocks.map(|repeated| &repeated.block).any(|block| {
            let is_moved = block.operands.iter().any(|operand| depends(&operand.elements));
            is_moved
                || block.kernels.iter().any(|kernel| match kernel.op.product() {
                    Some(product) => depends(&product.count_operations()),
                    None => false,
                })
        })
    }
}

/// Whether no count has reached the end of 64 bits, where numbers saturate and polynomials do not.
fn is_exact(parts: &[Part]) -> bool {
    let blocks = || parts.iter().flat_map(|part| &part.blocks);
    blocks().all(|repeated| {
        repeated.runs < u64::MAX && repeated.block.operands.iter().all(|o| o.elements < u64::MAX)
    })
}
