//! Words that the grammar cannot read as they are, and what it reads in their place.
//!
//! A macro that is called like a statement, without `;`, is read as what it expands to. So is one behind a name
//! (`int f OF((int))`), and one that holds only specifiers (`EXPORT int f();`). `_Pragma("...")` is a pragma. Some valid C++
//! is written otherwise for the grammar: `typename T::x(y)` in an expression, `R (C::*)(A)`, `inline friend`.

use super::before::Before;
use super::expansion::expand_macros;
use super::macros::{Definition, Standing};
use super::marks::{angle_end, find_closing, is_letter, quoted_bytes, skip_blanks, word_end};
use super::written_tokens::{
    declares, has_any, is_joined, is_specifier, is_statement, passes_values, unquote,
    without_attributes,
};
use crate::token::{Token, TokenKind, lex};
use std::ops::Range;

/// What the grammar reads in place of a range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Insertion {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    /// The `_Pragma`s in it, as `#pragma` has them.
    pub(crate) pragmas: Vec<String>,
}

/// A longer text is left as it is.
const LONGEST_TEXT: usize = 16 << 10;

/// What a name is to the preprocessor.
pub(super) type LookUp<'l, 'a> = dyn Fn(&str) -> Standing<'a> + 'l;

/// What is read otherwise within `range`, in the order of the text.
pub(super) fn find_insertions(
    masked: &[u8],
    range: Range<usize>,
    look_up: &LookUp<'_, '_>,
    is_pragma: &dyn Fn(&str) -> bool,
) -> Vec<Insertion> {
    let text = masked.get(..range.end).unwrap_or(masked);
    let mut finder = Finder { text, look_up, is_pragma, before: Before::Start };
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(&byte) = text.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if byte == b'"' || byte == b'\'' {
            at += quoted_bytes(&text[at..], byte);
            finder.before = Before::Other;
        } else if !is_letter(byte) || byte.is_ascii_digit() {
            finder.before = match (finder.before, byte) {
                // `A::`
                (Before::Colon, b':') => Before::Other,
                _ => Before::of_mark(byte),
            };
            at += 1;
            // A number, its suffix and the marks between its digits are one.
            while byte.is_ascii_digit()
                && text.get(at).is_some_and(|&byte| is_letter(byte) || byte == b'\'')
            {
                at += 1;
            }
        } else {
            let end = word_end(text, at);
            if let Some(insertion) = finder.read_word(at..end) {
                at = insertion.range.end.max(end);
                // Behind specifiers and what is left out everything is as before.
                let is_call = text[end..at].contains(&b'(');
                finder.before = match finder.before {
                    Before::Start | Before::Colon if is_call => Before::Start,
                    _ if is_call => Before::Closed,
                    before => before,
                };
                found.push(insertion);
            } else {
                finder.before = Before::of_word(&text[at..end]);
                at = end;
            }
        }
    }
    found
}

struct Finder<'f, 'a> {
    text: &'f [u8],
    look_up: &'f LookUp<'f, 'a>,
    /// Whether a name is a pragma in all branches, though it is open which one.
    is_pragma: &'f dyn Fn(&str) -> bool,
    before: Before,
}

