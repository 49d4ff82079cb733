use super::{KernelKind, Measurement, VerdictReason};
use derate_machine::bandwidth::Direction;
use derate_units::figures::{count, grouped};

/// Ports of one unit of derate's own kernels: those that read, and those that write. Results that a `read` writes beside
/// its stream are not counted.
fn ports_per_unit(kind: KernelKind) -> [(Direction, u64, &'static str); 2] {
    let (reads, writes) = match kind {
        KernelKind::Memcpy => (1, 1),
        KernelKind::Read => (1, 0),
        KernelKind::Write => (0, 1),
        KernelKind::Gemm => (2, 1),
        // derate has no kernel of these for a card.
        KernelKind::Gemv | KernelKind::Attention | KernelKind::Mlp => (0, 0),
    };
    [(Direction::Read, reads, "read"), (Direction::Write, writes, "write")]
}

/// Other ports than derate's kernels have, in a file that derate's bench says it wrote. Kernels of others may have any
/// number: `hbm_bandwidth` of `Vitis_Accel_Examples` has four in each unit.
pub(super) fn check_own_ports(measurement: &Measurement) -> Option<VerdictReason> {
    measurement.versions.derate.as_ref()?;
    let units = measurement.compute_units?;
    ports_per_unit(measurement.kernel).into_iter().filter(|(_, each, _)| *each > 0).find_map(
        |(way, each, verb)| {
            let those = measurement.ports.iter().filter(|group| {
                group.direction == Some(way) || group.direction == Some(Direction::Copy)
            });
            let counts = those.map(|group| group.count).collect::<Option<Vec<u64>>>()?;
            let all = counts.into_iter().fold(0, u64::saturating_add);
            // Ports that are missing for a direction are reported with the bytes.
            (all > 0 && all != units.saturating_mul(each)).then(|| {
                let number = |n: u64, what| count(usize::try_from(n).unwrap_or(usize::MAX), what);
                VerdictReason::new(
                    "compute-units",
                    format!(
                        "`versions.derate` says that derate measured it, and each unit of derate's `{}` has {} to {verb}: {} \
                         would have {} of them, not {}. Give `compute_units` and each `count` as the design has them, or leave \
                         `versions.derate` out where another program measured.",
                        measurement.kernel,
                        number(each, "port"),
                        number(units, "unit"),
                        grouped(units as f64 * each as f64),
                        grouped(all as f64)
                    ),
                )
            })
        },
    )
}
