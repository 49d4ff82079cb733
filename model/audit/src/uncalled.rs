//! Functions that no kernel has.

use derate_hls::{
    Call, DirectiveKind, FileId, Function, Parameter, Pragma, Sources, Span, count_mentions,
    is_word_char, split_words,
};

use super::AuditInput;

/// The function that a place is in, where scripts name other functions as kernels and nothing calls it. A text that names it
/// otherwise may hand it on.
pub(super) fn find_uncalled<'a>(designs: &[AuditInput<'a>], at: Span) -> Option<&'a str> {
    let has_file = |input: &&AuditInput<'a>| input.code.list_read().contains(&at.file);
    let input = designs.iter().find(has_file)?;
    let functions = || input.code.functions().filter(|one| one.body.is_some());
    let whole = |one: &Function| one.body.map(|body| Span { end: body.end, ..one.span });
    let own = functions().find(|one| whole(one).is_some_and(|whole| whole.contains(at)))?;
    let (within, tops, name) = (whole(own)?, input.tops()?, own.name.as_str());
    // A function with ports is a kernel of its own, and an operator is called without its name.
    let is_port = |pragma: &Pragma| {
        let kind = pragma.directive().map(|one| one.kind);
        matches!(kind, Some(DirectiveKind::Interface(_)))
    };
    let is_top = |input: &AuditInput<'_>| input.tops().is_some_and(|tops| tops.contains(name));
    let is_open = designs.iter().any(is_top)
        || own.pragmas.iter().any(is_port)
        || split_words(name).next() != Some(name);
    if is_open || !functions().any(|one| tops.contains(&one.name)) {
        return None;
    }
    let sources = input.sources;
    // A design without the file calls another function of this name.
    let all = || designs.iter().filter(has_file);
    let calls = all().flat_map(|input| input.code.functions()).flat_map(|one| &one.calls);
    let misfits = calls.filter(|call| !fits(sources, own, call)).map(|call| call.span);
    // Another function of this name is no call, either.
    let others = all().flat_map(|input| input.code.functions());
    let others = others.filter(|one| one.name == name).map(|one| one.name_span);
    let mut misfits: Vec<Span> = misfits.chain(others).collect();
    misfits.sort_unstable();
    misfits.dedup();
    let is_named = |file: FileId| {
        let text = sources.text(file);
        if !text.contains(name) {
            return false;
        }
        let (start, end) = if file == at.file { (within.start, within.end) } else { (0, 0) };
        let other = misfits.iter().filter(|span| span.file == file && !within.contains(**span));
        let parts = [text.get(..start), text.get(end..)].into_iter().flatten();
        let is_code = |line: &&str| !line.trim_start().starts_with("#include");
        let code = parts.map(|part| part.lines().filter(is_code).collect::<Vec<_>>().join("\n"));
        code.map(|part| count_mentions(&part, name)).sum::<usize>() > other.count()
    };
    (!all().flat_map(|input| input.code.list_read()).any(is_named)).then_some(name)
}

/// Whether a call by the name of a function may be of it; what is called by another name counts as if.
fn fits(sources: &Sources, function: &Function, call: &Call) -> bool {
    let text = sources.slice(call.span);
    let rest = text.strip_prefix(function.name.as_str());
    let Some(rest) = rest.filter(|rest| !rest.starts_with(is_word_char)) else { return true };
    let (given, most) = (call.arguments.len(), function.parameters.len());
    let has_default = |one: &Parameter| sources.slice(one.span).contains('=');
    if given > most || (given < most && !function.parameters.iter().any(has_default)) {
        return false;
    }
    // A value that the call does not give follows from the type of an argument, or from nothing.
    let follows = |name: &str| {
        let has = |text: &str| split_words(text).any(|word| word == name);
        let from =
            |one: &Parameter| has(&one.element) || (one.reference && has(sources.slice(one.span)));
        function.parameters.iter().any(from)
    };
    let values = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((values, _)) if !values.contains(['<', '(']) => values.split(',').count(),
        _ => return true,
    };
    let mut left = function.template.iter().skip(values);
    left.all(|one| one.is_type || one.unusual || one.default.is_some() || follows(&one.name))
}
