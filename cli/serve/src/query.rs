//! The query of a request: at most one whole number.

use axum::http::StatusCode;

use crate::answer::Refusal;

/// The number of that name; 0 if the query is empty.
pub(crate) fn parse_number(query: Option<&str>, name: &str) -> Result<i64, Refusal> {
    let Some(query) = query.filter(|query| !query.is_empty()) else { return Ok(0) };
    let value = query.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
    let number = value.and_then(|value| value.parse().ok()).filter(|&number: &i64| number >= 0);
    number.ok_or_else(|| {
        let error = format!("`?{query}` is not understood: write ?{name}=N, a whole number");
        Refusal::new(StatusCode::BAD_REQUEST, error)
    })
}
