#include "cli/formats/safetensors_header.hpp"

#include "cli/io/failure.hpp"

#include <castforge/type_info.hpp>

#include <algorithm>
#include <tuple>

namespace castforge::cli {
namespace {

// The limit of the format's reference implementation.
constexpr std::uint64_t kLargestTensorsHeader = 100'000'000;

constexpr std::string_view kMetadata = "__metadata__";

std::string header_text(InputFile& file) {
  const std::uint64_t size = file.size_for("safetensors");
  unsigned char length_bytes[8];
  file.read_exactly(0, length_bytes, sizeof length_bytes, "header length");
  const std::uint64_t length = load_element(length_bytes, 0, 64);
  if (length < 2 || length > kLargestTensorsHeader) {
    throw bad_byte(file.name(), 0,
                   text("expected a header length of 2 to ", kLargestTensorsHeader, " bytes, found ", length));
  }
  if (length > size - 8) {
    throw bad_byte(
        file.name(), 0,
        text("expected a header of ", length, " bytes, as its length says, found ", size - 8, " before the file ends"));
  }
  std::string bytes(static_cast<std::size_t>(length), '\0');
  file.read_exactly(8, bytes.data(), bytes.size(), "safetensors header");
  if (bytes.front() != '{') {
    throw bad_byte(file.name(), 8, text("safetensors header: expected '{', found ", in_quotes(bytes.substr(0, 1))));
  }
  return bytes;
}

/// The later one of two equal strings among those at these places of `all`, which are put in order; nothing where all
/// differ. Linear but for the sorting, whatever the names.
std::optional<std::uint32_t> repeated_string(std::string_view all, std::vector<std::uint32_t>& places) {
  const auto compare = [&](std::uint32_t a, std::uint32_t b) { return compare_strings(all.substr(a), all.substr(b)); };
  std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = compare(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  const auto found = std::adjacent_find(places.begin(), places.end(),
                                        [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) == 0; });
  return found == places.end() ? std::nullopt : std::optional(found[1]);
}

}  // namespace

/// Accepts nothing but the format's own structure, so that neither nesting nor unknown members cost anything.
class SafetensorsHeader::Parser {
 public:
  Parser(SafetensorsHeader& header, const std::string& file)
      : header_(header), json_(header.text_, file, 8, "safetensors header") {}

  void run() {
    json_.members("an object of tensors", "the name of a tensor", [this](std::size_t name_at, std::string_view name) {
      compare_strings(name, kMetadataToken) == 0 ? metadata(name_at) : tensor(name_at, name);
    });
    json_.end();
  }

 private:
  void metadata(std::size_t name_at) {
    if (header_.metadata_size_ != 0) json_.fail(name_at, text("expected ", kMetadata, " once, found it again"));
    const std::size_t begin = json_.at();
    std::vector<std::uint32_t> keys;
    json_.members("an object", "a string", [&](std::size_t at, std::string_view) {
      keys.push_back(static_cast<std::uint32_t>(at));
      json_.string("a string");
    });
    header_.metadata_at_ = begin;
    header_.metadata_size_ = json_.passed() - begin;
    if (const auto again = repeated_string(header_.text_, keys)) {
      const std::string key = decoded_string(header_.cursor(*again).string(""));
      json_.fail(*again, text("expected each key once, found ", in_quotes(key), " again"));
    }
  }

  void tensor(std::size_t name_at, std::string_view name) {
    Tensor tensor{0, 0, static_cast<std::uint32_t>(name_at), 0, 0, 0};
    unsigned members = 0;
    json_.enter("tensor", name);
    json_.members("an object", "dtype, shape or data_offsets", [&](std::size_t at, std::string_view key) {
      const unsigned member = key == "\"dtype\""          ? kDtype
                              : key == "\"shape\""        ? kShape
                              : key == "\"data_offsets\"" ? kOffsets
                                                          : 0U;
      if (member == 0) {
        json_.fail(at, text("expected dtype, shape or data_offsets, found ", in_quotes(decoded_string(key))));
      }
      if ((members & member) != 0) json_.fail(at, text("expected ", decoded_string(key), " once, found it again"));
      members |= member;
      if (member == kDtype) tensor.dtype = dtype();
      if (member == kShape) shape(tensor);
      if (member == kOffsets) offsets(tensor);
    });
    for (const auto& [member, word] : {std::pair{kDtype, "dtype"}, {kShape, "shape"}, {kOffsets, "data_offsets"}}) {
      if ((members & member) == 0) json_.fail(json_.at(), text("expected ", word, ", found the end of the object"));
    }
    json_.leave();
    header_.tensors_.push_back(tensor);
  }

