//! The two products of scaled dot-product attention from the shapes of its operands.

use super::misfit::Misfit;
use crate::matmul::Matmul;

/// Queries by keys, and scores by values. Heads of keys and values may be fewer than those of queries, each for several.
pub(super) fn measure_attention(
    query: &[u64],
    key: &[u64],
    value: &[u64],
    made: &[u64],
) -> Result<[Matmul; 2], Misfit> {
    let shapes = || format!("its queries are {query:?}, its keys {key:?}, its values {value:?}");
    let (
        &[ref heads @ .., rows, size],
        &[ref key_heads @ .., keys, key_size],
        &[ref value_heads @ .., values, width],
    ) = (query, key, value)
    else {
        return Err(Misfit::new(format!("{}: each has rows and columns", shapes())));
    };
    if size != key_size || keys != values || key_heads != value_heads {
        return Err(Misfit::new(format!("{}: these do not fit one another", shapes())));
    }
    let shares = |(&own, &other): (&u64, &u64)| other > 0 && own % other == 0;
    if heads.len() != key_heads.len() || !heads.iter().zip(key_heads).all(shares) {
        return Err(Misfit::new(format!("{}: the heads do not fit one another", shapes())));
    }
    if made != [heads, &[rows, width]].concat() {
        return Err(Misfit::new(format!("{}, and its result is {made:?}", shapes())));
    }
    let batch = heads.iter().fold(1_u64, |a, &b| a.saturating_mul(b));
    Ok([Matmul { batch, m: rows, k: size, n: keys }, Matmul { batch, m: rows, k: keys, n: width }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouped_queries_share_keys() {
        let [qk, pv] = measure_attention(
            &[1, 15, 50, 64],
            &[1, 5, 241, 64],
            &[1, 5, 241, 64],
            &[1, 15, 50, 64],
        )
        .unwrap();
        assert_eq!(qk, Matmul { batch: 15, m: 50, k: 64, n: 241 });
        assert_eq!(pv, Matmul { batch: 15, m: 50, k: 241, n: 64 });
        assert!(
            measure_attention(&[1, 4, 8, 8], &[1, 3, 8, 8], &[1, 3, 8, 8], &[1, 4, 8, 8]).is_err()
        );
    }
}
