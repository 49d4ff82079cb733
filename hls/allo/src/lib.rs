//! Allo's Python in, element types out, as far as its annotations say.
//!
//! Allo generates HLS kernels from Python functions. Read are names, imports, constants, annotations and the type
//! arguments of `instantiate=[...]`; bodies and schedules are not, and nothing is executed. A name that is set more
//! than once, comes from elsewhere or is computed is unknown, with the reason.
//!
//! ```
//! use derate_allo::read_allo;
//! use derate_source::Sources;
//!
//! let mut sources = Sources::default();
//! let text = "import allo\nfrom allo.ir.types import float32\n\ndef gemm(A: float32[8, 4]): ...\n\ns = allo.customize(gemm)\n";
//! let file = sources.add("gemm.py", text);
//! let source = read_allo(&sources, file).expect("the text imports Allo");
//! assert_eq!(source.annotations[0].element, "float32");
//! assert_eq!(source.annotations[0].dims[1].value, Some(4));
//! ```

mod dtype;
mod expression;
mod pieces;
mod program;
mod read;
mod resolve;
mod token;

pub use program::Role;

use expression::{Expression, Kind};
use program::{Annotation, Binding, Function, Meaning, Program};
use resolve::Resolver;

use derate_frontend::{Alias, AliasKind, Comment, Dim, Hop, Outcome, Resolution, Scope};
use derate_source::{FileId, Sources, Span, Unparsed};

/// What the annotations of one text say.
#[derive(Clone, Debug)]
pub struct AlloSource {
    /// The text.
    pub file: FileId,
    /// Names for types, `Ty = float32`, with what they are.
    pub aliases: Vec<(Alias, Resolution)>,
    /// The annotations of kernels, in the order of the text.
    pub annotations: Vec<AlloAnnotation>,
    /// Every comment.
    pub comments: Vec<Span>,
    /// What could not be read.
    pub unparsed: Vec<Unparsed>,
}

/// `name: float32[M, N]` in or at a kernel.
#[derive(Clone, Debug)]
pub struct AlloAnnotation {
    /// The function, with those around it.
    pub function: Scope,
    /// The argument or variable; `return` for what is returned.
    pub name: String,
    /// What it is there.
    pub role: Role,
    /// The element type as it is spelt.
    pub element: String,
    /// The element type, without its extents.
    pub resolution: Resolution,
    /// Extents, outermost first; none for a scalar, and for what is not known to be an array.
    pub dims: Vec<Dim>,
    /// The places of the type arguments that were put in for type parameters.
    pub instances: Vec<Span>,
    /// The whole annotation.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// The element type.
    pub element_span: Span,
}

/// Reads the annotations of a Python text; nothing where the text does not import Allo.
pub fn read_allo(sources: &Sources, file: FileId) -> Option<AlloSource> {
    let text = sources.text(file);
    let lexed = token::lex(text);
    let program = read::read_program(file, text, &lexed.lines);
    imports_allo(&program).then_some(())?;
    let comments: Vec<Span> =
        lexed.comments.iter().map(|at| Span { file, start: at.start, end: at.end }).collect();
    let unparsed = lexed
        .problems
        .into_iter()
        .map(|(at, reason)| Unparsed { span: Span { file, start: at.start, end: at.end }, reason });
    Some(AlloSource {
        file,
        aliases: list_aliases(&program, sources, file, &comments),
        annotations: list_annotations(&program, sources, file),
        unparsed: unparsed.collect(),
        comments,
    })
}

fn is_allo(path: &str) -> bool {
    path == "allo" || path.starts_with("allo.")
}

fn imports_allo(program: &Program) -> bool {
    program.scopes.iter().any(|scope| {
        scope.stars.iter().any(|(module, _)| is_allo(module))
            || scope
                .bindings
                .values()
                .flatten()
                .any(|one| matches!(&one.meaning, Meaning::Import(path) if is_allo(path)))
    })
}

/// Every assignment of a type to a name; where a name has two, each is one.
fn list_aliases(
    program: &Program,
    sources: &Sources,
    file: FileId,
    comments: &[Span],
) -> Vec<(Alias, Resolution)> {
    let mut found = Vec::new();
    for (at, scope) in program.scopes.iter().enumerate() {
        for (name, binding) in
            scope.bindings.iter().flat_map(|(name, all)| all.iter().map(move |one| (name, one)))
        {
            let Meaning::Value(expression) = &binding.meaning else { continue };
            let mut resolver = Resolver::new(program, sources, file);
            let Ok(kind) = resolver.resolve_type(expression, at) else { continue };
            let alias = make_alias(program, sources, at, name, binding, expression, comments);
            let first =
                Hop { name: name.clone(), spelling: alias.spelling.clone(), span: binding.span };
            let hops = std::iter::once(first).chain(resolver.hops).collect();
            found.push((
                alias,
                Resolution {
                    hops,
                    outcome: Outcome::Known(kind),
                    open_sign: false,
                    open_width: false,
                    open_size: false,
                },
            ));
        }
    }
    found.sort_by_key(|(alias, _)| alias.name_span.start);
    found
}

