// What the library has: op-sets, instruction sets, versions.
#include "library.hpp"

#include "errors.hpp"
#include "options.hpp"
#include "types.hpp"

#include "cli/verify/source_codes.hpp"

#include <castforge/castforge.hpp>

#include <cstring>

namespace pycastforge {
namespace {

nb::object choice_object(const castforge::AttributeChoice& choice) {
  return choice.word.empty() ? nb::object(nb::int_(choice.number)) : nb::object(text(choice.word));
}

nb::dict attributes_of(castforge::OpSet set) {
  nb::dict all;
  for (std::size_t i = 0; i < set.attribute_count(); ++i) {
    const castforge::AttributeInfo info = set.attribute(i);
    nb::list values;
    for (std::size_t k = 0; k < info.choice_count; ++k) values.append(choice_object(set.choice(i, k)));
    nb::dict one;
    one["values"] = values;
    one["default"] = choice_object(set.choice(i, info.default_choice));
    one["doc"] = text(info.doc);
    all[text(info.name)] = one;
  }
  return all;
}

nb::list types_of(castforge::OpSet set) {
  nb::list types;
  for (std::size_t i = 0; i < set.type_count(); ++i) types.append(type_object(set.type(i)));
  return types;
}

nb::dict info() {
  nb::list isas;
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) {
    const castforge::IsaInfo isa = castforge::isa(i);
    nb::dict one;
    one["name"] = text(isa.name);
    one["usable"] = isa.usable;
    one["active"] = isa.name == castforge::active_isa();
    if (isa.lesser_kernels != 0) {
      nb::dict lesser;
      lesser["name"] = text(isa.lesser);
      lesser["kernels"] = isa.lesser_kernels;
      one["lesser"] = lesser;
    }
    isas.append(one);
  }
  nb::dict all;
  all["version"] = castforge::version();
  all["manifest"] = castforge::manifest_hash();
  all["types"] = castforge::type_count();
  all["opsets"] = castforge::opset_count();
  all["kernels"] = castforge::kernel_count();
  all["isas"] = isas;
  return all;
}

/// Source codes as an array of uint64, and whether they are all that there are.
nb::tuple representative_codes(nb::handle type) {
  const TypeInfo info = castforge::type_info(type_of(type));
  if (info.storage_bits == 0) raise("UnknownType", "strings have no codes");
  const std::vector<std::uint64_t> codes = castforge::cli::representative_codes(info);
  const nb::object array = nb::module_::import_("numpy").attr("frombuffer")(
      nb::bytes(codes.data(), codes.size() * sizeof codes[0]), "uint64");
  return nb::make_tuple(array, castforge::cli::are_all_codes(info));
}

}  // namespace

void bind_library(nb::module_& module) {
  using castforge::OpSet;
  nb::class_<OpSet>(module, "OpSet",
                    "One version of one op-set: which types and pairs it admits, with which attributes.")
      .def_prop_ro(
          "name", [](OpSet s) { return text(s.name()); }, "\"onnx@23\"")
      .def_prop_ro(
          "family", [](OpSet s) { return text(s.family()); }, "\"onnx\"")
      .def_prop_ro(
          "version", [](OpSet s) { return text(s.version()); }, "\"23\"")
      .def_prop_ro(
          "operation", [](OpSet s) { return text(s.operation()); }, "\"cast\", \"bitcast\" or \"range\"")
      .def_prop_ro(
          "doc", [](OpSet s) { return text(s.doc()); }, "A sentence about it.")
      .def_prop_ro(
          "notation", [](OpSet s) { return text(s.notation()); },
          "How its system writes a conversion, with fields in braces; empty where it does not. kernel() reads that.")
      .def_prop_ro(
          "is_default", [](OpSet s) { return s.is_default(); },
          "Whether it serves its operation where no op-set is named.")
      .def_prop_ro("types", types_of, nb::sig("def types(self) -> list[Type]"), "The types that it admits.")
      .def_prop_ro("attributes", attributes_of, "By name: a dict of \"values\", \"default\" and \"doc\".")
      .def(
          "admits", [](OpSet s, nb::handle src, nb::handle dst) { return s.admits(type_of(src), type_of(dst)); },
          nb::arg("src"), nb::arg("dst"), nb::sig("def admits(self, src: typing.Any, dst: typing.Any) -> bool"),
          "Whether it converts between two types.")
      .def("__hash__", [](OpSet s) { return nb::hash(text(s.name())); })
      .def(
          "__eq__", [](OpSet s, OpSet other) { return other.name() == s.name(); }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](OpSet s) { return "OpSet(" + std::string(s.name()) + ")"; });

  module.def(
      "opsets",
      [] {
        nb::list all;
        for (const OpSet set : all_of(castforge::opset_count, castforge::opset)) all.append(set);
        return all;
      },
      nb::sig("def opsets() -> list[OpSet]"),
      R"(All op-sets of the library. Wherever one is named, one of these will do.

>>> import pycastforge as cf
>>> [s.name for s in cf.opsets() if s.is_default and s.operation == "cast"]
['onnx@28'])");

  module.def(
      "info", info, nb::sig("def info() -> dict[str, typing.Any]"),
      R"(Version, hash over the meanings of all kernels, numbers of types, op-sets and kernels, and the instruction
sets: which the library was built for, which this machine can run, which is used. Where some kernels of a set run as on
a lesser one, because that is faster on this processor, `lesser` has the name of that and their number.

>>> import pycastforge as cf
>>> sorted(cf.info())
['isas', 'kernels', 'manifest', 'opsets', 'types', 'version'])");

  module.def(
      "_find_opset",
      [](nb::handle name, const std::string& operation) {
        const std::string_view given = opset_name(name);
        OpSet found;
        if (given.empty()) return castforge::default_opset(operation).value_or(found);
        check(castforge::find_opset(given, found));
        return found;
      },
      nb::arg("name").none(), nb::arg("operation"));
  module.def("_representative_codes", representative_codes);
}

}  // namespace pycastforge
