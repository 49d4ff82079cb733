//! Products with constants.

use crate::read;
use derate_kernel::{Directives, Settings, estimate_kernel, find_part};

/// Products with constants, as RTL and reports of 2020.1 to 2023.2 have them: `mul_16s_9ns_25` for 139 and `mul_16s_10ns_26` for 340
/// of one slice each, `mul_33s_5ns_36` for 13 of two.
#[test]
fn products_with_constants_take_slices_but_for_two_shifts() {
    let dsp = |bits: u32, by: i64| {
        let text = format!(
            "void top(ap_int<{bits}> in[64], ap_int<{}> out[64]) {{
                for (int i = 0; i < 64; i++) {{
            #pragma HLS pipeline II=1
                    out[i] = in[i] * ap_int<18>({by});
                }}
            }}",
            bits + 18
        );
        let settings = Settings::new(find_part("xcu280-fsvh2892-2L-e").unwrap(), 5.0, (2023, 2));
        estimate_kernel(&read(&text), &Directives::default(), &settings).resources.dsp.value
    };
    assert_eq!((dsp(16, 139), dsp(16, 340), dsp(16, 724)), (1.0, 1.0, 1.0));
    assert_eq!(dsp(33, 13), 2.0);
    // A sum or a difference of two shifts.
    assert_eq!((dsp(16, 264), dsp(16, 1008), dsp(16, 4096)), (0.0, 0.0, 0.0));
}
