#include <algorithm>
#include <array>
#include <castforge/loadable.hpp>
#include <castforge/notation.hpp>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "src/exact/cast.hpp"
#include "src/loaded/checked.hpp"
#include "src/loaded/file_problem.hpp"
#include "src/loaded/loaded_file.hpp"
#include "src/opset_tables.hpp"
#include "src/registry.hpp"
#include "src/same_format.hpp"
#include "src/text/element.hpp"
#include "src/type_rows.hpp"
#include "src/versions.hpp"

namespace castforge {
namespace {

using loadable::Form;

/// The enumerators that a file's places in a list of words stand for.
template <class Enum, std::size_t N>
consteval std::array<Enum, N> enumerators(const std::string_view (&words)[N]) {
  static_assert(N == kWords<Enum>.size(), "each has a place");
  std::array<Enum, N> all{};
  for (std::size_t i = 0; i < N; ++i) {
    const auto found = std::find(kWords<Enum>.begin(), kWords<Enum>.end(), words[i]);
    if (found == kWords<Enum>.end()) throw "a word that no enumerator has";
    all[i] = static_cast<Enum>(found - kWords<Enum>.begin());
  }
  return all;
}
constexpr auto kKinds = enumerators<TypeKind>(loadable::kKinds);
constexpr auto kNanCodes = enumerators<NanCodes>(loadable::kNanCodes);
constexpr auto kOverflows = enumerators<Overflow>(loadable::kOverflows);
constexpr auto kInfResults = enumerators<InfResult>(loadable::kInfResults);
constexpr auto kNanResults = enumerators<NanResult>(loadable::kNanResults);
constexpr auto kNegativeResults = enumerators<NegativeResult>(loadable::kNegativeResults);
constexpr auto kNegativeTests = enumerators<NegativeTest>(loadable::kNegativeTests);
constexpr auto kNegativeInfs = enumerators<NegativeInf>(loadable::kNegativeInfs);
constexpr auto kZeroSigns = enumerators<ZeroSign>(loadable::kZeroSigns);
constexpr auto kBelowRanges = enumerators<BelowRange>(loadable::kBelowRanges);
constexpr auto kSameTypes = enumerators<SameType>(loadable::kSameTypes);
constexpr auto kBits = enumerators<Bits>(loadable::kBits);
constexpr auto kGrammars = enumerators<Grammar>(loadable::kGrammars);
constexpr auto kNotations = enumerators<Notation>(loadable::kNotations);
// These stand in no rule.
constexpr std::array kPackings = {Packing::low_first, Packing::high_first};
constexpr std::array kDefaults = {tables::Default::no, tables::Default::yes, tables::Default::fallback};
constexpr std::array kAttributeKinds = {tables::AttributeKind::integer, tables::AttributeKind::flag,
                                        tables::AttributeKind::string, tables::AttributeKind::enumeration};
static_assert(std::size(kPackings) == std::size(loadable::kPackings) &&
              std::size(kDefaults) == std::size(loadable::kDefaults) &&
              std::size(kAttributeKinds) == std::size(loadable::kAttributeKinds));

/// Sets the two members of a table that say where its rows are, and how many.
template <class Row, class Count>
void set_rows(const std::vector<Row>& all, const Row*& rows, Count& count) {
  rows = all.data();
  count = static_cast<Count>(all.size());
}

constexpr int kLargestId = (1 << 15) - 1;  // positive in 16 bits, signed or not

/// Reading one file. Whatever is wrong ends it.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes), file_(std::make_unique<LoadedFile>()) {}

  std::unique_ptr<LoadedFile> run() {
    header();
    types();
    kernels();
    references();
    text_rules();
    other_elements();
    opsets();
    if (at_ != bytes_.size()) fail(FileProblem::trailing, "the content");
    finish();
    return std::move(file_);
  }

 private:
  using Words = LoadedFile::LoadedOpSet;

