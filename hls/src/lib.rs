//! HLS C++ in, declarations out: aliases, constants, arrays, functions and what their types really are.
