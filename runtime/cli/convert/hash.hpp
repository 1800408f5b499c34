// The hash by which a converted checkpoint is checked: XXH3 of 128 bits, by the library xxHash.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace castforge::cli {

/// A hash over bytes as they come. It finds accidents, not forgery: whoever can change a file can change its hash too.
class Hash {
 public:
  Hash();
  ~Hash();
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;

  void add(const void* bytes, std::size_t length);

  /// 32 hexadecimal digits, as `xxh128sum` prints them.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string hash_of(std::string_view bytes);

/// The hash of a file's contents. Throws an input/output Failure.
std::string hash_of_file(const std::string& path);

}  // namespace castforge::cli
