//! Devices, threads and arithmetics: each setting is compared for itself.

use super::*;

/// Elements of 16 bits may have been widened: what the file does not say is not named, and the peak that is used instead is.
#[test]
fn an_arithmetic_that_is_not_told_is_not_named() {
    let silent = |n| Run { computed: None, ..gemm(64, n, 64, 1e-4) };
    let in_fp32 = |run: Run| {
        let own = run.gemm.map(|own| GemmRun { precision: "fp32".to_owned(), ..own });
        Run { gemm: own, ..run }
    };
    let runs = vec![in_fp32(gemm(64, 64, 64, 1e-4)), in_fp32(silent(96))];
    let found = of(&target(), vec![measurement(KernelKind::Gemm, runs)]).unwrap();
    let groups: Vec<_> =
        found.groups.iter().map(|g| (g.arithmetic.as_deref(), g.accumulate.as_deref())).collect();
    assert_eq!(groups, [(None, None), (Some("fp32"), Some("fp32"))]);
    assert_eq!(found.points[0].arithmetic, None);
    let told = |found: &Accuracy| {
        let notes = found.notes.iter();
        notes.filter(|note| note.contains("do not tell")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(told(&found).len(), 1, "{:?}", found.notes);
    assert!(told(&found)[0].ends_with("The predictions use that of FP32."));
    // A platform that widens says to what.
    let widens = format!(
        "{CPU}[[unknown]]\narithmetic = \"bf16\"\nreason = \"no kernel\"\ncomputed_as = \"fp32\"\n"
    );
    let widens = Target::parse("test.toml", &widens).unwrap();
    let found = of(&widens, vec![measurement(KernelKind::Gemm, vec![silent(64)])]).unwrap();
    assert_eq!(found.groups[0].arithmetic, None);
    assert!(told(&found)[0].contains("gemm in bf16: ") && told(&found)[0].ends_with("of FP32."));
}

#[test]
fn another_kind_of_device_is_refused_and_another_machine_told() {
    let run = |m: Measurement| Measurement { runs: vec![gemm(64, 64, 64, 1e-4)], ..m };
    let cpu = || run(measurement(KernelKind::Gemm, vec![]));
    let error = of(&gpu(), vec![cpu()]).unwrap_err();
    assert!(error.starts_with("m0.json: it ran on a processor, and t9 is a GPU: "), "{error}");
    assert!(error.contains("derate platform measure"), "{error}");
    let error = of(&target(), vec![run(on_gpu("NVIDIA T9", vec![]))]).unwrap_err();
    assert!(error.contains("it ran on a GPU, and test is a processor"), "{error}");
    let error = of(&Target::named("u280").unwrap(), vec![cpu()]).unwrap_err();
    assert!(error.contains("it ran on a processor, and u280 is a card"), "{error}");
    // Of the same kind it is compared, and another name is reported.
    let about = |target: &Target, m: Measurement| -> Vec<String> {
        let notes = of(target, vec![m]).unwrap().notes;
        notes.into_iter().filter(|note| note.starts_with("m0.json ")).collect()
    };
    assert_eq!(about(&gpu(), run(on_gpu("NVIDIA T9", vec![]))), Vec::<String>::new());
    let other = about(&gpu(), run(on_gpu("NVIDIA H200", vec![])));
    assert!(other[0].contains("was measured on `NVIDIA H200`"), "{other:?}");
    let own = MeasuredDevice { name: "A processor of a test".to_owned(), ..cpu().device };
    let own = Measurement { device: own, ..cpu() };
    assert_eq!(about(&target(), own.clone()), Vec::<String>::new());
    assert!(about(&target(), cpu())[0].contains("nothing says that these are one machine"));
    let threads = about(&target(), Measurement { threads: Some(16), ..own });
    assert!(threads[0].contains("on 16 threads") && threads[0].contains("--ports"), "{threads:?}");
    // Threads are nothing that a GPU has.
    let many = Measurement { threads: Some(16), ..run(on_gpu("NVIDIA T9", vec![])) };
    assert_eq!(about(&gpu(), many), Vec::<String>::new());
    let measured = of(&target(), vec![cpu()]).unwrap().notes;
    assert!(measured.iter().any(|note| note.contains("are measured ones")), "{measured:?}");
    let printed = of(&gpu(), vec![run(on_gpu("NVIDIA T9", vec![]))]).unwrap().notes;
    assert!(!printed.iter().any(|note| note.contains("are measured ones")), "{printed:?}");
}

/// Twice as fast on another machine, or on other threads, is not an efficiency of both.
#[test]
fn runs_of_two_settings_have_an_efficiency_each() {
    let all = |efficiency: f64| -> Vec<Run> {
        let time = |s: &[u64; 3]| modelled(*s, (efficiency, efficiency, 0.0));
        ladder().iter().map(|s| gemm(s[0], s[1], s[2], time(s))).collect()
    };
    let own = |efficiency| measurement(KernelKind::Gemm, all(efficiency));
    let elsewhere = MeasuredDevice { name: "y".to_owned(), ..own(0.4).device };
    let in_fp16: Vec<Run> = all(0.6)
        .into_iter()
        .map(|run| {
            let computed =
                Computed { accumulate: "fp16".to_owned(), ..run.computed.clone().unwrap() };
            Run { computed: Some(computed), ..run }
        })
        .collect();
    let found = of(
        &target(),
        vec![
            own(0.8),
            Measurement { device: elsewhere, ..own(0.4) },
            Measurement { threads: Some(1), ..own(0.2) },
        ],
    )
    .unwrap();
    let shares: Vec<(String, Option<u64>, f64)> = found
        .groups
        .iter()
        .map(|g| {
            let share = g.efficiency.unwrap().compute.unwrap();
            (g.device.clone(), g.threads, (100.0 * share).round() / 100.0)
        })
        .collect();
    let named = |name: &str, threads, share| (name.to_owned(), Some(threads), share);
    assert_eq!(shares, [named("x", 1, 0.2), named("x", 2, 0.8), named("y", 2, 0.4)]);
    for (at, group) in found.groups.iter().enumerate() {
        let own = found.points.iter().filter(|point| point.group == at).count();
        assert_eq!(own, group.errors.roofline.unwrap().runs);
    }
    // Sums in another precision have no peak here, and are never pooled with those that have one.
    let other = of(&target(), vec![own(0.8), measurement(KernelKind::Gemm, in_fp16)]).unwrap();
    assert_eq!((other.groups.len(), other.left_out.len()), (1, ladder().len()));
}
