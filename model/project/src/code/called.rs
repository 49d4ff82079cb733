//! Calls from one source into another: the tool is given both.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use derate_hls::{FileId, Function, Header, Sources};

use super::Code;

/// Files whose calls are followed.
const MOST: usize = 16;

/// Where the functions of a project have their bodies.
#[derive(Debug)]
pub struct CallMap<'c> {
    code: &'c Code,
    headers: HashMap<FileId, &'c Header>,
    bodies: BTreeMap<&'c str, BTreeSet<FileId>>,
    /// The same of the methods that have their bodies outside of their class, by their own name.
    methods: BTreeMap<&'c str, BTreeSet<FileId>>,
    /// The folder of each file with bodies, and its name there without its ending.
    places: HashMap<FileId, (String, String)>,
}

impl<'c> CallMap<'c> {
    /// The bodies in all files that no other one includes.
    pub fn of(code: &'c Code, sources: &Sources) -> Self {
        let headers: HashMap<FileId, &Header> =
            code.headers.iter().map(|header| (header.file, header)).collect();
        let (mut bodies, mut methods) =
            (BTreeMap::<&str, BTreeSet<FileId>>::new(), BTreeMap::<&str, BTreeSet<FileId>>::new());
        for root in code.list_roots(sources) {
            let functions = headers.get(&root).map_or(&[][..], |header| &header.functions);
            for function in functions.iter().filter(|one| one.body.is_some()) {
                bodies.entry(&function.name).or_default().insert(root);
                if !function.scope.is_global() {
                    methods.entry(&function.name).or_default().insert(root);
                }
            }
        }
        let roots = bodies.values().flatten();
        let places = roots.map(|root| (*root, split_name(sources.name(*root)))).collect();
        Self { code, headers, bodies, methods, places }
    }

    /// The functions of a file and of what it includes.
    pub fn functions_of(&self, file: FileId) -> impl Iterator<Item = &'c Function> {
        let below = self.code.list_included(file).into_iter().flatten();
        below.filter_map(|file| self.headers.get(file)).flat_map(|header| &header.functions)
    }

    /// The files that define a function, as another file means it: those of its own folder go before others.
    fn list_bodies(&self, caller: FileId, callee: &str) -> Vec<FileId> {
        let all = match callee.rsplit_once(['.', '>']) {
            Some((_, method)) => self.methods.get(method),
            None => self.bodies.get(callee),
        };
        let all = all.into_iter().flatten().copied();
        let folder = |file: &FileId| self.places.get(file).map(|place| place.0.as_str());
        let own = folder(&caller);
        let (near, far): (Vec<FileId>, Vec<FileId>) =
            all.partition(|file| own.is_some() && folder(file) == own);
        if near.is_empty() { far } else { near }
    }

    /// The files that each define something that a file calls, where several of its folder do: a kernel is built with one of them.
    /// Each comes with its name without its ending.
    pub fn list_choices(&self, file: FileId) -> Vec<(FileId, &str)> {
        let defined = self.list_defined(file);
        let calls = self.functions_of(file).flat_map(|one| &one.calls);
        let open = calls.filter(|call| !defined.contains(call.callee.as_str()));
        let lists = open.map(|call| self.list_bodies(file, &call.callee));
        let choices: BTreeSet<FileId> = lists.filter(|list| list.len() > 1).flatten().collect();
        choices
            .into_iter()
            .filter_map(|one| Some((one, self.places.get(&one)?.1.as_str())))
            .collect()
    }

    /// The functions that a file has the bodies of, its own and of what it includes.
    fn list_defined(&self, file: FileId) -> BTreeSet<&'c str> {
        let defined = self.functions_of(file).filter(|one| one.body.is_some());
        defined.map(|one| one.name.as_str()).collect()
    }

    /// The other files that define what a file calls, directly or not, and has no body of. A function that several files of the
    /// nearest folder define is of none of them.
    pub fn list_called(&self, file: FileId) -> Vec<FileId> {
        let mut found = vec![file];
        let mut at = 0;
        while let Some(&caller) = found.get(at).filter(|_| at < MOST) {
            let defined = self.list_defined(caller);
            let callers = self.functions_of(caller).filter(|one| one.name != "main");
            for call in callers.flat_map(|one| &one.calls) {
                let files = self.list_bodies(caller, &call.callee);
                if let (false, [only]) = (defined.contains(call.callee.as_str()), files.as_slice())
                    && !found.contains(only)
                {
                    found.push(*only);
                }
            }
            at += 1;
        }
        found.remove(0);
        found
    }
}

/// The folder of a file, and its name there without its ending.
fn split_name(name: &str) -> (String, String) {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    (folder.to_owned(), file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned())
}
