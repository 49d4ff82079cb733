//! Conditions on the counters of the loops around: how often each way is taken is known.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(body: &str) -> KernelAnswer {
    let text = format!(
        "void fill(int out[4096], int count) {{ f: for (int k = 0; k < count; k++) out[k] = k; }}
         void top(int out[4096], const int in[4096], int n) {{ {body} }}"
    );
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2022, 2));
    estimate_kernel(&read(&text), &Directives::default(), &settings)
}

const LONG: &str = "for (int k = 0; k < 400; k++) out[k] = in[k] + i;";
const SHORT: &str = "for (int k = 0; k < 40; k++) out[k] = in[k] - i;";

/// Cycles of 30 iterations around a body, by what the body is.
fn cycles(body: &str) -> f64 {
    estimate(&format!("for (int i = 0; i < 30; i++) {{ {body} }}")).latency.expected
}

/// Cycles that are spent in long and in short loops, about: without the states between them.
fn about(long: f64, short: f64) -> std::ops::Range<f64> {
    let least = 400.0 * long + 40.0 * short;
    least..least + 16.0 * (long + short + 30.0)
}

#[test]
fn a_condition_on_a_counter_counts_each_way_as_often_as_it_is_taken() {
    let two = |test: &str| cycles(&format!("if ({test}) {{ {LONG} }} else {{ {SHORT} }}"));
    for (test, long) in [("i < 3", 3.0), ("i == 7", 1.0), ("i % 2", 15.0), ("i >= 5 && i < 9", 4.0)]
    {
        let (got, wanted) = (two(test), about(long, 30.0 - long));
        assert!(wanted.contains(&got), "{test}: {got} {wanted:?}");
    }
    // Data decide: the longer way is the worst.
    assert!(about(30.0, 0.0).contains(&two("in[i] > 3")));
    assert!(about(30.0, 0.0).contains(&two("i < n")));
}

#[test]
fn best_and_worst_are_the_same_where_counters_decide() {
    let body = |test: &str| {
        format!("for (int i = 0; i < 30; i++) {{ if ({test}) {{ {LONG} }} else {{ {SHORT} }} }}")
    };
    let known = estimate(&body("i < 3")).latency;
    assert_eq!((known.best, known.worst), (known.expected, known.expected));
    // The report counts each iteration with the longer way.
    assert!(known.reported > 3.0 * known.expected);
    let open = estimate(&body("in[i]")).latency;
    assert!(open.best < 0.5 * open.worst);
}

#[test]
fn a_condition_within_another_counts_where_that_one_holds() {
    let nested = cycles(&format!("if (i < 20) {{ {SHORT} }} else if (i == 25) {{ {LONG} }}"));
    assert!(about(1.0, 20.0).contains(&nested), "{nested}");
    let none = cycles(&format!("if (i < 20) {{ {SHORT} }} else if (i == 5) {{ {LONG} }}"));
    assert!(about(0.0, 20.0).contains(&none), "{none}");
    // Of what data let through, nobody knows which iterations are.
    let open = cycles(&format!("if (in[i]) {{ if (i == 25) {{ {LONG} }} else {{ {SHORT} }} }}"));
    assert!(about(30.0, 0.0).contains(&open), "{open}");
}

/// The trips of a loop that a condition lets run in the long half of a triangle.
#[test]
fn a_triangle_in_a_way_counts_the_rows_of_that_way() {
    let row = "for (int k = 0; k < 10 * i; k++) out[k] = in[k] + i;";
    let upper = cycles(&format!("if (i >= 20) {{ {row} }}"));
    let wanted: f64 = (20..30).map(|i| 10.0 * f64::from(i)).sum();
    assert!((wanted..wanted + 800.0).contains(&upper), "{upper} {wanted}");
}

#[test]
fn both_counters_of_a_nest_may_decide() {
    let body = format!(
        "for (int i = 0; i < 30; i++) for (int j = 0; j < 10; j++) {{
            if (i > 0 && j == 9) {{ {LONG} }} else {{ {SHORT} }} }}"
    );
    let got = estimate(&body).latency.expected;
    let least = 400.0 * 29.0 + 40.0 * 271.0;
    assert!((least..least + 16.0 * 330.0).contains(&got), "{got} {least}");
    // A loop that may be left early has no known iterations.
    let left = "for (int i = 0; i < 30; i++) { if (in[i] < 0) break; if (i < 3) { for (int k = 0; k < 400; k++) out[k] = k; } }";
    let answer = estimate(left).latency;
    assert!(answer.worst > 400.0 * 25.0, "{answer:?}");
}

/// Of the iterations that a `continue` passes over, nothing that follows it is run.
#[test]
fn a_continue_on_a_counter_lets_the_other_iterations_through() {
    let after = |begin: &str, test: &str| {
        let body = format!(
            "{begin} for (int j = 0; j < 10; j++) {{ if ({test}) {{ {LONG} }} else {{ {SHORT} }} }}"
        );
        estimate(&format!("for (int i = 0; i < 30; i++) {{ {body} }}")).latency
    };
    // None of the first iterations comes to the inner loop.
    let first = after("if (i < 3) continue;", "i == 1");
    assert!(about(0.0, 270.0).contains(&first.expected), "{first:?}");
    assert_eq!(first.best, first.worst);
    let later = after("if (i < 3) continue;", "i == 5");
    assert!(about(10.0, 260.0).contains(&later.expected), "{later:?}");
    // After statements, and where the other way goes on.
    let else_way = after("if (i >= 3) out[i] = i; else { out[i] = 1; continue; }", "i == 5");
    assert!(about(10.0, 260.0).contains(&else_way.expected), "{else_way:?}");
    // The iterations that data or another condition let through are not known, and neither is the way that they take.
    for begin in [
        "if (in[i] < 3) continue;",
        "if (i < 10) { if (i < 3) continue; out[i] = i; }",
        "if (in[i] < 3) break;",
    ] {
        let open = after(begin, "i == 1");
        assert!(open.worst >= 300.0 * 400.0 && open.best < 0.2 * open.worst, "{begin}: {open:?}");
    }
}
