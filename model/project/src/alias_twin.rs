//! Aliases whose wrong name does no harm: the type that it promises is there as a comment, behind another condition, or in the step
//! beside this one.

use derate_hls::{Alias, FileId, Resolver, find_lie, split_words};

use crate::{Code, ResolvedAlias};

/// Another definition of an alias in its file, in a comment or behind another condition, that keeps what the name promises, without the
/// signs of the comment: it is a switch, or its author knows.
#[must_use]
pub fn find_twin<'a>(
    text: &'a str,
    alias: &ResolvedAlias,
    resolver: impl FnOnce() -> Resolver<'a>,
) -> Option<&'a str> {
    let mut all = list_definitions(text, &alias.alias.name).into_iter().peekable();
    all.peek()?;
    let resolver = resolver();
    let keeps = |spelling: &str| {
        let own = Alias { spelling: spelling.to_owned(), ..alias.alias.clone() };
        let resolution = resolver.resolve_at(own.span, &own.scope, spelling);
        let lie = find_lie(&own, &resolution);
        let is_kept = resolution.known().is_some() && lie.is_none();
        let twin = ResolvedAlias { alias: own, resolution, lie, alternatives: Vec::new() };
        is_kept && twin.broken_width().is_none()
    };
    all.find(|(_, spelling)| keeps(spelling)).map(|one| one.0)
}

/// The definitions of an alias in the lines of a text, also in comments, each with its type.
fn list_definitions<'a>(text: &'a str, name: &str) -> Vec<(&'a str, &'a str)> {
    let read = |line: &'a str| {
        let line = line.trim_start_matches(['/', ' ', '\t']);
        if let Some(rest) = line.strip_prefix("#define ") {
            let rest = rest.trim_start().strip_prefix(name)?.strip_prefix([' ', '\t'])?;
            return Some((line.trim_end(), rest.trim()));
        }
        let line = line.split_once(';')?.0;
        let spelling = match split_words(line).next()? {
            "typedef" => {
                let rest = line.strip_prefix("typedef")?.trim_end().strip_suffix(name)?;
                (!rest.ends_with(|c: char| c.is_alphanumeric() || c == '_')).then_some(rest)?
            }
            "using" => {
                let (left, right) = line.split_once('=')?;
                (split_words(left).last() == Some(name)).then_some(right)?
            }
            _ => return None,
        };
        Some((line, spelling.trim()))
    };
    text.lines().flat_map(|line| line.split("//")).filter_map(read).collect()
}

/// The alias of a step beside this one, by its name with its scope, that is what its name promises: the name is that of a switch.
#[must_use]
pub fn find_sibling<'a>(
    codes: impl Iterator<Item = &'a Code>,
    name: &str,
    mut is_step: impl FnMut(FileId) -> bool,
) -> Option<&'a ResolvedAlias> {
    let mut all = codes.flat_map(|code| &code.aliases);
    all.find(|one| {
        one.alias.qualified() == name
            && one.lie.is_none()
            && one.resolution.known().is_some()
            && is_step(one.alias.span.file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_definition_is_the_other_side_of_a_switch() {
        let found = |text: &'static str| list_definitions(text, "fixed_p");
        assert_eq!(
            found("// typedef ap_fixed<32, 16> fixed_p;\ntypedef float fixed_p;"),
            [
                ("typedef ap_fixed<32, 16> fixed_p", "ap_fixed<32, 16>"),
                ("typedef float fixed_p", "float")
            ]
        );
        assert_eq!(
            found("#define fixed_p ap_fixed<8, 4> // small\n#define fixed_pair int"),
            [("#define fixed_p ap_fixed<8, 4>", "ap_fixed<8, 4>")]
        );
        assert_eq!(
            found("//using fixed_p = ap_fixed<8, 4>;"),
            [("using fixed_p = ap_fixed<8, 4>", "ap_fixed<8, 4>")]
        );
        assert_eq!(found("typedef float fixed_p; // typedef ap_fixed<8, 4> fixed_p;").len(), 2);
        assert!(found("// typedef ap_fixed<32, 16> fixed_q;").is_empty());
        assert!(found("// typedef ap_fixed<32, 16> my_fixed_p;").is_empty());
        assert!(found("float x; // in place of fixed_p;").is_empty());
    }
}
