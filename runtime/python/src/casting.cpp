#include "casting.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "kernel_facts.hpp"
#include "options.hpp"
#include "statistics.hpp"

#include "cli/selection/kernel_options.hpp"

#include <castforge/castforge.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
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

/// Whether an op-set limits shapes, which somebody has to look at.
bool has_limits(castforge::OpSet opset) {
  constexpr std::array<std::string_view, 4> kLimits = {"min_rank", "max_rank", "max_elements", "reject_empty"};
  return std::any_of(kLimits.begin(), kLimits.end(), [&](auto limit) { return !opset.option(limit).empty(); });
}

/// Kernels of casts that name neither an op-set nor attributes, each looked up once.
class UsualKernels {
 public:
  /// Nothing where there is none, or where its op-set limits shapes.
  const castforge::Kernel* find(Type src, Type dst) {
    const auto row = static_cast<std::size_t>(src), column = static_cast<std::size_t>(dst);
    if (row >= kTypes || column >= kTypes) return nullptr;
    std::atomic<const Found*>& known = found_[row * kTypes + column];
    const std::size_t files = castforge::added_kernels_count();
    if (const Found* one = known.load(std::memory_order_acquire); one != nullptr && one->files == files)
      return &one->kernel;
    castforge::OpSet opset;
    if (!castforge::find_opset({}, src, dst, opset)) return nullptr;
    if (has_limits(opset)) return nullptr;
    const castforge::Kernel kernel = castforge::find_kernel(opset, src, dst);
    if (!kernel) return nullptr;
    // Those found before, and at the same time by other threads, live on: somebody may be using them.
    const auto* const one = new Found{kernel, files};
    known.store(one, std::memory_order_release);
    return &one->kernel;
  }

 private:
  struct Found {
    castforge::Kernel kernel;
    std::size_t files;  // that were loaded before it was looked up: another one may have brought a newer op-set
  };
  static constexpr std::size_t kTypes = 48;  // above the ids of all shipped types; those of loaded ones are higher
  std::array<std::atomic<const Found*>, kTypes * kTypes> found_{};
};

UsualKernels& usual_kernels() {
  static UsualKernels* const kernels = new UsualKernels;
  return *kernels;
}

/// Whether a kernel can go from one to the other as they are.
bool fit(const Array& source, const Array& out) {
  if (source.rank != out.rank || !std::equal(source.shape().begin(), source.shape().end(), out.shape().begin())) {
    return false;
  }
  if (source.in_words || out.in_words) return true;
  const auto* a = static_cast<const char*>(source.data);
  const auto* b = static_cast<const char*>(out.data);
  return (a == b && source.bytes == out.bytes) || a >= b + out.bytes || b >= a + source.bytes;
}

using Convert = castforge::Status (*)(std::string_view, const castforge::TensorView&,
                                      const castforge::MutableTensorView&, const castforge::Attributes&,
                                      const castforge::CastOptions&);

castforge::Status cast_values(std::string_view opset, const castforge::TensorView& src,
                              const castforge::MutableTensorView& dst, const castforge::Attributes& attributes,
                              const castforge::CastOptions& options) {
  return castforge::cast(opset, src, dst, attributes, options);
}
castforge::Status cast_bits(std::string_view opset, const castforge::TensorView& src,
                            const castforge::MutableTensorView& dst, const castforge::Attributes& attributes,
                            const castforge::CastOptions& options) {
  return castforge::bitcast(opset, src, dst, attributes, options);
}

/// The arguments of a call, read by hand: a call with 16 elements spends most of its time on them.
struct Arguments {
  nb::handle x, to, opset = Py_None, out = Py_None, stats = Py_None, layout = Py_None;
  int threads = 1;
  bool copy = false;
  KeywordAttributes attributes;
};

enum class Attribute : std::uint8_t { allowed, refused };

/// Keywords of calls, as the interpreter has them.
class Keyword {
 public:
  explicit Keyword(const char* name) : name_(name), object_(PyUnicode_InternFromString(name)) {}
  bool is(nb::handle name) const {
    return name.ptr() == object_ || PyUnicode_CompareWithASCIIString(name.ptr(), name_) == 0;
  }

