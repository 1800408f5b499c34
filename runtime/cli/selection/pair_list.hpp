// Which conversions a command is about: --pair SRC:DST, or all that an op-set admits.
#pragma once

#include <castforge/interface.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

struct TypePair {
  Type src, dst;
  friend bool operator==(const TypePair&, const TypePair&) = default;
};

/// "float32:float8e4m3fn"
std::string text_of(const TypePair& pair);

/// Pairs written as SRC:DST,SRC:DST, each type by its name or an alias, each pair once. A usage Failure otherwise.
std::vector<TypePair> pairs_from(const std::vector<std::string>& lists);

/// The pairs without strings that the op-set admits, ordered by source, then destination.
std::vector<TypePair> admitted_pairs(OpSet opset);

/// "avx2,sse4_2": the parts, each once. `all` means every instruction set that this machine can run, an empty
/// text the active one. A usage Failure where one is unknown or cannot be run.
std::vector<std::string> isas_from(std::string_view list);

}  // namespace castforge::cli
