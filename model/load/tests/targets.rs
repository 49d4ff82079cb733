//! For which chip and clock designs are built, and which functions are kernels: each case is a few files.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "../../tests/fixture/files.rs"]
mod files;

use std::collections::BTreeSet;

use derate_load::{Preprocess, load_folder};
use files::write_files;

const PRODUCT: &str = "void product(const float *a, float *b) {\n\
    #pragma HLS interface m_axi port = a bundle = x\n#pragma HLS interface m_axi port = b bundle = y\n\
    each: for (int i = 0; i < 64; i++) b[i] = a[i] * 2.0f;\n}\n";
const BARE: &str = "void product(const float a[64], float b[64]) {\n\
    each: for (int i = 0; i < 64; i++) b[i] = a[i] * 2.0f;\n}\nvoid other(int a[4]) {}\n";
const SCRIPT: &str = "open_project p\nset_top product\nadd_files product.cpp\nopen_solution s\n";

/// The chip, the other chips, the period in ns and the kernels of each design that is scheduled.
fn describe(files: &[(&str, &str)]) -> Vec<String> {
    let dir = write_files(files);
    let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
    let shown = folder.designs.iter().filter_map(|design| {
        let models = design.kernel_models(&folder.sources)?;
        let tops: Vec<&str> = models.kernels.iter().map(|one| one.answer.top.as_str()).collect();
        let others: Vec<String> =
            design.other_parts.iter().map(|name| format!(" ({name})")).collect();
        let others = others.concat();
        let part = &models.settings.part.name;
        let clocks: BTreeSet<String> =
            models.kernels.iter().map(|one| format!("{:.2}", 1e9 / one.clock.0)).collect();
        let clocks = Vec::from_iter(clocks).join("/");
        Some(format!("{part}{others} {clocks} {}", tops.join(" ")))
    });
    shown.collect()
}

#[test]
fn build_files_name_card_clock_and_top() {
    let code = ("src/product.cpp", BARE);
    let make = "PLATFORM ?= xilinx_u280_gen3x16_xdma_1_202211_1\n\
                x.xo: src/product.cpp\n\tv++ -c --platform $(PLATFORM) --kernel_frequency 250 -k product -o $@ $<\n";
    assert_eq!(describe(&[code, ("Makefile", make)]), ["xcu280 4.00 product"]);
    let shell = "tapac -o x.xo \\\n --platform xilinx_u280_xdma_201920_3 \\\n --clock-period 5 \\\n --top product src/product.cpp\n";
    assert_eq!(describe(&[code, ("run.sh", shell)]), ["xcu280 5.00 product"]);
    let cmake = "add_tapa_target(x\n INPUT src/product.cpp TOP product\n CLOCK_PERIOD 2.5\n PLATFORM xilinx_u250_xdma_201830_2)\n";
    assert_eq!(describe(&[code, ("CMakeLists.txt", cmake)]), ["xcu250 2.50 product"]);
}

#[test]
fn of_two_boards_the_first_is_taken() {
    let code = ("product.cpp", BARE);
    let run = |part: &str| format!("{SCRIPT}set_part {part}\ncreate_clock -period 10\n");
    let (first, second) = (run("xc7z020clg400-1"), run("xck26-sfvc784-2LV-c"));
    assert_eq!(
        describe(&[code, ("run.tcl", &first), ("run_kria.tcl", &second)]),
        ["xc7z020 (xck26) 10.00 product"]
    );
}

#[test]
fn a_top_has_the_clock_of_the_configuration_that_names_it() {
    let code = ("product.cpp", PRODUCT);
    let second = (
        "sum.cpp",
        "void sum(const float a[4], float b[4]) {\n\
        each: for (int i = 0; i < 4; i++) b[i] = a[i] + 2.0f;\n}\n",
    );
    let config = |top: &str, clock: &str| {
        format!(
            "part=xc7z020clg400-1\n[hls]\nsyn.top={top}\nclock={clock}\n\
                 syn.file=/data/projects/p/product.cpp\nsyn.file=sum.cpp\n"
        )
    };
    let (slow, fast) = (config("product", "10MHz"), config("sum", "20ns"));
    assert_eq!(
        describe(&[code, second, ("a.cfg", &slow), ("b.cfg", &fast)]),
        ["xc7z020 100.00/20.00 product sum"]
    );
    // Both are for one top: the first is taken.
    let again = config("product", "20ns");
    assert_eq!(
        describe(&[code, second, ("a.cfg", &slow), ("b.cfg", &again)]),
        ["xc7z020 100.00 product"]
    );
}

