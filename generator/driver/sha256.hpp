// SHA-256 (FIPS 180-4), for the meaning hashes in kernel headers.
#pragma once

#include <string>
#include <string_view>

namespace castforge::driver {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace castforge::driver
