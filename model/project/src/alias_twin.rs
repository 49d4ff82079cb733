//! Aliases whose wrong name does no harm: the other type is there as a comment, or nothing depends on the sign.

use derate_hls::{FileId, Sources, split_words};

use crate::{Code, ResolvedAlias};

/// A number of fewer bits may be counted with.
pub const WIDE: u64 = 128;

/// Another definition of an alias in a comment of its file, without the signs of the comment: it is a switch, or its author knows.
#[must_use]
pub fn find_commented_twin<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let declares = |line: &str| {
        let words: Vec<&str> = split_words(line).collect();
        match words.first() {
            Some(&"typedef") => words.last() == Some(&name),
            Some(&"using") => words.get(1) == Some(&name) && line.contains('='),
            _ => false,
        }
    };
    let behind =
        |line: &'a str| Some(line.split_once("//")?.1.trim_start_matches(['/', ' ']).trim());
    let ended = |line: &'a str| Some(line.split_once(';')?.0);
    text.lines().filter_map(behind).filter_map(ended).find(|line| declares(line))
}

/// The alias of a step beside this one, in a file of the same name, that is what its name promises: the name is that of a switch.
#[must_use]
pub fn find_sibling<'a>(
    codes: impl Iterator<Item = &'a Code>,
    sources: &Sources,
    (file, name): (FileId, &str),
) -> Option<&'a ResolvedAlias> {
    let split =
        |file: FileId| sources.name(file).rsplit_once('/').unwrap_or(("", sources.name(file)));
    let above = |folder: &str| folder.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
    let (folder, base) = split(file);
    let is_beside = |one: FileId| {
        let (other, name) = split(one);
        name == base && other != folder && above(other) == above(folder)
    };
    let mut all = codes.flat_map(|code| &code.aliases);
    all.find(|one| {
        one.alias.name == name
            && one.lie.is_none()
            && one.resolution.known().is_some()
            && is_beside(one.alias.span.file)
    })
}

/// Whether no use of a wide word depends on its sign: its bits are cut out, copied and compared for equality.
#[must_use]
pub fn is_used_as_bits(lines: &[&str], alias: &str) -> bool {
    let code: Vec<&str> =
        lines.iter().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut names: Vec<&str> = code.iter().flat_map(|line| list_declared(line, alias)).collect();
    names.sort_unstable();
    names.dedup();
    let is_plain = |line: &str| names.iter().all(|name| depends_on_bits_alone(line, name, alias));
    !names.is_empty() && code.iter().all(|line| is_plain(line))
}

/// The variables that a line declares with a type.
fn list_declared<'a>(line: &'a str, alias: &str) -> Vec<&'a str> {
    let at = |start: usize| {
        let rest = line[start + alias.len()..].trim_start_matches([' ', '*', '&', '\t']);
        let name = split_words(rest).next()?;
        rest.starts_with(name).then_some(name)
    };
    find_words(line, alias).into_iter().filter_map(at).collect()
}

/// Where a text has a word.
fn find_words(text: &str, word: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: &usize| {
        !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    };
    text.match_indices(word).map(|(at, _)| at).filter(whole).collect()
}

/// Whether each use of a variable in a line gives the same bits with and without a sign.
fn depends_on_bits_alone(line: &str, name: &str, alias: &str) -> bool {
    find_words(line, name).into_iter().all(|at| {
        let before = line[..at].trim_end();
        let is_declared = before.trim_end_matches(['*', '&', ' ']).ends_with(alias);
        let mut behind = line[at + name.len()..].trim_start();
        while let Some(rest) = behind.strip_prefix('[') {
            let Some((_, rest)) = rest.split_once(']') else { return false };
            behind = rest.trim_start();
        }
        let is_cut = behind.starts_with(".range") || behind.starts_with('(');
        let follows = is_cut || !behind.starts_with(['<', '>', '/', '%', '*', '?']);
        let precedes = is_cut || is_declared || !before.ends_with(['<', '>', '/', '%', '*']);
        let widens = !is_cut && (before.ends_with("(int)") || before.ends_with("(float)"));
        follows && precedes && !widens
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_in_a_comment_is_the_other_side_of_a_switch() {
        let found = |text: &str| find_commented_twin(text, "fixed_p").map(str::to_owned);
        let other = "typedef ap_fixed<32, 16> fixed_p";
        assert_eq!(found(&format!("// {other};\ntypedef float fixed_p;")).as_deref(), Some(other));
        assert_eq!(
            found("//using fixed_p = ap_fixed<8, 4>;").as_deref(),
            Some("using fixed_p = ap_fixed<8, 4>")
        );
        assert_eq!(found("// typedef ap_fixed<32, 16> fixed_q;\ntypedef float fixed_p;"), None);
        assert_eq!(found("typedef float fixed_p; // in place of fixed_p;"), None);
    }

    #[test]
    fn a_word_whose_bits_are_cut_out_needs_no_sign() {
        let of = |text: &str| is_used_as_bits(&text.lines().collect::<Vec<_>>(), "uint512_t");
        let bits = "typedef ap_int<512> uint512_t;\nvoid f(uint512_t in[4], uint512_t* to) {\n\
                    uint512_t cur = in[i];\nif (key == cur.range(j + 31, j)) n++;\n\
                    memcpy(local, to + j * 4, 64);\n";
        assert!(of(bits));
        assert!(!of(&format!("{bits}half = cur / 2;\n")));
        assert!(!of(&format!("{bits}if (cur[0] < in[1]) n++;\n")));
        assert!(!of(&format!("{bits}out = cur >> 8;\n")));
        assert!(!of("typedef ap_int<512> uint512_t;\n"), "nothing is declared with it");
    }
}
