use super::BenchError;

/// Whether this machine gives so many bytes, asked before anything is made of them: where it does not, a bench says so, and
/// does not abort. `what` is what they are for.
pub(crate) fn room(bytes: u64, what: &str) -> Result<(), BenchError> {
    let asked = usize::try_from(bytes).ok();
    let given = asked.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    given.then_some(()).ok_or_else(|| {
        BenchError::Room(format!(
            "{what} takes {bytes} bytes of this machine's memory, which it does not give: give a smaller one"
        ))
    })
}
