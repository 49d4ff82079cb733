//! Bits of a word that are read and written by themselves.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

/// The interval of a loop that keeps the largest of each of sixteen parts of a word.
fn largest(read_part: &str) -> u64 {
    let text = format!(
        "void top(hls::stream<ap_uint<64> > &in, hls::stream<ap_uint<64> > &out) {{
            ap_uint<64> most = 0;
            for (int i = 0; i < 1024; i++) {{
                #pragma HLS pipeline II=1
                ap_uint<64> word = in.read();
                for (unsigned c = 0; c < 16; c++) {{
                    ap_uint<4> part = word((c + 1) * 4 - 1, c * 4);
                    ap_uint<4> before = {read_part};
                    most((c + 1) * 4 - 1, c * 4) = part > before ? part : before;
                }}
                if (i % 4 == 3) {{ out.write(most); most = 0; }}
            }}
        }}"
    );
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    estimate_kernel(&read(&text), &Directives::default(), &settings).loops[0].ii.unwrap()
}

#[test]
fn disjoint_bits_of_a_word_do_not_wait_for_each_other() {
    assert_eq!(largest("most((c + 1) * 4 - 1, c * 4)"), 1);
    assert_eq!(largest("most.range(c * 4 + 3, c * 4)"), 1);
    // Each part waits for the one before: it reads a bit of it.
    assert!(largest("most((c + 1) * 4 - 2, c * 4 - (c > 0))") > 1);
}

fn estimate(body: &str) -> KernelAnswer {
    let text = format!("void top(int out[4096], ap_uint<8> in, ap_uint<4> at) {{ {body} }}");
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    estimate_kernel(&read(&text), &Directives::default(), &settings)
}

/// Whether the long loop of a condition is run; `None` where it may be.
fn is_long(before: &str, test: &str) -> Option<bool> {
    let long = "for (int k = 0; k < 4000; k++) out[k] = k;";
    let short = "for (int k = 0; k < 40; k++) out[k] = k;";
    let latency =
        estimate(&format!("{before} if ({test}) {{ {long} }} else {{ {short} }}")).latency;
    match (latency.best > 3000.0, latency.worst < 1000.0) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[test]
fn a_number_that_is_written_as_a_whole_has_its_sign() {
    for write in ["x(7, 0) = 255;", "x.range(7, 0) = 255;", "x(11, 0) = 511;", "x(11, 0) = 255;"] {
        let before = |ty: &str| format!("ap_{ty}<8> x = 3; {write}");
        assert_eq!(is_long(&before("int"), "x < 0"), Some(true), "{write}");
        assert_eq!(is_long(&before("int"), "x == 255"), Some(false), "{write}");
        assert_eq!(is_long(&before("uint"), "x == 255"), Some(true), "{write}");
    }
    // What is read of it has none.
    assert_eq!(is_long("ap_int<8> x = 3; x(7, 0) = 255;", "x(7, 0) == 255"), Some(true));
    assert_eq!(is_long("ap_int<8> x = 3; x(7, 0) = in;", "x < 0"), None);
    // Bits of the sign are written, too.
    assert_eq!(is_long("ap_int<8> x = 3; x(7, 7) = in;", "(x >> 8) == 0"), None);
}

/// The tool takes bits in reverse order where the first end is the lower one.
#[test]
fn bits_in_reverse_order_are_as_many() {
    assert_eq!(is_long("ap_uint<8> x = 1;", "x(7, 0) == 1"), Some(true));
    for (before, test) in [
        ("ap_uint<8> x = 1;", "x(0, 7) == 1"),
        ("ap_uint<8> x = in;", "x(0, 7) < 2"),
        ("ap_uint<8> x = 0; x(0, 7) = 1;", "x == 1"),
        ("ap_uint<8> x = 0; x.range(0, 7) = 1;", "x == 1"),
    ] {
        assert_eq!(is_long(before, test), None, "{before} {test}");
    }
    // It is a matter of wires.
    let latency = |part: &str| {
        let body = format!(
            "for (ap_uint<8> k = 0; k < 200; k++) {{ ap_uint<8> r = k({part}); out[k] = r; }}"
        );
        let answer = estimate(&body);
        assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
        answer.latency
    };
    assert_eq!(latency("0, 7"), latency("7, 0"));
}

/// Ends that are cut to a narrow type may be anywhere.
#[test]
fn a_distance_between_ends_that_are_cut_is_not_known() {
    let test =
        |low: &str| is_long("ap_uint<64> x = in; x <<= 8;", &format!("x(at * 4 + 3, {low}) < 16"));
    assert_eq!(test("at * 4"), Some(true));
    assert_eq!(test("ap_uint<3>(at * 4)"), None);
}

#[test]
fn bits_of_a_variable_outside_functions_are_read_as_those_of_a_local_one() {
    let body = "for (int i = 0; i < 64; i++) { kept(31, 8) = kept(23, 0); out[i] = kept(7, 0); }";
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    let of = |outside: &str, inside: &str| {
        let text = format!("{outside} void top(int out[64]) {{ {inside} {body} }}");
        estimate_kernel(&read(&text), &Directives::default(), &settings)
    };
    let outside = of("static ap_uint<32> kept;", "");
    assert!(outside.unknown.is_empty(), "{:?}", outside.unknown);
    assert_eq!(outside.latency.worst, of("", "static ap_uint<32> kept;").latency.worst);
    let read_only =
        "const ap_uint<32> kept = 0x1234; void top(int out[64]) { out[0] = kept(7, 0); }";
    let fixed = estimate_kernel(&read(read_only), &Directives::default(), &settings);
    assert!(fixed.unknown.is_empty(), "{:?}", fixed.unknown);
    let member = "struct word_t { ap_uint<32> data; }; static word_t word;";
    let text =
        format!("{member} void top(int out[64]) {{ {} }}", body.replace("kept", "word.data"));
    let member = estimate_kernel(&read(&text), &Directives::default(), &settings);
    assert!(member.unknown.is_empty(), "{:?}", member.unknown);
    assert_eq!(member.latency.worst, outside.latency.worst);
    // A function of this name is called.
    let function = of("int kept(int a, int b); static ap_uint<32> other;", "");
    assert_eq!(function.unknown[0].reason, "the function `kept` has no body here");
}
