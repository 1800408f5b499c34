#include <algorithm>
#include <castforge/interface.hpp>
#include <castforge/load.hpp>
#include <castforge/loadable.hpp>
#include <cstdio>

#include "src/cpu.hpp"
#include "src/isa_table.hpp"
#include "src/loaded/file_problem.hpp"
#include "src/nearest.hpp"
#include "src/opset_tables.hpp"
#include "src/range_rules.hpp"
#include "src/refusal.hpp"
#include "src/status_lists.hpp"
#include "src/status_parts.hpp"
#include "src/type_rows.hpp"

namespace castforge {
namespace {

/// What the caller wrote, without its quotes.
std::string_view bare(std::string_view given) noexcept {
  const bool quoted = given.size() >= 2 && given.front() == '"' && given.back() == '"';
  return quoted ? given.substr(1, given.size() - 2) : given;
}

/// Between a complaint and what else it says: ": did you mean float8e4m3fn? ", or only a mark where no name is near.
void ask(Writer& out, std::string_view name, std::string_view mark = "; ") noexcept {
  if (name.empty()) {
    out << mark;
  } else {
    out << ": did you mean " << name << "? ";
  }
}

/// "1 element", "2 elements"
Writer& elements(Writer& out, std::uint64_t count) noexcept {
  return out << count << (count == 1 ? " element" : " elements");
}

bool is_built(std::string_view quoted) noexcept {
  std::size_t count = 0;
  const Isa* table = isa_table(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (quoted.size() == table[i].name.size() + 2 && quoted.substr(1, table[i].name.size()) == table[i].name)
      return true;
  }
  return false;
}

/// Whether it is one that libraries for other machines have.
bool is_made_elsewhere(std::string_view name) noexcept {
  return std::ranges::any_of(cpu::kIsas, [name](const cpu::RankedIsa& isa) { return isa.name == name; });
}

std::string_view part_of_range(Role role) noexcept {
  return role == Role::start ? "start" : role == Role::stop ? "stop" : role == Role::step ? "step" : "result";
}

void write_range(Writer& out, const StatusParts& p) noexcept {
  const std::string_view part = part_of_range(static_cast<Role>(p.role));
  if (p.opset != nullptr) out << p.opset->name << ": ";
  switch (p.code) {
    case StatusCode::bad_type:
      out << "the " << part << " is " << type_name(p.src);
      if (p.first == 0) {
        out << "; it admits numbers of type ";
        list_number_types(out, *p.opset);
      } else {
        out << ", the start " << type_name(p.dst) << "; start, stop, step and result must be of one type";
      }
      return;
    case StatusCode::not_scalar:
      out << "the " << part << " has rank " << p.first << "; it must be a scalar, of rank 0";
      return;
    case StatusCode::non_finite:
      out << "the " << part << " is infinite or NaN; start, stop and step must be finite";
      return;
    case StatusCode::input_range:
      out << "the " << part << (p.first == 0 ? "" : ", as a float64,")
          << " is outside [-2^63, 2^64), where the inputs of an integer range must lie";
      return;
    case StatusCode::step_zero:
      out << "the step is 0" << (p.first == 0 ? "" : " once it is truncated to an integer")
          << "; it must be positive or negative";
      return;
    case StatusCode::count_limit:
      if (p.first == 0) {
        out << "the number of elements, computed in float64, is not finite";
      } else if (p.first == UINT64_MAX) {
        out << "the range has at least 2^64 - 1 elements";
      } else {
        elements(out << "the range has ", p.first);
      }
      out << "; the op-set admits up to " << p.second;
      return;
    case StatusCode::beyond_end:
      elements(out << "the range has ", p.second) << "; more were asked for from element " << p.first << " on";
      return;
    case StatusCode::unsupported_option: {
      const std::string_view given = p.given;
      if (p.attribute == range_option_count()) {
        out << "its option " << given << " is none that a range has";
        return;
      }
      out << "its option \"" << range_option_name(p.attribute) << "\" is ";
      out << (given.empty() ? "missing" : given) << "; expected ";
      list_range_option_words(out, p.attribute);
      return;
    }
    default: return;
  }
}

std::string_view side(Role role) noexcept {
  if (role >= Role::start && role <= Role::result) return part_of_range(role);
  return role == Role::destination ? "destination" : "source";
}

std::string_view plural(std::uint64_t count) noexcept { return count == 1 ? "" : "s"; }

void write_isa(Writer& out, const StatusParts& p, Role role) noexcept {
  if (role == Role::forced) out << "CASTFORGE_FORCE_ISA: ";
  const std::string_view given = p.given;
  if (is_built(given)) {
    out << "this machine cannot run the instruction set " << given << "; ";
  } else if (is_made_elsewhere(bare(given))) {
    out << "this library was built without the instruction set " << given << "; ";
  } else {
    std::size_t count = 0;
    const Isa* table = isa_table(count);
    Nearest nearest(bare(given));
    for (std::size_t i = 0; i < count; ++i) nearest.consider(table[i].name);
    out << "unknown instruction set " << given;
    ask(out, nearest.name());
  }
  out << "usable here: ";
  list_usable_isas(out);
}

void write_refusal(Writer& out, const StatusParts& p) noexcept {
  const std::string_view given = p.given;
  out << "these kernels cannot be added: ";
  switch (static_cast<Refusal>(p.role)) {
    case Refusal::layout: out << "they were compiled with headers of another castforge than " << version(); return;
    case Refusal::version: out << "they were built for castforge " << given << ", this is " << version(); return;
    case Refusal::manifest:
      out << "they were generated beside a library with manifest " << given << ", this one has " << manifest_hash();
      return;
    case Refusal::instruction_set:
      out << "they lack the instruction set " << given << ", which this library was built for";
      return;
    case Refusal::type:
      out << "type " << given << " with id " << std::uint64_t{p.src} << " contradicts a known type";
      if (const tables::TypeRow* const row = find_type_row(static_cast<Type>(p.src))) {
        out << ": " << row->name << " has this id";
      } else {
        out << " of that name with another id";
      }
      return;
    case Refusal::alias: out << "the name " << given << " already has another meaning"; return;
    case Refusal::kernel: out << "a kernel named " << given << " is known with another meaning"; return;
    case Refusal::missing_kernel: out << "they need the kernel " << given << ", which this library lacks"; return;
    case Refusal::attributes: out << p.opset->name << " is known with other attributes"; return;
    case Refusal::options:
      out << p.opset->name << " is known with other options, another notation or another reach of its version";
      return;
    case Refusal::cell:
      out << p.opset->name << " already converts " << type_name(p.src) << " -> " << type_name(p.dst)
          << " by another rule";
      return;
    case Refusal::default_opset:
      out << "with " << given << " there would be two defaults where no op-set is named";
      return;
    case Refusal::too_many:
      out << "there would be more than " << std::uint64_t{kMostEntries} << " kernels, or rules of texts";
      return;
    case Refusal::too_many_types:
      out << "with " << given << " there would be more than " << std::uint64_t{kMostLoadedTypes} << " loaded types";
      return;
    case Refusal::too_many_opsets:
      out << "with " << given << " there would be more than " << std::uint64_t{kMostLoadedOpSets} << " loaded op-sets";
      return;
    case Refusal::memory: out << "no memory is left"; return;
  }
}

void write_hex(Writer& out, std::uint64_t value) noexcept {
  char digits[20];
  std::snprintf(digits, sizeof digits, "0x%llX", static_cast<unsigned long long>(value));
  out << digits;
}

void write_file_problem(Writer& out, const StatusParts& p) noexcept {
  const std::string_view given = p.given;
  const auto problem = static_cast<FileProblem>(p.role);
  if (problem == FileProblem::unreadable) {
    out << "the file cannot be read: " << given;
    return;
  }
  if (problem == FileProblem::no_cft) {
    out << "this is no .cft file; `castforge-gen tables` writes them";
    return;
  }
  if (problem == FileProblem::memory) {
    out << "no memory is left";
    return;
  }
  out << "byte " << p.first << ": ";
  switch (problem) {
    case FileProblem::version:
      out << "the file has version " << p.second << ", expected " << std::uint64_t{loadable::kVersion}
          << "; another castforge wrote it";
      return;
    case FileProblem::byte_order: out << "the mark of the byte order is not that of this version"; return;
    case FileProblem::size: out << "the file ends here, but by its header it has " << p.second << " bytes"; return;
    case FileProblem::check: out << "the file was altered or damaged: its check does not fit its content"; return;
    case FileProblem::truncated: out << "the content ends in the middle of " << given; return;
    case FileProblem::trailing: out << "there are bytes behind " << given; return;
    case FileProblem::number: out << given << ": a number is out of range, or contradicts another one"; return;
    case FileProblem::text: out << given << " has characters that it cannot have, or none"; return;
    case FileProblem::order: out << given << ": the order is not strictly ascending"; return;
    case FileProblem::no_result:
      out << given << ": the rule states no result for the source code ";
      write_hex(out, p.second);
      return;
    case FileProblem::wrong:
      out << given << ": the table contradicts the rule at the source code ";
      write_hex(out, p.second);
      return;
    case FileProblem::known_type: out << "the type " << given << " is not that of this library"; return;
    case FileProblem::unknown_kernel:
      out << "this library lacks the kernel " << given << " or has another of that name";
      return;
    default: return;
  }
}

void write(Writer& out, const StatusParts& p) noexcept {
  char digits[24];
  const Role role = static_cast<Role>(p.role);
  const std::string_view given = p.given;
  switch (p.code) {
    case StatusCode::ok: out << "ok"; return;
    case StatusCode::no_kernel: out << "no conversion was looked up"; return;
    case StatusCode::unknown_opset:
      if (p.opset == nullptr && p.second == kNoOpSet) {
        out << "the OpSet given is none, as one is before find_opset() or opset() gives it";
      } else if (p.opset == nullptr && p.second == kNoNotation) {
        out << "no conversion is given in the notation of a system";
      } else if (p.opset == nullptr && bare(given).empty()) {
        out << "no op-set is given, and none is the default; `castforge list opsets` shows all";
      } else if (p.opset == nullptr && p.second == kNoCastLike) {
        out << "no op-set converts to the type of another tensor by the rules of " << given;
      } else if (p.opset == nullptr) {
        out << "unknown op-set " << given;
        ask(out, nearest_opset(bare(given)));
        out << "`castforge list opsets` shows all";
      } else if (p.second != 0) {
        out << given << " is above the newest version known, " << p.opset->name;
        Writer number(digits, sizeof digits);
        number << p.opset->valid_through;
        const bool own = std::string_view(digits) == p.opset->version;
        if (!own) out << ", which holds through version " << p.opset->valid_through;
      } else {
        out << "no such version of " << p.opset->family << ": " << given << "; its versions: ";
        list_versions(out, p.opset->family);
      }
      return;
    case StatusCode::unknown_type:
      out << "unknown type " << given;
      ask(out, nearest_type(bare(given)));
      out << "`castforge list types` shows all";
      return;
    case StatusCode::type_not_admitted:
      out << p.opset->name << " does not admit " << type_name(p.src) << "; it admits ";
      list_types(out, *p.opset);
      list_others_with(out, *p.opset, static_cast<Type>(p.src));
      return;
    case StatusCode::pair_not_admitted:
      out << p.opset->name << " does not admit " << type_name(p.src) << " -> " << type_name(p.dst) << "; from "
          << type_name(p.src) << " it admits ";
      list_partners(out, *p.opset, p.src, true);
      out << "; to " << type_name(p.dst) << " it admits ";
      list_partners(out, *p.opset, p.dst, false);
      return;
    case StatusCode::unknown_attribute:
      out << p.opset->name << " has no attribute " << given;
      ask(out, nearest_attribute(*p.opset, bare(given)));
      out << "it has ";
      list_attributes(out, *p.opset);
      return;
    case StatusCode::bad_attribute:
      out << p.opset->name << ": " << p.opset->attributes[p.attribute].name << " " << given;
      ask(out, nearest_value(p.opset->attributes[p.attribute], bare(given)), ": ");
      out << "expected ";
      list_values(out, p.opset->attributes[p.attribute]);
      return;
    case StatusCode::repeated_attribute:
      out << "attribute \"" << p.opset->attributes[p.attribute].name << "\" is given twice";
      return;
    case StatusCode::wrong_operation:
      out << p.opset->name << " describes the operation " << p.opset->operation << ", not " << given;
      list_families_for(out, given);
      return;
    case StatusCode::text_conversion:
      out << p.opset->name << ": " << type_name(p.src) << " -> " << type_name(p.dst);
      out << (p.src == p.dst ? " copies the caller's own strings"
                             : ": text conversions use format_text and parse_text");
      return;
    case StatusCode::isa_unavailable: write_isa(out, p, role); return;
    case StatusCode::null_pointer:
      out << "the " << (role == Role::attributes ? "list of attributes" : side(role));
      if (p.first == 0) {
        out << " is null";
      } else {
        elements(out << " is null, but has ", p.first);
      }
      return;
    case StatusCode::bad_shape:
      if (p.attribute == kFallingOffsets) {
        out << "text " << p.first << " ends before it begins: offsets must not fall";
        return;
      }
      out << "the " << side(role) << "'s shape is not valid: ";
      if (p.second == kBytesBeyond) {
        out << p.first << " elements take more bytes than the address space has";
        return;
      }
      out << "extent " << p.first;
      if (static_cast<std::int64_t>(p.second) < 0) {
        out << " is " << static_cast<std::int64_t>(p.second);
      } else {
        out << " brings the number of elements beyond the address space";
      }
      return;
    case StatusCode::shape_mismatch:
      if (role == Role::result) {
        elements(out << "the range has ", p.first) << "; the destination must be of rank 1 with as many";
        return;
      }
      if (role == Role::none) {
        out << "source and destination differ in rank: " << p.first << " and " << p.second;
      } else {
        out << "source and destination differ in extent " << std::uint64_t{p.attribute} << ": " << p.first << " and "
            << p.second;
      }
      return;
    case StatusCode::type_mismatch:
      if (p.dst == p.src) {
        out << type_name(p.dst) << " is no type of numbers";
        return;
      }
      out << "the destination is of type " << type_name(p.dst) << ", expected " << type_name(p.src);
      return;
    case StatusCode::rank_not_admitted:
      out << p.opset->name << " does not admit rank " << p.first << "; it admits ranks ";
      if (role == Role::lower_limit) {
        out << "from " << p.second << " up";
      } else {
        out << "up to " << p.second;
      }
      return;
    case StatusCode::too_many_elements:
      out << p.opset->name << " does not admit " << p.first << " elements; it admits up to " << p.second;
      return;
    case StatusCode::empty_tensor: out << p.opset->name << " does not admit tensors without elements"; return;
    case StatusCode::buffer_too_small:
      out << "the " << side(role) << " holds " << p.first << " byte" << plural(p.first) << ", needed are " << p.second;
      return;
    case StatusCode::buffers_overlap:
      out << "source and destination overlap; in place needs the same start and equal storage widths";
      return;
    case StatusCode::bad_number: out << "element " << p.first << " is not a number: " << given; return;
    case StatusCode::integer_out_of_range:
      out << "element " << p.first << " is an integer outside [-2^63, 2^64): " << given;
      return;
    case StatusCode::bad_options:
      out << "the options structure's size field is " << p.first << ", expected at least " << p.second;
      return;
    case StatusCode::bad_type:
    case StatusCode::not_scalar:
    case StatusCode::non_finite:
    case StatusCode::input_range:
    case StatusCode::step_zero:
    case StatusCode::count_limit:
    case StatusCode::beyond_end:
    case StatusCode::unsupported_option: write_range(out, p); return;
    case StatusCode::kernels_refused: write_refusal(out, p); return;
    case StatusCode::file_refused: write_file_problem(out, p); return;
  }
}

}  // namespace

std::size_t Status::write_message(char* buffer, std::size_t size) const noexcept {
  Writer out(buffer, size);
  write(out, parts_);
  return out.length();
}

const char* name(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::ok: return "ok";
    case StatusCode::no_kernel: return "no_kernel";
    case StatusCode::unknown_opset: return "unknown_opset";
    case StatusCode::unknown_type: return "unknown_type";
    case StatusCode::type_not_admitted: return "type_not_admitted";
    case StatusCode::pair_not_admitted: return "pair_not_admitted";
    case StatusCode::unknown_attribute: return "unknown_attribute";
    case StatusCode::bad_attribute: return "bad_attribute";
    case StatusCode::repeated_attribute: return "repeated_attribute";
    case StatusCode::wrong_operation: return "wrong_operation";
    case StatusCode::text_conversion: return "text_conversion";
    case StatusCode::isa_unavailable: return "isa_unavailable";
    case StatusCode::null_pointer: return "null_pointer";
    case StatusCode::bad_shape: return "bad_shape";
    case StatusCode::shape_mismatch: return "shape_mismatch";
    case StatusCode::type_mismatch: return "type_mismatch";
    case StatusCode::rank_not_admitted: return "rank_not_admitted";
    case StatusCode::too_many_elements: return "too_many_elements";
    case StatusCode::empty_tensor: return "empty_tensor";
    case StatusCode::buffer_too_small: return "buffer_too_small";
    case StatusCode::buffers_overlap: return "buffers_overlap";
    case StatusCode::bad_number: return "bad_number";
    case StatusCode::integer_out_of_range: return "integer_out_of_range";
    case StatusCode::bad_options: return "bad_options";
    case StatusCode::bad_type: return "bad_type";
    case StatusCode::not_scalar: return "not_scalar";
    case StatusCode::non_finite: return "non_finite";
    case StatusCode::input_range: return "input_range";
    case StatusCode::step_zero: return "step_zero";
    case StatusCode::count_limit: return "count_limit";
    case StatusCode::beyond_end: return "beyond_end";
    case StatusCode::unsupported_option: return "unsupported_option";
    case StatusCode::kernels_refused: return "kernels_refused";
    case StatusCode::file_refused: return "file_refused";
  }
  return "unknown status";
}

}  // namespace castforge
