//! Calls: which function, with which template arguments, and what its parameters are.

use super::Reader;
use super::arithmetic::cast;
use super::expression::Operand;
use super::meaning::{Frame, LValue, Meaning, StructTy, Ty};
use super::slot::Shape;
use super::template::deduce;
use super::types::path_name;
use crate::ir::{Access, Argument, Call, Expr, Place, Scalar, Stmt};
use derate_syntax::ast::{self, ExprKind, Piece, TemplateArgument, TemplateParameter, Type};
use std::rc::Rc;

/// The namespaces of the tools and of the language.
pub(super) const LIBRARIES: [&str; 3] = ["hls::", "std::", "tapa::"];

impl Reader {
    pub(crate) fn call(
        &mut self,
        callee: &ast::Expr,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        match &callee.kind {
            ExprKind::Name(path) => self.call_named(path, arguments, place),
            ExprKind::Member { object, member, .. } => {
                let object = self.operand(object);
                self.call_method(object, member, arguments, place)
            }
            _ => {
                let object = self.operand(callee);
                self.range_of(object, arguments, place)
            }
        }
    }

    fn call_named(&mut self, path: &ast::Path, arguments: &[ast::Expr], place: Place) -> Operand {
        let name = path_name(path);
        let Some(last) = path.pieces.last() else { return Operand::Nothing };
        if path.pieces.len() == 1
            && last.arguments.is_none()
            && let Some(variable) = self.find_called_variable(&name)
        {
            if let Ty::Struct(structure) = variable.ty() {
                let method = format!("{}::operator()", structure.name);
                if !self.names.functions(&method).is_empty() {
                    let piece = Piece { name: "operator()".to_owned(), arguments: None };
                    return self.call_method(variable, &piece, arguments, place);
                }
            }
            return self.range_of(variable, arguments, place);
        }
        // A member function of the class around.
        if path.pieces.len() == 1
            && let Some(this) = self.this.clone()
            && let Ty::Struct(structure) = &this.ty
        {
            let method = format!("{}::{}", structure.name, last.name);
            if self.names.functions(&method).iter().any(|function| function.body.is_some()) {
                return self.call_method(Operand::Place(this.clone()), last, arguments, place);
            }
        }
        if let [.., owner, _] = path.pieces.as_slice()
            && owner.name == "numeric_limits"
            && let Some(value) = self.limit(owner, &last.name)
        {
            return Operand::Value(value);
        }
        // A static function of a class.
        if let Ok(Some(owner)) = self.settle_owner(path) {
            let this = self.this.clone();
            for class in owner.lineage() {
                let candidates = self.names.functions_of(&format!("{}::{}", class.name, last.name));
                let candidates = candidates.to_vec();
                let explicit = last.arguments.as_deref();
                let Some(function) = self.choose(&candidates, explicit, arguments) else {
                    continue;
                };
                // A function of a base, of the object that we are in.
                let this = this.filter(|this| !function.is_static && is_of(&this.ty, &class));
                let class = this.is_none().then_some(&class.frame);
                return self.call_within(
                    &function,
                    explicit,
                    (this.as_ref(), class),
                    arguments,
                    place,
                );
            }
        }
        let candidates = self.names.functions(&name).to_vec();
        let explicit = last.arguments.as_deref();
        let chosen = self.choose(&candidates, explicit, arguments);
        let special =
            |one: &&Rc<ast::Function>| !self.names.special_functions(&one.name).is_empty();
        if let Some(function) = chosen.or_else(|| candidates.iter().find(special).cloned()) {
            if let Some((value, ty)) = self.fold_call(&function, explicit, arguments) {
                return Operand::Value(Expr::Constant(value, ty));
            }
            return self.call_function(&function, explicit, None, arguments, place);
        }
        // What prints in a simulation, and what keeps accesses in order, is no operation.
        if matches!(name.as_str(), "hls::print" | "hls::fence") {
            return Operand::Nothing;
        }
        if let Some(found) =
            self.library_call((&last.name, path.pieces.len() > 1), arguments, place)
        {
            return found;
        }
        let ty = self.settle_type(&Type::Name(path.clone()));
        if !matches!(ty, Ty::Unknown(_)) {
            return self.construct(&ty, arguments, place);
        }
        let operands: Vec<Operand> =
            arguments.iter().map(|argument| self.operand(argument)).collect();
        self.note_missing(&name, &operands, place)
    }

