//! `switch`.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Case, Stmt, StmtKind};
use tree_sitter::Node;

impl Reader<'_> {
    pub(crate) fn read_switch(&mut self, node: Node<'_>) -> StmtKind {
        let subject = self.read_field(node, "condition");
        let mut cases: Vec<Case> = Vec::new();
        let body = node.field("body");
        for child in body.map(children).unwrap_or_default() {
            if child.kind() == "case_statement" {
                self.read_case(child, &mut cases);
            } else if let Some(last) = cases.last_mut() {
                self.push_statement(child, None, &mut last.body);
            }
        }
        StmtKind::Switch { subject, cases }
    }

    fn read_case(&mut self, node: Node<'_>, cases: &mut Vec<Case>) {
        let value = node.field("value");
        let label = value.map(|value| self.read_expression(value));
        let mut body: Vec<Stmt> = Vec::new();
        for child in children(node) {
            if Some(child) != value {
                self.push_statement(child, None, &mut body);
            }
        }
        match cases.last_mut().filter(|last| last.body.is_empty()) {
            Some(last) => {
                last.labels.push(label);
                last.body = body;
            }
            None => cases.push(Case { labels: vec![label], body }),
        }
    }
}
