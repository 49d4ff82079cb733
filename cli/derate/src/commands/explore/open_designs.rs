//! What is open of one kernel.

use anyhow::{Context, Error, bail};
use derate_model::explore::kernel::{
    ListedDesigns, Variation, VariationTarget, find_placeholders, propose_variations,
};
use derate_model::kernel::{KernelAnswer, PortGroup, Program, group_ports};
use derate_model::load::{self, KernelTexts};

use crate::args::Explore;

/// What is open, and the rows of a table, if there is one.
pub(super) struct OpenDesigns {
    pub(super) variations: Vec<Variation>,
    pub(super) points: Option<Vec<Vec<usize>>>,
}

/// What is open: as it is asked for, else the loops. With a table, its rows too.
pub(super) fn choose_variations(
    args: &Explore,
    (program, written): (&Program, &KernelAnswer),
    texts: &KernelTexts,
) -> Result<OpenDesigns, Error> {
    if let Some(path) = &args.space {
        let table = ListedDesigns::read(&load::read_text(path)?)
            .with_context(|| format!("{} is not a table of designs", path.display()))?;
        return Ok(OpenDesigns { variations: table.variations, points: Some(table.points) });
    }
    let asked = args.vary.iter().map(|text| Variation::parse(text));
    let asked = asked.collect::<Result<Vec<_>, _>>().context("--vary")?;
    let variations =
        if asked.is_empty() { propose_variations(program, &written.ports) } else { asked };
    if variations.is_empty() {
        let open = texts.files().iter().flat_map(|file| find_placeholders(&file.text)).next();
        let how = open.map_or_else(
            || "give macros with --vary NAME=V1,V2".to_owned(),
            |name| {
                format!("give the values of its placeholders with --vary {name}=V1,V2 or --space")
            },
        );
        bail!("no loop of the kernel has constant bounds that could be unrolled: {how}");
    }
    for variation in &variations {
        check_place(program, written, variation)?;
    }
    Ok(OpenDesigns { variations, points: None })
}

/// Refuses a function or a port that the kernel does not have.
pub(super) fn check_place(
    program: &Program,
    written: &KernelAnswer,
    variation: &Variation,
) -> Result<(), Error> {
    let function = match &variation.target {
        VariationTarget::Unroll { function, .. }
        | VariationTarget::Pipeline { function, .. }
        | VariationTarget::Partition { function, .. }
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
