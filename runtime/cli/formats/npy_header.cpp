#include "cli/formats/npy_header.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>
#include <limits>

namespace castforge::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
// NumPy pads the header so that the axis that grows on appending can be rewritten in place with this many
// digits.
constexpr std::size_t kGrowthDigits = 21;
// A header holds a type, a flag and a shape; NumPy itself refuses more than 10,000 bytes unless told
// otherwise.
constexpr std::uint32_t kLargestNpyHeader = 1 << 16;
constexpr std::size_t kHighestNpyRank = 64;  // NumPy 2; its earlier versions have 32

/// Reads the dictionary literal. Only what NumPy writes is accepted: three keys, each once.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view file, std::string_view header, std::uint64_t offset)
      : file_(file), text_(header), offset_(offset) {}

  void parse(NpyHeader& out) {
    expect('{');
    bool seen[3] = {};
    while (!accept('}')) {
      const std::size_t start = after_space();
      const std::string key = string_literal();
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0) {
        fail(start, text("expected the key 'descr', 'fortran_order' or 'shape', found ", in_quotes(key)));
      }
      if (seen[which]) fail(start, text("expected each key once, found ", in_quotes(key), " again"));
      seen[which] = true;
      expect(':');
      if (which == 0) {
        out.descr_offset = offset_ + after_space();
        out.descr = descr();
      } else if (which == 1) {
        out.fortran_order = truth_value();
      } else {
        out.shape = shape();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    static constexpr const char* kKeys[] = {"descr", "fortran_order", "shape"};
    for (int i = 0; i < 3; ++i) {
      if (!seen[i]) fail(at_, text("expected the key '", kKeys[i], "', found the end of the dictionary"));
    }
    if (after_space() != text_.size()) fail(at_, text("expected the end of the header, found ", here()));
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    throw bad_byte(file_, offset_ + at, "npy header: " + message);
  }

  std::size_t after_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_;
  }

  std::string here() const {
    return at_ < text_.size() ? in_quotes(text_.substr(at_, 12)) : std::string("the end of the header");
  }

  bool accept(char c) {
    if (after_space() == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(at_, text("expected '", c, "', found ", here()));
  }

  std::string string_literal() {
    after_space();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
      fail(at_, text("expected a string in quotes, found ", here()));
    }
    const char quote = text_[at_];
    const std::size_t start = at_ + 1;
    const std::size_t end = text_.find(quote, start);
    if (end == std::string_view::npos) fail(at_, "expected a closing quote, found the end of the header");
    at_ = end + 1;
    const std::string_view inside = text_.substr(start, end - start);
    if (inside.find('\\') != std::string_view::npos) {
      fail(start, text("expected a string without escapes, found ", in_quotes(inside)));
    }
    return std::string(inside);
  }

  /// A string, or the list of a record type as it stands.
  std::string descr() {
    const std::size_t start = after_space();
    if (!accept('[')) return string_literal();
    for (int depth = 1; depth != 0;) {
      const char c = after_space() < text_.size() ? text_[at_] : '\0';
      if (c == '\'' || c == '"') {
        string_literal();
        continue;
      }
      if (at_ == text_.size()) fail(at_, "expected the end of a record type, found the end of the header");
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  bool truth_value() {
    after_space();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail(at_, text("expected True or False, found ", here()));
  }

  std::uint64_t extent() {
    after_space();
    const std::size_t start = at_;
    std::uint64_t value = 0;
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (kMost - digit) / 10) fail(start, "expected an extent below 2^63, found a larger number");
      value = value * 10 + digit;
      ++at_;
    }
    if (at_ == start) fail(at_, text("expected a non-negative extent, found ", here()));
    // Python 2 wrote long integers with a suffix.
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  Shape shape() {
    expect('(');
    Shape result;
    while (!accept(')')) {
      if (result.size() == kHighestNpyRank) {
        fail(at_, text("expected at most ", kHighestNpyRank, " extents, found more"));
      }
      result.push_back(extent());
      if (accept(',')) continue;
      if (result.size() == 1) fail(at_, text("expected ',' after the only extent, found ", here()));
      expect(')');
      break;
    }
    return result;
  }

  std::string_view file_, text_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<NpyDescr> parse_npy_descr(std::string_view descr) {
  NpyDescr result;
  if (!descr.empty() && std::string_view("<>=|").find(descr.front()) != std::string_view::npos) {
    result.order = descr.front();
    descr.remove_prefix(1);
  }
  if (descr.size() < 2 || descr.size() > 9) return std::nullopt;
  result.kind = descr.front();
  for (const char c : descr.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    result.size = result.size * 10 + static_cast<unsigned>(c - '0');
  }
  return result;
}

NpyHeader read_npy_header(InputFile& file) {
  file.spool(kMagic);
  const std::uint64_t size = file.size_for("npy");
  unsigned char start[12];
  const std::size_t got = file.read_at(0, start, sizeof start);
  const std::string_view magic(reinterpret_cast<const char*>(start), std::min(got, kMagic.size()));
  if (magic != kMagic) {
    throw bad_byte(file.name(), 0,
                   text("expected the npy signature ", in_quotes(kMagic), ", found ", in_quotes(magic)));
  }
  if (got < 8) throw bad_byte(file.name(), 6, "expected the npy version, found the end of the file");
  const unsigned major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0) {
    throw bad_byte(file.name(), 6, text("expected npy version 1.0, 2.0 or 3.0, found ", major, ".", minor));
  }
  const int length_bits = major == 1 ? 16 : 32;
  const std::uint64_t header_offset = major == 1 ? 10 : 12;
  if (got < header_offset) {
    throw bad_byte(file.name(), 8, "expected the header length, found the end of the file");
  }
  const std::size_t length = load_element(start + 8, 0, length_bits);
  const std::uint64_t most = std::min<std::uint64_t>(kLargestNpyHeader, size - header_offset);
  if (length > most) {
    throw bad_byte(file.name(), 8, text("expected a header of at most ", most, " bytes, found length ", length));
  }
  std::string header(length, '\0');
  file.read_exactly(header_offset, header.data(), length, "npy header");

  NpyHeader result;
  result.data_offset = header_offset + length;
  DictionaryParser(file.name(), header, header_offset).parse(result);
  return result;
}

