//! One search, from its beginning or from where another one ended.

use anyhow::{Error, anyhow};
use derate_model::Budget;
use derate_model::explore::{Search, SearchState, Space, descend};

use super::clock::Clock;

/// A space with fewer designs is looked at whole.
const SMALL: f64 = 500.0;

/// Schedules designs of a kernel as long as there is time. A large space is searched near `start` and good designs first, for
/// half of the time.
pub(super) fn search_kernel<'s, S: Space>(
    space: &'s S,
    limits: Budget,
    start: Vec<usize>,
    before: Option<SearchState>,
    clock: &Clock,
) -> Result<Search<'s, S>, Error> {
    let is_new = before.is_none();
    let mut search = continue_search(Search::new(space, limits), before)?;
    if is_new && search.progress().designs > SMALL {
        descend(&mut search, start, |progress| clock.goes_on(progress) && !clock.is_half());
    }
    search.run(|progress| clock.goes_on(progress));
    Ok(search)
}

/// A search with what an earlier one knew.
pub(super) fn continue_search<S: Space>(
    search: Search<'_, S>,
    before: Option<SearchState>,
) -> Result<Search<'_, S>, Error> {
    match before {
        None => Ok(search),
        Some(state) => search.resume(state).ok_or_else(|| {
            anyhow!("--resume names the search of another space: name another file, or remove it")
        }),
    }
}
