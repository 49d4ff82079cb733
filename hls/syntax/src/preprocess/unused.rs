//! Classes, function templates, `static` functions and tables of headers that nothing in a unit names: a library has hundreds,
//! a kernel uses a few.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::{Preprocessed, Spelling, Token, TokenKind};

/// Leaves out the classes, function templates, `static` functions and variables of included files whose name nothing else has,
/// directly or through another of them. `root` is the number of the file that was named; what it defines itself is kept.
pub(crate) fn drop_unused(unit: &mut Preprocessed, root: u16) {
    let is_included =
        |one: &Definition| unit.tokens.get(one.start).is_some_and(|token| token.place.file != root);
    let definitions: Vec<Definition> =
        Scan { unit }.find_definitions().into_iter().filter(is_included).collect();
    let mut by_name: HashMap<Spelling, Vec<usize>> = HashMap::default();
    for (index, one) in definitions.iter().enumerate() {
        by_name.entry(one.name).or_default().push(index);
    }
    // A pragma names constants, too: `loop_tripcount max=N`.
    let words = |start: usize, end: usize| {
        let first = unit.pragmas.partition_point(|(index, _)| *index < start);
        let own = unit.pragmas[first..].iter().take_while(move |(index, _)| *index <= end);
        own.flat_map(|(_, pragma)| pragma.text.split(|c: char| !c.is_alphanumeric() && c != '_'))
    };
    let names = |start: usize, end: usize| {
        let tokens = unit.tokens.get(start..end).unwrap_or_default();
        let identifiers = tokens.iter().filter(|one| one.kind == TokenKind::Identifier);
        let named = words(start, end).filter_map(|word| unit.spellings.find(word));
        identifiers.map(|one| one.spelling).chain(named)
    };
    let mut open: Vec<Spelling> = Vec::new();
    let mut at = 0;
    for one in &definitions {
        open.extend(names(at, one.start));
        at = one.end;
    }
    open.extend(names(at, unit.tokens.len()));
    let mut used: HashSet<usize> = HashSet::default();
    while let Some(name) = open.pop() {
        for index in by_name.remove(&name).unwrap_or_default() {
            if let Some(one) = definitions.get(index).filter(|_| used.insert(index)) {
                open.extend(names(one.start, one.end));
            }
        }
    }
    let unused = definitions.iter().enumerate().filter(|(index, _)| !used.contains(index));
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

/// The tokens of the definition of a class, a function template, or a function or variable that other files do not see.
struct Definition {
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
    fn find_definitions(&self) -> Vec<Definition> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.unit.tokens.len() {
            if let Some(inside) = self.enter_namespace(at) {
                at = inside;
                continue;
            }
            let mut end = self.end_of_item(at);
            if let Some(name) = self.name_function(at, end) {
                found.push(Definition { name, start: at, end });
            } else {
                // The semicolon behind a closing brace is the definition's.
                let whole = end + usize::from(self.text(end - 1) == "}");
                let name = self.name_class(at, end).or_else(|| self.name_variable(at, whole));
                if let Some(name) = name {
                    end = whole;
                    found.push(Definition { name, start: at, end });
                }
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

    /// The name of a class that is defined here, or of the template that a specialisation is of. `None` where declarators follow.
    fn name_class(&self, start: usize, end: usize) -> Option<Spelling> {
        if self.text(end - 1) != "}" || self.text(end) != ";" {
            return None;
        }
        let mut at = start;
        if self.text(at) == "template" {
            at = self.skip_angles(at + 1, end)?;
        }
        if !matches!(self.text(at), "struct" | "class" | "union") {
            return None;
        }
        let name = self.token(at + 1).filter(|one| one.kind == TokenKind::Identifier)?;
        matches!(self.text(at + 2), "{" | ":" | "<" | "final").then_some(name.spelling)
    }

    /// The name of a variable that only its own file sees and that is defined here. `None` for several in one declaration.
    fn name_variable(&self, start: usize, end: usize) -> Option<Spelling> {
        if !matches!(self.text(start), "static" | "const" | "constexpr")
            || self.text(end - 1) != ";"
        {
            return None;
        }
        let mut at = start + 1;
        while !matches!(self.text(at), "[" | "=" | "{" | ";") {
            at = match self.text(at) {
                "<" => self.skip_angles(at, end)?,
                "(" | "," | ":" | "operator" | "struct" | "class" | "union" | "enum" => {
                    return None;
                }
                _ => at + 1,
            };
        }
        let name = self.token(at - 1).filter(|one| one.kind == TokenKind::Identifier)?;
        let (mut depth, is_member) = (0_usize, self.text(at - 2) == "::");
        let is_one = (at..end).all(|at| {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > 0 || self.text(at) != ","
        });
        (is_one && !is_member && at - 1 > start + 1).then_some(name.spelling)
    }

    /// The name of a function template or of a `static` function that is defined here. `None` for members and
    /// specialisations, too.
    fn name_function(&self, start: usize, end: usize) -> Option<Spelling> {
        if self.text(end - 1) != "}" {
            return None;
        }
        let is_static = (start..end.min(start + 2)).any(|at| self.text(at) == "static");
        let mut at = match self.text(start) {
            "template" => self.skip_angles(start + 1, end)?,
            "static" | "inline" if is_static => start,
            _ => return None,
        };
        while at < end {
            match self.text(at) {
                "struct" | "class" | "union" | "enum" | "using" | "template" | "operator"
                | "requires" | "=" | "{" | "[" => return None,
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
    fn classes_tables_and_static_functions_are_left_out_where_nothing_names_them() {
        let library = "
            template <int N> struct Word;
            template <> struct Word<1> { typedef int name; };
            struct Pair { int a, b; } first;
            struct Lone { int a; };
            class Held : public Base { int a; };
            static const int table[3] = { 1, 2, 3 };
            static const int unused_table[2] = { 4, 5 };
            static int one = 1, two = 2;
            static int look(int a) { return table[a]; }
            static int unused_look(int a) { return unused_table[a] + sizeof(Lone); }
            const Held held = make();
            int global = 3;
            int plain(int a) { return a; }
        ";
        let names = |text: &str| {
            let unit = read(library, &format!("#include \"lib.h\"\n{text}"));
            let name = |item: &Item| match item {
                Item::Function(one) => Some(one.name.clone()),
                Item::Structure(one) => Some(one.name.clone()),
                Item::Variable(one) => Some(one.name.clone()),
                _ => None,
            };
            unit.items.iter().filter_map(name).collect::<Vec<_>>()
        };
        // Several in one declaration stay, and so does what other files can see.
        let always = ["Word", "Pair", "first", "one", "two", "global", "plain", "top"];
        assert_eq!(names("int top(int a) { return a; }\n"), always);
        let used = names("int top(int a) { return look(a) + held.a; }\n");
        for name in ["table", "look", "Held", "held"] {
            assert!(used.contains(&name.to_owned()), "{name}: {used:?}");
        }
        for name in ["unused_table", "unused_look", "Lone"] {
            assert!(!used.contains(&name.to_owned()), "{name}: {used:?}");
        }
    }

    #[test]
    fn what_a_pragma_names_stays() {
        let library =
            "static const int K = 64;\nconstexpr int L = K + 1;\nstatic const int M = 2;\n";
        let kept = |text: &str| {
            let unit = read(library, &format!("#include \"lib.h\"\n{text}"));
            let name = |item: &Item| match item {
                Item::Variable(one) => Some(one.name.clone()),
                _ => None,
            };
            unit.items.iter().filter_map(name).collect::<Vec<_>>()
        };
        let body = |pragma: &str| {
            format!(
                "void top(int *a, int n) {{\nfor (int i = 0; i < n; i++) {{\n{pragma}\na[i] = i;\n}} }}\n"
            )
        };
        assert_eq!(kept(&body("#pragma HLS loop_tripcount max=K")), ["K"]);
        assert_eq!(kept(&body("#pragma HLS unroll factor=(L/2)")), ["K", "L"]);
        assert_eq!(kept(&body("#pragma HLS pipeline")), [""; 0]);
    }

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
