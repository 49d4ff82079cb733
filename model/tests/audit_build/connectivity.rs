//! What a v++ configuration says, beside the card and the claims.

use derate_model::audit::{Finding, Level, audit};
use derate_model::{Analysis, Platform, Provenance};

use super::analysis;

/// What the configuration's rule finds.
fn shared(pins: &str) -> Vec<Finding> {
    let text = format!("[connectivity]\nnk=vadd:2\n{pins}\n");
    let findings = audit(&analysis("", &text, &[])).findings;
    findings.into_iter().filter(|one| one.code == "connectivity/shared-bank").collect()
}

#[test]
fn arguments_on_one_bank_share_it() {
    let findings = shared("sp=vadd_1.a:HBM[0:1]\nsp=vadd_1.b:HBM[0:1]\nsp=vadd_1.c:HBM[0:1]");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "3 arguments share HBM[0:1]");
    assert_eq!((finding.level, finding.labels.len()), (Level::Warning, 3));
    let findings = shared("sp=vadd_1.a:DDR[1]\nsp=vadd_2.a:DDR[1]\nsp=vadd_1.b:DDR[0]");
    assert_eq!(findings[0].message, "2 arguments share DDR[1]");
    // Ranges that overlap share where they do.
    let findings = shared("sp=vadd_1.a:HBM[0:3]\nsp=vadd_1.b:HBM[3:5]");
    assert_eq!(findings[0].message, "2 arguments share HBM[3]");
}

/// The banks of one configuration are one decision; those of another level are apart.
#[test]
fn all_banks_of_a_configuration_are_one_finding() {
    let pins = "sp=vadd_1.a:DDR[0]\nsp=vadd_1.b:DDR[0]\n\
                sp=vadd_1.c:DDR[1]\nsp=vadd_1.d:DDR[1]\nsp=vadd_1.e:DDR[1]";
    let findings = shared(pins);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "3 arguments share DDR[1]; and 1 more like it");
    assert!(finding.notes.iter().any(|one| one == "so it is in DDR[0] (vadd_1.a, vadd_1.b)"));
}

/// The host may place buffers apart where each argument has room for all of them.
#[test]
fn arguments_on_a_range_may_be_apart() {
    let level = |pins: &str| shared(pins)[0].level;
    let three = |banks: &str| {
        ["a", "b", "c"].map(|name| format!("sp=vadd_1.{name}:HBM[{banks}]")).join("\n")
    };
    assert_eq!(level(&three("0:2")), Level::Note);
    assert_eq!(level(&three("0:1")), Level::Warning);
    let help = |pins: &str| shared(pins)[0].help.clone();
    assert!(help(&three("0:1")).starts_with("pin each argument"));
    let many: Vec<String> = (0..40).map(|at| format!("sp=vadd_1.a{at}:HBM[{}]", at / 2)).collect();
    assert!(help(&many.join("\n")).starts_with("40 arguments are pinned to HBM"));
    assert_eq!(level("sp=vadd_1.a:HBM[0:3]\nsp=vadd_1.b:HBM[3]"), Level::Note);
}

