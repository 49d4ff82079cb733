use serde::{Deserialize, Serialize};

/// What a measurement was made with.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// derate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derate: Option<String>,
    /// XRT.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xrt: Option<String>,
    /// The shell on the card: `xilinx_u280_gen3x16_xdma_1_202211_1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The UUID of the xclbin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xclbin: Option<String>,
    /// What built the kernel: `v++ 2022.1`, `g++ 12.2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
}
