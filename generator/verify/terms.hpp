// The domain of SMT-LIB terms.
#pragma once

#include <cstdint>
#include <string>

#include "ir/smt_terms.hpp"

namespace castforge::verify {

/// A domain of semantics/finite.hpp: terms of kWide bits. What is used several times is bound to a name.
class Terms {
 public:
  using Word = std::string;
  using Bit = std::string;
  static constexpr int kWide = 128;

  static Word constant(std::uint64_t value) { return smt::constant(value, kWide); }
  static Word power(int exponent) { return shifted_left(constant(1), exponent); }
  static Word plus(const Word& a, const Word& b) { return smt::call("bvadd", a, b); }
  static Word minus(const Word& a, const Word& b) { return smt::call("bvsub", a, b); }
  static Word shifted_left(const Word& word, int by) {
    return by == 0 ? word : smt::concat(smt::extract(kWide - 1 - by, 0, word), smt::constant(0, by));
  }
  static Word shifted_right(const Word& word, int by) {
    return by == 0 ? word : smt::concat(smt::constant(0, by), smt::extract(kWide - 1, by, word));
  }
  static Word low(const Word& word, int bits) { return smt::resize(smt::extract(bits - 1, 0, word), bits, kWide); }
  static Word select(const Bit& condition, const Word& yes, const Word& no) { return smt::ite(condition, yes, no); }
  Word share(const Word& word) {
    const std::string name = "shared" + std::to_string(shared_++);
    bindings_ += "(let ((" + name + " " + word + ")) ";
    return name;
  }

  static Bit truth(bool value) { return value ? "true" : "false"; }
  static Bit is_set(const Word& word, int bit) { return smt::is_set(bit, word); }
  static Bit any_set(const Word& word, int bits) {
    return bits == 0 ? "false" : smt::call("distinct", smt::extract(bits - 1, 0, word), smt::constant(0, bits));
  }
  static Bit less(const Word& a, const Word& b) { return smt::call("bvult", a, b); }
  static Bit equal(const Word& a, const Word& b) { return smt::call("=", a, b); }
  static Bit row(unsigned table, const Bit& last_kept, const Bit& first_dropped, const Bit& sticky) {
    std::string any = "(or false";
    for (unsigned row = 0; row < 8; ++row) {
      if ((table >> row & 1) == 0) continue;
      const auto literal = [&](unsigned bit, const Bit& term) {
        return (row & bit) != 0 ? term : smt::call("not", term);
      };
      any += " (and " + literal(4, last_kept) + " " + literal(2, first_dropped) + " " + literal(1, sticky) + ")";
    }
    return any + ")";
  }

  static void expect_not(const Bit& /*broken*/, const char* /*promise*/) {}  // numbers are tried with the rule itself

  /// A term with what it shares.
  std::string with_bindings(const std::string& term) const {
    return bindings_ + term + std::string(static_cast<std::size_t>(shared_), ')');
  }

 private:
  int shared_ = 0;
  std::string bindings_;
};

}  // namespace castforge::verify
