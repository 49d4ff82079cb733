//! Loops that do not need each other: which run side by side, and which wait.

use crate::read;
use derate_kernel::{Directives, Settings, estimate_kernel, find_part};

/// Cycles that the report gives a function of these statements.
fn cycles(parameters: &str, pragmas: &str, body: &str) -> f64 {
    let program = read(&format!("void top({parameters}) {{ {pragmas} {body} }}"));
    let settings = Settings::new(find_part("xc7z020-clg400-1").unwrap(), 10.0, (2022, 1));
    estimate_kernel(&program, &Directives::default(), &settings).latency.reported
}

/// Two loops that fill arrays from ports, and one that adds them up into a third port.
fn from_ports(first: &str, second: &str) -> f64 {
    let interface = |port: &str, bundle: &str| {
        format!("\n#pragma HLS INTERFACE m_axi port={port} bundle={bundle} depth=1000\n")
    };
    let pragmas = [interface("a", first), interface("b", second), interface("c", "other")].concat();
    cycles(
        "const int *a, const int *b, int *c",
        &pragmas,
        "int x[1000], y[1000];
        A: for (int i = 0; i < 1000; i++) x[i] = a[i];
        B: for (int i = 0; i < 1000; i++) y[i] = b[i];
        C: for (int i = 0; i < 1000; i++) c[i] = x[i] + y[i];",
    )
}

#[test]
fn loops_that_read_one_bus_take_turns() {
    let (shared, own) = (from_ports("mem", "mem"), from_ports("mem", "mem2"));
    assert!((3_000.0..3_060.0).contains(&shared), "{shared}");
    assert!((2_000.0..2_060.0).contains(&own), "{own}");
}

/// A report of 2022.1 has a loop of 15,014 cycles beside one of 20,012 and, behind the shorter one, a loop of 30,014: they
/// add up to 20,012 and 30,014.
#[test]
fn a_loop_waits_for_all_that_run_in_the_state_before_its_own() {
    let in_turn = |third: &str| {
        cycles(
            "const int a[150], int b[150], int c[200], int d[300]",
            "",
            &format!(
                "A: for (int i = 0; i < 150; i++) b[i] = a[i];
                D: for (int i = 0; i < 300; i++) d[i] = {third};
                C: for (int i = 0; i < 200; i++) c[i] = i;"
            ),
        )
    };
    let (behind, free) = (in_turn("b[i / 2]"), in_turn("i"));
    assert!((500.0..520.0).contains(&behind), "{behind}");
    assert!((300.0..310.0).contains(&free), "{free}");
}

/// What a loop reads of registers is there before it begins, whichever element it is.
#[test]
fn a_loop_waits_for_the_elements_in_registers_that_it_reads() {
    let with = |read: &str| {
        cycles(
            "int s[40], int out[40]",
            "\n#pragma HLS INTERFACE ap_memory port=s storage_type=ram_1p\n",
            &format!(
                "int w[40];\n#pragma HLS ARRAY_PARTITION variable=w complete\n
                L: for (int i = 0; i < 40; i++) {{\n#pragma HLS UNROLL\n w[i] = s[i]; }}
                M: for (int i = 0; i < 40; i++) out[i] = {read};"
            ),
        )
    };
    let (all, none) = (with("w[39 - i]"), with("i"));
    assert!((60.0..90.0).contains(&all), "{all}");
    assert!(none < 50.0, "{none}");
}

/// What is set to a constant is set in a state of its own before the loops that follow: four reports of a product with a transposed
/// matrix are one cycle longer for each row.
#[test]
fn a_constant_is_set_before_a_loop_that_does_not_need_it() {
    let with = |set: &str| {
        cycles(
            "int a[8], int b[100], int c[100], int d[100]",
            "",
            &format!(
                "{set} A: for (int i = 0; i < 100; i++) c[i] = b[i];
                B: for (int i = 0; i < 100; i++) d[i] = i;"
            ),
        )
    };
    assert_eq!(with("a[3] = 0;"), with("") + 1.0);
}