/// A range beside a bank, or beside a range, is one finding for the pair, whichever banks they have in common.
#[test]
fn a_range_is_not_sure_to_share_a_bank() {
    let list = |pins: &str| -> Vec<(Level, String)> {
        shared(pins).into_iter().map(|one| (one.level, one.message)).collect()
    };
    let beside = "sp=vadd_1.a:HBM[0]\nsp=vadd_1.b:HBM[0:1]\nsp=vadd_1.c:HBM[1]";
    let note = |banks: &str, number: usize| {
        (Level::Note, format!("{number} arguments share HBM[{banks}]"))
    };
    assert_eq!(list("sp=vadd_1.a:HBM[0]\nsp=vadd_1.b:HBM[0:1]"), [note("0", 2)]);
    // Three have two banks: which two share is not known, and said once.
    let three = "3 arguments have the banks HBM[0:1]: at least two of them share one".to_owned();
    assert_eq!(list(beside), [(Level::Note, three.clone())], "one on a range shares with one");
    let ranges = "sp=vadd_1.a:HBM[0]\nsp=vadd_1.b:HBM[0:1]\nsp=vadd_1.c:HBM[0:1]";
    assert_eq!(list(ranges), [(Level::Warning, three)]);
    // The pair of ranges is part of the three.
    let within = "sp=vadd_1.a:HBM[0:3]\nsp=vadd_1.b:HBM[2:7]\nsp=vadd_1.c:HBM[3]";
    assert_eq!(list(within), [note("2:3", 3)]);
    // Two are on the bank for sure.
    let fixed = "sp=vadd_1.a:HBM[0:3]\nsp=vadd_1.b:HBM[3]\nsp=vadd_1.c:HBM[3]";
    assert_eq!(list(fixed), [(Level::Warning, "2 arguments share HBM[3]".to_owned())]);
}

/// Where all banks of the card have as many arguments, none can have a bank of its own.
#[test]
fn arguments_that_use_all_banks_evenly_have_none_left() {
    let found = |card: &str, banks: &[u64]| -> Vec<Level> {
        let pin = |(at, bank): (usize, &u64)| format!("sp=vadd_1.a{at}:DDR[{bank}]\n");
        let pins: String = banks.iter().enumerate().map(pin).collect();
        let mut analysis = analysis("", &format!("[connectivity]\n{pins}"), &[]);
        analysis.platform = Platform::named(card).unwrap();
        let findings = audit(&analysis).findings;
        let shared = findings.iter().filter(|one| one.code == "connectivity/shared-bank");
        shared.map(|one| one.level).collect()
    };
    let even = [0, 1, 2, 3, 0, 1, 2, 3];
    assert_eq!(found("u200", &even), [Level::Note]);
    assert_eq!(found("u200", &even[..6]), [Level::Note], "one more on some");
    assert_eq!(found("u200", &[0, 1, 2, 3, 0, 0]), [Level::Note], "two more");
    assert_eq!(found("u200", &[0, 1, 2, 3, 0, 0, 0]), [Level::Warning], "uneven");
    assert_eq!(found("u200", &[0, 1, 2, 0, 1, 2]), [Level::Warning], "one is free");
    assert_eq!(found("u280", &[0, 1, 0, 1]), [Level::Note]);
}

#[test]
fn a_test_bench_and_a_template_say_nothing_of_banks() {
    let found = |text: &str| {
        let findings = audit(&analysis("", &format!("[connectivity]\n{text}\n"), &[])).findings;
        findings.iter().filter(|one| one.code == "connectivity/shared-bank").count()
    };
    let pins = |unit: &str| format!("sp={unit}.a:DDR[0]\nsp={unit}.b:DDR[0]");
    for bench in ["pe_tb_1", "tb_pe_1", "test_pe_1"] {
        assert_eq!(found(&pins(bench)), 0, "{bench}");
    }
    for kernel in ["pe_tbl_1", "latest_1", "tester_1"] {
        assert_eq!(found(&pins(kernel)), 1, "{kernel}");
    }
    assert_eq!(found(&format!("{}\nsp=pe_1.a:DDR[1]", pins("pe_tb_1"))), 1, "one is no bench");
    for filled in ["nk=%KERNEL%:1", "sp={{unit}}.c:DDR[1]", "sp=pe_1.@NAME@:DDR[1]", "nk=pe:*"] {
        assert_eq!(found(&format!("{}\n{filled}", pins("pe_1"))), 0, "{filled}");
        assert_eq!(found(&format!("{}\n# {filled}", pins("pe_1"))), 1, "{filled}");
    }
}

