//! Which sources and programs of a folder include a header.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{PassedOver, SOURCE_ENDINGS, Search, read_small};
use crate::paths::{folder_of, is_header, plain};

/// For each file, the files that include it in quotes.
pub(super) type Includers = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// The files of a folder by their names, and what was found for the ends of paths.
struct Ends<'s> {
    named: BTreeMap<&'s str, Vec<&'s PathBuf>>,
    found: BTreeMap<String, Option<&'s PathBuf>>,
}

impl<'s> Ends<'s> {
    fn of(files: &'s [PathBuf]) -> Self {
        let mut named: BTreeMap<&str, Vec<&PathBuf>> = BTreeMap::new();
        for file in files {
            let name = file.file_name().and_then(|name| name.to_str());
            named.entry(name.unwrap_or_default()).or_default().push(file);
        }
        Self { named, found: BTreeMap::new() }
    }

    /// The only file whose path ends so.
    fn find(&mut self, path: &str) -> Option<&'s PathBuf> {
        if let Some(found) = self.found.get(path) {
            return *found;
        }
        let end = plain(Path::new(path));
        let name = end.file_name().and_then(|name| name.to_str());
        let fitting = name.and_then(|name| self.named.get(name)).into_iter().flatten();
        let mut fitting = fitting.filter(|file| file.ends_with(&end));
        let found = fitting.next().filter(|_| fitting.next().is_none()).copied();
        self.found.insert(path.to_owned(), found);
        found
    }
}

impl Search {
    /// The first program or test bench that includes one of these headers, or a header that does; `None` where a source for the
    /// card includes one as well.
    pub(crate) fn find_only_including_program(
        &self,
        headers: &BTreeSet<PathBuf>,
    ) -> Option<String> {
        let includers = self.includers.get_or_init(|| self.list_includers());
        let mut reached: BTreeSet<&PathBuf> = headers.iter().collect();
        let mut open: Vec<&PathBuf> = headers.iter().collect();
        let mut programs = BTreeSet::new();
        while let Some(file) = open.pop() {
            for includer in includers.get(file).into_iter().flatten() {
                if !reached.insert(includer) {
                    continue;
                }
                if is_header(includer) {
                    open.push(includer);
                } else if self.why_passed_over(includer).is_some() || self.is_program(includer) {
                    programs.insert(includer);
                } else {
                    return None;
                }
            }
        }
        programs.first().map(|path| self.name(path))
    }

    /// Reads each source, program and test bench once.
    fn list_includers(&self) -> Includers {
        let mut ends = Ends::of(&self.files);
        let mut includers = Includers::new();
        let is_own = |path: &&PathBuf| {
            !matches!(
                self.why_passed_over(path),
                Some(
                    PassedOver::ToolOutput
                        | PassedOver::PlainC
                        | PassedOver::OpenCl
                        | PassedOver::Template
                )
            )
        };
        for path in self.having(&SOURCE_ENDINGS).filter(is_own) {
            let text = read_small(path).unwrap_or_default();
            let name = self.name(path);
            for included in text.lines().filter_map(read_include) {
                let beside = self.dir.join(plain(&Path::new(folder_of(&name)).join(included)));
                let file = match self.files.binary_search(&beside) {
                    Ok(_) => Some(&beside),
                    Err(_) => ends.find(included),
                };
                if let Some(file) = file {
                    includers.entry(file.clone()).or_default().insert(path.clone());
                }
            }
        }
        includers
    }
}

/// The path of an include in quotes.
fn read_include(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim_start().strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::search::testing::search_files;

    #[test]
    fn a_header_is_of_the_program_that_alone_includes_it() {
        let header = ("inc/acc.h", "void acc(int *a) {\n#pragma HLS pipeline\n}\n");
        let program = |include: &'static str| ("main.cpp", include);
        let only = |others: &[(&str, &str)]| {
            let (_dir, search) = search_files(&[&[header], others].concat());
            let acc = search.files.iter().find(|path| path.ends_with(Path::new("inc/acc.h")));
            search.find_only_including_program(&acc.into_iter().cloned().collect())
        };
        let main = Some("main.cpp".to_owned());
        let includes = program("#include \"acc.h\"\nint main() { return 0; }\n");
        assert_eq!(only(&[includes]), main);
        // Another header includes it.
        let between = ("lib/all.h", "#include \"../inc/acc.h\"\n");
        let all = program("#include \"lib/all.h\"\nint main() { return 0; }\n");
        assert_eq!(only(&[between, all]), main);
        // The program does not include it, or two files have its name.
        assert_eq!(only(&[program("#include <stdio.h>\nint main() { return 0; }\n")]), None);
        assert_eq!(only(&[includes, ("lib/acc.h", "")]), None);
        // A source for the card includes it, too.
        let kernel = ("lib/top.cpp", "#include \"acc.h\"\nvoid top(int *a) { acc(a); }\n");
        assert_eq!(only(&[includes, kernel]), None);
        // A test bench is none.
        let bench = ("tb/run_tb.cpp", "#include \"acc.h\"\nvoid run() {}\n");
        assert_eq!(only(&[includes, bench]), main);
    }
}
