//! What a design is scheduled for: clock, card, tool.

use crate::area::Area;
use crate::cause::Cause;
use crate::conditions::Conditions;
use crate::constants::{BusCycles, Constants, FloatOperator};
use crate::timing::Timing;
use derate_hls::{TclSetting, is_vitis};
use derate_machine::{FlowTarget, Part};

/// The version of Vitis HLS where nothing says which.
pub const DEFAULT_TOOL: (u16, u16) = (2023, 2);

/// What Vivado HLS keeps free of the period: 1.25 ns of 10 ns in its reports.
const VIVADO_UNCERTAINTY: f64 = 0.125;

/// What a design is scheduled for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The period of the clock, in ns.
    pub clock_ns: f64,
    /// The share of the period that the tool keeps free: 0.27 unless it is set, 0.125 with Vivado HLS.
    pub uncertainty: f64,
    /// The version of the tool, as year and release.
    pub tool: (u16, u16),
    /// The part.
    pub part: Part,
    /// `config_compile -unsafe_math_optimizations`
    pub unsafe_math: bool,
    /// `config_compile -pipeline_loops`. 0 with Vivado HLS: it pipelines only what a directive asks for.
    pub pipeline_loops: u64,
    /// `config_array_partition -complete_threshold`
    pub complete_threshold: u64,
    /// `config_array_partition -auto_promotion_threshold`
    pub promotion_threshold: u64,
    /// `-flow_target`
    pub flow: FlowTarget,
    /// `config_interface -m_axi_latency`
    pub bus_latency: Option<u64>,
    /// `config_interface -m_axi_max_widen_bitwidth`
    pub max_widen: Option<u64>,
    /// Delays and latencies of operators.
    pub constants: Constants,
    /// What the registers of the top function's numbers hold in a run, by their names: loops whose bounds follow from them are
    /// counted, whatever their `loop_tripcount` says. Resources do not depend on it.
    pub arguments: Vec<(String, u64)>,
}

impl Settings {
    /// What the tool does for a part at a clock when nothing else is asked of it.
    #[must_use]
    pub fn new(part: Part, clock_ns: f64, tool: (u16, u16)) -> Self {
        // Reports of 2015.3 to 2020.1 say that they are of Vivado HLS.
        let is_vivado = !is_vitis(tool);
        Self {
            clock_ns,
            uncertainty: if is_vivado { VIVADO_UNCERTAINTY } else { 0.27 },
            tool,
            part,
            unsafe_math: false,
            pipeline_loops: if is_vivado { 0 } else { 64 },
            complete_threshold: 4,
            promotion_threshold: 64,
            flow: FlowTarget::default(),
            bus_latency: None,
            max_widen: None,
            constants: Constants::built_in(),
            arguments: Vec::new(),
        }
    }

    /// Takes over what `config_compile` and `config_array_partition` ask for.
    pub fn apply_tool_settings(&mut self, settings: &[TclSetting]) {
        for (key, value) in settings.iter().flat_map(|setting| &setting.options) {
            let number = value.as_ref().and_then(|value| value.parse::<u64>().ok());
            match key.trim_start_matches('-') {
                "unsafe_math_optimizations" => {
                    self.unsafe_math = !matches!(value.as_deref(), Some("0" | "false" | "off"));
                }
                "flow_target" => match value.as_deref() {
                    Some("vitis") => self.flow = FlowTarget::Vitis,
                    Some("vivado") => self.flow = FlowTarget::Vivado,
                    _ => {}
                },
                "m_axi_latency" => self.bus_latency = number.or(self.bus_latency),
                "m_axi_max_widen_bitwidth" => self.max_widen = number.or(self.max_widen),
                "pipeline_loops" => self.pipeline_loops = number.unwrap_or(self.pipeline_loops),
                // Its name in 2020.2.
                "complete_threshold" | "auto_partition_threshold" => {
                    self.complete_threshold = number.unwrap_or(self.complete_threshold);
                }
                "auto_promotion_threshold" => {
                    self.promotion_threshold = number.unwrap_or(self.promotion_threshold);
                }
                _ => {}
            }
        }
    }

