#include "casting.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "options.hpp"

#include <castforge/castforge.hpp>

#include <optional>
#include <utility>

namespace pycastforge {
namespace {

/// Where a result goes: an array that somebody gave, or a new one.
class Result {
 public:
  Result(const Array& like, nb::handle out, Type type, Layout layout) {
    if (out.is_none()) {
      made_ = new_array(like, like.shape(), type, layout);
    } else {
      made_.array = array_of(out, "out");
      made_.result = nb::borrow(out);
      const Array& given = made_.array;
      if (!given.writable) raise("BadArray", "out cannot be written");
      if (given.type != type) {
        raise("PairNotAdmitted", "out: expected elements of " + std::string(castforge::name(type)) + ", found " +
                                     std::string(castforge::name(given.type)));
      }
    }
    if (made_.array.in_words) {
      const std::size_t bytes = dense_bytes(type, made_.array.count);
      dense_ = std::make_unique_for_overwrite<unsigned char[]>(bytes);
    }
  }

  const Array& array() const { return made_.array; }

  /// Where a kernel writes.
  void* dense() { return dense_ ? dense_.get() : made_.array.data; }

  /// Done: what the caller gets.
  nb::object finish() {
    if (dense_) spread_elements(dense_.get(), made_.array);
    return made_.finish.is_valid() ? made_.finish(made_.result) : std::move(made_.result);
  }

 private:
  NewArray made_;
  std::unique_ptr<unsigned char[]> dense_;
};

Layout layout_of(nb::handle layout) {
  if (layout.is_none()) return Layout::natural;
  const std::string_view word = text_or_none(layout, "layout");
  if (word == "packed") return Layout::packed;
  if (word == "bytes") return Layout::bytes;
  throw nb::value_error(("layout: expected \"packed\", \"bytes\" or None, found " + quoted(layout)).c_str());
}

/// Empty buffers may be null; the library asks for some address where there are elements only.
castforge::TensorView source_view(const Array& array, const void* dense) {
  return {array.type, array.shape(), dense, array.in_words ? dense_bytes(array.type, array.count) : array.bytes};
}
castforge::MutableTensorView result_view(const Array& array, void* dense) {
  return {array.type, array.shape(), dense, array.in_words ? dense_bytes(array.type, array.count) : array.bytes};
}

/// Words of the caller's memory that a copy stands for may not be overwritten before they are read either.
void check_words_apart(const Array& src, const Array& dst) {
  if (!src.in_words && !dst.in_words) return;  // the library looks at those
  const auto* a = static_cast<const char*>(src.data);
  const auto* b = static_cast<const char*>(dst.data);
  if (a == b && src.bytes == dst.bytes) return;  // everything is read before anything is written
  if (src.bytes != 0 && dst.bytes != 0 && a < b + dst.bytes && b < a + src.bytes) {
    raise("BadArray", "x and out overlap in memory");
  }
}

using Convert = castforge::Status (*)(std::string_view, const castforge::TensorView&,
                                      const castforge::MutableTensorView&, const castforge::Attributes&,
                                      const castforge::CastOptions&);

nb::object convert(Convert function, nb::handle x, Type type, nb::handle opset, nb::handle out, int threads,
                   nb::handle stats, bool copy, Layout layout, nb::handle keywords) {
  const Threads team(threads);
  const KeywordAttributes attributes(keywords);
  const std::string_view opset_name = text_or_none(opset, "opset");
  const Array source = array_of(x, "x", copy ? IfStrided::copy : IfStrided::refuse);
  if (castforge::type_info(type).storage_bits == 0) {
    // The library's words for it, whatever else is wrong.
    raise(castforge::find_kernel(opset_name, source.type, type, attributes).status());
  }
  Result result(source, out, type, layout);
  check_words_apart(source, result.array());
  std::unique_ptr<unsigned char[]> buffer;
  castforge::Status status;
  {
    const GilRelease release(source.count);
    const void* const dense = dense_elements(source, buffer);
    status = function(opset_name, source_view(source, dense), result_view(result.array(), result.dense()), attributes,
                      {.parallel = team.hook()});
  }
  check(status);
  if (!stats.is_none()) {
    stats.attr("add")(x, result.array().owner.is_valid() ? result.array().owner : nb::borrow(x));
  }
  return result.finish();
}

nb::object cast(nb::handle x, nb::handle to, nb::handle opset, nb::handle out, int threads, nb::handle stats, bool copy,
                nb::handle layout, const nb::kwargs& attributes) {
  return convert([](auto... arguments) { return castforge::cast(arguments...); }, x, type_of(to), opset, out, threads,
                 stats, copy, layout_of(layout), attributes);
}

nb::object bitcast(nb::handle x, nb::handle to, nb::handle opset, nb::handle out, int threads, bool copy,
                   nb::handle layout) {
  return convert([](auto... arguments) { return castforge::bitcast(arguments...); }, x, type_of(to), opset, out,
                 threads, nb::none(), copy, layout_of(layout), nb::dict());
}

}  // namespace

void bind_casting(nb::module_& module) {
  module.def("cast", cast, nb::arg("x"), nb::arg("to"), nb::kw_only(), nb::arg("opset") = nb::none(),
             nb::arg("out") = nb::none(), nb::arg("threads") = 1, nb::arg("stats") = nb::none(),
             nb::arg("copy") = false, nb::arg("layout") = nb::none(), nb::arg("attributes"));
  module.def("bitcast", bitcast, nb::arg("x"), nb::arg("to"), nb::kw_only(), nb::arg("opset") = nb::none(),
             nb::arg("out") = nb::none(), nb::arg("threads") = 1, nb::arg("copy") = false,
             nb::arg("layout") = nb::none());
}

}  // namespace pycastforge
