//! Connections: a limited number at once, each with time limits, all closed in order.
//!
//! Where there is no room for another one, the oldest that has no request in work gives way: whoever opens connections and
//! says nothing keeps nobody else out.

use std::collections::VecDeque;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Connections at once; for a further one the oldest idle one is closed, or it waits.
const MOST: usize = 256;

/// Time for the head of a request, and between two of them.
const HEAD: Duration = Duration::from_secs(10);

/// The longest life of a connection; a client can open another.
const LIFE: Duration = Duration::from_secs(600);

/// Time for open answers at the end.
const GRACE: Duration = Duration::from_secs(5);

/// What the others know of a connection.
#[derive(Default)]
struct Guest {
    /// Requests in work: from the end of a head to the end of the answer's making.
    at_work: AtomicUsize,
    /// Woken where it has to give way.
    leave: Notify,
}

/// The router, which marks its guest as at work while it answers.
struct Marked {
    router: TowerToHyperService<Router>,
    guest: Arc<Guest>,
}

type Answer = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
type Failure = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;

impl Service<Request<Incoming>> for Marked {
    type Response = Answer;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let (answer, guest) = (self.router.call(request), Arc::clone(&self.guest));
        guest.at_work.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            let answer = answer.await;
            guest.at_work.fetch_sub(1, Ordering::Relaxed);
            answer
        })
    }
}

/// A place for one more connection: a free one, or that of the oldest guest that has nothing in work.
async fn take_place(
    room: &Arc<Semaphore>,
    guests: &mut VecDeque<Arc<Guest>>,
) -> Option<OwnedSemaphorePermit> {
    // Whoever is gone holds the last of two.
    guests.retain(|guest| Arc::strong_count(guest) > 1);
    if room.available_permits() == 0
        && let Some(at) = guests.iter().position(|g| g.at_work.load(Ordering::Relaxed) == 0)
        && let Some(idle) = guests.remove(at)
    {
        idle.leave.notify_one();
    }
    Arc::clone(room).acquire_owned().await.ok()
}

async fn serve_connection(
    stream: TcpStream,
    router: Router,
    guest: Arc<Guest>,
    mut ending: watch::Receiver<bool>,
) {
    // Small answers leave at once.
    let _ = stream.set_nodelay(true);
    let connection =
        http1::Builder::new().timer(TokioTimer::new()).header_read_timeout(HEAD).serve_connection(
            TokioIo::new(stream),
            Marked { router: TowerToHyperService::new(router), guest: Arc::clone(&guest) },
        );
    let mut connection = pin!(connection);
    tokio::select! {
        // A client that hung up gets no answer.
        _ = connection.as_mut() => return,
        () = guest.leave.notified() => return,
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
    let mut guests: VecDeque<Arc<Guest>> = VecDeque::new();
    let mut end = pin!(end);
    loop {
        let next = async {
            let accepted = listener.accept().await;
            (take_place(&room, &mut guests).await, accepted)
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
        let guest = Arc::new(Guest::default());
        guests.push_back(Arc::clone(&guest));
        open.spawn(async move {
            serve_connection(stream, router, guest, ending).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = close.send(true);
    let _ = timeout(GRACE, async { while open.join_next().await.is_some() {} }).await;
}
