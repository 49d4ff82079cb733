//! Types.

use super::declarator::Declared;
use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Path, Type};
use tree_sitter::Node;

impl Reader<'_> {
    /// The type before the declarators of a declaration, by its field `type`.
    pub(crate) fn read_base_type(&mut self, declaration: Node<'_>) -> Type {
        match declaration.field("type") {
            Some(node) => self.read_type(node),
            // `const x = 3;` of old C
            None => Type::Builtin("int"),
        }
    }

    pub(crate) fn read_type(&mut self, node: Node<'_>) -> Type {
        let made = self.descend(|reader| reader.read_type_here(node));
        made.unwrap_or_else(|| Type::Unknown("the nesting is too deep".to_owned()))
    }

    fn read_type_here(&mut self, node: Node<'_>) -> Type {
        match node.kind() {
            "primitive_type" | "sized_type_specifier" => spell_fundamental(self.text(node)),
            "type_identifier" | "identifier" => spell_name(self.text(node)),
            "template_type" | "template_function" | "qualified_identifier" | "dependent_type" => {
                Type::Name(self.read_path(node))
            }
            "struct_specifier" | "class_specifier" | "union_specifier" => self.read_structure(node),
            "enum_specifier" => self.read_enumeration(node),
            "placeholder_type_specifier" | "auto" => Type::Auto,
            "decltype" => match children(node).first() {
                Some(inner) if inner.kind() != "auto" => {
                    Type::Decltype(Box::new(self.read_expression(*inner)))
                }
                _ => Type::Auto,
            },
            "type_descriptor" => self.read_type_descriptor(node),
            _ => Type::Unknown(self.quote(node)),
        }
    }

    /// A type with an abstract declarator: `int *`, `float [3]`.
    pub(crate) fn read_type_descriptor(&mut self, node: Node<'_>) -> Type {
        let base = self.read_base_type(node);
        match node.field("declarator") {
            Some(declarator) => {
                let Declared { ty, parameters, .. } = self.read_declarator(declarator, base);
                if parameters.is_some() { Type::Unknown(self.quote(node)) } else { ty }
            }
            None => base,
        }
    }

    /// Whether an expression that is only a name is the name of a type.
    pub(crate) fn names_type(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "primitive_type" | "sized_type_specifier" | "template_type" | "type_descriptor" => true,
            "identifier" | "type_identifier" => self.vocabulary.is_type(self.text(node)),
            "template_function" => {
                let name = node.field("name");
                name.is_some_and(|name| self.vocabulary.is_type(self.text(name)))
            }
            "qualified_identifier" => node.field("name").is_some_and(|name| self.names_type(name)),
            _ => false,
        }
    }
}

fn spell_name(text: &str) -> Type {
    match text {
        "unsigned" | "signed" | "long" | "short" | "__int128" => spell_fundamental(text),
        "auto" => Type::Auto,
        _ => Type::Name(Path::plain(text)),
    }
}

/// A fundamental type in one spelling. The names of `stdint.h` stay names.
fn spell_fundamental(text: &str) -> Type {
    let (mut unsigned, mut signed, mut longs, mut short) = (false, false, 0, false);
    let mut base = "";
    for word in text.split_whitespace() {
        match word {
            "unsigned" => unsigned = true,
            "signed" => signed = true,
            "long" => longs += 1,
            "short" => short = true,
            "const" | "int" => {}
            other => base = other,
        }
    }
    Type::Builtin(match (base, unsigned, longs) {
        ("void", ..) => return Type::Void,
        ("char", true, _) => "unsigned char",
        ("char", ..) if signed => "signed char",
        ("char", ..) => "char",
        ("bool" | "_Bool", ..) => "bool",
        ("float", ..) => "float",
        ("double", _, 0) => "double",
        ("double", ..) => "long double",
        ("", true, _) if short => "unsigned short",
        ("", ..) if short => "short",
        ("", true, 0) => "unsigned int",
        ("", false, 0) => "int",
        ("", true, 1) => "unsigned long",
        ("", false, 1) => "long",
        ("", true, _) => "unsigned long long",
        ("", false, _) => "long long",
        (other, ..) => return Type::Name(name_unsigned(other, unsigned)),
    })
}

fn name_unsigned(base: &str, unsigned: bool) -> Path {
    let prefix = if unsigned { "unsigned " } else { "" };
    Path::plain(&format!("{prefix}{base}"))
}