 private:
  const char* name_;
  PyObject* object_;
};
struct Keywords {
  Keyword x{"x"}, to{"to"}, opset{"opset"}, out{"out"}, stats{"stats"}, layout{"layout"}, threads{"threads"},
      copy{"copy"};
};
const Keywords& keywords() {
  static const Keywords* const all = new Keywords;
  return *all;
}

int int_of(nb::handle object, const char* what) {
  if (!PyLong_Check(object.ptr()) || PyBool_Check(object.ptr()))
    raise_builtin(PyExc_TypeError, std::string(what) + ": expected an int, found " + quoted(object));
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0 || !std::in_range<int>(value))
    raise_builtin(PyExc_ValueError, std::string(what) + ": expected an int of 32 bits, found " + quoted(object));
  return static_cast<int>(value);
}

/// Arguments that may be given by position, too.
void take_once(nb::handle& argument, const char* name, nb::handle value) {
  if (argument.is_valid()) raise_builtin(PyExc_TypeError, std::string(name) + " was given twice");
  argument = value;
}

void take_keyword(Arguments& arguments, nb::handle name, nb::handle value, bool has_to, Attribute others) {
  const Keywords& known = keywords();
  if (known.out.is(name)) {
    if (arguments.out.is_valid() && !arguments.out.is_none()) raise_builtin(PyExc_TypeError, "out was given twice");
    arguments.out = value;
  } else if (has_to && known.opset.is(name)) arguments.opset = value;
  else if (known.threads.is(name)) arguments.threads = int_of(value, "threads");
  else if (has_to && others == Attribute::allowed && known.stats.is(name)) arguments.stats = value;
  else if (known.copy.is(name)) arguments.copy = bool_of(value, "copy");
  else if (known.layout.is(name)) arguments.layout = value;
  else if (known.x.is(name)) take_once(arguments.x, "x", value);
  else if (has_to && known.to.is(name)) take_once(arguments.to, "to", value);
  else if (others == Attribute::allowed) arguments.attributes.add(name, value);
  else {
    raise_builtin(PyExc_TypeError, std::string("unexpected keyword ") + quoted(name));
  }
}

void check_complete(const Arguments& arguments, const char* function, bool has_to) {
  if (!arguments.x.is_valid()) raise_builtin(PyExc_TypeError, std::string(function) + "() needs an array, x");
  if (has_to && !arguments.to.is_valid()) raise_builtin(PyExc_TypeError, std::string(function) + "() needs a type, to");
}

Arguments arguments_of(const char* function, PyObject* const* given, Py_ssize_t count, PyObject* names,
                       Attribute others) {
  Arguments arguments;
  if (count > 2) {
    raise_builtin(PyExc_TypeError, std::string(function) + "() takes x and to by position, found " +
                                       std::to_string(count) + " arguments");
  }
  if (count > 0) arguments.x = given[0];
  if (count > 1) arguments.to = given[1];
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < named; ++i) {
    take_keyword(arguments, PyTuple_GetItem(names, i), given[count + i], true, others);
  }
  check_complete(arguments, function, true);
  return arguments;
}

nb::object convert(Convert function, const Arguments& call) {
  const Threads team(call.threads);
  const std::string_view opset = opset_name(call.opset);
  const Type type = type_of(call.to);
  const Array source = array_of(call.x, "x", call.copy ? IfStrided::copy : IfStrided::refuse);
  if (storage_of(type).bits == 0) {
    // The library's words for it, whatever else is wrong.
    const auto usual = castforge::default_opset("bitcast");
    const bool is_usual = function == cast_bits && opset.empty() && usual;
    raise(castforge::find_kernel(is_usual ? usual->name() : opset, source.type, type, call.attributes).status());
  }
  Result result(source, call.out, type, layout_of(call.layout));
  check_words_apart(source, result.array());
  Stats* const stats = stats_of(call.stats);
  if (stats != nullptr && source.count != 0 && source.data == result.array().data) {
    raise("BadArray", "stats compares x with the result; in place there is no x any more");
  }
  std::unique_ptr<unsigned char[]> buffer;
  // A small array: most of the time would go into looking things up.
  if (function == cast_values && source.count < GilRelease::kWorthIt && call.opset.is_none() &&
      call.attributes.empty() && stats == nullptr && (call.out.is_none() || fit(source, result.array()))) {
    if (const castforge::Kernel* kernel = usual_kernels().find(source.type, type)) {
      check(kernel->run(dense_elements(source, buffer), result.dense(), source.count));
      return result.finish();
    }
  }
  castforge::Status status;
  {
    const GilRelease release(source.count);
    const void* const dense = dense_elements(source, buffer);
    status = function(opset, source_view(source, dense), result_view(result.array(), result.dense()), call.attributes,
                      {.parallel = team.hook()});
    if (status.ok() && stats != nullptr) {
      const castforge::Rule rule = function == cast_bits
                                       ? castforge::Rule{.bits = castforge::Bits::kept}
                                       : castforge::find_kernel(opset, source.type, type, call.attributes).rule();
      stats->add(source.type, dense, type, result.dense(), source.count, rule);
    }
  }
  check(status);
  return result.finish();
}

