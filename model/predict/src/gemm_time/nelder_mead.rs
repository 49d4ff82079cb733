/// A least of `f` near `start`, by the simplex of Nelder and Mead (1965) with the coefficients of Gao and Han (2012), which
/// suit many dimensions.
///
/// `spread` is how far the first simplex reaches; it stops after `calls` of `f`, or when all its values agree to `1e-6`. The
/// same input takes the same steps.
pub(crate) fn find_minimum(
    f: &mut dyn FnMut(&[f64]) -> f64,
    start: &[f64],
    spread: f64,
    calls: usize,
) -> (Vec<f64>, f64) {
    let axes = start.len();
    let size = axes.max(2) as f64;
    let (expand, contract, shrink) = (1.0 + 2.0 / size, 0.75 - 0.5 / size, 1.0 - 1.0 / size);
    let mut simplex: Vec<(f64, Vec<f64>)> = Vec::with_capacity(axes + 1);
    simplex.push((f(start), start.to_vec()));
    for axis in 0..axes {
        let mut corner = start.to_vec();
        if let Some(x) = corner.get_mut(axis) {
            *x += spread;
        }
        simplex.push((f(&corner), corner));
    }
    let mut made = axes + 1;
    loop {
        simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(((least, best), (most, worst))) = simplex.first().zip(simplex.last()) else {
            return (start.to_vec(), f64::INFINITY);
        };
        if made >= calls || most - least < 1e-6 {
            return (best.clone(), *least);
        }
        let second = simplex.iter().rev().nth(1).map_or(*least, |corner| corner.0);
        let mut centre = vec![0.0; axes];
        for (_, corner) in simplex.iter().take(axes) {
            for (sum, x) in centre.iter_mut().zip(corner) {
                *sum += x / axes as f64;
            }
        }
        // The point `by` times as far from the centre as the worst, on the other side.
        let across = |by: f64| -> Vec<f64> {
            centre.iter().zip(worst).map(|(middle, far)| middle + by * (middle - far)).collect()
        };
        let mut tried = across(1.0);
        let mut value = f(&tried);
        made += 1;
        if value < *least {
            let further = across(expand);
            let beyond = f(&further);
            made += 1;
            if beyond < value {
                (value, tried) = (beyond, further);
            }
        } else if value >= second {
            let nearer = across(if value < *most { contract } else { -contract });
            let inside = f(&nearer);
            made += 1;
            if inside < value.min(*most) {
                (value, tried) = (inside, nearer);
            } else if value >= *most {
                let towards = best.clone();
                for (at, corner) in simplex.iter_mut().skip(1) {
                    for (x, to) in corner.iter_mut().zip(&towards) {
                        *x = to + shrink * (*x - to);
                    }
                    *at = f(corner);
                }
                made += axes;
                continue;
            }
        }
        if let Some(last) = simplex.last_mut() {
            *last = (value, tried);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_of_rosenbrock_is_followed_to_its_end() {
        let mut f = |x: &[f64]| match *x {
            [x, y] => (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2),
            _ => f64::NAN,
        };
        let (point, value) = find_minimum(&mut f, &[-1.2, 1.0], 0.5, 2000);
        assert!(value < 1e-4, "{point:?}");
    }
}
