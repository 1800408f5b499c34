// Everything that converts, whatever rounding mode, flushing and traps the caller's thread has, and whatever language
// the program speaks: the same bits, and the thread's state comes back as it was. tests/exhaustive does the same with
// every compiled kernel.
#include <castforge/castforge.hpp>
#include <castforge/exact.hpp>
#include <catch2/catch_all.hpp>
#include <clocale>
#include <cstring>
#include <fstream>
#include <functional>
#include <locale>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "unit/load/support.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

using namespace castforge;

namespace {

using Bytes = std::string;

/// Elements of every kind: all codes of narrow types, random ones of wide types with subnormals among them.
Bytes elements_of(Type type) {
  const TypeInfo info = type_info(type);
  constexpr std::size_t kCount = 512;
  Bytes bytes(*storage_bytes(type, kCount), '\0');
  std::mt19937_64 random(static_cast<unsigned>(type) + 1U);
  for (std::size_t i = 0; i < kCount; ++i) {
    std::uint64_t code = random() & low_bits(info.value_bits);
    if (info.value_bits <= 9) code = i & low_bits(info.value_bits);
    else if (i % 4 == 0) code &= ~(low_bits(info.exponent_bits) << info.mantissa_bits);
    else if (i % 4 == 1) code &= ~low_bits(info.value_bits / 2);
    if (info.storage_high) code <<= info.storage_bits - info.value_bits;
    store_element(bytes.data(), i, code, info.storage_bits, info.packing);
  }
  return bytes;
}

std::size_t count_of(Type type, const Bytes& bytes) {
  return bytes.size() * 8 / static_cast<std::size_t>(type_info(type).storage_bits);
}

Bytes converted(const Kernel& kernel, const Bytes& source, std::size_t count) {
  Bytes result(*storage_bytes(kernel.dst(), count), '\0');
  if (!kernel.run(source.data(), result.data(), count)) return "failed";
  return result;
}

std::vector<std::string_view> usable_isas() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < isa_count(); ++i) {
    if (isa(i).usable) names.push_back(isa(i).name);
  }
  return names;
}

/// One thing that the library does, as a function that always gives the same bytes.
struct Work {
  std::string name;
  std::function<Bytes()> run;
};

void add_loaded(std::vector<Work>& list) {
  const auto file = load_test::made({"ue5m3.json"}).file;
  REQUIRE(load_test::load(file).ok());
  std::set<std::pair<KernelForm, std::string>> forms;
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const Kernel any = kernel_at(i);
    if (any.form() == KernelForm::code) continue;
    // Of each form one kernel for each kind and width of source.
    const TypeInfo from = type_info(any.src());
    const std::string kind = std::to_string(static_cast<int>(from.kind)) + " " + std::to_string(from.storage_bits);
    if (!forms.insert({any.form(), kind}).second) continue;
    for (const std::string_view isa : usable_isas()) {
      const Kernel kernel = kernel_at(i, isa);
      const Bytes source = elements_of(kernel.src());
      list.push_back({std::string(kernel.name()) + " on " + std::string(isa),
                      [kernel, source] { return converted(kernel, source, count_of(kernel.src(), source)); }});
    }
  }
  CHECK(forms.size() > 4);
}

/// Of every lowering that some kernel has, in the words of MANIFEST.tsv ("convert_float.multiply_add"), the kernels
/// that are first to have it with a width of source and result.
std::map<std::string, std::set<std::string>> kernels_by_plan() {
  std::ifstream manifest(std::string(CASTFORGE_SOURCE_DIR) + "/generated/MANIFEST.tsv");
  std::string line;
  std::getline(manifest, line);
  REQUIRE(line.starts_with("kernel\tfile\tmeaning\tplans\t"));
  std::map<std::string, std::set<std::string>> kernels;
  std::set<std::string> seen;
  while (std::getline(manifest, line)) {
    std::istringstream cells(line);
    std::string kernel, file, meaning, plans;
    for (std::string* cell : {&kernel, &file, &meaning, &plans}) std::getline(cells, *cell, '\t');
    const std::string pair = kernel.substr(0, kernel.find("__"));
    const auto bits = [](std::string_view type) {
      const auto found = find_type(type);
      return found ? std::to_string(type_info(*found).storage_bits) : std::string(type);
    };
    const std::string widths = bits(pair.substr(0, pair.find("_to_"))) + " " + bits(pair.substr(pair.find("_to_") + 4));
    std::istringstream list(plans);
    for (std::string plan; std::getline(list, plan, ',');) {
      if (seen.insert(plan + " " + widths).second) kernels[plan].insert(kernel);
    }
  }
  return kernels;
}

