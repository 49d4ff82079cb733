//! Finding a polynomial from its values around a point.

use super::polynomial::Polynomial;

/// The total degree at most: no operator's size grows faster than with the square of a sequence, times its runs.
const DEGREE: u32 = 3;

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
/// (Newton) with its factor.
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
        sum.divided(SCALE)
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
    product.divided(divisor)
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
