//! Functions on single elements, and how many operations each is.

/// A function and its operations per element of the result.
///
/// The counts are a convention, that of [`super::Elementwise`]: an addition, a product, a comparison, an exponential, a
/// logarithm, a division or a root is one operation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PointFunction {
    /// Its name.
    pub name: &'static str,
    /// Operations per element of the result.
    pub operations: u64,
}

const fn function(name: &'static str, operations: u64) -> PointFunction {
    PointFunction { name, operations }
}

/// What is not one operation, and what people look for by its name.
const FUNCTIONS: [PointFunction; 44] = [
    function("add", 1),
    function("sub", 1),
    function("mul", 1),
    function("div", 1),
    function("relu", 1),
    function("sqrt", 1),
    function("rsqrt", 1),
    function("exp", 1),
    function("tanh", 1),
    function("pow", 1),
    function("maximum", 1),
    function("minimum", 1),
    function("where", 1),
    function("neg", 1),
    function("erf", 1),
    function("log", 1),
    function("sin", 1),
    function("cos", 1),
    function("abs", 1),
    function("reciprocal", 1),
    // Exponential, add, divide.
    function("sigmoid", 3),
    // Two comparisons.
    function("clamp", 2),
    function("hardtanh", 2),
    function("relu6", 2),
    function("leaky_relu", 2),
    function("prelu", 2),
    // Exponential, subtract, scale, compare.
    function("elu", 4),
    function("selu", 5),
    function("celu", 4),
    // Exponential, add, logarithm.
    function("softplus", 3),
    // Softplus, tanh, product.
    function("mish", 5),
    // Add, two comparisons, divide.
    function("hardsigmoid", 4),
    function("hardswish", 5),
    // The two halves: sigmoid and a product.
    function("glu", 4),
    // A product and an addition.
    function("addcmul", 3),
    function("addcdiv", 3),
    function("lerp", 3),
    // Subtract the mean, scale by the root, scale, shift.
    function("batch_norm", 4),
    function("group_norm", 7),
    // Three interpolations of three operations.
    function("upsample_bilinear2d", 9),
    function("upsample_linear1d", 3),
    // Five interpolations of four points, seven operations each.
    function("upsample_bicubic2d", 35),
    function("grid_sampler_2d", 9),
    // Maximum, subtract, exponential, sum, logarithm.
    function("log_softmax", 5),
];

/// A function that is one operation and has no name here.
const OTHER: PointFunction = function("other", 1);

/// Nothing is known of what it computes; see the parts that are not modelled.
const UNKNOWN: PointFunction = function("unknown", 0);

impl PointFunction {
    /// The function of that name; one that is not in the table counts one operation per element.
    pub(super) fn find(name: &str) -> Self {
        FUNCTIONS.iter().find(|one| one.name == name).copied().unwrap_or(OTHER)
    }

    /// What is not known.
    pub(super) fn unknown() -> Self {
        UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_there_once() {
        for (at, one) in FUNCTIONS.iter().enumerate() {
            assert!(FUNCTIONS[..at].iter().all(|other| other.name != one.name), "{}", one.name);
        }
    }
}
