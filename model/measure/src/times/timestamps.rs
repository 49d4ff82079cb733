//! Timestamps of a host: when each call began and when it ended.

use std::collections::BTreeMap;

use super::{INFERENCE, MeasuredTime, TimesError};
use crate::csv::{CsvRecord, read_records, split_heading};
use derate_project::Timer;
use derate_units::{Figure, Provenance, Seconds};

/// More lines say no more.
const MOST: usize = 1_000_000;

/// No call takes less or more, in seconds.
const LEAST: f64 = 1e-12;
const MOST_SECONDS: f64 = 1e9;

const COLUMNS: [&str; 3] = ["name", "start", "end"];

fn seconds_per(unit: &str) -> Option<f64> {
    Some(match unit {
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

/// The middle time of each name: a line for each call, with the columns `name`, `start (ns)` and `end (ns)`, or with another
/// unit; the name `inference` is the whole inference. `file` is its name.
///
/// # Errors
///
/// A column is missing, or a line has no two times in their order.
pub fn read_timestamps(file: &str, text: &str) -> Result<Vec<MeasuredTime>, TimesError> {
    let records =
        read_records(text).map_err(|(line, reason)| TimesError::at(file, line, reason))?;
    let (head, rows) = records.split_first().ok_or_else(|| {
        TimesError::at(
            file,
            1,
            "there is nothing in it: begin with a line `name,start (ns),end (ns)`",
        )
    })?;
    if rows.is_empty() || rows.len() > MOST {
        let reason = format!("there are {} calls: give 1 to {MOST}", rows.len());
        return Err(TimesError::at(file, head.line, reason));
    }
    let headings: Vec<(String, &str)> =
        head.fields.iter().map(|field| split_heading(field)).collect();
    let find = |wanted: &str| {
        headings.iter().position(|(name, _)| name == wanted).ok_or_else(|| {
            let reason = format!(
                "the column `{wanted}` is missing: the headings are {}",
                COLUMNS.join(", ")
            );
            TimesError::at(file, head.line, reason)
        })
    };
    let (name, start, end) = (find("name")?, find("start")?, find("end")?);
    let unit = |at: usize| {
        let unit = headings[at].1;
        seconds_per(unit).ok_or_else(|| {
            let unit = unit.escape_debug();
            let reason =
                format!("`{unit}` is not a unit of time: write `start (ns)`, or s, ms or us");
            TimesError::at(file, head.line, reason)
        })
    };
    let (start_unit, end_unit) = (unit(start)?, unit(end)?);
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let from = read_number(file, row, start)? * start_unit;
        let time = read_number(file, row, end)? * end_unit - from;
        if !(LEAST..=MOST_SECONDS).contains(&time) {
            return Err(TimesError::at(
                file,
                row.line,
                "the call ends before it begins, or takes years",
            ));
        }
        let name = row.fields.get(name).map(|field| field.trim()).unwrap_or_default();
        if name.is_empty() {
            return Err(TimesError::at(file, row.line, "the call has no name: give it"));
        }
        times.entry(name.to_owned()).or_default().push(time);
    }
    Ok(times.into_iter().map(|(name, times)| make_time(file, name, times)).collect())
}

fn read_number(file: &str, row: &CsvRecord, at: usize) -> Result<f64, TimesError> {
    let text = row.fields.get(at).map(|field| field.trim()).unwrap_or_default();
    text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
        let reason = format!("`{}` is not a number", text.escape_debug());
        TimesError::at(file, row.line, reason)
    })
}

fn make_time(file: &str, name: String, mut times: Vec<f64>) -> MeasuredTime {
    times.sort_by(f64::total_cmp);
    let (count, half) = (times.len(), times.len() / 2);
    let middle = if count % 2 == 1 { times[half] } else { 0.5 * (times[half - 1] + times[half]) };
    let source = format!("middle of {count} in {file}, timestamps of the host");
    MeasuredTime {
        name: (name != INFERENCE).then_some(name),
        time: Figure::new(Seconds(middle), Provenance::Measured, source),
        extremes: (count > 1).then(|| [Seconds(times[0]), Seconds(times[count - 1])]),
        count: Some(count as u64),
        timer: Timer::Host,
        clock: None,
        memory_stall: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_the_middle_of_its_times() {
        let text =
            "name,start (us),end (us)\nmlp,0,500\nmlp,1000,1100\nmlp,2000,2102\ninference,0,9000\n";
        let read = read_timestamps("host.csv", text).unwrap();
        assert_eq!((read[0].name.as_deref(), read[1].name.as_deref()), (None, Some("mlp")));
        // The first call is slow, as first calls are.
        assert!((read[1].time.value.0 - 102e-6).abs() < 1e-12, "{:?}", read[1].time);
        assert_eq!(read[1].count, Some(3));
    }

    #[test]
    fn what_is_wrong_is_an_error_with_its_line() {
        for (text, sentence) in [
            ("", "h.csv:1: there is nothing"),
            ("name,start (ns),end (ns)\n", "h.csv:1: there are 0 calls"),
            ("name,start (ns)\nq,1\n", "h.csv:1: the column `end`"),
            ("name,start,end\nq,1,2\n", "h.csv:1: `` is not a unit"),
            ("name,start (ns),end (ns)\nq,5,2\n", "h.csv:2: the call ends"),
            ("name,start (ns),end (ns)\nq,x,2\n", "h.csv:2: `x` is not a number"),
            ("name,start (ns),end (ns)\n,1,2\n", "h.csv:2: the call has no name"),
        ] {
            let error = read_timestamps("h.csv", text).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{text:?}: {error}");
        }
    }
}
