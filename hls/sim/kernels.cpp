// The kernels that come with derate, for the emulator.

#include <derate/kernel.h>

#include "../kernels/gemm_bf16.cpp"
#include "../kernels/gemm_f32.cpp"
#include "../kernels/gemm_i8.cpp"
#include "../kernels/memcpy.cpp"
#include "../kernels/read.cpp"
#include "../kernels/write.cpp"

DERATE_EXPORT
DERATE_KERNEL(krnl_gemm_bf16)
DERATE_KERNEL(krnl_gemm_f32)
DERATE_KERNEL(krnl_gemm_i8)
DERATE_KERNEL(krnl_memcpy)
DERATE_KERNEL(krnl_memcpy_256)
DERATE_KERNEL(krnl_read)
DERATE_KERNEL(krnl_read_256)
DERATE_KERNEL(krnl_write)
DERATE_KERNEL(krnl_write_256)
