//! Which specialisation of a template fits: that of the arguments, else the only pattern, else the template itself.

use super::Reader;
use super::given::Given;
use super::meaning::{Frame, Meaning};
use super::pattern::all_fit;
use super::scope::last;
use derate_syntax::ast::{
    self, ExprKind, Path, Structure, TemplateArgument, TemplateParameter, Type,
};
use std::rc::Rc;

/// Aliases are followed this far.
const STEPS: usize = 20;

/// A struct and what its template parameters are, or why that is not decided.
pub(super) type Chosen = Result<(Rc<Structure>, Frame), String>;

impl Reader {
    /// The struct that a name means with template arguments; `None` if there is none of that name.
    pub(super) fn choose_structure(
        &mut self,
        name: &str,
        arguments: Option<&[TemplateArgument]>,
    ) -> Option<Chosen> {
        let primary = self.names.structure(name);
        let name = primary.as_ref().map_or(name, |primary| &primary.name).to_owned();
        let name = name.as_str();
        let special = self.names.special_structures(name).to_vec();
        let parameters = primary.as_ref().map_or(&[][..], |primary| &primary.template);
        let (frame, mut given) = self.template_arguments(parameters, arguments);
        let Some(arguments) = arguments.filter(|_| !special.is_empty()) else {
            return primary.map(|primary| Ok((primary, frame)));
        };
        if primary.is_none() {
            // Without the template only the arguments themselves say whether they are types.
            given = arguments.iter().map(|one| self.give_either(one)).collect();
        }
        let mut patterns = Vec::new();
        let mut doubt = arguments.len() > given.len();
        for special in special {
            let mut own = Frame::default();
            let list = (special.specialised.as_slice(), special.template.as_slice());
            let mut fit = self.fit_list(list, &given, &mut own);
            let mut words = special.scope.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.any(|word| matches!(word, "const" | "volatile")) && fit == Some(true) {
                fit = None;
            }
            match fit {
                Some(true) if special.template.is_empty() => return Some(Ok((special, own))),
                Some(true) => patterns.push((special, own)),
                Some(false) => {}
                None => doubt = true,
            }
        }
        Some(match (doubt, patterns.len(), primary) {
            (true, ..) => Err(format!("{name}, of which no specialisation is sure to fit")),
            (_, 0, Some(primary)) => Ok((primary, frame)),
            (_, 0, None) => Err(format!("{name}, of which no specialisation fits")),
            (_, 1, _) => Ok(patterns.remove(0)),
            _ => Err(format!("{name}, of which several specialisations fit")),
        })
    }

    fn give_either(&mut self, argument: &TemplateArgument) -> Given {
        let meaning = match self.argument_meaning(argument, false) {
            Meaning::Unknown => self.argument_meaning(argument, true),
            meaning => meaning,
        };
        Given { meaning, head: self.argument_head(argument) }
    }

    fn fit_list(
        &mut self,
        (wanted, parameters): (&[TemplateArgument], &[TemplateParameter]),
        given: &[Given],
        frame: &mut Frame,
    ) -> Option<bool> {
        if wanted.len() != given.len() {
            return None;
        }
        let mut parts = Vec::new();
        for (pattern, given) in wanted.iter().zip(given) {
            parts.push(self.fit_argument(pattern, given, parameters, frame));
        }
        all_fit(parts)
    }

    /// The specialisation of a function that fits its template parameters. `Err` where that is not decided.
    pub(super) fn choose_function(
        &mut self,
        function: &Rc<ast::Function>,
        frame: &Frame,
    ) -> Result<Option<(Rc<ast::Function>, Frame)>, ()> {
        let special = self.names.special_functions(&function.name).to_vec();
        let given: Vec<Given> = function
            .template
            .iter()
            .map(|parameter| Given {
                meaning: frame.get(&parameter.name).cloned().unwrap_or(Meaning::Unknown),
                head: frame.head(&parameter.name).cloned(),
            })
            .collect();
        let mut doubt = false;
        for special in special {
            if special.body.is_none() || special.parameters.len() != function.parameters.len() {
                continue;
            }
            let mut own = frame.clone();
            for parameter in &special.template {
                own.remove(&parameter.name);
            }
            let list = (special.specialised.as_slice(), special.template.as_slice());
            match self.fit_list(list, &given, &mut own) {
                Some(true) => return Ok(Some((special, own))),
                Some(false) => {}
                None => doubt = true,
            }
        }
        if doubt { Err(()) } else { Ok(None) }
    }

    /// How the type of an argument is spelt.
    pub(super) fn argument_head(&mut self, argument: &TemplateArgument) -> Option<String> {
        match argument {
            TemplateArgument::Type(ty) => self.type_head(ty),
            TemplateArgument::Value(expr) => match &expr.kind {
                ExprKind::Name(path) => self.path_head(path, 0),
                _ => None,
            },
        }
    }

    pub(super) fn type_head(&mut self, ty: &Type) -> Option<String> {
        match ty {
            Type::Builtin(name) => head_of_builtin(name),
            Type::Name(path) => self.path_head(path, 0),
            _ => None,
        }
    }

    fn path_head(&mut self, path: &Path, steps: usize) -> Option<String> {
        let name = &path.pieces.last()?.name;
        if let [piece] = path.pieces.as_slice() {
            if let Some(frame) = self.frames.iter().rev().find(|frame| frame.get(name).is_some()) {
                return frame.head(name).cloned();
            }
            if name.starts_with("ap_") {
                let arguments = piece.arguments.as_deref()?;
                let more = arguments.get(2..).unwrap_or_default().iter();
                let more: Option<Vec<String>> = more.map(super::template::argument_name).collect();
                return Some([vec![name.clone()], more?].concat().join(" "));
            }
        } else if let Some(owner) = self.quietly(|reader| reader.settle_owner(path)).ok()? {
            return owner.frame.head(name).cloned();
        }
        if let Some(alias) = self.names.alias(&super::types::path_name(path)) {
            return match &alias.target {
                _ if steps > STEPS || !alias.template.is_empty() => None,
                Type::Name(path) => self.path_head(path, steps + 1),
                Type::Builtin(name) => head_of_builtin(name),
                _ => None,
            };
        }
        head_of_builtin(last(name))
    }
}

/// One word for each fundamental type, whatever its spelling.
fn head_of_builtin(name: &str) -> Option<String> {
    let fixed = match name {
        "int8_t" => "signed char",
        "uint8_t" | "uchar" => "unsigned char",
        "int16_t" => "short",
        "uint16_t" | "ushort" => "unsigned short",
        "int32_t" => "int",
        "uint32_t" | "uint" => "unsigned int",
        "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" => "long",
        "uint64_t" | "size_t" | "uintptr_t" | "ulong" => "unsigned long",
        _ => "",
    };
    let name = if fixed.is_empty() { name } else { fixed };
    let words: Vec<&str> = name.split_whitespace().collect();
    let known =
        ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "bool", "half"];
    if words.is_empty() || !words.iter().all(|word| known.contains(word)) {
        return None;
    }
    let has = |word: &str| words.contains(&word);
    let size = match words.iter().filter(|word| **word == "long").count() {
        _ if has("float") || has("double") || has("bool") || has("half") => {
            return Some(words.join(" "));
        }
        0 if has("char") => "char",
        0 if has("short") => "short",
        0 => "int",
        1 => "long",
        _ => "long long",
    };
    let sign = match (has("unsigned"), has("signed") && size == "char") {
        (true, _) => "unsigned ",
        (_, true) => "signed ",
        _ => "",
    };
    Some(format!("{sign}{size}"))
}
