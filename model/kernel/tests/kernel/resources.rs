//! Resources that synthesis reports of public designs print, for kernels written anew in their manner.
//!
//! The figures are facts of sjtu-zhao-lab/hierarchical-gnn-for-hls (Vitis HLS 2022.1, xczu9eg, 10 ns) and of
//! sharc-lab/HLSFactory (Vitis 2025.1, xcu200, 4 ns).

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, Resources, Settings, estimate_kernel, find_part};

fn resources(text: &str, tcl: &str, part: &str, clock: f64, tool: (u16, u16)) -> Resources {
    let program = read(text);
    let directives = Directives { list: read_tcl(tcl).directives };
    let settings = Settings::new(find_part(part).unwrap(), clock, tool);
    estimate_kernel(&program, &directives, &settings).resources
}

const TWO_SUMS: &str = "void dot(float a[64], float b[64], float *r) {
        float s = 0; one: for (int i = 0; i < 64; i++) s += a[i] * b[i]; *r = s; }
    void dot2(float a[64], float b[64], float *r) {
        float s = 0; two: for (int i = 0; i < 64; i++) s += a[i] * b[i]; *r = s; }";

fn on_zynq(text: &str, tcl: &str) -> Resources {
    resources(text, tcl, "xczu9eg-ffvb1156-2-i", 10.0, (2022, 1))
}

/// Products of bytes that are added are in slices, all but one of each pair; one by itself is not, and either is in doubt.
#[test]
fn products_that_are_added_take_slices() {
    let kernel = |body: &str| {
        on_zynq(
            &format!(
                "void top(ap_int<8> a[16], ap_int<8> b[16], ap_int<32> c[16]) {{
                for (int i = 0; i < 16; i++) {{
            #pragma HLS pipeline II=1
                    {body}
                }}
            }}"
            ),
            "",
        )
        .dsp
    };
    let sum = kernel("c[i] += a[i] * b[i];");
    assert_eq!((sum.low, sum.value, sum.high), (0.0, 1.0, 1.0));
    let alone = kernel("c[i] = a[i] * b[i];");
    assert_eq!((alone.low, alone.value, alone.high), (0.0, 0.0, 1.0));
}

/// `mul_32s_32s_32` of three slices each, in a report of 2024.2: the bound of a loop is computed, too. The tool may add more
/// for addresses and trips, which constant bounds do not need.
#[test]
fn products_of_a_bound_take_slices() {
    let open = on_zynq(
        "void top(int n, int h, int w, int a[4096]) {
            int all = n * h * w;
            for (int i = 0; i < all; i++) a[i] = i;
        }",
        "",
    )
    .dsp;
    assert!(open.value == 6.0 && open.high > open.value, "{open:?}");
    let fixed = on_zynq("void top(int a[64]) { for (int i = 0; i < 64; i++) a[i] = i; }", "");
    assert_eq!((fixed.dsp.low, fixed.dsp.high), (0.0, 0.0));
}

#[test]
fn loops_that_take_turns_share_their_operators() {
    let text = format!(
        "{TWO_SUMS} void top(float a[64], float b[64], float c[64], float *r, float *s) {{
            dot(a, b, r); dot2(a, c, s); }}"
    );
    assert_eq!(on_zynq(&text, "").dsp.value, 5.0);
}

#[test]
fn processes_that_run_side_by_side_have_their_own() {
    let text = format!(
        "{TWO_SUMS} void top(float a[64], float b[64], float c[64], float d[64], float *r, float *s) {{
            #pragma HLS dataflow
            dot(a, b, r); dot2(c, d, s); }}"
    );
    assert_eq!(on_zynq(&text, "").dsp.value, 10.0);
}

/// A row times a vector, unrolled and not pipelined.
fn chain(factor: u32, body: &str) -> f64 {
    let text = format!(
        "void top(int r, float mat[64][64], float net[64][64], float vec[64], float acc[64], float sum[64]) {{
            add: for (int c = 0; c < 64; c++) {{ {body} }} }}"
    );
    let tcl = format!(
        "set_directive_array_partition -type cyclic -factor {factor} -dim 2 top mat\n\
         set_directive_array_partition -type cyclic -factor {factor} -dim 2 top net\n\
         set_directive_array_partition -type cyclic -factor {factor} -dim 1 top vec\n\
         set_directive_pipeline -off top/add\nset_directive_unroll -factor {factor} top/add\n"
    );
    on_zynq(&text, &tcl).dsp.value
}

