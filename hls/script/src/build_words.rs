//! The words of lines in Makefiles, shell scripts and `CMake`.

/// The words of a line; `--option=value` is two, and so is `FLAGS+=--option`.
pub(super) fn list_words(line: &str) -> impl Iterator<Item = &str> {
    let blank = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';');
    line.split(blank).filter(|word| !word.is_empty()).flat_map(|word| {
        let given = word.split_once('=').filter(|(name, value)| {
            let name = name.trim_end_matches(['+', ':', '?']);
            value.starts_with('-') && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        });
        let (name, word) = given.map_or((None, word), |(name, value)| (Some(name), value));
        let option = word.split_once('=').filter(|_| word.starts_with("--"));
        let (first, second) = option.map_or((word, None), |(name, value)| (name, Some(value)));
        [name, Some(first), second].into_iter().flatten()
    })
}

/// Whether a line runs the compiler of kernels, by its name or by the usual variable.
pub(super) fn is_compiler(line: &str) -> bool {
    runs(line, &["v++", "xocc", "VPP", "VXX", "XOCC"])
}

pub(super) fn runs(line: &str, names: &[&str]) -> bool {
    let mut all = line.split(|c: char| c.is_whitespace() || "(){}'\"@;&".contains(c));
    all.any(|word| names.contains(&word.rsplit('/').next().unwrap_or(word)))
}
