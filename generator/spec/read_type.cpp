// Type specs: which keys there are, and which combinations describe a format.
#include <charconv>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "spec/hex.hpp"
#include "spec/names.hpp"
#include "spec/read.hpp"
#include "spec/selectors.hpp"
#include "spec/words.hpp"

namespace castforge::spec {
namespace {

// Finite values have to be exact in float64, so that they can be printed and compared as such.
constexpr int kFloat64MaxExponent = 1023;
constexpr int kFloat64MinUlp = 1 - kFloat64MaxExponent - 52;  // exponent of its smallest subnormal
// The smallest number of a format with a gap is just above 2^-bias: half of it is normal down to 2^-1022.
constexpr int kLargestGapBias = kFloat64MaxExponent - 2;

struct TypeReader {
  const ObjectReader& in;
  Diagnostics& diagnostics;
  std::size_t errors_before = diagnostics.size();

  bool failed() const { return diagnostics.size() != errors_before; }
  void error_at(std::string_view key, std::string message) const {
    const Node* value = in.optional(key);
    in.error(value != nullptr ? value->where : in.object().where, std::move(message));
  }

  void read_common(Type& type) const;
  void read_floating(Type& type) const;
  void read_integer(Type& type) const;
  void read_storage(Type& type, const std::string& parts) const;
  void read_packing(Type& type) const;
  void read_canonical_nan(Type& type) const;
  void check_integer_fact(const Node::Member& fact, std::uint64_t derived) const;
  void read_facts(const Type& type) const;
  void read_aliases(Type& type) const;
  bool special_codes_fit(const Type& type) const;
  void check_float64(const Type& type) const;
};

void TypeReader::read_common(Type& type) const {
  const Node* name = in.required("name");
  if (name != nullptr) {
    if (name->kind != Node::Kind::string || !is_plain_name(name->text)) {
      in.error(name->where, "\"name\" must match [a-z][a-z0-9_]* (got " + name->describe() + ")");
    } else if (is_class_word(name->text) && name->text != word_of(type.kind)) {
      in.error(name->where, "\"name\" \"" + name->text + "\" is a class word of rules and cannot name a type");
    } else if (name->text.ends_with('_')) {
      in.error(name->where,
               "\"name\" must not end in \"_\", as names do that C++ has taken (got " + name->describe() + ")");
    } else if (name->text.find("__") != std::string::npos) {
      in.error(name->where,
               "\"name\" must not have \"__\", as kernels are called SRC_to_DST__RULE (got " + name->describe() + ")");
    } else if (("_" + name->text + "_").find("_to_") != std::string::npos) {
      in.error(name->where, "\"name\" must not have the word \"to\", as kernels are called SRC_to_DST (got " +
                                name->describe() + ")");
    } else if (in.is_short(*name, "name")) {
      type.name = name->text;
    }
  }
  type.id = in.integer("id", 0, kLargestTypeId).value_or(0);
  type.doc = in.prose("doc");
  type.cites = in.texts("cites");
  read_aliases(type);
}

void TypeReader::read_aliases(Type& type) const {
  const Node* aliases = in.shaped("aliases", Node::Kind::object, "an object of system: name");
  if (aliases == nullptr) return;
  const auto add = [&](const std::string& system, const Node& name) {
    const bool is_text = name.kind == Node::Kind::string && !name.text.empty();
    if (!is_text && !name.is_integer_in(0, INT64_MAX)) {
      in.error(name.where, "an alias must be a name or a number (got " + name.describe() + ")");
      return;
    }
    const std::string text = is_text ? name.text : std::to_string(name.integer());
    if (in.is_printable(name.where, text)) type.aliases.push_back({system, text, name.where});
  };
  for (const Node::Member& member : aliases->members) {
    if (!is_plain_name(member.key)) {
      in.error(member.key_where, "a system of aliases must match [a-z][a-z0-9_]* (got \"" + member.key + "\")");
    } else if (member.value.kind == Node::Kind::array) {
      for (const Node& name : member.value.items) add(member.key, name);
    } else {
      add(member.key, member.value);
    }
  }
}

/// `parts` says what makes up the value bits: "sign 1 + exponent 5 + mantissa 3 = 9 bits".
void TypeReader::read_storage(Type& type, const std::string& parts) const {
  const auto bits = in.integer("storage_bits", 1, kLargestStorageBits);
  if (!bits) return;
  type.storage_bits = *bits;
  if (type.value_bits == 0) return;
  const std::string storage = std::to_string(type.storage_bits);
  if (type.value_bits > type.storage_bits) {
    error_at("storage_bits", parts + " do not fit in storage_bits " + storage);
  } else if (!is_natural_width(type.storage_bits) && type.value_bits < type.storage_bits) {
    error_at("storage_bits", parts + " do not fill storage_bits " + storage +
                                 ": elements that are not 8, 16, 32 or 64 bits wide must use all of their bits");
  }
  const Node* align = in.optional("storage_align");
  const auto word = in.word(align, "storage_align", {"low", "high"});
  type.storage_high = word == "high";
  read_packing(type);
}

/// Dense streams begin at the low end of their first byte unless they say otherwise. Single bits have to say it, as
/// both orders are in use.
void TypeReader::read_packing(Type& type) const {
  const Node* packing = type.storage_bits == 1 ? in.required("packing") : in.optional("packing");
  const auto word = in.word(packing, "packing", {word_of(Packing::low_first), word_of(Packing::high_first)});
  if (!word) return;
  if (*word == word_of(Packing::high_first)) type.packing = Packing::high_first;
  const std::string storage = std::to_string(type.storage_bits);
  if (is_natural_width(type.storage_bits)) {
    in.error(
        packing->where,
        "\"packing\" needs elements that share bytes: storage_bits other than 8, 16, 32, 64 (got " + storage + ")");
  } else if (!packing_is_possible(type.storage_bits, type.packing)) {
    in.error(packing->where, "\"packing\" \"" + *word + "\" needs storage_bits 1, 2 or 4, as other elements " +
                                 "reach from one byte into the next (got " + storage + ")");
  }
}

void TypeReader::read_integer(Type& type) const {
  type.is_signed = in.boolean("signed").value_or(false);
  type.value_bits = in.integer("bits", 1, 64).value_or(0);
  if (type.is_signed && type.value_bits == 1) error_at("bits", "a signed integer needs at least 2 bits");
  read_storage(type, std::to_string(type.value_bits) + " bits");
  const auto fill = in.word(in.optional("storage_fill"), "storage_fill", {"sign", "zero"});
  type.storage_sign_fill = fill == "sign";
  if (type.storage_sign_fill && !type.is_signed) {
    error_at("storage_fill", "\"storage_fill\": \"sign\" needs a signed type");
  } else if (type.storage_sign_fill && type.storage_high) {
    error_at("storage_fill", "\"storage_fill\": \"sign\" needs \"storage_align\": \"low\"");
  }
}

/// Checks the combination of special codes; false when derived facts would make no sense.
bool TypeReader::special_codes_fit(const Type& type) const {
  const bool has_zero = type.has_zero();
  if (type.nan == NanCodes::ieee) {
    if (!type.infinity) {
      error_at(
          "nan",
          "\"nan\": \"ieee\" needs \"infinity\": true (exponent all ones, mantissa 0 would be a stray finite value)");
      return false;
    }
    if (type.mantissa_bits == 0) {
      error_at("nan", "\"nan\": \"ieee\" needs mantissa_bits of at least 1 (beside infinity no code is left for NaN)");
      return false;
    }
    if (type.exponent_bits == 1) {
      error_at("nan", "\"nan\": \"ieee\" needs exponent_bits of at least 2 (the only other one is that of subnormals)");
      return false;
    }
  }
  if (type.has_gap() && type.exponent_bias > kLargestGapBias) {
    error_at("exponent_bias", "\"subnormals\": false needs an exponent_bias of at most " +
                                  std::to_string(kLargestGapBias) +
                                  " beside a mantissa: half of the smallest number has to be a normal float64");
    return false;
  }
  if (type.nan == NanCodes::negative_zero && !type.is_signed) {
    error_at("nan", "\"nan\": \"negative_zero\" needs a signed type");
    return false;
  }
  if (type.nan == NanCodes::negative_zero && !has_zero) {
    error_at("nan", "\"nan\": \"negative_zero\" needs a type with zero");
    return false;
  }
  if (type.is_signed && !has_zero) {
    error_at("signed", "a signed type without zero is not supported");
    return false;
  }
  const int magnitude_bits = type.exponent_bits + type.mantissa_bits;
  if (magnitude_bits < 8) {  // more codes than special ones otherwise
    const int specials = (type.nan == NanCodes::ieee  ? 1 << type.mantissa_bits
                          : type.nan == NanCodes::top ? 1
                                                      : 0) +
                         (type.infinity && type.nan != NanCodes::ieee ? 1 : 0);
    const int positive = (1 << magnitude_bits) - specials - (has_zero ? 1 : 0);
    if (positive * (type.is_signed ? 2 : 1) < 2) {
      in.error(in.object().where, "fewer than two finite nonzero values are left after the special codes");
      return false;
    }
  }
  return true;
}

void TypeReader::check_float64(const Type& type) const {
  const int ulp_exponent = type.min_exponent() - type.mantissa_bits;
  const int top = static_cast<int>(type.max_finite_code() >> type.mantissa_bits) - type.exponent_bias;
  if (ulp_exponent < kFloat64MinUlp) {
    error_at("exponent_bias", "not exactly representable in float64: the smallest value above zero is 2^" +
                                  std::to_string(ulp_exponent) + ", below 2^" + std::to_string(kFloat64MinUlp));
  } else if (top > kFloat64MaxExponent) {
    error_at("exponent_bias", "not exactly representable in float64: the largest value is at least 2^" +
                                  std::to_string(top) + ", beyond 2^" + std::to_string(kFloat64MaxExponent));
  }
}

void TypeReader::read_canonical_nan(Type& type) const {
  const Node* node = in.optional("canonical_nan");
  if (node == nullptr) return;
  if (!type.has_nan()) {
    in.error(node->where, "\"canonical_nan\" needs a type with NaN");
    return;
  }
  std::uint64_t code = node->magnitude;
  bool readable = node->kind == Node::Kind::integer && !node->negative;
  if (node->kind == Node::Kind::string && node->text.size() > 2 && node->text.starts_with("0x")) {
    const char* end = node->text.data() + node->text.size();
    const auto [stop, problem] = std::from_chars(node->text.data() + 2, end, code, 16);
    readable = problem == std::errc{} && stop == end;
  }
  if (!readable) {
    in.error(node->where,
             "\"canonical_nan\" must be a code, as a number or as \"0x7F\" (got " + node->describe() + ")");
    return;
  }
  const bool is_nan =
      type.nan == NanCodes::negative_zero
          ? code == type.sign_mask()
          : (code & type.sign_mask()) == 0 && code >= type.first_nan_code() && code <= type.magnitude_mask();
  if (!is_nan) {
    const bool negative = (code & type.sign_mask()) != 0 && type.nan != NanCodes::negative_zero;
    in.error(node->where,
             "\"canonical_nan\" " + hex(code) + " is not a " + (negative ? "positive " : "") + "NaN code of this type");
    return;
  }
  if (type.nan != NanCodes::negative_zero) type.stated_canonical_nan = code;
}

/// As hexadecimal digits where the model is written so, otherwise with the 17 decimal digits that tell every float64
/// from its neighbours. (Not std::to_chars: with its tables it would be a twentieth of the Python package.)
std::string print_like(double value, const std::string& model) {
  std::ostringstream text(std::ios_base::out);
  text.imbue(std::locale::classic());
  if (model.starts_with("0x")) text << std::hexfloat;
  text << std::setprecision(std::numeric_limits<double>::max_digits10) << value;
  return text.str();
}

/// In decimal digits, as a float64 does not hold all of 64 bits.
void TypeReader::check_integer_fact(const Node::Member& fact, std::uint64_t derived) const {
  const Node& said = fact.value;
  const std::string text = said.kind == Node::Kind::string    ? said.text
                           : said.kind == Node::Kind::integer ? said.describe()
                                                              : "";
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
    in.error(said.where,
             "fact \"" + fact.key + "\" must be a whole number, digits alone (got " + said.describe() + ")");
  else if (text != std::to_string(derived))
    in.error(said.where,
             "fact \"" + fact.key + "\" says " + text + " but the encoding gives " + std::to_string(derived));
}

void TypeReader::read_facts(const Type& type) const {
  const Node* facts = in.shaped("facts", Node::Kind::object, "an object");
  if (facts == nullptr) return;
  for (const Node::Member& fact : facts->members) {
    double derived = 0;
    if (fact.key == "value_bits") {
      derived = type.value_bits;
    } else if (type.kind == Kind::floating && fact.key == "max_finite") {
      derived = type.max_finite();
    } else if (type.kind == Kind::floating && fact.key == "min_positive") {
      derived = type.min_positive();
    } else if (type.kind == Kind::integer && (fact.key == "max_finite" || fact.key == "min_positive")) {
      check_integer_fact(fact, fact.key == "max_finite" ? type.largest_code() : 1);
      continue;
    } else {
      in.error(fact.key_where, "unknown fact \"" + fact.key + "\" for kind " + std::string(word_of(type.kind)));
      continue;
    }
    const Node& said = fact.value;
    std::string text = said.kind == Node::Kind::string ? said.text : "";
    if (said.kind == Node::Kind::integer || said.kind == Node::Kind::real) text = said.describe();
    const bool hex = text.starts_with("0x");
    double stated = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data() + (hex ? 2 : 0), end, stated,
                                                 hex ? std::chars_format::hex : std::chars_format::general);
    if (text.empty() || problem != std::errc{} || stop != end) {
      in.error(said.where, "fact \"" + fact.key + "\" must be a number or a string like \"448\" or \"0x1p-9\" (got " +
                               said.describe() + ")");
    } else if (stated != derived) {
      in.error(said.where,
               "fact \"" + fact.key + "\" says " + text + " but the encoding gives " + print_like(derived, text));
    }
  }
}

void TypeReader::read_floating(Type& type) const {
  const auto is_signed = in.boolean("signed");
  const auto exponent_bits = in.integer("exponent_bits", 1, 11);
  const auto mantissa_bits = in.integer("mantissa_bits", 0, 52);
  const auto bias = in.integer("exponent_bias", -1022, 1075);
  const auto subnormals = in.boolean("subnormals");
  const auto infinity = in.boolean("infinity");
  const Node* nan = in.required("nan");
  const auto nan_word = in.word(nan, "nan", {"ieee", "top", "negative_zero", "none"});
  if (!is_signed || !exponent_bits || !mantissa_bits) {
    read_storage(type, "");
    return;
  }
  type.is_signed = *is_signed;
  type.exponent_bits = *exponent_bits;
  type.mantissa_bits = *mantissa_bits;
  type.value_bits = (type.is_signed ? 1 : 0) + type.exponent_bits + type.mantissa_bits;
  read_storage(type, (type.is_signed ? "sign 1 + exponent " : "exponent ") + std::to_string(type.exponent_bits) +
                         " + mantissa " + std::to_string(type.mantissa_bits) + " = " + std::to_string(type.value_bits) +
                         " bits");
  if (!bias || !subnormals || !infinity || !nan_word) return;
  type.exponent_bias = *bias;
  type.bias_where = in.optional("exponent_bias")->where;
  type.mantissa_where = in.optional("mantissa_bits")->where;
  type.subnormals = *subnormals;
  type.infinity = *infinity;
  for (const NanCodes codes : {NanCodes::none, NanCodes::top, NanCodes::ieee, NanCodes::negative_zero}) {
    if (word_of(codes) == *nan_word) type.nan = codes;
  }
  if (!special_codes_fit(type)) return;
  check_float64(type);
  read_canonical_nan(type);
}

}  // namespace

