//! The tree as text with every operator in brackets, so that tests can say what is expected.
#![allow(dead_code, unreachable_pub)]

use derate_syntax::ast::{
    Alias, BinaryOp, Expr, ExprKind, Function, Item, Path, Stmt, StmtKind, Structure,
    TemplateArgument, TemplateParameter, Type, UnaryOp, Unit, Variable,
};
use derate_syntax::{SourceFile, read_unit};

/// Reads a C++ text without includes.
pub fn read(text: &str) -> Unit {
    read_as("a.cpp", text)
}

pub fn read_as(path: &str, text: &str) -> Unit {
    let source = SourceFile { path: path.to_owned(), text: text.to_owned() };
    read_unit(&[source], &mut |_, _, _| None, &[])
}

/// The statements of `text` in a function, one line each.
pub fn show_body(text: &str) -> String {
    let unit = read(&format!("void f() {{ {text} }}"));
    let body = unit.items.iter().rev().find_map(|item| match item {
        Item::Function(function) if function.name == "f" => function.body.as_deref(),
        _ => None,
    });
    let lines: Vec<String> = body.unwrap_or_default().iter().map(statement).collect();
    let unread: Vec<String> = unit.unread.iter().map(|one| format!("!! {}", one.reason)).collect();
    [lines, unread].concat().join("\n")
}

/// The items of a text, one line each.
pub fn show(text: &str) -> String {
    show_unit(&read(text))
}

pub fn show_unit(unit: &Unit) -> String {
    let lines = unit.items.iter().map(item);
    lines
        .chain(unit.unread.iter().map(|one| format!("!! {}", one.reason)))
        .collect::<Vec<_>>()
        .join("\n")
}

pub fn item(item: &Item) -> String {
    match item {
        Item::Function(one) => function(one),
        Item::Structure(one) => structure(one),
        Item::Alias(one) => alias(one),
        Item::Variable(one) => format!("{};", variable(one)),
        Item::Enumerator { name, value, previous } => {
            let value = value.as_ref().map(|value| format!(" = {}", expression(value)));
            let previous = previous.as_ref().map(|name| format!(" after {name}"));
            format!(
                "enumerator {name}{}{}",
                value.unwrap_or_default(),
                previous.unwrap_or_default()
            )
        }
        Item::UsingNamespace(name) => format!("using namespace {name};"),
        Item::UsingName(name) => format!("using {name};"),
        Item::Pragma(pragma) => format!("#pragma {}", pragma.text),
    }
}

fn template(parameters: &[TemplateParameter], specialised: &[TemplateArgument]) -> String {
    let mut text = String::new();
    if !parameters.is_empty() {
        let list: Vec<String> = parameters
            .iter()
            .map(|one| {
                let sort = if one.is_type { "typename" } else { "value" };
                let default =
                    one.default.as_ref().map(|one| format!(" = {}", template_argument(one)));
                format!("{sort} {}{}", one.name, default.unwrap_or_default())
            })
            .collect();
        text = format!("template <{}> ", list.join(", "));
    }
    if !specialised.is_empty() {
        text = format!("{text}special <{}> ", template_arguments(specialised));
    }
    text
}

fn function(one: &Function) -> String {
    let parameters: Vec<String> = one.parameters.iter().map(variable).collect();
    let owner = one.owner.as_ref().map(|owner| format!("[{owner}] ")).unwrap_or_default();
    let marks = format!(
        "{}{}",
        if one.is_static { "static " } else { "" },
        if one.is_inline { "inline " } else { "" }
    );
    let initialisers: Vec<String> = one
        .initialisers
        .iter()
        .map(|(name, values)| format!("{name}({})", expressions(values)))
        .collect();
    let initialisers = if initialisers.is_empty() {
        String::new()
    } else {
        format!(" : {}", initialisers.join(", "))
    };
    let body = match &one.body {
        Some(body) => format!(" {}", block(body)),
        None => ";".to_owned(),
    };
    format!(
        "{}{marks}{owner}{} {}({}){initialisers}{body}",
        template(&one.template, &one.specialised),
        ty(&one.result),
        one.name,
        parameters.join(", ")
    )
}

