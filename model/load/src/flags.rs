//! The words of `-cflags`: folders of includes and macros.

/// The folders of `-I` and the macros of `-D`, as they are spelt; other words are passed over.
#[must_use]
pub fn split_flags(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut folders, mut defines) = (Vec::new(), Vec::new());
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let mut value = |prefix: &str| {
            let rest = flag.strip_prefix(prefix)?;
            if rest.is_empty() { flags.next().cloned() } else { Some(rest.to_owned()) }
        };
        if let Some(folder) = value("-I") {
            folders.push(folder);
        } else if let Some(define) = value("-D") {
            defines.push(define);
        }
    }
    (folders, defines)
}

#[cfg(test)]
mod tests {
    use super::split_flags;

    #[test]
    fn a_value_follows_at_once_or_as_a_word_of_its_own() {
        let flags = ["-Isrc", "-I", "inc", "-O2", "-DN=4", "-D", "M", "-I"].map(str::to_owned);
        let (folders, defines) = split_flags(&flags);
        assert_eq!(
            (folders, defines),
            (vec!["src".into(), "inc".into()], vec!["N=4".into(), "M".into()])
        );
    }
}
