//! Learns types and templates from the tokens of declarations.

use super::vocabulary::Vocabulary;
use super::words::Words;

/// Tokens of a declaration's head that are looked at, at most.
const LONGEST_HEAD: usize = 2000;

/// Learns from the declaration that begins at `index`, if one does.
pub(crate) fn learn(words: &Words<'_>, index: usize, vocabulary: &mut Vocabulary) {
    match words.text(index) {
        "typedef" => learn_typedef(words, index, vocabulary),
        "struct" | "class" | "union" | "enum" => learn_class(words, index, vocabulary),
        "using" if words.text(index + 2) == "=" => vocabulary.add_type(words.text(index + 1)),
        "template" if words.text(index + 1) == "<" => learn_template(words, index, vocabulary),
        _ => {}
    }
}

/// A name that is directly before another name is a type, whatever its header says; the other
/// one is a value, as is what has an index or is assigned.
pub(crate) fn learn_neighbours(words: &Words<'_>, vocabulary: &mut Vocabulary) {
    for index in 1..words.len() {
        let name = words.text(index);
        if !words.is_name(index) || is_keyword(name) {
            continue;
        }
        let next = words.text(index + 1);
        let before = words.text(index - 1);
        if words.is_name(index - 1) && !is_keyword(before) {
            vocabulary.add_type(before);
        }
        if next == "<" && declares_own_name(words, index) {
            vocabulary.add_template(name);
        }
        let assigned = next.len() > 1 && next.ends_with('=') && !matches!(next, "<=" | ">=");
        let declared = words.is_name(index - 1)
            && !matches!(before, "typename" | "class" | "struct" | "using");
        let ends = matches!(next, ";" | "," | ")" | "=");
        if next == "["
            || assigned
            || (declared && ends && (!is_keyword(before) || is_fundamental(before)))
        {
            vocabulary.add_value(name);
        }
        if declared && matches!(next, "," | "=") {
            learn_declarators(words, index + 1, vocabulary);
        }
    }
}

/// Whether a name is the template of a variable that is called as it is: `mmap<int> mmap,`.
fn declares_own_name(words: &Words<'_>, index: usize) -> bool {
    let Some((behind, _)) = words.close_angles(index + 1) else { return false };
    let at = if matches!(words.text(behind), "&" | "*") { behind + 1 } else { behind };
    words.text(at) == words.text(index)
        && matches!(words.text(at + 1), "," | ")" | ";" | "=" | "[" | "{")
}

/// The further names of `T a, b = 1, c;`.
fn learn_declarators(words: &Words<'_>, start: usize, vocabulary: &mut Vocabulary) {
    let mut at = start;
    let most = words.len().min(start + LONGEST_HEAD);
    while at < most {
        match words.text(at) {
            ")" | "]" | "}" | ";" => return,
            "(" | "[" | "{" => at = words.partner(at),
            "," if words.is_name(at + 1) && matches!(words.text(at + 2), "," | ";" | "=" | "[") => {
                vocabulary.add_value(words.text(at + 1));
            }
            _ => {}
        }
        at += 1;
    }
}

fn learn_class(words: &Words<'_>, index: usize, vocabulary: &mut Vocabulary) {
    let mut at = index + 1;
    if matches!(words.text(at), "class" | "struct") {
        at += 1;
    }
    if !words.is_name(at) {
        return;
    }
    // `template <class T>` names a parameter.
    if matches!(words.text(at + 1), "," | ">" | "=") || words.text(index) == "enum" {
        vocabulary.add_type(words.text(at));
    } else {
        vocabulary.add_class(words.text(at));
    }
}

/// The names before `,`, `[` and `;`.
fn learn_typedef(words: &Words<'_>, index: usize, vocabulary: &mut Vocabulary) {
    let mut at = index + 1;
    let end = words.len().min(index + LONGEST_HEAD);
    while at < end {
        match words.text(at) {
            ";" => {
                learn_name(words, at, vocabulary);
                return;
            }
            "," => learn_name(words, at, vocabulary),
            "[" => {
                learn_name(words, at, vocabulary);
                at = words.partner(at);
            }
            "(" => {
                // `typedef int (*name)(int);`
                if words.text(at + 1) == "*" {
                    vocabulary.add_type(words.text(at + 2));
                }
                at = words.partner(at);
            }
            "{" => at = words.partner(at),
            "<" => {
                if let Some(behind) = words.skip_angles(at) {
                    at = behind - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn learn_name(words: &Words<'_>, behind: usize, vocabulary: &mut Vocabulary) {
    if words.is_name(behind - 1) {
        vocabulary.add_type(words.text(behind - 1));
    }
}

fn learn_template(words: &Words<'_>, index: usize, vocabulary: &mut Vocabulary) {
    let Some(behind) = words.skip_angles(index + 1) else { return };
    for at in index + 2..behind {
        let named = matches!(words.text(at), "typename" | "class") && words.is_name(at + 1);
        if named && matches!(words.text(at + 2), "," | ">" | ">>" | "=") {
            vocabulary.add_type(words.text(at + 1));
        }
    }
    learn_head(words, behind, vocabulary);
}

/// The name of what follows `template <...>`.
fn learn_head(words: &Words<'_>, start: usize, vocabulary: &mut Vocabulary) {
    let mut name = None;
    let mut at = start;
    let most = words.len().min(start + LONGEST_HEAD);
    while at < most {
        match words.text(at) {
            "(" | "{" | ";" | "=" | ":" => break,
            "<" => match words.skip_angles(at) {
                Some(behind) => at = behind - 1,
                None => break,
            },
            text if words.is_name(at) => name = Some(text),
            _ => {}
        }
        at += 1;
    }
    if let Some(name) = name {
        vocabulary.add_template(name);
    }
}

/// Words that name types.
pub(crate) fn is_fundamental(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "bool"
            | "signed"
            | "unsigned"
            | "const"
            | "struct"
            | "union"
            | "enum"
            | "class"
            | "auto"
    )
}

fn is_keyword(word: &str) -> bool {
    is_fundamental(word)
        || matches!(
            word,
            "constexpr"
                | "static"
                | "extern"
                | "inline"
                | "struct"
                | "union"
                | "enum"
                | "class"
                | "auto"
                | "typename"
                | "typedef"
                | "template"
                | "namespace"
                | "using"
                | "operator"
                | "friend"
                | "virtual"
                | "explicit"
                | "public"
                | "private"
                | "protected"
                | "return"
                | "else"
                | "case"
                | "default"
                | "do"
                | "goto"
                | "new"
                | "delete"
                | "throw"
                | "sizeof"
                | "if"
                | "for"
                | "while"
                | "and"
                | "or"
                | "not"
                | "xor"
                | "volatile"
                | "register"
                | "restrict"
                | "__restrict__"
                | "__attribute__"
                | "override"
                | "final"
                | "noexcept"
                | "mutable"
                | "thread_local"
        )
}
