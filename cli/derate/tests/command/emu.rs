//! `derate emu`: designs, and what needs no XRT.

use std::fs;
use std::process::Command;

use crate::derate::{derate, derate_in, root};
use crate::xrt::{design, lack};

const KERNELS: &str = "fixtures/xclbin/kernels.cpp";
const CFG: &str = "fixtures/xclbin/u280.cfg";

#[test]
fn a_design_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    design(dir.path(), &["--without-code", KERNELS, "--config", CFG]);
    let shown = derate_in(dir.path(), &["emu", "inspect", "design.xclbin"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    insta::assert_snapshot!("inspect", shown.stdout);
    let json =
        derate_in(dir.path(), &["emu", "inspect", "design.xclbin", "--format", "json"]).json();
    assert_eq!(json["schema"], "derate.xclbin/1");
    assert_eq!(json["memories"].as_array().unwrap().len(), 41);
    assert_eq!(json["kernels"][1]["arguments"][6]["offset"], "0x4c");
    assert_eq!(json["compute_units"][1]["connections"][1]["bank"], "HBM[3]");
    assert_eq!(json["problems"], serde_json::json!([]));
}

#[test]
fn a_damaged_design_is_shown_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let whole = fs::read(design(dir.path(), &["--without-code", KERNELS])).unwrap();
    fs::write(dir.path().join("cut.xclbin"), &whole[..2500]).unwrap();
    let shown = derate_in(dir.path(), &["emu", "inspect", "cut.xclbin"]);
    assert_eq!(shown.code, 1, "{}", shown.stderr);
    assert!(shown.stdout.contains("section 3 (EMBEDDED_METADATA) says"), "{}", shown.stdout);
    assert!(shown.stdout.contains("HBM[31]"), "{}", shown.stdout);
    fs::write(dir.path().join("short.xclbin"), &whole[..100]).unwrap();
    fs::write(dir.path().join("text.xclbin"), "no design").unwrap();
    derate_in(dir.path(), &["emu", "inspect", "short.xclbin"])
        .assert_refused("not a complete xclbin");
    derate_in(dir.path(), &["emu", "inspect", "text.xclbin"]).assert_refused("does not begin with");
    derate_in(dir.path(), &["emu", "inspect", "none.xclbin"]).assert_refused("check the path");
}

/// A file that ends early, or has a byte changed, within its code.
#[test]
fn damaged_code_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let whole = fs::read(design(dir.path(), &["hls/kernels/memcpy.cpp"])).unwrap();
    let shown = derate_in(dir.path(), &["emu", "inspect", "design.xclbin"]);
    assert_eq!(shown.code, 0, "{}", shown.stdout);
    assert!(shown.stdout.contains("`derate emu run` runs it: "), "{}", shown.stdout);
    let mut zeroed = whole.clone();
    let elf = whole.windows(4).position(|four| four == b"\x7fELF").unwrap();
    zeroed[elf..elf + 64].fill(0);
    fs::write(dir.path().join("zeroed.xclbin"), &zeroed).unwrap();
    let shown = derate_in(dir.path(), &["emu", "inspect", "zeroed.xclbin"]);
    assert_eq!(shown.code, 1, "{}", shown.stdout);
    assert!(shown.stdout.contains("the code of its kernels is damaged"), "{}", shown.stdout);
    assert!(shown.stdout.contains("`derate emu run` does not run it"), "{}", shown.stdout);
}

/// What somebody else put into a folder stays.
#[test]
fn a_folder_of_others_is_not_filled() {
    if lack().is_some() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let own = dir.path().join("emconfig.json");
    fs::write(&own, "{}").unwrap();
    derate_in(dir.path(), &["emu", "env", "."]).assert_refused("name a folder that is empty");
    assert_eq!(fs::read_to_string(&own).unwrap(), "{}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    for _ in 0..2 {
        assert_eq!(derate_in(dir.path(), &["emu", "env", "new"]).code, 0);
    }
}