#[test]
fn products_of_a_chain_of_sums_wait_for_it() {
    let one = "acc[r] = acc[r] + mat[r][c] * vec[c];";
    assert_eq!(chain(1, one), 5.0);
    assert_eq!(chain(4, one), 14.0);
    assert_eq!(chain(8, one), 17.0);
    assert_eq!(chain(16, one), 17.0);
    let two = "acc[r] = acc[r] + mat[r][c] * vec[c]; sum[r] = sum[r] + net[r][c] * vec[c];";
    assert_eq!(chain(16, two), 10.0);
}

/// A product of a matrix with a vector over local copies, as `(bram18, uram)`.
fn copies(factor: u32) -> (f64, f64) {
    let text = format!(
        "void top(double a[90][90], double x[90], double y[90]) {{
            double own[90][90]; double vec[90]; double out[90];
            for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) own[i][j] = a[i][j];
            for (int i = 0; i < 90; i++) vec[i] = x[i];
            rows: for (int i = 0; i < 90; i++) {{
                double s = 0;
                cols: for (int j = 0; j < 90; j++) {{
                    #pragma HLS unroll factor={factor}
                    s += own[i][j] * vec[j];
                }}
                out[i] = s;
            }}
            for (int i = 0; i < 90; i++) y[i] = out[i];
        }}"
    );
    let resources = resources(&text, "", "xcu200-fsgd2104-2-e", 4.0, (2025, 1));
    (resources.bram18.value, resources.uram.value)
}

#[test]
fn arrays_are_cut_for_the_elements_that_a_pipeline_asks_for() {
    // 8,100 words of 64 bits, twice 90 words.
    assert_eq!(copies(1), (36.0, 0.0));
    // Five banks of two ports, each deep enough for UltraRAM; the vector is LUT memory then.
    assert_eq!(copies(10), (2.0, 5.0));
    // An odd number has a bank each: 900 words are four halves.
    assert_eq!(copies(9), (38.0, 0.0));
}

/// An array that is cut into single words is in registers, whatever a directive binds it to before or after.
#[test]
fn words_that_are_alone_are_registers() {
    let of = |first: &str, second: &str| {
        let text = format!(
            "void top(int n, int a[64], int b[64]) {{
                int own[64];
                {first}
                {second}
                for (int i = 0; i < n; i++) own[i] = a[i];
                for (int i = 0; i < n; i++) b[i] = own[63 - i];
            }}"
        );
        let all = resources(&text, "", "xcu200-fsgd2104-2-e", 4.0, (2022, 1));
        (all.bram18.value, all.uram.value)
    };
    let bind = "#pragma HLS bind_storage variable=own type=ram_2p impl=uram";
    let cut = "#pragma HLS array_partition variable=own complete dim=1";
    assert_eq!(of(bind, cut), (0.0, 0.0));
    assert_eq!(of(cut, bind), (0.0, 0.0));
    assert_eq!(of(bind, &cut.replace("complete", "cyclic factor=4")), (0.0, 4.0));
}

/// LUT of a sum over an array whose words have as many lanes.
fn lanes(factor: u32) -> f64 {
    let text = "void top(int n, float a[64], float *r) {
        float s = 0; sum: for (int i = 0; i < n; i++) s += a[i]; *r = s; }";
    let tcl = format!(
        "set_directive_array_reshape -type cyclic -factor {factor} -dim 1 top a\n\
         set_directive_loop_tripcount -min 64 -max 64 top/sum\n"
    );
    on_zynq(text, &tcl).lut.value
}

#[test]
fn lanes_of_wide_words_are_found_by_shifts() {
    // A report of 2019.2 has 2,171 LUT for a shift of 512 bits: 4.2 for a bit.
    let (narrow, wide) = (lanes(1), lanes(16));
    assert!((1800.0..3200.0).contains(&(wide - narrow)), "{narrow} {wide}");
}

