//! Calls that have a value before the kernel runs: functions of one `return` over constants.

use super::Reader;
use super::meaning::{Frame, Meaning, Ty};
use crate::constants::wrap;
use crate::ir::{Number, Scalar};
use derate_syntax::ast::{self, StmtKind, TemplateArgument};

/// Calls that are folded in all: a function that calls itself twice would not end.
const FOLDS: usize = 20_000;

impl Reader {
    /// The value of a call, if the function only returns an expression and all arguments are constants.
    pub(super) fn fold_call(
        &mut self,
        function: &ast::Function,
        explicit: Option<&[TemplateArgument]>,
        arguments: &[ast::Expr],
    ) -> Option<(Number, Scalar)> {
        let value = returned(function)?;
        if arguments.len() != function.parameters.len() || self.folds >= FOLDS {
            return None;
        }
        self.folds += 1;
        let mut frame = self.template_frame(&function.template, explicit);
        let mut given = Frame::default();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let (number, _) = self.number(argument)?;
            let ty = self.within(frame.clone(), |reader| reader.settle_type(&parameter.ty));
            let Ty::Scalar(ty) = ty else { return None };
            given.set(&parameter.name, Meaning::Number(wrap(number, ty), ty));
        }
        frame.extend(&given);
        self.within(frame, |reader| {
            let (number, _) = reader.number(value)?;
            let Ty::Scalar(ty) = reader.settle_type(&function.result) else { return None };
            Some((wrap(number, ty), ty))
        })
    }
}

/// What a function of one statement returns.
fn returned(function: &ast::Function) -> Option<&ast::Expr> {
    let body = function.body.as_ref()?;
    let all = body.iter().map(|one| &one.kind);
    let mut doing = all.filter(|one| !matches!(one, StmtKind::Pragma(_) | StmtKind::Empty));
    match (doing.next(), doing.next()) {
        (Some(StmtKind::Return(Some(value))), None) => Some(value),
        _ => None,
    }
}
