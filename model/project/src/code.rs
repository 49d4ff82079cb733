//! What the code declares: aliases with what they really are, and the arrays that hold the model's tensors.

mod alias;
mod annotation;
mod called;
mod crossing;
mod declaration;
mod not_audited;
mod scalar;
mod structure;
mod tensors;
mod units;

pub use alias::ResolvedAlias;
pub use called::CallMap;
pub use declaration::{Declaration, extents};
pub use not_audited::{NotAudited, NotAuditedReport, ONLY_ANNOTATIONS};
pub use scalar::scalar_precision;
pub use structure::ResolvedStructure;
pub use units::UnitTexts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use derate_hls::{
    AlloSource, ConstantKind, FileId, Function, Header, HlsType, Include, Resolver, Sources, Span,
    Structure, Trees, Wanted, find_lie, parse_project,
};

use crate::alternatives::{Alternative, BYTES, Facts, OpenCircumstance, When, find_open};
use crate::closures::Closures;
use crate::includes::{Includes, Recorded};
use declaration::read_declaration;
use derate_dump::ModelShape;
use tensors::{merge_repeated, name_tensors};

/// All sources of a project.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The project's, in the order given; then what they include beyond it.
    headers: Vec<Header>,
    /// How many of the headers are the project's.
    own: usize,
    /// The files that were named.
    files: Vec<FileId>,
    /// Allo's Python among them, whose annotations were read.
    pub allo: Vec<AlloSource>,
    /// The others, which were not read.
    pub not_audited: Vec<NotAudited>,
    /// All aliases of the project's files, in their order.
    pub aliases: Vec<ResolvedAlias>,
    /// Aliases that only some circumstance declares, such as a macro that nothing defines; each with the first one.
    pub conditional: Vec<(When, ResolvedAlias)>,
    /// The structs of the project's files that are no templates, in their order.
    pub structures: Vec<ResolvedStructure>,
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

impl Code {
    /// Parses `files` and what they include, with these macros defined (name and value), and finds which arrays hold
    /// which tensors of `shape` where there is one.
    pub fn new(
        sources: &mut Sources,
        files: &[FileId],
        defines: &[(String, String)],
        includes: &mut dyn Includes,
        shape: Option<&ModelShape>,
    ) -> Self {
        let trees = &mut Trees::default();
        Self::within(sources, files, defines, includes, shape, BYTES, trees)
    }

    /// The same, where no more than so many bytes are read again for macros that nothing defines, and headers that another
    /// design includes are parsed once: a folder has many designs.
    pub fn within(
        sources: &mut Sources,
        files: &[FileId],
        defines: &[(String, String)],
        includes: &mut dyn Includes,
        shape: Option<&ModelShape>,
        most_bytes: usize,
        trees: &mut Trees,
    ) -> Self {
        let mut recorded = Recorded::default();
        let sorted = not_audited::sort_files(sources, files);
        let cpp = sorted.cpp.as_slice();
        let mut headers = read_sources(sources, cpp, defines, includes, &mut recorded, trees);
        let (circumstances, untried) = find_open(&headers, sources, most_bytes.min(BYTES));
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
        code.resolve_names(sources);
        // One reading after the other: of a large tree, all of them together would not fit.
        for OpenCircumstance { when, sources: again } in circumstances {
            let macros: &[_] = if let When::Defined(macros) = &when { macros } else { &[] };
            let defines = [defines, macros].concat();
            let others = read_sources(sources, &again, &defines, includes, &mut recorded, trees);
            let facts = match when {
                When::Defined(_) => Facts::of(&others, sources),
                When::IncludedBy(_) => Facts::of_decided(&others, sources),
            };
            code.note_alternatives(&base, &when, &facts);
            code.note_conditional(&base, &when, &others, &facts);
        }
        code.recorded = recorded;
        code.aliases.extend(code.allo.iter().flat_map(annotation::read_aliases));
        let mut annotated: Vec<Declaration> =
            code.allo.iter().flat_map(annotation::read_declarations).collect();
        if let Some(shape) = shape {
            name_tensors(&mut code.declarations, shape);
            name_tensors(&mut annotated, shape);
            annotation::drop_tiles(&mut annotated, shape);
        }
        code.declarations.append(&mut annotated);
        if let Some(shape) = shape {
            merge_repeated(&mut code.declarations, sources);
            for declaration in &mut code.declarations {
                declaration.check_elements(shape);
            }
        }
        code
    }

