//! What `print(model)` shows: nested modules with their arguments.
//!
//! ```text
//! Decoder(
//!   (layers): ModuleList(
//!     (0-15): 16 x Linear(in_features=960, out_features=2560, bias=False)
//!   )
//! )
//! ```
//!
//! Modules are printed, parameters are not: their shapes follow from the arguments, and a
//! parameter that belongs to no known layer is not to be seen at all.

use super::builder::{DumpBuilder, FoundTensor, LONGEST_NAME};
use super::dims::clip_text;
use super::dtype::Dtype;
use super::error::{DumpExcess, DumpRefusal};
use super::line::{TextLine, split_lines};
use super::{NoteKind, ProblemKind, layer};

/// Deeper than any real model.
const DEEPEST: usize = 128;

/// `(name): Class(...`: the name, the class, and what follows its bracket.
fn parse_module(line: &str) -> Option<(String, &str, &str)> {
    let (name, rest) = line.trim().strip_prefix('(')?.split_once("): ")?;
    let (name, rest) = match rest.split_once(" x ") {
        Some((times, rest)) if times.bytes().all(|b| b.is_ascii_digit()) && name.contains('-') => {
            (format!("[{name}]"), rest)
        }
        _ => (name.to_owned(), rest),
    };
    let (class, inside) = rest.split_once('(')?;
    let word = !class.is_empty() && class.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (word && !name.contains(char::is_whitespace)).then_some((name, class, inside))
}

/// Whether a line is one of this form.
pub(super) fn is_module_line(line: &str) -> bool {
    parse_module(line).is_some()
}

/// Reads every line.
pub(super) fn read_modules(text: &str, builder: &mut DumpBuilder) -> Result<(), DumpRefusal> {
    let mut path: Vec<String> = Vec::new();
    for line in split_lines(text) {
        if line.text.trim() == ")" {
            path.pop();
            continue;
        }
        let Some((name, class, inside)) = parse_module(line.text) else { continue };
        if inside.is_empty() {
            if path.len() == DEEPEST {
                return Err(DumpRefusal { offset: line.start, what: DumpExcess::Levels(DEEPEST) });
            }
            if class == "MultiheadAttention" {
                add_hidden(class, line, builder);
            }
            path.push(name);
        } else if let Some(arguments) = inside.strip_suffix(')') {
            add_leaf(&path, &name, class, arguments, line, builder);
        } else {
            builder.add_problem(
                ProblemKind::Unread,
                line.text_range(),
                format!("`{}` has no closing bracket", clip_text(class)),
            );
        }
    }
    if !path.is_empty() && path.iter().any(|name| !name.is_empty()) {
        let end = text.trim_end().len();
        builder.add_problem(
            ProblemKind::Incomplete,
            (end, end),
            "the printed model ends before its brackets close",
        );
    }
    Ok(())
}

fn add_leaf(
    path: &[String],
    name: &str,
    class: &str,
    arguments: &str,
    line: TextLine<'_>,
    builder: &mut DumpBuilder,
) {
    let length: usize = path.iter().map(String::len).sum();
    if length > LONGEST_NAME {
        return builder.add_problem(
            ProblemKind::Unread,
            line.text_range(),
            format!("the path of `{}` is too long", clip_text(name)),
        );
    }
    let Some(parameters) = layer::from_arguments(class, arguments) else {
        return add_hidden(class, line, builder);
    };
    let prefix: String = path.iter().map(|name| format!("{name}.")).collect::<Vec<_>>().concat();
    for (parameter, dims) in parameters {
        let name = format!("{prefix}{name}.{parameter}");
        builder.add_tensor(&FoundTensor {
            name: &name,
            dims,
            dtype: Dtype::No,
            shape_known: true,
            place: line.text_range(),
        });
    }
    let text = "a printed model shows modules, not parameters: shapes follow from the arguments, and parameters outside known layers are missing";
    builder.add_note(NoteKind::LowerBound, "", line.text_range(), text);
}

fn add_hidden(class: &str, line: TextLine<'_>, builder: &mut DumpBuilder) {
    let reason =
        format!("`{}` may hold parameters that its printed form does not show", clip_text(class));
    builder.add_problem(ProblemKind::Incomplete, line.text_range(), reason);
}
