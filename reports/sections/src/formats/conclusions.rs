//! What each figure of a study says, in a sentence over its own rows.

use derate_predict::formats::{FormatRow, FormatStudy};
use derate_units::figures::{rate, significant};

/// The rows with the least and the most of a figure, and how many times the one is the other; none where no row has it.
fn find_extremes<'a>(
    study: &'a FormatStudy,
    read: &dyn Fn(&FormatRow) -> Option<f64>,
) -> Option<(&'a FormatRow, &'a FormatRow, f64)> {
    let mut known: Vec<(f64, &FormatRow)> =
        study.rows.iter().filter_map(|row| Some((read(row)?, row))).collect();
    // Of equal formats, the first that was asked for is named.
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (least, low) = *known.first()?;
    let most = known.last()?.0;
    let (_, high) = *known.iter().find(|(value, _)| value.to_bits() == most.to_bits())?;
    Some((low, high, most / least))
}

/// A row's name, and how many others have the same figure.
fn with_its_equals(
    study: &FormatStudy,
    row: &FormatRow,
    read: &dyn Fn(&FormatRow) -> Option<f64>,
) -> String {
    let alike = study.rows.iter().filter(|other| read(other) == read(row)).count();
    let others = if alike > 1 { format!(" (and {} more)", alike - 1) } else { String::new() };
    format!("{}{others}", row.mixture)
}

/// `fp8_e4m3 has 16 times the peak of fp32`; none where fewer than two rows have one.
fn describe_spread(
    study: &FormatStudy,
    what: &str,
    read: &dyn Fn(&FormatRow) -> Option<f64>,
) -> Option<String> {
    let (low, high, times) = find_extremes(study, read)?;
    let known = count_known(study, read);
    if known < 2 {
        return None;
    }
    Some(if times > 1.0 && times.is_finite() {
        let (first, times) = (with_its_equals(study, high, read), significant(times, 3));
        format!("{first} has {times} times the {what} of {}", low.mixture)
    } else {
        format!("The {what} is the same for all {known} formats that have one")
    })
}

/// Of the peaks, and of what was measured below them.
pub(super) fn of_peaks(study: &FormatStudy) -> String {
    let peak = |row: &FormatRow| row.peak.as_ref().map(|peak| peak.value.0);
    let lead = describe_spread(study, "peak", &peak).map_or_else(String::new, |lead| lead + ". ");
    let shares = study.rows.iter().filter_map(|row| {
        let best = row.achieved.iter().map(|point| point.rate.0).reduce(f64::max)?;
        Some(100.0 * best / peak(row)?)
    });
    let (low, high) = shares.fold((f64::INFINITY, 0.0_f64), |(l, h), s| (l.min(s), h.max(s)));
    let measured = match (significant(low, 3), significant(high, 3)) {
        _ if high <= 0.0 => String::new(),
        (low, high) if low == high => format!(" What was measured reaches {high} % of its peak."),
        (low, high) => format!(" What was measured reaches {low} to {high} % of its peak."),
    };
    format!(
        "{lead}Dense peaks of the arithmetic that each format runs in, whatever it is stored in.{measured}"
    )
}

/// Of the intensities.
pub(super) fn of_intensities(study: &FormatStudy) -> String {
    let lead = describe_spread(study, "operational intensity", &|row| row.oi.map(|oi| oi.0));
    let lead = lead.map_or_else(String::new, |lead| lead + ". ");
    format!(
        "{lead}The fewer bits all operands have together, the more operations for each byte that moves."
    )
}

/// Of the intensities in bits, by the two definitions of them.
pub(super) fn of_bits(
    study: &FormatStudy,
    text: &dyn Fn(&FormatRow) -> Option<f64>,
    code: &dyn Fn(&FormatRow) -> Option<f64>,
) -> String {
    let first = |read: &dyn Fn(&FormatRow) -> Option<f64>| {
        find_extremes(study, read).map(|(_, high, _)| with_its_equals(study, high, read))
    };
    let lead = match (first(text), first(code)) {
        _ if study.rows.len() < 2 => return "Circuit weights are assumed.".to_owned(),
        (Some(text), Some(code)) if text == code => {
            format!("{text} comes first by both definitions")
        }
        (Some(text), Some(code)) => {
            format!("{text} comes first by the text's definition, {code} by the code's")
        }
        (None, None) => return "Circuit weights are assumed.".to_owned(),
        (Some(first), None) | (None, Some(first)) => {
            format!("{first} comes first by the one definition that has weights for it")
        }
    };
    format!("{lead}; the order rests on circuit weights, which are assumed.")
}

