//! What holds loops: ports, copies of a body, comparisons, bounds that data decide.
//!
//! The figures in it are facts of a public set, UT-LCA/ML4Accel-Dataset (Vitis HLS 2021.1 and 2023.1, xczu9eg, 10 ns), for
//! kernels written anew in the manner of its own.

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

pub(super) fn estimate(text: &str, tcl: &str) -> KernelAnswer {
    let program = read(text);
    let directives = Directives { list: read_tcl(tcl).directives };
    let part = find_part("xczu9eg-ffvb1156-2-i").unwrap();
    estimate_kernel(&program, &directives, &Settings::new(part, 10.0, (2021, 1)))
}

/// A window of three by three over an image.
const WINDOW: &str = "void top(int img[8192], int out[8192], int w[9]) {
        int y, x, u, v;
        rows: for (y = 0; y < 126; y++) {
            cols: for (x = 0; x < 62; x++) {
                int sum = 0;
                for (u = 0; u < 3; u++) {
                    for (v = 0; v < 3; v++) { sum += w[u * 3 + v] * img[(y + u) * 64 + x + v]; }
                }
                out[y * 64 + x] = sum;
            }
        }
    }";

#[test]
fn short_loops_in_short_loops_are_unrolled_for_the_loop_around() {
    let answer = estimate(WINDOW, "");
    assert_eq!(answer.loops.len(), 1);
    assert_eq!((answer.loops[0].label.as_str(), answer.loops[0].ii), ("rows_cols", Some(5)));
    // The tool's report says 39,069.
    assert!((answer.latency.reported - 39_069.0).abs() < 12.0);
}

#[test]
fn a_storage_directive_does_not_change_the_memory_behind_a_port() {
    let answer = estimate(WINDOW, "set_directive_resource -core RAM_1P_BRAM top img\n");
    assert_eq!(answer.loops[0].ii, Some(5));
    let answer = estimate(WINDOW, "set_directive_bind_storage -type ram_1p top img\n");
    assert_eq!(answer.loops[0].ii, Some(5));
}

#[test]
fn copies_of_a_body_do_not_share_their_loads() {
    let tcl = "set_directive_pipeline top/cols\nset_directive_unroll -factor 2 top/cols\n";
    let answer = estimate(WINDOW, tcl);
    // Twelve elements differ, eighteen are read.
    assert_eq!(answer.loops[0].ii, Some(9));
}

#[test]
fn a_least_value_is_compared_and_chosen_in_one_cycle() {
    let text = "void top(double cost[64], double least[1]) {
            int i;
            double best = cost[0];
            find: for (i = 1; i < 64; i++) { double c = cost[i]; if (c < best) { best = c; } }
            least[0] = best;
        }";
    assert_eq!(estimate(text, "").loops[0].ii, Some(1));
}

#[test]
fn a_directive_gives_the_trips_where_bounds_are_no_constants() {
    let text = "void top(int x[64]) {
            int i, j;
            out: for (i = 0; i < 8; i++) {
                in: for (j = (i > 1 ? i - 1 : 0); j < (i < 6 ? i + 2 : 8); j++) { x[j] = x[j] * 3 + i; }
            }
        }";
    let given = estimate(text, "set_directive_loop_tripcount -min 1 -max 32 top/in\n");
    let inner = given.loops.iter().find(|one| one.label == "in").unwrap();
    assert_eq!(inner.trip.unwrap().1, 32.0);
    let text = text.replace("j = (i > 1 ? i - 1 : 0)", "j = 0").replace("(i < 6 ? i + 2 : 8)", "8");
    let fixed = estimate(&text, "set_directive_loop_tripcount -min 1 -max 32 top/in\n");
    assert!(fixed.loops.iter().all(|one| one.trip.unwrap().1 <= 64.0));
}

