#include "cli/bench/split_work.hpp"

#include <algorithm>
#include <cstdint>

namespace castforge::cli {
namespace {

constexpr std::size_t kCastGrain = 512;  // CastOptions::elements_per_task
constexpr std::size_t kLine = 64;        // two threads that write to one cache line would wait for each other

std::size_t share(std::size_t amount, std::size_t parts, std::size_t grain) {
  const std::size_t part = amount / parts + (amount % parts != 0);
  return (part / grain + (part % grain != 0)) * grain;
}

void copy_part(void* data, std::size_t index) {
  const auto& split = *static_cast<const SplitCopy*>(data);
  const std::size_t part = share(split.bytes, split.parts, kLine);
  const std::size_t begin = std::min(index * part, split.bytes);
  split.copy(static_cast<const char*>(split.src) + begin, static_cast<char*>(split.dst) + begin,
             std::min(part, split.bytes - begin));
}

}  // namespace

std::size_t elements_per_part(std::size_t elements, unsigned threads) { return share(elements, threads, kCastGrain); }

Status SplitCast::cast() const noexcept {
  const std::int64_t shape[] = {static_cast<std::int64_t>(count)};
  CastOptions options{.isa = isa};
  if (team != nullptr) {
    options.parallel = team->parallel_for();
    options.elements_per_task = elements_per_part(count, team->threads());
  }
  return castforge::cast(opset, {src_type, shape, src, *storage_bytes(src_type, count)},
                         {dst_type, shape, dst, *storage_bytes(dst_type, count)}, attributes, options);
}

Contestant SplitCast::contestant() const {
  const auto run = [](const void* split, void*, std::size_t) noexcept {
    static_cast<void>(static_cast<const SplitCast*>(split)->cast());
  };
  return {.run = run, .src = this, .wall = true};
}

Contestant SplitCopy::contestant() {
  const auto run = [](const void*, void* split, std::size_t) noexcept {
    const auto& what = *static_cast<const SplitCopy*>(split);
    what.team.run(what.parts, copy_part, split);
  };
  return {.run = run, .dst = this, .wall = true};
}

}  // namespace castforge::cli
