//! Whole numbers that grow as polynomials of an inference's parameters.

use std::collections::BTreeMap;

use derate_reports::{Formula, formula};

/// The total degree at most: no operator's size grows faster than with the square of a sequence, times its runs.
pub(super) const DEGREE: u32 = 3;

/// Powers of each variable, and the factor before them.
type Terms<const V: usize> = BTreeMap<[u32; V], i128>;

/// A polynomial in `V` variables with whole coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial<const V: usize> {
    terms: Terms<V>,
}

impl<const V: usize> Polynomial<V> {
    fn constant(value: i128) -> Self {
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

    fn times(&self, other: &Self) -> Option<Self> {
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
    fn shifted(variable: usize, offset: i128) -> Self {
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

    /// Solves `self = y` for `variable` where that stands alone with factor one: `y - rest`, with `y` in its place.
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

/// All steps from the base whose sum is at most [`DEGREE`].
fn steps<const V: usize>() -> Vec<[u32; V]> {
    let mut all = vec![[0; V]];
    for variable in 0..V {
        let before = all.clone();
        for step in 1..=DEGREE {
            for point in &before {
                let mut point = *point;
                point[variable] = step;
                if point.iter().sum::<u32>() <= DEGREE {
                    all.push(point);
                }
            }
        }
    }
    all
}

fn choose(of: u32, taken: u32) -> i128 {
    (0..taken).fold(1, |product, at| product * i128::from(of - at) / (i128::from(at) + 1))
}

/// Three factorial: differences of order three are divided by no more.
const SCALE: i128 = 6;

/// The points that a polynomial is found from: those above a base, and for each the forward difference of its order
/// (Newton) with what that stands before.
pub(super) struct Lattice<const V: usize> {
    points: Vec<[u64; V]>,
    /// The weights of the points in a difference, and six times its polynomial.
    orders: Vec<(Vec<(usize, i128)>, Polynomial<V>)>,
}

impl<const V: usize> Lattice<V> {
    /// The lattice above `base`; `None` where its numbers are beyond all bounds.
    pub(super) fn above(base: [u64; V]) -> Option<Self> {
        let steps = steps::<V>();
        let orders = steps.iter().map(|order| Some((weights(order, &steps), basis(base, order)?)));
        let orders = orders.collect::<Option<_>>()?;
        let point = |step: &[u32; V]| -> Option<[u64; V]> {
            let mut point = base;
            for (value, &step) in point.iter_mut().zip(step) {
                *value = value.checked_add(step.into())?;
            }
            Some(point)
        };
        Some(Self { points: steps.iter().map(point).collect::<Option<_>>()?, orders })
    }

    /// Where values are wanted, the base first.
    pub(super) fn points(&self) -> &[[u64; V]] {
        &self.points
    }

    /// The polynomial of total degree [`DEGREE`] at most that takes `values` at the points, one each; `None` where its
    /// coefficients are not whole.
    pub(super) fn through(&self, values: &[u64]) -> Option<Polynomial<V>> {
        let mut sum = Polynomial::constant(0);
        for (weights, basis) in &self.orders {
            let mut difference = 0_i128;
            for (at, weight) in weights {
                let value = i128::from(*values.get(*at)?);
                difference = difference.checked_add(weight.checked_mul(value)?)?;
            }
            if difference != 0 {
                sum = sum.plus(&basis.times(&Polynomial::constant(difference))?)?;
            }
        }
        let whole = sum.terms.values().all(|factor| factor % SCALE == 0);
        sum.terms.values_mut().for_each(|factor| *factor /= SCALE);
        whole.then_some(sum)
    }
}

/// Six times the product of `binomial(x - base, order)` over the variables.
fn basis<const V: usize>(base: [u64; V], order: &[u32; V]) -> Option<Polynomial<V>> {
    let mut product = Polynomial::constant(SCALE);
    let mut divisor = 1;
    for (variable, &times) in order.iter().enumerate() {
        for step in 0..times {
            let offset = i128::from(base[variable]) + i128::from(step);
            product = product.times(&Polynomial::shifted(variable, offset))?;
            divisor *= i128::from(step) + 1;
        }
    }
    product.terms.values_mut().for_each(|factor| *factor /= divisor);
    Some(product)
}

/// The points below `order` with their weights in its forward difference.
fn weights<const V: usize>(order: &[u32; V], steps: &[[u32; V]]) -> Vec<(usize, i128)> {
    let below = steps
        .iter()
        .enumerate()
        .filter(|(_, point)| point.iter().zip(order).all(|(at, most)| at <= most));
    let weight = |point: &[u32; V]| -> i128 {
        let each = point
            .iter()
            .zip(order)
            .map(|(&at, &most)| choose(most, at) * if (most - at) % 2 == 0 { 1 } else { -1 });
        each.product()
    };
    below.map(|(at, point)| (at, weight(point))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn through(f: impl Fn(u64, u64) -> u64, base: [u64; 2]) -> Option<Polynomial<2>> {
        let lattice = Lattice::above(base)?;
        let values: Vec<u64> = lattice.points().iter().map(|[x, y]| f(*x, *y)).collect();
        lattice.through(&values)
    }

    #[test]
    fn what_grows_faster_is_no_such_polynomial() {
        let cubes = through(|x, _| x.pow(4), [3, 5]).unwrap();
        assert_ne!(cubes.at(&[11, 5]), Some(11_i128.pow(4)));
    }

    #[test]
    fn a_variable_is_replaced_by_what_it_is_part_of() {
        // prefix = 64 cameras + language + 1; its square has one term.
        let prefix = through(|c, l| 64 * c + l + 1, [3, 48]).unwrap();
        let square = through(|c, l| (64 * c + l + 1).pow(2), [3, 48]).unwrap();
        let language = prefix.solved_for(1).unwrap();
        let short = square.substitute(1, &language).unwrap();
        assert_eq!((square.len(), short.len()), (6, 1));
        assert_eq!(short.at(&[3, 241]), square.at(&[3, 48]));
    }

    proptest! {
        #[test]
        fn three_degrees_are_found(
            f in proptest::array::uniform6(0u64..1000), base in proptest::array::uniform2(0u64..300),
            x in 0u64..10_000, y in 0u64..10_000,
        ) {
            let at = |x: u64, y: u64| {
                f[0] + f[1] * x + f[2] * y + f[3] * x * y + f[4] * x * x * y + f[5] * y * y * y
            };
            let found = through(at, base).unwrap();
            prop_assert_eq!(found.at(&[x, y]), Some(i128::from(at(x, y))));
        }
    }
}
