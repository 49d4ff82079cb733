//! Spot checks and sweeps: predicted at once, measured one after another.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use derate_model::operator::{OperatorKind, Shape};
use derate_model::{Encoding, Mixture};
use serde::Serialize;

use crate::answer::{Answer, Refusal, found, json};
use crate::catalogue::SPOT;
use crate::fields::Fields;
use crate::limits::Limits;
use crate::outlook::Outlook;
use crate::platforms::NamedPlatform;
use crate::query::number;
use crate::state::ServerState;
use crate::store::{Changed, NewPoint, PointRow, SweepRow};
use crate::subject::{self, encoding};

/// Points of one sweep.
const LARGEST: usize = 10_000;

/// `derate.measured-sweep/1`.
#[derive(Serialize)]
struct Shown {
    schema: &'static str,
    sweep: SweepRow,
    /// What is done for it just now.
    progress: Option<String>,
    points: Vec<PointRow>,
    /// The place from which more points can be had; none where these were the last.
    next: Option<i64>,
}

/// A sweep with its points from a place on.
async fn shown(state: &Arc<ServerState>, id: i64, from: i64, status: StatusCode) -> Answer {
    let (sweep, points) = state
        .with_store(move |store| {
            let sweep = store.sweep(id)?;
            Ok((sweep, store.points(id, from)?))
        })
        .await?;
    let sweep = sweep.ok_or_else(|| absent(id))?;
    let next = points.last().map(|last| last.ordinal + 1).filter(|next| *next < sweep.points);
    let progress = state.queue.progress(id);
    Ok(json(status, &Shown { schema: "derate.measured-sweep/1", sweep, progress, points, next }))
}

fn absent(id: i64) -> Refusal {
    Refusal::absent(format!("there is no sweep {id}: GET /api/sweeps lists them"))
}

/// The number of a sweep in a path.
fn id(text: &str) -> Result<i64, Refusal> {
    text.parse().map_err(|_| {
        Refusal::absent("the number of a sweep is a whole number: GET /api/sweeps lists them")
    })
}

/// One precision, or all that a spot check knows.
fn precisions(text: &str) -> Result<Vec<Encoding>, String> {
    if text == "all" {
        return SPOT.iter().map(|name| encoding(name)).collect();
    }
    encoding(text).map(|encoding| vec![encoding])
}

/// Every subject in every precision, predicted.
fn points(
    on: &NamedPlatform,
    shapes: &[Shape],
    precisions: &[Encoding],
) -> Result<Vec<NewPoint>, Refusal> {
    let mut points = Vec::with_capacity(shapes.len() * precisions.len());
    for shape in shapes {
        for &encoding in precisions {
            let precision = encoding.to_string();
            let prediction = subject::predict(shape, on, Mixture::of(encoding), &precision)
                .map_err(|error| Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error))?;
            let outlook = Outlook::of(&prediction);
            points.push(NewPoint {
                subject: serde_json::to_string(shape).map_err(Refusal::own)?,
                precision,
                predicted: serde_json::to_string(&outlook).map_err(Refusal::own)?,
            });
        }
    }
    Ok(points)
}

/// Keeps a sweep and has it measured.
async fn begun(
    state: &Arc<ServerState>,
    kind: &'static str,
    platform: String,
    points: Vec<NewPoint>,
) -> Answer {
    let (device, queue) = (state.device.clone(), Arc::clone(&state.queue));
    // What is kept is rung for there and then: nobody may wait for this answer to its end.
    let id = state
        .with_store(move |store| {
            let count = i64::try_from(points.len()).unwrap_or(i64::MAX);
            if let Some(full) = store.full(count, count)? {
                return Ok(Err(full));
            }
            let id = store.begin(kind, &platform, &device, &points)?;
            queue.wake();
            Ok(Ok(id))
        })
        .await?;
    let id = id.map_err(|full| Refusal::new(StatusCode::TOO_MANY_REQUESTS, full))?;
    shown(state, id, 0, StatusCode::CREATED).await
}

/// Which device a request names; there is one.
fn device(state: &ServerState, fields: &Fields) {
    fields.given_by("device", |name| {
        let own = &state.device;
        let other = || format!("`{name}` is no device that is measured here: there is {own}");
        (name == own).then_some(()).ok_or_else(other)
    });
}

fn kind(fields: &Fields) -> Result<OperatorKind, Refusal> {
    let kind = fields.needed_by("workload", |name| subject::kind(name, &[]));
    kind.ok_or_else(|| fields.blame())
}

/// `POST /api/spot`.
pub(crate) async fn spot(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    let (platform, points) = {
        let fields = Fields::read(&body)?;
        let on = fields.needed_by("platform", |name| state.platforms.named(name));
        device(&state, &fields);
        let precisions = fields.needed_by("precision", precisions);
        let shape = subject::read(kind(&fields)?, &fields)
            .map(|shape| subject::as_run(&state.device, shape));
        if let Some(shape) = &shape
            && let Err(error) = Limits::of(&state.device).allow(shape)
        {
            fields.refuse(subject::widest(shape), error);
        }
        fields.finish()?;
        let on = Fields::had(on)?;
        let points = points(on, &[Fields::had(shape)?], &Fields::had(precisions)?)?;
        (on.target.name().to_owned(), points)
    };
    begun(&state, "spot", platform, points).await
}

/// `POST /api/sweeps`.
pub(crate) async fn start(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    let own = Arc::clone(&state);
    let predicted = tokio::task::spawn_blocking(move || asked(&own, &body));
    let (platform, points) = predicted.await.map_err(Refusal::own)??;
    begun(&state, "sweep", platform, points).await
}

