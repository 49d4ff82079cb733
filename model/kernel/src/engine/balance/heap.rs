//! A binary heap of subtrees, the lowest on top, with the order of equal ones that the heap of the C++ library has.

use crate::graph::Value;

/// Subtrees with their heights.
pub(super) struct Heap(Vec<(u32, Value)>);

impl Heap {
    /// Of leaves, in the order of the source.
    pub(super) fn of_values(values: Vec<Value>) -> Self {
        let mut heap = Self(values.into_iter().map(|value| (0, value)).collect());
        for parent in (0..heap.0.len() / 2).rev() {
            heap.settle(parent, heap.0[parent]);
        }
        heap
    }

    /// Takes the top. The last element goes to its place.
    pub(super) fn pop(&mut self) -> Option<(u32, Value)> {
        let last = self.0.pop()?;
        let Some(top) = self.0.first().copied() else { return Some(last) };
        self.settle(0, last);
        Some(top)
    }

    pub(super) fn push(&mut self, subtree: (u32, Value)) {
        self.0.push(subtree);
        self.rise(self.0.len() - 1, 0, subtree);
    }

    /// Puts a subtree in place of the one at `top`: the hole moves down to a leaf first, then the subtree rises from there.
    fn settle(&mut self, top: usize, subtree: (u32, Value)) {
        let mut hole = top;
        loop {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            let next = match (self.0.get(left), self.0.get(right)) {
                // Of equal ones the right one moves up.
                (Some(near), Some(far)) if far.0 > near.0 => left,
                (Some(_), Some(_)) => right,
                (Some(_), None) => left,
                (None, _) => break,
            };
            self.0[hole] = self.0[next];
            hole = next;
        }
        self.rise(hole, top, subtree);
    }

    /// Puts a subtree into a hole, or above it where those are higher.
    fn rise(&mut self, mut hole: usize, top: usize, subtree: (u32, Value)) {
        while hole > top {
            let parent = (hole - 1) / 2;
            if self.0[parent].0 <= subtree.0 {
                break;
            }
            self.0[hole] = self.0[parent];
            hole = parent;
        }
        self.0[hole] = subtree;
    }
}

#[cfg(test)]
mod tests {
    use super::Heap;
    use crate::graph::Value;
    use derate_program::Number;

    /// How deep the first of so many leaves is.
    fn first_depth(count: usize) -> usize {
        let leaf = |at: usize| Value::Constant(Number::Int(i128::from(at != 0)));
        let mut heap = Heap::of_values((0..count).map(leaf).collect());
        let mut depth = 0;
        while let (Some(first), Some(second)) = (heap.pop(), heap.pop()) {
            let has = [first.1, second.1].contains(&leaf(0));
            depth += usize::from(has);
            heap.push((first.0.max(second.0) + 1, leaf(usize::from(!has))));
            if heap.0.len() == 1 {
                break;
            }
        }
        depth
    }

    #[test]
    fn the_sum_of_before_is_as_deep_as_reports_have_it() {
        // Reports of 2023.2 at 3.33 ns: so many fast adders are between a sum and the next one, where an iteration adds 2, 4,
        // 8, 10, 15 and 16 products to it.
        let depths = [3, 5, 9, 11, 16, 17].map(first_depth);
        assert_eq!(depths, [1, 3, 3, 4, 4, 4]);
    }
}