#[test]
fn arguments_on_banks_of_their_own_share_nothing() {
    assert!(shared("sp=vadd_1.a:HBM[0]\nsp=vadd_1.b:HBM[1]\nsp=vadd_2.a:DDR[0]").is_empty());
    assert!(shared("sp=vadd_1.a:HBM[0]\nsp=vadd_1.a:HBM[0]").is_empty(), "the same argument");
    assert!(shared("sp=vadd_1.a:DDR\nsp=vadd_1.b:DDR").is_empty(), "which bank is unknown");
    assert!(shared("sp=vadd_1.a:HBM[0:18446744073709551615]\nsp=vadd_1.b:HBM[0]").is_empty());
}

#[test]
fn a_buffer_may_be_handed_over_from_kernel_to_kernel() {
    let findings = shared("sp=vadd_1.a:HBM[0]\nsp=copy_1.b:HBM[0]");
    let [one] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(one.level, Level::Note);
    assert!(one.notes.iter().any(|note| note.contains("one bank for both")), "{one:?}");
    // Units of one kernel, and two arguments of one unit, take turns.
    for pins in [
        "sp=vadd_1.a:HBM[0]\nsp=vadd_2.a:HBM[0]",
        "sp=vadd_1.a:HBM[0]\nsp=copy_1.b:HBM[0]\nsp=copy_1.c:HBM[0]",
    ] {
        assert_eq!(shared(pins)[0].level, Level::Warning, "{pins}");
    }
    assert!(shared("sp=copy_1.a:HOST[0]\nsp=vadd_1.b:HOST[0]").is_empty());
}

/// What a rule finds in a configuration, with claims.
fn wired(code: &str, claims: &str, text: &str) -> Vec<Finding> {
    let findings = audit(&analysis(claims, &format!("[connectivity]\n{text}\n"), &[])).findings;
    findings.into_iter().filter(|one| one.code == code).collect()
}

#[test]
fn a_bank_beyond_the_last_is_not_on_the_card() {
    let found = |text: &str| wired("connectivity/not-on-card", "", text);
    let findings = found("sp=k_1.a:HBM[40]\nsp=k_1.b:HBM[0:35]\nslr=k_1:SLR3");
    assert_eq!(findings[0].level, Level::Error);
    let subjects: Vec<&str> = findings.iter().map(|one| one.subject.as_str()).collect();
    assert_eq!(subjects, ["HBM[40]", "HBM[0:35]", "SLR3"]);
    assert_eq!(found("sp=k_1.a:DDR[2]").len(), 1);
    assert_eq!(found("sp=k_1.a:PLRAM[6]").len(), 1);
    assert_eq!(found("slr=k_1:SLRX").len(), 1);
    let there = "sp=k_1.a:HBM[31]\nsp=k_1.b:HBM[0:31]\nsp=k_1.c:DDR[1]\nsp=k_1.d:PLRAM[5]\n\
                 sp=k_1.e:HOST[0]\nsp=k_1.f:DDR\nsp=k_1.g:bank9\nslr=k_1:SLR2";
    assert!(found(there).is_empty());
}

#[test]
fn a_memory_that_the_platform_file_leaves_out_is_not_judged() {
    let found = |text: &str| {
        let text = format!("[connectivity]\n{text}\n");
        let mut analysis = analysis("", &text, &[]);
        analysis.platform = Platform::named("u200").unwrap();
        let findings = audit(&analysis).findings;
        findings.iter().filter(|one| one.code == "connectivity/not-on-card").count()
    };
    // The shells of the U200 have PLRAM; its file says nothing of it.
    assert_eq!(found("sp=gemm_1.a:PLRAM[0]"), 0);
    assert_eq!(found("sp=gemm_1.a:HBM[0]"), 0);
    assert_eq!(found("sp=gemm_1.a:DDR[3]"), 0);
    assert_eq!(found("sp=gemm_1.a:DDR[4]"), 1);
}

