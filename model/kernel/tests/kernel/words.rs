//! Bits of a word that are read and written by themselves.

use crate::read;
use derate_kernel::{Directives, Settings, estimate_kernel, find_part};

/// The interval of a loop that keeps the largest of each of sixteen parts of a word.
fn largest(read_part: &str) -> u64 {
    let text = format!(
        "void top(hls::stream<ap_uint<64> > &in, hls::stream<ap_uint<64> > &out) {{
            ap_uint<64> most = 0;
            for (int i = 0; i < 1024; i++) {{
                #pragma HLS pipeline II=1
                ap_uint<64> word = in.read();
                for (unsigned c = 0; c < 16; c++) {{
                    ap_uint<4> part = word((c + 1) * 4 - 1, c * 4);
                    ap_uint<4> before = {read_part};
                    most((c + 1) * 4 - 1, c * 4) = part > before ? part : before;
                }}
                if (i % 4 == 3) {{ out.write(most); most = 0; }}
            }}
        }}"
    );
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    estimate_kernel(&read(&text), &Directives::default(), &settings).loops[0].ii.unwrap()
}

#[test]
fn disjoint_bits_of_a_word_do_not_wait_for_each_other() {
    assert_eq!(largest("most((c + 1) * 4 - 1, c * 4)"), 1);
    assert_eq!(largest("most.range(c * 4 + 3, c * 4)"), 1);
    // Each part waits for the one before: it reads a bit of it.
    assert!(largest("most((c + 1) * 4 - 2, c * 4 - (c > 0))") > 1);
}
