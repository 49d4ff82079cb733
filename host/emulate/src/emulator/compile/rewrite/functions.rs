//! The functions of a text, and what they are given.

use std::ops::Range;

use tree_sitter::Node;

/// What a parameter is, as far as ports need to know.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// `T *p`, `T p[N]`.
    Pointer,
    /// Anything else.
    Other,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// All of it.
    pub(super) range: Range<usize>,
    /// Whether it is a reference that may be written.
    pub(super) is_written: bool,
    /// Where its declarator begins.
    declarator: usize,
}

impl Parameter {
    /// What it points at: `const T` of `const T *p`.
    pub(super) fn element(&self, own: &str) -> String {
        let spelt = own.get(self.range.start..self.declarator).unwrap_or_default();
        let words = spelt.split_whitespace().filter(|word| *word != "volatile");
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A function that is declared or defined.
#[derive(Clone, Debug)]
pub(super) struct Declared<'t> {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Node<'t>>,
    /// Whether it has C linkage.
    pub(super) is_c: bool,
    /// The words of its template's parameters.
    template: Vec<String>,
}

impl Declared<'_> {
    /// Whether a type is said with the template's own parameters, which calls have to tell.
    pub(super) fn is_templated(&self, element: &str) -> bool {
        split_words(element).any(|word| self.template.iter().any(|one| one == word))
    }

    /// The calls that hand a parameter on: the function, and the position there.
    pub(super) fn passes(&self, at: usize, own: &str) -> Vec<(String, usize)> {
        let (Some(body), Some(parameter)) = (self.body, self.parameters.get(at)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        // A local name for it is as good.
        let mut names = vec![parameter.name.clone()];
        visit(body, &mut |node| {
            if node.kind() == "init_declarator"
                && let Some(value) = node.child_by_field_name("value")
                && root_of(value, own).is_some_and(|root| names.iter().any(|name| name == root))
                && let Some(name) = declared_name(node.child_by_field_name("declarator"), own)
            {
                names.push(name.to_owned());
            }
            if let Some((callee, given)) = read_task(node, own) {
                let named = |one: &&str| names.iter().any(|name| name == one);
                let at = given.iter().enumerate().filter(|(_, one)| named(one));
                found.extend(at.map(|(position, _)| (callee.to_owned(), position)));
            }
            if node.kind() == "call_expression"
                && let Some(callee) = node.child_by_field_name("function")
                && let Some(callee) = plain_name(callee, own)
                && let Some(arguments) = node.child_by_field_name("arguments")
            {
                let mut cursor = arguments.walk();
                for (position, argument) in arguments.named_children(&mut cursor).enumerate() {
                    if root_of(argument, own)
                        .is_some_and(|root| names.iter().any(|name| name == root))
                    {
                        found.push((callee.to_owned(), position));
                    }
                }
            }
        });
        found
    }
}

/// The function of `hls::task name(function, arguments...)`, and the variables that it is given. Where all of them are plain
/// names, the declaration reads as one of a function.
pub(super) fn read_task<'s>(node: Node<'_>, own: &'s str) -> Option<(&'s str, Vec<&'s str>)> {
    let list = match node.kind() {
        "init_declarator" => node.child_by_field_name("value")?,
        "function_declarator" => node.child_by_field_name("parameters")?,
        _ => return None,
    };
    let kind = node.parent()?.child_by_field_name("type")?;
    if !matches!(own.get(kind.byte_range())?, "hls::task" | "task") {
        return None;
    }
    let mut cursor = list.walk();
    let name = |one: Node<'_>| match one.kind() {
        "parameter_declaration" => own.get(one.byte_range()),
        "identifier" | "template_function" | "qualified_identifier" => plain_name(one, own),
        _ => root_of(one, own),
    };
    let mut given = list.named_children(&mut cursor).map(|one| name(one).unwrap_or_default());
    let callee = given.next()?;
    Some((callee, given.collect()))
}

/// Calls for each node, parents first.
pub(super) fn visit<'t>(node: Node<'t>, see: &mut dyn FnMut(Node<'t>)) {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        see(node);
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        waiting.extend(children.into_iter().rev());
    }
}

/// `f` of `f`, `f<3>` and `ns::f`.
pub(super) fn plain_name<'s>(node: Node<'_>, own: &'s str) -> Option<&'s str> {
    match node.kind() {
        "identifier" | "field_identifier" | "type_identifier" => own.get(node.byte_range()),
        "template_function" | "qualified_identifier" => {
            plain_name(node.child_by_field_name("name")?, own)
        }
        _ => None,
    }
}

