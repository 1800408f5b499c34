#include "cli/convert/shard.hpp"

#include "cli/convert/hash.hpp"
#include "cli/convert/shard_contents.hpp"
#include "cli/convert/statistics.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

std::string result_path(const ShardJob& job, const std::string& name) { return (fs::path(job.target) / name).string(); }

/// A shard that is open, and what the plan makes of its tensors.
class OpenShard {
 public:
  OpenShard(const Shard& shard, const CheckpointIndex* index, TensorRules& rules)
      : shard_(shard), rules_(rules), contents_(open_shard(shard, index)) {
    check_unchanged();
    choices_.reserve(contents_->size());
    for (std::size_t i = 0; i < contents_->size(); ++i) {
      TensorRules::Choice choice = rules_.choose(printable(shard.path), contents_->tensor(i));
      const Kernel* kernel = rules_.kernel(choice);
      if (kernel && kernel->src() == kernel->dst() && !contents_->casts_to_same_type())
        choice.cast = TensorRules::kKept;
      choices_.push_back(choice);
    }
    contents_->lay_out([this](std::size_t tensor) { return kernel(tensor); });
  }
  OpenShard(const OpenShard&) = delete;
  OpenShard& operator=(const OpenShard&) = delete;

  ShardContents& contents() const { return *contents_; }
  std::size_t rule(std::size_t tensor) const { return choices_[tensor].rule; }
  std::string word_for_rule(std::size_t tensor) const { return rules_.plan().word_for(rule(tensor)); }
  const Kernel* kernel(std::size_t tensor) const { return rules_.kernel(choices_[tensor]); }

  /// Are its files still those that were there at the beginning?
  void check_unchanged() const {
    for (const SourceFile& file : shard_.files) {
      if (described(file.path) == file) continue;
      throw bad_file(printable(file.path), "expected it to stay as it was, found it changed meanwhile");
    }
  }

  /// Computes a result again on another instruction set and compares it with a file, whose data begin at `begin`.
  void check(const ResultFile& result, InputFile& written, std::uint64_t begin, unsigned threads, Progress& progress) {
    const auto other = [&](const Kernel* kernel) { return &others_.at(kernel); };
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (const Kernel* one = kernel(i)) others_.try_emplace(one, rules_.on_another_isa(one));
    }
    check_pieces(contents_->input(), result, written, begin, threads, progress, other,
                 [&](std::size_t piece) { return result.name(piece); });
  }

 private:
  const Shard& shard_;
  TensorRules& rules_;
  std::unique_ptr<ShardContents> contents_;
  std::vector<TensorRules::Choice> choices_;
  std::map<const Kernel*, Kernel> others_;
};

/// Statistics of the tensors that are cast, gathered from several threads.
class Observer {
 public:
  explicit Observer(const OpenShard& shard) : shard_(shard), statistics_(shard.contents().size()) {
    for (std::size_t i = 0; i < statistics_.size(); ++i) {
      const Kernel* kernel = shard.kernel(i);
      if (kernel) comparisons_.try_emplace(kernel, *kernel);
    }
  }

  void see(std::size_t tensor, const void* before, const void* after, std::size_t count) {
    const CastStatistics block = comparisons_.at(shard_.kernel(tensor)).compare(before, after, count);
    const std::lock_guard lock(mutex_);
    statistics_[tensor].add(block);
  }

