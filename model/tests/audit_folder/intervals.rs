//! Intervals that are certain whatever the tool does.

use super::found;

fn levels(part: &str, file: &str, more: &str) -> Vec<String> {
    let run = format!(
        "open_project p\nset_top top\nadd_files k.cpp\nopen_solution s {more}\nset_part {part}\ncreate_clock -period 5\n"
    );
    let all = found("kernel/interval", &[("k.cpp", file), ("run.tcl", &run)]);
    let short = |one: &String| {
        let level = one.split(' ').next().unwrap_or_default();
        let name = one.split('`').nth(1).unwrap_or_default();
        format!("{level} {name}")
    };
    all.iter().map(short).collect()
}

const CARD: &str = "xcu250-figd2104-2L-e";
const ZYNQ: &str = "xczu9eg-ffvb1156-2-e";

#[test]
fn a_stream_takes_one_word_in_a_cycle() {
    let one = |label: &str, body: &str| {
        format!(
            "{label}: for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline II=1\n    {body}\n    }}\n"
        )
    };
    let text = format!(
        "#include <hls_stream.h>\nvoid top(hls::stream<int>& in, hls::stream<int>& out) {{\n\
         #pragma HLS interface axis port=in\n#pragma HLS interface axis port=out\n{}{}{}{}}}\n",
        one("BOTH", "int v = in.read(); out.write(v); out.write(v + 1);"),
        one("READS", "out.write(in.read() + in.read());"),
        one("EITHER", "int v = in.read(); if (v > 3) out.write(v); else out.write(v + 1);"),
        one("SINGLE", "out.write(in.read() + 1);")
    );
    // One write an iteration: all arms exclude each other.
    let arms = |number: usize| {
        let cases: Vec<String> = (0..number)
            .map(|n| format!("case {n}: if (v > 3) out.write(v + {n}); break;"))
            .collect();
        let cases = cases.concat();
        let many = one("MANY", &format!("int v = in.read(); switch (v & 7) {{ {cases} }}"));
        format!("{}{many}}}\n", &text[..text.rfind('}').unwrap()])
    };
    for number in [2, 4, 8] {
        assert_eq!(levels(CARD, &arms(number), ""), ["warning BOTH", "warning READS"], "{number}");
    }
    assert_eq!(levels(CARD, &text, ""), ["warning BOTH", "warning READS"]);
}

#[test]
fn a_bus_that_the_tool_may_make_wider_has_no_certain_interval() {
    let text = |options: &str, reads: &str| {
        format!(
            "void top(const float *in, float *out) {{\n#pragma HLS interface m_axi port=in bundle=a {options}\n\
             #pragma HLS interface m_axi port=out bundle=b\nL: for (int i = 1; i < 1000; i++) {{\n\
             #pragma HLS pipeline II=1\n    out[i] = {reads};\n    }}\n}}\n"
        )
    };
    let stencil = "in[i - 1] + in[i] + in[i + 1]";
    let of = |part: &str, options: &str, more: &str| levels(part, &text(options, stencil), more);
    assert_eq!(of(CARD, "", ""), ["note L"]);
    assert_eq!(of(CARD, "max_widen_bitwidth=32", ""), ["warning L"]);
    assert_eq!(of(ZYNQ, "", ""), ["warning L"]);
    assert_eq!(of(ZYNQ, "", "-flow_target vitis"), ["note L"]);
    assert_eq!(levels(ZYNQ, &text("", "in[i]"), ""), [""; 0]);
}

#[test]
fn a_kernel_that_is_pipelined_as_a_whole_waits_for_its_memories() {
    let text = |pragmas: &str| {
        format!(
            "void top(float a[16], float o[4]) {{\n#pragma HLS interface ap_memory port=a\n{pragmas}\n\
             for (int i = 0; i < 4; i++) {{\n    float s = 0;\n    for (int j = 0; j < 16; j++) s += a[j] * a[(i + j) % 16];\n\
             o[i] = s;\n    }}\n}}\n"
        )
    };
    let pipeline = "#pragma HLS pipeline II=1";
    assert_eq!(levels(ZYNQ, &text(pipeline), ""), ["warning top"]);
    assert_eq!(levels(ZYNQ, &text("#pragma HLS pipeline II=8"), ""), [""; 0]);
    let cut = "#pragma HLS array_partition variable=a complete\n#pragma HLS array_partition variable=o complete";
    assert_eq!(levels(ZYNQ, &text(&format!("{pipeline}\n{cut}")), ""), [""; 0]);
}

