//! From a spelling to a type, by way of every alias, macro, template and scope between them.

mod builtin;
mod call;
mod catapult;
mod choose;
mod context;
mod declaration;
mod entity;
mod extent;
mod frame;
mod hidden;
mod includes;
mod index;
mod instance;
mod kind;
mod other_uses;
mod owner;
mod pattern;
mod setters;
mod settle;
mod template;
mod trail;
mod trips;
mod uses;
mod value;
mod vendor;
mod vendored;

pub(crate) use settle::settle_headers;

use crate::header::{Alias, Array, Dim, Function, Header, Parameter, Scope, Structure};
use crate::preprocess::Branch;
use crate::token::lex;
use crate::{HlsType, Reason, Settled, Sources, Span};
use context::Context;
use index::Index;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use setters::{Assigned, Setters};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// One name on the way from a spelling to its type.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Hop {
    /// The alias or macro.
    pub name: String,
    /// What it means, as it is spelt.
    pub spelling: String,
    /// Its declaration.
    pub span: Span,
}

/// What came out of a resolution.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Outcome {
    /// The type.
    Known(HlsType),
    /// One sentence that says why the type is unknown.
    Unknown(String),
}

/// A resolution, and the way that it took.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Resolution {
    /// The aliases and macros that were followed, the first one first.
    pub hops: Vec<Hop>,
    /// Where it ended.
    pub outcome: Outcome,
    /// Whether it is an enumeration without a fixed type: its values decide whether it has a sign.
    pub open_sign: bool,
    /// Whether it is a `long`: 64 bits, but 32 where the system is Windows or a 32-bit one.
    pub open_width: bool,
    /// Whether something is in it whose size on the host is not known: a vendor's class in the place of a pointer, or a struct
    /// of which some was not read.
    pub open_size: bool,
}

impl Resolution {
    /// The type, if it is known.
    pub fn known(&self) -> Option<&HlsType> {
        match &self.outcome {
            Outcome::Known(kind) => Some(kind),
            Outcome::Unknown(_) => None,
        }
    }

    /// Why the type is not known.
    pub fn unknown(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Known(_) => None,
            Outcome::Unknown(reason) => Some(reason),
        }
    }

    /// Packed bits of one object, if they are known.
    pub fn bits(&self) -> Option<u64> {
        self.known()?.bits()
    }

    /// The same where an address has 64 bits, and where a struct without data has none.
    pub fn bits_on_host(&self) -> Option<u64> {
        if self.open_size { self.bits() } else { self.known()?.bits_on_host() }
    }
}

/// A function's name, as seen from a header and a branch of it.
type Viewed = (String, Option<usize>, Branch);

/// Resolves the names of a set of headers that were read together.
///
/// A name is looked up from its own place: in its own text first, then in those that its text
/// includes, then in those that are included together with it. A name that only an unrelated text
/// declares is unknown, as is one that two texts declare differently.
pub struct Resolver<'a> {
    headers: &'a [Header],
    sources: &'a Sources,
    index: Index<'a>,
    values: RefCell<HashMap<(Span, String), Settled<i128>>>,
    setters: RefCell<HashMap<Viewed, Setters>>,
    /// Per body that was asked for, where it sets its variables.
    assigned: RefCell<HashMap<Span, Rc<Assigned>>>,
    /// Macros that hold statements.
    active: OnceCell<HashSet<String>>,
    /// Per body that was asked for, where it mentions one of them.
    hidden: RefCell<HashMap<Span, Rc<[usize]>>>,
    /// Per name, the macros whose text has it.
    users: OnceCell<HashMap<String, Vec<String>>>,
    /// Per qualified name, the first array outside functions that has it: its header, and which one it is there.
    arrays: OnceCell<HashMap<String, (usize, usize)>>,
    /// Per vendor's template that was asked for, whether only copies of the vendor's texts declare it.
    vendored: RefCell<HashMap<String, bool>>,
    /// Per name, the places that use it with template arguments or call it.
    uses: OnceCell<HashMap<String, Vec<uses::Use>>>,
    /// Per template that was asked for, what its parameters are where it is used.
    instances: RefCell<HashMap<Span, instance::Instances>>,
    /// Per place that was asked for, the template around it: which one of its text.
    owners: RefCell<HashMap<Span, Settled<Option<usize>>>>,
    /// Per place that was asked for, the body of the function around it.
    bodies: RefCell<HashMap<Span, Option<Span>>>,
    /// Per name, where the texts have it with a bracket behind it.
    bracketed: OnceCell<HashMap<String, Vec<Span>>>,
    /// The templates whose instantiations are being listed, and how often one of them came to itself.
    open_templates: RefCell<Vec<Span>>,
    circles: Cell<usize>,
    /// How often something came up whose size on the host is not known.
    open_sizes: Cell<usize>,
}

