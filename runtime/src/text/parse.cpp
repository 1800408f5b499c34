// Text to number. Plain numbers take a short path that handles the ordinary cases of floating and integer
// destinations and declines everything else; what it declines goes through scan() and encode().
#include <array>
#include <bit>
#include <string_view>

#include "src/exact/rounding.hpp"
#include "src/text/digits.hpp"
#include "src/text/element.hpp"
#include "src/text/encode.hpp"
#include "src/text/scan.hpp"
#include "src/text/text.hpp"

namespace castforge::text {
namespace {

/// A text, and what around it may be read.
struct Span {
  const char* begin;
  const char* end;
  const char* readable_begin;
  const char* readable_end;
};

/// (-1)^negative * significand * 10^exponent
struct Plain {
  std::uint64_t significand;
  int exponent;
  bool negative;
  bool integer;  // digits alone
};

constexpr u128 repeat(unsigned char byte) {
  const std::uint64_t word = 0x0101010101010101ull * byte;
  return static_cast<u128>(word) << 64 | word;
}

/// The first sixteen bytes of [p, end), zeros behind the end; p < end.
inline u128 first_sixteen(const char* p, const char* end, const char* readable_end) {
  const auto size = static_cast<std::size_t>(end - p);
  if (readable_end - p >= 16) {
    const u128 text = load_text(p) | static_cast<u128>(load_text(p + 8)) << 64;
    return size >= 16 ? text : text & ((static_cast<u128>(1) << (8 * size)) - 1);
  }
  if (size >= 8) {  // two loads that overlap
    const u128 last = static_cast<u128>(load_text(end - 8)) << 64;
    return load_text(p) | (last >> (8 * (16 - size)) >> 64) << 64;
  }
  std::uint64_t text = 0;
  for (std::size_t i = 0; i < size; ++i) {
    text |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  }
  return text;
}

/// The same for eight bytes; p <= end.
inline std::uint64_t first_eight(const char* p, const char* end, const char* readable_end) {
  const auto size = static_cast<std::size_t>(end - p);
  if (size >= 8) return load_text(p);
  if (readable_end - p >= 8) return load_text(p) & ((1ull << (8 * size)) - 1);
  std::uint64_t text = 0;
  for (std::size_t i = 0; i < size; ++i) {
    text |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  }
  return text;
}

inline int first_marked_byte(u128 marks) {  // 16 when none is
  const auto low = static_cast<std::uint64_t>(marks);
  if (low != 0) return std::countr_zero(low) / 8;
  return 8 + std::countr_zero(static_cast<std::uint64_t>(marks >> 64)) / 8;
}

/// Reads [sign] digits [. digits] [e [sign] digits] with at most 19 mantissa digits; false means "look
/// closer".
inline bool read_plain(const char* p, const char* end, const char* readable_end, Plain& number) {
  if (p == end) return false;
  number.negative = *p == '-';
  p += number.negative;
  if (p == end) return false;

  u128 values = first_sixteen(p, end, readable_end) ^ repeat('0');
  u128 others = (((values & repeat(0x7F)) + repeat(0x76)) | values) & repeat(0x80);  // top bits of bytes above 9
  const int whole_digits = first_marked_byte(others);
  if (whole_digits == 16) return false;
  int digits = whole_digits;
  const bool point = static_cast<unsigned char>(values >> (8 * whole_digits)) == ('.' ^ '0');
  if (point) {
    const u128 before = (static_cast<u128>(1) << (8 * whole_digits)) - 1;
    values = (values & before) | (values >> 8 & ~before);
    others = (others & before) | (others >> 8 & ~before) | static_cast<u128>(0x80) << 120;
    digits = first_marked_byte(others);
  }
  if (digits == 0) return false;
  p += digits + point;
  values <<= 8 * (16 - digits);  // leading zeros instead of what follows the digits
  number.significand = number_of_eight(static_cast<std::uint64_t>(values)) * 100000000 +
                       number_of_eight(static_cast<std::uint64_t>(values >> 64));
  if (digits == 15 && point) {  // there may be more
    const std::uint64_t more = first_eight(p, end, readable_end) ^ kAsciiZeros;
    const std::uint64_t other = first_non_digit(more);
    const int count = std::countr_zero(other | 1ull << 63) / 8;
    if (count > 4) return false;
    if (count > 0) {
      number.significand =
          number.significand * kSmallPowers[static_cast<unsigned>(count)] + number_of_eight(more << (64 - 8 * count));
      digits += count;
      p += count;
    }
  }
  number.exponent = point ? whole_digits - digits : 0;
  number.integer = !point;
  if (p == end) return true;

  if (*p != 'e' && *p != 'E') return false;
  ++p;
  const bool negative = p != end && *p == '-';
  p += p != end && (*p == '-' || *p == '+');
  if (p == end || end - p > 4) return false;
  int exponent = 0;
  for (; p != end; ++p) {
    const auto digit = static_cast<unsigned char>(*p - '0');
    if (digit > 9) return false;
    exponent = exponent * 10 + digit;
  }
  number.exponent += negative ? -exponent : exponent;
  number.integer = false;
  return true;
}

/// kLastBytes[16 + count]: the last `count` bytes of a word in text order; none for 0 and less, all for 8 and more.
constexpr std::array<std::uint64_t, 36> kLastBytes = [] {
  std::array<std::uint64_t, 36> masks{};
  for (int count = 1; count < 20; ++count) {
    masks[static_cast<std::size_t>(16 + count)] = count >= 8 ? ~0ull : ~0ull << (64 - 8 * count);
  }
  return masks;
}();

/// Reads [sign] digits . digits [e sign digit digit [digit]] where the point is among the first eight characters and
/// there are at most 19 digits; false means "look closer". The digits behind the point are taken from the end of the
/// text, which is known before the point is: their loads wait for nothing.
inline bool read_fraction(const Span& text, Plain& number) {
  const char* p = text.begin;
  const char* end = text.end;
  // The first load behind a sign, and the last one before 24 digits and an exponent.
  if (text.readable_end - p < 9 || end - text.readable_begin < 29) return false;
  number.negative = *p == '-';
  p += number.negative;
  const std::uint64_t head = load_text(p) ^ kAsciiZeros;
  const std::uint64_t other = first_non_digit(head);
  if (other == 0) return false;
  const int whole_digits = std::countr_zero(other) / 8;
  const char* const fraction = p + whole_digits + 1;
  if (fraction[-1] != '.' || fraction >= end) return false;

  std::uint64_t bad = 0;
  number.exponent = 0;
  const int exponent_size = end[-4] == 'e' ? 4 : end[-5] == 'e' ? 5 : 0;
  if (exponent_size != 0 && end - exponent_size > fraction) {
    const char sign = end[1 - exponent_size];
    const auto hundreds = static_cast<unsigned char>(exponent_size == 5 ? end[-3] - '0' : 0);
    const auto tens = static_cast<unsigned char>(end[-2] - '0'), ones = static_cast<unsigned char>(end[-1] - '0');
    bad = static_cast<std::uint64_t>((sign != '-' && sign != '+') || hundreds > 9 || tens > 9 || ones > 9);
    const int magnitude = hundreds * 100 + tens * 10 + ones;
    number.exponent = sign == '-' ? -magnitude : magnitude;
    end -= exponent_size;
  }
  const std::ptrdiff_t count = end - fraction;
  if (whole_digits + count > 19) return false;
  const auto digits_at = [&](std::ptrdiff_t before_end) {
    return (load_text(end - before_end) ^ kAsciiZeros) &
           kLastBytes[static_cast<std::size_t>(16 + 8 + count - before_end)];
  };
  const std::uint64_t last = digits_at(8), middle = digits_at(16);
  bad |= first_non_digit(last) | first_non_digit(middle);
  number.significand =
      number_of_eight(head << 1 << (63 - 8 * whole_digits)) * kSmallPowers[static_cast<std::size_t>(count)] +
      number_of_eight(middle) * kSmallPowers[8] + number_of_eight(last);
  if (count > 12) {  // what shortest texts of float32 do not have, and most of float64
    const std::uint64_t first = digits_at(24);
    bad |= first_non_digit(first);
    number.significand += number_of_eight(first) * kSmallPowers[16];
  }
  number.exponent -= static_cast<int>(count);
  number.integer = false;
  return bad == 0;
}

/// A destination with what the short path needs at hand.
class Target {
 public:
  Target(const Format& type, const Rule& rule, BoolWords bool_words)
      : type_(type),
        rule_(rule),
        lowest_(exact::min_exponent(type) + (exact::has_gap(type) ? 1 : 0)),
        field_one_(exact::field_one_binade(type)),
        sign_(exact::sign_mask(type)),
        lacks_sign_(sign_ == 0),
        is_floating_(type.kind == TypeKind::floating),
        bool_words_(type.kind == TypeKind::boolean && bool_words == BoolWords::accepted) {}

