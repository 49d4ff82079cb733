//! Whole headers, from text to types.

use derate_frontend::{
    Alias, Header, Loaded, Outcome, Resolution, Resolver, Sources, Span, Trees, Wanted, parse,
    parse_all, parse_project,
};
use derate_names::{Lie, find_lie};
use proptest::prelude::*;

struct Read {
    sources: Sources,
    headers: Vec<Header>,
}

impl Read {
    fn new(text: &str) -> Self {
        Self::all(&[("a.h", text)])
    }

    fn all(texts: &[(&str, &str)]) -> Self {
        let mut sources = Sources::default();
        let files: Vec<_> = texts.iter().map(|(name, text)| sources.add(*name, *text)).collect();
        let headers = parse_all(&sources, &files);
        Self { sources, headers }
    }

    fn alias(&self, name: &str) -> &Alias {
        let mut all = self.headers.iter().flat_map(|header| &header.aliases);
        all.find(|alias| alias.qualified() == name).unwrap_or_else(|| panic!("no {name}"))
    }

    fn resolution(&self, name: &str) -> Resolution {
        Resolver::new(&self.headers, &self.sources).alias(self.alias(name))
    }

    fn shown(&self, name: &str) -> String {
        match self.resolution(name).outcome {
            Outcome::Known(kind) => kind.to_string(),
            Outcome::Unknown(reason) => format!("unknown: {reason}"),
        }
    }
}

const WEIGHTS: &str = "\
namespace smolvla {
using size_t = std::size_t;
using float32_t = float;
using bfloat16_t = float; // 16-bit brain float (TODO: real type)
const size_t HIDDEN_DIM = 960;
const size_t FFN_DIM = HIDDEN_DIM * 8 / 3;
namespace layers { namespace _0 {
extern const float32_t weight[HIDDEN_DIM][FFN_DIM];
} }
}
";

#[test]
fn a_weights_header_says_what_its_types_are() {
    let read = Read::new(WEIGHTS);
    let resolution = read.resolution("smolvla::bfloat16_t");
    assert_eq!(resolution.bits(), Some(32));
    assert_eq!(resolution.hops.len(), 1);
    let alias = read.alias("smolvla::bfloat16_t");
    assert!(matches!(find_lie(alias, &resolution), Some(Lie::Width { bits: 32, .. })));
    assert_eq!(alias.comment.as_ref().unwrap().text, "16-bit brain float (TODO: real type)");
    let array = &read.headers[0].arrays[0];
    assert_eq!(array.qualified(), "smolvla::layers::_0::weight");
    assert_eq!(array.elements(), Some(960 * 2560));
    assert_eq!(read.sources.slice(array.element_span), "float32_t");
    let resolver = Resolver::new(&read.headers, &read.sources);
    assert_eq!(resolver.array(array).known().unwrap().to_string(), "float[960][2560]");
    assert_eq!(
        find_lie(read.alias("smolvla::float32_t"), &read.resolution("smolvla::float32_t")),
        None
    );
}

