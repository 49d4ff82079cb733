//! The commands that give a result again.

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
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
        assert_eq!(quoted("W=16"), "W=16");
        assert_eq!(quoted("my inc"), "'my inc'");
        assert_eq!(quoted("T=ap_int<4>"), "'T=ap_int<4>'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!((quoted(""), quoted("=a")), ("''".to_owned(), "'=a'".to_owned()));
    }
}
