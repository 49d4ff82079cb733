//! Laws that every file of the catalogue keeps.

use crate::{DspType, FlowTarget, PartName, Platform, Series};
use derate_units::{BytesPerSecond, Provenance};

#[test]
fn every_board_has_a_part_of_a_known_series_and_its_slices() {
    for platform in Platform::catalogue() {
        let part = platform.part_name().unwrap_or_else(|| panic!("{}: its part", platform.name));
        assert!(part.package().is_some(), "{}: {part} has a package", platform.name);
        let slices = platform.dsp_type.as_ref().expect("the kind of its slices").value;
        let expected = match part.series() {
            Series::Artix7 | Series::Kintex7 | Series::Virtex7 | Series::Zynq7000 => {
                DspType::Dsp48e1
            }
            Series::UltraScale | Series::UltraScalePlus | Series::ZynqUltraScalePlus => {
                DspType::Dsp48e2
            }
            Series::Versal => DspType::Dsp58,
        };
        assert_eq!(slices, expected, "{}", platform.name);
    }
}

#[test]
fn every_board_gives_the_blocks_of_its_chip_and_two_flip_flops_for_each_look_up_table() {
    for platform in Platform::catalogue() {
        let resources = &platform.resources;
        let count = |figure: &Option<derate_units::Figure<f64>>, what: &str| {
            figure.as_ref().unwrap_or_else(|| panic!("{}: {what}", platform.name)).value
        };
        let (lut, ff) = (count(&resources.lut, "lut"), count(&resources.ff, "ff"));
        // UG474, UG574 and AM005: each look-up table has two flip-flops beside it.
        assert!((ff - 2.0 * lut).abs() < 1.0, "{}: {lut} LUT, {ff} FF", platform.name);
        assert!(count(&resources.bram36, "bram36") > 0.0);
        let series = platform.series().unwrap();
        let seven =
            matches!(series, Series::Artix7 | Series::Kintex7 | Series::Virtex7 | Series::Zynq7000);
        assert!(!seven || count(&resources.uram, "uram") == 0.0, "{}", platform.name);
    }
}

#[test]
fn a_bandwidth_is_channels_times_width_times_rate() {
    // MB/s as board manuals and UG585 print them, or as width and rate of the memory parts give them.
    let printed = [
        ("pynq-z1", 2_100.0),
        ("pynq-z2", 2_100.0),
        ("zybo-z7-20", 4_266.7),
        ("zedboard", 4_200.0),
        ("zcu102", 17_072.0),
        ("zcu104", 17_072.0),
        ("ultra96-v2", 4_264.0),
        ("kv260", 19_200.0),
        ("arty-a7-100", 1_333.3),
        ("nexys-a7-100t", 1_299.9),
        ("nexys-video", 1_600.0),
        ("kc705", 12_800.0),
        ("vc707", 12_800.0),
        ("vck190", 25_600.0),
        ("vck5000", 102_400.0),
        ("v80", 819_200.0),
    ];
    for (name, megabytes) in printed {
        let memory = Platform::named(name).unwrap().memory;
        let product = f64::from(memory.channels.value) * memory.port_bits.value / 8.0
            * memory.axi_clock.value.0;
        assert_eq!(memory.physical_peak().value, BytesPerSecond(product), "{name}");
        assert!((product / 1e6 / megabytes - 1.0).abs() < 1e-3, "{name}: {product}");
    }
    for platform in Platform::catalogue() {
        for memory in platform.memories() {
            let product = f64::from(memory.channels.value) * memory.port_bits.value / 8.0
                * memory.axi_clock.value.0;
            assert!(memory.physical_peak().value.0 <= product, "{}", platform.name);
        }
    }
}

#[test]
fn the_ports_of_a_zynq_carry_what_its_manual_prints() {
    for platform in Platform::catalogue() {
        let zynq = matches!(platform.series(), Some(Series::Zynq7000 | Series::ZynqUltraScalePlus));
        let attachment = platform.memory.attachment.as_ref();
        assert_eq!(attachment.is_some(), zynq, "{}", platform.name);
        if platform.series() == Some(Series::Zynq7000) {
            let ports = attachment.unwrap();
            let clock = ports.clock.as_ref().unwrap().value;
            // UG585, Theoretical Bandwidth: 4 x 1,200 MB/s each way.
            assert_eq!(ports.rate_at(clock), BytesPerSecond(4.8e9), "{}", platform.name);
        }
    }
}

#[test]
fn every_figure_has_a_source() {
    let unsourced = |line: &&str| line.contains("provenance = ") && line.contains("source = \"\"");
    for name in Platform::names() {
        let text = Platform::file(name).unwrap();
        assert_eq!(text.lines().find(unsourced), None, "{name}");
        let remembered = |line: &&str| line.contains("remembered");
        for line in text.lines().filter(remembered) {
            assert!(line.contains("\"assumed\""), "{name}: {line}");
        }
    }
    for platform in Platform::catalogue() {
        for mac in &platform.macs {
            assert!(!mac.macs_per_dsp.source.is_empty(), "{}", platform.name);
        }
    }
}

#[test]
fn the_flow_sets_what_the_tool_takes_for_memory() {
    for platform in Platform::catalogue() {
        let kernel = &platform.kernel;
        let expected: f64 = match platform.flow.value {
            FlowTarget::Vitis => 64.0,
            FlowTarget::Vivado => 0.0,
        };
        assert_eq!(kernel.m_axi_latency.value.0.to_bits(), expected.to_bits(), "{}", platform.name);
        let published = kernel.launch.provenance == Provenance::Published;
        assert_eq!(published, platform.flow.value == FlowTarget::Vitis, "{}", platform.name);
    }
    assert_eq!(Platform::named("u55c").unwrap().flow.value, FlowTarget::Vitis);
    assert_eq!(Platform::named("zcu104").unwrap().flow.value, FlowTarget::Vivado);
}

#[test]
fn a_part_finds_every_board_that_carries_it() {
    let named = |part: &str| {
        let part = PartName::parse(part).unwrap();
        Platform::with_part(&part).into_iter().map(|own| own.name).collect::<Vec<_>>()
    };
    assert_eq!(named("xc7z020clg400-1"), ["pynq-z1", "pynq-z2", "zybo-z7-20"]);
    assert_eq!(named("xc7z020-clg484-1"), ["zedboard"]);
    assert_eq!(named("xczu7ev-ffvc1156-2-e"), ["zcu104"]);
    assert_eq!(named("XCU55C-FSVH2892-2L-E"), ["u55c"]);
    assert!(named("xc7z045ffg900-2").is_empty());
}
