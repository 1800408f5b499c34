#include "cli/verify/kernel_check.hpp"

#include "cli/io/element_words.hpp"
#include "cli/io/failure.hpp"
#include "cli/verify/kernel_sweep.hpp"
#include "cli/verify/source_codes.hpp"

#include <castforge/elements.hpp>
#include <castforge/exact.hpp>

#include <optional>
#include <span>

namespace castforge::cli {
namespace {

constexpr std::size_t kMostShown = 5;
constexpr std::size_t kMostElements = 4096;

class Checker {
 public:
  Checker(const std::vector<Kernel>& kernels, const Rule& rule)
      : kernels_(kernels),
        rule_(rule),
        src_(type_info(kernels.front().src())),
        dst_(type_info(kernels.front().dst())),
        src_words_(src_),
        dst_words_(dst_),
        in_(kMostElements * 8 + 1),
        out_(kMostElements * 8 + 1),
        expected_(kMostElements) {
    result_.kernel = kernels.front().name();
  }

  void check(std::span<const std::uint64_t> codes) {
    if (!result_.problem.empty()) return;
    // Every other block lies at an odd address.
    const std::size_t skew = blocks_++ % 2;
    unsigned char* in = in_.data() + skew;
    unsigned char* out = out_.data() + skew;
    for (std::size_t i = 0; i < codes.size(); ++i) src_words_.put(in, i, codes[i]);
    if (!expect(codes)) return;
    result_.codes += codes.size();
    for (const Kernel& kernel : kernels_) {
      for (std::size_t i = 0; i < codes.size(); ++i) {  // wrong everywhere: what a kernel does not write is seen
        store_element(out, i, ~dst_words_.stored(expected_[i]), dst_.storage_bits, dst_.packing);
      }
      const Status status = kernel.run(in, out, codes.size());
      if (!status) {
        result_.problem = status.message();
        return;
      }
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::uint64_t found = load_element(out, i, dst_.storage_bits, dst_.packing);
        const std::uint64_t expected = dst_words_.stored(expected_[i]);
        if (found != expected) result_.add({std::string(kernel.isa()), codes[i], expected, found});
      }
    }
  }

  KernelCheck take() { return std::move(result_); }

 private:
  bool expect(std::span<const std::uint64_t> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::optional<std::uint64_t> code = exact_cast(src_, dst_, rule_, codes[i]);
      if (!code) {
        result_.problem = text("its rule states no result for the code 0x", std::hex, codes[i]);
        return false;
      }
      expected_[i] = *code;
    }
    return true;
  }

  const std::vector<Kernel>& kernels_;
  Rule rule_;
  TypeInfo src_, dst_;
  ElementWords src_words_, dst_words_;
  std::vector<unsigned char> in_, out_;
  std::vector<std::uint64_t> expected_;
  std::size_t blocks_ = 0;
  KernelCheck result_;
};

}  // namespace

void KernelCheck::add(const Disagreement& one) {
  ++wrong;
  if (first.size() < kMostShown) first.push_back(one);
}

KernelCheck check_kernel(const std::vector<Kernel>& kernels, const Rule& rule, Level level) {
  const TypeInfo src = type_info(kernels.front().src());
  if (level == Level::exhaustive && !are_all_codes(src) && src.value_bits <= kMostSweptBits)
    return sweep_kernel(kernels, rule);
  Checker checker(kernels, rule);
  for_each_block(src, [&](std::span<const std::uint64_t> codes) { checker.check(codes); });
  KernelCheck result = checker.take();
  result.complete = are_all_codes(src);
  return result;
}

KernelCheck check_kernel(std::size_t index, const std::vector<std::string>& isas, Level level) {
  std::vector<Kernel> kernels;
  for (const std::string& name : isas) kernels.push_back(kernel_at(index, name));
  return check_kernel(kernels, kernels.front().rule(), level);
}

}  // namespace castforge::cli
