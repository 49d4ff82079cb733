#pragma once
#include "xmath_tables.h"

inline int clamp(int value) {
    return value > 1000 ? 1000 : value;
}
