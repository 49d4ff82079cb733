//! What `derate serve` answers, keeps, and describes.
#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(dead_code, reason = "tests share a server that can do more")]

mod derate;
#[path = "serve/load.rs"]
mod load;
#[path = "serve/server.rs"]
mod server;

use std::collections::BTreeSet;

use derate::derate;
use serde_json::{Map, Value, json};
use server::Server;

fn gemm(m: u64, precision: &str) -> Value {
    json!({"workload": "gemm", "m": m, "n": m, "k": m, "platform": "h100-sxm", "precision": precision})
}

/// A sweep of so many small products.
fn sweep(points: usize) -> Value {
    let shapes: Vec<String> = (0..points).map(|at| format!("{}x64x64", 32 + at % 64)).collect();
    json!({"workload": "gemm", "platform": "u280", "shapes": shapes, "precisions": ["fp32"]})
}

#[test]
fn a_prediction_is_that_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for (body, words) in [
        (
            json!({"workload": "gemm", "m": 512, "n": "1024", "k": 2048, "platform": "a100-80", "precision": "bf16"}),
            "gemm --shape 512x1024x2048 --on a100-80 --precision bf16",
        ),
        (
            json!({"workload": "gemv", "n": 4096, "k": 4096, "platform": "u280", "precision": "int8"}),
            "gemv --shape 4096x4096 --on u280 --precision int8",
        ),
        (
            json!({"workload": "attention", "heads": 32, "kv_heads": 8, "head_dim": 128, "queries": 1, "keys": 8192,
                   "platform": "h100-sxm", "precision": "fp16"}),
            "attention --heads 32 --kv-heads 8 --head-dim 128 --queries 1 --keys 8192 --on h100-sxm",
        ),
        (
            json!({"workload": "mlp", "width": 2048, "layers": 4, "batch": 512, "platform": "t4", "precision": "fp16"}),
            "mlp --width 2048 --layers 4 --batch 512 --on t4",
        ),
        (
            json!({"workload": "mlp", "width": 256, "batch": 8, "forward": true, "platform": "t4", "precision": "bf16"}),
            "mlp --width 256 --batch 8 --forward --on t4 --precision bf16",
        ),
        (
            json!({"workload": "llm", "model": "mistral-7b", "prompt": 100, "generate": 100, "platform": "t4"}),
            "llm --model mistral-7b --prompt 100 --generate 100 --on t4",
        ),
    ] {
        let mut served = server.post("/api/predict", &body).json();
        let args: Vec<&str> = ["predict"].into_iter().chain(words.split(' ')).collect();
        let mut own = derate(&[&args[..], &["--format", "json"]].concat()).json();
        let command = served["command"].as_str().unwrap().to_owned();
        // The command that it names gives it again.
        let again: Vec<&str> = command.split(' ').skip(1).chain(["--format", "json"]).collect();
        let mut again = derate(&again).json();
        for one in [&mut served, &mut own, &mut again] {
            one.as_object_mut().unwrap().remove("command");
        }
        assert_eq!(served, own, "{words}");
        assert_eq!(served, again, "{command}");
    }
}

#[test]
fn wrong_values_are_refused_beside_their_fields() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for path in ["/api/predict", "/api/spot"] {
        let body = json!({"workload": "gemm", "m": 0, "n": -1, "k": 1_000_000_000_000_u64,
                          "platform": "h300", "precision": "fp17"});
        let refusal = server.post(path, &body).refused(422, "h300");
        let told = refusal["fields"].as_array().unwrap();
        for (field, word) in [
            ("m", "`0` is less than one"),
            ("n", "`-1` is less than one"),
            ("k", "`1000000000000` is too large: write a whole number from 1 to 1,073,741,824"),
            ("platform", "there are"),
            ("precision", "fp17"),
        ] {
            let own = told.iter().find(|one| one["field"] == field).unwrap();
            assert!(own["error"].as_str().unwrap().contains(word), "{own}");
        }
        let mut text = gemm(64, "fp16");
        text["m"] = json!("many");
        assert_eq!(server.post(path, &text).refused(422, "not a whole number")["field"], "m");
        text.as_object_mut().unwrap().remove("m");
        assert_eq!(server.post(path, &text).refused(422, "it is needed")["field"], "m");
        let mut odd = gemm(64, "fp16");
        odd["o"] = json!(1);
        assert_eq!(server.post(path, &odd).refused(422, "no such field")["field"], "o");
    }
    let heads = json!({"workload": "attention", "heads": 15, "kv_heads": 4, "head_dim": 64, "queries": 50,
                       "platform": "t4", "precision": "fp16"});
    assert_eq!(
        server.post("/api/predict", &heads).refused(422, "do not divide")["field"],
        "kv_heads"
    );
    let shapes =
        json!({"workload": "gemm", "platform": "t4", "shapes": ["64x64"], "precisions": ["fp32"]});
    assert_eq!(server.post("/api/sweeps", &shapes).refused(422, "2 extents")["field"], "shapes");
    for (shapes, word) in [
        (json!([{"m": 8, "n": 8, "k": 8}]), "this is not a list of texts, such as [\"64x64x512\"]"),
        (json!([]), "the list is empty"),
    ] {
        let body =
            json!({"workload": "gemm", "platform": "t4", "shapes": shapes, "precisions": ["fp32"]});
        let refusal = server.post("/api/sweeps", &body).refused(422, word);
        assert_eq!(refusal["fields"].as_array().unwrap().len(), 1, "{refusal}");
    }
    // What has a usual value need not be sent.
    let mut usual = gemm(64, "fp16");
    let asked = server.post("/api/predict", &usual).json();
    usual.as_object_mut().unwrap().remove("precision");
    let predicted = server.post("/api/predict", &usual).json();
    assert_eq!(predicted["phases"], asked["phases"]);
    let many: Vec<String> = (1..2000).map(|m| format!("{m}x1x1")).collect();
    let many = json!({"workload": "gemm", "platform": "t4", "shapes": many, "precisions": ["all"]});
    server.post("/api/sweeps", &many).refused(422, "13993 points");
    let device = json!({"workload": "gemm", "platform": "t4", "m": 8, "n": 8, "k": 8, "precision": "fp32", "device": "cuda:0"});
    assert_eq!(
        server.post("/api/spot", &device).refused(422, "does not measure here")["field"],
        "device"
    );
}

