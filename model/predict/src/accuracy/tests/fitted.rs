//! What a fit finds, and on which shapes it is tried.

use proptest::prelude::*;

use super::*;

#[test]
fn a_fit_finds_what_times_were_made_with() {
    let found = compared((0.5, 0.8, 20e-6));
    let group = &found.groups[0];
    let own = group.efficiency.unwrap();
    assert!((own.compute.unwrap() - 0.5).abs() < 0.01, "{own:?}");
    assert!((own.memory.unwrap() - 0.8).abs() < 0.02, "{own:?}");
    assert!((own.launch_seconds.unwrap().0 - 20e-6).abs() < 1e-6, "{own:?}");
    assert_eq!((group.arithmetic.as_deref(), group.precision.as_str()), (Some("fp32"), "bf16"));
    // Half the shapes were never seen, and are met all the same.
    let tested = group.errors.tested_after.unwrap();
    assert_eq!(tested.runs, ladder().len() / 2);
    assert!(tested.p90 < 0.02 && group.errors.tested_before.unwrap().median > 0.3, "{group:?}");
    assert_eq!(found.whole.tested_after.unwrap(), tested);
}

#[test]
fn median_and_ninetieth_are_nearest_ranks() {
    let errors = Errors::of((1..=10).map(f64::from)).unwrap();
    assert_eq!((errors.runs, errors.median, errors.p90, errors.mean), (10, 5.0, 9.0, 5.5));
    let one = Errors::of(std::iter::once(0.25)).unwrap();
    assert_eq!((one.median, one.p90), (0.25, 0.25));
    assert_eq!(Errors::of(std::iter::empty()), None);
}

/// A shape that was run twice is on one side, or the test would know what the fit saw.
#[test]
fn a_shape_is_on_one_side_only() {
    let runs: Vec<Run> = [1e-3, 2e-3]
        .iter()
        .flat_map(|&seconds| (1..=8).map(move |m| gemm(64 * m, 512, 512, seconds * m as f64)))
        .collect();
    let found = of(&target(), vec![measurement(KernelKind::Gemm, runs)]).unwrap();
    for pair in found.points.chunks(2) {
        assert_eq!((&pair[0].shape, pair[0].half), (&pair[1].shape, pair[1].half));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The order of runs and of files says nothing, also where shapes were run twice.
    #[test]
    fn runs_in_another_order_give_the_same_fit(
        noise in prop::collection::vec(0.5..2.0_f64, 12),
        order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let shapes = &ladder()[10..16];
        let run = |at: usize| {
            let s = shapes[at % 6];
            gemm(s[0], s[1], s[2], modelled(s, (0.7, 0.6, 30e-6)) * noise[at])
        };
        let file = |name: &str, order: &[usize]| {
            (name.to_owned(), measurement(KernelKind::Gemm, order.iter().map(|&at| run(at)).collect()))
        };
        let straight: Vec<usize> = (0..12).collect();
        let (first, second): (Vec<usize>, Vec<usize>) = order.iter().partition(|&&at| at < 6);
        let of = |files: &[(String, Measurement)]| {
            Accuracy::of(files, &target(), String::new()).unwrap()
        };
        let one = of(&[file("a", &straight[..6]), file("b", &straight[6..])]);
        let other = of(&[file("b", &second), file("a", &first)]);
        prop_assert_eq!(&one.groups, &other.groups);
        prop_assert_eq!(&one.points, &other.points);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_fit_is_never_worse_on_what_it_saw_than_none(
        noise in prop::collection::vec(0.05..20.0_f64, 28)
    ) {
        let runs: Vec<Run> = ladder()
            .iter()
            .zip(&noise)
            .map(|(&s, noise)| gemm(s[0], s[1], s[2], modelled(s, (1.0, 1.0, 0.0)) * noise))
            .collect();
        let measurement = measurement(KernelKind::Gemm, runs);
        let cases: Vec<ComparedRun> = measurement
            .runs
            .iter()
            .map(|run| ComparedRun::of("g.json", &measurement, run, &target()).unwrap())
            .collect();
        let cases: Vec<&ComparedRun> = cases.iter().collect();
        let found = fit::fit_efficiency(&cases);
        prop_assert!(fit::mean_error(&cases, &found) <= fit::mean_error(&cases, &Efficiency::ROOFLINE));
    }
}
