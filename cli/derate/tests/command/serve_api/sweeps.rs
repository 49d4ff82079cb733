//! What is measured: spot checks and sweeps.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{begin, gemm, points, serve, sweep};
use crate::server::Server;

fn finished(sweep: &Value) -> i64 {
    sweep["finished"].as_i64().unwrap()
}

fn measured(points: &[Value]) -> Vec<&Value> {
    points.iter().filter(|point| point["state"] == "measured").collect()
}

#[test]
fn a_spot_check_in_all_precisions_measures_or_says_why_not() {
    let (_folder, server) = serve();
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

#[test]
fn a_sweep_is_cancelled_half_way_resumed_and_removed() {
    let (_folder, server) = serve();
    let id = begin(&server, "/api/sweeps", &sweep(1200));
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
    let (folder, server) = serve();
    let id = begin(&server, "/api/sweeps", &sweep(300));
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
        let id = begin(&server, "/api/sweeps", &sweep(2000));
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
fn every_operator_is_swept_and_measured_as_it_is_predicted() {
    let (_folder, server) = serve();
    for (workload, shape, flops) in [
        ("gemv", "32x48", 2.0 * 32.0 * 48.0),
        ("gemm", "8x16x24", 2.0 * 8.0 * 16.0 * 24.0),
        ("attention", "1x6x3x8x4x10", 4.0 * 6.0 * 4.0 * 10.0 * 8.0),
        ("mlp", "4x16x2", 2.0 * 2.0 * 4.0 * 16.0 * 16.0),
    ] {
        let body = json!({"workload": workload, "platform": "t4", "shapes": [shape], "precisions": ["fp32"]});
        let id = begin(&server, "/api/sweeps", &body);
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
    let id = begin(&server, "/api/spot", &both);
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
    let (_folder, server) = serve();
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
fn older_sweeps_can_be_reached() {
    let (_folder, server) = serve();
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
