//! What the code declares: aliases with what they really are, and the arrays that hold the model's tensors.

mod annotation;
mod not_audited;

pub(crate) use not_audited::ONLY_ANNOTATIONS;
pub use not_audited::{NotAudited, NotAuditedReport};

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{
    Alias, AlloSource, Array, ClaimSource, ClaimedFormat, FileId, Header, HlsType, Include, Lie,
    Outcome, Resolution, Resolver, ScalarType, Scope, Sources, Span, TypeClaim, Wanted, claims_of,
    lie, parse_project,
};

use crate::alternatives::{Alternative, Facts, Open, When, open};
use crate::closures::Closures;
use crate::includes::{Includes, Recorded};
use crate::{ModelShape, Precision};

/// An alias with its chain down to a type, and the lie in its name or comment, if there is one.
#[derive(Clone, Debug)]
pub struct ResolvedAlias {
    /// The declaration.
    pub alias: Alias,
    /// Every hop and the outcome.
    pub resolution: Resolution,
    /// What its name or comment promises and it does not keep.
    pub lie: Option<Lie>,
    /// What it is where macros that nothing defines are defined, or where another source includes it.
    pub alternatives: Vec<Alternative<Resolution>>,
}

impl ResolvedAlias {
    /// Whether a hop of some resolution is this alias.
    pub fn is_at(&self, hop: Span) -> bool {
        let own = self.alias.span;
        own.file == hop.file && own.start <= hop.start && hop.end <= own.end
    }

    /// The width that its name or its comment promises and its type does not have, in bits of memory.
    ///
    /// A name is a promise. A comment may merely be old, and may speak of something else: only a plain number with one
    /// width in its comment counts, and says so by its source.
    pub fn broken_width(&self) -> Option<(TypeClaim, u64)> {
        match &self.lie {
            Some(Lie::Width { claim, bits, .. }) => return Some((claim.clone(), *bits)),
            Some(_) => return None,
            None => {}
        }
        let HlsType::Scalar(scalar) = self.resolution.known()? else { return None };
        let claims = claims_of(&self.alias);
        let in_comment: Vec<&TypeClaim> =
            claims.iter().filter(|c| matches!(c.source, ClaimSource::Comment(_))).collect();
        let [claim] = in_comment[..] else { return None };
        let bits = u64::from(scalar.bits());
        let kept = claims.iter().filter_map(|c| c.bits).any(|promised| u64::from(promised) == bits);
        // A carrier of several elements is wider than each of them.
        (claim.bits.is_some() && !kept && bits <= 64).then(|| (claim.clone(), bits))
    }

    /// Whether its name promises a width, and the type has it, and the sign that the name says.
    pub fn keeps_its_name(&self) -> bool {
        let Some(scalar) = self.resolution.known().and_then(HlsType::scalar) else { return false };
        let signed = match scalar {
            ScalarType::Int { signed, .. } | ScalarType::ApInt { signed, .. } => Some(*signed),
            _ => None,
        };
        let signed = signed.filter(|_| !self.resolution.open_sign);
        let keeps = |claim: &TypeClaim| {
            let sign = match claim.format {
                ClaimedFormat::Int { signed: Some(promised) } => {
                    signed.is_none_or(|signed| signed == promised)
                }
                _ => true,
            };
            claim.source == ClaimSource::Name && claim.bits == Some(scalar.bits()) && sign
        };
        let claims = claims_of(&self.alias);
        let of_name = claims.iter().filter(|claim| claim.source == ClaimSource::Name);
        // A name with two promises, `int16_to_int8`, is about something else.
        self.lie.is_none() && of_name.count() == 1 && claims.iter().any(keeps)
    }
}

/// An array that stands for a tensor.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Namespace path and name with dots, numeric parts without their underscore.
    pub path: String,
    /// The tensor of the dump that it stands for.
    pub tensor: Option<String>,
    /// Extents; `None` where an expression could not be evaluated.
    pub dims: Vec<Option<u64>>,
    /// How the element type is spelled.
    pub element: String,
    /// What one element is, or why that is not known.
    pub precision: Result<Precision, String>,
    /// The declarations of the aliases that the element type goes through, nearest first.
    pub hops: Vec<Span>,
    /// The whole declaration.
    pub span: Span,
    /// The element type in it.
    pub element_span: Span,
    /// Whether it is an annotation in Allo's Python; else it is an array of C++.
    pub annotated: bool,
}