#[test]
fn a_spot_check_in_all_precisions_measures_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let begun = server.post("/api/spot", &gemm(96, "all"));
    assert_eq!(begun.status, 201);
    let id = begun.json()["sweep"]["id"].as_i64().unwrap();
    let done = server.until(id, |sweep| sweep["state"] == "done");
    let points = points(&server, id);
    assert_eq!(points.len(), 7);
    for point in &points {
        let predicted = &point["predicted"];
        assert_eq!(predicted["flops"], 2.0 * 96.0 * 96.0 * 96.0);
        match point["state"].as_str().unwrap() {
            "measured" => {
                let own = &point["measured"];
                let seconds = own["seconds"].as_f64().unwrap();
                let rate = predicted["flops"].as_f64().unwrap() / seconds;
                assert!((own["rate"].as_f64().unwrap() / rate - 1.0).abs() < 1e-12);
                assert_eq!(own["measurement"]["schema"], "derate.measurement/1");
                assert_eq!(own["measurement"]["runs"][0]["check"]["passed"], true);
                assert!(!own["device"].as_str().unwrap().is_empty());
            }
            "refused" => assert!(point["reason"].as_str().unwrap().len() > 20, "{point}"),
            other => panic!("{other}"),
        }
    }
    assert_eq!(points[0]["precision"], "fp32");
    assert_eq!(points[0]["state"], "measured");
    let all = server.get("/api/points").json();
    assert_eq!(json!(all["points"].as_array().unwrap().len()), done["measured"]);
    let ids = all["points"].as_array().unwrap().iter().map(|point| point["id"].as_i64().unwrap());
    let last = ids.max().unwrap();
    assert_eq!(server.get(&format!("/api/points?after={last}")).json()["points"], json!([]));
    server.get("/api/points?after=x").refused(400, "?after=N");
}

/// All points of a sweep, page by page.
fn points(server: &Server, id: i64) -> Vec<Value> {
    let mut all = Vec::new();
    let mut from = json!(0);
    while let Some(next) = from.as_i64() {
        let part = server.get(&format!("/api/sweeps/{id}?from={next}")).json();
        all.extend(part["points"].as_array().unwrap().clone());
        from = part["next"].clone();
    }
    all
}

fn finished(sweep: &Value) -> i64 {
    sweep["finished"].as_i64().unwrap()
}

fn measured(points: &[Value]) -> Vec<&Value> {
    points.iter().filter(|point| point["state"] == "measured").collect()
}

#[test]
fn a_sweep_is_cancelled_half_way_resumed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let id = server.post("/api/sweeps", &sweep(1200)).json()["sweep"]["id"].as_i64().unwrap();
    let path = format!("/api/sweeps/{id}");
    server.delete(&path).refused(409, "cancel it first");
    server.until(id, |sweep| finished(sweep) > 5);
    let cancelled = server.post(&format!("{path}/cancel"), &json!({})).json();
    assert_eq!(cancelled["sweep"]["state"], "cancelled");
    // What runs may come to its end.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kept = finished(&server.until(id, |_| true));
    assert!(kept > 5 && kept < 1200, "{kept}");
    let before = points(&server, id);
    assert_eq!(before.len(), 1200);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(points(&server, id), before, "nothing is measured any more");
    assert_eq!(i64::try_from(measured(&before).len()).unwrap(), kept);
    server.post(&format!("{path}/cancel"), &json!({})).refused(409, "nothing to cancel");

    server.post(&format!("{path}/resume"), &json!({}));
    server.until(id, |sweep| finished(sweep) > kept + 5);
    server.post(&format!("{path}/cancel"), &json!({}));
    let after = points(&server, id);
    assert_eq!(measured(&after)[..measured(&before).len()], measured(&before));
    assert_eq!(server.delete(&path).status, 200);
    server.get(&path).refused(404, "there is no sweep");
    assert_eq!(server.get("/api/points").json()["points"], json!([]));
}

