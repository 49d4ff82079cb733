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

/// What a kernel is that fills a table in this manner, in each of 3,200 rows.
fn filled(declared: &str, call: &str, after: &str) -> KernelAnswer {
    let text = format!(
        "void fill(float t[64], int n, float by) {{ for (int i = 0; i < n; i++) t[i] = sin(by * i); }}
        void both(float t[64], float u[64]) {{ for (int i = 0; i < 64; i++) {{ t[i] = sin(0.1f * i); u[i] = i * 0.5f; }} }}
        void most(float t[64]) {{ for (int i = 0; i < 64; i++) if (i > 3) t[i] = sin(0.1f * i); }}
        void line(float t[8][8]) {{ for (int i = 0; i < 8; i++) t[i][i] = sin(0.1f * i); }}
        void square(float t[8][8]) {{ for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) t[i][j] = sin(0.1f * i + j); }}
        void top(int at[3200], float out[3200], int n, bool m) {{
            {declared}
            rows: for (int r = 0; r < 3200; r++) {{
                #pragma HLS pipeline
                float t[64]; float u[64]; float s[8][8];
                {call}
                out[r] = t[at[r] & 63];
                {after}
            }}
        }}"
    );
    let settings = Settings::new(find_part("xc7z020clg484-1").unwrap(), 10.0, (2019, 1));
    estimate_kernel(&read(&text), &Directives::default(), &settings)
}

/// A table that a function fills from constants is a memory of constants, also where it gets its size as a number.
#[test]
fn a_table_that_a_function_fills_takes_no_time() {
    let work = |call| filled("", call, "").work.multiplications;
    let known = filled("", "fill(t, 64, 0.01f);", "");
    assert_eq!(known.loops[0].ii, Some(1));
    assert_eq!((known.work.multiplications, known.resources.dsp.value), (0.0, 0.0));
    // A number that is not known here makes no table, and neither does one that is written later.
    assert!(work("fill(t, 64, 0.01f * n);") > 3200.0);
    assert!(work("fill(t, 64, 0.01f); t[at[r] & 63] = 3.0f;") > 3200.0);
}

#[test]
fn a_table_is_filled_with_the_same_numbers_wholly_and_first() {
    let work = |call: &str, after: &str| filled("", call, after).work.multiplications;
    // The same numbers again.
    assert_eq!(work("fill(t, 64, 0.01f);", "fill(t, 64, 0.01f);"), 0.0);
    // Other ones, in turn or as data say.
    assert!(work("fill(t, 64, 0.01f);", "fill(t, 64, 0.5f);") > 3200.0);
    assert!(work("if (m) fill(t, 64, 1); else fill(t, 64, 2);", "") > 3200.0);
    assert!(work("if (m) fill(t, 64, 1);", "") > 3200.0);
    assert!(work("if (m) continue; fill(t, 64, 1);", "") > 3200.0);
    // A part of it.
    assert!(work("fill(t, 32, 0.01f);", "") > 3200.0);
    assert!(work("most(t);", "") > 3200.0);
    // After it is read.
    assert!(work("", "fill(t, 64, 0.01f);") > 3200.0);
    // With another one that is no table.
    assert_eq!(work("both(t, u);", ""), 0.0);
    assert!(work("both(t, u);", "u[n & 63] = 1;") > 3200.0);
    // A matrix, and its diagonal.
    let twice = "fill(t, 64, 0.01f); out[r] = s[at[r] & 7][at[r] & 3];";
    assert_eq!(work(&format!("square(s); {twice}"), ""), 0.0);
    assert!(work(&format!("line(s); {twice}"), "") > 3200.0);
}

/// A flag says that a table is filled.
#[test]
fn a_table_is_filled_once() {
    let work = |declared, call| filled(declared, call, "").work.multiplications;
    let once = "if (!done) { fill(t, 64, 0.01f); done = true; }";
    assert_eq!(work("static bool done = false;", once), 0.0);
    assert_eq!(work("bool done = false;", once), 0.0);
    // Data set it.
    assert!(work("bool done = m;", once) > 3200.0);
    assert!(work("bool done = false; if (m) done = true;", once) > 3200.0);
    assert!(work("bool done = true;", once) > 3200.0);
}
