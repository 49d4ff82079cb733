//! Which modules of a crate use which, and the circles among them.
//!
//! An arrow goes from a module to the module that declares what it names. Arrows between a module and the modules
//! inside it do not count: the outer one declares the inner ones. An arrow between two modules counts where their
//! paths part, so that `a::b` that uses `c::d` is an arrow from `a` to `c`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};

/// The path of a module from the root of its crate; empty for the root.
type Module = Vec<String>;

/// What a module names.
#[derive(Default)]
struct Named {
    /// Paths in `use`, each with the name that it gets here.
    uses: Vec<(Vec<String>, String)>,
    /// Paths elsewhere in the text.
    paths: Vec<Vec<String>>,
}

/// Modules that use each other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Circle {
    parent: Module,
    arrows: Vec<String>,
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.parent.join("::"), self.arrows.join("; "))
    }
}

/// The circles of the crate whose modules are in `source`.
///
/// # Errors
///
/// A file that cannot be read, or that is not Rust.
pub fn find_circles(source: &Path) -> Result<Vec<Circle>, Box<dyn Error>> {
    let mut modules = BTreeMap::new();
    read_modules(source, &mut Vec::new(), &mut modules)?;
    let mut arrows: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, named) in &modules {
        let paths = named.uses.iter().map(|(path, _)| path).chain(&named.paths);
        for target in paths.filter_map(|path| declared_in(&modules, module, path, 0)) {
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if shared < module.len() && shared < target.len() {
                let siblings = arrows.entry(module[..shared].to_vec()).or_default();
                siblings.entry(module[shared].clone()).or_default().insert(target[shared].clone());
            }
        }
    }
    let of_parent = |(parent, arrows): (Module, BTreeMap<String, BTreeSet<String>>)| {
        let arrows = arrows_in_circles(&arrows);
        (!arrows.is_empty()).then_some(Circle { parent, arrows })
    };
    Ok(arrows.into_iter().filter_map(of_parent).collect())
}

/// Reads the modules in `folder`; those of tests are left out.
fn read_modules(
    folder: &Path,
    module: &mut Module,
    modules: &mut BTreeMap<Module, Named>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            module.push(name);
            read_modules(&path, module, modules)?;
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut own = module.clone();
            let is_root = module.is_empty() && ["lib", "main"].contains(&name.as_str());
            if !is_root && name != "mod" {
                own.push(name);
            }
            let mut named = Named::default();
            named.visit_file(&syn::parse_file(&fs::read_to_string(&path)?)?);
            modules.insert(own, named);
        }
    }
    Ok(())
}

impl<'ast> Visit<'ast> for Named {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = item.attrs.iter().any(|attribute| {
            let condition = attribute.parse_args::<syn::Path>();
            attribute.path().is_ident("cfg") && condition.is_ok_and(|name| name.is_ident("test"))
        });
        if !is_test {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.read_tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let path_of_names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if path_of_names.len() > 1 {
            self.paths.push(path_of_names);
        }
        visit::visit_path(self, path);
    }
}

impl Named {
    fn read_tree(&mut self, tree: &syn::UseTree, path: &mut Vec<String>) {
        let mut end = |path: &[String], last: String, name: String| {
            let whole = path.iter().cloned().chain((last != "self").then_some(last)).collect();
            self.uses.push((whole, name));
        };
        match tree {
            syn::UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.read_tree(&inner.tree, path);
                path.pop();
            }
            syn::UseTree::Name(name) => end(path, name.ident.to_string(), name.ident.to_string()),
            syn::UseTree::Rename(renamed) => {
                end(path, renamed.ident.to_string(), renamed.rename.to_string());
            }
            syn::UseTree::Glob(_) => end(path, "*".to_owned(), "*".to_owned()),
            syn::UseTree::Group(group) => {
                for inner in &group.items {
                    self.read_tree(inner, path);
                }
            }
        }
    }
}

/// The module that declares what `path` names in `module`; `None` where that is another crate, or local.
fn declared_in(
    modules: &BTreeMap<Module, Named>,
    module: &[String],
    path: &[String],
    depth: usize,
) -> Option<Module> {
    let first = path.first()?.as_str();
    let ups = path.iter().take_while(|word| *word == "super").count();
    let (at, rest) = match first {
        "crate" => (Vec::new(), &path[1..]),
        "self" => (module.to_vec(), &path[1..]),
        "super" => (module[..module.len().checked_sub(ups)?].to_vec(), &path[ups..]),
        _ => {
            let inner = [module, &path[..1]].concat();
            (modules.contains_key(&inner).then_some(inner)?, &path[1..])
        }
    };
    follow(modules, at, rest, depth)
}

/// Follows modules and re-exports from `at`.
fn follow(
    modules: &BTreeMap<Module, Named>,
    mut at: Module,
    mut rest: &[String],
    depth: usize,
) -> Option<Module> {
    while let Some(next) = rest.first() {
        let inner = [at.as_slice(), std::slice::from_ref(next)].concat();
        if !modules.contains_key(&inner) {
            break;
        }
        at = inner;
        rest = &rest[1..];
    }
    let (Some(name), true) = (rest.first(), depth < 8) else { return Some(at) };
    let mut exported = modules.get(&at)?.uses.iter().filter(|(_, known)| known == name);
    let found = exported.find_map(|(path, _)| declared_in(modules, &at, path, depth + 1));
    Some(found.unwrap_or(at))
}

/// The arrows among modules that can reach each other.
fn arrows_in_circles(arrows: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let reaches = |from: &str, to: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(next) = open.pop() {
            for target in arrows.get(next).into_iter().flatten() {
                if target == to {
                    return true;
                }
                if seen.insert(target.as_str()) {
                    open.push(target);
                }
            }
        }
        false
    };
    let all = arrows.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from, to)));
    all.filter(|(from, to)| reaches(to, from)).map(|(from, to)| format!("{from} -> {to}")).collect()
}
