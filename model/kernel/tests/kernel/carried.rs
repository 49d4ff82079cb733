//! What the iterations of a loop without a pipeline hand on, and loops that such a loop unrolls. The laws hold whatever a tool's
//! report says of a kernel.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let part = find_part("xcu280").unwrap();
    let settings = Settings::new(part, 1e3 / 300.0, (2023, 2));
    estimate_kernel(&read(text), &Directives::default(), &settings)
}

fn depth(text: &str) -> f64 {
    estimate(text).loops[0].depth
}

/// A chain of products of whole numbers, one iteration after another.
fn chain(ty: &str, end: &str) -> String {
    format!(
        "{ty} top(const {ty} x[64]) {{
            {ty} s = 1;
            each: for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline off
                s += x[i];
                {end}
            }}
            return s;
        }}"
    )
}

#[test]
fn whole_numbers_that_the_next_iteration_reads_take_their_time() {
    let (short, long) = (depth(&chain("int", "")), depth(&chain("int", "s = s * s; s = s * s;")));
    assert!(long >= short + 2.0, "{short} {long}");
    // What is read by nothing takes none.
    let unread = chain("int", "int t = s * s; t = t * t;");
    assert_eq!(depth(&unread).to_bits(), short.to_bits());
}

/// A chain of eight steps in a loop that is unrolled, however that is written.
fn unrolled(directive: &str) -> String {
    format!(
        "void top(const unsigned x[64], unsigned y[64]) {{
            unsigned s = 1;
            each: for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline off
                s ^= x[i];
                steps: for (int j = 0; j < 8; j++) {{
#pragma HLS unroll{directive}
                    if (s & 1) s = (s >> 1) ^ 0xEDB88320;
                    else s = s >> 1;
                }}
                y[i] = s;
            }}
        }}"
    )
}

#[test]
fn a_loop_that_is_unrolled_whole_is_gone_also_where_the_loop_around_is_not_pipelined() {
    let whole = estimate(&unrolled(""));
    assert_eq!((whole.loops.len(), whole.loops[0].label.as_str()), (1, "each"));
    assert_eq!(whole.loops[0].ii, None);
    // Eight steps of logic do not fit into one cycle at 300 MHz.
    assert!(whole.loops[0].depth > 3.0, "{}", whole.loops[0].depth);
    let factor = estimate(&unrolled(" factor=8"));
    assert_eq!(factor.latency.expected.to_bits(), whole.latency.expected.to_bits());
}

#[test]
fn what_a_method_takes_that_has_no_body_is_not_known() {
    let text = "class Unit { public: void run(int x[64], int y[64]); };
        void top(int x[64], int y[64]) { static Unit unit; unit.run(x, y); }";
    let answer = estimate(text);
    assert!(!answer.latency.is_known() && !answer.unknown.is_empty(), "{answer:?}");
    let with_body = text.replacen("int y[64]);", "int y[64]) { y[0] = x[0]; }", 1);
    assert!(estimate(&with_body).latency.is_known());
}

/// A loop that sets a number for what follows it.
fn last(pipeline: &str, inside: &str, after: &str) -> String {
    enclosed(pipeline, "", inside, after)
}

/// The same with what is before it.
fn enclosed(pipeline: &str, before: &str, inside: &str, after: &str) -> String {
    format!(
        "int kept; void store(int &to, int value) {{ to = value; }}
        int top(int x[64], int y[64], int &found) {{
            int last = 0;
            {before}
            each: for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline {pipeline}
                last = x[i] * x[i] * 77; {inside}
            }}
            {after}
        }}"
    )
}

#[test]
fn what_follows_a_loop_reads_takes_its_time_in_the_loop() {
    for pipeline in ["", "off"] {
        let used = depth(&last(pipeline, "y[i] = last;", "return 0;"));
        let read = ["return last;", "y[0] = last; return 0;", "if (last > 3) y[0] = 1; return 0;"];
        let passed = ["found = last; return 0;", "store(y[0], last); return 0;"];
        for after in read.iter().chain(&passed) {
            let own = depth(&last(pipeline, "", after));
            assert!(own >= used - 1.0, "{pipeline} {after}: {own} {used}");
        }
        for left in ["found = last;", "kept = last;"] {
            let own = depth(&last(pipeline, left, "return 0;"));
            assert!(own >= used - 1.0, "{pipeline} {left}: {own} {used}");
        }
        // What is set anew before it is read takes none, and neither does what nothing reads.
        let anew = [
            ("", "return 0;"),
            ("", "{ int last = 3; return last; }"),
            ("", "last = 3; return last;"),
            ("", "if (x[0] > 3) last = 3; else last = 4; return last;"),
            ("y[0] = last;", "return 0;"),
            ("if (last > x[1]) y[0] = 1;", "return 0;"),
        ];
        for (before, after) in anew {
            let own = depth(&enclosed(pipeline, before, "", after));
            assert!(own < used - 2.0, "{pipeline} {before} {after}: {own} {used}");
        }
        // One way may not set it, and the next iteration of a loop around reads what is before this one.
        let sometimes = [
            ("", "if (x[0] > 3) last = 3; return last;"),
            ("", "for (int i = 0; i < found; i++) last = 3; return last;"),
            ("rows: for (int k = 0; k < 8; k++) { y[k] = last;", "} return 0;"),
            (
                "rows: for (int k = 0; k < 8; k++) {",
                "if (x[k] > 3) break; last = 3; } return last;",
            ),
        ];
        for (before, after) in sometimes {
            let loops = estimate(&enclosed(pipeline, before, "", after)).loops;
            let each = loops.iter().find(|one| one.label.ends_with("each"));
            let own = each.unwrap_or_else(|| panic!("{loops:?}")).depth;
            assert!(own >= used - 1.0, "{pipeline} {before} {after}: {own} {used}");
        }
    }
}
