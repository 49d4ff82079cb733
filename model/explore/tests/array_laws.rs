//! Laws of the array that a whole model runs on.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;
use std::sync::OnceLock;

use derate_estimate::scenario::{Assumptions, PeakBasis};
use derate_estimate::{Analysis, estimate_one};
use derate_explore::array::{ArrayAxes, ArraySpace};
use derate_explore::{Certificate, Cost, Region, Search, Space};
use derate_load::{Preprocess, load_project};
use derate_machine::Budget;
use derate_project::{Schedule, Storage};
use derate_units::Precision;
use proptest::prelude::*;

fn smolvla() -> &'static Analysis {
    static READ: OnceLock<Analysis> = OnceLock::new();
    READ.get_or_init(|| {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/smolvla"));
        load_project(folder, &Preprocess::default()).unwrap().analysis
    })
}

fn small(analysis: &Analysis) -> ArrayAxes {
    let mut axes = ArrayAxes::of_project(analysis);
    let open = ["precision=bf16,int8", "schedule=unfused,block", "buffer=1 MiB,16 MiB"];
    for text in open.into_iter().chain(["rows=7,16,32,90", "columns=8,33,64", "unroll=1,4"]) {
        axes.vary(text).unwrap();
    }
    axes
}

fn points(space: &ArraySpace<'_>) -> Vec<Vec<usize>> {
    let mut points = vec![Vec::new()];
    for axis in space.axes() {
        let extend = |point: &Vec<usize>| {
            let point = point.clone();
            (0..axis.values.len()).map(move |at| [point.clone(), vec![at]].concat())
        };
        points = points.iter().flat_map(extend).collect();
    }
    points
}

fn card(analysis: &Analysis) -> Budget {
    Budget { lut: None, ff: None, ..Budget::of_platform(&analysis.platform) }
}

fn best(analysis: &Analysis, axes: &ArrayAxes, limits: Budget) -> Option<f64> {
    let space = ArraySpace::new(analysis, None, axes.clone(), limits).unwrap();
    let mut search = Search::new(&space, limits);
    search.run(|_| true);
    let certificate = search.certificate();
    assert!(
        matches!(certificate, Certificate::Optimal | Certificate::Infeasible),
        "{certificate:?}"
    );
    search.best().map(|best| best.cost.objective)
}

#[test]
fn the_best_array_is_that_of_looking_at_all_and_no_region_beats_its_bound() {
    let analysis = smolvla();
    let limits = card(analysis);
    let space = ArraySpace::new(analysis, None, small(analysis), limits).unwrap();
    let all: Vec<(Vec<usize>, Cost)> =
        points(&space).into_iter().map(|point| (point.clone(), space.evaluate(&point))).collect();
    let fitting = all.iter().filter(|(_, cost)| limits.refusing_resource(&cost.usage).is_none());
    let least = fitting.map(|(_, cost)| cost.objective).reduce(f64::min);
    assert_eq!(best(analysis, &small(analysis), limits), least);
    assert!(all.iter().any(|(_, cost)| limits.refusing_resource(&cost.usage).is_some()));
    let mut regions = vec![Region::whole(space.axes().iter().map(|axis| axis.values.len()))];
    while let Some(region) = regions.pop() {
        let bound = space.bound(&region);
        let inside = |point: &[usize]| {
            point.iter().enumerate().all(|(axis, at)| region.values(axis).contains(at))
        };
        for (point, cost) in all.iter().filter(|(point, _)| inside(point)) {
            let fits = limits.refusing_resource(&cost.usage).is_none();
            assert!(!fits || bound.objective <= cost.objective, "{region:?} {point:?}");
            assert!(bound.usage.dsp <= cost.usage.dsp && bound.usage.uram <= cost.usage.uram);
            assert!(bound.usage.bram18 <= cost.usage.bram18);
        }
        if let Some(axis) = space.choose_axis(&region) {
            regions.extend(region.halves(axis));
        }
    }
}

#[test]
fn the_best_array_never_beats_the_roofline() {
    let analysis = smolvla();
    let limits = card(analysis);
    for precision in [Precision::BF16, Precision::INT8, Precision::INT4] {
        let mut axes = ArrayAxes::of_project(analysis);
        axes.vary(&format!("precision={}", precision.key())).unwrap();
        let space = ArraySpace::new(analysis, None, axes.clone(), limits).unwrap();
        let claimed = Assumptions::claimed(analysis);
        let storage = Storage::Uniform(precision);
        let bandwidth = space.bandwidth().clone();
        let mut roof = Assumptions::custom(storage, claimed.tokens, bandwidth, PeakBasis::Derived);
        roof.schedule = Schedule::Block;
        let roof = estimate_one(analysis, &roof).unwrap().totals.throughput_seconds.unwrap().0;
        let best = best(analysis, &axes, limits).unwrap();
        assert!(best >= roof, "{best} s is below the {roof} s of the roofline in {precision}");
        assert!(best < 3.0 * roof, "{best} s is far from the {roof} s of the roofline");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn more_of_a_resource_never_makes_the_best_array_worse(
        dsp in 100.0_f64..9000.0,
        uram in 0.0_f64..900.0,
        bram18 in 0.0_f64..3000.0,
        more in (0.0_f64..3000.0, 0.0_f64..900.0, 0.0_f64..3000.0),
    ) {
        let analysis = smolvla();
        let axes = small(analysis);
        let little = Budget {
            dsp: Some(dsp),
            uram: Some(uram),
            bram18: Some(bram18),
            ..Budget::default()
        };
        let much = Budget {
            dsp: Some(dsp + more.0),
            uram: Some(uram + more.1),
            bram18: Some(bram18 + more.2),
            ..Budget::default()
        };
        let time = |limits| best(analysis, &axes, limits).unwrap_or(f64::INFINITY);
        prop_assert!(time(much) <= time(little));
    }
}
