#include "ir/operations.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

#include "ir/layout.hpp"
#include "ir/operation_terms.hpp"
#include "ir/operation_values.hpp"
#include "ir/smt_terms.hpp"

namespace castforge::ir {
namespace {

using namespace smt;
using namespace terms;
using namespace values;

Signature source() { return {Shape::source, 0, kAnyWidth, 0, Argument::none}; }
Signature number() { return {Shape::constant, 0, kAnyWidth, 0, Argument::none}; }
Signature same(int arity, unsigned widths = kAnyWidth) { return {Shape::same, arity, widths, 0, Argument::none}; }
Signature shifted() { return {Shape::same, 1, kAnyWidth, 0, Argument::number}; }
Signature compare() { return {Shape::compare, 2, kAnyWidth, 0, Argument::none}; }
Signature logic() { return {Shape::logic, 2, kAnyWidth, 0, Argument::none}; }
Signature choose() { return {Shape::choose, 3, kAnyWidth, 0, Argument::none}; }
Signature resize(unsigned widths) { return {Shape::resize, 1, widths, 0, Argument::type}; }
Signature convert(unsigned from, int to) { return {Shape::convert, 1, from, to, Argument::none}; }
Signature part(unsigned widths, int least = 0, int most = 0) {
  return {Shape::convert, 1, widths, 8, Argument::number, 0, 0, least, most};
}
Signature joined() { return {Shape::join, -1, k8, 0, Argument::type}; }
Signature lookup(int to, int entries = 0, int entry_bits = 0) {
  return {Shape::lookup, 1, k8, to, Argument::table, entries, entry_bits};
}

// One loop per operation, so that the compiler sees the whole of it.
#define LANES(expression)                                                          \
  for (std::size_t i = 0; i < x.count; ++i) {                                      \
    [[maybe_unused]] const std::uint64_t a = !x.args.empty() ? x.args[0][i] : 0;   \
    [[maybe_unused]] const std::uint64_t b = x.args.size() > 1 ? x.args[1][i] : 0; \
    [[maybe_unused]] const std::uint64_t c = x.args.size() > 2 ? x.args[2][i] : 0; \
    [[maybe_unused]] const int bits = x.bits, to = x.to;                           \
    [[maybe_unused]] const std::uint64_t imm = x.imm;                              \
    expression;                                                                    \
  }
#define EACH(...) [](const Call& x) { LANES(x.out[i] = static_cast<std::uint64_t>(__VA_ARGS__) & low_bits(to)) }
#define LOOKUP(index) [](const Call& x) { LANES(x.out[i] = (*x.table)[index]) }
#define LOOKUP16 [](const Call& x) { LANES(x.out[i] = (a & 0x80) != 0 ? 0 : (*x.table)[a & 15]) }
#define LOOKUP16_OR_ZERO [](const Call& x) { LANES(x.out[i] = a < 16 ? (*x.table)[a] : 0) }
#define NO_DOMAIN "", nullptr
#define DOMAIN(text, ...) text, [](const Call& x) { LANES(if (!(__VA_ARGS__)) return false) return true; }
#define WITHIN_INT32 DOMAIN("-2^31 <= a < 2^31", is_within_int32(a))
#define TERM(...) [](const TermCall& x) -> std::string { return (void)x, __VA_ARGS__; }
#define NEEDS(what) kNeeds##what

const Operation kOperations[] = {
#define OPERATION(name, spelling, signature, environment, doc, ...) \
  {#name, spelling, signature, environment, doc, __VA_ARGS__},
#include "ir/operations.def"
#undef OPERATION
};

}  // namespace

const Operation& operation(Op op) { return kOperations[static_cast<std::size_t>(op)]; }

std::span<const Need> all_needs() {
  static constexpr Need kAll[] = {{kNeedsVector, "vector"}, {kNeedsBytes16, "bytes16"}, {kNeedsAvx512, "avx512"},
                                  {kNeedsVbmi, "vbmi"},     {kNeedsNeon, "neon"},       {kNeedsFloat16, "float16"},
                                  {kNeedsTables, "tables"}};
  return kAll;
}

std::span<const Operation> operations() { return kOperations; }
std::string domain_words(const Operation& row) {
  const Signature& signature = row.signature;
  if (signature.shape == Shape::lookup && signature.entries == 0) return "a < number of entries";
  if (signature.most == 0) return row.domain;
  return std::to_string(signature.least) + " <= n <= " + std::to_string(signature.most);
}
bool is_infix(Op op) { return std::ispunct(static_cast<unsigned char>(operation(op).spelling[0])) != 0; }

}  // namespace castforge::ir
