//! What memory behind `m_axi` costs, for kernels written anew in the manner of public designs whose reports are known.
//!
//! The figures are facts of zanehpn/HLStrans (Vitis HLS 2022.2, xcu55c, 5 ns, Vivado flow).

use crate::read;
use derate_kernel::{
    Directives, FlowTarget, KernelAnswer, NoBurst, Settings, estimate_kernel, find_part,
};

fn estimate_for(flow: FlowTarget, text: &str) -> KernelAnswer {
    let program = read(text);
    let mut settings = Settings::new(find_part("xcu55c-fsvh2892-2L-e").unwrap(), 5.0, (2022, 2));
    settings.flow = flow;
    estimate_kernel(&program, &Directives::default(), &settings)
}

fn estimate(text: &str) -> KernelAnswer {
    estimate_for(FlowTarget::Vivado, text)
}

fn reason(answer: &KernelAnswer, port: &str) -> Option<NoBurst> {
    let port = answer.ports.iter().find(|one| one.name == port).unwrap();
    port.bursts.first().and_then(|burst| burst.reason)
}

/// A burst is asked for before its loop: an address and seven cycles; then a beat in each cycle.
#[test]
fn a_burst_costs_a_request_before_its_loop() {
    let answer = estimate(
        "void top(int *a, int v[32]) {
        #pragma HLS INTERFACE m_axi port=a bundle=one
            load: for (int i = 0; i < 32; i++) {
                #pragma HLS PIPELINE II=1
                v[i] = a[i];
            }
        }",
    );
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(1), 2.0));
    assert_eq!(answer.loops[0].cycles.reported, 32.0);
    assert_eq!(answer.latency.reported, 43.0);
    let bursts = &answer.ports[0].bursts;
    assert_eq!((bursts[0].write, bursts[0].length, bursts[0].reason), (false, Some(32.0), None));
}

/// Two arrays on one bus are read by one request after another.
#[test]
fn reads_that_share_a_bus_take_turns() {
    let answer = estimate(
        "void top(int p[128], int m[128][128], int q[128], int w[128][128]) {
        #pragma HLS INTERFACE m_axi port=p bundle=one
        #pragma HLS INTERFACE m_axi port=m bundle=one
        #pragma HLS ARRAY_PARTITION variable=w cyclic factor=64 dim=2
            load: for (int i = 0; i < 128; i++) {
                #pragma HLS PIPELINE II=1
                q[i] = p[i];
                for (int j = 0; j < 128; j++) w[i][j] = m[i][j];
            }
        }",
    );
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(129), 138.0));
    assert_eq!(answer.loops[0].cycles.reported, 16_520.0);
    assert_eq!(reason(&answer, "p"), Some(NoBurst::SharedBus));
}

/// Two writes in an iteration: each has its beat, and the last one its answer five cycles later.
#[test]
fn writes_without_a_burst_wait_for_their_answers() {
    let answer = estimate(
        "void top(int s[128], int q[128], int u[128], int v[128]) {
        #pragma HLS INTERFACE m_axi port=s bundle=one
        #pragma HLS INTERFACE m_axi port=q bundle=one
            store: for (int i = 0; i < 128; i++) {
                #pragma HLS PIPELINE II=1
                s[i] = u[i];
                q[i] = v[i];
            }
        }",
    );
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(2), 9.0));
    assert_eq!(answer.loops[0].cycles.reported, 262.0);
}

/// All of a row in one iteration, the vector and the sums kept in registers: the row alone takes the bus.
#[test]
fn a_row_in_each_iteration_is_one_burst_and_what_stays_is_read_once() {
    let answer = estimate(
        "void top(int m[64][64], int x[64], int y[64]) {
        #pragma HLS INTERFACE m_axi port=m bundle=one
        #pragma HLS INTERFACE m_axi port=x bundle=one
        #pragma HLS INTERFACE m_axi port=y bundle=one
            rows: for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                int t = 0;
                for (int j = 0; j < 64; j++) t += m[i][j] * x[j];
                for (int j = 0; j < 64; j++) y[j] += m[i][j] * t;
            }
        }",
    );
    assert_eq!(answer.loops[0].ii, Some(64));
    let bursts = &answer.ports[0].bursts;
    assert_eq!((bursts[0].length, bursts[0].reason), (Some(4096.0), None));
}

