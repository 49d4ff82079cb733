//! `derate serve`: the local page and its API.

mod answer;
mod catalogue;
mod connections;
mod fields;
mod guard;
mod host;
mod limits;
mod measure;
mod openapi;
mod outlook;
mod page;
mod platforms;
mod predict;
mod query;
mod queue;
mod refusal;
mod routes;
mod store;
mod subject;
mod sweeps;
mod token;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Error, anyhow, bail};
use axum::body::Bytes;
use axum::http::HeaderValue;
use derate_host::bench::OperatorDevice;
use derate_host::cpu::build_note;
use derate_reports::render;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::Serve;
use crate::output::{self, Outcome};
use guard::Guard;
use host::Hosts;
use platforms::Platforms;
use queue::{Queue, Shared, held};
use refusal::Refusal;
use store::{Store, StoreError};
use token::{Token, VARIABLE};

/// What all requests share.
pub(crate) struct Served {
    guard: Guard,
    platforms: Platforms,
    /// What measures: `cpu`, `cuda:0`.
    device: String,
    /// What that calls itself.
    device_name: String,
    queue: Arc<Queue>,
    store: Shared,
    page: Bytes,
    policy: HeaderValue,
}

impl Served {
    /// Asks the store, which waits for its disk, on a thread that may wait.
    async fn kept<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&mut held(&store))).await;
        done.map_err(Refusal::own)?.map_err(Refusal::own)
    }
}

/// Where to listen; a name that is this machine's own counts as its address.
fn address(text: &str) -> Result<SocketAddr, Error> {
    let own = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    own.as_deref().unwrap_or(text).parse().map_err(|_| {
        anyhow!(
            "--listen {text}: write an address and a port, such as 127.0.0.1:8080 or [::1]:8080"
        )
    })
}

/// Until somebody asks for the end.
async fn asked_to_end() -> Result<(), std::io::Error> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

pub(crate) fn run(args: &Serve) -> Result<Outcome, Error> {
    let address = address(&args.listen)?;
    let token = Token::find(args.token.as_deref())?;
    if token.is_none() && !address.ip().is_loopback() {
        bail!(
            "--listen {address} answers more than this machine, so a token is needed: give --token FILE or {VARIABLE}"
        );
    }
    let device = OperatorDevice::named(&args.device, None)?;
    let platforms = Platforms::new(&args.platform)?;
    let page = render::live_page();
    // First of what others may hold: what is refused here leaves no file.
    let listener = std::net::TcpListener::bind(address).with_context(|| {
        format!(
            "{address} cannot be listened on: take another port with --listen, such as 127.0.0.1:0"
        )
    })?;
    listener.set_nonblocking(true)?;
    let store: Shared = Arc::new(Mutex::new(Store::open(&args.store)?));
    let queue = Arc::new(Queue::default());
    let served = Arc::new(Served {
        guard: Guard { hosts: Hosts { listened: address.ip(), names: args.name.clone() }, token },
        platforms,
        device: args.device.clone(),
        device_name: device.name(),
        queue: Arc::clone(&queue),
        store: Arc::clone(&store),
        policy: HeaderValue::from_str(&page.policy).context("the page's policy is no header")?,
        page: Bytes::from(page.html),
    });
    let runtime = Builder::new_multi_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener)?;
        let bound = listener.local_addr()?;
        let started = queue.start(Arc::clone(&store), move |shape, precision, stop, progress| {
            measure::measure(&device, shape, precision, stop, progress)
        });
        let measuring = started.context("no thread can be made to measure")?;
        output::note(&format!(
            "derate serve: http://{bound} (results in {}; Ctrl-C ends)",
            args.store.display()
        ));
        if let Some(text) = build_note().filter(|_| args.device == "cpu") {
            output::note(&format!("note: {text}"));
        }
        let end = async {
            if let Err(error) = asked_to_end().await {
                output::note(&format!("note: signals are not heard ({error}): end it by kill"));
                std::future::pending::<()>().await;
            }
        };
        connections::answer(listener, routes::router(served), end).await;
        queue.end();
        drop(measuring);
        // What runs still is begun anew when its sweep is resumed.
        held(&store).interrupt()?;
        Ok::<(), Error>(())
    })?;
    // The thread that measures may be at a point for long: nobody waits for it.
    runtime.shutdown_background();
    Ok(Outcome::Clean)
}
