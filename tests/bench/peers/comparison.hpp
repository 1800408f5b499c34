// castforge beside a peer on one conversion: speed, and where results differ.
#pragma once

#include "peer.hpp"

#include "cli/selection/pair_list.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace castforge::peers {

struct Difference {
  std::size_t compared = 0, elements = 0;          // how many were compared, how many have other bits
  std::size_t nan_only = 0;                        // of those, the ones that are NaN in both
  std::uint64_t source = 0, theirs = 0, ours = 0;  // codes of the first that is not NaN in both, if there is one
};

/// Results for one who converts; memcpy of (read + written) / 2 bytes is the first of a measurement.
struct Entry {
  std::string name;
  double seconds = 0;
};

struct Measurement {
  cli::TypePair pair;
  std::size_t count = 0, bytes = 0;  // elements; bytes read and written
  std::vector<Entry> entries;        // memcpy, castforge, peers that offer the pair
};

/// The peer's function for the pair, or null.
cli::Routine find(const Peer& peer, const cli::TypePair& pair);

/// Converts sample data by both; nothing where all bits agree.
std::optional<Difference> compare(const cli::TypePair& pair, Kernel kernel, cli::Routine theirs);

/// All take turns.
Measurement measure(const cli::TypePair& pair, Kernel kernel, std::span<const Peer> peers, std::size_t count);

}  // namespace castforge::peers
