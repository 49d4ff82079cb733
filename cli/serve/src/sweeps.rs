//! Spot checks and sweeps: predicted at once, measured one after another.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use derate_model::operator::{OperatorKind, Shape};
use derate_model::{Encoding, Mixture};
use serde::Serialize;

use crate::answer::{Answer, Refusal, answer_json, json_response};
use crate::catalogue::SPOT;
use crate::fields::Fields;
use crate::limits::Limits;
use crate::outlook::Outlook;
use crate::platforms::NamedPlatform;
use crate::query::parse_number;
use crate::state::ServerState;
use crate::store::{Changed, NewPoint, PointRow, SweepRow};
use crate::subject::{self, GivenRoofs, parse_encoding};
use crate::unknown_name::UnknownName;

/// Points of one sweep.
const LARGEST: usize = 10_000;

/// `derate.measured-sweep/1`.
#[derive(Serialize)]
struct Shown {
    schema: &'static str,
    sweep: SweepRow,
    /// The step that runs now.
    progress: Option<String>,
    points: Vec<PointRow>,
    /// The place from which more points can be had; none where these were the last.
    next: Option<i64>,
}

/// A sweep with its points from a place on.
async fn answer_sweep(state: &Arc<ServerState>, id: i64, from: i64, status: StatusCode) -> Answer {
    let (sweep, points) = state
        .with_store(move |store| {
            let sweep = store.find_sweep(id)?;
            Ok((sweep, store.points_from(id, from)?))
        })
        .await?;
    let sweep = sweep.ok_or_else(|| sweep_absent(id))?;
    let next = points.last().map(|last| last.ordinal + 1).filter(|next| *next < sweep.points);
    let progress = state.queue.progress(id);
    Ok(json_response(
        status,
        &Shown { schema: "derate.measured-sweep/1", sweep, progress, points, next },
    ))
}

fn sweep_absent(id: i64) -> Refusal {
    Refusal::not_found(format!("there is no sweep {id}: GET /api/sweeps lists them"))
}

/// The number of a sweep in a path.
fn parse_id(text: &str) -> Result<i64, Refusal> {
    text.parse().map_err(|_| {
        Refusal::not_found("the number of a sweep is a whole number: GET /api/sweeps lists them")
    })
}

/// One precision, or all that a spot check knows.
fn parse_precisions(text: &str) -> Result<Vec<Encoding>, UnknownName> {
    if text == "all" {
        return SPOT.iter().map(|name| parse_encoding(name)).collect();
    }
    parse_encoding(text).map(|encoding| vec![encoding])
}

/// Every subject in every precision, predicted.
fn predict_points(
    on: &NamedPlatform,
    shapes: &[Shape],
    precisions: &[Encoding],
    given: &GivenRoofs,
) -> Result<Vec<NewPoint>, Refusal> {
    let mut points = Vec::with_capacity(shapes.len() * precisions.len());
    for shape in shapes {
        for &encoding in precisions {
            let precision = encoding.to_string();
            let mixture = Mixture::of(encoding);
            let prediction = subject::predict_shape(shape, on, mixture, &precision, given)
                .map_err(|error| {
                    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
                })?;
            let outlook = Outlook::of(&prediction);
            points.push(NewPoint {
                subject: serde_json::to_string(shape).map_err(Refusal::internal_error)?,
                precision,
                predicted: serde_json::to_string(&outlook).map_err(Refusal::internal_error)?,
            });
        }
    }
    Ok(points)
}

/// Keeps a sweep and has it measured.
async fn begin_sweep(
    state: &Arc<ServerState>,
    kind: &'static str,
    platform: String,
    points: Vec<NewPoint>,
) -> Answer {
    let (device, queue) = (state.device.clone(), Arc::clone(&state.queue));
    // The queue is woken here: the client may disconnect before the answer.
    let id = state
        .with_store(move |store| {
            let count = i64::try_from(points.len()).unwrap_or(i64::MAX);
            if let Some(full) = store.check_room(count, count)? {
                return Ok(Err(full));
            }
            let id = store.begin_sweep(kind, &platform, &device, &points)?;
            queue.wake();
            Ok(Ok(id))
        })
        .await?;
    let id = id.map_err(|full| Refusal::new(StatusCode::TOO_MANY_REQUESTS, full))?;
    answer_sweep(state, id, 0, StatusCode::CREATED).await
}

