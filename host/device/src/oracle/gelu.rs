/// No slope of GELU is above this.
pub(crate) const GELU_SLOPE: f64 = 1.13;

/// The root of the mean square of what GELU is taken of. There it passes on close to half of the squares, whatever their size, so
/// that a row that is somewhat smaller than the others stays so: near 1 it would lose a part of its size in each layer.
const ARGUMENT: f64 = 6.0;

/// The tanh form of GELU: `x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`.
pub(crate) fn exact_gelu(x: f64) -> f64 {
    let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
    0.5 * x * (1.0 + u.tanh())
}

/// Its slope.
pub(crate) fn exact_gelu_slope(x: f64) -> f64 {
    let root = (2.0 / std::f64::consts::PI).sqrt();
    let u = root * (x + 0.044_715 * x.powi(3));
    let rise = root * (1.0 + 3.0 * 0.044_715 * x * x);
    0.5 * (1.0 + u.tanh()) + 0.5 * x * rise / u.cosh().powi(2)
}

/// What a layer's sums are multiplied with before GELU, from some of them, so that results keep their size from layer to layer: no
/// one number for all layers does, as GELU takes the more of a result the smaller it is.
pub(crate) fn gelu_scale(sums: impl Iterator<Item = f64>) -> f32 {
    let (count, squares) =
        sums.fold((0.0, 0.0), |(count, squares), sum| (count + 1.0, squares + sum * sum));
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
    let scale = (ARGUMENT / (squares / count).sqrt()) as f32;
    // Zeros, or values that are not numbers, have no size to keep.
    if scale.is_finite() && scale > 0.0 { scale } else { 1.0 }
}
