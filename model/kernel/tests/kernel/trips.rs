//! How often loops run that are not `for (i = 0; i < n; i++)`.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(body: &str) -> KernelAnswer {
    estimate_top(&format!("void top(int out[64], const int in[64], int n) {{ {body} }}"))
}

fn estimate_top(text: &str) -> KernelAnswer {
    let program = read(text);
    let part = find_part("xcu280-fsvh2892-2L-e").unwrap();
    estimate_kernel(&program, &Directives::default(), &Settings::new(part, 3.33, (2023, 2)))
}

/// The iterations of the first loop; `None` where data decide.
fn trips(body: &str) -> Option<f64> {
    estimate(body).loops[0].trip.map(|(_, most, _)| most)
}

#[test]
fn a_second_counter_does_not_hide_the_first() {
    let two = "for (int i = 0, j = 0; i < 16; ++i, j += 4) out[i] = in[j];";
    let one = "int j = 0; for (int i = 0; i < 16; ++i) { out[i] = in[j]; j += 4; }";
    assert_eq!(trips(two), Some(16.0));
    assert_eq!(estimate(two).latency.expected, estimate(one).latency.expected);
    assert_eq!(
        trips("int j = 0; for (int i = 0; i < 16; j += 4, ++i) out[i] = in[j];"),
        Some(16.0)
    );
}

/// A loop whose first value is known is unrolled by a pipeline around it.
#[test]
fn a_head_may_set_several_values() {
    let around = |head: &str| {
        let body = format!(
            "for (int i = 0; i < 8; i++) {{\n#pragma HLS pipeline\nint n, sum; {head} sum += in[8 * i + n]; out[i] = sum; }}"
        );
        estimate(&body).loops.len()
    };
    assert_eq!(around("sum = 0; for (n = 0; n < 8; n++)"), 1);
    assert_eq!(around("for (n = 0, sum = 0; n < 8; n++)"), 1);
    // What data decide is no first value.
    assert_eq!(around("for (n = in[i], sum = 0; n < 8; n++)"), 2);
}

#[test]
fn a_counter_may_be_converted_in_the_test() {
    let text = |test: &str| {
        format!(
            "#include \"ap_int.h\"\nvoid top(int out[64]) {{ for (ap_uint<7> x = 0; {test} < 40; x++) out[x] = 1; }}"
        )
    };
    let trips = |test| estimate_top(&text(test)).loops[0].trip.map(|(_, most, _)| most);
    assert_eq!(trips("x"), Some(40.0));
    assert_eq!(trips("x.to_uint()"), Some(40.0));
    // Bits of it that come round again are no counter: they are below 40 for ever.
    assert_eq!(trips("x.range(4, 0)"), None);
}

#[test]
fn an_end_that_moves_is_followed() {
    assert_eq!(trips("int i, j; for (i = 0, j = 15; i < j; i++, j--) out[i] = in[j];"), Some(8.0));
    assert_eq!(
        trips("int m = 64; for (int i = 0; i < m; i++) { out[i] = 0; m -= 3; }"),
        Some(16.0)
    );
    assert_eq!(
        trips("int m = 64; for (int i = 1; i < m; i *= 2) { out[i] = 0; m -= 16; }"),
        Some(4.0)
    );
    assert_eq!(trips("for (int i = 0; i < n; i++) { out[i] = 0; if (in[i]) n--; }"), None);
}

#[test]
fn conditions_on_known_values_end_loops() {
    assert_eq!(trips("int k = 64; while (k) { out[k & 3] = k; k >>= 1; }"), Some(7.0));
    assert_eq!(trips("int k = 64; do { k >>= 1; out[k] = 3; } while (k > 0);"), Some(7.0));
    assert_eq!(trips("int k = 0; while (true) { out[k] = 3; if (k == 7) break; k++; }"), Some(8.0));
    assert_eq!(
        trips("int k = 0, s = 0; while (s < 40) { k++; if (k & 1) continue; s += k; out[k] = s; }"),
        Some(12.0)
    );
}

#[test]
fn what_data_decide_stays_open() {
    for body in [
        "int k = n; while (k) { out[k & 3] = k; k >>= 1; }",
        "int k = 0; while (k < 40) { out[k] = 3; k += in[k]; }",
        "int k = 0; while (true) { out[k] = 3; if (in[k]) break; k++; }",
        "while (true) { out[0] += in[0]; }",
    ] {
        assert_eq!(trips(body), None, "{body}");
    }
    // The compiler gives up after a hundred iterations.
    assert_eq!(
        trips("int a = 1, k = 0; while (a != 0) { out[k & 7] = a; a = a * 5 & 4095; k++; }"),
        None
    );
}

