// Hexadecimal numerals, as in C++.
#pragma once

#include <cstdint>
#include <string>

namespace castforge::spec {

/// 0x-prefixed, upper case, at least `bits`/4 digits.
std::string hex(std::uint64_t value, int bits = 0);

}  // namespace castforge::spec