const COLUMN: &str = "void top(float *m, float w[32]) {
    #pragma HLS INTERFACE m_axi port=m
        column: for (int i = 0; i < 32; i++) {
            #pragma HLS PIPELINE II=1
            w[i] = m[i * 32];
        }
    }";

/// A column is read by one request for each element, one in a cycle.
#[test]
fn a_column_is_no_burst() {
    let answer = estimate(COLUMN);
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(1), 10.0));
    assert_eq!(reason(&answer, "m"), Some(NoBurst::Stride));
}

/// Kernels on a card count with 64 cycles of memory, as the manual says; the interface may say otherwise.
#[test]
fn the_flow_says_how_long_memory_takes() {
    let depth = |text: &str| estimate_for(FlowTarget::Vitis, text).loops[0].depth;
    assert_eq!(depth(COLUMN), 74.0);
    assert_eq!(depth(&COLUMN.replace("port=m", "port=m latency=20")), 30.0);
}

/// A pointer of a kernel on a card is behind `m_axi` unasked; of a block it is a plain memory.
#[test]
fn the_flow_says_what_a_pointer_is() {
    let text = "void top(int *a, int *b) { for (int i = 0; i < 64; i++) b[i] = a[i] + 1; }";
    let kinds = |flow| -> Vec<&'static str> {
        estimate_for(flow, text).ports.iter().map(|port| port.kind).collect()
    };
    assert_eq!(kinds(FlowTarget::Vivado), ["ap_memory", "ap_memory"]);
    assert_eq!(kinds(FlowTarget::Vitis), ["m_axi", "m_axi"]);
}

/// A memory port of a kernel on a card is one: four reads of it take its two ports twice, a single port four times.
#[test]
fn a_memory_port_stays_one_in_any_flow() {
    let text = "void top(int a[64], int b[16]) {
        #pragma HLS INTERFACE MODE port=a
        #pragma HLS INTERFACE ap_memory port=b
            for (int i = 0; i < 16; i++) {
                #pragma HLS PIPELINE II=1
                b[i] = a[4 * i] + a[4 * i + 1] + a[4 * i + 2] + a[4 * i + 3];
            }
        }";
    let modes = [("ap_memory", 2), ("bram", 2), ("ap_memory storage_type=ram_1p", 4)];
    for (mode, ii) in modes {
        let text = text.replace("MODE", mode);
        for flow in [FlowTarget::Vivado, FlowTarget::Vitis] {
            let answer = estimate_for(flow, &text);
            assert_eq!(answer.loops[0].ii, Some(ii), "{mode} {flow:?}");
            let kinds: Vec<&str> = answer.ports.iter().map(|port| port.kind).collect();
            assert_eq!(kinds, ["ap_memory", "ap_memory"]);
        }
    }
}

/// What data or conditions decide is not a burst, and the line says so.
#[test]
fn conditions_and_data_break_a_burst() {
    let answer = estimate(
        "void top(int *a, int *b, int n[64], int v[64], int w[64]) {
        #pragma HLS INTERFACE m_axi port=a bundle=one
        #pragma HLS INTERFACE m_axi port=b bundle=two
            for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                if (n[i] > 3) v[i] = a[i];
                w[i] = b[n[i]];
            }
        }",
    );
    assert_eq!(reason(&answer, "a"), Some(NoBurst::Condition));
    assert_eq!(reason(&answer, "b"), Some(NoBurst::Pattern));
    assert_eq!(answer.ports[0].bursts[0].place.line, 6);
}

