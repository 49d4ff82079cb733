//! Sources that ask for more than can be scheduled: the answer says so, and neither the stack nor the memory is used up.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Resources, Settings, estimate_kernel, find_part};
use std::fmt::Write as _;

fn estimate(text: &str) -> KernelAnswer {
    let program = read(text);
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    estimate_kernel(&program, &Directives::default(), &settings)
}

fn assert_unknown(answer: &KernelAnswer, reason: &str) {
    let reasons: Vec<&str> = answer.unknown.iter().map(|one| one.reason.as_str()).collect();
    assert!(reasons.iter().any(|one| one.contains(reason)), "{reasons:?}");
}

/// `f0` to `f29`, each of which calls the one before it as often as is given.
fn call_tree(first: &str, calls: usize) -> String {
    let mut text = format!("int f0(int x) {{ {first} }}\n");
    for at in 1..30 {
        let sum: Vec<String> = (0..calls).map(|add| format!("f{}(x + {add})", at - 1)).collect();
        writeln!(text, "int f{at}(int x) {{\n#pragma HLS inline\n return {}; }}", sum.join(" + "))
            .unwrap();
    }
    text
}

#[test]
fn functions_that_call_twice_are_not_followed_without_end() {
    let tree = call_tree("return x * 3 + 1;", 2);
    let answer = estimate(&format!("{tree}int top(int x) {{ return f29(x); }}"));
    assert!(answer.latency.is_open && answer.interval.is_open && !answer.is_scheduled);
    assert_eq!(answer.resources, Resources::default());
    assert_unknown(&answer, "too many operations");
    // Nothing is computed here, and the loop asks whether it may be flattened.
    let tree = call_tree("return 3;", 3);
    let top = "void top(int a[64]) { for (int i = 0; i < 64; i++) if (a[i] > 3) a[i] = f29(i); }";
    assert_unknown(&estimate(&format!("{tree}{top}")), "too many operations");
}

#[test]
fn copies_of_nothing_are_counted_too() {
    let nest = "#pragma HLS unroll\n";
    let text = format!(
        "void top(int a[4]) {{ for (int i = 0; i < 20000; i++) {{\n{nest} for (int j = 0; j < 20000; j++) {{\n{nest} }} }} a[0] = 1; }}"
    );
    assert_unknown(&estimate(&text), "too many operations");
}

#[test]
fn reads_of_registers_by_unknown_subscripts_are_counted_by_their_operands() {
    // Each of 4,096 reads has all 1,024 registers as operands.
    let text = "void top(int key[1024], int index[4096], int out[4096]) {
        int part[1024];
    #pragma HLS array_partition variable=part complete
        for (int i = 0; i < 1024; i++) {
    #pragma HLS unroll
            part[i] = key[i];
        }
        for (int t = 0; t < 4096; t++) {
    #pragma HLS unroll
            out[t] = part[index[t] & 1023];
        }
    }";
    assert_unknown(&estimate(text), "too many operations");
}

#[test]
fn templates_without_an_end_and_deep_calls_leave_the_stack_alone() {
    let endless = "template <int N> int sum(const int *a) { return a[N] + sum<N + 1>(a); }
        int top(int a[100]) { return sum<0>(a); }";
    assert_unknown(&estimate(endless), "`sum` is not read");
    let (open, close) = ("if (x > 1) {".repeat(60), "}".repeat(60));
    let mut text = String::from("void f0(int x, int a[8]) { a[0] = x; }\n");
    for at in 1..200 {
        let inner = at - 1;
        writeln!(text, "void f{at}(int x, int a[8]) {{ {open} f{inner}(x, a); {close} }}").unwrap();
    }
    let deep = estimate(&format!("{text}void top(int x, int a[8]) {{ f199(x, a); }}"));
    assert!(deep.unknown.is_empty() || deep.latency.is_open, "{:?}", deep.unknown);
}

/// Each name of a path is asked for twice: without an end, that is a power of the depth.
#[test]
fn an_alias_of_its_own_name_has_an_end() {
    let text = "using word = lib::word;\nusing other = lib::other::value_type;\n\
                void top(word a[8], other b[8]) { for (int i = 0; i < 8; i++) a[i] += b[i]; }";
    assert!(!estimate(text).unknown.is_empty());
    let known = "namespace lib { using word = short; }\nusing word = lib::word;\n\
                 void top(word a[8]) { for (int i = 0; i < 8; i++) a[i] += 1; }";
    assert!(estimate(known).unknown.is_empty(), "{:?}", estimate(known).unknown);
}