impl<'a> Resolver<'a> {
    /// Indexes the names of these headers.
    pub fn new(headers: &'a [Header], sources: &'a Sources) -> Self {
        let index = Index::new(headers);
        Self {
            headers,
            sources,
            index,
            values: RefCell::default(),
            setters: RefCell::default(),
            assigned: RefCell::default(),
            active: OnceCell::new(),
            hidden: RefCell::default(),
            users: OnceCell::new(),
            arrays: OnceCell::new(),
            vendored: RefCell::default(),
            uses: OnceCell::new(),
            instances: RefCell::default(),
            owners: RefCell::default(),
            bodies: RefCell::default(),
            bracketed: OnceCell::new(),
            open_templates: RefCell::default(),
            circles: Cell::new(0),
            open_sizes: Cell::new(0),
        }
    }

    /// Resolves a spelling in a scope, with all headers visible. A name that two of them declare
    /// differently is unknown; [`Resolver::resolve_at`] knows which one is meant.
    pub fn resolve(&self, scope: &Scope, spelling: &str) -> Resolution {
        self.resolve_spelling(spelling, &Context::everywhere(scope.clone()))
    }

    /// Resolves a spelling in a scope, at a place.
    pub fn resolve_at(&self, place: Span, scope: &Scope, spelling: &str) -> Resolution {
        self.resolve_spelling(spelling, &self.context_at(place, scope))
    }

    /// What an alias really is.
    pub fn alias(&self, alias: &Alias) -> Resolution {
        let open_sizes = self.open_sizes.get();
        let resolution = self.follow_alias(alias);
        Resolution { open_size: self.open_sizes.get() > open_sizes, ..resolution }
    }

    fn follow_alias(&self, alias: &Alias) -> Resolution {
        let mut context = self.context_at(alias.span, &alias.scope);
        context.trail.add_hop(&alias.name, &alias.spelling, alias.span);
        if alias.kind == crate::AliasKind::Define {
            // A macro is expanded at its use, which may be anywhere below.
            context.point = usize::MAX;
        }
        context.bind_dependent(&alias.template);
        context.trail.open_declaration(alias.span, &alias.name);
        if let Err(reason) = self.check_conflict(alias) {
            return context.trail.end_with(Outcome::Unknown(reason.into()));
        }
        let resolution = self.resolve_spelling(&alias.spelling, &context);
        context.note_parameters(&lex(&alias.spelling));
        match context.trail.dependence() {
            Some(parameter) if resolution.known().is_none() => {
                self.resolve_instance(alias, &parameter, &resolution)
            }
            _ => resolution,
        }
    }

    /// An alias that depends on a template's parameter, as the uses of the template fix it.
    fn resolve_instance(&self, alias: &Alias, parameter: &str, open: &Resolution) -> Resolution {
        let unknown = |reason: Reason| Resolution {
            outcome: Outcome::Unknown(reason.into()),
            ..open.clone()
        };
        match self.instantiated_kind(alias) {
            None => {
                let own = alias.template.iter().any(|one| one.name == parameter);
                let fixed = if own { "each use" } else { "nothing" };
                unknown(
                    format!(
                        "it depends on the template parameter `{parameter}`, which {fixed} fixes"
                    )
                    .into(),
                )
            }
            Some(Err(reason)) => unknown(reason),
            Some(Ok((kind, instance, context))) => {
                let mut resolution = context.trail.end_with(Outcome::Known(kind));
                let alias = Hop {
                    name: alias.name.clone(),
                    spelling: alias.spelling.clone(),
                    span: alias.span,
                };
                resolution.hops.splice(0..0, [alias, instance.hop()]);
                resolution
            }
        }
    }

