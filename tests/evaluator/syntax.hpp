// What a kernel file says, as a tree: kernels, their plans, the statements of each map(). Names and types are not
// looked at yet; program.hpp does that.
//
//   file      = { directive | namespace | kernel | lookups | assertion }
//   kernel    = "struct" NAME "{" widths { packing } { plan | named }
//               "using plans = lane::Plans<" NAME { "," NAME } ">;" "};"
//   lookups   = "struct" NAME_lookups "{" { plan } "};"     plans of a kernel whose file includes this one
//   named     = "using" NAME "=" NAME_lookups "::" NAME ";"  one of them
//   widths    = "static constexpr int kSrcBits =" N ", kDstBits =" N ";"
//   packing   = "static constexpr Packing" ( "kSrcPacking" | "kDstPacking" ) "= Packing::high_first;"
//   plan      = "struct" NAME "{" { constant | table } map "};"
//   constant  = "static constexpr" TYPE NAME "=" NUMBER ";"    TYPE: std::uint8_t .. std::uint64_t
//             | "static constexpr lane::Needs kNeeds =" NEED { "|" NEED } ";"
//             | "static constexpr lane::Environment kEnvironment =" ENVIRONMENT ";"
//   table     = [ "alignas(64)" ] "static constexpr std::array<" TYPE "," N ">" NAME "= {" NUMBER { "," NUMBER } "};"
//   map       = "static constexpr auto map(auto" NAME ") noexcept {" { "const auto" NAME "=" EXPR ";" } "return" EXPR
//   ";" "}" EXPR      = NAME | NUMBER | "(" EXPR ")" | EXPR INFIX EXPR | "lane::" NAME [ "<" ARGUMENT ">" ] "(" EXPR {
//   "," EXPR } ")" INFIX     = & | ^ + - << >>, with the precedence they have in C++ assertion =
//   "static_assert(lane::maps<" NAME ">({" "{" CODE "," RESULT "}" ... "}));"
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tokens.hpp"

namespace castforge::evaluator {

/// What stands between < and > after an operation: a number, the name of a table or of a type.
struct Argument {
  std::string name;  // empty: a number
  std::uint64_t number = 0;
  int bits = 0;  // of std::uint8_t .. std::uint64_t; 0 for everything else
};

struct Expression {
  enum class Kind { name, number, infix, call };
  Kind kind = Kind::name;
  int line = 0;
  std::string text;  // the name, the infix operator, or the operation without lane::
  std::uint64_t number = 0;
  bool decimal = false;  // a number, written in decimal
  std::vector<Argument> arguments;
  std::vector<Expression> operands;
};

struct Statement {
  std::string name;  // empty: return
  Expression value;
  int line = 0;
};

struct Constant {
  std::string name;
  int bits = 0;
  std::uint64_t value = 0;
  int line = 0;
};

struct Table {
  std::string name;
  int bits = 0;  // of an entry
  std::vector<std::uint64_t> entries;
  int line = 0;
};

struct Plan {
  std::string name;
  std::filesystem::path file;
  int line = 0;
  std::vector<std::string> needs;  // without lane::Needs::; never empty
  std::string environment;         // without lane::Environment::; "none" where the plan does not say
  std::vector<Constant> constants;
  std::vector<Table> tables;
  std::string parameter;
  std::vector<Statement> statements;  // the last one, and no other, is a return
};

struct Row {
  std::uint64_t code = 0, result = 0;
  int line = 0;
};

/// Plans that stand in a file of their own.
struct Lookups {
  std::string dst, structure;
  std::vector<Plan> plans;
};

/// A plan that a kernel takes from there.
struct Reference {
  std::string plan, structure;
  int line = 0;
};

struct Kernel {
  std::filesystem::path file;
  std::string name;       // "float32_to_float8e4m3fn__rne_max"
  std::string src, dst;   // names of the types
  std::string structure;  // "from_float32__rne_max"
  int line = 0;
  int src_bits = 0, dst_bits = 0;
  bool src_high_first = false, dst_high_first = false;  // of the elements within a byte
  std::vector<Plan> plans;                              // those that can be read, in the order of Plans<...>
  std::vector<std::string> order;                       // the names in Plans<...>
  std::vector<Reference> references;                    // until link() brings the plans
  std::vector<Row> rows;                                // of its assertion
  std::vector<std::string> comments;                    // the lines right before it
};

struct Problem {
  int line = 0;
  std::string kernel, plan;  // where it lies; empty: outside
  std::string message;
};

struct File {
  std::filesystem::path path;
  std::vector<std::string> includes;
  std::vector<Kernel> kernels;
  std::vector<Lookups> lookups;
  std::vector<Problem> problems;
};

/// Never throws: what cannot be read is a problem of the file, and reading goes on behind the plan or kernel that holds
/// it.
File parse(const std::filesystem::path& path, const std::string& text);
File read_file(const std::filesystem::path& path);

/// Gives kernels the plans that they take from other files. What is not to be found is a problem of the kernel's file.
void link(std::vector<File>& files);

}  // namespace castforge::evaluator
