// Names of op-sets to their places, also where many share a slot and where there is no room for all.
#include "src/name_index.hpp"

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

namespace {

using Row = castforge::tables::OpSet;

/// Op-sets that have nothing but names.
class Named {
 public:
  explicit Named(std::vector<std::string> names) : names_(std::move(names)), tables_(names_.size()) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      tables_[i].name = names_[i].c_str();
      pointers_.push_back(&tables_[i]);
    }
  }
  const Row* find(std::string_view name, std::size_t slots) const {
    std::vector<std::uint16_t> taken(slots);
    castforge::name_index::fill(taken, pointers_);
    return castforge::name_index::find(taken, pointers_, name);
  }
  const Row* at(std::size_t index) const { return &tables_[index]; }

 private:
  std::vector<std::string> names_;
  std::vector<Row> tables_;
  std::vector<const Row*> pointers_;
};

}  // namespace

TEST_CASE("every name is found at its own place, and no other name") {
  std::vector<std::string> names = {"", "a", "@", "a@1", "onnx-reference@21", "onnx-castlike@21"};
  for (int i = 0; i < 250; ++i) names.push_back("system@" + std::to_string(i));
  const Named named(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO(names[i]);
    CHECK(named.find(names[i], castforge::name_index::slot_count(names.size())) == named.at(i));
    CHECK(named.find(names[i] + "x", castforge::name_index::slot_count(names.size())) == nullptr);
  }
}

TEST_CASE("of names that are alike the first is found; without room some are left out, and the search ends") {
  CHECK(Named({"a@1", "a@1"}).find("a@1", 8) != nullptr);
  const Named twice({"b@1", "a@1", "a@1"});
  CHECK(twice.find("a@1", 8) == twice.at(1));
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back("f@" + std::to_string(i));
  const Named many(names);
  CHECK(many.find("f@3", 8) == many.at(3));
  CHECK(many.find("f@4", 8) == nullptr);
  CHECK(many.find("g", 8) == nullptr);
}

TEST_CASE("every op-set of the library is found by its own name") {
  for (std::size_t i = 0; i < castforge::opset_count(); ++i) {
    const auto name = castforge::opset(i).name();
    INFO(name);
    castforge::OpSet found;
    REQUIRE(castforge::find_opset(name, found));
    CHECK(found.name() == name);
  }
}

TEST_CASE("versions of a family are looked for at different slots") {
  const std::size_t count = castforge::opset_count(), slots = castforge::name_index::slot_count(count);
  std::set<std::size_t> first;
  for (std::size_t i = 0; i < count; ++i)
    first.insert(castforge::name_index::first_slot(castforge::opset(i).name(), slots));
  CHECK(3 * first.size() >= 2 * count);
}