/// A kernel of the library for every plan there is, on every instruction set: one of them chooses it, but for those of
/// processors that this is not.
void add_plans(std::vector<Work>& list) {
  std::set<std::string> wanted;
  for (const auto& [plan, kernels] : kernels_by_plan()) wanted.insert(kernels.begin(), kernels.end());
  std::size_t found = 0;
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const Kernel any = kernel_at(i);
    if (any.form() != KernelForm::code || !wanted.contains(std::string(any.name()))) continue;
    ++found;
    for (const std::string_view isa : usable_isas()) {
      const Kernel kernel = kernel_at(i, isa);
      const Bytes source = elements_of(kernel.src());
      list.push_back({std::string(kernel.name()) + " on " + std::string(isa),
                      [kernel, source] { return converted(kernel, source, count_of(kernel.src(), source)); }});
    }
  }
  CHECK(found == wanted.size());
}

/// The reference itself, for kernels of every kind of destination.
void add_exact(std::vector<Work>& list) {
  for (std::size_t i = 0; i < kernel_count(); i += 7) {
    const Kernel kernel = kernel_at(i);
    list.push_back({"exact_cast as " + std::string(kernel.name()), [kernel] {
                      const Format from = type_info(kernel.src()), to = type_info(kernel.dst());
                      Bytes result;
                      for (std::uint64_t code = 1; code != 0; code = code * 5 & low_bits(from.value_bits)) {
                        result += std::to_string(exact_cast(from, to, kernel.rule(), code).value_or(~0ULL)) + ' ';
                        if (result.size() > 400) break;
                      }
                      return result;
                    }});
  }
}

Bytes texts_of(OpSet opset, Type type, const Bytes& source) {
  Bytes all;
  const Status status = format_text(opset.name(), type, source.data(), count_of(type, source), {},
                                    [&](std::size_t, std::string_view text) { all.append(text) += '\n'; });
  return status ? all : "failed";
}

void add_text(std::vector<Work>& list, OpSet opset) {
  for (std::size_t i = 0; i < opset.type_count(); ++i) {
    const Type type = opset.type(i);
    if (type == Type::string) continue;
    const Bytes source = elements_of(type);
    if (opset.admits(type, Type::string))
      list.push_back({std::string(opset.name()) + ": text of " + std::string(name(type)),
                      [=] { return texts_of(opset, type, source); }});
    if (opset.admits(Type::string, type))
      list.push_back({std::string(opset.name()) + ": " + std::string(name(type)) + " of text", [=] {
                        static constexpr std::string_view kTexts[] = {"1",     "-0",     "2.5",    "1e-310", "448.5",
                                                                      "0.1",   "-7.75",  "1e-45",  "nan",    "-inf",
                                                                      "1e300", "3.3e-5", "65519.9"};
                        Bytes result(*storage_bytes(type, std::size(kTexts)), '\0');
                        const Status status = parse_text(opset.name(), type, kTexts, result.data());
                        return status ? result : status.message();
                      }});
  }
}

void add_tensors(std::vector<Work>& list, OpSet opset) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < opset.type_count(); ++i) {
    for (std::size_t j = 0; j < opset.type_count(); ++j) {
      const Type from = opset.type(i), to = opset.type(j);
      if (from == Type::string || to == Type::string || !opset.admits(from, to) || ++pairs % 5 != 0) continue;
      const Bytes source = elements_of(from);
      const auto count = static_cast<std::int64_t>(count_of(from, source));
      list.push_back({std::string(opset.name()) + ": " + std::string(name(from)) + " to " + std::string(name(to)), [=] {
                        Bytes result(*storage_bytes(to, static_cast<std::size_t>(count)), '\0');
                        const TensorView src{from, {&count, 1}, source.data(), source.size()};
                        const MutableTensorView dst{to, {&count, 1}, result.data(), result.size()};
                        const bool bits = opset.operation() == "bitcast";
                        const Status status = bits ? bitcast(opset.name(), src, dst) : cast(opset.name(), src, dst);
                        return status ? result : status.message();
                      }});
    }
  }
}

