//! Programs beside the kernels of a folder: libraries and drivers that no tool of synthesis reads.

use derate_hls::is_for_synthesis;

use super::design::DesignPlan;
use crate::read_source;

/// The designs for the card, and the names of those that are programs. Where nothing is for the card, all are kept: they may
/// become kernels.
pub(crate) fn set_software_aside(plans: Vec<DesignPlan>) -> (Vec<DesignPlan>, Vec<String>) {
    let (kernels, others): (Vec<_>, Vec<_>) = plans.into_iter().partition(is_for_the_card);
    if kernels.is_empty() {
        return (others, Vec::new());
    }
    let names = others.into_iter().map(|plan| plan.name).collect();
    (kernels, names)
}

fn is_for_the_card(plan: &DesignPlan) -> bool {
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
    use super::super::testing::search_files;
    use super::super::{PlanFiles, plan_designs};
    use super::set_software_aside;

    fn split(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let (_dir, search) = search_files(files);
        let (kernels, programs) =
            set_software_aside(plan_designs(&search, &PlanFiles::found(&search)));
        (kernels.into_iter().map(|plan| plan.name).collect(), programs)
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
    }
}
