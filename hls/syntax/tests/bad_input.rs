//! No text makes the reader panic or overflow the stack.

mod canonical;
use canonical::{read, read_as, show_unit};
use proptest::prelude::*;

/// Pieces that make trouble in some order.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ">>",
    ";",
    ",",
    "=",
    "+",
    "*",
    "&",
    "#",
    "##",
    "\n",
    "\n#",
    "define ",
    "if ",
    "else\n",
    "endif\n",
    "pragma HLS ",
    "include \"x\"",
    "a",
    "b(x)",
    "int ",
    "template ",
    "typename ",
    "struct ",
    "typedef ",
    "for ",
    "while ",
    "case ",
    "return ",
    "operator",
    "::",
    "->",
    ".",
    "\"",
    "'",
    "\\\n",
    "/*",
    "*/",
    "//",
    "0x",
    "1e",
    "_Pragma(\"",
    "__VA_ARGS__",
    "...",
    "R\"(",
    "é",
    "enum ",
    "using ",
    "sizeof",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        show_unit(&read(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn pieces_never_panic(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..120)) {
        let text = pieces.concat();
        show_unit(&read(&text));
        show_unit(&read_as("a.c", &format!("void f() {{ {text} }}")));
    }

    /// White space, comments and continued lines change nothing but lines.
    #[test]
    fn layout_changes_nothing(gaps in proptest::collection::vec(0_usize..5, 40)) {
        let words = "# define N 4 \n template < int W > void f ( int a [ N ] ) { L : for ( int i = 0 ; i < N ; i ++ ) \
                     { a [ i ] = ( ap_int < W > ) a [ i ] << 2 ; } }";
        let gap = [" ", "\t", " /* c */ ", " \\\n ", "  "];
        let mut text = String::new();
        for (index, word) in words.split(' ').enumerate() {
            text += word;
            text += if word == "\n" { "" } else { gap[gaps[index % gaps.len()]] };
        }
        prop_assert_eq!(show_unit(&read(&text)), show_unit(&read(words)));
    }
}

#[test]
fn deep_nesting_ends() {
    let many = 3_000;
    let deep = [
        format!("int a = {}1{};", "(".repeat(many), ")".repeat(many)),
        format!("int a = {}1;", "-".repeat(many)),
        format!("int a = {}1;", "1 + ".repeat(many)),
        format!("int a = {}1;", "1 ? 2 : ".repeat(many)),
        format!("void f() {{ {} }}", "{".repeat(many)),
        format!("void f() {{ {} ; }}", "if (a) ".repeat(many)),
        format!("void f() {{ {} ; }}", "if (a) b; else ".repeat(many)),
        format!("int {}a;", "*".repeat(many)),
        format!("int a{};", "[2]".repeat(many)),
        format!("{}int{} a;", "A<".repeat(many), ">".repeat(many)),
        format!("{}int a;{}", "namespace n { ".repeat(many), "}".repeat(many)),
        format!("{}int a;{}", "struct n { ".repeat(many), "};".repeat(many)),
        format!("{} a;", "template <int N> ".repeat(many)),
        format!("int a = b{};", ".c".repeat(many)),
        format!("int a = b{};", "(1)".repeat(many)),
        format!("#define f(x) x\nint a = {}1{};", "f(".repeat(many), ")".repeat(many)),
        format!("#if {}1\n#endif", "(".repeat(many)),
        format!("#if {}1\n#endif", "!".repeat(many)),
    ];
    for text in deep {
        show_unit(&read(&text));
    }
}
