// What `castforge convert` reads beside tensors: plans, and indexes of sharded checkpoints.
#include "cli/convert/index.hpp"
#include "cli/convert/plan.hpp"
#include "cli/convert/tensor_rules.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "fuzz/target.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace castforge::fuzz {
namespace {

using namespace castforge::cli;

/// Bytes under a path, for readers that want one.
class MemoryFile {
 public:
  explicit MemoryFile(Input bytes) : descriptor_(::memfd_create("castforge-fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "no memory file");
    require(::write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "no room");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

void convert_plan(Input input) {
  try {
    const Plan plan = parse_plan(std::string(text_of(input)), "plan.json");
    TensorRules rules(plan);
    PatternUse use(plan);
    for (const char* name :
         {"", "model.layers.0.mlp.weight", "lm_head.weight", "\xFF*?[", "aaaaaaaaaaaaaaaaaaaaaaaaab"}) {
      use.see(name);
      for (std::size_t i = 0; i < type_count(); ++i) {
        try {
          rules.choose("file", {.name = name, .dtype = "F32", .type = type_at(i), .shape = {1}, .count = 1});
        } catch (const Failure&) {
        }
      }
      try {
        rules.choose("file", {.name = name, .dtype = "C64", .type = {}, .shape = {}, .count = 1});
      } catch (const Failure&) {
      }
    }
    try {
      use.check("checkpoint", "");
      accepted();
    } catch (const Failure&) {
    }
  } catch (const Failure&) {
  }
}

void checkpoint_index(Input input) {
  const MemoryFile file(input);
  try {
    const CheckpointIndex index(file.path());
    std::size_t tensors = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
      require(index.file(i) < index.files().size(), "a tensor in no file");
      require(index.file_of(json_text(index.name(i))) == index.file(i), "a tensor that is not found by its name");
    }
    for (std::size_t i = 0; i < index.files().size(); ++i) tensors += index.tensors_in(i);
    require(tensors == index.size(), "files and tensors do not add up");
    accepted();
  } catch (const Failure&) {
  }
}

}  // namespace castforge::fuzz
