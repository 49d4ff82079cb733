//! The points of a sweep: every combination of the values of its axes.

/// More combinations than these fill the memory and no reader.
const MOST: u64 = 1_000_000;

/// Numbers beyond this are not whole in every program that reads them.
const MOST_IN_PARTS: u64 = 1 << 53;

/// Why the axes of a sweep cannot be combined.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AxesError {
    /// They have more combinations than are computed.
    #[error(
        "the axes of --sweep have more than {MOST} combinations: give fewer values, or compute them in parts with --shard"
    )]
    TooMany,
    /// They have more combinations than can be numbered.
    #[error("the axes of --sweep have more than {MOST_IN_PARTS} combinations: give fewer values")]
    TooManyParts,
    /// Two of them vary the same.
    #[error("--sweep {0} is given twice: write its values once")]
    Repeated(String),
}

/// The place of combination `index` on each of the axes that have so many values; the last runs fastest.
pub fn split_index(lengths: &[usize], mut index: u64) -> Vec<u32> {
    let mut at = vec![0; lengths.len()];
    for (&length, at) in lengths.iter().zip(&mut at).rev() {
        let length = length as u64;
        // An axis has far fewer values than 2^32: the product is limited.
        *at = u32::try_from(index % length).unwrap_or(u32::MAX);
        index /= length;
    }
    at
}

/// How many combinations axes of so many values have, where all of them are computed together.
pub fn count_combinations(lengths: &[usize]) -> Result<u64, AxesError> {
    Some(count_all(lengths)?).filter(|n| *n <= MOST).ok_or(AxesError::TooMany)
}

/// The same where they are computed in parts.
pub fn count_all(lengths: &[usize]) -> Result<u64, AxesError> {
    lengths
        .iter()
        .try_fold(1_u64, |n, &length| n.checked_mul(length as u64))
        .filter(|n| *n <= MOST_IN_PARTS)
        .ok_or(AxesError::TooManyParts)
}

/// Refuses two axes that vary the same thing. Each axis is its key and what the key varies.
pub fn check_axes<'a, T: PartialEq>(
    axes: impl IntoIterator<Item = (&'a str, T)>,
) -> Result<(), AxesError> {
    let mut known = Vec::new();
    for (key, of) in axes {
        if known.contains(&of) {
            return Err(AxesError::Repeated(key.to_owned()));
        }
        known.push(of);
    }
    Ok(())
}
