#include "cli/commands/part.hpp"

#include "cli/commands/usage.hpp"
#include "cli/io/failure.hpp"

#include <cstdint>

namespace castforge::cli {

Part part_from(const std::string& given) {
  const std::size_t slash = given.find('/');
  std::string index = given.substr(0, slash), count = slash == given.npos ? "" : given.substr(slash + 1);
  constexpr std::uint64_t kMostParts = 1'000'000;
  if (!number_from(1, kMostParts)(count).empty() || !number_from(0, std::stoull(count) - 1)(index).empty()) {
    throw usage_error(text("--shard: expected I/N, part I of N, where I is 0 to N - 1, found ", in_quotes(given)));
  }
  return {std::stoull(index), std::stoull(count)};
}

}  // namespace castforge::cli
