#include "cli/bench/bench_run.hpp"

#include "cli/bench/buffer.hpp"
#include "cli/bench/machine.hpp"
#include "cli/bench/split_work.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/bench/thread_team.hpp"
#include "cli/io/failure.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>

namespace castforge::cli {
namespace {

constexpr std::size_t kSmallBytes = 8 << 20;  // a call on less takes well below a millisecond

/// What a pair moves at a size. A copy of half as much reads and writes as many bytes.
struct Traffic {
  std::size_t read, written;
  std::size_t half() const { return (read + written) / 2; }
};

std::size_t storage_bits(Type type) { return static_cast<std::size_t>(type_info(type).storage_bits); }

Traffic traffic(const TypePair& pair, std::size_t size) {
  const auto read = storage_bytes(pair.src, size), written = storage_bytes(pair.dst, size);
  if (!read || !written) throw usage_error(text("--size ", size, " is more than memory can hold"));
  return {*read, *written};
}

class Bench {
 public:
  /// `given` are the plan's attributes.
  Bench(const BenchPlan& plan, const Attributes& given) : plan_(plan), attributes_(given), steps_left_(steps_of(plan)) {
    for (const TypePair& pair : plan.pairs) {
      for (const std::string& isa : plan.isas) {
        KernelOptions options = plan.kernel;
        options.isa = isa;
        kernels_.push_back(options.find(pair.src, pair.dst));
      }
    }
    if (plan.threads > 1) team_ = std::make_unique<ThreadTeam>(plan.threads);
  }

  void measure(std::size_t pair_index, std::size_t size, SampleData data) {
    const TypePair& pair = plan_.pairs[pair_index];
    const Traffic bytes = traffic(pair, size);
    prepare(pair.src, data, size, bytes);
    std::vector<Contestant> contestants;
    for (std::size_t i = 0; i < plan_.isas.size(); ++i) {
      const Kernel& kernel = kernels_[pair_index * plan_.isas.size() + i];
      contestants.push_back({.src = src_.data(), .dst = dst_.data(), .count = size, .kernel = &kernel});
    }
    contestants.push_back({copy_by_memcpy, src_.data(), dst_.data(), bytes.half()});
    contestants.push_back({vector_copy_loop(), src_.data(), dst_.data(), bytes.half()});
    const Routine moves = vector_move_loop(storage_bits(pair.src), storage_bits(pair.dst));
    contestants.push_back({moves, src_.data(), dst_.data(), std::min(bytes.read, bytes.written)});
    std::optional<Split> split;
    if (team_) {
      split.emplace(*this, pair, size, bytes);
      split->add_to(contestants);
    }
    const std::vector<Timing> timings = time_in_turns(contestants, box(bytes));
    --steps_left_;
    const std::size_t copies = plan_.isas.size();
    for (std::size_t i = 0; i < plan_.isas.size(); ++i) {
      BenchResult alone = {pair,
                           plan_.isas[i],
                           size,
                           bytes.read + bytes.written,
                           timings[i].calls,
                           timings[i].seconds,
                           timings[copies].seconds,
                           timings[copies + 1].seconds,
                           timings[i].cpu_seconds};
      alone.moves_seconds = timings[copies + 2].seconds;
      alone.data = data;
      alone.kernel = kernels_[pair_index * plan_.isas.size() + i].name();
      results_.push_back(alone);
      if (split) results_.push_back(split->result(alone, i, std::span(timings).subspan(copies + 3)));
    }
  }

  std::size_t count() const { return results_.size(); }

  /// Results from the given one on, of one pair and size, are told how long normal numbers took.
  void compare_with_normal(std::size_t first) {
    for (auto normal = results_.begin() + static_cast<std::ptrdiff_t>(first); normal != results_.end(); ++normal) {
      if (normal->data != SampleData::normal) continue;
      for (auto other = results_.begin() + static_cast<std::ptrdiff_t>(first); other != results_.end(); ++other) {
        if (other->isa == normal->isa && other->threads == normal->threads) other->normal_seconds = normal->seconds;
      }
    }
  }

  std::vector<BenchResult> take() { return std::move(results_); }

 private:
  using Clock = std::chrono::steady_clock;

  /// What the team does with one pair at one size, and one thread for comparison.
  class Split {
   public:
    Split(const Bench& bench, const TypePair& pair, std::size_t size, const Traffic& bytes) {
      ThreadTeam& team = *bench.team_;
      const void* src = bench.src_.data();
      void* dst = bench.dst_.data();
      for (const std::string& isa : bench.plan_.isas) {
        for (ThreadTeam* by : {static_cast<ThreadTeam*>(nullptr), &team}) {
          casts_.push_back({bench.plan_.kernel.opset, bench.attributes_, isa, pair.src, src, pair.dst, dst, size, by});
          if (const Status status = casts_.back().cast(); !status) throw usage_error(status.message());
        }
      }
      const std::size_t part = elements_per_part(size, team.threads()), parts = (size - 1) / part + 1;
      copies_.push_back({copy_by_memcpy, src, dst, bytes.half(), 1, team});
      copies_.push_back({copy_by_memcpy, src, dst, bytes.half(), parts, team});
      copies_.push_back({vector_copy_loop(), src, dst, bytes.half(), parts, team});
    }

