//! The factors of the range, fitted as quantiles of hardware over prediction.
#![allow(clippy::cast_precision_loss)]

use crate::row::Row;
use crate::statistics::{Errors, percent};
use derate_kernel::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// Hardware is below the upper end in this share of designs, and above the lower end in as many.
const SHARE: f64 = 0.95;
/// A set of n rows has the weight of n to this power.
const WEIGHT: f64 = 0.2;
/// Families are left out in so many turns.
const FOLDS: usize = 6;
/// Sweeps over the causes.
const SWEEPS: usize = 60;

/// A design, and how much of each cause it has.
struct Sample<'a> {
    set: &'a str,
    fold: usize,
    weight: f64,
    /// Hardware over what is expected.
    ratio: f64,
    /// The report over what is expected, as predicted: the range has both.
    reported: f64,
    states: f64,
    amounts: Vec<(usize, f64)>,
}

/// For each cause the logarithm of its factor, down and up.
struct Factors([Vec<f64>; 2]);

impl Factors {
    fn fit(samples: &[&Sample<'_>], causes: usize) -> Self {
        Self([-1.0, 1.0].map(|sign| fit_side(samples, causes, sign)))
    }

    fn range(&self, sample: &Sample<'_>) -> (f64, f64) {
        let [down, up] = &self.0;
        let sum = |side: &[f64]| -> f64 {
            sample.amounts.iter().map(|(at, amount)| side[*at] * amount).sum()
        };
        let low = f64::exp(-sum(down)) * sample.reported.min(1.0);
        let high = f64::exp(sum(up)) * sample.reported.max(1.0);
        (low.min((1.0 - sample.states).max(0.0)), high.max(1.0 + sample.states))
    }
}

/// The non-negative sum over causes above which the ratio, times `sign`, is in the share that is left: cause by cause the
/// weighted quantile that makes the sum of the losses least.
fn fit_side(samples: &[&Sample<'_>], causes: usize, sign: f64) -> Vec<f64> {
    let mut factors = vec![0.0; causes];
    let mut rest: Vec<f64> = samples
        .iter()
        .map(|sample| {
            let reported = sign * (sign * sample.reported.ln()).max(0.0);
            sign * (sample.ratio.ln() - reported)
        })
        .collect();
    let mut having: Vec<Vec<(usize, f64)>> = vec![Vec::new(); causes];
    for (at, sample) in samples.iter().enumerate() {
        for (cause, amount) in &sample.amounts {
            having[*cause].push((at, *amount));
        }
    }
    for _ in 0..SWEEPS {
        for (cause, rows) in having.iter().enumerate() {
            let mut slope = 0.0;
            let mut steps = Vec::with_capacity(rows.len());
            for (at, amount) in rows {
                rest[*at] += factors[cause] * amount;
                let pull = samples[*at].weight * amount;
                if rest[*at] > 0.0 {
                    slope -= SHARE * pull;
                    steps.push((rest[*at] / amount, pull));
                } else {
                    slope += (1.0 - SHARE) * pull;
                }
            }
            steps.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut best = 0.0;
            for (factor, pull) in steps {
                if slope >= 0.0 {
                    break;
                }
                (best, slope) = (factor, slope + pull);
            }
            factors[cause] = best;
            for (at, amount) in rows {
                rest[*at] -= best * amount;
            }
        }
    }
    factors
}

/// Prints the factors of all designs, and how those do that are fitted without a sixth of the families.
pub(crate) fn print_fit(sets: &BTreeMap<String, Vec<Row>>) {
    let rows = || sets.iter().flat_map(|(set, rows)| rows.iter().map(move |row| (set, row)));
    let causes: BTreeSet<Cause> =
        rows().flat_map(|(_, row)| row.doubts.iter().map(|doubt| doubt.cause)).collect();
    let causes: Vec<Cause> = causes.into_iter().collect();
    let families: BTreeSet<&str> = rows().map(|(_, row)| row.family.as_str()).collect();
    let sample = |(set, row): (&'_ String, &'_ Row)| {
        let (goal, expected) = (row.cosim.or(row.truth)?, row.expected?.max(1.0));
        let fold = families.iter().position(|family| *family == row.family)? % FOLDS;
        let number = |cause| causes.iter().position(|known| *known == cause);
        let amounts = row.doubts.iter().filter_map(|one| Some((number(one.cause)?, one.amount)));
        Some((
            fold,
            (sets[set].len() as f64).powf(WEIGHT - 1.0),
            goal.max(1.0) / expected,
            row.reported?.max(1.0) / expected,
            row.states / expected,
            amounts.collect::<Vec<_>>(),
        ))
    };
    let samples: Vec<Sample<'_>> = rows()
        .filter_map(|(set, row)| {
            let (fold, weight, ratio, reported, states, amounts) = sample((set, row))?;
            Some(Sample { set, fold, weight, ratio, reported, states, amounts })
        })
        .collect();
    let mut left_out: Vec<(&Sample<'_>, (f64, f64))> = Vec::new();
    for fold in 0..FOLDS {
        let others: Vec<&Sample<'_>> = samples.iter().filter(|one| one.fold != fold).collect();
        let factors = Factors::fit(&others, causes.len());
        let own = samples.iter().filter(|one| one.fold == fold);
        left_out.extend(own.map(|one| (one, factors.range(one))));
    }
    println!("== range, families of kernels left out in {FOLDS} turns: in-range % width p90");
    for set in sets.keys().map(String::as_str).chain(["all"]) {
        let own: Vec<_> = left_out.iter().filter(|one| set == "all" || one.0.set == set).collect();
        let hits =
            own.iter().filter(|(sample, (low, high))| (*low..=*high).contains(&sample.ratio));
        let widths = own.iter().map(|(_, (low, high))| high / low.max(1e-9)).collect();
        let widths = Errors::of_values(widths);
        println!(
            "{set:26} {:5.1} {:6.2} {:5.2}",
            percent(hits.count(), own.len()),
            widths.median(),
            widths.quantile(0.9)
        );
    }
    let all: Vec<&Sample<'_>> = samples.iter().collect();
    let Factors([down, up]) = Factors::fit(&all, causes.len());
    println!("[range]");
    for ((cause, down), up) in causes.iter().zip(down).zip(up) {
        println!("{} = [{:.3}, {:.3}]", key_of(*cause), down.exp(), up.exp());
    }
}

/// The key of the table of constants.
fn key_of(cause: Cause) -> String {
    let mut key = String::new();
    for letter in format!("{cause:?}").chars() {
        if letter.is_ascii_uppercase() && !key.is_empty() {
            key.push('_');
        }
        key.push(letter.to_ascii_lowercase());
    }
    key
}
