#include "checks.hpp"
#include "crash.hpp"
#include "elements.hpp"

namespace castforge::exhaustive {

namespace {

std::string describe(const oracle::Codec& codec, std::uint64_t code) {
  const oracle::Value v = codec.decode(code);
  const char* sign = v.negative ? "-" : "";
  if (v.what == oracle::Class::nan) return std::string(sign) + "NaN";
  if (v.what == oracle::Class::infinite) return std::string(sign) + "Inf";
  char text[64];
  std::snprintf(text, sizeof text, "%s%.20Lg", sign, v.magnitude);
  return text;
}

}  // namespace

std::vector<std::uint64_t> run_codes(const Subject& subject, std::span<const std::uint64_t> codes,
                                     std::uint64_t noise) {
  std::vector<std::uint64_t> stored(codes.size());
  const oracle::Format& format = subject.src->format();
  const std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t code_bits = all >> (64 - format.bits) << (format.high ? format.storage - format.bits : 0);
  const std::uint64_t around = noise & all >> (64 - format.storage) & ~code_bits;
  for (std::size_t i = 0; i < codes.size(); ++i) stored[i] = subject.src->stored(codes[i]) ^ around;
  const std::vector<std::uint8_t> src = pack(stored, format);
  std::vector<std::uint8_t> dst(bytes_for(codes.size(), subject.dst_bits()), 0xA5);
  subject.run(src.data(), dst.data(), codes.size(), 0);
  std::vector<std::uint64_t> results(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) results[i] = element(dst.data(), subject.dst->format(), i);
  return results;
}

void check_values(const Subject& subject, std::span<const std::uint64_t> codes, std::span<const std::uint64_t> expected,
                  Report& report) {
  running(subject.name + " on " + subject.isa);
  const oracle::Codec& dst = *subject.dst;
  const auto compare = [&](std::uint64_t code, std::uint64_t got, std::uint64_t want) {
    if (got == dst.stored(want)) return;
    report.fail(hex(code, subject.src->format().bits) + " (" + describe(*subject.src, code) + ") gives " +
                hex(got, subject.dst_bits()) + " (" + describe(dst, dst.code_in(got)) + "), expected " +
                hex(dst.stored(want), subject.dst_bits()) + " (" + describe(dst, want) + ")");
  };
  const std::vector<std::uint64_t> results = run_codes(subject, codes);
  for (std::size_t i = 0; i < codes.size(); ++i) compare(codes[i], results[i], expected[i]);

  // Again with far apart codes side by side: 7919 is prime, so the stride visits every index (or those of
  // one residue class where the number of codes is a multiple of it, which is enough too).
  std::vector<std::uint64_t> scattered(codes.size());
  std::vector<std::size_t> from(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    from[i] = i * 7919 % codes.size();
    scattered[i] = codes[from[i]];
  }
  const std::vector<std::uint64_t> again = run_codes(subject, scattered, 0xA5A5A5A5A5A5A5A5u);
  for (std::size_t i = 0; i < codes.size(); ++i) compare(scattered[i], again[i], expected[from[i]]);
}

}  // namespace castforge::exhaustive
