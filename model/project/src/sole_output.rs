//! The one place that a function gives the value of a local variable to.

use derate_hls::split_words;

/// The variable that a body assigns a local one to, or an empty text where it returns it, if that is all that the body does with the
/// value but to set it and to add to it: `out[i] = acc;`, `return acc;`.
#[must_use]
pub fn find_sole_output<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    let has_name = |text: &str| split_words(text).any(|word| word == name);
    let mut found = None;
    let lines = body.lines().map(|line| line.split("//").next().unwrap_or_default());
    let statements = lines.flat_map(|line| line.split([';', '{', '}']));
    for statement in statements.map(str::trim).filter(|one| has_name(one)) {
        if statement == format!("return {name}") {
            found = found.is_none().then_some("");
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
        let is_value = right.trim() == name && !has_name(left) && is_plain;
        let output = split_words(left).next().filter(|_| is_value && found.is_none())?;
        found = Some(output);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_one_use_has_an_output() {
        for (body, output) in [
            ("{ T acc = 0; for (;;) acc += a[i] * b[i];\n *out = acc; }", Some("out")),
            (
                "{ T acc = 0; // acc of all\n for (;;) { acc = acc + a[i]; }\n return acc; }",
                Some(""),
            ),
            ("{ T acc = 0; for (;;) acc += a[i]; y[i] = acc; z = acc; }", None),
            ("{ T acc = 0; for (;;) acc += a[i]; y = acc >> 4; }", None),
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