fn make_alias(
    program: &Program,
    sources: &Sources,
    scope: usize,
    name: &str,
    binding: &Binding,
    expression: &Expression,
    comments: &[Span],
) -> Alias {
    let span = binding.span;
    let beside = comments.get(comments.partition_point(|comment| comment.start < span.end));
    let comment = beside.filter(|comment| {
        !sources.slice(Span { start: span.end, end: comment.start, ..span }).contains('\n')
    });
    Alias {
        name: name.to_owned(),
        scope: program.scope_path(scope).into_iter().collect(),
        kind: AliasKind::Assignment,
        spelling: sources
            .slice(Span { start: expression.start, end: expression.end, ..span })
            .to_owned(),
        span,
        name_span: binding.name_span,
        heading: None,
        comment: comment.map(|&span| Comment {
            text: sources.slice(span).trim_start_matches('#').trim().to_owned(),
            span,
        }),
        condition: None,
        template: Vec::new(),
    }
}

fn list_annotations(program: &Program, sources: &Sources, file: FileId) -> Vec<AlloAnnotation> {
    let kernels = program.functions.iter().enumerate();
    let mut found: Vec<AlloAnnotation> = kernels
        .filter(|(number, function)| is_kernel(program, *number, function))
        .flat_map(|(_, function)| function.annotations.iter().map(move |one| (function, one)))
        .filter(|(_, one)| !matches!(&one.expression.kind, Kind::Name(name) if name == "None"))
        .map(|(function, one)| make_annotation(program, sources, file, function, one))
        .collect();
    found.sort_by_key(|one| one.span.start);
    found
}

/// Other Python may be beside kernels: a kernel is decorated by Allo, given to it, or annotated with its types.
fn is_kernel(program: &Program, number: usize, function: &Function) -> bool {
    function.decorators.iter().any(|one| leads_to_allo(program, function.head, one, 0))
        || program.uses.iter().any(|one| {
            one.function == function.name
                && program.find_function(one.scope, &one.function) == Some(number)
        })
        || function
            .annotations
            .iter()
            .any(|one| leads_to_allo(program, function.scope, &one.expression, 0))
}

/// Whether an annotation goes back to an import of Allo, or to a type parameter.
fn leads_to_allo(program: &Program, scope: usize, one: &Expression, depth: usize) -> bool {
    const DEEPEST: usize = 4;
    match &one.kind {
        _ if depth > DEEPEST => false,
        Kind::Name(name) => {
            let root = name.split('.').next().unwrap_or(name);
            let all = program.bindings_of(scope, root);
            let star = || {
                program.star_imports(scope).any(|(module, _)| is_allo(module))
                    && dtype::read_dtype(root).is_ok()
            };
            all.is_empty() && star()
                || all.iter().take(DEEPEST).any(|binding| match &binding.meaning {
                    Meaning::Import(path) => is_allo(path),
                    Meaning::TypeParameter(..) => true,
                    Meaning::Value(value) => leads_to_allo(program, scope, value, depth + 1),
                    _ => false,
                })
        }
        Kind::Index(base, _) | Kind::Call(base, _) | Kind::Binary(_, base, _) => {
            leads_to_allo(program, scope, base, depth)
        }
        _ => false,
    }
}

fn make_annotation(
    program: &Program,
    sources: &Sources,
    file: FileId,
    function: &Function,
    one: &Annotation,
) -> AlloAnnotation {
    let scope = match one.role {
        Role::Local => function.scope,
        // What the body sets does not hold in the head.
        Role::Argument | Role::Return => function.head,
    };
    let mut resolver = Resolver::new(program, sources, file);
    let whole = Span { file, start: one.expression.start, end: one.expression.end };
    let (outcome, element_span, extents) = match resolver.resolve_annotated(&one.expression, scope)
    {
        Ok(found) => (Outcome::Known(found.element), found.spelling, found.dims),
        Err(reason) => {
            let (span, dims) = split_annotation(&one.expression, whole);
            (Outcome::Unknown(reason.into()), span, dims)
        }
    };
    let hops = std::mem::take(&mut resolver.hops);
    let dims = extents
        .iter()
        .map(|extent| {
            let span = Span { file, start: extent.start, end: extent.end };
            let value = resolver.compute_value(extent, scope).ok();
            Dim {
                expression: sources.slice(span).to_owned(),
                value: value.and_then(|value| u64::try_from(value).ok()),
                span,
            }
        })
        .collect();
    AlloAnnotation {
        function: program.scope_path(function.scope).into_iter().collect(),
        name: one.name.clone(),
        role: one.role,
        element: strip_quotes(sources.slice(element_span)).to_owned(),
        resolution: Resolution {
            hops,
            outcome,
            open_sign: false,
            open_width: false,
            open_size: false,
        },
        dims,
        instances: resolver.instances,
        span: one.span,
        name_span: one.name_span,
        element_span,
    }
}

/// An annotation may be in quotes.
fn strip_quotes(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// The element and the extents of an annotation whose type is not known, by its form.
fn split_annotation(expression: &Expression, whole: Span) -> (Span, Vec<Expression>) {
    match &expression.kind {
        Kind::Binary(mark, inner, _) if mark == "@" => split_annotation(inner, whole),
        Kind::Index(base, items) if matches!(base.kind, Kind::Name(_) | Kind::Call(..)) => {
            (Span { start: base.start, end: base.end, ..whole }, items.clone())
        }
        _ => (whole, Vec::new()),
    }
}
