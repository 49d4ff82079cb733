// OpenCL C as C++, for kernels of one work item: the words that C++ does not have. Whatever asks for the number of its work item
// does not compile, and says why.
#pragma once

#define kernel extern "C"
#define __kernel extern "C"
#define global
#define __global
#define local
#define __local
#define constant const
#define __constant const
#define __private
#define restrict __restrict__
#define __attribute__(WORDS)
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(FLAGS)

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

template <class T_> unsigned long derate_work_item(T_) {
    static_assert(sizeof(T_) == 0, "derate runs OpenCL C kernels of one work item, and this one asks for its number");
    return 0;
}
#define get_global_id(DIMENSION) derate_work_item(DIMENSION)
#define get_local_id(DIMENSION) derate_work_item(DIMENSION)
#define get_group_id(DIMENSION) derate_work_item(DIMENSION)
#define get_global_size(DIMENSION) 1ul
#define get_local_size(DIMENSION) 1ul
