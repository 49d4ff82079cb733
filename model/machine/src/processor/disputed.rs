/// Another value that is printed for a figure.
#[derive(Clone, Debug, Eq, PartialEq, serde::Serialize)]
pub struct Disputed {
    /// Which figure, as its keys in the file: `memory.bandwidth`, `peak.fp16`.
    pub figure: String,
    /// The other value, with its unit.
    pub value: String,
    /// Who says so, with arguments for it or against it.
    pub source: String,
}
