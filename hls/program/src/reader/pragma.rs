//! Pragmas, with their variables resolved and their numbers computed.

use super::Reader;
use super::expression::Operand;
use super::meaning::Meaning;
use crate::ir::{Directive, Number, ObjectId};
use derate_frontend::{Count, DirectiveKind, read_directive};
use derate_syntax::ast::Pragma;

impl Reader {
    /// Keeps a pragma that is about the function or one of its variables.
    pub(crate) fn function_pragma(&mut self, pragma: &Pragma) {
        if let Some(directive) = self.directive(pragma) {
            self.function.pragmas.push(directive);
        }
    }

    /// A pragma that is about the loop around it; others go to the function.
    pub(crate) fn loop_pragma(&mut self, pragma: &Pragma) -> Option<Directive> {
        let directive = self.directive(pragma)?;
        let of_loop = match &directive.kind {
            DirectiveKind::Pipeline(_)
            | DirectiveKind::Unroll { .. }
            | DirectiveKind::Dataflow
            | DirectiveKind::LoopTripcount(_)
            | DirectiveKind::Dependence(_)
            | DirectiveKind::Performance { .. } => true,
            DirectiveKind::Other(name) => name.starts_with("loop_") || name == "latency",
            _ => false,
        };
        if of_loop {
            return Some(directive);
        }
        self.function.pragmas.push(directive);
        None
    }

    fn directive(&mut self, pragma: &Pragma) -> Option<Directive> {
        let read = read_directive(&format!("HLS {}", pragma.text))?;
        // Which memory a template argument chooses is open where the argument is.
        let of_memory =
            matches!(read.kind, DirectiveKind::BindStorage(_) | DirectiveKind::Resource { .. });
        if of_memory && self.undecided > 0 {
            return None;
        }
        let off = read.is_off();
        let mut kind = read.kind;
        self.settle_counts(&mut kind);
        if let Some(text) = find_open_count(&kind) {
            self.unknown(pragma.place, format!("the value of `{text}` in a pragma is not known"));
        }
        let objects = variable(&kind).map(|name| self.objects_named(&name)).unwrap_or_default();
        Some(Directive { kind, objects, off, place: pragma.place })
    }

    /// The objects of a variable, `a`, `s.member` or `*p`.
    fn objects_named(&mut self, name: &str) -> Vec<ObjectId> {
        let mut parts = name.trim_start_matches(['*', '&']).split(['.', '>']);
        let Some(first) = parts.next() else { return Vec::new() };
        let first = first.trim_end_matches('-').split('[').next().unwrap_or(first);
        let meaning = self.meaning(first).or_else(|| self.global(first));
        let Some(Meaning::Place(mut lvalue)) = meaning else { return Vec::new() };
        for part in parts {
            match self
                .quietly(|reader| reader.member(lvalue.clone(), part, crate::ir::Place::default()))
            {
                Operand::Place(member) => lvalue = member,
                _ => return Vec::new(),
            }
        }
        lvalue.slot.leaves()
    }

    fn settle_counts(&mut self, kind: &mut DirectiveKind) {
        let mut settle = |count: &mut Option<Count>| {
            if let Some(Count::Text(text)) = count
                && let Some(value) = self.count(text)
            {
                *count = Some(Count::Number(value));
            }
        };
        match kind {
            DirectiveKind::Pipeline(pipeline) => settle(&mut pipeline.ii),
            DirectiveKind::Unroll { factor } => settle(factor),
            DirectiveKind::ArrayPartition(partition) | DirectiveKind::ArrayReshape(partition) => {
                settle(&mut partition.factor);
                settle(&mut partition.dim);
            }
            DirectiveKind::Stream(stream) => settle(&mut stream.depth),
            DirectiveKind::BindOp(bind) | DirectiveKind::BindStorage(bind) => {
                settle(&mut bind.latency);
            }
            DirectiveKind::LoopTripcount(trip) => {
                settle(&mut trip.min);
                settle(&mut trip.max);
                settle(&mut trip.avg);
            }
            DirectiveKind::Allocation { limit, .. } => settle(limit),
            DirectiveKind::Dependence(dependence) => settle(&mut dependence.distance),
            DirectiveKind::Interface(interface) => {
                settle(&mut interface.depth);
                settle(&mut interface.latency);
                settle(&mut interface.max_widen_bitwidth);
                settle(&mut interface.num_read_outstanding);
                settle(&mut interface.max_read_burst_length);
            }
            _ => {}
        }
    }

    /// A number, a name, or a product or quotient of them.
    fn count(&mut self, text: &str) -> Option<u64> {
        let text = text.trim().trim_start_matches('(').trim_end_matches(')');
        for (operator, apply) in [
            ('+', (|a, b| a.checked_add(b)) as fn(i128, i128) -> Option<i128>),
            ('-', |a, b| a.checked_sub(b)),
            ('*', |a, b| a.checked_mul(b)),
            ('/', |a, b| a.checked_div(b)),
        ] {
            if let Some((left, right)) = text.rsplit_once(operator) {
                let (left, right) = (self.count(left)?, self.count(right)?);
                return u64::try_from(apply(i128::from(left), i128::from(right))?).ok();
            }
        }
        if let Ok(value) = text.parse() {
            return Some(value);
        }
        match self.meaning(text).or_else(|| self.global(text))? {
            Meaning::Number(Number::Int(value), _) => u64::try_from(value).ok(),
            _ => None,
        }
    }
}

/// A count that decides hardware and whose value is not known.
fn find_open_count(kind: &DirectiveKind) -> Option<&str> {
    let counts = match kind {
        DirectiveKind::Pipeline(pipeline) => [pipeline.ii.as_ref(), None],
        DirectiveKind::Unroll { factor } => [factor.as_ref(), None],
        DirectiveKind::ArrayPartition(partition) | DirectiveKind::ArrayReshape(partition) => {
            [partition.factor.as_ref(), partition.dim.as_ref()]
        }
        _ => return None,
    };
    counts.into_iter().flatten().find_map(|count| match count {
        Count::Text(text) => Some(text.as_str()),
        Count::Number(_) => None,
    })
}

/// The variable that a directive names.
pub(crate) fn variable(kind: &DirectiveKind) -> Option<String> {
    match kind {
        DirectiveKind::ArrayPartition(partition) | DirectiveKind::ArrayReshape(partition) => {
            partition.variable.clone()
        }
        DirectiveKind::Stream(stream) => stream.variable.clone(),
        DirectiveKind::BindOp(bind) | DirectiveKind::BindStorage(bind) => bind.variable.clone(),
        DirectiveKind::Dependence(dependence) => dependence.variable.clone(),
        DirectiveKind::Resource { variable, .. }
        | DirectiveKind::Aggregate { variable }
        | DirectiveKind::Disaggregate { variable }
        | DirectiveKind::Stable { variable }
        | DirectiveKind::DataPack { variable } => variable.clone(),
        DirectiveKind::Interface(interface) => interface.port.clone(),
        _ => None,
    }
}
