//! Reads the text of a dump.

use derate_source::{FileId, Sources};

use super::builder::DumpBuilder;
use super::error::DumpRefusal;
use super::{
    DumpFormat, ModelShape, ShapeError, Tensor, detect, flat, gguf, json, line, modules, onnx,
    summary, table, tree,
};

impl ModelShape {
    /// Reads a dump: in the form named, or in the one that its content shows.
    pub fn parse(
        sources: &Sources,
        file: FileId,
        format: Option<DumpFormat>,
    ) -> Result<Self, ShapeError> {
        let text = sources.text(file);
        let name = || sources.name(file).to_owned();
        if text.trim().is_empty() {
            return Err(ShapeError::Empty { file: name() });
        }
        if let Some(at) = text.find('\0') {
            return Err(ShapeError::Binary { file: name(), line: line::line_number(text, at) });
        }
        let Some(read_as) = format.or_else(|| detect::detect_format(text)) else {
            return Err(ShapeError::NoTensor { file: name() });
        };
        let mut builder = DumpBuilder::new(file);
        if let Err(refusal) = read_format(text, read_as, &mut builder) {
            let line = line::line_number(text, refusal.offset);
            return Err(ShapeError::Excess { file: name(), line, excess: refusal.what });
        }
        match (builder.len(), format) {
            (0, Some(format)) => Err(ShapeError::NotThatFormat { file: name(), format }),
            (0, None) => Err(ShapeError::NoTensor { file: name() }),
            (_, Some(_)) => Ok(builder.finish(read_as)),
            (_, None) => {
                let model = builder.finish(read_as);
                match find_doubt(&model, text) {
                    Some((tensors, others)) => Err(ShapeError::OrdinaryText {
                        file: name(),
                        tensors,
                        others,
                        format: read_as,
                    }),
                    None => Ok(model),
                }
            }
        }
    }
}

/// Lines of a table that are not rows: its name, its headings and the rule below them.
const HEAD: usize = 3;

/// Fewer tensors than one in so many lines are an accident.
const RARE: usize = 10;

/// The tensors and the other lines of a text that is more likely something else: `name [1, 2]` is a line of many programs,
/// and a table of sizes is in many a page.
fn find_doubt(model: &ModelShape, text: &str) -> Option<(usize, usize)> {
    let is_common = matches!(
        model.format,
        DumpFormat::Spaces
            | DumpFormat::Tabs
            | DumpFormat::Tuple
            | DumpFormat::List
            | DumpFormat::Pipe
            | DumpFormat::Markdown
    );
    let has_elements = |tensor: &&Tensor| !tensor.dims.is_empty() && !tensor.dims.contains(&0);
    let tensors = model.tensors.iter().filter(has_elements).count();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let is_table = matches!(model.format, DumpFormat::Pipe | DumpFormat::Markdown);
    let head = if is_table { HEAD } else { 0 };
    let others = lines.saturating_sub(model.tensors.len() + head);
    // Brackets behind a word are in any program; a form that says more about its tensors is rarer.
    let is_rare = model.format == DumpFormat::Flat && tensors.saturating_mul(RARE) < others;
    (is_rare || (is_common && tensors < others)).then_some((tensors, others))
}

fn read_format(
    text: &str,
    format: DumpFormat,
    builder: &mut DumpBuilder,
) -> Result<(), DumpRefusal> {
    match format {
        DumpFormat::Tree => return tree::read_tree(text, builder),
        DumpFormat::Json => return json::read_json(text, builder),
        DumpFormat::Modules => return modules::read_modules(text, builder),
        DumpFormat::Flat
        | DumpFormat::Spaces
        | DumpFormat::Tabs
        | DumpFormat::Tuple
        | DumpFormat::List => {
            flat::read_flat(text, builder);
        }
        DumpFormat::Pipe | DumpFormat::Markdown => table::read_table(text, builder),
        DumpFormat::Gguf => gguf::read_gguf(text, builder),
        DumpFormat::Onnx => onnx::read_onnx(text, builder),
        DumpFormat::Summary => summary::read_summary(text, builder),
    }
    Ok(())
}