/// What Python calls must not throw.
template <class Work>
PyObject* guarded(const Work& work) {
  try {
    return nb::object(work()).release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject* cast(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  return guarded([&] { return convert(cast_values, arguments_of("cast", given, count, names, Attribute::allowed)); });
}

PyObject* bitcast(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  return guarded([&] { return convert(cast_bits, arguments_of("bitcast", given, count, names, Attribute::refused)); });
}

/// A conversion looked up once.
class BoundKernel {
 public:
  /// By what a system calls it; op-set and attributes are part of that.
  explicit BoundKernel(std::string_view notation) : kernel_(castforge::find_kernel_by_notation(notation, opset_)) {
    if (kernel_.status().code() == castforge::StatusCode::unknown_opset) {
      raise("UnknownOpset", castforge::cli::unknown_notation(notation));
    }
    check(kernel_.status());
    limited_ = has_limits(opset_);
  }

  BoundKernel(nb::handle src, nb::handle dst, nb::handle opset, const KeywordAttributes& attributes) {
    const Type src_type = type_of(src), dst_type = type_of(dst);
    check(castforge::find_opset(opset_name(opset), src_type, dst_type, opset_));
    kernel_ = castforge::find_kernel(opset_, src_type, dst_type, attributes);
    check(kernel_.status());
    limited_ = has_limits(opset_);
  }

  nb::object operator()(const Arguments& call) const {
    const Threads team(call.threads);
    const Array source = array_of(call.x, "x", call.copy ? IfStrided::copy : IfStrided::refuse);
    if (source.type != kernel_.src()) {
      raise("PairNotAdmitted", "x: this kernel reads " + std::string(castforge::name(kernel_.src())) + ", found " +
                                   std::string(castforge::name(source.type)));
    }
    if (limited_) check(castforge::check_limits(opset_, source.shape().size(), source.count));
    Result result(source, call.out, kernel_.dst(), layout_of(call.layout));
    if (!call.out.is_none()) check_out(source, result.array());
    std::unique_ptr<unsigned char[]> buffer;
    {
      const GilRelease release(source.count);
      run(dense_elements(source, buffer), result.dense(), source.count, team.hook());
    }
    return result.finish();
  }

  const castforge::Kernel& kernel() const { return kernel_; }
  castforge::OpSet opset() const { return opset_; }

 private:
  static constexpr std::size_t kTask = std::size_t{1} << 16;  // elements of one task: whole bytes of any width

  void check_out(const Array& source, const Array& out) const {
    if (source.rank != out.rank || !std::equal(source.shape().begin(), source.shape().end(), out.shape().begin())) {
      raise("BadArray", "out: expected shape " + shape_text(source.shape()) + ", found " + shape_text(out.shape()));
    }
    check_words_apart(source, out);
    if (!fit(source, out) && source.count != 0) {
      raise("BadArray", "x and out overlap in memory; in place needs the same start and equal widths");
    }
  }

  void run(const void* src, void* dst, std::size_t count, castforge::ParallelFor threads) const {
    if (threads.run == nullptr || count <= kTask) {
      static_cast<void>(kernel_.run(src, dst, count));  // cannot fail: it was looked up
      return;
    }
    struct Work {
      const castforge::Kernel& kernel;
      const char* src;
      char* dst;
      std::size_t count, src_step, dst_step;
    } work{kernel_, static_cast<const char*>(src),     static_cast<char*>(dst),
           count,   dense_bytes(kernel_.src(), kTask), dense_bytes(kernel_.dst(), kTask)};
    const auto task = [](void* data, std::size_t i) {
      const Work& work = *static_cast<const Work*>(data);
      const std::size_t length = std::min<std::size_t>(kTask, work.count - i * kTask);
      static_cast<void>(work.kernel.run(work.src + i * work.src_step, work.dst + i * work.dst_step, length));
    };
    threads.run(threads.context, (count + kTask - 1) / kTask, task, &work);
  }

  castforge::OpSet opset_;
  castforge::Kernel kernel_;
  bool limited_ = false;
};

BoundKernel kernel_of(nb::handle src, nb::handle dst, nb::handle opset, const nb::kwargs& attributes) {
  if (!dst.is_none()) return BoundKernel(src, dst, opset, KeywordAttributes(attributes));
  if (!PyUnicode_Check(src.ptr()) || castforge::find_type(text_or_none(src, "src"))) {
    raise_builtin(PyExc_TypeError,
                  "kernel() needs two types, src and dst, or a str with what a system calls a "
                  "conversion; found " +
                      quoted(src) + " alone");
  }
  if (!opset.is_none() || !attributes.empty()) {
    raise_builtin(PyExc_TypeError, quoted(src) + " names its op-set and attributes; no others go with it");
  }
  return BoundKernel(text_or_none(src, "src"));
}

PyObject* call_kernel(PyObject* self, PyObject* given, PyObject* named) {
  return guarded([&] {
    Arguments arguments;
    const Py_ssize_t count = PyTuple_Size(given);
    if (count > 2) raise_builtin(PyExc_TypeError, "a kernel takes x and out by position");
    if (count > 0) arguments.x = PyTuple_GetItem(given, 0);
    if (count > 1) arguments.out = PyTuple_GetItem(given, 1);
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; named != nullptr && PyDict_Next(named, &at, &key, &value) != 0;) {
      take_keyword(arguments, key, value, false, Attribute::refused);
    }
    check_complete(arguments, "kernel", false);
    return (*made_instance<BoundKernel>(self))(arguments);
  });
}
PyType_Slot kernel_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_kernel)}, {0, nullptr}};

}  // namespace

