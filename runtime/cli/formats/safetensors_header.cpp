#include "cli/formats/safetensors_header.hpp"

#include "cli/io/failure.hpp"

#include <castforge/type_info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <unordered_set>

namespace castforge::cli {
namespace {

using nlohmann::json;

// The limit of the format's reference implementation.
constexpr std::uint64_t kLargestHeader = 100'000'000;

/// Walks the header text and lets the event handler know where the parser is.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** seen_;
};

/// Takes the parser's events one by one and accepts nothing but the format's own structure, so that neither
/// nesting nor unknown members cost memory.
class HeaderHandler : public nlohmann::json_sax<json> {
 public:
  HeaderHandler(const std::string& file, const char* start, SafetensorsHeader& header)
      : file_(file), start_(start), seen_(start), header_(header) {}

  const char** seen() { return &seen_; }

  bool null() override { unexpected("null"); }
  bool boolean(bool) override { unexpected("a truth value"); }
  bool number_integer(number_integer_t value) override {
    if (state_ == State::shape || state_ == State::offsets) {
      fail(text("expected a number from 0 to 2^63 - 1, found ", value));
    }
    unexpected("a number");
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (state_ != State::shape && state_ != State::offsets) unexpected("a number");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(text("expected a number from 0 to 2^63 - 1, found ", value));
    }
    if (state_ == State::shape) {
      tensor_.shape.push_back(value);
    } else {
      if (offsets_ == 2) fail("expected two data_offsets, found more");
      (offsets_++ == 0 ? tensor_.begin : tensor_.end) = value;
    }
    return true;
  }
  bool number_float(number_float_t, const string_t& digits) override { unexpected("the number " + digits); }
  bool binary(json::binary_t&) override { unexpected("binary data"); }

