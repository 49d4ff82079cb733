use crate::Measurement;
use derate_units::Provenance;

/// Repetitions of one thing on one machine that are further apart than this were disturbed.
const TIMES: f64 = 2.0;

/// Says so where the slowest repetition of a run took over twice as long as the median one.
pub fn note_uneven(measured: &Measurement) -> Option<String> {
    if measured.provenance != Provenance::Measured {
        return None;
    }
    let times = measured.runs.iter().filter_map(|run| {
        let (_, slowest) = run.extremes()?;
        Some(slowest / run.median()?).filter(|&times| times > TIMES)
    });
    let (many, most) =
        times.fold((0_usize, 0.0_f64), |(many, most), next| (many + 1, most.max(next)));
    (many > 0).then(|| {
        format!(
            "In {many} of {} runs the slowest repetition took over twice as long as the median one, up to {most:.1} times: \
             something else ran there, or the clock changed. The median may be off, too: measure again on an idle machine.",
            measured.runs.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use derate_units::Seconds;

    #[test]
    fn a_repetition_over_twice_the_median_is_told_of_what_was_measured() {
        let text =
            include_str!("../../../fixtures/measurements/supported-hbm-bandwidth/measurement.json");
        let mut measured: Measurement = serde_json::from_str(text).unwrap();
        measured.provenance = Provenance::Measured;
        let run = |times: [f64; 3]| Run { seconds: times.map(Seconds).to_vec(), ..Run::default() };
        measured.runs = vec![run([1.0, 1.1, 2.2])];
        assert_eq!(note_uneven(&measured), None);
        measured.runs.push(run([1.0, 2.0, 9.0]));
        let said = note_uneven(&measured).unwrap();
        assert!(said.starts_with("In 1 of 2 runs") && said.contains("up to 4.5 times"), "{said}");
        measured.provenance = Provenance::Emulated;
        assert_eq!(note_uneven(&measured), None);
    }
}