#[test]
fn a_design_that_cannot_be_made_says_why() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.cpp"), "int main() { return 0; }\n").unwrap();
    fs::write(dir.path().join("u.cfg"), "[connectivity]\nnk=gem:1\n").unwrap();
    let make = |args: &[&str]| {
        derate_in(dir.path(), &[&["emu", "xclbin", "-o", "x", "--without-code"], args].concat())
    };
    make(&["k.cpp"]).assert_refused("no kernel was found");
    make(&["k.cpp", "--config", "u.cfg"]).assert_refused("u.cfg:2: there is no kernel `gem`");
    make(&["k.cpp", "--platform", "u999"]).assert_refused("u999");
    let kernel = fs::read_to_string(root().join("hls/kernels/memcpy.cpp")).unwrap();
    fs::write(dir.path().join("k.cpp"), kernel).unwrap();
    fs::copy(root().join("hls/kernels/word.h"), dir.path().join("word.h")).unwrap();
    let with = |text: &str| {
        fs::write(dir.path().join("u.cfg"), text).unwrap();
        make(&["k.cpp", "--config", "u.cfg"])
    };
    with("[connectivity]\nslr=krnl_memcpy_1:SLR3\n")
        .assert_refused("u.cfg:2: the platform has no SLR3: it has SLR0 to SLR2");
    with("slr=krnl_1:SLR0\n").assert_refused("u.cfg:1: there is no compute unit `krnl_1`");
    assert!(!dir.path().join("x").exists());
    let odd =
        with("[connectivity]\nfoo=bar\nslr=krnl_memcpy_1:SLR2\n[bogus]\na=b\n[vivado]\nprop=run\n");
    assert_eq!(odd.code, 0, "{}", odd.stderr);
    assert!(odd.stderr.contains("u.cfg:2: derate knows no key `foo`"), "{}", odd.stderr);
    assert!(odd.stderr.contains("u.cfg:5: derate knows no section [bogus]"), "{}", odd.stderr);
    assert!(!odd.stderr.contains("prop"), "{}", odd.stderr);
}

#[test]
fn the_device_is_not_for_people() {
    let alone = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(["emu", "device"])
        .env_remove("EMULATION_SOCKETID")
        .output()
        .unwrap();
    assert_eq!(alone.status.code(), Some(2));
    let said = String::from_utf8(alone.stderr).unwrap();
    assert!(
        said.contains("EMULATION_SOCKETID is not set: this is the device that XRT starts"),
        "{said}"
    );
}

/// XRT hands the folder's name to a shell as it is.
#[test]
fn a_folder_that_a_shell_would_take_apart_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (name, sign) in [
        ("a b", "a space"),
        ("it's", "`\\'`"),
        ("a\"b", "`\\\"`"),
        ("a;b", "`;`"),
        ("$HOME", "`$`"),
        ("a*", "`*`"),
        ("a\nb", "`\\n`"),
    ] {
        let run = derate_in(dir.path(), &["emu", "env", name]);
        run.assert_refused(&format!("has {sign} in its name, which XRT hands to a shell"));
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    if lack() != Some("libxrt1") {
        for name in ["a.b-c_d", "größe", "50%"] {
            let run = derate_in(dir.path(), &["emu", "env", name]);
            assert_eq!(run.code, 0, "{}", run.stderr);
        }
    }
}

#[test]
fn without_xrt_there_is_one_sentence() {
    if lack() != Some("libxrt1") {
        return;
    }
    derate(&["emu", "run", "--", "true"]).assert_refused("XRT is not installed");
}

/// A machine without XRT, or with one that cannot be loaded, needs no design to be told so.
#[test]
fn a_bench_without_xrt_is_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("libxrt_coreutil.so.2"), "no library").unwrap();
    let bench = |device: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["bench", "read", "--device"])
            .args(device)
            .env("LD_LIBRARY_PATH", dir.path())
            .env("XILINX_XRT", "/nowhere")
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    for device in [&["xrt:0"][..], &["xrt:0", "--xclbin", "no such file"]] {
        let said = bench(device);
        assert!(
            said.starts_with("error: XRT cannot be loaded (") && said.lines().count() == 1,
            "{said}"
        );
        for part in [
            "libxrt_coreutil.so.2: ",
            "/nowhere/lib/libxrt_coreutil.so.2: ",
            "apt install libxrt1",
            "`--device emu` needs neither",
        ] {
            assert!(said.contains(part), "no `{part}` in {said}");
        }
    }
}