/// What a sweep is to measure.
fn asked(state: &ServerState, body: &[u8]) -> Result<(String, Vec<NewPoint>), Refusal> {
    let fields = Fields::read(body)?;
    let on = fields.needed_by("platform", |name| state.platforms.named(name));
    device(state, &fields);
    let (names, shapes) = (fields.list("precisions", "fp32"), fields.list("shapes", "64x64x512"));
    let kind = kind(&fields)?;
    let mut all: Vec<Encoding> = Vec::new();
    for name in &names {
        match precisions(name) {
            // Several names of one are one.
            Ok(some) => some.into_iter().for_each(|one| {
                if !all.contains(&one) {
                    all.push(one);
                }
            }),
            Err(error) => {
                fields.refuse("precisions", error);
                break;
            }
        }
    }
    let limits = Limits::of(&state.device);
    let read = |text: &String| {
        let shape = subject::as_run(&state.device, Shape::parse(kind, text)?);
        limits.allow(&shape).map_err(|error| format!("`{text}`: {error}"))?;
        Ok(shape)
    };
    let read: Result<Vec<Shape>, String> = shapes.iter().map(read).collect();
    match &read {
        Err(error) => fields.refuse("shapes", error),
        Ok(read) => {
            let count = read.len() * all.len();
            if count > LARGEST {
                fields.refuse(
                    "shapes",
                    format!(
                        "shapes times precisions are {count} points: a sweep has {LARGEST} at most"
                    ),
                );
            }
        }
    }
    fields.finish()?;
    let on = Fields::had(on)?;
    Ok((on.target.name().to_owned(), points(on, &Fields::had(read.ok())?, &all)?))
}

/// `GET /api/sweeps`.
pub(crate) async fn list(
    State(state): State<Arc<ServerState>>,
    RawQuery(query): RawQuery,
) -> Answer {
    #[derive(Serialize)]
    struct Listed {
        schema: &'static str,
        /// Why nothing is measured, where something is in the way.
        trouble: Option<String>,
        sweeps: Vec<SweepRow>,
        /// The number before which there are more.
        next: Option<i64>,
    }
    let before = match number(query.as_deref(), "before")? {
        0 => i64::MAX,
        number => number,
    };
    let (sweeps, next) = state.with_store(move |store| store.sweeps(before)).await?;
    let trouble = state.queue.trouble();
    found(&Listed { schema: "derate.measured-sweeps/1", trouble, sweeps, next })
}

/// `GET /api/sweeps/{id}`.
pub(crate) async fn one(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
    RawQuery(query): RawQuery,
) -> Answer {
    shown(&state, id(&text)?, number(query.as_deref(), "from")?, StatusCode::OK).await
}

/// What a wish to change a sweep is answered with.
fn changed(id: i64, changed: Changed, not: &str) -> Result<(), Refusal> {
    match changed {
        Changed::Yes => Ok(()),
        Changed::Absent => Err(absent(id)),
        Changed::No => Err(Refusal::new(StatusCode::CONFLICT, format!("sweep {id} {not}"))),
    }
}

/// `POST /api/sweeps/{id}/cancel`.
pub(crate) async fn cancel(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
) -> Answer {
    let id = id(&text)?;
    let queue = Arc::clone(&state.queue);
    // Whoever resumes it waits for the store until what runs of it has been stopped.
    let done = state
        .with_store(move |store| {
            let done = store.cancel(id)?;
            if done == Changed::Yes {
                queue.stop(id);
            }
            Ok(done)
        })
        .await?;
    changed(id, done, "is at its end: there is nothing to cancel")?;
    shown(&state, id, 0, StatusCode::OK).await
}

/// `POST /api/sweeps/{id}/resume`.
pub(crate) async fn resume(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
) -> Answer {
    let id = id(&text)?;
    let queue = Arc::clone(&state.queue);
    let (device, name) = (state.device.clone(), state.device_name.clone());
    let done = state
        .with_store(move |store| {
            if let Some(other) = store.elsewhere(id, &device, &name)? {
                let told = format!(
                    "sweep {id} was begun on {other}, and here {name} ({device}) measures: start derate serve where it was begun, or \
                     begin another sweep"
                );
                return Ok(Err(Refusal::new(StatusCode::CONFLICT, told)));
            }
            if let Some(full) = store.full(store.unfinished(id)?, 0)? {
                return Ok(Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, full)));
            }
            let done = store.resume(id)?;
            queue.wake();
            Ok(Ok(done))
        })
        .await?;
    let done = done?;
    changed(id, done, "was neither cancelled nor interrupted: there is nothing to resume")?;
    shown(&state, id, 0, StatusCode::OK).await
}

/// `DELETE /api/sweeps/{id}`.
pub(crate) async fn remove(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
) -> Answer {
    #[derive(Serialize)]
    struct Removed {
        schema: &'static str,
        id: i64,
    }
    let id = id(&text)?;
    let done = state.with_store(move |store| store.remove(id)).await?;
    changed(id, done, "is at work: cancel it first")?;
    found(&Removed { schema: "derate.removed/1", id })
}

/// `GET /api/points`.
pub(crate) async fn measured(
    State(state): State<Arc<ServerState>>,
    RawQuery(query): RawQuery,
) -> Answer {
    #[derive(Serialize)]
    struct Listed {
        schema: &'static str,
        points: Vec<PointRow>,
    }
    let after = number(query.as_deref(), "after")?;
    let points = state.with_store(move |store| store.measured(after)).await?;
    found(&Listed { schema: "derate.measured-points/1", points })
}

#[cfg(test)]
mod tests;
