//! `derate kernel FILE...`.

pub(crate) mod request;

use anyhow::{Context, Error, anyhow, bail};
use derate_hls::TclFile;
use derate_model::advice::{find_advice, is_advice_short};
use derate_model::kernel::{
    KernelAnswer, Program, estimate_kernel, find_top_candidates, ir, read_program,
};
use derate_model::load;
use derate_model::units::figures::list_few;
use derate_reports::readings::{self, KernelDetail, KernelStudy};

use crate::args::{Format, Kernel, KernelSource};
use crate::output::{self, Outcome};
use request::Request;

/// More columns are not needed.
const WIDEST: usize = 100;

/// A kernel that is read and scheduled, with what was asked for.
pub(super) struct Scheduled {
    pub(super) request: Request,
    pub(super) program: Program,
    pub(super) answer: KernelAnswer,
}

/// Reads and schedules one kernel.
pub(super) fn schedule(args: &KernelSource) -> Result<Scheduled, Error> {
    let mut request = Request::of_args(args)?;
    let loaded = load::load_kernel(&request.files, &request.preprocess)?;
    loaded.replaced.iter().for_each(output::note_replaced);
    let missing = loaded.unit.missing.iter().filter_map(|missing| {
        let includer = loaded.unit.files.get(usize::from(missing.place.file))?;
        Some((includer.as_str(), missing.path.as_str()))
    });
    let missing: Vec<(&str, &str)> = missing.collect();
    let folders = load::find_include_folders(missing.iter().copied());
    let found = missing.iter().zip(&folders).filter_map(|((_, path), folder)| {
        let folder = folder.as_ref()?;
        Some(format!("`{path}` was not found: -I {} has it", folder.display()))
    });
    request.notes.extend(found);
    let top = match request.top.take() {
        Some(top) => top,
        None => only_candidate(&find_top_candidates(&loaded.unit), &mut request.notes)?,
    };
    let program = read_program(&loaded.unit, &top)
        .map_err(|error| anyhow!("{error}: name the top function with --top"))?;
    for (path, file) in &request.asked {
        request.notes.extend(note_directives(path, file, &program));
    }
    let mut answer = estimate_kernel(&program, &request.directives, &request.settings);
    add_unread(&mut answer, &loaded.unit.unread);
    Ok(Scheduled { request, program, answer })
}

/// Models one kernel; exit status 0 whatever is found.
pub(crate) fn run(args: &Kernel) -> Result<Outcome, Error> {
    let Scheduled { mut request, program, answer } = schedule(&args.source)?;
    if is_advice_short(&answer) {
        request.notes.push(format!(
            "the kernel has {} operations: fewer changes are tried than of a smaller one",
            answer.operations
        ));
    }
    let advice = find_advice(&program, &request.directives, &request.settings, &answer);
    request.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    let study = KernelStudy {
        answer: &answer,
        settings: &request.settings,
        platform: request.platform.as_ref(),
        advice: &advice,
        notes: &request.notes,
        command: &output::command_line(),
    };
    let detail = if args.detail { KernelDetail::All } else { KernelDetail::Screen };
    let (report, document) = readings::hls_kernel(&study, detail);
    match args.format {
        Format::Json => output::put_as(Format::Json, &report, || document)?,
        Format::Text => output::put_document_within(&document, WIDEST)?,
    }
    Ok(Outcome::Clean)
}

/// The top function where none is named.
pub(crate) fn only_candidate(
    candidates: &[String],
    notes: &mut Vec<String>,
) -> Result<String, Error> {
    const SHOWN: usize = 8;
    match candidates {
        [] => bail!(
            "no function with a body was found that nobody calls: name the top function with --top"
        ),
        [one] => {
            notes.push(format!("the top function is `{one}`, the only one that nobody calls"));
            Ok(one.clone())
        }
        many => {
            let names: Vec<String> = many.iter().map(|name| format!("`{name}`")).collect();
            let names = list_few(&names, SHOWN);
            bail!("nobody calls {names}: name the top function with --top")
        }
    }
}

/// Directives that were not read, or that name what the source does not have.
fn note_directives(path: &str, file: &TclFile, program: &Program) -> Vec<String> {
    let unread =
        file.unread.iter().map(|(line, text)| format!("{path}:{line} is not read: {text}"));
    let lost = file.directives.iter().filter_map(|directive| {
        let named = |function: &&ir::Function| function.name == directive.function;
        let place = format!("{path}:{}", directive.line);
        let name = &directive.function;
        let Some(function) = program.functions.iter().find(named) else {
            return Some(format!(
                "{place} names the function `{name}`, which the kernel does not have"
            ));
        };
        let label = directive.label.as_ref()?;
        if has_loop(&function.body, label) {
            return None;
        }
        Some(if function.dropped_loops.contains(label) {
            format!(
                "{place} names `{label}` in `{name}`; nothing reads what `{label}` stores: the loop is dropped"
            )
        } else {
            format!("{place} names `{label}` in `{name}`, and no loop there has this label")
        })
    });
    unread.chain(lost).collect()
}

fn has_loop(body: &[ir::Stmt], label: &str) -> bool {
    body.iter().any(|stmt| match stmt {
        ir::Stmt::Loop(item) => item.label == label || has_loop(&item.body, label),
        ir::Stmt::If(_, then, otherwise) => has_loop(then, label) || has_loop(otherwise, label),
        _ => false,
    })
}

/// What the reader of C++ left out is not known either.
fn add_unread(answer: &mut KernelAnswer, unread: &[derate_model::kernel::Unread]) {
    for one in unread {
        let unknown = ir::Unknown { place: one.place, reason: one.reason.clone() };
        if !answer.unknown.contains(&unknown) {
            answer.unknown.push(unknown);
        }
    }
}

/// Reads a table of operators.
fn read_constants(path: &std::path::Path) -> Result<derate_model::kernel::Constants, Error> {
    let text = load::read_text(path)?;
    derate_model::kernel::Constants::read(&text)
        .with_context(|| format!("{} is not a table of operators", path.display()))
}
