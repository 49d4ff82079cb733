//! Whether an `#if` holds, as far as the text decides it.

use super::branch::Branch;
use super::expansion::expand_macros;
use super::macros::{MacroTable, Standing};
use crate::Settled;
use crate::evaluate::{Meaning, evaluate_expression};
use crate::expression::read_expression;
use crate::path::Path;
use crate::token::{Token, TokenKind, lex};

/// Yes, no, or the reason why it is unknown.
pub(super) type Truth = Settled<bool>;

/// Defined by one compiler and not by another: both branches are real.
const TOOL_MACROS: &str = "__SYNTHESIS__ __VITIS_HLS__ __VIVADO_HLS__ __SDSCC__ __SDSVHLS__ __HLS_SYN__ __GNUC__ __clang__ \
    __arm__ __ARM_ARCH __aarch64__ __x86_64__ __CUDACC__ NDEBUG CCS_SCVERIFY __HLS_COSIM__";

/// Asks whether a header is there.
const HAS_INCLUDE: &str = "__has_include";

/// Macros with their values, as for a command line.
pub(super) type Setting = Vec<(String, String)>;

/// A macro is tried with no more numbers than this.
const VALUES: usize = 4;

/// What a condition is judged by.
pub(super) struct Judge<'a> {
    pub(super) macros: &'a MacroTable,
    pub(super) branch: &'a Branch,
    /// The included texts that could not be read, and so may define anything.
    pub(super) missing: &'a [String],
}

impl Judge<'_> {
    /// Whether a macro is defined.
    pub(super) fn defined(&self, name: &str) -> Truth {
        if self.macros.is_wavering(name, self.branch) {
            return Err(
                format!("`{name}` is defined under a condition that cannot be decided").into()
            );
        }
        match self.macros.standing_of(name, u32::MAX, self.branch) {
            Standing::Defined(_) => Ok(true),
            Standing::Doubtful(reason) => Err(reason),
            Standing::Undefined => self.note_absent(name).map(|()| false),
        }
    }

    /// Refuses to call a macro undefined where something unread may define it.
    fn note_absent(&self, name: &str) -> Settled<()> {
        if TOOL_MACROS.split(' ').any(|known| known == name) {
            return Err(format!("`{name}` depends on the compiler").into());
        }
        match self.missing.first() {
            Some(missing) => {
                Err(format!("`{name}` may be defined in `{missing}`, which was not read").into())
            }
            None => Ok(()),
        }
    }

    /// What to define so that a condition may come out otherwise, where macros that nothing defines
    /// decide it: the macros, and each set of definitions.
    pub(super) fn other_settings(&self, text: &str) -> Option<(Vec<String>, Vec<Setting>)> {
        let tokens = lex(text);
        let absent = |name: &str| {
            name != "defined"
                && matches!(
                    self.macros.standing_of(name, u32::MAX, self.branch),
                    Standing::Undefined
                )
                && self.note_absent(name).is_ok()
        };
        let mut names: Vec<String> = Vec::new();
        let mut settings: Vec<Setting> = Vec::new();
        let mut whole = None;
        for (at, token) in tokens.iter().enumerate() {
            if !token.is_name() || names.contains(&token.text) || !absent(&token.text) {
                continue;
            }
            names.push(token.text.clone());
            let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
            let asked = [1, 2].iter().any(|&back| before(back).is_some_and(|t| t.is("defined")));
            settings.push(vec![(token.text.clone(), "1".to_owned())]);
            if !asked && tokens.len() > 1 {
                // `MODE == 2`: the numbers that it is compared with.
                let numbers = tokens.iter().filter_map(|token| match token.kind {
                    TokenKind::Integer(Some(value)) if value > 1 => Some(value.to_string()),
                    _ => None,
                });
                settings
                    .extend(numbers.take(VALUES).map(|value| vec![(token.text.clone(), value)]));
            }
            whole.get_or_insert_with(Vec::new).push((token.text.clone(), "1".to_owned()));
        }
        settings.extend(whole.filter(|all| all.len() > 1));
        (!names.is_empty()).then_some((names, settings))
    }

    /// Whether the expression of an `#if` holds.
    pub(super) fn decide_condition(&self, text: &str) -> Truth {
        let tokens = self.settle_defined(&lex(text))?;
        let look_up = |name: &str| self.macros.standing_of(name, u32::MAX, self.branch);
        // A doubtful macro may be beside something that decides: `0 && X`.
        let look_up = |name: &str| match look_up(name) {
            Standing::Doubtful(_) => Standing::Undefined,
            standing => standing,
        };
        let tokens = expand_macros(&tokens, &look_up, &mut |_, _| {})?;
        let expression = read_expression(&tokens)?;
        evaluate_expression(&expression, &mut Names { judge: self, depth: 0 })
            .map(|value| value != 0)
    }

    /// Replaces `defined(X)` by 0, by 1, or by a name that no macro has; and `__has_include(...)`, whose brackets hold no
    /// expression, by such a name.
    fn settle_defined(&self, tokens: &[Token]) -> Settled<Vec<Token>> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if token.is(HAS_INCLUDE) && tokens.get(at).is_some_and(|t| t.is("(")) {
                let end = tokens.iter().skip(at).position(|t| t.is(")"));
                at += 1 + end.ok_or("`__has_include` is not closed")?;
                out.push(Token { painted: true, ..Token::name(HAS_INCLUDE) });
                continue;
            }
            if !token.is("defined") {
                out.push(token.clone());
                continue;
            }
            let bracket = tokens.get(at).is_some_and(|t| t.is("("));
            at += usize::from(bracket);
            let name = tokens.get(at).filter(|t| t.is_name());
            let name = name.ok_or("`defined` does not name a macro")?;
            at += 1 + usize::from(bracket);
            out.push(match self.defined(&name.text) {
                Ok(yes) => Token::integer(i128::from(yes)),
                Err(_) => Token { painted: true, ..Token::name(&format!("defined {}", name.text)) },
            });
        }
        Ok(out)
    }
}

struct Names<'a> {
    judge: &'a Judge<'a>,
    depth: usize,
}

impl Meaning for Names<'_> {
    fn name(&mut self, path: &Path) -> Settled<i128> {
        let name = path.plain();
        if let Some(name) = name.strip_prefix("defined ") {
            return self.judge.defined(name).map(i128::from);
        }
        if name == HAS_INCLUDE {
            return Err("`__has_include` depends on where the compiler looks".into());
        }
        // A name that is not a macro counts as zero.
        if self.judge.defined(&name)? {
            return Err(format!("`{name}` has no value").into());
        }
        Ok(0)
    }

    fn call(&mut self, path: &Path, _: &[i128]) -> Settled<i128> {
        Err(format!("`{path}(...)` is not decided here").into())
    }

    fn cast(&mut self, _: &[Token], _: i128) -> Settled<i128> {
        Err("a cast has no place in a condition".into())
    }

    fn size(&mut self, _: &[Token]) -> Settled<i128> {
        Err("`sizeof` has no place in a condition".into())
    }

    fn enter(&mut self) -> Settled<()> {
        if self.depth >= 200 {
            return Err("the condition is too long".into());
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Whether a text holds something that another program fills in.
pub(super) fn has_placeholder(text: &str) -> bool {
    lex(text).iter().any(|token| token.kind == TokenKind::Placeholder)
}
