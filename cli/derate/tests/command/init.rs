//! `derate init`: what it writes, and that it says whether the next command can use that.

use std::fs;

use crate::derate::derate_in;

#[test]
fn an_empty_folder_gets_a_starter_and_no_success() {
    let dir = tempfile::tempdir().unwrap();
    derate_in(dir.path(), &["init"]).assert_refused("which `derate audit` cannot use as it is");
    let starter = fs::read_to_string(dir.path().join("derate.toml")).unwrap();
    assert!(starter.contains("model.named_parameters()"), "{starter}");
    // Filled in as it says, it is one that can be used.
    let filled = starter.replace("# shapes = ", "shapes = ");
    fs::write(dir.path().join("derate.toml"), filled).unwrap();
    fs::write(
        dir.path().join("model_shape.txt"),
        "fc.weight: torch.Size([8, 4]) [torch.float32]\n",
    )
    .unwrap();
    assert_eq!(derate_in(dir.path(), &["audit"]).code, 0);
}

#[test]
fn a_folder_without_a_dump_gets_a_starter_that_can_be_audited() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.h"), "typedef float weight_t;\n").unwrap();
    let init = derate_in(dir.path(), &["init"]);
    assert_eq!(init.code, 0, "{}", init.stderr);
    assert!(
        init.stdout.contains("no dump of a model was found")
            && init.stdout.contains("took 1 source"),
        "{}",
        init.stdout
    );
    let audit = derate_in(dir.path(), &["audit", "--detail"]);
    assert_eq!(audit.code, 0, "{}", audit.stderr);
    assert!(audit.on_one_line().contains("no dump of the model is named"), "{}", audit.stdout);
}

#[test]
fn a_workload_that_cannot_be_read_is_named_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.h"), "typedef float weight_t;\n").unwrap();
    fs::write(dir.path().join("model.onnx"), "no model").unwrap();
    fs::write(dir.path().join("hls4ml_config.yml"), "Backend: Vitis\n").unwrap();
    let init = derate_in(dir.path(), &["init"]);
    assert_eq!(init.code, 0, "{}", init.stderr);
    assert!(init.stderr.contains("model.onnx is not a workload: "), "{}", init.stderr);
    assert!(init.stderr.contains("hls_model.write()"), "{}", init.stderr);
}

#[test]
fn what_init_calls_done_can_be_audited() {
    for (dump, code) in [
        ("fc.weight: torch.Size([8, 4]) [torch.float32]\n", 0),
        // No 2-D weight: the linear workload has nothing to model.
        ("norm.weight: torch.Size([8]) [torch.float32]\n", 2),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("dump.txt"), dump).unwrap();
        let init = derate_in(dir.path(), &["init"]);
        assert_eq!(init.code, code, "{}{}", init.stdout, init.stderr);
        assert_eq!(derate_in(dir.path(), &["audit"]).code, code);
        if code == 2 {
            init.assert_refused("which `derate audit` cannot use as it is: derate.toml:");
        }
    }
}

#[test]
fn what_is_there_is_picked_up_and_what_tools_and_tests_left_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let report = include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt");
    write("d.txt", "fc.weight: torch.Size([8, 4]) [torch.float32]\n");
    write("link.cfg", "[connectivity]\nnk=k:1:k_1\n");
    write("style.cfg", "[format]\ncolumns=100\n");
    write("reports/csynth.rpt", report);
    write("reports/pom.xml", "<project/>\n");
    for source in ["src/k.cpp", "src/k_tb.cpp", "src/k.h", "tb/main.cpp", "tests/a.cpp"] {
        write(source, "int a;\n");
    }
    for source in [
        "k.prj/solution1/.autopilot/db/k.cpp",
        "k.prj/solution1/syn/systemc/k.cpp",
        "inc/ap_types/ap_int_base.h",
        "inc/ap_int.h",
    ] {
        write(source, "int b;\n");
    }
    // Allo writes its kernel there.
    write("gemm.prj/kernel.cpp", "int c;\n");
    let init = derate_in(dir.path(), &["init"]);
    assert_eq!(init.code, 0);
    for line in [
        "took 1 tensor of d.txt",
        "passed over 3 files, first src/k_tb.cpp: test benches run on the host",
        ", first inc/ap_int.h: copies of tools and libraries of others are not yours",
    ] {
        assert!(init.stdout.contains(line), "no {line} in {}", init.stdout);
    }
    assert!(init.stdout.lines().count() <= 10, "{}", init.stdout);
    let toml = fs::read_to_string(dir.path().join("derate.toml")).unwrap();
    for line in [
        "sources = [\"gemm.prj/*.cpp\", \"src/k.cpp\", \"src/*.h\"]",
        "connectivity = \"link.cfg\"",
        "reports = [\"reports/*.rpt\"]",
        "# the reports were made for xcu55c-fsvh2892-2l-e",
        "name = \"u55c\"",
        "# include = [",
        "# defines = [",
    ] {
        assert!(toml.lines().any(|own| own.starts_with(line)), "no {line} in {toml}");
    }
    assert!(!toml.contains("style.cfg") && !toml.contains("pom.xml"), "{toml}");
}

#[cfg(unix)]
#[test]
fn a_backslash_is_a_letter_of_a_name() {
    let dir = tempfile::tempdir().unwrap();
    let dump = dir.path().join("a\\b.txt");
    fs::write(dump, "fc.weight: torch.Size([8, 4]) [torch.float32]\n").unwrap();
    let init = derate_in(dir.path(), &["init"]);
    assert_eq!(init.code, 0, "{}", init.stderr);
    assert_eq!(derate_in(dir.path(), &["audit"]).code, 0);
}
