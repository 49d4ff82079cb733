//! Measured points for the roofline: a CSV file such as spreadsheets write.

use crate::csv::{CsvRecord, read_records, split_heading};
use crate::{Measurement, Run};
use derate_source::{FilePlace, Reason};
use derate_units::quantity::{ParseQuantity, parse_ops_per_byte};
use derate_units::{Ops, OpsPerByte, OpsPerSecond};

/// A kernel as it was measured.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MeasuredPoint {
    /// Its name.
    pub name: String,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// The rate that was reached.
    pub rate: OpsPerSecond,
    /// The rates of the slowest and the fastest repetition, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(OpsPerSecond, OpsPerSecond)>,
    /// Where both are from.
    pub source: String,
}

/// The points of a measurement: each run by its median repetition, named by its format and its shape.
pub fn list_points(measurement: &Measurement) -> Vec<MeasuredPoint> {
    let point = |run: &Run| {
        let (shape, count) = run.shape(measurement.kernel)?;
        let flops = Ops(shape.flops().0 * count as f64);
        let (bytes, median, (fastest, slowest)) = (run.bytes()?, run.median()?, run.extremes()?);
        Some(MeasuredPoint {
            name: format!("{} {}", run.stored()?, shape.title()),
            oi: flops / bytes,
            rate: flops / median,
            range: Some((flops / slowest, flops / fastest)),
            source: format!("{}, {} repetitions", measurement.device.name, run.seconds.len()),
        })
    };
    measurement.runs.iter().filter(|run| !run.is_wrong()).filter_map(point).collect()
}

/// Why a file of points could not be taken: one sentence with file and line.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct PointsError {
    /// The file and the line.
    pub place: FilePlace,
    /// What is wrong and what to do.
    pub reason: String,
}

/// More points hide one another.
const MOST: usize = 500;

/// The columns; each heading may have its unit in parentheses.
const COLUMNS: [&str; 4] = ["name", "oi", "rate", "source"];

/// The index of a column, and the unit that its heading gives.
struct PointColumn<'a> {
    index: usize,
    unit: &'a str,
}

/// Reads the points in `text`; `file` is its name.
pub fn read_points(file: &str, text: &str) -> Result<Vec<MeasuredPoint>, PointsError> {
    let failed =
        |line: usize, reason: String| PointsError { place: FilePlace::at_line(file, line), reason };
    let records = read_records(text).map_err(|(line, reason)| failed(line, reason))?;
    let mut records = records.into_iter();
    let head = records.next().ok_or_else(|| {
        failed(1, format!("there is nothing in it: begin with a line `{}`", COLUMNS.join(",")))
    })?;
    let columns = find_columns(&head).map_err(|reason| failed(head.line, reason.into()))?;
    let mut points: Vec<MeasuredPoint> = Vec::new();
    for record in records {
        if points.len() == MOST {
            let reason = format!("more than {MOST} points hide one another: leave some out");
            return Err(failed(record.line, reason));
        }
        points.push(
            read_point(&record, &columns).map_err(|reason| failed(record.line, reason.into()))?,
        );
    }
    if points.is_empty() {
        return Err(failed(
            head.line,
            "there is no point below the headings: add a line".to_owned(),
        ));
    }
    Ok(points)
}

/// The columns, in the order of `COLUMNS`.
fn find_columns(head: &CsvRecord) -> Result<Vec<PointColumn<'_>>, Reason> {
    let headings: Vec<(String, &str)> =
        head.fields.iter().map(|field| split_heading(field)).collect();
    if let Some((other, _)) = headings.iter().find(|(name, _)| !COLUMNS.contains(&name.as_str())) {
        let other = other.escape_debug();
        return Err(format!(
            "there is no column `{other}`: the headings are {}",
            COLUMNS.join(", ")
        )
        .into());
    }
    let find = |name: &&str| {
        let mut found = headings.iter().enumerate().filter(|(_, (heading, _))| heading == name);
        match (found.next(), found.next()) {
            (Some((index, (_, unit))), None) => Ok(PointColumn { index, unit }),
            (None, _) => Err(format!(
                "the column `{name}` is missing: the headings are {}",
                COLUMNS.join(", ")
            )
            .into()),
            _ => Err(format!("the column `{name}` is there twice: keep one").into()),
        }
    };
    COLUMNS.iter().map(find).collect()
}