#[test]
fn copies_of_an_unrolled_loop_are_modules_of_their_own() {
    let rows = |factor: u32| {
        let text = format!(
            "void top(float a[64][64], float b[64]) {{
                rows: for (int i = 0; i < 64; i++) {{
                    #pragma HLS unroll factor={factor}
                    float s = 0;
                    for (int j = 0; j < 64; j++) s += a[i][j];
                    b[i] = s;
                }}
            }}"
        );
        on_zynq(&text, "")
    };
    let (one, four) = (rows(1), rows(4));
    assert!(four.ff.value > 2.0 * one.ff.value, "{} {}", one.ff.value, four.ff.value);
    assert_eq!(one.dsp.value, four.dsp.value);
}

/// LUT of 48 elements of a row that one iteration asks for, and the rest in the next ones, at steps of so many.
fn row_of(step: u32, wide: u32) -> f64 {
    let text = format!(
        "void top(float x[{wide}], float *r) {{
            float rows[16][{wide}];
            #pragma HLS array_partition variable=rows complete dim=2
            for (int i = 0; i < 16; i++) for (int j = 0; j < {wide}; j++) rows[i][j] = x[j];
            float s = 0;
            for (int i = 0; i < 16; i++)
                for (int j = 0; j < {wide}; j += {step}) {{
                    #pragma HLS pipeline
                    for (int k = 0; k < 8; k++) s += rows[i][j + k];
                }}
            *r = s;
        }}"
    );
    on_zynq(&text, "").lut.value
}

#[test]
fn a_bank_is_chosen_among_those_that_low_bits_leave() {
    // Eight elements at steps of 8: 96 banks leave 12 for each. At steps of 12, four bits more are open: 24.
    let (even, odd) = (row_of(8, 96), row_of(12, 96));
    // A choice of 12 has 65 LUT, one of 24 has 118.
    let more = 8.0 * (118.0 - 65.0);
    assert!((odd - even - more).abs() < 0.2 * more, "{even} {odd}");
}

/// Reports of 2023.2 count one half for a queue in block memory, however deep it is; the card has to hold all of it.
#[test]
fn a_deep_queue_takes_more_than_the_report_says() {
    let text = "#include \"hls_stream.h\"
    void make(float a[8192], hls::stream<float> &s) { one: for (int i = 0; i < 8192; i++) s.write(a[i]); }
    void take(float b[8192], hls::stream<float> &s) { two: for (int i = 0; i < 8192; i++) b[i] = s.read(); }
    void top(float a[8192], float b[8192]) {
        #pragma HLS dataflow
        hls::stream<float> s;
        #pragma HLS stream variable=s depth=8192
        make(a, s); take(b, s); }";
    let bram = resources(text, "", "xcu200-fsgd2104-2-e", 3.33, (2023, 2)).bram18;
    assert_eq!((bram.value, bram.high, bram.routed, bram.needed()), (1.0, 16.0, 16.0, 16.0));
    let bound = |kind: &str| {
        text.replace(
            "depth=8192",
            &format!("depth=8192\n#pragma HLS bind_storage variable=s type=fifo impl={kind}"),
        )
    };
    for small in [text.replace("depth=8192", "depth=16"), bound("lutram")] {
        let bram = resources(&small, "", "xcu200-fsgd2104-2-e", 3.33, (2023, 2)).bram18;
        assert_eq!((bram.value, bram.routed), (0.0, 0.0));
    }
    let bram = resources(&bound("bram"), "", "xcu200-fsgd2104-2-e", 3.33, (2023, 2)).bram18;
    assert_eq!(bram.needed(), 16.0);
}

