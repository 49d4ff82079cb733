//! The server: what it listens on, what it measures with, and how it ends.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::http::HeaderValue;
use derate_host::BenchError;
use derate_host::cpu::build_note;
use derate_host::operators::OperatorDevice;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use crate::guard::Guard;
use crate::host::Hosts;
use crate::platforms::{NamedPlatform, PlatformNameTaken, Platforms};
use crate::queue::{Queue, SharedStore, lock_mutex};
use crate::state::ServerState;
use crate::store::{Store, StoreError};
use crate::token::{Token, VARIABLE};
use crate::{connections, measure, routes};

/// What a server serves, where, and to whom.
pub struct ServerOptions {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Every request to the API must carry it. Only a loopback address works without one.
    pub token: Option<Token>,
    /// Further host names under which this machine is reached.
    pub host_names: Vec<String>,
    /// The device that measures: `cpu`, `cuda:0`.
    pub device: String,
    /// The `SQLite` file of the results; created if it does not exist.
    pub store: PathBuf,
    /// Platforms beside those of the catalogue; the page opens with the first.
    pub platforms: Vec<NamedPlatform>,
    /// Shows a line to the person who started the server.
    pub note: fn(&str),
}

/// Why a server does not start or cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is not a loopback address and no token is given.
    #[error(
        "--listen {0} answers more than this machine, so a token is needed: give --token FILE or {VARIABLE}"
    )]
    TokenNeeded(SocketAddr),
    /// The device does not exist.
    #[error(transparent)]
    Device(#[from] BenchError),
    /// Two platforms have the same name.
    #[error(transparent)]
    Platform(#[from] PlatformNameTaken),
    /// The address is taken or is not this machine's.
    #[error(
        "{address} cannot be listened on: take another port with --listen, such as 127.0.0.1:0"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The database of the results.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The thread that measures does not start.
    #[error("the thread that measures cannot be started")]
    Thread(#[source] std::io::Error),
    /// The operating system refuses something else.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Waits for SIGINT or SIGTERM.
async fn wait_for_signal() -> Result<(), std::io::Error> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// Serves the page and the API until SIGINT or SIGTERM.
pub fn run_server(options: ServerOptions) -> Result<(), ServeError> {
    let ServerOptions { listen, token, host_names, device, store, platforms, note } = options;
    if token.is_none() && !listen.ip().is_loopback() {
        return Err(ServeError::TokenNeeded(listen));
    }
    let measuring_device = OperatorDevice::named(&device, None)?;
    let platforms = Platforms::new(platforms)?;
    let page = derate_reports::render_live_page();
    // The port comes before the store: if it is refused, no file is created.
    let listener = std::net::TcpListener::bind(listen)
        .map_err(|source| ServeError::Listen { address: listen, source })?;
    listener.set_nonblocking(true)?;
    let store_path = store;
    let store: SharedStore = Arc::new(Mutex::new(Store::open(&store_path)?));
    let queue = Arc::new(Queue::new(note));
    let guard =
        Arc::new(Guard { hosts: Hosts { listened: listen.ip(), names: host_names }, token });
    let is_cpu = device == "cpu";
    let state = Arc::new(ServerState {
        platforms,
        device,
        device_name: measuring_device.name(),
        queue: Arc::clone(&queue),
        store: Arc::clone(&store),
        policy: HeaderValue::from_str(&page.policy).unwrap_or(HeaderValue::from_static("")),
        page: Bytes::from(page.html),
    });
    let runtime = Builder::new_multi_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener)?;
        let bound = listener.local_addr()?;
        let started = queue.start(Arc::clone(&store), move |shape, precision, stop, progress| {
            measure::measure_point(&measuring_device, shape, precision, stop, progress)
        });
        let measuring = started.map_err(ServeError::Thread)?;
        note(&format!(
            "derate serve: http://{bound} (results in {}; Ctrl-C ends)",
            store_path.display()
        ));
        if let Some(text) = build_note().filter(|_| is_cpu) {
            note(&format!("note: {text}"));
        }
        let end = async {
            if let Err(error) = wait_for_signal().await {
                note(&format!("note: signals cannot be caught ({error}): end it with kill"));
                std::future::pending::<()>().await;
            }
        };
        connections::serve_until(listener, routes::build_router(state, guard), end).await;
        queue.end();
        drop(measuring);
        // A point that is still measured starts anew when its sweep is resumed.
        lock_mutex(&store).interrupt_sweeps()?;
        Ok::<(), ServeError>(())
    })?;
    // The thread that measures may need long for its point: the exit does not wait for it.
    runtime.shutdown_background();
    Ok(())
}
