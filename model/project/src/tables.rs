//! Constant tables: their values say more of a factor than its type.
//!
//! A table is constant if it is `const`, or if it has values and nothing that sees it does more than read its elements.

use derate_hls::{
    AccessForm, AccessKind, Array, Function, Header, Resolver, ScalarType, Scope, Sources, Span,
};

use crate::addend::ValueRange;
use derate_hls::may_set;

/// A longer table is taken at the range of its type.
const MOST_VALUES: usize = 4096;

/// Where the values of constant tables are looked up.
pub struct Tables<'a> {
    /// Resolves the types.
    pub resolver: &'a Resolver<'a>,
    /// The texts.
    pub sources: &'a Sources,
    /// What is read of them.
    pub headers: &'a [Header],
}

impl Tables<'_> {
    /// The range of an operand: that of its type, narrowed to the values of the constant table that it is an element of.
    pub fn read_operand(
        &self,
        function: &Function,
        place: Span,
        text: &str,
        scalar: &ScalarType,
    ) -> Option<ValueRange> {
        let range = ValueRange::of_operand(scalar)?;
        let table = text.split_once('[').map(|(name, _)| name.trim());
        let ends = table.and_then(|name| self.find_values(function, place, name));
        Some(ends.map_or(range, |ends| range.narrow_to(ends)))
    }

    /// The least and the greatest value of a table; `None` where it may change or is not read as a whole.
    fn find_values(&self, function: &Function, place: Span, name: &str) -> Option<(i128, i128)> {
        let local = function.locals.iter().rev().find(|local| {
            local.name == name
                && local.span.end <= place.start
                && local.block.start <= place.start
                && place.end <= local.block.end
        });
        if let Some(local) = local {
            let is_table = local.constant || self.is_only_read(function, name);
            let text = local.initial.as_deref().filter(|_| is_table)?;
            return self.read_values(local.span, &function.scope, text);
        }
        if function.parameters.iter().any(|one| one.name == name) {
            return None;
        }
        let arrays = self.headers.iter().flat_map(|header| &header.arrays);
        let mut all = arrays.filter(|array| array.name == name).map(|array| self.read_array(array));
        // Where several have the name, it is any of them.
        let first = all.next()??;
        all.try_fold(first, |ends, one| one.map(|one| (ends.0.min(one.0), ends.1.max(one.1))))
    }

    fn read_array(&self, array: &Array) -> Option<(i128, i128)> {
        let (declared, text) = self.sources.slice(array.span).split_once('=')?;
        let is_table = array.initialised && (array.constant || self.is_private(array, declared));
        let text = Some(text).filter(|_| is_table)?;
        self.read_values(array.span, &array.scope, text)
    }

    /// Whether only its own file knows a table, and each function there only reads it.
    fn is_private(&self, array: &Array, declared: &str) -> bool {
        let is_static = declared.split_whitespace().any(|word| word == "static");
        let functions = self.headers.iter().flat_map(|header| &header.functions);
        let mut others = functions.filter(|function| {
            function.span.file == array.span.file
                || function.accesses.iter().any(|one| one.array == array.name)
        });
        is_static && others.all(|function| self.is_only_read(function, &array.name))
    }

    /// Whether a function, which is read as a whole, only reads elements of a table.
    fn is_only_read(&self, function: &Function, name: &str) -> bool {
        let header = self.headers.iter().find(|header| header.file == function.span.file);
        let mut unread = header.into_iter().flat_map(|header| &header.unparsed);
        let within = function.span;
        let is_whole =
            !unread.any(|one| one.span.start < within.end && within.start < one.span.end);
        let mut uses = function.accesses.iter().filter(|one| one.array == name);
        let mut calls = function.calls.iter().flat_map(|call| &call.arguments);
        is_whole
            && uses.all(|one| one.kind == AccessKind::Read && one.form == AccessForm::Subscript)
            && !calls.any(|argument| may_set(argument, name) || argument.trim() == name)
    }

    /// The ends of a list in braces. An element that the list leaves out is 0.
    fn read_values(&self, place: Span, scope: &Scope, text: &str) -> Option<(i128, i128)> {
        let text = text.trim().trim_end_matches(';').trim_end();
        if !(text.starts_with('{') && text.ends_with('}')) || text.contains(['/', '#', '"', '\'']) {
            return None;
        }
        let values = text.split([',', '{', '}']).map(str::trim).filter(|value| !value.is_empty());
        let mut ends = (0, 0);
        for (at, value) in values.enumerate() {
            if at >= MOST_VALUES {
                return None;
            }
            let value = self.resolver.value_at(place, scope, value).ok()?;
            ends = (ends.0.min(value), ends.1.max(value));
        }
        Some(ends)
    }
}
