//! Loops: the counter, its bounds and its step.

use super::Reader;
use super::arithmetic::binary;
use super::expression::Operand;
use super::meaning::Frame;
use super::meaning::Ty;
use super::once::{runs_once, writes};
use super::slot::constant;
use crate::ir::{Access, Binary, Expr, Loop, Number, ObjectId, Place, Scalar, Stmt};
use derate_syntax::ast::{self, BinaryOp, ExprKind, StmtKind};

/// What is written before a loop's body.
pub(crate) struct Head<'a> {
    pub(crate) label: Option<&'a str>,
    pub(crate) condition: Option<&'a ast::Expr>,
    pub(crate) step: Option<&'a ast::Expr>,
    pub(crate) test_last: bool,
}

/// How a counter changes.
enum Change {
    By(i128),
    To(Expr),
}

impl Reader {
    pub(crate) fn read_loop(&mut self, head: &Head<'_>, body: &ast::Stmt, place: Place) {
        let number = self.function.loops;
        self.function.loops += 1;
        let label = head.label.map_or_else(|| self.name_loop(place), str::to_owned);
        let mut inner: Vec<ast::Stmt> = match &body.kind {
            StmtKind::Block(inner) => inner.clone(),
            StmtKind::Empty => Vec::new(),
            _ => vec![body.clone()],
        };
        let (mut found, head_step) = self.counter_of(head, &mut inner);
        let start = found.as_ref().map(|found| found.object).map_or(
            constant(Number::Int(0), Scalar::INT),
            |object| {
                let access = Access { object, index: Vec::new(), place };
                Expr::Read(Box::new(access), self.object(object).ty)
            },
        );
        let first = found.as_ref().and_then(|found| last_number(found.object, &self.out));
        self.frames.push(Frame::default());
        let mut pragmas = Vec::new();
        let mut condition = None;
        let outer = std::mem::take(&mut self.out);
        if found.is_none() && !head.test_last {
            // The test is run at the start of each iteration.
            condition = head.condition.map(|test| {
                let value = self.value(test);
                Self::truth(value, place)
            });
        }
        for statement in &inner {
            match &statement.kind {
                StmtKind::Pragma(pragma) => {
                    if let Some(directive) = self.loop_pragma(pragma) {
                        pragmas.push(directive);
                    }
                }
                _ => self.statement(statement),
            }
        }
        if found.is_none() {
            if let Some(step) = head_step {
                self.operand(step);
            }
            if head.test_last {
                condition = head.condition.map(|test| {
                    let value = self.value(test);
                    Self::truth(value, place)
                });
            }
        }
        let mut body = std::mem::replace(&mut self.out, outer);
        self.frames.pop();
        if let Some(kept) =
            found.take_if(|kept| writes(&body, kept.object) || reads_written(&kept.end, &body))
        {
            condition = Some(self.release_counter(kept, &mut body, place));
        }
        let leaves = contains_break(&body);
        if let (None, Some(test), []) = (&found, &condition, pragmas.as_slice())
            && !leaves
            && runs_once(test, head.test_last, &self.out, &body)
        {
            self.out.append(&mut body);
            return;
        }
        let (counter, end, step, next) = match found {
            Some(found) => match found.change {
                Change::By(step) => (Some(found.object), Some(found.end), step, None),
                Change::To(next) => (Some(found.object), Some(found.end), 0, Some(next)),
            },
            None => (None, None, 0, None),
        };
        self.out.push(Stmt::Loop(Box::new(Loop {
            label,
            is_copy: false,
            labelled: head.label.is_some(),
            counter,
            start,
            first,
            end,
            step,
            next,
            condition,
            test_last: head.test_last,
            body,
            leaves,
            pragmas,
            number,
            place,
        })));
    }

    /// The tool's name of a loop without a label: its line, and which of such loops of the function it is.
    fn name_loop(&mut self, place: Place) -> String {
        self.function.unlabelled += 1;
        format!("VITIS_LOOP_{}_{}", place.line, self.function.unlabelled)
    }

    /// The test of a loop whose body changes the counter or its end; the step ends the body.
    fn release_counter(&self, kept: Counter, body: &mut Vec<Stmt>, place: Place) -> Expr {
        let access = Access { object: kept.object, index: Vec::new(), place };
        let ty = self.object(kept.object).ty;
        let read = Expr::Read(Box::new(access.clone()), ty);
        let next = match kept.change {
            Change::By(step) => {
                binary(Binary::Add, read, constant(Number::Int(step), ty), ty, place)
            }
            Change::To(next) => next,
        };
        body.push(Stmt::Set(access, next));
        kept.test
    }

