//! `ncu --csv`: counters of each launch of a kernel, one metric a line, one launch a line (`--page raw`), or one metric of a
//! kernel a line (`--print-summary per-kernel`).

mod metric;

use std::collections::BTreeMap;

use serde::Serialize;

use self::metric::{Metric, Notation};
use super::refuse;
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

/// Metrics of one launch, in SI units.
type Metrics = BTreeMap<Metric, f64>;

/// Launches of a kernel with one set of metrics.
struct Launches {
    kernel: String,
    count: usize,
    metrics: Metrics,
}

/// More launches make no better mean.
const MOST: usize = 1_000_000;

const CUT: &str = "the line is cut off: profile again, or leave it out";

/// Where the columns of a file are.
struct Columns {
    kernel: usize,
    /// The launch; a summary has none.
    id: Option<usize>,
    /// Of a summary: how many launches a line is about.
    invocations: Option<usize>,
    /// Name, unit and value of one metric a line; else each metric has its column.
    long: Option<[usize; 3]>,
}

impl Columns {
    fn of(head: &CsvRecord) -> Option<Self> {
        let column = |name: &str| head.fields.iter().position(|field| field.trim() == name);
        let value = column("Metric Value").or_else(|| column("Average"));
        let long = column("Metric Name").zip(column("Metric Unit")).zip(value);
        let (id, invocations) = (column("ID"), column("Invocations"));
        id.or(invocations)?;
        Some(Self {
            kernel: column("Kernel Name")?,
            id,
            invocations,
            long: long.map(|((name, unit), value)| [name, unit, value]),
        })
    }

