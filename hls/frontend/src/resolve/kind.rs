//! From a spelling to an [`HlsType`].

use super::Resolver;
use super::context::Context;
use super::entity::{Entity, inner_scope};
use super::vendor::class;
use crate::header::{Alias, Structure};
use crate::hls_type::Field;
use crate::path::Path;
use crate::preprocess::{Definition, Standing, expand_macros};
use crate::spelling::{Base, Change, Spelling};
use crate::token::{Token, lex, spell};
use crate::{HlsType, NumberLibrary, ScalarType, Settled};

impl<'a> Resolver<'a> {
    /// The type that a spelling means.
    pub(super) fn resolve_kind(&self, tokens: &[Token], context: &Context) -> Settled<HlsType> {
        let entity = context.trail.run_deeper(4, || self.read_entity(tokens, context))?;
        self.kind_of(entity)
    }

    pub(super) fn kind_of(&self, entity: Entity<'a>) -> Settled<HlsType> {
        match entity {
            Entity::Kind(kind) | Entity::Enumeration(_, kind) => Ok(kind),
            Entity::Namespace(scope) => Err(format!("`{scope}` is a namespace, not a type").into()),
            Entity::Structure(structure, inside) => {
                inside.trail.run_aside(|| match self.vendored_kind(structure, &inside) {
                    Some(kind) => kind,
                    None => self.lay_out(structure, &inside),
                })
            }
        }
    }

