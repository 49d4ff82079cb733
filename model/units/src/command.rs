//! The commands that give a result again.

/// A word as a shell takes it.
pub fn quote_word(word: &str) -> String {
    let plain = !word.is_empty()
        && !word.starts_with('=')
        && word.chars().all(|c| c.is_alphanumeric() || "/._-+,:@=".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_take_apart_are_quoted() {
        assert_eq!(quote_word("W=16"), "W=16");
        assert_eq!(quote_word("my inc"), "'my inc'");
        assert_eq!(quote_word("T=ap_int<4>"), "'T=ap_int<4>'");
        assert_eq!(quote_word("it's"), "'it'\\''s'");
        assert_eq!((quote_word(""), quote_word("=a")), ("''".to_owned(), "'=a'".to_owned()));
    }
}
