// Other libraries that convert numbers, as castforge_peers sees them.
#pragma once

#include "cli/bench/stopwatch.hpp"

#include <castforge/castforge.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace castforge::peers {

/// A conversion that a library offers. `count` is a multiple of kCountStep.
struct PeerCast {
  Type src, dst;
  cli::Routine run;
};
inline constexpr std::size_t kCountStep = 64;

struct Peer {
  std::string name, version;
  std::vector<PeerCast> casts;
};

// Each is linked only where the library was found.
Peer eigen();
Peer highway();
Peer onednn();
Peer xnnpack();

/// The castforge type of a C++ type; libraries add their own 16-bit floats.
template <class T>
inline constexpr Type kTypeOf = Type::string;
template <>
inline constexpr Type kTypeOf<float> = Type::float32;
template <>
inline constexpr Type kTypeOf<double> = Type::float64;
template <>
inline constexpr Type kTypeOf<bool> = Type::bool_;
template <>
inline constexpr Type kTypeOf<std::int8_t> = Type::int8;
template <>
inline constexpr Type kTypeOf<std::int16_t> = Type::int16;
template <>
inline constexpr Type kTypeOf<std::int32_t> = Type::int32;
template <>
inline constexpr Type kTypeOf<std::int64_t> = Type::int64;
template <>
inline constexpr Type kTypeOf<std::uint8_t> = Type::uint8;
template <>
inline constexpr Type kTypeOf<std::uint16_t> = Type::uint16;
template <>
inline constexpr Type kTypeOf<std::uint32_t> = Type::uint32;
template <>
inline constexpr Type kTypeOf<std::uint64_t> = Type::uint64;

}  // namespace castforge::peers