    /// The counter of a loop, its step taken from the head, or from the end of the body: `while (i < n) { ...; i++; }`.
    fn counter_of<'h>(
        &mut self,
        head: &Head<'h>,
        inner: &mut Vec<ast::Stmt>,
    ) -> (Option<Counter>, Option<&'h ast::Expr>) {
        if let Some(ast::Expr { kind: ExprKind::Comma(steps), .. }) = head.step {
            return (self.counter_among(head.condition, steps, inner), head.step);
        }
        let found = self.counter(head.condition, head.step);
        if found.is_some() || head.step.is_some() {
            return (found, head.step);
        }
        let trailing = match inner.last() {
            Some(ast::Stmt { kind: StmtKind::Expr(expr), .. }) => expr.clone(),
            _ => return (None, None),
        };
        let found = self.counter(head.condition, Some(&trailing));
        if found.is_some() {
            inner.pop();
        }
        (found, None)
    }

    /// The counter of `for (...; i < n; i++, j += 2)`: the other steps end the body.
    fn counter_among(
        &mut self,
        condition: Option<&ast::Expr>,
        steps: &[ast::Expr],
        inner: &mut Vec<ast::Stmt>,
    ) -> Option<Counter> {
        let mut found = steps.iter().enumerate();
        let (at, found) =
            found.find_map(|(at, step)| Some((at, self.counter(condition, Some(step))?)))?;
        let others = steps.iter().enumerate().filter(|(other, _)| *other != at);
        inner.extend(
            others.map(|(_, step)| ast::Stmt {
                kind: StmtKind::Expr(step.clone()),
                place: step.place,
            }),
        );
        Some(found)
    }

    /// The counter of a loop whose end and step are plain.
    fn counter(
        &mut self,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
    ) -> Option<Counter> {
        let (counter, change) = self.change(step?)?;
        let ExprKind::Binary(op, left, right) = &condition?.kind else { return None };
        let place = condition?.place;
        let is_counter = |reader: &mut Self, side: &ast::Expr| reader.scalar(side) == Some(counter);
        let (op, bound) = if is_counter(self, left) {
            (*op, right)
        } else if is_counter(self, right) {
            let turned = match op {
                BinaryOp::Less => BinaryOp::Greater,
                BinaryOp::LessEqual => BinaryOp::GreaterEqual,
                BinaryOp::Greater => BinaryOp::Less,
                BinaryOp::GreaterEqual => BinaryOp::LessEqual,
                other => *other,
            };
            (turned, left)
        } else {
            return None;
        };
        let test = self.quietly(|reader| condition.map(|condition| reader.value(condition)));
        let bound = self.value(bound);
        let one = |value: i128| constant(Number::Int(value), Scalar::INT);
        let ty = bound.ty();
        let end = match op {
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::NotEqual => bound,
            BinaryOp::LessEqual => binary(Binary::Add, bound, one(1), ty, place),
            BinaryOp::GreaterEqual => {
                let signed = Scalar::Int { bits: 64, signed: true };
                binary(Binary::Sub, bound, one(1), signed, place)
            }
            _ => return None,
        };
        let down = matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual);
        match change {
            Change::By(step) if op != BinaryOp::NotEqual && (step < 0) != down => None,
            _ => Some(Counter { object: counter, end, change, test: test? }),
        }
    }

    /// The plain scalar that an expression names.
    fn scalar(&mut self, expr: &ast::Expr) -> Option<ObjectId> {
        let expr = match &expr.kind {
            ExprKind::Cast(_, inner) => inner,
            _ => converted_object(expr).unwrap_or(expr),
        };
        if !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Member { .. }) {
            return None;
        }
        let operand = self.quietly(|reader| reader.operand(expr));
        match operand {
            Operand::Place(lvalue)
                if matches!(lvalue.ty, Ty::Scalar(_)) && lvalue.index.is_empty() =>
            {
                lvalue.access(expr.place).map(|access| access.object)
            }
            _ => None,
        }
    }

    fn change(&mut self, step: &ast::Expr) -> Option<(ObjectId, Change)> {
        match &step.kind {
            ExprKind::Step { target, down, .. } => {
                let counter = self.scalar(target)?;
                Some((counter, Change::By(if *down { -1 } else { 1 })))
            }
            ExprKind::Assign(Some(op), target, by) => {
                let counter = self.scalar(target)?;
                let number = self.constant(by);
                match (op, number) {
                    (BinaryOp::Add, Some(by)) if by != 0 => Some((counter, Change::By(by))),
                    (BinaryOp::Sub, Some(by)) if by != 0 => Some((counter, Change::By(-by))),
                    (_, Some(_)) => {
                        let next = self.quietly(|reader| {
                            let left = reader.value(target);
                            let right = reader.value(by);
                            Self::apply(*op, left, right, step.place)
                        });
                        Some((counter, Change::To(next)))
                    }
                    _ => None,
                }
            }
            ExprKind::Assign(None, target, value) => {
                let counter = self.scalar(target)?;
                let ExprKind::Binary(op, left, by) = &value.kind else { return None };
                if self.scalar(left) != Some(counter) {
                    return None;
                }
                let by_number = self.constant(by)?;
                match op {
                    BinaryOp::Add if by_number != 0 => Some((counter, Change::By(by_number))),
                    BinaryOp::Sub if by_number != 0 => Some((counter, Change::By(-by_number))),
                    BinaryOp::Add | BinaryOp::Sub => None,
                    _ => {
                        let next = self.quietly(|reader| reader.value(value));
                        Some((counter, Change::To(next)))
                    }
                }
            }
            _ => None,
        }
    }
}

