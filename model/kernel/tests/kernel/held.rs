//! What holds an interval: the value or the array, and what of it is certain.

use crate::read;
use derate_kernel::{Directives, HeldBy, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let program = read(text);
    let settings = Settings::new(find_part("xcu280").unwrap(), 10.0 / 3.0, (2023, 2));
    estimate_kernel(&program, &Directives::default(), &settings)
}

/// Interval asked for and reached, and what holds it, of the loop `L`.
fn held(text: &str) -> (u64, u64, HeldBy) {
    let answer = estimate(text);
    let one = answer.loops.iter().find(|one| one.label == "L").unwrap();
    (one.asked.unwrap(), one.ii.unwrap(), one.held_by.clone().unwrap())
}

#[test]
fn a_sum_has_a_name_an_operation_and_an_interval_that_is_certain() {
    let (asked, ii, held) = held(
        "void top(float v[64][4], float out[4]) {
            float part[4];
         #pragma HLS array_partition variable=v complete dim=2
         #pragma HLS array_partition variable=part complete
            for (int s = 0; s < 4; s++) part[s] = 0;
         L: for (int r = 0; r < 64; r++) {
         #pragma HLS pipeline
                for (int s = 0; s < 4; s++) part[s] += v[r][s];
            }
            for (int s = 0; s < 4; s++) out[s] = part[s];
         }",
    );
    let HeldBy::Recurrence { variable, operation, least, .. } = held else { panic!("{held:?}") };
    assert_eq!((asked, variable.as_deref()), (1, Some("part")));
    assert_eq!(operation.as_deref(), Some("float addition"));
    // The adder takes several cycles at 300 MHz, however the tool orders the terms.
    assert!(1 < least && least <= ii, "{least} {ii}");
}

#[test]
fn a_chain_to_an_element_far_away_is_not_certain() {
    // Eight iterations lie between two additions to one element; a tree of the four terms would be fast enough.
    let (_, ii, held) = held(
        "void top(float v[8][8][4], float sum[8]) {
         #pragma HLS array_partition variable=v complete dim=3
         L: for (int n = 0; n < 64; n++) {
         #pragma HLS pipeline II=1
                for (int k = 0; k < 4; k++) sum[n % 8] += v[n / 8][n % 8][k];
            }
         }",
    );
    if let HeldBy::Recurrence { least, .. } = held {
        assert!(least <= ii, "{least} {ii}");
    }
}

#[test]
fn reads_that_no_iteration_changes_do_not_count() {
    let (_, _, held) = held(
        "void top(int row, float a[16][4], float out[16]) {
         #pragma HLS interface ap_memory port=a storage_type=ram_1p
         L: for (int r = 0; r < 16; r++) {
         #pragma HLS pipeline II=1
                out[r] = a[row][0] * a[row][1] + a[row][2] * a[row][3] + a[r][0];
            }
         }",
    );
    let HeldBy::Memory { array, least, .. } = held else { panic!("{held:?}") };
    assert_eq!((array.as_str(), least), ("a", 1));
}

#[test]
fn accesses_to_one_bank_are_certain() {
    let text = |banks: u32| {
        format!(
            "void top(float a[64], float out[16]) {{
             #pragma HLS array_partition variable=a cyclic factor={banks}
             L: for (int r = 0; r < 16; r++) {{
             #pragma HLS pipeline II=1
                    float s = 0;
                    for (int k = 0; k < 4; k++) s += a[4 * r + k];
                    out[r] = s;
                }}
             }}"
        )
    };
    let (_, ii, whole) = held(&text(1));
    assert!(matches!(whole, HeldBy::Memory { least, .. } if least == ii && ii > 1), "{whole:?}");
    let (_, ii, cut) = held(&text(4));
    assert_eq!((ii, cut), (1, HeldBy::Target));
}

#[test]
fn stages_of_dataflow_and_arrays_in_blocks_are_listed() {
    let answer = estimate(
        "void load(float a[1024], float b[1024]) { for (int i = 0; i < 1024; i++) b[i] = a[i]; }
         void work(float b[1024], float c[1024]) {
             for (int i = 0; i < 1024; i++) for (int k = 0; k < 128; k++) c[i] = b[i] * b[k];
         }
         void top(float a[1024], float c[1024]) {
         #pragma HLS dataflow
             float b[1024];
             load(a, b);
             work(b, c);
         }",
    );
    let [region] = answer.regions.as_slice() else { panic!("{:?}", answer.regions) };
    let names: Vec<&str> = region.stages.iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!((region.function.as_str(), names), ("top", vec!["load", "work"]));
    assert!(region.stages[1].interval.expected > 4.0 * region.stages[0].interval.expected);
    let [array] = answer.arrays.as_slice() else { panic!("{:?}", answer.arrays) };
    assert_eq!((array.name.as_str(), array.banks, array.bits), ("b", 1, 32 * 1024));
}

#[test]
fn counts_that_choose_among_counts_take_no_time() {
    // Each iteration may leave the count as it was; all are unrolled, so that each choice has the one before in it.
    let answer = estimate(
        "void top(int a[64], int out[64]) {
            int n = 0;
         L: for (int i = 0; i < 64; i++) {
         #pragma HLS unroll
                if (n == 50) out[i] = n;
                if (a[i]) { if (n < 9 + i) n = n + 1; else n = n - 2; }
            }
            out[0] = n;
         }",
    );
    assert!(answer.latency.expected > 0.0);
}