/// The tool may copy or cut an array of the function itself.
#[test]
fn a_kernel_that_is_pipelined_as_a_whole_and_has_an_array_of_its_own() {
    let text = |local: &str, read: &str| {
        format!(
            "void top(int a[16], int o[4]) {{\n#pragma HLS interface ap_memory port=a\n#pragma HLS pipeline II=1\n\
             {local}\n    o[0] = {read}[a[0] & 15] + {read}[a[1] & 15] + {read}[(a[0] + 3) & 15];\n}}\n"
        )
    };
    let local = "int own[16];\n    for (int i = 0; i < 16; i++) own[i] = i;";
    assert_eq!(levels(ZYNQ, &text(local, "own"), ""), [""; 0]);
    // An argument has the ports of its interface.
    assert_eq!(levels(ZYNQ, &text("", "a"), ""), ["warning top"]);
}

/// The tool does not build an array that nothing writes; one of the same name that is written is built.
#[test]
fn an_array_that_nothing_writes_holds_no_interval() {
    let text = |fill: &str| {
        format!(
            "#include <hls_stream.h>\nvoid side(int out[16]) {{\n    int w[64];\n    out[0] = w[3];\n}}\n\
             void top(hls::stream<int>& in, hls::stream<int>& out, int more[16]) {{\n\
             #pragma HLS interface axis port=in\n#pragma HLS interface axis port=out\n    int w[64];\n#pragma HLS bind_storage variable=w type=ram_2p impl=bram\n{fill}\n\
             L: for (int i = 0; i < 500; i++) {{\n#pragma HLS pipeline II=1\n    int v = in.read();\n\
             int s = 0;\n    for (int k = 0; k < 40; k++) s += w[v * k & 63];\n    out.write(s);\n    }}\n    side(more);\n}}\n"
        )
    };
    let fill = "    for (int i = 0; i < 64; i++) w[i] = in.read();";
    assert_eq!(levels(ZYNQ, &text(""), ""), [""; 0]);
    assert_eq!(levels(ZYNQ, &text(fill), ""), ["warning L"]);
}

/// A dataflow region starts as often as its slowest stage: what a faster one loses costs nothing.
#[test]
fn an_interval_behind_a_slower_stage_is_a_note() {
    let stage = |name: &str, trips: u32, sum: &str| {
        format!(
            "void {name}(hls::stream<int>& in, hls::stream<int>& out) {{\n    {name}_l: for (int i = 0; i < {trips}; i++) {{\n\
             #pragma HLS pipeline II=1\n        out.write({sum});\n    }}\n}}\n"
        )
    };
    let text = |first: u32, second: u32, sum: &str| {
        format!(
            "#include <hls_stream.h>\n{}{}void top(hls::stream<int>& in, hls::stream<int>& out) {{\n\
             #pragma HLS interface axis port=in\n#pragma HLS interface axis port=out\n#pragma HLS dataflow\n\
             \x20   hls::stream<int> mid;\n    load(in, mid);\n    work(mid, out);\n}}\n",
            stage("load", first, "in.read() + in.read()"),
            stage("work", second, sum)
        )
    };
    assert_eq!(levels(CARD, &text(500, 500, "in.read()"), ""), ["warning load_l"]);
    assert_eq!(levels(CARD, &text(500, 4000, "in.read()"), ""), ["note load_l"]);
    // Two that are as slow hold the region together.
    let both = text(500, 500, "in.read() + in.read()");
    assert_eq!(levels(CARD, &both, ""), ["warning load_l", "warning work_l"]);
}

/// What an interval loses is held against the kernel, and against an iteration of the loop around.
#[test]
fn an_interval_that_costs_little_is_a_note() {
    let text = |trips: u32, around: &str, rest: &str| {
        format!(
            "#include <hls_stream.h>\nvoid top(hls::stream<int>& in, hls::stream<int>& out, int n) {{\n\
             #pragma HLS interface axis port=in\n#pragma HLS interface axis port=out\n{around} {{\n\
             L: for (int i = 0; i < {trips}; i++) {{\n#pragma HLS pipeline II=1\n    out.write(in.read() + in.read());\n    }}\n}}\n\
             for (int i = 0; i < {rest}; i++) {{\n#pragma HLS pipeline II=1\n    out.write(in.read());\n    }}\n}}\n"
        )
    };
    let level = |trips: u32, around: &str, rest: &str| levels(CARD, &text(trips, around, rest), "");
    assert_eq!(level(6, "", "100000"), ["note L"]);
    assert_eq!(level(6, "", "100"), ["warning L"]);
    assert_eq!(level(6, "for (int k = 0; k < 5000; k++)", "100000"), ["warning VITIS_LOOP_5_1_L"]);
    // How long the rest takes is not known.
    assert_eq!(level(6, "", "n"), ["note L"]);
    assert_eq!(level(600, "", "n"), ["warning L"]);
    // One iteration has no interval.
    assert_eq!(level(1, "", "100"), [""; 0]);
}

