//! Statements, labels and the places of pragmas.

mod canonical;
use canonical::{read, show, show_body};
use derate_syntax::ast::{Item, StmtKind};

#[test]
fn loops_keep_their_labels() {
    let text = "A: for (int i = 0, j = 9; i < 4; i++, j--) ; B: while (1) break; C: do { x++; } while (x < 3);";
    let expected = "A: for (int i = 0; int j = 9; (i < 4); ((i++), (j--))) ;\nB: while 1 break;\n\
                    C: do-while (x < 3) { (x++); }";
    assert_eq!(show_body(text), expected);
    assert_eq!(show_body("for (;;) continue;"), "for (; ; ) continue;");
}

#[test]
fn branches_nest() {
    assert_eq!(
        show_body("if (a) if (b) c; else d; else { return; }"),
        "if a if b c; else d; else { return ; }"
    );
    assert_eq!(
        show_body("switch (k) { case 0: case 1: a = 0; break; default: ; case B: { return 3; } }"),
        "switch k [0, 1] { (a = 0); break; } [default] { ; } [B] { { return 3; } }"
    );
}

#[test]
fn declarations_have_types_and_first_values() {
    let pairs = [
        (
            "int a[2][3] = {{1}, {2}}, *p = &x, b;",
            "[2][3]int a = {{1}, {2}}; int* p = (&x); int b;",
        ),
        ("static const double t[] = {1.0};", "static const []double t = {1.0};"),
        ("ap_uint<8> x(3), y = 4;", "ap_uint<8> x = ap_uint<8>{3}; ap_uint<8> y = 4;"),
        ("ap_int<W + 1> u(x, y[2]);", "ap_int<(W + 1)> u = ap_int<(W + 1)>{x, y[2]};"),
        ("hls::stream<int> s(\"s\");", "hls::stream<type int> s = hls::stream<type int>{\"s\"};"),
        ("long unsigned int a; long long b;", "unsigned long a;\nlong long b;"),
        ("register volatile int i = 0;", "int i = 0;"),
        ("typename T::value_type v = 3;", "T::value_type v = 3;"),
        ("struct point p = {.x = 1, .y = 2};", "point p = {(x = 1), (y = 2)};"),
        ("typedef float row_t[4]; row_t r;", "using row_t = [4]float;\nrow_t r;"),
        ("struct pair { int a, b; } p;", "struct pair { int a; int b; }\npair p;"),
    ];
    for (text, expected) in pairs {
        assert_eq!(show_body(text), expected, "{text}");
    }
}

#[test]
fn pragmas_are_where_they_are_written() {
    let text = "#define N 2\n#pragma HLS top_level\nvoid f(int a[4])\n#pragma HLS INTERFACE port=a\n{\n\
                #pragma HLS INLINE off\nL:\nfor (int i = 0; i < 4; i++)\n#pragma HLS UNROLL factor=N\n{\n\
                a[i] = 1;\n#pragma HLS LATENCY max=N+1\n}\nfor (;;)\n#pragma HLS PIPELINE\na[0]++;\n\
                _Pragma(\"HLS STABLE variable=a\")\n}\n#pragma omp parallel\n#pragma HLS end";
    let expected = "#pragma top_level\nvoid f([4]int a) { #pragma INTERFACE port=a# #pragma INLINE off# \
                    L: for (int i = 0; (i < 4); (i++)) { #pragma UNROLL factor=2# (a[i] = 1); \
                    #pragma LATENCY max=2+1# } for (; ; ) { #pragma PIPELINE# (a[0]++); } \
                    #pragma STABLE variable=a# }\n#pragma end";
    assert_eq!(show(text), expected);
}

#[test]
fn places_are_lines_of_the_source() {
    let text = "#define ADD(x) \\\n  a += x; \\\n  b += x;\n/* two\nlines */ void f() {\n  ADD(1)\n  c = 3;\n}\n";
    let unit = read(text);
    let Some(Item::Function(function)) = unit.items.first() else { panic!("no function") };
    assert_eq!(function.place.line, 5);
    let lines: Vec<u32> = function.body.iter().flatten().map(|one| one.place.line).collect();
    assert_eq!(lines, [6, 6, 7]);
}

#[test]
fn one_bad_statement_does_not_hide_the_others() {
    let unit = read("void f() { a = 1; b = = 2; goto end; for (auto x : v) ; c = 3; }");
    let Some(Item::Function(function)) = unit.items.first() else { panic!("no function") };
    let body = function.body.as_deref().unwrap_or_default();
    assert!(matches!(body.first().map(|one| &one.kind), Some(StmtKind::Expr(_))));
    assert!(matches!(body.last().map(|one| &one.kind), Some(StmtKind::Expr(_))));
    let unread = body.iter().filter(|one| matches!(one.kind, StmtKind::UnreadLoop(_)));
    assert_eq!(unread.count(), 2, "both may be loops");
}

/// What is declared as a whole body cannot be used: its value is left.
#[test]
fn declarations_as_a_body_leave_their_values() {
    assert_eq!(show_body("for (;;) word_t v = in.read();"), show_body("for (;;) in.read();"));
    assert_eq!(
        show_body("if (a) const int q = f(1); else char c;"),
        show_body("if (a) f(1); else ;")
    );
    assert_eq!(show_body("if (a) b = c; else return d;"), "if a (b = c); else return d;");
    assert_eq!(show_body("p = new char *[n];"), show_body("p = new char [n];"));
}

#[test]
fn an_empty_list_is_left_out_of_parameters_alone() {
    assert_eq!(
        show("void f(int n, opt o = {}, opt p = {});"),
        show("void f(int n, opt o, opt p);")
    );
    assert!(show("int p[8] = {}, r = 3;").contains("{}"));
}
