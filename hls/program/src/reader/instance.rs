//! A function with its template arguments, read once.

use super::Reader;
use super::changed::Changed;
use super::expression::Operand;
use super::meaning::{Frame, LValue, Meaning, Ty};
use super::moved::MovedPointers;
use super::slot::Shape;
use crate::ir::{Function, ObjectKind, Stmt};
use crate::stack::{NESTING, with_stack};
use derate_syntax::ast::{self, Type};
use std::rc::Rc;

impl Reader {
    /// The number of a function with these template arguments; it is read at the first call.
    pub(crate) fn instantiate(
        &mut self,
        function: &Rc<ast::Function>,
        frame: Frame,
        this: Option<&LValue>,
    ) -> Option<usize> {
        let key = format!("{}@{:?}{}", function.name, Rc::as_ptr(function), frame.key());
        if let Some(id) = self.known.get(&key) {
            return Some(*id);
        }
        if self.functions.len() >= super::FUNCTIONS || self.nesting >= NESTING {
            return None;
        }
        let id = self.functions.len();
        self.functions.push(None);
        self.known.insert(key, id);
        // What belongs to the caller is put aside.
        let saved = (
            std::mem::take(&mut self.objects),
            std::mem::take(&mut self.frames),
            std::mem::take(&mut self.out),
            std::mem::take(&mut self.function),
            self.result.take(),
            self.this.take(),
            std::mem::take(&mut self.moved),
            std::mem::take(&mut self.changed),
            std::mem::replace(&mut self.depth, 0),
            std::mem::replace(&mut self.quiet, 0),
        );
        self.frames.push(frame);
        self.nesting += 1;
        let this = this.map(|this| this.ty.clone());
        let read = with_stack(|| self.read_function(function, this));
        self.nesting -= 1;
        self.functions[id] = Some(read);
        (
            self.objects,
            self.frames,
            self.out,
            self.function,
            self.result,
            self.this,
            self.moved,
            self.changed,
            self.depth,
            self.quiet,
        ) = saved;
        Some(id)
    }

    fn read_function(&mut self, function: &ast::Function, this: Option<Ty>) -> Function {
        self.function =
            Function { name: function.name.clone(), place: function.place, ..Function::default() };
        let body = function.body.as_deref().unwrap_or_default();
        self.moved = MovedPointers::of(body);
        self.changed = Changed::of_body(body, &self.names);
        let mut parameters = Vec::new();
        if let Some(ty) = this {
            let slot = self.declare("this", &ty, Shape::default(), function.place);
            parameters.extend(slot.leaves().into_iter().map(|leaf| (leaf, false)));
            self.this = Some(LValue { slot, index: Vec::new(), offset: None, ty });
        }
        for parameter in &function.parameters {
            let ty = self.settle_type(&parameter.ty);
            let slot = self.declare(&parameter.name, &ty, Shape::default(), parameter.place);
            let by_value =
                matches!(ty, Ty::Scalar(_)) && !matches!(parameter.ty, Type::Reference(_));
            parameters.extend(slot.leaves().into_iter().map(|leaf| (leaf, by_value)));
            let lvalue = LValue { slot, index: Vec::new(), offset: None, ty };
            let lvalue = match parameter.ty {
                Type::Reference(_) => self.refer(&parameter.name, lvalue, parameter.place),
                _ => self.declare_pointer(&parameter.name, lvalue, parameter.place),
            };
            self.name(&parameter.name, Meaning::Place(lvalue));
        }
        let result = self.settle_type(&function.result);
        if !matches!(result, Ty::Void) {
            let slot = self.declare("return", &result, Shape::default(), function.place);
            match &result {
                Ty::Scalar(_) => self.function.result = slot.leaves().first().copied(),
                _ => parameters.extend(slot.leaves().into_iter().map(|leaf| (leaf, false))),
            }
            self.result = Some(LValue { slot, index: Vec::new(), offset: None, ty: result });
        }
        for (member, values) in &function.initialisers {
            if let Some(this) = self.this.clone()
                && let Some(target) = this.member(member)
                && let Some(first) = values.first()
            {
                let value = self.operand(first);
                self.store(Operand::Place(target), value, function.place);
            }
        }
        let first = self.functions.len() == 1;
        if first {
            for pragma in std::mem::take(&mut self.unit_pragmas) {
                self.function_pragma(&pragma);
            }
        }
        self.frames.push(Frame::default());
        if let Some(body) = &function.body {
            self.statements(body);
        }
        self.frames.pop();
        let mut read = std::mem::take(&mut self.function);
        read.body = std::mem::take(&mut self.out);
        if matches!(read.body.last(), Some(Stmt::Return)) {
            read.body.pop();
        }
        read.objects = std::mem::take(&mut self.objects);
        read.parameters = parameters.iter().map(|parameter| parameter.0).collect();
        read.by_value = parameters.iter().map(|parameter| parameter.1).collect();
        debug_assert!(
            read.objects
                .iter()
                .all(|object| { object.kind != ObjectKind::Scalar || object.dims.is_empty() })
        );
        read
    }
}