/// How many rows have a figure.
fn count_known(study: &FormatStudy, read: &dyn Fn(&FormatRow) -> Option<f64>) -> usize {
    study.rows.iter().filter(|row| read(row).is_some()).count()
}

/// Of the distances to the ridge.
pub(super) fn of_ridges(study: &FormatStudy) -> String {
    let rho = |row: &FormatRow| row.rho;
    let all = count_known(study, &rho);
    let below = study.rows.iter().filter(|row| row.rho.is_some_and(|rho| rho < 1.0)).count();
    let which = if all < study.rows.len() { " with a known peak" } else { "" };
    let how = match below {
        0 => format!("No format{which} is memory bound (rho below 1)"),
        _ if below == all => format!("Memory bounds every format{which} (rho below 1)"),
        _ => format!(
            "Memory bounds {below} of {all} formats{which} (rho below 1), arithmetic the others"
        ),
    };
    let far = find_extremes(study, &rho).filter(|(.., times)| *times > 1.0);
    let far = far.map_or_else(String::new, |(low, high, _)| {
        let rho = |row: &FormatRow| row.rho.map_or_else(String::new, |rho| significant(rho, 3));
        format!("; from {} ({}) to {} ({})", low.mixture, rho(low), high.mixture, rho(high))
    });
    format!("{how}{far}. rho = operational intensity / ridge of the same arithmetic.")
}

