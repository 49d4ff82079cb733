//! `ncu --csv`: counters of each launch of a kernel, one metric a line or one launch a line (`--page raw`).

use std::collections::BTreeMap;

use serde::Serialize;

use super::{parse_number, refuse};
use crate::MeasurementError;
use crate::csv::{CsvRecord, read_records};
use derate_units::{Bytes, Seconds};

/// What was counted of a kernel: means of its launches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CountedKernel {
    /// Its name.
    pub name: String,
    /// Launches in the file.
    pub launches: usize,
    /// `gpu__time_duration.sum` of one launch.
    pub seconds: Option<Seconds>,
    /// `dram__bytes.sum` of one launch, or the sum of what was read and what was written.
    pub bytes: Option<Bytes>,
    /// `sm__throughput.avg.pct_of_peak_sustained_elapsed`, as a share.
    pub sm_share: Option<f64>,
    /// `dram__throughput.avg.pct_of_peak_sustained_elapsed`, as a share.
    pub dram_share: Option<f64>,
}

/// Metrics of one launch, by their names, in SI units.
type Metrics = BTreeMap<String, f64>;

/// More launches make no better mean.
const MOST: usize = 1_000_000;

/// The factor to bytes, seconds or a share; `None` for a unit that is not known.
fn unit_factor(unit: &str) -> Option<f64> {
    Some(match unit.trim().to_ascii_lowercase().as_str() {
        "" | "byte" | "bytes" | "second" | "s" | "sec" => 1.0,
        "kbyte" => 1e3,
        "mbyte" => 1e6,
        "gbyte" => 1e9,
        "tbyte" => 1e12,
        "nsecond" | "ns" | "nsec" => 1e-9,
        "usecond" | "us" | "usec" | "µs" => 1e-6,
        "msecond" | "ms" | "msec" => 1e-3,
        "%" => 0.01,
        _ => return None,
    })
}

/// Metrics that are read; others may have any unit.
fn is_read(metric: &str) -> bool {
    ["dram__bytes", "gpu__time_duration", "sm__throughput", "dram__throughput"]
        .iter()
        .any(|known| metric.starts_with(known))
}

/// Reads what `ncu --csv` printed; what the profiled program and `==PROF==` said before it is passed over.
pub fn read_counters(origin: &str, text: &str) -> Result<Vec<CountedKernel>, MeasurementError> {
    let missing = || {
        refuse(
            origin,
            1,
            "there is no heading with \"ID\" and \"Kernel Name\": write the file with `ncu --csv --metrics dram__bytes.sum,gpu__time_duration.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed`",
        )
    };
    let is_head = |line: &str| line.contains("\"ID\"") && line.contains("\"Kernel Name\"");
    let skipped = text.lines().position(is_head).ok_or_else(missing)?;
    let body: String = text.lines().skip(skipped).flat_map(|line| [line, "\n"]).collect();
    let at = |line: usize| line + skipped;
    let mut records =
        read_records(&body).map_err(|(line, reason)| refuse(origin, at(line), reason))?.into_iter();
    let head = records.next().ok_or_else(missing)?;
    let column = |name: &str| head.fields.iter().position(|field| field.trim() == name);
    let (Some(id), Some(kernel)) = (column("ID"), column("Kernel Name")) else {
        return Err(missing());
    };
    let mut launches: BTreeMap<u64, (String, Metrics)> = BTreeMap::new();
    let mut units: Option<CsvRecord> = None;
    let long = (column("Metric Name"), column("Metric Unit"), column("Metric Value"));
    for record in records {
        let field = |index: usize| record.fields.get(index).map_or("", |field| field.trim());
        if record.fields.len() < head.fields.len().min(kernel + 1) {
            return Err(refuse(
                origin,
                at(record.line),
                "the line is cut off: profile again, or leave it out",
            ));
        }
        // The second line of a raw page has the units.
        if field(id).is_empty() && units.is_none() && launches.is_empty() {
            units = Some(record);
            continue;
        }
        let number: u64 = field(id).parse().map_err(|_| {
            refuse(origin, at(record.line), format!("`{}` is not the ID of a launch", field(id)))
        })?;
        if launches.len() > MOST {
            return Err(refuse(
                origin,
                at(record.line),
                format!("more than {MOST} launches: profile fewer"),
            ));
        }
        let entry =
            launches.entry(number).or_insert_with(|| (field(kernel).to_owned(), Metrics::new()));
        let mut add = |name: &str, unit: &str, value: &str| {
            if !is_read(name) {
                return Ok(());
            }
            let factor = unit_factor(unit).ok_or_else(|| {
                refuse(
                    origin,
                    at(record.line),
                    format!("{name} has the unit `{unit}`, which is not known here"),
                )
            })?;
            // A metric that could not be collected has no number.
            if let Some(value) = parse_number(value) {
                entry.1.insert(name.to_owned(), value * factor);
            }
            Ok(())
        };
        if let (Some(name), Some(unit), Some(value)) = long {
            if record.fields.len() <= value {
                return Err(refuse(
                    origin,
                    at(record.line),
                    "the line is cut off: profile again, or leave it out",
                ));
            }
            add(field(name), field(unit), field(value))?;
        } else {
            let of_units = |index: usize| {
                units
                    .as_ref()
                    .and_then(|units| units.fields.get(index))
                    .map_or("", |unit| unit.trim())
            };
            for (index, name) in head.fields.iter().enumerate() {
                add(name.trim(), of_units(index), field(index))?;
            }
        }
    }
    if launches.is_empty() {
        return Err(refuse(
            origin,
            at(head.line),
            "there is no launch below the heading: profile a program that launches kernels",
        ));
    }
    Ok(sum_up(launches.into_values()))
}

