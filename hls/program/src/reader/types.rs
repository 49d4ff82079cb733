//! Types as they are written, settled.

use super::Reader;
use super::meaning::{Frame, Meaning, StructTy, Ty};
use crate::ir::Scalar;
use derate_syntax::ast::{Alias, ExprKind, Path, Piece, Structure, TemplateArgument, Type};
use std::rc::Rc;

/// The fundamental types and those of `<stdint.h>`.
fn builtin(name: &str) -> Option<Ty> {
    let int = |bits, signed| Some(Ty::Scalar(Scalar::Int { bits, signed }));
    let words: Vec<&str> = name.split_whitespace().collect();
    let unsigned = words.contains(&"unsigned");
    let long = words.iter().filter(|word| **word == "long").count();
    match name {
        "void" => return Some(Ty::Void),
        "float" => return Some(Ty::Scalar(Scalar::Float)),
        "double" | "long double" => return Some(Ty::Scalar(Scalar::Double)),
        "half" | "_Float16" | "__fp16" => return Some(Ty::Scalar(Scalar::Half)),
        "bool" | "_Bool" => return Some(Ty::Scalar(Scalar::BOOL)),
        "size_t" | "uintptr_t" | "ulong" => return int(64, false),
        "ssize_t" | "ptrdiff_t" | "intptr_t" => return int(64, true),
        "uint" => return int(32, false),
        "ushort" => return int(16, false),
        "uchar" => return int(8, false),
        _ => {}
    }
    if let Some(rest) = name.strip_suffix("_t") {
        // BSD has `u_int16_t`.
        let unsigned = rest.strip_prefix("u_").or_else(|| rest.strip_prefix('u'));
        let (rest, signed) = unsigned.map_or((rest, true), |rest| (rest, false));
        let digits = rest
            .strip_prefix("int")
            .map(|rest| rest.trim_start_matches("_fast").trim_start_matches("_least"));
        if let Some(bits @ (8 | 16 | 32 | 64)) = digits.and_then(|digits| digits.parse().ok()) {
            return int(bits, signed);
        }
    }
    let known = ["char", "short", "int", "long", "signed", "unsigned"];
    if words.is_empty() || !words.iter().all(|word| known.contains(word)) {
        return None;
    }
    let bits = if words.contains(&"char") {
        8
    } else if words.contains(&"short") {
        16
    } else if long > 0 {
        64
    } else {
        32
    };
    int(bits, !unsigned)
}

