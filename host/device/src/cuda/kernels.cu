// derate's own kernels, compiled at run time for the GPU that is there; there are no headers. Whatever elements are stored
// in, they are computed with in single precision, and rounded to the nearest when they are stored.

typedef unsigned long long count;

struct half_bits {
    unsigned short bits;
};
struct brain_bits {
    unsigned short bits;
};

#ifdef __CUDACC_RTC__
__device__ float widened(half_bits stored) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(stored.bits));
    return value;
}
__device__ unsigned short of_half(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
#else
// Without a GPU's instructions whoever compiles this has these two.
float widened(half_bits stored);
unsigned short of_half(float value);
#endif

__device__ float widened(float stored) { return stored; }
__device__ float widened(brain_bits stored) { return __uint_as_float(unsigned(stored.bits) << 16); }

__device__ void store(float *at, float value) { *at = value; }
__device__ void store(half_bits *at, float value) { at->bits = of_half(value); }
__device__ void store(brain_bits *at, float value) {
    const unsigned bits = __float_as_uint(value);
    // What is no number stays none; else to the nearest, halves to the even one.
    const bool is_number = value == value;
    at->bits = (unsigned short)((is_number ? bits + 0x7fff + (bits >> 16 & 1) : bits | 0x400000) >> 16);
}

__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ float sum_of(float a, float b) { return a + b; }

// One number of all threads of a block, whose count is a multiple of 32.
template <float (*both)(float, float)> __device__ float of_block(float own, float *of_warps) {
    for (unsigned lane = 16; lane; lane /= 2) {
        own = both(own, __shfl_xor_sync(0xffffffffu, own, lane));
    }
    // Nobody reads what the call before this one left there.
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        of_warps[threadIdx.x / 32] = own;
    }
    __syncthreads();
    own = of_warps[0];
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) {
        own = both(own, of_warps[warp]);
    }
    return own;
}

// Scores to shares, in place, a block to a row. Queries are the last of the keys' tokens; causal, none sees a later key.
template <class T>
__device__ void softmax(T *scores, count rows, unsigned queries, unsigned keys, unsigned causal, float scale) {
    __shared__ float of_warps[32];
    for (count row = blockIdx.x; row < rows; row += gridDim.x) {
        T *own = scores + row * keys;
        const unsigned query = (unsigned)(row % queries);
        const unsigned seen = causal ? keys - queries + query + 1 : keys;
        float most = __uint_as_float(0xff800000u);
        for (unsigned key = threadIdx.x; key < seen; key += blockDim.x) {
            most = larger(widened(own[key]), most);
        }
        most = of_block<larger>(most, of_warps);
        float sum = 0;
        for (unsigned key = threadIdx.x; key < seen; key += blockDim.x) {
            sum += expf((widened(own[key]) - most) * scale);
        }
        const float share = 1.0f / of_block<sum_of>(sum, of_warps);
        for (unsigned key = threadIdx.x; key < keys; key += blockDim.x) {
            store(own + key, key < seen ? expf((widened(own[key]) - most) * scale) * share : 0.0f);
        }
    }
}

// x / (1 + e^(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3): the tanh form, of each element times `scale`; `from` may be `to`.
template <class T> __device__ void gelu(const T *from, T *to, count elements, float scale) {
    const count step = (count)gridDim.x * blockDim.x;
    for (count at = (count)blockIdx.x * blockDim.x + threadIdx.x; at < elements; at += step) {
        const float x = widened(from[at]) * scale;
        const float u = 0.7978846f * (x + 0.044715f * x * x * x);
        store(to + at, x / (1.0f + expf(-2.0f * u)));
    }
}

// A gradient times `scale` and GELU's slope at what it was taken of, `s + 2 x u' s (1 - s)`, `s = 1 / (1 + e^(-2 u))`; `from` may be `to`.
template <class T> __device__ void slope(const T *from, const T *of, T *to, count elements, float scale) {
    const count step = (count)gridDim.x * blockDim.x;
    for (count at = (count)blockIdx.x * blockDim.x + threadIdx.x; at < elements; at += step) {
        const float x = widened(of[at]) * scale, square = 0.044715f * x * x;
        // Below this, e^(-2 u) would leave the range, and the slope is nothing.
        const float e = expf(-larger(-60.0f, 2.0f * 0.7978846f * x * (1.0f + square)));
        const float share = 1.0f / (1.0f + e), rise = 2.0f * 0.7978846f * (1.0f + 3.0f * square);
        store(to + at, widened(from[at]) * scale * (share + x * rise * (e * share) * share));
    }
}

#define KERNELS(name, type)                                                                                                        \
    extern "C" __global__ void softmax_##name(type *scores, count rows, unsigned queries, unsigned keys, unsigned causal,          \
                                              float scale) {                                                                       \
        softmax(scores, rows, queries, keys, causal, scale);                                                                       \
    }                                                                                                                              \
    extern "C" __global__ void gelu_##name(const type *from, type *to, count elements, float scale) {                              \
        gelu(from, to, elements, scale);                                                                                           \
    }                                                                                                                              \
    extern "C" __global__ void slope_##name(const type *from, const type *of, type *to, count elements, float scale) {             \
        slope(from, of, to, elements, scale);                                                                                      \
    }

KERNELS(fp32, float)
KERNELS(fp16, half_bits)
KERNELS(bf16, brain_bits)