    /// A variable that is called, which gives some of its bits or has an `operator()`.
    fn find_called_variable(&mut self, name: &str) -> Option<Operand> {
        let mut meaning = self.meaning(name);
        if meaning.is_none() && self.names.functions(name).is_empty() {
            meaning = self.global(name);
        }
        match meaning? {
            Meaning::Place(lvalue) if !matches!(lvalue.ty, Ty::Unknown(_) | Ty::Void) => {
                Some(Operand::Place(lvalue))
            }
            Meaning::Number(value, ty) => Some(Operand::Value(Expr::Constant(value, ty))),
            _ => None,
        }
    }

    /// Notes a call of a function of which there is only the name; one of a library knows no global of the project.
    fn note_missing(&mut self, name: &str, operands: &[Operand], place: Place) -> Operand {
        self.function.lends_globals |=
            self.quiet == 0 && !LIBRARIES.iter().any(|own| name.starts_with(own));
        self.note_open_call(format!("the function `{name}` has no body here"), operands, place)
    }

    /// Notes a call whose body is not known, for a reason. It may write what it gets.
    pub(super) fn note_open_call(
        &mut self,
        reason: String,
        operands: &[Operand],
        place: Place,
    ) -> Operand {
        self.unknown(place, reason);
        if self.quiet == 0 {
            self.function.is_incomplete = true;
            for operand in operands {
                if let Operand::Place(place) = operand {
                    self.function.lent.extend(place.slot.leaves());
                }
            }
        }
        Operand::Value(Expr::Unknown(Scalar::INT))
    }

    pub(super) fn call_function(
        &mut self,
        function: &Rc<ast::Function>,
        explicit: Option<&[TemplateArgument]>,
        this: Option<&LValue>,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        self.call_within(function, explicit, (this, None), arguments, place)
    }

    /// A call of a function of an object, or of a class whose template arguments are given.
    fn call_within(
        &mut self,
        function: &Rc<ast::Function>,
        explicit: Option<&[TemplateArgument]>,
        (this, class): (Option<&LValue>, Option<&Frame>),
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        let operands: Vec<Operand> =
            arguments.iter().map(|argument| self.operand(argument)).collect();
        let mut frame = class.cloned().unwrap_or_default();
        if let Some(LValue { ty: Ty::Struct(structure), .. }) = this {
            frame.extend(&structure.frame);
        }
        // The parameters of the class come first; those of the function are given or deduced.
        let own: Vec<TemplateParameter> = function
            .template
            .iter()
            .filter(|parameter| frame.get(&parameter.name).is_none())
            .cloned()
            .collect();
        let given = self.template_frame(&own, explicit);
        for (parameter, operand) in function.parameters.iter().zip(&operands) {
            let ty = operand.ty();
            deduce(&parameter.ty, &ty, &own, &mut frame);
        }
        let explicit_names = explicit.map_or(0, <[_]>::len);
        for (at, parameter) in own.iter().enumerate() {
            let deduced = frame.get(&parameter.name).is_some();
            if (at < explicit_names || !deduced)
                && let Some(meaning) = given.get(&parameter.name)
            {
                frame.set(&parameter.name, meaning.clone());
                frame.set_head(&parameter.name, given.head(&parameter.name).cloned());
            }
        }
        let mut function = Rc::clone(function);
        match self.choose_function(&function, &frame) {
            Ok(Some((special, own))) => (function, frame) = (special, own),
            Ok(None) if function.body.is_none() => {
                return self.note_missing(&function.name, &operands, place);
            }
            Ok(None) => {}
            Err(()) => {
                let name = &function.name;
                let reason = format!("which specialisation of `{name}` is called is not decided");
                self.unknown(place, reason);
            }
        }
        let function = &function;
        if let Some((name, is_stream)) = self.find_misfit(function, &operands, &frame) {
            let given = if is_stream { "is a stream and gets an object" } else { "gets a stream" };
            let reason = format!(
                "`{name}` of `{}` {given}: which conversion is meant is not read",
                function.name
            );
            return self.note_open_call(reason, &operands, place);
        }
        let Some(id) = self.instantiate(function, frame.clone(), this) else {
            self.unknown(place, format!("the function `{}` is not read", function.name));
            return Operand::Value(Expr::Unknown(Scalar::INT));
        };
        let mut passed = Vec::new();
        if let Some(this) = this {
            passed.extend(this.accesses(place).into_iter().map(Argument::Object));
        }
        for (at, parameter) in function.parameters.iter().enumerate() {
            let ty = self.within(frame.clone(), |reader| reader.settle_type(&parameter.ty));
            let operand = match operands.get(at) {
                Some(operand) => operand.clone(),
                None => match &parameter.init {
                    Some(init) => self.within(frame.clone(), |reader| reader.operand(init)),
                    None => Operand::Nothing,
                },
            };
            self.pass(&parameter.ty, &ty, operand, &mut passed, place);
        }
        let result = self.within(frame, |reader| reader.settle_type(&function.result));
        let mut operand = Operand::Nothing;
        let mut scalar = None;
        match &result {
            Ty::Void => {}
            Ty::Scalar(ty) => {
                let temporary = self.temporary(*ty, place);
                scalar = Some(temporary);
                let access = Access { object: temporary, index: Vec::new(), place };
                operand = Operand::Value(Expr::Read(Box::new(access), *ty));
            }
            ty => {
                let slot = self.declare("_result", ty, Shape::default(), place);
                let lvalue = LValue { slot, index: Vec::new(), offset: None, ty: ty.clone() };
                passed.extend(lvalue.accesses(place).into_iter().map(Argument::Object));
                operand = Operand::Place(lvalue);
            }
        }
        let call = Call { function: id, arguments: passed, result: scalar, place };
        self.out.push(Stmt::Call(Box::new(call)));
        operand
    }

