//! How wide a port may become.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_advice::{Change, find_wide_ports};
use derate_kernel::{Directives, Settings, estimate_kernel, find_part, read_program};
use derate_syntax::{SourceFile, read_unit};

const COPY: &str = "void top(const int *a, int *b) {\n\
    #pragma HLS interface m_axi port=a bundle=a depth=4096\n\
    #pragma HLS interface m_axi port=b bundle=b depth=4096\n\
    copy: for (int i = 0; i < 4096; i++) {\n#pragma HLS pipeline II=1\n b[i] = a[i];\n }\n}\n";

/// The widths that are advised for `a` on a part.
fn widths(part: &str) -> Vec<u64> {
    let source = SourceFile { path: "copy.cpp".into(), text: COPY.into() };
    let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
    let program = read_program(&unit, "top").unwrap();
    let settings = Settings::new(find_part(part).unwrap(), 10.0, (2022, 2));
    let directives = Directives::default();
    let answer = estimate_kernel(&program, &directives, &settings);
    let all = find_wide_ports(&program, &directives, &settings, &answer, 1.0);
    let width = |change: &Change| match change {
        Change::Widen { port, to, .. } if port == "a" => Some(*to),
        _ => None,
    };
    all.iter().filter_map(|one| width(&one.change)).collect()
}

#[test]
fn no_port_is_wider_than_those_of_the_memory() {
    assert_eq!(widths("xc7z020"), [64]);
    assert_eq!(widths("xczu9eg"), [128]);
    assert_eq!(widths("xcu280"), [512]);
}
