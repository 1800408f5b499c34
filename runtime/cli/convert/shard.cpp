#include "cli/convert/shard.hpp"

#include "cli/convert/hash.hpp"
#include "cli/convert/safetensors_rewrite.hpp"
#include "cli/convert/statistics.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

std::string result_path(const ShardJob& job) { return (fs::path(job.target) / job.shard.name).string(); }

/// A shard that is open, and what the plan makes of its tensors.
class OpenShard {
 public:
  OpenShard(const Shard& shard, const CheckpointIndex* index, TensorRules& rules)
      : shard_(shard),
        rules_(rules),
        file_(shard.path),
        header_(checked_header(file_, shard.name, index)),
        choices_(choose()),
        rewrite_(file_, header_, [this](std::size_t tensor) { return kernel(tensor); }) {
    if (*file_.size() != shard.bytes) throw changed();
  }
  OpenShard(const OpenShard&) = delete;
  OpenShard& operator=(const OpenShard&) = delete;

  InputFile& file() { return file_; }
  const SafetensorsHeader& header() const { return header_; }
  const SafetensorsRewrite& rewrite() const { return rewrite_; }
  std::size_t rule(std::size_t tensor) const { return choices_[tensor].rule; }
  const Kernel* kernel(std::size_t tensor) const { return rules_.kernel(choices_[tensor]); }

  /// Is it still the file that was there at the beginning?
  void check_unchanged() const {
    struct stat status {};
    const bool there = ::stat(shard_.path.c_str(), &status) == 0;
    const std::int64_t modified = status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
    if (!there || modified != shard_.modified) throw changed();
  }

  /// Computes the result again on another instruction set and compares it with a file, whose data begin at `begin`.
  void check(InputFile& written, std::uint64_t begin, unsigned threads, Progress& progress) {
    const auto other = [&](const Kernel* kernel) { return &others_.at(kernel); };
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (const Kernel* one = kernel(i)) others_.try_emplace(one, rules_.on_another_isa(one));
    }
    check_pieces(file_, rewrite_, written, begin, threads, progress, other,
                 [&](std::size_t piece) { return header_.name(rewrite_.tensor(piece)); });
  }

 private:
  std::vector<TensorRules::Choice> choose() {
    std::vector<TensorRules::Choice> choices;
    choices.reserve(header_.size());
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const std::string& dtype = header_.dtypes()[header_.dtype(i)];
      choices.push_back(rules_.choose(file_.name(), header_.name(i), type_of_dtype(dtype), dtype));
    }
    return choices;
  }

  Failure changed() const {
    return bad_file(file_.name(), "expected it to stay as it was, found it changed meanwhile");
  }

  const Shard& shard_;
  TensorRules& rules_;
  InputFile file_;
  SafetensorsHeader header_;
  std::vector<TensorRules::Choice> choices_;
  SafetensorsRewrite rewrite_;
  std::map<const Kernel*, Kernel> others_;
};

/// Statistics of the tensors that are cast, gathered from several threads.
class Observer {
 public:
  explicit Observer(const OpenShard& shard) : shard_(shard), statistics_(shard.header().size()) {
    for (std::size_t i = 0; i < statistics_.size(); ++i) {
      const Kernel* kernel = shard.kernel(i);
      if (kernel) comparisons_.try_emplace(kernel, kernel->src(), kernel->dst());
    }
  }

  void see(std::size_t piece, const void* before, const void* after, std::size_t count) {
    const std::size_t tensor = shard_.rewrite().tensor(piece);
    const CastStatistics block = comparisons_.at(shard_.kernel(tensor)).compare(before, after, count);
    const std::lock_guard lock(mutex_);
    statistics_[tensor].add(block);
  }

  std::string json() const {
    std::string out;
    for (std::size_t i = 0; i < statistics_.size(); ++i) {
      const Kernel* kernel = shard_.kernel(i);
      if (!kernel) continue;
      const SafetensorsEntry tensor = shard_.header().tensor(i);
      out += text(out.empty() ? "[" : ",", "{\"tensor\":", json_string(tensor.name()), ",\"rule\":", shard_.rule(i) + 1,
                  ",\"from\":\"", name(kernel->src()), "\",\"to\":\"", name(kernel->dst()),
                  "\",\"elements\":", tensor.count, ",\"statistics\":", statistics_[i].json(), "}");
    }
    return out.empty() ? "[]" : out + ']';
  }

 private:
  const OpenShard& shard_;
  std::vector<CastStatistics> statistics_;  // by tensor
  std::map<const Kernel*, CastComparison> comparisons_;
  std::mutex mutex_;
};

}  // namespace

