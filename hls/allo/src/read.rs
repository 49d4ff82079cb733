//! Logical lines to a [`Program`]: definitions, bindings, annotations and uses; bodies are not understood further.

mod import;
mod uses;

use super::expression::{Expression, read_expression};
use super::pieces::{find_closing, find_mark, split_pieces};
use super::program::{Annotation, Binding, Function, Meaning, Program, Role, Scope, TypeParameter};
use super::token::{Line, Token, TokenKind};
use derate_source::{FileId, Span};

/// An open definition: the indent of its head, and its scope and function.
struct Block {
    indent: usize,
    scope: usize,
    function: Option<usize>,
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    program: Program,
    blocks: Vec<Block>,
    decorators: Vec<Expression>,
    /// How many statements nest on the line.
    within: usize,
}

/// The most heads of compound statements on one line.
const WITHIN: usize = 16;

/// What the lines of a text bind and annotate.
pub(super) fn read_program(file: FileId, text: &str, lines: &[Line]) -> Program {
    let mut reader = Reader {
        file,
        text,
        program: Program::default(),
        blocks: Vec::new(),
        decorators: Vec::new(),
        within: 0,
    };
    reader.open_scope(None, false, String::new());
    for line in lines {
        while reader.blocks.last().is_some_and(|block| block.indent >= line.indent) {
            reader.blocks.pop();
        }
        reader.note_uses(&line.tokens);
        reader.bind_walrus(&line.tokens);
        reader.within = 0;
        reader.read_statement(&line.tokens, line.indent);
    }
    reader.program
}

