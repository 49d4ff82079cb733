use std::collections::BTreeMap;

use derate_model::gemm_time::{ElementBytes, GemmTiming, GpuFigures, TimingConditions};
use derate_model::units::Seconds;
use derate_model::workload::Matmul;
use derate_model::{Precision, Processor};

use super::csv::{Record, read};

/// Published timings of one device in one arithmetic: `fixtures/gpu_gemm`.
pub(crate) struct Set {
    pub(crate) device: String,
    pub(crate) arithmetic: String,
    pub(crate) framework: String,
    pub(crate) source: String,
    pub(crate) machine: GpuFigures,
    pub(crate) conditions: TimingConditions,
    pub(crate) timings: Vec<GemmTiming>,
    /// Every other shape: timings of one shape are never on both sides.
    pub(crate) halves: [Vec<GemmTiming>; 2],
}

impl Set {
    fn of(record: &Record) -> Self {
        let (device, arithmetic) = (record.text("device"), record.text("arithmetic"));
        let precision = Precision::parse(arithmetic).unwrap();
        let processor = Processor::named(device).unwrap();
        let column_major = record.text("column_major") == "true";
        let mut shapes = BTreeMap::new();
        let mut halves = [Vec::new(), Vec::new()];
        let mut timings = Vec::new();
        for row in read(&format!("../gpu_gemm/{device}_{arithmetic}.csv")) {
            let [m, n, k] = ["m", "n", "k"].map(|extent| row.count(extent));
            // A product by columns is ours with its operands exchanged.
            let product = if column_major { Matmul::gemm(n, k, m) } else { Matmul::gemm(m, k, n) };
            let time = Seconds(row.number("microseconds") * 1e-6);
            let timing = GemmTiming { product, time };
            let next = shapes.len();
            let half = *shapes.entry(product).or_insert(next) % 2;
            halves[half].push(timing);
            timings.push(timing);
        }
        Self {
            device: device.to_owned(),
            arithmetic: arithmetic.to_owned(),
            framework: record.text("framework").to_owned(),
            source: record.text("source").to_owned(),
            machine: GpuFigures::of(&processor, precision).unwrap(),
            conditions: TimingConditions {
                elements: ElementBytes::of(precision),
                weight_copies: record.number("weight_copies"),
                quantised: record.text("quantised") == "true",
                column_major,
            },
            timings,
            halves,
        }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.device, self.arithmetic)
    }
}

pub(crate) fn sets() -> Vec<Set> {
    read("../gpu_gemm/sets.csv").iter().map(Set::of).collect()
}
