//! What is said of ports that a design makes wide.

use derate_hls::{DirectiveKind, TclDirective};
use derate_model::advice::Change;
use derate_model::explore::kernel::{ChangedArgument, KernelSpace};
use derate_model::units::figures::{grouped, significant};
use derate_reports::sections;

/// A change of the source that saves less is not worth a line.
const LEAST_GAIN: f64 = 1.1;

/// The ports that directives make wide, in one sentence; `None` where there are none.
pub(super) fn describe_wide_ports(directives: &[TclDirective]) -> Option<String> {
    let wide = directives.iter().filter_map(|one| match &one.kind {
        DirectiveKind::Interface(interface) => {
            let bits = interface.max_widen_bitwidth.as_ref()?.number()?;
            Some(format!("`{}` {bits} bits", interface.port.as_deref()?))
        }
        _ => None,
    });
    let wide: Vec<String> = wide.collect();
    (!wide.is_empty()).then(|| {
        format!(
            "Ports are made wide by directives (max_widen_bitwidth), where their pointers are aligned to 64 bytes; the source keeps its types: {}",
            wide.join(", ")
        )
    })
}

/// The comment before a diff that changes ports of arguments; empty where it changes none.
pub(super) fn write_interface_comment(kernel: &str, arguments: &[ChangedArgument]) -> String {
    sections::describe_interface(arguments).map_or_else(String::new, |words| {
        format!("# It changes the interface of `{kernel}`: {words}.\n")
    })
}

/// What words in the source would give beyond the design: no directive makes it.
pub(super) fn advise_words(space: &KernelSpace<'_>, point: &[usize]) -> Option<String> {
    let advice = space.advise_ports(point);
    let best = advice.iter().find(|one| one.before >= one.after * LEAST_GAIN)?;
    let Change::Widen { port, with, to, .. } = &best.change else { return None };
    let others =
        if with.is_empty() { String::new() } else { format!(", with `{}`", with.join("`, `")) };
    Some(format!(
        "Advice, not in the diff: words of {to} bits over `{port}`{others} in the source give {} cycles in place of {}, {} times as fast",
        grouped(best.after.round()),
        grouped(best.before.round()),
        significant(best.before / best.after, 3)
    ))
}

/// Designs that were left out, as they cut an array into more banks than the tool takes.
pub(super) fn describe_overcut(arrays: &[String]) -> Option<String> {
    let names: Vec<String> = arrays.iter().map(|one| format!("`{one}`")).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("No design is taken that cuts an array into more than 1,024 banks; this leaves out cuts of {names}")
    })
}
