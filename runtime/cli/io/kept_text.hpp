// Text that is made before it can be printed.
#pragma once

#include "cli/io/spool.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace castforge::cli {

/// However long it gets, a megabyte of it at most is in memory.
class KeptText {
 public:
  /// `name` is what messages call it.
  explicit KeptText(std::string name) : name_(std::move(name)) {}

  void write(std::string_view text);

  /// Passes all of it on, part by part, once. Nothing may be written afterwards.
  void read(const std::function<void(std::string_view)>& part);

  /// The same line by line, without their ends.
  void read_lines(const std::function<void(std::string_view)>& line);

 private:
  std::string name_, last_;
  std::optional<Spool> spool_;  // of what is before the last part
};

}  // namespace castforge::cli