void add_ranges(std::vector<Work>& list, OpSet opset) {
  for (std::size_t i = 0; i < opset.type_count(); ++i) {
    const Type type = opset.type(i);
    const bool one_type = opset.option("operand_types") == "same";
    for (const std::string_view isa : usable_isas()) {
      list.push_back({std::string(opset.name()) + ": " + std::string(name(type)) + " on " + std::string(isa), [=] {
                        const auto number = [&](double value, std::string_view text) {
                          if (!one_type) return Scalar(value);
                          Scalar scalar(type, 0);
                          const Status status = parse_number(text, type, scalar.code);
                          return status ? scalar : Scalar(value);
                        };
                        const Range range =
                            find_range(opset, number(1, "1"), number(100, "100"), number(1.1, "1.1"), type, {}, isa);
                        if (!range) return range.status().message();
                        Bytes result(*storage_bytes(type, range.count()), '\0');
                        const Status status = range.fill(0, result.data(), range.count());
                        return status ? result : status.message();
                      }});
    }
  }
}

/// By operation, what adds the work of an op-set.
const std::map<std::string_view, std::vector<void (*)(std::vector<Work>&, OpSet)>> kOperations = {
    {"cast", {add_tensors, add_text}}, {"bitcast", {add_tensors}}, {"range", {add_ranges}}};

const std::vector<Work>& all_work() {
  static const std::vector<Work> list = [] {
    std::vector<Work> made;
    add_loaded(made);
    add_exact(made);
    add_plans(made);
    std::set<std::string_view> families;
    for (std::size_t i = opset_count(); i-- > 0;) {  // of each family the newest version
      if (!families.insert(opset(i).family()).second) continue;
      for (const auto add : kOperations.at(opset(i).operation())) add(made, opset(i));
    }
    const Kernel kernel = find_kernel("onnx", Type::float32, Type::float16);
    made.push_back({"past the caches", [kernel] {
                      const std::vector<float> source(20 << 20, 1e-7F);  // larger than any threshold
                      std::vector<std::uint16_t> result(source.size());
                      const Status status = kernel.run(source.data(), result.data(), source.size());
                      if (!status) return status.message();
                      return Bytes(reinterpret_cast<const char*>(result.data()), 4096);
                    }});
    return made;
  }();
  return list;
}

std::vector<Bytes> results() {
  std::vector<Bytes> all;
  for (const Work& work : all_work()) all.push_back(work.run());
  return all;
}

/// With `.` between thousands and `,` before the fraction, as in many languages.
class Grouped : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\1"; }
};

}  // namespace

TEST_CASE("every operation of the library's op-sets is known to these tests") {
  for (std::size_t i = 0; i < opset_count(); ++i) {
    INFO(opset(i).name());
    CHECK(kOperations.contains(opset(i).operation()));
  }
}

TEST_CASE("every lowering is met") {
  const auto kernels = kernels_by_plan();
  std::set<std::string_view> names;
  for (const Work& work : all_work()) names.insert(work.name);
  for (const auto& [plan, some] : kernels) {
    for (const std::string& kernel : some) {
      INFO(plan << ": " << kernel);
      CHECK(names.contains(kernel + " on portable"));
    }
  }
  // The lowerings of generator/plan/lowerings.cpp that some op-set of the library needs; a new one is met by itself.
  CHECK(kernels.size() >= 36);
}

TEST_CASE("every kind of work has a result") {
  std::size_t failed = 0;
  for (const Work& work : all_work()) failed += work.run() == "failed";
  CHECK(failed == 0);
  CHECK(all_work().size() > 300);
}

#if defined(__SSE2__)
TEST_CASE("rounding modes, flushing and traps") {
  constexpr unsigned kMasks = 0x1F80, kFlush = 0x8040;
  const std::vector<Bytes> expected = results();
  const unsigned before = _mm_getcsr();
  for (unsigned state = 0; state < 16; ++state) {
    const unsigned control = (state & 3) << 13 | ((state & 4) != 0 ? kFlush : 0) | ((state & 8) != 0 ? 0 : kMasks);
    if (control == kMasks) continue;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      _mm_setcsr(control);
      const Bytes result = all_work()[i].run();
      const unsigned after = _mm_getcsr();
      _mm_setcsr(before);
      if (result == expected[i] && after == control) continue;
      INFO(all_work()[i].name << " with the control state " << std::hex << control << ", then " << after);
      CHECK(result == expected[i]);
      CHECK(after == control);
    }
  }
}
#endif

TEST_CASE("the language of the program") {
  const std::vector<Bytes> expected = results();
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  const std::vector<Bytes> grouped = results();
  std::locale::global(before);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (grouped[i] == expected[i]) continue;
    INFO(all_work()[i].name);
    CHECK(grouped[i] == expected[i]);
  }
  for (const char* language : {"C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "fr_FR.UTF-8", "hi_IN"}) {
    if (std::setlocale(LC_ALL, language) == nullptr) continue;
    const std::vector<Bytes> spoken = results();
    std::setlocale(LC_ALL, "C");
    CHECK((spoken == expected));
  }
}
