//! Programs beside the kernels of a folder: libraries and drivers that no tool of synthesis reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use derate_hls::is_for_synthesis;

use super::design::DesignPlan;
use super::link::defines;
use crate::paths::{folder_of, is_header, is_within};
use crate::read_source;
use crate::search::{BuildScript, Search, is_directed};

/// The designs for the card, and those that are programs. Where nothing is for the card, all are kept: they may become
/// kernels.
pub(crate) fn set_software_aside(plans: Vec<DesignPlan>) -> (Vec<DesignPlan>, Vec<DesignPlan>) {
    let tops: Vec<(PathBuf, String)> = plans.iter().flat_map(list_reported_tops).collect();
    let is_kernel = |plan: &DesignPlan| is_for_the_card(plan) || defines_reported(plan, &tops);
    let (kernels, others): (Vec<_>, Vec<_>) = plans.into_iter().partition(is_kernel);
    if kernels.is_empty() { (others, Vec::new()) } else { (kernels, others) }
}

/// Why a program is not audited; `None` where it is no more than headers of designs. `is_read` says whether a design includes
/// a file.
pub(crate) fn explain_program(
    search: &Search,
    plan: &DesignPlan,
    is_read: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let has_read = plan.sources.iter().any(|path| is_read(&search.name(path)));
    let is_opencl = |path: &&PathBuf| is_within(folder_of(&search.name(path)), &plan.folder);
    match (has_read, plan.is_compiled()) {
        (true, false) => None,
        (true, true) => Some("a program: only what the designs include of it is audited"),
        (false, false) => Some("headers that no design includes"),
        (false, true) if search.list_opencl().iter().any(is_opencl) => {
            Some("a program: the kernels in its folder are OpenCL C")
        }
        (false, true) => Some("a program: none of its files is written for high-level synthesis"),
    }
}

/// The program or the test bench that alone includes the headers of a design, where nothing of it is compiled for the card: it has
/// headers and programs, and no script, report or v++ configuration.
pub(crate) fn find_only_program(search: &Search, plan: &DesignPlan) -> Option<String> {
    let builds = |script: &BuildScript| {
        let given = [&script.files, &script.compiled];
        !script.tops.is_empty() || given.iter().any(|files| !files.is_disjoint(&plan.sources))
    };
    let is_built =
        !plan.reports.is_empty() || plan.connectivity.is_some() || plan.scripts.iter().any(builds);
    let (headers, others): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
        plan.sources.iter().cloned().partition(|path| is_header(path));
    let has_kernel = || headers.iter().any(|path| is_directed(path));
    if is_built || !others.iter().all(|path| search.is_program(path)) || !has_kernel() {
        return None;
    }
    search.find_only_including_program(&headers)
}

/// The modules that have a report of synthesis: `fir` of `fir_csynth.rpt`, each with the report.
fn list_reported_tops(plan: &DesignPlan) -> Vec<(PathBuf, String)> {
    let read = |path: &PathBuf| {
        let name = path.file_stem()?.to_str()?.strip_suffix("_csynth")?.to_owned();
        Some((path.clone(), name))
    };
    plan.reports.iter().filter_map(read).collect()
}

/// Whether a report below the folder of a design is of a function that the design defines.
fn defines_reported(plan: &DesignPlan, tops: &[(PathBuf, String)]) -> bool {
    let folders: Vec<&Path> = plan.sources.iter().filter_map(|path| path.parent()).collect();
    let is_below = |report: &Path| folders.iter().any(|folder| report.starts_with(folder));
    let names: Vec<&str> =
        tops.iter().filter(|(path, _)| is_below(path)).map(|(_, name)| name.as_str()).collect();
    !names.is_empty()
        && plan.sources.iter().any(|path| {
            read_source(path).is_ok_and(|(text, _)| names.iter().any(|name| defines(&text, name)))
        })
}

pub(super) fn is_for_the_card(plan: &DesignPlan) -> bool {
    !plan.reports.is_empty()
        || plan.connectivity.is_some()
        || plan.scripts.iter().any(|script| !script.files.is_empty() || !script.tops.is_empty())
        || plan
            .sources
            .iter()
            .any(|path| read_source(path).is_ok_and(|(text, _)| is_for_synthesis(&text)))
}

#[cfg(test)]
mod tests {
    use super::super::{PlanFiles, plan_designs};
    use super::{DesignPlan, explain_program, find_only_program, set_software_aside};
    use crate::search::testing::search_files;

    fn split(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let (_dir, search) = search_files(files);
        let (kernels, programs) =
            set_software_aside(plan_designs(&search, &PlanFiles::found(&search)));
        let names = |plans: Vec<DesignPlan>| plans.into_iter().map(|plan| plan.name).collect();
        (names(kernels), names(programs))
    }

