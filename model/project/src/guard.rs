//! Conditions that a script's macros decide.

use std::collections::BTreeSet;

/// Parentheses are followed this deep.
const DEPTH: usize = 64;

/// Whether a condition holds whatever else is defined: `defined(__SYNTHESIS__) || defined(M)` where `M` is.
pub fn condition_holds(condition: &str, defined: &BTreeSet<&str>) -> bool {
    holds(condition, defined, DEPTH)
}

fn holds(condition: &str, defined: &BTreeSet<&str>, depth: usize) -> bool {
    let condition = condition.trim();
    let Some(depth) = depth.checked_sub(1) else { return false };
    for (operator, needs_all) in [("||", false), ("&&", true)] {
        let Some(sides) = split(condition, operator) else { return false };
        if sides.len() > 1 {
            let mut sides = sides.into_iter();
            return if needs_all {
                sides.all(|side| holds(side, defined, depth))
            } else {
                sides.any(|side| holds(side, defined, depth))
            };
        }
    }
    if let Some(inner) = inner(condition) {
        return holds(inner, defined, depth);
    }
    let name = condition.strip_prefix("defined").filter(|name| name.starts_with(['(', ' ', '\t']));
    name.map(str::trim).is_some_and(|name| defined.contains(inner(name).unwrap_or(name).trim()))
}

/// What is between the first letter and the last, if these are parentheses. The text is balanced and has no operator outside
/// of parentheses: no more than one pair can be outermost in what is read.
fn inner(text: &str) -> Option<&str> {
    text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
}

/// The sides of an operator that is in no parentheses, the whole where it is not there. `None` where parentheses do not fit.
fn split<'a>(text: &'a str, operator: &str) -> Option<Vec<&'a str>> {
    let (mut sides, mut start, mut open) = (Vec::new(), 0, 0_usize);
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => open += 1,
            ')' => open = open.checked_sub(1)?,
            _ if open == 0 && at >= start && text[at..].starts_with(operator) => {
                sides.push(&text[start..at]);
                start = at + operator.len();
            }
            _ => {}
        }
    }
    sides.push(&text[start..]);
    (open == 0).then_some(sides)
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
        for condition in [
            "!defined(M)",
            "definedM",
            "defined(N) || A",
            "defined(M) && defined(N)",
            "M",
            ")(",
            "",
        ] {
            assert!(!condition_holds(condition, &defined), "{condition}");
        }
    }
    #[test]
    fn a_long_condition_is_gone_through_once_and_a_deep_one_is_left() {
        let defined = BTreeSet::from(["M"]);
        let chain = |last: &str| format!("{}{last}", "defined(A) || ".repeat(60_000));
        assert!(condition_holds(&chain("defined(M)"), &defined));
        assert!(!condition_holds(&chain("defined(N)"), &defined));
        let nested = |depth: usize| format!("{}defined(M){}", "(".repeat(depth), ")".repeat(depth));
        assert!(condition_holds(&nested(60), &defined));
        assert!(!condition_holds(&nested(100_000), &defined));
        for broken in ["(defined(M)", "defined(M))", "(A)defined(M)", "(defined(M)) (defined(M))"] {
            assert!(!condition_holds(broken, &defined), "{broken}");
        }
    }
}
