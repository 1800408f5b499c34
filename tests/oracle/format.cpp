#include "oracle/format.hpp"

#include <stdexcept>
#include <utility>

namespace castforge::oracle {

namespace {

Format integer(std::string name, bool is_signed, int bits) {
  Format f;
  f.name = std::move(name);
  f.kind = Kind::integer;
  f.is_signed = is_signed;
  f.bits = bits;
  f.storage = bits;
  return f;
}

Format boolean() {
  Format f;
  f.name = "bool";
  f.kind = Kind::boolean;
  f.is_signed = false;
  f.bits = 8;
  f.storage = 8;
  return f;
}

std::vector<Format> make_table() {
  std::vector<Format> t;
  t.push_back(boolean());
  t.push_back(integer("uint1", false, 1));
  t.back().high_first = true;
  for (int bits : {2, 4, 8, 16, 32, 64}) {
    t.push_back(integer("int" + std::to_string(bits), true, bits));
    t.push_back(integer("uint" + std::to_string(bits), false, bits));
  }
  //                                        sign  e   m   bias  subn   inf    NaN codes          storage
  t.push_back(make_floating("float64", true, 11, 52, 1023, true, true, Nan::ieee, 64));
  t.push_back(make_floating("float32", true, 8, 23, 127, true, true, Nan::ieee, 32));
  t.push_back(make_floating("bfloat16", true, 8, 7, 127, true, true, Nan::ieee, 16));
  t.push_back(make_floating("float16", true, 5, 10, 15, true, true, Nan::ieee, 16));
  t.push_back(make_floating("float8e4m3fn", true, 4, 3, 7, true, false, Nan::top, 8));
  t.push_back(make_floating("float8e4m3fnuz", true, 4, 3, 8, true, false, Nan::negative_zero, 8));
  t.push_back(make_floating("float8e5m2", true, 5, 2, 15, true, true, Nan::ieee, 8));
  t.push_back(make_floating("float8e5m2fnuz", true, 5, 2, 16, true, false, Nan::negative_zero, 8));
  t.push_back(make_floating("float8e8m0", false, 8, 0, 127, false, false, Nan::top, 8));
  t.push_back(make_floating("binary8p4se", true, 4, 3, 8, true, true, Nan::negative_zero, 8));
  t.push_back(make_floating("binary8p3se", true, 5, 2, 16, true, true, Nan::negative_zero, 8));
  t.push_back(make_floating("binary4p2sf", true, 2, 1, 2, true, false, Nan::negative_zero, 4));
  t.push_back(make_floating("float6e2m3", true, 2, 3, 1, true, false, Nan::none, 6));
  t.push_back(make_floating("float6e3m2", true, 3, 2, 3, true, false, Nan::none, 6));
  t.push_back(make_floating("float4e2m1", true, 2, 1, 1, true, false, Nan::none, 4));
  return t;
}

}  // namespace

Format make_floating(std::string name, bool is_signed, int exponent_bits, int mantissa_bits, int bias, bool subnormals,
                     bool infinity, Nan nan, int storage) {
  Format f;
  f.name = std::move(name);
  f.is_signed = is_signed;
  f.exponent_bits = exponent_bits;
  f.mantissa_bits = mantissa_bits;
  f.bias = bias;
  f.subnormals = subnormals;
  f.infinity = infinity;
  f.nan = nan;
  f.bits = (is_signed ? 1 : 0) + exponent_bits + mantissa_bits;
  f.storage = storage;
  return f;
}

const std::vector<Format>& all_formats() {
  static const std::vector<Format> table = make_table();
  return table;
}

const Format& format(std::string_view name) {
  for (const Format& f : all_formats()) {
    if (f.name == name) return f;
  }
  throw std::out_of_range("the oracle knows no format named " + std::string(name));
}

}  // namespace castforge::oracle
