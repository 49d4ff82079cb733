//! Arrays of a function that begin with constants.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

/// Cycles outside of the loop of a kernel that multiplies by a table of eight.
fn before_the_loop(declared: &str, after: &str) -> f64 {
    let text = format!(
        "void top(int n, int a[64], int out[1]) {{
             int sum = 0;
             {declared}
             {after}
             for (int i = 0; i < 64; i++) {{
         #pragma HLS pipeline II=1
                 sum += w[a[i] & 7];
             }}
             out[0] = sum;
         }}"
    );
    let part = find_part("xc7z020clg484-1").unwrap();
    let settings = Settings::new(part, 10.0, (2022, 1));
    let answer = estimate_kernel(&read(&text), &Directives::default(), &settings);
    answer.latency.reported - answer.loops.last().unwrap().cycles.reported
}

#[test]
fn an_array_that_is_only_read_is_a_table_whether_it_is_constant_or_not() {
    let table = before_the_loop("const int w[8] = {1, 2, 3, 4, 5, 6, 7, 9};", "");
    assert_eq!(before_the_loop("int w[8] = {1, 2, 3, 4, 5, 6, 7, 9};", ""), table);
    assert_eq!(before_the_loop("static int w[8] = {1, 2, 3, 4, 5, 6, 7, 9};", ""), table);
    // Stores come before the loop where the array is one that changes.
    let declared = "int w[8] = {1, 2, 3, 4, 5, 6, 7, 9};";
    assert!(before_the_loop(declared, "w[n & 7] = 12;") > table);
    assert!(before_the_loop(declared, "w[3] = 12;") > table);
    // Values that are known at run time alone are no table.
    assert!(before_the_loop("int w[8] = {n, 2, 3, 4, 5, 6, 7, 9};", "") > table);
    // What a directive puts into a memory may be filled at each call.
    let bound = "#pragma HLS bind_storage variable=w type=ram_2p impl=bram";
    assert!(before_the_loop(&format!("{declared}\n{bound}"), "") > table);
}

/// An array of 5,000 numbers with such a list.
fn long_list(declared: &str, after: &str) -> KernelAnswer {
    let values = vec!["3"; 5000].join(", ");
    let text = format!(
        "void top(int n, int a[64], int out[1]) {{
             int sum = 0;
             {declared} w[5000] = {{n, {values}}};
             {after}
             for (int i = 0; i < 64; i++) {{ sum += w[a[i]]; }}
             out[0] = sum;
         }}"
    );
    let text = if declared.contains("known") { text.replace("{n, 3, ", "{") } else { text };
    let part = find_part("xc7z020clg484-1").unwrap();
    let settings = Settings::new(part, 10.0, (2022, 1));
    estimate_kernel(&read(&text.replace("known", "")), &Directives::default(), &settings)
}

#[test]
fn a_list_of_thousands_is_a_table_or_is_copied() {
    let labels = |answer: &KernelAnswer| {
        answer.loops.iter().filter(|one| one.label.starts_with("memcpy")).count()
    };
    let table = long_list("known int", "");
    assert_eq!((labels(&table), table.unknown.len()), (0, 0));
    // An array that is written later begins with a copy of the list at each call.
    let copied = long_list("known int", "w[n] = 4;");
    assert_eq!((labels(&copied), copied.unknown.len()), (1, 0));
    assert!(copied.latency.reported > table.latency.reported + 5000.0);
    // What is not constant is not read, and it is said.
    let open = long_list("int", "");
    assert!(open.unknown.iter().any(|one| one.reason.contains("5000 elements")));
}

/// A table that a function fills from constants is a memory of constants, also where it gets its size as a number.
#[test]
fn a_table_that_a_function_fills_takes_no_time() {
    let answer = |call: &str| {
        let text = format!(
            "void fill(float t[64], int n, float by) {{ for (int i = 0; i < n; i++) t[i] = sin(by * i); }}
            void top(int at[3200], float out[3200], int n) {{
                rows: for (int r = 0; r < 3200; r++) {{
                    #pragma HLS pipeline
                    float t[64];
                    {call}
                    out[r] = t[at[r] & 63];
                }}
            }}"
        );
        let settings = Settings::new(find_part("xc7z020clg484-1").unwrap(), 10.0, (2019, 1));
        estimate_kernel(&read(&text), &Directives::default(), &settings)
    };
    let known = answer("fill(t, 64, 0.01f);");
    assert_eq!(known.loops[0].ii, Some(1));
    assert_eq!((known.work.multiplications, known.resources.dsp.value), (0.0, 0.0));
    // A number that is not known here makes no table.
    let open = answer("fill(t, 64, 0.01f * n);");
    assert!(open.work.multiplications > 3200.0);
    // And neither does one that is written later.
    let written = answer("fill(t, 64, 0.01f); t[at[r] & 63] = 3.0f;");
    assert!(written.work.multiplications > 3200.0);
}
