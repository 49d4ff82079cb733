//! Directives of scripts and sources.

use super::{find, found};

const FIR: &str = "void fir(int x[8], int y[8]) {\n#pragma HLS interface ap_memory port=x\n\
    TAP: for (int i = 0; i < 8; i++) y[i] = x[i];\n}\n";

fn run(directives: &str) -> String {
    format!(
        "open_project p\nset_top fir\nadd_files fir.cpp\nopen_solution s\nset_part xc7z020clg400-1\n\
         create_clock -period 10\n{directives}\ncsynth_design\n"
    )
}

#[test]
fn a_directive_of_a_script_without_a_place_is_found() {
    let code = "kernel/lost-directive";
    let of = |directives: &str| found(code, &[("fir.cpp", FIR), ("run.tcl", &run(directives))]);
    assert_eq!(
        of("set_directive_pipeline \"fir/Tap\""),
        ["warning run.tcl:7 a directive names `Tap` in `fir`, and nothing there has this label"]
    );
    let lost = "set_directive_pipeline fir/Tap\nset_directive_unroll fir/Tip";
    assert_eq!(
        of(&format!("{lost}\nset_directive_inline filter")),
        [
            "warning run.tcl:7 a directive names `Tap` in `fir`, and nothing there has this label; and 1 more like it; so it is in `Tip`",
            "warning run.tcl:9 a directive names the function `filter`, which the code does not have"
        ]
    );
    assert_eq!(
        of("set_directive_inline filter"),
        ["warning run.tcl:7 a directive names the function `filter`, which the code does not have"]
    );
    assert_eq!(
        of("set_directive_pipeline -II $ii fir/TAP"),
        ["note run.tcl:7 the directive is not read: only a run of the script decides its words"]
    );
    for placed in [
        "set_directive_pipeline fir/TAP",
        "set_directive_array_partition -dim 1 fir x",
        "set_directive_unroll fir/VITIS_LOOP_3_1",
        "set_directive_unroll fir/Loop-1",
        "# set_directive_pipeline fir/gone",
    ] {
        assert_eq!(of(placed), [""; 0], "{placed}");
    }
    // Flags of the simulation and keys of later versions are not directives.
    let config = "part=xc7z020clg400-1\n[hls]\nsyn.top=fir\nsyn.file=fir.cpp\nsyn.csimflags=-DSIM\nsyn.directive.unroll=\n";
    assert_eq!(
        found(code, &[("fir.cpp", FIR), ("hls_config.cfg", config)]),
        ["note hls_config.cfg:6 the directive is not read: it names no function"]
    );
    // The header that is not there may have it.
    let open = format!("#include \"gone.h\"\n{FIR}");
    let script = run("set_directive_inline filter");
    assert_eq!(found(code, &[("fir.cpp", &open), ("run.tcl", &script)]), [""; 0]);
}

#[test]
fn a_directive_of_a_script_that_another_one_reads_is_found_there() {
    let script = run("source ./directives.tcl");
    let files = [
        ("hls/fir.cpp", FIR),
        ("hls/run.tcl", script.as_str()),
        ("hls/directives.tcl", "# of the loops\nset_directive_pipeline fir/tap\n"),
    ];
    assert_eq!(
        found("kernel/lost-directive", &files),
        [
            "warning hls/directives.tcl:2 a directive names `tap` in `fir`, and nothing there has this label; \
          `hls/run.tcl` reads it with `source`"
        ]
    );
}

