//! Calls: which function, with which template arguments, and what its parameters are.

use super::Reader;
use super::expression::{Operand, cast};
use super::meaning::LValue;
use super::meaning::Ty;
use super::meaning::{Frame, Meaning};
use super::slot::{Shape, constant};
use super::types::path_name;
use crate::ir::{Access, Argument, Call, Expr, Function, Number, ObjectKind, Place, Scalar, Stmt};
use derate_syntax::ast::{
    self, BinaryOp, ExprKind, Piece, TemplateArgument, TemplateParameter, Type,
};
use std::rc::Rc;

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

    /// `x(high, low)`: some bits of a number.
    fn range_of(&mut self, object: Operand, arguments: &[ast::Expr], place: Place) -> Operand {
        let value = self.value_of(object, place);
        let width = match arguments {
            [high, low] => match (self.constant(high), self.constant(low)) {
                (Some(high), Some(low)) => u16::try_from((high - low).abs() + 1).unwrap_or(1),
                _ => value.ty().bits(),
            },
            _ => value.ty().bits(),
        };
        let low = arguments.last().map(|low| self.value(low));
        let ty = value.ty();
        let shifted = match low {
            Some(low) => {
                super::expression::binary(crate::ir::Binary::ShiftRight, value, low, ty, place)
            }
            None => value,
        };
        Operand::Value(cast(shifted, Scalar::Int { bits: width.max(1), signed: false }, place))
    }

    fn call_named(&mut self, path: &ast::Path, arguments: &[ast::Expr], place: Place) -> Operand {
        let name = path_name(path);
        let Some(last) = path.pieces.last() else { return Operand::Nothing };
        if path.pieces.len() == 1
            && let Some(Meaning::Place(lvalue)) = self.meaning(&name)
        {
            if let Ty::Struct(structure) = &lvalue.ty {
                let method = format!("{}::operator()", structure.name);
                if !self.names.functions(&method).is_empty() {
                    let piece = Piece { name: "operator()".to_owned(), arguments: None };
                    return self.call_method(Operand::Place(lvalue), &piece, arguments, place);
                }
            }
            return self.range_of(Operand::Place(lvalue), arguments, place);
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
        let candidates = self.names.functions(&name).to_vec();
        if let Some(function) = Self::choose(&candidates, arguments.len()) {
            return self.call_function(
                &function,
                last.arguments.as_deref(),
                None,
                arguments,
                place,
            );
        }
        if let Some(found) = self.library_call(&last.name, arguments, place) {
            return found;
        }
        let ty = self.settle_type(&Type::Name(path.clone()));
        if !matches!(ty, Ty::Unknown(_)) {
            return self.construct(&ty, arguments, place);
        }
        self.unknown(place, format!("the function `{name}` has no body here"));
        for argument in arguments {
            self.operand(argument);
        }
        Operand::Value(Expr::Unknown(Scalar::INT))
    }

    fn choose(candidates: &[Rc<ast::Function>], count: usize) -> Option<Rc<ast::Function>> {
        let fits = |function: &&Rc<ast::Function>| {
            let least =
                function.parameters.iter().filter(|parameter| parameter.init.is_none()).count();
            function.body.is_some() && (least..=function.parameters.len()).contains(&count)
        };
        candidates
            .iter()
            .find(fits)
            .or_else(|| candidates.iter().find(|function| function.body.is_some()))
            .cloned()
    }

    /// `T(a, b)`: a conversion or a constructor.
    pub(crate) fn construct(&mut self, ty: &Ty, arguments: &[ast::Expr], place: Place) -> Operand {
        match ty {
            Ty::Scalar(to) => match arguments {
                [] => Operand::Value(constant(Number::Int(0), *to)),
                [first, ..] => {
                    let operand = self.operand(first);
                    self.cast_operand(operand, &Ty::Scalar(*to), place)
                }
            },
            Ty::Struct(structure) => {
                let short = structure.name.rsplit("::").next().unwrap_or_default();
                let name = format!("{}::{short}", structure.name);
                let candidates = self.names.functions(&name).to_vec();
                let slot = self.declare("_object", ty, Shape::default(), place);
                let lvalue = LValue { slot, index: Vec::new(), offset: None, ty: ty.clone() };
                match Self::choose(&candidates, arguments.len()) {
                    Some(function) if !arguments.is_empty() || !function.parameters.is_empty() => {
                        let this = Some(&lvalue);
                        self.call_function(&function, None, this, arguments, place);
                    }
                    _ => {
                        let list = Operand::List(arguments.to_vec());
                        if !arguments.is_empty() {
                            self.store(Operand::Place(lvalue.clone()), list, place);
                        }
                    }
                }
                Operand::Place(lvalue)
            }
            Ty::Vector(..) | Ty::Array(..) => match arguments {
                [] => Operand::Nothing,
                [only] => self.operand(only),
                many => Operand::List(many.to_vec()),
            },
            _ => Operand::Nothing,
        }
    }

    /// An operator that a class defines.
    pub(crate) fn overloaded(
        &mut self,
        op: BinaryOp,
        left: &Operand,
        right: &Operand,
        place: Place,
    ) -> Option<Operand> {
        let of_struct = |operand: &Operand| match operand {
            Operand::Place(LValue { ty: Ty::Struct(structure), .. }) => Some(Rc::clone(structure)),
            _ => None,
        };
        let structure = of_struct(left).or_else(|| of_struct(right))?;
        let sign = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Less => "<",
            BinaryOp::Greater => ">",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            _ => "",
        };
        let reason = format!("the operator `{sign}` of `{}` is not read", structure.name);
        self.unknown(place, reason);
        Some(Operand::Value(Expr::Unknown(Scalar::INT)))
    }

    fn call_method(
        &mut self,
        object: Operand,
        member: &Piece,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        let ty = object.ty();
        let lvalue = match &object {
            Operand::Place(lvalue) => Some(lvalue.clone()),
            _ => None,
        };
        if let (Ty::Struct(structure), Some(lvalue)) = (&ty, &lvalue) {
            let name = format!("{}::{}", structure.name, member.name);
            let candidates = self.names.functions(&name).to_vec();
            if let Some(function) = Self::choose(&candidates, arguments.len()) {
                let explicit = member.arguments.as_deref();
                return self.call_function(&function, explicit, Some(lvalue), arguments, place);
            }
        }
        if let (Ty::Stream(_), Some(lvalue)) = (&ty, &lvalue) {
            return self.stream_method(lvalue, &member.name, arguments, place);
        }
        match member.name.as_str() {
            "range" => self.range_of(object, arguments, place),
            "bit" | "test" | "get_bit" => {
                let index = arguments.first().map(|index| self.value(index));
                let value = self.value_of(object, place);
                match index {
                    Some(index) => self.subscript(Operand::Value(value), index, place),
                    None => Operand::Value(value),
                }
            }
            "to_int" | "to_long" | "to_int64" | "to_uint" | "to_uint64" | "to_short"
            | "to_char" => {
                let bits =
                    if member.name.ends_with("64") || member.name == "to_long" { 64 } else { 32 };
                let signed = !member.name.contains("uint");
                let value = self.value_of(object, place);
                Operand::Value(cast(value, Scalar::Int { bits, signed }, place))
            }
            "to_double" => {
                let value = self.value_of(object, place);
                Operand::Value(cast(value, Scalar::Double, place))
            }
            "to_float" => {
                let value = self.value_of(object, place);
                Operand::Value(cast(value, Scalar::Float, place))
            }
            "length" | "size" => {
                let bits = i128::from(ty.bits());
                Operand::Value(constant(Number::Int(bits), Scalar::INT))
            }
            "real" | "imag" if lvalue.is_some() => {
                let field = if member.name == "real" { "re" } else { "im" };
                let lvalue = lvalue.unwrap_or_else(|| unreachable!("checked above"));
                self.member(lvalue, field, place)
            }
            "or_reduce" | "and_reduce" | "xor_reduce" => {
                let value = self.value_of(object, place);
                Operand::Value(Self::truth(value, place))
            }
            _ => {
                self.unknown(place, format!("the method `{}` is not known", member.name));
                Operand::Value(Expr::Unknown(Scalar::INT))
            }
        }
    }

    fn stream_method(
        &mut self,
        stream: &LValue,
        method: &str,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        match (method, arguments) {
            ("read" | "read_nb", _) => {
                let Ty::Stream(item) = &stream.ty else { return Operand::Nothing };
                let slot = self.declare("_read", item, Shape::default(), place);
                let local = LValue { slot, index: Vec::new(), offset: None, ty: (**item).clone() };
                self.copy(&local, stream, place);
                if let [target] = arguments {
                    let target = self.operand(target);
                    self.store(target, Operand::Place(local.clone()), place);
                    if method == "read_nb" {
                        return Operand::Value(Expr::Unknown(Scalar::BOOL));
                    }
                }
                Operand::Place(local)
            }
            ("write" | "write_nb", [value]) => {
                let value = self.operand(value);
                self.store(Operand::Place(stream.clone()), value, place);
                Operand::Value(constant(Number::Int(1), Scalar::BOOL))
            }
            ("empty" | "full", _) => Operand::Value(Expr::Unknown(Scalar::BOOL)),
            _ => Operand::Value(Expr::Unknown(Scalar::INT)),
        }
    }

    /// What the template parameters are: given, deduced, or by default.
    pub(crate) fn template_frame(
        &mut self,
        parameters: &[TemplateParameter],
        arguments: Option<&[TemplateArgument]>,
    ) -> Frame {
        let mut frame = Frame::default();
        for (at, parameter) in parameters.iter().enumerate() {
            let argument = arguments.and_then(|arguments| arguments.get(at)).cloned();
            let meaning = match (argument, &parameter.default) {
                (Some(argument), _) => self.argument_meaning(&argument, parameter.is_type),
                (None, Some(default)) => {
                    let default = default.clone();
                    let before = frame.clone();
                    let is_type = parameter.is_type;
                    self.within(before, |reader| reader.argument_meaning(&default, is_type))
                }
                (None, None) => continue,
            };
            frame.set(&parameter.name, meaning);
        }
        frame
    }

    fn call_function(
        &mut self,
        function: &Rc<ast::Function>,
        explicit: Option<&[TemplateArgument]>,
        this: Option<&LValue>,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        let operands: Vec<Operand> =
            arguments.iter().map(|argument| self.operand(argument)).collect();
        let mut frame = Frame::default();
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
            }
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
        if self.functions.len() >= super::FUNCTIONS || self.depth > 100 {
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
            std::mem::replace(&mut self.depth, 0),
            std::mem::replace(&mut self.quiet, 0),
        );
        self.frames.push(frame);
        let read = self.read_function(function, this.map(|this| this.ty.clone()));
        self.functions[id] = Some(read);
        (
            self.objects,
            self.frames,
            self.out,
            self.function,
            self.result,
            self.this,
            self.depth,
            self.quiet,
        ) = saved;
        Some(id)
    }

    fn read_function(&mut self, function: &ast::Function, this: Option<Ty>) -> Function {
        self.function =
            Function { name: function.name.clone(), place: function.place, ..Function::default() };
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

/// Template parameters from the type of an argument.
fn deduce(written: &Type, ty: &Ty, parameters: &[TemplateParameter], frame: &mut Frame) {
    let is_parameter = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    match (written, ty) {
        (Type::Reference(inner), _) => deduce(inner, ty, parameters, frame),
        (Type::Pointer(inner), Ty::Pointer(item) | Ty::Array(item, _)) => {
            deduce(inner, item, parameters, frame);
        }
        (Type::Array(inner, length), Ty::Array(item, count)) => {
            if let Some(ExprKind::Name(path)) = length.as_ref().map(|length| &length.kind)
                && is_parameter(&path_name(path))
            {
                let meaning = Meaning::Number(Number::Int(i128::from(*count)), Scalar::INT);
                frame.set(&path_name(path), meaning);
            }
            deduce(inner, item, parameters, frame);
        }
        (Type::Array(inner, _), Ty::Pointer(item)) => deduce(inner, item, parameters, frame),
        (Type::Name(path), _) => {
            let name = path_name(path);
            if is_parameter(&name) {
                if frame.get(&name).is_none() {
                    frame.set(&name, Meaning::Type(ty.clone()));
                }
                return;
            }
            let Some(arguments) = path.pieces.last().and_then(|piece| piece.arguments.as_ref())
            else {
                return;
            };
            let number = |value: u16| Meaning::Number(Number::Int(i128::from(value)), Scalar::INT);
            let first = arguments.first().and_then(argument_name).filter(|name| is_parameter(name));
            let second = arguments.get(1).and_then(argument_name).filter(|name| is_parameter(name));
            match ty {
                Ty::Stream(item) | Ty::Vector(item, _) => {
                    if let Some(first) = first {
                        frame.set(&first, Meaning::Type((**item).clone()));
                    } else if let Some(TemplateArgument::Type(inner)) = arguments.first() {
                        deduce(inner, item, parameters, frame);
                    } else if let Some(TemplateArgument::Value(expr)) = arguments.first()
                        && let ExprKind::Name(path) = &expr.kind
                    {
                        deduce(&Type::Name(path.clone()), item, parameters, frame);
                    }
                    if let (Some(second), Ty::Vector(_, lanes)) = (second, ty) {
                        let lanes = i128::from(*lanes);
                        frame.set(&second, Meaning::Number(Number::Int(lanes), Scalar::INT));
                    }
                }
                Ty::Scalar(Scalar::Int { bits, .. }) => {
                    if let Some(first) = first {
                        frame.set(&first, number(*bits));
                    }
                }
                Ty::Scalar(Scalar::Fixed { bits, integer, .. }) => {
                    if let Some(first) = first {
                        frame.set(&first, number(*bits));
                    }
                    if let Some(second) = second {
                        let integer = i128::from(*integer);
                        frame.set(&second, Meaning::Number(Number::Int(integer), Scalar::INT));
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn argument_name(argument: &TemplateArgument) -> Option<String> {
    match argument {
        TemplateArgument::Value(expr) => match &expr.kind {
            ExprKind::Name(path) => Some(path_name(path)),
            _ => None,
        },
        TemplateArgument::Type(Type::Name(path)) => Some(path_name(path)),
        TemplateArgument::Type(_) => None,
    }
}
