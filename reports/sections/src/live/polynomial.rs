//! Whole numbers that grow as polynomials of an inference's parameters.

use std::collections::BTreeMap;

use derate_render::{Formula, formula};

/// Powers of each variable, and the factor before them.
type Terms<const V: usize> = BTreeMap<[u32; V], i128>;

/// A polynomial in `V` variables with whole coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial<const V: usize> {
    terms: Terms<V>,
}

impl<const V: usize> Polynomial<V> {
    pub(super) fn constant(value: i128) -> Self {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert([0; V], value);
        }
        Self { terms }
    }

    /// The sum; `None` beyond all bounds.
    pub(super) fn plus(mut self, other: &Self) -> Option<Self> {
        for (powers, factor) in &other.terms {
            let sum = self.terms.get(powers).copied().unwrap_or(0).checked_add(*factor)?;
            if sum == 0 {
                self.terms.remove(powers);
            } else {
                self.terms.insert(*powers, sum);
            }
        }
        Some(self)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::constant(0);
        for (a, factor) in &self.terms {
            for (b, by) in &other.terms {
                let powers = std::array::from_fn(|at| a[at] + b[at]);
                let one = Self { terms: BTreeMap::from([(powers, factor.checked_mul(*by)?)]) };
                product = product.plus(&one)?;
            }
        }
        Some(product)
    }

    /// So many times itself; `None` beyond all bounds.
    pub(super) fn scaled(&self, by: u64) -> Option<Self> {
        self.times(&Self::constant(by.into()))
    }

    /// Whether it depends on a variable.
    pub(super) fn depends(&self, variable: usize) -> bool {
        self.terms.keys().any(|powers| powers[variable] > 0)
    }

    /// `x - offset` in one variable.
    pub(super) fn shifted(variable: usize, offset: i128) -> Self {
        let mut polynomial = Self::constant(-offset);
        let mut powers = [0; V];
        powers[variable] = 1;
        polynomial.terms.insert(powers, 1);
        polynomial
    }

    /// The value at a point; `None` beyond all bounds.
    pub(super) fn at(&self, point: &[u64; V]) -> Option<i128> {
        let mut sum = 0_i128;
        for (powers, factor) in &self.terms {
            let mut term = *factor;
            for (&power, &value) in powers.iter().zip(point) {
                term = term.checked_mul(i128::from(value).checked_pow(power)?)?;
            }
            sum = sum.checked_add(term)?;
        }
        Some(sum)
    }

    /// The same with `variable` written as `by` of the others and itself.
    pub(super) fn substitute(&self, variable: usize, by: &Self) -> Option<Self> {
        let mut sum = Self::constant(0);
        for (powers, factor) in &self.terms {
            let mut rest = *powers;
            rest[variable] = 0;
            let mut term = Self { terms: BTreeMap::from([(rest, *factor)]) };
            for _ in 0..powers[variable] {
                term = term.times(by)?;
            }
            sum = sum.plus(&term)?;
        }
        Some(sum)
    }

    /// Solves `self = y` for `variable` where that is a term of its own with factor one: `y - rest`, with `y` in its place.
    pub(super) fn solved_for(&self, variable: usize) -> Option<Self> {
        let mut alone = [0; V];
        alone[variable] = 1;
        if self.terms.get(&alone) != Some(&1) {
            return None;
        }
        let mut solved = Self::default();
        for (powers, factor) in &self.terms {
            if *powers != alone && powers[variable] > 0 {
                return None;
            }
            let factor = if *powers == alone { *factor } else { -factor };
            solved.terms.insert(*powers, factor);
        }
        Some(solved)
    }

    /// The same with every factor divided by `divisor`; `None` where one is no multiple of it.
    pub(super) fn divided(mut self, divisor: i128) -> Option<Self> {
        for factor in self.terms.values_mut() {
            if *factor % divisor != 0 {
                return None;
            }
            *factor /= divisor;
        }
        Some(self)
    }

    /// How many terms it has.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The value where it depends on nothing.
    pub(super) fn as_constant(&self) -> Option<f64> {
        match self.terms.len() {
            0 => Some(0.0),
            1 => self.terms.get(&[0; V]).map(|value| *value as f64),
            _ => None,
        }
    }

    /// The sum of its terms, the highest powers first, with formulas for the variables.
    pub(super) fn formula(&self, variables: &[Formula; V]) -> Formula {
        let degree = |powers: &[u32; V]| powers.iter().sum::<u32>();
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(powers, _)| std::cmp::Reverse((degree(powers), **powers)));
        let mut sum: Option<Formula> = None;
        for (powers, factor) in terms {
            let term = term(powers, factor.unsigned_abs() as f64, variables);
            sum = Some(match (sum, *factor < 0) {
                (Some(sum), true) => sum - term,
                (Some(sum), false) => sum + term,
                (None, true) => formula::number(0.0) - term,
                (None, false) => term,
            });
        }
        sum.unwrap_or_else(|| formula::number(0.0))
    }
}

/// `x * x * y * factor`
fn term<const V: usize>(powers: &[u32; V], factor: f64, variables: &[Formula; V]) -> Formula {
    let each = powers.iter().zip(variables);
    let each = each.flat_map(|(&power, variable)| std::iter::repeat_n(variable, power as usize));
    match each.cloned().reduce(|a, b| a * b) {
        Some(product) if factor.to_bits() == 1.0_f64.to_bits() => product,
        Some(product) => product * factor,
        None => formula::number(factor),
    }
}