    /// The numbers of a line that may tell how the file writes them.
    fn numbers<'a>(&self, head: &'a CsvRecord, record: &'a CsvRecord) -> Vec<&'a str> {
        let field = |index: usize| record.fields.get(index).map_or("", |field| field.trim());
        if let Some([.., value]) = self.long {
            return vec![field(value)];
        }
        let metric = |(_, name): &(usize, &String)| name.contains("__");
        head.fields.iter().enumerate().filter(metric).map(|(at, _)| field(at)).collect()
    }
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
    let is_head = |line: &str| {
        line.contains("\"Kernel Name\"")
            && (line.contains("\"ID\"") || line.contains("\"Invocations\""))
    };
    let skipped = text.lines().position(is_head).ok_or_else(missing)?;
    // What is said behind the table is no part of it.
    let table = text.lines().skip(skipped).filter(|line| !line.starts_with("=="));
    let body: String = table.flat_map(|line| [line, "\n"]).collect();
    let at = |line: usize| line + skipped;
    let mut records =
        read_records(&body).map_err(|(line, reason)| refuse(origin, at(line), reason))?.into_iter();
    let head = records.next().ok_or_else(missing)?;
    let columns = Columns::of(&head).ok_or_else(missing)?;
    let mut records: Vec<CsvRecord> = records.collect();
    // The first line of a raw page has the units.
    let has_units = columns.id.is_some_and(|id| {
        let first = records.first().and_then(|record| record.fields.get(id));
        first.is_some_and(|id| id.trim().is_empty())
    });
    let units = if has_units { Some(records.remove(0)) } else { None };
    let numbers = records.iter().flat_map(|record| columns.numbers(&head, record));
    let notation = Notation::of(numbers).map_err(|text| {
        let reason = format!("`{text}` is written with another decimal mark than the numbers before it: give the file as ncu printed it");
        refuse(origin, at(head.line), reason)
    })?;
    let mut launches: BTreeMap<(u64, String), Launches> = BTreeMap::new();
    for record in &records {
        let field = |index: usize| record.fields.get(index).map_or("", |field| field.trim());
        let refuse = |reason: String| refuse(origin, at(record.line), reason);
        let least = columns.long.map_or(columns.kernel, |[.., value]| value);
        if record.fields.len() <= least {
            return Err(refuse(CUT.to_owned()));
        }
        let count = |column: usize, what: &str| {
            let text = field(column);
            text.parse::<u64>().map_err(|_| refuse(format!("`{text}` is not {what}")))
        };
        let (key, times) = match (columns.id, columns.invocations) {
            (Some(id), _) => ((count(id, "the ID of a launch")?, String::new()), 1),
            (None, Some(column)) => {
                let times = count(column, "a number of launches")?;
                ((0, field(columns.kernel).to_owned()), times)
            }
            (None, None) => return Err(missing()),
        };
        if launches.len() > MOST {
            return Err(refuse(format!("more than {MOST} launches: profile fewer")));
        }
        let entry = launches.entry(key).or_insert_with(|| Launches {
            kernel: field(columns.kernel).to_owned(),
            count: usize::try_from(times).unwrap_or(usize::MAX),
            metrics: Metrics::new(),
        });
        let mut add = |name: &str, unit: &str, value: &str| {
            let Some(metric) = Metric::named(name) else { return Ok(()) };
            let either = || {
                format!(
                    "{name} is `{value}`, and no number of the file tells whether its mark is one of decimals or of thousands: profile with LC_ALL=C, and a share in percent beside it"
                )
            };
            // A metric that could not be collected has no number, and often no unit.
            let Some(value) = notation.parse(value).map_err(|()| refuse(either()))? else {
                return Ok(());
            };
            let factor = metric.factor(unit).ok_or_else(|| {
                refuse(format!("{name} has the unit `{unit}`, which is not known here"))
            })?;
            entry.metrics.insert(metric, value * factor);
            Ok(())
        };
        if let Some([name, unit, value]) = columns.long {
            add(field(name), field(unit), field(value))?;
        } else {
            for (index, name) in head.fields.iter().enumerate() {
                let unit = units.as_ref().and_then(|units| units.fields.get(index));
                add(name.trim(), unit.map_or("", |unit| unit.trim()), field(index))?;
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
fn sum_up(launches: impl Iterator<Item = Launches>) -> Vec<CountedKernel> {
    let mut kernels: Vec<(String, Vec<Launches>)> = Vec::new();
    for own in launches {
        match kernels.iter_mut().find(|(known, _)| *known == own.kernel) {
            Some((_, all)) => all.push(own),
            None => kernels.push((own.kernel.clone(), vec![own])),
        }
    }
    let one = |(name, all): (String, Vec<Launches>)| {
        let count: usize = all.iter().map(|own| own.count).sum();
        let mean = |of: &dyn Fn(&Metrics) -> Option<f64>| {
            let known = all.iter().map(|own| Some(of(&own.metrics)? * own.count as f64));
            // Of some launches alone it would be another mean.
            let sum = known.sum::<Option<f64>>()?;
            (count > 0).then(|| sum / count as f64)
        };
        let named = |metric: Metric| move |metrics: &Metrics| metrics.get(&metric).copied();
        let bytes = |metrics: &Metrics| {
            named(Metric::Bytes)(metrics).or_else(|| {
                Some(named(Metric::BytesRead)(metrics)? + named(Metric::BytesWritten)(metrics)?)
            })
        };
        CountedKernel {
            launches: count,
            seconds: mean(&named(Metric::Seconds)).map(Seconds),
            bytes: mean(&bytes).map(Bytes),
            sm_share: mean(&named(Metric::SmShare)),
            dram_share: mean(&named(Metric::DramShare)),
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
    fn a_page_of_sections_and_a_summary_are_read() {
        let page = read_counters(
            "page.csv",
            include_str!("../../../../fixtures/profiles/ncu-sections.csv"),
        )
        .unwrap();
        let [kernel] = page.as_slice() else { panic!("{page:?}") };
        assert!((kernel.seconds.unwrap().0 - 412.5e-6).abs() < 1e-12);
        assert!((kernel.sm_share.unwrap() - 0.2461).abs() < 1e-9);
        assert!((kernel.dram_share.unwrap() - 0.0183).abs() < 1e-9);
        assert_eq!(kernel.bytes, None);
        let summary = read_counters(
            "summary.csv",
            include_str!("../../../../fixtures/profiles/ncu-summary.csv"),
        )
        .unwrap();
        assert_eq!((summary[0].name.as_str(), summary[0].launches), ("axpy(float *)", 12));
        assert!((summary[0].seconds.unwrap().0 - 3.25e-6).abs() < 1e-12);
    }

    #[test]
    fn numbers_are_those_of_the_locale() {
        let read =
            read_counters("comma.csv", include_str!("../../../../fixtures/profiles/ncu-comma.csv"))
                .unwrap();
        let [gemm] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!(gemm.launches, 2);
        assert!((gemm.seconds.unwrap().0 - 119.5e-6).abs() < 1e-12);
        assert!((gemm.bytes.unwrap().0 - 29_000_000.0).abs() < 0.5);
        assert!((gemm.sm_share.unwrap() - 0.655).abs() < 1e-9);
    }

    #[test]
    fn damaged_files_are_refused_with_their_line() {
        for (name, text, says) in [
            ("cut.csv", include_str!("../../../../fixtures/profiles/ncu-cut.csv"), "cut.csv:5"),
            ("empty.csv", "==PROF== Connected to process 1\n", "ncu --csv"),
            (
                "either.csv",
                "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\"0\",\"k\",\"gpu__time_duration.sum\",\"ns\",\"117.344\"\n",
                "either.csv:2",
            ),
            (
                "two.csv",
                "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\"0\",\"k\",\"gpu__time_duration.sum\",\"us\",\"11,34\"\n\"0\",\"k\",\"dram__bytes.sum\",\"byte\",\"1.25\"\n",
                "another decimal mark",
            ),
            ("units.csv", include_str!("../../../../fixtures/profiles/ncu-units.csv"), "unit"),
        ] {
            let error = read_counters(name, text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