/// The kernels in the order of their first launches, each with the means of what was counted.
fn sum_up(launches: impl Iterator<Item = (String, Metrics)>) -> Vec<CountedKernel> {
    let mut kernels: Vec<(String, Vec<Metrics>)> = Vec::new();
    for (name, metrics) in launches {
        match kernels.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.push(metrics),
            None => kernels.push((name, vec![metrics])),
        }
    }
    let one = |(name, all): (String, Vec<Metrics>)| {
        let mean = |of: &dyn Fn(&Metrics) -> Option<f64>| {
            let known: Vec<f64> = all.iter().filter_map(of).collect();
            // Of some launches alone it would be another mean.
            (known.len() == all.len()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let named = |prefix: &'static str| {
            move |metrics: &Metrics| {
                metrics.iter().find(|(name, _)| name.starts_with(prefix)).map(|(_, value)| *value)
            }
        };
        let bytes = |metrics: &Metrics| {
            named("dram__bytes.sum")(metrics).or_else(|| {
                Some(
                    named("dram__bytes_read.sum")(metrics)?
                        + named("dram__bytes_write.sum")(metrics)?,
                )
            })
        };
        CountedKernel {
            launches: all.len(),
            seconds: mean(&named("gpu__time_duration")).map(Seconds),
            bytes: mean(&bytes).map(Bytes),
            sm_share: mean(&named("sm__throughput")),
            dram_share: mean(&named("dram__throughput")),
            name,
        }
    };
    kernels.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = include_str!("../../../../fixtures/profiles/ncu-long.csv");
    const RAW: &str = include_str!("../../../../fixtures/profiles/ncu-raw.csv");

    #[test]
    fn both_forms_give_bytes_times_and_shares() {
        let long = read_counters("long.csv", LONG).unwrap();
        assert_eq!(long.len(), 2);
        let gemv = &long[0];
        assert_eq!((gemv.name.as_str(), gemv.launches), ("gemv2T_kernel_val", 2));
        assert!((gemv.bytes.unwrap().0 - 33_590_000.0).abs() < 1.0);
        assert!((gemv.seconds.unwrap().0 - 125.5e-6).abs() < 1e-9);
        assert!((gemv.sm_share.unwrap() - 0.1234).abs() < 1e-9);
        let raw = read_counters("raw.csv", RAW).unwrap();
        assert_eq!(raw[0].name, "sgemm_128x64");
        assert!((raw[0].bytes.unwrap().0 - 201_400_000.0).abs() < 1.0);
        assert!((raw[0].seconds.unwrap().0 - 9.01e-3).abs() < 1e-9);
    }

    #[test]
    fn damaged_files_are_refused_with_their_line() {
        for (name, text, says) in [
            ("cut.csv", include_str!("../../../../fixtures/profiles/ncu-cut.csv"), "cut.csv:5"),
            ("empty.csv", "==PROF== Connected to process 1\n", "ncu --csv"),
            ("units.csv", include_str!("../../../../fixtures/profiles/ncu-units.csv"), "unit"),
        ] {
            let error = read_counters(name, text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