#[test]
fn elements_apart_by_no_multiple_do_not_wait_for_each_other() {
    let count = |stride: u32| {
        let text = format!(
            "void top(int bin[1024], int key[256]) {{
                int i;
                add: for (i = 0; i < 256; i++) {{ bin[(key[i] & 3) * {stride} + i]++; }}
            }}"
        );
        estimate(&text, "").loops[0].ii
    };
    // Bins of one key lie 256 apart: no two iterations meet.
    assert_eq!(count(256), Some(1));
    assert!(count(1) > Some(1));
}

/// States of an iteration that scales `factor` numbers of so many.
fn plain_scale(trips: u32, factor: u32) -> f64 {
    let text = format!(
        "void top(float x[{trips}], float y[{trips}]) {{
            int i;
            scale: for (i = 0; i < {trips}; i++) {{ y[i] = x[i] * 0.5f + 1.0f; }}
        }}"
    );
    let tcl = format!(
        "set_directive_pipeline -off top/scale\nset_directive_unroll -factor {factor} top/scale\n"
    );
    estimate(&text, &tcl).loops[0].depth
}

#[test]
fn copies_run_in_turn_where_the_loop_may_end_between_them() {
    let one = plain_scale(63, 1);
    assert_eq!(plain_scale(63, 2), 2.0 * one);
    // One block, in which they share the time.
    assert!(plain_scale(64, 2) <= one + 2.0);
}

#[test]
fn no_loop_is_pipelined_unasked_in_one_that_was_to_be_a_pipeline() {
    let text = "void top(int x[64], int n[64]) {
            int i, j;
            out: for (i = 0; i < 64; i++) { in: for (j = 0; j < n[i]; j++) { x[i] += j * j; } }
        }";
    let inner = |tcl: &str| {
        let answer = estimate(text, tcl);
        answer.loops.iter().find(|one| one.label == "in").unwrap().ii
    };
    assert!(inner("").is_some());
    assert_eq!(inner("set_directive_pipeline top/out\n"), None);
}

#[test]
fn a_short_search_that_breaks_off_is_unrolled() {
    let text = "void top(unsigned char in[256], unsigned char out[256]) {
            each: for (int i = 0; i < 256; i++) {
                unsigned char found = 0;
                for (int j = 0; j < 8; j++) { if ((in[i] >> j) & 1) { found = j; break; } }
                out[i] = found;
            }
        }";
    let answer = estimate(text, "");
    assert_eq!(answer.loops.len(), 1);
    assert_eq!(answer.loops[0].ii, Some(1));
}

#[test]
fn a_long_array_of_zeros_is_cleared_by_a_loop() {
    let text = |start: &str| {
        format!(
            "void top(int key[512], int out[512]) {{
                int count[512]{start};
                int i;
                add: for (i = 0; i < 512; i++) {{ count[key[i]] += i; }}
                copy: for (i = 0; i < 512; i++) {{ out[i] = count[i]; }}
            }}"
        )
    };
    let (plain, cleared) = (estimate(&text(""), ""), estimate(&text(" = {0}"), ""));
    assert_eq!(cleared.loops.len(), plain.loops.len() + 1);
    let more = cleared.latency.reported - plain.latency.reported;
    assert!((512.0..520.0).contains(&more), "{more}");
}

/// A histogram of floats with a directive about it.
fn histogram(dependence: &str) -> Option<u64> {
    let text = format!(
        "void top(float v[1024], float y[64], int n[1024]) {{
            for (int i = 0; i < 1024; i++) {{
                #pragma HLS pipeline II=1
                {dependence}
                y[n[i]] += v[i];
            }}
        }}"
    );
    estimate(&text, "").loops[0].ii
}