#[test]
fn a_loop_that_runs_once_is_none() {
    let plain = "for (int i = 0; i < 64; i++) out[i] = in[i];";
    for once in [
        "for (int i = 0; i < 64; i++) { bool ack = false; while (!ack) { ack = true; } out[i] = in[i]; }",
        "for (int i = 0; i < 64; i++) { do { out[i] = in[i]; } while (0); }",
    ] {
        let answer = estimate(once);
        assert_eq!(answer.loops.len(), 1, "{once}");
        assert_eq!(answer.latency.expected, estimate(plain).latency.expected, "{once}");
    }
    // The flag may stay.
    let open = "for (int i = 0; i < 64; i++) { bool ack = false; while (!ack) { ack = in[i] > 3; } out[i] = in[i]; }";
    assert_eq!(estimate(open).loops.len(), 2);
}

/// A type bounds a loop, and so does half of what it holds; `int` is too wide for the tool to count with.
#[test]
fn a_narrow_type_bounds_a_loop_that_data_decide() {
    let worst = |ty: &str, bound: &str| {
        let text = format!(
            "void top({ty} n, int a[64]) {{ for (int i = 0; i < {bound}; i++) {{\n#pragma HLS pipeline\na[i & 63] = i; }} }}"
        );
        let answer = estimate_top(&text);
        (answer.latency.is_open, answer.latency.worst)
    };
    let near = |(is_open, cycles): (bool, f64), trips: f64| {
        assert!(!is_open && (cycles - trips).abs() < 16.0, "{cycles} {trips}");
    };
    near(worst("short", "n"), f64::from(i16::MAX));
    near(worst("ap_int<30>", "n"), f64::from((1 << 29) - 1));
    near(worst("ap_int<30>", "n / 2"), f64::from((1 << 28) - 1));
    assert!(worst("int", "n").0);
}

/// The range of a type is no count: nobody runs a loop so often. What an operation bounds is one, and so is what a directive says.
#[test]
fn a_count_that_rests_on_a_type_is_not_known() {
    let estimate = |body: &str| {
        estimate_top(&format!(
            "void top(short n, int a[64]) {{ for (int k = 0; k < 4; k++) {{ a[k] = 0; {body} }} }}"
        ))
    };
    let inner = |bound: &str| {
        format!(
            "for (int i = 0; i < {bound}; i++) {{\n#pragma HLS pipeline\n#pragma HLS loop_flatten off\na[i & 63] += i; }}"
        )
    };
    for bound in ["n", "n / 2", "n >> 2", "n + 3", "(n > 5 ? n : 7)", "k * n"] {
        let answer = estimate(&inner(bound));
        let latency = answer.latency;
        assert!(latency.rests_on_type && !latency.is_open && !latency.is_known(), "{bound}");
        let (around, own) = (&answer.loops[0], &answer.loops[1]);
        assert!(!around.trip_rests_on_type && !around.is_depth_known, "{bound}");
        assert!(own.trip_rests_on_type && own.is_depth_known && !own.cycles.is_known(), "{bound}");
        let said = answer.unknown.iter().filter(|one| one.reason.contains("the type of its bound"));
        assert_eq!(said.map(|one| one.place.line).collect::<Vec<_>>(), [1], "{bound}");
    }
    for bound in ["(n & 15)", "n % 16", "(n > 5 ? 8 : 7)", "k", "9"] {
        let answer = estimate(&inner(bound));
        assert!(answer.latency.is_known() && answer.unknown.is_empty(), "{bound}");
        assert!(answer.loops.iter().all(|one| one.is_depth_known && !one.trip_rests_on_type));
    }
    let given = inner("n").replace("pipeline", "pipeline\n#pragma HLS loop_tripcount max=16");
    assert!(estimate(&given).latency.is_known());
    // Data decide an iteration of the outer loop, too, where nothing bounds the inner one.
    let open = estimate("for (int i = 0; a[i]; i++) a[i + 1] = i;");
    assert!(open.latency.is_open && !open.loops[0].is_depth_known);
}
