//! Placeholders `auto{NAME}` in pragmas, as design-space explorers write them.

const OPEN: &str = "auto{";

/// The names of all placeholders of a text, each once.
#[must_use]
pub fn find_placeholders(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let pieces = text.split(OPEN).skip(1);
    for (name, _) in pieces.filter_map(|piece| piece.split_once('}')) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The text with each placeholder replaced by its value. A line whose placeholder has the value `NA`, none, or no value at
/// all is left empty, so that lines keep their numbers; a value of blanks alone leaves the bare pragma.
pub fn fill_placeholders(text: &str, values: &[(String, String)]) -> String {
    if !text.contains(OPEN) {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| fill_line(line, values).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn fill_line(line: &str, values: &[(String, String)]) -> Option<String> {
    let mut filled = String::with_capacity(line.len());
    let mut pieces = line.split(OPEN);
    filled.push_str(pieces.next()?);
    for piece in pieces {
        let (name, rest) = piece.split_once('}')?;
        let value = values.iter().find(|(known, _)| known == name).map(|(_, value)| value)?;
        if value.is_empty() || value == "NA" {
            return None;
        }
        filled.push_str(value);
        filled.push_str(rest);
    }
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fill_their_lines_and_na_empties_them() {
        let text = "a\n#pragma HLS pipeline auto{P}\n#pragma HLS unroll factor=auto{U}\nb";
        assert_eq!(find_placeholders(text), ["P", "U"]);
        let fill = |p: &str, u: &str| {
            let value = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            fill_placeholders(text, &[value("P", p), value("U", u)])
        };
        assert_eq!(fill("off", "4"), "a\n#pragma HLS pipeline off\n#pragma HLS unroll factor=4\nb");
        assert_eq!(fill("NA", "1"), "a\n\n#pragma HLS unroll factor=1\nb");
        assert_eq!(fill("  ", "NA"), "a\n#pragma HLS pipeline   \n\nb");
        assert_eq!(fill_placeholders(text, &[]), "a\n\n\nb");
    }
}