impl Finder<'_, '_> {
    fn read_word(&self, word: Range<usize>) -> Option<Insertion> {
        let next = skip_blanks(self.text, word.end);
        match &self.text[word.clone()] {
            b"_Pragma" => return self.read_pragma(word),
            b"typename" => return self.read_typename(word, next),
            b"inline" if self.text[next..].starts_with(b"friend") => return Some(blank(word)),
            // `T& __restrict x`
            b"__restrict" | b"__restrict__"
                if self.text[..word.start].trim_ascii_end().ends_with(b"&") =>
            {
                return Some(blank(word));
            }
            // `(unsigned(x) + 1)`: the grammar takes it for a cast of a declarator.
            b"unsigned"
                if self.before == Before::Open
                    && matches!(self.text.get(next..next + 2), Some([b'(', inner]) if !b"*&)".contains(inner)) =>
            {
                return Some(write(word, "uint32_t"));
            }
            // Of vendors' headers that are mostly not at hand.
            b"hls_thread_local" => return Some(write(word, "static")),
            b"hls_register" | b"hls_memory" | b"hls_singlepump" | b"hls_doublepump" => {
                return Some(blank(word));
            }
            _ => {}
        }
        if self.before == Before::Open
            && let Some(class) = self.read_member_pointer(&word)
        {
            return Some(blank(class));
        }
        let name = std::str::from_utf8(&self.text[word.clone()]).ok()?;
        let definition = match (self.look_up)(name) {
            Standing::Defined(definition) => definition,
            Standing::Doubtful(_) if self.before == Before::Start && (self.is_pragma)(name) => {
                let is_call = self.text.get(next) == Some(&b'(');
                let close = is_call.then(|| find_closing(self.text, next)).flatten()?;
                return Some(blank(word.start..close));
            }
            Standing::Doubtful(_) | Standing::Undefined => return None,
        };
        match (&definition.parameters, self.text.get(next)) {
            (Some(_), Some(b'(')) => self.read_call(word.start..find_closing(self.text, next)?),
            (None, _) => self.read_plain(word, definition),
            _ => None,
        }
    }

    /// A call where a declaration or a statement begins, or behind a name.
    fn read_call(&self, call: Range<usize>) -> Option<Insertion> {
        let next = self.text.get(skip_blanks(self.text, call.end)).copied();
        let opens =
            next.is_none_or(|next| is_letter(next) || matches!(next, b'{' | b'}' | b'~' | b'#'));
        match self.before {
            Before::Start | Before::Colon if opens => {
                let tokens = self.expand(&call)?;
                (next == Some(b'{') || is_statement(&tokens)).then(|| make(call, &tokens))?
            }
            // The grammar reads a call with `;`, but not what it declares, and not `CALL(int, x);` or `CALL(HLS inline);`.
            Before::Start | Before::Colon if next == Some(b';') => {
                let passed = lex(std::str::from_utf8(self.text.get(call.clone())?).ok()?);
                let tokens = self.expand(&call)?;
                let is_head = declares(&tokens) || has_any(&tokens, &["_Pragma"]);
                (is_head || !passes_values(&passed)).then(|| make(call, &tokens))?
            }
            Before::Name | Before::Closed if matches!(next, Some(b';' | b',' | b')' | b'{')) => {
                let tokens = self.expand(&call)?;
                tokens.first().is_some_and(|first| first.is("(")).then(|| make(call, &tokens))?
            }
            _ => None,
        }
    }

    /// A macro without brackets that holds specifiers, or declarations.
    fn read_plain(&self, word: Range<usize>, definition: &Definition) -> Option<Insertion> {
        if definition.body.len() > 64 {
            return None;
        }
        if definition.body.is_empty() {
            return Some(blank(word));
        }
        let next = self.text.get(skip_blanks(self.text, word.end)).copied();
        let opens = next.is_none_or(|next| is_letter(next) || next == b'}');
        let tokens = self.expand(&word)?;
        let plain = without_attributes(tokens.clone());
        let is_head = self.before == Before::Start
            && opens
            && (plain.first().is_some_and(|first| first.is("template"))
                || has_any(&plain, &[";", "{", "}"]));
        // An attribute that changes a type is refused there, and others are left out.
        (plain.iter().all(is_specifier) || is_head).then(|| make(word, &tokens))?
    }

    fn read_pragma(&self, word: Range<usize>) -> Option<Insertion> {
        let open = skip_blanks(self.text, word.end);
        let end = (self.text.get(open) == Some(&b'(')).then(|| find_closing(self.text, open))??;
        let call = word.start..end;
        let tokens = lex(std::str::from_utf8(self.text.get(call.clone())?).ok()?);
        make(call, &tokens)
    }

    /// `typename T::x(y)` makes a value: the grammar wants it without `typename`.
    fn read_typename(&self, word: Range<usize>, next: usize) -> Option<Insertion> {
        let end = self.qualified_end(next)?;
        let open = skip_blanks(self.text, end);
        let inner = self.text.get(skip_blanks(self.text, open + 1));
        let is_value = matches!(self.before, Before::Open | Before::Colon)
            && matches!(self.text.get(open), Some(b'(' | b'{'))
            && !matches!(inner, Some(b'*' | b'&'));
        is_value.then(|| blank(word))
    }

