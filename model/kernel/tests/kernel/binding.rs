//! `bind_op`: what an operator is made of, and how many cycles it has.

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

const KERNEL: &str = "
void top(const double a[64], const double b[64], double c[64], double d[64]) {
first:
    for (int i = 0; i < 64; i++) {
        double product = a[i] * b[i];
        c[i] = product;
    }
second:
    for (int i = 0; i < 64; i++) {
        double product = a[i] * a[i];
        d[i] = product + b[i];
    }
}";

fn estimate(text: &str, tcl: &str) -> KernelAnswer {
    let program = read(text);
    let part = find_part("xc7vx485tffg1761-2").unwrap();
    let directives = Directives { list: read_tcl(tcl).directives };
    estimate_kernel(&program, &directives, &Settings::new(part, 10.0, (2022, 1)))
}

fn dsp_with(directive: &str) -> f64 {
    estimate(KERNEL, directive).resources.dsp.value
}

#[test]
fn a_product_in_logic_takes_no_slices() {
    // The loops take turns with one multiplier.
    let usual = dsp_with("");
    let first = "set_directive_bind_op -op dmul -impl fabric top/first product";
    let second = first.replace("first", "second");
    assert_eq!(usual - dsp_with(&format!("{first}\n{second}")), 11.0);
    assert_eq!(usual - dsp_with("set_directive_bind_op -op dmul -impl fabric top product"), 11.0);
    // The other loop still needs it.
    assert_eq!(dsp_with(first), usual);
    // The reports of Virtex-7 count 11 slices for the multiplier that the tool takes, and 10 for `fulldsp`.
    assert_eq!(usual - dsp_with("set_directive_bind_op -op dmul -impl fulldsp top product"), 1.0);
}

/// Reports of 2022.2 at 10 ns: `dmul_64ns_64ns_64_5_max_dsp` has 11 slices for xczu7ev and 8 for xcu55c.
#[test]
fn a_product_of_doubles_has_more_slices_on_zynq() {
    let dsp = |part: &str| {
        let settings = Settings::new(find_part(part).unwrap(), 10.0, (2022, 2));
        let text =
            "void top(double a[64], double b[64]) { for (int i = 0; i < 64; i++) b[i] *= a[i]; }";
        estimate_kernel(&read(text), &Directives::default(), &settings).resources.dsp
    };
    let (zynq, card) = (dsp("xczu7ev-ffvc1156-2-e"), dsp("xcu55c-fsvh2892-2L-e"));
    assert_eq!((zynq.value, zynq.routed), (11.0, 8.0));
    assert_eq!((card.value, card.routed), (8.0, 8.0));
}

#[test]
fn another_loop_variable_or_operation_is_not_bound() {
    let usual = dsp_with("");
    for other in [
        "set_directive_bind_op -op dmul -impl fabric top/third product",
        "set_directive_bind_op -op dmul -impl fabric top sum",
        "set_directive_bind_op -op fmul -impl fabric top product",
        "set_directive_bind_op -op mul -impl fabric top product",
        "set_directive_bind_op -op dmul -impl fabric else product",
    ] {
        assert_eq!(dsp_with(other), usual, "{other}");
    }
}

/// What is asked for holds, in a pragma as in Tcl: 64 iterations at an interval of one are longer by the cycles of the operator.
#[test]
fn a_latency_that_is_asked_for_is_taken() {
    let short = KERNEL.replace("first:", "").replacen(
        "double product = a[i] * b[i];",
        "double product = a[i] * b[i];\n#pragma HLS bind_op variable=product op=dmul latency=2",
        1,
    );
    let long = short.replace("latency=2", "latency=9");
    let cycles = |text: &str| estimate(text, "").latency.reported;
    assert_eq!(cycles(&long) - cycles(&short), 7.0);
}

/// An address is not what a variable's operation is.
#[test]
fn the_product_of_an_address_is_not_bound() {
    let text = "void top(const int a[4096], int n, int x, int *c) { int value = a[n * x] + 1; *c = value; }";
    let usual = estimate(text, "").resources.dsp.value;
    let bound = estimate(text, "set_directive_bind_op -op mul -impl fabric top value");
    assert!(usual > 0.0);
    assert_eq!(bound.resources.dsp.value, usual);
}
