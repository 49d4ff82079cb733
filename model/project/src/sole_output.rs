//! The one place that a function gives the value of a local variable to.

use derate_hls::split_words;

/// The variable that a body assigns a local one to, or an empty text where it returns it, if that is all that the body does with the
/// value but to set it and to add to it: `out[i] = acc;`, `return acc;`. Beside it the bits that are cut at the right: 15 of
/// `out[i] = acc >> 15;`.
#[must_use]
pub fn find_sole_output<'a>(body: &'a str, name: &str) -> Option<(&'a str, u8)> {
    let has_name = |text: &str| split_words(text).any(|word| word == name);
    let mut found = None;
    let lines = body.lines().map(|line| line.split("//").next().unwrap_or_default());
    let statements = lines.flat_map(|line| line.split([';', '{', '}']));
    for statement in statements.map(str::trim).filter(|one| has_name(one)) {
        if statement == format!("return {name}") {
            found = found.is_none().then_some(("", 0));
            found?;
            continue;
        }
        let (left, right) =
            statement.split_once('=').filter(|(_, right)| !right.starts_with('='))?;
        let is_own = split_words(left).last() == Some(name)
            && left.trim_end_matches(['+', '-', ' ']).ends_with(name);
        // `acc = acc + x;` adds; other operators may need the bits that are lost.
        let rest = right.trim().strip_prefix(name).unwrap_or_default();
        let is_sum = rest.trim_start().starts_with(['+', '-'])
            && !has_name(rest)
            && !rest.contains(['>', '<', '?', '/', '%']);
        if is_own && (!has_name(right) || is_sum) {
            continue;
        }
        let is_plain =
            left.trim_end().ends_with(|sign: char| sign.is_alphanumeric() || "_])".contains(sign));
        let cut = count_cut_bits(right, name).filter(|_| !has_name(left) && is_plain)?;
        let output = split_words(left).next().filter(|_| found.is_none())?;
        found = Some((output, cut));
    }
    found
}

/// How many bits of a variable an expression cuts at the right, where it does nothing else: 0 of `acc`, 4 of `(acc >> 4)`.
fn count_cut_bits(text: &str, name: &str) -> Option<u8> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let rest = inner.trim().strip_prefix(name)?.trim_start();
    if rest.is_empty() { Some(0) } else { rest.strip_prefix(">>")?.trim().parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_one_use_has_an_output() {
        for (body, output) in [
            ("{ T acc = 0; for (;;) acc += a[i] * b[i];\n *out = acc; }", Some(("out", 0))),
            (
                "{ T acc = 0; // acc of all\n for (;;) { acc = acc + a[i]; }\n return acc; }",
                Some(("", 0)),
            ),
            ("{ T acc = 0; for (;;) acc += a[i]; y[i] = acc; z = acc; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; y = acc >> 4; }", Some(("y", 4))),
            ("{ T acc = 0; for (;;) acc += a[i]; y[k] = (acc >> 15); }", Some(("y", 15))),
            ("{ T acc = 0; for (;;) acc += a[i]; y = acc >> n; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; y = (acc) + (3); }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; y += acc; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; put(acc); }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; if (acc > 3) y = 1; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; if (acc == 0) z = 1; y = acc; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; acc = acc >> 4; y = acc; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; acc = acc > 255 ? 255 : acc; y = acc; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; big_acc = acc; y = acc; }", None),
        ] {
            assert_eq!(find_sole_output(body, "acc"), output, "{body}");
        }
    }
}