#[test]
fn a_unit_that_no_nk_makes() {
    let found = |text: &str| wired("connectivity/compute-unit", "", text);
    let findings = found("nk=gemm:2\nsp=gemm_3.a:HBM[0]\nsp=gemm.b:HBM[1]\nsp=gemm_2.a:HBM[2]");
    let [finding, other] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!((finding.subject.as_str(), other.subject.as_str()), ("gemm_3", "gemm"));
    assert_eq!(finding.level, Level::Error);
    assert_eq!(finding.labels[0].text, "`nk=gemm` makes `gemm_1` to `gemm_2`");
    let findings = found("nk=gemm:3:left.right\nslr=left:SLR0");
    assert_eq!(findings[0].evidence["kind"], "misnamed");
    assert_eq!(findings[0].labels[0].text, "3 units and 2 names");
    assert_eq!(found("nk=gemm:2:left.left").len(), 1);
    // Named units replace the default names.
    assert_eq!(found("nk=gemm:1:left\nsp=gemm_1.a:HBM[0]").len(), 1);
    assert_eq!(found("nk=gemm:1\nstream_connect=gemm_1.o:gemm_2.i").len(), 1);
    // Its `nk` may be on the command line.
    assert_eq!(found("nk=gemm:1\nsp=left.a:HBM[0]")[0].level, Level::Warning);
    for good in [
        "sp=gemm_1.a:HBM[0]",
        // TAPA gives `nk` on the command line and keeps the banks in a file.
        "sp=Knn.in_0:HBM[0]\nsp=Knn.out:HBM[1]",
        "nk=gemm:2:left.right\nsp=left.a:HBM[0]\nstream_connect=left.o:right.i",
        "nk=gemm:1\nsp=gemm_1.a:HBM[0]\nsp=copy_1.a:HBM[1]\nslr=copy_1:SLR1",
        "nk=gemm:1\nstream_connect=cmac_0.out:gemm_1.in",
        "nk=gemm:1\nnk=gemm_b:1\nsp=gemm_b_1.a:HBM[0]",
        "nk=${KERNEL}:4\nsp=left.a:HBM[0]",
    ] {
        assert!(found(good).is_empty(), "{good}");
    }
}

#[test]
fn a_unit_away_from_its_memory_crosses() {
    let found = |text: &str| wired("connectivity/slr-crossing", "", text);
    let findings = found(
        "slr=a_1:SLR2\nslr=b_1:SLR0\nsp=a_1.x:HBM[0:3]\nsp=b_1.x:HBM[4]\nstream_connect=a_1.o:b_1.i",
    );
    let found_as: Vec<_> = findings.iter().map(|one| (one.level, one.subject.as_str())).collect();
    assert_eq!(found_as, [(Level::Warning, "a_1.x"), (Level::Note, "a_1.o")]);
    assert_eq!(found("slr=a_1:SLR0\nsp=a_1.x:DDR[1]").len(), 1);
    let streams = found("slr=a_1:SLR0\nslr=b_1:SLR1\nstream_connect=a_1.o:b_1.i");
    assert_eq!(streams[0].level, Level::Note);
    for good in [
        "slr=a_1:SLR0\nsp=a_1.x:HBM[0]",
        "slr=a_1:SLR1\nsp=a_1.x:DDR[1]",
        "sp=a_1.x:HBM[0]\nstream_connect=a_1.o:b_1.i",
        // One bank on each: what is not of one place is not judged.
        "slr=a_1:SLR2\nsp=a_1.x:DDR[0:1]",
        "slr=a_1:SLR2\nsp=a_1.x:PLRAM[0]\nsp=a_1.y:HBM",
        "slr=a_1:SLR1\nslr=b_1:SLR1\nstream_connect=a_1.o:b_1.i",
    ] {
        assert!(found(good).is_empty(), "{good}");
    }
}

