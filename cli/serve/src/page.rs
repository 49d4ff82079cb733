//! `GET /`: the page, which is the same for everybody and holds no result.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::state::ServerState;

/// The page with its policy.
pub(crate) async fn show_page(State(state): State<Arc<ServerState>>) -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let headers =
        [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, state.policy.clone())];
    (headers, state.page.clone()).into_response()
}

#[cfg(test)]
mod tests {
    use derate_model::Encoding;
    use derate_reports::render_live_page;

    #[test]
    fn every_encoding_has_a_colour() {
        let page = render_live_page().html;
        for encoding in Encoding::catalogue() {
            assert!(page.contains(&format!("\n.precision-{encoding}{{")), "{encoding}");
        }
    }
}
