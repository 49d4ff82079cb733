//! Every `#define` and `#undef` of a translation unit, in the order in which they act.

use super::branch::{Branch, Relation, relation};
use crate::token::{Token, lex, spell};
use crate::{Reason, Span};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// What `#define` gives a name.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// `None` for a macro without brackets.
    pub(crate) parameters: Option<Vec<String>>,
    pub(crate) body: Arc<[Token]>,
    /// Its place; a definition of the command line has none.
    pub(crate) place: Option<Place>,
    /// Why the definition cannot be relied on.
    pub(crate) doubt: Option<String>,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(crate) span: Span,
    pub(crate) name_span: Span,
}

#[derive(Clone, Debug)]
struct Event {
    /// `None` is `#undef`.
    definition: Option<Definition>,
    branch: Branch,
    when: u32,
}

/// What a name is to the preprocessor at one place.
#[derive(Clone, Debug)]
pub(crate) enum Standing<'a> {
    Undefined,
    Defined(&'a Definition),
    /// One sentence that says why it is not known.
    Doubtful(Reason),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct MacroTable {
    events: HashMap<String, Vec<Event>>,
    count: u32,
}

impl MacroTable {
    pub(super) fn record_event(
        &mut self,
        name: &str,
        definition: Option<Definition>,
        branch: &Branch,
    ) {
        self.count = self.count.saturating_add(1);
        let event = Event { definition, branch: branch.clone(), when: self.count };
        self.events.entry(name.to_owned()).or_default().push(event);
    }

    /// How much has happened so far.
    pub(crate) fn now(&self) -> u32 {
        self.count
    }

    /// Whether a name is defined or undefined anywhere.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.events.contains_key(name)
    }

    /// What a name means in a branch, after the first `when` events.
    pub(crate) fn standing_of(&self, name: &str, when: u32, branch: &Branch) -> Standing<'_> {
        let Some(events) = self.events.get(name) else { return Standing::Undefined };
        let mut found: Option<&Event> = None;
        for event in events.iter().rev().filter(|event| event.when <= when) {
            let relation = relation(&event.branch, branch);
            if relation == Relation::Excluded {
                continue;
            }
            match found {
                Some(other) if !is_same_event(other, event) => {
                    return Standing::Doubtful(format!(
                        "`{name}` differs between the branches of a condition that cannot be decided"
                    ).into());
                }
                Some(_) => {}
                None => found = Some(event),
            }
            if relation == Relation::Certain {
                break;
            }
        }
        match found.map(|event| &event.definition) {
            None | Some(None) => Standing::Undefined,
            Some(Some(Definition { doubt: Some(doubt), .. })) => {
                Standing::Doubtful(doubt.as_str().into())
            }
            Some(Some(definition)) => Standing::Defined(definition),
        }
    }

    /// Whether every definition that a name ever has is empty or a pragma: then it is one wherever it is called.
    pub(super) fn is_always_pragma(&self, name: &str) -> bool {
        let mut all = self.events.get(name).into_iter().flatten();
        all.all(|event| {
            event.definition.as_ref().is_some_and(|definition| {
                let first = definition.body.first();
                definition.parameters.is_some() && first.is_none_or(|first| first.is("_Pragma"))
            })
        })
    }

    /// Whether a name may be defined in some branch, though not surely.
    pub(crate) fn is_wavering(&self, name: &str, branch: &Branch) -> bool {
        let Some(events) = self.events.get(name) else { return false };
        for event in events.iter().rev() {
            match relation(&event.branch, branch) {
                Relation::Certain => return false,
                Relation::Possible => return true,
                Relation::Excluded => {}
            }
        }
        false
    }
}

fn is_same_event(left: &Event, right: &Event) -> bool {
    match (&left.definition, &right.definition) {
        (Some(left), Some(right)) => {
            left.parameters == right.parameters && spell(&left.body) == spell(&right.body)
        }
        (None, None) => true,
        _ => false,
    }
}

