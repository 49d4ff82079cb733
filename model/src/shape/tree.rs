//! The box-drawing tree: nodes, leaves with shapes, and `in:` and `children:` lines.
//!
//! ```text
//! └──┬ model:
//!    ├─ children: ['norm']
//!    └──┬ norm:
//!       ├─ in: .model.norm
//!       ├─ children: ['weight']
//!       └── weight: torch.Size([960]) [torch.bfloat16]
//! ```
//!
//! Depth is the column of the connector, so connectors of any width read the same; `|` and `│`
//! before it are interchangeable. Sub-trees cut out of a larger one need no root.

use std::collections::BTreeSet;

use super::ProblemKind;
use super::builder::{Builder, LONGEST_NAME, Place};
use super::dims::clip;
use super::entry::{self, NoEntry};
use super::error::{Excess, Refusal};
use super::flat;
use super::grouping::Grouping;
use super::line::{Line, lines};

/// Deeper than any real model.
const DEEPEST: usize = 128;

/// A node whose children are being read.
#[derive(Debug, Default)]
struct Node<'a> {
    column: usize,
    path: String,
    place: Place,
    /// Names in the `children:` list, where there is one.
    listed: Option<BTreeSet<&'a str>>,
    seen: BTreeSet<&'a str>,
}

/// The column of a line's connector and the text behind it.
fn connector(line: &str) -> Option<(usize, &str)> {
    let at = line.find(|c: char| !matches!(c, ' ' | '\t' | '|' | '│' | '┃' | '║' | '\u{a0}'))?;
    let column = line[..at].chars().count();
    let text = line[at..].strip_prefix(['├', '└', '╰', '┣', '┗'])?;
    let text =
        text.trim_start_matches(['─', '━', '╴', '-']).trim_start_matches(['┬', '┐', '╮', '┳']);
    Some((column, text.trim()))
}

/// Whether a line is one of this form: a leaf with a shape, or one of the two lists.
pub(super) fn is_tree_line(line: &str) -> bool {
    connector(line).is_some_and(|(_, text)| {
        text.starts_with("children:")
            || text.starts_with("in:")
            || entry::parse(text, Grouping::Unknown).is_ok()
    })
}

/// Reads every line.
pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), Refusal> {
    let mut tree = Tree { base: String::new(), stack: Vec::new(), builder };
    for line in lines(text).filter(|line| !line.is_decoration()) {
        match connector(line.text) {
            Some((column, content)) => tree.line(line, column, content)?,
            None => flat::other(NoEntry::Other, line, tree.builder),
        }
    }
    tree.close(0);
    Ok(())
}

struct Tree<'a, 'b> {
    /// Path of what lies above the first line of a sub-tree.
    base: String,
    stack: Vec<Node<'a>>,
    builder: &'b mut Builder,
}

impl<'a> Tree<'a, '_> {
    fn line(&mut self, line: Line<'a>, column: usize, content: &'a str) -> Result<(), Refusal> {
        self.close(column);
        match entry::parse(content, Grouping::Unknown) {
            Ok(entry) => {
                self.see(entry.name);
                let name = self.join(entry.name);
                flat::add(&entry, &name, line, self.builder);
            }
            Err(NoEntry::Other) if content.starts_with("in:") => {
                self.enter(&content["in:".len()..]);
            }
            Err(NoEntry::Other) if content.starts_with("children:") => self.list(content),
            Err(why) => return self.node_or_unread(line, column, content, why),
        }
        Ok(())
    }

    fn node_or_unread(
        &mut self,
        line: Line<'a>,
        column: usize,
        content: &'a str,
        why: NoEntry,
    ) -> Result<(), Refusal> {
        let name = content.strip_suffix(':').unwrap_or(content);
        let is_node = why == NoEntry::Other
            && !name.is_empty()
            && !name.contains(|c: char| c.is_whitespace());
        if !is_node {
            if let Some((name, _)) = content.split_once(':') {
                self.see(name);
            }
            self.builder.unread(why, line.range(), content);
            return Ok(());
        }
        self.see(name);
        let path = self.join(name);
        if self.stack.len() == DEEPEST {
            return Err(Refusal { offset: line.start, what: Excess::Levels(DEEPEST) });
        }
        if path.len() > LONGEST_NAME {
            return Err(Refusal { offset: line.start, what: Excess::NameBytes(LONGEST_NAME) });
        }
        self.stack.push(Node { column, path, place: line.range(), ..Node::default() });
        Ok(())
    }

    /// Full name of a child of the innermost open node.
    fn join(&self, name: &str) -> String {
        match self.stack.last().map_or(self.base.as_str(), |node| &node.path) {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    fn see(&mut self, name: &'a str) {
        if let Some(node) = self.stack.last_mut() {
            node.seen.insert(name);
        }
    }

    /// An `in:` line: the path of the node, which a sub-tree has nowhere else.
    fn enter(&mut self, path: &str) {
        let path = path.trim();
        let path = path.strip_prefix('.').unwrap_or(path);
        if path.len() > LONGEST_NAME {
            return;
        }
        let top = self.stack.len() == 1;
        match self.stack.last_mut() {
            None => path.clone_into(&mut self.base),
            Some(node) if node.path != path => {
                let above =
                    path.strip_suffix(node.path.as_str()).and_then(|above| above.strip_suffix('.'));
                match above {
                    Some(above) if top => above.clone_into(&mut self.base),
                    _ => {
                        let reason = format!(
                            "`in: {}` stands under the node `{}`: the `in:` line counts",
                            clip(path),
                            clip(&node.path)
                        );
                        self.builder.problem(ProblemKind::Incomplete, node.place, reason);
                    }
                }
                path.clone_into(&mut node.path);
            }
            Some(_) => {}
        }
    }

    /// A `children:` line, a Python list of quoted names.
    fn list(&mut self, content: &'a str) {
        if let Some(node) = self.stack.last_mut() {
            node.listed = Some(content.split(['\'', '"']).skip(1).step_by(2).collect());
        }
    }

    /// Leaves every node that a line at `column` does not belong to.
    fn close(&mut self, column: usize) {
        while let Some(node) = self.stack.pop_if(|node| node.column >= column) {
            let missing = node.listed.iter().flatten().filter(|name| !node.seen.contains(*name));
            for name in missing {
                let reason = format!(
                    "`{}` lists a child `{}`, which the dump does not show",
                    clip(&node.path),
                    clip(name)
                );
                self.builder.problem(ProblemKind::Incomplete, node.place, reason);
            }
            if node.seen.is_empty() && node.listed.is_none() {
                let reason = format!("`{}` has neither a shape nor children", clip(&node.path));
                self.builder.problem(ProblemKind::Incomplete, node.place, reason);
            }
        }
    }
}