  [[noreturn]] void fail(FileProblem problem, std::string_view given = {}, std::uint64_t second = 0) const {
    throw FileRefused{file_refused(problem, at_, given, second)};
  }
  void require(bool holds, FileProblem problem, std::string_view given) const {
    if (!holds) fail(problem, given);
  }

  // ---------------------------------------------------------------- numbers and texts

  std::uint64_t number(std::size_t size, std::string_view what) {
    require(bytes_.size() - at_ >= size, FileProblem::truncated, what);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(bytes_[at_ + i]) << (8 * i);
    at_ += size;
    return value;
  }
  std::uint8_t u8(std::string_view what) { return static_cast<std::uint8_t>(number(1, what)); }
  std::uint16_t u16(std::string_view what) { return static_cast<std::uint16_t>(number(2, what)); }
  std::uint32_t u32(std::string_view what) { return static_cast<std::uint32_t>(number(4, what)); }
  std::uint64_t u64(std::string_view what) { return number(8, what); }
  /// Not above `most`; of several bytes where `size` says so.
  std::uint64_t limited(std::size_t size, std::uint64_t most, std::string_view what) {
    const std::uint64_t value = number(size, what);
    if (value > most) at_ -= size, fail(FileProblem::number, what);
    return value;
  }
  bool flag(std::string_view what) { return limited(1, 1, what) != 0; }

  template <class Enum, std::size_t N>
  Enum word(const std::array<Enum, N>& words, std::string_view what) {
    return words[limited(1, N - 1, what)];
  }

  enum class Text { any, printable, name, opset_name, version };
  /// Kept until the file goes.
  const char* text(Text kind, std::string_view what) {
    const std::size_t size = u16(what);
    require(bytes_.size() - at_ >= size, FileProblem::truncated, what);
    const std::string_view given(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    require(is_text(kind, given), FileProblem::text, what);
    at_ += size;
    return file_->texts.emplace_back(given).c_str();
  }
  static bool is_text(Text kind, std::string_view given) {
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto each = [&](auto allowed) { return std::all_of(given.begin(), given.end(), allowed); };
    switch (kind) {
      case Text::any:  // UTF-8 without control characters
        return each([](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 0x7F; });
      case Text::printable: return !given.empty() && each([](char c) { return c >= ' ' && c <= '~'; });
      case Text::name:
        return !given.empty() && lower(given[0]) && each([&](char c) { return lower(c) || digit(c) || c == '_'; });
      case Text::opset_name:
        return !given.empty() && lower(given[0]) && each([&](char c) { return lower(c) || digit(c) || c == '-'; });
      case Text::version:
        return is_whole_version(given) ||
               (!given.empty() && !each(digit) && digit(given.front()) && digit(given.back()) &&
                each([&](char c) { return digit(c) || c == '.' || c == '-'; }));
    }
    return false;
  }
  /// Whether all of a text is one number of 64 bits.
  static bool is_number(std::string_view given) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    return error == std::errc() && end == given.data() + given.size();
  }
  std::string_view last_text() const { return file_->texts.back(); }

  // ---------------------------------------------------------------- header

  void header() {
    const auto same = [](unsigned char a, std::byte b) { return std::byte{a} == b; };
    const std::size_t given = std::min(bytes_.size(), loadable::kMagic.size());
    if (given == 0 || !std::equal(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(given),
                                  loadable::kMagic.begin(), [&](std::byte b, unsigned char a) { return same(a, b); }))
      fail(FileProblem::no_cft);
    require(given == loadable::kMagic.size(), FileProblem::truncated, "the header");
    at_ = given;
    const std::uint32_t version = u32("the header");
    if (version != loadable::kVersion) fail(FileProblem::version, {}, version);
    if (u32("the header") != loadable::kByteOrder) fail(FileProblem::byte_order);
    const std::uint64_t size = u64("the header");
    if (size != bytes_.size()) {
      at_ = bytes_.size();
      fail(FileProblem::size, {}, size);
    }
    const std::uint64_t stated = u64("the header");
    loadable::Check check;
    for (const std::byte byte : bytes_.subspan(at_)) check.add(std::to_integer<unsigned char>(byte));
    if (check.value() != stated) fail(FileProblem::check);
    char digits[24];
    std::snprintf(digits, sizeof digits, "cft:%016llx", static_cast<unsigned long long>(stated));
    file_->module.manifest = file_->texts.emplace_back(digits).c_str();
  }

