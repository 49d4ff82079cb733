// Adds two vectors on the card. Nothing here knows that the card is emulated.
#include <cstdio>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

int main(int count, char **arguments) {
    if (count < 2) {
        return 2;
    }
    const unsigned size = 4096, bytes = size * sizeof(int);
    xrt::device device(0);
    xrt::kernel vadd(device, device.load_xclbin(arguments[1]), "vadd");
    xrt::bo a(device, bytes, vadd.group_id(0)), b(device, bytes, vadd.group_id(1));
    xrt::bo sum(device, bytes, vadd.group_id(2));
    int *left = a.map<int *>(), *right = b.map<int *>();
    for (unsigned i = 0; i < size; ++i) {
        left[i] = int(i);
        right[i] = int(2 * i);
    }
    a.sync(XCL_BO_SYNC_BO_TO_DEVICE);
    b.sync(XCL_BO_SYNC_BO_TO_DEVICE);
    vadd(a, b, sum, bytes / 64).wait();
    sum.sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    const int *result = sum.map<int *>();
    unsigned wrong = 0;
    for (unsigned i = 0; i < size; ++i) {
        wrong += result[i] != int(3 * i);
    }
    std::printf("%u sums, %u wrong\n", size, wrong);
    return wrong != 0;
}
