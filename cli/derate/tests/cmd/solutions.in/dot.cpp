#include "third_party/xmath/clamp.h"

void dot(const int a[64], const int b[64], int *out) {
    int sum = 0;
MULTIPLY:
    for (int i = 0; i < 64; i++) {
        sum += a[i] * b[i];
    }
    *out = clamp(sum);
}
