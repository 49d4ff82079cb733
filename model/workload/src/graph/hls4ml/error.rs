use thiserror::Error;

/// Why a project of hls4ml is not a graph; a layer is named with its file and line.
#[derive(Debug, Error)]
pub(super) enum ProjectError {
    #[error(
        "no function calls a layer of nnet_utils: write the project with hls_model.write(), and name its folder"
    )]
    NoLayers,
    #[error(
        "{layer} has no struct of settings `{config}` in parameters.h: write the project again"
    )]
    NoConfig { layer: String, config: String },
    #[error("{layer} has no `{key}` in its settings `{config}`: write the project again")]
    NoSetting { layer: String, config: String, key: String },
    #[error("{layer} reads `{name}`, which nothing before it makes: write the project again")]
    Unmade { layer: String, name: String },
    #[error("{layer} reads {expected} elements and `{name}` has {found}: write the project again")]
    OtherSize { layer: String, name: String, expected: u64, found: u64 },
    #[error(
        "{layer} has the type `{spelling}`, whose number format derate does not know: {reason}"
    )]
    UnknownType { layer: String, spelling: String, reason: String },
    #[error(
        "the size of `{name}` is not in the files: {layer} makes or reads it, and derate does not know that layer"
    )]
    UnknownSize { layer: String, name: String },
    #[error(
        "{0} is in a loop (TimeDistributed), which derate does not read: record the model with derate.trace"
    )]
    InLoop(String),
    #[error("{layer} has fewer arguments than its function takes: write the project again")]
    FewArguments { layer: String },
}