#[test]
fn killed_in_mid_sweep_it_has_every_finished_point_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let id = server.post("/api/sweeps", &sweep(300)).json()["sweep"]["id"].as_i64().unwrap();
    server.until(id, |sweep| finished(sweep) > 20);
    let seen = points(&server, id);
    server.kill();

    let server = Server::start(folder.path(), &[]);
    let again = server.until(id, |_| true);
    assert_eq!(again["state"], "interrupted");
    assert!(finished(&again) > 20 && finished(&again) < 300, "{again}");
    let after = points(&server, id);
    assert_eq!(i64::try_from(measured(&after).len()).unwrap(), finished(&again));
    assert_eq!(measured(&after)[..measured(&seen).len()], measured(&seen));
    server.post(&format!("/api/sweeps/{id}/resume"), &json!({}));
    let done = server.until(id, |sweep| sweep["state"] == "done");
    assert_eq!(done["measured"], 300);
}

#[test]
fn asked_to_end_it_ends_and_marks_what_ran() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), &[]);
        let id = server.post("/api/sweeps", &sweep(2000)).json()["sweep"]["id"].as_i64().unwrap();
        let path = format!("/api/sweeps/{id}");
        server.until(id, |sweep| finished(sweep) > 3);
        let (status, said) = server.interrupt(signal);
        assert_eq!(status, Some(0), "{signal}: {said}");
        // An unoptimised build says so, at its start; nothing else is said.
        let note = "note: derate was built without optimisation";
        assert!(said.lines().all(|line| line.starts_with(note)), "{signal}: {said}");
        let server = Server::start(folder.path(), &[]);
        let again = server.get(&path).json();
        assert_eq!(again["sweep"]["state"], "interrupted");
        let running = |point: &Value| point["state"] == "running";
        assert!(!again["points"].as_array().unwrap().iter().any(running));
    }
}

#[test]
fn a_store_of_others_is_refused_and_one_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "no database".repeat(100)).unwrap();
    let args = ["serve", "--listen", "127.0.0.1:0", "--store", notes.to_str().unwrap()];
    derate(&args).assert_refused("is not a store of derate serve");
    for odd in [":memory:", "file::memory:?cache=shared"] {
        let args = ["serve", "--listen", "127.0.0.1:0", "--store", odd];
        derate(&args).assert_refused("is not a path of a file");
    }
    let server = Server::start(folder.path(), &[]);
    let store = folder.path().join("derate-results.sqlite");
    let args = ["serve", "--listen", "127.0.0.1:0", "--store", store.to_str().unwrap()];
    derate(&args).assert_refused("is in use by another derate serve");
    assert_eq!(server.get("/api/sweeps").status, 200);
}

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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let description = server.get("/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    let schemas = description["components"]["schemas"].as_object().unwrap();
    let id = server.post("/api/spot", &gemm(64, "all")).json()["sweep"]["id"].as_i64().unwrap();
    server.until(id, |sweep| sweep["state"] == "done");
    let long = server.post("/api/sweeps", &sweep(4000)).json()["sweep"]["id"].as_i64().unwrap();

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
                "start" => self::sweep(2),
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

#[test]
fn an_own_platform_is_offered_and_opened_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = derate::root().join("model/machine/platforms/t4.toml");
    let text = std::fs::read_to_string(file).unwrap().replace("name = \"t4\"", "name = \"mine\"");
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    let server = Server::start(folder.path(), &["--platform", "mine.toml"]);
    let platforms = server.get("/api/platforms").json();
    assert_eq!(platforms["chosen"], "mine");
    let roofs = server.get("/api/platforms/mine/roofline").json();
    assert_eq!(roofs["roofs"], server.get("/api/platforms/t4/roofline").json()["roofs"]);
    let unknown = server.get("/api/platforms/gb10/roofline").json();
    let fp16 = unknown["roofs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|roof| roof["precision"] == "fp16")
        .unwrap();
    assert!(
        fp16["peak"].is_null() && fp16["unknown"].is_string(),
        "nobody has published it: {fp16}"
    );
    server.get("/api/platforms/h300").refused(404, "is not a platform");
}

/// How many a second it holds is for `cargo bench --bench serve` to say: this one is not optimised.
#[test]
fn estimates_that_come_side_by_side_are_each_answered_with_their_own_figures() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let load = load::load(server.port, 200, std::time::Duration::from_secs(2));
    assert_eq!((load.wanted, load.sent, load.answered()), (400, 400, 400), "{:?}", load.took);
    // Whoever waits for answers before sending has other words for it than `200 a second`.
    assert!(load.rate() > 150.0, "{}", load.rate());
}