constexpr char kCastDoc[] =
    R"(cast(x, to, *, opset=None, out=None, threads=1, stats=None, copy=False, layout=None, **attributes)
--

The numbers of an array as elements of another type, each rounded once by the rules of an op-set.

x: an array of numpy (types of ml_dtypes too), torch, jax, or anything with DLPack, in the memory of the processor and
contiguous; or a Packed. It is not copied, unless copy=True and its strides ask for it.
to: the type, by any name that dtype() takes.
opset: "onnx@23", "pypto@8.5.0", ..., or one of opsets(), which has all. Without one, the newest of ONNX Cast, or
castforge@1 where that lacks one of the types.
out: where the result goes: an array of type `to` and x's shape that can be written, x's own memory where both types
are as wide. It is returned.
threads: how many work on it, started for this call.
stats: a Stats, to which what became of the numbers is added in a second pass.
layout: "packed" for a Packed whatever the type; "bytes" for one element per byte, as ml_dtypes has int4, instead of a
Packed.
attributes: the op-set's: saturate=False, round_mode="down", ...

The result is of x's family and shape: a Packed where the elements are no words and the family has no type that packs
them. jax has 64-bit elements only with x64 enabled, and no 6-bit ones.

Raises UnknownType, PairNotAdmitted, UnknownAttribute, NotAnArray (TypeError), UnknownOpset, BadAttribute, BadArray
(ValueError); each says what would be admitted.

>>> import numpy as np, pycastforge as cf
>>> x = np.array([[1, 480], [0.3, np.nan]], np.float32)
>>> cf.cast(x, "float8e4m3fn").tolist()
[[1.0, 448.0], [0.3125, nan]]
>>> float(cf.cast(x, "float8e4m3fn", saturate=False)[0, 1])
nan
>>> cf.cast(x, "float4e2m1")
Packed(float4e2m1, shape=(2, 2))
>>> cf.cast(x[:, 0], "int8", copy=True)
array([1, 0], dtype=int8))";

constexpr char kBitcastDoc[] =
    R"(bitcast(x, to, *, opset=None, out=None, threads=1, copy=False, layout=None)