    /// The type of a whole array object: its element type and its extents.
    pub fn array(&self, array: &Array) -> Resolution {
        self.resolve_shaped(&array.element, &array.dims, array.span, &array.scope)
    }

    /// The type of an array's elements.
    pub fn element(&self, array: &Array) -> Resolution {
        self.resolve_at(array.span, &array.scope, &array.element)
    }

    /// The type of a function's parameter; an open extent makes it a pointer.
    pub fn parameter(&self, function: &Function, parameter: &Parameter) -> Resolution {
        let mark = if parameter.pointer { "*" } else { "" };
        let scope = function.scope.inner(&function.name);
        let spelling = format!("{}{mark}", parameter.element);
        self.resolve_shaped(&spelling, &parameter.dims, parameter.span, &scope)
    }

    /// The type of a struct: its members and their types.
    pub fn structure(&self, structure: &Structure) -> Resolution {
        let open_sizes = self.open_sizes.get();
        let context = self.context_at(structure.span, &structure.scope);
        let result = if structure.template.is_empty() {
            self.lay_out(structure, &context)
        } else {
            Err(format!("`{}` is a template", structure.name).into())
        };
        let resolution = context.trail.end_with(result);
        Resolution { open_size: self.open_sizes.get() > open_sizes, ..resolution }
    }

    /// The value of an integer expression in a scope, at a place.
    pub fn value_at(&self, place: Span, scope: &Scope, expression: &str) -> Settled<i128> {
        let context = self.context_at(place, scope);
        self.compute_value(&lex(expression), &context)
    }

    fn resolve_shaped(
        &self,
        spelling: &str,
        dims: &[Dim],
        place: Span,
        scope: &Scope,
    ) -> Resolution {
        let mut resolution = self.resolve_at(place, scope, spelling);
        let open = dims.first().is_some_and(|dim| dim.expression.is_empty());
        for (index, dim) in dims.iter().enumerate().rev() {
            let Outcome::Known(element) = resolution.outcome else { break };
            let element = Box::new(element);
            resolution.outcome = if index == 0 && open {
                Outcome::Known(HlsType::Pointer(element))
            } else {
                let extent = dim.value.map_or_else(
                    || {
                        let value = self.value_at(dim.span, scope, &dim.expression)?;
                        u64::try_from(value).map_err(|_| {
                            format!("the extent `{}` is negative", dim.expression).into()
                        })
                    },
                    Ok,
                );
                extent.map(|extent| HlsType::Array { element, extent }).into()
            };
        }
        resolution
    }

    /// Why a name is unknown that nothing declares.
    fn describe_undeclared(&self, name: &dyn std::fmt::Display, context: &Context) -> Reason {
        let missing = self.index.missing_includes(context.header);
        let reason = format!("`{name}` is not declared in what was read");
        match missing[..] {
            [] => reason.into(),
            [one] => format!("{reason}; `{one}` is included and was not found").into(),
            [one, ..] => {
                let others = missing.len() - 1;
                let noun = if others == 1 { "include" } else { "includes" };
                format!("{reason}; `{one}` and {others} more {noun} were not found").into()
            }
        }
    }

    fn resolve_spelling(&self, spelling: &str, context: &Context) -> Resolution {
        let result = match context.doubt_here(self.headers) {
            Some(doubt) => Err(doubt.into()),
            None => self.resolve_kind(&lex(spelling), context),
        };
        context.trail.end_with(result)
    }
}

impl From<Settled<HlsType>> for Outcome {
    fn from(result: Settled<HlsType>) -> Self {
        match result {
            Ok(kind) => Self::Known(kind),
            Err(reason) => Self::Unknown(reason.into()),
        }
    }
}
