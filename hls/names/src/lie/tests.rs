use crate::find_lie;
use derate_frontend::{Resolver, Sources, parse};

fn kind(text: &str) -> Option<&'static str> {
    let mut sources = Sources::default();
    let file = sources.add("a.h", text);
    let headers = [parse(&sources, file)];
    let resolver = Resolver::new(&headers, &sources);
    let alias = &headers[0].aliases[0];
    find_lie(alias, &resolver.alias(alias)).map(|lie| lie.kind())
}

/// A name that says `unsigned` and nothing else.
#[test]
fn an_unsigned_name_has_no_sign() {
    for text in [
        "typedef short uint16;",
        "typedef int u32_t;",
        "using uint8 = ap_int<8>;",
        "typedef signed char UInt8;",
        "typedef mode_e u32;\nenum class mode_e { A, B };",
        "typedef mode_e u32;\nenum mode_e : int { A, B };",
    ] {
        assert_eq!(kind(text), Some("format"), "{text}");
    }
}

/// An enumeration holds no numbers, but it has a width and may have a sign.
#[test]
fn an_enumeration_is_no_number_format() {
    for text in [
        "typedef enum { MOVE, NEGATE } float_move_op_t;",
        "typedef enum mode_e { A, B } half_mode;",
        "typedef mode_e fixed_op;\nenum mode_e { A, B };",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
    assert_eq!(kind("typedef int float_move_op_t;"), Some("format"));
}

/// Lanes in a word of their whole width, whatever carries them.
#[test]
fn lanes_that_fill_a_word_keep_their_name() {
    for text in [
        "typedef ap_uint<128> int16x8_t;",
        "using int8x8 = ap_int<64>;",
        "using int4x32_t = ap_uint<128>;",
        "using fp16x32 = ap_uint<512>;",
        "using float16 = ap_uint<512>;",
        "using float8 = ap_uint<256>;",
        "typedef ap_uint<256> int8_32_t;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
    for text in [
        "typedef ap_uint<64> int16x8_t;",
        "using int8x8 = ap_int<32>;",
        "typedef ap_uint<16> int8_32_t;",
        "using int8_t = ap_int<64>;",
        "using float16 = float;",
    ] {
        assert_eq!(kind(text), Some("width"), "{text}");
    }
}

/// A sum is wider than its terms, a mantissa narrower than its number.
#[test]
fn what_is_derived_from_a_type_has_a_width_of_its_own() {
    for text in [
        "using int8_acc_t = ap_int<32>;",
        "typedef ap_int<16> int8_prod_t;",
        "typedef int acc_int8_t;",
        "using fp16_accum_t = float;",
        "using fp16_mant_t = ap_uint<10>;",
        "using fp16_exponent_t = ap_uint<5>;",
        "typedef ap_uint<8> bf16_exp_t;",
        "typedef unsigned int int8_idx_t;",
        "using float32_sign_t = ap_uint<1>;",
        "using int32_strb_t = ap_uint<4>;",
        "typedef float int8_scale_t;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
    // No sum is narrower than its terms, and a role is nothing derived.
    for text in ["using fp32_acc_t = half;", "typedef float bf16_weight_t;"] {
        assert_eq!(kind(text), Some("width"), "{text}");
    }
}

/// Names that the C library, compilers and old headers use.
#[test]
fn what_systems_declare_is_no_lie() {
    for text in [
        "typedef unsigned char int16_check[sizeof(short) == 2 ? 1 : -1];",
        "typedef double _Float32x;",
        "typedef long double double_t;",
        "typedef struct { int x, y, z, pad; } int3;",
        "typedef unsigned long uint32;",
        "typedef long int64;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
    // `long long` has 64 bits everywhere, and a narrower `double_t` is somebody's own.
    assert_eq!(kind("typedef unsigned long long uint32;"), Some("width"));
    assert_eq!(kind("typedef float double_t;"), Some("width"));
    assert_eq!(kind("typedef struct { int x, y, z; double w; } int2;"), None);
    // A kernel of OpenCL that a processor runs has one lane for two, and Fortran counts bytes.
    for text in ["typedef int32_t int2;", "typedef unsigned int uint4;", "typedef short int2;"] {
        assert_eq!(kind(text), None, "{text}");
    }
    for text in [
        "typedef char int4;",
        "typedef ap_int<32> int2;",
        "typedef int int4_t;",
        "typedef int int4_weight;",
    ] {
        assert_eq!(kind(text), Some("width"), "{text}");
    }
}

/// Bits of a number are stored in a word without a sign; operators on others compute with integers.
#[test]
fn integers_named_after_floats_are_lies() {
    for text in [
        "typedef unsigned int float32;",
        "using fp16_acc = ap_int<16>;",
        "typedef int fp32_t;",
        "typedef short bf16_weight_t;",
    ] {
        assert_eq!(kind(text), Some("format"), "{text}");
    }
    for text in [
        "using bf16_t = ap_uint<16>;",
        "typedef uint32_t float32_raw;",
        "typedef ap_uint<512> float16;",
        "typedef ap_uint<512> uint16;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
}

#[test]
fn names_of_words_and_of_block_formats_are_judged() {
    for text in [
        "typedef ap_fixed<18, 8> data16_t;",
        "typedef int word16;",
        "typedef ap_uint<16> UINTYPE_12;",
        "typedef ap_uint<8> nf4_t;",
        "typedef ap_uint<16> mxfp8_t;",
    ] {
        assert_eq!(kind(text), Some("width"), "{text}");
    }
    for text in [
        "typedef ap_fixed<16, 8> data16_t;",
        "typedef short word16;",
        "typedef ap_uint<12> UINTYPE_12;",
        "typedef ap_uint<4> nf4_t;",
        "typedef struct { float d[16]; } data16_t;",
        "typedef ap_uint<512> data16_t;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
}

/// `int8` names bytes with and without a sign; other words may change the meaning.
#[test]
fn other_names_do_not_speak_of_the_sign() {
    for text in [
        "typedef unsigned short uint16;",
        "typedef unsigned char int8;",
        "using i16_t = ap_uint<16>;",
        "typedef int uint32_index_t;",
        "typedef int word32;",
        "typedef int unit_t;",
        // g++ takes `unsigned int` for an enumeration without negative values.
        "typedef mode_e u32;\nenum mode_e { A, B };",
        "typedef enum { A, B } u32;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
}

/// `int_least16_t` in words: the comment is that of the alias, or of the run of aliases that it is in.
#[test]
fn a_comment_that_allows_more_bits_is_kept() {
    for text in [
        "typedef int int16; // has at least 16 bits",
        "/* Each has at least as many bits as its name says. */\ntypedef int int16;",
    ] {
        assert_eq!(kind(text), None, "{text}");
    }
    for text in [
        "typedef int int16; // has 16 bits at most",
        "typedef char int16; // has at least 16 bits",
        "/* Each has at least as many bits as its name says. */\n\ntypedef int int16;",
    ] {
        assert_eq!(kind(text), Some("width"), "{text}");
    }
}

/// What a library for floating point in software computes on.
#[test]
fn an_integer_holds_a_number_of_floating_point_where_its_comment_says_so() {
    assert_eq!(kind("typedef unsigned int float32; // software floating point"), None);
    assert!(kind("typedef unsigned int float32; // one number").is_some());
    assert!(kind("typedef double float32; // software floating point").is_some());
}