#[test]
fn a_kernel_shows_its_ports_pragmas_and_calls() {
    let kernel = "#include \"w.h\"\n\
        extern \"C\" void top(const smolvla::bfloat16_t *x, float y[16][W], hls::stream<half>& s) {\n\
        #pragma HLS interface m_axi port=x bundle=gmem0 // one port\n\
        float local[W];\n\
        for (int i = 0; i < W; i++) {\n\
        #pragma HLS pipeline II=1\n\
        s.write(hls::exp(x[i])); }\n\
        gemm(x, y);\n}\n";
    let read =
        Read::all(&[("src/k.cpp", kernel), ("src/w.h", &format!("#define W (4 * 2)\n{WEIGHTS}"))]);
    let function = &read.headers[0].functions[0];
    assert_eq!(function.name, "top");
    assert_eq!(function.parameters[1].dims[1].value, Some(8));
    let callees: Vec<&str> = function.calls.iter().map(|call| call.callee.as_str()).collect();
    assert_eq!(callees, ["s.write", "hls::exp", "gemm"]);
    let pragmas: Vec<&str> = function.pragmas.iter().map(|pragma| pragma.text.as_str()).collect();
    assert_eq!(pragmas, ["HLS interface m_axi port=x bundle=gmem0", "HLS pipeline II=1"]);
    assert_eq!(function.arrays[0].elements(), Some(8));
    let resolver = Resolver::new(&read.headers, &read.sources);
    let shown = |index: usize| {
        let outcome = resolver.parameter(function, &function.parameters[index]);
        outcome.known().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!([shown(0), shown(1), shown(2)], ["float*", "float[16][8]", "hls::stream<half>"]);
}

#[test]
fn circles_unknown_names_and_conflicts_are_unknown() {
    let read = Read::new(
        "typedef b a; typedef a b; typedef gone c; typedef int d; typedef float d; typedef d e;\n\
         template <typename T> struct S { typedef T inner; };",
    );
    for (name, word) in [
        ("a", "in terms of itself"),
        ("c", "not declared"),
        ("d", "more than once"),
        ("e", "more than once"),
        ("S::inner", "template parameter `T`"),
    ] {
        assert!(read.shown(name).contains(word), "{name}: {}", read.shown(name));
    }
}

/// The same alias in sibling kernels is two aliases, and neither leaks into the other.
#[test]
fn siblings_do_not_see_each_other() {
    let read = Read::all(&[
        ("a.cpp", "typedef float data_t; typedef data_t x;"),
        ("b.cpp", "typedef ap_fixed<32, 14> data_t; typedef data_t y;"),
        ("c.cpp", "typedef data_t z;"),
    ]);
    assert_eq!(read.shown("x"), "float");
    assert_eq!(read.shown("y"), "ap_fixed<32, 14>");
    assert!(read.shown("z").contains("not included here"), "{}", read.shown("z"));
}

#[test]
fn undecided_branches_keep_their_condition() {
    let read = Read::new(
        "#ifdef __SYNTHESIS__\ntypedef half t;\n#else\ntypedef float t;\n#endif\ntypedef t u;",
    );
    let aliases = &read.headers[0].aliases;
    let conditions: Vec<_> = aliases.iter().map(|alias| alias.condition.as_deref()).collect();
    assert_eq!(conditions, [Some("defined(__SYNTHESIS__)"), Some("!defined(__SYNTHESIS__)"), None]);
    let resolver = Resolver::new(&read.headers, &read.sources);
    assert_eq!(resolver.alias(&aliases[0]).bits(), Some(16));
    assert_eq!(resolver.alias(&aliases[1]).bits(), Some(32));
    assert!(read.shown("u").contains("depends on `defined(__SYNTHESIS__)`"), "{}", read.shown("u"));
}

/// What a header's presence asks is open, but not where something beside it decides.
#[test]
fn a_question_for_a_header_leaves_the_rest_of_a_condition_alone() {
    let text = |condition: &str| {
        format!("#if {condition}\nusing t = float;\n#else\nusing t = double;\n#endif\n")
    };
    let conditions = |condition: &str| -> Vec<bool> {
        let read = Read::new(&text(condition));
        read.headers[0].aliases.iter().map(|alias| alias.condition.is_some()).collect()
    };
    assert_eq!(conditions("__has_include(<a/b.h>)"), [true, true]);
    assert_eq!(conditions("0 && __has_include(<a/b.h>)"), [false]);
    assert_eq!(conditions("1 || __has_include(\"b.h\")"), [false]);
}

/// Reading a header alone would give `float`: the macro is in what it includes.
#[test]
fn includes_are_followed_and_their_absence_is_told() {
    let text =
        "#include \"sdsoc.h\"\n#ifdef SDSOC\ntypedef half t;\n#else\ntypedef float t;\n#endif\n";
    let mut sources = Sources::default();
    let file = sources.add("src/datatype.h", text);
    let mut load = |wanted: &Wanted<'_>| {
        assert_eq!((wanted.includer, wanted.path), ("src/datatype.h", "sdsoc.h"));
        let (name, text) = ("src/sdsoc.h".to_owned(), "#define SDSOC\n".to_owned());
        Loaded::Text { name, text }
    };
    let headers = parse_project(&mut sources, &[file], &[], &mut load, &mut Trees::default());
    assert_eq!(headers.len(), 2);
    let resolver = Resolver::new(&headers, &sources);
    assert_eq!(headers[0].aliases.len(), 1);
    assert_eq!(resolver.alias(&headers[0].aliases[0]).bits(), Some(16));

    let alone =
        parse_project(&mut sources, &[file], &[], &mut |_| Loaded::Nowhere, &mut Trees::default());
    // The text is among the sources by now.
    assert_eq!(alone[0].aliases.len(), 1);
    let read = Read::new(text);
    assert_eq!(read.headers[0].aliases.len(), 2);
}

