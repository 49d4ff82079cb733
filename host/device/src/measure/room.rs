use super::available_memory;
use crate::error::BenchError;

/// Whether this machine gives so many bytes, asked before anything is made of them: where it does not, a bench says so, and
/// does not abort. `what` is what they are for.
pub(crate) fn require_memory(bytes: u64, what: &str) -> Result<(), BenchError> {
    // Linux promises more memory than there is, and more than a container may have: a process that uses it is killed.
    if let Some(most) = available_memory().filter(|&most| bytes > most) {
        return Err(BenchError::Room(format!(
            "{what} takes {bytes} bytes of memory, and {most} are available now: give a smaller one, or try again later"
        )));
    }
    let asked = usize::try_from(bytes).ok();
    let given = asked.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    given.then_some(()).ok_or_else(|| {
        BenchError::Room(format!(
            "{what} takes {bytes} bytes of this machine's memory, which it does not provide: give a smaller one"
        ))
    })
}
