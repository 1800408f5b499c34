// The public text conversions: lookup as for kernels, then the text engine.
#include <castforge/opset.hpp>
#include <castforge/text.hpp>
#include <castforge/type_info.hpp>

#include "src/machine_types.hpp"
#include "src/opset_tables.hpp"
#include "src/registry.hpp"
#include "src/status_parts.hpp"
#include "src/tables.hpp"
#include "src/text/text.hpp"
#include "src/type_rows.hpp"

namespace castforge {
namespace {

bool is_string(Type type) noexcept { return type_row(type).kind == TypeKind::string; }

struct Found {
  Status status;
  const tables::TextRule* rule = nullptr;
  const tables::OpSet* opset = nullptr;
  text::BoolWords bool_words = text::BoolWords::rejected;  // from strings
};

/// The text rule between `number` and the string type.
Found find_rule(std::string_view name, Type number, bool to_string, const Attributes& attributes) noexcept {
  OpSet opset;
  const auto string = first_type([](const Format& type) { return type.kind == TypeKind::string; });
  if (!string) return {given_status(StatusCode::unknown_type, "string")};
  const Type src = to_string ? number : *string, dst = to_string ? *string : number;
  if (const Status status = find_opset(name, src, dst, opset); !status) return {status};
  if (const Status status = check_conversion(*opset.table()); !status) return {status};
  const Selection selection = select(*opset.table(), src, dst, attributes);
  if (!selection.status) return {selection.status};
  if (is_string(number)) return {pair_status(StatusCode::text_conversion, opset.table(), src, dst)};
  const tables::Entry entry = selection.variant->entry;
  if (!entry.is_text()) return {pair_status(StatusCode::pair_not_admitted, opset.table(), src, dst)};
  const bool words = opset.option("bool_words") == "true";
  return {Status(), &registry().text_rules[entry.index()], opset.table(),
          words ? text::BoolWords::accepted : text::BoolWords::rejected};
}

/// How the op-set rounds the texts of a type when nothing is said of it: they shall read back as what they were.
std::uint16_t default_reader(const tables::OpSet& opset, Type string, Type number) noexcept {
  const Selection back = select(opset, string, number, {});
  if (!back.status || !back.variant->entry.is_text()) return text::kNearestEven;
  return registry().text_rules[back.variant->entry.index()].rule.carry;
}

Status element_error(const text::ParseResult& result, std::string_view given) noexcept {
  StatusParts parts = status_parts(result.error == text::ParseError::bad_number ? StatusCode::bad_number
                                                                                : StatusCode::integer_out_of_range);
  parts.first = result.index;
  keep_given(parts, given, true);
  return Status(parts);
}

}  // namespace

Status format_text(std::string_view opset, Type src_type, const void* src, std::size_t count,
                   const Attributes& attributes, TextSink sink) {
  const Found found = find_rule(opset, src_type, true, attributes);
  if (!found.status) return found.status;
  if (src == nullptr && count > 0) return simple_status(StatusCode::null_pointer, Role::source, count);
  if (sink.write == nullptr && count > 0) return simple_status(StatusCode::null_pointer, Role::destination, count);

  constexpr std::size_t kBatch = 256;
  char chars[16 * text::kFormatBuffer];
  std::size_t ends[kBatch];
  const Format& type = type_row(src_type);
  const std::uint16_t reader = default_reader(*found.opset, found.rule->dst, src_type);
  for (std::size_t first = 0; first < count;) {
    const std::size_t wanted = count - first < kBatch ? count - first : kBatch;
    const text::FormatResult done =
        text::format_many(type, src, first, wanted, found.rule->format, chars, sizeof chars, ends, reader);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < done.elements; ++i) {
      sink.write(sink.context, first + i, std::string_view(chars + begin, ends[i] - begin));
      begin = ends[i];
    }
    first += done.elements;
  }
  return Status();
}

Status parse_text(std::string_view opset, Type dst_type, std::span<const std::string_view> texts, void* dst,
                  const Attributes& attributes) noexcept {
  const Found found = find_rule(opset, dst_type, false, attributes);
  if (!found.status) return found.status;
  if (dst == nullptr && !texts.empty()) return simple_status(StatusCode::null_pointer, Role::destination, texts.size());
  const Format& type = type_row(dst_type);
  const text::ParseResult result =
      text::parse_many(type, found.rule->rule, texts.data(), texts.size(), dst, found.bool_words);
  return result.ok() ? Status() : element_error(result, texts[result.index]);
}

Status parse_text(std::string_view opset, Type dst_type, const char* chars, const std::size_t* offsets,
                  std::size_t count, void* dst, const Attributes& attributes) noexcept {
  const Found found = find_rule(opset, dst_type, false, attributes);
  if (!found.status) return found.status;
  if (count > 0 && (chars == nullptr || offsets == nullptr)) {
    return simple_status(StatusCode::null_pointer, Role::source, count);
  }
  if (count > 0 && dst == nullptr) return simple_status(StatusCode::null_pointer, Role::destination, count);
  for (std::size_t i = 0; i < count; ++i) {  // a text of negative length would be read before its characters
    if (offsets[i] <= offsets[i + 1]) continue;
    StatusParts parts = status_parts(StatusCode::bad_shape);
    parts.first = i;
    parts.attribute = kFallingOffsets;
    return Status(parts);
  }
  const Format& type = type_row(dst_type);
  const text::ParseResult result =
      text::parse_many(type, found.rule->rule, chars, offsets, count, dst, found.bool_words);
  if (result.ok()) return Status();
  const std::size_t begin = offsets[result.index];
  return element_error(result, std::string_view(chars + begin, offsets[result.index + 1] - begin));
}

Status parse_number(std::string_view text, Type type, std::uint64_t& element) noexcept {
  if (const Status status = check_known(type); !status) return status;
  if (is_string(type)) return pair_status(StatusCode::type_mismatch, nullptr, type, type);
  const Format& format = type_row(type);
  Rule rule{.carry = text::kNearestEven, .overflow = Overflow::infinity, .inf = InfResult::infinity};
  if (format.kind == TypeKind::integer) {
    rule.overflow = Overflow::wrap;
    rule.inf = InfResult::zero;
    rule.nan = NanResult::zero;
  }
  unsigned char bytes[8] = {};
  const text::ParseResult result = text::parse_many(format, rule, &text, 1, bytes);
  if (!result.ok()) return element_error(result, text);
  element = load_element(bytes, 0, format.storage_bits, format.packing);
  return Status();
}

}  // namespace castforge
