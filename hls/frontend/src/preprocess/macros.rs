//! Every `#define` and `#undef` of a translation unit, in the order in which they act.

use super::branch::{Branch, Relation, relation};
use crate::token::{Token, TokenKind, lex, spell};
use crate::{Reason, Settled, Span};
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

/// A spelling that grows past this is not a type.
const TOKENS: usize = 20_000;
const DEPTH: usize = 64;
const TOO_DEEP: &str = "its macros nest too deeply";

/// Replaces every macro in `tokens`; `used` gets the outermost ones.
pub(crate) fn expand_macros<'a>(
    tokens: &[Token],
    look_up: &dyn Fn(&str) -> Standing<'a>,
    used: &mut dyn FnMut(&str, &'a Definition),
) -> Settled<Vec<Token>> {
    let mut expansion = Expansion { look_up, active: Vec::new(), arguments: 0, budget: TOKENS };
    let mut out = Vec::new();
    expansion.expand_tokens(tokens, &mut out, used)?;
    Ok(out)
}

struct Expansion<'l, 'a> {
    look_up: &'l dyn Fn(&str) -> Standing<'a>,
    active: Vec<String>,
    /// How many arguments are being expanded inside one another.
    arguments: usize,
    budget: usize,
}

impl<'a> Expansion<'_, 'a> {
    fn expand_tokens(
        &mut self,
        tokens: &[Token],
        out: &mut Vec<Token>,
        used: &mut dyn FnMut(&str, &'a Definition),
    ) -> Settled<()> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            self.budget = self.budget.checked_sub(1).ok_or("its macros expand without end")?;
            if !token.is_name() || token.painted {
                out.push(token.clone());
                continue;
            }
            if self.active.contains(&token.text) {
                out.push(Token { painted: true, ..token.clone() });
                continue;
            }
            let definition = match (self.look_up)(&token.text) {
                Standing::Undefined => {
                    out.push(token.clone());
                    continue;
                }
                Standing::Doubtful(reason) => return Err(reason),
                Standing::Defined(definition) => definition,
            };
            let body = match &definition.parameters {
                None => definition.body.to_vec(),
                Some(parameters) => {
                    // A function-like macro without brackets is just a name.
                    if !tokens.get(at).is_some_and(|next| next.is("(")) {
                        out.push(token.clone());
                        continue;
                    }
                    let (arguments, after) = split_arguments(tokens, at).ok_or_else(|| {
                        format!("the call of the macro `{}` is not closed", token.text)
                    })?;
                    at = after;
                    self.substitute_arguments(&token.text, definition, parameters, &arguments)?
                }
            };
            if self.active.len() >= DEPTH {
                return Err(TOO_DEEP.into());
            }
            used(&token.text, definition);
            self.active.push(token.text.clone());
            let from = out.len();
            self.expand_tokens(&body, out, &mut |_, _| {})?;
            self.active.pop();
            if let Some(last) = out[from..].last_mut() {
                last.glued = token.glued && last.glued;
            }
        }
        Ok(())
    }

    fn substitute_arguments(
        &mut self,
        name: &str,
        definition: &Definition,
        parameters: &[String],
        arguments: &[Vec<Token>],
    ) -> Settled<Vec<Token>> {
        let none = parameters.is_empty() && arguments.iter().all(Vec::is_empty);
        let (parameters, arguments) = gather_rest(parameters, arguments);
        if !none && parameters.len() != arguments.len() {
            return Err(
                format!("the macro `{name}` is called with {} arguments", arguments.len()).into()
            );
        }
        if self.arguments >= DEPTH {
            return Err(TOO_DEEP.into());
        }
        self.arguments += 1;
        let argument_of = |token: &Token| {
            let index = parameters.iter().position(|p| token.is_name() && *p == token.text);
            index.and_then(|index| arguments.get(index)).map(Vec::as_slice)
        };
        let mut body: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(token) = definition.body.get(at) {
            let next = definition.body.get(at + 1);
            if token.is("##") {
                let Some(right) = next else { return Err(paste_reason(name)) };
                let right = argument_of(right).unwrap_or(std::slice::from_ref(right));
                if body.last().is_some_and(|last| last.is(",")) {
                    // `, ## __VA_ARGS__`: the comma goes where there are no more arguments.
                    if right.is_empty() {
                        body.pop();
                    }
                    body.extend_from_slice(right);
                } else {
                    paste_words(&mut body, right).ok_or_else(|| paste_reason(name))?;
                }
                at += 2;
                continue;
            }
            match (token.is("#").then(|| next.and_then(argument_of)).flatten(), argument_of(token))
            {
                (Some(argument), _) => {
                    body.push(Token {
                        kind: TokenKind::Text,
                        text: quote(argument),
                        ..token.clone()
                    });
                    at += 1;
                }
                // An argument beside `##` is taken as it is written.
                (None, Some(argument)) if next.is_some_and(|next| next.is("##")) => {
                    body.extend(argument.iter().cloned());
                }
                (None, Some(argument)) => {
                    self.expand_tokens(argument, &mut body, &mut |_, _| {})?;
                }
                (None, None) => body.push(token.clone()),
            }
            at += 1;
        }
        self.arguments -= 1;
        Ok(body)
    }
}

/// The parameters and arguments of a call, with all arguments for `...` as one.
fn gather_rest(parameters: &[String], arguments: &[Vec<Token>]) -> (Vec<String>, Vec<Vec<Token>>) {
    let mut names = parameters.to_vec();
    let Some(rest) = names.last_mut().filter(|last| last.ends_with("...")) else {
        return (names, arguments.to_vec());
    };
    let own = rest.trim_end_matches('.').trim_end().to_owned();
    *rest = if own.is_empty() { "__VA_ARGS__".to_owned() } else { own };
    let fixed = names.len() - 1;
    let mut all: Vec<Vec<Token>> = arguments.iter().take(fixed).cloned().collect();
    if arguments.len() >= fixed {
        let comma =
            Token { kind: TokenKind::Mark, text: ",".to_owned(), glued: false, painted: false };
        all.push(arguments[fixed..].join(&comma));
    }
    (names, all)
}

fn paste_reason(name: &str) -> Reason {
    format!("the macro `{name}` pastes words that are not one word together").into()
}

/// Joins the last word with the first of `right`; `None` if that is not one word. Nothing joined with a word is the word.
fn paste_words(body: &mut Vec<Token>, right: &[Token]) -> Option<()> {
    let Some((first, rest)) = right.split_first() else { return Some(()) };
    let joined = match body.pop() {
        None => vec![first.clone()],
        Some(left) => lex(&format!("{}{}", left.text, first.text)),
    };
    let [one] = joined.as_slice() else { return None };
    body.push(Token { glued: first.glued, ..one.clone() });
    body.extend(rest.iter().cloned());
    Some(())
}

/// What `#x` makes of an argument.
fn quote(argument: &[Token]) -> String {
    format!("\"{}\"", spell(argument).replace('\\', "\\\\").replace('"', "\\\""))
}

/// The arguments of a macro call from `(` on, and the place after `)`.
fn split_arguments(tokens: &[Token], open: usize) -> Option<(Vec<Vec<Token>>, usize)> {
    let mut all = vec![Vec::new()];
    let mut depth = 0_usize;
    for (offset, token) in tokens.get(open..)?.iter().enumerate() {
        if token.is("(") {
            depth += 1;
            if depth == 1 {
                continue;
            }
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                return Some((all, open + offset + 1));
            }
        } else if token.is(",") && depth == 1 {
            all.push(Vec::new());
            continue;
        }
        all.last_mut()?.push(token.clone());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

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