--

The bits of every element as they are, in another type of the same width (ONNX BitCast). Arrays and options
are those of cast().

>>> import numpy as np, pycastforge as cf
>>> cf.bitcast(np.array([1.0, -0.0], np.float32), "uint32")
array([1065353216, 2147483648], dtype=uint32))";

void bind_casting(nb::module_& module) {
  static PyMethodDef functions[] = {
      {"cast", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(cast)), METH_FASTCALL | METH_KEYWORDS, kCastDoc},
      {"bitcast", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(bitcast)), METH_FASTCALL | METH_KEYWORDS,
       kBitcastDoc},
      {nullptr, nullptr, 0, nullptr}};
  if (PyModule_AddFunctions(module.ptr(), functions) != 0) throw nb::python_error();

  nb::class_<BoundKernel>(module, "Kernel", nb::type_slots(kernel_slots),
                          R"(A conversion that kernel() looked up: call it with an array.

>>> import numpy as np, pycastforge as cf
>>> k = cf.kernel("float32", "bfloat16", opset="onnx@23")
>>> k.name
'float32_to_bfloat16__rne_inf'
>>> k(np.array([1, 3.1415927], np.float32)).astype(float)
array([1.      , 3.140625]))")
      .def_prop_ro(
          "name", [](const BoundKernel& k) { return text(k.kernel().name()); }, "The name in the library.")
      .def_prop_ro(
          "isa", [](const BoundKernel& k) { return text(k.kernel().isa()); }, "The instruction set it runs on.")
      .def_prop_ro(
          "meaning_hash", [](const BoundKernel& k) { return text(k.kernel().meaning()); },
          "Hash of what it does: equal hashes, equal results.")
      .def_prop_ro(
          "opset", [](const BoundKernel& k) { return text(k.opset().name()); }, "The op-set it was found in.")
      .def_prop_ro(
          "src", [](const BoundKernel& k) { return type_object(k.kernel().src()); }, nb::sig("def src(self) -> Type"),
          "The type that it reads.")
      .def_prop_ro(
          "dst", [](const BoundKernel& k) { return type_object(k.kernel().dst()); }, nb::sig("def dst(self) -> Type"),
          "The type that it writes.")
      .def_prop_ro(
          "rule", [](const BoundKernel& k) { return rule_words(k.kernel().rule()); },
          R"(What it does, by the words of the specs. Properties that no value of the pair can show have their defaults.

>>> import pycastforge as cf
>>> cf.kernel("float32", "float8e4m3fn", saturate=False).rule["overflow"]
'nan')")
      .def_prop_ro(
          "truth_table", [](const BoundKernel& k) { return truth_table(k.kernel()); },
          R"(At each code of the source the code of the result; for sources to 16 bits, NoTruthTable for others.

>>> import pycastforge as cf
>>> cf.kernel("float8e4m3fn", "float32").truth_table[0x38:0x3A].tolist() == [0x3F800000, 0x3F900000]
True)")
      .def("__repr__", [](const BoundKernel& k) { return "Kernel(" + std::string(k.kernel().name()) + ")"; });

  module.def(
      "kernel",
      [](nb::handle src, nb::handle dst, nb::handle opset, const nb::kwargs& attributes) {
        return kernel_of(src, dst, opset, attributes);
      },
      nb::arg("src").none(), nb::arg("dst") = nb::none(), nb::kw_only(), nb::arg("opset") = nb::none(),
      nb::arg("attributes"),
      nb::sig("def kernel(src: typing.Any, dst: typing.Any = None, *, opset: str | OpSet | None = None, "
              "**attributes: str | int) -> Kernel"),
      R"(Looks a conversion up once, to be called many times. Raises what cast() raises.

src: a type, as for cast(); or, alone, what a system calls the conversion, where an op-set says how it writes them
(OpSet.notation).

>>> import pycastforge as cf
>>> cf.kernel("float32", "float8e4m3fn", saturate=False)
Kernel(float32_to_float8e4m3fn__rne_nan)
>>> k = cf.kernel("Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>")
>>> k.opset, k.src, k.dst
('p3109@4.0', pycastforge.dtype('float32'), pycastforge.dtype('binary8p3se')))");
}

}  // namespace pycastforge
