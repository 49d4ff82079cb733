//! What a design is built from and for, and how far that is known.

use super::found;

/// A sum that takes the adder's latency in each iteration.
const SUM: &str = "void top(float a[4096], float *out) {\n#pragma HLS interface s_axilite port=return\n    float sum = 0;\n\
    ADD: for (int i = 0; i < 4096; i++) {\n#pragma HLS pipeline II=1\n        sum += a[i];\n    }\n    *out = sum;\n}\n";
/// The same where only the model sees it.
const HIDDEN: &str = "void top(float a[4096], float *out) {\n#pragma HLS interface s_axilite port=return\n    float sum = 0;\n\
    ADD: for (int i = 0; i < 4096; i++) {\n#pragma HLS pipeline II=1\n        float next = sum + a[i];\n        sum = next;\n    }\n\
    *out = sum;\n}\n";

pub(super) fn script(file: &str, part: &str, clock: &str, more: &str) -> String {
    format!(
        "open_project p\nset_top top\nadd_files {file}\nopen_solution s\nset_part {part}\n{clock}\n{more}\ncsynth_design\n"
    )
}

const CLOCK: &str = "create_clock -period 5";

pub(super) fn levels(found: &[String]) -> Vec<&str> {
    found.iter().map(|one| one.split(' ').next().unwrap_or_default()).collect()
}

#[test]
fn a_sum_for_a_chip_that_may_be_of_versal_is_a_note() {
    let of = |part: &str| {
        let run = script("sum.cpp", part, CLOCK, "");
        let more = (0..40).map(|at| format!("// {at}\n")).collect::<Vec<String>>().concat();
        let other = format!("// a variant\n{SUM}{more}");
        let other = ("copy/sum.cpp", other.as_str());
        found("kernel/accumulation", &[("demo/sum.cpp", SUM), ("demo/run.tcl", &run), other])
    };
    let versal = of("xcv80-lsva4737-2MHP-e-S");
    assert_eq!(levels(&versal), ["note", "note"]);
    assert!(versal[0].starts_with("note copy/sum.cpp:7 "), "{versal:#?}");
    // A part that is not in the table has a family all the same.
    assert_eq!(levels(&of("xcvp9999-abcd1234-2M-e-S")), ["note", "note"]);
    assert_eq!(levels(&of("xczu9eg-ffvb1156-2-e")), ["warning", "warning"]);
}

#[test]
fn code_that_a_script_has_rewritten_is_not_what_the_model_reads() {
    let of = |part: &str, clock: &str, more: &str| {
        let run = script("sum.cpp", part, clock, more);
        levels(&found("kernel/interval", &[("sum.cpp", HIDDEN), ("run.tcl", &run)])).join(" ")
    };
    let part = "xczu9eg-ffvb1156-2-e";
    assert_eq!(
        of(part, CLOCK, "set ::LLVM_CUSTOM_CMD {$LLVM_CUSTOM_OPT $LLVM_CUSTOM_INPUT}"),
        "note"
    );
    assert_eq!(of(part, CLOCK, "# set ::LLVM_CUSTOM_CMD {opt}"), "warning");
    // The latencies of operators are from reports at 100 MHz and faster.
    assert_eq!(of(part, "create_clock -period 12", ""), "note");
    assert_eq!(of(part, "create_clock -period 10", ""), "warning");
    assert_eq!(of(part, "", ""), "note");
}

#[test]
fn an_old_file_beside_the_one_that_a_script_builds_is_not_a_kernel() {
    let text = |words: u32| {
        format!(
            "void top(int a[64], int b[64]) {{\n#pragma HLS interface m_axi port=a\n    static int all[{words}];\n    \
             for (int i = 0; i < 64; i++) all[i * 3] += a[i];\n    for (int i = 0; i < 64; i++) b[i] = all[i * 5 % {words}];\n}}\n"
        )
    };
    let (small, large) = (text(1024), text(1 << 24));
    let run = script("top.cpp", "xc7z020clg400-1", CLOCK, "");
    let of = |built: &str, other: &str| {
        found(
            "kernel/memory-blocks",
            &[("top.cpp", built), ("old_top.cpp", other), ("run.tcl", &run)],
        )
        .len()
    };
    assert_eq!(of(&small, &large), 0);
    assert_eq!(of(&large, &small), 1);
    let free = run.replace("add_files top.cpp", "");
    let unnamed = [("top.cpp", small.as_str()), ("old_top.cpp", &large), ("run.tcl", &free)];
    assert_eq!(found("kernel/memory-blocks", &unnamed).len(), 1);
}