    #[test]
    fn programs_beside_kernels_are_no_designs() {
        let program = ("tensors/tensor.cpp", "typedef long int32;\nvoid add(int32 *a) {}\n");
        let library = ("samples/input.h", "short input[] = { 1, 2 };\n");
        let kernel = ("filter/top.cpp", "#include <ap_int.h>\nvoid top(ap_int<8> a) {}\n");
        let (kernels, programs) = split(&[program, library, kernel]);
        assert_eq!(kernels, ["filter"]);
        assert_eq!(programs, ["samples", "tensors"]);
        // A script builds it, or nothing here is for synthesis yet.
        let script = ("tensors/run.tcl", "open_project p\nset_top add\nadd_files tensor.cpp\n");
        assert_eq!(split(&[program, script, kernel]).0, ["filter", "tensors"]);
        assert_eq!(split(&[program, library]).0, ["samples", "tensors"]);
        // A report of each of two solutions is of it, or one is of another function.
        let report = |top: &str| format!("== Vitis HLS Report for '{top}'\n* Date: today\n");
        let (own, other) = (report("add"), report("sub"));
        let solutions = [
            ("tensors/p/s1/syn/report/add_csynth.rpt", own.as_str()),
            ("tensors/p/s2/syn/report/add_csynth.rpt", own.as_str()),
        ];
        let others = [
            ("tensors/p/s1/syn/report/sub_csynth.rpt", other.as_str()),
            ("tensors/p/s2/syn/report/sub_csynth.rpt", other.as_str()),
        ];
        let [first, second] = solutions;
        assert_eq!(split(&[program, kernel, first, second]).1, Vec::<String>::new());
        let [first, second] = others;
        assert_eq!(split(&[program, kernel, first, second]).1, ["tensors"]);
    }

    #[test]
    fn kernels_in_headers_of_a_program_are_compiled_by_no_tool() {
        let only = |files: &[(&str, &str)]| -> Vec<Option<String>> {
            let (_dir, search) = search_files(files);
            let plans = plan_designs(&search, &PlanFiles::found(&search));
            plans.iter().map(|plan| find_only_program(&search, plan)).collect()
        };
        let header = ("acc.h", "void acc(int *a) {\n#pragma HLS pipeline\n}\n");
        let includes = ("main.cpp", "#include \"acc.h\"\nint main() { return 0; }\n");
        assert_eq!(only(&[header, includes]), [Some("main.cpp".to_owned())]);
        // The program beside it does not include it.
        let other = ("main.cpp", "#include <stdio.h>\nint main() { return 0; }\n");
        assert_eq!(only(&[header, other]), [None]);
    }

    #[test]
    fn a_program_is_not_what_designs_include_or_opencl_is_beside() {
        let (_dir, search) = search_files(&[
            ("net/net.cpp", "#include <ap_int.h>\nvoid net(ap_int<8> a) {}\n"),
            ("weights/w2.h", "static int w2[] = { 1, 2 };\n"),
            ("weights/b2.h", "static int b2[] = { 1, 2 };\n"),
            ("util/log.h", "void log();\n"),
            ("util/log.cpp", "void log() {}\n"),
            ("fft/src/main.cpp", "int main() { return 0; }\n"),
            ("fft/src/device/fft.cl", "__kernel void fft() {}\n"),
            ("tool/main.cpp", "int main() { return 0; }\n"),
        ]);
        let (_, programs) = set_software_aside(plan_designs(&search, &PlanFiles::found(&search)));
        let why = |included: &[&str]| -> Vec<(String, Option<&str>)> {
            let is_read = |name: &str| included.contains(&name);
            let explain =
                |plan: &DesignPlan| (plan.name.clone(), explain_program(&search, plan, is_read));
            programs.iter().map(explain).collect()
        };
        let nothing = "a program: none of its files is written for high-level synthesis";
        let headers = "headers that no design includes";
        let opencl = "a program: the kernels in its folder are OpenCL C";
        let some = "a program: only what the designs include of it is audited";
        let named = |fft, tool, util, weights| {
            [("fft", fft), ("tool", tool), ("util", util), ("weights", weights)]
                .map(|(name, why): (&str, Option<&'static str>)| (name.to_owned(), why))
        };
        assert_eq!(why(&[]), named(Some(opencl), Some(nothing), Some(nothing), Some(headers)));
        let included = ["weights/w2.h", "util/log.h"];
        assert_eq!(why(&included), named(Some(opencl), Some(nothing), Some(some), None));
    }
}
