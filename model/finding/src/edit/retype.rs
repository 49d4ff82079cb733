//! Where the type of an alias is spelt.

use derate_hls::{Alias, AliasKind, Reason, Sources, Span};

/// The place of the type in an alias's declaration; or why it cannot be found.
pub fn find_spelling(sources: &Sources, alias: &Alias) -> Result<Span, Reason> {
    let refused = |reason: &str| Err(format!("`{}` {reason}", alias.name).into());
    if alias.kind == AliasKind::Assignment {
        return refused("is set in Python, which derate does not write: change it by hand");
    }
    if !alias.template.is_empty() {
        return refused("is a template: its type depends on its arguments");
    }
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '<' | '>' | ',' | ' ');
    let qualified = alias.spelling.split(' ').any(|word| matches!(word, "const" | "volatile"));
    if qualified || !alias.spelling.chars().all(plain) {
        return refused("is more than a number: a pointer, an array or a qualified type");
    }
    let Some(range) = find_region(sources, alias) else {
        return refused("is declared together with others");
    };
    let text = sources.slice(range);
    // A comment behind a macro's value belongs to the line, not to the value.
    let text = match alias.kind {
        AliasKind::Define => text.split("//").next().unwrap_or(text),
        _ => text,
    };
    let text = text.split("/*").next().unwrap_or(text);
    let start = range.start + (text.len() - text.trim_start().len());
    let span = Span { start, end: start + text.trim().len(), ..range };
    let words = sources.slice(span).split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if words == alias.spelling { Ok(span) } else { refused("is not spelt in one piece") }
}

/// Everything in the declaration that is neither keyword nor name.
fn find_region(sources: &Sources, alias: &Alias) -> Option<Span> {
    let (span, name) = (alias.span, alias.name_span);
    let text = sources.text(span.file);
    let before = text.get(span.start..name.start)?;
    let after = text.get(name.end..span.end)?;
    match alias.kind {
        AliasKind::Using => {
            let start = name.end + after.find('=')? + 1;
            let end = start + text.get(start..span.end)?.trim_end().trim_end_matches(';').len();
            Some(Span { start, end, ..span })
        }
        AliasKind::Typedef => {
            let keyword = before.len() - before.trim_start().strip_prefix("typedef")?.len();
            let alone = after.trim().trim_end_matches(';').trim().is_empty();
            let ends = text.get(span.end..)?.trim_start().starts_with(';') || after.contains(';');
            (alone && ends).then_some(Span { start: span.start + keyword, end: name.start, ..span })
        }
        AliasKind::Define => Some(Span { start: name.end, end: span.end, ..span }),
        AliasKind::Assignment => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_type_that_stands_alone_is_replaced() {
        let text = "#pragma once\n#define fp16_a float // sixteen\ntypedef float fp16_b;\n\
            typedef float fp16_c, fp16_d;\nusing fp16_e = /* x */ float;\nusing fp16_f=unsigned  int ;\n\
            typedef const float fp16_g;\ntypedef float fp16_h[4];\nusing fp16_i = float*;\n\
            template <int N> using fp16_j = float;\n#define fp16_k float /* y */\n";
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let header = derate_hls::parse(&sources, file);
        let found: Vec<(&str, &str)> = header
            .aliases
            .iter()
            .filter_map(|a| {
                Some((a.name.as_str(), sources.slice(find_spelling(&sources, a).ok()?)))
            })
            .collect();
        assert_eq!(
            found,
            [
                ("fp16_a", "float"),
                ("fp16_b", "float"),
                ("fp16_f", "unsigned  int"),
                ("fp16_k", "float")
            ]
        );
    }
}
