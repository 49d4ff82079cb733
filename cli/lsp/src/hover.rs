//! What a name is, and the manual page of a finding.

use derate_hls::{FileId, Resolution};
use derate_model::audit::find_rule;

use crate::check::Checked;

/// What is known at a byte of a file, in Markdown; `None` where that is nothing.
pub(crate) fn describe(checked: &Checked, file: FileId, offset: usize) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(
        word_at(checked.sources.text(file), offset)
            .and_then(|word| describe_name(checked, file, word)),
    );
    let here = |finding: &&derate_model::audit::Finding| {
        finding.place().is_some_and(|at| (at.start..=at.end).contains(&offset))
    };
    let mut codes: Vec<&str> = checked.findings_in(file).filter(here).map(|one| one.code).collect();
    codes.dedup();
    parts.extend(codes.into_iter().filter_map(find_rule).map(derate_model::audit::Rule::manual));
    (!parts.is_empty()).then(|| parts.join("\n---\n\n"))
}

/// The name around a byte.
fn word_at(text: &str, offset: usize) -> Option<&str> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let before = text.get(..offset)?;
    let start = before
        .rfind(|one| !is_part(one))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let rest = &text[start..];
    let word = &rest[..rest.find(|one| !is_part(one)).unwrap_or(rest.len())];
    (!word.is_empty() && !word.starts_with(|one: char| one.is_ascii_digit())).then_some(word)
}

/// An alias with its type, or a constant with its value. Where several have the name, that of this file comes first; others
/// are shown too.
fn describe_name(checked: &Checked, file: FileId, word: &str) -> Option<String> {
    let mut found: Vec<(bool, String)> = Vec::new();
    for code in &checked.codes {
        let aliases = code.aliases.iter().filter(|one| one.alias.name == word);
        for one in aliases {
            let here = one.alias.name_span.file == file;
            found.push((here, describe_type(&one.alias.qualified(), &one.resolution)));
        }
        let constants = code.headers().iter().flat_map(|header| &header.constants);
        for one in constants.filter(|one| one.name == word) {
            let value =
                one.value.map_or_else(|| "value unknown".to_owned(), |value| format!("= {value}"));
            let line = format!("```cpp\n{} {value}\n```\n`{}`", one.qualified(), one.expression);
            found.push((one.name_span.file == file, line));
        }
    }
    found.sort_by_key(|one| !one.0);
    let mut texts: Vec<String> = Vec::new();
    for (_, text) in found {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn describe_type(name: &str, resolution: &Resolution) -> String {
    let hops: Vec<&str> = resolution.hops.iter().map(|hop| hop.spelling.as_str()).collect();
    let way = if hops.is_empty() { String::new() } else { format!(" by `{}`", hops.join("`, `")) };
    match (resolution.known(), resolution.unknown()) {
        (Some(kind), _) => {
            let bits = resolution.bits();
            let bits =
                bits.map_or_else(|| "width unknown".to_owned(), |bits| format!("{bits} bits"));
            format!("```cpp\n{name} is {kind}\n```\n{bits}{way}")
        }
        (None, reason) => format!("`{name}` is unknown: {}", reason.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::word_at;

    #[test]
    fn a_word_is_found_from_each_of_its_bytes() {
        let text = "typedef w_t x;";
        for at in 8..=11 {
            assert_eq!(word_at(text, at), Some("w_t"), "{at}");
        }
        assert_eq!(word_at("a + 12", 5), None);
        assert_eq!(word_at("", 0), None);
        assert_eq!(word_at("a", 9), None);
    }
}
