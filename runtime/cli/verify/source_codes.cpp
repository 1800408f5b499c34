#include "cli/verify/source_codes.hpp"

#include "cli/io/element_words.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace castforge::cli {
namespace {

constexpr std::array<std::size_t, 8> kBlockLengths = {4096, 1, 1023, 64, 2047, 31, 4095, 130};

class Collector {
 public:
  explicit Collector(const TypeInfo& src) : src_(src), mask_(low_bits(src.value_bits)) {}

  void add(std::uint64_t code) { codes_.push_back(code & mask_); }
  std::uint64_t random() { return engine_(); }

  /// Fractions of `bits` bits for a rounding at every place; `make(fraction)` makes codes of them. Up to
  /// `all_kept` bits are kept in every combination; more of them as zeros, as ones (where ranges end) and in
  /// three random ones.
  template <class Make>
  void rounded_everywhere(int bits, int all_kept, const Make& make) {
    for (int dropped = 0; dropped <= bits; ++dropped) {
      const int kept = bits - dropped;
      const bool all = kept <= all_kept;
      const std::uint64_t count = all ? std::uint64_t{1} << kept : 5;
      const std::uint64_t tie = dropped == 0 ? 0 : std::uint64_t{1} << (dropped - 1);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t pattern = all ? i : i == 0 ? 0 : i == 1 ? low_bits(kept) : engine_() & low_bits(kept);
        const std::uint64_t upper = pattern << dropped;  // bits is below 64
        for (const std::uint64_t lower :
             {std::uint64_t{0}, std::uint64_t{1}, tie - 1, tie, tie + 1, low_bits(dropped)}) {
          make(upper | (lower & low_bits(dropped)));
          if (dropped == 0) break;
        }
      }
    }
  }

  std::vector<std::uint64_t> take() {
    std::sort(codes_.begin(), codes_.end());
    codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
    return std::move(codes_);
  }

 private:
  TypeInfo src_;
  std::uint64_t mask_;
  std::mt19937_64 engine_{41};
  std::vector<std::uint64_t> codes_;
};

void floating_codes(const TypeInfo& src, Collector& out) {
  const std::uint64_t sign = src.is_signed ? std::uint64_t{1} << (src.value_bits - 1) : 0;
  for (std::uint64_t field = 0; field <= low_bits(src.exponent_bits); ++field) {
    const auto exponent = static_cast<std::int64_t>(field) - src.exponent_bias;
    const bool common = exponent >= -30 && exponent <= 66;  // where narrow types have their range
    out.rounded_everywhere(src.mantissa_bits, common ? 8 : 2, [&](std::uint64_t fraction) {
      const std::uint64_t magnitude = field << src.mantissa_bits | fraction;
      out.add(magnitude);
      out.add(magnitude | sign);
    });
  }
}

void integer_codes(const TypeInfo& src, Collector& out) {
  for (int length = 0; length < src.value_bits; ++length) {
    out.rounded_everywhere(length, 8, [&](std::uint64_t fraction) {
      const std::uint64_t magnitude = std::uint64_t{1} << length | fraction;
      out.add(magnitude);
      out.add(~magnitude + 1);
    });
  }
}

}  // namespace

bool are_all_codes(const TypeInfo& src) { return src.value_bits <= 16; }

std::vector<std::uint64_t> representative_codes(const TypeInfo& src) {
  Collector out(src);
  if (are_all_codes(src)) {
    for (std::uint64_t code = 0; code <= low_bits(src.value_bits); ++code) out.add(code);
    std::vector<std::uint64_t> codes = out.take();
    for (int i = 0; i < 4096; ++i) codes.push_back(out.random() & low_bits(src.value_bits));
    return codes;
  }
  src.kind == TypeKind::floating ? floating_codes(src, out) : integer_codes(src, out);
  for (std::uint64_t i = 0; i < 1024; ++i) {
    out.add(i);
    out.add(~i);
  }
  for (int i = 0; i < 100000; ++i) out.add(out.random());
  return out.take();
}

void for_each_block(const TypeInfo& src, const std::function<void(std::span<const std::uint64_t>)>& use) {
  const std::vector<std::uint64_t> codes = representative_codes(src);
  std::size_t block = 0;
  for (std::size_t at = 0; at < codes.size();) {
    const std::size_t length = std::min(kBlockLengths[block++ % kBlockLengths.size()], codes.size() - at);
    use(std::span(codes).subspan(at, length));
    at += length;
  }
}

}  // namespace castforge::cli
