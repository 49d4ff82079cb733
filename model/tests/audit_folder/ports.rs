//! Ports of kernels beside the v++ configuration that connects them.

use super::found;

/// `b` is read in the loop of `a`, or in one behind it.
fn kernel(bundles: [&str; 2], is_together: bool) -> String {
    let (first, second) = if is_together { ("b[i]", "0") } else { ("0", "b[i]") };
    format!(
        "extern \"C\" void top(int *a, int *b, int *out) {{\n\
         #pragma HLS interface m_axi port=a bundle={}\n#pragma HLS interface m_axi port=b bundle={}\n\
         #pragma HLS interface m_axi port=out bundle=results\n    int sum = 0;\n\
         for (int i = 0; i < 4096; i++) sum += a[i] + {first};\n    for (int i = 0; i < 4096; i++) sum += {second};\n\
         out[0] = sum;\n}}\n",
        bundles[0], bundles[1]
    )
}

#[test]
fn arguments_on_one_bank_take_turns_where_the_source_shows_it() {
    let pins =
        "[connectivity]\nnk=top:1\nsp=top_1.a:HBM[0]\nsp=top_1.b:HBM[0]\nsp=top_1.out:HBM[1]\n";
    let of = |bundles: [&str; 2], is_together: bool| {
        let code = kernel(bundles, is_together);
        let all = found("connectivity/shared-bank", &[("top.cpp", &code), ("link.cfg", pins)]);
        let level = all.first().and_then(|one| one.split(' ').next()).map(str::to_owned);
        level.unwrap_or_default()
    };
    assert_eq!(of(["one", "two"], true), "warning");
    assert_eq!(of(["one", "two"], false), "note");
    // One port gains nothing from a second bank.
    assert_eq!(of(["one", "one"], true), "");
    let unknown = found("connectivity/shared-bank", &[("link.cfg", pins)]);
    assert!(unknown[0].starts_with("warning "), "{unknown:?}");
}

/// An argument that the definition does not have is on no bank. A definition that has none of them is of something else.
#[test]
fn an_argument_that_the_kernel_does_not_have_is_found() {
    let code = kernel(["one", "two"], true);
    let of = |rule: &str, other: &str, first: &str| {
        let pins = format!("[connectivity]\nsp=top.{first}:HBM[0]\nsp=top.{other}:HBM[0]\n");
        found(rule, &[("top.cpp", &code), ("link.cfg", &pins)])
    };
    assert_eq!(of("connectivity/shared-bank", "b", "a").len(), 1);
    assert_eq!(of("connectivity/shared-bank", "a0", "a").len(), 0);
    // An element of an array of memories.
    assert_eq!(of("connectivity/shared-bank", "b_0", "a").len(), 1);
    let unit = "connectivity/compute-unit";
    let all = of(unit, "a0", "a");
    assert!(
        all[0].starts_with("warning ") && all[0].contains("`top` has no argument `a0`"),
        "{all:?}"
    );
    // Of an older version only a comment is left.
    let code = code.replacen('(', "( // float *gone,\n /* float *left, */ ", 1);
    for name in ["gone", "left"] {
        let pins = format!("[connectivity]\nsp=top.a:HBM[0]\nsp=top.{name}:HBM[0]\n");
        let files = [("top.cpp", code.as_str()), ("link.cfg", &pins)];
        assert_eq!(
            (found(unit, &files).len(), found("connectivity/shared-bank", &files).len()),
            (1, 0)
        );
    }
    for (other, first) in [("b", "a"), ("b_0", "a"), ("y", "x"), ("m_axi_one", "a")] {
        assert_eq!(of(unit, other, first), [""; 0], "{first} {other}");
    }
}