std::unique_ptr<Type> read_type(const Node& root, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.size();
  const ObjectReader untyped(root, "", diagnostics);
  const Node* kind = untyped.required("kind");
  const auto kind_word = untyped.word(kind, "kind", {"float", "integer", "bool", "string"});
  if (!kind_word) return nullptr;

  auto type = std::make_unique<Type>();
  type->where = root.where;
  const ObjectReader in(root, " for kind " + *kind_word, diagnostics);
  const TypeReader reader{in, diagnostics};
  if (*kind_word == "float") {
    type->kind = Kind::floating;
    in.reject_unknown_keys({"name", "id", "kind", "aliases", "doc", "cites", "storage_bits", "storage_align", "packing",
                            "facts", "signed", "exponent_bits", "mantissa_bits", "exponent_bias", "subnormals",
                            "infinity", "nan", "canonical_nan"});
    reader.read_common(*type);
    reader.read_floating(*type);
  } else if (*kind_word == "integer") {
    type->kind = Kind::integer;
    in.reject_unknown_keys({"name", "id", "kind", "aliases", "doc", "cites", "storage_bits", "storage_align", "packing",
                            "facts", "signed", "bits", "storage_fill"});
    reader.read_common(*type);
    reader.read_integer(*type);
  } else if (*kind_word == "bool") {
    type->kind = Kind::boolean;
    in.reject_unknown_keys({"name", "id", "kind", "aliases", "doc", "cites", "storage_bits", "facts"});
    reader.read_common(*type);
    const Node* storage = in.required("storage_bits");
    if (storage != nullptr && !storage->is_integer_in(8, 8)) {
      in.error(storage->where, "\"storage_bits\" must be 8 for kind bool (got " + storage->describe() + ")");
    }
    type->storage_bits = type->value_bits = 8;
  } else {
    type->kind = Kind::string;
    in.reject_unknown_keys({"name", "id", "kind", "aliases", "doc", "cites"});
    reader.read_common(*type);
  }
  if (diagnostics.size() != errors_before) return nullptr;
  if (type->kind != Kind::string) reader.read_facts(*type);
  return diagnostics.size() == errors_before ? std::move(type) : nullptr;
}

