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

use super::builder::{ByteRange, DumpBuilder, LONGEST_NAME};
use super::dims::clip_text;
use super::entry;
use super::entry_error::NoEntry;
use super::error::{DumpExcess, DumpRefusal};
use super::grouping::Grouping;
use super::line::{TextLine, split_lines};
use super::{ProblemKind, flat};

/// Deeper than any real model.
const DEEPEST: usize = 128;

/// A node whose children are being read.
#[derive(Debug, Default)]
struct TreeNode<'a> {
    column: usize,
    path: String,
    place: ByteRange,
    /// Names in the `children:` list, where there is one.
    listed: Option<BTreeSet<&'a str>>,
    seen: BTreeSet<&'a str>,
}

/// The column of a line's connector and the text behind it.
fn split_connector(line: &str) -> Option<(usize, &str)> {
    let at = line.find(|c: char| !matches!(c, ' ' | '\t' | '|' | '│' | '┃' | '║' | '\u{a0}'))?;
    let (before, rest) = line.split_at(at);
    // `|-- name`: the bar is the corner.
    let bar = before.strip_suffix('|').filter(|_| rest.starts_with("--"));
    let corner = rest.strip_prefix(['├', '└', '╰', '┣', '┗', '┌', '─', '┬']);
    let ascii = || rest.strip_prefix(['+', '`', '\\']).filter(|rest| rest.starts_with("--"));
    let text = match bar {
        Some(_) => rest,
        None => corner.or_else(ascii)?,
    };
    let column = bar.unwrap_or(before).chars().count();
    let text =
        text.trim_start_matches(['─', '━', '╴', '-']).trim_start_matches(['┬', '┐', '╮', '┳']);
    Some((column, text.trim()))
}

/// Whether a line is one of this form: a leaf with a shape, or one of the two lists.
pub(super) fn is_tree_line(line: &str) -> bool {
    split_connector(line).is_some_and(|(_, text)| {
        text.starts_with("children:")
            || text.starts_with("in:")
            || entry::parse_entry(text, Grouping::Unknown).is_ok()
    })
}

/// Reads every line.
pub(super) fn read_tree(text: &str, builder: &mut DumpBuilder) -> Result<(), DumpRefusal> {
    let mut tree = TreeReader { root: TreeNode::default(), stack: Vec::new(), builder };
    for line in split_lines(text).filter(|line| !line.is_decoration()) {
        match split_connector(line.text) {
            Some((column, content)) => tree.read_line(line, column, content)?,
            None if line.text.starts_with("in:") || line.text.starts_with("children:") => {
                tree.read_line(line, 0, line.text)?;
            }
            None => flat::read_other(NoEntry::Other, line, tree.builder),
        }
    }
    tree.close_nodes(0);
    let root = std::mem::take(&mut tree.root);
    tree.check_children(&root);
    Ok(())
}

struct TreeReader<'a, 'b> {
    /// What lies above the first line: nothing in a whole tree, a node's path in a sub-tree.
    root: TreeNode<'a>,
    stack: Vec<TreeNode<'a>>,
    builder: &'b mut DumpBuilder,
}

impl<'a> TreeReader<'a, '_> {
    fn read_line(
        &mut self,
        line: TextLine<'a>,
        column: usize,
        content: &'a str,
    ) -> Result<(), DumpRefusal> {
        self.close_nodes(column);
        match entry::parse_entry(content, Grouping::Unknown) {
            Ok(entry) => {
                self.mark_seen(entry.name);
                let name = self.join_path(entry.name);
                flat::add_entry(&entry, &name, line, self.builder);
            }
            Err(NoEntry::Other) if content.starts_with("in:") => {
                self.enter_path(&content["in:".len()..]);
            }
            Err(NoEntry::Other) if content.starts_with("children:") => self.read_children(content),
            Err(why) => return self.node_or_unread(line, column, content, why),
        }
        Ok(())
    }

    fn node_or_unread(
        &mut self,
        line: TextLine<'a>,
        column: usize,
        content: &'a str,
        why: NoEntry,
    ) -> Result<(), DumpRefusal> {
        let name = content.strip_suffix(':').unwrap_or(content);
        let is_node = why == NoEntry::Other
            && !name.is_empty()
            && !name.contains(|c: char| c.is_whitespace());
        if !is_node {
            if let Some((name, _)) = content.split_once(':') {
                self.mark_seen(name);
            }
            self.builder.add_unread(why, line.text_range(), content);
            return Ok(());
        }
        self.mark_seen(name);
        let path = self.join_path(name);
        if self.stack.len() == DEEPEST {
            return Err(DumpRefusal { offset: line.start, what: DumpExcess::Levels(DEEPEST) });
        }
        if path.len() > LONGEST_NAME {
            return Err(DumpRefusal {
                offset: line.start,
                what: DumpExcess::NameBytes(LONGEST_NAME),
            });
        }
        self.stack.push(TreeNode { column, path, place: line.text_range(), ..TreeNode::default() });
        Ok(())
    }

    /// Full name of a child of the innermost open node.
    fn join_path(&self, name: &str) -> String {
        match self.innermost_node().path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    fn mark_seen(&mut self, name: &'a str) {
        self.stack.last_mut().unwrap_or(&mut self.root).seen.insert(name);
    }

    /// An `in:` line: the path of the node, which a sub-tree has nowhere else.
    fn enter_path(&mut self, path: &str) {
        let path = path.trim();
        let path = path.strip_prefix('.').unwrap_or(path);
        if path.len() > LONGEST_NAME {
            return;
        }
        let top = self.stack.len() == 1;
        match self.stack.last_mut() {
            None => path.clone_into(&mut self.root.path),
            Some(node) if node.path != path => {
                let above =
                    path.strip_suffix(node.path.as_str()).and_then(|above| above.strip_suffix('.'));
                match above {
                    Some(above) if top => above.clone_into(&mut self.root.path),
                    _ => {
                        let reason = format!(
                            "`in: {}` is under the node `{}`: the `in:` line counts",
                            clip_text(path),
                            clip_text(&node.path)
                        );
                        self.builder.add_problem(ProblemKind::Incomplete, node.place, reason);
                    }
                }
                path.clone_into(&mut node.path);
            }
            Some(_) => {}
        }
    }

    /// A `children:` line, a Python list of quoted names.
    fn read_children(&mut self, content: &'a str) {
        let names = content.split(['\'', '\"']).skip(1).step_by(2).collect();
        self.stack.last_mut().unwrap_or(&mut self.root).listed = Some(names);
    }

    /// Leaves every node that a line at `column` does not belong to.
    fn close_nodes(&mut self, column: usize) {
        while let Some(node) = self.stack.pop_if(|node| node.column >= column) {
            self.check_children(&node);
            if node.seen.is_empty() && node.listed.is_none() {
                let reason =
                    format!("`{}` has neither a shape nor children", clip_text(&node.path));
                self.builder.add_problem(ProblemKind::Incomplete, node.place, reason);
            }
        }
    }

    /// Holds a node's `children:` list against what followed.
    fn check_children(&mut self, node: &TreeNode<'_>) {
        for name in node.listed.iter().flatten().filter(|name| !node.seen.contains(*name)) {
            let reason = format!(
                "`{}` lists a child `{}`, which the dump does not show",
                clip_text(&node.path),
                clip_text(name)
            );
            self.builder.add_problem(ProblemKind::Incomplete, node.place, reason);
        }
    }

    /// The innermost open node.
    fn innermost_node(&self) -> &TreeNode<'a> {
        self.stack.last().unwrap_or(&self.root)
    }
}
