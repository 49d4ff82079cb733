//! The texts of the kernels in `kernels`, and of the headers in `sim`, as files with their names.

/// The kernels, in the order of their names.
pub const SOURCES: [(&str, &str); 6] = [
    ("gemm_bf16.cpp", include_str!("../kernels/gemm_bf16.cpp")),
    ("gemm_f32.cpp", include_str!("../kernels/gemm_f32.cpp")),
    ("gemm_i8.cpp", include_str!("../kernels/gemm_i8.cpp")),
    ("memcpy.cpp", include_str!("../kernels/memcpy.cpp")),
    ("read.cpp", include_str!("../kernels/read.cpp")),
    ("write.cpp", include_str!("../kernels/write.cpp")),
];

/// What a kernel may include though it is not beside it: the vendor's headers for emulation, and derate's.
pub const HEADERS: [(&str, &str); 27] = [
    ("ap_axi_sdata.h", include_str!("../sim/ap_axi_sdata.h")),
    ("ap_fixed.h", include_str!("../sim/ap_fixed.h")),
    ("ap_int.h", include_str!("../sim/ap_int.h")),
    ("ap_utils.h", include_str!("../sim/ap_utils.h")),
    ("hls_burst_maxi.h", include_str!("../sim/hls_burst_maxi.h")),
    ("hls_directio.h", include_str!("../sim/hls_directio.h")),
    ("hls_fence.h", include_str!("../sim/hls_fence.h")),
    ("hls_math.h", include_str!("../sim/hls_math.h")),
    ("hls_np_channel.h", include_str!("../sim/hls_np_channel.h")),
    ("hls_print.h", include_str!("../sim/hls_print.h")),
    ("hls_stream.h", include_str!("../sim/hls_stream.h")),
    ("hls_streamofblocks.h", include_str!("../sim/hls_streamofblocks.h")),
    ("hls_task.h", include_str!("../sim/hls_task.h")),
    ("hls_vector.h", include_str!("../sim/hls_vector.h")),
    ("port.h", include_str!("../kernels/port.h")),
    ("etc/ap_utils.h", include_str!("../sim/etc/ap_utils.h")),
    ("derate/ap_operand.h", include_str!("../sim/derate/ap_operand.h")),
    ("derate/ap_operators.h", include_str!("../sim/derate/ap_operators.h")),
    ("derate/ap_reference.h", include_str!("../sim/derate/ap_reference.h")),
    ("derate/ap_value.h", include_str!("../sim/derate/ap_value.h")),
    ("derate/fixed_value.h", include_str!("../sim/derate/fixed_value.h")),
    ("derate/frame.h", include_str!("../sim/derate/frame.h")),
    ("derate/kernel.h", include_str!("../sim/derate/kernel.h")),
    ("derate/opencl_c.h", include_str!("../sim/derate/opencl_c.h")),
    ("derate/port.h", include_str!("../sim/derate/port.h")),
    ("derate/tasks.h", include_str!("../sim/derate/tasks.h")),
    ("derate/updates.h", include_str!("../sim/derate/updates.h")),
];
