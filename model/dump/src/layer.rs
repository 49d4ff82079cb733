//! Which parameters a layer of a known class has.

use super::dims;
use super::grouping::Grouping;

/// The names and shapes of a layer's parameters.
pub(super) type LayerParameters = Vec<(&'static str, Vec<u64>)>;

/// From the printed arguments: `in_features=960, out_features=2560, bias=True`.
///
/// An empty list for a class that has none, `None` for one that derate does not know.
pub(super) fn from_arguments(class: &str, arguments: &str) -> Option<LayerParameters> {
    let arguments = LayerArguments::new(arguments);
    let bias = arguments.find_named("bias") != Some("False");
    let with_bias = |weight: Vec<u64>, length: u64| {
        let mut parameters = vec![("weight", weight)];
        parameters.extend(bias.then(|| ("bias", vec![length])));
        parameters
    };
    if class.contains("Linear") {
        let (inputs, outputs) =
            (arguments.find_number("in_features")?, arguments.find_number("out_features")?);
        return Some(with_bias(vec![outputs, inputs], outputs));
    }
    if class == "Conv1D" {
        let (outputs, inputs) = (arguments.find_number("nf")?, arguments.find_number("nx")?);
        return Some(with_bias(vec![inputs, outputs], outputs));
    }
    if class.starts_with("Conv") {
        let (inputs, outputs): (u64, u64) =
            (arguments.at(0)?.parse().ok()?, arguments.at(1)?.parse().ok()?);
        let groups = arguments.find_number("groups").unwrap_or(1);
        let (first, second) =
            if class.contains("Transpose") { (inputs, outputs) } else { (outputs, inputs) };
        let mut weight = vec![first, second.checked_div(groups)?];
        weight.extend(LayerArguments::parse_shape(arguments.find_named("kernel_size")?)?);
        return Some(with_bias(weight, outputs));
    }
    if class.ends_with("Embedding") && arguments.at(1).is_some() {
        return Some(vec![(
            "weight",
            vec![arguments.at(0)?.parse().ok()?, arguments.at(1)?.parse().ok()?],
        )]);
    }
    if class.contains("Norm") {
        return norm_parameters(class, &arguments, bias);
    }
    if class == "PReLU" {
        return Some(vec![("weight", vec![arguments.find_number("num_parameters")?])]);
    }
    has_none(class).then(Vec::new)
}

fn norm_parameters(
    class: &str,
    arguments: &LayerArguments<'_>,
    bias: bool,
) -> Option<LayerParameters> {
    let affine = arguments.find_named("affine").or(arguments.find_named("elementwise_affine"));
    let never = class.starts_with("InstanceNorm") && affine.is_none();
    if affine == Some("False") || never {
        return Some(Vec::new());
    }
    let shape = match class {
        "GroupNorm" => LayerArguments::parse_shape(arguments.at(1)?)?,
        _ => LayerArguments::parse_shape(arguments.at(0)?)?,
    };
    let mut parameters = vec![("weight", shape.clone())];
    if bias && !class.contains("RMSNorm") {
        parameters.push(("bias", shape));
    }
    Some(parameters)
}

/// From the number of parameters and the last dimensions of the activations, where only one
/// answer is left.
pub(super) fn from_count(
    class: &str,
    input: Option<u64>,
    output: Option<u64>,
    count: u64,
) -> Option<LayerParameters> {
    let output = output.filter(|output| *output > 0)?;
    match class {
        "Linear" => {
            let weight = input?.checked_mul(output)?;
            match count.checked_sub(weight)? {
                0 => Some(vec![("weight", vec![output, input?])]),
                bias if bias == output => {
                    Some(vec![("weight", vec![output, input?]), ("bias", vec![output])])
                }
                _ => None,
            }
        }
        "LayerNorm" if Some(count) == output.checked_mul(2) => {
            Some(vec![("weight", vec![output]), ("bias", vec![output])])
        }
        "Embedding" if count.is_multiple_of(output) => {
            Some(vec![("weight", vec![count / output, output])])
        }
        _ => None,
    }
}

/// Classes without parameters.
fn has_none(class: &str) -> bool {
    const PARTS: [&str; 24] = [
        "Dropout",
        "DropPath",
        "GELU",
        "ReLU",
        "SiLU",
        "ELU",
        "Tanh",
        "Sigmoid",
        "Softmax",
        "Softplus",
        "Swish",
        "Mish",
        "Identity",
        "Pool",
        "Flatten",
        "Activation",
        "Rotary",
        "Upsample",
        "PixelShuffle",
        "Pad",
        "Fold",
        "Loss",
        "Permute",
        "StochasticDepth",
    ];
    PARTS.iter().any(|part| class.contains(part))
}

/// The arguments of a printed layer.
#[derive(Debug)]
struct LayerArguments<'a>(Vec<&'a str>);

impl<'a> LayerArguments<'a> {
    /// Splits at the commas outside any brackets.
    fn new(text: &'a str) -> Self {
        let mut depth = 0_i32;
        let parts = text.split(|c: char| {
            depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
            c == ',' && depth == 0
        });
        Self(parts.map(str::trim).filter(|part| !part.is_empty()).collect())
    }

    fn find_named(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
    }

    fn at(&self, index: usize) -> Option<&'a str> {
        self.0.get(index).copied().filter(|part| !part.contains('='))
    }

    fn find_number(&self, name: &str) -> Option<u64> {
        self.find_named(name)?.parse().ok()
    }

    /// `(960,)` or `960`.
    fn parse_shape(text: &str) -> Option<Vec<u64>> {
        let inside = text.trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
        dims::parse_bracketed(inside, Grouping::Unknown).ok().filter(|dims| !dims.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_printed_layers() {
        let linear = from_arguments("Linear", "in_features=960, out_features=2560, bias=True");
        assert_eq!(linear, Some(vec![("weight", vec![2560, 960]), ("bias", vec![2560])]));
        let conv =
            from_arguments("Conv2d", "3, 768, kernel_size=(16, 16), stride=(16, 16), bias=False");
        assert_eq!(conv, Some(vec![("weight", vec![768, 3, 16, 16])]));
        let norm = from_arguments("LayerNorm", "(768,), eps=1e-06, elementwise_affine=True");
        assert_eq!(norm, Some(vec![("weight", vec![768]), ("bias", vec![768])]));
        assert_eq!(
            from_arguments("LlamaRMSNorm", "(960,), eps=1e-05"),
            Some(vec![("weight", vec![960])])
        );
        assert_eq!(
            from_arguments("Embedding", "49280, 960, padding_idx=2"),
            Some(vec![("weight", vec![49_280, 960])])
        );
        assert_eq!(from_arguments("GELU", "approximate='none'"), Some(vec![]));
        assert_eq!(from_arguments("Mystery", ""), None);
    }

    #[test]
    fn a_count_answers_only_when_it_must() {
        let both = Some(vec![("weight", vec![2560, 960]), ("bias", vec![2560])]);
        assert_eq!(from_count("Linear", Some(960), Some(2560), 2_460_160), both);
        assert_eq!(from_count("Linear", Some(960), Some(2560), 2_460_161), None);
        assert_eq!(from_count("Linear", None, Some(2560), 2_460_160), None);
    }
}
