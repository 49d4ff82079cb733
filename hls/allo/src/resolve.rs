//! An annotation to its element type and extents, as far as the text says.

use super::dtype::{Class, Named, build_type, read_dtype};
use super::expression::{Argument, Expression, Kind};
use super::program::{Binding, Meaning, Program};
use derate_frontend::{HlsType, Hop, StreamForm};
use derate_source::{Settled, Sources, Span};

/// The types' module.
const TYPES: &str = "allo.ir.types";
/// How long and how deep a resolution may go.
const FUEL: usize = 5_000;
const DEPTH: usize = 48;

/// What an annotation says.
pub(super) struct Annotated {
    pub(super) element: HlsType,
    /// Extents, outermost first, with the scope that they are read in.
    pub(super) dims: Vec<Expression>,
    /// The part that names the element.
    pub(super) spelling: Span,
}

/// One resolution over a text.
pub(super) struct Resolver<'a> {
    program: &'a Program,
    sources: &'a Sources,
    file: crate::FileId,
    pub(super) hops: Vec<Hop>,
    /// The places of the type arguments that were put in.
    pub(super) instances: Vec<Span>,
    fuel: usize,
    depth: usize,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(program: &'a Program, sources: &'a Sources, file: crate::FileId) -> Self {
        let (hops, instances) = (Vec::new(), Vec::new());
        Self { program, sources, file, hops, instances, fuel: FUEL, depth: 0 }
    }

    fn text_of(&self, expression: &Expression) -> &'a str {
        self.sources.slice(self.span_of(expression))
    }

    fn span_of(&self, expression: &Expression) -> Span {
        Span { file: self.file, start: expression.start, end: expression.end }
    }

    fn line_of(&self, span: Span) -> usize {
        self.sources.position(span).line
    }

    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Settled<T>) -> Settled<T> {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 || self.depth == DEPTH {
            return Err("its names lead too far, or in a circle".into());
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    /// The element, its extents, and where the element is spelt.
    pub(super) fn resolve_annotated(
        &mut self,
        expression: &Expression,
        scope: usize,
    ) -> Settled<Annotated> {
        self.deeper(|own| match &expression.kind {
            // `@ Layout(...)`, `@ Memory(...)`, `@ Stateful` give the place in memory, not the type.
            Kind::Binary(mark, inner, _) if mark == "@" => own.resolve_annotated(inner, scope),
            Kind::Index(base, items) if own.class_of(base, scope).is_none() => {
                let mut inner = own.resolve_annotated(base, scope)?;
                inner.dims.extend(items.iter().cloned());
                Ok(inner)
            }
            _ => Ok(Annotated {
                element: own.resolve_type(expression, scope)?,
                dims: Vec::new(),
                spelling: own.span_of(expression),
            }),
        })
    }

    /// A type without extents.
    pub(super) fn resolve_type(
        &mut self,
        expression: &Expression,
        scope: usize,
    ) -> Settled<HlsType> {
        self.deeper(|own| match &expression.kind {
            Kind::Name(name) => own.resolve_name(name, scope),
            Kind::Index(base, items) => {
                match (own.class_of(base, scope), items.first()) {
                    (Some(Named::Stream), Some(item)) => {
                        // A stream may carry blocks: `Stream[int8[4, 4], 2]`.
                        let inner = own.resolve_annotated(item, scope)?;
                        Ok(HlsType::Stream {
                            form: StreamForm::Hls,
                            element: Box::new(inner.element),
                        })
                    }
                    (Some(Named::Wrapper), Some(item)) => own.resolve_type(item, scope),
                    _ => Err(format!("`{}` is not a type of one element", own.text_of(expression))
                        .into()),
                }
            }
            Kind::Call(base, arguments) => own.resolve_call(expression, base, arguments, scope),
            _ => {
                Err(format!("`{}` is not a type that can be read", own.text_of(expression)).into())
            }
        })
    }

    /// Whether an expression names a class of Allo's types.
    fn class_of(&self, base: &Expression, scope: usize) -> Option<Named> {
        let Kind::Name(name) = &base.kind else { return None };
        let path = self.allo_path(name, scope)?;
        read_dtype(&path).ok().filter(|named| !matches!(named, Named::Type(_)))
    }

    fn resolve_call(
        &mut self,
        whole: &Expression,
        base: &Expression,
        arguments: &[Argument],
        scope: usize,
    ) -> Settled<HlsType> {
        match (self.class_of(base, scope), arguments.first()) {
            (Some(Named::Class(class)), _) => {
                self.resolve_constructor(whole, class, arguments, scope)
            }
            (Some(Named::Wrapper), Some(argument)) => self.resolve_type(&argument.value, scope),
            _ => {
                // The reason why the callee is not a type is the better one, if there is one.
                if let Kind::Name(name) = &base.kind {
                    self.resolve_name(name, scope)?;
                }
                Err(format!("`{}` is computed, and nothing is executed here", self.text_of(whole))
                    .into())
            }
        }
    }

    fn resolve_constructor(
        &mut self,
        whole: &Expression,
        class: Class,
        arguments: &[Argument],
        scope: usize,
    ) -> Settled<HlsType> {
        let mut values = Vec::new();
        for argument in arguments {
            if argument.name.as_deref() == Some("name") {
                continue;
            }
            // `Float(32, 23, "f32")`: the name changes nothing.
            if argument.name.is_none() && values.len() == 2 {
                break;
            }
            values.push((argument.name.as_deref(), self.compute_value(&argument.value, scope)?));
        }
        build_type(class, &values)
            .map_err(|reason| format!("`{}`: {reason}", self.text_of(whole)).into())
    }

    /// The rest of a path below [`TYPES`] that a name leads to.
    fn allo_path(&self, name: &str, scope: usize) -> Option<String> {
        let (root, rest) = name.split_once('.').map_or((name, ""), |(root, rest)| (root, rest));
        let path = match self.program.bindings_of(scope, root) {
            [Binding { meaning: Meaning::Import(path), .. }] if rest.is_empty() => path.clone(),
            [Binding { meaning: Meaning::Import(path), .. }] => format!("{path}.{rest}"),
            [] if rest.is_empty() => {
                let mut stars = self.program.star_imports(scope);
                return stars.any(|(module, _)| module == TYPES).then(|| root.to_owned());
            }
            _ => return None,
        };
        Some(path.strip_prefix(TYPES)?.strip_prefix('.')?.to_owned())
    }

    fn resolve_name(&mut self, name: &str, scope: usize) -> Settled<HlsType> {
        if let Some(path) = self.allo_path(name, scope) {
            return match read_dtype(&path)? {
                Named::Type(scalar) => Ok(HlsType::Scalar(scalar)),
                _ => {
                    Err(format!("`{name}` is a class of types, and its width is not given").into())
                }
            };
        }
        let (expression, at) = self.follow_name(name, scope)?;
        let Kind::Other = expression.kind else { return self.resolve_type(&expression, at) };
        Err(format!("`{name}` is `{}`, which cannot be read", self.text_of(&expression)).into())
    }

    /// The integer that an expression gives.
    pub(super) fn compute_value(&mut self, expression: &Expression, scope: usize) -> Settled<i128> {
        self.deeper(|own| match &expression.kind {
            Kind::Number(value) => Ok(*value),
            Kind::Negative(inner) => {
                own.compute_value(inner, scope)?.checked_neg().ok_or_else(|| "it overflows".into())
            }
            Kind::Binary(mark, left, right) => {
                let (left, right) =
                    (own.compute_value(left, scope)?, own.compute_value(right, scope)?);
                apply_operator(mark, left, right).ok_or_else(|| {
                    format!("`{}` cannot be computed", own.text_of(expression)).into()
                })
            }
            Kind::Name(name) => {
                let (inner, at) = own.follow_name(name, scope)?;
                own.compute_value(&inner, at)
            }
            _ => {
                Err(format!("`{}` is not a number that can be read", own.text_of(expression))
                    .into())
            }
        })
    }

    /// The one expression that a name means, and the scope to read it in.
    fn follow_name(&mut self, name: &str, scope: usize) -> Settled<(Expression, usize)> {
        let (root, rest) = name.split_once('.').map_or((name, ""), |(root, rest)| (root, rest));
        let program = self.program;
        let (at, binding) = match program.look_up_name(scope, root) {
            None | Some((_, [])) => return Err(self.describe_unbound(root, scope).into()),
            Some((at, [one])) => (at, one),
            Some((_, many)) => {
                let lines = many.iter().take(4).map(|one| self.line_of(one.span).to_string());
                return Err(format!(
                    "`{root}` is set more than once (lines {}): the text does not say which one holds here",
                    lines.collect::<Vec<_>>().join(", ")
                ).into());
            }
        };
        let line = self.line_of(binding.span);
        self.check_overridden(root, binding, at)?;
        match &binding.meaning {
            Meaning::Import(path) => {
                let module = path.rsplit_once('.').map_or(path.as_str(), |(module, _)| module);
                Err(format!("`{name}` comes from `{module}`, which is not read").into())
            }
            _ if !rest.is_empty() => Err(format!("`{name}` is not computed").into()),
            Meaning::Value(expression) => {
                let spelling = self.text_of(expression).to_owned();
                self.hops.push(Hop { name: root.to_owned(), spelling, span: binding.span });
                Ok((expression.clone(), at))
            }
            Meaning::TypeParameter(function, place) => self.find_instance(root, *function, *place),
            Meaning::Argument(function) => {
                Err(format!("`{root}` is an argument of `{function}`: its caller chooses").into())
            }
            Meaning::Function(_) => Err(format!("`{root}` is the function of line {line}").into()),
            Meaning::Unread => {
                Err(format!("`{root}` is set on line {line} in a way that is not read").into())
            }
        }
    }

    /// A later `from x import *` may set the name anew.
    fn check_overridden(&self, name: &str, binding: &Binding, at: usize) -> Settled<()> {
        let stars = self.program.scopes.get(at).map_or(&[][..], |scope| &scope.stars);
        let later =
            stars.iter().find(|(module, span)| module != TYPES && span.start > binding.span.start);
        match later {
            None => Ok(()),
            Some((module, span)) => Err(format!(
                "`{name}` may be set anew by `from {module} import *` on line {}",
                self.line_of(*span)
            )
            .into()),
        }
    }

    fn describe_unbound(&self, name: &str, scope: usize) -> String {
        let mut stars = self.program.star_imports(scope);
        if let Some((module, _)) = stars.find(|(module, _)| module != TYPES) {
            return format!("`{name}` may come from `from {module} import *`, which is not read");
        }
        match name {
            "int" | "float" | "bool" | "str" | "bytes" | "list" | "tuple" | "dict" | "None" => {
                format!("`{name}` is a type of Python, not of Allo")
            }
            _ => format!("nothing in this file says what `{name}` is"),
        }
    }

    /// What a type parameter means: what all uses of the function in this text put there.
    fn find_instance(
        &mut self,
        name: &str,
        function: usize,
        place: usize,
    ) -> Settled<(Expression, usize)> {
        let program = self.program;
        let given: Vec<_> = program
            .uses
            .iter()
            .filter(|one| one.arguments.is_some())
            .filter(|one| program.find_function(one.scope, &one.function) == Some(function))
            .collect();
        let mut found: Vec<(&Expression, usize, Span, String)> = Vec::new();
        for one in &given {
            let Some(Expression { kind: Kind::Sequence(items), .. }) = &one.arguments else {
                let line = self.line_of(one.span);
                return Err(
                    format!("`{name}` is chosen on line {line}, not by a literal list").into()
                );
            };
            let Some(item) = items.get(place) else {
                let line = self.line_of(one.span);
                return Err(format!("`{name}` is given no value on line {line}").into());
            };
            let kept = (self.hops.len(), self.instances.len());
            let meaning = match self.compute_value(item, one.scope) {
                Ok(value) => value.to_string(),
                Err(_) => self.resolve_type(item, one.scope)?.to_string(),
            };
            self.hops.truncate(kept.0);
            self.instances.truncate(kept.1);
            found.push((item, one.scope, one.span, meaning));
        }
        let Some((first, scope, span, meaning)) = found.first() else {
            return Err(self.describe_free(name, function, place).into());
        };
        if let Some((.., other, different)) = found.iter().find(|one| one.3 != *meaning) {
            return Err(format!(
                "`{name}` is {meaning} on line {} and {different} on line {}",
                self.line_of(*span),
                self.line_of(*other)
            )
            .into());
        }
        if !self.instances.contains(span) {
            self.instances.push(*span);
        }
        Ok(((*first).clone(), *scope))
    }

    /// Why a type parameter that nothing here instantiates is not known.
    fn describe_free(&self, name: &str, function: usize, place: usize) -> String {
        let function = self.program.functions.get(function);
        let bound = function.and_then(|function| function.type_parameters.get(place));
        match bound.and_then(|parameter| parameter.bound.as_ref()) {
            Some(Expression { kind: Kind::Sequence(items), .. }) => {
                let items: Vec<&str> = items.iter().map(|item| self.text_of(item)).collect();
                format!("`{name}` is one of {}: nothing here says which", items.join(", "))
            }
            Some(bound) => {
                format!("`{name}` is any `{}`: nothing here says which", self.text_of(bound))
            }
            None => format!("`{name}` is a type parameter: nothing here says what it is"),
        }
    }
}

fn apply_operator(mark: &str, left: i128, right: i128) -> Option<i128> {
    match mark {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        // Python rounds towards minus infinity; extents are not negative.
        "//" if left >= 0 && right > 0 => Some(left / right),
        "%" if left >= 0 && right > 0 => Some(left % right),
        "**" => left.checked_pow(u32::try_from(right).ok()?),
        "<<" => left.checked_mul(1_i128.checked_shl(u32::try_from(right).ok()?)?),
        ">>" if left >= 0 => left.checked_shr(u32::try_from(right).ok()?),
        _ => None,
    }
}
