#include "cli/selection/pair_list.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/words.hpp"
#include "cli/selection/kernel_options.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

template <class T>
void add_once(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

}  // namespace

std::string text_of(const TypePair& pair) { return text(name(pair.src), ':', name(pair.dst)); }

std::vector<TypePair> pairs_from(const std::vector<std::string>& lists) {
  std::vector<TypePair> pairs;
  for (const std::string& list : lists) {
    for (const std::string& word : split(list, ',')) {
      const std::size_t colon = word.find(':');
      if (colon == std::string::npos) {
        throw usage_error(text("--pair: expected SRC:DST, found ", in_quotes(word)));
      }
      add_once(pairs, {type_option(word.substr(0, colon), "--pair"), type_option(word.substr(colon + 1), "--pair")});
    }
  }
  return pairs;
}

std::vector<TypePair> admitted_pairs(OpSet opset) {
  std::vector<TypePair> pairs;
  for (std::size_t s = 0; s < opset.type_count(); ++s) {
    for (std::size_t d = 0; d < opset.type_count(); ++d) {
      const TypePair pair{opset.type(s), opset.type(d)};
      const bool numeric = type_info(pair.src).kind != TypeKind::string && type_info(pair.dst).kind != TypeKind::string;
      if (numeric && opset.admits(pair.src, pair.dst)) pairs.push_back(pair);
    }
  }
  return pairs;
}

std::vector<std::string> isas_from(std::string_view list) {
  // With a CASTFORGE_FORCE_ISA that cannot be obeyed every look-up fails, on whatever instruction set.
  if (const Status status = isa_status(); !status) throw usage_error(status.message());
  if (list.empty()) return {std::string(active_isa())};
  std::vector<std::string> isas;
  if (list == "all") {
    for (std::size_t i = 0; i < isa_count(); ++i) {
      if (isa(i).usable) isas.emplace_back(isa(i).name);
    }
    return isas;
  }
  for (const std::string& one : split(list, ',')) {
    if (one.empty()) throw usage_error(text("--isa: expected NAME or NAME,NAME, found ", in_quotes(list)));
    if (const Status status = isa_status(one); !status) throw usage_error(status.message());
    add_once(isas, one);
  }
  return isas;
}

}  // namespace castforge::cli
