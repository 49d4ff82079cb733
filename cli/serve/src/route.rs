//! One route of the API: its handler, and what /openapi.json says about it.

use std::sync::Arc;

use axum::routing::MethodRouter;

use crate::state::ServerState;

/// A route.
pub(crate) struct Route {
    /// In lower case, as `OpenAPI` has it.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// The name of what it does.
    pub(crate) operation: &'static str,
    /// One sentence.
    pub(crate) summary: &'static str,
    /// The schemas of a body that it may have.
    pub(crate) takes: Option<&'static str>,
    /// The schema of its answer.
    pub(crate) gives: &'static str,
    /// The status of its answer.
    pub(crate) status: u16,
    /// The name of an optional number in the query.
    pub(crate) query: Option<&'static str>,
    pub(crate) handler: fn() -> MethodRouter<Arc<ServerState>>,
}

pub(crate) const fn route(
    method: &'static str,
    path: &'static str,
    operation: &'static str,
    gives: &'static str,
    handler: fn() -> MethodRouter<Arc<ServerState>>,
    summary: &'static str,
) -> Route {
    Route {
        method,
        path,
        operation,
        summary,
        takes: None,
        gives,
        status: 200,
        query: None,
        handler,
    }
}
