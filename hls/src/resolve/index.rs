//! Which names exist where, and who sees whom.

use super::context::Context;
use crate::header::{
    Alias, Constant, Enumeration, Function, Header, Scope, Structure, TemplateParameter,
};
use crate::preprocess::{Branch, Relation, find, relation};
use crate::{FileId, Sources, Span};
use std::collections::{HashMap, HashSet};

/// Something that a name may mean.
#[derive(Copy, Clone)]
pub(super) enum Declaration<'a> {
    Alias(&'a Alias),
    Structure(&'a Structure),
    Enumeration(&'a Enumeration),
    Constant(&'a Constant),
    Function(&'a Function),
}

impl Declaration<'_> {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Alias(one) => one.span,
            Self::Structure(one) => one.span,
            Self::Enumeration(one) => one.span,
            Self::Constant(one) => one.span,
            Self::Function(one) => one.span,
        }
    }

    fn is_type(&self) -> bool {
        matches!(self, Self::Alias(_) | Self::Structure(_) | Self::Enumeration(_))
    }
}

/// What kind of thing a name is looked up as.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(super) enum Sought {
    Type,
    Constant,
    Function,
}

pub(super) struct Index<'a> {
    names: HashMap<String, Vec<(usize, Declaration<'a>)>>,
    places: HashMap<FileId, usize>,
    has_templates: bool,
    /// Every scope that is one, namespaces and structs alike.
    scopes: HashSet<String>,
    /// Per header, the headers that it includes, directly or not, itself among them.
    below: Vec<HashSet<usize>>,
    /// Per macro, the headers that define it.
    macros: HashMap<&'a str, Vec<usize>>,
    /// Per scope, the namespaces that are opened in it.
    opened: HashMap<String, Vec<(usize, &'a str)>>,
    /// Per name, what a using-declaration makes it stand for.
    brought: HashMap<String, Vec<(usize, &'a str)>>,
}

impl<'a> Index<'a> {
    pub(super) fn new(headers: &'a [Header], sources: &Sources) -> Self {
        let mut index = Self {
            names: HashMap::new(),
            places: headers.iter().enumerate().map(|(at, header)| (header.file, at)).collect(),
            has_templates: headers.iter().any(|header| {
                header.structures.iter().any(|one| !one.template.is_empty())
                    || header.functions.iter().any(Function::is_template)
            }),
            scopes: HashSet::new(),
            below: below(headers, sources),
            macros: HashMap::new(),
            opened: HashMap::new(),
            brought: HashMap::new(),
        };
        for (at, header) in headers.iter().enumerate() {
            for alias in header.aliases.iter().filter(|a| a.kind != crate::AliasKind::Define) {
                index.add(at, alias.qualified(), Declaration::Alias(alias));
            }
            for one in &header.structures {
                let name = one.scope.qualify(&one.name);
                index.scopes.insert(name.clone());
                index.add(at, name, Declaration::Structure(one));
            }
            for one in &header.enumerations {
                index.add(at, one.scope.qualify(&one.name), Declaration::Enumeration(one));
            }
            for one in header.constants.iter().filter(|c| c.kind != crate::ConstantKind::Define) {
                index.add(at, one.qualified(), Declaration::Constant(one));
            }
            for one in &header.functions {
                index.add(at, one.qualified(), Declaration::Function(one));
            }
            for (name, _) in &header.defines {
                let all = index.macros.entry(name).or_default();
                if all.last() != Some(&at) {
                    all.push(at);
                }
            }
            for (scope, namespace) in &header.opened {
                index.opened.entry(scope.to_string()).or_default().push((at, namespace));
            }
            for (scope, target) in &header.brought {
                let name = scope.qualify(target.rsplit("::").next().unwrap_or(target));
                index.brought.entry(name).or_default().push((at, target));
            }
            index.scopes.extend(header.namespaces.iter().map(Scope::to_string));
        }
        index
    }

    fn add(&mut self, header: usize, name: String, declaration: Declaration<'a>) {
        self.names.entry(name).or_default().push((header, declaration));
    }

    /// The index of the header of a text.
    pub(super) fn place(&self, file: FileId) -> Option<usize> {
        self.places.get(&file).copied()
    }

    /// Whether any template is declared at all.
    pub(super) fn has_templates(&self) -> bool {
        self.has_templates
    }

    pub(super) fn is_scope(&self, name: &str) -> bool {
        self.scopes.contains(name)
    }

    /// The parameters of the template that a scope is, if it is one.
    pub(super) fn templates(&self, scope: &Scope) -> impl Iterator<Item = &'a [TemplateParameter]> {
        let name = scope.to_string();
        // A specialisation's scope carries its arguments.
        let name = name.split('<').next().unwrap_or("").to_owned();
        self.names.get(&name).into_iter().flatten().filter_map(|(_, one)| match one {
            Declaration::Structure(one) => Some(one.template.as_slice()),
            Declaration::Function(one) => Some(one.template.as_slice()),
            _ => None,
        })
    }

    /// Whether one header sees what another declares, and how near that is.
    fn distance(&self, from: Option<usize>, to: usize) -> Option<u8> {
        let Some(from) = from else { return Some(0) };
        if from == to {
            return Some(0);
        }
        if self.below.get(from).is_some_and(|below| below.contains(&to)) {
            return Some(1);
        }
        let together = |below: &HashSet<usize>| below.contains(&from) && below.contains(&to);
        self.below.iter().any(together).then_some(2)
    }

    /// The headers that define a macro and are seen from a header.
    pub(super) fn macro_headers(&self, name: &str, from: Option<usize>) -> Vec<usize> {
        let all = self.macros.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().filter(|&to| self.distance(from, to).is_some()).collect()
    }

    /// The declarations of a qualified name that count at a place; the nearest header's only.
    /// `Err` names a header that declares it but is not in sight.
    pub(super) fn find(
        &self,
        name: &str,
        sought: Sought,
        context: &Context,
        headers: &'a [Header],
    ) -> Result<Vec<(usize, Declaration<'a>)>, FileId> {
        let mut best: Vec<(usize, Declaration<'a>)> = Vec::new();
        let mut nearest = u8::MAX;
        let mut hidden = None;
        for &(at, one) in self.names.get(name).into_iter().flatten() {
            let fits = match sought {
                Sought::Type => one.is_type(),
                Sought::Constant => matches!(one, Declaration::Constant(_)),
                Sought::Function => matches!(one, Declaration::Function(_)),
            };
            let Some(header) = headers.get(at).filter(|_| fits) else { continue };
            let theirs = header.outlook.branch(one.span().start);
            let ours =
                if context.header.is_some() { context.branch.clone() } else { Branch::default() };
            if relation(&theirs, &ours) == Relation::Excluded {
                continue;
            }
            let Some(distance) = self.distance(context.header, at) else {
                hidden = Some(header.file);
                continue;
            };
            if distance < nearest {
                nearest = distance;
                best.clear();
            }
            if distance == nearest {
                best.push((at, one));
            }
        }
        match hidden {
            Some(file) if best.is_empty() => Err(file),
            _ => Ok(best),
        }
    }

    /// Whether a name of a namespace is only declared behind the place that asks for it, so that
    /// the place means an outer one.
    pub(super) fn is_later(
        &self,
        scope: &Scope,
        name: &str,
        sought: Sought,
        context: &Context,
        headers: &'a [Header],
    ) -> bool {
        let is_struct = || {
            let all = self.names.get(&scope.to_string());
            all.is_some_and(|all| all.iter().any(|(_, one)| one.is_type()))
        };
        if scope.is_global() || !self.is_scope(&scope.to_string()) || is_struct() {
            return false;
        }
        let all = self.find(&scope.qualify(name), sought, context, headers).unwrap_or_default();
        let behind = |at: usize, span: Span| Some(at) == context.header && span.start > context.at;
        !all.is_empty() && all.iter().all(|(at, one)| behind(*at, one.span()))
    }

    /// What a using-declaration makes a qualified name stand for.
    pub(super) fn brought(&self, name: &str, from: Option<usize>) -> Option<&'a str> {
        let all = self.brought.get(name)?;
        all.iter().find(|(at, _)| self.distance(from, *at).is_some()).map(|(_, target)| *target)
    }

    /// The namespaces that `using namespace` opens in a scope.
    pub(super) fn opened(&self, scope: &Scope, from: Option<usize>) -> Vec<&'a str> {
        let all = self.opened.get(&scope.to_string()).map(Vec::as_slice).unwrap_or_default();
        let seen = all.iter().filter(|(at, _)| self.distance(from, *at).is_some());
        let mut names: Vec<&str> = seen.map(|(_, name)| *name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// For each header the ones that it includes, directly or not.
fn below(headers: &[Header], sources: &Sources) -> Vec<HashSet<usize>> {
    let place: HashMap<FileId, usize> =
        headers.iter().enumerate().map(|(at, header)| (header.file, at)).collect();
    let direct: Vec<Vec<usize>> = headers
        .iter()
        .map(|header| {
            let files = header.includes.iter().filter_map(|include| {
                include.file.or_else(|| find(sources, header.file, &include.path))
            });
            files.filter_map(|file| place.get(&file).copied()).collect()
        })
        .collect();
    (0..headers.len())
        .map(|start| {
            let mut seen = HashSet::from([start]);
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                open.extend(direct[at].iter().copied().filter(|&to| seen.insert(to)));
            }
            seen
        })
        .collect()
}
