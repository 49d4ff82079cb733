//! The kernels of a project, scheduled from their source.

use std::collections::BTreeSet;

use derate_hls::{DirectiveKind, FileId, Sources, read_tool_version};
use derate_kernel::{
    DEFAULT_TOOL, Directives, KernelAnswer, Part, Program, Settings, estimate_kernel,
    find_top_candidates, ir, read_program,
};
use derate_project::{Build, Code};
use derate_syntax::ast::Unit;
use derate_units::Hertz;

/// The kernels of a project under one clock, part and tool.
#[derive(Clone, Debug)]
pub struct KernelModels {
    /// What they are scheduled for.
    pub settings: Settings,
    /// In order of the sources.
    pub kernels: Vec<ModelledKernel>,
}

/// A kernel, read and scheduled.
#[derive(Clone, Debug)]
pub struct ModelledKernel {
    /// Its source.
    pub file: FileId,
    /// What was read of it.
    pub program: Program,
    /// Its schedule.
    pub answer: KernelAnswer,
    /// Compute units that the v++ configuration makes of it, 1 where it does not say.
    pub units: u64,
}

/// What the kernels of a project are found in and scheduled for.
#[derive(Clone, Copy)]
pub(crate) struct KernelInputs<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) code: &'a Code,
    pub(crate) build: &'a Build,
    /// The functions that scripts and configurations name as tops.
    pub(crate) tops: &'a BTreeSet<String>,
    pub(crate) clock: Hertz,
}

impl KernelModels {
    /// Finds the kernels of a design and schedules each.
    pub(crate) fn of_inputs(inputs: &KernelInputs<'_>, part: Part) -> Self {
        let settings = Settings::new(part, 1e9 / inputs.clock.0, find_tool(inputs));
        let called = list_called(inputs);
        let mut kernels = Vec::new();
        let may_have_top = |file: FileId| may_have_top(inputs, &called, file);
        for (file, unit) in inputs.code.read_units(inputs.sources, may_have_top) {
            for program in find_kernels(inputs, &unit, &called) {
                let answer = estimate_kernel(&program, &Directives::default(), &settings);
                let units = count_units(inputs, &answer.top);
                kernels.push(ModelledKernel { file, program, answer, units });
            }
        }
        Self { settings, kernels }
    }
}

/// The version of the tool that made the reports.
fn find_tool(inputs: &KernelInputs<'_>) -> (u16, u16) {
    let mut versions = inputs.build.reports.iter().filter_map(|report| report.version.as_ref());
    versions.find_map(|version| read_tool_version(&version.value)).unwrap_or(DEFAULT_TOOL)
}

/// What the functions of the project call, but for those of a test bench.
fn list_called<'a>(inputs: &KernelInputs<'a>) -> BTreeSet<&'a str> {
    let functions = inputs.code.functions().filter(|function| function.name != "main");
    let calls = functions.flat_map(|one| one.calls.iter().map(move |call| (one, call)));
    calls
        .filter(|(function, call)| function.name != call.callee)
        .map(|(_, call)| call.callee.rsplit("::").next().unwrap_or(&call.callee))
        .collect()
}

/// Whether a source or what it includes defines a function that nobody calls, or has text that only the reading of
/// statements may understand.
fn may_have_top(inputs: &KernelInputs<'_>, called: &BTreeSet<&str>, file: FileId) -> bool {
    let code = inputs.code;
    let headers = code.all_headers().iter();
    let mut read = headers.filter(|one| one.file == file || code.is_included(one.file, file));
    read.any(|header| {
        !header.unparsed.is_empty()
            || header.functions.iter().any(|one| {
                one.body.is_some()
                    && !one.is_template()
                    && one.name != "main"
                    && !called.contains(one.name.as_str())
            })
    })
}

/// The functions that are the tops of kernels: nobody calls them, and a script, the v++ configuration, a report or a
/// directive of an interface says that the tool is given them. Where none is and a file has one candidate with directives, that one.
fn find_kernels(inputs: &KernelInputs<'_>, unit: &Unit, called: &BTreeSet<&str>) -> Vec<Program> {
    let candidates = find_top_candidates(unit);
    let free = candidates.iter().filter(|name| !called.contains(name.as_str()));
    let mut programs: Vec<Program> =
        free.filter_map(|name| read_program(unit, name).ok()).collect();
    let is_sure = |program: &Program| {
        program.functions.first().is_some_and(|top| is_named(inputs, &top.name) || is_top(top))
    };
    if programs.iter().any(is_sure) {
        programs.retain(is_sure);
    } else if programs.len() != 1 || !programs[0].functions.iter().any(has_directives) {
        programs.clear();
    }
    programs
}

fn is_named(inputs: &KernelInputs<'_>, name: &str) -> bool {
    let build = inputs.build;
    let mut kernels = build.connectivity.iter().flat_map(|(_, one)| &one.kernels);
    let mut tops = build.reports.iter().filter_map(|report| report.top.as_ref());
    inputs.tops.contains(name)
        || kernels.any(|one| one.kernel.value == name)
        || tops.any(|top| top.value == name)
}

fn is_top(function: &ir::Function) -> bool {
    function.pragmas.iter().any(|one| matches!(one.kind, DirectiveKind::Interface(_)))
}

fn has_directives(function: &ir::Function) -> bool {
    !function.pragmas.is_empty() || loops_of(&function.body).any(|one| !one.pragmas.is_empty())
}

/// The outermost loops of a body.
fn loops_of(body: &[ir::Stmt]) -> impl Iterator<Item = &ir::Loop> {
    body.iter().filter_map(|stmt| match stmt {
        ir::Stmt::Loop(item) => Some(item.as_ref()),
        _ => None,
    })
}

fn count_units(inputs: &KernelInputs<'_>, kernel: &str) -> u64 {
    let all = inputs.build.connectivity.iter().flat_map(|(_, one)| &one.kernels);
    let own: u64 = all.filter(|one| one.kernel.value == kernel).map(|one| one.count.value).sum();
    own.max(1)
}
