// The kernels of the amalgam that the tests make, and the same of the library.
#pragma once

#include <castforge/castforge.hpp>
#include <cstddef>
#include <string>

#include "casts.h"

namespace castforge::amalgam_tests {

struct Entry {
  const char* kernel;
  void (*run)(const void*, void*, std::size_t);
};
#define KERNEL(name) \
  { #name, castforge_##name }
inline constexpr Entry kEntries[] = {
    KERNEL(float32_to_float8e4m3fn__rne_max), KERNEL(float32_to_float8e4m3fn__rne_nan),
    KERNEL(float8e4m3fn_to_float32__exact),   KERNEL(float32_to_bfloat16__rne_inf),
    KERNEL(bfloat16_to_float8e5m2__rne_max),  KERNEL(bfloat16_to_float8e5m2__rne_inf),
    KERNEL(float32_to_int4__rne_wrap),        KERNEL(float4e2m1_to_float32__exact),
    KERNEL(float16_to_float32__exact),        KERNEL(int32_to_uint8__exact_wrap),
    KERNEL(float64_to_float32__rne_inf),      KERNEL(float32_to_float6e2m3__rne_max_nanmax),
    KERNEL(float6e2m3_to_bfloat16__exact),    KERNEL(bool_to_float32__exact),
    KERNEL(float8e5m2_to_int8__rtz_wrap),     KERNEL(int8_to_float16__exact),
    KERNEL(uint4_to_int2__exact_wrap),        KERNEL(int64_to_float32__rne),
    KERNEL(float32_to_uint1__rtz_wrap),       KERNEL(uint1_to_float16__exact),
    KERNEL(float32_to_float32__exact),
};
#undef KERNEL

inline Kernel library_kernel(const std::string& name, const char* isa) {
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    if (kernel_at(i).name() == name) return kernel_at(i, isa);
  }
  return {};
}

}  // namespace castforge::amalgam_tests
