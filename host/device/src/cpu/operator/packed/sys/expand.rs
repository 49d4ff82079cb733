//! How codes become numbers: a step is eight registers of them.

use super::vectors::Vectors;

/// The codes of a step.
pub(super) trait Expand<V: Vectors> {
    /// Bytes of a step.
    const BYTES: usize;
    /// Registers that a scale reaches, which follow each other.
    const SPAN: usize;
    /// What the numbers are too small by.
    const LIFT: f32;
    /// A step as it is held while its registers are made.
    type Held: Copy;

    /// Reads `BYTES` at once, or later.
    unsafe fn hold(from: *const u8) -> Self::Held;
    /// The register at that place, from 0 to 7.
    unsafe fn expand(held: Self::Held, place: i32, table: V::Table) -> V::Floats;
}

/// Codes of 4 bits: a lane holds eight, and a register has one of each lane.
pub(super) struct Nibbles<const INTEGERS: bool>;

// SAFETY, of each block: as `Vectors` says.
impl<V: Vectors, const INTEGERS: bool> Expand<V> for Nibbles<INTEGERS> {
    const BYTES: usize = 4 * V::LANES;
    const SPAN: usize = 8;
    const LIFT: f32 = if INTEGERS { V::INT4_LIFT } else { 1.0 };
    type Held = V::Nibbles;

    #[inline(always)]
    unsafe fn hold(from: *const u8) -> V::Nibbles {
        unsafe { V::load_nibbles(from) }
    }

    #[inline(always)]
    unsafe fn expand(held: V::Nibbles, place: i32, table: V::Table) -> V::Floats {
        unsafe {
            if INTEGERS {
                V::widen_int4(held, place, table)
            } else {
                V::look_up(held, place, table)
            }
        }
    }
}

/// Codes of 8 bits, in the order of the row: `E4M3`, `E5M2`, else integers. Where they have scales, 32 share one.
pub(super) struct Bytes<const CODE: u8>;

pub(super) const E4M3: u8 = 0;
pub(super) const E5M2: u8 = 1;
pub(super) const INT8: u8 = 2;

// SAFETY, of each block: as `Vectors` says.
impl<V: Vectors, const CODE: u8> Expand<V> for Bytes<CODE> {
    const BYTES: usize = 8 * V::LANES;
    const SPAN: usize = 32 / V::LANES;
    const LIFT: f32 = if CODE == E4M3 { 256.0 } else { 1.0 };
    type Held = *const u8;

    #[inline(always)]
    unsafe fn hold(from: *const u8) -> *const u8 {
        from
    }

    #[inline(always)]
    unsafe fn expand(held: *const u8, place: i32, _: V::Table) -> V::Floats {
        unsafe {
            #[expect(clippy::cast_sign_loss, reason = "from 0 to 7")]
            let from = held.add(V::LANES * place as usize);
            match CODE {
                E4M3 => V::widen_e4m3(from),
                E5M2 => V::widen_e5m2(from),
                _ => V::widen_int8(from),
            }
        }
    }
}