/// Nothing is lost where the function has no loop, or all of them are unrolled.
#[test]
fn a_directive_for_a_loop_that_would_change_nothing_is_a_note() {
    let level = |body: &str, directives: &str| {
        let fir = format!(
            "void fir(int x[8], int y[8]) {{\n#pragma HLS interface ap_memory port=x\n{body}\n}}\n"
        );
        let all =
            found("kernel/lost-directive", &[("fir.cpp", &fir), ("run.tcl", &run(directives))]);
        all.iter().map(|one| one.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let lost = "set_directive_unroll fir/Tap";
    let one = "for (int i = 0; i < 8; i++) y[i] = x[i];";
    assert_eq!(level("y[0] = x[0];", lost), ["note"]);
    assert_eq!(level(one, lost), ["warning"]);
    assert_eq!(level(one, &format!("{lost}\nset_directive_pipeline fir")), ["note"]);
    assert_eq!(level(&format!("#pragma HLS pipeline\n{one}"), lost), ["note"]);
    assert_eq!(level("y[0] = x[0];", "set_directive_latency -max 4 fir/Tap"), ["warning"]);
    // The pragma is in the place of the label.
    let copied = "for (int i = 0; i < 8; i++) {\n#pragma HLS unroll\ny[i] = x[i];\n}";
    assert_eq!(level(copied, lost), ["note"]);
    assert_eq!(level(&copied.replace("unroll", "unroll off=true"), lost), ["warning"]);
    assert_eq!(level(&format!("{copied}\n{one}"), lost), ["warning"], "of one loop of two");
    // It asks for something else, or for one of two loops.
    assert_eq!(level(&copied.replace("unroll", "unroll factor=2"), lost), ["warning"]);
    assert_eq!(level(&copied.replace("unroll", "pipeline"), lost), ["warning"]);
    let pipeline = "set_directive_pipeline fir/Tap";
    let pipelined = copied.replace("unroll", "pipeline II=1");
    assert_eq!(level(&pipelined, pipeline), ["note"]);
    assert_eq!(level(&pipelined.replace("II=1", "II=4"), pipeline), ["warning"]);
    let nest = format!("for (int k = 0; k < 4; k++) {{\n{pipelined}\n}}");
    assert_eq!(level(&nest, pipeline), ["warning"], "it may be of the loop around");
}

/// A script of another program names several functions that are not there.
#[test]
fn directives_of_another_program_are_one_finding() {
    let of = |directives: &str| {
        let all =
            found("kernel/lost-directive", &[("fir.cpp", FIR), ("run.tcl", &run(directives))]);
        all.iter().map(|one| one.split("; so").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let other = "set_directive_pipeline worker/l0\nset_directive_pipeline read_in/l1\nset_directive_unroll fir/Tap";
    let all = of(other);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(all[0].contains("`worker`, which the code does not have; and 2 more"), "{all:#?}");
    assert_eq!(of("set_directive_pipeline worker/l0\nset_directive_unroll fir/Tap").len(), 2);
    // Two functions of five have another name now.
    let more = format!("{FIR}\nvoid one() {{}}\nvoid two() {{}}\n");
    let kept = format!("{other}\nset_directive_inline one\nset_directive_inline two");
    let all = found("kernel/lost-directive", &[("fir.cpp", &more), ("run.tcl", &run(&kept))]);
    assert_eq!(all.len(), 3, "{all:#?}");
}

#[test]
fn a_word_that_is_not_a_directive_is_found() {
    let of = |pragma: &str| {
        let text = FIR.replace("TAP:", &format!("#pragma HLS {pragma}\nTAP:"));
        found("kernel/lost-directive", &[("fir.cpp", &text)])
    };
    for wrong in ["occurence cycle=4", "pipelien II=1", "loop_tile factor=4"] {
        let word = wrong.split(' ').next().unwrap();
        assert_eq!(
            of(wrong),
            [format!(
                "warning fir.cpp:3 `{word}` is not a directive of Vitis HLS or Vivado HLS: the tool ignores it"
            )]
        );
    }
    let help = |pragma: &str| {
        let text = FIR.replace("TAP:", &format!("#pragma HLS {pragma}\nTAP:"));
        find("kernel/lost-directive", &[("fir.cpp", &text)], |_, one| one.help.clone()).concat()
    };
    let write = |word: &str| format!("write `{word}`, or remove the pragma");
    assert_eq!(help("pipelien II=1"), write("pipeline"));
    assert_eq!(help("depence variable=y inter false"), write("dependence"));
    assert!(help("loop_tile factor=4").starts_with("look the directive up"));
    // Directives that derate does not model, and those of another tool.
    for known in [
        "occurrence cycle=4",
        "LATENCY max=4",
        "loop_flatten off",
        "loop pipeline II(1)",
        "memory partition",
    ] {
        assert_eq!(of(known), [""; 0], "{known}");
    }
    // Files for another tool have words of their own.
    assert_eq!(of("channel_depth variable(x) depth(4)").len(), 1);
    assert_eq!(of("function top\n#pragma HLS channel_depth variable(x) depth(4)"), [""; 0]);
    assert_eq!(of("loop tripcount\n#pragma HLS pipeline\n#pragma HLS pipelien").len(), 1);
}

#[test]
fn a_file_that_cannot_compile_is_found() {
    let broken = FIR.replace("y[i] = x[i];", "{ if (x[i] == 0x80 { y[i] = 1; } }");
    let of = |text: &str| found("source/unread", &[("fir.cpp", text)]);
    assert_eq!(
        of(&broken),
        ["warning fir.cpp:3 `fir.cpp` does not compile: nothing closes the `(` in line 3"]
    );
    assert_eq!(of(&broken.replace("0x80 {", "0x80) {")), [""; 0]);
}

#[test]
fn what_is_missing_elsewhere_hides_no_directive() {
    let run = format!("add_files -tb test.cpp\n{}", run("set_directive_inline filter"));
    let (fir, run) = (("fir.cpp", FIR), ("run.tcl", run.as_str()));
    let of = |files: &[(&str, &str)]| found("kernel/lost-directive", files).len();
    let bench = "#include \"zipped.h\"\nint main() { printf(\"## done\"); }\n";
    assert_eq!(of(&[fir, run, ("test.cpp", bench)]), 1);
    let own = format!("#include \"filters.h\"\n{FIR}");
    assert_eq!(of(&[("fir.cpp", &own), run]), 0);
    let pasted = format!("#define NAME(a) a##ter\n{FIR}");
    assert_eq!(of(&[("fir.cpp", &pasted), run]), 0);
    let unread = format!("{FIR}void g() {{ DB(4, a; b;) }}\n");
    assert_eq!(of(&[("fir.cpp", &unread), run]), 1);
}
