//! Whether lines of code use an alias.

use derate_hls::split_words;

/// So many aliases of aliases are followed.
const DEPTH: usize = 4;

/// Whether a line names an alias beside its own declaration, and is more than the declaration of another alias that nothing uses.
#[must_use]
pub fn is_alias_used(lines: &[&str], name: &str) -> bool {
    is_used(lines, name, DEPTH)
}

fn is_used(lines: &[&str], name: &str, depth: usize) -> bool {
    let count = |line: &str| split_words(line).filter(|word| *word == name).count();
    let own: Vec<(&str, usize)> =
        lines.iter().map(|line| (*line, count(line))).filter(|one| one.1 > 0).collect();
    // A `typedef` is not known as the declaration.
    if own.iter().map(|one| one.1).sum::<usize>() < 2 {
        return false;
    }
    let others = own.iter().filter(|(line, count)| *count > 1 || alias_of(line) != Some(name));
    others.map(|one| one.0).any(|line| match alias_of(line).filter(|other| *other != name) {
        Some(other) if depth > 0 => is_used(lines, other, depth - 1),
        _ => true,
    })
}

/// The alias that a line declares: `using a = b;`.
fn alias_of(line: &str) -> Option<&str> {
    let (left, _) = line.trim().strip_prefix("using ")?.split_once('=')?;
    Some(left.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_that_only_unused_aliases_name_is_not_used() {
        let used = |text: &str| is_alias_used(&text.lines().collect::<Vec<_>>(), "fp96");
        assert!(!used(
            "using fp96 = long double;\nusing Row = Array<fp96>;\nusing Rows = Array<Row>;"
        ));
        assert!(used("using fp96 = long double;\nusing Row = Array<fp96>;\nRow rows;"));
        assert!(used("using fp96 = long double;\nfp96 x;"));
        assert!(!used("typedef long double fp96;"));
        assert!(used("typedef long double fp96;\nfp96 x;"));
    }
}
