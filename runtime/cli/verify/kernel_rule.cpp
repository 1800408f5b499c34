#include "cli/verify/kernel_rule.hpp"

#include <array>
#include <span>
#include <utility>

namespace castforge::cli {
namespace {

template <class T>
using Words = std::span<const std::pair<std::string_view, T>>;

template <class T>
std::optional<T> look_up(Words<T> words, std::string_view word) {
  for (const auto& [text, value] : words) {
    if (text == word) return value;
  }
  return std::nullopt;
}

using RoundingWord = std::pair<std::string_view, Rounding>;
using OutcomeWord = std::pair<std::string_view, Outcome>;

constexpr std::array<RoundingWord, 7> kRoundings = {{{"exact", Rounding::exact},
                                                     {"rne", Rounding::nearest_even},
                                                     {"rna", Rounding::nearest_away},
                                                     {"rtz", Rounding::toward_zero},
                                                     {"rtp", Rounding::up},
                                                     {"rtn", Rounding::down},
                                                     {"rto", Rounding::odd}}};
constexpr std::array<OutcomeWord, 7> kOverflows = {{{"inf", Outcome::natural},
                                                    {"max", Outcome::largest},
                                                    {"nan", Outcome::nan},
                                                    {"ieee", Outcome::by_rounding},
                                                    {"wrap", Outcome::wrap},
                                                    {"sat", Outcome::largest},
                                                    {"sat32wrap", Outcome::clamp_32_wrap}}};
constexpr std::array<OutcomeWord, 5> kInfinities = {{{"infinf", Outcome::natural},
                                                     {"infmax", Outcome::largest},
                                                     {"infnan", Outcome::nan},
                                                     {"infzero", Outcome::zero},
                                                     {"infover", Outcome::as_overflow}}};
constexpr std::array<OutcomeWord, 6> kNans = {{{"nannan", Outcome::nan},
                                               {"nanmax", Outcome::positive_largest},
                                               {"nansmax", Outcome::largest},
                                               {"nanmin", Outcome::smallest},
                                               {"nanzero", Outcome::zero},
                                               {"nannegzero", Outcome::opposite_zero}}};
constexpr std::array<OutcomeWord, 3> kNegatives = {
    {{"negnan", Outcome::nan}, {"negclamp", Outcome::smallest}, {"negabs", Outcome::magnitude}}};
constexpr std::array<OutcomeWord, 2> kZeros = {{{"zeronan", Outcome::nan}, {"zeromin", Outcome::smallest}}};
constexpr std::array<OutcomeWord, 2> kUnderflows = {
    {{"lownan", Outcome::nan}, {"lowmin", Outcome::smallest}}};

/// The words of a name, one after the other.
class Reader {
 public:
  explicit Reader(std::string_view words) : rest_(words) {}

  bool at_end() const { return rest_.empty(); }

  /// Takes the next word if it is one of these.
  template <class T, std::size_t N>
  std::optional<T> take(const std::array<std::pair<std::string_view, T>, N>& words) {
    const std::string_view word = rest_.substr(0, rest_.find('_'));
    const std::optional<T> found = look_up<T>(words, word);
    if (found) rest_.remove_prefix(word.size() == rest_.size() ? word.size() : word.size() + 1);
    return found;
  }

  bool take(std::string_view word) {
    if (rest_ != word) return false;
    rest_ = {};
    return true;
  }

 private:
  std::string_view rest_;
};

/// What an infinity becomes where the name does not say.
Outcome unsaid_infinity(std::optional<Outcome> overflow, const TypeInfo& dst) {
  if (dst.kind == TypeKind::integer)
    return overflow && *overflow != Outcome::wrap ? Outcome::largest : Outcome::zero;
  return overflow ? *overflow : Outcome::natural;
}

}  // namespace

std::optional<KernelRule> rule_of(std::string_view kernel_name, const TypeInfo& src, const TypeInfo& dst) {
  const std::string_view separator = "__";
  const std::size_t at = kernel_name.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  Reader words(kernel_name.substr(at + separator.size()));
  const bool integer = dst.kind == TypeKind::integer;
  KernelRule rule;
  const std::optional<Rounding> rounding = words.take(kRoundings);
  if (!rounding) return std::nullopt;
  rule.rounding = *rounding;
  if (words.take("integral")) {
    rule.integral = src.name == dst.name;
    return rule.integral ? std::optional(rule) : std::nullopt;
  }
  const std::optional<Outcome> overflow = words.take(kOverflows);
  rule.overflow = overflow.value_or(integer ? Outcome::wrap : Outcome::natural);
  rule.infinity = words.take(kInfinities).value_or(unsaid_infinity(overflow, dst));
  if (rule.infinity == Outcome::as_overflow && !overflow) return std::nullopt;
  rule.nan = words.take(kNans).value_or(integer ? Outcome::zero : Outcome::nan);
  rule.negative = words.take(kNegatives).value_or(rule.negative);
  rule.zero = words.take(kZeros).value_or(rule.zero);
  rule.underflow = words.take(kUnderflows).value_or(rule.underflow);
  return words.at_end() ? std::optional(rule) : std::nullopt;
}

std::optional<KernelRule> rule_of(const Kernel& kernel) {
  return rule_of(kernel.name(), type_info(kernel.src()), type_info(kernel.dst()));
}

}  // namespace castforge::cli
