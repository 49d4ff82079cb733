//! Which names exist where, and who sees whom.

use super::context::Context;
use super::declaration::{Declaration, Found, Sought, drop_repeats};
use super::includes::join_includes;
use super::owner::{Owner, list_owners};
use crate::header::{Function, Header, Scope, TemplateParameter};
use crate::preprocess::{Branch, Relation, relation};
use crate::{FileId, Span};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// The places of the declarations that count, or a header that has one and is not visible.
type Picked = Result<Rc<[usize]>, FileId>;

/// A name, what it is sought as, and from where.
type Question = (String, Sought, Option<usize>, Branch);

/// A name with more declarations than this is looked up once from each branch of each text.
const FEW: usize = 4;

/// Per scope, the namespaces that a header sees opened in it.
type Opened = HashMap<String, Rc<[String]>>;

pub(super) struct Index<'a> {
    headers: &'a [Header],
    names: HashMap<String, Vec<(usize, Declaration<'a>)>>,
    found: RefCell<HashMap<Question, Picked>>,
    places: HashMap<FileId, usize>,
    /// Per template, its parameters; those of all its declarations, one of each name.
    templates: HashMap<String, Vec<&'a TemplateParameter>>,
    /// Per header, the templates with a body, the first one first.
    owners: Vec<Vec<Owner<'a>>>,
    /// Per template that is declared without a body, its parameters and the header that declares it.
    forwards: HashMap<&'a str, Vec<(usize, &'a [TemplateParameter])>>,
    /// Every scope that is one, namespaces and structs alike.
    scopes: HashSet<String>,
    namespaces: HashSet<String>,
    /// Per header, the headers that it includes, directly or not, itself among them.
    below: Vec<HashSet<usize>>,
    /// Per header, the headers that include it, directly or not, itself among them; sorted.
    above: Vec<Vec<usize>>,
    /// Per macro, the headers that define it.
    macros: HashMap<&'a str, Vec<usize>>,
    /// Per scope, the namespaces that are opened in it.
    opened: HashMap<String, Vec<(usize, &'a str)>>,
    /// Per header and scope, those that the header sees opened.
    seen_opened: RefCell<HashMap<Option<usize>, Opened>>,
    /// Per name, what a using-declaration makes it mean.
    brought: HashMap<String, Vec<(usize, &'a str)>>,
}

impl<'a> Index<'a> {
    pub(super) fn new(headers: &'a [Header]) -> Self {
        let (below, above) = join_includes(headers);
        let mut index = Self {
            headers,
            names: HashMap::default(),
            found: RefCell::default(),
            places: headers.iter().enumerate().map(|(at, header)| (header.file, at)).collect(),
            templates: HashMap::default(),
            owners: headers.iter().map(list_owners).collect(),
            forwards: HashMap::default(),
            scopes: HashSet::default(),
            namespaces: HashSet::default(),
            above,
            below,
            macros: HashMap::default(),
            opened: HashMap::default(),
            seen_opened: RefCell::default(),
            brought: HashMap::default(),
        };
        for (at, header) in headers.iter().enumerate() {
            for alias in header.aliases.iter().filter(|a| a.kind != crate::AliasKind::Define) {
                index.add_name(at, alias.qualified(), Declaration::Alias(alias));
            }
            for one in &header.structures {
                let name = one.scope.qualify(&one.name);
                index.scopes.insert(name.clone());
                index.add_template(&name, &one.template);
                index.add_name(at, name, Declaration::Structure(one));
            }
            for (name, template) in &header.forwards {
                index.forwards.entry(name).or_default().push((at, template));
            }
            for one in &header.enumerations {
                index.add_name(at, one.scope.qualify(&one.name), Declaration::Enumeration(one));
            }
            for one in header.constants.iter().filter(|c| c.kind != crate::ConstantKind::Define) {
                index.add_name(at, one.qualified(), Declaration::Constant(one));
            }
            for one in &header.functions {
                let name = one.qualified();
                index.add_template(&name, &one.template);
                index.add_name(at, name, Declaration::Function(one));
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
            index.namespaces.extend(header.namespaces.iter().map(Scope::to_string));
        }
        index.scopes.extend(index.namespaces.iter().cloned());
        for all in index.names.values_mut().filter(|all| all.len() > FEW) {
            drop_repeats(all, headers);
        }
        index
    }

    fn add_template(&mut self, name: &str, parameters: &'a [TemplateParameter]) {
        if parameters.is_empty() {
            return;
        }
        let known = self.templates.entry(name.to_owned()).or_default();
        for parameter in parameters {
            if known.iter().all(|other| other.name != parameter.name) {
                known.push(parameter);
            }
        }
    }

    fn add_name(&mut self, header: usize, name: String, declaration: Declaration<'a>) {
        self.names.entry(name).or_default().push((header, declaration));
    }

    /// The functions of a qualified name, in all headers.
    pub(super) fn functions_of(&self, name: &str) -> impl Iterator<Item = &'a Function> {
        let all = self.names.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|(_, one)| match one {
            Declaration::Function(one) => Some(*one),
            _ => None,
        })
    }

    /// The templates of a header, the first one first.
    pub(super) fn owners_in(&self, header: usize) -> &[Owner<'a>] {
        self.owners.get(header).map(Vec::as_slice).unwrap_or_default()
    }

    /// The index of the header of a text.
    pub(super) fn header_of(&self, file: FileId) -> Option<usize> {
        self.places.get(&file).copied()
    }

    /// Whether any template is declared at all.
    pub(super) fn has_templates(&self) -> bool {
        !self.templates.is_empty()
    }

    /// The parameters of a template that is declared without a body, as a header sees it: the declaration with
    /// most defaults.
    pub(super) fn forward_of(
        &self,
        name: &str,
        from: Option<usize>,
    ) -> Option<&'a [TemplateParameter]> {
        let seen = self.forwards.get(name)?.iter().filter(|(at, _)| self.sees(from, *at));
        let defaults = |template: &[TemplateParameter]| {
            template.iter().filter(|one| one.default.is_some()).count()
        };
        let named =
            |template: &&[TemplateParameter]| template.iter().all(|one| !one.name.is_empty());
        seen.map(|(_, template)| *template).filter(named).max_by_key(|template| defaults(template))
    }

    fn is_scope(&self, name: &str) -> bool {
        self.scopes.contains(name)
    }

    pub(super) fn is_namespace(&self, name: &str) -> bool {
        self.namespaces.contains(name)
    }

    /// Whether a text of these declares a type of that name, in some scope.
    pub(super) fn has_type(&self, name: &str, is_counted: impl Fn(FileId) -> bool) -> bool {
        let tail = format!("::{name}");
        let named = self.names.iter().filter(|(known, _)| *known == name || known.ends_with(&tail));
        named.flat_map(|(_, all)| all).any(|(at, one)| {
            one.is_type() && self.headers.get(*at).is_some_and(|header| is_counted(header.file))
        })
    }

    /// The parameters of the template that a scope is, if it is one.
    pub(super) fn template_of(&self, scope: &Scope) -> &[&'a TemplateParameter] {
        let name = scope.to_string();
        // A specialisation's scope carries its arguments.
        let name = name.split('<').next().unwrap_or("");
        self.templates.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether one header sees what another declares.
    pub(super) fn sees(&self, from: Option<usize>, to: usize) -> bool {
        self.distance_between(from, to).is_some()
    }

    /// Whether one header sees what another declares, and how near that is.
    fn distance_between(&self, from: Option<usize>, to: usize) -> Option<u8> {
        let Some(from) = from else { return Some(0) };
        if from == to {
            return Some(0);
        }
        if self.below.get(from).is_some_and(|below| below.contains(&to)) {
            return Some(1);
        }
        let (from, to) = (self.above.get(from)?, self.above.get(to)?);
        let (few, many) = if from.len() < to.len() { (from, to) } else { (to, from) };
        few.iter().any(|one| many.binary_search(one).is_ok()).then_some(2)
    }

    /// The headers that define a macro and are seen from a header.
    pub(super) fn macro_headers(&self, name: &str, from: Option<usize>) -> Vec<usize> {
        let all = self.macros.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().filter(|&to| self.distance_between(from, to).is_some()).collect()
    }

    /// The declarations of a qualified name that count at a place; the nearest header's only.
    /// `Err` names a header that declares it but is not visible.
    pub(super) fn find_declarations(
        &self,
        name: &str,
        sought: Sought,
        context: &Context,
    ) -> Result<Found<'_, 'a>, FileId> {
        let Some(all) = self.names.get(name) else { return Ok(Found::default()) };
        let found = |picked| Found { all, picked };
        if all.len() <= FEW {
            return self.pick_nearest(all, sought, context).map(found);
        }
        let branch =
            if context.header.is_some() { context.branch.clone() } else { Branch::default() };
        let key = (name.to_owned(), sought, context.header, branch);
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone().map(found);
        }
        let picked = self.pick_nearest(all, sought, context);
        self.found.borrow_mut().insert(key, picked.clone());
        picked.map(found)
    }

    fn pick_nearest(
        &self,
        all: &[(usize, Declaration<'a>)],
        sought: Sought,
        context: &Context,
    ) -> Picked {
        let nothing = Branch::default();
        let ours = if context.header.is_some() { &context.branch } else { &nothing };
        let mut best: Vec<usize> = Vec::new();
        let mut nearest = u8::MAX;
        let mut hidden = None;
        for (index, &(at, one)) in all.iter().enumerate() {
            let fits = match sought {
                Sought::Type => one.is_type(),
                Sought::Constant => matches!(one, Declaration::Constant(_)),
                Sought::Function => matches!(one, Declaration::Function(_)),
            };
            let Some(header) = self.headers.get(at).filter(|_| fits) else { continue };
            let theirs = header.outlook.branch_at(one.span().start);
            if relation(&theirs, ours) == Relation::Excluded {
                continue;
            }
            let Some(distance) = self.distance_between(context.header, at) else {
                hidden = Some(header.file);
                continue;
            };
            if distance < nearest {
                nearest = distance;
                best.clear();
            }
            if distance == nearest {
                best.push(index);
            }
        }
        match hidden {
            Some(file) if best.is_empty() => Err(file),
            _ => Ok(best.into()),
        }
    }

    /// The includes of a header, and of those below it, that nothing was found for.
    pub(super) fn missing_includes(&self, from: Option<usize>) -> Vec<&'a str> {
        let below = |at: &usize| {
            from.is_none_or(|from| self.below.get(from).is_some_and(|below| below.contains(at)))
        };
        let seen = self.headers.iter().enumerate().filter(|(at, _)| below(at));
        let includes = seen.flat_map(|(_, header)| &header.includes);
        let mut paths: Vec<&str> =
            includes.filter(|one| one.missing).map(|one| one.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Whether a name of a namespace is only declared behind the place that asks for it, so that
    /// the place means an outer one.
    pub(super) fn is_later(
        &self,
        scope: &Scope,
        name: &str,
        sought: Sought,
        context: &Context,
    ) -> bool {
        let is_struct = || {
            let all = self.names.get(&scope.to_string());
            all.is_some_and(|all| all.iter().any(|(_, one)| one.is_type()))
        };
        if scope.is_global() || !self.is_scope(&scope.to_string()) || is_struct() {
            return false;
        }
        let all = self.find_declarations(&scope.qualify(name), sought, context).unwrap_or_default();
        let behind = |at: usize, span: Span| Some(at) == context.header && span.start > context.at;
        !all.is_empty() && all.iter().all(|(at, one)| behind(at, one.span()))
    }

    /// What a using-declaration makes a qualified name mean.
    pub(super) fn brought_in(&self, name: &str, from: Option<usize>) -> Option<&'a str> {
        let all = self.brought.get(name)?;
        all.iter()
            .find(|(at, _)| self.distance_between(from, *at).is_some())
            .map(|(_, target)| *target)
    }

    /// The namespaces that `using namespace` opens in a scope.
    pub(super) fn opened_in(&self, scope: &Scope, from: Option<usize>) -> Rc<[String]> {
        let scope = scope.to_string();
        let Some(all) = self.opened.get(&scope) else { return Rc::default() };
        let mut known = self.seen_opened.borrow_mut();
        let known = known.entry(from).or_default().entry(scope);
        let names = known.or_insert_with(|| {
            let seen = all.iter().filter(|(at, _)| self.distance_between(from, *at).is_some());
            let mut names: Vec<String> = seen.map(|(_, name)| (*name).to_owned()).collect();
            names.sort_unstable();
            names.dedup();
            names.into()
        });
        Rc::clone(names)
    }
}