  ParseError parse(const Span& text, std::uint64_t& code) const {
    Plain number;
    if (is_floating_ && read_fraction(text, number) && round(number, code)) return ParseError::none;
    return parse_other(text, code);
  }

 private:
  /// Not inlined, as the ordinary case would have to save registers for it.
  [[gnu::noinline]] ParseError parse_other(const Span& text, std::uint64_t& code) const {
    Plain number;
    if (read_plain(text.begin, text.end, text.readable_end, number)) {
      if (type_.kind == TypeKind::floating) {
        return round(number, code) ? ParseError::none : encode(type_, rule_, closer(number), code);
      }
      if (type_.kind == TypeKind::integer && number.integer) {
        if (number.negative && number.significand > 1ull << 63) return ParseError::integer_out_of_range;
        const std::uint64_t wide = number.negative ? ~number.significand + 1 : number.significand;
        code = wide & low_bits(type_.value_bits);
        return ParseError::none;
      }
    }
    return encode(type_, rule_, scan(text.begin, text.end, text.readable_end, bool_words_), code);
  }

  static Scanned closer(const Plain& number) {
    Scanned scanned;
    scanned.form = number.integer ? Scanned::Form::integer : Scanned::Form::decimal;
    scanned.negative = number.negative;
    scanned.significand = number.significand;
    scanned.exponent = number.exponent;
    return scanned;
  }

