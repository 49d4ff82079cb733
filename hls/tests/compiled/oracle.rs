//! The compiler as an oracle: headers in the manner of public projects, and the width of every alias in them by the
//! reader and by C++ with the vendor's headers.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use derate_hls::{Resolver, Sources, parse_all};

use super::{VENDORS_OWN, compile, said, vendors};

/// How many headers there are; each has all families once.
const HEADERS: usize = 70;
/// So many aliases must be known to both.
const LEAST: usize = 2000;

/// Numbers that are the same in each run.
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn from(&mut self, least: u64, most: u64) -> u64 {
        least + self.next(most - least + 1)
    }
}

/// One header: its text, the names to be asked for, and what the oracle must know of its structs.
#[derive(Default)]
struct Made {
    text: String,
    names: Vec<String>,
    structs: Vec<(String, Vec<&'static str>)>,
}

impl Made {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// An alias, by `typedef` or by `using`.
    fn alias(&mut self, draw: &mut Draw, kind: &str, name: &str) {
        let line = match draw.next(3) {
            0 => format!("using {name} = {kind};"),
            1 => format!("typedef {kind} {name};"),
            _ => format!("typedef {kind} {name}; // as the tool has it"),
        };
        self.line(&line);
        self.names.push(name.to_owned());
    }
}

/// The header of a number. Macros have the number in their names, all else is in a namespace of its own.
fn make_header(number: usize) -> Made {
    let draw = &mut Draw(0x5eed + number as u64);
    let mut made = Made::default();
    made.line("#include <ap_int.h>\n#include <ap_fixed.h>\n#include <cstdint>\n#include <cstddef>\n#include <type_traits>");
    let (w, i) = (draw.from(2, 60), draw.from(1, 12));
    let _ = writeln!(
        made.text,
        "#define W{number} {w}\n#define I{number} ({i} + 1)\n#define TWICE{number}(x) ((x) * 2)"
    );
    let _ = writeln!(
        made.text,
        "#define FX{number}(w, i) ap_fixed<w, i, AP_RND, AP_SAT>\n#define WORD{number}(kind) ap_##kind<W{number}>"
    );
    let _ = writeln!(made.text, "namespace p{number} {{");
    plain(&mut made, draw);
    by_macros(&mut made, draw, number);
    by_constants(&mut made, draw);
    by_templates(&mut made, draw);
    by_settings(&mut made, draw);
    by_shape(&mut made, draw);
    by_conditions(&mut made, draw, number);
    made.line("}");
    made
}

fn plain(made: &mut Made, draw: &mut Draw) {
    let words = [
        "unsigned char",
        "signed char",
        "short",
        "unsigned short int",
        "int",
        "unsigned",
        "long long",
        "unsigned long long int",
        "float",
        "double",
        "bool",
        "int8_t",
        "uint16_t",
        "std::int32_t",
        "std::uint64_t",
        "size_t",
        "long int unsigned",
    ];
    for name in ["plain_a", "plain_b", "plain_c"] {
        let at = usize::try_from(draw.next(words.len() as u64)).unwrap();
        made.alias(draw, words[at], name);
    }
    let (w, i, u) = (draw.from(1, 300), draw.from(1, 40), draw.from(1, 128));
    made.alias(draw, &format!("ap_int<{w}>"), "index_t");
    made.alias(draw, &format!("ap_uint<{u:#x}>"), "flags_t");
    made.alias(draw, &format!("ap_fixed<{}, {}>", i + 3, i), "act_t");
    made.alias(draw, &format!("ap_ufixed<{}, -{}, AP_RND_CONV, AP_SAT>", i + 2, i), "scale_t");
    made.alias(draw, "act_t", "result_t");
    made.alias(draw, "const volatile result_t", "out_t");
}

fn by_macros(made: &mut Made, draw: &mut Draw, number: usize) {
    made.alias(draw, &format!("ap_uint<W{number}>"), "word_t");
    made.alias(draw, &format!("ap_int<W{number} * I{number}>"), "product_t");
    made.alias(draw, &format!("ap_int<TWICE{number}(W{number} + 1) - 1>"), "twice_t");
    made.alias(draw, &format!("FX{number}(W{number} + 8, I{number})"), "sum_t");
    made.alias(draw, &format!("WORD{number}(uint)"), "pasted_t");
    let (a, b) = (draw.from(1, 9), draw.from(1, 4));
    made.alias(draw, &format!("ap_uint<({a} << {b}) | 1>"), "shifted_t");
    made.alias(draw, &format!("ap_uint<(W{number} > 20 ? {a} : {b} + 2)>"), "chosen_t");
    made.alias(draw, &format!("ap_uint<sizeof(double) * 8 + {b}>"), "sized_t");
    made.alias(draw, "ap_uint<sizeof(word_t) * 8>", "carrier_t");
}

fn by_constants(made: &mut Made, draw: &mut Draw) {
    let (n, m) = (draw.from(2, 24), draw.from(2, 9));
    made.line(&format!(
        "const int N = {n};\nstatic const unsigned M = {m}u;\nconstexpr int both = N * M;"
    ));
    made.line(&format!("enum {{ FIRST = {m}, SECOND, LAST = SECOND * 2 }};\nenum class mode : unsigned char {{ a, b }};"));
    made.line("constexpr int clog2(int x) { return x <= 1 ? 0 : 1 + clog2((x + 1) / 2); }");
    made.line("namespace inner { const int DEPTH = N + 5; typedef ap_uint<DEPTH> depth_t; }");
    made.names.push("inner::depth_t".to_owned());
    made.alias(draw, "ap_int<N>", "n_t");
    made.alias(draw, "ap_int<both / 2 + 1>", "half_t");
    made.alias(draw, "ap_uint<LAST>", "last_t");
    made.alias(draw, "ap_uint<clog2(both) + 1>", "count_t");
    made.alias(draw, "mode", "mode_t");
    made.alias(draw, "ap_uint<inner::DEPTH % 7 + 1>", "rest_t");
    made.alias(draw, "inner::depth_t", "deep_t");
}

fn by_templates(made: &mut Made, draw: &mut Draw) {
    let (a, b, c) = (draw.from(1, 30), draw.from(2, 8), draw.from(1, 16));
    made.line("template <typename T, int K = 4, int W = K * 8> struct lane {\n  typedef T value_type;\n  typedef ap_uint<W> bus_t;\n  typedef T row_t[K];\n  static const int width = W;\n};");
    made.line("template <> struct lane<bool, 1, 8> { typedef ap_uint<1> bus_t; static const int width = 1; };");
    made.line("template <int A, int B> using sum_of = ap_int<A + B>;");
    made.line("template <typename T> struct bits { static const int value = sizeof(T) * 8; };");
    made.line("template <int W> struct bits<ap_int<W> > { static const int value = W; };");
    made.line("template <int W> struct bits<ap_uint<W> > { static const int value = W; };");
    made.line("template <int W, bool S> struct number { typedef ap_int<W> type; };");
    made.line("template <int W> struct number<W, false> { typedef ap_uint<W> type; };");
    made.line("template <typename T> struct outer { template <int K> struct nested { typedef T block_t[K]; }; };");
    made.alias(draw, "lane<float>::bus_t", "bus_t");
    made.alias(draw, &format!("lane<short, {b}>::bus_t"), "short_bus_t");
    made.alias(draw, &format!("lane<ap_uint<{c}>, {b}>::row_t"), "row_t");
    made.alias(draw, "lane<bool, 1, 8>::bus_t", "flag_bus_t");
    made.alias(draw, "lane<row_t>::value_type", "again_t");
    made.alias(draw, &format!("sum_of<{a}, {b}>"), "sum_of_t");
    made.alias(
        draw,
        &format!("ap_uint<bits<ap_int<{a}> >::value + bits<ap_uint<{c}> >::value>"),
        "both_t",
    );
    made.alias(draw, "ap_uint<bits<float>::value>", "raw_t");
    made.alias(draw, &format!("number<{a}, true>::type"), "signed_t");
    made.alias(draw, &format!("number<{a}, ({b} < 0)>::type"), "unsigned_t");
    made.alias(draw, &format!("outer<ap_int<{c}> >::nested<{b}>::block_t"), "block_t");
    made.alias(draw, &format!("ap_uint<lane<int, {b}>::width / 2>"), "narrow_t");
    made.alias(
        draw,
        &format!("std::conditional<({a} > 15), ap_int<{a}>, short>::type"),
        "either_t",
    );
}

fn by_settings(made: &mut Made, draw: &mut Draw) {
    let (n, w) = (draw.from(2, 20), draw.from(4, 24));
    made.line(&format!("struct base_config {{ static const unsigned n_in = {n}; typedef ap_fixed<{w}, 4> weight_t; }};"));
    made.line("struct layer_config : base_config { static const unsigned n_out = n_in * 2; typedef ap_fixed<weight_t::width + 8, 8> accum_t; };");
    made.line("template <typename CONFIG> struct layer {\n  typedef typename CONFIG::weight_t weight_t;\n  typedef ap_uint<CONFIG::n_out> mask_t;\n  typedef typename CONFIG::accum_t sums_t[CONFIG::n_in];\n};");
    made.alias(draw, "layer_config::weight_t", "weight_t");
    made.alias(draw, "layer_config::accum_t", "accum_t");
    made.alias(draw, "layer<layer_config>::weight_t", "layer_weight_t");
    made.alias(draw, "layer<layer_config>::mask_t", "mask_t");
    made.alias(draw, "layer<layer_config>::sums_t", "sums_t");
}

fn by_shape(made: &mut Made, draw: &mut Draw) {
    let (a, b, c) = (draw.from(1, 12), draw.from(1, 40), draw.from(1, 5));
    made.line(&format!("typedef ap_uint<{b}> line_t[{a}][{c}];"));
    made.names.push("line_t".to_owned());
    made.line(&format!("typedef struct {{ ap_int<{b}> x; unsigned char tag; double y; ap_uint<{a}> rest[{c}]; }} sample_t;"));
    made.structs.push(("sample_t".to_owned(), vec!["x", "tag", "y", "rest"]));
    made.line(&format!("struct head {{ short id; ap_uint<{b}> at; }};\ntypedef head head_t;"));
    made.structs.push(("head_t".to_owned(), vec!["id", "at"]));
    made.line(
        "struct message { head_t head; sample_t body; bool last; };\ntypedef message message_t;",
    );
    made.structs.push(("message_t".to_owned(), vec!["head", "body", "last"]));
    made.names.extend(["sample_t", "head_t", "message_t"].map(str::to_owned));
    made.alias(draw, "message_t", "packet_t");
    made.line("typedef message_t burst_t[3];");
    made.names.push("burst_t".to_owned());
}

fn by_conditions(made: &mut Made, draw: &mut Draw, number: usize) {
    let (a, b) = (draw.from(1, 30), draw.from(31, 60));
    made.line(&format!("#if W{number} > 30 && defined(I{number})\ntypedef ap_int<{a}> switched_t;\n#else\ntypedef ap_int<{b}> switched_t;\n#endif"));
    made.line(&format!("#ifdef NOT_SET_{number}\ntypedef float sim_t;\n#else\ntypedef ap_fixed<{b}, 9> sim_t;\n#endif"));
    made.names.extend(["switched_t", "sim_t"].map(str::to_owned));
    made.alias(draw, "sim_t", "used_t");
}

/// What the compiler knows the width of; for a struct it is the sum of its members, as the reader counts.
const WIDTHS: &str = "\
#include <cstdio>
template <class T> struct width { static const unsigned long bits = sizeof(T) * 8; };
template <class T> struct width<const volatile T> : width<T> {};
template <> struct width<bool> { static const unsigned long bits = 1; };
template <int W> struct width<ap_int<W> > { static const unsigned long bits = W; };
template <int W> struct width<ap_uint<W> > { static const unsigned long bits = W; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N> struct width<ap_fixed<W, I, Q, O, N> > { static const unsigned long bits = W; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N> struct width<ap_ufixed<W, I, Q, O, N> > { static const unsigned long bits = W; };
template <class T, std::size_t N> struct width<T[N]> { static const unsigned long bits = N * width<T>::bits; };
struct row { const char *name; unsigned long bits, bytes; };
";

/// Every alias that the reader and the compiler both know has one width, and one size where the reader gives one.
pub(super) fn widths_are_what_the_compiler_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let made: Vec<Made> = (0..HEADERS).map(make_header).collect();
    let mut sources = Sources::default();
    let files: Vec<_> = made
        .iter()
        .enumerate()
        .map(|(number, one)| sources.add(format!("p{number}.h"), one.text.as_str()))
        .collect();
    let headers = parse_all(&sources, &files);
    let resolver = Resolver::new(&headers, &sources);

    let texts: String = made.iter().map(|one| one.text.as_str()).collect();
    let mut program = format!("{texts}{WIDTHS}");
    let mut rows = String::new();
    for (number, one) in made.iter().enumerate() {
        for (name, members) in &one.structs {
            let sum: Vec<String> = members
                .iter()
                .map(|member| format!("width<decltype(p{number}::{name}::{member})>::bits"))
                .collect();
            let sum = sum.join(" + ");
            let _ = writeln!(
                program,
                "template <> struct width<p{number}::{name}> {{ static const unsigned long bits = {sum}; }};"
            );
        }
        for name in &one.names {
            let _ = writeln!(
                rows,
                "  {{\"p{number}::{name}\", width<p{number}::{name}>::bits, sizeof(p{number}::{name})}},"
            );
        }
    }
    let _ = writeln!(
        program,
        "int main() {{\n  static const row all[] = {{\n{rows}  }};\n  for (const row &one : all) std::printf(\"%s %lu %lu\\n\", one.name, one.bits, one.bytes);\n}}"
    );
    let source = folder.join("oracle.cpp");
    std::fs::write(&source, program).unwrap();
    let headers_of_vendor = vendors().display().to_string();
    let flags = [&["-std=c++17", "-O0", "-w"][..], &VENDORS_OWN, &[&headers_of_vendor]].concat();
    let compiled = compile(&flags, &source, Some(&folder.join("oracle")));
    assert!(compiled.status.success(), "{}", said(&compiled));
    let printed = Command::new(folder.join("oracle")).output().unwrap();
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();

    let aliases: std::collections::BTreeMap<String, _> = headers
        .iter()
        .flat_map(|header| &header.aliases)
        .map(|alias| (alias.qualified(), alias))
        .collect();
    let (mut agreed, mut unknown, mut wrong) = (0, Vec::new(), Vec::new());
    for line in printed.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, bits, bytes] = words[..] else { panic!("{line}") };
        let alias = aliases.get(name).unwrap_or_else(|| panic!("{name} is not read"));
        let resolution = resolver.alias(alias);
        let Some(ours) = resolution.bits() else {
            unknown.push(format!("{name}: {:?}", resolution.unknown()));
            continue;
        };
        let size = resolution.known().and_then(derate_hls::HlsType::bytes_in_memory);
        let sized = size.is_none_or(|size| size.to_string() == bytes);
        if ours.to_string() == bits && sized {
            agreed += 1;
        } else {
            wrong.push(format!("{line}, but {ours} bits and {size:?} bytes"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(agreed >= LEAST, "{agreed} agree:\n{}", unknown.join("\n"));
    assert!(unknown.len() * 50 < agreed, "not known:\n{}", unknown.join("\n"));
}
