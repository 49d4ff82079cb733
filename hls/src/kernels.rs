//! The texts of the kernels in `kernels`, and of the headers in `sim`, as files with their names.

/// The kernels, in the order of their names.
pub const SOURCES: [(&str, &str); 6] = [
    ("gemm_bf16.cpp", include_str!("../kernels/gemm_bf16.cpp")),
    ("gemm_f32.cpp", include_str!("../kernels/gemm_f32.cpp")),
    ("gemm_i8.cpp", include_str!("../kernels/gemm_i8.cpp")),
    ("memcpy.cpp", include_str!("../kernels/memcpy.cpp")),
    ("read.cpp", include_str!("../kernels/read.cpp")),
    ("write.cpp", include_str!("../kernels/write.cpp")),
];

/// What a kernel may include though it is not beside it: the vendor's headers for emulation, and derate's.
pub const HEADERS: [(&str, &str); 18] = [
    ("ap_axi_sdata.h", include_str!("../sim/ap_axi_sdata.h")),
    ("ap_int.h", include_str!("../sim/ap_int.h")),
    ("ap_utils.h", include_str!("../sim/ap_utils.h")),
    ("hls_directio.h", include_str!("../sim/hls_directio.h")),
    ("hls_math.h", include_str!("../sim/hls_math.h")),
    ("hls_print.h", include_str!("../sim/hls_print.h")),
    ("hls_stream.h", include_str!("../sim/hls_stream.h")),
    ("hls_vector.h", include_str!("../sim/hls_vector.h")),
    ("port.h", include_str!("../kernels/port.h")),
    ("derate/ap_operand.h", include_str!("../sim/derate/ap_operand.h")),
    ("derate/ap_operators.h", include_str!("../sim/derate/ap_operators.h")),
    ("derate/ap_reference.h", include_str!("../sim/derate/ap_reference.h")),
    ("derate/ap_value.h", include_str!("../sim/derate/ap_value.h")),
    ("derate/frame.h", include_str!("../sim/derate/frame.h")),
    ("derate/kernel.h", include_str!("../sim/derate/kernel.h")),
    ("derate/opencl_c.h", include_str!("../sim/derate/opencl_c.h")),
    ("derate/port.h", include_str!("../sim/derate/port.h")),
    ("derate/updates.h", include_str!("../sim/derate/updates.h")),
];

/// The words of `OpenCL` C that readers of C++ do without, and what they mean there.
const OPENCL_C: [(&str, &str); 11] = [
    ("kernel", ""),
    ("__kernel", ""),
    ("global", ""),
    ("__global", ""),
    ("local", ""),
    ("__local", ""),
    ("constant", "const"),
    ("__constant", "const"),
    ("restrict", ""),
    ("__restrict", ""),
    ("__attribute__", ""),
];

/// `OpenCL` C as readers of C++ take it, each byte at its place: what `derate/opencl_c.h` does for the compiler.
pub fn read_opencl_c(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, at) = rest.split_at(start);
        let (word, after) = at.split_at(at.find(|sign| !is_word(sign)).unwrap_or(at.len()));
        read.push_str(before);
        match OPENCL_C.iter().find(|(known, _)| *known == word) {
            Some((_, meaning)) => {
                read.push_str(meaning);
                read.extend(std::iter::repeat_n(' ', word.len().saturating_sub(meaning.len())));
            }
            None => read.push_str(word),
        }
        rest = after;
        // An attribute goes with its brackets.
        if word == "__attribute__" {
            let length = bracketed(rest);
            let (brackets, after) = rest.split_at(length);
            read.extend(brackets.chars().map(|sign| if sign == '\n' { sign } else { ' ' }));
            rest = after;
        }
    }
    read.push_str(rest);
    read
}

/// The bytes up to the bracket that closes the first one.
fn bracketed(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' if depth > 1 => depth -= 1,
            ')' if depth == 1 => return at + 1,
            _ if depth == 0 && !sign.is_whitespace() => return 0,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    #[test]
    fn opencl_c_is_read_as_cpp() {
        let text = "kernel __attribute__((a(1, 1))) void f(global const int* p) { int globals; }";
        let read = super::read_opencl_c(text);
        assert_eq!(read.len(), text.len());
        let words: Vec<&str> = read.split_whitespace().collect();
        assert_eq!(words.join(" "), "void f( const int* p) { int globals; }");
    }
}
