#include <castforge/hdf5.h>

#include <algorithm>
#include <castforge/castforge.hpp>
#include <castforge/elements.hpp>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <string>

#include "library.hpp"

namespace castforge {
namespace {

constexpr const char* kName = "castforge";

/// The op-set with every type, which serves where the default one lacks some.
std::string open_opset() {
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = opset(i);
    if (one.is_fallback() && one.operation() == "cast") return std::string(one.name());
  }
  return {};  // the default, in a library that was built without one
}

std::mutex opset_mutex;
std::string& opset_name() {
  static std::string name = open_opset();
  return name;
}

/// Bytes of an element in HDF5, which has no elements below a byte.
std::size_t bytes_of(const Format& format) { return static_cast<std::size_t>(storage_unit(format.storage_bits)) / 8; }

/// Has HDF5 words for the format? It wants a sign, an exponent and a fraction.
bool is_describable(const Format& format) {
  return format.kind == TypeKind::floating && format.is_signed && format.mantissa_bits > 0 && !format.storage_high &&
         format.value_bits == 1 + format.exponent_bits + format.mantissa_bits;
}

bool describes(const Hdf5Library& hdf5, hid_t type, const Format& format) {
  std::size_t sign, exponent, exponent_bits, fraction, fraction_bits;
  return is_describable(format) && hdf5.H5Tget_size(type) == bytes_of(format) &&
         hdf5.H5Tget_precision(type) == static_cast<std::size_t>(format.value_bits) && hdf5.H5Tget_offset(type) == 0 &&
         hdf5.H5Tget_fields(type, &sign, &exponent, &exponent_bits, &fraction, &fraction_bits) >= 0 &&
         sign == static_cast<std::size_t>(format.value_bits - 1) && fraction == 0 &&
         exponent == static_cast<std::size_t>(format.mantissa_bits) &&
         fraction_bits == static_cast<std::size_t>(format.mantissa_bits) &&
         exponent_bits == static_cast<std::size_t>(format.exponent_bits) &&
         hdf5.H5Tget_ebias(type) == static_cast<std::size_t>(format.exponent_bias);
}

/// The format that the type describes; of several, the one with the lowest number, as formats keep theirs and those
/// that are added get higher ones.
std::optional<Type> recognized(const Hdf5Library& hdf5, hid_t type) {
  if (hdf5.H5Tget_class(type) != H5T_FLOAT || hdf5.H5Tget_norm(type) != H5T_NORM_IMPLIED) return std::nullopt;
  if (hdf5.H5Tget_order(type) != H5T_ORDER_LE && hdf5.H5Tget_size(type) != 1) return std::nullopt;
  std::optional<Type> found;
  for (std::size_t i = 0; i < type_count(); ++i) {
    if (!describes(hdf5, type, type_info(type_at(i)))) continue;
    if (!found || type_at(i) < *found) found = type_at(i);
  }
  return found;
}

/// Is it the format of float or double, whatever it is called? HDF5's own conversion of these is right, and faster than
/// copying elements together.
template <class Float>
bool is_format_of(const Format& format) {
  using Limits = std::numeric_limits<Float>;
  return format.kind == TypeKind::floating && format.storage_bits == static_cast<int>(8 * sizeof(Float)) &&
         format.is_signed && format.mantissa_bits == Limits::digits - 1 &&
         format.exponent_bias == Limits::max_exponent - 1 && format.subnormals && format.infinity &&
         format.nan == NanCodes::ieee;
}
bool is_native(const Format& format) { return is_format_of<float>(format) || is_format_of<double>(format); }

struct Path {
  Kernel kernel;
  Format src, dst;
};

/// Elements between HDF5's whole words and castforge's bit streams.
void gather(std::byte* to, const std::byte* from, std::size_t count, std::size_t stride, const Format& format) {
  const std::size_t bytes = bytes_of(format);
  if (!is_natural_width(format.storage_bits)) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t code = 0;
      std::memcpy(&code, from + i * stride, bytes);
      store_element(to, i, code, format.storage_bits, format.packing);
    }
  } else if (stride == bytes) {
    std::memcpy(to, from, count * bytes);
  } else {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * bytes, from + i * stride, bytes);
  }
}
void scatter(std::byte* to, const std::byte* from, std::size_t count, std::size_t stride, const Format& format) {
  const std::size_t bytes = bytes_of(format);
  if (!is_natural_width(format.storage_bits)) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t code = load_element(from, i, format.storage_bits, format.packing);
      std::memcpy(to + i * stride, &code, bytes);
    }
  } else if (stride == bytes) {
    std::memcpy(to, from, count * bytes);
  } else {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * stride, from + i * bytes, bytes);
  }
}