  // ---------------------------------------------------------------- types

  void types() {
    const std::size_t count = u16("the number of types");
    const auto own = static_cast<std::size_t>(limited(2, count, "the number of own types"));
    file_->types.reserve(own);
    rows_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const tables::TypeRow row = type(i < own);
      if (i >= own) {
        const tables::TypeRow* const known = find_type_row(row.id);
        require(known != nullptr && std::string_view(known->name) == row.name && same_format(*known, row),
                FileProblem::known_type, row.name);
        rows_.push_back(known);
        continue;
      }
      require(file_->types.empty() || file_->types.back().id < row.id, FileProblem::order, "the numbers of types");
      file_->types.push_back(row);
      rows_.push_back(&file_->types.back());
    }
  }

  tables::TypeRow type(bool own) {
    tables::TypeRow row{};
    row.name = text(Text::name, "the name of a type");
    row.id = static_cast<Type>(limited(2, kLargestId, "the number of a type"));
    row.kind = word(kKinds, "the kind of a type");
    row.nan = word(kNanCodes, "the NaN codes of a type");
    row.packing = word(kPackings, "the packing of a type");
    row.storage_bits = static_cast<int>(limited(1, kLargestStorageBits, "the storage of a type"));
    row.value_bits = static_cast<int>(limited(1, kLargestStorageBits, "the width of a type"));
    row.exponent_bits = static_cast<int>(limited(1, 11, "the exponent of a type"));
    row.mantissa_bits = static_cast<int>(limited(1, 52, "the fraction of a type"));
    row.exponent_bias = static_cast<std::int32_t>(u32("the bias of a type"));
    constexpr std::uint8_t kAllFlags =
        loadable::kSigned | loadable::kSubnormals | loadable::kInfinity | loadable::kStorageHigh | loadable::kSignFill;
    const auto flags = static_cast<std::uint8_t>(limited(1, kAllFlags, "the flags of a type"));
    row.is_signed = (flags & loadable::kSigned) != 0;
    row.subnormals = (flags & loadable::kSubnormals) != 0;
    row.infinity = (flags & loadable::kInfinity) != 0;
    row.storage_high = (flags & loadable::kStorageHigh) != 0;
    row.storage_sign_fill = (flags & loadable::kSignFill) != 0;
    row.canonical_nan = u64("the NaN of a type");
    require(complete_format(row), FileProblem::number, row.name);
    if (!own) return row;
    row.doc = text(Text::any, "the text about a type");
    const std::size_t count = u16("the number of aliases");
    std::vector<tables::Alias>& aliases = file_->aliases.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      const char* const system = text(Text::name, "the system of an alias");
      const char* const name = text(Text::printable, "an alias");
      aliases.push_back({system, name, flag("whether an alias is shared")});
    }
    set_rows(aliases, row.aliases, row.alias_count);
    return row;
  }

  const tables::TypeRow& type_reference() {
    require(!rows_.empty(), FileProblem::number, "the place of a type");
    return *rows_[limited(2, rows_.size() - 1, "the place of a type")];
  }

  // ---------------------------------------------------------------- rules and kernels

  Rule rule() {
    Rule rule;
    rule.carry = u16("a carry table");
    // A mode leaves exact values alone.
    require(rule.carry == carry::exact || (rule.carry & 0x1111) == 0, FileProblem::number, "a carry table");
    rule.overflow = word(kOverflows, "a rule");
    rule.saturate_first.bits = static_cast<std::uint8_t>(limited(1, 64, "a rule"));
    rule.saturate_first.is_signed = flag("a rule");
    // After a clamp nothing is out of range that could become the indefinite value.
    require(rule.saturate_first.bits == 0 || rule.overflow != Overflow::indefinite, FileProblem::number, "a rule");
    rule.inf = word(kInfResults, "a rule");
    rule.nan = word(kNanResults, "a rule");
    rule.negative = word(kNegativeResults, "a rule");
    rule.negative_test = word(kNegativeTests, "a rule");
    rule.negative_inf = word(kNegativeInfs, "a rule");
    rule.zero_sign = word(kZeroSigns, "a rule");
    rule.zero = word(kBelowRanges, "a rule");
    rule.underflow = word(kBelowRanges, "a rule");
    rule.same_type = word(kSameTypes, "a rule");
    rule.bits = word(kBits, "a rule");
    return rule;
  }

  void kernels() {
    const auto count = static_cast<std::size_t>(limited(2, kMostEntries, "the number of kernels"));
    for (std::size_t i = 0; i < count; ++i) {
      DataKernel& kernel = file_->kernels.emplace_back();
      kernel.name = text(Text::printable, "the name of a kernel");
      const std::string_view name = last_text();
      kernel.meaning = text(Text::printable, "the meaning of a kernel");
      kernel.from = type_reference();
      kernel.to = type_reference();
      kernel.src = kernel.from.id;
      kernel.dst = kernel.to.id;
      kernel.rule = rule();
      const bool numbers = kernel.from.kind != TypeKind::string && kernel.to.kind != TypeKind::string;
      const bool fits = kernel.rule.bits != Bits::kept || (kernel.from.value_bits == kernel.to.value_bits &&
                                                           kernel.from.storage_bits == kernel.to.storage_bits);
      require(numbers && fits, FileProblem::number, name);
      table(kernel);
      file_->kernel_rows.push_back(kernel);
    }
  }

  void table(DataKernel& kernel) {
    const auto form = limited(1, static_cast<std::uint64_t>(Form::rule), "the form of a kernel");
    require(form != 0, FileProblem::number, "the form of a kernel");
    kernel.form = static_cast<Form>(form);
    StatedTable stated;
    stated.form = kernel.form;
    const std::size_t start = at_;
    if (kernel.form == Form::rule) return use(kernel, stated, start);
    std::size_t count = 0;
    if (kernel.form == Form::whole) {
      require(kernel.from.value_bits <= loadable::kWordBits, FileProblem::number, kernel.name);
      count = std::size_t{1} << kernel.from.value_bits;
    } else {
      stated.index_bits = static_cast<int>(limited(1, loadable::kMostIndexBits, kernel.name));
      count = u32(kernel.name);
      const auto size = static_cast<std::size_t>(storage_unit(kernel.from.value_bits)) / 8;
      require(count <= (bytes_.size() - at_) / size, FileProblem::truncated, kernel.name);
      stated.positions.reserve(count);
      for (std::size_t i = 0; i < count; ++i) stated.positions.push_back(number(size, kernel.name));
    }
    const auto size = static_cast<std::size_t>(storage_unit(kernel.to.value_bits)) / 8;
    require(count <= (bytes_.size() - at_) / size, FileProblem::truncated, kernel.name);
    stated.results.reserve(count);
    for (std::size_t i = 0; i < count; ++i) stated.results.push_back(number(size, kernel.name));
    use(kernel, stated, start);
  }

  static void use(DataKernel& kernel, const StatedTable& stated, std::size_t start) {
    if (const TableProblem problem = set_table(kernel, stated); problem.found)
      throw FileRefused{file_refused(problem.problem, start, kernel.name, problem.code)};
  }

  void references() {
    const std::size_t most = kMostEntries - file_->kernels.size();
    const auto count = static_cast<std::size_t>(limited(2, most, "the number of references"));
    std::unordered_map<std::string_view, const tables::Kernel*> known;
    const Registry& all = registry();
    if (count != 0) {
      for (std::size_t i = 0; i < all.kernel_count(); ++i) known.emplace(all.kernel_row(i).name, &all.kernel_row(i));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const char* const name = text(Text::printable, "the name of a kernel");
      const char* const meaning = text(Text::printable, "the meaning of a kernel");
      const auto found = known.find(name);
      require(found != known.end() && std::string_view(found->second->meaning) == meaning, FileProblem::unknown_kernel,
              name);
      file_->references.push_back({name, meaning});
      referred_.push_back(found->second);
    }
  }

  void text_rules() {
    const auto count = static_cast<std::size_t>(limited(2, kMostEntries, "the number of text rules"));
    for (std::size_t i = 0; i < count; ++i) {
      tables::TextRule one{};
      one.src = type_reference().id;
      const tables::TypeRow& dst = type_reference();
      one.dst = dst.id;
      one.rule = rule();
      const bool complete = dst.kind == TypeKind::string || has_results_for_text(dst, one.rule);
      require(complete, FileProblem::number, "a text rule");
      one.parse = word(kGrammars, "a text rule");
      one.format = word(kNotations, "a text rule");
      file_->text_rules.push_back(one);
    }
  }

  void other_elements() {
    const std::size_t count = u16("the number of elements");
    for (std::size_t i = 0; i < count; ++i) {
      const char* const system = text(Text::name, "the system of an element");
      const char* const name = text(Text::printable, "the name of an element");
      file_->other_elements.push_back({system, name, u16("the width of an element")});
    }
  }

  // ---------------------------------------------------------------- op-sets

  void opsets() {
    const std::size_t count = u16("the number of op-sets");
    for (std::size_t i = 0; i < count; ++i) opset();
    for (const Words& one : file_->opsets) file_->opset_list.push_back(&one.table);
  }

  void opset() {
    Words& words = file_->opsets.emplace_back();
    tables::OpSet& table = words.table;
    table.family = text(Text::opset_name, "the family of an op-set");
    table.version = text(Text::version, "the version of an op-set");
    table.name = file_->texts.emplace_back(std::string(table.family) + "@" + table.version).c_str();
    table.operation = text(Text::name, "the operation of an op-set");
    const std::string_view operation = last_text();
    require(operation == kCast || operation == kBitcast || operation == kRange, FileProblem::text, table.name);
    table.doc = text(Text::any, "the text about an op-set");
    table.cast_like_of = text(Text::any, "the family of an op-set");
    if (last_text().empty()) table.cast_like_of = nullptr;
    table.notation = text(Text::any, "the notation of an op-set");
    if (last_text().empty()) table.notation = nullptr;
    table.valid_through = u64("the last version of an op-set");
    table.as_default = word(kDefaults, "an op-set");
    attributes(words);
    if (table.notation != nullptr) {
      const auto is_attribute = [&words](std::string_view name) {
        return std::ranges::any_of(words.attributes, [name](const auto& one) { return one.name == name; });
      };
      require(notation::is_well_formed(table.notation, is_attribute), FileProblem::text, "the notation of an op-set");
    }
    const std::size_t options = u16("the number of options");
    for (std::size_t i = 0; i < options; ++i) {
      const char* const name = text(Text::name, "an option");
      const char* const value = text(Text::any, "the value of an option");
      const bool is_limit = name == kLeastRank || name == kMostRank || name == kMostElements;
      require(!is_limit || is_number(value), FileProblem::number, name);
      words.options.push_back({name, value});
    }
    const auto admitted = static_cast<std::size_t>(limited(2, rows_.size(), "the types of an op-set"));
    for (std::size_t i = 0; i < admitted; ++i) words.types.push_back(type_reference().id);
    cells(words);
    set_rows(words.types, table.types, table.type_count);
    set_rows(words.attributes, table.attributes, table.attribute_count);
    set_rows(words.options, table.options, table.option_count);
    set_rows(words.variants, table.variants, table.variant_count);
  }

  void attributes(Words& words) {
    const auto count = static_cast<std::size_t>(limited(2, kMostAttributes, "the number of attributes"));
    for (std::size_t i = 0; i < count; ++i) {
      tables::Attribute one{};
      one.name = text(Text::name, "the name of an attribute");
      one.doc = text(Text::any, "the text about an attribute");
      one.kind = word(kAttributeKinds, "the kind of an attribute");
      one.default_index = u8("the default of an attribute");
      one.checked_where_used = flag("an attribute");
      one.value_count = u8("the values of an attribute");
      require(one.default_index < one.value_count, FileProblem::number, one.name);
      const bool flags = one.kind == tables::AttributeKind::flag;
      require(!flags || one.value_count == 2, FileProblem::number, one.name);
      auto& values = words.values.emplace_back();
      for (std::size_t k = 0; k < one.value_count; ++k) {
        const bool has_word = flag("the value of an attribute");
        const bool wants_word =
            one.kind == tables::AttributeKind::string || one.kind == tables::AttributeKind::enumeration;
        require(has_word == wants_word, FileProblem::number, one.name);
        const char* const value = has_word ? text(Text::printable, "the value of an attribute") : nullptr;
        values.push_back({value, static_cast<std::int64_t>(u64("the value of an attribute"))});
      }
      one.values = values.data();
      words.attributes.push_back(one);
    }
  }

  void cells(Words& words) {
    const std::size_t count = u32("the number of cells");
    std::pair<Type, Type> last{};
    for (std::size_t i = 0; i < count; ++i) {
      const tables::TypeRow &src = type_reference(), &dst = type_reference();
      const std::pair<Type, Type> pair{src.id, dst.id};
      require(i == 0 || last < pair, FileProblem::order, "the cells of an op-set");
      last = pair;
      const std::uint16_t acting = u16("a cell");
      require(acting >> words.attributes.size() == 0, FileProblem::number, "the attributes of a cell");
      std::size_t combinations = 1;
      for (std::size_t k = 0; k < words.attributes.size(); ++k) {
        if ((acting >> k & 1) != 0) combinations *= words.attributes[k].value_count;
        require(combinations <= bytes_.size(), FileProblem::number, "the attributes of a cell");
      }
      for (std::size_t k = 0; k < combinations; ++k)
        words.variants.push_back({src.id, dst.id, acting, entry(src, dst)});
    }
  }

  /// What serves a cell has to be made for its types.
  tables::Entry entry(const tables::TypeRow& src, const tables::TypeRow& dst) {
    const std::size_t kernels = file_->kernels.size(), all = kernels + referred_.size();
    const std::size_t index = u32("a cell");
    const bool texts = src.kind == TypeKind::string || dst.kind == TypeKind::string;
    if (index >= all) {
      const std::size_t rule = index - all;
      require(rule < file_->text_rules.size() && texts, FileProblem::number, "a cell");
      const tables::TextRule& found = file_->text_rules[rule];
      require(found.src == src.id && found.dst == dst.id, FileProblem::number, "a cell");
      return static_cast<tables::TextRuleId>(rule);
    }
    const tables::Kernel& found = index < kernels ? file_->kernels[index] : *referred_[index - kernels];
    require(found.src == src.id && found.dst == dst.id, FileProblem::number, "a cell");
    return static_cast<tables::KernelId>(index);
  }

  void finish() {
    LoadedFile& file = *file_;
    tables::Module& module = file.module;
    set_rows(file.types, module.types, module.type_count);
    set_rows(file.kernel_rows, module.kernels, module.kernel_count);
    set_rows(file.references, module.references, module.reference_count);
    set_rows(file.text_rules, module.text_rules, module.text_rule_count);
    set_rows(file.opset_list, module.opsets, module.opset_count);
    set_rows(file.other_elements, module.other_elements, module.other_element_count);
  }

  std::span<const std::byte> bytes_;
  std::unique_ptr<LoadedFile> file_;
  std::size_t at_ = 0;
  std::vector<const tables::TypeRow*> rows_;     // by place in the file
  std::vector<const tables::Kernel*> referred_;  // by place among the references
};

}  // namespace

std::unique_ptr<LoadedFile> read_file(std::span<const std::byte> bytes, Status& status) {
  try {
    return Reader(bytes).run();
  } catch (const FileRefused& refused) {
    status = refused.status;
  }
  return nullptr;
}

}  // namespace castforge
