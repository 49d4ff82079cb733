//! Connections: a limited number at once, each with time limits, all closed in order.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Connections at once; further ones wait.
const MOST: usize = 256;

/// Time for the head of a request, and between two of them.
const HEAD: Duration = Duration::from_secs(10);

/// The longest life of a connection; a client can open another.
const LIFE: Duration = Duration::from_secs(600);

/// Time for open answers at the end.
const GRACE: Duration = Duration::from_secs(5);

async fn serve_connection(stream: TcpStream, router: Router, mut ending: watch::Receiver<bool>) {
    // Small answers leave at once.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    tokio::select! {
        // A client that hung up gets no answer.
        _ = connection.as_mut() => return,
        _ = ending.changed() => {}
        () = sleep(LIFE) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(GRACE, connection).await;
}

/// Answers until `end`, and then finishes the open answers.
pub(crate) async fn serve_until(
    listener: TcpListener,
    router: Router,
    end: impl Future<Output = ()>,
) {
    let room = Arc::new(Semaphore::new(MOST));
    let (close, ending) = watch::channel(false);
    let mut open = JoinSet::new();
    let mut end = pin!(end);
    loop {
        let next = async {
            let place = Arc::clone(&room).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = end.as_mut() => break,
        };
        while open.try_join_next().is_some() {}
        let Ok((stream, _)) = accepted else {
            // No descriptor is left, or the client is gone: try again soon.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (router, ending) = (router.clone(), ending.clone());
        open.spawn(async move {
            serve_connection(stream, router, ending).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = close.send(true);
    let _ = timeout(GRACE, async { while open.join_next().await.is_some() {} }).await;
}
