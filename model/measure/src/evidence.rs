use super::setup::Setup;
use super::{BandwidthClaim, DeviceKind, Measurement, VerdictReason, emulation};
use derate_units::Provenance;

/// Why a measurement says nothing of what the claim is about.
pub(super) fn check_evidence(
    measurement: &Measurement,
    setup: Option<&Setup>,
    claim: &BandwidthClaim,
) -> Vec<VerdictReason> {
    let device = &measurement.device;
    let mut reasons = Vec::new();
    match device.kind {
        DeviceKind::Card => reasons.extend(emulation::find_emulation(measurement)),
        DeviceKind::Cpu | DeviceKind::Gpu => {
            reasons.extend(emulation::find_emulation(measurement));
            if let Some(platform) = &claim.platform {
                reasons.push(VerdictReason::new(
                    "cpu",
                    format!(
                        "It ran on {}: that says nothing about the memory of {}. --bandwidth RATE gives a claim about this machine.",
                        device.kind.as_str(),
                        platform.title
                    ),
                ));
            }
        }
        DeviceKind::Noop => reasons.push(VerdictReason::new(
            "noop",
            "XRT's noop shim does nothing: its times are those of no work at all.",
        )),
        emulated => reasons.push(VerdictReason::new(
            "emulated",
            format!(
                "It ran on {}: its times, modelled or by the host's clock, are not a measurement of hardware.",
                emulated.as_str()
            ),
        )),
    }
    match measurement.provenance {
        Provenance::Measured | Provenance::Published => {}
        // The device said as much.
        Provenance::Emulated if !reasons.is_empty() => {}
        other => {
            reasons.push(VerdictReason::new(
                "provenance",
                format!("Its times are {other}, not measured."),
            ));
        }
    }
    if let (Some(platform), Some(setup), true) = (&claim.platform, setup, reasons.is_empty()) {
        if !setup.platform.name.eq_ignore_ascii_case(&platform.name) {
            reasons.push(VerdictReason::new(
                "other-card",
                format!(
                    "It was measured on {}, and the claim ({}) is about {}. --bandwidth gives a claim about any card.",
                    setup.platform.title, claim.source, platform.title
                ),
            ));
        } else if setup.memory.title != platform.memory.title {
            reasons.push(VerdictReason::new(
                "other-memory",
                format!(
                    "It was measured on {}, and the claim ({}) is about {}. --bandwidth gives a claim about any memory.",
                    setup.memory.title, claim.source, platform.memory.title
                ),
            ));
        }
    }
    reasons
}
