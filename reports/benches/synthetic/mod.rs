//! Sources that nobody wrote: as large as asked for, and the same at every run.

use std::fmt::Write as _;

/// What a project of some size is made of: kernels with pragmas and loops, aliases, constants, macros, and the tables that
/// a weight exporter writes. One function in four has a name that others have too.
pub(crate) fn project(bytes: usize) -> String {
    let mut text = String::from("#pragma once\n#include <ap_fixed.h>\n#include <hls_stream.h>\n");
    let mut part = 0;
    while text.len() < bytes {
        match part % 8 {
            0 => types(&mut text, part),
            1 => macros(&mut text, part),
            2 => table(&mut text, part),
            3 => weights(&mut text, part),
            4 => variants(&mut text, part),
            _ => kernel(&mut text, part, part % 4 == 1),
        }
        part += 1;
    }
    text
}

/// Functions that all have one name, each with a loop that calls it.
pub(crate) fn same_names(functions: usize) -> String {
    let mut text = String::new();
    for n in 0..functions {
        let _ = writeln!(
            text,
            "template <int N> void load(const float in[N], float out[N], int variant_{n}) {{\n  \
             for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline II=1\n    out[i] = in[i] * {n}.0f;\n  }}\n  \
             store(in, out, variant_{n});\n  load(in, out, variant_{n});\n}}"
        );
    }
    text
}

/// One conditional with a branch for every board.
pub(crate) fn branches(count: usize) -> String {
    let mut text = String::from("#include \"board.h\"\n#if BOARD == 0\nconst int LANES = 0;\n");
    for n in 1..count {
        let _ = writeln!(text, "#elif BOARD == {n}\nconst int LANES_{n} = {n};");
    }
    text + "#endif\n"
}

/// Declarations of arrays, as a weight header without its values has them.
pub(crate) fn arrays(count: usize) -> String {
    let mut text = String::from("typedef float w_t;\n");
    for n in 0..count {
        let _ = writeln!(text, "extern const w_t layer_{n}_w[{}];", 1 + n % 768);
    }
    text
}

/// Aliases of aliases.
pub(crate) fn aliases(count: usize) -> String {
    let mut text = String::from("typedef float t_0;\n");
    for n in 1..count {
        let _ = writeln!(text, "typedef t_{} t_{n};", n - 1);
    }
    text
}

fn types(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "\nnamespace layer_{n} {{\n// bf16 weights, as the checkpoint stores them\ntypedef float weight_{n}_t;\n\
         using act_{n}_t = ap_fixed<16, 6>;\nusing acc_{n}_t = ap_fixed<32, 12>;\n\
         using lane_{n}_t = hls::vector<act_{n}_t, 16>;\n\
         constexpr int ROWS = {};\nconstexpr int COLS = {};\nconstexpr int TILES = (ROWS + 15) / 16 * COLS;\n\
         struct packet_{n} {{\n  act_{n}_t data[16];\n  ap_uint<16> keep;\n  bool last;\n}};\n}} // namespace\n",
        64 + n % 192,
        128 + n % 640
    );
}

fn macros(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "\n#define WIDTH_{n} {}\n#define DEPTH_{n} (WIDTH_{n} * 4)\n#define DATA_{n}_TYPE ap_uint<WIDTH_{n}>\n\
         #define MIN_{n}(a, b) ((a) < (b) ? (a) : (b))\n\
         #define CLEAR_{n}(x) for (int k = 0; k < DEPTH_{n}; k++) (x)[k] = 0\n\
         static const int LIMIT_{n} = MIN_{n}(DEPTH_{n}, 1024);\n",
        8 + n % 500
    );
}

fn table(text: &mut String, n: usize) {
    let _ = write!(text, "\nstatic const float bias_{n}[256] = {{");
    for at in 0..256 {
        let break_line = if at % 8 == 0 { "\n    " } else { " " };
        let _ = write!(text, "{break_line}{:.6}f,", ((n * 131 + at) % 2000) as f64 / 1e3 - 1.0);
    }
    text.push_str("\n};\n");
}

fn weights(text: &mut String, n: usize) {
    let _ = writeln!(text, "\nnamespace model {{\nnamespace layers {{\nnamespace _{n} {{");
    for name in ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"] {
        let _ =
            writeln!(text, "  extern const float {name}_weight[{}][960]; // {name}", 320 + n % 640);
    }
    text.push_str("}\n}\n}\n");
}

fn variants(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "\n#ifdef USE_FIXED_{n}\ntypedef ap_fixed<16, 8> data_{n}_t;\n#else\ntypedef float data_{n}_t;\n#endif\n\
         #ifndef __SYNTHESIS__\nvoid dump_{n}(const data_{n}_t* x, int count);\n#endif\n"
    );
}

fn kernel(text: &mut String, n: usize, overloaded: bool) {
    let name = if overloaded { "compute_tile".to_owned() } else { format!("matmul_{n}") };
    let _ = write!(
        text,
        "\n/* One tile of the product; the weights stay on chip. */\n\
         void {name}(const float* in, const float weight[{rows}][{columns}], float* out, int rows_{n}) {{\n\
         #pragma HLS INTERFACE m_axi port=in bundle=gmem0 offset=slave\n\
         #pragma HLS INTERFACE m_axi port=out bundle=gmem1 offset=slave\n\
         \x20 float buffer[{columns}];\n\
         #pragma HLS array_partition variable=buffer cyclic factor=16\n\
         \x20 const int tiles = {columns} / 16;\n\
         load_rows:\n  for (int i = 0; i < {columns}; i++) {{\n\
         #pragma HLS pipeline II=1\n    buffer[i] = in[i];\n  }}\n\
         \x20 for (int row = 0; row < {rows}; row++) {{\n    float sum = 0; // accumulates in float\n\
         \x20   for (int tile = 0; tile < tiles; tile++) {{\n#pragma HLS pipeline II=4\n\
         \x20     for (int lane = 0; lane < 16; lane++) {{\n#pragma HLS unroll\n\
         \x20       sum += buffer[tile * 16 + lane] * weight[row][tile * 16 + lane];\n      }}\n    }}\n\
         \x20   if (sum > 0) {{\n      out[row] = sum;\n    }} else {{\n      out[row] = 0;\n    }}\n  }}\n\
         \x20 compute_tile(buffer, weight, out, rows_{n});\n  activate(out, {rows});\n}}\n",
        rows = 64 + n % 192,
        columns = 16 * (8 + n % 40),
    );
}
