// The C++ interface without the names of types (and without sequences, which have some): code that includes this is not
// compiled again where types are added.
#pragma once

#include <castforge/added_kernels.hpp>
#include <castforge/attributes.hpp>
#include <castforge/exact.hpp>
#include <castforge/format.hpp>
#include <castforge/isa.hpp>
#include <castforge/kernel.hpp>
#include <castforge/load.hpp>
#include <castforge/opset.hpp>
#include <castforge/rule.hpp>
#include <castforge/status.hpp>
#include <castforge/tensor.hpp>
#include <castforge/text.hpp>
#include <castforge/type_info.hpp>

namespace castforge {

/// Of the library that runs: major, minor, patch ("1.2.3").
CASTFORGE_API const char* version() noexcept;

/// Hash over the meanings of all kernels and the ids of all types of the library: equal hashes, equal results. Added
/// kernels have their own.
CASTFORGE_API const char* manifest_hash() noexcept;

}  // namespace castforge
