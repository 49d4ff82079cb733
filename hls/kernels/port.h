// A kernel's pointer to external memory. For the tools it is a plain pointer; where derate's simulation headers are on the
// include path it is a port that checks and counts every access.
#pragma once

#if defined(__SYNTHESIS__)
template <class T> using port = T *;
#elif __has_include(<derate/port.h>)
#include <derate/port.h>
template <class T> using port = derate::port<T>;
#else
template <class T> using port = T *;
#endif
