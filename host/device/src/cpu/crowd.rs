//! More threads than processors: then the system's scheduler is measured, too.

/// Processors that this process may use.
pub(crate) fn count_processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What to know of so many threads here; nothing where each has a processor of its own.
pub fn crowd_note(threads: usize) -> Option<String> {
    note_crowd(threads, count_processors())
}

fn note_crowd(threads: usize, processors: usize) -> Option<String> {
    let plural = if processors == 1 { "" } else { "s" };
    (threads > processors).then(|| {
        format!(
            "{threads} threads take turns on the {processors} processor{plural} that this process may use, so that times are the system's \
             scheduler's, too. Give --ports {processors}, or fewer."
        )
    })
}

/// The same for the file, at the end of its source.
pub(super) fn describe_source(source: String, threads: usize, processors: usize) -> String {
    if threads > processors {
        format!(
            "{source}; more threads than the processors that it may use, which are {processors}"
        )
    } else {
        source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_take_turns_are_told_and_others_are_not() {
        assert_eq!((note_crowd(2, 2), note_crowd(1, 2)), (None, None));
        let said = note_crowd(3, 2).unwrap();
        assert!(said.starts_with("3 threads take turns on the 2 processors"), "{said}");
        assert!(said.ends_with("Give --ports 2, or fewer."), "{said}");
        assert!(note_crowd(2, 1).unwrap().contains("the 1 processor that"));
        assert_eq!(describe_source("a clock".to_owned(), 2, 2), "a clock");
        let told = "a clock; more threads than the processors that it may use, which are 2";
        assert_eq!(describe_source("a clock".to_owned(), 3, 2), told);
    }
}
