//! What all parts of the reading share: the text, the scope and the pragmas that are due.

use super::fields::ByField as _;
use crate::ast::{Expr, ExprKind, Item, Place, Pragma, Stmt, StmtKind, TemplateParameter, Unread};
use crate::settle::{Expanded, Vocabulary};
use rustc_hash::FxHashMap as HashMap;
use tree_sitter::Node;

/// Statements, expressions and types within one another, at most.
const DEEPEST: usize = 200;

pub(crate) struct Reader<'a> {
    text: &'a Expanded,
    pub(crate) items: Vec<Item>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) vocabulary: &'a Vocabulary,
    /// The namespaces and classes around, outermost first.
    pub(crate) scope: Vec<String>,
    /// The class around, if the innermost scope is one.
    pub(crate) owner: Option<String>,
    /// The template parameters in force, those of the outermost template first.
    pub(crate) template: Vec<TemplateParameter>,
    /// Whether an unnamed namespace is around.
    pub(crate) unnamed: bool,
    /// How many structs without a name there were.
    pub(crate) anonymous: usize,
    /// The lists that the parser does not see, by their first byte.
    pub(crate) tables: HashMap<usize, Expr>,
    next_pragma: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        text: &'a Expanded,
        tables: HashMap<usize, Expr>,
        vocabulary: &'a Vocabulary,
    ) -> Self {
        Self {
            text,
            items: Vec::new(),
            unread: Vec::new(),
            vocabulary,
            scope: Vec::new(),
            owner: None,
            template: Vec::new(),
            unnamed: false,
            anonymous: 0,
            tables,
            next_pragma: 0,
            depth: 0,
        }
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'a str {
        self.text.text.get(node.byte_range()).unwrap_or("")
    }

    /// The spelling of the field `operator`.
    pub(crate) fn operator(&self, node: Node<'_>) -> &'a str {
        match node.field("operator") {
            Some(operator) if self.text.is_less(operator.start_byte()) => "<",
            Some(operator) => self.text(operator),
            None => "",
        }
    }

    pub(crate) fn place(&self, node: Node<'_>) -> Place {
        self.text.place(node.start_byte())
    }

    /// A name with the scope around it.
    pub(crate) fn qualify(&self, name: &str) -> String {
        if self.scope.is_empty() {
            return name.to_owned();
        }
        format!("{}::{name}", self.scope.join("::"))
    }

    /// Goes one level deeper. `None` if that is too deep.
    pub(crate) fn descend<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let made = read(self);
        self.depth -= 1;
        Some(made)
    }

    pub(crate) fn note(&mut self, node: Node<'_>, reason: impl Into<String>) {
        self.unread.push(Unread { place: self.place(node), reason: reason.into() });
    }

    /// The pragmas before a byte that have not been taken.
    pub(crate) fn take_pragmas(&mut self, byte: usize) -> Vec<Pragma> {
        let mut taken = Vec::new();
        while let Some((at, pragma)) = self.text.pragmas.get(self.next_pragma) {
            if *at > byte {
                break;
            }
            taken.push(pragma.clone());
            self.next_pragma += 1;
        }
        taken
    }

    /// Pragmas outside of functions.
    pub(crate) fn drain_pragmas(&mut self, byte: usize) {
        let taken = self.take_pragmas(byte);
        self.items.extend(taken.into_iter().map(Item::Pragma));
    }

    /// Pragmas among statements.
    pub(crate) fn push_pragmas(&mut self, byte: usize, output: &mut Vec<Stmt>) {
        for pragma in self.take_pragmas(byte) {
            let place = pragma.place;
            output.push(Stmt { kind: StmtKind::Pragma(pragma), place });
        }
    }

    pub(crate) fn make(&self, node: Node<'_>, kind: ExprKind) -> Expr {
        Expr { kind, place: self.place(node) }
    }

    /// An expression that is not read.
    pub(crate) fn give_up(&self, node: Node<'_>, reason: impl Into<String>) -> Expr {
        self.make(node, ExprKind::Unknown(reason.into()))
    }

    /// The beginning of the text of a node, for a reason.
    pub(crate) fn quote(&self, node: Node<'_>) -> String {
        let text: Vec<&str> = self.text(node).split_whitespace().take(12).collect();
        text.join(" ").chars().take(60).collect()
    }
}

/// Named children, comments left out.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// Children of a field.
pub(crate) fn fields<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).filter(Node::is_named).collect()
}

/// Whether a direct child is an error.
pub(crate) fn is_broken(node: Node<'_>) -> bool {
    if !node.has_error() {
        return false;
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.is_error() || child.is_missing())
}