/// Reads what follows `#define`.
pub(super) fn read_definition(text: &str) -> Option<(String, Definition)> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parameters = None;
    if let Some(inside) = rest.strip_prefix('(') {
        let (inside, after) = inside.split_once(')')?;
        let list = inside.split(',').map(|one| one.trim().to_owned());
        parameters = Some(list.filter(|one| !one.is_empty()).collect());
        rest = after;
    }
    let body = lex(rest.trim()).into();
    Some((name.to_owned(), Definition { parameters, body, place: None, doubt: None }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settled;
    use crate::preprocess::expansion::expand_macros;

    fn table(definitions: &[&str]) -> MacroTable {
        let mut table = MacroTable::default();
        for text in definitions {
            let (name, definition) = read_definition(text).unwrap();
            table.record_event(&name, Some(definition), &Branch::default());
        }
        table
    }

    fn expanded(definitions: &[&str], text: &str) -> Settled<String> {
        let table = table(definitions);
        let branch = Branch::default();
        let look_up = |name: &str| table.standing_of(name, u32::MAX, &branch);
        expand_macros(&lex(text), &look_up, &mut |_, _| {}).map(|tokens| spell(&tokens))
    }

    #[test]
    fn macros_are_text_and_not_values() {
        assert_eq!(expanded(&["A 1 + 2"], "A * 2").unwrap(), "1+2*2");
        assert_eq!(
            expanded(&["MAX(a,b) ((a)>(b)?(a):(b))", "W 4"], "MAX(W, 3)").unwrap(),
            "((4)>(3)?(4):(3))"
        );
        assert_eq!(expanded(&["T ap_fixed<W,I>", "W 16", "I 6"], "T").unwrap(), "ap_fixed<16, 6>");
        assert_eq!(expanded(&["F(x) x"], "F").unwrap(), "F");
    }

    #[test]
    fn a_circle_ends_and_a_bomb_is_refused() {
        assert_eq!(expanded(&["A B", "B A"], "A").unwrap(), "A");
        let bomb: Vec<String> = (0..40).map(|i| format!("X{} X{i} X{i}", i + 1)).collect();
        let bomb: Vec<&str> = bomb.iter().map(String::as_str).collect();
        assert!(expanded(&bomb, "X40").is_err());
    }

    #[test]
    fn words_are_pasted_and_expanded_again() {
        let known =
            ["J(a,b) a##b", "K(a) ap_##a<W>", "W 8", "U16 ap_uint<16>", "P(w) J(U, w)", "S(x) #x"];
        for (text, expected) in [
            ("J(ap_, int)<4>", "ap_int<4>"),
            ("K(uint)", "ap_uint<8>"),
            ("P(16)", "ap_uint<16>"),
            ("J(W, )", "8"),
            ("J(, W)", "8"),
            ("S(a b)", "\"a b\""),
        ] {
            assert_eq!(expanded(&known, text).unwrap(), expected, "{text}");
        }
        // An argument beside `##` is not expanded before.
        assert_eq!(expanded(&known, "J(W, 1)").unwrap(), "W1");
        assert!(expanded(&known, "J(+, a)").is_err());
    }

    #[test]
    fn arguments_nest_as_deep_as_macros_do() {
        let nested = |depth: usize| format!("{}1{}", "F(".repeat(depth), ")".repeat(depth));
        assert_eq!(expanded(&["F(x) x"], &nested(50)).unwrap(), "1");
        for depth in [65, 4000] {
            let refused = expanded(&["F(x) x"], &nested(depth)).unwrap_err();
            assert_eq!(&*refused, "its macros nest too deeply");
        }
        // Behind one another they do not nest.
        let beside = vec!["F(1)"; 500].join("+");
        assert_eq!(expanded(&["F(x) x"], &beside).unwrap(), vec!["1"; 500].join("+"));
    }

    #[test]
    fn the_latest_definition_counts() {
        assert_eq!(expanded(&["N 1", "N 2"], "N").unwrap(), "2");
        let mut table = table(&["N 1"]);
        table.record_event("N", None, &Branch::default());
        assert!(matches!(
            table.standing_of("N", u32::MAX, &Branch::default()),
            Standing::Undefined
        ));
        assert!(matches!(table.standing_of("N", 1, &Branch::default()), Standing::Defined(_)));
    }
}
