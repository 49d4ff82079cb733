//! The book's reference of `derate.toml` says what the types of the project file say; `make golden` writes it anew.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::VecDeque;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use syn::{
    Attribute, Expr, Fields, GenericArgument, Item, ItemStruct, Lit, Meta, PathArguments, Type,
};

const TYPES: &str = include_str!("../src/project/raw.rs");

#[test]
fn the_reference_in_the_book_is_not_stale() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/configuration-keys.md");
    let now = write_reference(TYPES);
    // The variable by which snapshots are written anew, too.
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &now).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(page == now, "{} is stale: run `make golden`", path.display());
}

/// A section for each table of the file, with a row for each key.
fn write_reference(source: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let structs: Vec<ItemStruct> = file
        .items
        .into_iter()
        .filter_map(|item| if let Item::Struct(found) = item { Some(found) } else { None })
        .collect();
    let by_name = |name: &str| structs.iter().find(|found| found.ident == name).unwrap();
    let mut page =
        "<!-- Made from model/project/src/project/raw.rs by `make golden`. -->\n".to_owned();
    let mut tables: VecDeque<(String, &Type)> = VecDeque::new();
    for table in &by_name("File").fields {
        tables.push_back((table.ident.as_ref().unwrap().to_string(), &table.ty));
    }
    while let Some((name, ty)) = tables.pop_front() {
        let (_, type_name) = read_type(ty);
        let listed = find_listed(&type_name);
        let keys = by_name(listed.unwrap_or(&type_name));
        let heading = if listed.is_some() { format!("[[{name}]]") } else { format!("[{name}]") };
        write!(page, "\n### `{heading}`\n\n{}\n\n", read_comment(&keys.attrs)).unwrap();
        page.push_str("| key | value | what it is |\n|---|---|---|\n");
        let Fields::Named(fields) = &keys.fields else { panic!("{type_name} has no named keys") };
        for field in fields.named.iter().rev() {
            let key = field.ident.as_ref().unwrap();
            let value = read_type(&field.ty).1;
            if find_listed(&value).is_some_and(|one| is_table(&structs, one)) {
                tables.push_front((format!("{name}.{key}"), &field.ty));
            }
        }
        for field in &fields.named {
            let (optional, value) = read_type(&field.ty);
            let needed = if optional { "" } else { ", required" };
            let (key, comment) = (field.ident.as_ref().unwrap(), read_comment(&field.attrs));
            assert!(!comment.is_empty(), "[{name}] {key} has no comment");
            let value = if find_listed(&value).is_some_and(|one| is_table(&structs, one)) {
                "tables".to_owned()
            } else {
                value
            };
            writeln!(page, "| `{key}` | {value}{needed} | {comment} |").unwrap();
        }
    }
    page
}

/// The type of the entries of a list.
fn find_listed(value: &str) -> Option<&str> {
    value.strip_prefix("list of ").and_then(|rest| rest.strip_suffix('s'))
}

fn is_table(structs: &[ItemStruct], name: &str) -> bool {
    structs.iter().any(|found| found.ident == name)
}

/// The doc comment as one line.
fn read_comment(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// Whether a value may be left out, and what it is; the name of a type that is a table.
fn read_type(found: &Type) -> (bool, String) {
    let Type::Path(path) = found else { panic!("a type without a name") };
    let last = path.path.segments.last().unwrap();
    let inner: Vec<&Type> = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let value = match (last.ident.to_string().as_str(), inner.as_slice()) {
        ("Option", [inner]) => return (true, read_type(inner).1),
        ("Spanned", [inner]) => read_type(inner).1,
        ("Vec", [inner]) => format!("list of {}s", read_type(inner).1),
        ("BTreeMap", [_, inner]) => format!("table of {}s", read_type(inner).1),
        ("String", []) => "text".to_owned(),
        ("i64", []) => "whole number".to_owned(),
        ("f64", []) => "number".to_owned(),
        ("bool", []) => "truth value".to_owned(),
        (name, _) => name.to_owned(),
    };
    (false, value)
}
