//! What would help a kernel: what is promised is what the changed kernel takes.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_advice::{Change, find_advice};
use derate_kernel::{Directives, Program, Settings, estimate_kernel, find_part, read_program};
use derate_syntax::{SourceFile, read_unit};

fn read(text: &str) -> Program {
    let source = SourceFile { path: "kernel.cpp".into(), text: text.into() };
    let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
    read_program(&unit, "top").unwrap()
}

/// Sums of products of elements of one port, or of two; with `count` partial sums.
fn write_sum(other: &str, count: usize) -> String {
    let sum = format!("w[i] * {other}");
    let body = if count == 1 {
        format!("float s = 0;\n each: for (int i = 0; i < 1024; i++) s += {sum};\n out[0] = s;")
    } else {
        format!(
            "float p[{count}] = {{}};\n#pragma HLS array_partition variable=p complete\n\
             each: for (int i = 0; i < 1024; i++) {{\n#pragma HLS pipeline II=1\n p[i % {count}] += {sum};\n }}\n\
             float s = 0;\n for (int k = 0; k < {count}; k++) s += p[k];\n out[0] = s;"
        )
    };
    format!(
        "void top(const float *w, const float *v, float *out) {{\n\
         #pragma HLS interface m_axi port=w bundle=a depth=2048\n#pragma HLS interface m_axi port=v bundle=b depth=2048\n\
         #pragma HLS interface m_axi port=out bundle=c depth=1\n{body}\n}}\n"
    )
}

#[test]
fn partial_sums_promise_what_the_ports_leave() {
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2022, 1));
    let directives = Directives::default();
    for (other, least) in [("w[i + 1024]", 2.0), ("v[i]", 1.0)] {
        let program = read(&write_sum(other, 1));
        let answer = estimate_kernel(&program, &directives, &settings);
        let advice = find_advice(&program, &directives, &settings, &answer);
        let sums = advice.iter().find(|one| matches!(one.change, Change::PartialSums { .. }));
        let promised = sums.unwrap().after;
        assert!((promised / 1024.0 - least).abs() < 0.25, "{other}: {promised}");
    }
}
