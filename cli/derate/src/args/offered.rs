//! Options that take names of a list, which a shell completes, and for some of them other words too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use derate_model::audit::all_rules;
use derate_model::{Platform, Processor};

/// A parser whose words a completion script offers.
#[derive(Clone)]
pub(crate) struct Offered<P> {
    list: fn() -> Vec<&'static str>,
    parser: P,
}

/// A card of the catalogue, or a path.
pub(crate) fn card() -> Offered<StringValueParser> {
    Offered { list: || Platform::names().collect(), parser: StringValueParser::new() }
}

/// A card or a processor of the catalogue, or a path.
pub(crate) fn target() -> Offered<StringValueParser> {
    let list = || Platform::names().chain(Processor::names()).collect();
    Offered { list, parser: StringValueParser::new() }
}

/// The code of a rule, read by `parser`.
pub(crate) fn rule<P: TypedValueParser>(parser: P) -> Offered<P> {
    let list = || all_rules().iter().map(|rule| rule.code).collect();
    Offered { list, parser }
}

impl<P: TypedValueParser> TypedValueParser for Offered<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        word: &OsStr,
    ) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, option, word)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}