  std::string json() const {
    std::string out;
    for (std::size_t i = 0; i < statistics_.size(); ++i) {
      const Kernel* kernel = shard_.kernel(i);
      if (!kernel) continue;
      const ShardTensor tensor = shard_.contents().tensor(i);
      out += text(out.empty() ? "[" : ",", "{\"tensor\":", json_text(tensor.name), ",\"rule\":\"",
                  shard_.word_for_rule(i), "\",\"from\":\"", name(kernel->src()), "\",\"to\":\"", name(kernel->dst()),
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

/// A file of the result while it is written: under its temporary name.
class NewFile {
 public:
  NewFile(const ShardJob& job, const ResultFile& result)
      : result_(result), name_(job.shard.name + result.ending()), out_(result_path(job, name_)) {
    out_.watch([this](const void* bytes, std::size_t length) { hash_.add(bytes, length); });
    result.write_head(out_);
    begin_ = out_.written();
    head_hash_ = hash_.text();
  }

  OutputFile& out() { return out_; }

  void check(OpenShard& shard, unsigned threads, Progress& progress) {
    out_.sync();
    InputFile written(out_.temporary());
    written.read_from_disk();
    std::string head(static_cast<std::size_t>(begin_), '\0');
    written.read_exactly(0, head.data(), head.size(), "header");
    if (hash_of(head) != head_hash_) {
      throw bad_file(written.name(), "expected the header that was written, found another");
    }
    shard.check(result_, written, begin_, threads, progress);
  }

  WrittenFile commit() {
    out_.commit();
    return {name_, out_.written(), hash_.text()};
  }

 private:
  const ResultFile& result_;
  std::string name_;
  Hash hash_;
  OutputFile out_;
  std::uint64_t begin_ = 0;  // of the pieces
  std::string head_hash_;
};

}  // namespace

void for_each_tensor(const Shard& shard, const CheckpointIndex* index, TensorRules& rules,
                     const std::function<void(const TensorChoice&)>& use) {
  const OpenShard open(shard, index, rules);
  for (std::size_t i = 0; i < open.contents().size(); ++i) {
    const ShardTensor tensor = open.contents().tensor(i);
    TensorChoice choice{tensor.name,  tensor.dtype,  shape_text(tensor.shape), tensor.bytes, tensor.bytes, tensor.dtype,
                        open.rule(i), open.kernel(i)};
    if (choice.kernel) {
      try {
        choice.dtype_after = open.contents().dtype_of(choice.kernel->dst());
      } catch (const Failure& failure) {
        throw Failure(failure.code(), text(rules.plan().name_of(open.rule(i)), ", tensor ", in_quotes(tensor.name),
                                           ": ", failure.what()));
      }
      choice.bytes_after = *packed_bytes(tensor.count, type_info(choice.kernel->dst()).storage_bits);
    }
    use(choice);
  }
}

std::optional<ShardState> state_if_done(const ShardJob& job, const ShardOrigin& origin, TensorRules& rules,
                                        Progress& progress) {
  const std::string state_file = state_path(job.target, job.shard.name);
  std::optional<ShardState> state = read_state(state_file);
  if (!state || state->origin != origin || (job.statistics && state->tensors.empty())) return std::nullopt;
  for (const WrittenFile& file : state->files) {
    if (!is_untouched(result_path(job, file.name), file, state_file)) return std::nullopt;
  }
  if (!job.verify) return state;
  try {
    OpenShard shard(job.shard, job.checkpoint.index(), rules);
    const std::vector<const ResultFile*> results = shard.contents().results();
    if (results.size() != state->files.size()) return std::nullopt;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string path = result_path(job, state->files[i].name);
      InputFile written(path);
      written.read_from_disk();
      shard.check(*results[i], written, results[i]->begin_of_pieces(written), job.threads, progress);
      if (hash_of_file(path) != state->files[i].hash) return std::nullopt;
    }
    return state;
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::bad_data) return std::nullopt;  // made again
    throw;
  }
}

ShardState convert_shard(const ShardJob& job, const ShardOrigin& origin, TensorRules& rules, Progress& progress) {
  OpenShard shard(job.shard, job.checkpoint.index(), rules);
  const std::vector<const ResultFile*> results = shard.contents().results();
  const std::string state_file = state_path(job.target, job.shard.name);
  for (const ResultFile* result : results)
    job.checkpoint.check_is_not_read(result_path(job, job.shard.name + result->ending()));
  remove_for_good(result_path(job, kManifest));  // it speaks of what is replaced now
  remove_for_good(state_file);                   // before its result changes

  ShardState state{origin, {}, {}};
  std::optional<Observer> observer;
  if (job.statistics) observer.emplace(shard);
  for (const ResultFile* result : results) {
    NewFile file(job, *result);
    SeeBlock see;
    if (observer) {
      see = [&](std::size_t piece, const void* before, const void* after, std::size_t count) {
        observer->see(result->tensor(piece), before, after, count);
      };
    }
    write_pieces(shard.contents().input(), *result, file.out(), job.threads, progress, see);
    if (job.verify) file.check(shard, job.threads, progress);
    shard.check_unchanged();
    state.files.push_back(file.commit());
  }
  if (observer) state.tensors = observer->json();
  write_state(state_file, state);
  return state;
}

}  // namespace castforge::cli
