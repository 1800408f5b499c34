#include "cli/inspect/tensor_scan.hpp"

#include "cli/io/element_words.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/ordered_pipeline.hpp"
#include "src/exact/value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace castforge::cli {
namespace {

class ScanSteps {
 public:
  struct Chunk {
    std::vector<std::byte> in, out;
    std::size_t count = 0;
    TensorScan found;
  };

  ScanSteps(ElementReader& source, Type type, const TriedCast* cast, std::size_t most, Progress& progress)
      : source_(source), type_(type_info(type)), words_(type_), cast_(cast), most_(most), progress_(progress) {}

  bool take(Chunk& chunk) {
    chunk.in.resize(bytes_of_elements(most_, type_.storage_bits));
    chunk.count = source_.read(chunk.in.data(), most_);
    return chunk.count != 0;
  }

  void work(Chunk& chunk) const {
    chunk.found = look_at(chunk.in.data(), chunk.count);
    if (cast_ == nullptr) return;
    chunk.out.resize(bytes_of_elements(most_, type_info(cast_->kernel.dst()).storage_bits));
    const Status status = cast_->kernel.run(chunk.in.data(), chunk.out.data(), chunk.count);
    if (!status) throw Failure(ExitCode::bad_data, status.message());
    chunk.found.cast = cast_->comparison.compare(chunk.in.data(), chunk.out.data(), chunk.count);
  }

  void put(Chunk& chunk) {
    total_.add(chunk.found);
    progress_.advance(bytes_of_elements(chunk.count, type_.storage_bits));
  }

  const TensorScan& total() const { return total_; }

 private:
  TensorScan look_at(const void* elements, std::size_t count) const {
    TensorScan found;
    found.elements = count;
    int least = ExponentCounts::kMost, most = ExponentCounts::kLeast;
    for (std::size_t i = 0; i < count; ++i) {
      const exact::Value value = exact::decode(type_, words_.get(static_cast<const unsigned char*>(elements), i));
      found.nan += value.cls == exact::Value::Class::nan;
      found.infinite += value.cls == exact::Value::Class::infinity;
      if (value.cls != exact::Value::Class::finite) continue;
      if (value.significand == 0) {
        ++found.zeros;
        continue;
      }
      const int exponent = value.exponent + std::bit_width(value.significand) - 1;
      found.exponents.count(exponent);
      // Only what may be the largest or smallest is made a number.
      if (exponent >= most) {
        most = exponent;
        found.largest = std::max(found.largest, magnitude(value));
      }
      if (exponent <= least) {
        least = exponent;
        const double number = magnitude(value);
        found.smallest = found.smallest == 0 ? number : std::min(found.smallest, number);
      }
    }
    return found;
  }

  static double magnitude(const exact::Value& value) {
    return std::ldexp(static_cast<double>(value.significand), value.exponent);
  }

  ElementReader& source_;
  TypeInfo type_;
  ElementWords words_;
  const TriedCast* cast_;
  std::size_t most_;
  Progress& progress_;
  TensorScan total_;
};

}  // namespace

void ExponentCounts::add(const ExponentCounts& other) {
  if (counts_.empty()) counts_ = other.counts_;
  else
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
}

std::optional<ExponentCounts::Range> ExponentCounts::range() const {
  const auto counted = [](std::uint64_t count) { return count != 0; };
  const auto first = std::find_if(counts_.begin(), counts_.end(), counted);
  if (first == counts_.end()) return std::nullopt;
  const auto last = std::find_if(counts_.rbegin(), counts_.rend(), counted).base() - 1;
  return Range{kLeast + static_cast<int>(first - counts_.begin()), kLeast + static_cast<int>(last - counts_.begin())};
}

void TensorScan::add(const TensorScan& other) {
  elements += other.elements;
  zeros += other.zeros;
  nan += other.nan;
  infinite += other.infinite;
  largest = std::max(largest, other.largest);
  if (smallest == 0 || (other.smallest != 0 && other.smallest < smallest)) smallest = other.smallest;
  exponents.add(other.exponents);
  cast.add(other.cast);
}

TensorScan scan(ElementReader& source, Type type, const TriedCast* cast, std::optional<std::uint64_t> count,
                unsigned threads, Progress& progress) {
  const int bits =
      std::max(type_info(type).storage_bits, cast != nullptr ? type_info(cast->kernel.dst()).storage_bits : 0);
  const Chunks chunks = chunks_of(count, bits, threads);
  ScanSteps steps(source, type, cast, chunks.elements, progress);
  if (count && *count < chunks.elements) {  // of many small tensors the threads would be all of the work
    run_alone(steps);
  } else {
    OrderedPipeline<ScanSteps>(steps).run(chunks.threads);
  }
  return steps.total();
}

}  // namespace castforge::cli
