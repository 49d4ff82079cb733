//! What of an array is open, and the values that it may have.

use crate::Axis;
use derate_estimate::Analysis;
use derate_project::{ClaimedPrecision, Schedule};
use derate_units::quantity::ParseQuantity;
use derate_units::{Bytes, Precision};

pub(super) const PRECISION: usize = 0;
pub(super) const SCHEDULE: usize = 1;
pub(super) const BUFFER: usize = 2;
pub(super) const ROWS: usize = 3;
pub(super) const COLUMNS: usize = 4;
pub(super) const UNROLL: usize = 5;

/// Keys of `[design]`, in the order of the axes.
pub(super) const KEYS: [&str; 6] = ["precision", "schedule", "buffer", "rows", "columns", "unroll"];

/// No side of an array is longer.
const LONGEST: u64 = 4096;

/// The values that each key of `[design]` may have.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayAxes {
    pub(super) precisions: Vec<Precision>,
    pub(super) schedules: Vec<Schedule>,
    /// As they are written, and in bytes.
    pub(super) buffers: Vec<(String, Bytes)>,
    /// Rows, columns, and multiply-adds per element.
    pub(super) sizes: [Vec<u64>; 3],
}

/// Why a text does not open a key of `[design]`: one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayAxesError(pub String);

impl std::fmt::Display for ArrayAxesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ArrayAxesError {}

impl ArrayAxes {
    /// What is open where nobody says it: the number formats that `derate.toml` names, every schedule, buffers of a power of
    /// two of MiB up to what the shell leaves, and sides up to 256.
    #[must_use]
    pub fn of_project(analysis: &Analysis) -> Self {
        let mut sides: Vec<u64> = (1..=16).collect();
        sides.extend((20..=64).step_by(4));
        sides.extend((72..=128).step_by(8));
        sides.extend((144..=256).step_by(16));
        Self {
            precisions: list_precisions(analysis),
            schedules: Schedule::ALL.into(),
            buffers: list_buffers(analysis),
            sizes: [sides.clone(), sides, (0..7).map(|n| 1 << n).collect()],
        }
    }

    /// Gives one key the values of `KEY=V1,V2`.
    ///
    /// # Errors
    ///
    /// The key is not one of an array, or a value is not one of the key.
    pub fn vary(&mut self, text: &str) -> Result<(), ArrayAxesError> {
        let error = |reason: String| ArrayAxesError(format!("`{text}` {reason}"));
        let known = || format!("is not open: write KEY=V1,V2 with one of {}", KEYS.join(", "));
        let (key, values) = text.split_once('=').ok_or_else(|| error(known()))?;
        let axis = KEYS.iter().position(|one| *one == key.trim()).ok_or_else(|| error(known()))?;
        let values = values.split(',').map(str::trim);
        let bad = |value: &str, form: &str| {
            error(format!("has the value `{value}`, which it cannot have: write {form}"))
        };
        match axis {
            PRECISION => {
                let read = |value| {
                    Precision::parse(value).ok_or_else(|| bad(value, "one such as bf16 or int8"))
                };
                self.precisions = values.map(read).collect::<Result<_, _>>()?;
            }
            SCHEDULE => {
                let form = "unfused, epilogue, attention or block";
                let read = |value| Schedule::parse(value).ok_or_else(|| bad(value, form));
                self.schedules = values.map(read).collect::<Result<_, _>>()?;
            }
            BUFFER => {
                let read = |value: &str| {
                    let bytes = Bytes::parse_quantity(value);
                    let bytes = bytes.map_err(|_| bad(value, "an amount such as 8 MiB"))?;
                    Ok((value.to_owned(), bytes))
                };
                self.buffers = values.map(read).collect::<Result<_, _>>()?;
                self.buffers.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
            }
            side => {
                let read = |value: &str| {
                    let size = value.parse().ok().filter(|size| (1..=LONGEST).contains(size));
                    size.ok_or_else(|| bad(value, "a whole number from 1 to 4096"))
                };
                let sizes: Vec<u64> = values.map(read).collect::<Result<_, _>>()?;
                self.sizes[side - ROWS] = sizes;
                self.sizes[side - ROWS].sort_unstable();
            }
        }
        Ok(())
    }

    pub(super) fn list(&self) -> Vec<Axis> {
        let [rows, columns, unroll] = &self.sizes;
        vec![
            Axis::new(KEYS[PRECISION], self.precisions.iter().map(|one| one.key())),
            Axis::new(KEYS[SCHEDULE], self.schedules.iter().map(|one| one.name())),
            Axis::new(KEYS[BUFFER], self.buffers.iter().map(|(text, _)| text)),
            Axis::new(KEYS[ROWS], rows),
            Axis::new(KEYS[COLUMNS], columns),
            Axis::new(KEYS[UNROLL], unroll),
        ]
    }
}

/// The number formats that `derate.toml` names: that of the design, the claimed one, those with a claimed peak.
fn list_precisions(analysis: &Analysis) -> Vec<Precision> {
    let (claims, design) = (&analysis.project.claims, &analysis.project.design);
    let named = [&design.precision, &claims.precision].into_iter().flatten();
    let uniform = named.filter_map(|claim| match claim.value {
        ClaimedPrecision::Uniform(precision) => Some(precision),
        ClaimedPrecision::AsStored => None,
    });
    let mut list: Vec<Precision> = Vec::new();
    let more = claims.peak.keys().chain(design.dsp_per_mac.keys()).copied();
    for one in uniform.chain(more).chain([Precision::FP32]) {
        // FP32 is what is left where nothing is named.
        let is_last_resort = one == Precision::FP32 && !list.is_empty();
        let is_named = claims.peak.contains_key(&one) || design.dsp_per_mac.contains_key(&one);
        if !list.contains(&one) && (!is_last_resort || is_named) {
            list.push(one);
        }
    }
    list
}

fn list_buffers(analysis: &Analysis) -> Vec<(String, Bytes)> {
    let chip = analysis.platform.on_chip_bytes().map_or(0.0, |bytes| bytes.value.0);
    let powers = (0..8).map(|n| 1_u64 << n);
    let sizes = powers.map(|mib| (format!("{mib} MiB"), Bytes((mib << 20) as f64)));
    let mut list: Vec<_> = sizes.take_while(|(_, bytes)| bytes.0 < chip).collect();
    list.push((format!("{chip} B"), Bytes(chip)));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> ArrayAxes {
        ArrayAxes {
            precisions: Vec::new(),
            schedules: Vec::new(),
            buffers: Vec::new(),
            sizes: [vec![1], vec![1], vec![1]],
        }
    }

    #[test]
    fn a_key_takes_its_values_in_rising_order() {
        let mut axes = axes();
        for text in ["rows=8,4", "buffer=8 MiB,1 MiB", "precision=bf16,int8", "schedule=block"] {
            axes.vary(text).unwrap();
        }
        let values = |at: usize| axes.list()[at].values.join(",");
        assert_eq!((values(ROWS), values(BUFFER)), ("4,8".to_owned(), "1 MiB,8 MiB".to_owned()));
        assert_eq!(values(SCHEDULE), "block");
    }

    #[test]
    fn what_is_no_value_is_refused_in_a_sentence() {
        for text in
            ["rows", "row=1", "rows=0", "rows=1.5", "buffer=8", "precision=fp17", "schedule=all"]
        {
            let error = axes().vary(text).unwrap_err().to_string();
            assert!(error.contains("write ") && !error.contains('\n'), "{error}");
        }
    }
}
