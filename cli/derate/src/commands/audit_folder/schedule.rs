//! Which kernels the model schedules, and which ones it does not read or not as a whole.

use derate_model::estimate::DesignFiles;
use derate_model::kernel::KernelAnswer;
use derate_model::load::LoadedFolder;
use derate_model::units::figures::{count, list_few, quantity};

use super::NAMED;

/// More groups than these are counted in one line, where not all is to be shown.
const GROUPS: usize = 2;

/// The kernels that the model schedules, a line for each part, clock and version of the tool. Where no part is known, another line says that
/// kernels are not scheduled.
pub(super) fn schedule_lines(folder: &LoadedFolder, detail: bool) -> String {
    let mut groups: Vec<(String, Vec<(&str, &str)>)> = Vec::new();
    for design in &folder.designs {
        let Some(models) = design.kernel_models(&folder.sources) else { continue };
        let tool = models.tool.describe();
        let part = &models.settings.part.name;
        for one in models.kernels.iter().filter(|one| one.answer.is_scheduled) {
            let conditions = format!("for {part} at {}, {tool}", quantity(one.clock));
            let kernel = (one.answer.top.as_str(), design.name.as_str());
            match groups.iter_mut().find(|(known, _)| *known == conditions) {
                Some((_, kernels)) => kernels.push(kernel),
                None => groups.push((conditions.clone(), vec![kernel])),
            }
        }
    }
    let all: Vec<&str> = groups.iter().flat_map(|(_, kernels)| kernels).map(|one| one.0).collect();
    let title = |kernel: &(&str, &str)| name_kernel(*kernel, &all);
    if groups.len() > GROUPS && !detail {
        let kernels: Vec<_> = groups.iter().flat_map(|(_, kernels)| kernels).map(title).collect();
        return format!(
            "scheduled by the model: {} ({}), in {} groups of one part, clock and version of the tool; --detail lists them\n",
            count(kernels.len(), "kernel"),
            list_few(&kernels, NAMED),
            groups.len()
        );
    }
    let line = |(conditions, kernels): &(String, Vec<(&str, &str)>)| {
        let names: Vec<String> = kernels.iter().map(title).collect();
        let names = list_few(&names, NAMED);
        let kernels = count(kernels.len(), "kernel");
        format!("scheduled by the model: {kernels} ({names}) {conditions}\n")
    };
    groups.iter().map(line).collect()
}

/// The name of a kernel, with its design where another one has the name, too.
pub(super) fn name_kernel((top, design): (&str, &str), all: &[&str]) -> String {
    let is_alone = all.iter().filter(|other| **other == top).count() == 1;
    if is_alone { top.to_owned() } else { format!("{top} of {design}") }
}

/// The kernels that are not scheduled, and those of which a part is not read.
pub(super) fn unread_lines(folder: &LoadedFolder) -> String {
    let models = |design| DesignFiles::kernel_models(design, &folder.sources);
    let answers: Vec<(&KernelAnswer, &str)> = folder
        .designs
        .iter()
        .filter_map(|design| Some((models(design)?, design.name.as_str())))
        .flat_map(|(models, name)| models.kernels.iter().map(move |one| (&one.answer, name)))
        .collect();
    let say = |what: &str, is_it: &dyn Fn(&KernelAnswer) -> bool, end: &str| {
        let all: Vec<_> = answers.iter().filter(|(one, _)| is_it(one)).collect();
        let Some((first, _)) = all.first() else { return String::new() };
        let tops: Vec<&str> = all.iter().map(|(one, _)| one.top.as_str()).collect();
        let names = all.iter().map(|(one, design)| name_kernel((&one.top, design), &tops));
        let names = list_few(&names.collect::<Vec<_>>(), NAMED);
        let reason = first.unknown.first().map_or("", |one| one.reason.as_str());
        format!("{what}: {} ({names}): {reason}{end}\n", count(all.len(), "kernel"))
    };
    let bare = folder.designs.iter().filter(|one| one.part.is_some());
    let bare: Vec<(&str, &str)> =
        bare.filter_map(|one| Some((one.name.as_str(), one.only_program.as_deref()?))).collect();
    let programs = bare.first().map_or_else(String::new, |(_, program)| {
        let names = list_few(&bare.iter().map(|(name, _)| *name).collect::<Vec<_>>(), NAMED);
        format!(
            "not scheduled: {} ({names}): only the program {program} includes its headers, and no tool compiles them \
             for the card; add them with `add_files` in a script\n",
            count(bare.len(), "design")
        )
    });
    let part = "; the figures leave that out, and `derate kernel` lists it";
    programs
        + &say("not scheduled", &|one| !one.is_scheduled, "")
        + &say("read in part", &|one| one.is_scheduled && !one.is_read, part)
}
