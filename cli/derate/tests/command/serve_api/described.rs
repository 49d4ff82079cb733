//! The description of the interface has every route and every field.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{begin, gemm, serve, sweep};

/// Every field of an answer that its schema does not name.
fn undescribed(
    value: &Value,
    schema: &Value,
    schemas: &Map<String, Value>,
    at: &str,
    found: &mut BTreeSet<String>,
) {
    let schema = match schema["$ref"].as_str() {
        Some(name) => &schemas[name.rsplit('/').next().unwrap()],
        None => schema,
    };
    if let Some(choices) = schema["oneOf"].as_array() {
        let all: Vec<BTreeSet<String>> = choices
            .iter()
            .map(|choice| {
                let mut own = BTreeSet::new();
                undescribed(value, choice, schemas, at, &mut own);
                own
            })
            .collect();
        found.extend(all.into_iter().min_by_key(BTreeSet::len).unwrap_or_default());
        return;
    }
    match (value, &schema["properties"], &schema["items"]) {
        (Value::Object(fields), Value::Object(known), _) => {
            for (name, value) in fields {
                let at = format!("{at}.{name}");
                match known.get(name) {
                    Some(schema) => undescribed(value, schema, schemas, &at, found),
                    None => _ = found.insert(at),
                }
            }
        }
        (Value::Array(all), _, items) if !items.is_null() => {
            for one in all {
                undescribed(one, items, schemas, &format!("{at}[]"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn the_description_has_every_route_and_every_field() {
    let (_folder, server) = serve();
    let description = server.get("/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    let schemas = description["components"]["schemas"].as_object().unwrap();
    let id = begin(&server, "/api/spot", &gemm(64, "all"));
    server.until(id, |sweep| sweep["state"] == "done");
    let long = begin(&server, "/api/sweeps", &sweep(4000));

    let mut asked = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let sweep = match operation["operationId"].as_str().unwrap() {
                "cancel" | "resume" => long,
                _ => id,
            };
            if operation["operationId"] == "resume" {
                server.post(&format!("/api/sweeps/{long}/cancel"), &json!({}));
            }
            let own = path.replace("{name}", "u280").replace("{id}", &sweep.to_string());
            let body = match operation["operationId"].as_str().unwrap() {
                "predict" => gemm(64, "fp16"),
                "spot" => gemm(16, "fp32"),
                "start" => super::sweep(2),
                _ => json!({}),
            };
            let reply = match method.as_str() {
                "get" => server.get(&own),
                "post" => server.post(&own, &body),
                // At the end: others ask for it.
                _ => continue,
            };
            asked += 1;
            let said = &operation["responses"][reply.status.to_string()];
            let schema = &said["content"]["application/json"]["schema"];
            assert!(schema.is_object(), "{method} {own}: {}", reply.json());
            let (json, mut found) = (reply.json(), BTreeSet::new());
            undescribed(&json, schema, schemas, path, &mut found);
            assert_eq!(found, BTreeSet::new());
            let whole = json!({"$ref": schema["$ref"], "components": {"schemas": schemas}});
            let validator = jsonschema::validator_for(&whole).unwrap();
            let wrong: Vec<String> = validator
                .iter_errors(&json)
                .map(|e| format!("{}: {e:.300}", e.instance_path()))
                .collect();
            assert_eq!(wrong, Vec::<String>::new(), "{method} {own}");
        }
    }
    assert_eq!(asked, 13);
    let reply = server.delete(&format!("/api/sweeps/{id}"));
    assert_eq!(reply.json(), json!({"schema": "derate.removed/1", "id": id}));
}