fn structure(one: &Structure) -> String {
    let members: Vec<String> =
        one.members.iter().map(|one| format!("{};", variable(one))).collect();
    let bases: Vec<String> = one.bases.iter().map(ty).collect();
    let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
    let word = if one.is_union { "union" } else { "struct" };
    format!(
        "{}{word} {}{bases} {{ {} }}",
        template(&one.template, &one.specialised),
        one.name,
        members.join(" ")
    )
}

fn alias(one: &Alias) -> String {
    format!("{}using {} = {};", template(&one.template, &[]), one.name, ty(&one.target))
}

fn variable(one: &Variable) -> String {
    let marks = format!(
        "{}{}",
        if one.is_static { "static " } else { "" },
        if one.is_const { "const " } else { "" }
    );
    let init = one.init.as_ref().map(|init| format!(" = {}", expression(init))).unwrap_or_default();
    format!("{marks}{} {}{init}", ty(&one.ty), one.name).trim_end().to_owned()
}

pub fn ty(one: &Type) -> String {
    match one {
        Type::Void => "void".to_owned(),
        Type::Auto => "auto".to_owned(),
        Type::Builtin(name) => (*name).to_owned(),
        Type::Name(name) => path(name),
        Type::Pointer(inner) => format!("{}*", ty(inner)),
        Type::Reference(inner) => format!("{}&", ty(inner)),
        Type::Array(inner, size) => {
            let size = size.as_ref().map(|size| expression(size)).unwrap_or_default();
            format!("[{size}]{}", ty(inner))
        }
        Type::Decltype(inner) => format!("decltype({})", expression(inner)),
        Type::Unknown(text) => format!("<??? {text}>"),
    }
}

pub fn path(one: &Path) -> String {
    let pieces: Vec<String> = one
        .pieces
        .iter()
        .map(|piece| match &piece.arguments {
            Some(arguments) => format!("{}<{}>", piece.name, template_arguments(arguments)),
            None => piece.name.clone(),
        })
        .collect();
    pieces.join("::")
}

fn template_arguments(arguments: &[TemplateArgument]) -> String {
    arguments.iter().map(template_argument).collect::<Vec<_>>().join(", ")
}

fn template_argument(one: &TemplateArgument) -> String {
    match one {
        TemplateArgument::Type(one) => format!("type {}", ty(one)),
        TemplateArgument::Value(one) => expression(one),
    }
}

fn block(statements: &[Stmt]) -> String {
    let statements: Vec<String> = statements.iter().map(statement).collect();
    format!("{{ {} }}", statements.join(" "))
}

fn label(name: Option<&String>) -> String {
    name.map(|name| format!("{name}: ")).unwrap_or_default()
}

pub fn statement(one: &Stmt) -> String {
    match &one.kind {
        StmtKind::Declare(variables) => {
            variables.iter().map(|one| format!("{};", variable(one))).collect::<Vec<_>>().join(" ")
        }
        StmtKind::Alias(one) => alias(one),
        StmtKind::Structure(one) => structure(one),
        StmtKind::Expr(one) => format!("{};", expression(one)),
        StmtKind::Block(inner) => block(inner),
        StmtKind::If { condition, then, otherwise } => {
            let otherwise = otherwise.as_ref().map(|one| format!(" else {}", statement(one)));
            format!(
                "if {} {}{}",
                expression(condition),
                statement(then),
                otherwise.unwrap_or_default()
            )
        }
        StmtKind::For { label: name, init, condition, step, body } => {
            let init = init.as_ref().map_or_else(|| ";".to_owned(), |one| statement(one));
            let condition = condition.as_ref().map(expression).unwrap_or_default();
            let step = step.as_ref().map(expression).unwrap_or_default();
            format!("{}for ({init} {condition}; {step}) {}", label(name.as_ref()), statement(body))
        }
        StmtKind::While { label: name, condition, body, test_last } => {
            let word = if *test_last { "do-while" } else { "while" };
            format!("{}{word} {} {}", label(name.as_ref()), expression(condition), statement(body))
        }
        StmtKind::Switch { subject, cases } => {
            let cases: Vec<String> = cases
                .iter()
                .map(|case| {
                    let labels: Vec<String> = case
                        .labels
                        .iter()
                        .map(|one| one.as_ref().map_or_else(|| "default".to_owned(), expression))
                        .collect();
                    format!("[{}] {}", labels.join(", "), block(&case.body))
                })
                .collect();
            format!("switch {} {}", expression(subject), cases.join(" "))
        }
        StmtKind::Return(value) => {
            format!("return {};", value.as_ref().map(expression).unwrap_or_default())
        }
        StmtKind::Break => "break;".to_owned(),
        StmtKind::Continue => "continue;".to_owned(),
        StmtKind::Pragma(pragma) => format!("#pragma {}#", pragma.text),
        StmtKind::Empty => ";".to_owned(),
        StmtKind::Unknown(reason) | StmtKind::UnreadLoop(reason) => format!("<??? {reason}>"),
    }
}

