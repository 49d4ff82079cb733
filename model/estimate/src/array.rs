//! The design that latency is computed for: one array of processing elements that every matrix product runs on.

use serde::Serialize;

use crate::{Analysis, EstimateError};
use derate_project::Launches;
use derate_units::figures::grouped;
use derate_units::{Figure, Hertz, OpsPerSecond, Precision, Provenance, Seconds};

/// An output-stationary array of `rows x columns` processing elements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Array {
    /// Rows of the result that are made at once.
    pub rows: Figure<f64>,
    /// Columns of the result that are made at once.
    pub columns: Figure<f64>,
    /// Multiply-adds that each element starts per cycle.
    pub unroll: Figure<f64>,
    /// Cycles between two additions to the same partial sum; 1 where partial sums are interleaved.
    pub accumulation_ii: Figure<f64>,
    /// Cycles to fill and drain the array, per tile of the result.
    pub fill: Figure<f64>,
    /// Elements that an elementwise operator makes per cycle; without it, as many as memory delivers.
    pub lanes: Option<Figure<f64>>,
    /// Cycles from a request to its first word, waited for at the first read and the last write of each kernel.
    pub memory_latency: Figure<f64>,
    /// Time that the host takes per kernel call.
    pub launch: Figure<Seconds>,
    /// What a kernel call is.
    pub launches: Launches,
    /// The clock that it runs at: the one that the bitstream reached, at most the one that it is built for; else that.
    pub clock: Figure<Hertz>,
    /// The arithmetic of the elements.
    pub precision: Precision,
    /// DSP slices that the elements take; `None` where the operator's cost is not known.
    pub dsp: Option<Figure<f64>>,
}

impl Array {
    /// The array of `[design]`; `None` where it gives none, an error where it cannot be built.
    pub fn from_design(
        analysis: &Analysis,
        precision: Precision,
    ) -> Option<Result<Self, EstimateError>> {
        let design = &analysis.project.design;
        let (rows, columns) = (design.rows.as_ref()?, design.columns.as_ref()?);
        let given = |key: &str, value: f64| {
            Figure::new(value, Provenance::Assumed, format!("[design] {key} in derate.toml"))
        };
        let unroll = design.unroll.as_ref().map_or_else(
            || Figure::new(1.0, Provenance::Assumed, "one multiply-add per element and cycle"),
            |claim| given("unroll", claim.value as f64),
        );
        let size =
            [given("rows", rows.value as f64), given("columns", columns.value as f64), unroll];
        Some(Self::of_size(analysis, precision, size).fit_budget(analysis))
    }

    /// An array of so many rows, columns and multiply-adds per element; all else is as `[design]` says.
    pub(crate) fn of_size(
        analysis: &Analysis,
        precision: Precision,
        [rows, columns, unroll]: [Figure<f64>; 3],
    ) -> Self {
        let design = &analysis.project.design;
        let count = |key: &str, claim: &derate_project::Claim<u64>| {
            let source = format!("[design] {key} in derate.toml");
            Figure::new(claim.value as f64, Provenance::Assumed, source)
        };
        let or = |key: &str, claim: &Option<derate_project::Claim<u64>>, default: Figure<f64>| {
            claim.as_ref().map_or(default, |claim| count(key, claim))
        };
        let assumed = |value: f64, source: &str| Figure::new(value, Provenance::Assumed, source);
        let side = rows.value.max(columns.value);
        let macs = rows.value * columns.value * unroll.value;
        Self {
            dsp: analysis.mac_cost(precision).map(|cost| {
                Figure::new(
                    cost.value.slices(macs),
                    // The size of the array is what somebody has in mind.
                    Provenance::of_inputs([Provenance::Assumed, cost.provenance]),
                    format!("{} multiply-adds at {} ({})", grouped(macs), cost.value, cost.source),
                )
            }),
            accumulation_ii: or(
                "accumulation_ii",
                &design.accumulation_ii,
                assumed(1.0, "partial sums interleaved over at least the adder's latency"),
            ),
            fill: or(
                "fill",
                &design.fill,
                Figure::new(
                    side + 12.0,
                    Provenance::Assumed,
                    "larger side of the array + 12 cycles per tile; published csynth reports of a systolic smolVLA MLP give 14, 15, 16, 17, 18, 20 and 23 for sides of 2, 3, 4, 5, 6, 8 and 10",
                ),
            ),
            lanes: design.lanes.as_ref().map(|claim| count("lanes", claim)),
            memory_latency: or(
                "memory_latency",
                &design.memory_latency,
                analysis.platform.kernel.m_axi_latency.clone().map(|cycles| cycles.0),
            ),
            launch: analysis.launch(),
            launches: design.launches.as_ref().map_or(Launches::Block, |claim| claim.value),
            clock: analysis.design_clock(),
            rows,
            columns,
            unroll,
            precision,
        }
    }

    /// The array, if the shell leaves it enough slices.
    fn fit_budget(self, analysis: &Analysis) -> Result<Self, EstimateError> {
        let budget = analysis.platform.dsp_budget().value;
        match &self.dsp {
            Some(dsp) if dsp.value > budget => Err(EstimateError::ArrayTooLarge {
                dsp: dsp.value,
                source_of_cost: dsp.source.clone(),
                budget,
            }),
            _ => Ok(self),
        }
    }

    /// How its figures are known.
    pub(crate) fn provenances(&self) -> impl Iterator<Item = Provenance> {
        let counts = [
            &self.rows,
            &self.columns,
            &self.unroll,
            &self.accumulation_ii,
            &self.fill,
            &self.memory_latency,
        ];
        let clocks = [self.launch.provenance, self.clock.provenance];
        let lanes = self.lanes.as_ref().map(|lanes| lanes.provenance);
        counts.map(|figure| figure.provenance).into_iter().chain(clocks).chain(lanes)
    }

    /// What is not known about it, in sentences.
    pub(crate) fn unknown_figures(&self, analysis: &Analysis) -> Vec<String> {
        let cost = self.dsp.is_none().then(|| {
            format!(
                "whether the array fits is unknown: nothing says what one {} multiply-add costs on {}: give it as `dsp_per_mac = {{ {} = ... }}` under [design]",
                self.precision,
                analysis.platform.name,
                self.precision.toml_key()
            )
        });
        cost.into_iter().collect()
    }

    /// Multiply-adds per cycle.
    pub fn macs(&self) -> f64 {
        self.rows.value * self.columns.value * self.unroll.value
    }

    /// `2 x rows x columns x unroll x clock`.
    pub fn peak(&self) -> Figure<OpsPerSecond> {
        Figure::new(
            OpsPerSecond(2.0 * self.macs() * self.clock.value.0),
            Provenance::of_inputs(self.provenances()),
            format!(
                "2 x {} x {} elements x {} x {} MHz: the array of [design]",
                self.rows.value,
                self.columns.value,
                self.unroll.value,
                self.clock.value.0 / 1e6
            ),
        )
    }
}