#[test]
fn headers_that_only_a_program_includes_are_not_scheduled() {
    let header = ("sw/acc.h", PRODUCT);
    let main = ("sw/main.cpp", "#include \"acc.h\"\nint main() { return 0; }\n");
    let bench = ("test/acc_tb.cpp", "#include \"../sw/acc.h\"\nint main() { return 0; }\n");
    let other = ("card/other.cpp", BARE);
    let part = ("part.tcl", "set_part xcu280-fsvh2892-2L-e\ncreate_clock -period 4\n");
    let scheduled = "xcu280 4.00 product".to_owned();
    let nothing = "xcu280  ".to_owned();
    let tops = |files: &[(&str, &str)]| describe(files).pop().unwrap();
    assert_eq!(tops(&[header, main, other, part]), nothing);
    assert_eq!(tops(&[header, bench, other, part]), nothing);
    // The program includes another header of this name.
    let far = ("app/main.cpp", "#include \"acc.h\"\nint main() { return 0; }\n");
    let twin = ("app/acc.h", "int help();\n");
    assert_eq!(tops(&[header, far, twin, other, part]), scheduled);
    // Nothing includes it, a source does that is compiled, or a script names it.
    assert_eq!(tops(&[header, other, part]), scheduled);
    let source = ("sw/acc.cpp", "#include \"acc.h\"\nvoid more() {}\n");
    assert!(tops(&[header, main, source, other, part]).ends_with("product"));
    let script =
        ("sw/run.tcl", "open_project p\nset_top product\nadd_files acc.h\nopen_solution s\n");
    assert_eq!(tops(&[header, main, script, other, part]), scheduled);
}

#[test]
fn commands_of_a_readme_are_for_the_sources_that_they_compile() {
    let code = ("ft/src/product5.cpp", PRODUCT);
    let old = ("ft/src/product4.cpp", PRODUCT);
    let other = ("fa/src/product.cpp", PRODUCT);
    let run = "# Build\n<code> v++ -c -t hw --platform xilinx_u280_gen3x16_xdma_1_202211_1 -k product -I../src \
        ../../ft/src/product5.cpp -o ./mmult.xo </code>\n";
    assert_eq!(describe(&[code, old, ("README.md", run)]), ["xcu280 3.33 product"]);
    // A part of all READMEs is for all designs, but these commands are of one source.
    let named = describe(&[code, old, other, ("README.md", run)]);
    assert_eq!(named, ["xcu280 3.33 product", "xcu280 3.33 product"]);
    let two = format!("{run}A xc7z020clg400-1 is enough for the other one.\n");
    assert_eq!(describe(&[code, old, other, ("README.md", &two)]), ["xcu280 3.33 product"]);
}

#[test]
fn a_part_that_only_the_readme_names_is_assumed() {
    let dir = write_files(&[("product.cpp", PRODUCT), ("README.md", "For the xc7z020clg400-1.\n")]);
    let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
    let [design] = folder.designs.as_slice() else { panic!("one design") };
    assert_eq!(design.part.as_ref().map(|part| part.name.as_str()), Some("xc7z020"));
    assert_eq!(design.part_from.as_deref(), Some("README.md"));
    let script = format!("{SCRIPT}set_part xcu280-fsvh2892-2L-e\n");
    let dir = write_files(&[
        ("product.cpp", PRODUCT),
        ("run.tcl", &script),
        ("README.md", "For the xc7z020clg400-1.\n"),
    ]);
    let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
    assert_eq!(folder.designs[0].part.as_ref().map(|part| part.name.as_str()), Some("xcu280"));
    assert_eq!(folder.designs[0].part_from, None);
}

