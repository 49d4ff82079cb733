//! Counts that grow with the parameters of an inference: polynomials with whole coefficients.

use std::collections::BTreeMap;

use derate_render::{Formula, formula};

use super::name;
use derate_workload::Count;

const V: usize = 6;
/// What counts depend on, as formulas call it. The order is that of the factors in a formula.
const VARIABLES: [&str; V] = [
    name::CAMERAS,
    name::PREFIX_TOKENS,
    name::LANGUAGE_TOKENS,
    name::DENOISE_STEPS,
    name::CHUNK,
    name::TOKENS,
];

/// A number for each variable.
pub(super) type Point = [u64; V];

/// The place of a variable in a [`Point`].
pub(super) fn variable_index(variable: &str) -> Option<usize> {
    VARIABLES.iter().position(|known| *known == variable)
}

/// The powers of the variables in each term, and the coefficient of the term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial(BTreeMap<[u8; V], u128>);

impl Polynomial {
    /// One variable by its name in formulas; zero where no variable has that name.
    pub(super) fn variable(variable: &str) -> Self {
        let powers = variable_index(variable).map(|at| {
            let mut powers = [0; V];
            powers[at] = 1;
            powers
        });
        Self(powers.map(|powers| (powers, 1)).into_iter().collect())
    }

    /// Whether it depends on a variable.
    pub(super) fn depends_on(&self, variable: &str) -> bool {
        let at = variable_index(variable);
        at.is_some_and(|at| self.0.keys().any(|powers| powers[at] > 0))
    }

    /// The value at a point; saturates.
    pub(super) fn value_at(&self, point: &Point) -> u128 {
        let values = self.0.iter().map(|(powers, factor)| {
            let each = powers.iter().zip(point);
            each.fold(*factor, |term, (&power, &value)| {
                term.saturating_mul(u128::from(value).saturating_pow(power.into()))
            })
        });
        values.fold(0, u128::saturating_add)
    }

    /// The value where it depends on nothing.
    pub(super) fn constant(&self) -> Option<f64> {
        match self.0.len() {
            0 => Some(0.0),
            1 => self.0.get(&[0; V]).map(|value| *value as f64),
            _ => None,
        }
    }

    /// The whole number by which `other` is multiplied to give this.
    pub(super) fn ratio_to(&self, other: &Self) -> Option<u64> {
        let (powers, factor) = other.0.first_key_value()?;
        let ratio = self.0.get(powers).copied().unwrap_or(0) / factor;
        let ratio = u64::try_from(ratio).ok()?;
        (other.scaled(ratio) == *self).then_some(ratio)
    }

    /// The sum of its terms, the highest powers first.
    pub(super) fn formula(&self) -> Formula {
        self.formula_over(&VARIABLES.map(formula::name))
    }

    /// The same with a formula in place of one variable.
    pub(super) fn formula_with(&self, variable: &str, by: &Formula) -> Formula {
        let variables =
            VARIABLES.map(|own| if own == variable { by.clone() } else { formula::name(own) });
        self.formula_over(&variables)
    }

    fn formula_over(&self, variables: &[Formula; V]) -> Formula {
        let mut terms: Vec<_> = self.0.iter().collect();
        let degree = |powers: &[u8; V]| powers.iter().sum::<u8>();
        terms.sort_by_key(|(powers, _)| std::cmp::Reverse((degree(powers), **powers)));
        let terms =
            terms.into_iter().map(|(powers, factor)| write_term(*powers, *factor, variables));
        terms.reduce(|a, b| a + b).unwrap_or_else(|| formula::number(0.0))
    }
}

/// `x * x * y * factor`
fn write_term(powers: [u8; V], factor: u128, variables: &[Formula; V]) -> Formula {
    let each = powers.iter().zip(variables);
    let each = each.flat_map(|(&power, variable)| std::iter::repeat_n(variable, power.into()));
    match each.cloned().reduce(|a, b| a * b) {
        Some(product) if factor == 1 => product,
        Some(product) => product * factor as f64,
        None => formula::number(factor as f64),
    }
}

impl From<u64> for Polynomial {
    fn from(value: u64) -> Self {
        Self((value > 0).then(|| ([0; V], value.into())).into_iter().collect())
    }
}

impl Count for Polynomial {
    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (powers, factor) in &other.0 {
            let term = sum.0.entry(*powers).or_default();
            *term = term.saturating_add(*factor);
        }
        sum
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (a, factor) in &self.0 {
            for (b, by) in &other.0 {
                let powers = std::array::from_fn(|at| a[at] + b[at]);
                let term = product.0.entry(powers).or_default();
                *term = term.saturating_add(factor.saturating_mul(*by));
            }
        }
        product
    }

    fn as_number(&self) -> Option<u64> {
        let number = if self.0.is_empty() { Some(&0) } else { self.0.get(&[0; V]) };
        number.filter(|_| self.0.len() < 2).and_then(|number| u64::try_from(*number).ok())
    }
}

impl std::iter::Sum for Polynomial {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| sum.plus(&one))
    }
}
