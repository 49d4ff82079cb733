//! Small arrays that Vivado HLS takes for scalars: each subscript is a constant once loops are unrolled.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str, change: impl Fn(&mut Settings)) -> KernelAnswer {
    let mut settings = Settings::new(find_part("xc7z020clg400-1").unwrap(), 10.0, (2018, 2));
    change(&mut settings);
    estimate_kernel(&read(text), &Directives::default(), &settings)
}

/// A word that is taken apart into the elements of a local array, which go to their own banks.
fn split(size: u32, declaration: &str, subscript: &str) -> String {
    format!(
        "void top(int words[64], int parts[{size}][64]) {{
            #pragma HLS array_partition variable=parts dim=1 complete
            rows: for (int r = 0; r < 64; r++) {{
                #pragma HLS pipeline
                int word = words[r];
                {declaration}
                for (int i = 0; i < {size}; i++) part[i] = (word >> (i % 4)) & 255;
                for (int i = 0; i < {size}; i++) parts[i][r] = part[{subscript}];
            }}
        }}"
    )
}

fn interval(text: &str) -> Option<u64> {
    estimate(text, |_| {}).loops[0].ii
}

#[test]
fn an_array_with_constant_subscripts_has_no_ports() {
    assert_eq!(interval(&split(32, "int part[32];", "i")), Some(1));
    // More elements than the threshold.
    assert_eq!(interval(&split(128, "int part[128];", "i")), Some(64));
    // What is kept from call to call is a memory, and so is what a directive asks for.
    assert!(interval(&split(32, "static int part[32];", "i")) >= Some(16));
    let core = "int part[32];\n#pragma HLS resource variable=part core=RAM_2P_BRAM\n";
    assert!(interval(&split(32, core, "i")) >= Some(16));
    // Data choose the element.
    assert!(interval(&split(32, "int part[32];", "(i + word) & 31")) >= Some(16));
}

#[test]
fn the_threshold_may_be_set() {
    let text = split(32, "int part[32];", "i");
    let few = |settings: &mut Settings| settings.promotion_threshold = 16;
    assert!(estimate(&text, few).loops[0].ii >= Some(16));
}

/// BSD spells the fixed widths of `stdint.h` with an underscore.
#[test]
fn integers_of_bsd_have_their_width() {
    let bits = |kind: &str| {
        let text = format!("void top({kind} a[8]) {{ for (int i = 0; i < 8; i++) a[i] = i; }}");
        estimate(&text, |_| {}).ports[0].bits
    };
    assert_eq!(bits("u_int16_t"), Some(16));
    assert_eq!(bits("u_int8_t"), Some(8));
    assert_eq!(bits("uint16_t"), Some(16));
}