#[test]
fn a_readme_names_no_card_that_the_configuration_contradicts() {
    let readme = ("README.md", "Run it on a xilinx_u55c_gen3x16_xdma_3_202210_1.\n");
    let link = |line: &str| format!("[connectivity]\nsp=product_1.a:HBM[0]\n{line}\n");
    for (line, is_it) in [
        ("slr=product_1:SLR2", true),
        ("slr=product_1:SLR3", false),
        ("sp=product_1.b:HBM[31]", true),
        ("sp=product_1.b:HBM[32]", false),
        ("sp=product_1.b:DDR[0]", false),
        ("sp=product_1.b:PLRAM[0]", true),
    ] {
        let dir = write_files(&[("product.cpp", PRODUCT), ("link.cfg", &link(line)), readme]);
        let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
        let [design] = folder.designs.as_slice() else { panic!("one design") };
        assert_eq!(design.part.is_some(), is_it, "{line}");
        assert_eq!(design.platform.is_some(), is_it, "{line}");
        let reason = design.unknown_part.as_deref().unwrap_or_default();
        assert_eq!(reason.starts_with("only README.md names a card, and u55c does"), !is_it);
    }
}

#[test]
fn a_makefile_beside_a_configuration_names_its_card() {
    let card = |files: &[(&str, &str)]| {
        let dir = write_files(files);
        let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
        let [design] = folder.designs.as_slice() else { panic!("one design") };
        design.platform.as_ref().map(|card| card.name.clone())
    };
    let link = ("app/kernel.cfg", "[connectivity]\nsp=a_1.x:DDR[0]\nslr=a_1:SLR3\n");
    let make = "DEVICE = xilinx_u250_gen3x16_xdma_3_1_202020_1\n";
    assert_eq!(card(&[link, ("app/kernel.mk", make)]).as_deref(), Some("u250"));
    assert_eq!(card(&[link, ("other/kernel.mk", make)]), None);
}

#[test]
fn a_unit_that_has_a_bank_is_a_kernel() {
    let bare = ("product.cpp", BARE);
    let card = "platform=xilinx_u280_xdma_201920_3\n[connectivity]\n";
    let link = |unit: &str| format!("{card}sp={unit}.a:HBM[0]\n");
    assert_eq!(describe(&[bare, ("link.cfg", &link("product"))]), ["xcu280 3.33 product"]);
    assert_eq!(describe(&[bare, ("link.cfg", &link("product_1"))]), ["xcu280 3.33 product"]);
    assert_eq!(describe(&[bare, ("link.cfg", &link("produce_1"))]), ["xcu280  "]);
}

#[test]
fn a_rule_in_another_folder_names_clock_and_card() {
    let rule = "PLATFORM ?= xilinx_u55c_gen3x16_xdma_3_202210_1\nFLAGS += --kernel_frequency 200\nFLAGS += -I../lib\n\
        x.xo: $(ROOT)/src/product.cpp\n\t$(VPP) $(FLAGS) -c --platform $(PLATFORM) -k product -o $@ $<\n";
    let bare = format!("#include \"by.h\"\n{BARE}");
    let bare = bare.replace("2.0f", "BY");
    let header = ("lib/by.h", "#define BY 2.0f\n");
    let other = ("old/by.h", "#define BY x\n");
    let files = [("src/product.cpp", bare.as_str()), ("vitis/Makefile", rule), header, other];
    assert_eq!(describe(&files), ["xcu55c 5.00 product"]);
    let rule = rule.replace("product", "sum");
    let files = [files[0], ("vitis/Makefile", rule.as_str()), header, other];
    assert_eq!(describe(&files), Vec::<String>::new());
}

#[test]
fn software_that_runs_a_kernel_does_not_hide_it() {
    let run = "set_part xcu280-fsvh2892-2L-e\ncreate_clock -period 4\n";
    let host = "#include \"model.h\"\nvoid run_model(float *a, float *b) { product(a, b); }\n";
    let header = "void product(const float *a, float *b);\n";
    let files =
        [("product.cpp", PRODUCT), ("part.tcl", run), ("model.h", header), ("model.cpp", host)];
    assert_eq!(describe(&files), ["xcu280 4.00 product"]);
    // A function with directives that calls it is the kernel.
    let outer = "#include \"model.h\"\nvoid run_model(float *a, float *b) {\n\
                 #pragma HLS interface m_axi port = a bundle = x\n product(a, b); }\n";
    let files =
        [("product.cpp", PRODUCT), ("part.tcl", run), ("model.h", header), ("model.cpp", outer)];
    assert_eq!(describe(&files), ["xcu280 4.00 run_model"]);
}

