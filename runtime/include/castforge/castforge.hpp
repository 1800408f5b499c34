// castforge: numeric conversions, bit-exact on every instruction set. This header brings the whole C++
// interface.
//
//   castforge::Kernel k = castforge::find_kernel("onnx@23", castforge::Type::float32,
//   castforge::Type::float8e4m3fn,
//                                                {.saturate = false});
//   if (!k) std::puts(k.status().message().c_str());
//   castforge::Status s = k.run(src, dst, count);
//
// No function throws or allocates, Status::message() apart. All are thread-safe.
#pragma once

#include <castforge/attributes.hpp>
#include <castforge/exact.hpp>
#include <castforge/format.hpp>
#include <castforge/isa.hpp>
#include <castforge/kernel.hpp>
#include <castforge/opset.hpp>
#include <castforge/range.hpp>
#include <castforge/rule.hpp>
#include <castforge/status.hpp>
#include <castforge/tensor.hpp>
#include <castforge/text.hpp>
#include <castforge/type_info.hpp>
#include <castforge/types.hpp>

namespace castforge {

/// "0.1.0"
CASTFORGE_API const char* version() noexcept;

/// Hash over the meanings of all kernels: equal hashes, equal results.
CASTFORGE_API const char* manifest_hash() noexcept;

}  // namespace castforge
