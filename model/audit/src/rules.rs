//! The rules, one file each. Adding one is adding a file and a line here.

mod accumulation;
mod alias_conflict;
mod alias_format;
mod alias_width;
mod asked_clock;
mod assumed_bytes;
mod batch_1;
mod burst;
mod claim_contradiction;
mod claim_figure;
mod compound_port;
mod compute_unit;
mod cosim;
mod dead_work;
mod design_latency;
mod design_measured;
mod design_multiply_rate;
mod design_operand_format;
mod design_precision;
mod design_resources;
mod design_throughput;
mod design_unserved;
mod design_work;
mod dump_form;
mod fill_share;
mod impossible_clock;
mod initiation_interval;
mod loop_invariant;
mod memory_blocks;
mod missed_interval;
mod narrow_accumulator;
mod narrow_port;
mod not_on_card;
mod pragma_ignored;
mod reasonless_allow;
mod repeats;
mod saved_work;
mod sequence_length;
mod shape_mismatch;
mod shared_bank;
mod shared_bundle;
mod simulation_type;
mod slowest_stage;
mod slr_crossing;
mod stale_report;
mod theoretical_bandwidth;
mod tile_remainder;
mod timing;
mod unbuilt_header;
mod underivable_peak;
mod unfused_boundary;
mod unknown_constant;
mod unknown_latency;
mod unread_dump;
mod unread_source;
mod unused_allow;
mod utilisation;

use super::rule::Check;
use super::{Level, Rule};

/// A rule whose manual page is the doc comment of `$module`'s file.
macro_rules! rule {
    ($code:literal, $level:ident, $module:ident) => {
        rule!($code, $level, $module, Check::Project($module::check_project))
    };
    ($code:literal, $level:ident, $module:ident, $check:expr) => {
        Rule::new(
            $code,
            Level::$level,
            include_str!(concat!("rules/", stringify!($module), ".rs")),
            $check,
        )
    };
}

/// All rules, sorted by code.
pub(super) const ALL: &[Rule] = &[
    rule!(
        "audit/reasonless-allow",
        Note,
        reasonless_allow,
        Check::Allows(reasonless_allow::check_comments)
    ),
    rule!("audit/unused-allow", Note, unused_allow, Check::Allows(unused_allow::check_comments)),
    rule!("bandwidth/theoretical-as-achieved", Error, theoretical_bandwidth),
    rule!("claims/contradiction", Error, claim_contradiction),
    rule!("claims/figure", Error, claim_figure),
    rule!("clock/above-fmax", Error, impossible_clock),
    rule!("connectivity/asked-clock", Error, asked_clock),
    rule!("connectivity/compute-unit", Error, compute_unit),
    rule!("connectivity/not-on-card", Error, not_on_card),
    rule!("connectivity/shared-bank", Warning, shared_bank),
    rule!("connectivity/slr-crossing", Warning, slr_crossing),
    rule!("design/latency", Error, design_latency),
    rule!("design/measured", Warning, design_measured),
    rule!("design/multiply-rate", Error, design_multiply_rate),
    rule!("design/operand-format", Error, design_operand_format),
    rule!("design/precision", Error, design_precision),
    rule!("design/resources", Error, design_resources),
    rule!("design/throughput", Error, design_throughput),
    rule!("design/unserved", Warning, design_unserved),
    rule!("design/work", Error, design_work),
    rule!("kernel/accumulation", Warning, accumulation),
    rule!("kernel/compound-port", Note, compound_port),
    rule!("kernel/interval", Warning, missed_interval),
    rule!("kernel/memory-blocks", Warning, memory_blocks),
    rule!("kernel/narrow-accumulator", Warning, narrow_accumulator),
    rule!("kernel/narrow-port", Warning, narrow_port),
    rule!("kernel/shared-bundle", Warning, shared_bundle),
    rule!("kernel/slowest-stage", Note, slowest_stage),
    rule!("kernel/tile-remainder", Warning, tile_remainder),
    rule!("kernel/unfused-boundary", Warning, unfused_boundary),
    rule!("latency/batch-1", Error, batch_1),
    rule!("latency/fill-share", Warning, fill_share),
    rule!("peak/underivable", Error, underivable_peak),
    rule!("precision/alias-conflict", Error, alias_conflict),
    rule!("precision/alias-format", Error, alias_format),
    rule!("precision/alias-width", Error, alias_width),
    rule!("precision/assumed-bytes", Error, assumed_bytes),
    rule!("precision/simulation-type", Warning, simulation_type),
    rule!("report/burst", Warning, burst),
    rule!("report/cosim", Warning, cosim),
    rule!("report/ii", Warning, initiation_interval),
    rule!("report/pragma-ignored", Warning, pragma_ignored),
    rule!("report/stale", Warning, stale_report),
    rule!("report/timing", Error, timing),
    rule!("report/unknown-latency", Warning, unknown_latency),
    rule!("report/utilisation", Error, utilisation),
    rule!("shape/dump-form", Warning, dump_form),
    rule!("shape/mismatch", Error, shape_mismatch),
    rule!("shape/unknown-constant", Warning, unknown_constant),
    rule!("shape/unread-lines", Warning, unread_dump),
    rule!("source/unbuilt", Note, unbuilt_header),
    rule!("source/unread", Note, unread_source),
    rule!("workload/dead-work", Note, dead_work),
    rule!("workload/loop-invariant", Note, loop_invariant),
    rule!("workload/sequence-length", Error, sequence_length),
];
