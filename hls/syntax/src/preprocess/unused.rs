//! Function templates of headers that nothing in a unit names: a library has hundreds, a kernel uses a few.

use std::collections::{HashMap, HashSet};

use super::{Preprocessed, Spelling, Token, TokenKind};

/// Leaves out the function templates of included files whose name nothing else has, directly or through another
/// template. `root` is the number of the file that was named; its own templates are kept.
pub(crate) fn drop_unused_templates(unit: &mut Preprocessed, root: u16) {
    let is_included = |template: &FunctionTemplate| {
        unit.tokens.get(template.start).is_some_and(|token| token.place.file != root)
    };
    let templates: Vec<FunctionTemplate> =
        Scan { unit }.find_templates().into_iter().filter(is_included).collect();
    let mut by_name: HashMap<Spelling, Vec<usize>> = HashMap::new();
    for (index, template) in templates.iter().enumerate() {
        by_name.entry(template.name).or_default().push(index);
    }
    let names = |start: usize, end: usize| {
        let tokens = unit.tokens.get(start..end).unwrap_or_default();
        tokens.iter().filter(|one| one.kind == TokenKind::Identifier).map(|one| one.spelling)
    };
    let mut open: Vec<Spelling> = Vec::new();
    let mut at = 0;
    for template in &templates {
        open.extend(names(at, template.start));
        at = template.end;
    }
    open.extend(names(at, unit.tokens.len()));
    let mut used: HashSet<usize> = HashSet::new();
    while let Some(name) = open.pop() {
        for index in by_name.remove(&name).unwrap_or_default() {
            if let Some(template) = templates.get(index).filter(|_| used.insert(index)) {
                open.extend(names(template.start, template.end));
            }
        }
    }
    let unused = templates.iter().enumerate().filter(|(index, _)| !used.contains(index));
    let unused: Vec<(usize, usize)> = unused.map(|(_, one)| (one.start, one.end)).collect();
    cut(unit, &unused);
}

/// Takes ranges of tokens out, and the pragmas in them.
fn cut(unit: &mut Preprocessed, ranges: &[(usize, usize)]) {
    let mut tokens = Vec::with_capacity(unit.tokens.len());
    let mut pragmas = std::mem::take(&mut unit.pragmas).into_iter().peekable();
    let mut at = 0;
    for &(start, end) in ranges.iter().chain([&(unit.tokens.len(), usize::MAX)]) {
        let removed = at - tokens.len();
        while let Some((index, pragma)) = pragmas.next_if(|(index, _)| *index <= start) {
            unit.pragmas.push((index - removed, pragma));
        }
        tokens.extend_from_slice(unit.tokens.get(at..start).unwrap_or_default());
        while pragmas.next_if(|(index, _)| *index < end).is_some() {}
        at = end;
    }
    unit.tokens = tokens;
}

/// The tokens of the definition of a function template.
struct FunctionTemplate {
    name: Spelling,
    start: usize,
    end: usize,
}

struct Scan<'a> {
    unit: &'a Preprocessed,
}