  std::uint16_t dtype() {
    const std::size_t at = json_.at();
    const std::string_view token = json_.string("a string");
    std::vector<std::string>& known = header_.dtypes_;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (token.substr(1, token.size() - 2) == known[i]) return static_cast<std::uint16_t>(i);
    }
    const std::string name = decoded_string(token);
    if (safetensors_bits(name) == 0) {
      json_.fail(at, text("expected a dtype such as F32, found ", in_quotes(name),
                          "; formats that are loaded may have others"));
    }
    // More than the format has, but types that are loaded may add any number.
    constexpr std::size_t kMostDtypes = std::size_t{1} << 16;
    if (known.size() == kMostDtypes) {
      json_.fail(at, text("expected at most ", kMostDtypes, " different dtypes, found another, ", in_quotes(name)));
    }
    known.push_back(name);
    return static_cast<std::uint16_t>(known.size() - 1);
  }

  void shape(Tensor& tensor) {
    tensor.shape_at = static_cast<std::uint32_t>(json_.at());
    json_.list("an array of numbers", [&] {
      if (tensor.rank == kMostSafetensorsExtents) json_.fail(json_.at(), too_many_extents());
      json_.whole_number();
      ++tensor.rank;
    });
  }

  void offsets(Tensor& tensor) {
    json_.expect('[', "an array of numbers");
    tensor.begin = json_.whole_number();
    json_.expect(',', "',' between two data_offsets");
    tensor.end = json_.whole_number();
    json_.expect(']', "']' after two data_offsets");
  }

  static constexpr unsigned kDtype = 1, kShape = 2, kOffsets = 4;

  SafetensorsHeader& header_;
  JsonCursor json_;
};

SafetensorsHeader::SafetensorsHeader(InputFile& file) : text_(header_text(file)) {
  Parser(*this, file.name()).run();
  const std::uint64_t data_size = *file.size() - data_offset();
  check_names(file.name());
  check_sizes(file.name());
  check_coverage(file.name(), data_size);
}

void SafetensorsHeader::check_names(const std::string& file) const {
  std::vector<std::uint32_t> places;
  places.reserve(tensors_.size());
  for (const Tensor& tensor : tensors_) places.push_back(tensor.name_at);
  if (const auto again = repeated_string(text_, places)) {
    const std::string name = decoded_string(cursor(*again).string(""));
    throw bad_byte(file, 8 + *again,
                   text("safetensors header: expected each tensor once, found ", in_quotes(name), " again"));
  }
}

void SafetensorsHeader::check_sizes(const std::string& file) const {
  std::vector<int> bits_of;
  for (const std::string& dtype : dtypes_) bits_of.push_back(safetensors_bits(dtype));
  Shape extents;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& tensor = tensors_[i];
    const auto fail = [&](const std::string& message) {
      return bad_file(file, text("tensor ", in_quotes(name(i)), ": ", message));
    };
    read_shape(tensor, extents);
    const int bits = bits_of[tensor.dtype];
    const auto count = element_count(extents);
    const auto bytes = count ? packed_bytes(*count, bits) : std::nullopt;
    if (!bytes) throw fail(text("shape ", shape_text(extents), " is too large"));
    if (*count % 8 * static_cast<std::uint64_t>(bits) % 8 != 0) {
      throw fail(
          text("expected elements that fill whole bytes, found ", counted(*count, "element"), " of ", bits, " bits"));
    }
    if (tensor.end < tensor.begin) {
      throw fail(text("expected data_offsets [BEGIN, END], found [", tensor.begin, ", ", tensor.end,
                      "], whose end lies before the begin"));
    }
    if (tensor.end - tensor.begin != *bytes) {
      throw fail(text("expected ", *bytes, " bytes for ", dtypes_[tensor.dtype], " ", shape_text(extents), ", found ",
                      tensor.end - tensor.begin, " in data_offsets [", tensor.begin, ", ", tensor.end, "]"));
    }
  }
}

