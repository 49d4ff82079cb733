
// Products with weights in packed formats, which are expanded in registers and multiplied in single precision. A row of codes is
// whole words of 32 bits, and its length a multiple of 32 elements; of two codes in a byte the first is in the low half.

enum code_of { E4M3, E5M2, E2M1, INT4, INT8, NF4 };
enum scale_of { NONE, HALF, EIGHT, EXPONENT, SINGLE };

template <int CODE> struct word {
    static const unsigned bits = CODE == E4M3 || CODE == E5M2 || CODE == INT8 ? 8 : 4;
    static const unsigned codes = 32 / bits;
};

__device__ float half_value(unsigned bits) {
    half_bits stored;
    stored.bits = (unsigned short)bits;
    return widened(stored);
}
// The exponent of a half is biased by 8 more.
__device__ float of_e4m3(unsigned bits) { return half_value((bits & 0x80) << 8 | (bits & 0x7f) << 7) * 256.0f; }

// The sixteen numbers of NF4, where the kernels of that format look them up.
template <int CODE> __device__ void fill_table(float *table) {
    const float numbers[16] = {
        -1.0f,          -0.6961928010f, -0.5250730515f, -0.3949174881f, -0.2844413817f, -0.1847734302f, -0.0910500363f, 0.0f,
        0.0795802996f,  0.1609302014f,  0.2461123019f,  0.3379152417f,  0.4407098293f,  0.5626170039f,  0.7229568362f,  1.0f,
    };
    if (CODE == NF4) {
        if (threadIdx.x == 0) {
            for (unsigned at = 0; at < 16; ++at) {
                table[at] = numbers[at];
            }
        }
        __syncthreads();
    }
}

// The number of the code at that place in a word.
template <int CODE> __device__ float expanded(unsigned codes, unsigned place, const float *table) {
    const unsigned bits = codes >> word<CODE>::bits * place;
    switch (CODE) {
    case E4M3: return of_e4m3(bits);
    case E5M2: return half_value((bits & 0xff) << 8);
    // Its exponent is biased by 1, that of a half by 15.
    case E2M1: return half_value((bits & 8) << 12 | (bits & 7) << 9) * 16384.0f;
    case INT4: return (float)((int)(bits << 28) >> 28);
    case INT8: return (float)((int)(bits << 24) >> 24);
    default: return table[bits & 15];
    }
}

// The scale at that place among all of a matrix.
template <int SCALE> __device__ float scale_at(const unsigned char *scales, count at) {
    switch (SCALE) {
    case HALF: return half_value(((const unsigned short *)scales)[at]);
    case EIGHT: return of_e4m3(scales[at]);
    // 2^-127 is below the normal numbers.
    case EXPONENT: return __uint_as_float(scales[at] ? (unsigned)scales[at] << 23 : 0x400000u);
    case SINGLE: return ((const float *)scales)[at];
    default: return 1.0f;
    }
}

// What a product is of: `rows` rows of `columns` weights, 2^`shift` of which share a scale, times `vectors` of so many numbers.
struct product {
    const unsigned *codes;
    const unsigned char *scales;
    const float *x;
    float *y;
    unsigned rows, columns, vectors, shift;
    float tensor;
};

// y[vector][row] of one vector: two rows to a warp, so that what is read of the vector serves both.
template <int CODE, int SCALE> __device__ void multiply_vector(product of) {
    __shared__ float table[16];
    fill_table<CODE>(table);
    const unsigned words = of.columns / word<CODE>::codes, lane = threadIdx.x % 32;
    const unsigned scales = ((of.columns - 1) >> of.shift) + 1, warps = blockDim.x / 32;
    const unsigned pairs = (of.rows + 1) / 2;
    for (unsigned pair = blockIdx.x * warps + threadIdx.x / 32; pair < pairs; pair += gridDim.x * warps) {
        const count first = 2 * (count)pair, second = first + 1 < of.rows ? first + 1 : first;
        float one = 0.0f, other = 0.0f;
        for (unsigned at = lane; at < words; at += 32) {
            const unsigned upper = of.codes[first * words + at], lower = of.codes[second * words + at];
            const unsigned column = at * word<CODE>::codes, block = column >> of.shift;
            float upper_sum = 0.0f, lower_sum = 0.0f;
#pragma unroll
            for (unsigned place = 0; place < word<CODE>::codes; ++place) {
                const float x = of.x[column + place];
                upper_sum += expanded<CODE>(upper, place, table) * x;
                lower_sum += expanded<CODE>(lower, place, table) * x;
            }
            one += upper_sum * scale_at<SCALE>(of.scales, first * scales + block);
            other += lower_sum * scale_at<SCALE>(of.scales, second * scales + block);
        }
        for (unsigned step = 16; step; step /= 2) {
            one += __shfl_xor_sync(0xffffffffu, one, step);
            other += __shfl_xor_sync(0xffffffffu, other, step);
        }
        if (lane == 0) {
            of.y[first] = one * of.tensor;
            of.y[second] = second == first ? one * of.tensor : other * of.tensor;
        }
    }
}

