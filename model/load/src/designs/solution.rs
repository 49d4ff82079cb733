//! The one solution of a project that an audit is about, of those that its scripts make.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use derate_units::figures::list_few;

use super::design::DesignPlan;
use crate::LoadError;
use crate::search::{BuildScript, Solution};

/// So many solutions are named in a sentence.
const NAMED: usize = 8;

/// Keeps what the scripts of each design say for the solution with this name, and the reports in its folder; `dir` is the folder that
/// is audited. A design whose scripts do not have it stays as it is. Gives the reports and sources that are left out.
///
/// # Errors
///
/// No script makes such a solution.
pub(crate) fn keep_solution(
    plans: &mut Vec<DesignPlan>,
    name: &str,
    dir: &Path,
) -> Result<Vec<PathBuf>, LoadError> {
    let scripts = plans.iter().flat_map(|plan| &plan.scripts);
    let all = scripts.flat_map(|script| &script.solutions);
    let names: BTreeSet<String> = all.filter_map(|one| one.name.clone()).collect();
    if !names.contains(name) {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let reason = match known.as_slice() {
            [] => "no script here makes a solution with a name: leave it out".to_owned(),
            some => {
                format!(
                    "no script makes a solution `{name}`: name one of {}",
                    list_few(some, NAMED)
                )
            }
        };
        return Err(LoadError::Option { option: "--solution", reason });
    }
    let is_other = |path: &Path| {
        let below = path.strip_prefix(dir).unwrap_or(path);
        let parts: Vec<_> = below.iter().filter_map(|part| part.to_str()).collect();
        !parts.contains(&name) && parts.iter().any(|part| names.contains(*part))
    };
    let mut left_out = Vec::new();
    for plan in plans.iter_mut() {
        let Some(sources) = keep_scripts(plan, name) else { continue };
        left_out.extend(sources);
        let (kept, others): (Vec<PathBuf>, Vec<PathBuf>) =
            std::mem::take(&mut plan.reports).into_iter().partition(|path| !is_other(path));
        plan.reports = kept;
        plan.solutions.retain(|path| !is_other(path));
        left_out.extend(others);
    }
    plans.retain(|plan| {
        !plan.sources.is_empty() || !plan.reports.is_empty() || plan.connectivity.is_some()
    });
    Ok(left_out)
}

/// Gives the sources that only other solutions have; `None` where no script of the design has this one.
fn keep_scripts(plan: &mut DesignPlan, name: &str) -> Option<Vec<PathBuf>> {
    let is_it = |solution: &Solution| solution.name.as_deref() == Some(name);
    if !plan.scripts.iter().flat_map(|script| &script.solutions).any(is_it) {
        return None;
    }
    // What has no solution with a name is for all of them.
    let is_for_all =
        |script: &BuildScript| script.solutions.iter().all(|solution| solution.name.is_none());
    let (kept, dropped): (Vec<BuildScript>, Vec<BuildScript>) = std::mem::take(&mut plan.scripts)
        .into_iter()
        .partition(|script| is_for_all(script) || script.solutions.iter().any(is_it));
    plan.scripts = kept;
    for script in &mut plan.scripts {
        if !is_for_all(script) {
            script.solutions.retain(is_it);
        }
    }
    let built: BTreeSet<_> = plan.scripts.iter().flat_map(|script| &script.files).collect();
    let others = dropped.iter().flat_map(|script| &script.files);
    let gone: Vec<_> = others.filter(|file| !built.contains(file)).collect();
    let (gone, kept): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
        std::mem::take(&mut plan.sources).into_iter().partition(|file| gone.contains(&file));
    plan.sources = kept;
    Some(gone.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::super::{PlanFiles, plan_designs};
    use super::*;
    use crate::search::testing::search_files;

    const REPORT: &str = include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt");
    const RUN: &str = "open_project p\nset_top f\nadd_files f.cpp\nopen_solution base\ncreate_clock -period 10\n\
        open_solution fast\ncreate_clock -period 4\nset_directive_pipeline f/L\nclose_project\n\
        open_project p\nset_top g\nadd_files g.cpp -cflags -DWIDE\nadd_files f.cpp -cflags -DWIDE\n\
        open_solution wide\ncreate_clock -period 5\n";

    /// The tops, clocks and macros that are left, and the sources and reports.
    fn keep(name: &str) -> Result<String, String> {
        let (dir, search) = search_files(&[
            ("run.tcl", RUN),
            ("f.cpp", "void f() {}\n"),
            ("g.cpp", "void g() {}\n"),
            ("p/base/syn/report/csynth.rpt", REPORT),
            ("p/fast/syn/report/csynth.rpt", REPORT),
        ]);
        let mut plans = plan_designs(&search, &PlanFiles::found(&search));
        keep_solution(&mut plans, name, dir.path()).map_err(|error| error.to_string())?;
        let scripts: Vec<&BuildScript> = plans.iter().flat_map(|plan| &plan.scripts).collect();
        let clocks = scripts.iter().flat_map(|one| &one.solutions).flat_map(|one| &one.clocks);
        let mut clocks: Vec<f64> = clocks.copied().collect();
        clocks.dedup();
        let tops: BTreeSet<&String> = scripts.iter().flat_map(|one| &one.tops).collect();
        let defines: BTreeSet<_> = scripts.iter().flat_map(|one| &one.defines).collect();
        let files =
            plans.iter().flat_map(|one| &one.sources).chain(plans.iter().flat_map(|p| &p.reports));
        let files: Vec<String> = files
            .filter_map(|path| Some(path.strip_prefix(dir.path()).ok()?.display().to_string()))
            .collect();
        Ok(format!("{tops:?} {clocks:?} {} {}", defines.len(), files.join(" ")))
    }

    #[test]
    fn what_is_left_is_of_the_solution() {
        assert_eq!(keep("fast").unwrap(), "{\"f\"} [4.0] 0 f.cpp p/fast/syn/report/csynth.rpt");
        assert_eq!(keep("wide").unwrap(), "{\"g\"} [5.0] 1 f.cpp g.cpp");
        let error = keep("slow").unwrap_err();
        assert!(error.contains("name one of base, fast, wide"), "{error}");
    }

    #[test]
    fn a_project_without_the_solution_keeps_its_reports_and_folders_above_are_not_looked_at() {
        let other = "open_project q\nset_top h\nadd_files h.cpp\nopen_solution base\n";
        let (_held, search) = search_files(&[
            ("one/run.tcl", RUN),
            ("one/f.cpp", "void f() {}\n"),
            ("one/g.cpp", "void g() {}\n"),
            ("one/p/base/syn/report/csynth.rpt", REPORT),
            ("two/run.tcl", other),
            ("two/h.cpp", "void h() {}\n"),
            ("two/q/base/syn/report/csynth.rpt", REPORT),
        ]);
        let mut plans = plan_designs(&search, &PlanFiles::found(&search));
        let left_out = keep_solution(&mut plans, "fast", &search.dir).unwrap();
        let names: Vec<String> = left_out.iter().map(|path| search.name(path)).collect();
        assert_eq!(names, ["one/g.cpp", "one/p/base/syn/report/csynth.rpt"]);
        let kept = plans.iter().flat_map(|plan| &plan.reports).map(|path| search.name(path));
        assert_eq!(kept.collect::<Vec<_>>(), ["two/q/base/syn/report/csynth.rpt"]);
    }
}
