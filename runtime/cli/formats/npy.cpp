#include "cli/formats/npy.hpp"

#include "cli/formats/c_order.hpp"
#include "cli/formats/npy_text.hpp"
#include "cli/io/failure.hpp"

namespace castforge::cli {
namespace {

unsigned bytes_each(Type type) {
  return static_cast<unsigned>(bits_in_file({.words = true}, type_info(type).storage_bits)) / 8;
}

/// Types whose descriptor has that kind and size; which byte order does not matter.
std::vector<Type> types_described_by(const NpyDescr& descr) {
  std::vector<Type> found;
  const auto has_order = [](const NpyDescr& one) { return one.order == '<' || one.order == '>'; };
  // Wider elements without a byte order are what NumPy calls void: any bytes, records for instance. Only a type that
  // has just this descriptor is meant.
  const bool is_void = descr.kind == 'V' && descr.size > 1 && !has_order(descr);
  for (std::size_t i = 0; i < type_count(); ++i) {
    const Type type = type_at(i);
    for (std::size_t k = 0; k < alias_count(type); ++k) {
      const TypeAlias name = alias(type, k);
      const auto own = name.system == "numpy" ? parse_npy_descr(name.name) : std::nullopt;
      if (own && own->kind == descr.kind && own->size == descr.size && !(is_void && has_order(*own)))
        found.push_back(type);
    }
  }
  return found;
}

bool holds_text(const NpyDescr& descr) { return descr.kind == 'U' || descr.kind == 'S'; }

/// Types of that size for which NumPy has no name: start_npy() writes them as void.
void add_nameless(std::vector<Type>& types, unsigned size) {
  for (std::size_t i = 0; i < type_count(); ++i) {
    const Type type = type_at(i);
    if (!is_string(type) && alias(type, "numpy").empty() && bytes_each(type) == size) types.push_back(type);
  }
}

std::string names(const std::vector<Type>& types) {
  std::string out;
  for (const Type type : types) out += text(out.empty() ? "" : ", ", name(type));
  return out;
}

Type element_type(const InputFile& file, const NpyHeader& header, std::optional<Type> from) {
  const auto fail = [&](const std::string& message) {
    return bad_byte(file.name(), header.descr_offset, "npy header: " + message);
  };
  const auto descr = parse_npy_descr(header.descr);
  if (header.descr.starts_with('[')) throw fail("expected a single element type, found a record type");
  if (!descr) throw fail(text("expected a type such as '<f4', found ", in_quotes(header.descr)));
  if (holds_text(*descr) && (descr->size == 0 || npy_text_bytes(*descr) == 0)) {
    throw fail(text("expected strings of 1 to ", kLongestText, " bytes, found ", in_quotes(header.descr)));
  }
  std::vector<Type> types = types_described_by(*descr);
  if (const auto strings = string_type(); strings && holds_text(*descr)) types = {*strings};
  if (!from) {
    if (types.size() == 1) return types.front();
    if (types.empty()) {
      throw fail(text("expected a bool, integer or floating type, found ", in_quotes(header.descr),
                      descr->kind == 'V' ? "; where these bytes are a type's codes, say which with --from" : ""));
    }
    if (descr->kind == 'V') add_nameless(types, descr->size);
    throw usage_error(
        text(file.name(), ": ", in_quotes(header.descr), " may be any of ", names(types), "; say which with --from"));
  }
  if (types.size() == 1 && types.front() == *from) return *from;
  const bool carrier = descr->kind == 'V' || descr->kind == 'u';
  if (carrier && type_info(*from).storage_bits != 0 && descr->size == bytes_each(*from)) return *from;
  if (is_string(*from)) throw fail(text("expected ", name(*from), " (U or S), found ", in_quotes(header.descr)));
  const unsigned bytes = bytes_each(*from);
  const auto own = parse_npy_descr(alias(*from, "numpy"));
  const bool has_own = own && own->kind != 'V';
  throw fail(text("expected ", name(*from), " (", counted(bytes, "byte"), "), found ", in_quotes(header.descr),
                  has_own || descr->size != bytes ? "" : text("; view it as uint", 8 * bytes, " first")));
}

}  // namespace

bool npy_tells_type(std::string_view descr) {
  const auto parsed = parse_npy_descr(descr);
  return parsed && (types_described_by(*parsed).size() == 1 || (holds_text(*parsed) && string_type()));
}

NpySource::NpySource(InputFile& file, std::optional<Type> from) : file_(file) {
  const NpyHeader header = read_npy_header(file);
  data_offset_ = header.data_offset;
  info_.type = element_type(file, header, from);
  descr_ = *parse_npy_descr(header.descr);
  info_.shape = header.shape;
  info_.fortran_order = header.fortran_order;
  info_.count = element_count(header.shape);

  const int bits =
      is_string(info_.type) ? static_cast<int>(npy_text_bytes(descr_) * 8) : type_info(info_.type).storage_bits;
  if (!is_string(info_.type)) layout_ = {.words = true, .big_endian = descr_.order == '>'};
  const std::uint64_t found = *file.size() - data_offset_;
  const auto expected = info_.count ? packed_bytes(*info_.count, bits_in_file(layout_, bits)) : std::nullopt;
  if (!expected) {
    throw bad_byte(file.name(), 0, text("npy header: shape ", shape_text(info_.shape), " is too large"));
  }
  if (found < *expected) {
    throw bad_byte(file.name(), *file.size(),
                   text("expected ", *expected, " bytes of data for ", name(info_.type), " ", shape_text(info_.shape),
                        ", found ", found));
  }
  if (found > *expected) {
    throw bad_byte(file.name(), data_offset_ + *expected,
                   text("expected the end of the file after ", name(info_.type), " ", shape_text(info_.shape),
                        ", found ", counted(found - *expected, "byte"), " more"));
  }
}

std::unique_ptr<ElementReader> NpySource::elements() {
  return std::make_unique<FileElementReader>(file(), data_offset_, info_.type, info_.count, layout_);
}

std::unique_ptr<TextReader> NpySource::texts() {
  return std::make_unique<NpyTextReader>(file(), data_offset_, *info_.count, descr_);
}

void NpySource::put_in_c_order() {
  if (info_.fortran_order && !same_in_both_orders(info_.shape)) {
    const std::size_t item = is_string(info_.type) ? npy_text_bytes(descr_) : bytes_each(info_.type);
    in_c_order_ =
        std::make_unique<InputFile>(file_.name(), std::make_unique<COrder>(file_, data_offset_, info_.shape, item));
    data_offset_ = 0;
  }
  info_.fortran_order = false;
}

std::unique_ptr<ElementWriter> start_npy(OutputFile& file, const TensorInfo& tensor) {
  std::string descr(alias(tensor.type, "numpy"));
  // A type that NumPy has no name for is opaque bytes there.
  if (descr.empty()) descr = text("|V", bytes_each(tensor.type));
  file.write(npy_header_bytes(descr, tensor.fortran_order, tensor.shape));
  return std::make_unique<FileElementWriter>(file, tensor.type, true);
}

}  // namespace castforge::cli
