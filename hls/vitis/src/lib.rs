//! What the vendor's tools report about a design, and the configurations of v++.
//!
//! [`read_report`] reads the reports of Vivado HLS 2018.2 to Vitis 2025.1 by content: synthesis, co-simulation, linking,
//! `xclbinutil`. [`read_connectivity`] reads a v++ configuration: which kernels there are, and the memory of each port.
//! Nothing here reads files, and every value keeps its place in the text.
//!
//! ```
//! use derate_vitis::{Sources, read_connectivity};
//!
//! let mut sources = Sources::default();
//! let file = sources.add("u280.cfg", "[connectivity]\nsp=gemm_1.a:HBM[0:3]\n");
//! let connectivity = read_connectivity(&sources, file)?;
//! let pin = &connectivity.memory[0];
//! assert_eq!((pin.argument.value.as_str(), pin.banks.value.count()), ("a", Some(4)));
//! # Ok::<(), derate_vitis::ConnectivityError>(())
//! ```

mod biggest_parts;
mod connectivity;
mod copies;
mod critical_path;
mod csynth;
mod failed_runs;
mod harmless_pragmas;
mod hidden_module;
mod hls4ml;
mod interval_reason;
mod known_figures;
mod loop_runs;
mod missed_bursts;
mod module_calls;
mod module_names;
mod open_loops;
mod other_stages;
mod refused_pipelines;
mod reserved_words;
mod runs;
mod starts;
mod synthesis;
mod violations;

pub use biggest_parts::{BiggestPart, list_biggest_parts};
pub use connectivity::{
    BankRange, Connectivity, ConnectivityError, Entry, EntryValue, FrequencyOption, Kernels,
    MemoryPin, SlrPin, StreamLink, read_connectivity,
};
pub use copies::{copied_function, find_logged_interval, is_named_by_line, read_line_and_place};
pub use critical_path::{describe_path, find_critical_path};
pub use csynth::{
    AchievedClock, Argument, Attempt, AttemptEnd, Burst, BurstVerdict, ClockPeriods, ComputeUnit,
    Cosim, CriticalPath, Decimal, Figure, Frequency, Held, Located, LoggedError, LoggedPlace,
    Memory, MemoryPort, MissingName, Module, OperationTarget, PartSort, REPORT_SCHEMA, Refusal,
    RefusedPipeline, Report, ReportError, ReportKind, ReportOrder, ReportPlace, ReportedLoop,
    ReportedPart, ReportedPragma, Resource, RoutedClock, RoutedPeriod, RoutedTiming, Schedule,
    ScheduledOperation, ScheduledPipeline, Spread, TopArgument, UnitPort, Utilisation,
    UtilisationKind, Violation, read_report, report_kind,
};
pub use derate_source::{Excerpt, FileId, Position, Reason, Settled, Sources, Span, Unparsed};
pub use failed_runs::{Beside, ErrorFit, FailedRun, list_failed};
pub use harmless_pragmas::find_harmless;
pub use hidden_module::{HiddenModule, find_hidden_module, find_hidden_stage};
pub use hls4ml::{LayerSetting, LayerSettings, read_layer_settings};
pub use interval_reason::{
    IntervalReason, ReasonText, describe_held, find_interval_reason, find_slow_callee,
};
pub use known_figures::{KnownFigures, find_unknown};
pub use loop_runs::{SmallCost, count_iterations, find_small_cost, find_small_loops};
pub use missed_bursts::{
    find_word_port, is_by_default, is_outside_loops, is_port_of, list_bursts, list_missed,
    list_not_widened, word_of,
};
pub use module_calls::{ModuleCalls, find_template};
pub use module_names::{base_of, function_of, top_name, without_number};
pub use open_loops::{OpenLoop, UnknownFigure, list_open};
pub use other_stages::{OtherStage, find_other_stage};
pub use refused_pipelines::{Refused, list_refused};
pub use runs::{OlderRun, Runs, find_solution};
pub use starts::{count_pipelined, count_starts};
pub use synthesis::{Synthesis, SynthesisedLoop, gather_syntheses, plain_loop_name};
pub use violations::{
    is_pipelined, list_targets, list_whole, prints_violations, tool_violations, without_copy,
};