/// The lanes of a vector are one word, however many of them an iteration reads.
#[test]
fn an_array_of_vectors_has_one_bank_of_wide_words() {
    let text = "#include \"hls_vector.h\"
    void top(float a[3200], float x[32], float out[100]) {
        hls::vector<float, 32> rows[100];
        for (int i = 0; i < 100; i++) {
            hls::vector<float, 32> row;
            for (int k = 0; k < 32; k++) row[k] = a[i * 32 + k];
            rows[i] = row;
        }
        for (int i = 0; i < 100; i++) {
            #pragma HLS pipeline
            float sum = 0;
            for (int k = 0; k < 32; k++) sum += rows[i][k] * x[k];
            out[i] = sum;
        }
    }";
    let bram = resources(text, "", "xcu200-fsgd2104-2-e", 4.0, (2023, 2)).bram18;
    // 1,024 bits a word, 36 to a half.
    assert_eq!(bram.value, 29.0);
}

/// What nothing in the function reads is what it is for: results, references, members, globals and cut arrays.
#[test]
fn what_a_function_leaves_is_computed() {
    let product = |text: &str| resources(text, "", "xcu280-fsvh2892-2L-e", 3.33, (2023, 2));
    for text in [
        "int top(int a, int b) { return a * b; }",
        "void top(int a, int b, int &c) { c = a * b; }",
        "struct P { int x; int y; }; void top(P &p, int b) { p.x = p.y * b; }",
        "static int s; void top(int a, int b) { s += a * b; }",
        "void top(int a, int b, int c[4]) {\n#pragma HLS array_partition variable=c complete\n c[1] = a * b; }",
        "void top(int a, int b, int c[4]) {\n#pragma HLS pipeline\n#pragma HLS array_partition variable=c complete\n c[1] = a * b; }",
        "static void f(int a, int b, int &c) {\n#pragma HLS inline off\n c = a * b; }
         void top(int a, int b, int c[4]) { int s; f(a, b, s); c[3] = s; }",
        "static int f(int a, int b) {\n#pragma HLS inline off\n#pragma HLS pipeline\n return a * b; }
         void top(int a, int b, int c[4]) { c[3] = f(a, b); }",
    ] {
        assert_eq!(product(text).dsp.value, 3.0, "{text}");
    }
    let nothing = "void top(int a, int b, int c[4]) { int s = a * b; c[0] = a; }";
    assert_eq!(product(nothing).dsp.value, 0.0, "what nobody reads is not built");
}

/// From 2022.2 on, RTL has a `reuse_reg` of a word for each bank that an update may reach at an index of the run, and none
/// where the block only writes.
#[test]
fn banks_that_are_updated_at_an_index_of_the_run_have_registers() {
    let ff = |statement: &str, banks: u32, tool: (u16, u16)| {
        let text = format!(
            "void top(float a[60], float x[64], int at[64]) {{
                for (int i = 0; i < 64; i++) {{
            #pragma HLS pipeline II=16
                    {statement}
                }}
            }}"
        );
        let tcl = format!("set_directive_array_partition -type cyclic -factor {banks} top a\n");
        resources(&text, &tcl, "xcu200-fsgd2104-2-e", 4.0, tool).ff.value
    };
    for (banks, registers) in [(3, 96.0), (5, 160.0), (15, 480.0)] {
        let added = |statement| ff(statement, banks, (2025, 1)) - ff(statement, banks, (2022, 1));
        assert!((added("a[at[i]] += x[i];") - registers).abs() < 1e-9, "{banks}");
        assert!(added("a[at[i]] = x[i];").abs() < 1e-9, "{banks}");
    }
}

/// FF of a body on two arrays of registers that is not pipelined, in so many copies.
fn turns(copies: u32, body: &str) -> f64 {
    let text = format!(
        "void top(double x[16], double y[16], double c) {{
            double a[16]; double b[16];
        #pragma HLS array_partition variable=a complete
        #pragma HLS array_partition variable=b complete
            for (int i = 0; i < 16; i++) {{ a[i] = x[i]; b[i] = y[i]; }}
            turns: for (int t = 0; t < 64; t++) {{
        #pragma HLS unroll factor={copies}
                {body}
            }}
            for (int i = 0; i < 16; i++) {{ x[i] = a[i]; y[i] = b[i]; }}
        }}"
    );
    on_zynq(&text, "set_directive_pipeline -off top/turns\n").ff.value
}

