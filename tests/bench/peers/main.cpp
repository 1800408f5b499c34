// castforge beside other C++ libraries: how fast, and where results differ.
#include "comparison.hpp"

#include "cli/bench/machine.hpp"
#include "cli/io/failure.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <tuple>

namespace castforge::peers {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> pairs;
  std::vector<std::size_t> sizes = {std::size_t{64} << 10, std::size_t{64} << 20};
  std::string opset = "onnx@25", json;
};

struct Contest {
  cli::TypePair pair;
  Kernel kernel;
};

std::vector<Peer> all_peers() {
  std::vector<Peer> peers;
#if defined(CASTFORGE_PEER_EIGEN)
  peers.push_back(eigen());
#endif
#if defined(CASTFORGE_PEER_HIGHWAY)
  peers.push_back(highway());
#endif
#if defined(CASTFORGE_PEER_ONEDNN)
  peers.push_back(onednn());
#endif
#if defined(CASTFORGE_PEER_XNNPACK)
  peers.push_back(xnnpack());
#endif
  return peers;
}

/// Those asked for; otherwise every pair that a peer offers and the op-set admits.
std::vector<Contest> contests(const Options& options, const std::vector<Peer>& peers) {
  std::vector<cli::TypePair> pairs = cli::pairs_from(options.pairs);
  const bool all = pairs.empty();
  if (all) {
    for (const Peer& peer : peers) {
      for (const PeerCast& cast : peer.casts) {
        const cli::TypePair pair{cast.src, cast.dst};
        if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
      }
    }
    std::sort(pairs.begin(), pairs.end(), [](const cli::TypePair& a, const cli::TypePair& b) {
      return std::tie(a.src, a.dst) < std::tie(b.src, b.dst);
    });
  }
  std::vector<Contest> list;
  for (const cli::TypePair& pair : pairs) {
    const Kernel kernel = find_kernel(options.opset, pair.src, pair.dst);
    if (!kernel && !all) throw std::runtime_error(kernel.status().message());
    if (kernel) list.push_back({pair, kernel});
  }
  return list;
}

std::string hex(Type type, std::uint64_t code) {
  char text[24];
  const int digits = type_info(type).storage_bits / 4;
  std::snprintf(text, sizeof text, "0x%0*llX", digits, static_cast<unsigned long long>(code));
  return text;
}

void print_difference(const std::string& peer, const cli::TypePair& pair, const Difference& difference) {
  std::cout << "- " << peer << ' ' << cli::text_of(pair) << ": " << difference.elements << " of " << difference.compared
            << " differ";
  if (difference.nan_only == difference.elements) {
    std::cout << ", all of them NaN with other bits\n";
    return;
  }
  if (difference.nan_only != 0) std::cout << ", " << difference.nan_only << " of them NaN with other bits";
  std::cout << "; " << hex(pair.src, difference.source) << " becomes " << hex(pair.dst, difference.theirs)
            << ", castforge " << hex(pair.dst, difference.ours) << '\n';
}

void print_row(const Measurement& m, const std::vector<std::string>& columns) {
  const double memcpy_seconds = m.entries.front().seconds;
  std::printf("| %s | %.0f |", cli::text_of(m.pair).c_str(), static_cast<double>(m.bytes) / memcpy_seconds / 1e9);
  for (const std::string& column : columns) {
    const auto entry =
        std::find_if(m.entries.begin(), m.entries.end(), [&](const Entry& e) { return e.name == column; });
    if (entry == m.entries.end()) {
      std::printf(" - |");
      continue;
    }
    std::printf(" %.2f (%.2f) |", static_cast<double>(m.count) / entry->seconds / 1e9, memcpy_seconds / entry->seconds);
  }
  std::printf("\n");
  std::fflush(stdout);
}

