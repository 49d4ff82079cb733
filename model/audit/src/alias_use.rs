//! Whether anything of a design uses an alias.

use derate_project::ResolvedAlias;
use derate_project::alias_uses::is_alias_used;

use crate::AuditInput;

/// Why a wrong name may do no harm: the design has functions, and no file of it names the alias but where it is declared.
/// `None` where it is used, or a project with a model names the files.
pub(crate) fn explain_unused(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Option<String> {
    input.tops()?;
    let name = alias.alias.name.as_str();
    let headers = input.code.all_headers();
    let has_code = headers.iter().any(|one| one.functions.iter().any(|f| f.body.is_some()));
    let lines = headers.iter().flat_map(|one| input.sources.text(one.file).lines());
    let lines: Vec<&str> = lines.collect();
    (has_code && !is_alias_used(&lines, name))
        .then(|| format!("nothing in the design uses `{name}`"))
}
