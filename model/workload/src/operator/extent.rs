//! Extents as people write them.

use super::AttentionError;
use derate_units::figures::grouped;

/// The largest extent: the elements of every operand, a product of at most four, then fit 128 bits.
pub const MOST_EXTENT: u64 = 1 << 30;

/// Why a text is not an extent, or not the extents of an operator.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ExtentError {
    /// It is not a number, or not one in range.
    #[error("`{text}` {reason}: write a whole number from 1 to {}", grouped(MOST_EXTENT as f64))]
    Number {
        /// What is written.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// One of several is not an extent.
    #[error("in `{text}`, {error}, and all of them as {form}")]
    Among {
        /// What is written.
        text: String,
        /// What is wrong with the one.
        error: Box<ExtentError>,
        /// How they are written.
        form: String,
    },
    /// They are too many or too few.
    #[error(
        "`{text}` has {found} extent{}: write {wanted} of them, {form}",
        if *found == 1 { "" } else { "s" }
    )]
    Count {
        /// What is written.
        text: String,
        /// How many it has.
        found: usize,
        /// How many it should have.
        wanted: usize,
        /// How they are written.
        form: String,
    },
    /// Attention does not have such heads or such a mask.
    #[error("`{text}`: {error}")]
    Attention {
        /// What is written.
        text: String,
        /// What is wrong with it.
        error: AttentionError,
    },
}

/// A whole number from 1 to [`MOST_EXTENT`].
pub fn parse_extent(text: &str) -> Result<u64, ExtentError> {
    let text = text.trim();
    let read = text.parse::<u64>().ok().filter(|number| (1..=MOST_EXTENT).contains(number));
    read.ok_or_else(|| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let reason = match text.strip_prefix('-') {
            Some(rest) if digits(rest) => "is less than one",
            _ if digits(text) && text.bytes().all(|b| b == b'0') => "is less than one",
            _ if digits(text) => "is too large",
            _ => "is not a whole number",
        };
        ExtentError::Number { text: text.to_owned(), reason }
    })
}

/// `N` extents with an `x` between them, such as `4096x4096x4096`, or with commas, as `form` has them, which is what is
/// expected.
pub fn parse_extents<const N: usize>(text: &str, form: &str) -> Result<[u64; N], ExtentError> {
    let (crosses, commas) = (form.contains('x'), form.contains(','));
    let separates = |c: char| match c {
        ',' => commas,
        'x' | 'X' | '×' => crosses,
        _ => false,
    };
    let read = text.split(separates).map(parse_extent).collect::<Result<Vec<_>, _>>();
    let (text, form) = (text.to_owned(), form.to_owned());
    let read = match read {
        Ok(read) => read,
        Err(error) => return Err(ExtentError::Among { text, error: Box::new(error), form }),
    };
    let found = read.len();
    read.try_into().map_err(|_| ExtentError::Count { text, found, wanted: N, form })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_extents_with_an_x_between() {
        assert_eq!(parse_extents("4096x11008x1", "MxNxK"), Ok([4096, 11008, 1]));
        assert_eq!(parse_extents("2048, 4, 512", "WIDTH,LAYERS,BATCH"), Ok([2048, 4, 512]));
        for text in ["1x4096x512", "1,4096,512"] {
            assert_eq!(parse_extents(text, "MxNxK or M,N,K"), Ok([1, 4096, 512]));
        }
        assert_eq!(parse_extent(" 1073741824 "), Ok(MOST_EXTENT));
    }

    #[test]
    fn what_is_no_extent_is_refused_with_the_reason() {
        for (text, reason) in [
            ("0", "`0` is less than one"),
            ("-3", "`-3` is less than one"),
            (
                "1000000000000",
                "`1000000000000` is too large: write a whole number from 1 to 1,073,741,824",
            ),
            ("99999999999999999999999", "is too large"),
            ("abc", "`abc` is not a whole number"),
            ("4e3", "is not a whole number"),
            ("1.5", "is not a whole number"),
            ("", "`` is not a whole number"),
            ("-", "is not a whole number"),
        ] {
            let error = parse_extent(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let error = parse_extents::<3>("4096x4096", "MxNxK").unwrap_err().to_string();
        assert_eq!(error, "`4096x4096` has 2 extents: write 3 of them, MxNxK");
        let error = parse_extents::<2>("4096x0", "NxK").unwrap_err().to_string();
        assert!(error.starts_with("in `4096x0`, `0` is less than one"), "{error}");
        // The order of one form is not that of the other, so that one is not taken for the other.
        let error = parse_extents::<3>("2048x4x512", "WIDTH,LAYERS,BATCH").unwrap_err().to_string();
        assert!(error.contains("is not a whole number") && error.ends_with("WIDTH,LAYERS,BATCH"));
    }
}
