//! How the sizes of a workload grow with the parameters of an inference, found by building it for some of them.
//!
//! No operator is written down twice: the workload is built on a small lattice above the project's own parameters, each
//! size is fitted exactly, and the fit is checked far from the lattice. What does not fit is left as it is.

use std::sync::Arc;

use derate_render::{Formula, formula};

use super::lattice::Lattice;
use super::name;
use super::polynomial::Polynomial;
use derate_estimate::Analysis;
use derate_estimate::scenario::claimed_tokens;
use derate_workload::{InferenceParameters, Part, PartCache, Workload};

/// What sizes depend on, as formulas call it.
const VARIABLES: [&str; V] =
    [name::CAMERAS, name::LANGUAGE_TOKENS, name::DENOISE_STEPS, name::CHUNK, name::TOKENS];
const V: usize = 5;
const CAMERAS: usize = 0;
const LANGUAGE: usize = 1;
const TOKENS: usize = 4;

/// How a size grows with the parameters of an inference, before its formula is written.
pub(super) type Growth = Polynomial<V>;

impl Growth {
    /// Whether it depends on the input of that name.
    pub(super) fn follows(&self, input: &str) -> bool {
        VARIABLES.iter().position(|v| *v == input).is_some_and(|variable| self.depends(variable))
    }
}

/// The variables, with the replacement for language tokens.
fn variables(language: &str) -> [Formula; V] {
    VARIABLES.map(|variable| match variable {
        name::LANGUAGE_TOKENS => formula::name(language),
        other => formula::name(other),
    })
}

/// A size of the workload, over the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Size {
    polynomial: Polynomial<V>,
    /// The variable for language tokens: these, or the prefix that they are part of, whichever is shorter.
    language: &'static str,
}

impl Size {
    /// Its formula.
    pub(super) fn formula(&self) -> Formula {
        self.polynomial.formula(&variables(self.language))
    }

    /// Its formula with `tokens` for the claim's tokens.
    pub(super) fn with_tokens(&self, tokens: &Formula) -> Formula {
        let mut variables = variables(self.language);
        variables[TOKENS] = tokens.clone();
        self.polynomial.formula(&variables)
    }

    /// Its value at the project's own parameters but for `tokens`.
    pub(super) fn at(&self, samples: &Samples, tokens: u64) -> Option<f64> {
        let base = samples.base()?;
        let mut point = base.point;
        point[TOKENS] = tokens;
        if self.language == name::PREFIX_TOKENS {
            point[LANGUAGE] = base.prefix?;
        }
        Some(self.polynomial.at(&point)? as f64)
    }

    /// The value where it depends on nothing.
    pub(super) fn constant(&self) -> Option<f64> {
        self.polynomial.as_constant()
    }
}

/// More kernels are no table that anybody reads.
const MOST_KERNELS: usize = 2000;

/// So many cameras are compared.
const MOST_CAMERAS: u64 = 3;

/// Points off the lattice: what fits there fits by chance nowhere.
const CHECKS: [[u64; V]; 6] = [
    [1, 0, 1, 1, 1],
    [2, 300, 4, 17, 1000],
    [7, 31, 50, 200, 4096],
    [64, 2000, 3, 5, 100_000],
    [5, 10_000, 1000, 3000, 13],
    [1000, 100_000, 9, 10_000, 1_000_000],
];

fn point(p: &InferenceParameters) -> [u64; V] {
    [p.cameras, p.language_tokens, p.denoise_steps, p.chunk, p.tokens]
}

fn parameters(base: &InferenceParameters, point: [u64; V]) -> InferenceParameters {
    let [cameras, language_tokens, denoise_steps, chunk, tokens] = point;
    InferenceParameters { cameras, language_tokens, denoise_steps, chunk, tokens, ..*base }
}

/// The workload for one set of parameters.
pub(super) struct Run {
    /// The claim's own kernels, then what an inference runs.
    pub(super) parts: Arc<Vec<Part>>,
    point: [u64; V],
    prefix: Option<u64>,
}

/// The workload at the project's own parameters, around them and far from them.
pub(super) struct Samples {
    lattice: Lattice<V>,
    /// One for each point of the lattice, the project's own first; then one for each check.
    runs: Vec<Run>,
    /// The tokens of the prefix, and what is left of them for language.
    prefix: Option<(Polynomial<V>, Polynomial<V>)>,
}

impl Samples {
    /// Builds the workload some dozens of times; `None` where it has too many kernels for that.
    pub(super) fn of(analysis: &Analysis) -> Option<Self> {
        let tokens = super::whole(claimed_tokens(analysis).value);
        Self::around(analysis, analysis.workload.default_parameters(tokens, analysis.batch()))
    }

