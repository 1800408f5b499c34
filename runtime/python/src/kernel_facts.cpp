#include "kernel_facts.hpp"

#include "arrays.hpp"
#include "errors.hpp"

#include <castforge/elements.hpp>
#include <castforge/rule.hpp>

#include <vector>

namespace pycastforge {

nb::object truth_table(const castforge::Kernel& kernel) {
  constexpr int kMostBits = 16;
  const StorageFacts &src = storage_of(kernel.src()), &dst = storage_of(kernel.dst());
  if (src.bits > kMostBits) {
    raise("NoTruthTable", std::string(castforge::name(kernel.src())) + " has " + std::to_string(src.bits) +
                              " bits; tables are for sources to " + std::to_string(kMostBits));
  }
  // Every byte of a bool that is not 0 means true; codes are the elements of that many bits all the same.
  const std::size_t count = std::size_t{1} << src.bits;
  std::vector<unsigned char> codes(dense_bytes(kernel.src(), count)), results(dense_bytes(kernel.dst(), count));
  for (std::size_t i = 0; i < count; ++i) castforge::store_element(codes.data(), i, i, src.bits, src.packing);
  check(kernel.run(codes.data(), results.data(), count));
  const nb::object table =
      nb::module_::import_("numpy").attr("empty")(count, "uint" + std::to_string(8 * dst.word_bytes));
  Array words = array_of(table, "the table");
  words.type = kernel.dst();
  for (std::size_t i = 0; i < count; ++i) {
    castforge::store_element(words.data, i, castforge::load_element(results.data(), i, dst.bits, dst.packing),
                             8 * dst.word_bytes);
  }
  return table;
}

nb::dict rule_words(const castforge::Rule& rule) {
  nb::dict all;
  const auto add = [&](const char* property, auto value) { all[property] = text(castforge::word_of(value)); };
  const auto add_unusual = [&](const char* property, auto value, auto usual) {
    if (value != usual) add(property, value);
  };
  if (rule.bits == castforge::Bits::kept) {
    add("bits", rule.bits);
    return all;
  }
  const castforge::Rule usual;
  if (rule.carry != castforge::carry::exact) all["carry"] = rule.carry;
  add("overflow", rule.overflow);
  if (rule.saturate_first.bits != 0) {
    all["saturate_first"] = (rule.saturate_first.is_signed ? "int" : "uint") + std::to_string(rule.saturate_first.bits);
  }
  add("inf", rule.inf);
  add("nan", rule.nan);
  add("negative", rule.negative);
  add_unusual("negative_test", rule.negative_test, usual.negative_test);
  add_unusual("negative_inf", rule.negative_inf, usual.negative_inf);
  add_unusual("zero_sign", rule.zero_sign, usual.zero_sign);
  add("zero", rule.zero);
  add("underflow", rule.underflow);
  add("same_type", rule.same_type);
  return all;
}

}  // namespace pycastforge