SafetensorsHeader checked_header(InputFile& file, const std::string& shard, const CheckpointIndex* index) {
  SafetensorsHeader header(file);
  if (index == nullptr) return header;
  const std::vector<std::string>& files = index->files();
  const auto own = static_cast<std::size_t>(std::lower_bound(files.begin(), files.end(), shard) - files.begin());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const SafetensorsEntry tensor = header.tensor(i);
    const std::size_t place = index->file_of(tensor.name_token);
    if (place == own) continue;
    const std::string where = place == files.size() ? "lacks it" : "has it in " + in_quotes(files[place]);
    throw bad_file(file.name(),
                   text("tensor ", in_quotes(tensor.name()), ": expected what the index says, which ", where));
  }
  if (header.size() != index->tensors_in(own)) {
    throw bad_file(file.name(), text("expected the ", index->tensors_in(own),
                                     " tensors that the index has in it, found ", header.size()));
  }
  return header;
}

void for_each_tensor(const Shard& shard, const CheckpointIndex* index, TensorRules& rules,
                     const std::function<void(const TensorChoice&)>& use) {
  const OpenShard open(shard, index, rules);
  for (std::size_t i = 0; i < open.header().size(); ++i) {
    const SafetensorsEntry tensor = open.header().tensor(i);
    TensorChoice choice{tensor.name(), tensor.dtype, shape_text(tensor.shape), tensor.end - tensor.begin, 0, {}, 0, {}};
    choice.rule = open.rule(i);
    choice.kernel = open.kernel(i);
    choice.dtype_after = choice.kernel ? dtype_of_type(printable(shard.path), choice.kernel->dst()) : choice.dtype;
    choice.bytes_after = *packed_bytes(tensor.count, safetensors_bits(choice.dtype_after));
    use(choice);
  }
}

bool is_done(const ShardJob& job, const ShardOrigin& origin, TensorRules& rules, Progress& progress) {
  const std::optional<ShardState> state = read_state(state_path(job.target, job.shard.name));
  if (!state || state->origin != origin || (job.statistics && state->tensors.empty())) return false;
  std::error_code error;
  if (fs::file_size(result_path(job), error) != state->bytes || error) return false;
  if (!job.verify) return true;
  try {
    OpenShard shard(job.shard, job.index, rules);
    InputFile written(result_path(job));
    written.read_from_disk();
    shard.check(written, SafetensorsHeader(written).data_offset(), job.threads, progress);
    return hash_of_file(result_path(job)) == state->hash;
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::bad_data) return false;  // made again
    throw;
  }
}

ShardState convert_shard(const ShardJob& job, const ShardOrigin& origin, TensorRules& rules, Progress& progress) {
  OpenShard shard(job.shard, job.index, rules);
  const std::string path = result_path(job), state_file = state_path(job.target, job.shard.name);
  std::error_code ignored;
  if (fs::equivalent(path, job.shard.path, ignored)) {
    throw usage_error(text(printable(path), ": expected another file than the source, found the same one"));
  }
  sweep_temporaries(path);
  sweep_temporaries(state_file);
  remove_for_good(state_file);  // before its result changes

  OutputFile out(path);
  Hash hash;
  out.watch([&](const void* bytes, std::size_t length) { hash.add(bytes, length); });
  shard.rewrite().write_header(out);
  const std::uint64_t begin = out.written();
  const std::string header_hash = hash.text();
  ShardState state{origin, 0, {}, {}};
  if (job.statistics) {
    Observer observer(shard);
    write_pieces(shard.file(), shard.rewrite(), out, job.threads, progress,
                 [&](std::size_t piece, const void* before, const void* after, std::size_t count) {
                   observer.see(piece, before, after, count);
                 });
    state.tensors = observer.json();
  } else {
    write_pieces(shard.file(), shard.rewrite(), out, job.threads, progress);
  }
  if (job.verify) {
    out.sync();
    InputFile written(out.temporary());
    written.read_from_disk();
    std::string header(static_cast<std::size_t>(begin), '\0');
    written.read_exactly(0, header.data(), header.size(), "header");
    if (hash_of(header) != header_hash)
      throw bad_file(written.name(), "expected the header that was written, found another");
    shard.check(written, begin, job.threads, progress);
  }
  shard.check_unchanged();
  state.bytes = out.written();
  state.hash = hash.text();
  out.commit();
  write_state(state_file, state);
  return state;
}

}  // namespace castforge::cli
