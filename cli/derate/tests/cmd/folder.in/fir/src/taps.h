#pragma once

// Samples are kept in 16 bits.
typedef float coef16_t;
typedef int acc_t;