/// What kernels do in a file that scripts leave out, beside others that they add, is a note.
#[test]
fn a_finding_in_a_file_that_no_script_adds_is_a_note() {
    let of = |name: &str, added: &str| {
        let run = script(added, "xczu9eg-ffvb1156-2-e", CLOCK, "");
        let main = "void top(int a[64]) {\n#pragma HLS interface s_axilite port=return\n    a[0] = 1;\n}\n";
        let long = SUM.replace("top", "other");
        let found = found(
            "kernel/accumulation",
            &[("src/main.cpp", main), (name, &long), ("src/run.tcl", &run)],
        );
        levels(&found).join(" ")
    };
    assert_eq!(of("src/sum.cpp", "main.cpp"), "note");
    assert_eq!(of("src/sum.cpp", "{main.cpp sum.cpp}"), "warning");
    // A file of another folder has its own build.
    assert_eq!(of("other/sum.cpp", "main.cpp"), "warning");
    assert_eq!(of("src/main_old.cpp", "{main.cpp main_old.cpp}"), "warning");
    assert_eq!(of("src/main_old.cpp", "main.cpp"), "note");
}

/// A template that nothing names is of no kernel, where scripts name those.
#[test]
fn a_finding_in_a_function_that_nothing_calls_is_a_note() {
    let of = |call: &str, script_top: &str| {
        let run = script("main.cpp", "xczu9eg-ffvb1156-2-e", CLOCK, "")
            .replace("set_top top", script_top);
        let main = format!(
            "#include \"sums.h\"\nvoid top(float a[4096], float *out) {{\n#pragma HLS interface s_axilite port=return\n    {call}\n}}\n"
        );
        let sums = SUM
            .replace("void top", "// sum_up is old\ntemplate <int N> void sum_up")
            .replace("#pragma HLS interface s_axilite port=return\n", "");
        let files = [("main.cpp", main.as_str()), ("sums.h", &sums), ("run.tcl", &run)];
        levels(&found("kernel/accumulation", &files)).join(" ")
    };
    assert_eq!(of("*out = a[0];", "set_top top"), "note");
    assert_eq!(of("sum_up<1>(a, out);", "set_top top"), "warning");
    // A value that the call leaves out follows from nothing, and the number of arguments is another one.
    assert_eq!(of("sum_up<>(a, out);", "set_top top"), "warning", "not read");
    assert_eq!(of("sum_up<1>(a, out, 3);", "set_top top"), "note");
    assert_eq!(of("other::sum_up<1>(a, out, 3);", "set_top top"), "warning", "of another name");
    let other = "*out = a[0];\n}\nvoid sum_up(int a) {\n    a++;";
    assert_eq!(of(other, "set_top top"), "note", "another function of this name");
    assert_eq!(of(&format!("sum_up(a, out);\n{other}"), "set_top top"), "warning");
    let longer = "sum_up<1>(a, out);\nsum_up_all(a, out, 3);\n}\nvoid sum_up_all(float *a, float *b, int n) {\n    a[n] = 1;";
    assert_eq!(of(longer, "set_top top"), "warning", "a longer name is another one");
    assert_eq!(of("*out = a[0];", "set_top other"), "warning", "the kernel is not there");
}

