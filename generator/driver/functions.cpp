#include "driver/functions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "ir/program_text.hpp"

namespace castforge::driver {
namespace {

int newest_type(const Kernel& kernel) { return std::max(kernel.meaning.src->id, kernel.meaning.dst->id); }

}  // namespace

std::vector<std::size_t> functions(const std::vector<Kernel>& kernels) {
  std::vector<std::size_t> by_age(kernels.size());
  std::iota(by_age.begin(), by_age.end(), std::size_t{0});
  std::stable_sort(by_age.begin(), by_age.end(), [&](std::size_t left, std::size_t right) {
    return newest_type(kernels[left]) < newest_type(kernels[right]);
  });
  // The text of a program begins with both widths.
  std::map<std::tuple<Packing, Packing, std::vector<std::string>>, std::size_t> oldest;
  std::vector<std::size_t> result(kernels.size());
  for (const std::size_t i : by_age) {
    const Kernel& kernel = kernels[i];
    std::vector<std::string> texts;
    for (const ir::Program& program : kernel.programs) texts.push_back(ir::program_text(program));
    result[i] = oldest.try_emplace({kernel.meaning.src->packing, kernel.meaning.dst->packing, std::move(texts)}, i)
                    .first->second;
  }
  return result;
}

}  // namespace castforge::driver
