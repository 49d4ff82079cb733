//! Whether anything of a design uses an alias.

use derate_hls::split_words;
use derate_project::ResolvedAlias;

use crate::AuditInput;

/// Why a wrong name may do no harm: the design has functions, and no file of it names the alias but where it is declared.
/// `None` where it is used, or a project with a model names the files.
pub(crate) fn explain_unused(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Option<String> {
    input.tops()?;
    let name = alias.alias.name.as_str();
    let headers = input.code.all_headers();
    let has_code = headers.iter().any(|one| one.functions.iter().any(|f| f.body.is_some()));
    let words = headers.iter().flat_map(|one| split_words(input.sources.text(one.file)));
    let named = words.filter(|word| *word == name).take(2).count();
    (has_code && named < 2).then(|| format!("nothing in the design uses `{name}`"))
}