/// A global array is of no function; a callee that cuts its parameter cuts it for all.
/// From 2024.2 on logs infer `array_partition` for static arrays, too, and for banks of a directive.
#[test]
fn a_static_array_is_cut_by_the_tool() {
    let clear = |directive: &str, tool: (u16, u16)| {
        let text = format!(
            "static int acc[4][8][8];
             void top(int bias[4], int out[256]) {{
             {directive}
             L: for (int n = 0; n < 4; n++) {{
                     for (int r = 0; r < 8; r++) {{
             #pragma HLS pipeline II=1
                         for (int c = 0; c < 8; c++) acc[n][r][c] = bias[n];
                     }}
                 }}
                 for (int i = 0; i < 256; i++) out[i] = acc[i / 64][i / 8 % 8][i % 8];
             }}"
        );
        let part = find_part("xc7z020clg400-1").unwrap();
        let settings = Settings::new(part, 10.0, tool);
        let answer = estimate_kernel(&read(&text), &Directives::default(), &settings);
        answer.loops[0].ii
    };
    let cut = "#pragma HLS array_partition variable=acc dim=1 complete";
    assert_eq!(clear(cut, (2024, 2)), Some(1));
    assert_eq!(clear("", (2024, 2)), Some(1));
    // A core that is named is kept as it is, and older tools are not known to do it.
    assert_eq!(clear("#pragma HLS bind_storage variable=acc type=ram_t2p", (2024, 2)), Some(4));
    assert_eq!(clear(cut, (2022, 1)), Some(4));
}

#[test]
fn a_global_array_is_cut_by_the_function_that_it_is_passed_to() {
    let interval = |cut: &str| {
        let answer = estimate(&format!(
            "static int v[64][4];
             int add(int row[64][4]) {{
             {cut}
                 int sum = 0;
             L: for (int r = 0; r < 64; r++) {{
             #pragma HLS pipeline II=1
                     for (int s = 0; s < 4; s++) sum += row[r][s];
                 }}
                 return sum;
             }}
             void top(int out[1], int in[64]) {{
                 for (int r = 0; r < 64; r++) v[r][r % 4] = in[r];
                 out[0] = add(v);
             }}"
        ));
        answer.loops.iter().find(|one| one.label == "L").unwrap().ii
    };
    assert_eq!(interval(""), Some(2));
    assert_eq!(interval("#pragma HLS array_partition variable=row complete dim=2"), Some(1));
}

/// A bus reads one beat in a cycle and writes one, so that neither helps the other; a memory takes both kinds at each port.
#[test]
fn a_bus_has_a_channel_for_each_direction() {
    let body = "L: for (int r = 0; r < 16; r++) {
         #pragma HLS pipeline II=1
                b[r] = a[r * n] + a[r * n + 7] + a[r * n + 19];
            }
         }";
    let bus = format!(
        "void top(int n, int *a, int b[16]) {{
         #pragma HLS interface m_axi port=a bundle=one max_widen_bitwidth=32
         {body}"
    );
    let (_, ii, HeldBy::Memory { accesses, ports, .. }) = held(&bus) else { panic!() };
    assert_eq!((ii, accesses, ports), (3, 3, 1));
    let memory = format!("void top(int n, int a[4096], int b[16]) {{ {body}");
    let (_, ii, HeldBy::Memory { accesses, ports, .. }) = held(&memory) else { panic!() };
    assert_eq!((ii, accesses, ports), (2, 3, 2));
}

/// Two arrays on one bundle are named with it, and a bundle for one of them is what helps.
#[test]
fn arrays_on_one_bundle_are_held_by_it() {
    let text = |bundle: &str| {
        format!(
            "void top(int *a, int *c, int b[512]) {{
             #pragma HLS interface m_axi port=a bundle=one
             #pragma HLS interface m_axi port=c bundle={bundle}
             L: for (int r = 0; r < 512; r++) {{
             #pragma HLS pipeline II=1
                    b[r] = a[r] + c[r];
                }}
             }}"
        )
    };
    let (_, ii, HeldBy::Memory { accesses, ports, shared, .. }) = held(&text("one")) else {
        panic!()
    };
    assert_eq!((ii, accesses, ports), (2, 2, 1));
    let shared = shared.unwrap();
    assert_eq!(
        (shared.bundle.as_str(), shared.arrays),
        ("one", vec!["a".to_owned(), "c".to_owned()])
    );
    let (_, ii, alone) = held(&text("two"));
    assert_eq!((ii, alone), (1, HeldBy::Target));
}

/// The tool may copy a memory for more readers: what its ports ask for is not certain. A second write is.
#[test]
fn a_memory_that_the_tool_may_copy_asks_for_no_interval_with_certainty() {
    let least = |statements: &str, tool| {
        let program = read(&format!(
            "void top(int a[64], int b[64]) {{
                int m[2][66];
            #pragma HLS ARRAY_PARTITION variable=m dim=1 complete
                fill: for (int i = 0; i < 64; i++) m[0][i] = a[i];
                L: for (int i = 0; i < 64; i++) {{
                #pragma HLS PIPELINE II=1
                    {statements}
                }}
            }}"
        ));
        let settings = Settings::new(find_part("xc7z020-clg400-1").unwrap(), 10.0, tool);
        let answer = estimate_kernel(&program, &Directives::default(), &settings);
        let used = answer.loops.iter().find(|one| one.label == "L").unwrap();
        match &used.held_by {
            Some(HeldBy::Memory { least, .. }) => (used.ii, Some(*least)),
            _ => (used.ii, None),
        }
    };
    let reads = "b[i] = m[0][i] + m[0][i + 1] + m[0][i + 2];";
    assert_eq!(least(reads, (2020, 2)), (Some(2), Some(1)));
    assert_eq!(least(reads, (2020, 1)), (Some(2), Some(2)));
    let writes = "m[0][i] = a[i]; m[0][i + 1] = a[i] + 1; b[i] = m[0][63 - i];";
    assert_eq!(least(writes, (2020, 2)).1, Some(2));
}
