//! Where a file says that it comes from.

use super::*;

#[test]
fn what_names_an_emulation_is_none_of_a_card() {
    type Name = fn(&mut Measurement, String);
    let fields: [Name; 6] = [
        |m, text| m.device.name = text,
        |m, text| m.device.platform = Some(text),
        |m, text| m.versions.xrt = Some(text),
        |m, text| m.versions.shell = Some(text),
        |m, text| m.versions.xclbin = Some(text),
        |m, text| m.versions.compiler = Some(text),
    ];
    let emulated = (Verdict::NotEvidence, vec!["emulated"]);
    for name in fields {
        for text in
            ["derate's emulator of u280", "xilinx_u280.sw_emu.xclbin", "HW_EMU", "libxrt_noop.so.2"]
        {
            assert_eq!(judged(|m| name(m, text.to_owned())), emulated, "{text}");
        }
    }
    for text in ["xilinx_u280_gen3x16_xdma_base_1", "snoop filter", "temulator"] {
        accepts(|m| m.device.name = text.to_owned());
    }
}

#[test]
fn a_name_is_that_of_the_card() {
    open("platform", |m| m.device.name = "xilinx_u50_gen3x16_xdma_base_5".to_owned());
    open("platform", |m| m.versions.shell = Some("Alveo U250".to_owned()));
    accepts(|m| m.versions.shell = Some("xilinx_U280_gen3x16_xdma_1_202211_1".to_owned()));
    // Of a name that names none nothing is known.
    accepts(|m| m.device.name = "the card in the corner".to_owned());
}

#[test]
fn a_command_says_where_it_ran() {
    for command in [
        "derate bench memcpy",
        "derate bench memcpy --device emu",
        "/usr/bin/derate bench memcpy --device=cpu --size '1 GiB'",
        "derate emu run -- ./read_host u280-read.xclbin",
        "/usr/bin/derate -q emu run --platform u280 -- derate bench read --device xrt:0",
        "XCL_EMULATION_MODE=hw_emu ./host u280.xclbin",
        "export XCL_EMULATION_MODE=noop; ./host u280.xclbin",
        "./host build_dir.SW_EMU.u280/read.xclbin",
    ] {
        assert_eq!(
            judged(|m| m.command = Some(command.to_owned())),
            (Verdict::NotEvidence, vec!["emulated"]),
            "{command}"
        );
    }
    for command in [
        "derate bench memcpy --device xrt:0",
        "derate bench read --device=xrt:1",
        "./host bench",
        "./emu run",
        "derate bench read --device xrt:0 --out emu-run.json",
        "env -u XCL_EMULATION_MODE ./host u280.xclbin",
        "XCL_EMULATION_MODE= ./host u280.xclbin",
    ] {
        accepts(|m| m.command = Some(command.to_owned()));
    }
    let mut machine = good();
    machine.device = MeasuredDevice { kind: DeviceKind::Cpu, name: "x".to_owned(), platform: None };
    let mut verdict = |command: &str| {
        machine.command = Some(command.to_owned());
        judge_measurement(&machine, &BandwidthClaim::from_option(BytesPerSecond(300e9))).verdict
    };
    assert_eq!(verdict("derate bench memcpy --device cpu"), Verdict::Supported);
    assert_eq!(verdict("derate bench memcpy"), Verdict::NotEvidence);
}

/// What is called after a board, a processor or a GPU of another kind is not a card of the catalogue; a name that also has the
/// card's own is kept.
#[test]
fn a_name_of_no_card_of_the_catalogue_is_another() {
    for name in [
        "NVIDIA H200",
        "Intel Xeon Gold 6248R",
        "xilinx_vcu1525_xdma_201830_1",
        "xilinx_u55n_gen3x4",
    ] {
        open("platform", |m| m.device.name = name.to_owned());
    }
    for shell in
        ["xilinx_vck5000_gen4x8_qdma_base_2", "xilinx_aws-vu9p-f1_shell-v04261818_201920_3"]
    {
        open("platform", |m| m.versions.shell = Some(shell.to_owned()));
    }
    for name in ["Alveo U280 in a host with Intel Xeon", "card u1 of the rack", "kvm guest"] {
        accepts(|m| m.device.name = name.to_owned());
    }
}

#[test]
fn a_device_that_does_not_name_its_card_is_told() {
    let notes = |name: &str| {
        let mut measurement = good();
        measurement.device.name = name.to_owned();
        judge_measurement(&measurement, &claim(300e9)).notes
    };
    let told = |name: &str| notes(name).iter().any(|note| note.contains("`device.platform` alone"));
    assert!(told("") && told("my laptop"));
    assert!(!told("xilinx_u280_gen3x16_xdma_base_1") && !told("Alveo U280"));
}

/// No English word decides: what took the times, and whether they were measured, are fields.
#[test]
fn a_field_says_what_took_the_times() {
    for timed_by in [TimedBy::Simulation, TimedBy::Model] {
        open("source", |m| m.timed_by = Some(timed_by));
    }
    for timed_by in [TimedBy::HostClock, TimedBy::DeviceCounter] {
        accepts(|m| m.timed_by = Some(timed_by));
    }
    open("source", |m| m.source = "  ".to_owned());
    for text in ["XRT's timer, not emulated", "made up for time: the model predicted less"] {
        accepts(|m| m.source = text.to_owned());
    }
    let method = |text: &'static str| {
        move |m: &mut Measurement| {
            if let Some(check) = &mut m.runs[0].check {
                check.method = text.to_owned();
            }
        }
    };
    open("check", method(" "));
    accepts(method("every lane's sum; padding not checked"));
}