    /// The entity that a spelling without macros means.
    pub(super) fn build_entity(
        &self,
        spelling: &Spelling,
        context: &Context,
    ) -> Settled<Entity<'a>> {
        let entity = match &spelling.base {
            Base::Words(words) => {
                if is_plain_long(words) {
                    context.trail.leave_width_open();
                }
                Entity::Kind(fundamental_type(words)?)
            }
            Base::Path(path) => self.find_entity(path, context)?,
            Base::Elaborated(path) => match self.find_entity(path, context) {
                Err(_) if spelling.pointers > 0 && self.is_opaque(path, context) => {
                    Entity::Kind(class(&path.to_string(), Vec::new()))
                }
                found => found?,
            },
        };
        let change = spelling.change.as_ref();
        if spelling.pointers == 0 && spelling.extents.is_empty() && change.is_none() {
            return Ok(entity);
        }
        let mut kind = match entity {
            // What a struct that is still open points to need not be laid out.
            Entity::Structure(one, _)
                if spelling.pointers > 0 && context.trail.is_open(one.span) =>
            {
                let (name, overlaid) = (one.name.clone(), one.overlaid);
                HlsType::Struct { name, fields: Vec::new(), overlaid, adjusted: one.adjusted }
            }
            entity => self.kind_of(entity)?,
        };
        kind = match change {
            Some(Change::Mode(mode)) => machine_mode(mode, &kind)?,
            Some(Change::Width(width)) => {
                let bits = context.trail.run_aside(|| self.compute_value(width, context))?;
                let bits = u32::try_from(bits).ok().filter(|bits| (1..=MOST_BITS).contains(bits));
                let bits = bits.ok_or("an integer of Vivado HLS has no such width")?;
                HlsType::Scalar(ScalarType::ap_int(bits, is_signed(&kind)))
            }
            None => kind,
        };
        for _ in 0..spelling.pointers {
            kind = HlsType::Pointer(Box::new(kind));
        }
        for extent in spelling.extents.iter().rev() {
            let value = context.trail.run_aside(|| self.compute_value(extent, context))?;
            let extent = u64::try_from(value);
            let extent = extent.map_err(|_| format!("the extent {value} is negative"))?;
            kind = HlsType::Array { element: Box::new(kind), extent };
        }
        Ok(Entity::Kind(kind))
    }

    /// Whether no text has a type of that name: `struct _cl_event *` points to it all the same.
    fn is_opaque(&self, path: &Path, context: &Context) -> bool {
        let is_plain = |name: &str| self.index.has_type(name, |_| true);
        let [only] = path.segments.as_slice() else { return false };
        only.arguments.is_none()
            && !is_plain(&only.name)
            && context.find_bound(&only.name).is_none()
    }

    /// A struct's members with their types, the bases' first.
    pub(super) fn lay_out(&self, structure: &'a Structure, inside: &Context) -> Settled<HlsType> {
        if structure.dynamic {
            return Err(format!("`{}` has virtual functions", structure.name).into());
        }
        if let Some(unread) = &structure.unread {
            return Err(unread.clone().into());
        }
        if self.is_unread(structure.span) {
            self.open_sizes.set(self.open_sizes.get() + 1);
        }
        let inside = inside.move_to(inner_scope(structure));
        inside.trail.follow_declaration(
            structure.span,
            &structure.name,
            !inside.has_bindings(),
            || {
                let mut fields = Vec::new();
                for base in &structure.bases {
                    let outer = inside.move_to(structure.scope.clone());
                    match self.resolve_kind(&lex(base), &outer)? {
                        HlsType::Struct { fields: inherited, .. } => fields.extend(inherited),
                        other => return Err(format!("the base `{base}` is `{other}`").into()),
                    }
                }
                for member in &structure.members {
                    let place = inside.at_place(member.span.start);
                    let mut kind = self.resolve_kind(&lex(&member.spelling), &place)?;
                    for dim in member.dims.iter().rev() {
                        let value = self.compute_value(&lex(&dim.expression), &place)?;
                        let extent = u64::try_from(value);
                        let extent =
                            extent.map_err(|_| format!("`{}` has no extent", member.name))?;
                        kind = HlsType::Array { element: Box::new(kind), extent };
                    }
                    let bit_field = match &member.bit_field {
                        Some(width) => {
                            let width = self.compute_value(&lex(width), &place)?;
                            Some(u32::try_from(width).map_err(|_| "a bit field has no width")?)
                        }
                        None => None,
                    };
                    fields.push(Field { name: member.name.clone(), kind, bit_field });
                }
                let Structure { overlaid, adjusted, .. } = *structure;
                Ok(HlsType::Struct { name: structure.name.clone(), fields, overlaid, adjusted })
            },
        )
    }

    /// Replaces the macros of a spelling, and remembers them as hops.
    pub(super) fn expand_macros(&self, tokens: &[Token], context: &Context) -> Settled<Vec<Token>> {
        context.trail.spend_fuel(1 + tokens.len() / 8)?;
        let look_up = |name: &str| self.macro_standing(name, context);
        let mut used: Vec<(String, &'a Definition)> = Vec::new();
        let out =
            expand_macros(tokens, &look_up, &mut |name, one| used.push((name.to_owned(), one)))?;
        for (name, definition) in used {
            if let Some(place) = definition.place {
                context.trail.add_hop(&name, &spell(&definition.body), place.span);
            }
        }
        Ok(out)
    }

    /// What a name is to the preprocessor, here or in the texts that are read together with this.
    fn macro_standing(&self, name: &str, context: &Context) -> Standing<'a> {
        let own = context.header.and_then(|at| self.headers.get(at));
        if let Some(own) = own {
            match own.outlook.standing_at(name, context.point, &context.branch) {
                Standing::Undefined => {}
                standing => return standing,
            }
        }
        let mut found: Option<&'a Definition> = None;
        for at in self.index.macro_headers(name, context.header) {
            let Some(header) = self.headers.get(at).filter(|_| Some(at) != context.header) else {
                continue;
            };
            match header.outlook.standing_at(name, usize::MAX, &context.branch) {
                Standing::Undefined => {}
                Standing::Doubtful(reason) => return Standing::Doubtful(reason),
                Standing::Defined(one) => match found {
                    Some(other) if spell(&other.body) != spell(&one.body) => {
                        let reason = format!("the macro `{name}` differs between the texts");
                        return Standing::Doubtful(reason.into());
                    }
                    _ => found = Some(one),
                },
            }
        }
        found.map_or(Standing::Undefined, Standing::Defined)
    }

    /// Refuses an alias that its own text declares again, and differently.
    pub(super) fn check_conflict(&self, alias: &Alias) -> Settled<()> {
        if alias.kind == crate::AliasKind::Define {
            return Ok(());
        }
        let context = self.context_at(alias.span, &alias.scope);
        let name = alias.qualified();
        let sought = super::declaration::Sought::Type;
        let all = self.index.find_declarations(&name, sought, &context).unwrap_or_default();
        let differs = all.iter().any(|(_, other)| match other {
            super::declaration::Declaration::Alias(other) => {
                let words = |text: &str| spell(&lex(text));
                other.span.file == alias.span.file
                    && self.body_around(other.span) == self.body_around(alias.span)
                    && other.condition == alias.condition
                    && words(&other.spelling) != words(&alias.spelling)
            }
            _ => false,
        });
        if differs {
            return Err(
                format!("`{}` is declared more than once, and differently", alias.name).into()
            );
        }
        Ok(())
    }
}

