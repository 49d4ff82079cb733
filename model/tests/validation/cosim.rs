use super::csv::read;
use super::{Errors, Part, Row, Standing};

pub(crate) fn part() -> Part {
    let all = read("cosim.csv");
    let known: Vec<(f64, f64, f64, f64)> = all
        .iter()
        .filter_map(|r| {
            let number = |key: &str| r.text(key).parse::<f64>().ok();
            Some((
                number("csynth_best")?,
                number("csynth_worst")?,
                number("cosim_min")?,
                number("cosim_max")?,
            ))
        })
        .collect();
    let single: Vec<(f64, f64)> = known
        .iter()
        .filter(|(best, worst, ..)| best.to_bits() == worst.to_bits())
        .map(|&(_, worst, _, simulated)| (worst, simulated))
        .collect();
    let ranges = known.len() - single.len();
    let inside = known
        .iter()
        .filter(|(best, worst, least, most)| best < worst && best <= least && most <= worst)
        .count();
    let rows = vec![Row {
        set: "co-simulation, where csynth prints one latency".to_owned(),
        model: "csynth's own figure",
        standing: Standing::Free,
        errors: Errors::of(&single),
        source: "csynth and cosim reports side by side in public repositories",
    }];
    let remarks = vec![format!(
        "This holds the tool against its own simulation, not a rule of ours. Of {} pairs, {} have no csynth latency at all, and \
         {ranges} a range, which holds the simulated latency in {inside} cases and is up to 20 times wide. The largest miss is \
         likely a report that is older than the simulation beside it; it is kept.",
        all.len(),
        all.len() - known.len(),
    )];
    Part { title: "Synthesis against simulation", rows, remarks }
}