#[test]
fn a_method_may_have_its_body_in_another_source() {
    let run = "open_project p\nset_top top\nadd_files top.cpp\nadd_files scaler.cpp\nopen_solution s\n\
               set_part xc7z020clg400-1\ncreate_clock -period 10\n";
    let (class, name) =
        ("struct Scaler { float by; void scale(const float a[64], float b[64]); };\n", "Scaler");
    let within = format!("namespace n {{ {class} }}\n");
    for (header, name, using) in [(class, name, ""), (&within, "n::Scaler", "using namespace n;\n")]
    {
        let top = format!(
            "#include \"scaler.h\"\nvoid top(const float a[64], float b[64]) {{\n\
             #pragma HLS interface ap_memory port = a\n {name} one; one.by = 2.0f; one.scale(a, b); }}\n"
        );
        let body = format!(
            "#include \"scaler.h\"\n{using}void Scaler::scale(const float a[64], float b[64]) {{\n\
             each: for (int i = 0; i < 64; i++) b[i] = a[i] * by; }}\n"
        );
        let dir = write_files(&[
            ("scaler.h", header),
            ("top.cpp", &top),
            ("scaler.cpp", &body),
            ("run.tcl", run),
        ]);
        let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
        let models = folder.designs[0].kernel_models(&folder.sources).unwrap();
        let [kernel] = models.kernels.as_slice() else {
            panic!("{} kernels", models.kernels.len())
        };
        assert!(kernel.answer.unknown.is_empty(), "{:?}", kernel.answer.unknown);
        assert!(kernel.answer.latency.expected > 64.0);
    }
}

#[test]
fn a_folder_of_test_benches_says_what_is_passed_over() {
    let bench = "int main() { return 0; }\n";
    let dir = write_files(&[("examples/test.cpp", bench), ("examples/test_two.cpp", bench)]);
    let error = load_folder(dir.path(), &Preprocess::default()).unwrap_err().to_string();
    assert!(
        error
            .contains("examples/test.cpp (a test bench by its name or its folder) and 1 more file"),
        "{error}"
    );
}

#[test]
fn part_and_clock_are_of_one_command() {
    let code = ("product.cpp", BARE);
    let own = "tapac -o x.xo --platform xilinx_u280_xdma_201920_3 --top product product.cpp\n";
    let other = "tapac -o x.xo --part-num xcvp1802-lsvc4072-2MP-e-S --clock-period 4 --top product product.cpp\n";
    let run = format!("{SCRIPT}set_part xcu280-fsvh2892-2L-e\n");
    // The platform's own clock, and not that of a command for another chip.
    assert_eq!(
        describe(&[code, ("run.tcl", &run), ("run_tapa.sh", own), ("run_tapa_rs.sh", other)]),
        ["xcu280 3.33 product"]
    );
    let same = other.replace("xcvp1802-lsvc4072-2MP-e-S", "xcu280-fsvh2892-2L-e");
    assert_eq!(
        describe(&[code, ("run.tcl", &run), ("run_tapa.sh", own), ("run_tapa_rs.sh", &same)]),
        ["xcu280 4.00 product"]
    );
}

/// The script is for another chip than the run whose report is there: part and clock are of the report.
#[test]
fn part_and_clock_are_of_one_run() {
    let code = ("product.cpp", BARE);
    let run = |part: &str| format!("{SCRIPT}set_part {part}\ncreate_clock -period 3\n");
    let report = "<profile><ReportVersion><Version>2023.2</Version></ReportVersion><UserAssignments>\
                  <Part>xck26-sfvc784-2LV-c</Part><TopModelName>product</TopModelName><unit>ns</unit>\
                  <TargetClockPeriod>10.00</TargetClockPeriod></UserAssignments></profile>\n";
    let of = |part: &str| describe(&[code, ("run.tcl", &run(part)), ("csynth.xml", report)]);
    assert_eq!(of("xczu7ev-ffvc1156-2-e"), ["xck26 (xczu7ev) 10.00 product"]);
    assert_eq!(of("xck26-sfvc784-2LV-c"), ["xck26 3.00 product"]);
}

#[test]
fn what_is_only_simulated_for_is_not_what_is_built_for() {
    let run = |part: &str, ns: u32, step: &str| {
        format!("{SCRIPT}set_part {part}\ncreate_clock -period {ns}\n{step}\n")
    };
    let code = ("product.cpp", BARE);
    let simulated = run("xcu55c-fsvh2892-2L-e", 4, "csim_design");
    let built = run("xcu200-fsgd2104-2-e", 5, "csim_design\ncsynth_design");
    let both = describe(&[code, ("csim.tcl", &simulated), ("vitis.tcl", &built)]);
    assert_eq!(both, ["xcu200 5.00 product"]);
    assert_eq!(describe(&[code, ("csim.tcl", &simulated)]), ["xcu55c 4.00 product"]);
}