#[test]
fn a_crossing_to_a_bank_whose_slr_is_assumed_is_a_note() {
    let text = "[connectivity]\nslr=a_1:SLR0\nsp=a_1.x:DDR[3]\n";
    let mut analysis = analysis("", text, &[]);
    let found = |analysis: &Analysis| {
        let mut findings = audit(analysis).findings;
        findings.retain(|one| one.code == "connectivity/slr-crossing");
        findings
    };
    analysis.platform = Platform::named("u200").unwrap();
    let [finding] = &found(&analysis)[..] else { panic!("{:#?}", found(&analysis)) };
    assert_eq!(finding.level, Level::Note);
    assert!(
        finding.notes.iter().any(|note| note.starts_with("the SLR of DDR is assumed: ")),
        "{:?}",
        finding.notes
    );
    for bank in &mut analysis.platform.banks {
        if let Some(slr) = &mut bank.slr {
            slr.provenance = Provenance::Datasheet;
        }
    }
    assert_eq!(found(&analysis)[0].level, Level::Warning);
}

#[test]
fn a_clock_that_is_asked_for_is_held_against_the_claim() {
    let found = |claims: &str, text: &str| wired("connectivity/asked-clock", claims, text);
    let claim = "clock = \"300 MHz\"";
    let findings = found(claim, "[clock]\ndefaultFreqHz=200000000");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "v++ is asked for 200 MHz, 300 MHz is claimed");
    assert_eq!((finding.level, finding.labels.len()), (Level::Error, 2));
    assert_eq!(found(claim, "kernel_frequency=0:250|1:500").len(), 1);
    let units = found(claim, "[clock]\nfreqHz=150000000:k_1.ap_clk");
    assert_eq!(units[0].level, Level::Warning);
    assert_eq!(units[0].message, "v++ is asked for 150 MHz for some units, 300 MHz is claimed");
    for good in ["kernel_frequency=300", "kernel_frequency=0:300|1:100", "kernel_frequency=350"] {
        assert!(found(claim, good).is_empty(), "{good}");
    }
    assert!(found("", "kernel_frequency=100").is_empty());
    assert!(found(claim, "kernel_frequency=${CLOCK}").is_empty());
}

#[test]
fn a_default_clock_is_for_the_units_that_nothing_else_names() {
    let found = |text: &str| wired("connectivity/asked-clock", "clock = \"300 MHz\"", text);
    let all = "nk=gemm:1\nsp=gemm_1.a:HBM[0]\n[clock]\ndefaultFreqHz=100000000\n";
    for own in ["gemm_1", "gemm_1.ap_clk", "gemm"] {
        assert!(found(&format!("{all}freqHz=300000000:{own}")).is_empty(), "{own}");
    }
    assert!(found("[clock]\ndefaultFreqHz=100000000\nfreqHz=300000000:gemm_1").is_empty());
    // Of another clock, or of another unit: the default still holds for a first clock.
    for other in ["gemm_1.ap_clk_2", "copy_1"] {
        let findings = found(&format!("{all}freqHz=300000000:{other}"));
        let [finding] = &findings[..] else { panic!("{other}: {findings:#?}") };
        assert!(finding.message.starts_with("v++ is asked for 100 MHz"), "{}", finding.message);
    }
    let left = found(&format!("nk=copy:1\n{all}freqHz=300000000:gemm_1"));
    assert_eq!(left[0].level, Level::Warning);
}

#[test]
fn a_clock_of_single_units_is_no_claim_to_write() {
    let edits = |text: &str| {
        let mut findings = wired("connectivity/asked-clock", "clock = \"300 MHz\"", text);
        findings.swap_remove(0).fixes.swap_remove(0).edits
    };
    assert!(edits("[clock]\nfreqHz=150000000:dma_1").is_err());
    assert!(edits("kernel_frequency=200\n[clock]\nfreqHz=150000000:dma_1").is_err());
    assert_eq!(edits("kernel_frequency=200").unwrap()[0].replacement, "\"200 MHz\"");
}

#[test]
fn a_die_that_is_not_there_is_crossed_by_nothing() {
    let text = "[connectivity]\nslr=k_1:SLR3\nsp=k_1.a:HBM[0]\n";
    let findings = audit(&analysis("", text, &[])).findings;
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"connectivity/not-on-card"), "{codes:?}");
    assert!(!codes.contains(&"connectivity/slr-crossing"), "{codes:?}");
}