/// The number that the statements at the end set an object to: `i = 0, sum = 0`.
fn last_number(object: ObjectId, statements: &[Stmt]) -> Option<i128> {
    let mut sets = statements.iter().rev().map_while(|statement| match statement {
        Stmt::Set(target, value) => Some((target, value)),
        _ => None,
    });
    match sets.find(|(target, _)| target.object == object)? {
        (_, Expr::Constant(Number::Int(value), _)) => Some(*value),
        _ => None,
    }
}

/// The object of `x.to_int()`.
fn converted_object(expr: &ast::Expr) -> Option<&ast::Expr> {
    let ExprKind::Call(callee, arguments) = &expr.kind else { return None };
    let ExprKind::Member { object, member, .. } = &callee.kind else { return None };
    let converts = ["to_int", "to_uint", "to_long", "to_int64", "to_uint64"];
    (arguments.is_empty() && converts.contains(&member.name.as_str())).then_some(object)
}

struct Counter {
    object: ObjectId,
    end: Expr,
    change: Change,
    test: Expr,
}

/// Whether an expression reads a scalar that statements write.
fn reads_written(expr: &Expr, body: &[Stmt]) -> bool {
    expr.any(&mut |part| match part {
        Expr::Read(access, _) => access.index.is_empty() && writes(body, access.object),
        _ => false,
    })
}

/// Whether statements may leave the loop around them.
fn contains_break(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Break => true,
        Stmt::If(_, then, otherwise) => contains_break(then) || contains_break(otherwise),
        other => other.any(&mut |inner| matches!(inner, Stmt::Return)),
    })
}

#[cfg(test)]
mod tests {
    use crate::ir::Stmt;
    use crate::read_program;
    use derate_syntax::{SourceFile, read_unit};

    fn list_labels(body: &[Stmt], all: &mut Vec<String>) {
        for statement in body {
            if let Stmt::Loop(one) = statement {
                all.push(one.label.clone());
                list_labels(&one.body, all);
            }
        }
    }

    /// The form of the names in reports of Vitis HLS 2020.2 and later.
    #[test]
    fn the_name_of_a_loop_counts_loops_without_a_label() {
        let text = "void f(int a[4][4][4]) {\nROWS:\nfor (int i = 0; i < 4; i++)\nfor (int j = 0; j < 4; j++) {\n\
                    LAST:\nfor (int k = 0; k < 4; k++) a[i][j][k] = 0;\n\
                    for (int k = 0; k < 4; k++) a[i][j][k] += k; } }";
        let source = SourceFile { path: "a.cpp".into(), text: text.into() };
        let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
        let program = read_program(&unit, "f").unwrap();
        let mut labels = Vec::new();
        list_labels(&program.functions[0].body, &mut labels);
        assert_eq!(labels, ["ROWS", "VITIS_LOOP_4_1", "LAST", "VITIS_LOOP_7_2"]);
    }
}
