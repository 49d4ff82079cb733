use super::*;
use crate::Sources;
use proptest::prelude::*;

fn read(text: &str) -> (Sources, Connectivity) {
    let mut sources = Sources::default();
    let file = sources.add("link.cfg", text);
    let read = read_connectivity(&sources, file).unwrap();
    (sources, read)
}

#[test]
fn a_whole_configuration() {
    let (sources, read) = read(
        "\
platform=xilinx_u280_xdma_201920_3
debug=1
; a comment
[connectivity]
nk=gemm:2:left.right   # two
nk=copy:2
sp=left.a:HBM[0:3]
sp=right.m_axi_gmem1:DDR[1]
slr = left:SLR0
stream_connect=left.out:right.in:64
sc=right.out:left.in

[clock]
freqHz=250000000:left.ap_clk,right
defaultFreqHz=300000000

[vivado]
prop=run.impl_1.STRATEGY=Performance_Explore
",
    );
    assert!(read.unread.is_empty(), "{:?}", read.unread);
    assert_eq!(read.kernels[0].unit_names(), ["left", "right"]);
    assert_eq!(read.kernels[1].unit_names(), ["copy_1", "copy_2"]);
    assert_eq!(sources.slice(read.kernels[0].span), "nk=gemm:2:left.right");
    assert_eq!(read.memory[0].banks.value.count(), Some(4));
    assert_eq!(sources.slice(read.memory[0].banks.span), "HBM[0:3]");
    assert_eq!(read.memory[1].argument.value, "m_axi_gmem1");
    assert_eq!(read.slr[0].slr.value, "SLR0");
    assert_eq!(read.streams[0].depth.as_ref().map(|depth| depth.value), Some(64));
    assert_eq!(read.streams.len(), 2);
    let clocks: Vec<Option<f64>> =
        read.frequencies.iter().map(|one| one.megahertz.value.known()).collect();
    assert_eq!(clocks, [Some(250.0), Some(300.0)]);
    assert_eq!(read.frequencies[0].targets.len(), 2);
    let last = read.entries.last().unwrap();
    assert_eq!((last.section.as_str(), last.key.value.as_str()), ("vivado", "prop"));
    assert_eq!(read.entries.len(), 12);
}

#[test]
fn a_unit_has_the_kernel_that_nk_names_or_its_own_name_without_the_number() {
    let text = "[connectivity]\nnk=gemm:2:left.gemm_9\nnk=conv_3:1\nnk=fft:2\n";
    let (_, read) = read(text);
    let kernels =
        ["left", "gemm_9", "conv_3", "conv_3_1", "fft_2", "other_1", "other", "a_b", "_1"]
            .map(|unit| read.kernel_of_unit(unit).to_owned());
    assert_eq!(kernels, ["gemm", "gemm", "conv_3", "conv_3", "fft", "other", "other", "a_b", ""]);
}

#[test]
fn templates_are_unknown() {
    let (sources, read) = read(
        "\
[connectivity]
nk=gemm:${COUNT}
$PY_CODE_GEN for i in range(4): $
sp=gemm_1.a:HBM[@BANK@]
sp=gemm_1.b:DDR[$PY_CODE_GEN i$]
",
    );
    assert!(read.kernels.is_empty() && read.memory.is_empty());
    assert_eq!(read.unread.len(), 4);
    assert_eq!(sources.position(read.unread[0].span).line, 2);
    assert!(read.entries.iter().all(|one| matches!(one.value, EntryValue::Unknown(_))));
}

#[test]
fn a_name_between_percent_signs_is_a_placeholder() {
    let text = "\
[connectivity]
slr=gemm_1:SLR%GEMM_SLR_ID%
sp=gemm_1.%HAVE_A%a:HBM[30]
slr=gemm_1:SLR1
sp=gemm_1.a:HBM[0] # 50% of 20% of it
";
    let (_, read) = read(text);
    assert_eq!(read.unread.len(), 2);
    assert_eq!((read.slr.len(), read.memory.len()), (1, 1));
}

#[test]
fn a_configuration_with_placeholders_is_a_template() {
    let is_template = |line: &str| {
        let (_, read) = read(&format!("[connectivity]\nsp=k_1.a:HBM[0]\n{line}\n"));
        read.is_template()
    };
    for line in [
        "sp=k_1.%HAVE_A%a:HBM[0]",
        "sp=%name%_1.a:HBM[0]",
        "nk=@KERNEL@:1",
        "sp={{unit}}.a:HBM[{{ bank }}]",
        "sp=k_1.b:HBM[${BANK}]",
    ] {
        assert!(is_template(line), "{line}");
        assert!(!is_template(&format!("# {line}")), "{line}");
    }
    for line in [
        "sp=k_1.b:HBM[0]",
        "nk=k:two",
        "param=load=50% and 20%",
        "prop=run.{x}={-a @ b}",
        "prop=run.impl_1.x={{a b} {c d}}",
    ] {
        assert!(!is_template(line), "{line}");
    }
}

#[test]
fn what_is_wrong_has_a_reason() {
    let (_, read) = read(
        "\
[connectivity]
nk=gemm
nk=gemm:two
nk=gemm:3:a.b
sp=gemm_1:DDR[0]
sp=gemm_1.a:HBM[4:1]
stream_connect=a.x
nonsense
",
    );
    let reasons: Vec<&str> = read.unread.iter().map(|one| one.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "`nk=` needs kernel:count",
            "`two` is not a count",
            "`sp=` needs unit.argument before the colon",
            "bank 1 comes before bank 4",
            "a stream needs from:to, with a depth at most",
            "a line without `=`",
        ]
    );
}

#[test]
fn options_as_on_the_command_line() {
    let (_, read) = read(
        "\
--kernel_frequency 250
kernel_frequency=0:300
--connectivity.sp=gemm_1.a:DDR[0]
--connectivity.nk gemm:4
kernel_frequency=0:300|1:500
",
    );
    let clocks: Vec<Option<f64>> =
        read.frequencies.iter().map(|one| one.megahertz.value.known()).collect();
    assert_eq!(clocks, [Some(250.0), Some(300.0), Some(300.0), Some(500.0)]);
    assert_eq!(read.frequencies[1].targets[0].value, "0");
    assert_eq!((read.memory.len(), read.kernels.len(), read.unread.len()), (1, 1, 0));
}

#[test]
fn carriage_returns_and_a_byte_order_mark() {
    let (sources, read) = read("\u{feff}[connectivity]\r\nsp=a.b:DDR[0]\r\n");
    assert_eq!(sources.slice(read.memory[0].span), "sp=a.b:DDR[0]");
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = read(&text);
    }

    #[test]
    fn spans_lie_in_the_text(text in "(\\[connectivity\\]\n)?((nk|sp|slr|sc|freqHz)[ =]{1,2}[a-zé.:\\[\\]0-9,$@{} #\"|]{0,20}\r?\n){0,6}") {
        let (_, read) = read(&text);
        for entry in &read.entries {
            prop_assert_eq!(text.get(entry.key.span.start..entry.key.span.end), Some(entry.key.value.as_str()));
        }
        for one in &read.memory {
            prop_assert_eq!(text.get(one.unit.span.start..one.unit.span.end), Some(one.unit.value.as_str()));
        }
        for one in &read.unread {
            prop_assert!(text.get(one.span.start..one.span.end).is_some());
        }
    }
}
