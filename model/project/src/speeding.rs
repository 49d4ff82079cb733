//! Which directives of a design trade resources and clock for speed: help names only what can be taken back.

use derate_hls::DirectiveKind;

use crate::Code;

/// The directives that a design has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speeding {
    /// Whether any is known: without code nothing is.
    pub is_known: bool,
    /// Whether a loop is unrolled by a directive.
    pub unrolls: bool,
    /// Whether a loop or a function is pipelined by a directive.
    pub pipelines: bool,
}

impl Speeding {
    /// Those of the code and those of scripts.
    #[must_use]
    pub fn of<'a>(code: &Code, scripted: impl Iterator<Item = &'a DirectiveKind>) -> Self {
        let mut found = Self { is_known: false, unrolls: false, pipelines: false };
        for function in code.functions() {
            found.is_known = true;
            for pragma in &function.pragmas {
                if let Some(directive) = pragma.directive() {
                    found.add(&directive.kind);
                }
            }
        }
        for kind in scripted {
            found.add(kind);
        }
        found
    }

    fn add(&mut self, kind: &DirectiveKind) {
        match kind {
            DirectiveKind::Unroll { .. } => self.unrolls = true,
            DirectiveKind::Pipeline(it) if !it.off => self.pipelines = true,
            _ => {}
        }
    }

    /// Whether a smaller unroll factor can be the help: one is there, or may be.
    #[must_use]
    pub fn may_unroll(&self) -> bool {
        self.unrolls || !self.is_known
    }
}