    /// The same files read again from other texts, without a disk.
    #[must_use]
    pub fn again(&self, sources: &mut Sources, shape: Option<&ModelShape>) -> Self {
        Self::new(sources, &self.files, &self.defines, &mut self.recorded.clone(), shape)
    }

    fn resolve_names(&mut self, sources: &Sources) {
        let resolver = Resolver::new(&self.headers, sources);
        let own = self.headers.iter().take(self.own);
        self.aliases = own
            .clone()
            .flat_map(|header| &header.aliases)
            .map(|alias| {
                let resolution = resolver.alias(alias);
                ResolvedAlias {
                    lie: find_lie(alias, &resolution),
                    alias: alias.clone(),
                    resolution,
                    alternatives: Vec::new(),
                }
            })
            .collect();
        let plain = |one: &&Structure| one.template.is_empty() && one.specialises.is_none();
        self.structures = own
            .clone()
            .flat_map(|header| header.structures.iter().filter(plain))
            .map(|one| ResolvedStructure {
                resolution: resolver.structure(one),
                structure: one.clone(),
            })
            .collect();
        let mut declarations: Vec<Declaration> = own
            .clone()
            .flat_map(|header| &header.arrays)
            .map(|array| read_declaration(array, &resolver.element(array)))
            .collect();
        // `typedef float w_t[12][768]; extern const w_t w;` is an array as well.
        declarations.extend(own.flat_map(|header| &header.objects).filter_map(|object| {
            let resolution = resolver.element(object);
            matches!(resolution.known(), Some(HlsType::Array { .. }))
                .then(|| read_declaration(object, &resolution))
        }));
        declarations.sort_by_key(|declaration| declaration.span);
        for declaration in &mut declarations {
            declaration.read_raw_bits(&self.aliases);
        }
        self.declarations = declarations;
    }

    /// Notes what aliases and constants are under a circumstance.
    fn note_alternatives(&mut self, base: &Facts, when: &When, facts: &Facts) {
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

    /// Notes the aliases that a circumstance declares and that are not declared without it.
    fn note_conditional(&mut self, base: &Facts, when: &When, others: &[Header], facts: &Facts) {
        let own: BTreeSet<FileId> = self.headers().iter().map(|header| header.file).collect();
        let headers = others.iter().filter(|header| own.contains(&header.file));
        for alias in headers.flat_map(|header| &header.aliases) {
            let Some(resolution) = facts.only_here(base, alias) else { continue };
            let known = self.conditional.iter_mut().find(|(_, known)| {
                known.alias.span.file == alias.span.file
                    && known.alias.qualified() == alias.qualified()
            });
            match known {
                Some((_, known)) => {
                    let all = known.alternatives.iter().map(|one| &one.what.outcome);
                    let differs = all
                        .chain([&known.resolution.outcome])
                        .all(|outcome| *outcome != resolution.outcome);
                    if differs {
                        let (when, span) = (when.clone(), alias.span);
                        known.alternatives.push(Alternative { when, what: resolution, span });
                    }
                }
                None => self.conditional.push((
                    when.clone(),
                    ResolvedAlias {
                        lie: find_lie(alias, &resolution),
                        alias: alias.clone(),
                        resolution,
                        alternatives: Vec::new(),
                    },
                )),
            }
        }
    }

    /// What is taken of raw bits that arrays of tensors are declared with, in a sentence; `None` where there are none.
    pub fn raw_bits(&self) -> Option<String> {
        let mut raw = self.declarations.iter().filter(|declaration| declaration.tensor.is_some());
        let (one, (name, bits)) = raw.find_map(|d| Some((d, d.carrier.as_ref()?)))?;
        let float = one.precision.clone().ok()?;
        Some(format!(
            "Arrays of `{name}` hold raw bits ({bits}), which say nothing of the arithmetic on them: multiply-adds are taken to be those of {float}, as the name promises."
        ))
    }

    /// The project's files: those that were named, in the order given, and what they include of the project.
    pub fn headers(&self) -> &[Header] {
        self.headers.get(..self.own).unwrap_or_default()
    }

    /// The functions of the project's files, in their order.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.headers().iter().flat_map(|header| &header.functions)
    }

