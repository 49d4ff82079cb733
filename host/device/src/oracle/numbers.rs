/// Numbers that look random and are the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next 32 bits (xorshift64*, Vigna 2016).
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// In [-1, 1), a multiple of 2^-23.
    pub(crate) fn unit(&mut self) -> f32 {
        #[expect(clippy::cast_possible_wrap, reason = "24 bits do not reach the sign")]
        let number = (self.next() >> 8) as i32 - (1 << 23);
        number as f32 / (1 << 23) as f32
    }
}
