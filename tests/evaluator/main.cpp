// evaluator [--shard I/N] [--kernel NAME] [--generated DIR]
// Every plan of every committed kernel file, read as text and evaluated, against the oracle. --shard leaves out all
// pairs of types but those of one of N parts.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare.hpp"
#include "exhaustive/report.hpp"
#include "exhaustive/subject.hpp"
#include "oracle/specs.hpp"

namespace castforge::evaluator {

namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path generated = fs::path(CASTFORGE_SOURCE_DIR) / "generated";
  std::string kernel;
  std::size_t shard = 0, shards = 1;
};

/// What the manifest says of one kernel.
struct ManifestRow {
  std::string kernel, file;
  std::vector<std::string> plans;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

std::vector<ManifestRow> read_manifest(const fs::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("there is no " + path.string());
  std::vector<ManifestRow> rows;
  std::string line;
  std::getline(stream, line);  // the head
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line, '\t');
    if (cells.size() < 4) throw std::runtime_error(path.string() + ": a row of fewer than 4 cells");
    ManifestRow row{cells[0], cells[1], split(cells[3], ',')};
    // <family>.<plan>
    for (std::string& plan : row.plans) plan = plan.substr(plan.find('.') + 1);
    rows.push_back(std::move(row));
  }
  return rows;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  int all() {
    oracle::read_specs({std::string(CASTFORGE_SOURCE_DIR) + "/specs"});
    read_files();
    compare_manifest();
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    std::size_t pair = 0, done = 0;
    for (const auto& [types, kernels] : pairs_) {
      if (pair++ % options_.shards != options_.shard) continue;
      if (terminal) {
        std::fprintf(stderr, "\r%zu of %zu pairs: %-40s", ++done, pairs_.size() / options_.shards,
                     (types.second + " to " + types.first).c_str());
      }
      check_pair(types.second, types.first, kernels);
    }
    if (terminal) std::fprintf(stderr, "\r%70s\r", "");
    std::printf("%zu kernels, %zu plans, %zu evaluations, %zu results compared with the oracle, %llu failures\n",
                kernels_, plans_, evaluated_, compared_, static_cast<unsigned long long>(report_.failures()));
    return report_.failures() == 0 && plans_ > 0 ? 0 : 1;
  }

 private:
  struct Read {
    const File* file;
    const Kernel* kernel;
  };
  using Types = std::pair<std::string, std::string>;  // destination and source

  void fail(const fs::path& file, int line, const std::string& what, const std::string& text) {
    report_.about(fs::relative(file, options_.generated).generic_string() + ":" + std::to_string(line) +
                  (what.empty() ? "" : " " + what));
    report_.fail(text);
  }

  void read_files() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(options_.generated / "kernels")) {
      if (entry.path().extension() == ".hpp") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) files_.push_back(read_file(path));
    link(files_);
    for (const File& file : files_) {
      // Problems of all files are those of the first part.
      for (const Problem& p : file.problems) {
        if (options_.shard != 0 || (!options_.kernel.empty() && p.kernel != options_.kernel)) continue;
        fail(file.path, p.line, p.kernel + (p.plan.empty() ? "" : " " + p.plan), p.message);
      }
      for (const Kernel& kernel : file.kernels) {
        if (!options_.kernel.empty() && kernel.name != options_.kernel) continue;
        pairs_[{kernel.dst, kernel.src}].push_back({&file, &kernel});
      }
    }
  }

  /// Every kernel of the manifest stands in its file with the plans that the manifest names, and there is no other.
  void compare_manifest() {
    const fs::path path = options_.generated / "MANIFEST.tsv";
    if (options_.shard != 0 || !options_.kernel.empty()) return;
    std::map<std::string, Read> read;
    std::set<std::string> broken;
    for (const auto& [types, kernels] : pairs_) {
      for (const Read& r : kernels) read[r.kernel->name] = r;
    }
    for (const File& file : files_) {
      for (const Problem& p : file.problems) broken.insert(p.kernel);
    }
    for (const ManifestRow& row : read_manifest(path)) {
      const auto found = read.find(row.kernel);
      if (found == read.end()) {
        if (!broken.contains(row.kernel)) fail(path, 0, row.kernel, "cannot be read from its file, " + row.file);
        continue;
      }
      const fs::path file = found->second.file->path;
      if (fs::relative(file, options_.generated) != row.file)
        fail(path, 0, row.kernel, "is not in its file, " + row.file);
      if (found->second.kernel->order != row.plans) fail(path, 0, row.kernel, "has other plans in its file");
      read.erase(found);
    }
    for (const auto& [name, r] : read) fail(r.file->path, r.kernel->line, name, "is not in the manifest");
  }

  /// The rules that lead to each kernel, asked of the library as its users do, and of the oracle.
  const std::map<std::string, std::vector<exhaustive::Duty>>& duties_to(const std::string& dst) {
    const auto [found, is_new] = duties_.try_emplace(dst);
    if (is_new) {
      std::vector<std::string> problems;
      for (exhaustive::Duty& duty : exhaustive::duties(dst, problems))
        found->second[duty.kernel].push_back(std::move(duty));
    }
    return found->second;
  }

  void check_pair(const std::string& src_name, const std::string& dst_name, const std::vector<Read>& kernels) {
    const oracle::Codec& src = oracle::codec(src_name);
    const oracle::Codec& dst = oracle::codec(dst_name);
    const std::vector<std::uint64_t> codes = codes_for(*kernels.front().kernel, src, dst);
    const auto& duties = duties_to(dst_name);
    for (const Read& r : kernels) {
      const Kernel& kernel = *r.kernel;
      ++kernels_;
      plans_ += kernel.plans.size();
      if (kernel.src_bits != src.format().storage || kernel.dst_bits != dst.format().storage) {
        fail(r.file->path, kernel.line, kernel.name, "the elements have other widths");
        continue;
      }
      const Results results(kernel, codes);
      evaluated_ += results.evaluated();
      std::vector<Finding> findings = results.findings();
      check_comment(kernel, findings);
      results.check_nibbles(findings);
      const auto duty = duties.find(kernel.name);
      if (kernel.plans.empty()) {
        // Nothing to compare; the file's problems say why.
      } else if (duty == duties.end()) {
        fail(r.file->path, kernel.line, kernel.name, "no request leads to this kernel");
      } else {
        for (const exhaustive::Duty& d : duty->second) {
          const oracle::Converter oracle(src, dst, d.rule);
          std::vector<std::uint64_t> expected;
          expected.reserve(codes.size());
          for (std::uint64_t code : codes) expected.push_back(oracle(code));
          compared_ += codes.size() * kernel.plans.size();
          results.compare(src, dst, expected, exhaustive::label(d), findings);
          check_rows(kernel, oracle, findings);
        }
      }
      for (const Finding& f : findings) {
        fail(f.file, f.line, kernel.name + (f.plan.empty() ? "" : " " + f.plan), f.text);
      }
    }
  }

  const Options& options_;
  exhaustive::Report report_;
  std::vector<File> files_;
  std::map<Types, std::vector<Read>> pairs_;
  std::map<std::string, std::map<std::string, std::vector<exhaustive::Duty>>> duties_;
  std::size_t kernels_ = 0, plans_ = 0, evaluated_ = 0, compared_ = 0;
};

int usage() {
  std::fputs("usage: evaluator [--shard I/N] [--kernel NAME] [--generated DIR]\n", stderr);
  return 2;
}

int main_checked(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) return usage();
    const std::string value = argv[i + 1];
    if (option == "--kernel") {
      options.kernel = value;
    } else if (option == "--generated") {
      options.generated = value;
    } else if (option == "--shard" && std::sscanf(value.c_str(), "%zu/%zu", &options.shard, &options.shards) == 2) {
      if (options.shard >= options.shards) return usage();
    } else {
      return usage();
    }
  }
  return Run(options).all();
}

}  // namespace

}  // namespace castforge::evaluator

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return castforge::evaluator::main_checked(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "evaluator: %s\n", e.what());
    return 3;
  }
}