Json json_of(const Measurement& m) {
  Json list = Json::array();
  for (const Entry& entry : m.entries) {
    list.push_back({{"pair", cli::text_of(m.pair)},
                    {"elements", m.count},
                    {"library", entry.name},
                    {"seconds", entry.seconds},
                    {"items_per_second", static_cast<double>(m.count) / entry.seconds},
                    {"memcpy_ratio", m.entries.front().seconds / entry.seconds}});
  }
  return list;
}

Json json_of(const std::string& peer, const cli::TypePair& pair, const Difference& difference) {
  Json json = {{"pair", cli::text_of(pair)},
               {"library", peer},
               {"compared", difference.compared},
               {"differing", difference.elements},
               {"nan_with_other_bits", difference.nan_only}};
  if (difference.nan_only != difference.elements) {
    json["source"] = hex(pair.src, difference.source);
    json["result"] = hex(pair.dst, difference.theirs);
    json["castforge"] = hex(pair.dst, difference.ours);
  }
  return json;
}

void run(const Options& options) {
  const std::vector<Peer> peers = all_peers();
  const std::vector<Contest> list = contests(options, peers);
  std::vector<std::string> columns = {"castforge"};
  std::cout << "castforge " << version() << " on " << active_isa() << ", " << cli::cpu_name() << '\n';
  for (const Peer& peer : peers) {
    std::cout << cli::text(peer.name, ' ', peer.version, ": ", peer.casts.size(), " pairs\n");
    columns.push_back(peer.name);
  }
  Json document = {{"context", cli::benchmark_context()}, {"results", Json::array()}, {"differences", Json::array()}};

  std::cout << "\nResults with other bits than castforge's (" << options.opset << "):\n\n";
  for (const Contest& contest : list) {
    for (const Peer& peer : peers) {
      const cli::Routine theirs = find(peer, contest.pair);
      if (theirs == nullptr) continue;
      const auto difference = compare(contest.pair, contest.kernel, theirs);
      if (!difference) continue;
      print_difference(peer.name, contest.pair, *difference);
      document["differences"].push_back(json_of(peer.name, contest.pair, *difference));
    }
  }
  for (const std::size_t size : options.sizes) {
    std::cout << "\nG elements/s (rate over memcpy's), " << cli::short_count(size)
              << " elements:\n\n| pair | memcpy GB/s |";
    for (const std::string& column : columns) std::cout << ' ' << column << " |";
    std::cout << "\n|---|---|";
    for (std::size_t i = 0; i < columns.size(); ++i) std::cout << "---|";
    std::cout << std::endl;
    for (const Contest& contest : list) {
      const Measurement measurement = measure(contest.pair, contest.kernel, peers, size);
      print_row(measurement, columns);
      for (Json& entry : json_of(measurement)) document["results"].push_back(std::move(entry));
    }
  }
  if (options.json.empty()) return;
  std::ofstream file(options.json);
  file << document.dump(2) << '\n';
  file.close();
  if (!file) throw std::runtime_error(options.json + ": cannot write");
}

int start(int argc, char** argv) {
  Options options;
  CLI::App program("Measures castforge beside other C++ libraries on one thread, and compares their results.",
                   "castforge_peers");
  program.add_option("--pair", options.pairs, "SRC:DST; several times. None: all that a library offers")
      ->allow_extra_args(false);
  program
      .add_option("--size", options.sizes,
                  "Number of elements, a multiple of 64; several times. None: 65536 and 67108864")
      ->allow_extra_args(false)
      ->check([](const std::string& word) {
        std::size_t size = 0;
        const bool good = CLI::detail::lexical_cast(word, size) && size != 0 && size % kCountStep == 0;
        return good ? std::string() : "not a multiple of " + std::to_string(kCountStep);
      });
  program.add_option("--opset", options.opset, "Rules of castforge's results")->capture_default_str();
  program.add_option("--json", options.json, "File for the measurements and differences");
  CLI11_PARSE(program, argc, argv);
  run(options);
  return 0;
}

}  // namespace
}  // namespace castforge::peers

int main(int argc, char** argv) {
  try {
    return castforge::peers::start(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "castforge_peers: %s\n", error.what());
    return 1;
  }
}
