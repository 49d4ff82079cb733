//! What becomes of a product's sums.

use super::number::Number;

/// Takes the sums of a product once they are finished: those of its elements, one row after another.
pub(super) trait Epilogue<E: Number>: Sized + Send {
    /// That of the first so many elements, and that of the others.
    fn split_at(self, elements: usize) -> (Self, Self);

    /// Takes the sums of elements that follow each other, from that one on.
    fn take(&mut self, from: usize, sums: &[E::Sum]);
}

/// Each sum is stored, by itself.
pub(super) struct Stored<'a, E, F> {
    pub(super) to: &'a mut [E],
    pub(super) by: F,
}

impl<E: Number, F: Fn(E::Sum) -> E + Copy + Send> Epilogue<E> for Stored<'_, E, F> {
    fn split_at(self, elements: usize) -> (Self, Self) {
        let (first, others) = self.to.split_at_mut(elements.min(self.to.len()));
        (Self { to: first, by: self.by }, Self { to: others, by: self.by })
    }

    fn take(&mut self, from: usize, sums: &[E::Sum]) {
        let to = self.to.get_mut(from..).unwrap_or_default();
        to.iter_mut().zip(sums).for_each(|(to, &sum)| *to = (self.by)(sum));
    }
}
