// A stand-in for the vendor's header where that is absent: a line on stderr, where no program's results go.
#pragma once

#include <cstdio>

namespace hls {

// The vendor's takes one number at most, of type int or double.
inline void print(const char *text) { std::fputs(text, stderr); }
inline void print(const char *format, int value) { std::fprintf(stderr, format, value); }
inline void print(const char *format, double value) { std::fprintf(stderr, format, value); }

} // namespace hls