/// In place, a part at a time; from the end where elements grow, lest one be overwritten before it is read.
herr_t convert(const Path& path, std::byte* buffer, std::size_t count, std::size_t stride) {
  constexpr std::size_t kPart = 4096;
  alignas(64) std::byte in[kPart * 8], out[kPart * 8];
  const std::size_t src_stride = stride != 0 ? stride : bytes_of(path.src);
  const std::size_t dst_stride = stride != 0 ? stride : bytes_of(path.dst);
  const std::size_t parts = (count + kPart - 1) / kPart;
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t first = (dst_stride > src_stride ? parts - 1 - k : k) * kPart;
    const std::size_t n = std::min(kPart, count - first);
    std::memset(in, 0, bytes_of_elements(n, path.src.storage_bits));
    gather(in, buffer + first * src_stride, n, src_stride, path.src);
    if (!path.kernel.run(in, out, n).ok()) return -1;
    scatter(buffer + first * dst_stride, out, n, dst_stride, path.dst);
  }
  return 0;
}

/// What HDF5 calls: to ask for a conversion, to run it, to end it.
herr_t conversion(hid_t src, hid_t dst, H5T_cdata_t* data, std::size_t count, std::size_t stride, std::size_t,
                  void* buffer, void*, hid_t) {
  switch (data->command) {
    case H5T_CONV_INIT: {
      const Hdf5Library& hdf5 = *hdf5_library();  // whose call this is
      const auto from = recognized(hdf5, src), to = recognized(hdf5, dst);
      if (!from || !to || (is_native(type_info(*from)) && is_native(type_info(*to)))) return -1;  // HDF5 looks on
      Kernel kernel;
      {
        const std::lock_guard lock(opset_mutex);
        kernel = find_kernel(opset_name(), *from, *to);
      }
      if (!kernel) return -1;
      data->priv = new (std::nothrow) Path{kernel, type_info(*from), type_info(*to)};
      data->need_bkg = H5T_BKG_NO;
      return data->priv == nullptr ? -1 : 0;
    }
    case H5T_CONV_CONV:
      if (data->priv == nullptr) return -1;
      return convert(*static_cast<const Path*>(data->priv), static_cast<std::byte*>(buffer), count, stride);
    case H5T_CONV_FREE:
      delete static_cast<Path*>(data->priv);
      data->priv = nullptr;
      return 0;
  }
  return -1;
}

}  // namespace
}  // namespace castforge

using namespace castforge;

extern "C" herr_t castforge_hdf5_register(const char* opset) {
  const Hdf5Library* const hdf5 = hdf5_library();
  const std::string name = opset == nullptr ? open_opset() : opset;
  OpSet found;
  if (hdf5 == nullptr || hdf5->H5open() < 0 || !find_opset(name, found) || found.operation() != "cast") return -1;
  {
    const std::lock_guard lock(opset_mutex);
    opset_name() = name;
  }
  hdf5->H5Tunregister(H5T_PERS_SOFT, kName, -1, -1, conversion);  // none the first time
  const hid_t floats = *hdf5->H5T_NATIVE_FLOAT_g;
  return hdf5->H5Tregister(H5T_PERS_SOFT, kName, floats, floats, conversion);
}

extern "C" castforge_type castforge_hdf5_recognize(hid_t type) {
  const Hdf5Library* const hdf5 = hdf5_library();
  const auto found = hdf5 == nullptr ? std::nullopt : recognized(*hdf5, type);
  return found ? static_cast<castforge_type>(*found) : CASTFORGE_NO_TYPE;
}

extern "C" hid_t castforge_hdf5_create_type(castforge_type type) {
  const Hdf5Library* const hdf5 = hdf5_library();
  const Format format = type_info(static_cast<Type>(type));
  if (hdf5 == nullptr || hdf5->H5open() < 0) return H5I_INVALID_HID;
  if (format.storage_bits == 0 || !is_describable(format)) return H5I_INVALID_HID;
  const hid_t made = hdf5->H5Tcopy(format.storage_bits > 32 ? *hdf5->H5T_IEEE_F64LE_g : *hdf5->H5T_IEEE_F32LE_g);
  const auto bits = [](int n) { return static_cast<std::size_t>(n); };
  // Fields first, as they must lie within the precision, which only then can shrink to them.
  bool done = made >= 0 &&
              hdf5->H5Tset_fields(made, bits(format.value_bits - 1), bits(format.mantissa_bits),
                                  bits(format.exponent_bits), 0, bits(format.mantissa_bits)) >= 0 &&
              hdf5->H5Tset_ebias(made, bits(format.exponent_bias)) >= 0 &&
              hdf5->H5Tset_precision(made, bits(format.value_bits)) >= 0 &&
              hdf5->H5Tset_size(made, bytes_of(format)) >= 0;
  done = done && recognized(*hdf5, made) == static_cast<Type>(type);  // or it would be converted as another format
  if (!done && made >= 0) hdf5->H5Tclose(made);
  return done ? made : H5I_INVALID_HID;
}
