//! What a kernel asks of vector registers.

/// Registers of FP32 numbers. Each function is for a processor that has them, and reads as many bytes as it says.
pub(super) trait Vectors: Copy {
    /// FP32 numbers in one.
    const LANES: usize;
    /// So many numbers.
    type Floats: Copy;
    /// Codes of 4 bits, eight to a lane.
    type Nibbles: Copy;
    /// The sixteen numbers of a code of 4 bits.
    type Table: Copy;
    /// What numbers of [`Vectors::widen_int4`] are too small by.
    const INT4_LIFT: f32;

    unsafe fn zero() -> Self::Floats;
    /// Reads `LANES` numbers.
    unsafe fn load(from: *const f32) -> Self::Floats;
    unsafe fn store(to: *mut f32, value: Self::Floats);
    /// `a b + c`, rounded once.
    unsafe fn fused(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn sum(a: Self::Floats) -> f32;
    /// `LANES` numbers, of which `EACH` neighbours are one of `from`; reads `LANES` numbers.
    unsafe fn repeat<const EACH: usize>(from: *const f32) -> Self::Floats;

    unsafe fn load_table(table: &'static [f32; 16]) -> Self::Table;
    /// Reads `4 LANES` bytes.
    unsafe fn load_nibbles(from: *const u8) -> Self::Nibbles;
    /// The numbers of the codes at that place in each lane, from 0 to 7.
    unsafe fn look_up(codes: Self::Nibbles, place: i32, table: Self::Table) -> Self::Floats;
    /// The same of integers in two's complement, by the quickest way: `INT4_LIFT` times too large or small, exactly.
    unsafe fn widen_int4(codes: Self::Nibbles, place: i32, table: Self::Table) -> Self::Floats;

    /// `LANES` halves.
    unsafe fn widen_halves(from: *const u8) -> Self::Floats;
    /// `LANES` bytes of E4M3, as 2^-8 of their size.
    unsafe fn widen_e4m3(from: *const u8) -> Self::Floats;
    /// `LANES` bytes of E5M2.
    unsafe fn widen_e5m2(from: *const u8) -> Self::Floats;
    /// `LANES` signed bytes.
    unsafe fn widen_int8(from: *const u8) -> Self::Floats;
    /// `LANES` exponents, biased by 127, as powers of two.
    unsafe fn widen_exponents(from: *const u8) -> Self::Floats;
}
