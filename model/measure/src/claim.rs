use derate_hls::Sources;

use derate_machine::Platform;
use derate_project::{Claim, Project};
use derate_units::BytesPerSecond;

/// A bandwidth that a measurement is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct BandwidthClaim {
    /// The rate.
    pub value: BytesPerSecond,
    /// Who says so, for sentences: `[derate] bandwidth, derate.toml:24`.
    pub source: String,
    /// The card whose main memory it is about; none where it is about whatever was measured.
    pub platform: Option<Platform>,
}

/// What the U280 is expected to reach where nobody says otherwise.
const USUAL: BytesPerSecond = BytesPerSecond(300e9);

impl BandwidthClaim {
    /// A claim of the command line: about whatever was measured.
    pub fn from_option(value: BytesPerSecond) -> Self {
        Self { value, source: "--bandwidth".to_owned(), platform: None }
    }

    /// 300 GB/s on a U280, where there is no project that says otherwise.
    pub fn of_u280() -> Self {
        Self {
            value: USUAL,
            source: "the usual derate of a U280".to_owned(),
            platform: Platform::named("u280").ok(),
        }
    }

    /// The claims of a project, the one that a measurement decides first: what `[derate]` expects to reach, else what
    /// `[claims]` says, else 300 GB/s on the project's card.
    pub fn of_project(sources: &Sources, project: &Project, platform: &Platform) -> Vec<Self> {
        let claim = |claim: &Claim<BytesPerSecond>, key: &str| Self {
            value: claim.value,
            source: format!(
                "{key}, {}:{}",
                sources.name(claim.span.file),
                sources.position(claim.span).line
            ),
            platform: Some(platform.clone()),
        };
        let derated = project.derated_bandwidth.as_ref().map(|c| claim(c, "[derate] bandwidth"));
        let claimed = project.claims.bandwidth.as_ref().map(|c| claim(c, "[claims] bandwidth"));
        let claims: Vec<Self> = derated.into_iter().chain(claimed).collect();
        if !claims.is_empty() {
            return claims;
        }
        vec![Self {
            value: USUAL,
            source: format!(
                "the usual derate, as {} claims no bandwidth",
                sources.name(project.file)
            ),
            platform: Some(platform.clone()),
        }]
    }
}
