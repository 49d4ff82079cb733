//! Whether anything of a design uses an alias.

use derate_hls::split_words;
use derate_project::ResolvedAlias;

use crate::AuditInput;

/// So many aliases of aliases are followed.
const DEPTH: usize = 4;

/// Whether a line names an alias beside its own declaration, and is more than the declaration of another alias that nothing uses.
fn is_used(lines: &[&str], name: &str, depth: usize) -> bool {
    let count = |line: &str| split_words(line).filter(|word| *word == name).count();
    let own: Vec<(&str, usize)> =
        lines.iter().map(|line| (*line, count(line))).filter(|one| one.1 > 0).collect();
    // A `typedef` is not known as the declaration.
    if own.iter().map(|one| one.1).sum::<usize>() < 2 {
        return false;
    }
    let others = own.iter().filter(|(line, count)| *count > 1 || alias_of(line) != Some(name));
    others.map(|one| one.0).any(|line| match alias_of(line).filter(|other| *other != name) {
        Some(other) if depth > 0 => is_used(lines, other, depth - 1),
        _ => true,
    })
}

/// The alias that a line declares: `using a = b;`.
fn alias_of(line: &str) -> Option<&str> {
    let (left, _) = line.trim().strip_prefix("using ")?.split_once('=')?;
    Some(left.trim())
}

/// Why a wrong name may do no harm: the design has functions, and no file of it names the alias but where it is declared.
/// `None` where it is used, or a project with a model names the files.
pub(crate) fn explain_unused(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Option<String> {
    input.tops()?;
    let name = alias.alias.name.as_str();
    let headers = input.code.all_headers();
    let has_code = headers.iter().any(|one| one.functions.iter().any(|f| f.body.is_some()));
    let lines = headers.iter().flat_map(|one| input.sources.text(one.file).lines());
    let lines: Vec<&str> = lines.collect();
    (has_code && !is_used(&lines, name, DEPTH))
        .then(|| format!("nothing in the design uses `{name}`"))
}
