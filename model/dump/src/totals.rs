//! Totals that a dump states about itself, to hold its lines against.

use super::dims;

/// A total and what it counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Total {
    /// `loaded meta data with ... and 291 tensors`.
    Tensors(u64),
    /// `Total params: 3,381,760`.
    Parameters(u64),
}

/// The total on a line such as `Total params: 3,381,760` or `Tensor count : 1124`.
pub(super) fn parse_total(line: &str) -> Option<Total> {
    let line = line.trim().trim_matches(['*', '|', '#', ' ']);
    let (label, value) = line.split_once(':')?;
    let number =
        dims::parse_number(value.trim().trim_matches('*').split_whitespace().next()?).ok()?;
    let label = label.trim().trim_matches('*').to_ascii_lowercase();
    match label.as_str() {
        "total params"
        | "total parameters"
        | "total number of parameters"
        | "number of parameters"
        | "num parameters"
        | "parameters"
        | "total elements"
        | "total" => Some(Total::Parameters(number)),
        "tensor count" | "tensors" | "number of tensors" | "total tensors" | "num tensors" => {
            Some(Total::Tensors(number))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_known_by_their_label() {
        assert_eq!(parse_total("Total params: 3,381,760"), Some(Total::Parameters(3_381_760)));
        assert_eq!(parse_total("  Tensor count  : 1124"), Some(Total::Tensors(1124)));
        assert_eq!(parse_total("Trainable params: 12"), None);
        assert_eq!(parse_total("Total params: many"), None);
    }
}