/// `long`, `unsigned long int`: not `long long`, nor `long double`.
fn is_plain_long(words: &[String]) -> bool {
    let longs = words.iter().filter(|word| *word == "long").count();
    longs == 1 && !words.iter().any(|word| word == "double")
}

/// The type of a run of C words: `unsigned long int`.
fn fundamental_type(words: &[String]) -> Settled<HlsType> {
    let count = |word: &str| words.iter().filter(|one| *one == word).count();
    let has = |word: &str| count(word) > 0;
    let signed = !has("unsigned");
    let int = |bits| ScalarType::Int { bits, signed };
    let plain = |scalar: ScalarType| -> Settled<ScalarType> {
        if words.len() == 1 {
            Ok(scalar)
        } else {
            Err(format!("`{}` is not a type of C", words.join(" ")).into())
        }
    };
    let scalar = if has("void") && words.len() == 1 {
        return Ok(HlsType::Void);
    } else if has("double") {
        if has("long") { ScalarType::LongDouble } else { plain(ScalarType::Double)? }
    } else if has("float") || has("_Float32") {
        plain(ScalarType::Float)?
    } else if has("_Float16") || has("__fp16") {
        plain(ScalarType::Half)?
    } else if has("__bf16") {
        plain(ScalarType::BFloat16)?
    } else if has("bool") || has("_Bool") {
        plain(ScalarType::Bool)?
    } else if has("char") || has("char8_t") {
        ScalarType::Int { bits: 8, signed: signed && !has("char8_t") }
    } else if has("short") {
        int(16)
    } else if has("char16_t") {
        plain(ScalarType::Int { bits: 16, signed: false })?
    } else if has("char32_t") {
        plain(ScalarType::Int { bits: 32, signed: false })?
    } else if has("__int128") {
        int(128)
    } else if has("long") {
        int(64)
    } else {
        int(32)
    };
    Ok(HlsType::Scalar(scalar))
}

/// `ap_cint.h` has integers up to this width.
const MOST_BITS: u32 = 1024;

fn is_signed(kind: &HlsType) -> bool {
    !matches!(kind, HlsType::Scalar(ScalarType::Int { signed: false, .. }))
}

/// GCC's machine modes: the width comes from the mode, not from the type before it.
fn machine_mode(mode: &str, kind: &HlsType) -> Settled<HlsType> {
    let signed = is_signed(kind);
    let int = |bits| ScalarType::Int { bits, signed };
    let scalar = match mode {
        "HF" => ScalarType::Half,
        "BF" => ScalarType::BFloat16,
        "SF" => ScalarType::Float,
        "DF" => ScalarType::Double,
        "XF" => ScalarType::LongDouble,
        "TF" => ScalarType::ApFloat { library: NumberLibrary::Ap, width: 128, exponent: 15 },
        "QI" | "byte" => int(8),
        "HI" => int(16),
        "SI" => int(32),
        "DI" | "word" | "pointer" => int(64),
        "TI" => int(128),
        _ => return Err(format!("the machine mode `{mode}` is not known").into()),
    };
    Ok(HlsType::Scalar(scalar))
}