    void add_to(std::vector<Contestant>& contestants) {
      for (SplitCopy& copy : copies_) contestants.push_back(copy.contestant());
      for (const SplitCast& cast : casts_) contestants.push_back(cast.contestant());
    }

    /// Of the instruction set with that index; `alone` is its result on one thread, `timings` are those of what add_to
    /// added.
    BenchResult result(const BenchResult& alone, std::size_t isa, std::span<const Timing> timings) const {
      const Timing& one = timings[copies_.size() + 2 * isa];
      const Timing& all = timings[copies_.size() + 2 * isa + 1];
      BenchResult result = alone;
      result.calls = all.calls;
      result.seconds = all.seconds;
      result.memcpy_seconds = timings[1].seconds;
      result.loop_seconds = timings[2].seconds;
      result.moves_seconds = 0;
      result.cpu_seconds = all.cpu_seconds;
      result.threads = copies_.front().team.threads();
      result.one_thread_seconds = one.seconds;
      result.memcpy_one_thread_seconds = timings[0].seconds;
      return result;
    }

   private:
    std::vector<SplitCopy> copies_;  // memcpy by one thread; memcpy and the loop by all
    std::vector<SplitCast> casts_;   // [instruction set][one thread, all]
  };

  /// Both buffers hold what the kernel and the copies need; the source has sample data all over.
  void prepare(Type src, SampleData data, std::size_t size, const Traffic& bytes) {
    const std::size_t src_bytes = std::max(bytes.read, bytes.half()), dst_bytes = std::max(bytes.written, bytes.half());
    if (dst_.size() < dst_bytes) {
      dst_ = Buffer();
      dst_ = Buffer(dst_bytes, 2048);
    }
    const bool larger = src_.size() < src_bytes;
    if (larger) {
      src_ = Buffer();
      src_ = Buffer(src_bytes, 0);
    }
    if (larger || src != src_type_ || data != src_sample_ || size != src_count_)
      fill_with_sample_data(src, data, src_.data(), size);
    src_sample_ = data;
    src_type_ = src;
    src_count_ = size;
  }

  /// The usual time, or an equal share of what is left where that is less.
  TimeBox box(const Traffic& bytes) const {
    const bool small = bytes.read + bytes.written < kSmallBytes;
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    const double share =
        std::max(plan_.seconds - spent, 0.0) / static_cast<double>(std::max<std::size_t>(steps_left_, 1));
    const double usual = (small ? 0.04 : 0.5) * (team_ ? 2 : 1);  // a team more than doubles what takes turns
    // Large steps take longer than small ones: a small one leaves them its rest.
    return small ? TimeBox{std::min(usual, share), 5, 101} : TimeBox{std::min(usual, share), 3, 15};
  }

  const BenchPlan& plan_;
  const Attributes& attributes_;
  std::unique_ptr<ThreadTeam> team_;  // null where one thread does all
  std::size_t steps_left_;
  std::vector<Kernel> kernels_;  // [pair][isa]
  std::vector<BenchResult> results_;
  Buffer src_, dst_;
  Type src_type_{};
  SampleData src_sample_ = SampleData::mixed;
  std::size_t src_count_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::size_t steps_of(const BenchPlan& plan) { return plan.pairs.size() * plan.sizes.size() * plan.data.size(); }

std::size_t size_that_fits(const std::vector<TypePair>& pairs, std::size_t size, std::uint64_t memory) {
  if (memory == 0) return size;
  for (const TypePair& pair : pairs) {
    for (;; size /= 2) {
      const Traffic bytes = traffic(pair, size);
      const std::size_t need = std::max(bytes.read, bytes.half()) + std::max(bytes.written, bytes.half());
      if (size <= 1 || need <= memory / 2) break;
    }
  }
  return size;
}

std::vector<BenchResult> run_bench(const BenchPlan& plan,
                                   const std::function<void(std::size_t, const std::string&)>& step) {
  return plan.kernel.with_attributes([&](const Attributes& given) {
    Bench bench(plan, given);
    const std::uint64_t memory = available_memory();
    for (const std::size_t size : plan.sizes) {
      const std::size_t fits = plan.smaller_where_short ? size : size_that_fits(plan.pairs, size, memory);
      if (fits != size)
        throw usage_error(text("--size ", size, ": so many elements need more than half of the memory that is free, ",
                               memory / 1'000'000, " MB; ", fits, " fit"));
    }
    std::size_t index = 0;
    // One size after the other: pairs of one source type share its sample data.
    for (const std::size_t wanted : plan.sizes) {
      const std::size_t size = size_that_fits(plan.pairs, wanted, memory);
      for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const std::size_t first = bench.count();
        for (const SampleData data : plan.data) {
          step(index++, text(text_of(plan.pairs[i]), ", ", short_count(size), size == 1 ? " element, " : " elements, ",
                             name_of(data)));
          bench.measure(i, size, data);
        }
        bench.compare_with_normal(first);
      }
    }
    return bench.take();
  });
}

}  // namespace castforge::cli
