#include "cli/commands/file_report.hpp"

#include "cli/formats/npz.hpp"
#include "cli/inspect/tensor_scan.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/kept_text.hpp"
#include "cli/io/unicode.hpp"
#include "cli/terminal/colours.hpp"
#include "src/exact/format.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <deque>
#include <iostream>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

namespace castforge::cli {
namespace {

using Json = nlohmann::ordered_json;
using terminal::Colour;

constexpr int kMostRows = 24, kBarWidth = 40;
constexpr std::size_t kLongestName = 60;

/// The numbers on which a cast was tried: those of which what it does to them are shares.
struct Tried {
  std::uint64_t finite = 0, nonzero = 0, in_range = 0;

  Tried() = default;
  explicit Tried(const TensorScan& scan)
      : finite(scan.elements - scan.nan - scan.infinite),
        nonzero(finite - scan.zeros),
        in_range(finite - scan.cast.out_of_range()) {}

  void add(const Tried& other) {
    finite += other.finite;
    nonzero += other.nonzero;
    in_range += other.in_range;
  }
};

struct Examined {
  const ListedTensor& tensor;
  Shape shape;
  std::uint64_t elements = 0;
  bool scanned = false, cast = false;
  TensorScan scan;
};

/// "3.25", "6.1e-05"
std::string short_number(double value) {
  char out[32];
  std::snprintf(out, sizeof out, "%.4g", value);
  return out;
}

/// How many columns of a terminal a printable text takes: one for each code point, though some scripts take two.
std::size_t columns_of(std::string_view printed) { return count_code_points(printed).value_or(printed.size()); }

/// The end of a long name.
std::string short_name(std::string_view name) {
  constexpr std::size_t kEnd = kLongestName - 3, kOfCodePoint = 3;
  const bool cut = name.size() > kLongestName;
  // What is printed is no shorter than what it says, and the first bytes may be within a character.
  std::string printed = printable(cut ? name.substr(name.size() - kEnd - kOfCodePoint) : name);
  if (cut || printed.size() > kLongestName) {
    std::size_t begin = printed.size() - kEnd;
    while (begin < printed.size() && (static_cast<unsigned char>(printed[begin]) & 0xC0) == 0x80) ++begin;
    return "..." + printed.substr(begin);
  }
  return printed.empty() ? "-" : printed;
}

/// "12.5 %"; what is not 0, or not all, does not look like it.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (part == 0) return "0 %";
  const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
  char out[32];
  if (share < 0.01) return "<0.01 %";
  if (share >= 99.95 && part != whole) return ">99.9 %";
  std::snprintf(out, sizeof out, share < 1 ? "%.2f %%" : "%.1f %%", share);
  return out;
}

Json exponents_json(const ExponentCounts& exponents) {
  Json list = Json::array();
  if (const auto range = exponents.range()) {
    for (int e = range->least; e <= range->most; ++e) {
      if (exponents.of(e) != 0) list.push_back({e, exponents.of(e)});
    }
  }
  return list;
}

/// Whether what is cast of a file are its floating tensors, or those named; of others it is all that there is.
bool casts_some(FileFormat format) { return format == FileFormat::safetensors || format == FileFormat::onnx; }

/// Whether numbers can be out of the type's range, or be rounded: as bool all but zero are true.
bool has_range(Type type) { return type_info(type).kind != TypeKind::boolean; }

Json scan_json(const TensorScan& scan, const std::optional<Tried>& tried, std::optional<Type> to) {
  Json out = {{"amax", scan.largest}, {"smallest", scan.smallest}, {"zeros", scan.zeros},
              {"nan", scan.nan},      {"infinite", scan.infinite}, {"exponents", exponents_json(scan.exponents)}};
  if (tried && !has_range(*to)) {
    out["cast"] = {{"finite", tried->finite}, {"nonzero", tried->nonzero}, {"flushed", scan.cast.underflowed}};
  } else if (tried) {
    out["cast"] = {{"finite", tried->finite},          {"saturated", scan.cast.saturated},
                   {"nonfinite", scan.cast.nonfinite}, {"nonzero", tried->nonzero},
                   {"flushed", scan.cast.underflowed}, {"in_range", tried->in_range},
                   {"inexact", scan.cast.inexact},     {"largest_error_ulp", scan.cast.largest_error}};
  }
  return out;
}

/// Binades that the numbers of a floating type cover: from its smallest to its largest one.
struct Binades {
  int least, most;
};
std::optional<Binades> binades_of(Type type) {
  const TypeInfo info = type_info(type);
  if (info.kind != TypeKind::floating) return std::nullopt;
  const int most = static_cast<int>(info.max_finite >> info.mantissa_bits) - info.exponent_bias;
  return Binades{exact::min_exponent(info) - (info.subnormals ? info.mantissa_bits : 0), most};
}

class Report {
 public:
  explicit Report(const FileReport& wanted) : wanted_(wanted), paint_(STDOUT_FILENO) {}

