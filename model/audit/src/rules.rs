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
mod cut_port;
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
mod empty_kernel;
mod failed_synthesis;
mod fill_share;
mod implemented;
mod impossible_clock;
mod initiation_interval;
mod layer_settings;
mod loop_invariant;
mod lost_directive;
mod lost_sum;
mod memory_blocks;
mod missed_interval;
mod narrow_accumulator;
mod narrow_port;
mod not_on_card;
mod part_conflict;
mod pragma_ignored;
mod reasonless_allow;
mod refused_pipeline;
mod repeats;
mod routed_slack;
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
mod unknown_variable;
mod unmarked_directive;
mod unpipelined;
mod unread_dump;
mod unread_source;
mod unused_allow;
mod utilisation;

use super::rule::Check;
use super::{Level, Rule};

/// A rule whose manual page is the doc comment of `$module`'s file.
macro_rules! rule {
    ($code:literal, $level:ident, Allows, $module:ident) => {
        rule!($code, $level, $module, Check::Allows($module::check_comments))
    };
    ($code:literal, $level:ident, $needs:ident, $module:ident) => {
        rule!($code, $level, $module, Check::$needs($module::check_project))
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
    rule!("audit/reasonless-allow", Note, Allows, reasonless_allow),
    rule!("audit/unused-allow", Note, Allows, unused_allow),
    rule!("bandwidth/theoretical-as-achieved", Error, Model, theoretical_bandwidth),
    rule!("claims/contradiction", Error, Model, claim_contradiction),
    rule!("claims/figure", Error, Model, claim_figure),
    rule!("clock/above-fmax", Error, Claims, impossible_clock),
    rule!("connectivity/asked-clock", Error, Claims, asked_clock),
    rule!("connectivity/compute-unit", Error, Files, compute_unit),
    rule!("connectivity/not-on-card", Error, Platform, not_on_card),
    rule!("connectivity/shared-bank", Warning, Files, shared_bank),
    rule!("connectivity/slr-crossing", Warning, Platform, slr_crossing),
    rule!("design/latency", Error, Model, design_latency),
    rule!("design/measured", Warning, Model, design_measured),
    rule!("design/multiply-rate", Error, Model, design_multiply_rate),
    rule!("design/operand-format", Error, Model, design_operand_format),
    rule!("design/precision", Error, Model, design_precision),
    rule!("design/resources", Error, Model, design_resources),
    rule!("design/throughput", Error, Model, design_throughput),
    rule!("design/unserved", Warning, Model, design_unserved),
    rule!("design/work", Error, Model, design_work),
    rule!("kernel/accumulation", Warning, Files, accumulation),
    rule!("kernel/compound-port", Note, Files, compound_port),
    rule!("kernel/cut-port", Warning, Files, cut_port),
    rule!("kernel/interval", Warning, Part, missed_interval),
    rule!("kernel/lost-directive", Warning, Files, lost_directive),
    rule!("kernel/lost-sum", Warning, Files, lost_sum),
    rule!("kernel/memory-blocks", Warning, Part, memory_blocks),
    rule!("kernel/narrow-accumulator", Warning, Files, narrow_accumulator),
    rule!("kernel/narrow-port", Warning, Platform, narrow_port),
    rule!("kernel/shared-bundle", Warning, Files, shared_bundle),
    rule!("kernel/slowest-stage", Note, Part, slowest_stage),
    rule!("kernel/tile-remainder", Warning, Files, tile_remainder),
    rule!("kernel/unfused-boundary", Warning, Files, unfused_boundary),
    rule!("kernel/unknown-variable", Warning, Files, unknown_variable),
    rule!("kernel/unmarked-directive", Warning, Files, unmarked_directive),
    rule!("kernel/unpipelined", Warning, Part, unpipelined),
    rule!("latency/batch-1", Error, Model, batch_1),
    rule!("latency/fill-share", Warning, Files, fill_share),
    rule!("peak/underivable", Error, Model, underivable_peak),
    rule!("precision/alias-conflict", Error, Files, alias_conflict),
    rule!("precision/alias-format", Warning, Files, alias_format),
    rule!("precision/alias-width", Error, Files, alias_width),
    rule!("precision/assumed-bytes", Error, Claims, assumed_bytes),
    rule!("precision/simulation-type", Warning, Files, simulation_type),
    rule!("report/burst", Warning, Files, burst),
    rule!("report/cosim", Warning, Files, cosim),
    rule!("report/empty", Warning, Files, empty_kernel),
    rule!("report/failed-synthesis", Warning, Files, failed_synthesis),
    rule!("report/ii", Warning, Files, initiation_interval),
    rule!("report/part", Warning, Model, part_conflict),
    rule!("report/pragma-ignored", Warning, Files, pragma_ignored),
    rule!("report/refused-pipeline", Warning, Files, refused_pipeline),
    rule!("report/stale", Warning, Files, stale_report),
    rule!("report/timing", Error, Files, timing),
    rule!("report/unknown-latency", Warning, Files, unknown_latency),
    rule!("report/utilisation", Error, Files, utilisation),
    rule!("shape/dump-form", Warning, Model, dump_form),
    rule!("shape/mismatch", Error, Model, shape_mismatch),
    rule!("shape/unknown-constant", Warning, Model, unknown_constant),
    rule!("shape/unread-lines", Warning, Model, unread_dump),
    rule!("source/hls4ml-config", Warning, Files, layer_settings),
    rule!("source/unbuilt", Note, Files, unbuilt_header),
    rule!("source/unread", Warning, Files, unread_source),
    rule!("workload/dead-work", Note, Model, dead_work),
    rule!("workload/loop-invariant", Note, Model, loop_invariant),
    rule!("workload/sequence-length", Error, Model, sequence_length),
];
