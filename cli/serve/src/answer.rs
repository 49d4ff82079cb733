//! What a request is answered with: JSON, or `derate.refusal/1` with the reason.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// One field of a request, and why its value is refused.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(crate) struct Refused {
    /// Its name.
    pub(crate) field: String,
    /// One sentence.
    pub(crate) error: String,
}

/// A request that is not answered, with a sentence; and every field that is to blame.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) error: String,
    pub(crate) fields: Vec<Refused>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), fields: Vec::new() }
    }

    /// Of several.
    pub(crate) fn of_fields(fields: Vec<Refused>) -> Self {
        let error = match fields.first() {
            Some(first) => format!("{}: {}", first.field, first.error),
            None => "the request says nothing that can be answered".to_owned(),
        };
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, error, fields }
    }

    /// Something that is not there.
    pub(crate) fn not_found(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// Something that derate itself could not do.
    pub(crate) fn internal_error(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Said<'a> {
            schema: &'static str,
            error: &'a str,
            field: Option<&'a str>,
            fields: &'a [Refused],
        }
        let mut response = json_response(
            self.status,
            &Said {
                schema: "derate.refusal/1",
                error: &self.error,
                field: self.fields.first().map(|refused| refused.field.as_str()),
                fields: &self.fields,
            },
        );
        if self.status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// JSON, or why there is none.
pub(crate) type Answer = Result<Response, Refusal>;

/// A value as JSON.
pub(crate) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
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
pub(crate) fn answer_json(value: &impl Serialize) -> Answer {
    Ok(json_response(StatusCode::OK, value))
}
