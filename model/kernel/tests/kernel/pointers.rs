//! Methods of what a parameter points to.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2022, 2));
    estimate_kernel(&read(text), &Directives::default(), &settings)
}

const STREAMS: &str = "typedef hls::stream<ap_uint<32> > words;
    static void add(words *in, words *out) {
        for (int i = 0; i < 100; i++) {
    #pragma HLS pipeline II=1
            out->write(in->read() + 1);
        }
    }
    void top(words *in, words *out) {
    #pragma HLS dataflow
        words between;
        add(in, &between);
        add(&between, out);
    }";

#[test]
fn a_stream_behind_a_pointer_is_read() {
    let answer = estimate(STREAMS);
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    let references = STREAMS.replace("words *", "words &").replace("->", ".");
    let references = references.replace("&between", "between");
    assert_eq!(answer.latency, estimate(&references).latency);
}

/// The elements behind the pointer are those of the object: a shift in registers has an interval of 1.
const WINDOW: &str = "template <typename T, int R, int C> class window {
     public:
        T M[R][C];
        void shift();
        void insert(T value, int row);
        T get(int row, int column);
    };
    template <typename T, int R, int C> void window<T, R, C>::shift() {
        for (int r = 0; r < R; r++) for (int c = 0; c < C - 1; c++) M[r][c] = M[r][c + 1];
    }
    template <typename T, int R, int C> void window<T, R, C>::insert(T value, int row) {
        M[row][C - 1] = value;
    }
    template <typename T, int R, int C> T window<T, R, C>::get(int row, int column) {
        return M[row][column];
    }
    template <typename W> int sum(W *seen) {
        int all = 0;
        for (int r = 0; r < 3; r++) for (int c = 0; c < 3; c++) all += seen->get(r, c);
        return all;
    }
    void top(int in[256], int out[256]) {
        window<int, 3, 3> seen;
    #pragma HLS array_partition variable=seen.M complete dim=0
        for (int i = 0; i < 256; i++) {
    #pragma HLS pipeline II=1
            seen.shift();
            for (int r = 0; r < 3; r++) seen.insert(in[i] + r, r);
            out[i] = sum<window<int, 3, 3> >(&seen);
        }
    }";

#[test]
fn an_object_behind_a_pointer_is_the_object() {
    let answer = estimate(WINDOW);
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    let references = WINDOW.replace("W *seen", "W &seen").replace("seen->", "seen.");
    let same = estimate(&references.replace("(&seen)", "(seen)"));
    assert_eq!(answer.latency, same.latency);
    assert_eq!(answer.loops[0].ii, Some(1));
}

/// Rows of a picture behind a bus, one after another.
fn rows(before: &str, read: &str, after: &str) -> KernelAnswer {
    estimate(&format!(
        "void load(short part[44][84], int *picture, int column) {{
            {before}
            for (int r = 0; r < 44; r++) {{
                for (int c = 0; c < 84; c++) {{
    #pragma HLS pipeline
                    part[r][c] = {read};
                }}
                {after}
            }}
        }}
        void top(int picture[100000], int out[8]) {{
    #pragma HLS INTERFACE m_axi port=picture offset=slave bundle=a depth=100000
            short part[44][84];
            for (int k = 0; k < 8; k++) {{ load(part, picture, k); out[k] = part[k][0]; }}
        }}"
    ))
}

#[test]
fn a_pointer_goes_on_by_a_row() {
    let moved = rows("int *p = picture + column * 40;", "p[c]", "p += 644;");
    let plain = rows("", "picture[column * 40 + r * 644 + c]", "");
    assert!(moved.unknown.is_empty(), "{:?}", moved.unknown);
    let bursts = |answer: &KernelAnswer| answer.ports[0].bursts.clone();
    // It is read in bursts of a row, and nothing writes it.
    let [burst] = &bursts(&moved)[..] else { panic!("{:?}", bursts(&moved)) };
    assert_eq!((burst.write, burst.length, burst.reason), (false, Some(84.0), None));
    let (moved, plain) = (moved.latency.expected, plain.latency.expected);
    assert!((moved / plain - 1.0).abs() < 0.1, "{moved} {plain}");
    // A parameter goes on, too.
    let own = rows("picture += column * 40;", "picture[c]", "picture += 644;");
    assert!(own.unknown.is_empty(), "{:?}", own.unknown);
    assert_eq!(own.latency.expected, moved);
    // What is not followed is said.
    let stepped = rows("int *p = picture;", "*p++", "");
    assert!(!stepped.unknown.is_empty());
}

