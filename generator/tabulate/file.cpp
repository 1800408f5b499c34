#include "tabulate/file.hpp"

#include <castforge/loadable.hpp>
#include <map>
#include <span>
#include <stdexcept>
#include <string_view>

#include "spec/names.hpp"
#include "spec/words.hpp"

namespace castforge::tabulate {
namespace {

using driver::Catalogue;
using spec::Type;

class Bytes {
 public:
  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text_.push_back(static_cast<char>(value >> (8 * i)));
  }
  void u8(std::uint64_t value) { checked(value, 1, "number"); }
  void u16(std::uint64_t value) { checked(value, 2, "number"); }
  void u32(std::uint64_t value) { checked(value, 4, "number"); }
  void u64(std::uint64_t value) { number(value, 8); }
  void i32(int value) { number(static_cast<std::uint32_t>(value), 4); }
  void count(std::size_t value) { checked(value, 2, "count"); }
  void text(std::string_view value) {
    checked(value.size(), 2, "length of a text");
    text_ += value;
  }
  void word(std::string_view value, std::span<const std::string_view> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == value) return u8(i);
    }
    throw std::length_error("the word \"" + std::string(value) + "\" has no number in .cft files");
  }
  const std::string& all() const { return text_; }

 private:
  void checked(std::uint64_t value, int bytes, const char* what) {
    if (value >> (8 * bytes) != 0)
      throw std::length_error(std::string("a ") + what + " is too large for a .cft file: " + std::to_string(value));
    number(value, bytes);
  }

  std::string text_;
};

class Writer {
 public:
  Writer(const Catalogue& catalogue, const std::vector<Table>& tables) : catalogue_(catalogue), tables_(tables) {}

  std::string run() {
    number_types();
    types();
    kernels();
    references();
    text_rules();
    other_elements();
    opsets();
    return header() + out_.all();
  }

 private:
  /// Its own types, then those of the library that it speaks of.
  void number_types() {
    for (const Type* type : catalogue_.types) place(type);
    own_types_ = types_.size();
    for (const driver::Kernel& kernel : catalogue_.kernels) place(kernel.meaning.src), place(kernel.meaning.dst);
    for (const driver::TextRule& rule : catalogue_.text_rules) place(rule.meaning.src), place(rule.meaning.dst);
    for (const driver::OpSetCells& cells : catalogue_.opsets) {
      for (const Type* type : cells.types) place(type);
      for (const auto& [pair, entry] : driver::in_order(cells)) place(pair.first), place(pair.second);
    }
  }
  void place(const Type* type) {
    if (type_index_.emplace(type, types_.size()).second) types_.push_back(type);
  }
  void type(const Type* type) { out_.u16(type_index_.at(type)); }

