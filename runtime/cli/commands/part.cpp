#include "cli/commands/part.hpp"

#include "cli/io/failure.hpp"
#include "cli/terminal/whole_number.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge::cli {

Part part_from(const std::string& given) {
  const std::string_view words = given;
  const std::size_t slash = words.find('/');
  constexpr std::int64_t kMostParts = 1'000'000;
  const auto count =
      slash == words.npos ? std::nullopt : terminal::whole_number(words.substr(slash + 1), 1, kMostParts);
  const auto index = count ? terminal::whole_number(words.substr(0, slash), 0, *count - 1) : std::nullopt;
  if (!index) {
    throw usage_error(text("--shard: expected I/N, part I of N, where N is 1 to ", kMostParts,
                           " and I is 0 to N - 1, found ", in_quotes(given)));
  }
  return {static_cast<std::size_t>(*index), static_cast<std::size_t>(*count)};
}

}  // namespace castforge::cli
