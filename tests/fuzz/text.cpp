// Text to numbers and back: a number is written as a text that is read as the same number.
#include <castforge/castforge.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "fuzz/target.hpp"

namespace castforge::fuzz {
namespace {

constexpr std::string_view kOpSets[] = {"",          "onnx",           "onnx@9",          "onnx@19",
                                        "castforge", "onnx-reference", "openvino-convert"};

/// In memory of its own, so that a byte read or written beyond it is seen.
std::unique_ptr<unsigned char[]> buffer_of(Type type, std::size_t count) {
  return std::make_unique<unsigned char[]>(*storage_bytes(type, count));
}

bool is_nan(Type type, std::uint64_t element) {
  const Format format = type_info(type);
  if (format.kind != TypeKind::floating || format.nan == NanCodes::none) return false;
  std::uint64_t code = element;
  if (format.storage_high) code >>= format.storage_bits - format.value_bits;
  code &= low_bits(format.value_bits);
  if (format.nan == NanCodes::negative_zero) return code == format.canonical_nan;
  const std::uint64_t magnitude = format.is_signed ? code & low_bits(format.value_bits - 1) : code;
  return magnitude > std::max(format.max_finite, format.infinity_code);
}

/// Whether all of `text` is a decimal number as C writes it; then the library and C have to agree on its value.
bool is_plain_decimal(std::string_view text) {
  return !text.empty() && text.size() < 400 && text.find_first_not_of("0123456789.eE+-") == text.npos;
}

void check_against_c(const std::string& text, std::uint64_t element) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  require(*end == '\0', "a text that C does not read: " + text);
  std::uint64_t expected = 0;
  std::memcpy(&expected, &value, sizeof value);
  require(element == expected, "another value than that of C: " + text);
}

/// Elements to texts, and those to elements. With the attributes that made the elements: an infinity that saturate=0
/// kept is none by default.
void check_round_trip(std::string_view opset, Type type, const void* elements, std::size_t count,
                      const Attributes& attributes) {
  std::vector<std::string> texts;
  const Status written = format_text(opset, type, elements, count, {}, [&](std::size_t index, std::string_view text) {
    require(index == texts.size(), "texts in another order");
    texts.emplace_back(text);
  });
  if (!written) return;
  require(texts.size() == count, "texts are missing");
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto again = buffer_of(type, count);
  if (!parse_text(opset, type, views, again.get(), attributes))
    return fail("a text of the library's own that it does not read");
  const TypeInfo info = type_info(type);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t before = load_element(elements, i, info.storage_bits, info.packing);
    const std::uint64_t after = load_element(again.get(), i, info.storage_bits, info.packing);
    if (before == after || (is_nan(type, before) && is_nan(type, after))) continue;
    fail(std::string(info.name) + " in " + std::string(opset) + ": element 0x" + std::to_string(before) + " is \"" +
         texts[i] + "\", which is " + std::to_string(after));
  }
  accepted();
}

}  // namespace

void text(Input input) {
  Choices choices(input);
  const std::string_view opset = choices.one_of(kOpSets);
  const Type type = type_at(choices.below(type_count()));
  if (type == Type::string) return;
  const Attribute saturate{"saturate", choices.below(3)};
  Attributes attributes;
  if (choices.flag()) attributes.others = {&saturate, 1};

  // Texts, one per line.
  std::vector<std::string> texts;
  for (std::string_view rest = text_of(choices.rest()); !rest.empty() && texts.size() < 64;) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    texts.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto elements = buffer_of(type, texts.size());
  if (parse_text(opset, type, views, elements.get(), attributes)) {
    check_round_trip(opset, type, elements.get(), texts.size(), attributes);
  }
  for (const std::string& one : texts) {
    std::uint64_t element = 0;
    const bool number = parse_number(one, type, element).ok();
    if (number && type == Type::float64 && is_plain_decimal(one)) check_against_c(one, element);
  }

  // The same bytes as elements.
  const std::size_t bits = static_cast<std::size_t>(type_info(type).storage_bits);
  const std::size_t count = choices.rest().size() * 8 / bits;
  if (count == 0 || count > 4096) return;
  const auto copy = buffer_of(type, count);
  std::memcpy(copy.get(), choices.rest().data(), *storage_bytes(type, count));
  const Status status = format_text(opset, type, copy.get(), count, attributes, [](std::size_t, std::string_view) {});
  require(status.ok() == (status.message() == "ok"), "an error without a message");
}

}  // namespace castforge::fuzz
