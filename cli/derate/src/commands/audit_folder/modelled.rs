//! How long the kernels of a folder take by the model: what an audit without findings has to say.

use derate_model::kernel::{KernelAnswer, uncertainty};
use derate_model::load::LoadedFolder;
use derate_model::units::figures::{count, grouped, list_few};
use derate_model::units::{NOT_MEASURED, Seconds, figures::quantity};

use super::NAMED;
use super::schedule::name_kernel;

/// The cycles of the longest kernels, and of how many they are not known.
pub(super) fn modelled_line(folder: &LoadedFolder) -> String {
    let models = folder
        .designs
        .iter()
        .filter_map(|design| Some((design.kernel_models(&folder.sources)?, design.name.as_str())));
    let kernels =
        models.flat_map(|(models, name)| models.kernels.iter().map(move |one| (one, name)));
    let kernels: Vec<_> = kernels.filter(|(one, _)| one.answer.is_scheduled).collect();
    let tops: Vec<&str> = kernels.iter().map(|(one, _)| one.answer.top.as_str()).collect();
    let is_known = |answer: &KernelAnswer| answer.latency.is_known() && answer.is_read;
    let mut known: Vec<_> = kernels.iter().filter(|(one, _)| is_known(&one.answer)).collect();
    known.sort_by(|(a, _), (b, _)| b.answer.latency.expected.total_cmp(&a.answer.latency.expected));
    let said = known.iter().map(|(one, design)| {
        let expected = one.answer.latency.expected;
        let name = name_kernel((&one.answer.top, design), &tops);
        let [low, high] = uncertainty(&one.answer).bound(expected).map(grouped);
        let cycles = grouped(expected);
        let time = quantity(Seconds(expected / one.clock.0));
        format!("{name} {cycles} cycles ({low} to {high}; {time})")
    });
    let unknown = kernels.len() - known.len();
    if known.is_empty() {
        return String::new();
    }
    let said = list_few(&said.collect::<Vec<_>>(), NAMED);
    let open = match unknown {
        0 => String::new(),
        many => format!("; the cycles of {} are not known", count(many, "kernel")),
    };
    format!("{NOT_MEASURED}: {said}{open}; `derate kernel` shows loops and resources\n")
}