impl<'a> Reader<'a> {
    fn word_at(&self, tokens: &[Token], at: usize) -> &'a str {
        let text = self.text;
        tokens.get(at).and_then(|token| text.get(token.start..token.end)).unwrap_or("")
    }

    fn is_name(tokens: &[Token], at: usize) -> bool {
        tokens.get(at).is_some_and(|token| token.kind == TokenKind::Name)
    }

    fn span_of(&self, tokens: &[Token]) -> Span {
        let start = tokens.first().map_or(0, |token| token.start);
        Span { file: self.file, start, end: tokens.last().map_or(start, |token| token.end) }
    }

    fn current_scope(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.scope)
    }

    fn open_scope(&mut self, parent: Option<usize>, class: bool, name: String) -> usize {
        self.program.scopes.push(Scope {
            name,
            parent,
            class,
            bindings: std::collections::BTreeMap::new(),
            stars: Vec::new(),
        });
        self.program.scopes.len() - 1
    }

    fn bind_name(&mut self, name: &Token, statement: Span, meaning: Meaning) {
        self.bind_in(self.current_scope(), name, statement, meaning);
    }

    fn bind_in(&mut self, scope: usize, name: &Token, statement: Span, meaning: Meaning) {
        let name_span = self.span_of(std::slice::from_ref(name));
        let name = self.word_at(std::slice::from_ref(name), 0);
        self.program.add_binding(scope, name, Binding { meaning, span: statement, name_span });
    }

    fn read_statement(&mut self, tokens: &[Token], indent: usize) {
        let first = self.word_at(tokens, 0);
        self.within += 1;
        if self.within > WITHIN {
            return;
        }
        match first {
            "@" => self.decorators.push(read_expression(self.text, tokens.get(1..).unwrap_or(&[]))),
            "async" => self.read_statement(tokens.get(1..).unwrap_or(&[]), indent),
            "def" if Self::is_name(tokens, 1) => self.read_definition(tokens, indent),
            "class" if Self::is_name(tokens, 1) => self.read_class(tokens, indent),
            "import" => self.read_import(tokens),
            "from" => self.import_from(tokens),
            "global" | "nonlocal" => self.outer_names(tokens),
            "for" | "with" | "except" | "del" => self.head_that_binds(tokens, indent),
            "if" | "elif" | "else" | "while" | "try" | "finally" => self.read_suite(tokens, indent),
            _ => self.read_assignment(tokens),
        }
        if first != "@" && first != "async" {
            self.decorators.clear();
        }
    }

    /// What follows the colon of a compound statement on the same line.
    fn read_suite(&mut self, tokens: &[Token], indent: usize) {
        let rest = find_mark(self.text, tokens, ":").and_then(|at| tokens.get(at + 1..));
        if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
            self.read_statement(rest, indent);
        }
    }

    fn read_class(&mut self, tokens: &[Token], indent: usize) {
        let (span, parent) = (self.span_of(tokens), self.current_scope());
        if let Some(name) = tokens.get(1) {
            self.bind_name(name, span, Meaning::Unread);
        }
        let scope = self.open_scope(Some(parent), true, self.word_at(tokens, 1).to_owned());
        self.blocks.push(Block { indent, scope, function: None });
    }

    fn read_definition(&mut self, tokens: &[Token], indent: usize) {
        let (span, parent) = (self.span_of(tokens), self.current_scope());
        let name = self.word_at(tokens, 1).to_owned();
        // As in Python, type parameters have a scope of their own, and head and body see it.
        let head = self.open_scope(Some(parent), false, String::new());
        let scope = self.open_scope(Some(head), false, name.clone());
        let number = self.program.functions.len();
        if let Some(token) = tokens.get(1) {
            self.bind_name(token, span, Meaning::Function(number));
        }
        let mut function = Function {
            name,
            head,
            scope,
            type_parameters: Vec::new(),
            decorators: std::mem::take(&mut self.decorators),
            annotations: Vec::new(),
        };
        let mut rest = tokens.get(2..).unwrap_or(&[]);
        if self.word_at(rest, 0) == "["
            && let Some(end) = find_closing(self.text, rest)
        {
            self.type_parameters(rest.get(1..end).unwrap_or(&[]), number, &mut function);
            rest = rest.get(end + 1..).unwrap_or(&[]);
        }
        if self.word_at(rest, 0) == "("
            && let Some(end) = find_closing(self.text, rest)
        {
            self.read_arguments(rest.get(1..end).unwrap_or(&[]), &mut function);
            rest = rest.get(end + 1..).unwrap_or(&[]);
        }
        if self.word_at(rest, 0) == "->"
            && let Some(end) = find_mark(self.text, rest, ":")
            && let Some(kind) = rest.get(1..end).filter(|kind| !kind.is_empty())
        {
            function.annotations.push(Annotation {
                name: "return".to_owned(),
                role: Role::Return,
                expression: read_expression(self.text, kind),
                span: self.span_of(kind),
                name_span: self.span_of(tokens.get(1..2).unwrap_or(kind)),
            });
        }
        self.program.functions.push(function);
        self.blocks.push(Block { indent, scope, function: Some(number) });
        self.read_suite(rest, indent);
    }

    fn type_parameters(&mut self, tokens: &[Token], number: usize, function: &mut Function) {
        for piece in split_pieces(self.text, tokens, ",") {
            let (Some(name), true) = (piece.first(), Self::is_name(piece, 0)) else { continue };
            let end = find_mark(self.text, piece, "=").unwrap_or(piece.len());
            let bound = (self.word_at(piece, 1) == ":").then(|| piece.get(2..end)).flatten();
            let place = function.type_parameters.len();
            self.bind_in(
                function.head,
                name,
                self.span_of(piece),
                Meaning::TypeParameter(number, place),
            );
            function.type_parameters.push(TypeParameter {
                bound: bound.map(|bound| read_expression(self.text, bound)),
            });
        }
    }

    fn read_arguments(&mut self, tokens: &[Token], function: &mut Function) {
        for piece in split_pieces(self.text, tokens, ",") {
            let stars = piece.iter().take_while(|token| token.kind == TokenKind::Mark).count();
            let piece = piece.get(stars..).unwrap_or(&[]);
            let (Some(name), true) = (piece.first(), Self::is_name(piece, 0)) else { continue };
            let meaning = Meaning::Argument(function.name.clone());
            self.bind_in(function.scope, name, self.span_of(piece), meaning);
            let end = find_mark(self.text, piece, "=").unwrap_or(piece.len());
            if self.word_at(piece, 1) == ":"
                && let Some(kind) = piece.get(2..end).filter(|kind| !kind.is_empty())
            {
                function.annotations.push(Annotation {
                    name: self.word_at(piece, 0).to_owned(),
                    role: Role::Argument,
                    expression: read_expression(self.text, kind),
                    span: self.span_of(piece.get(..end).unwrap_or(piece)),
                    name_span: self.span_of(std::slice::from_ref(name)),
                });
            }
        }
    }

    /// A name of an outer scope may be set here, at an unknown time.
    fn outer_names(&mut self, tokens: &[Token]) {
        let span = self.span_of(tokens);
        for name in tokens.iter().skip(1).filter(|token| token.kind == TokenKind::Name) {
            let mut scope = Some(self.current_scope());
            while let Some(at) = scope {
                self.bind_in(at, name, span, Meaning::Unread);
                scope = self.program.scopes.get(at).and_then(|scope| scope.parent);
            }
        }
    }

    /// `for a, b in`, `with x as y`, `except E as e`, `del a`.
    fn head_that_binds(&mut self, tokens: &[Token], indent: usize) {
        let end = find_mark(self.text, tokens, ":").unwrap_or(tokens.len());
        let head = tokens.get(..end).unwrap_or(tokens);
        let span = self.span_of(head);
        let keyword = self.word_at(tokens, 0);
        let names: Vec<Token> = match keyword {
            "for" => {
                let end = find_mark(self.text, head, "in").unwrap_or(head.len());
                head.get(1..end).unwrap_or(&[]).to_vec()
            }
            "del" => head.get(1..).unwrap_or(&[]).to_vec(),
            _ => {
                let behind = head.windows(2).filter(|pair| self.word_at(pair, 0) == "as");
                behind.filter_map(|pair| pair.last().copied()).collect()
            }
        };
        for name in names.iter().filter(|token| token.kind == TokenKind::Name) {
            self.bind_name(name, span, Meaning::Unread);
        }
        if keyword != "del" {
            self.read_suite(tokens, indent);
        }
    }

    fn bind_walrus(&mut self, tokens: &[Token]) {
        for pair in tokens.windows(2) {
            if self.word_at(pair, 1) == ":="
                && let Some(name) = pair.first()
            {
                self.bind_name(name, self.span_of(tokens), Meaning::Unread);
            }
        }
    }

    fn read_assignment(&mut self, tokens: &[Token]) {
        let span = self.span_of(tokens);
        if Self::is_name(tokens, 0) && self.word_at(tokens, 1) == ":" {
            let end = find_mark(self.text, tokens, "=").unwrap_or(tokens.len());
            let kind = tokens.get(2..end).unwrap_or(&[]);
            let value = tokens.get(end + 1..).unwrap_or(&[]);
            self.read_annotated(tokens, kind, value);
            return;
        }
        if self.word_at(tokens, 1).ends_with('=') && self.word_at(tokens, 1).len() > 1 {
            // `M += 1`; a comparison binds nothing and does no harm here.
            if let (Some(name), true) = (tokens.first(), Self::is_name(tokens, 0)) {
                self.bind_name(name, span, Meaning::Unread);
            }
            return;
        }
        let pieces = split_pieces(self.text, tokens, "=");
        let Some((value, targets)) = pieces.split_last() else { return };
        let values = split_pieces(self.text, self.unwrap_targets(value).0, ",");
        for target in targets {
            let (target, bare) = self.unwrap_targets(target);
            let names = split_pieces(self.text, target, ",");
            let whole = names.len() == 1 && !bare;
            for (at, name) in names.iter().enumerate() {
                let [token] = name else {
                    self.bind_starred(name, span);
                    continue;
                };
                if token.kind != TokenKind::Name {
                    continue;
                }
                let own = if whole {
                    Some(*value)
                } else {
                    values.get(at).copied().filter(|_| values.len() == names.len())
                };
                let meaning = own
                    .map_or(Meaning::Unread, |own| Meaning::Value(read_expression(self.text, own)));
                self.bind_name(token, span, meaning);
            }
        }
    }

    /// `(a, b) = ...` binds as `a, b = ...` does; whether a comma says that there are several.
    fn unwrap_targets<'t>(&self, target: &'t [Token]) -> (&'t [Token], bool) {
        let open = matches!(self.word_at(target, 0), "(" | "[");
        let inner = match find_closing(self.text, target) {
            Some(end) if open && end + 1 == target.len() => target.get(1..end).unwrap_or(target),
            _ => target,
        };
        (inner, find_mark(self.text, inner, ",").is_some())
    }

    /// `*rest` among targets.
    fn bind_starred(&mut self, target: &[Token], span: Span) {
        if self.word_at(target, 0) == "*"
            && let Some(name) = target.get(1).filter(|token| token.kind == TokenKind::Name)
        {
            self.bind_name(name, span, Meaning::Unread);
        }
    }

    fn read_annotated(&mut self, tokens: &[Token], kind: &[Token], value: &[Token]) {
        let span = self.span_of(tokens);
        let Some(name) = tokens.first() else { return };
        let annotation = Annotation {
            name: self.word_at(tokens, 0).to_owned(),
            role: Role::Local,
            expression: read_expression(self.text, kind),
            span,
            name_span: self.span_of(std::slice::from_ref(name)),
        };
        let function = self.blocks.last().and_then(|block| block.function);
        let meaning = match read_expression(self.text, value) {
            _ if value.is_empty() => Meaning::Unread,
            value => Meaning::Value(value),
        };
        self.bind_name(name, span, meaning);
        if let Some(function) = function.and_then(|at| self.program.functions.get_mut(at)) {
            function.annotations.push(annotation);
        }
    }
}
