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
}

impl<'c> CallMap<'c> {
    /// The bodies in all files that no other one includes.
    pub fn of(code: &'c Code, sources: &Sources) -> Self {
        let headers: HashMap<FileId, &Header> =
            code.headers.iter().map(|header| (header.file, header)).collect();
        let mut bodies: BTreeMap<&str, BTreeSet<FileId>> = BTreeMap::new();
        for root in code.list_roots(sources) {
            let functions = headers.get(&root).map_or(&[][..], |header| &header.functions);
            for function in functions.iter().filter(|one| one.body.is_some()) {
                bodies.entry(&function.name).or_default().insert(root);
            }
        }
        Self { code, headers, bodies }
    }

    /// The functions of a file and of what it includes.
    pub fn functions_of(&self, file: FileId) -> impl Iterator<Item = &'c Function> {
        let below = self.code.list_included(file).into_iter().flatten();
        below.filter_map(|file| self.headers.get(file)).flat_map(|header| &header.functions)
    }

    /// The other files that define what a file calls, directly or not, and has no body of. A function that several files
    /// define is of none of them.
    pub fn list_called(&self, file: FileId) -> Vec<FileId> {
        let mut found = vec![file];
        let mut at = 0;
        while let Some(&caller) = found.get(at).filter(|_| at < MOST) {
            let defined: BTreeSet<&str> = self
                .functions_of(caller)
                .filter(|one| one.body.is_some())
                .map(|one| one.name.as_str())
                .collect();
            let callers = self.functions_of(caller).filter(|one| one.name != "main");
            for call in callers.flat_map(|one| &one.calls) {
                let mut files = self.bodies.get(call.callee.as_str()).into_iter().flatten();
                if let (false, Some(only), None) =
                    (defined.contains(call.callee.as_str()), files.next(), files.next())
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