#[test]
fn syntax_errors_are_told_and_survived() {
    let read =
        Read::new("typedef float a;\nFOR_EACH(i, N) { int x = ; }\nint % y;\nusing b = double;\n");
    assert!(!read.headers[0].unparsed.is_empty());
    assert_eq!(read.shown("a"), "float");
    assert_eq!(read.shown("b"), "double");
}

#[test]
fn nothing_nests_deep_enough_to_fall_over() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(20_000), close.repeat(20_000));
    for text in [
        deep("namespace a {", "}"),
        deep("(", ")"),
        deep("{", "}"),
        deep("struct s {", "};"),
        format!("int x{};", deep("[", "]")),
        format!("typedef {} t;", deep("a<", ">")),
        format!("const int n = {}1{};", "(".repeat(20_000), ")".repeat(20_000)),
        format!("const int n = {}1;", "1+".repeat(20_000)),
        "#if X\n".repeat(20_000),
        "#if 1\n".repeat(20_000),
        "*".repeat(20_000),
        format!("void f() {{ {} }}", deep("{", "}")),
        format!("void f() {{ {} }}", deep("g(", ")")),
    ] {
        let read = Read::new(&text);
        let resolver = Resolver::new(&read.headers, &read.sources);
        for alias in &read.headers[0].aliases {
            let _ = resolver.alias(alias);
        }
    }
    // Each alias on its own is a step; together they are too long a way.
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let chain = lines(5_000, |i| format!("typedef t{} t{i};\n", i + 1));
    assert!(Read::new(&chain).shown("t0").starts_with("unknown"));
    let chain = lines(5_000, |i| format!("const int c{i} = c{} + 1;\n", i + 1));
    assert_eq!(Read::new(&chain).headers[0].constants[0].value, None);
    // Sizes double at each level.
    let bomb = lines(59, |i| format!("struct s{} {{ s{i} a; s{i} b; }};\n", i + 1));
    let read = Read::new(&format!("struct s0 {{ int x; }};\n{bomb}typedef s59 t;"));
    assert!(read.shown("t").starts_with("unknown"));
}

fn inside(sources: &Sources, span: Span) -> bool {
    let text = sources.text(span.file);
    span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_text_is_read_and_every_span_lies_on_boundaries(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "typedef ", "using ", "namespace ", "struct ", "enum ", "template<", "const ", "int ",
            "float ", "a", "b", "N", "é", "权", "{", "}", "(", ")", "<", ">", "[", "]", ";", ",", "=",
            "*", ":", "::", "\n", "\r\n", "#define ", "#if ", "#ifdef ", "#else\n", "#endif\n",
            "#include \"a.h\"\n", "#pragma HLS x\n", "// c\n", "/*", "*/", "\"", "'", "\\\n", "${X}",
            "@Y@", "{{ z }}", "ap_int<", "8", "+", "1", "typename T>", "void f()", "__attribute__((",
        ]), 0..60),
    ) {
        let mut sources = Sources::default();
        let file = sources.add("a.h", pieces.concat());
        let header = parse(&sources, file);
        let resolver = Resolver::new(std::slice::from_ref(&header), &sources);
        for alias in &header.aliases {
            prop_assert!(inside(&sources, alias.span) && inside(&sources, alias.name_span));
            let _ = find_lie(alias, &resolver.alias(alias));
        }
        for constant in &header.constants {
            prop_assert!(inside(&sources, constant.span) && inside(&sources, constant.name_span));
        }
        for array in header.arrays.iter().chain(header.functions.iter().flat_map(|f| &f.arrays)) {
            prop_assert!(inside(&sources, array.span) && inside(&sources, array.element_span));
            prop_assert!(array.dims.iter().all(|dim| inside(&sources, dim.span)));
        }
        for function in &header.functions {
            prop_assert!(inside(&sources, function.span) && inside(&sources, function.name_span));
        }
        for span in header.unparsed.iter().map(|one| one.span)
            .chain(header.pragmas.iter().map(|one| one.span))
            .chain(header.includes.iter().map(|one| one.span))
        {
            prop_assert!(inside(&sources, span));
        }
    }
}
