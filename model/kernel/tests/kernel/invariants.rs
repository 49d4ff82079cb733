//! What a loop computes anew in each iteration, and what is done once before it.

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, KernelAnswer, LoopAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str, tcl: &str, tool: (u16, u16)) -> KernelAnswer {
    let directives = Directives { list: read_tcl(tcl).directives };
    let settings = Settings::new(find_part("xcu200-fsgd2104-2-e").unwrap(), 4.0, tool);
    estimate_kernel(&read(text), &directives, &settings)
}

fn find<'a>(answer: &'a KernelAnswer, label: &str) -> &'a LoopAnswer {
    answer.loops.iter().find(|one| one.label == label).unwrap()
}

/// A column of a matrix times a vector, all rows unrolled.
fn column(term: &str) -> KernelAnswer {
    estimate(
        &format!(
            "void top(double a, double x[8], double y[8][64], double s[64]) {{
                columns: for (int j = 0; j < 64; j++) {{
            #pragma HLS pipeline
                    double sum = 0;
                    for (int k = 0; k < 8; k++) {{ {term} }}
                    s[j] = sum;
                }}
            }}"
        ),
        "set_directive_array_partition -type complete -dim 1 top y\n",
        (2025, 1),
    )
}

/// `a * x[k]` is the same for each column: the loop is as deep as without this product, and has no multiplier for it.
#[test]
fn a_product_that_no_iteration_changes_is_computed_before_the_loop() {
    let shape = |term: &str| {
        let answer = column(term);
        let own = find(&answer, "columns");
        (own.depth, own.ii)
    };
    let (plain, product) = (shape("sum += x[k] * y[k][j];"), shape("sum += (a * x[k]) * y[k][j];"));
    assert_eq!(plain, product);
    // The products wait for the loads, one multiplier does them.
    let slices = |term: &str| column(term).resources.dsp.value;
    let more = slices("sum += (a * x[k]) * y[k][j];") - slices("sum += x[k] * y[k][j];");
    let all = slices("sum += (a * y[k][j]) * x[k];") - slices("sum += x[k] * y[k][j];");
    assert!(more < 0.5 * all, "{more} of {all}");
}

/// What has a part that changes stays in the loop: a column, what the loop itself writes, what a condition chooses.
#[test]
fn a_product_that_an_iteration_changes_stays_in_its_loop() {
    let depth = |term: &str| find(&column(term), "columns").depth;
    let plain = depth("sum += x[k] * y[k][j];");
    for term in [
        "sum += (a * y[k][j]) * x[k];",
        "sum += a * (x[k] * y[k][j]);",
        "double t = a * x[k]; x[k] = y[k][j]; sum += t * y[k][j];",
        "a = a * x[k]; sum += a * y[k][j];",
    ] {
        assert!(depth(term) > plain + 3.0, "{term}");
    }
}

/// An array of 16 rows, which one loop asks for by so many columns at once, and another one updates element by element.
fn update(columns: u32, statement: &str, tool: (u16, u16)) -> Option<u64> {
    let text = format!(
        "void top(double in[16][128], double out[16]) {{
            double own[16][128];
            for (int i = 0; i < 16; i++) for (int j = 0; j < 128; j++) own[i][j] = in[i][j];
            rows: for (int i = 0; i < 16; i++) {{
                double sum = 0;
                for (int j = 0; j < 128; j++) {{
            #pragma HLS unroll factor={columns}
                    sum += own[i][j];
                }}
                out[i] = sum;
            }}
            update: for (int i = 0; i < 16; i++) {{
                inner: for (int j = 0; j < 128; j++) {{
            #pragma HLS pipeline
                    {statement}
                }}
            }}
            for (int i = 0; i < 16; i++) out[i] += own[i][3];
        }}"
    );
    let answer = estimate(&text, "", tool);
    find(&answer, "update_inner").ii
}

/// In banks of one column each, an update of the next column is at the same place of its bank: the tool takes it for the same
/// element. Reports of 2025.1 have an interval of 6 for `a[i][j] = a[i][j] - x` where another loop asks for all columns.
#[test]
fn an_update_of_columns_that_have_a_bank_each_waits_for_the_one_before() {
    let by_columns = "own[i][j] = own[i][j] - 0.5 * in[i][j];";
    assert_eq!(update(128, by_columns, (2025, 1)), Some(6));
    // Fewer columns at once make banks in turn; the tool knows which one it is.
    assert_eq!(update(8, by_columns, (2025, 1)), Some(1));
    assert_eq!(update(1, by_columns, (2025, 1)), Some(1));
    // What is written is not what is read, or the place in the bank moves on.
    assert_eq!(update(128, "own[i][j] = 0.5 * in[i][j];", (2025, 1)), Some(1));
    let by_rows = "if (j < 16) own[j][i] = own[j][i] - 0.5 * in[j][i];";
    assert_eq!(update(128, by_rows, (2025, 1)), Some(1));
    let guarded = "if (in[i][j] > 0) own[i][j] = own[i][j] - 0.5 * in[i][j];";
    assert_eq!(update(128, guarded, (2025, 1)), update(1, guarded, (2025, 1)));
    // Older tools cut nothing by themselves.
    assert_eq!(update(128, by_columns, (2019, 2)), Some(1));
}

/// An iteration that calls a function, and reads an element after it.
fn after_call(element: &str) -> f64 {
    let text = format!(
        "static void fill(int a[16], int from) {{
        #pragma HLS inline off
            for (int j = 0; j < 16; j++) a[j] = from + j;
        }}
        void top(int b[16], int out[64]) {{
            int a[16];
            rows: for (int i = 0; i < 64; i++) {{ fill(a, i); out[i] = {element}; }}
        }}"
    );
    find(&estimate(&text, "", (2023, 2)), "rows").depth
}

/// What a function in the loop writes is read in each iteration; an element of another array is read once, before the loop.
#[test]
fn an_element_that_a_call_writes_is_read_after_it() {
    assert!(after_call("a[3]") > after_call("b[3]"));
    assert_eq!(after_call("b[3]"), after_call("7"));
}

/// The cycles of a nest whose body, all of it unrolled, reads 32 elements of a memory of two ports.
fn nest(element: &str) -> f64 {
    let text = format!(
        "void top(float in[16][16], float c[16][32], float out[16][16]) {{
            for (int r = 0; r < 16; r++) {{
                for (int q = 0; q < 16; q++) {{
            #pragma HLS pipeline
                    float sum = 0;
                    for (int k = 0; k < 32; k++) sum += {element};
                    out[r][q] = sum * in[r][q];
                }}
            }}
        }}"
    );
    estimate(&text, "", (2022, 2)).latency.reported
}

/// What no loop of a flattened nest changes is read before it, once; a row that the outer loop chooses is read in each iteration.
#[test]
fn elements_that_no_loop_of_a_nest_changes_are_read_before_it() {
    assert!(nest("c[3][k]") < 256.0 * 4.0);
    assert!(nest("c[r][k]") > 256.0 * 15.0);
}