  bool string(string_t& value) override {
    if (state_ == State::metadata) {
      header_.metadata.emplace_back(key_, value);
    } else if (state_ == State::tensor && member_ == kDtype) {
      tensor_.dtype = value;
    } else {
      unexpected("the string " + in_quotes(value));
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (state_ == State::outside) {
      state_ = State::root;
    } else if (state_ == State::root && key_ == "__metadata__") {
      state_ = State::metadata;
      header_.has_metadata = true;
      metadata_keys_.clear();
    } else if (state_ == State::root) {
      state_ = State::tensor;
      tensor_ = SafetensorsEntry{};
      tensor_.name = key_;
      members_ = 0;
    } else {
      unexpected("an object");
    }
    return true;
  }

  bool key(string_t& name) override {
    if (state_ == State::root) {
      if (!names_.insert(name).second) {
        fail(text("expected each tensor once, found ", in_quotes(name), " again"));
      }
      key_ = name;
    } else if (state_ == State::metadata) {
      if (!metadata_keys_.insert(name).second) {
        fail(text("expected each key once, found ", in_quotes(name), " again"));
      }
      key_ = name;
    } else {
      member_ = name == "dtype" ? kDtype : name == "shape" ? kShape : name == "data_offsets" ? kOffsets : 0U;
      if (member_ == 0) fail(text("expected dtype, shape or data_offsets, found ", in_quotes(name)));
      if ((members_ & member_) != 0) fail(text("expected ", name, " once, found it again"));
      members_ |= member_;
    }
    return true;
  }

  bool end_object() override {
    if (state_ == State::tensor) {
      if ((members_ & kDtype) == 0) fail("expected dtype, found the end of the object");
      if ((members_ & kShape) == 0) fail("expected shape, found the end of the object");
      if ((members_ & kOffsets) == 0) fail("expected data_offsets, found the end of the object");
      header_.tensors.push_back(std::move(tensor_));
      tensor_.name.clear();
    }
    state_ = state_ == State::root ? State::outside : State::root;
    return true;
  }

  bool start_array(std::size_t) override {
    if (state_ == State::tensor && member_ == kShape) {
      state_ = State::shape;
    } else if (state_ == State::tensor && member_ == kOffsets) {
      state_ = State::offsets;
      offsets_ = 0;
    } else {
      unexpected("an array");
    }
    return true;
  }

  bool end_array() override {
    if (state_ == State::offsets && offsets_ != 2) {
      fail(text("expected two data_offsets, found ", offsets_));
    }
    state_ = State::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ...": the location is
    // said already.
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    throw bad_byte(file_, 8 + (position == 0 ? 0 : position - 1),
                   "safetensors header: " + std::string(colon == what.npos ? what : what.substr(colon + 2)));
  }

 private:
  enum class State { outside, root, metadata, tensor, shape, offsets };
  static constexpr unsigned kDtype = 1, kShape = 2, kOffsets = 4;

  [[noreturn]] void fail(const std::string& message) const {
    const bool in_tensor = state_ == State::tensor || state_ == State::shape || state_ == State::offsets;
    throw bad_byte(
        file_, 8 + static_cast<std::uint64_t>(seen_ - start_),
        text("safetensors header: ", in_tensor ? text("tensor ", in_quotes(tensor_.name), ": ") : "", message));
  }

  [[noreturn]] void unexpected(const std::string& what) const {
    const char* expected = "an object of tensors";
    switch (state_) {
      case State::outside: break;
      case State::root: expected = "an object"; break;
      case State::metadata: expected = "a string"; break;
      case State::tensor: expected = member_ == kDtype ? "a string" : "an array of numbers"; break;
      case State::shape:
      case State::offsets: expected = "a whole number"; break;
    }
    fail(text("expected ", expected, ", found ", what));
  }

  const std::string& file_;
  const char* start_;
  const char* seen_;
  SafetensorsHeader& header_;
  State state_ = State::outside;
  std::string key_;
  SafetensorsEntry tensor_;
  unsigned member_ = 0, members_ = 0;
  int offsets_ = 0;
  std::unordered_set<std::string> names_, metadata_keys_;
};

/// A JSON string; bytes that are no UTF-8, which names from other formats may have, become U+FFFD.
std::string json_string(const std::string& value) {
  return json(value).dump(-1, ' ', false, json::error_handler_t::replace);
}

void check_sizes(const std::string& file, SafetensorsHeader& header, std::uint64_t data_size) {
  for (SafetensorsEntry& tensor : header.tensors) {
    const auto fail = [&](const std::string& message) {
      return bad_file(file, text("tensor ", in_quotes(tensor.name), ": ", message));
    };
    const int bits = safetensors_bits(tensor.dtype);
    if (bits == 0) throw fail(text("expected a dtype such as F32, found ", in_quotes(tensor.dtype)));
    const auto count = element_count(tensor.shape);
    const auto bytes = count ? packed_bytes(*count, bits) : std::nullopt;
    if (!bytes) throw fail(text("shape ", shape_text(tensor.shape), " is too large"));
    if (*count % 8 * static_cast<std::uint64_t>(bits) % 8 != 0) {
      throw fail(text("expected elements that fill whole bytes, found ", *count, " of ", bits, " bits"));
    }
    if (tensor.end < tensor.begin || tensor.end > data_size) {
      throw fail(
          text("expected data_offsets within 0 to ", data_size, ", found [", tensor.begin, ", ", tensor.end, "]"));
    }
    if (tensor.end - tensor.begin != *bytes) {
      throw fail(text("expected ", *bytes, " bytes for ", tensor.dtype, " ", shape_text(tensor.shape), ", found ",
                      tensor.end - tensor.begin, " in data_offsets [", tensor.begin, ", ", tensor.end, "]"));
    }
    tensor.count = *count;
  }
}

void check_coverage(const std::string& file, SafetensorsHeader& header, std::uint64_t data_size) {
  std::stable_sort(header.tensors.begin(), header.tensors.end(),
                   [](const auto& a, const auto& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  std::uint64_t at = 0;
  for (const SafetensorsEntry& tensor : header.tensors) {
    if (tensor.begin != at) {
      throw bad_byte(file, header.data_offset + std::min(at, tensor.begin),
                     text("tensor ", in_quotes(tensor.name), ": expected data from ", at, " on, found data_offsets [",
                          tensor.begin, ", ", tensor.end, "], which ",
                          tensor.begin > at ? "leave a gap" : "overlap another tensor"));
    }
    at = tensor.end;
  }
  if (at != data_size) {
    throw bad_byte(file, header.data_offset + at,
                   text("expected the end of the file after the last tensor, found ", data_size - at, " more bytes"));
  }
}

}  // namespace

int safetensors_bits(std::string_view dtype) { return element_bits("safetensors", dtype).value_or(0); }

SafetensorsHeader read_safetensors_header(InputFile& file) {
  const std::uint64_t size = file.size_for("safetensors");
  unsigned char length_bytes[8];
  file.read_exactly(0, length_bytes, sizeof length_bytes, "header length");
  std::uint64_t length = 0;
  for (int i = 0; i < 8; ++i) length |= std::uint64_t{length_bytes[i]} << (8 * i);
  const std::uint64_t most = std::min(kLargestHeader, size - 8);
  if (length < 2 || length > most) {
    throw bad_byte(file.name(), 0, text("expected a header length of 2 to ", most, " bytes, found ", length));
  }
  std::string bytes(static_cast<std::size_t>(length), '\0');
  file.read_exactly(8, bytes.data(), bytes.size(), "safetensors header");
  if (bytes.front() != '{') {
    throw bad_byte(file.name(), 8, text("safetensors header: expected '{', found ", in_quotes(bytes.substr(0, 1))));
  }

  SafetensorsHeader header;
  header.data_offset = 8 + length;
  HeaderHandler handler(file.name(), bytes.data(), header);
  const CountingIterator begin(bytes.data(), handler.seen()), end(bytes.data() + bytes.size(), handler.seen());
  json::sax_parse(begin, end, &handler);
  check_sizes(file.name(), header, size - header.data_offset);
  check_coverage(file.name(), header, size - header.data_offset);
  return header;
}

std::string safetensors_header_bytes(const SafetensorsHeader& header) {
  std::string out = "{";
  const auto separate = [&] {
    if (out.size() > 1 && out.back() != '{') out += ',';
  };
  if (header.has_metadata) {
    out += "\"__metadata__\":{";
    for (const auto& [key, value] : header.metadata) {
      separate();
      out += json_string(key) + ':' + json_string(value);
    }
    out += '}';
  }
  for (const SafetensorsEntry& tensor : header.tensors) {
    separate();
    out += json_string(tensor.name) + ":{\"dtype\":" + json_string(tensor.dtype) +
           ",\"shape\":" + json(tensor.shape).dump() + text(",\"data_offsets\":[", tensor.begin, ",", tensor.end, "]}");
  }
  out += '}';
  out.append((8 - out.size() % 8) % 8, ' ');
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(out.size() >> (8 * i) & 0xFF);
  return length + out;
}

}  // namespace castforge::cli
