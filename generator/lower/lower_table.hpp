// Lookup programs as straight lines of operations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "lower/table_program.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// Two digits: how codes of 8 bits are written in the names of constants and in notes.
std::string hex(int code);

/// The operations of a lookup program, with notes that say which codes each table serves.
/// `is_signed`: has the source a sign?
ir::Program lower_table(const TableProgram& table, bool is_signed = true);

/// What the exact semantics give for every code of a source of at most 8 bits.
std::vector<std::uint64_t> results_of_codes(const spec::Meaning& meaning);

/// All results of a source of at most 8 bits, looked up as a class of instruction sets does it best.
ir::Program lower_table(const spec::Meaning& meaning, TableClass table_class);

/// The same for every instruction set with vectors; nothing where bytes16 and neon do not have one program.
std::optional<ir::Program> lower_table(const spec::Meaning& meaning);

/// The same for those that have tables of 256 bytes; nothing where vbmi and neon do not have one program.
std::optional<ir::Program> lower_long_table(const spec::Meaning& meaning);

}  // namespace castforge::lower
