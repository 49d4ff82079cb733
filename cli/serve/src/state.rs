//! What all requests share.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::HeaderValue;

use crate::answer::Refusal;
use crate::platforms::Platforms;
use crate::queue::{Queue, SharedStore, lock_mutex};
use crate::store::{Store, StoreError};

/// What all requests share.
pub(crate) struct ServerState {
    pub(crate) platforms: Platforms,
    /// The device that measures: `cpu`, `cuda:0`.
    pub(crate) device: String,
    /// The name that the device gives itself.
    pub(crate) device_name: String,
    pub(crate) queue: Arc<Queue>,
    pub(crate) store: SharedStore,
    pub(crate) page: Bytes,
    pub(crate) policy: HeaderValue,
}

impl ServerState {
    /// Runs `work` on the store, which waits for its disk, on a thread that may wait.
    pub(crate) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&mut lock_mutex(&store))).await;
        done.map_err(Refusal::internal_error)?.map_err(Refusal::internal_error)
    }
}
