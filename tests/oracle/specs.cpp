#include "oracle/specs.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "oracle/value.hpp"

namespace castforge::oracle {

namespace {

const Json& field(const Json& spec, const char* name) {
  const Json* found = spec.find(name);
  if (found == nullptr) throw std::runtime_error(std::string("no field \"") + name + "\"");
  return *found;
}

bool flag(const Json& spec, const char* name) { return field(spec, name).text == "true"; }
int number(const Json& spec, const char* name) { return std::stoi(field(spec, name).text); }

/// The word of a field that may be left out.
std::string word(const Json& spec, const char* name, const char* otherwise) {
  const Json* found = spec.find(name);
  return found == nullptr ? otherwise : found->text;
}

Nan nan_from(const std::string& word) {
  if (word == "none") return Nan::none;
  if (word == "top") return Nan::top;
  if (word == "ieee") return Nan::ieee;
  if (word == "negative_zero") return Nan::negative_zero;
  throw std::runtime_error("the oracle knows no kind of NaN named " + word);
}

/// "0001 0011 0001 0011": bit i is the i-th digit.
std::uint16_t carry_from(const std::string& digits) {
  std::uint16_t table = 0;
  int index = 0;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    if (digit == '1') table = static_cast<std::uint16_t>(table | 1u << index);
    ++index;
  }
  if (index != 16) throw std::runtime_error("a carry table has 16 digits");
  return table;
}

void add_rounding_from(const Json& spec) {
  const std::string name = field(spec, "name").text;
  const std::uint16_t carry = carry_from(field(spec, "carry").text);
  const std::optional<Round> known = find_rounding(name);
  if (!known) {
    add_rounding(name, carry);
  } else if (carry_of(*known) != carry) {
    throw std::runtime_error("rounding mode " + name + " is another one to the oracle");
  }
}

void add_format_from(const Json& spec) {
  const std::optional<Format> format = format_from(spec);
  if (!format) return;
  if (const Codec* known = find_codec(format->name)) {
    if (known->format() != *format) throw std::runtime_error("type " + format->name + " is another one to the oracle");
  } else {
    add_format(*format);
  }
}

}  // namespace

std::optional<Format> format_from(const Json& spec) {
  const std::string kind = field(spec, "kind").text;
  if (kind == "string") return std::nullopt;
  Format f;
  f.name = field(spec, "name").text;
  f.storage = number(spec, "storage_bits");
  f.high_first = word(spec, "packing", "low_first") == "high_first";
  f.high = word(spec, "storage_align", "low") == "high";
  f.sign_fill = word(spec, "storage_fill", "zero") == "sign";
  if (kind == "bool") {
    f.kind = Kind::boolean;
    f.is_signed = false;
    f.bits = f.storage;
  } else if (kind == "integer") {
    f.kind = Kind::integer;
    f.is_signed = flag(spec, "signed");
    f.bits = number(spec, "bits");
  } else if (kind == "float") {
    f.is_signed = flag(spec, "signed");
    f.exponent_bits = number(spec, "exponent_bits");
    f.mantissa_bits = number(spec, "mantissa_bits");
    f.bias = number(spec, "exponent_bias");
    f.subnormals = flag(spec, "subnormals");
    f.infinity = flag(spec, "infinity");
    f.nan = nan_from(field(spec, "nan").text);
    f.bits = (f.is_signed ? 1 : 0) + f.exponent_bits + f.mantissa_bits;
    const std::string nan_code = word(spec, "canonical_nan", "");
    if (!nan_code.empty() && f.nan != Nan::negative_zero) f.canonical_nan = std::stoull(nan_code, nullptr, 0);
  } else {
    throw std::runtime_error("the oracle knows no kind named " + kind);
  }
  return f;
}

void read_specs(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : folders) {
    for (std::filesystem::recursive_directory_iterator at(folder), end; at != end; ++at) {
      if (at->is_directory() && at->path().filename() == "shelf") at.disable_recursion_pending();  // in no library
      else if (at->path().extension() == ".json") files.push_back(at->path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    try {
      std::ifstream stream(file, std::ios::binary);
      const Json spec = parse_json(std::string(std::istreambuf_iterator<char>(stream), {}));
      if (spec.find("carry") != nullptr) add_rounding_from(spec);
      if (spec.find("kind") != nullptr) add_format_from(spec);
    } catch (const std::exception& problem) {
      throw std::runtime_error(file.string() + ": " + problem.what());
    }
  }
}

}  // namespace castforge::oracle
