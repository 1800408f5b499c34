// SMT-LIB bit-vector terms as text.
#pragma once

#include <cstdint>
#include <string>

namespace castforge::smt {

std::string constant(std::uint64_t value, int width);  // "(_ bv5 32)"
std::string ones(int width);
std::string sort(int width);  // "(_ BitVec 32)"; 0: "Bool"
std::string call(const char* function, const std::string& a);
std::string call(const char* function, const std::string& a, const std::string& b);
std::string call(const char* function, const std::string& a, const std::string& b, const std::string& c);
std::string extract(int high, int low, const std::string& term);  // both ends included
std::string bit(int position, const std::string& term);           // one bit wide
std::string is_set(int position, const std::string& term);        // Bool
std::string ite(const std::string& condition, const std::string& yes, const std::string& no);

/// Joins parts from the most significant one; empty parts (width 0) are left out.
std::string concat(const std::string& high, const std::string& low);

/// `term` of width `from` truncated or extended with zeros to `to`.
std::string resize(const std::string& term, int from, int to);

/// "(let ((name term))" and a line end: opens a scope that close_bindings() ends.
std::string let(const std::string& name, const std::string& term);
std::string close_bindings(const std::string& bindings);

}  // namespace castforge::smt
