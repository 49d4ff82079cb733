//! Extents as people write them.

use derate_units::figures::grouped;

/// The largest extent: the elements of every operand, a product of at most four, then fit 128 bits.
pub const MOST_EXTENT: u64 = 1 << 30;

/// A whole number from 1 to [`MOST_EXTENT`]. The error is one sentence.
pub fn parse_extent(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let read = text.parse::<u64>().ok().filter(|number| (1..=MOST_EXTENT).contains(number));
    read.ok_or_else(|| {
        let most = grouped(MOST_EXTENT as f64);
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let reason = match text.strip_prefix('-') {
            Some(rest) if digits(rest) => "is less than one",
            _ if digits(text) && text.bytes().all(|b| b == b'0') => "is less than one",
            _ if digits(text) => "is too large",
            _ => "is no whole number",
        };
        format!("`{text}` {reason}: write a whole number from 1 to {most}")
    })
}

/// `N` extents with an `x` between them, such as `4096x4096x4096`, or with commas, as `form` has them, which is what is
/// expected. The error is one sentence.
pub fn parse_extents<const N: usize>(text: &str, form: &str) -> Result<[u64; N], String> {
    let (crosses, commas) = (form.contains('x'), form.contains(','));
    let separates = |c: char| match c {
        ',' => commas,
        'x' | 'X' | '×' => crosses,
        _ => false,
    };
    let read = text.split(separates).map(parse_extent).collect::<Result<Vec<_>, _>>();
    let read = read.map_err(|error| format!("in `{text}`, {error}, and all of them as {form}"))?;
    let count = read.len();
    <[u64; N]>::try_from(read).map_err(|_| {
        let extents = if count == 1 { "extent" } else { "extents" };
        format!("`{text}` has {count} {extents}: write {N} of them, {form}")
    })
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
            ("abc", "`abc` is no whole number"),
            ("4e3", "is no whole number"),
            ("1.5", "is no whole number"),
            ("", "`` is no whole number"),
            ("-", "is no whole number"),
        ] {
            let error = parse_extent(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let error = parse_extents::<3>("4096x4096", "MxNxK").unwrap_err();
        assert_eq!(error, "`4096x4096` has 2 extents: write 3 of them, MxNxK");
        let error = parse_extents::<2>("4096x0", "NxK").unwrap_err();
        assert!(error.starts_with("in `4096x0`, `0` is less than one"), "{error}");
        // The order of one form is not that of the other, so that one is not taken for the other.
        let error = parse_extents::<3>("2048x4x512", "WIDTH,LAYERS,BATCH").unwrap_err();
        assert!(error.contains("is no whole number") && error.ends_with("WIDTH,LAYERS,BATCH"));
    }
}
