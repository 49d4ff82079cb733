//! A name in a request that nothing has.

/// A name that is not in a list, with the list.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownName {
    /// Of a platform, a workload or a device.
    #[error("`{name}` is not a {noun}: there are {}", .known.join(", "))]
    Listed { noun: &'static str, name: String, known: Vec<String> },
    /// Of an encoding; the sentence lists them.
    #[error("{0}")]
    Encoding(String),
}
