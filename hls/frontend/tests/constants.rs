//! What constants are worth, and what is said of them where nobody can tell.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use derate_frontend::{Constant, Header, Sources, parse};

fn header(text: &str) -> Header {
    let mut sources = Sources::default();
    let file = sources.add("a.h", text);
    parse(&sources, file)
}

fn constant<'a>(header: &'a Header, name: &str) -> &'a Constant {
    header.constants.iter().find(|one| one.name == name).unwrap()
}

/// It may be a type of eight bits.
#[test]
fn a_constant_of_an_unknown_type_has_no_value() {
    let read = header(
        "const foreign_t N = 70000;\nconst uint16_t M = 70000;\nconstexpr auto K = 70000;\n\
         float x[N];\nvoid f(float *a) { for (foreign_t i = 0; i < 8; i++) { a[i] = 0; } }",
    );
    let value = |name: &str| constant(&read, name).value;
    assert_eq!((value("N"), value("M"), value("K")), (None, Some(4464), Some(70000)));
    assert_eq!(read.arrays[0].dims[0].value, None);
    assert_eq!(read.functions[0].loops[0].trip_count, None);
}

/// The `//` of an address is not a comment.
#[test]
fn a_comment_is_no_part_of_a_text() {
    let read = header(
        "#define PORT 80 /* not \"//\" */\n#define SLASHES (sizeof(\"http://x\") > 3 ? 4 : 5)\n\
         #define LANES 8 // \"eight\"\n",
    );
    let comment = |name: &str| constant(&read, name).comment.as_ref().map(|it| it.text.clone());
    assert_eq!(comment("PORT").as_deref(), Some("not \"//\""));
    assert_eq!(comment("SLASHES"), None);
    assert_eq!(comment("LANES").as_deref(), Some("\"eight\""));
}

#[test]
fn characters_are_numbers() {
    let read = header("const int A = '\\x41';\nconst char B = '\\101' + 1;\nconst int C = 'ab';\n");
    let value = |name: &str| constant(&read, name).value;
    assert_eq!((value("A"), value("B"), value("C")), (Some(65), Some(66), None));
}

/// Each condition names those before it, until they are too many to be read.
#[test]
fn a_long_chain_of_conditions_is_counted_and_not_spelt_out() {
    let branch = |n: usize| format!("#elif BOARD == {n}\nconst int LANES = {n};\n");
    let text = format!(
        "#include \"board.h\"\n#if BOARD == 0\nconst int LANES = 0;\n{}#endif\n",
        (1..2000).map(branch).collect::<String>()
    );
    let read = header(&text);
    let condition = |at: usize| read.constants[at].condition.clone().unwrap();
    assert_eq!(read.constants.len(), 2000);
    assert_eq!(condition(1), "!(BOARD == 0) && BOARD == 1");
    assert_eq!(condition(1999), "none of the 1999 conditions since line 2 && BOARD == 1999");
    // Within its branch each is what it says.
    assert_eq!(read.constants[1999].value, Some(1999));
}

/// Bodies of one name: each has its own constant, and where they differ no one says which is meant from outside.
#[test]
fn bodies_of_one_name_keep_their_own_constants() {
    let body = |n: usize, extent: usize| {
        format!(
            "void f(int a{n}[{n}]) {{ const int T = {extent}; float b[T]; typedef float w_t; w_t c[T]; }}\n"
        )
    };
    let same = header(&(1..400).map(|n| body(n, 8)).collect::<String>());
    let extents = |read: &Header| -> Vec<Option<u64>> {
        read.functions.iter().map(|one| one.arrays[0].dims[0].value).collect()
    };
    assert_eq!(extents(&same), vec![Some(8); 399]);
    let other = header(&(1..400).map(|n| body(n, n)).collect::<String>());
    assert_eq!(extents(&other), vec![None; 399]);
}
