//! Pipelines that are asked for and not made, as a log says.

use crate::Span;

/// A loop or a function that asks for a pipeline and gets none.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedPipeline {
    /// The module that it is in.
    pub module: String,
    /// The loop; `None` for a whole function, and where the log does not name it.
    pub loop_name: Option<String>,
    /// Whether the whole function asks for it.
    pub is_function: bool,
    /// Why there is none.
    pub why: Refusal,
    /// The line that says so.
    pub span: Span,
}

/// Why there is no pipeline.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// Loops in it are not unrolled.
    Loops,
    /// It calls a function that is not pipelined.
    Callee(String),
    /// Its branches and jumps are too many.
    Control,
    /// The tool names no reason.
    Unnamed,
}

impl RefusedPipeline {
    /// Reads a line of a log. Releases before 2020.2 do not name the loop:
    /// `Unable to satisfy pipeline directive: Loop contains subloop(s) not being unrolled or flattened.`
    pub(super) fn parse(line: &str, module: &str, span: Span) -> Option<Self> {
        let (_, rest) = line.split_once("Unable to satisfy pipeline directive")?;
        let (what, why) = rest.split_once(": ").or_else(|| Some(("", rest.strip_prefix(':')?)))?;
        let loop_name = what.strip_prefix(" for loop '").and_then(|name| name.strip_suffix('\''));
        let is_function = what.starts_with(" for function ") || why.starts_with("Function ");
        let callee = why.split_once("subfunction '").and_then(|(_, name)| name.split('\'').next());
        let why = match callee {
            _ if why.contains("subloop") => Refusal::Loops,
            // The tool made a function of a loop in it.
            Some(name) if name.contains("_Pipeline_") => Refusal::Loops,
            Some(name) => Refusal::Callee(name.to_owned()),
            None if why.contains("control-flow") => Refusal::Control,
            None => Refusal::Unnamed,
        };
        Some(Self {
            module: module.to_owned(),
            loop_name: loop_name.map(str::to_owned),
            is_function,
            why,
            span,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;

    #[test]
    fn lines_of_all_releases_are_read() {
        let read = |text: &str| {
            let mut sources = Sources::default();
            let span = Span { file: sources.add("a.log", text), start: 0, end: text.len() };
            let line =
                format!("WARNING: [SCHED 204-65] Unable to satisfy pipeline directive{text}");
            let one = RefusedPipeline::parse(&line, "top", span);
            one.map(|one| (one.loop_name.unwrap_or_default(), one.is_function, one.why))
        };
        let named = |name: &str, why| Some((name.to_owned(), false, why));
        let subloops = " for loop 'rows': contains subloop(s) that are not unrolled or flattened.";
        assert_eq!(read(subloops), named("rows", Refusal::Loops));
        let old = ": Loop contains subloop(s) not being unrolled or flattened.";
        assert_eq!(read(old), named("", Refusal::Loops));
        let callee = " for loop 'rows': contains subfunction 'dot' which is not pipelined.";
        assert_eq!(read(callee), named("rows", Refusal::Callee("dot".to_owned())));
        let outlined = callee.replace("dot", "dot_Pipeline_cols");
        assert_eq!(read(&outlined), named("rows", Refusal::Loops));
        let jumps = " for loop 'rows': control-flow is too complicated to be pipelined.";
        assert_eq!(read(jumps), named("rows", Refusal::Control));
        assert_eq!(read(" for loop 'r': unable to pipeline."), named("r", Refusal::Unnamed));
        for function in [
            " for function 'f': contains subloop(s) that are not unrolled.",
            ": Function contains subloop(s) not being unrolled.",
        ] {
            assert_eq!(read(function), Some((String::new(), true, Refusal::Loops)), "{function}");
        }
        assert_eq!(read(" was met"), None);
    }
}
