#include "types.hpp"

#include "errors.hpp"

#include <castforge/castforge.hpp>

#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pycastforge {
namespace {

/// What `pycastforge.Type` holds.
struct TypeName {
  Type type;
};

/// Objects that named a type before, by identity. Each is kept alive, so that no other object gets its address.
class SeenObjects {
 public:
  std::optional<Type> find(nb::handle object) {
    const nb::ft_lock_guard guard(mutex_);
    const auto found = types_.find(object.ptr());
    return found == types_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(nb::handle object, Type type) {
    const nb::ft_lock_guard guard(mutex_);
    if (types_.size() >= kMost) return;  // a program that makes a new object for each call gains nothing here
    if (types_.emplace(object.ptr(), type).second) object.inc_ref();
  }

 private:
  static constexpr std::size_t kMost = 1024;
  nb::ft_mutex mutex_;
  std::unordered_map<PyObject*, Type> types_;
};

SeenObjects& seen_objects() {
  static SeenObjects* const objects = new SeenObjects;  // never destroyed: Python may be gone by then
  return *objects;
}

Type type_of_text(nb::handle object) {
  Py_ssize_t size = 0;
  const char* const characters = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (characters == nullptr) {  // half of a surrogate pair, which no UTF-8 has
    PyErr_Clear();
    raise("UnknownType", "unknown type " + quoted(object));
  }
  const std::string_view name(characters, static_cast<std::size_t>(size));
  if (const auto type = castforge::find_type_in("numpy", name)) return *type;  // "<f4"
  Type type{};
  check(castforge::find_type(name, type));
  return type;
}

std::string described(nb::handle dtype) { return nb::cast<std::string>(dtype.attr("name")); }

Type type_of_numpy(nb::handle dtype) {
  const std::string name = described(dtype);
  if (!nb::cast<bool>(dtype.attr("isnative"))) {
    raise("UnknownType", "dtype " + quoted(dtype) + " has its bytes in the other order; convert the array with " +
                             "x.astype(x.dtype.newbyteorder('='))");
  }
  const auto kind = nb::cast<std::string>(dtype.attr("kind"));
  if (kind == "U" || kind == "S" || kind == "T" || kind == "O") {
    raise("UnknownType", "dtype " + quoted(dtype) + " holds no numbers; texts are read with parse_text");
  }
  auto type = castforge::find_type_in("ml_dtypes", name);
  // ml_dtypes' own types have the kind of bytes, "V": "<V1" does not say which.
  if (!type && kind != "V") type = castforge::find_type_in("numpy", nb::cast<std::string>(dtype.attr("str")));
  if (!type) {
    Type named{};
    check(castforge::find_type(name, named));
    // The name of a type, but not that of its elements in numpy: a structured dtype, say.
    raise("UnknownType", "dtype " + quoted(dtype) + " is none that castforge knows");
  }
  return *type;
}

bool is_instance_of(nb::handle object, const char* module, const char* name) {
  const nb::handle type = object.type();
  return nb::cast<std::string>(type.attr("__module__")) == module &&
         nb::cast<std::string>(type.attr("__name__")) == name;
}

bool is_numpy_scalar(nb::handle object) {
  static nb::object* const generic = new nb::object(nb::module_::import_("numpy").attr("generic"));  // never destroyed
  return nb::isinstance(object, *generic);
}

/// Whether an object means one type for ever. What classes and instances of somebody's own mean may change.
bool is_lasting(nb::handle object) {
  if (PyUnicode_CheckExact(object.ptr()) || is_instance_of(object, "torch", "dtype")) return true;
  if (PyType_Check(object.ptr())) {
    if ((PyType_GetFlags(reinterpret_cast<PyTypeObject*>(object.ptr())) & Py_TPFLAGS_HEAPTYPE) == 0) return true;
    const nb::object module = object.attr("__module__");
    const auto is = [&](const char* name) { return PyUnicode_CompareWithASCIIString(module.ptr(), name) == 0; };
    return PyUnicode_Check(module.ptr()) && (is("ml_dtypes") || is("jax.numpy"));
  }
  static nb::object* const dtype = new nb::object(nb::module_::import_("numpy").attr("dtype"));  // never destroyed
  return nb::isinstance(object, *dtype);
}

Type resolve(nb::handle object) {
  if (nb::isinstance<nb::str>(object)) return type_of_text(object);
  if (nb::hasattr(object, "__castforge_type__")) {
    const nb::object named = object.attr("__castforge_type__");
    if (nb::isinstance<TypeName>(named)) return made_instance<TypeName>(named)->type;
    raise("UnknownType", "__castforge_type__: expected a pycastforge.Type, found " + quoted(named));
  }
  if (PyBool_Check(object.ptr())) raise("UnknownType", "expected a type, found " + quoted(object));
  if (is_numpy_scalar(object)) {  // its type is that of an element, not what it means
    if (!PyIndex_Check(object.ptr())) raise("UnknownType", "expected a type, found " + quoted(object));
    return resolve(nb::steal(PyNumber_Index(object.ptr())));
  }
  if (nb::isinstance<nb::int_>(object)) {
    int overflow = 0;
    const std::string number = std::to_string(PyLong_AsLongLongAndOverflow(object.ptr(), &overflow));
    if (overflow != 0) raise("UnknownType", "no type has a number of more than 64 bits in ONNX");
    if (const auto type = castforge::find_type_in("onnx_enum", number)) return *type;
    raise("UnknownType", "no type has the number " + number + " in ONNX");
  }
  if (is_instance_of(object, "torch", "dtype")) {
    std::string name = nb::str(object).c_str();
    name = name.substr(name.rfind('.') + 1);
    if (const auto type = castforge::find_type_in("torch", name)) return *type;
    raise("UnknownType", "torch." + name + " is no type that castforge knows");
  }
  const nb::object numpy = nb::module_::import_("numpy");
  nb::object dtype;
  if (nb::isinstance(object, numpy.attr("dtype"))) {
    dtype = nb::borrow(object);
  } else if (nb::isinstance<nb::type_object>(object) || nb::hasattr(object, "dtype")) {
    try {
      dtype = numpy.attr("dtype")(object);
    } catch (const nb::python_error&) {
    }
  }
  if (!dtype.is_valid()) {
    raise("UnknownType",
          "expected the name of a type, a dtype of numpy, ml_dtypes, torch or jax, or a number of ONNX; "
          "found " +
              quoted(object));
  }
  return type_of_numpy(dtype);
}

nb::dict aliases_of(Type type) {
  nb::dict aliases;
  for (std::size_t i = 0; i < castforge::alias_count(type); ++i) {
    const castforge::TypeAlias alias = castforge::alias(type, i);
    const nb::str system = text(alias.system);
    nb::list names = aliases.contains(system) ? nb::cast<nb::list>(aliases[system]) : nb::list();
    names.append(text(alias.name));
    aliases[system] = names;
  }
  return aliases;
}

/// By id. Never deleted: another thread may read it.
const std::vector<StorageFacts>* read_storage_facts() {
  auto& facts = *new std::vector<StorageFacts>;
  for (const Type type : all_types()) {
    const TypeInfo info = castforge::type_info(type);
    const auto at = static_cast<std::size_t>(info.id);
    if (facts.size() <= at) facts.resize(at + 1);
    facts[at] = {true, info.storage_bits, info.packing};
    if (info.storage_bits == 0) continue;
    facts[at].in_words = !castforge::is_natural_width(info.storage_bits);
    facts[at].word_bytes = castforge::storage_unit(info.storage_bits) / 8;
  }
  return &facts;
}

std::atomic<const std::vector<StorageFacts>*>& storage_facts() {
  static std::atomic<const std::vector<StorageFacts>*> facts = read_storage_facts();
  return facts;
}

}  // namespace

bool has_numpy_dtype(Type type) {
  return !castforge::alias(type, "ml_dtypes").empty() || !castforge::alias(type, "numpy").empty();
}

const StorageFacts& storage_of(Type type) {
  const auto at = static_cast<std::size_t>(type);
  const auto* facts = storage_facts().load();
  // Types may be loaded at any time, by other threads and by other users of the library.
  if (at >= facts->size() || !(*facts)[at].known) storage_facts() = facts = read_storage_facts();
  return (*facts)[at];
}

Type type_of(nb::handle object) {
  if (const auto seen = seen_objects().find(object)) return *seen;
  if (nb::isinstance<TypeName>(object)) return made_instance<TypeName>(object)->type;
  const Type type = resolve(object);
  if (is_lasting(object)) seen_objects().add(object, type);
  return type;
}

nb::object numpy_dtype(Type type) {
  static nb::ft_mutex mutex;
  static auto& known = *new std::unordered_map<int, nb::object>;
  {
    const nb::ft_lock_guard guard(mutex);
    const auto found = known.find(static_cast<int>(type));
    if (found != known.end()) return found->second;
  }
  nb::object dtype;
  const nb::object numpy = nb::module_::import_("numpy");
  const std::string_view name = castforge::alias(type, "ml_dtypes");
  if (!name.empty()) {
    nb::object package;
    try {
      package = nb::module_::import_("ml_dtypes");
    } catch (const nb::python_error&) {
    }
    if (!package.is_valid() || !nb::hasattr(package, std::string(name).c_str())) {
      raise("UnknownType", "numpy arrays of " + std::string(castforge::name(type)) + " take ml_dtypes." +
                               std::string(name) + ", and the package ml_dtypes is " +
                               (package.is_valid() ? "too old" : "not installed") +
                               "; install it, or ask for layout=\"packed\"");
    }
    dtype = numpy.attr("dtype")(package.attr(std::string(name).c_str()));
  } else {
    const std::string_view descriptor = castforge::alias(type, "numpy");
    if (descriptor.empty()) {
      raise("UnknownType",
            "numpy and ml_dtypes have no " + std::string(castforge::name(type)) + "; its arrays are layout=\"packed\"");
    }
    dtype = numpy.attr("dtype")(text(descriptor));
  }
  const nb::ft_lock_guard guard(mutex);
  return known.emplace(static_cast<int>(type), dtype).first->second;
}

nb::object type_object(Type type) {
  static nb::ft_mutex mutex;
  static auto& known = *new std::unordered_map<int, nb::object>;
  const nb::ft_lock_guard guard(mutex);
  nb::object& object = known[static_cast<int>(type)];
  if (!object.is_valid()) object = nb::cast(TypeName{type});
  return object;
}

void bind_types(nb::module_& module) {
  nb::class_<TypeName>(module, "Type",
                       R"(A number format. There is one object per format: compare with ``is`` or ``==``.

>>> import pycastforge as cf
>>> t = cf.dtype("F8_E4M3")
>>> t.name, t.bits, t.kind
('float8e4m3fn', 8, 'float')
>>> t.aliases["torch"]
['float8_e4m3fn'])")
      .def_prop_ro(
          "name", [](const TypeName& t) { return text(castforge::name(t.type)); }, "The canonical name.")
      .def_prop_ro(
          "bits", [](const TypeName& t) { return castforge::type_info(t.type).storage_bits; },
          "Bits of one element in memory; 0 for strings.")
      .def_prop_ro(
          "kind", [](const TypeName& t) { return text(castforge::word_of(castforge::type_info(t.type).kind)); },
          "'float', 'integer', 'bool' or 'string'.")
      .def_prop_ro(
          "packing",
          [](const TypeName& t) -> nb::object {
            const TypeInfo info = castforge::type_info(t.type);
            if (info.storage_bits == 0 || castforge::is_natural_width(info.storage_bits)) return nb::none();
            return nb::str(info.packing == castforge::Packing::low_first ? "low_first" : "high_first");
          },
          "For elements that share bytes: 'low_first' or 'high_first'; None for all others.")
      .def_prop_ro(
          "aliases", [](const TypeName& t) { return aliases_of(t.type); },
          "Its names in other systems: a dict from system to list of names.")
      .def_prop_ro(
          "doc", [](const TypeName& t) { return text(castforge::type_info(t.type).doc); }, "A sentence about it.")
      .def_prop_ro(
          "numpy", [](const TypeName& t) { return numpy_dtype(t.type); },
          "The dtype of numpy or ml_dtypes; UnknownType where there is none.")
      .def("__repr__",
           [](const TypeName& t) { return "pycastforge.dtype('" + std::string(castforge::name(t.type)) + "')"; })
      .def("__str__", [](const TypeName& t) { return text(castforge::name(t.type)); })
      .def("__hash__", [](const TypeName& t) { return static_cast<Py_hash_t>(t.type); })
      .def(
          "__eq__",
          [](const TypeName& t, nb::handle other) {
            return nb::isinstance<TypeName>(other) && made_instance<TypeName>(other)->type == t.type;
          },
          nb::arg("other").none())
      .def(
          "__reduce__",
          [](const TypeName& t) {
            return nb::module_::import_("pycastforge._formats").attr("_pickled")(text(castforge::name(t.type)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));

  module.def(
      "dtype", [](nb::handle name) { return type_object(type_of(name)); }, nb::arg("name").none(),
      nb::sig("def dtype(name: typing.Any) -> Type"),
      R"(The type that `name` means: a name or alias of castforge's in any letter case, a dtype of numpy,
ml_dtypes, torch or jax, or a number of ONNX's TensorProto.DataType. Short names count bits, where NumPy's type codes
count bytes: "i8" is int8, numpy.dtype("i8") is int64. Raises UnknownType, with the nearest name.

>>> import numpy, pycastforge as cf
>>> cf.dtype("float8_e4m3fn") is cf.dtype(17)
True
>>> cf.dtype(numpy.float32).name
'float32'
>>> cf.dtype("i8").name, cf.dtype(numpy.dtype("i8")).name
('int8', 'int64')
>>> cf.dtype("float8e4m3f")
Traceback (most recent call last):
...
pycastforge.UnknownType: unknown type "float8e4m3f": did you mean float8e4m3fn? pycastforge.dtypes() shows all)");

  module.def(
      "dtypes",
      [] {
        nb::list all;
        for (const Type type : all_types()) all.append(type_object(type));
        return all;
      },
      nb::sig("def dtypes() -> list[Type]"), R"(All types of the library.

>>> import pycastforge as cf
>>> "float6e2m3" in [t.name for t in cf.dtypes()]
True)");
}

}  // namespace pycastforge
