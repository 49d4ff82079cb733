//! Statements.

use super::fields::ByField as _;
use super::reader::{Reader, children, is_broken};
use crate::ast::{Item, Stmt, StmtKind};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    /// What is between braces, pragmas included.
    pub(crate) fn read_block(&mut self, node: Node<'_>) -> Vec<Stmt> {
        let mut output = Vec::new();
        for child in children(node) {
            self.push_statement(child, None, &mut output);
        }
        self.push_pragmas(node.end_byte().saturating_sub(1), &mut output);
        output
    }

    /// One statement; with pragmas before it, a block.
    pub(crate) fn read_statement(&mut self, node: Node<'_>) -> Box<Stmt> {
        if node.kind() == "compound_statement" {
            return Box::new(self.read_statement_here(node, None));
        }
        let mut output = Vec::new();
        self.push_statement(node, None, &mut output);
        let place = self.place(node);
        Box::new(match output.pop() {
            Some(only) if output.is_empty() => only,
            Some(last) => {
                output.push(last);
                Stmt { kind: StmtKind::Block(output), place }
            }
            None => Stmt { kind: StmtKind::Empty, place },
        })
    }

    pub(crate) fn push_statement(
        &mut self,
        node: Node<'_>,
        label: Option<String>,
        output: &mut Vec<Stmt>,
    ) {
        self.push_pragmas(node.start_byte(), output);
        if node.kind() == "labeled_statement" && !is_broken(node) {
            let name = node.field("label").map(|name| self.text(name).to_owned());
            let inner = children(node).into_iter().next_back();
            if let Some(inner) = inner.filter(|inner| inner.kind() != "statement_identifier") {
                self.push_statement(inner, name, output);
            }
            return;
        }
        if matches!(node.kind(), "type_definition" | "alias_declaration") {
            let place = self.place(node);
            let outer = self.leave_scope();
            let start = self.items.len();
            let aliases = self.read_aliases(node);
            self.take_local_items(start, output);
            self.enter_scope(outer);
            let aliases = aliases.into_iter().map(|alias| StmtKind::Alias(Rc::new(alias)));
            output.extend(aliases.map(|kind| Stmt { kind, place }));
            return;
        }
        if node.kind() == "declaration" && !is_broken(node) {
            self.push_declaration(node, output);
            return;
        }
        if node.kind().ends_with("_specifier") {
            let outer = self.leave_scope();
            let start = self.items.len();
            self.read_type(node);
            self.take_local_items(start, output);
            self.enter_scope(outer);
            return;
        }
        let statement = self.descend(|reader| reader.read_statement_here(node, label));
        output.push(
            statement.unwrap_or_else(|| self.skip_statement(node, "the nesting is too deep")),
        );
    }

    /// Local types have no scope in their names.
    fn leave_scope(&mut self) -> (Vec<String>, Option<String>) {
        (std::mem::take(&mut self.scope), self.owner.take())
    }

    fn enter_scope(&mut self, outer: (Vec<String>, Option<String>)) {
        (self.scope, self.owner) = outer;
    }

    /// Structs that were read among statements become statements.
    fn take_local_items(&mut self, start: usize, output: &mut Vec<Stmt>) {
        for item in self.items.split_off(start) {
            match item {
                Item::Structure(structure) => {
                    let place = structure.place;
                    output.push(Stmt { kind: StmtKind::Structure(structure), place });
                }
                other => self.items.push(other),
            }
        }
    }

    fn push_declaration(&mut self, node: Node<'_>, output: &mut Vec<Stmt>) {
        let binding = node.field("declarator").and_then(|one| one.named_child(0));
        if binding.is_some_and(|one| one.kind() == "structured_binding_declarator") {
            output.push(self.skip_statement(node, "a structured binding is not read"));
            return;
        }
        let outer = self.leave_scope();
        let start = self.items.len();
        let variables = self.read_variables(node);
        self.take_local_items(start, output);
        self.enter_scope(outer);
        if !variables.is_empty() {
            output.push(Stmt { kind: StmtKind::Declare(variables), place: self.place(node) });
        }
    }

    fn skip_statement(&self, node: Node<'_>, reason: &str) -> Stmt {
        let kind = StmtKind::Unknown(reason.to_owned());
        Stmt { kind, place: self.place(node) }
    }

    fn read_statement_here(&mut self, node: Node<'_>, label: Option<String>) -> Stmt {
        let place = self.place(node);
        if node.is_error() || (is_broken(node) && node.kind() != "compound_statement") {
            return self.skip_statement(node, &format!("`{}` is not understood", self.quote(node)));
        }
        let kind = match node.kind() {
            "compound_statement" => StmtKind::Block(self.read_block(node)),
            "expression_statement" if node.named_child_count() == 0 => StmtKind::Empty,
            "expression_statement" => StmtKind::Expr(self.read_expression(node)),
            "for_statement" => self.read_for(node, label),
            "while_statement" => StmtKind::While {
                label,
                condition: self.read_field(node, "condition"),
                body: self.read_part(node, "body"),
                test_last: false,
            },
            "do_statement" => {
                let body = self.read_part(node, "body");
                let condition = self.read_field(node, "condition");
                StmtKind::While { label, condition, body, test_last: true }
            }
            "if_statement" => self.read_if(node),
            "else_clause" | "attributed_statement" => return *self.read_only_child(node),
            "switch_statement" => self.read_switch(node),
            "return_statement" => {
                StmtKind::Return(children(node).first().map(|value| self.read_expression(*value)))
            }
            "break_statement" => StmtKind::Break,
            "continue_statement" => StmtKind::Continue,
            "static_assert_declaration" | "empty_statement" => StmtKind::Empty,
            "using_declaration" => {
                self.read_local_using(node);
                StmtKind::Empty
            }
            "goto_statement" => StmtKind::UnreadLoop("`goto` is not read".to_owned()),
            "for_range_loop" => StmtKind::UnreadLoop("a `for` over a range is not read".to_owned()),
            "try_statement" => StmtKind::UnreadLoop("exceptions are not read".to_owned()),
            "throw_statement" => StmtKind::Unknown("exceptions are not read".to_owned()),
            _ => StmtKind::Unknown(format!("`{}` is not understood", self.quote(node))),
        };
        Stmt { kind, place }
    }

    fn read_only_child(&mut self, node: Node<'_>) -> Box<Stmt> {
        match children(node).into_iter().next_back() {
            Some(child) => self.read_statement(child),
            None => Box::new(Stmt { kind: StmtKind::Empty, place: self.place(node) }),
        }
    }

    fn read_part(&mut self, node: Node<'_>, field: &str) -> Box<Stmt> {
        match node.field(field) {
            Some(part) => self.read_statement(part),
            None => Box::new(Stmt { kind: StmtKind::Empty, place: self.place(node) }),
        }
    }

    fn read_if(&mut self, node: Node<'_>) -> StmtKind {
        let condition = self.read_field(node, "condition");
        let then = self.read_part(node, "consequence");
        let otherwise = node.field("alternative");
        let otherwise = otherwise.map(|otherwise| self.read_statement(otherwise));
        StmtKind::If { condition, then, otherwise }
    }

    fn read_for(&mut self, node: Node<'_>, label: Option<String>) -> StmtKind {
        let init = node.field("initializer").map(|init| {
            if init.kind() == "declaration" {
                return self.read_statement(init);
            }
            let value = self.read_expression(init);
            Box::new(Stmt { kind: StmtKind::Expr(value), place: self.place(init) })
        });
        let condition = node.field("condition").map(|one| self.read_expression(one));
        let step = node.field("update").map(|one| self.read_expression(one));
        let body = self.read_part(node, "body");
        StmtKind::For { label, init, condition, step, body }
    }
}
