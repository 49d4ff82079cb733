//! The sizes of a matrix product over the columns of its dimensions: `batch x (m x k) * (k x n)`.

use derate_render::Formula;
use derate_render::formula::column;

use super::polynomial::Polynomial;
use derate_workload::{Count, Matmul, Operand, Role};

/// `2 x batch x m x k x n`
pub(super) fn write_operations(batch: &Polynomial) -> Formula {
    let product = column("m") * column("k") * column("n");
    match batch.constant() {
        Some(batch) => product * (2.0 * batch),
        None => product * 2.0 * batch.formula(),
    }
}

/// Elements that cross memory: `m (k + n) + k n` for a product that moves each once. `None` where an operand does not
/// cross a fixed number of times; `times` is the crossings of the operand at a place.
pub(super) fn write_elements(
    matmul: &Matmul<Polynomial>,
    operands: &[Operand<Polynomial>],
    times: impl Fn(usize) -> u64,
) -> Option<Formula> {
    let Matmul { m, k, n, .. } = matmul;
    let ratio = |place: usize, area: Polynomial| {
        let own = operands.iter().enumerate().filter(|(at, o)| place_of(*at, o.role) == place);
        let moved: Polynomial = own.map(|(at, o)| o.elements.scaled(times(at))).sum();
        moved.ratio_to(&area)
    };
    let (left, right, result) =
        (ratio(0, m.times(k))?, ratio(1, k.times(n))?, ratio(2, m.times(n))?);
    let (m, k, n) = (|| column("m"), || column("k"), || column("n"));
    let scaled = |term: Formula, ratio: u64| if ratio == 1 { term } else { term * ratio as f64 };
    Some(if left == result {
        scaled(m() * (k() + n()), left) + scaled(k() * n(), right)
    } else {
        scaled(m() * k(), left) + scaled(k() * n(), right) + scaled(m() * n(), result)
    })
}

/// Which of the three an operand is: left, right, result.
fn place_of(at: usize, role: Role) -> usize {
    match (at, role) {
        (_, Role::Output) => 2,
        (0, _) => 0,
        _ => 1,
    }
}