    /// A parameter that is a stream and gets an object of a class, which may have an operator that gives a stream, or that is not one
    /// and gets one; and whether it is one.
    fn find_misfit<'f>(
        &mut self,
        function: &'f ast::Function,
        operands: &[Operand],
        frame: &Frame,
    ) -> Option<(&'f str, bool)> {
        let mut pairs = function.parameters.iter().zip(operands);
        let found = pairs.find(|(parameter, operand)| {
            let given = operand.ty();
            if !matches!(given, Ty::Struct(_) | Ty::Stream(_)) {
                return false;
            }
            let ty = self.within(frame.clone(), |reader| {
                reader.quietly(|reader| reader.settle_type(&parameter.ty))
            });
            match given {
                Ty::Struct(_) => matches!(ty, Ty::Stream(_)),
                _ => match ty {
                    // A pointer to a stream.
                    Ty::Array(element, _) | Ty::Pointer(element) => {
                        matches!(*element, Ty::Scalar(_) | Ty::Struct(_) | Ty::Vector(..))
                    }
                    ty => matches!(ty, Ty::Scalar(_) | Ty::Struct(_)),
                },
            }
        });
        found.map(|(parameter, operand)| {
            (parameter.name.as_str(), matches!(operand.ty(), Ty::Struct(_)))
        })
    }

    fn pass(
        &mut self,
        written: &Type,
        ty: &Ty,
        operand: Operand,
        passed: &mut Vec<Argument>,
        place: Place,
    ) {
        let by_value = !matches!(written, Type::Reference(_));
        match (ty, operand) {
            (Ty::Scalar(to), operand) if by_value => {
                let value = self.value_of(operand, place);
                passed.push(Argument::Value(cast(value, *to, place)));
            }
            (_, Operand::Place(lvalue)) => {
                passed.extend(lvalue.accesses(place).into_iter().map(Argument::Object));
            }
            (ty, operand) => {
                let slot = self.declare("_argument", ty, Shape::default(), place);
                let lvalue = LValue { slot, index: Vec::new(), offset: None, ty: ty.clone() };
                self.store(Operand::Place(lvalue.clone()), operand, place);
                passed.extend(lvalue.accesses(place).into_iter().map(Argument::Object));
            }
        }
    }
}

/// Whether an object is of a class, or of one that is derived from it.
fn is_of(ty: &Ty, class: &Rc<StructTy>) -> bool {
    let Ty::Struct(own) = ty else { return false };
    own.lineage().iter().any(|one| Rc::ptr_eq(one, class))
}