#[test]
fn a_directive_says_how_far_a_dependence_reaches() {
    let free = histogram("").unwrap();
    assert!(free > 4, "{free}");
    // The older spelling and the newer one. `true` is what counts where nothing is said.
    let dependence = "#pragma HLS dependence variable=y";
    assert_eq!(histogram(&format!("{dependence} inter distance=16 true")), Some(1));
    assert_eq!(histogram(&format!("{dependence} inter RAW distance=16")), Some(1));
    let newer = format!("{dependence} type=inter direction=RAW distance=2 dependent=true");
    assert_eq!(histogram(&newer), Some(free.div_ceil(2)));
    // Another variable, another kind, or no distance.
    assert_eq!(histogram("#pragma HLS dependence variable=v inter distance=16 true"), Some(free));
    assert_eq!(histogram(&format!("{dependence} intra distance=16 true")), Some(free));
    assert_eq!(histogram(&format!("{dependence} inter WAR distance=16 true")), Some(free));
    assert_eq!(histogram(&format!("{dependence} inter true")), Some(free));
}

/// A nest whose pipeline is in a loop of so many iterations, in one of `columns`, with a statement about `s`.
fn nest_of(columns: u32, inner: u32, statement: &str) -> (String, Option<u64>) {
    let text = format!(
        "void top(float v[32][256][2], float s[32], float y[32][256][2]) {{
            rows: for (int r = 0; r < 32; r++) {{
                cols: for (int c = 0; c < {columns}; c++) {{
                    tiles: for (int t = 0; t < {inner}; t++) {{
                        #pragma HLS pipeline II=1
                        for (int k = 0; k < 2; k++) {{
                            {statement}
                            y[r][c + t][k] = v[r][c + t][k] * 2.0f;
                        }}
                    }}
                }}
            }}
        }}"
    );
    let answer = estimate(&text, "");
    let last = answer.loops.last().unwrap();
    (last.label.clone(), last.ii)
}

#[test]
fn a_pipeline_in_a_loop_of_one_iteration_moves_out_where_its_body_chooses() {
    // 64 elements through two ports.
    let choice = "if (c + k == 0) { s[r] = 0.0f; }";
    assert_eq!(nest_of(32, 1, choice), ("rows".to_owned(), Some(32)));
    for (columns, inner, statement) in [(32, 1, ""), (128, 1, choice), (32, 4, choice)] {
        let (label, ii) = nest_of(columns, inner, statement);
        assert_eq!((label.as_str(), ii), ("rows_cols_tiles", Some(1)), "{columns} {inner}");
    }
}

#[test]
fn a_chain_of_registers_takes_a_word_in_each_cycle() {
    // Each of the elements waits for the one before it in the iteration before.
    let chain = |length: u32| {
        let text = format!(
            "void top(hls::stream<int> &from, int out[{length}]) {{
                int kept[{length}], next[{length}];
                #pragma HLS array_partition variable=kept complete
                #pragma HLS array_partition variable=next complete
                for (int k = 0; k < {length}; k++) {{
                    #pragma HLS unroll
                    kept[k] = 0;
                    next[k] = 0;
                }}
                sort: for (int i = 0; i < 1000; i++) {{
                    #pragma HLS pipeline II=1
                    int word = from.read();
                    for (int k = {length} - 1; k > 0; k--) next[k] = next[k - 1] > kept[k] ? kept[k] : next[k - 1];
                    for (int k = 1; k < {length}; k++) if (next[k - 1] > kept[k]) kept[k] = next[k - 1];
                    next[0] = word > kept[0] ? kept[0] : word;
                    if (word > kept[0]) kept[0] = word;
                }}
                for (int k = 0; k < {length}; k++) out[k] = kept[k];
            }}"
        );
        estimate(&text, "").loops.iter().find(|one| one.label == "sort").unwrap().ii
    };
    assert_eq!(chain(4), Some(1));
    assert_eq!(chain(64), Some(1));
}

