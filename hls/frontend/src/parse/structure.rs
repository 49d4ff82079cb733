//! Structs, enumerations and templates.

use super::declarator::{Declarator, take_apart};
use super::reader::{Around, Reader};
use crate::header::{Constant, ConstantKind, Enumeration, Member, Structure, TemplateParameter};
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn read_template(&mut self, node: Node<'_>, around: &Around) {
        let list = node.child_by_field_name("parameters");
        let template = list.map(|list| self.template_parameters(list)).unwrap_or_default();
        let around = Around {
            template,
            start: Some(around.start.unwrap_or_else(|| self.span_of(node).start)),
            depth: around.depth + 1,
            ..around.clone()
        };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child) != list {
                self.read_item(child, &around);
            }
        }
    }

    fn template_parameters(&self, list: Node<'_>) -> Vec<TemplateParameter> {
        let mut cursor = list.walk();
        let mut parameters = Vec::new();
        for node in list.named_children(&mut cursor) {
            let kind = node.kind();
            let is_type = kind.contains("type_parameter");
            let declarator = take_apart(node.child_by_field_name("declarator"), self);
            let name = match declarator.name {
                Some(name) => self.words_of(name),
                None if is_type => {
                    let name = node.child_by_field_name("name");
                    let mut inner = node.walk();
                    let first = name.or_else(|| node.named_children(&mut inner).next());
                    first.map(|name| self.words_of(name)).unwrap_or_default()
                }
                None => String::new(),
            };
            let default = node
                .child_by_field_name("default_type")
                .or_else(|| node.child_by_field_name("default_value"));
            let unusual = kind.contains("variadic") || kind.contains("template_template");
            let default = default.map(|default| self.words_of(default));
            if kind.contains("parameter") {
                parameters.push(TemplateParameter { name, is_type, unusual, default });
            }
        }
        parameters
    }

    pub(super) fn read_structure(&mut self, node: Node<'_>, around: &Around, given: Option<&str>) {
        let Some(body) = node.child_by_field_name("body") else {
            if let Some(name) =
                node.child_by_field_name("name").filter(|_| !around.template.is_empty())
            {
                let name = around.scope.qualify(&self.words_of(name));
                self.header.forwards.push((name, around.template.clone()));
            }
            return;
        };
        if self.too_deep(node, around) {
            return;
        }
        let name = node.child_by_field_name("name");
        let name_span = name.map_or_else(|| self.span_of(node), |name| self.span_of(name));
        let written = name.map(|name| self.words_of(name));
        let (name, specialises) = match written {
            Some(text) => match text.split_once('<') {
                Some((name, rest)) => {
                    let inside = rest.trim_end().trim_end_matches('>');
                    (name.trim().to_owned(), Some(inside.trim().to_owned()))
                }
                None => (text, None),
            },
            None => match given {
                Some(given) => (given.to_owned(), None),
                None => return,
            },
        };
        let span = self.whole_span(node, around);
        let mut structure = Structure {
            name,
            scope: around.scope.clone(),
            bases: self.read_bases(node),
            members: Vec::new(),
            overlaid: node.kind() == "union_specifier",
            template: around.template.clone(),
            specialises,
            dynamic: false,
            adjusted: false,
            unread: None,
            span,
            name_span,
            comment: self.comment_on(span),
        };
        let whole = node.parent().filter(|parent| {
            matches!(parent.kind(), "type_definition" | "declaration" | "field_declaration")
        });
        structure.adjusted = self.is_adjusted(self.span_of(whole.unwrap_or(node)));
        // What a specialisation declares belongs to its arguments alone.
        let inner = match &structure.specialises {
            Some(arguments) => around.inner(&format!("{}<{arguments}>", structure.name)),
            None => around.inner(&structure.name),
        };
        let whole = self.condition_at(self.span_of(body));
        let mut cursor = body.walk();
        for child in body.named_children(&mut cursor) {
            if structure.unread.is_none() && self.hides_members(child, &structure.name) {
                let hidden = crate::token::shorten_text(&self.words_of(child));
                structure.unread =
                    Some(format!("`{hidden}` in `{}` is not read as a member", structure.name));
            }
            let before = structure.members.len();
            match child.kind() {
                "field_declaration" if self.read_members(child, &inner, &mut structure) => {
                    let condition = self.condition_at(self.span_of(child));
                    if let (Some(condition), Some(member)) = (
                        condition.filter(|own| whole.as_ref() != Some(own)),
                        structure.members.get(before),
                    ) {
                        let (owner, name) = (&structure.name, &member.name);
                        structure.unread.get_or_insert(format!(
                            "`{name}` of `{owner}` is there only where `{condition}`"
                        ));
                    }
                }
                "function_definition" => {
                    structure.dynamic |= self.has_word(child, "virtual");
                    self.read_item(child, &inner);
                }
                _ => self.read_item(child, &inner),
            }
        }
        self.header.structures.push(structure);
    }

    /// Whether something among a struct's members may hold data that is not seen: an error, or a
    /// macro, which looks like a type without a name or like another struct's constructor.
    fn hides_members(&self, node: Node<'_>, name: &str) -> bool {
        match node.kind() {
            "field_declaration" | "declaration" => {
                let declarator = node.child_by_field_name("declarator");
                let Some(kind) = node.child_by_field_name("type") else {
                    let declared = take_apart(declarator, self).name;
                    let declared = declared.map(|declared| self.words_of(declared));
                    return declared.is_some_and(|declared| {
                        declared != name
                            && !declared.starts_with('~')
                            && !declared.starts_with("operator")
                    });
                };
                // An unnamed bit field is an error to the grammar alone.
                let mut cursor = node.walk();
                if node.children(&mut cursor).any(|child| child.kind() == "bitfield_clause") {
                    return false;
                }
                let plain = matches!(kind.kind(), "type_identifier" | "template_type");
                // What is wrong inside a nested struct is that one's, if it ends where it should.
                let nested = declarator.is_none() && kind.child_by_field_name("body").is_some();
                if nested && is_balanced(&self.words_of(node)) {
                    return false;
                }
                node.has_error()
                    || (declarator.is_none() && plain && !self.has_word(node, "friend"))
            }
            "ERROR" | "expression_statement" | "call_expression" => true,
            _ => false,
        }
    }

    fn read_bases(&self, node: Node<'_>) -> Vec<String> {
        let mut cursor = node.walk();
        let clause = node.children(&mut cursor).find(|child| child.kind() == "base_class_clause");
        let Some(clause) = clause else { return Vec::new() };
        let mut cursor = clause.walk();
        let named = clause.named_children(&mut cursor);
        let types = named.filter(|child| {
            matches!(child.kind(), "type_identifier" | "qualified_identifier" | "template_type")
        });
        types.map(|child| self.words_of(child)).collect()
    }

    /// Reads data members; `false` if the declaration holds none.
    fn read_members(&mut self, node: Node<'_>, inner: &Around, structure: &mut Structure) -> bool {
        structure.dynamic |= self.has_word(node, "virtual");
        if self.has_word(node, "static") || self.has_word(node, "constexpr") {
            return false;
        }
        let Some(kind) = node.child_by_field_name("type") else { return false };
        let mut cursor = node.walk();
        let declarators: Vec<_> = node
            .children_by_field_name("declarator", &mut cursor)
            .map(|declarator| take_apart(Some(declarator), self))
            .collect();
        // A pointer to a function is data.
        let is_method = |one: &Declarator<'_>| one.parameters.is_some() && !one.twisted;
        if declarators.iter().any(is_method) {
            return false;
        }
        let span = self.span_of(node);
        let mut cursor = node.walk();
        let clause = node.children(&mut cursor).find(|child| child.kind() == "bitfield_clause");
        let bit_field =
            clause.map(|clause| self.words_of(clause).trim_start_matches(':').trim().to_owned());
        let spelling = self.read_element(kind, inner, None);
        if declarators.is_empty() {
            // An unnamed union, or one that only defines a type.
            let nameless = kind.child_by_field_name("name").is_none();
            let has_body = kind.child_by_field_name("body").is_some();
            if nameless && has_body && kind.kind() != "enum_specifier" {
                let name = String::new();
                let dims = Vec::new();
                structure.members.push(Member { name, spelling, dims, bit_field: None, span });
            }
            return true;
        }
        for declarator in declarators {
            let name = declarator.name.map(|name| self.words_of(name)).unwrap_or_default();
            let mark = if declarator.twisted { "(*)" } else { "" };
            let spelling = format!("{spelling}{mark}{}", "*".repeat(declarator.pointers));
            let reference = if declarator.reference { "*" } else { "" };
            structure.members.push(Member {
                name,
                spelling: format!("{spelling}{reference}"),
                dims: declarator.dims,
                bit_field: bit_field.clone(),
                span,
            });
        }
        true
    }

    pub(super) fn read_enumeration(
        &mut self,
        node: Node<'_>,
        around: &Around,
        given: Option<&str>,
    ) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let name = node.child_by_field_name("name").map(|name| self.words_of(name));
        let name = name.or_else(|| given.map(str::to_owned));
        let scoped = self.has_word(node, "class") || self.has_word(node, "struct");
        let scope = match &name {
            Some(name) if scoped => around.scope.inner(name),
            _ => around.scope.clone(),
        };
        let span = self.span_of(node);
        if let Some(name) = name {
            let underlying = node.child_by_field_name("base").map(|base| self.words_of(base));
            let scope = around.scope.clone();
            self.header.enumerations.push(Enumeration { name, scope, underlying, scoped, span });
        }
        let mut before: Option<String> = None;
        let mut cursor = body.walk();
        for child in body.named_children(&mut cursor) {
            let Some(name) = child.child_by_field_name("name") else { continue };
            let value = child.child_by_field_name("value").map(|value| self.words_of(value));
            let expression = value.unwrap_or_else(|| match &before {
                Some(before) => format!("{before} + 1"),
                None => "0".to_owned(),
            });
            let own = self.words_of(name);
            let span = self.span_of(child);
            before = Some(own.clone());
            self.header.constants.push(Constant {
                name: own,
                scope: scope.clone(),
                kind: ConstantKind::Enum,
                declared: String::new(),
                expression,
                value: None,
                span,
                name_span: self.span_of(name),
                comment: self.comment_on(span),
                condition: self.condition_at(span),
            });
        }
    }
}

/// Whether all braces are closed, and nothing follows the last one but a semicolon.
fn is_balanced(words: &str) -> bool {
    let count = |brace: char| words.matches(brace).count();
    count('{') == count('}') && words.trim_end_matches([';', ' ']).ends_with('}')
}
