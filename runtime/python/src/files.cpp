#include "files.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "options.hpp"

#include "cli/convert/checkpoint.hpp"
#include "cli/convert/convert.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/formats/tensor_proto.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <castforge/castforge.hpp>

#include <nanobind/stl/unique_ptr.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pycastforge {
namespace {

namespace cli = castforge::cli;

/// Does the work; what fails there is raised here: OSError, or BadFile.
template <class Work>
auto with_files(const Work& work) {
  try {
    return work();
  } catch (const cli::Failure& failure) {
    raise(failure);
  }
}

std::string path_of(nb::handle path) {
  const nb::object name = nb::module_::import_("os").attr("fsencode")(path);
  const auto bytes = nb::borrow<nb::bytes>(name);
  check_file_name({bytes.c_str(), bytes.size()});
  return {bytes.c_str(), bytes.size()};
}

std::vector<std::int64_t> extents_of(const cli::Shape& shape) { return {shape.begin(), shape.end()}; }

/// An array of the family that results are to have.
Array like_family(nb::handle framework) {
  const std::string_view word = text_or_none(framework, "framework");
  if (word == "numpy") return Array();
  if (word == "torch") return array_of(nb::module_::import_("torch").attr("empty")(0), "torch");
  raise_builtin(PyExc_ValueError, "framework: expected \"numpy\" or \"torch\", found " + quoted(framework));
}

/// A new array of dense elements that `fill` writes.
template <class Fill>
nb::object filled_array(const Array& like, const cli::Shape& shape, Type type, Layout layout, const Fill& fill) {
  const NewArray made = new_array(like, extents_of(shape), type, layout);
  if (!made.array.in_words) {
    fill(made.array.data, made.array.bytes);
  } else {
    const std::size_t bytes = dense_bytes(type, made.array.count);
    const auto dense = std::make_unique_for_overwrite<unsigned char[]>(bytes);
    fill(dense.get(), bytes);
    spread_elements(dense.get(), made.array);
  }
  return made.finish.is_valid() ? made.finish(made.result) : made.result;
}

/// An opened safetensors file.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::string& path, nb::handle framework)
      : framework_(nb::borrow(framework)), file_(path), header_(file_) {
    like_family(framework);  // complains now rather than later
    for (std::size_t i = 0; i < header_.size(); ++i) positions_[header_.name(i)] = i;
  }

  nb::list keys() const {
    nb::list names;
    for (std::size_t i = 0; i < header_.size(); ++i) names.append(text(header_.name(i)));
    return names;
  }

  std::size_t size() const { return header_.size(); }
  bool contains(const std::string& name) const { return positions_.contains(name); }

  nb::object get(const std::string& name, nb::handle layout) {
    const cli::SafetensorsEntry entry = entry_of(name);
    const auto type = cli::type_of_dtype(entry.dtype);
    if (!type) {
      raise("UnknownType",
            file_.name() + ": tensor " + cli::in_quotes(name) + " is of dtype " + entry.dtype + ", which no type is");
    }
    const auto read = [&](void* to, std::size_t size) {
      if (size == 0) return;
      const GilRelease release(size);
      file_.read_exactly(header_.data_offset() + entry.begin, to, size, "elements");
    };
    return with_files(
        [&] { return filled_array(like_family(framework_), entry.shape, *type, layout_of(layout), read); });
  }

  nb::tuple about(const std::string& name) const {
    const cli::SafetensorsEntry entry = entry_of(name);
    return nb::make_tuple(text(entry.dtype), shape_tuple(extents_of(entry.shape)));
  }

  std::string metadata() const { return std::string(header_.metadata()); }

 private:
  cli::SafetensorsEntry entry_of(const std::string& name) const {
    const auto found = positions_.find(name);
    if (found == positions_.end()) {
      raise_builtin(PyExc_KeyError, file_.name() + " has no tensor " + cli::in_quotes(name));
    }
    return with_files([&] { return header_.tensor(found->second); });
  }

  nb::object framework_;
  cli::InputFile file_;
  cli::SafetensorsHeader header_;
  std::map<std::string, std::size_t> positions_;
};