#[test]
fn every_operator_is_swept_and_measured_as_it_is_predicted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for (workload, shape, flops) in [
        ("gemv", "32x48", 2.0 * 32.0 * 48.0),
        ("gemm", "8x16x24", 2.0 * 8.0 * 16.0 * 24.0),
        ("attention", "1x6x3x8x4x10", 4.0 * 6.0 * 4.0 * 10.0 * 8.0),
        ("mlp", "4x16x2", 2.0 * 2.0 * 4.0 * 16.0 * 16.0),
    ] {
        let body = json!({"workload": workload, "platform": "t4", "shapes": [shape], "precisions": ["fp32"]});
        let id = server.post("/api/sweeps", &body).json()["sweep"]["id"].as_i64().unwrap();
        assert_eq!(server.until(id, |sweep| sweep["state"] == "done")["measured"], 1, "{workload}");
        let point = &points(&server, id)[0];
        assert_eq!(
            (&point["workload"]["kind"], &point["predicted"]["flops"]),
            (&json!(workload), &json!(flops))
        );
        assert_eq!(point["measured"]["measurement"]["kernel"], workload);
    }
    // Forward and backward, it is measured as it is predicted.
    let both =
        json!({"workload": "mlp", "width": 16, "batch": 4, "platform": "t4", "precision": "fp32"});
    let id = server.post("/api/spot", &both).json()["sweep"]["id"].as_i64().unwrap();
    server.until(id, |sweep| sweep["state"] == "done");
    let point = &points(&server, id)[0];
    let (predicted, run) =
        (&point["predicted"]["flops"], &point["measured"]["measurement"]["runs"][0]);
    assert_eq!(
        (predicted, &run["mlp"]["backward"]),
        (&json!(6.0 * 4.0 * 16.0 * 16.0), &json!(true))
    );
}

#[test]
fn several_names_of_one_precision_are_measured_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let body = json!({"workload": "gemm", "platform": "t4", "shapes": ["8x8x8", "8x8x8"],
                      "precisions": ["all", "fp32", "fp8", "fp8_e4m3", "FP32"]});
    let begun = server.post("/api/sweeps", &body).json();
    assert_eq!(begun["sweep"]["points"], 2 * 7, "shapes are repeated, precisions are not");
    let names: BTreeSet<&str> = begun["points"].as_array().unwrap()[..7]
        .iter()
        .map(|point| point["precision"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 7);
}

#[test]
fn what_everybody_would_wait_for_is_refused_beside_its_field() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut large = gemm(11_585, "fp32");
    let refused = server.post("/api/spot", &large).refused(422, "3.110e12 operations");
    assert_eq!(refused["field"], "m");
    large["m"] = json!(1);
    large["n"] = json!(20_000);
    large["k"] = json!(20_000);
    let refused = server.post("/api/spot", &large).refused(422, "elements in one matrix");
    assert_eq!(refused["field"], "n");
    // It is predicted all the same.
    assert_eq!(server.post("/api/predict", &gemm(11_585, "fp32")).status, 200);
    let many = json!({"workload": "gemv", "platform": "t4", "shapes": ["8x8", "1000000x1000000"], "precisions": ["fp32"]});
    let refused =
        server.post("/api/sweeps", &many).refused(422, "`1000000x1000000`: these are 2.000e12");
    assert_eq!(refused["field"], "shapes");
    assert_eq!(server.get("/api/sweeps").json()["sweeps"], json!([]), "nothing was begun");
}

#[test]
fn older_sweeps_can_be_reached() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for _ in 0..103 {
        assert_eq!(server.post("/api/spot", &gemm(8, "nvfp4")).status, 201);
    }
    let ids = |page: &Value| -> Vec<i64> {
        page["sweeps"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect()
    };
    let first = server.get("/api/sweeps").json();
    assert_eq!(ids(&first), (4..=103).rev().collect::<Vec<i64>>());
    assert_eq!((&first["next"], &first["trouble"]), (&json!(4), &Value::Null));
    let rest = server.get("/api/sweeps?before=4").json();
    assert_eq!((ids(&rest), &rest["next"]), (vec![3, 2, 1], &Value::Null));
    server.get("/api/sweeps?after=4").refused(400, "?before=N");
}
