//! What names and words say: what the name of a type promises and whether the type keeps it, and whether a text is
//! for synthesis.
//!
//! [`claims_of`] reads the name of an alias and the comment beside it; [`find_lie`] holds them against the type that the alias
//! really is.
//!
//! ```
//! use derate_frontend::{Resolver, Sources, parse};
//! use derate_names::find_lie;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("types.h", "typedef float bfloat16_t;");
//! let headers = [parse(&sources, file)];
//! let resolver = Resolver::new(&headers, &sources);
//! let alias = &headers[0].aliases[0];
//! assert_eq!(find_lie(alias, &resolver.alias(alias)).map(|lie| lie.kind()), Some("width"));
//! ```

mod claim;
mod lie;
mod synthesis;
mod type_claim;
mod words;

pub use claim::claims_of;
pub use lie::{Lie, find_lie};
pub use synthesis::is_for_synthesis;
pub use type_claim::{ClaimSource, ClaimedFormat, TypeClaim};
