#include "ir/smt_terms.hpp"

#include <algorithm>
#include <castforge/elements.hpp>

namespace castforge::smt {

std::string constant(std::uint64_t value, int width) {
  if (width <= 0) return "";
  value &= low_bits(width);
  return "(_ bv" + std::to_string(value) + " " + std::to_string(width) + ")";
}

std::string ones(int width) { return width <= 0 ? "" : "(bvnot " + constant(0, width) + ")"; }

std::string sort(int width) { return width == 0 ? "Bool" : "(_ BitVec " + std::to_string(width) + ")"; }

std::string call(const char* function, const std::string& a) { return std::string("(") + function + " " + a + ")"; }

std::string call(const char* function, const std::string& a, const std::string& b) {
  return std::string("(") + function + " " + a + " " + b + ")";
}

std::string call(const char* function, const std::string& a, const std::string& b, const std::string& c) {
  return std::string("(") + function + " " + a + " " + b + " " + c + ")";
}

std::string extract(int high, int low, const std::string& term) {
  if (high < low) return "";
  return "((_ extract " + std::to_string(high) + " " + std::to_string(low) + ") " + term + ")";
}

std::string bit(int position, const std::string& term) { return extract(position, position, term); }

std::string is_set(int position, const std::string& term) { return call("=", bit(position, term), "#b1"); }

std::string ite(const std::string& condition, const std::string& yes, const std::string& no) {
  return call("ite", condition, yes, no);
}

std::string concat(const std::string& high, const std::string& low) {
  if (high.empty()) return low;
  if (low.empty()) return high;
  return call("concat", high, low);
}

std::string resize(const std::string& term, int from, int to) {
  if (to == from) return term;
  return to < from ? extract(to - 1, 0, term) : concat(constant(0, to - from), term);
}

std::string let(const std::string& name, const std::string& term) { return "(let ((" + name + " " + term + "))\n"; }

std::string close_bindings(const std::string& bindings) {
  return std::string(static_cast<std::size_t>(std::count(bindings.begin(), bindings.end(), '\n')), ')');
}

}  // namespace castforge::smt
