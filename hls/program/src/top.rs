//! Functions that may be the top of a kernel: nobody in the source calls them.

use derate_syntax::ast::{
    Case, Expr, ExprKind, Function, Item, Path, Pragma, Stmt, StmtKind, Type, Unit,
};
use std::collections::BTreeSet;

/// The functions with a body that no other function calls, but for a `main`, in order of the source.
///
/// Templates, members and `static` functions are not candidates: the tool cannot be given their names.
pub fn find_top_candidates(unit: &Unit) -> Vec<String> {
    let functions: Vec<&Function> = unit.items.iter().filter_map(function_of).collect();
    let mut called = BTreeSet::new();
    for function in functions.iter().filter(|function| function.name != "main") {
        let mut own = BTreeSet::new();
        for stmt in function.body.iter().flatten() {
            collect_calls(stmt, &mut own);
        }
        own.remove(last_piece(&function.name));
        called.extend(own);
    }
    let mut names: Vec<String> = Vec::new();
    for function in functions {
        let may_be_top = function.owner.is_none()
            && function.template.is_empty()
            && !function.is_static
            && !is_of_host(function)
            && function.name != "main"
            && !called.contains(last_piece(&function.name));
        if may_be_top && !names.contains(&function.name) {
            names.push(function.name.clone());
        }
    }
    names
}

/// Whether a function takes images of `OpenCV`, or containers that no kernel can have as arguments: it is for the host.
fn is_of_host(function: &Function) -> bool {
    let of_host = |path: &Path| match path.pieces.as_slice() {
        [space, rest @ ..] if !rest.is_empty() => {
            space.name == "cv"
                || (space.name == "std"
                    && rest
                        .iter()
                        .any(|one| matches!(one.name.as_str(), "vector" | "string" | "map")))
        }
        _ => false,
    };
    function.parameters.iter().any(|parameter| {
        let mut ty = &parameter.ty;
        loop {
            match ty {
                Type::Pointer(inner) | Type::Reference(inner) | Type::Array(inner, _) => ty = inner,
                Type::Name(path) => return of_host(path),
                _ => return false,
            }
        }
    })
}

fn function_of(item: &Item) -> Option<&Function> {
    match item {
        Item::Function(function) if function.body.is_some() => Some(function),
        _ => None,
    }
}

/// `f` of `space::f`.
fn last_piece(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn collect_calls(stmt: &Stmt, calls: &mut BTreeSet<String>) {
    let (values, stmts) = parts_of(stmt);
    for value in values {
        collect_in(value, calls);
    }
    for stmt in stmts {
        collect_calls(stmt, calls);
    }
}

/// Whether a statement or one in it is such a pragma.
pub(crate) fn has_pragma(stmt: &Stmt, is_wanted: &dyn Fn(&Pragma) -> bool) -> bool {
    match &stmt.kind {
        StmtKind::Pragma(pragma) => is_wanted(pragma),
        _ => parts_of(stmt).1.into_iter().any(|inner| has_pragma(inner, is_wanted)),
    }
}

/// The expressions and the statements directly in a statement.
fn parts_of(stmt: &Stmt) -> (Vec<&Expr>, Vec<&Stmt>) {
    match &stmt.kind {
        StmtKind::Declare(variables) => {
            (variables.iter().filter_map(|variable| variable.init.as_ref()).collect(), Vec::new())
        }
        StmtKind::Expr(value) | StmtKind::Return(Some(value)) => (vec![value], Vec::new()),
        StmtKind::Block(body) => (Vec::new(), body.iter().collect()),
        StmtKind::If { condition, then, otherwise } => {
            (vec![condition], std::iter::once(then).chain(otherwise).map(AsRef::as_ref).collect())
        }
        StmtKind::For { init, condition, step, body, .. } => {
            let stmts = init.iter().chain(std::iter::once(body)).map(AsRef::as_ref);
            (condition.iter().chain(step).collect(), stmts.collect())
        }
        StmtKind::While { condition, body, .. } => (vec![condition], vec![body]),
        StmtKind::Switch { subject, cases } => {
            (vec![subject], cases.iter().flat_map(|case: &Case| &case.body).collect())
        }
        _ => (Vec::new(), Vec::new()),
    }
}

fn collect_in(value: &Expr, calls: &mut BTreeSet<String>) {
    if let ExprKind::Call(callee, _) = &value.kind
        && let ExprKind::Name(path) = &callee.kind
        && let Some(piece) = path.pieces.last()
    {
        calls.insert(piece.name.clone());
    }
    for part in operands_of(value) {
        collect_in(part, calls);
    }
}

fn operands_of(value: &Expr) -> Vec<&Expr> {
    match &value.kind {
        ExprKind::Call(callee, arguments) => {
            std::iter::once(callee.as_ref()).chain(arguments).collect()
        }
        ExprKind::Unary(_, one)
        | ExprKind::Cast(_, one)
        | ExprKind::SizeOf(one)
        | ExprKind::Step { target: one, .. }
        | ExprKind::Member { object: one, .. } => vec![one],
        ExprKind::Binary(_, one, other)
        | ExprKind::Assign(_, one, other)
        | ExprKind::Index(one, other) => vec![one, other],
        ExprKind::Conditional(test, one, other) => vec![test, one, other],
        ExprKind::Construct(_, list) | ExprKind::List(list) | ExprKind::Comma(list) => {
            list.iter().collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_syntax::{SourceFile, read_unit};

    fn candidates(text: &str) -> Vec<String> {
        let source = SourceFile { path: "a.cpp".into(), text: text.into() };
        find_top_candidates(&read_unit(&[source], &mut |_, _, _| None, &[]))
    }

    #[test]
    fn who_is_called_is_no_candidate() {
        let text = "int part(int a) { return a; }\nvoid top(int a[4]) { a[0] = 1 + part(a[1]); }\n\
                    static void unused(int a[4]) {}\nint main() { int a[4]; top(a); }";
        assert_eq!(candidates(text), ["top"]);
        assert_eq!(candidates("void f(int a[2]) {}\nvoid g(int a[2]) {}"), ["f", "g"]);
    }

    /// In the manner of a library of kernels whose headers have helpers of its test benches.
    #[test]
    fn a_function_of_the_host_is_no_candidate() {
        let text = "void analyze(cv::Mat &diff, float &share) {}\nvoid load(std::vector<int> in) {}\n\
                    void top(xf::Mat<0, 8, 8> &in, hls::vector<int, 4> *out) {}";
        assert_eq!(candidates(text), ["top"]);
    }

    #[test]
    fn a_function_that_calls_itself_may_be_one() {
        assert_eq!(candidates("void f(int n) { if (n) f(n - 1); }"), ["f"]);
    }
}
