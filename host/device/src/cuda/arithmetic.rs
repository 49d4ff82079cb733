use half::{bf16, f16};

use super::sys::{Address, ComputeType, DataType, Matrices};
use crate::oracle::unit_roundoff;
use crate::packed::Code;

/// What to do about operators that INT8 and FP8 have no kernels for.
pub(super) const NO_EXPONENTIALS: &str = "its sums pass through exponentials, which int8 and fp8 do not have: give fp32, tf32, fp16 or bf16";

/// How a product is computed: the type of its operands, of its result, and what multiplies and adds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Arithmetic {
    /// Single precision throughout, without tensor cores.
    Fp32,
    /// Operands and result in single precision; the tensor cores read ten bits of each mantissa.
    Tf32,
    /// Half precision, added in single, rounded to half.
    Fp16,
    /// bfloat16, added in single precision, rounded to bfloat16.
    Bf16,
    /// Bytes, added and stored in 32 bits.
    Int8,
    /// FP8 of four exponent bits, added and stored in single precision.
    Fp8E4m3,
    /// FP8 of five exponent bits times that of four, added and stored in single precision.
    Fp8E5m2,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Fp32, Self::Tf32, Self::Fp16, Self::Bf16, Self::Int8, Self::Fp8E4m3, Self::Fp8E5m2];

    /// Its name: `fp16`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Tf32 => "tf32",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Int8 => "int8",
            Self::Fp8E4m3 => "fp8",
            Self::Fp8E5m2 => "fp8-e5m2",
        }
    }

    /// Whether cuBLASLt multiplies it.
    pub(super) fn is_fp8(self) -> bool {
        matches!(self, Self::Fp8E4m3 | Self::Fp8E5m2)
    }

    /// Whether derate's own kernels have exponentials of what it stores.
    pub(super) fn has_exponentials(self) -> bool {
        self != Self::Int8 && !self.is_fp8()
    }

    /// Bytes of an operand's element.
    pub fn operand_bytes(self) -> u64 {
        match self {
            Self::Fp32 | Self::Tf32 => 4,
            Self::Fp16 | Self::Bf16 => 2,
            Self::Int8 | Self::Fp8E4m3 | Self::Fp8E5m2 => 1,
        }
    }

    /// Bytes of a result's element.
    pub fn result_bytes(self) -> u64 {
        match self {
            Self::Fp32 | Self::Tf32 | Self::Int8 | Self::Fp8E4m3 | Self::Fp8E5m2 => 4,
            Self::Fp16 | Self::Bf16 => 2,
        }
    }

    /// The unit roundoff of what the result is stored in, for small whole numbers, which every sum holds exactly; tensor cores of
    /// FP8 keep about 14 bits of a sum on Hopper (DeepSeek-V3 Technical Report, arXiv 2412.19437, section 3.3.2).
    pub(super) fn whole_roundoff(self) -> f64 {
        match self {
            Self::Fp32 | Self::Tf32 | Self::Int8 => 0.0,
            Self::Fp8E4m3 | Self::Fp8E5m2 => unit_roundoff(13),
            Self::Fp16 => unit_roundoff(11),
            Self::Bf16 => unit_roundoff(8),
        }
    }

    /// The unit roundoff of what any number is stored in, and half of the least number that is.
    pub(super) fn stored(self) -> (f64, f64) {
        match self {
            Self::Fp32 | Self::Tf32 | Self::Int8 | Self::Fp8E4m3 | Self::Fp8E5m2 => {
                (unit_roundoff(24), unit_roundoff(150))
            }
            Self::Fp16 => (unit_roundoff(11), unit_roundoff(25)),
            Self::Bf16 => (unit_roundoff(8), unit_roundoff(134)),
        }
    }

    /// A number as it is stored, rounded to the nearest.
    pub(super) fn round_stored(self, number: f64) -> f64 {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
            Self::Fp32 | Self::Tf32 | Self::Fp8E4m3 | Self::Fp8E5m2 => f64::from(number as f32),
            Self::Fp16 => f16::from_f64(number).to_f64(),
            Self::Bf16 => bf16::from_f64(number).to_f64(),
            Self::Int8 => number.round(),
        }
    }

    /// How far the sum of a product in single precision is off, for each of its terms, relative to the sum of what all terms
    /// are without their signs. An addition in IEEE's arithmetic rounds by `2^-24`; tensor cores align the terms of a few
    /// additions to the largest one and cut what lies below its last bits, which is at most `2^-22` of the sum for each term.
    pub(super) fn of_a_term(self) -> f64 {
        if self == Self::Fp32 { unit_roundoff(24) } else { unit_roundoff(22) }
    }

    /// How far an operand is off that a product reads, relative to it: of TF32 it reads ten bits behind the point, rounded or cut.
    pub(super) fn of_an_operand(self) -> f64 {
        if self == Self::Tf32 { unit_roundoff(10) } else { 0.0 }
    }

    /// The multiple that the first and the last extent have to be.
    pub(super) fn extent_multiple(self) -> u64 {
        match self {
            Self::Int8 => 4,
            Self::Fp8E4m3 | Self::Fp8E5m2 => 16,
            _ => 1,
        }
    }

    /// A small whole number as an operand's element, in the first [`operand_bytes`](Self::operand_bytes).
    pub(super) fn encode(self, number: i8) -> [u8; 4] {
        let pair = |[low, high]: [u8; 2]| [low, high, 0, 0];
        match self {
            Self::Fp32 | Self::Tf32 => f32::from(number).to_le_bytes(),
            Self::Fp16 => pair(f16::from_f32(number.into()).to_le_bytes()),
            Self::Bf16 => pair(bf16::from_f32(number.into()).to_le_bytes()),
            Self::Int8 => [number.to_le_bytes()[0], 0, 0, 0],
            Self::Fp8E4m3 => [Code::E4m3.nearest(number.into()), 0, 0, 0],
            Self::Fp8E5m2 => [Code::E5m2.nearest(number.into()), 0, 0, 0],
        }
    }

    /// An element of a result, from the first [`result_bytes`](Self::result_bytes).
    pub(super) fn decode(self, bytes: [u8; 4]) -> f64 {
        let pair = [bytes[0], bytes[1]];
        match self {
            Self::Fp32 | Self::Tf32 | Self::Fp8E4m3 | Self::Fp8E5m2 => {
                f32::from_le_bytes(bytes).into()
            }
            Self::Fp16 => f16::from_le_bytes(pair).into(),
            Self::Bf16 => bf16::from_le_bytes(pair).into(),
            Self::Int8 => i32::from_le_bytes(bytes).into(),
        }
    }

    /// A product of such matrices, of `m` by `k` and `k` by `n`, each row of the first and each column of the second in one piece.
    pub(super) fn to_matrices(self, places: [Address; 3], extents: [i32; 3]) -> Matrices {
        let ([first, second, result], [m, n, k]) = (places, extents);
        Matrices {
            a: first,
            b: second,
            c: result,
            m,
            n,
            k,
            transposed: [true, false],
            operands: self.operand_type(),
            result: self.result_type(),
            compute: self.compute_type(),
        }
    }

    pub(super) fn operand_type(self) -> DataType {
        match self {
            Self::Fp32 | Self::Tf32 => DataType::R32F,
            Self::Fp16 => DataType::R16F,
            Self::Bf16 => DataType::R16BF,
            Self::Int8 => DataType::R8I,
            Self::Fp8E4m3 => DataType::R8FE4M3,
            Self::Fp8E5m2 => DataType::R8FE5M2,
        }
    }

    pub(super) fn result_type(self) -> DataType {
        match self {
            Self::Int8 => DataType::R32I,
            Self::Fp8E4m3 | Self::Fp8E5m2 => DataType::R32F,
            _ => self.operand_type(),
        }
    }

    pub(super) fn compute_type(self) -> ComputeType {
        match self {
            Self::Fp32 => ComputeType::PedanticF32,
            Self::Fp16 | Self::Bf16 | Self::Fp8E4m3 | Self::Fp8E5m2 => ComputeType::F32,
            Self::Tf32 => ComputeType::FastTf32,
            Self::Int8 => ComputeType::I32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_whole_numbers_are_exact() {
        for arithmetic in Arithmetic::ALL {
            for number in [-1, 0, 1] {
                let bytes = arithmetic.encode(number);
                let used = usize::try_from(arithmetic.operand_bytes()).unwrap();
                assert!(bytes[used..].iter().all(|&byte| byte == 0));
                if arithmetic != Arithmetic::Int8 && !arithmetic.is_fp8() {
                    assert!((arithmetic.decode(bytes) - f64::from(number)).abs() < 1e-12);
                }
            }
        }
        let one = |arithmetic: Arithmetic| [1, 0, -1].map(|number| arithmetic.encode(number)[0]);
        assert_eq!(one(Arithmetic::Int8), [1, 0, 0xff]);
        assert_eq!(one(Arithmetic::Fp8E4m3), [0x38, 0, 0xb8]);
        assert_eq!(one(Arithmetic::Fp8E5m2), [0x3c, 0, 0xbc]);
        assert!((Arithmetic::Int8.decode((-7_i32).to_le_bytes()) + 7.0).abs() < 1e-12);
    }
}
