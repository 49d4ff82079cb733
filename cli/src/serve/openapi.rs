//! `GET /openapi.json`: the API for programs, made of the list of routes and of the schemas beside it.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::answer::{Answer, found};
use super::routes::{ROUTES, Route};

static DESCRIPTION: LazyLock<Value> = LazyLock::new(describe);

/// `GET /openapi.json`.
pub(crate) async fn openapi() -> Answer {
    found(&*DESCRIPTION)
}

fn content(schema: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

fn operation(route: &Route) -> Value {
    let whole = json!({ "type": "integer", "minimum": 0 });
    let mut parameters = Vec::new();
    for name in
        ["name", "id"].into_iter().filter(|name| route.path.contains(&format!("{{{name}}}")))
    {
        let schema = if name == "id" { whole.clone() } else { json!({ "type": "string" }) };
        parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
    }
    parameters.extend(
        route.query.map(|name| json!({ "name": name, "in": "query", "schema": whole.clone() })),
    );
    let mut own = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            route.status.to_string(): { "description": "As asked.", "content": content(route.gives) },
            "default": { "description": "Refused, with the reason.", "content": content("refusal") },
        },
    });
    if let (Some(takes), Some(fields)) = (route.takes, own.as_object_mut()) {
        fields.insert(
            "requestBody".to_owned(),
            json!({ "required": true, "content": content(takes) }),
        );
    }
    own
}

fn describe() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in &ROUTES {
        let methods = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(methods) = methods.as_object_mut() {
            methods.insert(route.method.to_owned(), operation(route));
        }
    }
    let schemas: Value = serde_json::from_str(include_str!("schemas.json")).unwrap_or_default();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "derate serve",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Predictions at the roofline and what this machine really reaches. Numbers are in SI base units; null is unknown.",
        },
        "security": [{}, { "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_that_a_route_names_is_there_and_none_is_there_for_nothing() {
        let schemas: Map<String, Value> =
            serde_json::from_str(include_str!("schemas.json")).unwrap();
        let text = describe().to_string();
        for name in schemas.keys() {
            assert!(text.contains(&format!("\"#/components/schemas/{name}\"")), "{name}");
        }
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
        for route in &ROUTES {
            assert!(describe()["paths"][route.path][route.method].is_object(), "{}", route.path);
        }
    }
}