/// One line.
fn read_point(record: &CsvRecord, columns: &[PointColumn<'_>]) -> Result<MeasuredPoint, Reason> {
    let [name, oi, rate, source] = columns else { return Err("a column is missing".into()) };
    let field = |column: &PointColumn<'_>| {
        record.fields.get(column.index).map(|field| field.trim()).unwrap_or_default()
    };
    // What the value says of its unit comes before what the heading says.
    let with_unit = |column: &PointColumn<'_>| {
        let value = field(column);
        if value.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')) {
            value.to_owned()
        } else {
            format!("{value} {}", column.unit).trim().to_owned()
        }
    };
    if record.fields.len() != columns.len() {
        return Err(format!(
            "there are {} values for {} columns: put a value with a comma between quotation marks",
            record.fields.len(),
            columns.len()
        )
        .into());
    }
    for (column, told) in [(name, "a name"), (source, "a source: who measured it, on what")] {
        if field(column).is_empty() {
            return Err(
                format!("the point has no {}: give it", told.trim_start_matches("a ")).into()
            );
        }
    }
    Ok(MeasuredPoint {
        range: None,
        name: field(name).to_owned(),
        oi: parse_ops_per_byte(&with_unit(oi)).map_err(|reason| format!("oi: {reason}"))?,
        rate: OpsPerSecond::parse_quantity(&with_unit(rate))
            .map_err(|reason| format!("rate: {reason}"))?,
        source: field(source).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_the_heading_or_beside_the_value() {
        let text = "\u{feff}Name,Rate (GOP/s),OI (OP/B),Source\r\n\"Q, K\",120,45.3,\"run 7, our card\"\r\n\r\nfc1,1.2 TFLOP/s,3e2,a paper\r\n";
        let read = read_points("p.csv", text).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].name.as_str(), read[0].source.as_str()), ("Q, K", "run 7, our card"));
        assert_eq!((read[0].oi, read[0].rate), (OpsPerByte(45.3), OpsPerSecond(120e9)));
        assert_eq!((read[1].oi, read[1].rate), (OpsPerByte(300.0), OpsPerSecond(1.2e12)));
        // As a spreadsheet writes it where a comma is the decimal point.
        let other = read_points("p.csv", "name;oi;rate;source\nq;1.5;120 GOP/s;a, b\n").unwrap();
        assert_eq!(other[0].source, "a, b");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("", "p.csv:1: there is nothing in it"),
            ("name,oi,rate\n", "p.csv:1: the column `source` is missing"),
            ("name,oi,rate,source,speed\n", "p.csv:1: there is no column `speed`"),
            ("name,oi,rate,source,oi\n", "p.csv:1: the column `oi` is there twice"),
            ("name,oi,rate,source\n", "p.csv:1: there is no point"),
            ("name,oi,rate,source\nq,1,2 GOP/s\n", "p.csv:2: there are 3 values for 4 columns"),
            ("name,oi,rate,source\nq,1,2,me\n", "p.csv:2: rate: `2` is no"),
            ("name,oi,rate,source\nq,0,2 GOP/s,me\n", "p.csv:2: oi: `0` is no"),
            ("name,oi,rate,source\nq,1 B,2 GOP/s,me\n", "p.csv:2: oi: `1 B` is no"),
            ("name,oi,rate,source\n,1,2 GOP/s,me\n", "p.csv:2: the point has no name"),
            ("name,oi,rate,source\nq,1,2 GOP/s, \n", "p.csv:2: the point has no source"),
            ("name,oi,rate,source\n\"q,1,2 GOP/s,me\n", "p.csv:2: the quotation mark"),
        ] {
            let error = read_points("p.csv", text).unwrap_err().to_string();
            assert!(error.starts_with(told), "{text:?}: {error}");
        }
    }
}