    /// The end of `a::b<c>::d`.
    fn qualified_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let end = word_end(self.text, at);
            if end == at {
                return None;
            }
            at = end;
            if self.text.get(at) == Some(&b'<') {
                at = angle_end(self.text, at)?;
            }
            if !self.text[at..].starts_with(b"::") {
                return Some(at);
            }
            at += 2;
        }
    }

    /// `C::` of `(C::*name)`.
    fn read_member_pointer(&self, word: &Range<usize>) -> Option<Range<usize>> {
        let mut at = word.start;
        loop {
            let end = word_end(self.text, at);
            if end == at || !self.text[end..].starts_with(b"::") {
                return None;
            }
            at = end + 2;
            if self.text.get(at) == Some(&b'*') {
                return Some(word.start..at);
            }
        }
    }

    fn expand(&self, range: &Range<usize>) -> Option<Vec<Token>> {
        let text = std::str::from_utf8(self.text.get(range.clone())?).ok()?;
        expand_macros(&lex(text), self.look_up, &mut |_, _| {}).ok()
    }
}

fn blank(range: Range<usize>) -> Insertion {
    write(range, "")
}

fn write(range: Range<usize>, text: &str) -> Insertion {
    Insertion { range, text: text.to_owned(), pragmas: Vec::new() }
}