    /// The same around other parameters.
    pub(super) fn around(analysis: &Analysis, base: InferenceParameters) -> Option<Self> {
        let lattice = Lattice::above(point(&base))?;
        let mut built = PartCache::default();
        let mut runs: Vec<Run> = Vec::new();
        for &point in lattice.points().iter().chain(&CHECKS) {
            let known = runs.iter().find(|run| alike(&analysis.workload, &run.point, &point));
            let run = match known {
                Some(known) => Run { parts: Arc::clone(&known.parts), point, prefix: known.prefix },
                None => run(&analysis.workload, &base, point, &mut built),
            };
            if count(&run.parts) > MOST_KERNELS {
                return None;
            }
            runs.push(run);
        }
        let mut samples = Self { runs, lattice, prefix: None };
        samples.prefix = samples.fit(|run| run.prefix).and_then(|prefix| {
            let language = prefix.solved_for(LANGUAGE)?;
            Some((prefix, language))
        });
        Some(samples)
    }

    /// The workload at the project's own parameters.
    pub(super) fn base(&self) -> Option<&Run> {
        self.runs.first()
    }

    /// The tokens of the prefix, and their formula.
    pub(super) fn prefix(&self) -> Option<(f64, Formula)> {
        let (prefix, _) = self.prefix.as_ref()?;
        Some((self.base()?.prefix? as f64, prefix.formula(&variables(name::LANGUAGE_TOKENS))))
    }

    /// What gives that number of tokens: the claim, the prefix, or the prefix with other cameras.
    pub(super) fn tokens(&self, count: u64) -> Option<Formula> {
        let base = self.base()?;
        if base.point[TOKENS] == count {
            return Some(formula::name(name::TOKENS));
        }
        if base.prefix == Some(count) {
            return Some(formula::name(name::PREFIX_TOKENS));
        }
        let (prefix, _) = self.prefix.as_ref()?;
        (1..=base.point[CAMERAS].max(MOST_CAMERAS)).find_map(|cameras| {
            let mut point = base.point;
            point[CAMERAS] = cameras;
            let mut variables = variables(name::LANGUAGE_TOKENS);
            variables[CAMERAS] = formula::number(cameras as f64);
            (prefix.at(&point)? == i128::from(count)).then(|| prefix.formula(&variables))
        })
    }

    /// How a size grows; `None` where it is no polynomial, or is not there for all parameters.
    pub(super) fn size(&self, size: impl Fn(&[Part]) -> Option<u64>) -> Option<Size> {
        self.growth(size).map(|growth| self.sized(growth))
    }

    /// The same before a formula is written, so that several may be added up.
    pub(super) fn growth(&self, size: impl Fn(&[Part]) -> Option<u64>) -> Option<Growth> {
        self.fit(|run| size(&run.parts))
    }

    /// In the shorter of its forms.
    pub(super) fn sized(&self, long: Growth) -> Size {
        let short =
            self.prefix.as_ref().and_then(|(_, language)| long.substitute(LANGUAGE, language));
        match short.filter(|short| short.len() < long.len()) {
            Some(short) => Size { polynomial: short, language: name::PREFIX_TOKENS },
            None => Size { polynomial: long, language: name::LANGUAGE_TOKENS },
        }
    }

    fn fit(&self, size: impl Fn(&Run) -> Option<u64>) -> Option<Polynomial<V>> {
        let values: Vec<u64> = self.runs.iter().map(size).collect::<Option<_>>()?;
        let of_lattice = values.get(..self.lattice.points().len())?;
        let fit = self.lattice.through(of_lattice)?;
        let holds = |(run, value): (&Run, &u64)| fit.at(&run.point) == Some(i128::from(*value));
        self.runs.iter().zip(&values).all(holds).then_some(fit)
    }
}

fn run(
    workload: &Workload,
    base: &InferenceParameters,
    point: [u64; V],
    built: &mut PartCache,
) -> Run {
    let p = parameters(base, point);
    let mut parts = workload.as_claimed(&p);
    parts.extend(workload.cached_parts(&p, built));
    Run { parts: Arc::new(parts), point, prefix: workload.prefix_tokens(&p) }
}

/// Whether the workload is the same at both points: tokens are all that a linear one depends on.
fn alike(workload: &Workload, a: &[u64; V], b: &[u64; V]) -> bool {
    match workload {
        Workload::SmolVla(_) => a == b,
        Workload::Linear(_) => a[TOKENS] == b[TOKENS],
    }
}

fn count(parts: &[Part]) -> usize {
    parts.iter().flat_map(|part| &part.blocks).map(|b| b.block.kernels.len()).sum()
}
