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

std::vector<std::uint64_t> run_codes(const Subject& subject, std::span<const std::uint64_t> codes) {
  const std::vector<std::uint8_t> src = pack(codes, subject.src_bits());
  std::vector<std::uint8_t> dst(bytes_for(codes.size(), subject.dst_bits()), 0xA5);
  subject.run(src.data(), dst.data(), codes.size(), 0);
  std::vector<std::uint64_t> results(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) results[i] = element(dst.data(), subject.dst_bits(), i);
  return results;
}

void check_values(const Subject& subject, std::span<const std::uint64_t> codes,
                  std::span<const std::uint64_t> expected, Report& report) {
  running(subject.name + " on " + subject.isa);
  const auto compare = [&](std::uint64_t code, std::uint64_t got, std::uint64_t want) {
    if (got == want) return;
    report.fail(hex(code, subject.src->format().bits) + " (" + describe(*subject.src, code) + ") gives " +
                hex(got, subject.dst->format().bits) + " (" + describe(*subject.dst, got) + "), expected " +
                hex(want, subject.dst->format().bits) + " (" + describe(*subject.dst, want) + ")");
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
  const std::vector<std::uint64_t> again = run_codes(subject, scattered);
  for (std::size_t i = 0; i < codes.size(); ++i) compare(scattered[i], again[i], expected[from[i]]);
}

}  // namespace castforge::exhaustive