/// The insertion that writes these tokens, its pragmas taken out.
fn make(range: Range<usize>, tokens: &[Token]) -> Option<Insertion> {
    let mut pragmas = Vec::new();
    let mut text = String::new();
    let mut last: Option<&Token> = None;
    // The grammar sees an insertion as it is: an attribute in it would be read as a name.
    if has_any(tokens, &["bitwidth", "mode", "__mode__", "vector_size", "ext_vector_type"])
        && has_any(tokens, &["__attribute__"])
    {
        return None;
    }
    let tokens = without_attributes(tokens.to_vec());
    let mut rest = tokens.as_slice();
    while let Some((token, behind)) = rest.split_first() {
        if token.is("_Pragma")
            && let [open, words, close, behind @ ..] = behind
            && open.is("(")
            && close.is(")")
            && words.kind == TokenKind::Text
        {
            pragmas.push(unquote(&words.text));
            rest = behind;
            continue;
        }
        if last.is_some_and(|last| !is_joined(last, token)) {
            text.push(' ');
        }
        text.push_str(&token.text);
        last = Some(token);
        rest = behind;
    }
    (text.len() <= LONGEST_TEXT).then_some(Insertion { range, text, pragmas })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preprocess::branch::Branch;
    use crate::preprocess::macros::{MacroTable, read_definition};

    const KNOWN: [&str; 13] = [
        "TYPE(x) typedef int x##_t;",
        "UNROLL(n) PRAGMA(HLS unroll factor=n)",
        "PRAGMA(x) _Pragma(#x)",
        "EACH(i, n) for (int i = 0; i < n; i++)",
        "OF(list) list",
        "API extern __attribute__((visibility(\"default\")))",
        "HEAD template <int W>",
        "FX(w, i) ap_fixed<w, i>",
        "N 4",
        "HALF typedef float __attribute__((mode(HF))) half_t;",
        "BITS(n) typedef int __attribute__((bitwidth(n))) int##n;",
        "LANE(n) typedef float __attribute__((aligned(n))) lane##n;",
        "MAKE(type, name, n) type name[n]; PRAGMA(HLS array_partition variable=name); EACH(i, n) name[i] = 0",
    ];

    /// The text as the grammar reads it, and the pragmas in it.
    fn read(text: &str) -> (String, Vec<String>) {
        let mut table = MacroTable::default();
        for definition in KNOWN {
            let (name, definition) = read_definition(definition).unwrap();
            table.record_event(&name, Some(definition), &Branch::default());
        }
        let branch = Branch::default();
        let look_up = |name: &str| match name {
            "DOUBT" | "EITHER" => Standing::Doubtful("it is open which".into()),
            _ => table.standing_of(name, u32::MAX, &branch),
        };
        let (mut out, mut pragmas, mut at) = (String::new(), Vec::new(), 0);
        for one in
            find_insertions(text.as_bytes(), 0..text.len(), &look_up, &|name| name == "DOUBT")
        {
            out.push_str(&text[at..one.range.start]);
            out.push_str(&one.text);
            pragmas.extend(one.pragmas);
            at = one.range.end;
        }
        out.push_str(&text[at..]);
        (out.split_whitespace().collect::<Vec<_>>().join(" "), pragmas)
    }

    #[test]
    fn what_the_grammar_cannot_read_is_written_otherwise() {
        for (text, expected) in [
            ("TYPE(phi) TYPE(rho)", "typedef int phi_t ; typedef int rho_t ;"),
            ("TYPE(phi);", "typedef int phi_t ;;"),
            ("LANE(8)", "typedef float lane8 ;"),
            ("BITS(8)", "BITS(8)"),
            ("HALF int a;", "HALF int a;"),
            ("struct s { TYPE(a) int b; };", "struct s { typedef int a_t ; int b; };"),
            ("EACH(k, N) { a[k] = 1; }", "for ( int k = 0 ; k < 4 ; k ++ ) { a[k] = 1; }"),
            ("label: EACH(k, 2) x = k;", "label: for ( int k = 0 ; k < 2 ; k ++ ) x = k;"),
            (
                "{ MAKE(int, b, N); x = b[0]; }",
                "{ int b [ 4 ] ; ; for ( int i = 0 ; i < 4 ; i ++ ) b [ i ] = 0; x = b[0]; }",
            ),
            ("{ PRAGMA(HLS inline); x = 1; }", "{ ; x = 1; }"),
            ("int close OF((int file));", "int close ( int file );"),
            ("API int f();", "extern int f();"),
            ("HEAD struct s {};", "template < int W > struct s {};"),
            ("x = typename T::value_type(y);", "x = T::value_type(y);"),
            ("f(typename A<int, 4>::b(y))", "f( A<int, 4>::b(y))"),
            ("void g(R (C::*)(A, B));", "void g(R (*)(A, B));"),
            (
                "void f(A<B>& __restrict in, C *__restrict out);",
                "void f(A<B>& in, C *__restrict out);",
            ),
            ("{ int x; DOUBT(x) x = 1; }", "{ int x; x = 1; }"),
            ("inline friend int f();", "friend int f();"),
            ("n += (unsigned(x.read()) + 1);", "n += (uint32_t(x.read()) + 1);"),
            ("hls_thread_local hls::stream<int> s;", "static hls::stream<int> s;"),
        ] {
            assert_eq!(read(text).0, expected, "{text}");
        }
    }

    #[test]
    fn what_the_grammar_can_read_is_left() {
        for text in [
            "FX(1, 2);",
            "FX(sizeof(int), a[i] + 1);",
            "FX((int)x, int(y));",
            "FX(a * b, f(c, d));",
            "GONE(phi) int x;",
            "EITHER(8) x;",
            "typedef FX(16, 6) a_t; FX(8, 2) b;",
            "y = FX(8, 2)(x); x = N * 3; f(N, EACH);",
            "\"TYPE(phi) int\"; 'T';",
            "typename T::value_type x;",
            "void g(typename T::value_type (*f)(int));",
            "int x = A::b * c; (A::b * c);",
            "void g(int a, unsigned (*f)(int), unsigned (&b)[4]); x = (unsigned)y;",
        ] {
            assert_eq!(read(text).0, text);
        }
    }

    #[test]
    fn a_pragma_that_a_macro_writes_is_one() {
        let (text, pragmas) = read("UNROLL(4) for (;;) { UNROLL(N) x = 1; } _Pragma(\"once\") y;");
        assert_eq!(text, "for (;;) { x = 1; } y;");
        assert_eq!(pragmas, ["HLS unroll factor=4", "HLS unroll factor=4", "once"]);
    }
}
