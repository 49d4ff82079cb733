//! Whether anything of a design uses an alias.

use derate_hls::Resolver;
use derate_project::ResolvedAlias;
use derate_project::alias_bits::{is_of_other_sign, is_used_as_bits};
use derate_project::alias_twin::find_twin;
use derate_project::alias_uses::is_alias_used;

use crate::AuditInput;

/// Why a wrong name may do no harm: the design has functions, and none of them is for synthesis, or no file of it names the alias
/// but where it is declared, or the type that it promises is beside it as a comment or behind another condition, or a wide word of the other sign is used for its bits alone. `None` where it is used, or `derate.toml` says what the design is.
pub(crate) fn explain_unused(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Option<String> {
    input.tops()?;
    let name = alias.alias.name.as_str();
    let headers = input.code.all_headers();
    let has_code = headers.iter().any(|one| one.functions.iter().any(|f| f.body.is_some()));
    if has_code && input.project.is_none() && !input.reach().has_kernel() {
        return Some("no function of the design is known to be for synthesis".to_owned());
    }
    let lines = headers.iter().flat_map(|one| input.sources.text(one.file).lines());
    let lines: Vec<&str> = lines.collect();
    if has_code && !is_alias_used(&lines, name) {
        return Some(format!("nothing in the design uses `{name}`"));
    }
    if is_of_other_sign(alias) && is_used_as_bits(&lines, name) {
        return Some(format!("`{name}` is used for its bits alone: the sign changes nothing"));
    }
    // Of two scopes each has its own.
    let at = alias.alias.span;
    let is_other = |one: &ResolvedAlias| {
        one.alias.name == name && one.alias.span.file == at.file && one.alias.span != at
    };
    if input.code.aliases.iter().any(is_other) {
        return None;
    }
    let resolver = || Resolver::new(headers, input.sources);
    let twin = find_twin(input.sources.text(alias.alias.span.file), alias, resolver)?;
    Some(format!(
        "the type that it promises is beside it, `{twin}`: it is a switch, or it is known"
    ))
}
