// Conversions and copies whose work a team of threads shares, as contestants.
#pragma once

#include "cli/bench/stopwatch.hpp"
#include "cli/bench/thread_team.hpp"

#include <castforge/interface.hpp>

#include <cstddef>
#include <string_view>

namespace castforge::cli {

/// Elements that one of `threads` threads converts: an equal share, rounded up to where castforge::cast can split.
std::size_t elements_per_part(std::size_t elements, unsigned threads);

/// castforge::cast of `count` elements. What is referred to must live as long as this and its contestant.
struct SplitCast {
  std::string_view opset;
  const Attributes& attributes;
  std::string_view isa;
  Type src_type;
  const void* src;
  Type dst_type;
  void* dst;
  std::size_t count;
  ThreadTeam* team;  // null: the calling thread does all

  Status cast() const noexcept;
  Contestant contestant() const;
};

/// A copy by `copy` of each part of `bytes` bytes. Lives as long as its contestant.
struct SplitCopy {
  Routine copy;
  const void* src;
  void* dst;
  std::size_t bytes;
  std::size_t parts;  // 1: the calling thread does all
  ThreadTeam& team;

  Contestant contestant();
};

}  // namespace castforge::cli