impl Declaration {
    /// An array with another number of elements than its tensor packs several into one, or is another array: what one
    /// of the tensor's elements takes is not known then.
    fn hold_against(&mut self, shape: &ModelShape) {
        let Some(tensor) = self.tensor.as_deref().and_then(|name| shape.get(name)) else { return };
        let declared =
            self.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul((*dim)?));
        if let (Some(declared), Some(elements)) = (declared, tensor.elements())
            && declared != elements
            && self.precision.is_ok()
        {
            self.precision = Err(format!(
                "`{}` is declared with {declared} elements where the dump has {elements}: what one of them takes is not known",
                self.path
            ));
        }
    }

    /// Whether its element type goes through an alias.
    pub fn goes_through(&self, alias: &ResolvedAlias) -> bool {
        self.hops.iter().any(|hop| alias.is_at(*hop))
    }
}

/// All sources of a project.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The project's, in the order given; then what they include beyond it.
    headers: Vec<Header>,
    /// How many of the headers are the project's.
    own: usize,
    /// The files that were named.
    files: Vec<FileId>,
    /// Allo's Python among them, of which the annotations were read.
    pub allo: Vec<AlloSource>,
    /// The others, of which nothing was read.
    pub not_audited: Vec<NotAudited>,
    /// All aliases of the project's files, in their order.
    pub aliases: Vec<ResolvedAlias>,
    /// All arrays outside functions of the project's files, in their order; behind them what Allo's annotations say of
    /// arrays.
    pub declarations: Vec<Declaration>,
    /// What constants are under other circumstances, by their place.
    pub other_values: BTreeMap<Span, Vec<Alternative<i128>>>,
    /// How many circumstances were too many, or too large, to be tried.
    pub untried: usize,
    defines: Vec<(String, String)>,
    recorded: Recorded,
    closures: Closures,
}

/// Generated headers put the parameter path into namespaces; `_0` stands for `0`, which is no identifier.
fn path_parts(scope: &Scope, name: &str) -> Vec<String> {
    let part = |p: &str| match p.strip_prefix('_') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.to_owned()
        }
        _ => p.to_owned(),
    };
    scope.parts().iter().map(String::as_str).chain([name]).map(part).collect()
}

/// The element type as a precision, or why it is none.
fn precision(resolution: &Resolution) -> Result<Precision, String> {
    match &resolution.outcome {
        Outcome::Unknown(reason) => Err(reason.clone()),
        Outcome::Known(kind) => kind.scalar().and_then(Precision::of_scalar).ok_or_else(|| {
            "the element type is no scalar whose size in memory is known".to_owned()
        }),
    }
}

impl Code {
    /// Parses `files` and what they include, with these macros defined (name and value), and finds which arrays stand
    /// for which tensors of `shape` where there is one.
    pub fn new(
        sources: &mut Sources,
        files: &[FileId],
        defines: &[(String, String)],
        includes: &mut dyn Includes,
        shape: Option<&ModelShape>,
    ) -> Self {
        let mut recorded = Recorded::default();
        let sorted = not_audited::sort(sources, files);
        let cpp = sorted.cpp.as_slice();
        let mut headers = read(sources, cpp, defines, includes, &mut recorded);
        let (circumstances, untried) = open(&headers, sources);
        let base =
            if circumstances.is_empty() { Facts::default() } else { Facts::of(&headers, sources) };
        let is_own = |header: &Header| {
            files.contains(&header.file) || recorded.is_own(sources.name(header.file))
        };
        headers.sort_by_key(|header| !is_own(header));
        let own = headers.iter().filter(|header| is_own(header)).count();
        let mut code = Self {
            own,
            files: files.to_vec(),
            allo: sorted.allo,
            not_audited: sorted.not_audited,
            untried,
            defines: defines.to_vec(),
            closures: Closures::of(&headers),
            ..Self::default()
        };
        code.headers = headers;
        code.resolve(sources);
        // One reading after the other: of a large tree, all of them together would not fit.
        for Open { when, sources: again } in circumstances {
            let macros: &[_] = if let When::Defined(macros) = &when { macros } else { &[] };
            let defines = [defines, macros].concat();
            let others = read(sources, &again, &defines, includes, &mut recorded);
            code.compare(&base, &when, &Facts::of(&others, sources));
        }
        code.recorded = recorded;
        code.aliases.extend(code.allo.iter().flat_map(annotation::aliases));
        let mut annotated: Vec<Declaration> =
            code.allo.iter().flat_map(annotation::declarations).collect();
        if let Some(shape) = shape {
            name_tensors(&mut code.declarations, shape);
            name_tensors(&mut annotated, shape);
            annotation::drop_tiles(&mut annotated, shape);
        }
        code.declarations.append(&mut annotated);
        if let Some(shape) = shape {
            merge_repeated(&mut code.declarations, sources);
            for declaration in &mut code.declarations {
                declaration.hold_against(shape);
            }
        }
        code
    }

