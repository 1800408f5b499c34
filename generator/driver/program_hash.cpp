#include "driver/program_hash.hpp"

#include "driver/sha256.hpp"
#include "ir/program_text.hpp"

namespace castforge::driver {

std::string program_hash(const ir::Program& program) { return sha256(ir::program_text(program)).substr(0, 12); }

std::string program_hashes(const Kernel& kernel) {
  std::string list;
  for (const ir::Program& program : kernel.programs) list += (list.empty() ? "" : ",") + program_hash(program);
  return list;
}

}  // namespace castforge::driver