/// Which device a request names; there is one.
fn check_device(state: &ServerState, fields: &Fields) {
    fields.given_by("device", |name| {
        let own = &state.device;
        let other = || format!("`{name}` does not measure here: there is {own}");
        (name == own).then_some(()).ok_or_else(other)
    });
}

fn needed_kind(fields: &Fields) -> Result<OperatorKind, Refusal> {
    let kind = fields.needed_by("workload", |name| subject::parse_kind(name, &[]));
    kind.ok_or_else(|| fields.blame_fields())
}

/// `POST /api/spot`.
pub(crate) async fn start_spot(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    let (platform, points) = {
        let fields = Fields::parse_body(&body)?;
        let on = fields.needed_by("platform", |name| state.platforms.find_platform(name));
        check_device(&state, &fields);
        let precisions = fields.needed_by("precision", parse_precisions);
        let shape = subject::read_shape(needed_kind(&fields)?, &fields)
            .map(|shape| subject::as_run(&state.device, shape));
        if let Some(shape) = &shape
            && let Err(error) = Limits::of_device(&state.device).check_shape(shape)
        {
            fields.refuse_field(subject::widest_field(shape), error.to_string());
        }
        let given = subject::read_roofs(&fields);
        fields.finish_reading()?;
        let on = Fields::expect_read(on)?;
        let precisions = Fields::expect_read(precisions)?;
        let points = predict_points(on, &[Fields::expect_read(shape)?], &precisions, &given)?;
        (on.target.name().to_owned(), points)
    };
    begin_sweep(&state, "spot", platform, points).await
}

/// `POST /api/sweeps`.
pub(crate) async fn start_sweep(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    let own = Arc::clone(&state);
    let predicted = tokio::task::spawn_blocking(move || read_request(&own, &body));
    let (platform, points) = predicted.await.map_err(Refusal::internal_error)??;
    begin_sweep(&state, "sweep", platform, points).await
}

/// What a sweep is to measure.
fn read_request(state: &ServerState, body: &[u8]) -> Result<(String, Vec<NewPoint>), Refusal> {
    let fields = Fields::parse_body(body)?;
    let on = fields.needed_by("platform", |name| state.platforms.find_platform(name));
    check_device(state, &fields);
    let (names, shapes) =
        (fields.needed_list("precisions", "fp32"), fields.needed_list("shapes", "64x64x512"));
    let kind = needed_kind(&fields)?;
    let mut all: Vec<Encoding> = Vec::new();
    for name in &names {
        match parse_precisions(name) {
            // Several names of one are one.
            Ok(some) => some.into_iter().for_each(|one| {
                if !all.contains(&one) {
                    all.push(one);
                }
            }),
            Err(error) => {
                fields.refuse_field("precisions", error.to_string());
                break;
            }
        }
    }
    let limits = Limits::of_device(&state.device);
    let mut read = Vec::with_capacity(shapes.len());
    for text in &shapes {
        let shape = match Shape::parse(kind, text) {
            Ok(shape) => subject::as_run(&state.device, shape),
            Err(error) => {
                fields.refuse_field("shapes", error.to_string());
                break;
            }
        };
        if let Err(error) = limits.check_shape(&shape) {
            fields.refuse_field("shapes", format!("`{text}`: {error}"));
            break;
        }
        read.push(shape);
    }
    let count = read.len() * all.len();
    if read.len() == shapes.len() && count > LARGEST {
        fields.refuse_field(
            "shapes",
            format!("shapes times precisions are {count} points: a sweep has {LARGEST} at most"),
        );
    }
    let given = subject::read_roofs(&fields);
    fields.finish_reading()?;
    let on = Fields::expect_read(on)?;
    Ok((on.target.name().to_owned(), predict_points(on, &read, &all, &given)?))
}

