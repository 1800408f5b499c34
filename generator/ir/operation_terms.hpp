// What operations mean as SMT-LIB terms: the functions that rows of operations.def call for terms. Terms are bit
// vectors, comparisons Bool; a, b, c are the operands.
#pragma once

#include <string>

#include "ir/layout.hpp"
#include "ir/operation_values.hpp"
#include "ir/operations.hpp"
#include "ir/smt_terms.hpp"

namespace castforge::ir::terms {

using values::Rounding;

/// The number in angle brackets.
inline int fixed(const TermCall& x) { return static_cast<int>(x.imm); }

/// Adds what holds of operands in the domain.
inline void require(const TermCall& x, const std::string& condition) { x.domain->push_back(condition); }

std::string sign_extend(int bits, const std::string& term);
std::string subtract_saturated(const std::string& a, const std::string& b);
std::string add_saturated(const std::string& a, const std::string& b);
std::string join_terms(const TermCall& x);
std::string table_term(const TermCall& x, const std::string& index, int index_bits, int entry_bits);
std::string table_term(const TermCall& x, const std::string& index, int index_bits);
/// An unsigned integer as a float: one line per position of the leading one, exact up to 2^(mantissa_bits + 1).
std::string exact_float(const std::string& integer, const Layout& layout);
std::string exact_float_of_int(const TermCall& x);
std::string nan_becomes(const TermCall& x);
/// By the highest bit that is set.
std::string leading_zeros(const TermCall& x);
/// a < b as numbers, float32 patterns: false with a NaN; both zeros are equal.
std::string float_less(const std::string& a, const std::string& b);
std::string half_ulps_rto(const TermCall& x);
std::string limit_magnitude(const TermCall& x);
std::string binade(const TermCall& x);
/// The product is exact, the sum is rounded.
std::string multiply_add(const TermCall& x);
std::string fused_multiply_add(const TermCall& x);
std::string int_of_float_within(const TermCall& x, Rounding mode);
std::string int_of_float_or_top(const TermCall& x, Rounding mode);
std::string wrap_int_of_float(const TermCall& x, bool nearest);
std::string truncated_term(const TermCall& x, int lane, int kept);
/// A float in a wider format, exact: one line per position of the leading one of a subnormal number.
std::string wider_float(const Layout& from, const Layout& to, const std::string& a);
/// A float in a narrower format, to nearest with ties to even or toward zero.
std::string narrower_float(const TermCall& x, const Layout& from, const Layout& to, bool nearest);
/// A float32 as float16, up or down.
std::string directed_float16_term(const TermCall& x, bool up);
/// Two's complement or unsigned integer to a float, nearest even: one line per position of the leading one.
std::string nearest_float(const TermCall& x, bool is_signed, const Layout& layout);
/// An integer to float32, rounded to odd: one line per position of the leading one.
std::string odd_float32_term(const TermCall& x, bool is_signed);
/// A two's complement integer to float32, toward zero, down or up: one line per position of the leading one.
std::string directed_float32_term(const TermCall& x, Rounding mode);

}  // namespace castforge::ir::terms
