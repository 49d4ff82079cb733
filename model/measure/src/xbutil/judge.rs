use super::{Xbutil, XbutilFigure, XbutilTest};
use crate::{BandwidthClaim, Judgement, Verdict, VerdictReason, emulation};
use derate_machine::Platform;
use derate_machine::bandwidth::Channels;
use derate_units::figures::{count, quantity, significant};
use derate_units::{Figure, Provenance};

/// What keeps a test from counting: the tool says that it failed, or not that it passed.
fn check_status(figure: &XbutilFigure) -> Option<VerdictReason> {
    match figure.status.as_deref() {
        Some("passed") => None,
        Some("failed") => {
            Some(VerdictReason::new("failed", "The tool says that this test failed."))
        }
        _ => Some(VerdictReason::new("not-passed", "The tool does not say that this test passed.")),
    }
}

/// Why a figure is of no card's memory.
fn check_place(device: &Xbutil, figure: &XbutilFigure) -> Option<VerdictReason> {
    if let Some(mark) = emulation::find_mark(&device.shell) {
        let sentence = format!(
            "`platform` is `{}`, which names an emulation ({mark}): an emulation is not a measurement of hardware.",
            device.shell.escape_debug()
        );
        return Some(VerdictReason::new("emulated", sentence));
    }
    let (code, sentence) = match &figure.test {
        XbutilTest::Dma => {
            ("pcie", "It is the way between host and card over PCIe, not the memory of the card.")
        }
        XbutilTest::MemoryToMemory => {
            ("shell-copy", "It is a copy by the shell between two memories, not what kernels get.")
        }
        XbutilTest::Memory { bank: Some(bank), .. } if bank.eq_ignore_ascii_case("HOST") => (
            "pcie",
            "It is the host's memory, which kernels reach over PCIe, not the memory of the card.",
        ),
        XbutilTest::Memory { .. } => return None,
    };
    Some(VerdictReason::new(code, sentence))
}

/// What one of these figures says of a claim: never that it holds, as neither ports nor clocks are printed.
pub(crate) fn judge_figure(
    device: &Xbutil,
    figure: &XbutilFigure,
    claim: &BandwidthClaim,
) -> Judgement {
    let mut judgement = Judgement::new(figure.name.clone());
    let bandwidth = figure.bandwidth();
    judgement.bandwidth = Some(Figure::new(
        bandwidth,
        Provenance::Measured,
        format!(
            "{} MB/s are printed, which are MiB/s: times 1.048576 in MB/s",
            significant(figure.printed, 6)
        ),
    ));

    if let Some(reason) = check_place(device, figure) {
        let reasons = [reason].into_iter().chain(check_status(figure));
        return judgement.with_verdict(Verdict::NotEvidence, reasons.collect());
    }
    let XbutilTest::Memory { bank, banks } = &figure.test else { return judgement };
    let failed = check_status(figure);
    let platform = device.platform.as_deref().and_then(|name| {
        let own = claim.platform.as_ref().filter(|own| own.name.eq_ignore_ascii_case(name));
        own.cloned().or_else(|| Platform::named(name).ok())
    });
    let memory = platform.as_ref().and_then(|platform| {
        let wanted = bank.as_deref()?;
        platform.memories().find(|memory| {
            memory.bank.as_deref().is_some_and(|bank| bank.eq_ignore_ascii_case(wanted))
        })
    });
    if let (Some(claimed), Some(platform)) = (&claim.platform, &platform) {
        let other_card = !platform.name.eq_ignore_ascii_case(&claimed.name);
        let other_memory = memory.is_some_and(|memory| memory.title != claimed.memory.title);
        if other_card || other_memory {
            let of = memory.map_or(&platform.title, |memory| &memory.title);
            let reason = VerdictReason::new(
                if other_card { "other-card" } else { "other-memory" },
                format!(
                    "It is of {of} ({}), and the claim is about {} ({}). --bandwidth RATE names a claim that is about no card in particular.",
                    platform.name, claimed.memory.title, claimed.name
                ),
            );
            return judgement.with_verdict(Verdict::NotEvidence, vec![reason]);
        }
    }
    if let (Some(memory), Some(banks)) = (memory, banks) {
        let channels = Channels::of(memory);
        if *banks > channels.count as u64 {
            let reason = VerdictReason::new(
                "banks",
                format!(
                    "It prints {banks} banks, and {} has {}: what was measured cannot be told.",
                    memory.title, channels.count
                ),
            );
            return judgement.with_verdict(Verdict::Inconclusive, vec![reason]);
        }
        let used = (*banks as f64).min(channels.count as f64);
        let peak = Figure::new(
            channels.rate * used,
            Provenance::Derived,
            format!("{used} of {} banks at {}", channels.count, quantity(channels.rate)),
        );
        let above = (bandwidth > peak.value).then(|| {
            VerdictReason::new(
                "above-peak",
                format!(
                    "{} is more than {} can carry ({}): it is of more banks than are printed, or counted otherwise.",
                    quantity(bandwidth),
                    count(usize::try_from(*banks).unwrap_or(usize::MAX), "bank"),
                    quantity(peak.value)
                ),
            )
        });
        judgement.peak = Some(peak);
        if let Some(above) = above {
            return judgement.with_verdict(Verdict::Implausible, vec![above]);
        }
    }
    let mut reasons = Vec::new();
    if *banks == Some(1) {
        let of = memory.map_or_else(String::new, |memory| {
            format!(" of the {} banks of {}", Channels::of(memory).count, memory.title)
        });
        reasons.push(VerdictReason::new(
            "one-bank",
            format!("It is one bank{of}: what the others would add is not measured, and one bank's figure is not multiplied."),
        ));
    }
    reasons.push(VerdictReason::new(
        "missing-field",
        "A verdict needs port widths, kernel clock and memory clock, and these tools do not print them: use `derate bench`.",
    ));
    reasons.extend(failed);
    judgement.with_verdict(Verdict::Inconclusive, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shell: &str, line: &str) -> (Verdict, &'static str) {
        let text = format!(
            r#"{{"logical_devices": [{{"platform": "{shell}", "tests": [{{"name": "mem-bw", "status": "passed", "log": [{{"Details": "{line}"}}]}}]}}]}}"#
        );
        let cards = Xbutil::parse("x.json", &text).unwrap();
        let judged = judge_figure(&cards[0], &cards[0].figures[0], &BandwidthClaim::of_u280());
        (judged.verdict, judged.reasons[0].code)
    }

    #[test]
    fn what_no_card_prints_of_its_memory_is_told_from_what_one_does() {
        let banks = |kind: &str, n: u64| {
            format!("Throughput (Type: {kind}) (Bank count: {n}) : 12100.5 MB/s")
        };
        let shell = "xilinx_u280_gen3x16_xdma_base_1";
        assert_eq!(of(shell, &banks("HBM", 40)), (Verdict::Inconclusive, "banks"));
        assert_eq!(of(shell, &banks("HBM", 32)), (Verdict::Inconclusive, "missing-field"));
        assert_eq!(of(shell, &banks("HOST", 1)), (Verdict::NotEvidence, "pcie"));
        assert_eq!(of("xilinx_u280_sw_emu", &banks("HBM", 1)), (Verdict::NotEvidence, "emulated"));
        assert_eq!(of(shell, &banks("HBM", 1)), (Verdict::Inconclusive, "one-bank"));
    }
}
