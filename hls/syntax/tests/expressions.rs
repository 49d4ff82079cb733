//! Expressions get the reading that a compiler gives them.

mod canonical;
use canonical::show_body;

/// Each text and what it is read as.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(show_body(text), *expected, "{text}");
    }
}

#[test]
fn operators_bind_as_in_c() {
    check(&[
        ("x = a + b * c;", "(x = (a + (b * c)));"),
        ("x = 5 % 3 << 2 >> 1 & 1 | 2 ^ 3;", "(x = (((((5 % 3) << 2) >> 1) & 1) | (2 ^ 3)));"),
        ("a = b = c;", "(a = (b = c));"),
        ("a ? b : c ? d : e;", "(a ? b : (c ? d : e));"),
        ("x ^= 1; x <<= a, b;", "(x ^= 1);\n((x <<= a), b);"),
        ("*p++ = -x--;", "((*(p++)) = (-(x--)));"),
        ("x = a - -1; x = !a && ~b;", "(x = (a - (-1)));\n(x = ((!a) && (~b)));"),
        ("a->b.c[3].d(1, &e);", "a->b.c[3].d(1, (&e));"),
    ]);
}

#[test]
fn brackets_around_a_value_are_no_cast() {
    check(&[
        ("x = ((k) + (8) * ((j) + (4) * (i)));", "(x = (k + (8 * (j + (4 * i)))));"),
        ("x = (k) - 1;", "(x = (k - 1));"),
        ("x = (a) * (b);", "(x = (a * b));"),
        ("x = n > (k) + 1;", "(x = (n > (k + 1)));"),
        ("(f)(1);", "f(1);"),
        ("return (x);", "return x;"),
    ]);
}

#[test]
fn brackets_around_a_type_are_a_cast() {
    check(&[
        ("x = (int)a + b;", "(x = (cast<int>(a) + b));"),
        ("x = (unsigned char)*p;", "(x = cast<unsigned char>((*p)));"),
        (
            "typedef int T; x = a * (T)*p - (T)-b;",
            "using T = int;\n(x = ((a * cast<T>((*p))) - cast<T>((-b))));",
        ),
        ("x = (uint8_t)(a + b);", "(x = cast<uint8_t>((a + b)));"),
        ("x = (ap_fixed<8, 2>)(a) * b;", "(x = (cast<ap_fixed<8, 2>>(a) * b));"),
        ("x = (missing_t)-1;", "(x = cast<missing_t>((-1)));"),
        ("x = (elsewhere)b[0];", "(x = cast<elsewhere>(b[0]));"),
        ("x = *(float *)&y;", "(x = (*cast<float*>((&y))));"),
        ("x = static_cast<T>(a); x = float(k);", "(x = cast<T>(a));\n(x = cast<float>(k));"),
        ("x = ap_uint<8>(a);", "(x = ap_uint<8>(a));"),
        ("v = point{1, 2};", "(v = point{1, 2});"),
    ]);
}

#[test]
fn a_comparison_is_not_a_template() {
    check(&[
        ("x = a < b && c > (d);", "(x = ((a < b) && (c > d)));"),
        ("if (i < n || c[i] > (3)) ;", "if ((i < n) || (c[i] > 3)) ;"),
        ("int a, c; f(a < b, c > (d));", "int a; int c;\nf((a < b), (c > d));"),
        ("x = a<b ? c : d;", "(x = ((a < b) ? c : d));"),
        ("g<3, ap_int<8> >(a);", "g<3, type ap_int<8>>(a);"),
        ("x = std::numeric_limits<int>::max();", "(x = std::numeric_limits<type int>::max());"),
        ("p.template f<3>(a);", "p.f<3>(a);"),
    ]);
}

#[test]
fn a_variable_may_have_the_name_of_its_template() {
    check(&[
        ("box<int> box; x = box[2];", "box<type int> box;\n(x = box[2]);"),
        ("far::box<int> &box = y; x = box[2];", "far::box<type int>& box = y;\n(x = box[2]);"),
        ("x = a < b; c > a;", "(x = (a < b));\n(c > a);"),
    ]);
}

#[test]
fn literals_have_a_width() {
    check(&[
        ("x = 1 + 0xFFFFFFFF;", "(x = (1 + 4294967295u));"),
        ("x = 4294967296 + 3UL;", "(x = (4294967296i64 + 3ui64));"),
        ("x = 0b101 + 017 + 1'000u;", "(x = ((5 + 15) + 1000u));"),
        ("x = 1.f + .5 + 1e-3 + 0x1p3;", "(x = (((1.0f + 0.5) + 0.001) + 8.0));"),
        (r"x = 'a' + '\n' + '\x41';", "(x = ((97i8 + 10i8) + 65i8));"),
        (r#"f("a" "b", true, nullptr);"#, r#"f("ab", true, 0);"#),
        ("x = INT_MAX + M_PI;", "(x = (2147483647 + 3.141592653589793));"),
    ]);
}

#[test]
fn sizes_of_types_and_of_values_differ() {
    check(&[
        (
            "x = sizeof(int[3]) + sizeof(uint8_t);",
            "(x = (sizeof(type [3]int) + sizeof(type uint8_t)));",
        ),
        ("x = sizeof(a) + sizeof a;", "(x = (sizeof(a) + sizeof(a)));"),
    ]);
}

#[test]
fn what_is_not_read_has_a_reason_and_the_rest_is_read() {
    check(&[
        (
            "auto g = [](int x) { return x; }; a = 1;",
            "auto g = <??? a lambda is not read>;\n(a = 1);",
        ),
        ("p = new int[3]; a = 1;", "(p = <??? memory from the heap is not read>);\n(a = 1);"),
    ]);
}
