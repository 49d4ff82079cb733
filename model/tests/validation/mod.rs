//! Closed forms against public numbers: one file per kind of number, each a list of rows.

pub(crate) mod bandwidth;
pub(crate) mod cosim;
pub(crate) mod csv;
pub(crate) mod dataflow;
pub(crate) mod errors;
pub(crate) mod gemm;
mod gemm_fit;
pub(crate) mod loops;
pub(crate) mod modules;
pub(crate) mod page;
pub(crate) mod stages;
pub(crate) mod timings;
pub(crate) mod workload;

pub(crate) use errors::Errors;
pub(crate) use page::page;

/// What the parameters of a model owe to the numbers that it is held against.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Standing {
    /// Nothing was fitted to these numbers.
    Free,
    /// Parameters were fitted to them: the errors say how well the form fits, not how well it predicts.
    Fitted,
    /// Nothing was fitted, but the form was chosen while these numbers were looked at.
    Chosen,
    /// Shown to compare with; the tool does not use it.
    Other,
}

/// One model against one set of published numbers.
pub(crate) struct Row {
    /// The numbers.
    pub(crate) set: String,
    /// The formula.
    pub(crate) model: &'static str,
    /// How they compare.
    pub(crate) standing: Standing,
    /// How far apart they are.
    pub(crate) errors: Errors,
    /// Where the numbers were published.
    pub(crate) source: &'static str,
}

/// A heading of the page.
pub(crate) struct Part {
    /// The heading.
    pub(crate) title: &'static str,
    /// Its rows.
    pub(crate) rows: Vec<Row>,
    /// What they say, in sentences.
    pub(crate) remarks: Vec<String>,
}

/// All parts, in the order of the page. Another kind of number is another line.
pub(crate) fn parts() -> Vec<Part> {
    vec![
        workload::part(),
        loops::part(),
        modules::part(),
        dataflow::part(),
        stages::part(),
        cosim::part(),
        bandwidth::part(),
    ]
}