/// The members of a struct travel together.
#[test]
fn a_struct_is_one_access() {
    let answer = estimate(
        "struct pair { int x; int y; };
        void top(pair *a, int v[64]) {
        #pragma HLS INTERFACE m_axi port=a
            for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                v[i] = a[i].x + a[i].y;
            }
        }",
    );
    assert_eq!(answer.loops[0].ii, Some(1));
}

/// A plane that a number of the run chooses: the address goes on element by element in the inner loop, and the tool may see it.
#[test]
fn an_address_with_a_part_that_stays_is_in_doubt() {
    let kernel = |place: &str| {
        estimate(&format!(
            "void top(int n, int size, int *a, int v[4][8]) {{
            #pragma HLS INTERFACE m_axi port=a bundle=one
                for (int c = 0; c < 4; c++) for (int i = 0; i < 8; i++) {{
            #pragma HLS PIPELINE II=1
                    {place}
                }}
            }}"
        ))
    };
    assert_eq!(reason(&kernel("v[c][i] = a[c * size + i];"), "a"), Some(NoBurst::Unsure));
    assert_eq!(reason(&kernel("if (c < n) v[c][i] = a[c * 8 + i];"), "a"), Some(NoBurst::Unsure));
    let decided = kernel("if (i < n) v[c][i] = a[c * 8 + i];");
    assert_eq!(reason(&decided, "a"), Some(NoBurst::Condition));
    assert_eq!(reason(&kernel("v[c][i] = a[i * size];"), "a"), Some(NoBurst::Pattern));
}

/// The tool does not support that for a port of memory, which stays as wide as its elements.
#[test]
fn no_directive_reshapes_a_port_of_memory() {
    let text = |mode: &str, cut: &str| {
        format!(
            "void top(int a[32][32], int b[32]) {{
            #pragma HLS INTERFACE {mode} port=a bundle=one
            {cut}
                rows: for (int i = 0; i < 32; i++) {{
                    #pragma HLS PIPELINE II=1
                    int s = 0;
                    for (int j = 0; j < 32; j++) s += a[i][j];
                    b[i] = s;
                }}
            }}"
        )
    };
    let widths = |mode: &str, cut: &str| {
        let answer = estimate(&text(mode, cut));
        (answer.ports[0].bits, answer.loops[0].ii)
    };
    let whole = (Some(32), Some(32));
    let cut = "#pragma HLS ARRAY_RESHAPE variable=a complete dim=2";
    assert_eq!(widths("m_axi", cut), whole);
    assert_eq!(widths("ap_memory", cut).1, Some(1));
    let answer = estimate_for(FlowTarget::Vitis, &text("s_axilite", cut));
    assert_eq!(answer.ports[0].bits, Some(32));
    // Reports of 2022.2 have a bus for each bank of a partition.
    let banks = "#pragma HLS ARRAY_PARTITION variable=a cyclic factor=2 dim=2";
    assert_eq!(widths("m_axi", banks), (Some(32), Some(16)));
}

/// What a window reads is several accesses in an iteration, on each of its lines; no offset breaks a burst.
#[test]
fn all_lines_of_a_window_have_its_reason() {
    let text = |body: &str| {
        format!(
            "void top(float *a, float b[64]) {{
            #pragma HLS INTERFACE m_axi port=a bundle=one
                L: for (int i = 1; i < 63; i++) {{
                    #pragma HLS PIPELINE II=1
                    {body}
                }}
            }}"
        )
    };
    let window = estimate(&text("float l = a[i - 1];\nfloat m = a[i];\nb[i] = l + m + a[i + 1];"));
    let bursts = &window.ports[0].bursts;
    assert_eq!(bursts.len(), 1, "{bursts:?}");
    assert_eq!((bursts[0].reason, bursts[0].others.len()), (Some(NoBurst::SharedBus), 2));
    assert_eq!(reason(&estimate(&text("b[i] = a[i - 1];")), "a"), None);
    assert_eq!(
        reason(&estimate(&text("if (b[i] > 0) b[i] = a[i - 1];")), "a"),
        Some(NoBurst::Condition)
    );
}