#[test]
fn a_top_that_only_commands_build_has_the_clock_of_the_card() {
    let code = ("product.cpp", BARE);
    let run = format!("{SCRIPT}set_part xcu280-fsvh2892-2L-e\n");
    let make = "PLATFORM = xilinx_u280_gen3x16_xdma_1_202211_1\n\
                x.xo: product.cpp\n\tv++ -c --platform $(PLATFORM) -k product -o $@ $<\n";
    assert_eq!(describe(&[code, ("run.tcl", &run), ("Makefile", make)]), ["xcu280 3.33 product"]);
    // Another top of the script is built without the card.
    let both = format!(
        "{run}open_project q\nset_top other\nadd_files product.cpp\nset_part xcu280-fsvh2892-2L-e\n"
    );
    assert_eq!(
        describe(&[code, ("run.tcl", &both), ("Makefile", make)]),
        ["xcu280 10.00/3.33 product other"]
    );
    // A script that names a clock decides, and a card with another chip says nothing.
    let slow = format!("{run}create_clock -period 5\n");
    assert_eq!(describe(&[code, ("run.tcl", &slow), ("Makefile", make)]), ["xcu280 5.00 product"]);
    let make = make.replace("u280_gen3x16_xdma_1_202211_1", "u250_gen3x16_xdma_4_1_202210_1");
    assert_eq!(describe(&[code, ("run.tcl", &run), ("Makefile", &make)]), ["xcu280 10.00 product"]);
}

#[test]
fn solutions_say_for_what_a_design_without_a_script_is_built() {
    let report = |part: &str| {
        format!(
            "================\n== Vivado HLS Report for 'product'\n================\n* Version:        2019.1\n\
             * Target device:  {part}\n\n== Performance Estimates\n================\n+ Timing (ns): \n    * Summary: \n    \
             +--------+-------+----------+------------+\n    |  Clock | Target| Estimated| Uncertainty|\n    \
             +--------+-------+----------+------------+\n    |ap_clk  |   8.00|     7.000|        1.00|\n    \
             +--------+-------+----------+------------+\n"
        )
    };
    let (one, other) = (report("xc7z020clg400-1"), report("xczu9eg-ffvb1156-2-i"));
    let code = ("product.cpp", BARE);
    let solution = |name: &str| format!("{name}/solution1/syn/report/product_csynth.rpt");
    let (a, b) = (solution("a"), solution("b"));
    assert_eq!(describe(&[code, (&a, &one), (&b, &one)])[0], "xc7z020 8.00 product");
    // A build file goes before them.
    let make = ("Makefile", "PLATFORM ?= xilinx_u250_gen3x16_xdma_4_1_202210_1\n");
    assert_eq!(describe(&[code, (&a, &one), (&b, &one), make])[0], "xcu250  ");
    // They do not agree.
    assert!(
        describe(&[code, (&a, &one), (&b, &other)]).iter().all(|one| !one.ends_with("product"))
    );
}

#[test]
fn a_top_is_the_function_of_this_name_and_not_one_of_a_namespace() {
    let code = "namespace math {\nint product(int a) { return a + 1; }\n}\n\
                int product(int a[4], int b) { return math::product(a[b]); }\n";
    let run = format!("{SCRIPT}set_part xc7z020clg400-1\ncreate_clock -period 10\n");
    let solution = "p/solution1/script.tcl";
    let run = run.replace("add_files product.cpp", "add_files p/solution1/product.cpp");
    assert_eq!(
        describe(&[("p/solution1/product.cpp", code), (solution, &run)]),
        ["xc7z020 10.00 product"]
    );
    // Nobody calls the reference.
    let apart = code.replace("math::product(a[b])", "a[b]");
    assert_eq!(
        describe(&[("p/solution1/product.cpp", &apart), (solution, &run)]),
        ["xc7z020 10.00 product"]
    );
    // The script leaves the namespace out.
    let within = "namespace math {\nint product(int a[4], int b) { return a[b]; }\n}\n";
    assert_eq!(
        describe(&[("p/solution1/product.cpp", within), (solution, &run)]),
        ["xc7z020 10.00 math::product"]
    );
}