#[test]
fn beside_other_loops_a_loop_of_one_iteration_is_none() {
    let label = |inner: u32| {
        let text = format!(
            "void top(const int in[64][{inner}], int out[64][4]) {{
                rows: for (int r = 0; r < 64; r++) {{
                    int sum[4];
                    #pragma HLS array_partition variable=sum complete
                    for (int k = 0; k < 4; k++) {{
                        #pragma HLS unroll
                        sum[k] = 0;
                    }}
                    terms: for (int c = 0; c < {inner}; c++) {{
                        #pragma HLS pipeline II=1
                        for (int k = 0; k < 4; k++) sum[k] += in[r][c] * k;
                    }}
                    for (int k = 0; k < 4; k++) out[r][k] = sum[k];
                }}
            }}"
        );
        let answer = estimate(&text, "");
        answer.loops.iter().filter(|one| one.ii.is_some()).map(|one| one.label.clone()).next()
    };
    assert_eq!(label(1).as_deref(), Some("rows"));
    assert_eq!(label(8).as_deref(), Some("terms"));
}

/// Whether a loop over calls is a pipeline; the function has these statements.
fn takes_function(body: &str, tool: (u16, u16)) -> bool {
    let text = format!(
        "#include <ap_int.h>
        static float wave(float one) {{ return sin(one); }}
        static float half(float one) {{ return one / 2; }}
        static void twist(float x[6400], int i) {{ {body} }}
        void top(float x[6400]) {{ rows: for (int i = 0; i < 64; i++) {{ twist(x, i); }} }}"
    );
    let part = find_part("xczu9eg-ffvb1156-2-i").unwrap();
    let settings = Settings::new(part, 10.0, tool);
    let answer = estimate_kernel(&read(&text), &Directives::default(), &settings);
    answer.loops.iter().any(|one| one.label == "rows" && one.ii.is_some())
}

const SHORT: &str = "for (int j = 0; j < 7; j++) x[i * 100 + j] += j;";

/// For the same source, reports of 2021.1 have a pipeline around a function of sines with a short loop, and those of 2023.1 do not.
#[test]
fn a_large_function_with_a_short_loop_is_taken_into_a_pipeline_up_to_2021() {
    let sines = ["x[i * 100 + j] *= sin(x[j]);", "x[i * 100 + j] += cosf(x[j]);"];
    let elsewhere =
        ["if (sin(x[j]) > 0) x[i * 100 + j] = 1;", "x[i * 100 + j] += half(sin(x[j]));"];
    for large in sines.iter().chain(&elsewhere).chain(&["x[i * 100 + j] = wave(x[j]);"]) {
        let large = format!("for (int j = 0; j < 7; j++) {{ {large} }}");
        assert!(takes_function(&large, (2021, 1)), "{large}");
        assert!(!takes_function(&large, (2023, 1)), "{large}");
    }
}

#[test]
fn a_function_that_computes_no_sines_is_not_large() {
    let bits = "ap_uint<8> y = j; y.range(7, 4) = i; x[i * 100 + j] = y;";
    let reversed = "ap_uint<8> y = j; x[i * 100 + j] = y.range(0, 7);";
    let signs = ["x[i * 100 + j] = fabs(x[j]);", "if (isnan(x[j])) x[i * 100 + j] = 0;"];
    for small in [bits, reversed].iter().chain(&signs).chain(&["x[i * 100 + j] = half(x[j]);"]) {
        let small = format!("for (int j = 0; j < 7; j++) {{ {small} }}");
        assert!(takes_function(&small, (2023, 1)), "{small}");
    }
}

#[test]
fn a_small_function_with_short_loops_is_taken_into_a_pipeline() {
    let nest =
        "for (int j = 0; j < 4; j++) for (int k = 0; k < 4; k++) x[i * 100 + j * 4 + k] *= 2;";
    for tool in [(2021, 1), (2023, 1), (2023, 2)] {
        for taken in [SHORT, nest, &format!("{SHORT} {nest}")] {
            assert!(takes_function(taken, tool), "{tool:?} {taken}");
        }
        let long = SHORT.replace('7', "100");
        let asked = format!("\n#pragma HLS inline off\n{SHORT}");
        let large_nest = nest.replace("k < 4", "k < 20");
        for left in [long, asked, large_nest, format!("{SHORT} twist(x, i + 1);")] {
            assert!(!takes_function(&left, tool), "{tool:?} {left}");
        }
    }
}

