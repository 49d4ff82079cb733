use super::option::{Count, OptionPair, has_flag};
use serde::Serialize;

/// An HLS directive.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Directive {
    /// What it asks for.
    pub kind: DirectiveKind,
    /// Every option as written, in order; also those that `kind` does not hold.
    pub options: Vec<OptionPair>,
}

impl Directive {
    /// Whether `off` takes it back: `unroll off=true` keeps a loop as it is.
    pub fn is_off(&self) -> bool {
        has_flag(&self.options, "off")
    }
}

/// The directives of Vivado HLS and Vitis HLS.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectiveKind {
    /// `pipeline`
    Pipeline(Pipeline),
    /// `unroll`; without a factor all iterations are unrolled.
    Unroll {
        /// How many iterations become one.
        factor: Option<Count>,
    },
    /// `dataflow`
    Dataflow,
    /// `array_partition`
    ArrayPartition(Partitioning),
    /// `array_reshape`
    ArrayReshape(Partitioning),
    /// `interface`
    Interface(Interface),
    /// `stream`
    Stream(Stream),
    /// `bind_op`
    BindOp(Bind),
    /// `bind_storage`
    BindStorage(Bind),
    /// `resource`, which `bind_op` and `bind_storage` replaced.
    Resource {
        /// The variable.
        variable: Option<String>,
        /// The core: `RAM_2P_BRAM`.
        core: Option<String>,
        /// Stages.
        latency: Option<Count>,
    },
    /// `allocation`
    Allocation {
        /// The operations, functions or cores.
        instances: Option<String>,
        /// How many of them there may be.
        limit: Option<Count>,
    },
    /// `loop_tripcount`: for the report only; it changes no hardware.
    LoopTripcount(TripCount),
    /// `inline`
    Inline(Inline),
    /// `dependence`
    Dependence(Dependence),
    /// `function_instantiate`
    FunctionInstantiate {
        /// The argument that is a constant at each call.
        variable: Option<String>,
    },
    /// `aggregate`: a struct in one word.
    Aggregate {
        /// The variable.
        variable: Option<String>,
    },
    /// `disaggregate`: a struct as its members.
    Disaggregate {
        /// The variable.
        variable: Option<String>,
    },
    /// `data_pack`, which `aggregate` replaced.
    DataPack {
        /// The variable.
        variable: Option<String>,
    },
    /// `stable`: an argument that does not change while a dataflow region runs.
    Stable {
        /// The variable.
        variable: Option<String>,
    },
    /// `performance`
    Performance {
        /// The cycles between starts that are asked for.
        target_ti: Option<Count>,
    },
    /// A directive that is not in this list, in small letters.
    Other(String),
}

/// Options of `pipeline`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct Pipeline {
    /// The initiation interval that is asked for; without one the tool aims at 1.
    pub ii: Option<Count>,
    /// The next run of the loop begins before this one ends.
    pub rewind: bool,
    /// No pipelining, although the tool would.
    pub off: bool,
    /// `stp`, `flp`, `frp`.
    pub style: Option<String>,
}

/// How an array is cut up.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Partition {
    /// Into its elements. It is what the tool does when no type is given.
    Complete,
    /// Into runs of neighbours.
    Block,
    /// One element after another to each part.
    Cyclic,
    /// Another word.
    Other(String),
}

/// Options of `array_partition` and `array_reshape`.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Partitioning {
    /// The array.
    pub variable: Option<String>,
    /// How; `None` if it is not written.
    pub partition: Option<Partition>,
    /// Into how many.
    pub factor: Option<Count>,
    /// Which dimension, from one; 0 is all of them.
    pub dim: Option<Count>,
}

/// Options of `interface`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct Interface {
    /// `m_axi`, `s_axilite`, `axis`, `ap_none`.
    pub mode: Option<String>,
    /// The argument; `return` for the block's own control.
    pub port: Option<String>,
    /// Arguments of one bundle share a port. Without one, `m_axi` arguments share `gmem`.
    pub bundle: Option<String>,
    /// Elements, for co-simulation or a FIFO.
    pub depth: Option<Count>,
    /// `slave`, `direct`, `off`, or an address.
    pub offset: Option<String>,
    /// The memory's latency that the schedule should assume.
    pub latency: Option<Count>,
    /// Reads in flight.
    pub num_read_outstanding: Option<Count>,
    /// Writes in flight.
    pub num_write_outstanding: Option<Count>,
    /// Beats in one read burst.
    pub max_read_burst_length: Option<Count>,
    /// Beats in one write burst.
    pub max_write_burst_length: Option<Count>,
    /// The widest that the tool may make the port, in bits.
    pub max_widen_bitwidth: Option<Count>,
    /// The memory behind `ap_memory`: `ram_s2p`, `ram_1p`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_type: Option<String>,
}

/// Options of `stream`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct Stream {
    /// The stream.
    pub variable: Option<String>,
    /// Elements that it holds.
    pub depth: Option<Count>,
    /// `fifo`, `pipo`, `shared`, `unsync`.
    pub style: Option<String>,
    /// Not a stream after all.
    pub off: bool,
}

/// Options of `bind_op` and `bind_storage`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct Bind {
    /// The variable.
    pub variable: Option<String>,
    /// The operation of `bind_op`: `mul`.
    pub op: Option<String>,
    /// The memory of `bind_storage`: `ram_2p`.
    pub storage: Option<String>,
    /// With what: `dsp`, `fabric`, `uram`.
    pub implementation: Option<String>,
    /// Stages.
    pub latency: Option<Count>,
}

/// Options of `loop_tripcount`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct TripCount {
    /// The least.
    pub min: Option<Count>,
    /// The most.
    pub max: Option<Count>,
    /// The mean.
    pub avg: Option<Count>,
}

/// Options of `inline`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct Inline {
    /// The function stays a module.
    pub off: bool,
    /// The functions that it calls are inlined too.
    pub recursive: bool,
}

/// Options of `dependence`.
#[derive(Clone, Eq, PartialEq, Default, Debug, Serialize)]
pub struct Dependence {
    /// The variable.
    pub variable: Option<String>,
    /// `inter` or `intra`.
    pub scope: Option<String>,
    /// `RAW`, `WAR`, `WAW`.
    pub direction: Option<String>,
    /// Rounds between the two accesses.
    pub distance: Option<Count>,
    /// `true` or `false`; `false` tells the tool that there is no dependence, and nothing checks it.
    pub dependent: Option<bool>,
}