void save_safetensors(const nb::dict& tensors, nb::handle path, const nb::object& metadata) {
  const std::string target = path_of(path);
  struct Tensor {
    Array array;
    std::string name;  // as JSON
    std::string dtype;
  };
  std::vector<Tensor> all;
  with_files([&] {
    for (const auto& [key, value] : tensors) {
      const std::string name(text_of(key, "name of a tensor"));
      Tensor tensor{array_of(value, ("tensor " + name).c_str()), cli::json_text(name), {}};
      tensor.dtype = cli::dtype_of_type(target, tensor.array.type);
      all.push_back(std::move(tensor));
    }
    // As the format's own library does: the widest first, so that every element is aligned.
    std::stable_sort(all.begin(), all.end(), [](const Tensor& a, const Tensor& b) {
      return storage_of(a.array.type).bits > storage_of(b.array.type).bits;
    });
    std::string about;
    if (!metadata.is_none()) {
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (const auto& [key, value] : nb::cast<nb::dict>(metadata)) {
        object[std::string(text_of(key, "metadata"))] = std::string(text_of(value, "metadata"));
      }
      about = object.dump();
    }
    std::vector<cli::SafetensorsEntry> entries;
    std::uint64_t end = 0;
    for (const Tensor& tensor : all) {
      cli::SafetensorsEntry entry{.name_token = tensor.name,
                                  .dtype = tensor.dtype,
                                  .shape = {tensor.array.shape().begin(), tensor.array.shape().end()},
                                  .count = tensor.array.count};
      cli::lay_out(target, entry, storage_of(tensor.array.type).bits, end);
      end = entry.end;
      entries.push_back(std::move(entry));
    }
    const GilRelease release(end);
    cli::OutputFile file(target);
    cli::write_safetensors_header(file, about, entries.size(), [&](std::size_t i) { return entries[i]; });
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::unique_ptr<unsigned char[]> buffer;
      const void* const dense = dense_elements(all[i].array, buffer);
      if (entries[i].end != entries[i].begin) file.write(dense, entries[i].end - entries[i].begin);
    }
    file.commit();
    return 0;
  });
}

nb::str text_in_file(std::string_view given, const char* what) {
  PyObject* const made = PyUnicode_DecodeUTF8(given.data(), static_cast<Py_ssize_t>(given.size()), "strict");
  if (made != nullptr) return nb::steal<nb::str>(made);
  PyErr_Clear();
  raise("BadFile", std::string("TensorProto: ") + what + " is no UTF-8");
}

/// A serialized TensorProto: its name, and its elements as a new array.
nb::tuple read_tensor_proto(const nb::bytes& message, nb::handle framework, nb::handle layout) {
  return with_files([&] {
    cli::InputFile file("TensorProto",
                        std::as_bytes(std::span(static_cast<const char*>(message.data()), message.size())));
    cli::TensorProtoSource source(file, std::nullopt);
    const cli::TensorInfo& info = source.info();
    const nb::str name = text_in_file(info.name, "the name");
    if (cli::is_string(info.type)) {
      nb::list texts;
      const auto reader = source.texts();
      for (cli::TextBlock block; reader->read(block);) {
        for (std::size_t i = 0; i < block.size(); ++i) texts.append(text_in_file(block[i], "a string"));
      }
      return nb::make_tuple(name, nb::module_::import_("numpy")
                                      .attr("array")(texts, "str")
                                      .attr("reshape")(shape_tuple(extents_of(info.shape))));
    }
    const nb::object array =
        filled_array(like_family(framework), info.shape, info.type, layout_of(layout), [&](void* to, std::size_t) {
          const std::size_t wanted = (*info.count + 7) / 8 * 8;
          std::uint64_t surplus[8];  // of an empty array, which has no place for any
          const std::size_t got =
              wanted == 0 ? source.elements()->read(surplus, 8) : source.elements()->read(to, wanted);
          if (got != *info.count) {
            throw cli::bad_file("TensorProto", cli::text("expected ", *info.count, " elements, found ", got));
          }
        });
    return nb::make_tuple(name, array);
  });
}

/// Elements of an array as kernels read them.
nb::tuple elements_of(nb::handle x, bool copy) {
  const Array array = array_of(x, "x", copy ? IfStrided::copy : IfStrided::refuse);
  std::unique_ptr<unsigned char[]> buffer;
  const void* const dense = dense_elements(array, buffer);
  return nb::make_tuple(nb::bytes(dense, dense_bytes(array.type, array.count)), type_object(array.type),
                        shape_tuple(array.shape()));
}

nb::list names_of_shards(nb::handle source) {
  const std::string path = path_of(source);
  nb::list names;
  with_files([&] {
    const cli::Checkpoint checkpoint(path);
    for (const cli::Shard& shard : checkpoint.shards()) names.append(text_with_paths(shard.name));
    return 0;
  });
  return names;
}

