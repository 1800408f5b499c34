// Text that is made before it can be printed.
#pragma once

#include "cli/io/spool.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace castforge::cli {

class InputFile;

/// However long it gets, a megabyte of it at most is in memory.
class KeptText {
 public:
  /// `name` is what messages call it.
  explicit KeptText(std::string name) : name_(std::move(name)) {}

  void write(std::string_view text);
  std::uint64_t size() const { return (spool_ ? spool_->size() : 0) + last_.size(); }

  /// Passes all of it on, part by part, once. Nothing may be written afterwards.
  void read(const std::function<void(std::string_view)>& part);

  /// The same line by line, without their ends.
  void read_lines(const std::function<void(std::string_view)>& line);

  /// All of it, to be read at any offset and as long as this lives, instead of the above. Nothing may be written
  /// afterwards.
  std::unique_ptr<InputFile> file();

 private:
  std::string name_, last_;
  std::optional<Spool> spool_;  // of what is before the last part
};

}  // namespace castforge::cli