    /// The project's files, and what they include beyond the project: what names are resolved with.
    pub fn all_headers(&self) -> &[Header] {
        &self.headers
    }

    /// The files that were named, and those that were read with them.
    pub fn list_read(&self) -> BTreeSet<FileId> {
        let read = self.headers.iter().map(|header| header.file);
        read.chain(self.files.iter().copied()).collect()
    }

    /// The names of the constants of these files; a macro counts where it is a number.
    pub fn constant_names(&self) -> BTreeSet<&str> {
        let all = self.headers.iter().flat_map(|header| &header.constants);
        let fixed = all.filter(|one| one.kind != ConstantKind::Define || one.value.is_some());
        fixed.map(|one| one.name.as_str()).collect()
    }

    /// The files that were named.
    pub fn files(&self) -> &[FileId] {
        &self.files
    }

    /// Whether neither of two files includes the other, directly or not.
    pub fn are_apart(&self, one: FileId, other: FileId) -> bool {
        self.closures.are_apart(one, other)
    }

    /// Whether two files are of one design, as far as they show it: includes join them, or they lie in one folder.
    pub fn are_of_one_design(&self, sources: &Sources, one: FileId, other: FileId) -> bool {
        let folder = |file| Path::new(sources.name(file)).parent();
        self.closures.are_joined(one, other) || folder(one) == folder(other)
    }

    /// What the project's files include and was not found, each path once.
    pub fn missing(&self) -> Vec<&Include> {
        let mut seen = BTreeSet::new();
        let includes = self.headers().iter().flat_map(|header| &header.includes);
        includes.filter(|one| one.missing && seen.insert(one.path.as_str())).collect()
    }

    /// Whether every include was found of a file, of those that it includes, and of those that include it. A name that
    /// nothing declares is unknown in any other.
    pub fn is_complete(&self, file: FileId) -> bool {
        let is_related =
            |other| other == file || self.is_included(other, file) || self.is_included(file, other);
        let misses = |header: &&Header| header.includes.iter().any(|include| include.missing);
        !self.headers.iter().filter(misses).any(|header| is_related(header.file))
    }

    /// Whether one file includes another, directly or not.
    pub fn is_included(&self, file: FileId, by: FileId) -> bool {
        self.closures.includes(by, file)
    }

    /// A file and what it includes, directly or not; `None` for a file that was not read.
    pub fn list_included(&self, file: FileId) -> Option<&BTreeSet<FileId>> {
        self.closures.below(file)
    }

    /// Takes the tensors from arrays of files that are not part of what is built.
    pub fn set_aside(&mut self, files: &BTreeSet<FileId>) {
        for declaration in &mut self.declarations {
            if files.contains(&declaration.span.file) {
                declaration.tensor = None;
            }
        }
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
        not_audited::list_reports(sources, self)
    }

    /// The same in one line of a summary; nothing where all was read.
    pub fn not_audited_line(&self, sources: &Sources) -> Option<String> {
        not_audited::summary_line(sources, self)
    }

    /// Whether any array holds a tensor.
    pub fn declares_tensors(&self) -> bool {
        self.declarations.iter().any(|d| d.tensor.is_some())
    }
}

/// Reads sources, and records what their includes led to.
fn read_sources(
    sources: &mut Sources,
    files: &[FileId],
    defines: &[(String, String)],
    includes: &mut dyn Includes,
    recorded: &mut Recorded,
    trees: &mut Trees,
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
    parse_project(sources, files, defines, &mut load, trees)
}
