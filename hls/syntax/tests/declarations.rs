//! Functions, classes, templates and what else a file declares.

mod canonical;
use canonical::{read_as, show, show_unit};
use derate_syntax::{SourceFile, read_unit};

fn check(pairs: &[(&str, &str)]) {
    for (text, expected) in pairs {
        assert_eq!(show(text), *expected, "{text}");
    }
}

#[test]
fn functions_have_parameters() {
    check(&[
        (
            "static inline void f(const float *const q, int b[][3], int (&a)[4], int (*p)[2], int = 3);",
            "static inline void f(const float* q, [][3]int b, [4]int& a, [2]int* p, int  = 3);",
        ),
        ("int main(void) { return 0; }", "int main() { return 0; }"),
        ("extern \"C\" { void k(int *a) {} }", "void k(int* a) {  }"),
        (
            "extern \"C\" void k(hls::stream<ap_axiu<32, 0, 0, 0>> &s);",
            "void k(hls::stream<type ap_axiu<32, 0, 0, 0>>& s);",
        ),
        ("namespace a { namespace { int f(); } int g; }", "static int a::f();\nint a::g;"),
        ("namespace a::b { int z; } using namespace a;", "int a::b::z;\nusing namespace a;"),
    ]);
}

#[test]
fn templates_have_parameters_and_specialisations() {
    check(&[
        (
            "template <int W, typename T = ap_int<W> > T f(T a) { return a; }",
            "template <value W, typename T = type ap_int<W>> T f(T a) { return a; }",
        ),
        ("template <> void g<3>() {}", "special <3> void g() {  }"),
        ("template <int N> struct S { int a[N]; };", "template <value N> struct S { [N]int a; }"),
        ("template <> struct S<1> { int a; };", "special <1> struct S { int a; }"),
        (
            "template <typename T> using two = std::pair<T, T>;",
            "template <typename T> using two = std::pair<T, T>;",
        ),
    ]);
}

#[test]
fn classes_give_structures_and_functions() {
    let text = "template <int R, typename T> class Window : public Base<T> {\npublic:\n\
                Window(int z = 3) : x(z), y{1} {}\n~Window() {}\nT &operator()(int row);\n\
                operator int() const { return x; }\nstatic const int K = 2;\nint x = 3, *y;\nT v[R];\n};\n\
                template <int R, typename T> T &Window<R, T>::operator()(int row) { return this->v[row]; }\n\
                template <> void Window<1, int>::clear() {}\n";
    let class = "template <value R, typename T>";
    let expected = format!(
        "{class} [Window] Window Window::Window(int z = 3) : x(z), y(1) {{  }}\n\
         {class} [Window] void Window::~Window() {{  }}\n\
         {class} [Window] T& Window::operator()(int row);\n\
         {class} [Window] int Window::operator int() {{ return x; }}\n\
         static const int Window::K = 2;\n\
         {class} struct Window : Base<T> {{ int x = 3; int* y; [R]T v; }}\n\
         {class} [Window] T& Window::operator()(int row) {{ return this->v[row]; }}\n\
         special <1, type int> [Window<1,int>] void Window::clear() {{  }}"
    );
    assert_eq!(show(text), expected);
}

#[test]
fn names_of_types_are_one() {
    check(&[
        (
            "typedef struct point { int x, y; } point_t;",
            "struct point { int x; int y; }\nusing point_t = point;",
        ),
        ("typedef struct { float re; } cplx;", "struct cplx { float re; }"),
        ("typedef struct s s; struct s { int a; };", "struct s { int a; }"),
        (
            "typedef ap_fixed<16, 6, AP_RND> d_t, row_t[4];",
            "using d_t = ap_fixed<16, 6, AP_RND>;\nusing row_t = [4]ap_fixed<16, 6, AP_RND>;",
        ),
        ("using v = hls::vector<float, 16>;", "using v = hls::vector<type float, 16>;"),
        ("union u { int i; float f; };", "union u { int i; float f; }"),
    ]);
}

#[test]
fn enumerators_know_the_one_before() {
    check(&[
        (
            "enum e { A, B = 5, C };",
            "enumerator A\nenumerator B = 5 after A\nenumerator C after B\nusing e = int;",
        ),
        (
            "enum class m : unsigned char { A, B };",
            "enumerator m::A\nenumerator m::B after m::A\nusing m = unsigned char;",
        ),
    ]);
}

#[test]
fn words_of_cpp_are_names_in_c() {
    let unit = read_as("a.c", "void f(int new) { int class = new + 1; }");
    assert_eq!(show_unit(&unit), "void f(int new_) { int class_ = (new_ + 1); }");
}

#[test]
fn a_shared_header_is_given_once() {
    let source =
        |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let files = [
        source("a.cpp", "#include \"h.h\"\nvoid a() { f(n); }"),
        source("b.cpp", "#include \"h.h\"\nvoid b() { f(n); }"),
    ];
    let header = "#pragma once\nconst int n = 4;\n#include <missing.h>\n";
    let unit = read_unit(
        &files,
        &mut |name, quoted, _| {
            (quoted && name == "h.h").then(|| ("h.h".to_owned(), header.to_owned()))
        },
        &[],
    );
    assert_eq!(show_unit(&unit), "const int n = 4;\nvoid a() { f(n); }\nvoid b() { f(n); }");
    assert_eq!(unit.files, ["a.cpp", "h.h", "b.cpp"]);
}

#[test]
fn declarations_are_read_by_themselves_and_alike_when_they_come_again() {
    let text = "struct A { int x; } a;\nvoid f() { ; }\nenum { B = 2 } b; int t[2] = { 1, B };\n\
                class C { int y; };\nnamespace n { void g() {} }\nint h(int q) { return q; } int i;\n";
    let expected = "struct A { int x; }\nA a;\nvoid f() { ; }";
    let first = show(text);
    assert!(first.starts_with(expected), "{first}");
    for name in ["int t", "struct C", "void n::g()", "int h(int q)", "int i;"] {
        assert!(first.contains(name), "{name}: {first}");
    }
    // Behind another declaration, each has its own place.
    let again = show(&format!("int before;\n{text}"));
    assert_eq!(again, format!("int before;\n{first}"));
    // Declarations of old C are of the function behind them.
    let old = read_as("old.c", "int f(a) int a; { return a; }\nint g;\n");
    assert!(show_unit(&old).contains("int g;"));
}

#[test]
fn long_lists_of_numbers_read_as_short_ones_do() {
    // The second list is short enough for the parser; each row of the first one is the same.
    let row = "{ 1, -2, 0x1F, 3u, +4 }";
    let rows = vec![row; 60].join(",\n");
    let long = show(&format!("const int t[60][5] = {{ {rows} }};\nint after = 3;\n"));
    let short = show(&format!("const int t[60][5] = {{ {row}, {row} }};\nint after = 3;\n"));
    let (begin, end) = short.split_once(" = ").unwrap();
    let (list, after) = end.split_once('\n').unwrap();
    let one = list.trim_start_matches('{').split_once('}').unwrap().0;
    assert!(long.starts_with(begin) && long.ends_with(after), "{long}");
    assert_eq!(long.matches(one).count(), 60, "{long}");
    let floats = vec!["-1.5e-3f"; 300].join(", ");
    let long = show(&format!("float f[300] = {{ {floats}, }};"));
    assert_eq!(long.matches("-0.0015").count(), 300, "{long}");
    // A name in the list is for the parser.
    let named = vec!["N"; 300].join(", ");
    let long = show(&format!("const int N = 3; int n[300] = {{ {named} }};"));
    assert_eq!(long.matches('N').count(), 301, "{long}");
}