/// One part of a checkpoint: a list of (name, outcome, message, seconds, bytes read, bytes written).
nb::list convert_part(nb::handle source, nb::handle target, const std::string& plan_text, nb::handle plan_name,
                      std::size_t part, std::size_t parts, int threads, bool verify) {
  const Threads checked(threads);
  cli::ConvertOptions options;
  options.source = path_of(source);
  options.target = path_of(target);
  const std::string called = path_of(plan_name);
  options.part = part;
  options.parts = parts;
  options.threads = static_cast<unsigned>(threads);
  options.verify = verify;
  const cli::ConvertResult result = with_files([&] {
    const nb::gil_scoped_release release;
    const cli::Plan plan = cli::parse_plan(plan_text, called);
    options.plan = &plan;
    return cli::convert_checkpoint(options);
  });
  nb::list shards;
  for (const cli::ShardResult& shard : result.shards) {
    shards.append(nb::make_tuple(text_with_paths(shard.name), text(cli::word(shard.outcome)),
                                 text_with_paths(shard.message), shard.seconds, shard.bytes_read, shard.bytes_written));
  }
  return shards;
}

void finish(nb::handle source, nb::handle target, bool verify) {
  const std::string from = path_of(source), to = path_of(target);
  with_files([&] {
    const nb::gil_scoped_release release;
    cli::finish_checkpoint(from, to, verify);
    return 0;
  });
}

}  // namespace

void bind_files(nb::module_& module) {
  nb::class_<SafetensorsFile>(
      module, "SafetensorsFile",
      "An opened safetensors file: a mapping from names to arrays, each read when it is asked for.")
      .def("keys", &SafetensorsFile::keys, nb::sig("def keys(self) -> list[str]"),
           "The names, in the order of the data.")
      .def(
          "get", &SafetensorsFile::get, nb::arg("name"), nb::kw_only(), nb::arg("layout") = nb::none(),
          nb::sig("def get(self, name: str, *, layout: typing.Literal['packed', 'bytes'] | None = None) -> typing.Any"),
          "A tensor, in a new array; layout as for cast().")
      .def("__getitem__", [](SafetensorsFile& f, const std::string& name) { return f.get(name, nb::none()); })
      .def("__len__", &SafetensorsFile::size)
      .def("__contains__", &SafetensorsFile::contains)
      .def("__iter__", [](const SafetensorsFile& f) { return nb::iter(f.keys()); })
      .def("about", &SafetensorsFile::about, nb::arg("name"),
           nb::sig("def about(self, name: str) -> tuple[str, tuple[int, ...]]"),
           "The file's own word for a tensor's type, and its shape; nothing is read.")
      .def_prop_ro(
          "metadata",
          [](const SafetensorsFile& f) {
            const std::string text = f.metadata();
            return nb::module_::import_("json").attr("loads")(text.empty() ? "{}" : text);
          },
          nb::sig("def metadata(self) -> dict[str, str]"), "The texts that the file has about itself.");

  module.def(
      "open_safetensors",
      [](nb::handle path, nb::handle framework) {
        const std::string name = path_of(path);
        return with_files([&] { return std::make_unique<SafetensorsFile>(name, framework); });
      },
      nb::arg("path").none(), nb::kw_only(), nb::arg("framework").none() = "numpy",
      nb::sig("def open_safetensors(path: str | os.PathLike[str], *, "
              "framework: typing.Literal['numpy', 'torch'] = 'numpy') -> SafetensorsFile"),
      R"(Opens a safetensors file, whatever the types of its tensors: arrays of numpy or torch, Packed where those have
no such type. The header is checked; BadFile says which byte or tensor is wrong, OSError what the system says.)");

  module.def("_save_safetensors", save_safetensors, nb::arg("tensors"), nb::arg("path"), nb::arg("metadata").none());
  module.def("_read_tensor_proto", read_tensor_proto, nb::arg("message"), nb::arg("framework"),
             nb::arg("layout").none());
  module.def("_elements", elements_of, nb::arg("x").none(), nb::arg("copy"));
  module.def("_shards", names_of_shards, nb::arg("source"));
  module.def("_convert_part", convert_part, nb::arg("source"), nb::arg("target"), nb::arg("plan"), nb::arg("plan_name"),
             nb::arg("part"), nb::arg("parts"), nb::arg("threads"), nb::arg("verify"));
  module.def("_finish", finish, nb::arg("source"), nb::arg("target"), nb::arg("verify"));
}

}  // namespace pycastforge
