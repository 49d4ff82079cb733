//! Directives for a tool of synthesis, by which a kernel is known.

/// Whether a source has directives for a tool of synthesis.
pub(super) fn has_directives(text: &str) -> bool {
    let is_directive = |line: &str| {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let name = if first == "#" { words.next() } else { first.strip_prefix('#') };
        let family = words.next().unwrap_or_default();
        name == Some("pragma")
            && ["HLS", "ACCEL", "AP"].iter().any(|one| family.eq_ignore_ascii_case(one))
    };
    text.lines().any(is_directive)
}