fn expressions(list: &[Expr]) -> String {
    list.iter().map(expression).collect::<Vec<_>>().join(", ")
}

pub fn expression(one: &Expr) -> String {
    match &one.kind {
        ExprKind::Integer { value, unsigned, bits } => {
            let unsigned = if *unsigned { "u" } else { "" };
            let bits = if *bits == 32 { String::new() } else { format!("i{bits}") };
            format!("{value}{unsigned}{bits}")
        }
        ExprKind::Boolean(value) => value.to_string(),
        ExprKind::Float { value, single } => format!("{value:?}{}", if *single { "f" } else { "" }),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Name(name) => path(name),
        ExprKind::This => "this".to_owned(),
        ExprKind::Unary(operator, inner) => format!("({}{})", unary(*operator), expression(inner)),
        ExprKind::Binary(operator, left, right) => {
            format!("({} {} {})", expression(left), binary(*operator), expression(right))
        }
        ExprKind::Assign(operator, left, right) => {
            let operator = operator.map(binary).unwrap_or_default();
            format!("({} {operator}= {})", expression(left), expression(right))
        }
        ExprKind::Step { target, down, after } => {
            let sign = if *down { "--" } else { "++" };
            let target = expression(target);
            if *after { format!("({target}{sign})") } else { format!("({sign}{target})") }
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            format!(
                "({} ? {} : {})",
                expression(condition),
                expression(then),
                expression(otherwise)
            )
        }
        ExprKind::Call(callee, arguments) => {
            format!("{}({})", expression(callee), expressions(arguments))
        }
        ExprKind::Index(array, index) => format!("{}[{}]", expression(array), expression(index)),
        ExprKind::Member { object, member, arrow } => {
            let member = Path { pieces: vec![member.clone()] };
            format!("{}{}{}", expression(object), if *arrow { "->" } else { "." }, path(&member))
        }
        ExprKind::Cast(to, inner) => format!("cast<{}>({})", ty(to), expression(inner)),
        ExprKind::Construct(of, values) => format!("{}{{{}}}", ty(of), expressions(values)),
        ExprKind::List(values) => format!("{{{}}}", expressions(values)),
        ExprKind::SizeOfType(of) => format!("sizeof(type {})", ty(of)),
        ExprKind::SizeOf(inner) => format!("sizeof({})", expression(inner)),
        ExprKind::Comma(values) => format!("({})", expressions(values)),
        ExprKind::Unknown(reason) => format!("<??? {reason}>"),
    }
}

fn unary(operator: UnaryOp) -> &'static str {
    match operator {
        UnaryOp::Negate => "-",
        UnaryOp::Plus => "+",
        UnaryOp::Not => "!",
        UnaryOp::Invert => "~",
        UnaryOp::Dereference => "*",
        UnaryOp::AddressOf => "&",
    }
}

fn binary(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
    }
}