std::unique_ptr<Rounding> read_rounding(const Node& root, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.size();
  const ObjectReader in(root, " for a rounding mode", diagnostics);
  in.reject_unknown_keys({"name", "short", "doc", "cites", "carry"});
  auto rounding = std::make_unique<Rounding>();
  rounding->where = root.where;
  rounding->doc = in.prose("doc");
  in.texts("cites");
  for (const auto& [key, target] : {std::pair{"name", &rounding->name}, std::pair{"short", &rounding->short_name}}) {
    const Node* node = in.required(key);
    if (node == nullptr) continue;
    // "_" begins what follows the mode in a kernel's name.
    const bool is_part = target == &rounding->short_name;
    const bool fits = node->kind == Node::Kind::string && is_plain_name(node->text) &&
                      !(is_part && node->text.find('_') != std::string::npos);
    if (!fits) {
      in.error(node->where, "\"" + std::string(key) + "\" must match " +
                                (is_part ? "[a-z][a-z0-9]*" : "[a-z][a-z0-9_]*") + " (got " + node->describe() + ")");
    } else if (in.is_short(*node, key)) {
      *target = node->text;
    }
  }
  const std::string& part = rounding->short_name;
  if (part == "exact") {
    in.error(in.optional("short")->where, "\"short\" \"exact\" is taken by conversions without rounding");
  } else if (part == "bits" || part == "converted" || part.starts_with("integral")) {
    in.error(in.optional("short")->where, "\"short\" \"" + part + "\" is taken by other parts of kernels' names");
  }
  const Node* carry = in.required("carry");
  if (carry != nullptr) {
    bool shaped = carry->kind == Node::Kind::string && carry->text.size() == 19;
    int index = 0;
    for (std::size_t i = 0; shaped && i < 19; ++i) {
      const char c = carry->text[i];
      if (i % 5 == 4) {
        shaped = c == ' ';
      } else {
        shaped = c == '0' || c == '1';
        if (c == '1') rounding->carry = static_cast<std::uint16_t>(rounding->carry | 1u << index);
        ++index;
      }
    }
    if (!shaped) {
      in.error(carry->where, "\"carry\" must be four groups of four digits 0 or 1 like \"0001 0011 0001 0011\" (got " +
                                 carry->describe() + ")");
    } else if ((rounding->carry & 0x1111) != 0) {
      in.error(carry->where, "\"carry\" moves exact values: the first digit of every group must be 0 (got " +
                                 carry->describe() + ")");
    }
  }
  return diagnostics.size() == errors_before ? std::move(rounding) : nullptr;
}

}  // namespace castforge::spec
