//! Every route of the API, in one list: what is state, and what /openapi.json says of it.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post};
use serde_json::Value;

use crate::answer::{Answer, Refusal, answer_json};
use crate::guard::{Guard, check_request};
use crate::route::{Route, route};
use crate::state::ServerState;
use crate::{catalogue, openapi, page, predict, sweeps};

/// All of them, but for the page and the description itself.
#[rustfmt::skip]
const ROUTES: [Route; 14] = [
    route("get", "/api/platforms", "platforms", "platforms", || get(catalogue::list_platforms),
        "The platforms that a request may name."),
    route("get", "/api/platforms/{name}", "platform", "platform", || get(catalogue::show_platform),
        "One platform: its figures and where they come from."),
    route("get", "/api/platforms/{name}/roofline", "roofline", "roofline", || get(catalogue::show_roofline),
        "The roofs of a platform: bandwidth, and the peak of each precision or why it is not known."),
    route("get", "/api/precisions", "precisions", "precisions", || get(catalogue::list_precisions),
        "The precisions and encodings that have a name."),
    route("get", "/api/models", "models", "language-models", || get(catalogue::list_models),
        "The language models that are built in."),
    Route { takes: Some("predict"), ..route("post", "/api/predict", "predict", "prediction", || post(predict::answer_predict),
        "An operator or a language model under the roofs of a platform.") },
    Route { takes: Some("spot"), status: 201, ..route("post", "/api/spot", "spot", "sweep", || post(sweeps::start_spot),
        "Predicts one operator and has it measured on this machine, in one precision or in all.") },
    Route { query: Some("before"), ..route("get", "/api/sweeps", "sweeps", "sweeps", || get(sweeps::list_sweeps),
        "100 spot checks and sweeps, the latest first, before the one of that number; and why nothing is measured, where that is so.") },
    Route { takes: Some("shapes"), status: 201, ..route("post", "/api/sweeps", "start", "sweep", || post(sweeps::start_sweep),
        "Predicts many shapes in many precisions and has them measured on this machine, one after another.") },
    Route { query: Some("from"), ..route("get", "/api/sweeps/{id}", "sweep", "sweep", || get(sweeps::show_sweep),
        "A sweep: how far it is, and 500 of its points, from a place on.") },
    route("post", "/api/sweeps/{id}/cancel", "cancel", "sweep", || post(sweeps::cancel_sweep),
        "Ends a sweep before its time; what is finished stays."),
    route("post", "/api/sweeps/{id}/resume", "resume", "sweep", || post(sweeps::resume_sweep),
        "Goes on with a sweep that was cancelled, or interrupted by the end of derate."),
    route("delete", "/api/sweeps/{id}", "remove", "removed", || delete(sweeps::remove_sweep),
        "Takes a sweep that is not at work out of the store, with its points."),
    Route { query: Some("after"), ..route("get", "/api/points", "points", "points", || get(sweeps::list_points),
        "500 measured points of all sweeps, after the point of that number.") },
];

static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| openapi::describe_routes(&ROUTES));

/// `GET /openapi.json`.
async fn describe_api() -> Answer {
    answer_json(&*DESCRIPTION)
}

/// The page, the description, the API, and before them the guard.
pub(crate) fn build_router(state: Arc<ServerState>, guard: Arc<Guard>) -> Router {
    let absent =
        || async { Refusal::not_found("there is nothing here: /openapi.json says what there is") };
    let wrong = || async {
        let error = "this is asked in another way: /openapi.json says which";
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error)
    };
    let mut router =
        Router::new().route("/", get(page::show_page)).route("/openapi.json", get(describe_api));
    for route in &ROUTES {
        router = router.route(route.path, (route.handler)());
    }
    router
        .fallback(absent)
        .method_not_allowed_fallback(wrong)
        .layer(from_fn_with_state(guard, check_request))
        .with_state(state)
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    #[test]
    fn every_schema_that_a_route_names_is_there_and_none_is_there_for_nothing() {
        let schemas: Map<String, Value> =
            serde_json::from_str(include_str!("schemas.json")).unwrap();
        let text = DESCRIPTION.to_string();
        for name in schemas.keys() {
            assert!(text.contains(&format!("\"#/components/schemas/{name}\"")), "{name}");
        }
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
        for route in &ROUTES {
            assert!(DESCRIPTION["paths"][route.path][route.method].is_object(), "{}", route.path);
        }
    }
}
