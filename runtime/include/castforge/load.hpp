// Formats and rules of one's own without a compiler: .cft files, which `castforge-gen tables` writes.
#pragma once

#include <castforge/export.h>

#include <castforge/status.hpp>
#include <cstddef>
#include <span>
#include <string>

namespace castforge {

/// How many types and op-sets files may add.
inline constexpr std::size_t kMostLoadedTypes = 64, kMostLoadedOpSets = 64;

/// Adds the types, conversions and op-sets of a file to those of the library: from then on every lookup sees them, as
/// those of add_kernels. The conversions are tables, or, where no table fits, rules that are followed element by
/// element (Kernel::form). All or nothing; thread-safe; loading the same bytes twice changes nothing. Allocates memory
/// that is kept until the program ends.
///
/// file_refused: the file cannot be read, is no regular file or larger than 1 GiB, is truncated, altered, or says what
/// cannot be; the message names the byte.
/// kernels_refused: it contradicts what is known by the same name or number, or is one too many.
CASTFORGE_API Status load(const char* path) noexcept;
inline Status load(const std::string& path) noexcept { return load(path.c_str()); }  // of a std::filesystem::path too
/// The same from memory, which is not needed afterwards.
CASTFORGE_API Status load(std::span<const std::byte> bytes) noexcept;

}  // namespace castforge
