#include "mutation/plans/reasons.hpp"

namespace castforge::mutation {

std::string reason_for(const spec::Meaning&, const std::string& change) {
  struct Row {
    const char *start, *reason;
  };
  static constexpr Row kRows[] = {
      {"kExpZero", "so far below, any shift leaves zero and a sticky bit"},
      {"kTop", "numbers so near the largest round to it"},
      {"kBottom", "numbers so near the least round to it"},
      {"kInf", "infinity and what is beside it have one result"},
      {"kBeyond", "what is clamped is far beyond the range, and exact"},
      {"kLimit", "what is clamped is far beyond the range, and exact"},
      {"kMinusLimit", "what is clamped is far beyond the range, and exact"},
      {"kExpInteger", "bounded numbers have exponents far below"},
      {"kNaNBits", "the changed bit is dropped, or all NaN have one result"},
      {"kNaNNumber", "the changed bit is dropped, or all NaN have one result"},
      {"kNaNLimit", "the changed bit is dropped, or all NaN have one result"},
      {"kNegativeNaNLimit", "the changed bit is dropped, or all NaN have one result"},
  };
  for (const Row& row : kRows) {
    if (change.rfind(std::string(row.start) + " ", 0) == 0) return row.reason;
  }
  if (change.find("] + 1") != std::string::npos) return "no source code reads the entry, or another entry decides";
  if (change.find(": operands") != std::string::npos) return "the order decides nothing for values that arrive there";
  if (change.find(": number ") != std::string::npos) return "the bits that differ are zero, or dropped afterwards";
  if (change.find(": ") != std::string::npos) return "both operations agree on all values that arrive there";
  return "the bits that differ are dropped, or no value lies between both constants";
}

}  // namespace castforge::mutation
