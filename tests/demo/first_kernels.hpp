// What first_kernels.cpp has of each instruction set.
#pragma once

#include "src/kernel_function.hpp"

namespace castforge::first {

struct Kernels {
  tables::KernelFn float32_to_float8e4m3fn, float32_to_bfloat16, float8e4m3fn_to_float32;
};

}  // namespace castforge::first
