//! What there is to choose from: platforms, their roofs, precisions, language models.

use std::sync::Arc;

use axum::extract::{Path, State};
use derate_model::language::Decoder;
use derate_model::operator::{OperatorFormats, RoofOverrides, TargetRoofs};
use derate_model::predict::{LanguageModels, PlatformName, RoofFigures};
use derate_model::units::BytesPerSecond;
use derate_model::{Encoding, Figure, Mixture, Precision};
use derate_reports::sections;
use serde::Serialize;

use crate::answer::{Answer, Refusal, answer_json};
use crate::state::ServerState;

/// The precisions of a spot check that runs all of them, and of the page's switches.
pub(crate) const SPOT: [&str; 7] = ["fp32", "fp16", "bf16", "fp8", "nvfp4", "int8", "int4"];

/// `GET /api/platforms`.
pub(crate) async fn list_platforms(State(state): State<Arc<ServerState>>) -> Answer {
    #[derive(Serialize)]
    struct Listed<'a> {
        schema: &'static str,
        chosen: &'a str,
        platforms: Vec<PlatformName>,
    }
    let entries = state.platforms.all.iter().map(|known| PlatformName::of(&known.target));
    answer_json(&Listed {
        schema: "derate.platforms/1",
        chosen: &state.platforms.chosen,
        platforms: entries.collect(),
    })
}

/// `GET /api/platforms/{name}`.
pub(crate) async fn show_platform(
    State(state): State<Arc<ServerState>>,
    Path(name): Path<String>,
) -> Answer {
    let known = state
        .platforms
        .find_platform(&name)
        .map_err(|error| Refusal::not_found(error.to_string()))?;
    answer_json(&sections::platform(&known.target, &known.word).0)
}

/// `GET /api/platforms/{name}/roofline`.
pub(crate) async fn show_roofline(
    State(state): State<Arc<ServerState>>,
    Path(name): Path<String>,
) -> Answer {
    #[derive(Serialize)]
    struct Roof {
        precision: String,
        arithmetic: Precision,
        unit: &'static str,
        /// In operations a second; `null` if unknown.
        peak: Option<f64>,
        ridge: Option<f64>,
        provenance: Option<derate_model::Provenance>,
        source: Option<String>,
        unknown: Option<String>,
    }
    #[derive(Serialize)]
    struct Listed<'a> {
        schema: &'static str,
        platform: &'a str,
        title: String,
        memory: String,
        bandwidth: Figure<BytesPerSecond>,
        roofs: Vec<Roof>,
    }
    let known = state
        .platforms
        .find_platform(&name)
        .map_err(|error| Refusal::not_found(error.to_string()))?;
    let mut roofs = Vec::new();
    let mut memory = None;
    for encoding in Encoding::catalogue() {
        let formats = OperatorFormats::new(Mixture::of(encoding));
        let ground = TargetRoofs::new(&known.target, &formats, &RoofOverrides::default()).map_err(
            |error| Refusal::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
        )?;
        let figures = RoofFigures::of(&ground);
        let arithmetic = encoding.arithmetic();
        let row = figures.peaks.iter().find(|row| row.arithmetic == arithmetic);
        let rate = row.and_then(|row| row.rate.as_ref().ok());
        roofs.push(Roof {
            precision: encoding.to_string(),
            arithmetic: ground.computed_as(arithmetic),
            unit: if arithmetic.is_float() { "FLOP/s" } else { "OP/s" },
            peak: rate.map(|rate| rate.value.0),
            ridge: row.and_then(|row| row.ridge).map(|ridge| ridge.0),
            provenance: rate.map(|rate| rate.provenance),
            source: rate.map(|rate| rate.source.clone()),
            unknown: row.and_then(|row| row.rate.as_ref().err().map(ToString::to_string)),
        });
        memory = Some((ground.memory, ground.bandwidth));
    }
    let (memory, bandwidth) = memory.ok_or_else(|| {
        Refusal::internal_error("there is no precision: this is a fault of derate")
    })?;
    let PlatformName { title, .. } = PlatformName::of(&known.target);
    let platform = known.target.name();
    answer_json(&Listed { schema: "derate.roofline/1", platform, title, memory, bandwidth, roofs })
}

/// `GET /api/precisions`.
pub(crate) async fn list_precisions() -> Answer {
    #[derive(Serialize)]
    struct Entry {
        name: String,
        bits: f64,
        arithmetic: Precision,
        spot: bool,
    }
    #[derive(Serialize)]
    struct Listed {
        schema: &'static str,
        precisions: Vec<Entry>,
    }
    let spot: Vec<Encoding> = SPOT.iter().filter_map(|name| Encoding::parse(name)).collect();
    let entry = |encoding: Encoding| Entry {
        name: encoding.to_string(),
        bits: encoding.nominal_bits(),
        arithmetic: encoding.arithmetic(),
        spot: spot.contains(&encoding),
    };
    let precisions = Encoding::catalogue().into_iter().map(entry).collect();
    answer_json(&Listed { schema: "derate.precisions/1", precisions })
}

/// `GET /api/models`.
pub(crate) async fn list_models() -> Answer {
    answer_json(&LanguageModels::new(Decoder::catalogue()))
}
