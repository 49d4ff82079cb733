//! From an analysis to the sections of a report: the only crate that knows both.
//!
//! Each function takes what the model computed and gives a [`Document`](derate_render::Document), a
//! [`Table`](derate_render::Table) or sentences, which `derate-render` turns into bytes. [`report`] is the whole report,
//! [`estimate`] what a terminal shows, [`digest`] what a pull request shows. The figures of the report are also formulas
//! over its inputs; [`make_report`] is also the report for paper, where nothing can be changed.
//!
//! ```
//! let (_, document) = derate_sections::platforms(&[]);
//! assert_eq!(document.title, "Platforms");
//! ```

mod accuracy;
mod assumptions;
mod audit;
mod bandwidths;
mod bars;
mod chart;
mod claims;
mod compare;
mod compared;
mod critique;
mod data_tables;
mod design_formats;
mod diagnostics;
mod digest;
mod exploration;
mod finding_groups;
mod first_page;
mod formats;
mod kernel_design;
mod kernels;
mod latency;
mod live;
mod log;
mod measurement;
mod notes;
mod own_roofs;
mod part_rows;
mod parts;
mod peaks;
mod platform;
mod points;
mod precision_roofs;
mod predicted_runs;
mod prediction;
mod report;
mod scenarios;
mod section;
mod sensitivity;
mod sweep;
mod terminal;
mod two_roofs;
mod validation;
mod verdict;

pub use accuracy::accuracy;
pub use audit::audit;
pub use compare::{add_comparison, comparison};
pub use data_tables::{formats_data, prediction_data};
pub use diagnostics::diagnostics;
pub use digest::digest;
pub use exploration::{
    describe_interface, describe_no_change, exploration, exploration_report, exploration_table,
};
pub use first_page::answer;
pub use formats::{Figures, formats};
pub use live::Reader;
pub use log::log;
pub use measurement::{measurement, wrong};
pub use platform::{PlatformReport, platform, platforms, processors};
pub use predicted_runs::predicted_runs;
pub use prediction::{language_models, prediction, prediction_page};
pub use report::{counted, make_report, measurements, report, roofline, say_unchecked, verdict};
pub use sweep::{sweep, sweep_document};
pub use terminal::{estimate, estimate_in_short, scenario, scenario_in_short};
pub use validation::validation;
