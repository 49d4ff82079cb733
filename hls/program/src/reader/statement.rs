//! Statements but loops and calls.

use super::Reader;
use super::arithmetic::{binary, cast};
use super::expression::Operand;
use super::meaning::LValue;
use super::meaning::Meaning;
use super::meaning::Ty;
use super::slot::Shape;
use crate::ir::{Access, Binary, Expr, Place, Scalar, Stmt};
use derate_syntax::ast::{self, Case, ExprKind, StmtKind, Type, Variable};

impl Reader {
    pub(crate) fn statements(&mut self, statements: &[ast::Stmt]) {
        for statement in statements {
            self.statement(statement);
            // What follows is never reached: constants chose the branch that returns.
            if matches!(self.out.last(), Some(Stmt::Return | Stmt::Break | Stmt::Continue)) {
                break;
            }
        }
    }

    pub(crate) fn statement(&mut self, statement: &ast::Stmt) {
        if self.depth > 300 {
            self.unknown(statement.place, "the statement is nested too deeply");
            return;
        }
        self.depth += 1;
        self.statement_here(statement);
        self.depth -= 1;
    }

    fn statement_here(&mut self, statement: &ast::Stmt) {
        let place = statement.place;
        match &statement.kind {
            StmtKind::Declare(variables) => {
                for variable in variables {
                    self.declare_local(variable);
                }
            }
            StmtKind::Alias(alias) => {
                let ty = self.settle_type(&alias.target);
                self.name(&alias.name, Meaning::Type(ty));
            }
            StmtKind::Structure(_) | StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                let operand = self.operand(expr);
                match operand {
                    Operand::Value(value) if reads_stream(&value) => {
                        self.out.push(Stmt::Evaluate(value));
                    }
                    Operand::Place(lvalue) if matches!(lvalue.ty, Ty::Stream(_)) => {}
                    _ => {}
                }
            }
            StmtKind::Block(inner) => {
                self.frames.push(super::meaning::Frame::default());
                self.statements(inner);
                self.frames.pop();
            }
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.value(condition);
                let condition = Self::truth(condition, place);
                if let Expr::Constant(value, _) = condition {
                    if !value.is_zero() {
                        self.statement(then);
                    } else if let Some(otherwise) = otherwise {
                        self.statement(otherwise);
                    }
                    return;
                }
                let open = usize::from(is_open(&condition));
                if open > 0 && self.quiet == 0 {
                    self.undecided_place.get_or_insert(place);
                }
                self.undecided += open;
                let then = self.read_way(then);
                let otherwise = otherwise.as_ref().map(|otherwise| self.read_way(otherwise));
                self.undecided -= open;
                self.out.push(Stmt::If(condition, then, otherwise.unwrap_or_default()));
            }
            StmtKind::For { label, init, condition, step, body } => {
                self.frames.push(super::meaning::Frame::default());
                if let Some(init) = init {
                    self.statement(init);
                }
                let head = super::control::Head {
                    label: label.as_deref(),
                    condition: condition.as_ref(),
                    step: step.as_ref(),
                    test_last: false,
                };
                self.read_loop(&head, body, place);
                self.frames.pop();
            }
            StmtKind::While { label, condition, body, test_last } => {
                let head = super::control::Head {
                    label: label.as_deref(),
                    condition: Some(condition),
                    step: None,
                    test_last: *test_last,
                };
                self.read_loop(&head, body, place);
            }
            StmtKind::Switch { subject, cases } => self.switch(subject, cases, place),
            StmtKind::Return(value) => {
                if let (Some(value), Some(result)) = (value, self.result.clone()) {
                    let operand = self.operand(value);
                    self.store(Operand::Place(result), operand, place);
                }
                self.out.push(Stmt::Return);
            }
            StmtKind::Break => self.out.push(Stmt::Break),
            StmtKind::Continue => self.out.push(Stmt::Continue),
            StmtKind::Pragma(pragma) => self.function_pragma(pragma),
            StmtKind::Unknown(reason) => self.unknown(place, reason.clone()),
            StmtKind::UnreadLoop(reason) => {
                self.unknown(place, reason.clone());
                self.function.is_incomplete |= self.quiet == 0;
            }
        }
    }

    /// One way of a condition: it is a block, whether braces are around it or not.
    fn read_way(&mut self, way: &ast::Stmt) -> Vec<Stmt> {
        self.collect(|reader| {
            reader.frames.push(super::meaning::Frame::default());
            reader.statement(way);
            reader.frames.pop();
        })
    }

    fn declare_local(&mut self, variable: &Variable) {
        let place = variable.place;
        let by_reference = matches!(variable.ty, Type::Reference(_));
        let mut ty = self.settle_type(&variable.ty);
        let init = variable.init.as_ref();
        // What `auto` has its type from is read once.
        let mut ready = None;
        if matches!(&ty, Ty::Unknown(text) if text == "auto")
            && let Some(init) = init
        {
            let operand = self.operand(init);
            ty = operand.ty();
            match operand {
                Operand::Place(lvalue)
                    if by_reference || matches!(ty, Ty::Pointer(_) | Ty::Array(..)) =>
                {
                    let lvalue = if by_reference { lvalue } else { lvalue.into_pointer() };
                    self.name_place(variable, by_reference, lvalue);
                    return;
                }
                operand => ready = Some(operand),
            }
        }
        // A task runs its function with the other arguments.
        if matches!(&ty, Ty::Unknown(text) if text == "hls::task")
            && let Some(ExprKind::Construct(_, arguments)) = init.map(|init| &init.kind)
            && let [function, others @ ..] = arguments.as_slice()
        {
            self.call(function, others, place);
            return;
        }
        let ty = Self::complete(&ty, init);
        if (by_reference || matches!(ty, Ty::Pointer(_)))
            && let Some(init) = init
            && let Operand::Place(lvalue) = self.operand(init)
        {
            let is_pointer = matches!(ty, Ty::Pointer(_));
            let lvalue = if is_pointer { lvalue.into_pointer() } else { lvalue };
            self.name_place(variable, by_reference, lvalue);
            return;
        }
        let keeps = variable.is_const || self.changed.keeps(&variable.name);
        if let (true, Ty::Scalar(scalar), Some(init)) = (keeps, &ty, init)
            && let Some((value, _)) = self.number(init)
        {
            let value = crate::constants::wrap(value, *scalar);
            self.name(&variable.name, Meaning::Number(value, *scalar));
            return;
        }
        let shape = Shape { is_static: variable.is_static, ..Shape::default() };
        let slot = self.declare(&variable.name, &ty, shape, place);
        let lvalue = LValue { slot, index: Vec::new(), offset: None, ty: ty.clone() };
        self.name(&variable.name, Meaning::Place(lvalue.clone()));
        let Some(init) = init else {
            self.construct_default(&lvalue, variable.is_static, place);
            return;
        };
        // What a static scalar is set to holds for the first call alone.
        if variable.is_static && matches!(ty, Ty::Scalar(_)) {
            return;
        }
        if matches!(ty, Ty::Stream(_))
            || matches!(&ty, Ty::Array(item, _) if matches!(**item, Ty::Stream(_)))
        {
            return;
        }
        if let (super::meaning::Slot::Leaf(id), Ty::Array(..), true) =
            (&lvalue.slot, &ty, variable.is_const || variable.is_static)
        {
            let object = self.objects[*id].clone();
            let values = self.table(init, &object);
            let own = &mut self.objects[*id];
            *(if variable.is_const { &mut own.table } else { &mut own.initial }) = values;
            return;
        }
        if let (super::meaning::Slot::Leaf(id), Ty::Array(..)) = (&lvalue.slot, &ty)
            && self.is_zero_list(init)
        {
            let object = self.objects[*id].clone();
            if self.clear(&lvalue, &object, place) {
                return;
            }
        }
        if let (super::meaning::Slot::Leaf(id), Ty::Array(..), ExprKind::List(_)) =
            (&lvalue.slot, &ty, &init.kind)
        {
            let object = self.objects[*id].clone();
            let values = self.table(init, &object);
            self.objects[*id].first_values.clone_from(&values);
            if let Some(values) = values
                && self.fill_from_table(&lvalue, *id, &ty, values, place)
            {
                return;
            }
        }
        match ready {
            Some(operand) => {
                self.store(Operand::Place(lvalue), operand, place);
            }
            None => self.store_first(lvalue, &ty, init, place),
        }
    }

    /// Gives a variable its first value.
    fn store_first(&mut self, lvalue: LValue, ty: &Ty, init: &ast::Expr, place: Place) {
        if let ExprKind::Construct(written, arguments) = &init.kind {
            let written = self.settle_type(written);
            let written = if matches!(written, Ty::Unknown(_)) { ty.clone() } else { written };
            match self.construct(&written, arguments, place) {
                Operand::Nothing => {}
                operand => {
                    self.store(Operand::Place(lvalue), operand, place);
                }
            }
        } else {
            let operand = self.operand(init);
            self.store(Operand::Place(lvalue), operand, place);
        }
    }

    /// Names a place that is there already.
    fn name_place(&mut self, variable: &Variable, by_reference: bool, lvalue: LValue) {
        let (name, place) = (&variable.name, variable.place);
        let lvalue = if by_reference {
            self.refer(name, lvalue, place)
        } else {
            self.declare_pointer(name, lvalue, place)
        };
        self.name(name, Meaning::Place(lvalue));
    }

    /// `{}` or `{0}`.
    fn is_zero_list(&mut self, init: &ast::Expr) -> bool {
        let ExprKind::List(items) = &init.kind else { return false };
        match items.as_slice() {
            [] => true,
            [only] => {
                self.is_zero_list(only)
                    || self.number(only).is_some_and(|(value, _)| value.is_zero())
            }
            _ => false,
        }
    }

    fn switch(&mut self, subject: &ast::Expr, cases: &[Case], place: Place) {
        let value = self.value(subject);
        let ty = value.ty();
        let subject = self.temporary(ty, place);
        let access = Access { object: subject, index: Vec::new(), place };
        self.out.push(Stmt::Set(access.clone(), value));
        let mut otherwise: Vec<Stmt> = Vec::new();
        let mut arms: Vec<(Expr, Vec<Stmt>)> = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            let body = self.collect(|reader| {
                for case in &cases[at..] {
                    let ends = case.body.iter().position(|one| matches!(one.kind, StmtKind::Break));
                    reader.statements(&case.body[..ends.unwrap_or(case.body.len())]);
                    if ends.is_some() || ends_in_return(&case.body) {
                        break;
                    }
                }
            });
            let mut condition: Option<Expr> = None;
            for label in &case.labels {
                let Some(label) = label else {
                    otherwise.clone_from(&body);
                    continue;
                };
                let label = cast(self.value(label), ty, place);
                let read = Expr::Read(Box::new(access.clone()), ty);
                let test = binary(Binary::Equal, read, label, Scalar::BOOL, place);
                condition = Some(match condition {
                    Some(before) => binary(Binary::Or, before, test, Scalar::BOOL, place),
                    None => test,
                });
            }
            if let Some(condition) = condition {
                arms.push((condition, body));
            }
        }
        for (condition, body) in arms.into_iter().rev() {
            otherwise = vec![Stmt::If(condition, body, otherwise)];
        }
        self.out.extend(otherwise);
    }
}

fn ends_in_return(body: &[ast::Stmt]) -> bool {
    body.iter().any(|one| match &one.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(inner) => {
            inner.iter().any(|one| matches!(one.kind, StmtKind::Break | StmtKind::Return(_)))
        }
        _ => false,
    })
}

fn reads_stream(value: &Expr) -> bool {
    value.any(&mut |part| matches!(part, Expr::Pop(..)))
}

/// Whether a condition asks for something that cannot be read, such as a template argument.
fn is_open(condition: &Expr) -> bool {
    condition.any(&mut |part| matches!(part, Expr::Unknown(_)))
}