/// A recurrence over rows of 64 elements, as the interval and the reasons for what is not known.
fn recurrence(begin: &str, read: &str) -> (Option<u64>, usize) {
    let answer = estimate(&format!(
        "void top(float first[64], float last[64]) {{
            float a[4096];
            for (int c = 0; c < 64; c++) a[c] = first[c];
            float *row = a;
            rows: for (int r = 0; r < 63; r++) {{
                {begin}
                columns: for (int c = 4; c < 60; c++) {{
    #pragma HLS pipeline
                    {read}
                }}
            }}
            for (int c = 0; c < 64; c++) last[c] = a[c];
        }}"
    ));
    (answer.loops.iter().find(|one| one.label == "columns").unwrap().ii, answer.unknown.len())
}

#[test]
fn another_name_of_a_pointer_stays_where_it_was() {
    let one = recurrence("row += 2;", "row[c] = row[c - 1] * 3.0f;");
    let three = recurrence("row += 2;", "row[c] = row[c - 3] * 3.0f;");
    assert!(one.0 > three.0 && (one.1, three.1) == (0, 0), "{one:?} {three:?}");
    // Two elements behind, `row[c - 1]` is `old[c + 1]`, and `row[c - 3]` is `old[c - 1]`.
    for old in
        ["float *old = row;", "auto old = row;", "float *old = &row[0];", "auto *old = row + 0;"]
    {
        let begin = format!("{old} row += 2;");
        assert_eq!(recurrence(&begin, "row[c] = old[c + 1] * 3.0f;"), one, "{old}");
        assert_eq!(recurrence(&begin, "row[c] = old[c - 1] * 3.0f;"), three, "{old}");
    }
    // A reference is the pointer itself, and moves with it.
    for same in ["float *&same = row;", "auto &same = row;"] {
        let begin = format!("{same} row += 2;");
        assert_eq!(recurrence(&begin, "row[c] = same[c - 1] * 3.0f;"), one, "{same}");
        let begin = format!("{same} same += 2;");
        assert!(recurrence(&begin, "row[c] = same[c - 1] * 3.0f;").1 > 0, "{same}");
    }
}

/// What a kernel of memory ports says of these parameters and statements.
fn ported(parameters: &str, body: &str) -> KernelAnswer {
    let text = format!(
        "static void add(int *to, int by) {{ *to += by; }}
        static void second(int *to, int by) {{ to[1] = by; }}
        void top({parameters}, int x[64], int n) {{ {body} }}"
    );
    let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2023, 2));
    estimate_kernel(&read(&text), &Directives::default(), &settings)
}

/// Reports have latency 0 for what sets a pointer once, and no memory for it.
#[test]
fn a_pointer_to_one_number_is_no_memory() {
    let bodies = [
        "*y = n + 1;",
        "y[0] = n + 1;",
        "add(y, n);",
        "*y = 0; for (int i = 0; i < 64; i++) *y += x[i];",
        "int *other = y; *other = n;",
    ];
    for body in bodies {
        let pointer = ported("int *y", body);
        assert!(pointer.ports.iter().all(|port| port.name != "y"), "{body}");
    }
    let reference = ported("int &y", "y = n + 1;");
    assert_eq!(ported("int *y", "*y = n + 1;").latency, reference.latency);
    assert_eq!(reference.latency.expected, 0.0);
}

#[test]
fn a_pointer_to_several_numbers_is_a_memory() {
    let bodies = [
        ("int *y", "y[n] = 1;"),
        ("int *y", "y[0] = n; y[1] = n;"),
        ("int *y", "second(y, n);"),
        ("int *y", "for (int i = 0; i < 8; i++) *(y + i) = n;"),
        ("int *y", "for (int i = 0; i < 8; i++) { *y = n; y += 1; }"),
        ("int y[8]", "y[0] = n;"),
        ("int *y", "\n#pragma HLS interface ap_memory port=y\n*y = n;"),
    ];
    for (parameters, body) in bodies {
        let ports = ported(parameters, body).ports;
        assert!(ports.iter().any(|port| port.name == "y" && port.kind == "ap_memory"), "{body}");
    }
}
