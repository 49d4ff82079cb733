use derate_model::pipeline::{dataflow_interval, dataflow_loop, ping_pong_latency};

use super::csv::{Record, read};
use super::{Errors, Part, Row, Standing};

pub(crate) fn part() -> Part {
    let modules = read("modules.csv");
    let regions = read("dataflow.csv");
    let mut intervals: Vec<(f64, f64)> = modules
        .iter()
        .filter(|r| r.text("kind") == "dataflow interval")
        .map(|r| (dataflow_interval(r.count("inner")).0, r.number("cycles")))
        .collect();
    let slowest = |r: &Record, key: &str| r.counts(key).into_iter().max().unwrap();
    intervals.extend(
        regions
            .iter()
            .map(|r| (dataflow_interval(slowest(r, "intervals")).0, r.number("interval"))),
    );
    let latency: Vec<(f64, f64)> =
        regions.iter().map(|r| (slowest(r, "latencies") as f64, r.number("latency"))).collect();
    let loops: Vec<(f64, f64)> = read("dataflow_loops.csv")
        .iter()
        .map(|r| {
            let cycles = dataflow_loop(r.count("trips"), r.count("interval"), r.count("latency"));
            (cycles.0, r.number("cycles"))
        })
        .collect();
    let within = regions
        .iter()
        .filter(|r| {
            let path = r.counts("latencies").iter().sum();
            let printed = r.number("latency");
            slowest(r, "latencies") as f64 <= printed && printed <= ping_pong_latency(path).0
        })
        .count();
    let source = "csynth of public repositories, 2022.1 to 2025.1";
    let rows = vec![
        Row {
            set: "dataflow interval".to_owned(),
            model: "max + 1",
            standing: Standing::Free,
            errors: Errors::of(&intervals),
            source,
        },
        Row {
            set: "dataflow latency, its least".to_owned(),
            model: "max",
            standing: Standing::Free,
            errors: Errors::of(&latency),
            source,
        },
        Row {
            set: "loop over a dataflow region".to_owned(),
            model: "(T - 1) x interval + latency + 1",
            standing: Standing::Chosen,
            errors: Errors::of(&loops),
            source: "csynth of one public repository, 2022.2",
        },
    ];
    let remarks = vec![format!(
        "A region's latency lies between its slowest part (all FIFOs) and the sum of its parts and two cycles (all ping-pong \
         buffers, one path): {within} of {} here. Which channel is which the tree does not print.",
        regions.len()
    )];
    Part { title: "Dataflow", rows, remarks }
}