std::string npy_header_bytes(std::string_view descr, bool fortran_order, const Shape& shape) {
  if (shape.size() > kHighestNpyRank) {
    throw Failure(ExitCode::bad_data,
                  text("npy arrays have at most ", kHighestNpyRank, " extents, found ", shape.size()));
  }
  std::string extents;
  for (const std::uint64_t extent : shape) extents += text(extent, ", ");
  if (shape.size() == 1) extents.pop_back();                 // "(3,)"
  if (shape.size() > 1) extents.resize(extents.size() - 2);  // "(3, 5)"
  std::string header = text("{'descr': '", descr, "', 'fortran_order': ", fortran_order ? "True" : "False",
                            ", 'shape': (", extents, "), }");
  if (!shape.empty()) {
    const std::size_t digits = std::to_string(fortran_order ? shape.back() : shape.front()).size();
    header.append(kGrowthDigits - std::min(digits, kGrowthDigits), ' ');
  }

  // The length counts what follows it; with at most kHighestNpyRank extents it fits the 16 bits of
  // version 1.0.
  const std::size_t fixed = kMagic.size() + 4 + header.size() + 1;
  const std::size_t length = header.size() + 1 + (kAlignment - fixed % kAlignment);
  std::string out(kMagic);
  for (const std::size_t byte : {std::size_t{1}, std::size_t{0}, length & 0xFF, length >> 8}) {
    out += static_cast<char>(byte);
  }
  out += header;
  out.append(length - header.size() - 1, ' ');
  return out + '\n';
}

}  // namespace castforge::cli
