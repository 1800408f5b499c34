// Writes headers with every case as a struct in the spelling of the generated kernels.
#include <cstdio>
#include <fstream>
#include <span>
#include <vector>

#include "emit/kernel_file.hpp"
#include "emit/print_cpp.hpp"
#include "spec/hex.hpp"
#include "unit/operations/cases.hpp"

using namespace castforge;

namespace {

void print(std::ostream& out, const test::Case& one) {
  const emit::PrintedProgram printed = emit::print_cpp(one.program);
  out << "struct " << one.name << " {\n  static constexpr const char* kName = \"" << one.name << "\";\n";
  out << "  static constexpr int kBits = " << one.bits << ", kTo = " << one.to() << ", kArity = " << one.operands.size()
      << ";\n";
  out << "  static constexpr lane::Needs kNeeds = " << emit::needs_word(one.needs) << ";\n";
  out << "  static constexpr bool kHasVectorForm = " << (one.has_vector_form ? "true" : "false") << ";\n";
  for (const emit::PrintedConstant& constant : printed.constants) {
    if (constant.name[0] != 'k') continue;  // an operand
    out << "  static constexpr " << constant.type << " " << constant.name << " = " << constant.value << ";\n";
  }
  for (const ir::Table& table : one.program.tables) {
    out << "  static constexpr std::array<" << emit::unsigned_type(table.bits) << ", " << table.entries.size() << "> "
        << table.name << " = {";
    for (const std::uint64_t entry : table.entries) out << spec::hex(entry, table.bits) << ", ";
    out << "};\n";
  }
  out << "  static constexpr auto map(";
  for (std::size_t i = 0; i < one.operands.size(); ++i) out << (i == 0 ? "" : ", ") << "auto " << one.operands[i];
  out << ") noexcept {\n";
  for (const emit::PrintedStatement& statement : printed.statements) out << "    " << statement.text << "\n";
  out << "  }\n};\n\n";
}

bool write(const char* path, std::span<const test::Case> cases) {
  std::ofstream out(path, std::ios::binary);
  out << "// Operations of the table as kernels of one line. Written by print_kernels.\n#pragma once\n\n#include "
         "\"simd/kernel.hpp\"\n\n"
         "namespace castforge {\ninline namespace CASTFORGE_ISA {\nnamespace operations {\n\n";
  for (const test::Case& one : cases) print(out, one);
  out << "}  // namespace operations\n}  // namespace CASTFORGE_ISA\n}  // namespace castforge\n\n#define "
         "CASTFORGE_OPERATION_KERNELS(X)";
  for (const test::Case& one : cases) out << " \\\n  X(" << one.name << ")";
  out << "\n";
  out.close();
  return !out.fail();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "print_kernels expects the paths of the headers to write, which share the cases\n");
    return 2;
  }
  const std::vector<test::Case> cases = test::operation_cases();
  const std::size_t headers = static_cast<std::size_t>(argc) - 1;
  for (std::size_t i = 0; i < headers; ++i) {
    const std::size_t begin = i * cases.size() / headers, end = (i + 1) * cases.size() / headers;
    if (!write(argv[i + 1], std::span(cases).subspan(begin, end - begin))) return 1;
  }
  return 0;
}
