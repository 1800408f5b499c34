#include "emit/files.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "driver/functions.hpp"
#include "emit/kernel_file.hpp"
#include "emit/operation_files.hpp"
#include "emit/opset_files.hpp"
#include "emit/table_files.hpp"
#include "emit/unit_files.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using driver::Kernel;

class Emitter {
 public:
  explicit Emitter(const Tree& tree) : tree_(tree) {}

  FileSet run() {
    kernels();
    files_.merge(unit_files(tree_));
    files_.merge(table_files(tree_));
    files_.merge(opset_files(tree_));
    sources();
    index();
    manifest();
    files_["operations.hpp"] = lane_operations(tree_.templates);
    if (tree_.catalogue.beside.empty()) {
      files_["OPERATIONS.md"] = operations_page(tree_.templates);
      files_["README.md"] = tree_.templates.render("generated_readme.md", {});
    }
    return std::move(files_);
  }

 private:
  void kernels() {
    std::map<std::string, std::vector<const Kernel*>> pairs;
    for (const Kernel& kernel : tree_.catalogue.kernels) {
      pairs[pair_path(kernel.meaning)].push_back(&kernel);
      destinations_.insert(kernel.meaning.dst->name);
    }
    for (const auto& [path, list] : pairs) {
      PairFiles pair = pair_files(tree_.templates, tree_.processors, list);
      files_.merge(pair.files);
      if (!pair.files.empty())  // merge() leaves what has no place
        throw std::logic_error("two pairs of types have one file " + pair.files.begin()->first);
      kernel_paths_.merge(pair.kernel_paths);
    }
    pair_count_ = pairs.size();
    kernel_file_count_ = files_.size();
  }

  void sources() {
    Fields fields;
    for (const auto& [path, content] : files_) {
      if (path.rfind("units/", 0) == 0 && path.ends_with(".cpp")) fields.lists["units"].push_back(field("path", path));
      if (path.rfind("tables/", 0) == 0 && path.ends_with(".cpp"))
        fields.lists["tables"].push_back(field("path", path));
    }
    for (const std::string& name : destinations_) fields.lists["destinations"].push_back(field("name", name));
    files_["sources.cmake"] = tree_.templates.render("sources.cmake", fields);
  }

  void index() {
    std::map<std::pair<std::string, std::string>, int> count;
    std::set<std::string> sources;
    for (const Kernel& kernel : tree_.catalogue.kernels) {
      ++count[{kernel.meaning.src->name, kernel.meaning.dst->name}];
      sources.insert(kernel.meaning.src->name);
    }
    Fields fields = field("kernel_count", std::to_string(tree_.catalogue.kernels.size()));
    fields.words["pair_count"] = std::to_string(pair_count_);
    fields.words["file_count"] = std::to_string(kernel_file_count_);
    fields.words["opset_count"] = std::to_string(tree_.catalogue.opsets.size());
    for (const std::string& dst : destinations_) fields.lists["destinations"].push_back(field("dst", dst));
    for (const std::string& src : sources) {
      Fields row = field("src", src);
      for (const std::string& dst : destinations_) {
        Fields cell;
        if (const auto found = count.find({src, dst}); found != count.end())
          cell.lists["kernels"].push_back({{{"count", std::to_string(found->second)}, {"src", src}, {"dst", dst}}, {}});
        row.lists["cells"].push_back(cell);
      }
      fields.lists["rows"].push_back(row);
    }
    files_["INDEX.md"] = tree_.templates.render("index.md", fields);
  }

  void manifest() {
    Fields fields;
    for (std::size_t at = 0; at < tree_.catalogue.kernels.size(); ++at) {
      const Kernel& kernel = tree_.catalogue.kernels[at];
      const evidence::KernelEvidence verified = tree_.evidence.of(kernel);
      std::vector<std::string> plans, programs, marks;
      for (std::size_t i = 0; i < kernel.programs.size(); ++i) {
        plans.push_back(kernel.programs[i].id);
        programs.push_back(verified.plans[i].program);
        marks.push_back(verified.plans[i].word());
      }
      fields.lists["kernels"].push_back({{{"name", kernel.name},
                                          {"file", kernel_paths_.at(&kernel)},
                                          {"hash", kernel.hash},
                                          {"plans", spec::join(plans, ",")},
                                          {"programs", spec::join(programs, ",")},
                                          {"verified", spec::join(marks, ",")},
                                          {"swept", spec::join(verified.swept, ",")},
                                          {"opsets", spec::join({kernel.opsets.begin(), kernel.opsets.end()}, ",")},
                                          {"text", kernel.text},
                                          {"function", tree_.catalogue.kernels[tree_.functions[at]].name}},
                                         {}});
    }
    files_["MANIFEST.tsv"] = tree_.templates.render("manifest.tsv", fields);
  }

  const Tree& tree_;
  FileSet files_;
  std::map<const Kernel*, std::string> kernel_paths_;
  std::set<std::string> destinations_;
  std::size_t pair_count_ = 0, kernel_file_count_ = 0;
};

}  // namespace

FileSet emit_all(const driver::Catalogue& catalogue, const evidence::Evidence& evidence,
                 const evidence::Processors& processors, const Templates& templates) {
  const Tree tree{catalogue, evidence, processors, templates, driver::functions(catalogue.kernels)};
  return Emitter(tree).run();
}

}  // namespace castforge::emit