/// A result of a shared operator keeps its register until its last use: later copies take the same registers.
#[test]
fn results_of_a_shared_operator_share_registers_one_after_another() {
    let relax =
        "for (int i = 1; i < 15; i++) {\n#pragma HLS unroll\nb[i] = c * (a[i - 1] + a[i + 1]); }
        for (int i = 1; i < 15; i++) {\n#pragma HLS unroll\na[i] = c * (b[i - 1] + b[i + 1]); }";
    let (four, eight) = (turns(4, relax), turns(8, relax));
    // Four copies more have 28 sums and 28 products each.
    let values = 4.0 * 28.0 * 64.0;
    assert!(eight - four < 0.25 * values, "{four} {eight}");
}

/// FF of a product of matrices whose rows are in so many copies, each a pipeline over the columns.
fn rows(copies: u32, left: &str) -> f64 {
    let text = format!(
        "void top(double c, double a[40][16], double b[16][40], double d[40][40]) {{
            rows: for (int i = 0; i < 40; i++) {{
        #pragma HLS pipeline off
        #pragma HLS unroll factor={copies}
                columns: for (int j = 0; j < 40; j++) {{
        #pragma HLS pipeline
                    double sum = 0;
                    for (int k = 0; k < 16; k++) sum += {left} * b[k][j];
                    d[i][j] = sum;
                }}
            }}
        }}"
    );
    resources(&text, "", "xcu200-fsgd2104-2-e", 4.0, (2025, 1)).ff.value
}

/// What a pipeline takes from before it is computed just before it: the pipeline of the next copy takes the same registers.
#[test]
fn values_that_wait_for_a_module_share_registers() {
    let added = |left: &str| rows(8, left) - rows(4, left);
    // Four copies more have 16 products each that no column changes.
    let products = 4.0 * 16.0 * 64.0;
    let more = added("(c * a[i][k])") - added("a[i][k]");
    assert!(more.abs() < 0.1 * products, "{more}");
}

/// `pow_generic_double_s` of 2022.2 has 58 slices and five halves of block memory for its tables; a square root has no table.
#[test]
fn a_power_has_tables() {
    let of = |body: &str| {
        let text = format!("void top(double x, double *y) {{ *y = {body}; }}");
        let found = resources(&text, "", "xcu55c-fsvh2892-2L-e", 5.0, (2022, 2));
        (found.dsp.value, found.bram18.value)
    };
    assert_eq!(of("pow(x, 2.5)"), (58.0, 5.0));
    assert_eq!(of("sqrt(x)").1, 0.0);
}

/// A loop around another whose body begins with this.
fn rows_from(begin: &str) -> f64 {
    let text = format!(
        "void top(int from[64], int m[64][64], int out[64]) {{
            rows: for (int i = 0; i < 64; i++) {{
                {begin}
                int sum = 0;
                columns: for (int j = 0; j < 64; j++) sum += m[i][j] ^ first;
                out[i] = sum;
            }}
        }}"
    );
    on_zynq(&text, "set_directive_pipeline -off top/rows\n").ff.value
}

/// The loop within reads it in each iteration; what is known needs none.
#[test]
fn what_a_loop_within_reads_has_a_register() {
    let (loaded, known) = (rows_from("int first = from[i];"), rows_from("int first = 5;"));
    assert!((12.0..40.0).contains(&(loaded - known)), "{loaded} {known}");
}

/// A bound that is loaded is kept as long as its loop runs; one that no loop looks at is not.
#[test]
fn a_bound_that_is_loaded_has_a_register() {
    let kernel = |bound: &str| {
        let text = format!(
            "void top(int ends[64], int m[64][64], int out[64]) {{
                rows: for (int i = 0; i < 64; i++) {{
                    int sum = 0;
                    int last = ends[i];
                    columns: for (int j = 0; j < {bound}; j++) {{
            #pragma HLS loop_tripcount max=64
                        sum += m[i][j];
                    }}
                    out[i] = sum;
                }}
            }}"
        );
        on_zynq(&text, "set_directive_pipeline -off top/rows\n").ff.value
    };
    let (loaded, known) = (kernel("last"), kernel("64"));
    assert!(loaded - known > 12.0, "{loaded} {known}");
}
