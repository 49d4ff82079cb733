//! What a person can do about a compiler's words on ports, which are not pointers to it.

/// Words of g++ and clang++, and what they mean of a port; the first that all occur.
const HINTS: [(&[&str], &str); 5] = [
    (
        &["lvalue required as left operand of assignment", "]["],
        "a lane or a bit of a port's element is only read in its place: to write one, copy the element, change the copy and store that (`T one = p[i]; one[l] = x; p[i] = one;`)",
    ),
    (
        &["::place", "has no member"],
        "an element of a port that may be written is read and written whole: copy it, change the copy and store that",
    ),
    (&["taking address of rvalue"], "`&p[i]` of a port<const T> is written `p + i`"),
    (
        &["derate::port<", "std::memcpy"],
        "a burst to or from a port is written memcpy, without std::",
    ),
    (
        &["derate::port<", "convert"],
        "a port is not a pointer to the compiler: a function that is given one takes it as port<T> for T *, or as a parameter whose type is a template's",
    ),
];

/// A sentence for what a compiler says, where it is of a port.
pub(super) fn find_hint(said: &str) -> Option<&'static str> {
    let holds = |(words, _): &&(&[&str], &str)| words.iter().all(|word| said.contains(word));
    HINTS.iter().find(holds).map(|(_, hint)| *hint)
}
