// Window programs as straight lines of operations.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "lower/window_program.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// The operations of a window program, with notes that say what each table holds. `is_signed`: has the source a sign?
ir::Program operations_of(const WindowProgram& program, int dst_bits, bool is_signed = true);

/// All results of a source of 8 bits; nothing where lookups alone (lower_table) are as cheap.
std::optional<ir::Program> lower_windows(const spec::Meaning& meaning, TableClass table_class);

}  // namespace castforge::lower
