// A program as C with intrinsics, value by value: what print_vectors() does, for its parts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "amalgam/print_vectors.hpp"

namespace castforge::amalgam::vectors {

/// What a node is in C. The text of lanes, masks and halves has '#' where the number of the vector stands.
struct Value {
  enum class Kind { constant, source, lanes, mask, halves };
  Kind kind = Kind::constant;
  int bits = 0;
  int order = 1;  // of lanes and masks: see runtime/simd/batch.hpp
  std::string text = {};
};

/// The text with `index` for each '#'.
std::string at(const std::string& text, const std::string& index);

/// In C, the number of the `index`-th of the `of` vectors that are merged into vector i.
std::string part(int of, int index);

/// A node's name as that of a variable in C: with '_' where `in`, `out`, `i` or a keyword has it already.
std::string local(const std::string& name);

/// Why a target has no such block.
struct NotPossible {
  std::string why;
};

class VectorPrinter {
 public:
  VectorPrinter(const ir::Program& program, std::string kernel, Packing from, Packing to, Target& target);
  PrintedBlock print();

 private:
  // ---------------------------------------------------------------- lines and values (vector_values.cpp)

  int order_for(int times) const { return interleave_ == 1 ? 1 : times; }
  /// Is each byte of lanes of so many bits brought to its place by one permutation?
  bool places_bytes_of(int lane_bits) const { return lane_bits > 16 && target_.has("place_bytes"); }
  int vectors(int bits) const { return lanes_ * bits / 8 / bytes_; }
  std::string use(const std::string& helper) { return target_.use(helper); }
  /// The helper of an operation on lanes of `bits`: by width where there is such a one.
  std::string lane_helper(const std::string& name, int bits);
  void line(const std::string& code, const std::string& note = "") { add_line(lines_, code, note); }
  /// `count` values of `type`, the one numbered i being `text`; the result is "name[#]".
  std::string define(const std::string& type, std::string name, int count, const std::string& text,
                     const std::string& note = "");
  void each(int count, const std::string& statement);
  /// All lanes equal to a number; defined once, before everything else.
  std::string constant(std::uint64_t number, int bits, std::string name = "", const std::string& note = "");
  std::string reordered(const std::string& text, int from, int to);
  /// As lanes, in whatever order they are.
  Value lanes(int id);
  std::string lanes_in(const Value& value, int order) { return reordered(value.text, value.order, order); }
  std::string operand(int id, int order);
  /// A value that is used often, or by a width change, has a name.
  Value named(const ir::Node& node, int id, Value value, const std::string& type, int count, bool must);
  /// Does something take several vectors of the value at a time?
  bool feeds_width_change(int id) const;
  static bool is_name(const std::string& text);
  Value in_a_name(Value value);

  // ---------------------------------------------------------------- operations (print_vectors.cpp)

  Value shape_of(const std::vector<int>& args);
  Value value_of(int id);
  /// Joins take the number 0 as no plane at all.
  bool constant_used_as_lanes(int id) const;
  Value per_part(const ir::Node& node, int id);
  std::string table_operand(const ir::Node& node);
  Value wide_lookup(const ir::Node& node, int id);

  // ---------------------------------------------------------------- changes of width (vector_widths.cpp)

  /// Several vectors become one.
  Value packed_by(const ir::Node& node, int id, int from, int to, const std::string& call, const std::string& first);
  Value packed(const ir::Node& node, int id);
  /// The halves of vectors, in natural order; "#" is the number of the half.
  std::string halves(int id);
  Value converted(const ir::Node& node, int id);
  Value widened(const ir::Node& node, int id);
  /// Zeros above.
  Value widened_lanes(Value value, int to);
  Value zeros(const Value& like);
  /// Lanes of twice the width from their halves.
  Value interleaved(Value low, Value high);
  /// Bytes put into lanes of `to` bits, those of a at byte `first` and those of b at byte `second`.
  Value placed(Value a, int first, Value b, int second, int to);
  Value joined(const ir::Node& node, int id);

  // ---------------------------------------------------------------- memory (vector_memory.cpp)

  Value& loaded_source(Value& source);
  Value input(const ir::Node& node);
  void store(const Value& result);
  // Neighbours stay neighbours in the orders of two and of four vectors.
  void store_nibbles(Value value);
  void store_quarters(const std::string& natural, int count);

  const ir::Program& program_;
  std::string kernel_;
  Packing from_, to_;
  Target& target_;
  int bytes_ = 0, lanes_ = 0, interleave_ = 1, source_order_ = 1;
  bool planes_ = false;
  std::vector<int> uses_;
  std::vector<Value> values_;
  std::vector<std::string> constants_, lines_;
  std::set<std::string> constant_names_, tables_;
  int temporaries_ = 0;
};

}  // namespace castforge::amalgam::vectors
