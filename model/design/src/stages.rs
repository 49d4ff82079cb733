//! Cycles of described stages.

use derate_kernel::pipeline::{dataflow_interval, outlined_pipelined_loop, pipelined_loop};
use derate_project::{StageList, StageSection};
use derate_units::Cycles;
use serde::Serialize;

/// Cycles of a pipelined loop that is entered `repeats` times: each time the loop and the two states that enter and leave it.
#[must_use]
pub fn stage_cycles(trips: u64, repeats: u64, ii: u64, depth: u64) -> Cycles {
    if trips == 0 {
        return Cycles(0.0);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let once = outlined_pipelined_loop(pipelined_loop(trips, ii, depth).0 as u64);
    Cycles(once.0 * repeats as f64)
}

/// One stage, with what holds its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageCycles {
    /// What it is called.
    pub name: String,
    /// Cycles between the starts of two iterations: the stated ones, or those that a port needs.
    pub ii: u64,
    /// The port that needs more cycles than the stated interval.
    pub held_by_port: Option<String>,
    /// Cycles of one call.
    pub cycles: Cycles,
    /// Multiply-adds of one call.
    pub multiply_adds: f64,
}

/// Each stage of a kernel in one call.
pub(crate) fn list_stages(list: &StageList) -> Vec<StageCycles> {
    list.stages.iter().map(|stage| count_stage(list, stage)).collect()
}

/// The interval is the larger of the stated one and of `bytes x 8 / bits` of each port.
fn count_stage(list: &StageList, stage: &StageSection) -> StageCycles {
    let needed = stage.bytes.iter().filter_map(|(port, bytes)| {
        let bits = list.port_bits.get(port)?.value as f64;
        Some((port, (8.0 * bytes / bits).ceil()))
    });
    let slowest = needed.max_by(|a, b| a.1.total_cmp(&b.1));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let held =
        slowest.map(|(port, cycles)| (port, cycles as u64)).filter(|one| one.1 > stage.ii.max(1));
    let ii = held.map_or(stage.ii.max(1), |(_, cycles)| cycles);
    StageCycles {
        name: stage.name.value.clone(),
        ii,
        held_by_port: held.map(|(port, _)| port.clone()),
        cycles: stage_cycles(stage.trips, stage.repeats, ii, stage.depth),
        multiply_adds: stage.multiply_adds * stage.trips as f64 * stage.repeats as f64,
    }
}

/// Latency and interval of all stages: the sum where they run one after another; where they run at the same time, the
/// slowest one and the depth of the others, which is when the first result has passed them.
pub(crate) fn join_stages(list: &StageList, stages: &[StageCycles]) -> (Cycles, Cycles) {
    let sum: f64 = stages.iter().map(|stage| stage.cycles.0).sum();
    let slowest = stages.iter().map(|stage| stage.cycles.0).fold(0.0, f64::max);
    if !list.is_dataflow {
        return (Cycles(sum), Cycles(sum));
    }
    let at = stages.iter().position(|stage| stage.cycles.0 >= slowest).unwrap_or(0);
    let others = list.stages.iter().enumerate().filter(|(other, _)| *other != at);
    let fill: f64 = others.map(|(_, stage)| stage.depth as f64).sum();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let interval = dataflow_interval(slowest as u64);
    (Cycles(slowest + fill), interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::Sources;
    use derate_project::{KernelOrigin, Project};

    fn read_stages(text: &str) -> StageList {
        let mut sources = Sources::default();
        let text = format!("[platform]\nname = \"u280\"\n[[kernel]]\nname = \"k\"\n{text}");
        let file = sources.add("derate.toml", text);
        let project = Project::parse(&sources, file).unwrap();
        match &project.kernels[0].origin {
            KernelOrigin::Stages(list) => list.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_narrow_port_holds_the_interval() {
        let list = read_stages(
            "port_bits = { q = 8 }\n[[kernel.stage]]\nname = \"load\"\ntrips = 100\ndepth = 3\nbytes = { q = 64 }\n",
        );
        let stages = list_stages(&list);
        assert_eq!((stages[0].ii, stages[0].held_by_port.as_deref()), (64, Some("q")));
        // 99 x 64, the last iteration's own 64, and two states.
        assert_eq!(stages[0].cycles, Cycles(6402.0));
    }

    #[test]
    fn stages_of_dataflow_run_at_the_same_time() {
        let text = "[[kernel.stage]]\nname = \"a\"\ntrips = 100\ndepth = 5\n[[kernel.stage]]\nname = \"b\"\ntrips = 200\ndepth = 7\n";
        let sequential = read_stages(text);
        let dataflow = read_stages(&format!("schedule = \"dataflow\"\n{text}"));
        let stages = list_stages(&dataflow);
        assert_eq!(join_stages(&sequential, &stages).0, Cycles(105.0 + 207.0));
        assert_eq!(join_stages(&dataflow, &stages), (Cycles(207.0 + 5.0), Cycles(208.0)));
    }
}