  void run() {
    InputFile file(wanted_.path);
    const TensorListing& listing = wanted_.listing;
    if (listing.format == FileFormat::npz) left_out_ = Npz(file).left_out();
    const std::optional<Failure> damage =
        for_each_tensor(file, listing, [&](const ListedTensor& tensor) { examine(file, tensor); });
    if (damage && tensors_ == 0) throw Failure(*damage);
    wanted_.json ? print_json(file, damage) : print_text(file);
    if (damage) throw Failure(*damage);
  }

 private:
  /// The cast to try on elements of a type: on those that `castforge cast` and `castforge convert` cast.
  const TriedCast* cast_for(Type type) {
    if (!wanted_.to) return nullptr;
    if (type_info(type).kind != TypeKind::floating && casts_some(wanted_.listing.format) &&
        wanted_.listing.tensors.empty()) {
      return nullptr;
    }
    for (const TriedCast& known : casts_) {
      if (known.kernel.src() == type) return &known;
    }
    return &casts_.emplace_back(wanted_.kernels.find(type, *wanted_.to));
  }

  void examine(InputFile& file, const ListedTensor& tensor) {
    Examined one{tensor, tensor.shape, tensor.count.value_or(0), false, false, {}};
    if (tensor.source != nullptr && !is_string(tensor.source->info().type)) {
      const Type type = tensor.source->info().type;
      const TriedCast* const cast = cast_for(type);
      Progress progress(packed_bytes(tensor.count.value_or(0), type_info(type).storage_bits).value_or(0));
      const std::unique_ptr<ElementReader> elements = tensor.source->elements();
      one.scan = scan(*elements, type, cast, tensor.count, wanted_.threads, progress);
      one.scanned = true;
      one.cast = cast != nullptr;
      total_.add(one.scan);
      if (one.cast) {
        tried_.add(Tried(one.scan));
        ++tensors_tried_;
      }
      if (!tensor.count) {
        one.elements = one.scan.elements;
        one.shape = {one.scan.elements};
      }
    } else if (tensor.source == nullptr) {
      // Of numpy's bytes somebody may know the type; what other formats call by name is no type of the library.
      of_no_type_ += tensor.type.starts_with("|V") || tensor.type.starts_with("<V") ? 1U : 0U;
    } else if (!tensor.count) {
      throw usage_error(text(file.name(), ": strings of a stream are not counted"));
    }
    if (wanted_.listing.format == FileFormat::npz && !names_.emplace(tensor.name).second) repeated_ = tensor.name;
    // What is said of each of many tensors is more than the file's header.
    wanted_.json ? keep_json(json_of(one)) : keep_row(row_of(one));
    ++tensors_;
  }

  /// Without its begin and end, as it will stand in the list.
  void keep_json(const Json& one) {
    std::string lines = json_text(one, 2);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != lines.npos;) lines.insert(++at, 4, ' ');
    kept_.write(tensors_ == 0 ? "\n    " : ",\n    ");
    kept_.write(lines);
  }