/// A configuration may lie beside the folders of its kernels; of two that fit, the nearer one counts.
#[test]
fn a_configuration_knows_the_kernels_of_other_designs() {
    let pins = "[connectivity]\nsp=top_1.a:HBM[0]\nsp=top_1.b:HBM[0]\n";
    let level = |places: &[&str], bundles: [&str; 2]| {
        let code = kernel(bundles, true);
        let mut files = vec![("link/one.cfg", pins)];
        files.extend(places.iter().map(|place| (*place, code.as_str())));
        let all = found("connectivity/shared-bank", &files);
        all.first().and_then(|one| one.split(' ').next()).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(level(&["link/a/top.cpp"], ["one", "one"]), "");
    assert_eq!(level(&["link/a/top.cpp", "other/top.cpp"], ["one", "one"]), "");
    assert_eq!(level(&["link/a/top.cpp"], ["one", "two"]), "warning");
    // A function of the host is not the kernel, however near it lies.
    let host = "void top(int *a, int *b, int *out) { for (int i = 0; i < 4096; i++) out[i] = a[i] + b[i]; }";
    let near = [("link/one.cfg", pins), ("link/app/host.cpp", host)];
    assert!(found("connectivity/shared-bank", &near)[0].starts_with("warning"));
    let code = kernel(["one", "one"], true);
    let both = [near[0], near[1], ("far/top.cpp", code.as_str())];
    assert!(found("connectivity/shared-bank", &both).is_empty());
    // Which of the two is linked is not known.
    assert_eq!(level(&["link/a/top.cpp", "link/b/top.cpp"], ["one", "one"]), "warning");
}

/// An argument that is never used, or once and in no loop, keeps no bank busy.
#[test]
fn an_argument_without_traffic_shares_no_bank() {
    let pins = "[connectivity]\nsp=top_1.a:DDR[0]\nsp=top_1.b:DDR[0]\n";
    let number = |before: &str, body: &str| {
        let code = format!(
            "{before}\nextern \"C\" void top(int *a, int *b, int n) {{\n\
             #pragma HLS interface m_axi port=a bundle=one\n#pragma HLS interface m_axi port=b bundle=two\n\
             // b is for later\n    {body}\n}}\n"
        );
        found("connectivity/shared-bank", &[("top.cpp", &code), ("link.cfg", pins)]).len()
    };
    let sum = "int s = 0; for (int i = 0; i < n; i++) s += a[i];";
    assert_eq!(number("", ""), 0);
    assert_eq!(number("", &format!("{sum} b[0] = s;")), 0);
    assert_eq!(number("", &format!("{sum} *b = s;")), 0);
    assert_eq!(number("", &format!("{sum} b[0] = s; b[1] = n;")), 0);
    for traffic in ["for (int i = 0; i < n; i++) b[i] = s;", "use(b);"] {
        assert_eq!(number("void use(int *x);", &format!("{sum} {traffic}")), 1, "{traffic}");
    }
    // A macro may name it.
    let loops = format!("{sum} for (int i = 0; i < N; i++) s += PORT[i];");
    let chained = "#define N 64\n#define PORT \\\n  SECOND\n#define SECOND b";
    assert_eq!(number("#define N 64\n#define PORT b", &loops), 1);
    assert_eq!(number(chained, &loops), 1);
    assert_eq!(number("#define N 64\n#define PORT a", &loops), 0);
    let most = "#define MOST(a, b) ((a) > (b) ? (a) : (b)) // not the b of top";
    assert_eq!(number(most, &format!("{sum} s = MOST(s, n);")), 0);
}

/// What is done through another pointer, or in a function whose body is not known, may be at the same time.
#[test]
fn arguments_whose_uses_are_not_followed_do_not_take_turns() {
    let pins = "[connectivity]\nnk=top:1\nsp=top_1.a:HBM[0]\nsp=top_1.b:HBM[0]\n";
    let level = |before: &str, body: &str| {
        let plain = "for (int i = 0; i < 4096; i++) a[i] = 0;\n    for (int i = 0; i < 4096; i++) b[i] = 0;";
        let code = format!(
            "{before}\nextern \"C\" void top(int *a, int *b) {{\n\
             #pragma HLS interface m_axi port=a bundle=one\n#pragma HLS interface m_axi port=b bundle=two\n\
             {plain}\n    {body}\n}}\n"
        );
        let all = found("connectivity/shared-bank", &[("top.cpp", &code), ("link.cfg", pins)]);
        all.first().and_then(|one| one.split(' ').next()).map(str::to_owned).unwrap_or_default()
    };
    let clear = "void clear(int *x) { for (int i = 0; i < 4096; i++) x[i] = 0; }";
    let both = "struct unit { void both(int *x, int *y) { for (int i = 0; i < 4096; i++) x[i] = y[i]; } };";
    assert_eq!(level("", ""), "note");
    assert_eq!(level(clear, "clear(a);"), "note");
    let alias = "int *p = a; for (int i = 0; i < 4096; i++) p[i] = b[i];";
    assert_eq!(level("", alias), "warning");
    assert_eq!(level("void move(int *x, int *y);", "move(a, b);"), "warning");
    assert_eq!(level(both, "unit it; it.both(a, b);"), "warning");
    assert_eq!(level(clear, "clear(b[0] > 0 ? a : b);"), "warning");
    // Which of them is called is not known.
    let overloads = format!("{clear}\nvoid clear(long *x) {{ x[0] = 0; }}");
    assert_eq!(level(&overloads, "clear(a);"), "warning");
}

#[test]
fn what_is_used_at_the_same_time_is_named_loop_by_loop() {
    let text = "extern \"C\" void top(int *a, int *b, int *c, int *d, int *out) {\n\
        #pragma HLS interface m_axi port=a bundle=all\n#pragma HLS interface m_axi port=b bundle=all\n\
        #pragma HLS interface m_axi port=c bundle=all\n#pragma HLS interface m_axi port=d bundle=all\n\
        #pragma HLS interface m_axi port=out bundle=results\n    int sum = 0;\n\
        for (int i = 0; i < 4096; i++) sum += a[i] + b[i];\n    for (int i = 0; i < 4096; i++) sum += c[i] + d[i];\n\
        out[0] = sum;\n}\n";
    let notes = super::notes("kernel/shared-bundle", &[("top.cpp", text)]);
    assert_eq!(notes[1], "used at the same time: a, b; c, d");
    let apart = text.replace("a[i] + b[i]", "a[i]").replace("c[i] + d[i]", "d[i]");
    assert!(super::notes("kernel/shared-bundle", &[("top.cpp", &apart)]).is_empty());
}

/// Four ports of one bundle, and what the kernel does with them.
fn on_one_bundle(before: &str, body: &str) -> Vec<String> {
    let ports = ["a", "b", "c", "out"];
    let pragma = |name: &&str| format!("#pragma HLS interface m_axi port={name} bundle=all\n");
    let pragmas: String = ports.iter().map(pragma).collect();
    let text = format!(
        "{before}\nextern \"C\" void top(int *a, int *b, int *c, int *out, int n) {{\n{pragmas}\
         int x[64], y[64];\n{body}\n}}\n"
    );
    super::notes("kernel/shared-bundle", &[("top.cpp", &text)])
}

#[test]
fn a_pragma_before_a_body_without_braces_pipelines_its_loop_only() {
    let read = |head: &str| {
        format!(
            "for (int i = 0; i < 4096; i++)\n{head}  x[i] = a[i];\nfor (int i = 0; i < 4096; i++)\n  y[i] = b[i];"
        )
    };
    assert!(on_one_bundle("", &read("#pragma HLS pipeline II=1\n")).is_empty());
    // In the body of the function it is the function's.
    let whole = format!("#pragma HLS pipeline II=1\n{}", read(""));
    assert_eq!(on_one_bundle("", &whole)[1], "used at the same time: a, b");
}

/// The tool cannot unroll a loop whose bound is an argument, and drops the directive above it.
#[test]
fn a_pipelined_function_needs_loops_with_fixed_bounds() {
    let read = |bound: &str| {
        format!(
            "#pragma HLS pipeline\nfor (int i = 0; i < 4096; i++) x[i] = a[i];\n\
             for (int i = 0; i < {bound}; i++) y[i] = b[i];"
        )
    };
    assert_eq!(on_one_bundle("", &read("64"))[1], "used at the same time: a, b");
    assert!(on_one_bundle("", &read("n")).is_empty());
    let inner = "void copy(int *to, int *from, int count) { for (int i = 0; i < count; i++) to[i] = from[i]; }";
    let call =
        |count: &str| format!("#pragma HLS pipeline\ncopy(x, a, {count}); copy(y, b, {count});");
    assert_eq!(on_one_bundle(inner, &call("64"))[1], "used at the same time: a, b");
    assert!(on_one_bundle(inner, &call("n")).is_empty());
}

/// A bound is fixed where all its words are: a variable of the file is not, nor what a macro makes of one.
#[test]
fn a_bound_is_fixed_where_all_its_words_are() {
    let read = |before: &str, bound: &str| {
        let body = format!(
            "#pragma HLS pipeline\nfor (int i = 0; i < 4096; i++) x[i] = a[i];\n\
             for (int i = 0; i < 8; i++) for (int j = i; j < {bound}; j++) y[j] += b[j];"
        );
        on_one_bundle(before, &body).len()
    };
    for before in ["#define N 8", "const int N = 8;", "enum { N = 8 };"] {
        assert!(read(before, "N") > 0, "{before}");
    }
    for (before, bound) in [
        ("int N;", "N"),
        ("int size;\n#define N size", "N"),
        ("const int N = 8;", "N * n"),
        ("struct S { int rows; };\nS s;", "s.rows"),
    ] {
        assert_eq!(read(before, bound), 0, "{before}");
    }
    let copy = "template <typename T> void copy(int *to, int *from) {\n\
                for (int i = 0; i < T::rows; i++) to[i] = from[i]; }";
    let calls = |before: &str| format!("{before}\ncopy<Config>(x, a); copy<Config>(y, b);");
    assert!(!on_one_bundle(copy, &calls("#pragma HLS pipeline")).is_empty());
    assert!(
        on_one_bundle(&copy.replace("T::", "settings."), &calls("#pragma HLS pipeline")).is_empty()
    );
}

/// Each function is gone through once, not once for each way to it.
#[test]
fn functions_that_call_the_next_many_times_are_gone_through_once() {
    let mut before = "void f0(int *p) { for (int i = 0; i < 4096; i++) p[i] = i; }\n".to_owned();
    for level in 1..10 {
        let calls = format!("f{}(p); ", level - 1).repeat(30);
        let next = format!("void f{level}(int *p) {{\n#pragma HLS pipeline\n{calls}}}\n");
        before.push_str(&next);
    }
    let body = "for (int i = 0; i < 4096; i++) y[i] = a[i] + b[i];\nf9(out);";
    assert_eq!(on_one_bundle(&before, body)[1], "used at the same time: a, b");
}

/// What is read once for each run of other loops keeps no port busy.
#[test]
fn numbers_that_are_read_beside_loops_are_not_used_at_the_same_time() {
    let step = "void step(int rows, int columns, int *y) { for (int i = 0; i < rows * columns; i++) y[i] = i; }";
    let calls = "for (int t = 0; t < 8; t++) step(a[t], b[t], y);";
    assert!(on_one_bundle(step, calls).is_empty());
    let beside = "for (int t = 0; t < 8; t++) { int rows = a[t] + b[t]; for (int i = 0; i < rows; i++) y[i] = t; }";
    assert!(on_one_bundle("", beside).is_empty());
    let flat = "int add(int one, int other) { return one + other; }";
    let pairs = "for (int t = 0; t < 8; t++) y[t] = add(a[t], b[t]);";
    assert_eq!(on_one_bundle(flat, pairs)[1], "used at the same time: a, b");
    let unrolled = "for (int t = 0; t < 8; t++) { int s = a[t] + b[t];\nfor (int i = 0; i < 8; i++) {\n#pragma HLS unroll\n y[i] += s; } }";
    assert_eq!(on_one_bundle("", unrolled)[1], "used at the same time: a, b");
}

/// The loops of one process of a dataflow run one after another; those of two processes run at the same time.
#[test]
fn loops_of_one_process_take_turns() {
    let load = "void load(int *x, int *p, int *q) { for (int i = 0; i < 4096; i++) x[i % 64] = p[i]; for (int i = 0; i < 4096; i++) x[i % 64] += q[i]; }\n\
                void copy(int *x, int *p) { for (int i = 0; i < 4096; i++) x[i % 64] = p[i]; }";
    let store = "for (int i = 0; i < 4096; i++) out[i] = x[i % 64];";
    let flow = |calls: &str| format!("#pragma HLS dataflow\n{calls}\n{store}");
    assert!(on_one_bundle(load, &flow("load(x, a, b);")).is_empty());
    assert_eq!(
        on_one_bundle(load, &flow("copy(x, a); copy(y, b);"))[1],
        "used at the same time: a, b"
    );
    assert_eq!(
        on_one_bundle(load, &flow("load(x, a, b); copy(y, c);"))[1],
        "used at the same time: a, c; b, c"
    );
}

/// Ports that swap their pointers need one bundle.
#[test]
fn ports_that_swap_their_pointers_share_a_bundle_for_a_reason() {
    let of = |before: &str, body: &str| {
        let pragma = |name: &str| format!("#pragma HLS interface m_axi port={name} bundle=all\n");
        let pragmas: String = ["a", "b", "c"].map(pragma).concat();
        let text = format!(
            "{before}\nextern \"C\" void top(int *a, int *b, int *c, int *out, int n) {{\n{pragmas}\
             for (int t = 0; t < n; t++) {{\nfor (int i = 0; i < 4096; i++) out[i] = a[i] + b[i];\n{body}\n}}\n}}\n"
        );
        found("kernel/shared-bundle", &[("top.cpp", &text)])
    };
    let level = |before: &str, body: &str| of(before, body)[0].split(' ').next().map(str::to_owned);
    let swap = "int *t1 = a;\n a = b;\n b = t1;";
    assert_eq!(level("", swap).as_deref(), Some("note"));
    let step = "void step(int *from, int *to) { for (int i = 0; i < 4096; i++) to[i] = from[i]; }";
    assert_eq!(level(step, "step(a, b); step(b, a);").as_deref(), Some("note"));
    // One way is no swap, nor that of other ports.
    assert_eq!(level("", "int *t1 = a;\n a = b;\n b = c;").as_deref(), Some("warning"));
    assert_eq!(level(step, "step(a, b); step(b, c);").as_deref(), Some("warning"));
    assert_eq!(level("", "int *t1 = c;\n c = b;\n b = t1;").as_deref(), Some("warning"));
}

/// What an argument costs: the accesses of a run, not that there are some.
#[test]
fn a_few_accesses_are_no_traffic() {
    let pins = "[connectivity]\nsp=top_1.a:DDR[0]\nsp=top_1.b:DDR[0]\n";
    let level = |depth: &str, body: &str| {
        let code = format!(
            "const int FEW = 53;\nextern \"C\" void top(int *a, int *b, int *out, int n) {{\n\
             #pragma HLS interface m_axi port=a bundle=one\n#pragma HLS interface m_axi port=b bundle=two {depth}\n\
             int s = 0;\n    {body}\n    out[0] = s;\n}}\n"
        );
        let all = found("connectivity/shared-bank", &[("top.cpp", &code), ("link.cfg", pins)]);
        all.first().and_then(|one| one.split(' ').next()).map(str::to_owned).unwrap_or_default()
    };
    let together = "for (int i = 0; i < n; i++) s += a[i] + b[i];";
    assert_eq!(level("", together), "warning");
    assert_eq!(level("depth=16", together), "");
    assert_eq!(level("depth=FEW", together), "");
    assert_eq!(level("depth=65536", together), "warning");
    // Each of the 16 is read n times.
    let often = "for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) s += a[i] + b[i];";
    assert_eq!(level("depth=16", often), "warning");
    // A few words of each layer, beside loops that take far longer.
    let beside = |words: &str| {
        format!(
            "for (int l = 0; l < n; l++) {{\n    for (int i = 0; i < {words}; i++) s += a[l * 8 + i] + b[l * 8 + i];\n    \
             for (int i = 0; i < 4096; i++) s += a[i];\n}}"
        )
    };
    assert_eq!(level("", &beside("FEW")), "");
    assert_eq!(level("", &beside("100 * FEW")), "warning");
}

/// Tasks of TAPA run at the same time: what each of them does with its arguments counts.
#[test]
fn tasks_use_their_arguments_at_the_same_time() {
    let pins = "[connectivity]\nsp=top.a:DDR[0]\nsp=top.b:DDR[0]\n";
    let level = |words: &str| {
        let code = format!(
            "void load(tapa::mmap<int> a, int n) {{\n    int s = 0;\n    for (int i = 0; i < n; i++) s += a[i];\n}}\n\
             void settings(tapa::mmap<int> b, int n) {{\n    int s = 0;\n    for (int i = 0; i < {words}; i++) s += b[i];\n}}\n\
             void top(tapa::mmap<int> a, tapa::mmap<int> b, int n) {{\n    tapa::task().invoke(load, a, n).invoke(settings, b, n);\n}}\n"
        );
        let all = found("connectivity/shared-bank", &[("top.cpp", &code), ("link.ini", pins)]);
        all.first().and_then(|one| one.split(' ').next()).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(level("n"), "warning");
    assert_eq!(level("53"), "");
}

/// DDR has four banks where no card is known, and two beside HBM.
#[test]
fn arguments_on_all_banks_of_no_known_card_have_none_left() {
    let levels = |banks: &[u64], more: &str| -> Vec<String> {
        let pin = |(at, bank): (usize, &u64)| format!("sp=top_1.a{at}:DDR[{bank}]\n");
        let pins: String = banks.iter().enumerate().map(pin).collect();
        let text = format!("[connectivity]\nnk=top:1:top_1\n{pins}{more}");
        let all = found("connectivity/shared-bank", &[("link.cfg", text.as_str())]);
        all.iter().filter_map(|one| one.split(' ').next().map(str::to_owned)).collect()
    };
    assert_eq!(levels(&[0, 1, 2, 3, 3, 2, 1, 0], ""), ["note"]);
    assert_eq!(levels(&[0, 1, 0, 1], ""), ["warning"]);
    assert_eq!(levels(&[0, 1, 1, 1], "sp=top_1.h:HBM[0]\n"), ["note"]);
}

/// Beside a computation that takes fifty times as long, in the manner of a matrix product in local memory.
#[test]
fn copies_in_front_of_a_long_computation_cost_little() {
    let copies = "for (int i = 0; i < 1024; i++) {\n  x[i & 63] = a[i];\n  y[i & 63] = b[i];\n}\n";
    let product = |pragma: &str| {
        format!(
            "for (int i = 0; i < 1024; i++)\n  for (int k = 0; k < 64; k++) {{\n{pragma}    s += x[k] * y[k];\n  }}\n"
        )
    };
    let saves = |before: &str, rest: &str| {
        let body = format!("int s = 0;\n{copies}{rest}out[0] = s;");
        let notes = on_one_bundle(before, &body);
        notes.iter().find(|note| note.contains("less than 2 %")).cloned()
    };
    let note = saves("", &product("")).unwrap_or_default();
    assert!(note.contains("at most 1024 accesses"), "{note}");
    assert!(note.contains("of the 65536 iterations at top.cpp:"), "{note}");
    assert_eq!(saves("", &product("#pragma HLS unroll\n")), None);
    assert_eq!(saves("", &product("#pragma HLS unroll factor=8\n")), None);
    assert_eq!(saves("", &format!("if (n > 0) {{\n{}}}\n", product(""))), None);
    // A function that is called has no argument of the kernel.
    let long = "void long_one(int *t) {\n  for (int i = 0; i < 65536; i++) t[i & 63] += i;\n}";
    assert!(saves(long, "long_one(x);\n").is_some());
    assert_eq!(saves(long, "if (n > 0) long_one(x);\n"), None);
    // In a pipeline its loops are unrolled: what calls it has as many iterations as the copies.
    let short = long.replace("65536", "64");
    let calls = |pragma: &str| {
        saves(&short, &format!("for (int i = 0; i < 1024; i++) {{\n{pragma}  long_one(x);\n}}\n"))
    };
    assert!(calls("").is_some());
    assert_eq!(calls("#pragma HLS pipeline\n"), None);
}

/// What meets in other places counts, too: fewer arguments there, few accesses, a second call.
#[test]
fn the_bound_of_what_sharing_costs_has_all_places() {
    let long =
        "for (int i = 0; i < 65536; i++)\n  for (int k = 0; k < 64; k++)\n    s += x[k] * y[k];\n";
    let bound = |before: &str, copies: &str| {
        let notes = on_one_bundle(before, &format!("int s = 0;\n{copies}{long}out[0] = s;"));
        let note = notes.into_iter().find(|note| note.contains("less than 2 %")).unwrap();
        let (_, rest) = note.split_once("at most ").unwrap();
        rest.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let copy = |words: u64, sum: &str| format!("for (int i = 0; i < {words}; i++) s += {sum};\n");
    let three = copy(1024, "a[i] + b[i] + c[i]");
    assert_eq!(bound("", &three), 2048);
    assert_eq!(bound("", &format!("{three}{}", copy(900, "a[i] + b[i]"))), 2948);
    assert_eq!(bound("", &format!("{three}{}", copy(90, "b[i] + c[i]"))), 2138);
    assert_eq!(bound("", &format!("{three}{}", copy(900, "a[i]"))), 2048, "one alone");
    let call = "int sum(int *p, int *q) {\n  int s = 0;\n  for (int i = 0; i < 500; i++) s += p[i] + q[i];\n  return s;\n}";
    assert_eq!(bound(call, "s += sum(a, b);\n"), 500);
    assert_eq!(bound(call, "s += sum(a, b);\ns += sum(a, b);\n"), 1000);
    // Few words of each of 500 layers, beside a loop that takes far longer.
    let layers = "for (int l = 0; l < 500; l++) {\n  for (int i = 0; i < 8; i++) s += a[l * 8 + i] + b[l * 8 + i];\n\
        for (int i = 0; i < 4096; i++) s += x[i & 63];\n}\n";
    assert_eq!(bound("", &format!("{three}{layers}")), 2048 + 4000);
}

/// In the manner of a batch norm: its parameters are read once for each row.
#[test]
fn an_element_that_is_fixed_in_a_loop_shares_nothing_there() {
    let rows = |index: &str| {
        format!(
            "for (int r = 0; r < n; r++)\n  for (int w = 0; w < n; w++)\n    out[r * n + w] = a[{index}] + b[{index}] * c[{index}];"
        )
    };
    assert!(on_one_bundle("", &rows("r")).is_empty());
    assert!(!on_one_bundle("", &rows("w")).is_empty());
    assert!(!on_one_bundle("", &rows("r * n + w")).is_empty());
    let guarded = rows("r").replace("out[r * n + w] =", "if (w > r) out[r * n + w] =");
    assert!(!on_one_bundle("", &guarded).is_empty());
}
