//! Inputs that once took far too long, found by fuzzing or by hand: each is given up with a reason.

use derate_frontend::{Header, Outcome, Resolver, Sources, parse};

fn read(text: &str) -> (Sources, Header) {
    let mut sources = Sources::default();
    let file = sources.add("a.cpp", text);
    let header = parse(&sources, file);
    (sources, header)
}

fn is_cut(header: &Header) -> bool {
    header.unparsed.iter().any(|one| one.reason.contains("more than 256"))
}

/// The grammar compares both readings of each `a<`: 60 kB took 12 s and more.
#[test]
fn nested_template_arguments_are_cut() {
    for (open, close) in [("ap_int<", ">"), ("p<a,", ">"), ("a<b>::c<", ">"), ("a.b<", ">()")] {
        let depth = 60_000 / (open.len() + close.len());
        let text = format!("using a = {}8{};\n", open.repeat(depth), close.repeat(depth));
        for text in [text.clone(), format!("void f() {{ {text} }}\n")] {
            let text = format!("using first = float;\n{text}using last = float;\n");
            let (sources, header) = read(&text);
            assert!(is_cut(&header), "{open}: {:?}", header.unparsed);
            assert!(header.aliases.iter().any(|alias| alias.name == "first"));
            let headers = [header];
            let resolver = Resolver::new(&headers, &sources);
            for alias in headers[0].aliases.iter().filter(|alias| alias.name == "a") {
                assert!(matches!(resolver.alias(alias).outcome, Outcome::Unknown(_)), "{open}");
            }
        }
    }
}

#[test]
fn attributes_without_a_declaration_are_cut() {
    for text in ["[[a]] ".repeat(10_000), format!("void f() {{ {} }}", "[[a]] ".repeat(10_000))] {
        assert!(is_cut(&read(&text).1));
    }
}

/// Each of 6,000 declarators looked through all of them for a `const`: 60 kB took 6 s.
#[test]
fn a_declaration_of_thousands_of_arrays_is_read() {
    let names: Vec<String> = (0..6000).map(|at| format!("a{at}[2]")).collect();
    let (_, header) = read(&format!("extern const float {};\n", names.join(", ")));
    assert_eq!(header.arrays.len(), names.len());
    assert!(header.arrays.iter().all(|array| array.constant && array.element == "float"));
}

/// Each struct looked through all pragmas before it.
#[test]
fn the_last_pack_before_a_struct_counts() {
    let some = |from: usize| {
        let one = |at| format!("#pragma HLS inline\nstruct s{at} {{ char a; int b; }};\n");
        (from..from + 1000).map(one).collect::<String>()
    };
    let text = format!(
        "#pragma pack(push, 1)\n{}#pragma pack(pop)\n{}#pragma pack (2)\n{}",
        some(0),
        some(1000),
        some(2000)
    );
    let (_, header) = read(&text);
    let adjusted: Vec<bool> = header.structures.iter().map(|one| one.adjusted).collect();
    assert_eq!(adjusted, [[true; 1000], [false; 1000], [true; 1000]].concat());
}

/// Each argument was expanded inside the last one's: 12 kB ended the process.
#[test]
fn calls_of_macros_inside_their_arguments_are_given_up() {
    let calls = format!("{}1{}", "F(".repeat(4000), ")".repeat(4000));
    let text = format!(
        "#define F(x) x\n#define G F(F(F(7)))\n#if {calls}\nusing a = half;\n#endif\nusing t = ap_int<{calls}>;\nusing u = ap_int<G>;\n"
    );
    let (sources, header) = read(&text);
    let headers = [header];
    let resolver = Resolver::new(&headers, &sources);
    let outcome = |name: &str| {
        let alias = headers[0].aliases.iter().find(|alias| alias.name == name).unwrap();
        resolver.alias(alias).outcome
    };
    assert!(matches!(outcome("t"), Outcome::Unknown(_)));
    assert!(matches!(outcome("u"), Outcome::Known(_)));
}

/// Branches that open the same brace cannot both be read: of those about synthesis the tool's is, else the first.
#[test]
fn branches_that_open_the_same_bracket_are_read_one_at_a_time() {
    let loops = |head: &str| {
        let text = format!(
            "#include \"gone.h\"\nvoid f(int n) {{\n{head}\n  ONE: for (int i = 0; i < 4; i++) {{\n#else\n  TWO: for (int i = 0; i < 2; i++) {{\n#endif\n    n++;\n  }}\n}}\n"
        );
        let (_, header) = read(&text);
        assert!(header.unparsed.is_empty(), "{head}: {:?}", header.unparsed);
        let labels = header.functions[0].loops.iter().filter_map(|one| one.label.clone());
        labels.collect::<Vec<String>>()
    };
    assert_eq!(loops("#ifndef __SYNTHESIS__"), ["TWO"]);
    assert_eq!(loops("#if !defined( __SYNTHESIS__ )"), ["TWO"]);
    assert_eq!(loops("#ifdef __SYNTHESIS__"), ["ONE"]);
    assert_eq!(loops("#ifdef OF_A_HEADER"), ["ONE"]);
    // Each branch by itself is whole: both are read.
    let whole = "#include \"gone.h\"\n#ifdef OF_A_HEADER\ntypedef int one_t;\n#else\ntypedef char two_t;\n#endif\n";
    assert_eq!(read(whole).1.aliases.len(), 2);
}
