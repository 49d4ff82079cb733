//! One function of many values, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};

/// As much as the first thread of a program has: deeply nested sources take it.
const STACK: usize = 16 << 20;

/// What the function gives of each item, in their order. Each core takes the next item when it is done with one.
pub(super) fn map_at_once<T: Sync, R: Send>(
    items: &[T],
    cores: usize,
    function: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    if cores < 2 || items.len() < 2 {
        return items.iter().map(function).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut own = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            own.push((at, function(item)));
        }
        own
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        // This thread is one of them.
        let start = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, take);
        // Where the system gives no thread, there are fewer.
        let others: Vec<_> = (1..cores.min(items.len())).map_while(|at| start(at).ok()).collect();
        let mut results = take();
        for other in others {
            match other.join() {
                Ok(own) => results.extend(own),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map_at_once;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        for cores in [1, 2, 7] {
            let squares = map_at_once(&items, cores, |item| item * item);
            assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
        }
        assert!(map_at_once(&[] as &[u64], 4, |item| *item).is_empty());
    }
}