impl Scan<'_> {
    fn text(&self, at: usize) -> &str {
        self.unit.tokens.get(at).map_or("", |token| self.unit.spellings.text(token.spelling))
    }

    fn token(&self, at: usize) -> Option<&Token> {
        self.unit.tokens.get(at)
    }

    /// Those at the level of files and namespaces.
    fn find_templates(&self) -> Vec<FunctionTemplate> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.unit.tokens.len() {
            if let Some(inside) = self.enter_namespace(at) {
                at = inside;
                continue;
            }
            let end = self.end_of_item(at);
            if let Some(name) = self.name_template(at, end) {
                found.push(FunctionTemplate { name, start: at, end });
            }
            at = end;
        }
        found
    }

    /// Behind the brace of `namespace a::b {` or `extern "C" {`.
    fn enter_namespace(&self, mut at: usize) -> Option<usize> {
        if self.text(at) == "inline" {
            at += 1;
        }
        match self.text(at) {
            "namespace" => {
                at += 1;
                while self.text(at) == "::" || self.token(at)?.kind == TokenKind::Identifier {
                    at += 1;
                }
            }
            "extern" if self.token(at + 1)?.kind == TokenKind::Quoted => at += 2,
            _ => return None,
        }
        (self.text(at) == "{").then_some(at + 1)
    }

    /// Behind a semicolon or a closing brace outside of all brackets.
    fn end_of_item(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for at in start..self.unit.tokens.len() {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "}" if depth <= 1 => return at + 1,
                "}" => depth -= 1,
                ";" if depth == 0 => return at + 1,
                _ => {}
            }
        }
        self.unit.tokens.len()
    }

    /// The name of a function template that is defined here. `None` for members and specialisations, too.
    fn name_template(&self, start: usize, end: usize) -> Option<Spelling> {
        if self.text(start) != "template" || self.text(end - 1) != "}" {
            return None;
        }
        let mut at = self.skip_angles(start + 1, end)?;
        while at < end {
            match self.text(at) {
                "struct" | "class" | "union" | "enum" | "using" | "template" | "operator"
                | "requires" | "=" | "{" => return None,
                "<" => at = self.skip_angles(at, end)?,
                "(" => {
                    let name = self.token(at - 1)?;
                    let is_plain = name.kind == TokenKind::Identifier
                        && self.text(at - 2) != "::"
                        && !self.text(at - 1).starts_with("__")
                        && self.text(at - 1) != "decltype";
                    return is_plain.then_some(name.spelling);
                }
                _ => at += 1,
            }
        }
        None
    }

    /// Behind the angle bracket that closes the one here.
    fn skip_angles(&self, start: usize, end: usize) -> Option<usize> {
        let (mut angles, mut brackets) = (0_usize, 0_usize);
        for at in start..end {
            match self.text(at) {
                "(" | "[" => brackets += 1,
                ")" | "]" => brackets = brackets.checked_sub(1)?,
                "{" | ";" => return None,
                "<" if brackets == 0 => angles += 1,
                ">" if brackets == 0 => angles = angles.checked_sub(1)?,
                ">>" if brackets == 0 => angles = angles.checked_sub(2)?,
                _ => {}
            }
            if angles == 0 {
                return (at > start).then_some(at + 1);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::{Item, Unit};
    use crate::{SourceFile, read_unit};

    fn read(header: &str, text: &str) -> Unit {
        let source = SourceFile { path: "top.cpp".into(), text: text.into() };
        let mut load = |_: &str, _: bool, _: &str| Some(("lib.h".to_owned(), header.to_owned()));
        read_unit(&[source], &mut load, &[])
    }

    fn functions(unit: &Unit) -> Vec<String> {
        let name = |item: &Item| match item {
            Item::Function(one) => one.name.rsplit("::").next().map(str::to_owned),
            _ => None,
        };
        unit.items.iter().filter_map(name).collect()
    }

    const LIBRARY: &str = "
        namespace lib {
        template <int N, typename T = int> T inner(T a) {
        #pragma HLS inline
            return a + N;
        }
        template <typename T> struct Box { T v; T get() { return v; } };
        template <typename T> T Box<T>::get() { return v; }
        template <int A, int B> int used(int a) {
        #pragma HLS pipeline II=7
            return inner<A + (A > B)>(a);
        }
        template <int N> int unused(int a) {
        #pragma HLS pipeline II=3
            return inner<N>(a);
        }
        template <> int unused<4>(int a) { return a; }
        int plain(int a) { return a; }
        }
    ";

    #[test]
    fn a_template_that_nothing_names_is_left_out() {
        let call = "#include \"lib.h\"\nint top(int a) { return lib::used<2, 1>(a); }\n";
        let unit = read(LIBRARY, call);
        // The specialisation of `unused` names it.
        assert!(functions(&unit).contains(&"unused".to_owned()));
        let library = LIBRARY.replace("template <> int unused<4>(int a) { return a; }", "");
        let unit = read(&library, call);
        assert_eq!(functions(&unit), ["inner", "get", "get", "used", "plain", "top"]);
        let used = unit.items.iter().find_map(|item| match item {
            Item::Function(one) if one.name.ends_with("used") => Some(format!("{one:?}")),
            _ => None,
        });
        let used = used.unwrap_or_default();
        assert!(used.contains("II=7") && !used.contains("II=3"), "{used}");
        // Nothing names either of them.
        let unit = read(&library, "#include \"lib.h\"\nint top(int a) { return a; }\n");
        assert_eq!(functions(&unit), ["get", "get", "plain", "top"]);
        // The word of a constraint is not the name.
        let constrained =
            "template <typename T> requires (sizeof(T) > 1) T wide(T a) { return a; }\n";
        let unit = read(constrained, "#include \"lib.h\"\nint top(int a) { return wide(a); }\n");
        assert!(functions(&unit).contains(&"wide".to_owned()), "{:?}", functions(&unit));
        // A file that is named keeps its own.
        let unit = read("", &library);
        assert!(functions(&unit).contains(&"unused".to_owned()));
    }
}
