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
