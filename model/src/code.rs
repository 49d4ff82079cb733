//! What the code declares: aliases with what they really are, and the arrays that hold the model's tensors.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use derate_hls::{
    Alias, Array, FileId, Header, Lie, Outcome, Resolution, Resolver, Scope, Sources, Span,
    claims_of, lie,
};

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
}

impl ResolvedAlias {
    /// Whether a hop of some resolution is this alias.
    pub fn is_at(&self, hop: Span) -> bool {
        let own = self.alias.span;
        own.file == hop.file && own.start <= hop.start && hop.end <= own.end
    }

    /// The width in bits that its name or comment promises.
    pub fn claimed_bits(&self) -> Option<u32> {
        claims_of(&self.alias).into_iter().find_map(|claim| claim.bits)
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
}

/// All sources of a project.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The parsed files, in the order given.
    pub headers: Vec<Header>,
    /// All aliases, in the order of their files.
    pub aliases: Vec<ResolvedAlias>,
    /// All arrays outside functions, in the order of their files.
    pub declarations: Vec<Declaration>,
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
    /// Parses `files`, and finds which arrays stand for which tensors of `shape` where there is one.
    pub fn new(sources: &Sources, files: &[FileId], shape: Option<&ModelShape>) -> Self {
        let headers = derate_hls::parse_all(sources, files);
        let resolver = Resolver::new(&headers, sources);
        let aliases = headers
            .iter()
            .flat_map(|header| &header.aliases)
            .map(|alias| {
                let resolution = resolver.alias(alias);
                ResolvedAlias { lie: lie(alias, &resolution), alias: alias.clone(), resolution }
            })
            .collect();
        let mut declarations: Vec<Declaration> = headers
            .iter()
            .flat_map(|header| &header.arrays)
            .map(|array| declaration(array, &resolver.element(array)))
            .collect();
        if let Some(shape) = shape {
            name_tensors(&mut declarations, shape);
        }
        Self { headers, aliases, declarations }
    }

    /// The declaration that stands for a tensor.
    pub fn declaration_of(&self, tensor: &str) -> Option<&Declaration> {
        self.declarations.iter().find(|d| d.tensor.as_deref() == Some(tensor))
    }

    /// The aliases that a declaration's element type goes through, nearest first.
    pub fn aliases_of<'a>(
        &'a self,
        declaration: &'a Declaration,
    ) -> impl Iterator<Item = &'a ResolvedAlias> {
        declaration.hops.iter().filter_map(|hop| self.aliases.iter().find(|a| a.is_at(*hop)))
    }

    /// Whether any array stands for a tensor.
    pub fn declares_tensors(&self) -> bool {
        self.declarations.iter().any(|d| d.tensor.is_some())
    }
}

fn declaration(array: &Array, resolution: &Resolution) -> Declaration {
    Declaration {
        path: path_parts(&array.scope, &array.name).join("."),
        tensor: None,
        dims: array.dims.iter().map(|dim| dim.value).collect(),
        element: array.element.clone(),
        precision: precision(resolution),
        hops: resolution.hops.iter().map(|hop| hop.span).collect(),
        span: array.span,
        element_span: array.element_span,
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
