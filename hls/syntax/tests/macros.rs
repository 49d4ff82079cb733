//! The preprocessor, seen through what is declared.

mod canonical;
use canonical::{show, show_body, show_unit};
use derate_syntax::{SourceFile, read_unit};

fn value(text: &str) -> String {
    show(&format!("{text}\n"))
}

#[test]
fn macros_are_replaced_to_the_end() {
    let pairs = [
        ("#define N 4\n#define M (N * 2)\nint a[M];", "[(4 * 2)]int a;"),
        ("#define f(x, y) x + y\nint a = f(1, (2, 3));", "int a = (1 + (2, 3));"),
        (
            "#define cat(a, b) a##b\n#define xcat(a, b) cat(a, b)\n#define N 3\nint xcat(x, N);",
            "int x3;",
        ),
        ("#define str(x) #x\nf_t a = str(b  c \"d\");", "f_t a = \"b c \\\\\\\"d\\\\\\\"\";"),
        ("#define all(f, ...) f(__VA_ARGS__)\nint a = all(g, 1, 2);", "int a = g(1, 2);"),
        ("#define opt(f, ...) f(0, ##__VA_ARGS__)\nint a = opt(g);", "int a = g(0);"),
        ("#define call(f) f(2)\n#define g(x) x * 3\nint a = call(g);", "int a = (2 * 3);"),
        ("#define g(x) x\nint g = 1, b = g (2);", "int g = 1; int b = 2;"),
        ("#define N 1\n#undef N\nint a = N;", "int a = N;"),
        ("#define TWO \\\n  2\nint a = TWO; // N\nint b /* = 3 */;", "int a = 2;\nint b;"),
    ];
    for (text, expected) in pairs {
        assert_eq!(
            value(text).replace("; int", ";\nint"),
            expected.replace("; int", ";\nint"),
            "{text}"
        );
    }
}

#[test]
fn a_macro_is_not_replaced_within_itself() {
    assert_eq!(value("#define a a + b\n#define b a\nint x = a;"), "int x = (a + a);");
    // The example of the C standard, 6.10.3.5.
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
                #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n\
                int r = f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);";
    assert_eq!(
        value(text),
        "int r = ((f((2 * (y + 1))) + (f((2 * f((2 * z[0])))) % f((2 * 0)))) + t(1));"
    );
}

#[test]
fn conditions_choose_the_text() {
    let choose =
        |condition: &str| value(&format!("#if {condition}\nint yes;\n#else\nint no;\n#endif"));
    for condition in [
        "1",
        "defined(__SYNTHESIS__) && !defined NOTHING",
        "3 * 2 == 6 && 7 / 2 > 2",
        "__cplusplus >= 201103L",
        "(1 ? 2 : 0) != 0",
        "'a' == 97",
        "UNKNOWN == 0",
        "0x10 >> 2 == 4 && -1 < 0 && ~0 == -1",
        "1 || 1 / 0",
    ] {
        assert_eq!(choose(condition), "int yes;", "{condition}");
    }
    for condition in ["0", "UNKNOWN", "defined(X)", "2 - 2", "!1", "1 ? 0 : 1"] {
        assert_eq!(choose(condition), "int no;", "{condition}");
    }
    let text = "#define B\n#ifdef A\nint a;\n#elif defined B\nint b;\n#ifndef C\nint c;\n#endif\n#else\nint d;\n#endif";
    assert_eq!(value(text), "int b;\nint c;");
}

#[test]
fn broken_directives_are_listed() {
    assert!(value("#if )\nint a;\n#endif\nint b;").starts_with("int b;\n!! the condition"));
    assert!(value("#if 1\nint a;").starts_with("int a;\n!! an `#if`"));
    assert!(value("#error no\nint a;").contains("`#error no` is reached"));
}

#[test]
fn includes_are_bounded() {
    let source = SourceFile { path: "a.cpp".into(), text: "#include \"a.cpp\"\nint a;".into() };
    let again = source.clone();
    let mut load = move |_: &str, _: bool, _: &str| Some((again.path.clone(), again.text.clone()));
    let unit = read_unit(&[source], &mut load, &[]);
    assert!(unit.unread.iter().any(|one| one.reason.contains("too many files")));
}

#[test]
fn defines_of_the_command_line_count() {
    let source = SourceFile { path: "a.cpp".into(), text: "int a = N + sq(2);".into() };
    let defines = [("N".to_owned(), "4".to_owned()), ("sq(x)".to_owned(), "x * x".to_owned())];
    let unit = read_unit(&[source], &mut |_, _, _| None, &defines);
    assert_eq!(show_unit(&unit), "int a = (4 + (2 * 2));");
}

#[test]
fn text_without_end_is_cut() {
    let mut text = String::from("#define x0 1 + 1\n");
    let levels = (1..40).map(|level| format!("#define x{level} x{0} + x{0}\n", level - 1));
    text.extend(levels);
    text += "int a = x39;\nint b;";
    let shown = show(&text);
    assert!(shown.contains("too much text"), "{}", &shown[..200]);
}

#[test]
fn calls_of_macros_run_over_lines_and_conditions() {
    assert_eq!(show_body("\n#define f(a, b) a + b\nx = f(1,\n  2);"), "(x = (1 + 2));");
    assert_eq!(
        show_body("\n#define f(a, b) a + b\nx = f(1,\n#if 1\n  2\n#else\n 3\n#endif\n);"),
        "(x = (1 + 2));"
    );
}
