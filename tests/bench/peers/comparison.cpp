#include "comparison.hpp"

#include "cli/bench/buffer.hpp"
#include "cli/bench/sample_data.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/io/element_words.hpp"

#include <algorithm>

namespace castforge::peers {
namespace {

// A plain function that a stopwatch can call, yet Kernel::run, which streams large results: what a program would call.
Kernel current;
void run_current(const void* src, void* dst, std::size_t count) noexcept { (void)current.run(src, dst, count); }

std::size_t bytes_of(Type type, std::size_t count) { return *storage_bytes(type, count); }

bool is_nan(const TypeInfo& type, std::uint64_t code) {
  return type.nan == NanCodes::ieee && (code & low_bits(type.value_bits - 1)) > type.infinity_code;
}

}  // namespace

cli::Routine find(const Peer& peer, const cli::TypePair& pair) {
  for (const PeerCast& cast : peer.casts) {
    if (cast.src == pair.src && cast.dst == pair.dst) return cast.run;
  }
  return nullptr;
}

std::optional<Difference> compare(const cli::TypePair& pair, Kernel kernel, cli::Routine theirs) {
  constexpr std::size_t kCount = 1 << 18;  // sample data repeat after that
  const TypeInfo src_type = type_info(pair.src), dst_type = type_info(pair.dst);
  const cli::Buffer src(bytes_of(pair.src, kCount), 0), our_dst(bytes_of(pair.dst, kCount), 0),
      their_dst(bytes_of(pair.dst, kCount), 0);
  cli::fill_with_sample_data(pair.src, cli::SampleData::mixed, src.data(), kCount);
  kernel.function()(src.data(), our_dst.data(), kCount, 0);
  theirs(src.data(), their_dst.data(), kCount);

  const cli::ElementWords src_words(src_type), dst_words(dst_type);
  const auto code = [](const cli::ElementWords& words, const cli::Buffer& buffer, std::size_t index) {
    return words.get(static_cast<const unsigned char*>(buffer.data()), index);
  };
  Difference found{.compared = kCount};
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint64_t ours = code(dst_words, our_dst, i), other = code(dst_words, their_dst, i);
    if (ours == other) continue;
    ++found.elements;
    if (is_nan(dst_type, ours) && is_nan(dst_type, other)) {
      ++found.nan_only;
    } else if (found.elements == found.nan_only + 1) {
      found.source = code(src_words, src, i);
      found.theirs = other;
      found.ours = ours;
    }
  }
  if (found.elements == 0) return std::nullopt;
  return found;
}

Measurement measure(const cli::TypePair& pair, Kernel kernel, std::span<const Peer> peers, std::size_t count) {
  const std::size_t read = bytes_of(pair.src, count), written = bytes_of(pair.dst, count);
  const std::size_t half = (read + written) / 2;
  const cli::Buffer src(std::max(read, half), 0), dst(std::max(written, half), 2048);
  cli::fill_with_sample_data(pair.src, cli::SampleData::mixed, src.data(), count);

  Measurement result{.pair = pair, .count = count, .bytes = read + written, .entries = {}};
  std::vector<cli::Contestant> contestants;
  const auto enter = [&](const std::string& name, cli::Routine run, std::size_t amount) {
    result.entries.push_back({name, 0});
    contestants.push_back({run, src.data(), dst.data(), amount});
  };
  current = kernel;
  enter("memcpy", cli::copy_by_memcpy, half);
  enter("castforge", run_current, count);
  for (const Peer& peer : peers) {
    if (const cli::Routine run = find(peer, pair)) enter(peer.name, run, count);
  }
  const bool small = result.bytes < (8 << 20);
  const auto timings = cli::time_in_turns(contestants, small ? cli::TimeBox{0.1, 5, 101} : cli::TimeBox{1.5, 5, 15});
  for (std::size_t i = 0; i < timings.size(); ++i) result.entries[i].seconds = timings[i].seconds;
  return result;
}

}  // namespace castforge::peers