void SafetensorsHeader::check_coverage(const std::string& file, std::uint64_t data_size) {
  const auto earlier = [](const Tensor& a, const Tensor& b) {
    return std::tie(a.begin, a.end, a.name_at) < std::tie(b.begin, b.end, b.name_at);
  };
  if (!std::is_sorted(tensors_.begin(), tensors_.end(), earlier)) std::sort(tensors_.begin(), tensors_.end(), earlier);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& tensor = tensors_[i];
    if (tensor.begin != at) {
      throw bad_byte(
          file, data_offset() + std::min(at, tensor.begin),
          text("tensor ", in_quotes(name(i)), ": expected data from ", at, " on, found data_offsets [", tensor.begin,
               ", ", tensor.end, "], which ", tensor.begin > at ? "leave a gap" : "overlap another tensor"));
    }
    at = tensor.end;
  }
  if (at > data_size) {
    throw bad_file(file, text("expected ", counted(at, "byte"), " of data, found ", data_size, ": the file ends ",
                              counted(at - data_size, "byte"), " before what its header announces"));
  }
  if (at != data_size) {
    throw bad_byte(
        file, data_offset() + at,
        text("expected the end of the file after the last tensor, found ", counted(data_size - at, "byte"), " more"));
  }
}

void SafetensorsHeader::read_shape(const Tensor& tensor, Shape& shape) const {
  shape.clear();
  JsonCursor json = cursor(tensor.shape_at);
  json.take('[');
  for (int i = 0; i < tensor.rank; ++i, json.take(',')) shape.push_back(json.whole_number());
}

JsonCursor SafetensorsHeader::cursor(std::uint32_t at) const {
  return JsonCursor(std::string_view(text_).substr(at), "", 0, "");
}

std::string_view SafetensorsHeader::name_token(std::size_t index) const {
  return cursor(tensors_[index].name_at).string("");
}

SafetensorsEntry SafetensorsHeader::tensor(std::size_t index) const {
  const Tensor& tensor = tensors_[index];
  SafetensorsEntry entry{name_token(index), dtypes_[tensor.dtype], {}, tensor.begin, tensor.end, 0};
  read_shape(tensor, entry.shape);
  entry.count = *element_count(entry.shape);
  return entry;
}

std::string too_many_extents() { return text("expected at most ", kMostSafetensorsExtents, " extents"); }

int safetensors_bits(std::string_view dtype) { return element_bits("safetensors", dtype).value_or(0); }

namespace {

/// Passes the parts of a header on, one after the other.
void compose(std::string_view metadata, std::size_t size, const std::function<SafetensorsEntry(std::size_t)>& tensor,
             const std::function<void(std::string_view)>& put) {
  put("{");
  if (!metadata.empty()) {
    put(kMetadataToken);
    put(":");
    put(metadata);
  }
  bool first = metadata.empty();
  std::string members;
  for (std::size_t i = 0; i < size; ++i, first = false) {
    const SafetensorsEntry entry = tensor(i);
    if (!first) put(",");
    put(entry.name_token);
    members = ":{\"dtype\":\"" + entry.dtype + "\",\"shape\":[";
    for (const std::uint64_t extent : entry.shape) members += std::to_string(extent) + ',';
    if (members.back() == ',') members.pop_back();
    members += "],\"data_offsets\":[" + std::to_string(entry.begin) + ',' + std::to_string(entry.end) + "]}";
    put(members);
  }
  put("}");
}

}  // namespace

void write_safetensors_header(OutputFile& out, std::string_view metadata, std::size_t size,
                              const std::function<SafetensorsEntry(std::size_t)>& tensor) {
  // Its length comes first: composed once to count the bytes, and once to write them.
  std::uint64_t length = 0;
  compose(metadata, size, tensor, [&](std::string_view part) { length += part.size(); });
  const std::uint64_t spaces = (8 - length % 8) % 8;
  if (length + spaces > kLargestTensorsHeader) {
    throw bad_file(out.name(), text("expected a header of at most ", kLargestTensorsHeader,
                                    " bytes, which is all that a reader takes, found ", length + spaces));
  }
  constexpr std::size_t kBlock = 1 << 16;
  std::string block(8, '\0');
  store_element(block.data(), 0, length + spaces, 64);
  compose(metadata, size, tensor, [&](std::string_view part) {
    if (block.size() + part.size() > kBlock) {
      out.write(block);
      block.clear();
    }
    part.size() > kBlock ? out.write(part) : static_cast<void>(block += part);
  });
  block.append(spaces, ' ');
  out.write(block);
}

}  // namespace castforge::cli