/// `GET /api/sweeps`.
pub(crate) async fn list_sweeps(
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
    let before = match parse_number(query.as_deref(), "before")? {
        0 => i64::MAX,
        number => number,
    };
    let (sweeps, next) = state.with_store(move |store| store.list_sweeps(before)).await?;
    let trouble = state.queue.trouble();
    answer_json(&Listed { schema: "derate.measured-sweeps/1", trouble, sweeps, next })
}

/// `GET /api/sweeps/{id}`.
pub(crate) async fn show_sweep(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
    RawQuery(query): RawQuery,
) -> Answer {
    answer_sweep(&state, parse_id(&text)?, parse_number(query.as_deref(), "from")?, StatusCode::OK)
        .await
}

/// What a wish to change a sweep is answered with.
fn check_changed(id: i64, changed: Changed, not: &str) -> Result<(), Refusal> {
    match changed {
        Changed::Yes => Ok(()),
        Changed::Absent => Err(sweep_absent(id)),
        Changed::No => Err(Refusal::new(StatusCode::CONFLICT, format!("sweep {id} {not}"))),
    }
}

/// `POST /api/sweeps/{id}/cancel`.
pub(crate) async fn cancel_sweep(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
) -> Answer {
    let id = parse_id(&text)?;
    let queue = Arc::clone(&state.queue);
    // The store stays locked until its running point is stopped, so that a resume comes after.
    let done = state
        .with_store(move |store| {
            let done = store.cancel_sweep(id)?;
            if done == Changed::Yes {
                queue.stop(id);
            }
            Ok(done)
        })
        .await?;
    check_changed(id, done, "is at its end: there is nothing to cancel")?;
    answer_sweep(&state, id, 0, StatusCode::OK).await
}

/// `POST /api/sweeps/{id}/resume`.
pub(crate) async fn resume_sweep(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
) -> Answer {
    let id = parse_id(&text)?;
    let queue = Arc::clone(&state.queue);
    let (device, name) = (state.device.clone(), state.device_name.clone());
    let done = state
        .with_store(move |store| {
            if let Some(other) = store.other_device(id, &device, &name)? {
                let told = format!(
                    "sweep {id} was started on {other}, and here {name} ({device}) measures: start derate serve there, or \
                     start another sweep"
                );
                return Ok(Err(Refusal::new(StatusCode::CONFLICT, told)));
            }
            if let Some(full) = store.check_room(store.count_unfinished(id)?, 0)? {
                return Ok(Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, full)));
            }
            let done = store.resume_sweep(id)?;
            queue.wake();
            Ok(Ok(done))
        })
        .await?;
    let done = done?;
    check_changed(id, done, "was neither cancelled nor interrupted: there is nothing to resume")?;
    answer_sweep(&state, id, 0, StatusCode::OK).await
}

/// `DELETE /api/sweeps/{id}`.
pub(crate) async fn remove_sweep(
    State(state): State<Arc<ServerState>>,
    Path(text): Path<String>,
) -> Answer {
    #[derive(Serialize)]
    struct Removed {
        schema: &'static str,
        id: i64,
    }
    let id = parse_id(&text)?;
    let done = state.with_store(move |store| store.remove_sweep(id)).await?;
    check_changed(id, done, "is at work: cancel it first")?;
    answer_json(&Removed { schema: "derate.removed/1", id })
}

/// `GET /api/points`.
pub(crate) async fn list_points(
    State(state): State<Arc<ServerState>>,
    RawQuery(query): RawQuery,
) -> Answer {
    #[derive(Serialize)]
    struct Listed {
        schema: &'static str,
        points: Vec<PointRow>,
    }
    let after = parse_number(query.as_deref(), "after")?;
    let points = state.with_store(move |store| store.measured_points(after)).await?;
    answer_json(&Listed { schema: "derate.measured-points/1", points })
}

#[cfg(test)]
mod tests;