impl Reader {
    pub(crate) fn settle_type(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Void => Ty::Void,
            Type::Builtin(name) => builtin(name).unwrap_or_else(|| Ty::Unknown((*name).to_owned())),
            Type::Pointer(inner) => Ty::Pointer(Rc::new(self.settle_type(inner))),
            Type::Reference(inner) => self.settle_type(inner),
            Type::Array(inner, length) => {
                let item = Rc::new(self.settle_type(inner));
                let length = length.as_ref().and_then(|length| self.constant(length)).unwrap_or(0);
                Ty::Array(item, u64::try_from(length).unwrap_or(0))
            }
            Type::Name(path) => self.settle_path(path),
            Type::Decltype(expr) => {
                let operand = self.quietly(|reader| reader.operand(expr));
                operand.ty()
            }
            Type::Auto => Ty::Unknown("auto".to_owned()),
            Type::Unknown(text) => Ty::Unknown(text.clone()),
        }
    }

    fn settle_path(&mut self, path: &Path) -> Ty {
        if self.depth > 150 {
            return Ty::Unknown(path_name(path));
        }
        self.depth += 1;
        let ty = self.settle_path_here(path);
        self.depth -= 1;
        ty
    }

    fn settle_path_here(&mut self, path: &Path) -> Ty {
        let Some(last) = path.pieces.last() else { return Ty::Unknown(String::new()) };
        if let Some(ty) = self.trait_type(path) {
            return ty;
        }
        let full = path_name(path);
        if let ([owner @ .., _], "value_type") = (path.pieces.as_slice(), last.name.as_str())
            && let Ty::Array(item, _) | Ty::Vector(item, _) | Ty::Stream(item) =
                self.settle_path(&Path { pieces: owner.to_vec() })
        {
            return (*item).clone();
        }
        let owner = match self.settle_owner(path) {
            Ok(owner) => owner,
            Err(reason) => return Ty::Unknown(reason),
        };
        if let Some(Meaning::Type(ty)) = owner.as_ref().and_then(|one| one.frame.get(&last.name)) {
            return ty.clone();
        }
        for owner in owner.iter().flat_map(StructTy::lineage) {
            let name = format!("{}::{}", owner.name, last.name);
            if let Some(alias) = self.names.alias_of(&name) {
                return self.within(owner.frame.clone(), |reader| {
                    reader.settle_alias(&alias, last.arguments.as_deref())
                });
            }
            if self.names.declares_structure(&name)
                && let Some(ty) = self.within(owner.frame.clone(), |reader| {
                    reader.settle_template(&name, last.arguments.as_deref())
                })
            {
                return ty;
            }
        }
        match self.meaning(&last.name) {
            Some(Meaning::Type(ty)) => return ty,
            Some(Meaning::Unknown) => return Ty::Unknown(full),
            _ => {}
        }
        if let Some(ty) = self.vendor_type(last) {
            return ty;
        }
        if owner.is_some() {
            return Ty::Unknown(full);
        }
        if let Some(alias) = self.names.alias(&full) {
            return self.settle_alias(&alias, last.arguments.as_deref());
        }
        if path.pieces.len() > 1 && last.name == "value_type" {
            return Ty::Unknown(full);
        }
        if let Some(ty) = self.settle_template(&full, last.arguments.as_deref()) {
            return ty;
        }
        builtin(&last.name).unwrap_or(Ty::Unknown(full))
    }

    /// The struct that the last piece of a name is a member of. `Err` where it is a template whose arguments do not
    /// say which.
    pub(super) fn settle_owner(&mut self, path: &Path) -> Result<Option<Rc<StructTy>>, String> {
        let [owner @ .., _] = path.pieces.as_slice() else { return Ok(None) };
        let Some(last) = owner.last() else { return Ok(None) };
        match self.settle_path(&Path { pieces: owner.to_vec() }) {
            Ty::Struct(structure) => Ok(Some(structure)),
            Ty::Unknown(reason) if last.arguments.is_some() => Err(reason),
            _ => Ok(None),
        }
    }

    fn settle_alias(&mut self, alias: &Alias, arguments: Option<&[TemplateArgument]>) -> Ty {
        let frame = self.template_frame(&alias.template, arguments);
        // One that is another name for itself, as `using word = lib::word` without `lib`, has no end.
        let around = self.frames.last().map(Frame::key).unwrap_or_default();
        let key = format!("using {}{around}{}", alias.name, frame.key());
        if !self.settling.insert(key.clone()) {
            return Ty::Unknown(alias.name.clone());
        }
        let ty = self.within(frame, |reader| reader.settle_type(&alias.target));
        self.settling.remove(&key);
        ty
    }

    /// A struct, or the specialisation of a class template that fits the arguments.
    fn settle_template(
        &mut self,
        name: &str,
        arguments: Option<&[TemplateArgument]>,
    ) -> Option<Ty> {
        match self.choose_structure(name, arguments)? {
            Ok((structure, frame)) => Some(self.settle_structure(&structure, frame)),
            Err(reason) => Some(Ty::Unknown(reason)),
        }
    }

    fn settle_structure(&mut self, structure: &Rc<Structure>, frame: Frame) -> Ty {
        if self.depth > 60 {
            return Ty::Unknown(structure.name.clone());
        }
        let key = format!("{}{}", structure.scope, frame.key());
        if let Some(known) = self.structures.get(&key) {
            return Ty::Struct(Rc::clone(known));
        }
        if !self.settling.insert(key.clone()) {
            return Ty::Unknown(structure.name.clone());
        }
        self.depth += 1;
        let mut inherited = Frame::default();
        let mut bases = Vec::new();
        let (fields, own) = self.within_frame(frame, |reader| {
            let mut fields = Vec::new();
            for base in &structure.bases {
                if let Ty::Struct(base) = reader.settle_type(base) {
                    fields.extend(base.fields.iter().cloned());
                    inherited.extend(&base.frame);
                    reader.inherit(&base.frame);
                    bases.push(base);
                }
            }
            reader.settle_members(structure);
            for member in &structure.members {
                let ty = reader.settle_type(&member.ty);
                fields.push((member.name.clone(), ty));
            }
            if structure.is_union {
                fields.sort_by_key(|field| std::cmp::Reverse(field.1.bits()));
            }
            fields
        });
        self.depth -= 1;
        self.settling.remove(&key);
        // Methods of a base see what the base was given.
        inherited.extend(&own);
        let frame = inherited;
        let settled = Rc::new(StructTy { name: structure.scope.clone(), fields, frame, bases });
        self.structures.insert(key, Rc::clone(&settled));
        Ty::Struct(settled)
    }

    /// The types of the vendor's headers.
    fn vendor_type(&mut self, piece: &Piece) -> Option<Ty> {
        let arguments = piece.arguments.as_deref().unwrap_or_default();
        let number = |reader: &mut Self, at: usize| -> Option<i128> {
            match arguments.get(at)? {
                TemplateArgument::Value(expr) => reader.constant(expr),
                TemplateArgument::Type(_) => None,
            }
        };
        let width = |value: Option<i128>| value.and_then(|value| u16::try_from(value).ok());
        match piece.name.as_str() {
            "ap_int" | "ap_uint" => {
                let signed = piece.name == "ap_int";
                Some(match width(number(self, 0)) {
                    Some(bits) => Ty::Scalar(Scalar::Int { bits, signed }),
                    None => Ty::Unknown(format!("{} of unknown width", piece.name)),
                })
            }
            "ap_fixed" | "ap_ufixed" => {
                let signed = piece.name == "ap_fixed";
                let integer = number(self, 1).and_then(|value| i16::try_from(value).ok());
                Some(match (width(number(self, 0)), integer) {
                    (Some(bits), Some(integer)) => {
                        Ty::Scalar(Scalar::Fixed { bits, integer, signed })
                    }
                    _ => Ty::Unknown(format!("{} of unknown width", piece.name)),
                })
            }
            "ap_axis" | "ap_axiu" | "qdma_axis" => {
                let bits = width(number(self, 0)).unwrap_or(32);
                let signed = piece.name == "ap_axis";
                let int = |bits| Ty::Scalar(Scalar::Int { bits, signed: false });
                let fields = vec![
                    ("data".to_owned(), Ty::Scalar(Scalar::Int { bits, signed })),
                    ("keep".to_owned(), int(bits.div_ceil(8))),
                    ("strb".to_owned(), int(bits.div_ceil(8))),
                    ("user".to_owned(), int(1)),
                    ("last".to_owned(), int(1)),
                    ("id".to_owned(), int(1)),
                    ("dest".to_owned(), int(1)),
                ];
                Some(vendor_struct(&piece.name, fields))
            }
            // A word of any type with its side channels.
            "axis" | "axis_data" | "axis_user" if piece.arguments.is_some() => {
                let data = self.argument_type(arguments.first()?);
                let bytes = u16::try_from(data.bytes().min(1024)).unwrap_or(1).max(1);
                let int = |bits| Ty::Scalar(Scalar::Int { bits, signed: false });
                let fields = vec![
                    ("data".to_owned(), data),
                    ("keep".to_owned(), int(bytes)),
                    ("strb".to_owned(), int(bytes)),
                    ("user".to_owned(), int(1)),
                    ("last".to_owned(), int(1)),
                    ("id".to_owned(), int(1)),
                    ("dest".to_owned(), int(1)),
                ];
                Some(vendor_struct(&piece.name, fields))
            }
            // A plain port with its handshake.
            "ap_none" | "ap_vld" | "ap_hs" | "ap_ovld" | "ap_ack" if piece.arguments.is_some() => {
                Some(self.argument_type(arguments.first()?))
            }
            "stream" | "stream_of_blocks" if piece.arguments.is_some() => {
                let item = self.argument_type(arguments.first()?);
                Some(Ty::Stream(Rc::new(item)))
            }
            "vector" if arguments.len() == 2 => {
                let item = self.argument_type(&arguments[0]);
                let lanes = number(self, 1).and_then(|value| u64::try_from(value).ok());
                Some(Ty::Vector(Rc::new(item), lanes.unwrap_or(0)))
            }
            "array" if arguments.len() == 2 => {
                let item = self.argument_type(&arguments[0]);
                let length = number(self, 1).and_then(|value| u64::try_from(value).ok());
                let length = length.unwrap_or(0);
                // That of hls4ml is a word of a stream, that of the standard library a memory.
                Some(if self.names.declares_structure("nnet::array") {
                    Ty::Vector(Rc::new(item), length)
                } else {
                    Ty::Array(Rc::new(item), length)
                })
            }
            // A shift register: a word goes in as another comes out.
            "ap_shift_reg" if arguments.len() == 2 => Some(self.argument_type(&arguments[0])),
            "burst_maxi" => Some(Ty::Pointer(Rc::new(self.argument_type(arguments.first()?)))),
            "complex" if piece.arguments.is_some() => {
                let item = self.argument_type(arguments.first()?);
                let fields = vec![("re".to_owned(), item.clone()), ("im".to_owned(), item)];
                Some(vendor_struct("complex", fields))
            }
            "half" => Some(Ty::Scalar(Scalar::Half)),
            name => {
                let (rest, signed) =
                    name.strip_prefix('u').map_or((name, true), |rest| (rest, false));
                let bits: u16 = rest.strip_prefix("int")?.parse().ok()?;
                (self.names.alias(name).is_none() && (1..=1024).contains(&bits))
                    .then_some(Ty::Scalar(Scalar::Int { bits, signed }))
            }
        }
    }

    pub(crate) fn argument_type(&mut self, argument: &TemplateArgument) -> Ty {
        match argument {
            TemplateArgument::Type(ty) => self.settle_type(ty),
            TemplateArgument::Value(expr) => match &expr.kind {
                ExprKind::Name(path) => self.settle_path(path),
                _ => Ty::Unknown("a value where a type is needed".to_owned()),
            },
        }
    }

    /// What an argument of a template is: a number if it can be one, else a type.
    pub(crate) fn argument_meaning(
        &mut self,
        argument: &TemplateArgument,
        is_type: bool,
    ) -> Meaning {
        if let (TemplateArgument::Value(expr), false) = (argument, is_type) {
            return match self.number(expr) {
                Some((value, ty)) => Meaning::Number(value, ty),
                None => Meaning::Unknown,
            };
        }
        Meaning::Type(self.argument_type(argument))
    }
}

/// A struct of the vendor's headers.
fn vendor_struct(name: &str, fields: Vec<(String, Ty)>) -> Ty {
    let (name, frame, bases) = (name.to_owned(), Frame::default(), Vec::new());
    Ty::Struct(Rc::new(StructTy { name, fields, frame, bases }))
}

/// A qualified name without template arguments.
pub(crate) fn path_name(path: &Path) -> String {
    let names: Vec<&str> = path.pieces.iter().map(|piece| piece.name.as_str()).collect();
    names.join("::")
}
