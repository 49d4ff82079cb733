use thiserror::Error;

/// Why a text could not be read as a v++ configuration.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum ConnectivityError {
    /// The text is longer than any configuration.
    #[error("{name} has {bytes} bytes; derate reads v++ configurations of up to {limit}")]
    TooLarge {
        /// The text's name.
        name: String,
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
}
