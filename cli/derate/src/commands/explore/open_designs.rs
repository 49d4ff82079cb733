//! What is open of one kernel.

use anyhow::{Context, Error, anyhow, bail};
use derate_model::explore::kernel::{
    ListedDesigns, NotOpened, Proposal, Variation, VariationTarget, find_placeholders,
    propose_variations,
};
use derate_model::explore::kernel::{PortGroup, group_ports};
use derate_model::kernel::{Directives, KernelAnswer, Program, Settings};
use derate_model::load::{self, KernelTexts};

use crate::args::Explore;

/// What is open, and the rows of a table, if there is one.
pub(super) struct OpenDesigns {
    pub(super) variations: Vec<Variation>,
    pub(super) points: Option<Vec<Vec<usize>>>,
    /// What could be open, and is not.
    pub(super) not_opened: Vec<NotOpened>,
}

/// A kernel as it is written: its program, the directives and settings, and what the model says of it.
#[derive(Clone, Copy)]
pub(super) struct AsWritten<'a> {
    pub(super) program: &'a Program,
    pub(super) directives: &'a Directives,
    pub(super) settings: &'a Settings,
    pub(super) answer: &'a KernelAnswer,
}

impl AsWritten<'_> {
    /// What a search may change of it if nobody says it.
    pub(super) fn propose(&self) -> Proposal {
        propose_variations(self.program, self.directives, self.settings, self.answer)
    }
}

/// What is open: as it is asked for, else what the kernel leaves open. With a table, its rows too.
pub(super) fn choose_variations(
    args: &Explore,
    kernel: AsWritten<'_>,
    texts: &KernelTexts,
) -> Result<OpenDesigns, Error> {
    if let Some(path) = &args.space {
        let table = ListedDesigns::read(&load::read_text(path)?)
            .with_context(|| format!("{} is not a table of designs", path.display()))?;
        return Ok(OpenDesigns {
            variations: table.variations,
            points: Some(table.points),
            not_opened: Vec::new(),
        });
    }
    let asked = args.vary.iter().map(|text| Variation::parse(text));
    let asked = asked.collect::<Result<Vec<_>, _>>().context("--vary")?;
    let proposal = kernel.propose();
    let (variations, not_opened) = if asked.is_empty() {
        (proposal.variations, proposal.left)
    } else {
        let left = proposal.without(&asked);
        (asked, left)
    };
    if variations.is_empty() {
        return Err(refuse_kernel(&not_opened, texts));
    }
    for variation in &variations {
        check_place(kernel.program, kernel.answer, variation)?;
    }
    Ok(OpenDesigns { variations, points: None, not_opened })
}

/// Things that are named where nothing can be opened.
const NAMED: usize = 3;

/// Why a kernel has no space, and what opens one.
fn refuse_kernel(not_opened: &[NotOpened], texts: &KernelTexts) -> Error {
    let placeholder = texts.files().iter().flat_map(|file| find_placeholders(&file.text)).next();
    let how = match (placeholder, not_opened.iter().find_map(|one| one.vary.as_deref())) {
        (Some(name), _) => {
            format!("give the values of its placeholders with --vary {name}=V1,V2 or --space")
        }
        (None, Some(vary)) => format!("open it with --vary, such as --vary {vary}"),
        (None, None) => "give macros with --vary NAME=V1,V2".to_owned(),
    };
    if not_opened.is_empty() {
        return anyhow!("the kernel has no loop, port or array that can be opened: {how}");
    }
    let named = not_opened.iter().take(NAMED).map(|one| format!("{}, as {}", one.what, one.reason));
    let named = named.collect::<Vec<_>>().join("; ");
    anyhow!("nothing of the kernel is open by itself ({named}): {how}")
}

/// Refuses a function or a port that the kernel does not have.
pub(super) fn check_place(
    program: &Program,
    written: &KernelAnswer,
    variation: &Variation,
) -> Result<(), Error> {
    let function = match &variation.target {
        VariationTarget::Partition { function, array, .. } => {
            check_array(program, written, function, array)?;
            function
        }
        VariationTarget::Unroll { function, .. }
        | VariationTarget::Pipeline { function, .. }
        | VariationTarget::PipelineFunction { function }
        | VariationTarget::Dataflow { function } => function,
        VariationTarget::Port { ports } => return check_ports(program, written, ports),
        VariationTarget::Text { .. } => return Ok(()),
    };
    let names: Vec<&str> = program.functions.iter().map(|one| one.name.as_str()).collect();
    if names.contains(&function.as_str()) {
        return Ok(());
    }
    bail!(
        "--vary names the function `{function}`, which the kernel does not have: there are {}",
        names.join(", ")
    )
}

/// Refuses a port behind a bus: the tool supports no `array_partition` of it.
fn check_array(
    program: &Program,
    written: &KernelAnswer,
    function: &str,
    array: &str,
) -> Result<(), Error> {
    let is_top = program.functions.first().is_some_and(|top| top.name == function);
    let is_bus = written.ports.iter().any(|port| port.kind == "m_axi" && port.name == array);
    if is_top && is_bus {
        bail!(
            "--vary cuts `{array}`, which is an m_axi port: the tool does not support that (UG1399); open its width with port:{array}=WIDTHS"
        );
    }
    Ok(())
}

/// Refuses ports that the tool does not widen, and such as no loop uses together.
fn check_ports(program: &Program, written: &KernelAnswer, ports: &[String]) -> Result<(), Error> {
    let groups = group_ports(program, &written.ports);
    let has = |group: &PortGroup, name: &String| group.ports.iter().any(|one| one.0 == *name);
    if groups.iter().any(|group| ports.iter().all(|name| has(group, name))) {
        return Ok(());
    }
    let names = groups
        .iter()
        .map(|group| group.ports.iter().map(|one| one.0.as_str()).collect::<Vec<_>>().join("+"));
    let names: Vec<String> = names.collect();
    let reason = if names.is_empty() {
        "it has no m_axi port of 8, 16, 32 or 64 bits that a loop uses".to_owned()
    } else {
        format!("there are {}", names.join(", "))
    };
    bail!("--vary names the port `{}`, which cannot be made wider: {reason}", ports.join("+"))
}