/// A backup has no reports of its own, and those of the original are of the same code.
#[test]
fn a_report_of_a_copy_decides() {
    let code = "void top(float a[256], float o[64]) {\n#pragma HLS interface ap_memory port=a\nL: for (int i = 0; i < 64; i++) {\n\
                #pragma HLS pipeline II=1\n    o[i] = a[4 * i] + a[4 * i + 1] + a[4 * i + 2] + a[4 * i + 3];\n    }\n}\n";
    let run = format!(
        "open_project p\nset_top top\nadd_files k.cpp\nopen_solution s\nset_part {ZYNQ}\ncreate_clock -period 5\n"
    );
    let report = |ii: u32| {
        format!(
            "<profile><ReportVersion><Version>2023.2</Version></ReportVersion>\
             <UserAssignments><Part>{ZYNQ}</Part><TopModelName>top</TopModelName></UserAssignments>\
             <PerformanceEstimates><SummaryOfLoopLatency><L><TripCount>64</TripCount>\
             <Latency>260</Latency><PipelineII>{ii}</PipelineII><PipelineDepth>8</PipelineDepth></L>\
             </SummaryOfLoopLatency></PerformanceEstimates></profile>"
        )
    };
    let of = |backup: &str, script: &str, ii: u32| {
        let report = report(ii);
        let files = [
            ("k/k.cpp", code),
            ("k/run.tcl", run.as_str()),
            ("k/p/s/syn/report/top_csynth.xml", &report),
            ("k_backup/k.cpp", backup),
            ("k_backup/run.tcl", script),
        ];
        let all = found("kernel/interval", &files);
        all.iter().map(|one| one.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(code, &run, 1), [] as [&str; 0]);
    assert_eq!(of(code, &run, 2), ["note k/k.cpp"]);
    let other = code.replace("i < 64", "i < 60");
    assert_eq!(of(&other, &run, 1), ["warning k_backup/k.cpp"], "other code");
    let directive = run.replace("open_solution s", "open_solution s\nset_directive_inline top");
    assert_eq!(of(code, &directive, 1), ["warning k_backup/k.cpp"], "other directives");
}

/// Where no report lists the processes of a dataflow, the code has them and the reports have their cycles.
#[test]
fn a_stage_that_waits_in_the_code_is_a_note() {
    let code = "#include <hls_stream.h>\nvoid first(hls::stream<int>& in, hls::stream<int>& out) {\n\
        Taps: for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline II=1\n    out.write(in.read());\n}\n}\n\
        void second(hls::stream<int>& in, hls::stream<int>& out) {\n\
        Rest: for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline II=1\n    out.write(in.read());\n}\n}\n\
        void top(hls::stream<int>& in, hls::stream<int>& out) {\n#pragma HLS dataflow\n\
        hls::stream<int> between;\n    first(in, between);\n    second(between, out);\n}\n";
    let run = "open_project p\nset_top top\nadd_files k.cpp\nopen_solution s\n\
        set_part xc7z020clg400-1\ncreate_clock -period 8\n";
    let report = include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt");
    let of = |code: &str, cycles: &str| {
        let own = report.replace("'fir'", "'first'");
        let latency = "|   35|  131|   35|  131|";
        let other = report.replace("'fir'", "'second'").replace("- Taps", "- Rest");
        let other =
            other.replace(latency, &format!("|{cycles:>5}|{cycles:>5}|{cycles:>5}|{cycles:>5}|"));
        let all = found(
            "report/ii",
            &[
                ("k.cpp", code),
                ("run.tcl", run),
                (
                    "p/s/syn/report/first_csynth.rpt",
                    &own.replace(latency, "|  131|  131|  131|  131|"),
                ),
                ("p/s/syn/report/second_csynth.rpt", &other),
            ],
        );
        let own = all.iter().find(|one| one.contains("Taps")).unwrap();
        own.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(of(code, "9000"), "note");
    assert_eq!(of(code, "90"), "warning", "it is the slowest");
    assert_eq!(
        of(&code.replace("#pragma HLS dataflow", ""), "9000"),
        "warning",
        "one after another"
    );
}
