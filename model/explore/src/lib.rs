//! Search for the best design within limits.
//!
//! A [`Space`] has axes and says what a design costs, and what every design of a [`Region`] costs at least. [`Search`] halves
//! regions, drops those that cannot hold a better design or that some resource refuses, and ends with a [`Certificate`].
//! [`SeparableSpace`] is the space of designs made of units that are built independently, such as kernels that run one after
//! the other, [`kernel`] has the designs of one kernel, [`mod@array`] those of the array that a whole model runs on.
//!
//! ```
//! use derate_explore::{Certificate, Choice, Cost, Search, SeparableSpace, Unit};
//! use derate_machine::{Budget, Usage};
//!
//! let choice = |name: &str, cycles: f64, dsp: f64| Choice {
//!     name: name.to_owned(),
//!     cost: Cost { objective: cycles, usage: Usage { dsp, ..Usage::default() } },
//! };
//! let unit = |name: &str| Unit {
//!     name: name.to_owned(),
//!     choices: vec![choice("1 lane", 800.0, 5.0), choice("8 lanes", 100.0, 40.0)],
//! };
//! let space = SeparableSpace::new(vec![unit("scores"), unit("values")]);
//! let budget = Budget { dsp: Some(50.0), ..Budget::default() };
//! let mut search = Search::new(&space, budget);
//! search.run(|_| true);
//! let best = search.best().expect("a design fits");
//! assert_eq!((best.cost.objective, best.cost.usage.dsp), (900.0, 45.0));
//! assert_eq!(search.certificate(), Certificate::Optimal);
//! ```

pub mod array;
mod axis;
mod chip_regions;
mod cost;
mod descent;
mod design;
mod exploration;
mod front;
mod joining;
mod joint;
pub mod kernel;
mod least_resource;
mod link;
mod objective;
mod part;
mod region;
mod search;
mod separable;
mod simplest;
mod space;

pub use axis::Axis;
pub use chip_regions::ChipRegions;
pub use cost::Cost;
pub use descent::descend;
pub use design::Design;
pub use exploration::{
    Exploration, FoundDesign, RankedDesign, Refusal, TimeLimit, list_found, rank_designs,
};
pub use front::Front;
pub use joining::Joining;
pub use joint::{BuiltChoice, BuiltKernel, UnitCount, join_units};
pub use least_resource::LeastResource;
pub use link::{LinkChange, LinkRefusal, change_units};
pub use objective::Objective;
pub use part::PartSearch;
pub use region::Region;
pub use search::{Certificate, Progress, Search, SearchState};
pub use separable::{Choice, SeparableSpace, Unit};
pub use simplest::simplify_design;
pub use space::Space;