/// The name that a declarator declares.
pub(super) fn declared_name<'s>(declarator: Option<Node<'_>>, own: &'s str) -> Option<&'s str> {
    let mut node = declarator?;
    loop {
        match node.kind() {
            "identifier" => return own.get(node.byte_range()),
            "reference_declarator" => {
                let last = u32::try_from(node.named_child_count().checked_sub(1)?).ok()?;
                node = node.named_child(last as _)?;
            }
            _ => node = node.child_by_field_name("declarator")?,
        }
    }
}

fn split_words(text: &str) -> impl Iterator<Item = &str> {
    const KEYS: [&str; 5] = ["typename", "class", "int", "unsigned", "bool"];
    let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    words.filter(|word| !word.is_empty() && !KEYS.contains(word))
}

/// All functions of a text.
pub(super) fn list_functions<'t>(root: Node<'t>, own: &str) -> Vec<Declared<'t>> {
    let mut functions = Vec::new();
    visit(root, &mut |node| {
        let body = match node.kind() {
            "function_definition" => node.child_by_field_name("body"),
            "declaration" => None,
            _ => return,
        };
        let mut declarator = node.child_by_field_name("declarator");
        while let Some(one) = declarator
            && one.kind() != "function_declarator"
        {
            declarator = match one.kind() {
                "pointer_declarator" => one.child_by_field_name("declarator"),
                "reference_declarator" => one.named_child(0),
                _ => None,
            };
        }
        let Some(declarator) = declarator else { return };
        let name = declarator.child_by_field_name("declarator");
        let Some(name) = name.and_then(|name| plain_name(name, own)) else { return };
        let Some(list) = declarator.child_by_field_name("parameters") else { return };
        let mut cursor = list.walk();
        let parameters = list.named_children(&mut cursor).filter(|one| !one.is_extra());
        let parameters = parameters.map(|one| read_parameter(one, own)).collect();
        let above = node.parent().filter(|one| one.kind() == "template_declaration");
        let template = above.and_then(|one| one.child_by_field_name("parameters"));
        let template = template.and_then(|one| own.get(one.byte_range())).unwrap_or_default();
        let template = split_words(template).map(str::to_owned).collect();
        let name = name.to_owned();
        functions.push(Declared { name, parameters, body, is_c: is_c(node), template });
    });
    functions
}

fn is_c(node: Node<'_>) -> bool {
    let mut above = node.parent();
    while let Some(one) = above {
        if one.kind() == "linkage_specification" {
            return true;
        }
        above = one.parent();
    }
    false
}

fn read_parameter(node: Node<'_>, own: &str) -> Parameter {
    let declarator = node.child_by_field_name("declarator");
    let name = declared_name(declarator, own).unwrap_or_default().to_owned();
    let inner = declarator.and_then(|one| one.child_by_field_name("declarator"));
    let is_plain = inner.is_some_and(|one| one.kind() == "identifier");
    let shape = match declarator.map(|one| one.kind()) {
        Some("pointer_declarator" | "array_declarator") if is_plain => Shape::Pointer,
        _ => Shape::Other,
    };
    let start = declarator.map_or(node.end_byte(), |one| one.start_byte());
    let spelt = own.get(node.start_byte()..start).unwrap_or_default();
    let is_reference = declarator.is_some_and(|one| one.kind() == "reference_declarator");
    Parameter {
        name,
        shape,
        range: node.byte_range(),
        is_written: is_reference && !spelt.contains("const"),
        declarator: start,
    }
}

/// The variable that an address is counted from: `p` of `p`, `(p + 4)`, `&p[2]`, `(T *)p`.
pub(super) fn root_of<'s>(node: Node<'_>, own: &'s str) -> Option<&'s str> {
    match node.kind() {
        "identifier" => own.get(node.byte_range()),
        "parenthesized_expression" => root_of(node.named_child(0)?, own),
        "binary_expression" => {
            let sign = own.get(node.child_by_field_name("operator")?.byte_range())?;
            let left = node.child_by_field_name("left")?;
            if matches!(sign, "+" | "-") { root_of(left, own) } else { None }
        }
        "update_expression" => root_of(node.child_by_field_name("argument")?, own),
        "cast_expression" => root_of(node.child_by_field_name("value")?, own),
        "pointer_expression" if own.get(node.byte_range())?.starts_with('&') => {
            let argument = node.child_by_field_name("argument")?;
            (argument.kind() == "subscript_expression")
                .then(|| root_of(argument.child_by_field_name("argument")?, own))?
        }
        _ => None,
    }
}
