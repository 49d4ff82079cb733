//! Words that only code for high-level synthesis has.

/// Directives, types and namespaces of Vitis, Catapult, Stratus, `LegUp`, Intel and TAPA.
const WORDS: [&str; 29] = [
    "#pragma HLS",
    "#pragma hls",
    "#pragma ACCEL",
    "#pragma LEGUP",
    "#pragma SDS",
    "ap_int<",
    "ap_int.h",
    "ap_uint<",
    "ap_fixed<",
    "ap_fixed.h",
    "ap_ufixed<",
    "ap_float",
    "ap_axi",
    "hls::",
    // The vendor's library for images, whose types and functions are kernels.
    "xf::",
    "hls_stream",
    "tapa::",
    "tapa.h",
    "ac_int",
    "ac_fixed",
    "ac_float",
    "ac_channel",
    "stratus_hls.h",
    "cynw_",
    "cynthhl.h",
    "ihc::",
    "HLS/hls.h",
    "sycl::",
    "sycl.hpp",
];

/// The first letters of these words.
const FIRST: [u8; 9] = *b"#ahxtisHc";

/// Whether a text is for a tool of synthesis, by its words: `map_int` is not one of them.
pub fn is_for_synthesis(text: &str) -> bool {
    let is_whole = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|one| one.is_alphanumeric() || one == '_')
    };
    let starts = |at: usize| {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        WORDS.iter().any(|word| rest.starts_with(word.as_bytes()))
    };
    let mut letters = text.bytes().enumerate();
    letters.any(|(at, letter)| FIRST.contains(&letter) && starts(at) && is_whole(at))
}

#[cfg(test)]
mod tests {
    use super::is_for_synthesis;

    #[test]
    fn every_word_has_a_first_letter() {
        assert!(super::WORDS.iter().all(|word| super::FIRST.contains(&word.as_bytes()[0])));
        assert!(super::WORDS.iter().all(|word| is_for_synthesis(word)));
    }

    #[test]
    fn words_count_from_their_first_letter_on() {
        for text in [
            "ap_int<8> a;",
            "std::ap_uint<3>",
            " #pragma HLS inline",
            "\"HLS/hls.h\"",
            "xf::Mat<0, 8, 8>& in",
        ] {
            assert!(is_for_synthesis(text), "{text}");
        }
        for text in [
            "int map_int<8>;",
            "typedef long int32;",
            "// Vivado HLS/2019",
            "my_hls::f()",
            "xyxf::f()",
        ] {
            assert!(!is_for_synthesis(text), "{text}");
        }
    }
}