/// A print and a fence of the tool's are no operations; those of a project may be.
#[test]
fn what_the_tool_prints_is_no_unknown_call() {
    let of = |call: &str| {
        let text = format!(
            "#include \"hls_print.h\"\n#include \"hls_fence.h\"\n\
             void top(int a[64]) {{ for (int i = 0; i < 64; i++) {{ a[i] += 1; {call}; }} }}"
        );
        estimate(&text)
    };
    let plain = of("");
    for call in ["hls::print(\"%d\", i)", "hls::fence(a)"] {
        let answer = of(call);
        assert!(answer.unknown.is_empty(), "{call}: {:?}", answer.unknown);
        assert_eq!(answer.latency.worst, plain.latency.worst, "{call}");
    }
    assert_unknown(&of("own::print(i)"), "the function `own::print` has no body here");
}

#[test]
fn a_function_without_a_body_leaves_the_cycles_open() {
    let text = "#include \"other.h\"\n#include \"ap_int.h\"\nvoid top(int a[64]) { for (int i = 0; i < 64; i++) a[i] += 1; work(a); }";
    let answer = estimate(text);
    assert!(answer.latency.is_open && answer.interval.is_open);
    assert_unknown(&answer, "the function `work` has no body here");
    assert_eq!(
        answer.unknown[0].reason,
        "`other.h` is not found: name its folder with -I, or give the file"
    );
    assert_eq!(answer.unknown.len(), 2, "{:?}", answer.unknown);
    let whole = estimate(&format!("static void work(int a[64]) {{ a[0] = 1; }}\n{text}"));
    assert!(!whole.latency.is_open && whole.unknown.is_empty(), "{:?}", whole.unknown);
}

/// A pipe of processes whose types and bodies are in a file that is not there: nothing of it is zero, and nothing is an `int`.
#[test]
fn what_is_not_read_is_not_nothing() {
    let text = "#include \"pipe.h\"
        void top(Line_t const *in, Line_t *out) {
        #pragma HLS interface m_axi port=in bundle=gmem0
        #pragma HLS interface m_axi port=out bundle=gmem1
        #pragma HLS dataflow
            lib::Stream<Pack_t> first, second;
            Load(in, first);
            Step<4>(first, second);
            Save(second, out);
        }";
    let answer = estimate(text);
    assert!(!answer.is_scheduled && !answer.is_read && answer.latency.is_open);
    assert_eq!(answer.multiply_adds(), None);
    assert!(answer.ports.iter().all(|port| port.bits.is_none()) && answer.ports.len() == 2);
    assert!(!answer.unknown.is_empty());
    // Of one that is read in part there is a schedule, and its resources are not all.
    let part = "int more(int x); void top(int a[8], int b[8]) { for (int i = 0; i < 8; i++) b[i] = a[i] * more(a[i]); }";
    let answer = estimate(part);
    assert!(answer.is_scheduled && !answer.is_read && answer.multiply_adds().is_none());
    // One without loops whose text is all there is known.
    let whole = estimate("void top(int a[8], int b[8]) { b[0] = a[0] * a[1]; }");
    assert!(whole.is_scheduled && whole.is_read);
    assert_eq!(whole.multiply_adds(), Some(1.0));
    assert_eq!(whole.ports[0].bits, Some(32));
}

#[test]
fn a_loop_that_is_not_read_leaves_the_cycles_open() {
    let of = |body: &str| {
        estimate(&format!("void top(int a[64], int *o) {{ int s = 0; {body} *o = s; }}"))
    };
    for unread in [
        "for (int x : a) s += x;",
        "again: s += a[0]; if (s < 9) goto again;",
        "try { s = 1; } catch (...) {}",
    ] {
        let answer = of(unread);
        assert!(answer.latency.is_open && answer.interval.is_open, "{unread}");
        assert_eq!(answer.unknown.len(), 1, "{unread}: {:?}", answer.unknown);
    }
    let plain = of("for (int i = 0; i < 64; i++) s += a[i];");
    assert!(!plain.latency.is_open && plain.unknown.is_empty());
}