  /// The ordinary case: a normal number inside the range, not next to a boundary between two roundings unless
  /// the product is exact.
  bool round(const Plain& number, std::uint64_t& code) const {
    // Signs are close to random: no branch depends on one.
    if (number.significand == 0 || (number.negative & lacks_sign_) != 0) return false;
    if (number.exponent < kMinPower || number.exponent > kMaxPower) return false;
    const int normalize = std::countl_zero(number.significand);
    const u128 product = static_cast<u128>(number.significand << normalize) * power_of_ten(number.exponent).hi;
    const auto high = static_cast<std::uint64_t>(product >> 64);
    const int low_top = 1 - static_cast<int>(high >> 63);
    const int binade = floor_log2_pow10(number.exponent) + 64 - normalize - low_top;
    if (binade < lowest_) return false;
    const int drop = 62 - type_.mantissa_bits - low_top;  // leaves halves of an ulp
    const std::uint64_t rest_mask = (1ull << drop) - 1;
    const std::uint64_t rest = high & rest_mask;
    bool sticky = true;
    if (rest == 0 || rest == rest_mask) {
      // Else the power is short by less than one and the product by less than one more in its high word.
      const bool exact = number.exponent >= 0 && number.exponent <= 27;  // 5^27 < 2^64
      if (!exact) return false;
      sticky = rest != 0 || static_cast<std::uint64_t>(product) != 0;
    }
    const std::uint64_t half_ulps = high >> drop;
    const std::uint64_t result = exact::rounded_code(field_one_, type_.mantissa_bits, binade, half_ulps >> 1,
                                                     rule_.carry, number.negative, (half_ulps & 1) != 0, sticky);
    if (result > type_.max_finite) return false;
    code = result | (number.negative ? sign_ : 0);
    return result != 0;  // the sign of zero is not decided here
  }

  const Format& type_;
  const Rule& rule_;
  int lowest_;
  int field_one_;
  std::uint64_t sign_;
  bool lacks_sign_, is_floating_, bool_words_;
};

/// `text(i)` gives text i as a Span.
template <class Text>
ParseResult parse_all(const Format& dst, const Rule& rule, std::size_t count, void* out, BoolWords bool_words,
                      Text text) {
  const Target target(dst, rule, bool_words);
  CodeWriter writer(dst, out);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t code = 0;
    const ParseError error = target.parse(text(i), code);
    if (error != ParseError::none) return {error, i};
    writer.put(code);
  }
  writer.finish();
  return {};
}

}  // namespace

ParseResult parse_many(const Format& dst, const Rule& rule, const std::string_view* texts, std::size_t count, void* out,
                       BoolWords bool_words) {
  return parse_all(dst, rule, count, out, bool_words, [texts](std::size_t i) {
    const char* const end = texts[i].data() + texts[i].size();
    return Span{texts[i].data(), end, texts[i].data(), end};
  });
}

ParseResult parse_many(const Format& dst, const Rule& rule, const char* chars, const std::size_t* offsets,
                       std::size_t count, void* out, BoolWords bool_words) {
  if (count == 0) return {};  // there may be no offsets
  const char* const readable_begin = chars + offsets[0];
  const char* const readable_end = chars + offsets[count];
  return parse_all(dst, rule, count, out, bool_words, [=](std::size_t i) {
    return Span{chars + offsets[i], chars + offsets[i + 1], readable_begin, readable_end};
  });
}

}  // namespace castforge::text
