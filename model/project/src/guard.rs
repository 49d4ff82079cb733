//! Conditions that a script's macros decide.

use std::collections::BTreeSet;

/// Whether a condition holds whatever else is defined: `defined(__SYNTHESIS__) || defined(M)` where `M` is.
pub fn condition_holds(condition: &str, defined: &BTreeSet<&str>) -> bool {
    let condition = strip(condition);
    if let Some(sides) = split(condition, "||") {
        return sides.into_iter().any(|side| condition_holds(side, defined));
    }
    if let Some(sides) = split(condition, "&&") {
        return sides.into_iter().all(|side| condition_holds(side, defined));
    }
    let name = condition.strip_prefix("defined").map(strip);
    name.is_some_and(|name| defined.contains(name))
}

/// Without the parentheses around the whole.
fn strip(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) if is_balanced(inner) => strip(inner),
        _ => text,
    }
}

/// Whether no parenthesis closes one that is outside.
fn is_balanced(text: &str) -> bool {
    let mut open = 0_i32;
    text.chars().all(|sign| {
        open += i32::from(sign == '(') - i32::from(sign == ')');
        open >= 0
    }) && open == 0
}

/// The two sides of the first operator that is in no parentheses.
fn split<'a>(text: &'a str, operator: &str) -> Option<[&'a str; 2]> {
    let mut places = text.match_indices(operator);
    places.find_map(|(at, _)| {
        let (left, right) = (text.get(..at)?, text.get(at + operator.len()..)?);
        is_balanced(left).then_some([left, right])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_defined_decides() {
        let defined = BTreeSet::from(["M"]);
        for condition in [
            "defined(M)",
            "(defined(__SYNTHESIS__) || (defined(M)))",
            "defined M && (A || defined ( M ))",
        ] {
            assert!(condition_holds(condition, &defined), "{condition}");
            assert!(!condition_holds(condition, &BTreeSet::new()), "{condition}");
        }
        for condition in
            ["!defined(M)", "defined(N) || A", "defined(M) && defined(N)", "M", ")(", ""]
        {
            assert!(!condition_holds(condition, &defined), "{condition}");
        }
    }
}
