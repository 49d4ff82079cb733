//! What scalars and registers hold.

use crate::graph::Value;
use std::collections::BTreeMap;

/// A storage and the place of an element in it; a scalar has one, at 0.
pub(crate) type Key = (usize, u64);

/// The value of each scalar, and of each element of arrays in registers. A loop asks for those of a few storages among
/// thousands.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// The elements of each storage that have a value.
    storages: Vec<BTreeMap<u64, Value>>,
}

impl Values {
    pub(crate) fn get(&self, key: &Key) -> Option<&Value> {
        self.storages.get(key.0)?.get(&key.1)
    }

    pub(crate) fn insert(&mut self, key: Key, value: Value) -> Option<Value> {
        if self.storages.len() <= key.0 {
            self.storages.resize_with(key.0 + 1, BTreeMap::new);
        }
        self.storages[key.0].insert(key.1, value)
    }

    pub(crate) fn remove(&mut self, key: &Key) -> Option<Value> {
        self.storages.get_mut(key.0)?.remove(&key.1)
    }

    /// The elements of a storage that have a value, in order.
    pub(crate) fn elements(&self, storage: usize) -> impl Iterator<Item = (u64, Value)> + '_ {
        let own = self.storages.get(storage).into_iter().flatten();
        own.map(|(element, value)| (*element, *value))
    }

    /// The elements of these storages that have a value, in the order of the storages.
    pub(crate) fn within<'a, I>(&'a self, storages: I) -> impl Iterator<Item = (Key, Value)> + 'a
    where
        I: IntoIterator<Item = &'a usize, IntoIter: 'a>,
    {
        let all = storages.into_iter();
        all.flat_map(|&one| self.elements(one).map(move |(at, value)| ((one, at), value)))
    }

    /// All elements that have a value.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Key, Value)> + '_ {
        let all = self.storages.iter().enumerate();
        all.flat_map(|(one, own)| own.iter().map(move |(at, value)| ((one, *at), *value)))
    }

    /// Puts a value in the place of another one.
    pub(crate) fn replace(&mut self, old: Value, new: Value) {
        let all = self.storages.iter_mut().flat_map(BTreeMap::values_mut);
        all.filter(|value| **value == old).for_each(|value| *value = new);
    }
}
