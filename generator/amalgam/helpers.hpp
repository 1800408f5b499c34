// The C functions that amalgams are made of: templates/amalgam/, one file per instruction set.
//
// A file begins with what the printers must know of its set, then holds functions and macros:
//
//   //@ base x86                    the helpers of that file too; those here come before them
//   //@ arch __x86_64__             the macro of compilers for machines that may have it
//   //@ bytes 32                    of a vector
//   //@ target avx2,fma             what functions say in __attribute__((target))
//   //@ runs NAME(LEAVES)           the condition on cpuid words under which a machine runs it
//   //@ order 16_8 2                in which order packs from 16 to 8 bits leave elements (runtime/simd/batch.hpp)
//   //@ word V __m256i              @V below stands for this
//
// A helper begins with "@FN ", "static " or "#define " in the first column and ends where the next one begins or at an
// empty line; comment lines above belong to it. $name is a helper, itself or one that it calls; in the amalgam it has
// the name of the instruction set before it. A helper with @W in it is one for each of the widths 8, 16, 32, 64.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace castforge::amalgam {

/// An instruction set, and the helpers that its kernels have asked for.
class Target {
 public:
  /// Reads `folder`/`name`.h and the files it builds on. Throws std::runtime_error with file and line.
  Target(const std::filesystem::path& folder, std::string name);

  const std::string& name() const { return name_; }
  /// "" where the file does not say.
  std::string setting(const std::string& key) const;
  int number(const std::string& key, int otherwise) const;
  std::string word(const std::string& key) const { return setting("word " + key); }

  bool has(const std::string& helper) const { return helpers_.contains(helper); }
  /// The name in C of a helper, which is printed from now on. One that there is not is remembered as missing.
  std::string use(const std::string& helper);

  /// What use() was asked for in vain since the last call: "no A, B", or nothing.
  std::string take_missing();
  /// Those asked for and all that these call, each before its callers; `function` is what @FN stands for.
  std::string text(const std::string& function) const;
  /// For a kernel that turns out not to be possible: what use() has marked since is forgotten.
  std::set<std::string> used() const { return used_; }
  void forget_since(const std::set<std::string>& used) { used_ = used; }

 private:
  std::string name_;
  std::map<std::string, std::string> settings_, helpers_;
  std::set<std::string> used_, missing_;
};

/// Puts `to` in the place of every `from`.
void replace_all(std::string& text, const std::string& from, const std::string& to);

/// The names of the files in `folder` that are instruction sets, without ".h": those that state `bytes`.
std::vector<std::string> targets_in(const std::filesystem::path& folder);

}  // namespace castforge::amalgam
