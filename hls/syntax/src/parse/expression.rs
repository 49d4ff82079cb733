//! Expressions.

use super::fields::ByField as _;
use super::operator::{find_binary, find_unary};
use super::reader::{Reader, children, is_broken};
use crate::ast::{Expr, ExprKind, Path, Piece};
use crate::literal::{read_character, read_number};
use tree_sitter::Node;

/// Operands of one chain such as `a + b + c`, at most.
const LONGEST_CHAIN: usize = 400;

impl Reader<'_> {
    pub(crate) fn read_expression(&mut self, node: Node<'_>) -> Expr {
        if node.is_error() || is_broken(node) {
            return self.give_up(node, format!("`{}` is not understood", self.quote(node)));
        }
        let made = self.descend(|reader| reader.read_expression_here(node));
        made.unwrap_or_else(|| self.give_up(node, "the nesting is too deep"))
    }

    fn read_expression_here(&mut self, node: Node<'_>) -> Expr {
        match node.kind() {
            "identifier"
            | "field_identifier"
            | "namespace_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "template_function"
            | "dependent_name"
            | "operator_name"
            | "primitive_type" => {
                let path = self.read_path(node);
                self.make(node, ExprKind::Name(path))
            }
            "this" => self.make(node, ExprKind::This),
            "binary_expression" => self.read_chain(node),
            "parenthesized_expression"
            | "condition_clause"
            | "subscript_argument_list"
            | "expression_statement"
            | "parameter_pack_expansion" => self.read_inner(node),
            "call_expression" => self.read_call(node),
            "subscript_expression" => self.read_index(node),
            "field_expression" => self.read_member(node),
            "assignment_expression" => self.read_assignment(node),
            "unary_expression" | "pointer_expression" => self.read_unary(node),
            "update_expression" => self.read_step(node),
            "conditional_expression" => self.read_conditional(node),
            "cast_expression" => self.read_cast(node),
            "sizeof_expression" => self.read_size(node),
            "comma_expression" => self.read_comma(node),
            "initializer_list" | "argument_list" => self.read_list(node),
            "initializer_pair" => self.read_designated(node),
            "compound_literal_expression" => self.read_construct(node),
            "type_descriptor" => self.read_type_as_value(node),
            "lambda_expression" => self.give_up(node, "a lambda is not read"),
            "new_expression" | "delete_expression" => {
                self.give_up(node, "memory from the heap is not read")
            }
            _ => self.read_literal(node),
        }
    }

    fn read_literal(&mut self, node: Node<'_>) -> Expr {
        let text = self.text(node);
        let kind = match node.kind() {
            "number_literal" => read_number(text),
            "char_literal" => read_character(text).map(|value| ExprKind::Integer {
                value,
                unsigned: false,
                bits: 8,
            }),
            "string_literal" | "raw_string_literal" => Some(ExprKind::Text(strip_quotes(text))),
            "concatenated_string" => {
                let parts = children(node).into_iter();
                Some(ExprKind::Text(parts.map(|part| strip_quotes(self.text(part))).collect()))
            }
            "true" => Some(ExprKind::Boolean(true)),
            "false" => Some(ExprKind::Boolean(false)),
            "null" => Some(ExprKind::Integer { value: 0, unsigned: false, bits: 32 }),
            _ => None,
        };
        match kind {
            Some(kind) => self.make(node, kind),
            None => self.give_up(node, format!("`{}` is not understood", self.quote(node))),
        }
    }

    fn read_inner(&mut self, node: Node<'_>) -> Expr {
        match node.field("value").or_else(|| children(node).first().copied()) {
            Some(inner) if inner.kind() == "declaration" => {
                self.give_up(inner, "a declaration in a condition is not read")
            }
            Some(inner) => self.read_expression(inner),
            None => self.give_up(node, "an expression is missing"),
        }
    }

    pub(crate) fn read_field(&mut self, node: Node<'_>, field: &str) -> Expr {
        match node.field(field) {
            Some(child) => self.read_expression(child),
            None => self.give_up(node, format!("`{}` is not complete", self.quote(node))),
        }
    }

    /// `a + b + c`: the left operands are followed without recursion, since generated sums are long.
    fn read_chain(&mut self, node: Node<'_>) -> Expr {
        let mut chain = vec![node];
        let mut left = node.field("left");
        while let Some(inner) = left
            && inner.kind() == "binary_expression"
            && !is_broken(inner)
            && chain.len() < LONGEST_CHAIN
        {
            chain.push(inner);
            left = inner.field("left");
        }
        let mut value = match (left, chain.last()) {
            (Some(left), Some(last)) if left.kind() == "binary_expression" => {
                self.give_up(*last, "the expression is too long")
            }
            (Some(left), _) => self.read_expression(left),
            _ => self.give_up(node, "an operand is missing"),
        };
        for &one in chain.iter().rev() {
            let right = Box::new(self.read_field(one, "right"));
            let kind = match find_binary(self.operator(one)) {
                Some(operator) => ExprKind::Binary(operator, Box::new(value), right),
                None => {
                    ExprKind::Unknown(format!("the operator `{}` is not read", self.operator(one)))
                }
            };
            value = self.make(node, kind);
        }
        value
    }

    fn read_index(&mut self, node: Node<'_>) -> Expr {
        let array = Box::new(self.read_field(node, "argument"));
        let field = if node.field("indices").is_some() { "indices" } else { "index" };
        let index = Box::new(self.read_field(node, field));
        self.make(node, ExprKind::Index(array, index))
    }

    fn read_member(&mut self, node: Node<'_>) -> Expr {
        let object = Box::new(self.read_field(node, "argument"));
        let arrow = self.operator(node) == "->";
        let path = node.field("field").map(|field| self.read_path(field));
        let member = path.and_then(|mut path| path.pieces.pop());
        let member = member.unwrap_or(Piece { name: String::new(), arguments: None });
        self.make(node, ExprKind::Member { object, member, arrow })
    }

    fn read_assignment(&mut self, node: Node<'_>) -> Expr {
        let left = Box::new(self.read_field(node, "left"));
        let right = Box::new(self.read_field(node, "right"));
        let text = self.operator(node);
        let operator = find_binary(text.trim_end_matches('='));
        self.make(node, ExprKind::Assign(operator, left, right))
    }

    fn read_unary(&mut self, node: Node<'_>) -> Expr {
        let operand = Box::new(self.read_field(node, "argument"));
        match find_unary(self.operator(node)) {
            Some(operator) => self.make(node, ExprKind::Unary(operator, operand)),
            None => self.give_up(node, format!("`{}` is not understood", self.quote(node))),
        }
    }

    fn read_step(&mut self, node: Node<'_>) -> Expr {
        let down = self.operator(node) == "--";
        let Some(argument) = node.field("argument") else {
            return self.give_up(node, "an operand is missing");
        };
        let after = argument.start_byte() == node.start_byte();
        if after {
            return self.read_step_after(argument, down);
        }
        let target = Box::new(self.read_expression(argument));
        self.make(node, ExprKind::Step { target, down, after })
    }

    /// `-x++` is `-(x++)`; tree-sitter gives `(-x)++`.
    fn read_step_after(&mut self, node: Node<'_>, down: bool) -> Expr {
        let operator = match node.kind() {
            "unary_expression" | "pointer_expression" => find_unary(self.operator(node)),
            _ => None,
        };
        let inner = node.field("argument").filter(|_| operator.is_some());
        if let (Some(operator), Some(inner)) = (operator, inner) {
            let stepped = self.descend(|reader| reader.read_step_after(inner, down));
            let stepped = stepped.unwrap_or_else(|| self.give_up(inner, "the nesting is too deep"));
            return self.make(node, ExprKind::Unary(operator, Box::new(stepped)));
        }
        let target = Box::new(self.read_expression(node));
        self.make(node, ExprKind::Step { target, down, after: true })
    }

    fn read_conditional(&mut self, node: Node<'_>) -> Expr {
        let condition = Box::new(self.read_field(node, "condition"));
        let then = Box::new(self.read_field(node, "consequence"));
        let otherwise = Box::new(self.read_field(node, "alternative"));
        self.make(node, ExprKind::Conditional(condition, then, otherwise))
    }

    fn read_cast(&mut self, node: Node<'_>) -> Expr {
        let ty = match node.field("type") {
            Some(ty) => self.read_type(ty),
            None => crate::ast::Type::Unknown(self.quote(node)),
        };
        let value = Box::new(self.read_field(node, "value"));
        self.make(node, ExprKind::Cast(Box::new(ty), value))
    }

    fn read_size(&mut self, node: Node<'_>) -> Expr {
        if let Some(ty) = node.field("type") {
            let ty = self.read_type(ty);
            return self.make(node, ExprKind::SizeOfType(Box::new(ty)));
        }
        let value = node.field("value");
        let inner = value.filter(|one| one.kind() == "parenthesized_expression");
        if let Some(name) =
            inner.and_then(|one| one.named_child(0)).filter(|&one| self.names_type(one))
        {
            let ty = self.read_type(name);
            return self.make(node, ExprKind::SizeOfType(Box::new(ty)));
        }
        let value = Box::new(self.read_field(node, "value"));
        self.make(node, ExprKind::SizeOf(value))
    }

    fn read_comma(&mut self, node: Node<'_>) -> Expr {
        let mut parts = vec![self.read_field(node, "left")];
        let right = self.read_field(node, "right");
        match right.kind {
            ExprKind::Comma(more) => parts.extend(more),
            _ => parts.push(right),
        }
        self.make(node, ExprKind::Comma(parts))
    }

    pub(crate) fn read_list(&mut self, node: Node<'_>) -> Expr {
        if let Some(table) = self.tables.remove(&node.start_byte()) {
            return table;
        }
        let parts = children(node).into_iter().map(|child| self.read_expression(child)).collect();
        self.make(node, ExprKind::List(parts))
    }

    /// `.x = 3` is an assignment to the name.
    fn read_designated(&mut self, node: Node<'_>) -> Expr {
        let designator = node.field("designator");
        let name = designator.filter(|one| one.kind() == "field_designator");
        let Some(name) = name.and_then(|one| one.named_child(0)) else {
            return self.give_up(node, "a designator with an index is not read");
        };
        let path = Path::plain(self.text(name));
        let target = Box::new(self.make(name, ExprKind::Name(path)));
        let value = Box::new(self.read_field(node, "value"));
        self.make(node, ExprKind::Assign(None, target, value))
    }

    fn read_construct(&mut self, node: Node<'_>) -> Expr {
        let Some(ty) = node.field("type") else {
            return self.give_up(node, format!("`{}` is not understood", self.quote(node)));
        };
        let ty = Box::new(self.read_type(ty));
        let values = node.field("value").map(children).unwrap_or_default();
        let values = values.into_iter().map(|value| self.read_expression(value)).collect();
        self.make(node, ExprKind::Construct(ty, values))
    }

    /// A name that tree-sitter takes for a type.
    fn read_type_as_value(&mut self, node: Node<'_>) -> Expr {
        match node.field("type").filter(|_| node.named_child_count() == 1) {
            Some(ty) => self.read_expression(ty),
            None => self.give_up(node, format!("`{}` is not understood", self.quote(node))),
        }
    }
}

fn strip_quotes(text: &str) -> String {
    let start = text.find('"').map_or(0, |at| at + 1);
    let end = text.rfind('"').filter(|&end| end >= start).unwrap_or(text.len());
    text[start..end].to_owned()
}