// y[vector][row] of many vectors, tile by tile: 256 threads, each of them 4 rows of 4 vectors.
template <int CODE, int SCALE> __device__ void multiply_tiles(product of) {
    __shared__ float table[16];
    __shared__ float left[32][65], right[32][65];
    fill_table<CODE>(table);
    const unsigned words = of.columns / word<CODE>::codes, each = 32 / word<CODE>::codes;
    const unsigned scales = ((of.columns - 1) >> of.shift) + 1;
    const unsigned wide = (of.rows + 63) / 64, high = (of.vectors + 63) / 64;
    const unsigned across = threadIdx.x % 16, down = threadIdx.x / 16;
    for (count tile = blockIdx.x; tile < (count)wide * high; tile += gridDim.x) {
        const unsigned row = (unsigned)(tile % wide) * 64, vector = (unsigned)(tile / wide) * 64;
        float sums[4][4] = {};
        for (unsigned depth = 0; depth < of.columns; depth += 32) {
            for (unsigned at = threadIdx.x; at < 64 * each; at += blockDim.x) {
                const unsigned own = row + at / each, column = depth + at % each * word<CODE>::codes;
                const bool there = own < of.rows;
                const unsigned codes = there ? of.codes[(count)own * words + column / word<CODE>::codes] : 0;
                const float by = there ? scale_at<SCALE>(of.scales, (count)own * scales + (column >> of.shift)) : 0.0f;
                for (unsigned place = 0; place < word<CODE>::codes; ++place) {
                    right[column - depth + place][at / each] = expanded<CODE>(codes, place, table) * by;
                }
            }
            for (unsigned at = threadIdx.x; at < 64 * 32; at += blockDim.x) {
                const unsigned own = vector + at / 32;
                left[at % 32][at / 32] = own < of.vectors ? of.x[(count)own * of.columns + depth + at % 32] : 0.0f;
            }
            __syncthreads();
            for (unsigned step = 0; step < 32; ++step) {
                for (unsigned i = 0; i < 4; ++i) {
                    for (unsigned j = 0; j < 4; ++j) {
                        sums[i][j] += left[step][down + 16 * i] * right[step][across + 16 * j];
                    }
                }
            }
            __syncthreads();
        }
        for (unsigned i = 0; i < 4; ++i) {
            for (unsigned j = 0; j < 4; ++j) {
                const unsigned own = row + across + 16 * j, to = vector + down + 16 * i;
                if (own < of.rows && to < of.vectors) {
                    of.y[(count)to * of.rows + own] = sums[i][j] * of.tensor;
                }
            }
        }
    }
}

#define PACKED(code, scale, CODE, SCALE)                                                                                           \
    extern "C" __global__ void vector_##code##_##scale(const unsigned *codes, const unsigned char *scales, const float *x,         \
                                                       float *y, unsigned rows, unsigned columns, unsigned vectors,                \
                                                       unsigned shift, float tensor) {                                             \
        const product of = {codes, scales, x, y, rows, columns, vectors, shift, tensor};                                           \
        multiply_vector<CODE, SCALE>(of);                                                                                          \
    }                                                                                                                              \
    extern "C" __global__ void tiles_##code##_##scale(const unsigned *codes, const unsigned char *scales, const float *x,          \
                                                      float *y, unsigned rows, unsigned columns, unsigned vectors,                 \
                                                      unsigned shift, float tensor) {                                              \
        const product of = {codes, scales, x, y, rows, columns, vectors, shift, tensor};                                           \
        multiply_tiles<CODE, SCALE>(of);                                                                                           \
    }

#define ALL_PACKED(with)                                                                                                           \
    with(e4m3, none, E4M3, NONE) with(e5m2, none, E5M2, NONE) with(int4, none, INT4, NONE) with(e4m3, exponent, E4M3, EXPONENT)    \
    with(e5m2, exponent, E5M2, EXPONENT) with(e2m1, exponent, E2M1, EXPONENT) with(e2m1, eight, E2M1, EIGHT)                       \
    with(nf4, single, NF4, SINGLE) with(int8, single, INT8, SINGLE) with(int4, half, INT4, HALF)

ALL_PACKED(PACKED)
