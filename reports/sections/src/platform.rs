//! The catalogue, its cards and its processors as a document and as data: `derate.platform/1`.

mod bandwidth;
mod card;
mod figures;
mod processor;

use derate_render::{Block, Document, Section};
use serde::Serialize;

use card::CardEntry;
use derate_machine::{Platform, Processor, Target};
use derate_units::command::quote_word;
use processor::ProcessorEntry;

/// `derate.platform/1`.
#[derive(Debug, Serialize)]
pub struct PlatformReport {
    schema: &'static str,
    command: String,
    /// The cards.
    platforms: Vec<CardEntry>,
    processors: Vec<ProcessorEntry>,
}

fn list_cards(targets: &[Target]) -> Vec<&Platform> {
    targets.iter().filter_map(Target::card).collect()
}

fn list_processors(targets: &[Target]) -> Vec<&Processor> {
    targets.iter().filter_map(Target::processor).collect()
}

fn make_report(command: String, targets: &[Target]) -> PlatformReport {
    PlatformReport {
        schema: "derate.platform/1",
        command,
        platforms: list_cards(targets).into_iter().map(CardEntry::of).collect(),
        processors: list_processors(targets).into_iter().map(ProcessorEntry::of).collect(),
    }
}

fn unknown_workload() -> String {
    "unknown".to_owned()
}

/// All cards, one a row, and the names of all processors.
pub fn platforms(targets: &[Target]) -> (PlatformReport, Document) {
    let names: Vec<&str> =
        list_processors(targets).into_iter().map(|own| own.name.as_str()).collect();
    let processors = format!("{}. `derate platform gpus` compares them.", names.join(", "));
    let document = Document {
        title: "Platforms".to_owned(),
        subtitle: "cards at their default kernel clock and shell, processors as they are printed"
            .to_owned(),
        controls: Vec::new(),
        sections: vec![
            Section::new(
                "Cards",
                "FPGA boards",
                vec![Block::Table(card::tabulate_cards(&list_cards(targets)))],
            ),
            Section::new("Processors", "GPUs", vec![Block::Prose(processors)]),
        ],
    };
    (make_report("derate platform --format json".to_owned(), targets), document)
}

/// All processors, one a row.
pub fn processors(targets: &[Target]) -> (PlatformReport, Document) {
    let targets: Vec<Target> =
        targets.iter().filter(|target| target.processor().is_some()).cloned().collect();
    let table = processor::tabulate_processors(&list_processors(&targets));
    let document = Document {
        title: "GPUs".to_owned(),
        subtitle: "as they are printed".to_owned(),
        controls: Vec::new(),
        sections: vec![Section::new("Processors", "GPUs", vec![Block::Table(table)])],
    };
    (make_report("derate platform gpus --format json".to_owned(), &targets), document)
}

/// One card or processor. `asked` is the name or the path that was asked for.
pub fn platform(target: &Target, asked: &str) -> (PlatformReport, Document) {
    let command = format!("derate platform {} --format json", quote_word(asked));
    let (title, sections) = match target {
        Target::Card(card) => (&card.title, card::card_sections(card)),
        Target::Processor(own) => (&own.title, processor::processor_sections(own)),
    };
    let document = Document {
        title: title.clone(),
        subtitle: "figures, and what follows from them".to_owned(),
        controls: Vec::new(),
        sections,
    };
    (make_report(command, std::slice::from_ref(target)), document)
}