  void keep_row(const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths_[i] = std::max(widths_[i], columns_of(row[i]));
      if (i != 0) kept_.write("\t");
      kept_.write(row[i]);
    }
    kept_.write("\n");
  }

  Json json_of(const Examined& one) const {
    Json out = {{"name", one.tensor.name},
                {"type", one.tensor.type},
                {"shape", one.shape},
                {"fortran_order", one.tensor.fortran_order},
                {"elements", one.elements}};
    if (one.scanned)
      out.update(scan_json(one.scan, one.cast ? std::optional(Tried(one.scan)) : std::nullopt, wanted_.to));
    return out;
  }

  std::vector<std::string> row_of(const Examined& one) const {
    std::vector<std::string> row = {short_name(one.tensor.name), short_name(one.tensor.type),
                                    shape_text(one.shape) + (one.tensor.fortran_order ? " Fortran" : ""),
                                    std::to_string(one.elements)};
    if (!one.scanned) return row;
    row.insert(row.end(), {short_number(one.scan.largest), std::to_string(one.scan.nan),
                           std::to_string(one.scan.infinite), percent(one.scan.zeros, one.scan.elements)});
    if (!one.cast) return row;
    const CastStatistics& cast = one.scan.cast;
    const Tried tried(one.scan);
    const std::string flushed = percent(cast.underflowed, tried.nonzero);
    if (!has_range(*wanted_.to)) row.push_back(flushed);
    else
      row.insert(row.end(),
                 {percent(cast.out_of_range(), tried.finite), flushed, percent(cast.inexact, tried.in_range)});
    return row;
  }

  void print_json(const InputFile& file, const std::optional<Failure>& damage) {
    Json out = {{"file", file.name()}, {"format", name(wanted_.listing.format)}};
    if (wanted_.to)
      out["to"] = {{"type", castforge::name(*wanted_.to)},
                   {"opset", wanted_.kernels.set(*wanted_.to, *wanted_.to).name()}};
    if (left_out_ != 0) out["members_left_out"] = left_out_;
    if (damage) out["damaged"] = damage->what();
    Json all = {{"elements", total_.elements}};
    all.update(scan_json(total_, wanted_.to ? std::optional(tried_) : std::nullopt, wanted_.to));
    // One object, of which the list is kept as text.
    const std::string before = json_text(out, 2), after = json_text({{"all", all}}, 2);
    std::cout << std::string_view(before).substr(0, before.size() - 2) << ",\n  \"tensors\": [";
    kept_.read([](std::string_view part) { std::cout << part; });
    std::cout << (tensors_ == 0 ? "]," : "\n  ],") << std::string_view(after).substr(1) << '\n';
  }

  void print_text(const InputFile& file) {
    std::cout << file.name() << ": " << name(wanted_.listing.format) << ", " << counted(tensors_, "tensor");
    if (!repeated_.empty()) std::cout << ", several of the name " << in_quotes(repeated_);
    if (left_out_ != 0) std::cout << ", " << counted(left_out_, "member") << " of other names than *.npy left out";
    if (wanted_.to && tensors_tried_ == 0) {
      std::cout << "; none of those on which a cast to " << castforge::name(*wanted_.to) << " is tried";
      if (of_no_type_ != 0 && !wanted_.listing.from) std::cout << " (--from says which type elements without one have)";
    } else if (wanted_.to) {
      std::cout << "; cast to " << castforge::name(*wanted_.to) << " by "
                << wanted_.kernels.set(*wanted_.to, *wanted_.to).name() << " tried";
    }
    std::cout << "\n\n";
    print_table();
    print_histogram();
    if (tried_.finite != 0) {
      const CastStatistics& cast = total_.cast;
      const std::string flushed = percent(cast.underflowed, tried_.nonzero);
      std::cout << "\nA cast to " << castforge::name(*wanted_.to) << ": ";
      if (!has_range(*wanted_.to)) {
        std::cout << flushed << " of the finite numbers other than zero flushed to zero.\n";
        return;
      }
      std::cout << percent(cast.out_of_range(), tried_.finite) << " of the finite numbers out of its range, " << flushed
                << " of those other than zero flushed to zero, " << percent(cast.inexact, tried_.in_range)
                << " of those in its range rounded, by at most " << short_number(cast.largest_error) << " ulp.\n";
    }
  }

  void print_table() {
    std::vector<std::string_view> head = {"tensor", "type", "shape", "elements", "amax", "NaN", "Inf", "zero"};
    if (tensors_tried_ != 0 && has_range(*wanted_.to)) head.insert(head.end(), {"saturate", "flush", "inexact"});
    else if (tensors_tried_ != 0) head.push_back("flush");
    for (std::size_t i = 0; i < head.size(); ++i) widths_[i] = std::max(widths_[i], head[i].size());
    const auto line = [&](const std::vector<std::string_view>& row) {
      std::string out;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t spaces = widths_[i] - columns_of(row[i]);
        if (i != 0) out += "  ";
        if (i >= 3) out.append(spaces, ' ');
        out += row[i];
        if (i < 3) out.append(spaces, ' ');
      }
      return out;
    };
    std::cout << paint_(Colour::bold, line(head)) << '\n';
    std::vector<std::string_view> row;
    kept_.read_lines([&](std::string_view kept) {
      row.clear();
      for (std::size_t end = 0; end != kept.npos; kept.remove_prefix(end == kept.npos ? 0 : end + 1)) {
        end = kept.find('\t');
        row.push_back(kept.substr(0, end));
      }
      const bool damaged = row.size() > 6 && (row[5] != "0" || row[6] != "0");
      std::cout << (damaged ? paint_(Colour::yellow, line(row)) : line(row)) << '\n';
    });
  }

  /// What becomes of numbers with these exponents. "flushes" only where as many numbers were flushed as are too small
  /// in the whole file: some rules and types make something else of them.
  std::string fate(int least, int most) const {
    const auto binades = tensors_tried_ != 0 ? binades_of(*wanted_.to) : std::nullopt;
    if (!binades) return "";
    if (least > binades->most) return "out of range";
    if (most >= binades->least - 1) return "";
    std::uint64_t too_small = 0;
    for (int e = total_.exponents.range()->least; e < binades->least - 1; ++e) too_small += total_.exponents.of(e);
    return total_.cast.underflowed >= too_small ? "flushes" : "";
  }

  void print_histogram() const {
    const auto range = total_.exponents.range();
    if (!range) return;
    int step = 1;
    while (range->most / step - range->least / step + 2 > kMostRows) step *= 2;
    struct Row {
      int least, most;
      std::uint64_t count;
    };
    std::vector<Row> rows;
    // Rows begin at multiples of the step.
    const auto below = [step](int e) { return static_cast<int>(std::floor(static_cast<double>(e) / step)) * step; };
    std::uint64_t highest = 0;
    for (int least = below(range->most); least >= below(range->least); least -= step) {
      Row row{least, least + step - 1, 0};
      for (int e = least; e <= row.most; ++e) row.count += total_.exponents.of(e);
      highest = std::max(highest, row.count);
      rows.push_back(row);
    }
    std::cout << "\n" << paint_(Colour::bold, "exponents of all numbers, floor(log2 |x|)") << "\n";
    for (const Row& row : rows) {
      const std::string label = row.least == row.most ? text("2^", row.least) : text("2^", row.least, "..2^", row.most);
      const double share = static_cast<double>(row.count) / static_cast<double>(highest);
      int length = static_cast<int>(std::lround(share * kBarWidth));
      if (row.count != 0) length = std::max(length, 1);
      const std::string fate_of_row = fate(row.least, row.most);
      const std::string bar(static_cast<std::size_t>(length), '#');
      const std::string space(static_cast<std::size_t>(kBarWidth - length), ' ');
      char start[40], end[40];
      std::snprintf(start, sizeof start, "%16s  ", label.c_str());
      std::snprintf(end, sizeof end, "  %9s", percent(row.count, total_.elements).c_str());
      std::cout << start << paint_(fate_of_row.empty() ? Colour::blue : Colour::red, bar) << space << end
                << (fate_of_row.empty() || row.count == 0 ? "" : "  " + fate_of_row) << '\n';
    }
  }

  const FileReport& wanted_;
  terminal::Painter paint_;
  std::deque<TriedCast> casts_;
  KeptText kept_{"the report"};           // of each tensor
  std::array<std::size_t, 11> widths_{};  // of the columns
  std::size_t tensors_ = 0, tensors_tried_ = 0, of_no_type_ = 0, left_out_ = 0;
  std::set<std::string> names_;  // of an archive, which alone may have several of one
  std::string repeated_;
  TensorScan total_;
  Tried tried_;
};

}  // namespace

void report_file(const FileReport& report) {
  if (report.listing.format == FileFormat::raw && !report.listing.from) {
    throw usage_error("raw input says nothing of its type: give it with --from");
  }
  Report(report).run();
}

}  // namespace castforge::cli