    /// The same files read again from other texts, without a disk.
    pub(crate) fn again(&self, sources: &mut Sources, shape: &ModelShape) -> Self {
        Self::new(sources, &self.files, &self.defines, &mut self.recorded.clone(), Some(shape))
    }

    fn resolve(&mut self, sources: &Sources) {
        let resolver = Resolver::new(&self.headers, sources);
        let own = self.headers.iter().take(self.own);
        self.aliases = own
            .clone()
            .flat_map(|header| &header.aliases)
            .map(|alias| {
                let resolution = resolver.alias(alias);
                ResolvedAlias {
                    lie: lie(alias, &resolution),
                    alias: alias.clone(),
                    resolution,
                    alternatives: Vec::new(),
                }
            })
            .collect();
        let mut declarations: Vec<Declaration> = own
            .clone()
            .flat_map(|header| &header.arrays)
            .map(|array| declaration(array, &resolver.element(array)))
            .collect();
        // `typedef float w_t[12][768]; extern const w_t w;` is an array as well.
        declarations.extend(own.flat_map(|header| &header.objects).filter_map(|object| {
            let resolution = resolver.element(object);
            matches!(resolution.known(), Some(HlsType::Array { .. }))
                .then(|| declaration(object, &resolution))
        }));
        declarations.sort_by_key(|declaration| declaration.span);
        self.declarations = declarations;
    }

    /// Notes what aliases and constants are under a circumstance.
    fn compare(&mut self, base: &Facts, when: &When, facts: &Facts) {
        for alias in &mut self.aliases {
            let Some((span, what)) = facts.other_type(base, &alias.alias) else { continue };
            if alias.alternatives.iter().all(|known| known.what.outcome != what.outcome) {
                alias.alternatives.push(Alternative { when: when.clone(), what, span });
            }
        }
        for header in self.headers.iter().take(self.own) {
            for constant in &header.constants {
                let name = constant.qualified();
                let Some((span, what)) = facts.other_value(base, header.file, &name) else {
                    continue;
                };
                let known = self.other_values.entry(constant.span).or_default();
                if known.iter().all(|one| one.what != what) {
                    known.push(Alternative { when: when.clone(), what, span });
                }
            }
        }
    }

    /// The project's files: those that were named, in the order given, and what they include of the project.
    pub fn headers(&self) -> &[Header] {
        self.headers.get(..self.own).unwrap_or_default()
    }

    /// The same, and what they include beyond the project: what names are resolved with.
    pub fn all_headers(&self) -> &[Header] {
        &self.headers
    }

    /// The files that were named.
    pub fn files(&self) -> &[FileId] {
        &self.files
    }

    /// Whether neither of two files includes the other, directly or not.
    pub(crate) fn are_apart(&self, one: FileId, other: FileId) -> bool {
        self.closures.are_apart(one, other)
    }

    /// What the project's files include and was not found, each path once.
    pub fn missing(&self) -> Vec<&Include> {
        let mut seen = BTreeSet::new();
        let includes = self.headers().iter().flat_map(|header| &header.includes);
        includes.filter(|one| one.missing && seen.insert(one.path.as_str())).collect()
    }

    /// The aliases that a declaration's element type goes through, nearest first.
    pub fn aliases_of<'a>(
        &'a self,
        declaration: &'a Declaration,
    ) -> impl Iterator<Item = &'a ResolvedAlias> {
        declaration.hops.iter().filter_map(|hop| self.aliases.iter().find(|a| a.is_at(*hop)))
    }

    /// The files that are not audited, or not as a whole, with what of them is not.
    pub fn not_audited_files(&self, sources: &Sources) -> Vec<NotAuditedReport> {
        not_audited::reports(sources, self)
    }

    /// The same in one line of a summary; nothing where all was read.
    pub fn not_audited_line(&self, sources: &Sources) -> Option<String> {
        not_audited::line(sources, self)
    }

    /// Whether any array stands for a tensor.
    pub fn declares_tensors(&self) -> bool {
        self.declarations.iter().any(|d| d.tensor.is_some())
    }
}