    /// What is left of a cycle for logic, in ns.
    #[must_use]
    pub fn budget(&self) -> f64 {
        self.clock_ns * (1.0 - self.uncertainty)
    }

    fn conditions(&self) -> Conditions {
        Conditions {
            clock_ns: self.clock_ns,
            budget: self.budget(),
            tool: self.tool,
            family: self.part.family,
        }
    }

    /// The delay of a kind of logic, in ns.
    #[must_use]
    pub fn delay(&self, kind: &str) -> f64 {
        self.constants.delay(&self.conditions(), kind)
    }

    /// The delay of a sum of whole numbers of so many bits, in ns.
    #[must_use]
    pub fn adder(&self, width: u16) -> f64 {
        self.delay("add") + self.delay("add_per_bit") * (f64::from(width) - 32.0).max(-24.0)
    }

    /// The delay of a comparison of whole numbers of so many bits, in ns.
    #[must_use]
    pub fn comparator(&self, width: u16) -> f64 {
        self.delay("compare") + 0.01 * (f64::from(width) - 32.0).max(-24.0)
    }

    /// A DSP slice that multiplies and adds.
    #[must_use]
    pub fn multiply_add(&self) -> Timing {
        self.constants.multiply_add(&self.conditions())
    }

    /// A floating-point operator.
    #[must_use]
    pub fn float(&self, kind: &str, bits: u16) -> FloatOperator {
        self.constants.float(&self.conditions(), kind, bits)
    }

    /// By what hardware may be faster and slower for a cause of doubt.
    #[must_use]
    pub fn range_factors(&self, cause: Cause) -> (f64, f64) {
        self.constants.range.get(&cause).copied().unwrap_or((1.0, 1.0))
    }

    /// LUT and FF of a floating-point operator; both 0 where the table has none of the kind.
    #[must_use]
    pub fn unit_area(&self, kind: &str, bits: u16) -> (f64, f64) {
        self.constants.unit_area(&self.conditions(), kind, bits)
    }

    /// What a bus takes beside memory.
    #[must_use]
    pub fn bus(&self) -> BusCycles {
        self.constants.bus(self.tool)
    }

    /// What LUT and FF things cost.
    #[must_use]
    pub fn area(&self) -> &Area {
        &self.constants.area
    }

    /// A multiplier of whole numbers, the wider operand first.
    #[must_use]
    pub fn multiplier(&self, wide: u16, narrow: u16) -> Timing {
        self.constants.multiplier(&self.conditions(), wide, narrow)
    }

    /// The interval, in cycles, of a loop that only adds to a floating-point sum, with the fastest adder that the tool takes.
    #[must_use]
    pub fn shortest_accumulation(&self, bits: u16) -> Option<i64> {
        let fast = self.fast_add(bits).map(|fast| i64::from(fast.latency));
        self.accumulation(bits).into_iter().chain(fast).min()
    }

    /// The adder that is taken where a recurrence is too slow, if it is a faster one.
    #[must_use]
    pub fn fast_add(&self, bits: u16) -> Option<Timing> {
        self.constants.fast_add(&self.conditions(), bits)
    }

    /// A floating-point multiplier without DSP slices, if the table has it.
    #[must_use]
    pub fn logic_mul(&self, bits: u16) -> Option<Timing> {
        self.constants.logic_mul(&self.conditions(), bits)
    }

    /// DSP slices of a multiplier that is bound to `fulldsp`, if they are not the usual ones.
    #[must_use]
    pub fn full_dsp_mul(&self, bits: u16) -> Option<u32> {
        self.constants.full_dsp_mul(&self.conditions(), bits)
    }

    /// The interval, in cycles, of a loop that only adds to a floating-point sum; `None` where the table has no adder of so many bits.
    #[must_use]
    pub fn accumulation(&self, bits: u16) -> Option<i64> {
        self.constants.accumulation(&self.conditions(), bits)
    }
}