/// The cycles of a sum over a loop that is copied by four; `end` is its bound.
fn copied(end: &str, pragma: &str) -> f64 {
    let text = format!(
        "int top(int x[256], int n) {{
            int sum = 0;
            each: for (int i = 0; i < {end}; i++) {{
#pragma HLS pipeline off
#pragma HLS unroll factor=4
                {pragma}
                sum += x[i];
            }}
            return sum;
        }}"
    );
    let answer = estimate(&text, "");
    answer.latency.expected
}

/// Where the tool does not know that the copies divide the iterations, each of them is tested for, whatever a directive counts.
#[test]
fn copies_of_an_open_number_of_iterations_run_one_after_another() {
    let known = copied("200", "");
    let open = copied("n", "\n#pragma HLS loop_tripcount min=200 max=200\n");
    let rest = copied("202", "");
    assert!(open > 1.5 * known && rest > 1.5 * known, "{known} {open} {rest}");
}

/// A loop, or a function, asks for a pipeline and holds a loop that data bound; `before` is a loop beside it.
fn refused(loop_asks: &str, function_asks: &str, before: &str) -> KernelAnswer {
    let text = format!(
        "void top(int a[64][16], int b[64], int n[64]) {{
{function_asks}
            rows: for (int i = 0; i < 64; i++) {{
{loop_asks}
                int s = 0;
                {before}
                walk: for (int k = 0; k < n[i]; k++) {{
#pragma HLS loop_tripcount min=40 max=40
                    s = s * 3 + k;
                }}
                b[i] = s;
            }}
        }}"
    );
    estimate_kernel(
        &read(&text),
        &Directives::default(),
        &Settings::new(find_part("xcu280").unwrap(), 5.0, (2023, 2)),
    )
}

/// A log of 2024.2 unrolls such a loop 256 times, removes its own directive, and refuses the pipeline around it.
#[test]
fn a_loop_with_a_fixed_bound_is_unrolled_for_a_pipeline_that_is_refused() {
    let asks = "#pragma HLS pipeline II=1";
    let columns = "columns: for (int j = 0; j < 16; j++) s += a[i][j];";
    let labels = |answer: &KernelAnswer| {
        answer.loops.iter().map(|one| one.label.clone()).collect::<Vec<_>>()
    };
    for (of_loop, of_function) in [(asks, ""), ("", asks)] {
        let answer = refused(of_loop, of_function, columns);
        assert!(!labels(&answer).contains(&"columns".to_owned()), "{:?}", labels(&answer));
        assert!(answer.loops.iter().all(|one| one.ii.is_none()));
        // What a `LOOP_TRIPCOUNT` says is no bound.
        assert!(labels(&answer).contains(&"walk".to_owned()));
    }
    // Nobody asks for a pipeline.
    assert_eq!(labels(&refused("", "", columns)), ["rows", "columns", "walk"]);
    // It holds such a loop itself: its copies run one after another, and its own directive goes.
    let steps = "steps: for (int j = 0; j < 16; j++) {
#pragma HLS pipeline II=1
        for (int k = 0; k < n[j]; k++) s += a[i][k];
    }";
    let answer = refused(asks, "", steps);
    let inner = answer.loops.iter().find(|one| one.label == "steps").unwrap();
    assert_eq!((inner.asked, inner.ii), (None, None));
    assert!(answer.unknown.iter().any(|one| one.reason.contains("16 copies")));
    let alone = refused("", "", steps);
    let inner = alone.loops.iter().find(|one| one.label == "steps").unwrap();
    assert_eq!(inner.asked, Some(1));
    assert!(alone.unknown.iter().all(|one| !one.reason.contains("copies")));
}
