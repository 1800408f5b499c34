// castforge: numeric conversions, bit-exact on every instruction set. This header brings the whole C++ interface.
//
//   using castforge::Type;
//   castforge::Kernel k = castforge::find_kernel("onnx@23", Type::float32, Type::float8e4m3fn, {.saturate = false});
//   if (!k) std::puts(k.status().message().c_str());
//   castforge::Status s = k.run(src, dst, count);
//
// All functions are thread-safe. None throws or allocates, but Status::message() does both, load() and add_kernels()
// allocate what they keep, and what a callback of the caller throws (ParallelFor, TextSink) passes through.
#pragma once

#if __cplusplus < 202002L
#error "castforge needs C++20: compile with -std=c++20 or later (C programs include castforge/castforge.h)"
#endif

#include <castforge/interface.hpp>
#include <castforge/range.hpp>
#include <castforge/types.hpp>
