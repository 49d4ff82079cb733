//! What a request is answered with.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::refusal::Refusal;

/// JSON, or why there is none.
pub(crate) type Answer = Result<Response, Refusal>;

/// A value as JSON.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => {
            let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            (status, [kind], bytes).into_response()
        }
        Err(error) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("no JSON: {error}")).into_response()
        }
    }
}

/// The usual answer.
#[expect(clippy::unnecessary_wraps, reason = "what every route gives")]
pub(crate) fn found(value: &impl Serialize) -> Answer {
    Ok(json(StatusCode::OK, value))
}