  void types() {
    out_.count(types_.size());
    out_.count(own_types_);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const Type& type = *types_[i];
      out_.text(type.name);
      out_.u16(static_cast<std::uint64_t>(type.id));
      out_.word(spec::word_of(type.kind), loadable::kKinds);
      out_.word(spec::word_of(type.kind == spec::Kind::floating ? type.nan : spec::NanCodes::none),
                loadable::kNanCodes);
      out_.word(spec::word_of(type.packing), loadable::kPackings);
      out_.u8(static_cast<std::uint64_t>(type.storage_bits));
      out_.u8(static_cast<std::uint64_t>(type.value_bits));
      out_.u8(static_cast<std::uint64_t>(type.exponent_bits));
      out_.u8(static_cast<std::uint64_t>(type.mantissa_bits));
      out_.i32(type.exponent_bias);
      out_.u8((type.is_signed ? loadable::kSigned : 0U) | (type.subnormals ? loadable::kSubnormals : 0U) |
              (type.infinity ? loadable::kInfinity : 0U) | (type.storage_high ? loadable::kStorageHigh : 0U) |
              (type.storage_sign_fill ? loadable::kSignFill : 0U));
      out_.u64(type.has_nan() ? type.canonical_nan(false) : 0);
      if (i >= own_types_) continue;  // of others only what their codes mean
      out_.text(type.doc);
      out_.count(type.aliases.size());
      for (const spec::Alias& alias : type.aliases) {
        out_.text(alias.system);
        out_.text(alias.name);
        out_.u8(catalogue_.model->is_shared(alias) ? 1 : 0);
      }
    }
  }

  void rule(const spec::Meaning& meaning) {
    out_.u16(meaning.round == nullptr ? loadable::kExact : meaning.round->carry);
    out_.word(spec::word_of(meaning.overflow), loadable::kOverflows);
    out_.u8(meaning.saturate_first ? static_cast<std::uint64_t>(meaning.saturate_first->bits) : 0);
    out_.u8(meaning.saturate_first && meaning.saturate_first->is_signed ? 1 : 0);
    out_.word(spec::word_of(meaning.inf, spec::Kind::floating), loadable::kInfResults);
    out_.word(spec::word_of(meaning.nan), loadable::kNanResults);
    out_.word(spec::word_of(meaning.negative), loadable::kNegativeResults);
    out_.word(spec::word_of(meaning.negative_test), loadable::kNegativeTests);
    out_.word(spec::word_of(meaning.negative_inf), loadable::kNegativeInfs);
    out_.word(spec::word_of(meaning.zero_sign), loadable::kZeroSigns);
    out_.word(spec::word_of(meaning.zero), loadable::kBelowRanges);
    out_.word(spec::word_of(meaning.underflow), loadable::kBelowRanges);
    out_.word(spec::word_of(meaning.same_type), loadable::kSameTypes);
    out_.word(spec::word_of(meaning.bits), loadable::kBits);
  }

  void kernels() {
    out_.count(catalogue_.kernels.size());
    for (std::size_t i = 0; i < catalogue_.kernels.size(); ++i) {
      const driver::Kernel& kernel = catalogue_.kernels[i];
      out_.text(kernel.name);
      out_.text(kernel.hash);
      type(kernel.meaning.src);
      type(kernel.meaning.dst);
      rule(kernel.meaning);
      table(kernel.meaning, tables_.at(i));
    }
  }

  void table(const spec::Meaning& meaning, const Table& table) {
    out_.u8(static_cast<std::uint64_t>(table.form));
    if (table.form == loadable::Form::rule) return;
    if (table.form == loadable::Form::steps) {
      out_.u8(static_cast<std::uint64_t>(table.index_bits));
      out_.u32(table.positions.size());
      const int bytes = storage_unit(meaning.src->value_bits) / 8;
      for (const std::uint64_t position : table.positions) out_.number(position, bytes);
    }
    const int bytes = storage_unit(meaning.dst->value_bits) / 8;
    for (const std::uint64_t result : table.results) out_.number(result, bytes);
  }

  void references() {
    out_.count(catalogue_.references.size());
    for (const driver::Reference& one : catalogue_.references) out_.text(one.name), out_.text(one.hash);
  }

  void text_rules() {
    out_.count(catalogue_.text_rules.size());
    for (const driver::TextRule& one : catalogue_.text_rules) {
      type(one.meaning.src);
      type(one.meaning.dst);
      rule(one.meaning);
      out_.word(one.meaning.parse.empty() ? loadable::kGrammars[0] : std::string_view(one.meaning.parse),
                loadable::kGrammars);
      out_.word(one.meaning.format.empty() ? loadable::kNotations[0] : std::string_view(one.meaning.format),
                loadable::kNotations);
    }
  }

  void other_elements() {
    std::size_t count = 0;
    for (const spec::System* system : catalogue_.systems) count += system->other_elements.size();
    out_.count(count);
    for (const spec::System* system : catalogue_.systems) {
      for (const auto& [name, bits] : system->other_elements) {
        out_.text(system->name);
        out_.text(name);
        out_.u16(static_cast<std::uint64_t>(bits));
      }
    }
  }

  void attribute(const spec::Attribute& attribute) {
    out_.text(attribute.name);
    out_.text(attribute.doc);
    out_.word(spec::word_of(attribute.kind), loadable::kAttributeKinds);
    out_.u8(attribute.default_index);
    out_.u8(attribute.checked_where_used ? 1 : 0);
    out_.u8(attribute.values.size());
    for (std::size_t i = 0; i < attribute.values.size(); ++i) {
      const auto* number = std::get_if<std::int64_t>(&attribute.values[i]);
      std::int64_t value = number == nullptr ? 0 : *number;
      if (i < attribute.numbers.size()) value = attribute.numbers[i];
      out_.u8(number == nullptr ? 1 : 0);
      if (number == nullptr) out_.text(std::get<std::string>(attribute.values[i]));
      out_.u64(static_cast<std::uint64_t>(value));
    }
  }

  void opsets() {
    out_.count(catalogue_.opsets.size());
    for (const driver::OpSetCells& cells : catalogue_.opsets) {
      const spec::OpSet& opset = *cells.opset;
      out_.text(opset.family);
      out_.text(opset.version);
      out_.text(opset.operation);
      out_.text(opset.doc);
      out_.text(opset.cast_like_of);
      out_.text(opset.notation);
      out_.u64(spec::is_whole_number(opset.valid_through) ? std::stoull(opset.valid_through) : 0);
      out_.word(spec::word(catalogue_.model->role_of(opset)), loadable::kDefaults);
      out_.count(opset.attributes.size());
      for (const spec::Attribute& one : opset.attributes) attribute(one);
      out_.count(opset.options.size());
      for (const auto& [name, value] : opset.options) out_.text(name), out_.text(value);
      out_.count(cells.types.size());
      for (const Type* one : cells.types) type(one);
      out_.u32(cells.cells.size());
      for (const auto& [pair, cell] : driver::in_order(cells)) {
        type(pair.first);
        type(pair.second);
        out_.u16(cell->attributes_used);
        for (const driver::Entry& entry : driver::acting_variants(opset, *cell)) {
          // Kernels, and behind them references, then text rules.
          out_.u32(entry.index + (entry.is_kernel() ? 0 : catalogue_.kernels.size()) +
                   (entry.is_text() ? catalogue_.references.size() : 0));
        }
      }
    }
  }

  std::string header() const {
    loadable::Check check;
    for (const char byte : out_.all()) check.add(static_cast<unsigned char>(byte));
    Bytes header;
    for (const unsigned char byte : loadable::kMagic) header.u8(byte);
    header.u32(loadable::kVersion);
    header.u32(loadable::kByteOrder);
    const std::size_t size = out_.all().size() + loadable::kHeaderBytes;
    if (size > loadable::kLargestFile) throw std::length_error("the tables would be too many for one .cft file");
    header.u64(size);
    header.u64(check.value());
    return header.all();
  }

  const Catalogue& catalogue_;
  const std::vector<Table>& tables_;
  std::vector<const Type*> types_;
  std::map<const Type*, std::size_t> type_index_;
  std::size_t own_types_ = 0;
  Bytes out_;
};

}  // namespace

std::string file_of(const Catalogue& catalogue, const std::vector<Table>& tables) {
  return Writer(catalogue, tables).run();
}

}  // namespace castforge::tabulate