/// Of the rates below the roofs.
pub(super) fn of_roofs(study: &FormatStudy) -> String {
    let attainable = |row: &FormatRow| row.attainable.map(|rate| rate.0);
    let lead = find_extremes(study, &attainable).and_then(|(_, high, times)| {
        let most = rate(high.attainable?, high.arithmetic);
        Some(match count_known(study, &attainable) {
            1 => format!("{} may attain {most}", high.mixture),
            _ if times > 1.0 => {
                format!("{} may attain the most, {most}", with_its_equals(study, high, &attainable))
            }
            all => format!("All {all} formats with a known peak may attain {most}"),
        })
    });
    let lead = lead.map_or_else(String::new, |lead| lead + ". ");
    format!(
        "{lead}Each format is below the roof of its own arithmetic: left of its ridge memory bounds."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_machine::Target;
    use derate_measure::points::MeasuredPoint;
    use derate_predict::formats::{BitIntensity, CircuitWeights, FormatQuestion, GivenFigures};
    use derate_units::{Mixture, OpsPerByte, OpsPerSecond};
    use derate_workload::operator::Shape;

    fn study(
        platform: &str,
        shape: Shape,
        names: &[&str],
        points: &[MeasuredPoint],
    ) -> FormatStudy {
        let target = Target::named(platform).unwrap();
        let mixtures: Vec<Mixture> =
            names.iter().map(|name| Mixture::parse(name).unwrap()).collect();
        FormatQuestion {
            target: Some((&target, platform)),
            subject: Some(shape),
            mixtures: &mixtures,
            points,
            given: GivenFigures::default(),
            words: String::new(),
        }
        .study_formats()
        .unwrap()
    }

    fn of(set: CircuitWeights) -> impl Fn(&FormatRow) -> Option<f64> {
        let own = move |i: &&BitIntensity| (i.definition, i.weights) == (set, set);
        move |row| row.bit_intensity.iter().find(own).map(|i| i.value)
    }

    /// 4096 x 4096 weights on a card of 989.4, 1979 and 66.9 TFLOP/s at 3.35 TB/s.
    fn gemm(m: u64, names: &[&str]) -> FormatStudy {
        study("h100-sxm", Shape::Gemm { m, n: 4096, k: 4096 }, names, &[])
    }

    const ALL: [&str; 4] = ["fp32", "bf16", "fp8", "int8"];

    #[test]
    fn what_bounds_is_counted() {
        let ridges = |m, wanted: &str| {
            let said = of_ridges(&gemm(m, &ALL));
            assert!(said.starts_with(wanted), "{said}");
        };
        ridges(
            4096,
            "No format is memory bound (rho below 1); from fp8_e4m3 (4.62) to fp32 (34.2).",
        );
        ridges(256, "Memory bounds 3 of 4 formats (rho below 1), arithmetic the others;");
        ridges(
            1,
            "Memory bounds every format (rho below 1); from fp8_e4m3 (0.00338) to fp32 (0.025).",
        );
    }

    #[test]
    fn a_format_without_a_peak_is_not_counted() {
        // No INT4 arithmetic is known of this card.
        let some = gemm(4096, &["fp32", "bf16", "int4"]);
        let said = of_ridges(&some);
        assert!(said.starts_with("No format with a known peak is memory bound"), "{said}");
        let said = of_ridges(&gemm(256, &["fp32", "bf16", "int4"]));
        assert!(said.starts_with("Memory bounds 1 of 2 formats with a known peak"), "{said}");
        let one = gemm(4096, &["bf16", "int4"]);
        let said = [of_roofs(&one), of_peaks(&one)].join(" ");
        assert!(said.starts_with("bf16 may attain 989.4 TFLOP/s. "), "{said}");
        assert!(!said.contains("same for all"), "{said}");
        let none = gemm(4096, &["int4"]);
        assert!(of_roofs(&none).starts_with("Each format is below"));
    }

    #[test]
    fn what_comes_first_is_named() {
        let study = gemm(256, &ALL);
        let said = of_peaks(&study);
        assert!(
            said.starts_with("fp8_e4m3 (and 1 more) has 29.6 times the peak of fp32. "),
            "{said}"
        );
        let said = of_intensities(&study);
        assert!(
            said.starts_with(
                "fp8_e4m3 (and 1 more) has 4 times the operational intensity of fp32."
            ),
            "{said}"
        );
        let said = of_roofs(&study);
        assert!(
            said.starts_with("fp8_e4m3 (and 1 more) may attain the most, 1.525 PFLOP/s."),
            "{said}"
        );
        let [text, code] = CircuitWeights::ALL.map(of);
        let said = of_bits(&study, &text, &code);
        assert!(
            said.starts_with(
                "fp32 (and 1 more) comes first by the text's definition, fp32 by the code's; "
            ),
            "{said}"
        );
        let said = of_bits(&study, &text, &|row| code(row).map(|value| -value));
        assert!(said.contains("by the text's definition, bf16 by the code's; "), "{said}");
    }

    #[test]
    fn one_format_is_compared_with_none() {
        let study = gemm(4096, &["bf16"]);
        let [text, code] = CircuitWeights::ALL.map(of);
        let said =
            [of_peaks(&study), of_intensities(&study), of_bits(&study, &text, &code)].join(" ");
        assert!(
            !said.contains("times") && !said.contains("first") && !said.contains("for all"),
            "{said}"
        );
        let said = of_roofs(&study);
        assert!(said.starts_with("bf16 may attain 989.4 TFLOP/s."), "{said}");
    }

    #[test]
    fn what_was_measured_is_a_share_of_the_peak() {
        let point = |name: &str, rate| MeasuredPoint {
            range: None,
            name: name.to_owned(),
            oi: OpsPerByte(100.0),
            rate: OpsPerSecond(rate),
            source: "a run".to_owned(),
        };
        let shape = Shape::Gemm { m: 256, n: 4096, k: 4096 };
        let points = [point("bf16 a", 98.94e12), point("fp32 b", 33.45e12)];
        let both = of_peaks(&study("h100-sxm", shape, &ALL, &points));
        assert!(both.ends_with("What was measured reaches 10 to 50 % of its peak."), "{both}");
        let one = of_peaks(&study("h100-sxm", shape, &ALL, &points[..1]));
        assert!(one.ends_with("What was measured reaches 10 % of its peak."), "{one}");
    }
}
