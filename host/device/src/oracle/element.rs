use std::fmt;

/// What a matrix kernel multiplies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Element {
    /// Single precision; the result, too.
    Fp32,
    /// bfloat16, 16 bits; summed in single precision, the result rounded to bfloat16.
    Bf16,
    /// 8-bit integers; sums and result have 32 bits.
    Int8,
}

impl Element {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fp32, Self::Bf16, Self::Int8];

    /// As measurements spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
        }
    }

    /// The kernel that multiplies it.
    pub fn kernel(self) -> &'static str {
        match self {
            Self::Fp32 => "krnl_gemm_f32",
            Self::Bf16 => "krnl_gemm_bf16",
            Self::Int8 => "krnl_gemm_i8",
        }
    }

    /// Bytes of an operand.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Fp32 => 4,
            Self::Bf16 => 2,
            Self::Int8 => 1,
        }
    }

    /// Bytes of an element of the result.
    pub fn result_bytes(self) -> u64 {
        match self {
            Self::Fp32 | Self::Int8 => 4,
            Self::Bf16 => 2,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