/// Reads sources, and records what their includes led to.
fn read(
    sources: &mut Sources,
    files: &[FileId],
    defines: &[(String, String)],
    includes: &mut dyn Includes,
    recorded: &mut Recorded,
) -> Vec<Header> {
    let mut load = |wanted: &Wanted<'_>| {
        let loaded = includes.load(wanted);
        let own = match &loaded {
            derate_hls::Loaded::Text { name, .. } => includes.is_own(name),
            _ => true,
        };
        recorded.record(wanted, &loaded, own);
        loaded
    };
    parse_project(sources, files, defines, &mut load)
}

/// The extents that a type has itself, outermost first.
pub(crate) fn extents(kind: Option<&HlsType>) -> Vec<Option<u64>> {
    let (mut innermost, mut dims) = (kind, Vec::new());
    while let Some(HlsType::Array { element, extent }) = innermost {
        dims.push(Some(*extent));
        innermost = Some(element);
    }
    dims
}

fn declaration(array: &Array, resolution: &Resolution) -> Declaration {
    let own = array.dims.iter().map(|dim| dim.value);
    Declaration {
        path: path_parts(&array.scope, &array.name).join("."),
        tensor: None,
        dims: own.chain(extents(resolution.known())).collect(),
        element: array.element.clone(),
        precision: precision(resolution),
        hops: resolution.hops.iter().map(|hop| hop.span).collect(),
        span: array.span,
        element_span: array.element_span,
        annotated: false,
    }
}

/// Names with one separator: a path of namespaces and a flat `layers_0_q_proj_weight` stand for the same tensor.
fn flat(name: &str) -> String {
    name.replace('.', "_")
}

/// The project's own namespaces stand before the parameter path, and some dumps put `model.` there: the reading
/// that names the most tensors is taken.
fn name_tensors(declarations: &mut [Declaration], shape: &ModelShape) {
    const DEEPEST: usize = 3;
    let mut tensors: BTreeMap<String, Option<&str>> = BTreeMap::new();
    for tensor in &shape.tensors {
        // Two tensors that look alike without their dots are told apart by neither.
        tensors
            .entry(flat(&tensor.name))
            .and_modify(|name| *name = None)
            .or_insert(Some(&tensor.name));
    }
    let reading = |path: &str, skip: usize, prefix: &str| {
        let rest = path.split('.').skip(skip).collect::<Vec<_>>().join("_");
        tensors.get(&format!("{prefix}{rest}")).copied().flatten()
    };
    let best = (0..=DEEPEST)
        .flat_map(|skip| ["", "model_"].map(|prefix| (skip, prefix)))
        .map(|(skip, prefix)| {
            let named =
                declarations.iter().filter(|d| reading(&d.path, skip, prefix).is_some()).count();
            (named, Reverse((skip, prefix)))
        })
        .max();
    if let Some((_, Reverse((skip, prefix)))) = best {
        for declaration in declarations {
            declaration.tensor = reading(&declaration.path, skip, prefix).map(str::to_owned);
        }
    }
}

/// A tensor that is declared and defined, or declared in two headers, is one tensor; where the two disagree about its
/// type, the type is unknown.
fn merge_repeated(declarations: &mut Vec<Declaration>, sources: &Sources) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<Declaration> = Vec::new();
    for declaration in declarations.drain(..) {
        let known = declaration
            .tensor
            .as_ref()
            .and_then(|tensor| first.get(tensor))
            .and_then(|&at| kept.get_mut(at));
        let Some(known) = known else {
            first.extend(declaration.tensor.clone().map(|tensor| (tensor, kept.len())));
            kept.push(declaration);
            continue;
        };
        if known.precision != declaration.precision {
            let place = |d: &Declaration| {
                format!("{}:{}", sources.name(d.span.file), sources.position(d.span).line)
            };
            known.precision = Err(format!(
                "`{}` is declared with different types at {} and {}",
                known.path,
                place(known),
                place(&declaration)
            ));
        }
    }
    *declarations = kept;
}
