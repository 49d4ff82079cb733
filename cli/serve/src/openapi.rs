//! `GET /openapi.json`: the API for programs, made of the list of routes and of the schemas beside it.

use serde_json::{Map, Value, json};

use crate::route::Route;

fn schema_content(schema: &str) -> Value {
    json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}

fn describe_operation(route: &Route) -> Value {
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
            route.status.to_string(): { "description": "As asked.", "content": schema_content(route.gives) },
            "default": { "description": "Refused, with the reason.", "content": schema_content("refusal") },
        },
    });
    if let (Some(takes), Some(fields)) = (route.takes, own.as_object_mut()) {
        fields.insert(
            "requestBody".to_owned(),
            json!({ "required": true, "content": schema_content(takes) }),
        );
    }
    own
}

/// The `OpenAPI` document of these routes.
pub(crate) fn describe_routes(routes: &[Route]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes {
        let methods = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(methods) = methods.as_object_mut() {
            methods.insert(route.method.to_owned(), describe_operation(route));
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
