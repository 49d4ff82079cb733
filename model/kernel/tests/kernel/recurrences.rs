//! Intervals that recurrences need at 100 MHz, where versions of the tool differ.

use crate::read;
use derate_kernel::{Directives, Settings, estimate_kernel, find_part};

/// The interval of the only loop that is a pipeline.
fn interval(text: &str, tool: (u16, u16)) -> u64 {
    let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, tool);
    let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
    let mut intervals = answer.loops.iter().filter_map(|one| one.ii);
    let first = intervals.next().unwrap();
    assert_eq!(intervals.next(), None);
    first
}

/// A filter of the second order: a product and two differences go round.
fn filter(ty: &str) -> String {
    format!(
        "void top({ty} x[512], {ty} y[512], {ty} a, {ty} b) {{
            {ty} one = 0, two = 0;
            for (int n = 0; n < 512; n++) {{
                {ty} next = x[n] - a * one - b * two;
                y[n] = next;
                two = one;
                one = next;
            }}
        }}"
    )
}

#[test]
fn operators_on_a_recurrence_follow_at_once_from_2023_2_on() {
    // The value that goes round twice has two iterations for a product and a difference, the other one for all three.
    let (float, double) = (filter("float"), filter("double"));
    assert_eq!(interval(&float, (2023, 2)), 1 + 3 + 3 + 1);
    assert_eq!(interval(&double, (2023, 2)), 3 + 3 + 3 + 1);
    assert!(interval(&float, (2022, 1)) > 8 && interval(&double, (2022, 1)) > 10);
}

#[test]
fn a_sum_that_begins_anew_takes_its_first_value_for_nothing_if_it_is_a_float() {
    let rows = |ty: &str| {
        format!(
            "void top({ty} v[256][256], {ty} out[256]) {{
                for (int i = 0; i < 256; i++) {{
                    {ty} sum = 0;
                    for (int j = 0; j < 256; j++) sum += v[i][j];
                    out[i] = sum;
                }}
            }}"
        )
    };
    assert_eq!(interval(&rows("float"), (2023, 2)), 2);
    assert_eq!(interval(&rows("double"), (2023, 2)), 4);
}

/// Sums in an element of an array, so many copies of them in an iteration.
fn sums(ty: &str, copies: u32) -> String {
    format!(
        "void top({ty} x[64][64], {ty} y[64]) {{
            rows: for (int i = 0; i < 64; i++) {{
                terms: for (int k = 0; k < 64; k++) {{
#pragma HLS pipeline
#pragma HLS unroll factor={copies}
                    y[i] += x[i][k];
                }}
            }}
        }}"
    )
}

/// Reports of 2021.1 have 7, 15 and 31 cycles for 2, 4 and 8 copies, and those of 2023.1 one more; for one copy they agree.
#[test]
fn the_last_of_several_sums_goes_round_at_once_up_to_2021() {
    for copies in [2, 4, 8] {
        let text = sums("float", copies);
        assert_eq!(interval(&text, (2021, 1)) + 1, interval(&text, (2023, 1)), "{copies}");
    }
    for text in [sums("float", 1), sums("double", 4)] {
        assert_eq!(interval(&text, (2021, 1)), interval(&text, (2023, 1)));
    }
}

#[test]
fn the_order_of_operands_makes_no_other_chain_of_sums() {
    let tree = |sum: &str| {
        format!(
            "float top(float x[64], float y[64], float z[64]) {{
                float s = 0;
                for (int i = 0; i < 64; i++) {{
#pragma HLS pipeline
                    float a = x[i], b = y[i], c = z[i];
                    s = {sum};
                }}
                return s;
            }}"
        )
    };
    for sum in ["(s + a) + (b + c)", "(b + c) + (s + a)", "(b + c) + (a + s)", "a + (b + (c + s))"]
    {
        let text = tree(sum);
        assert_eq!(interval(&text, (2021, 1)) + 1, interval(&text, (2023, 1)), "{sum}");
    }
    // What is added to the value once has the sums of the others before it.
    let once = tree("(a + (b + c)) + s");
    assert_eq!(interval(&once, (2021, 1)), interval(&once, (2023, 1)));
}

#[test]
fn in_vivado_hls_each_sum_has_all_its_cycles() {
    let interval = |copies| interval(&sums("float", copies), (2019, 1));
    assert_eq!(interval(4), 2 * interval(2));
}

/// Sums in banks of their own stay in registers, as one sum does; sums of one bank are read and written in each iteration.
#[test]
fn sums_in_banks_of_their_own_wait_for_the_adder_alone() {
    let of = |cut: &str, step: u32| {
        let text = format!(
            "void top(float in[400], float k[16][400], float out[16]) {{
{cut}
            for (int o = 0; o < 16; o += {step}) {{
                out[o] = 0; out[o + 1] = 1;
                for (int i = 0; i < 400; i++) {{
#pragma HLS PIPELINE
                    out[o] += k[o][i] * in[i];
                    out[o + 1] += k[o + 1][i] * in[i];
                }}
            }}
        }}"
        );
        interval(&text, (2019, 1))
    };
    let cut = "#pragma HLS ARRAY_PARTITION variable=out cyclic factor=2";
    let one = of(cut, 2);
    assert!(one < of("", 2));
    assert_eq!(of(cut, 1), of("", 2), "the bank of a sum changes");
    assert_eq!(of(&cut.replace("factor=2", "factor=3"), 2), of("", 2));
}

/// Reports of 2023.2 for xck26 and of 2024.2 for xczu7ev have an adder of 3 cycles, a multiplier of 2 and sums at an interval of 3.
#[test]
fn later_tools_have_the_operators_of_older_ones_on_zynq_ultrascale_plus() {
    let product = |ty: &str| {
        format!(
            "void top({ty} v[256], {ty} w[256], {ty} out[1]) {{
                {ty} sum = 0;
                for (int i = 0; i < 256; i++) {{
#pragma HLS pipeline
                    sum += v[i] * w[i];
                }}
                out[0] = sum;
            }}"
        )
    };
    let on = |part: &str, tool: (u16, u16), ty: &str| {
        let settings = Settings::new(find_part(part).unwrap(), 10.0, tool);
        let answer = estimate_kernel(&read(&product(ty)), &Directives::default(), &settings);
        (answer.loops[0].ii.unwrap(), answer.resources.dsp.value)
    };
    for (part, tool) in [("xck26-sfvc784-2LV-c", (2023, 2)), ("xczu7ev-ffvc1156-2-i", (2024, 2))] {
        assert_eq!(on(part, tool, "float").0, 3, "{part}");
        assert_eq!(on(part, tool, "float"), on(part, (2022, 2), "float"), "{part}");
        assert_eq!(on(part, tool, "double"), (4, 14.0), "{part}");
    }
    // Virtex UltraScale+ has faster ones.
    assert_eq!(on("xcu280", (2023, 2), "float").0, 2);
    assert_eq!(on("xcu280", (2022, 2), "float").0, 3);
}