/// A source that does not compile, beside others that a script adds.
#[test]
fn a_broken_source_that_no_script_adds_is_a_note() {
    let of = |added: &str| {
        let run = script(added, "xczu9eg-ffvb1156-2-e", CLOCK, "");
        let broken =
            "void other(int a[64]) {\n    if ((a[0] == 1) {\n        a[1] = 2;\n    }\n}\n";
        let files = [("src/main.cpp", SUM), ("src/other.cpp", broken), ("src/run.tcl", &run)];
        levels(&found("source/unread", &files)).join(" ")
    };
    assert_eq!(of("main.cpp"), "note");
    assert_eq!(of("{main.cpp other.cpp}"), "warning");
}

/// The first of several solutions is a step, where a later one makes FIFOs of the arrays.
#[test]
fn memory_of_a_solution_that_a_later_one_streams_is_a_note() {
    let top = "void top(int a[64], int b[64]) {\n#pragma HLS interface m_axi port=a\n    static int all[16777216];\n    \
               for (int i = 0; i < 64; i++) all[i * 3] += a[i];\n    for (int i = 0; i < 64; i++) b[i] = all[i * 5 % 16777216];\n}\n";
    let of = |first: &str, later: &str| {
        let second =
            format!("open_solution t\nset_part xc7z020clg400-1\n{CLOCK}\n{later}\ncsynth_design\n");
        let run = format!("{}{second}", script("top.cpp", "xc7z020clg400-1", CLOCK, first));
        levels(&found("kernel/memory-blocks", &[("top.cpp", top), ("run.tcl", &run)])).join(" ")
    };
    let (dataflow, stream) =
        ("set_directive_dataflow top", "set_directive_stream -depth 2 top all");
    let channels = format!("config_dataflow -default_channel fifo -fifo_depth 2\n{dataflow}");
    assert_eq!(of("", &channels), "note");
    assert_eq!(of("", stream), "note");
    // Buffers are as large, and what the first has as well is no step.
    assert_eq!(of("", dataflow), "warning");
    assert_eq!(of("", "config_dataflow -default_channel fifo"), "warning");
    assert_eq!(of(&channels, &channels), "warning");
}

/// Several scripts build one source for several chips.
#[test]
fn memory_that_another_chip_has_is_a_note() {
    let top = "void top(int a[64], int b[64]) {\n#pragma HLS interface m_axi port=a\n    static int all[262144];\n    \
               for (int i = 0; i < 64; i++) all[i * 3] += a[i];\n    for (int i = 0; i < 64; i++) b[i] = all[i * 5];\n}\n";
    let of = |other: &str| {
        let first = script("top.cpp", "xc7z020clg400-1", CLOCK, "");
        let second = script("top.cpp", other, CLOCK, "");
        let files = [("top.cpp", top), ("a.tcl", first.as_str()), ("b.tcl", second.as_str())];
        levels(&found("kernel/memory-blocks", &files)).join(" ")
    };
    assert_eq!(of("xczu7ev-ffvc1156-2-e"), "note");
    assert_eq!(of("xczu3eg-sbva484-1-e"), "warning", "it has too few, too");
    assert_eq!(of("xc7z020clg400-1"), "warning");
}

/// Configurations that connect the same are one decision, whatever else is in them.
#[test]
fn configurations_that_connect_the_same_are_found_once() {
    let link = "[connectivity]\nnk=k:1:k_1\nsp=k_1.a:HBM[0]\nsp=k_1.b:HBM[0]\n";
    let own = format!("kernel_frequency=200\n{link}");
    let other = link.replace("HBM[0]", "HBM[1]");
    let of = |second: &str| {
        // Each has code of its own, and one of them the kernel.
        let kernel =
            "void k(int *a, int *b) {\n    for (int i = 0; i < 999; i++) b[i] = a[i];\n}\n";
        let files = [
            ("a/k.cpp", kernel),
            ("a/cfg/u50.cfg", link),
            ("b/part.cpp", "void part(int *a) {\n    a[0] = 1;\n}\n"),
            ("b/cfg/u50_dfx.cfg", second),
        ];
        found("connectivity/shared-bank", &files).len()
    };
    assert_eq!(of(&own), 1);
    assert_eq!(of(&other), 2);
}
