// The audit report: complete, self-contained, well-formed, escaped.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <set>

#include "support.hpp"

using namespace castforge::generating;

namespace {

/// What is wrong with the nesting of tags; empty where nothing is.
std::string nesting(const std::string& page) {
  static const std::set<std::string> kVoid = {"meta", "link", "input", "br", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const std::string inside = page.substr(at + 1, end - at - 1);
    if (inside.empty() || inside.find('<') != std::string::npos) return "a stray < before " + inside.substr(0, 40);
    const bool closing = inside.front() == '/';
    const std::string name = inside.substr(closing, inside.find_first_of(" \n/>", closing) - closing);
    at = end;
    if (kVoid.contains(name) || inside.back() == '/') continue;
    if (!closing) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

std::vector<std::string> attributes(const std::string& page, const std::string& name) {
  std::vector<std::string> values;
  for (std::size_t at = 0; (at = page.find(" " + name + "=\"", at)) != std::string::npos;) {
    at += name.size() + 3;
    values.push_back(page.substr(at, page.find('"', at) - at));
  }
  return values;
}

/// Nothing is loaded from outside, every link and anchor has its target.
void check_report(const Tree& files) {
  for (const auto& [path, text] : files) {
    if (!path.ends_with(".html")) {
      CHECK(text.find("@import") == std::string::npos);
      CHECK(text.find("url(") == std::string::npos);
      continue;
    }
    INFO(path);
    CHECK(nesting(text) == "");
    CHECK(text.find("http://") == std::string::npos);
    CHECK(text.find("https://") == std::string::npos);
    CHECK(text.find("style=") == std::string::npos);
    std::vector<std::string> links = attributes(text, "href");
    const std::vector<std::string> sources = attributes(text, "src");
    links.insert(links.end(), sources.begin(), sources.end());
    CHECK_FALSE(links.empty());
    for (const std::string& link : links) {
      const std::size_t hash = link.find('#');
      const fs::path target =
          hash == 0 ? fs::path(path) : (fs::path(path).parent_path() / link.substr(0, hash)).lexically_normal();
      INFO(link);
      const auto found = files.find(target.generic_string());
      REQUIRE(found != files.end());
      if (hash != std::string::npos)
        CHECK(found->second.find("id=\"" + link.substr(hash + 1) + "\"") != std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("the checks of the report notice what they are for") {
  CHECK(nesting("<p>a<b>c</b></p><br/>") == "");
  CHECK(nesting("<p>a<b>c</p></b>") != "");
  CHECK(nesting("<p>a") != "");
  CHECK(nesting("<p>a < b</p>") != "");
}

TEST_CASE("audit writes a page for every pair, and nothing that needs anything else") {
  const Folder folder;
  const Run run = gen(folder.path(), "audit -o report");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  const Tree files = tree(folder / "report");
  std::size_t bytes = 0;
  for (const auto& [path, text] : files) bytes += text.size();
  CHECK(bytes < 30'000'000);
  check_report(files);

  // Every kernel of the manifest, and every conversion of strings that an op-set has.
  const std::string manifest = read(source_tree() / "generated/MANIFEST.tsv");
  std::size_t kernels = 0;
  for (std::size_t at = manifest.find('\n') + 1; at < manifest.size(); at = manifest.find('\n', at) + 1, ++kernels) {
    const std::string name = manifest.substr(at, manifest.find('\t', at) - at);
    const std::size_t to = name.find("_to_"), end = name.find("__");
    const std::string page = "pairs/" + name.substr(0, to) + "--" + name.substr(to + 4, end - to - 4) + ".html";
    INFO(name);
    REQUIRE(files.contains(page));
    const std::string& text = files.at(page);
    const std::size_t section = text.find("<section id=\"" + name + "\">");
    REQUIRE(section != std::string::npos);
    const std::string part = text.substr(section, text.find("</section>", section) - section);
    for (const char* what : {"<svg ", "class=\"result\"", "Truth table", "<pre>struct ", "sha256:", "class=\"mark "}) {
      if (part.find(what) == std::string::npos) FAIL_CHECK("no " << what);
    }
  }
  CHECK(kernels > 1000);
  std::size_t pages = 0;
  for (const auto& [path, text] : files) pages += path.starts_with("pairs/");
  CHECK(attributes(files.at("index.html"), "title").size() == pages);

  // What the index searches leads somewhere.
  const std::string& script = files.at("search.js");
  const std::size_t begin = script.find("entries = ") + 10;
  const auto entries = nlohmann::json::parse(script.substr(begin, script.find(";\n", begin) - begin));
  CHECK(entries.size() >= kernels);
  for (const auto& entry : entries) {
    const std::string link = entry.at(0);
    const std::size_t hash = link.find('#');
    REQUIRE(files.contains(link.substr(0, hash)));
    if (files.at(link.substr(0, hash)).find("id=\"" + link.substr(hash + 1) + "\"") == std::string::npos)
      FAIL_CHECK(link);
  }
  CHECK(shell(folder / "report", "sha256sum --quiet -c SHA256SUMS").code == 0);
}

TEST_CASE("audit: an earlier report is replaced, another folder is not") {
  const Folder folder;
  small_specs(folder);
  const std::string command = "audit --specs specs -o report";
  REQUIRE(gen(folder.path(), command).code == 0);
  const Tree first = tree(folder / "report");
  CHECK(first.contains("pairs/float32--float8e4m3fn.html"));
  check_report(first);
  const std::string gone = std::string(64, '0') + "  pairs/gone.html\n" + std::string(64, '0') + "  ../kept.txt\n" +
                           std::string(64, '0') + "  kept.txt\n";
  write(folder / "report/SHA256SUMS", gone + first.at("SHA256SUMS"));
  write(folder / "report/pairs/gone.html", "old");
  write(folder / "report/kept.txt", "mine");
  write(folder / "kept.txt", "kept");
  REQUIRE(gen(folder.path(), command).code == 0);
  CHECK(read(folder / "report/kept.txt") == "mine");
  fs::remove(folder / "report/kept.txt");
  CHECK(tree(folder / "report") == first);
  CHECK(read(folder / "kept.txt") == "kept");

  fs::create_directory(folder / "mine");
  write(folder / "mine/diary.txt", "x");
  const Run refused = gen(folder.path(), "audit --specs specs -o mine");
  CHECK(refused.code == 2);
  CHECK(refused.errors.find("holds files but no SHA256SUMS") != std::string::npos);
  CHECK(tree(folder / "mine") == Tree{{"diary.txt", "x"}});
  CHECK(gen(folder.path(), "audit --specs specs -o mine/diary.txt/x").code != 0);
  const Run no_folder = gen(folder.path(), "audit --specs specs -o mine/diary.txt");
  CHECK(no_folder.code == 2);
  CHECK(no_folder.errors.find("mine/diary.txt: is no folder; choose") != std::string::npos);

  // The sums of something else, such as a download: its files are not those of an earlier report.
  const Tree download = {{"SHA256SUMS", std::string(64, '0') + "  system.iso\n"}, {"system.iso", "x"}};
  for (const auto& [path, text] : download) write(folder / "mine" / path, text);
  fs::remove(folder / "mine/diary.txt");
  const Run foreign = gen(folder.path(), "audit --specs specs -o mine");
  CHECK(foreign.code == 2);
  CHECK(foreign.errors.find("mine: its SHA256SUMS lists no index.html, so it is no report") != std::string::npos);
  CHECK(tree(folder / "mine") == download);
}

TEST_CASE("audit: a report that was interrupted is written by the next call") {
  const Folder folder;
  small_specs(folder);
  const std::string command = "audit --specs specs -o ";
  REQUIRE(gen(folder.path(), command + "whole").code == 0);
  // Pages of pairs are longer than a file may be then.
  const Run interrupted = shell(folder.path(), "ulimit -f 10; '" CASTFORGE_GEN "' " + command + "report");
  INFO(interrupted.errors);
  REQUIRE(interrupted.code == 4);
  const Tree part = tree(folder / "report");
  CHECK(part.contains("index.html"));
  CHECK_FALSE(part.contains("pairs/float32--int8.html"));
  CHECK(shell(folder / "report", "sha256sum --quiet -c SHA256SUMS").code != 0);
  CHECK(gen(folder.path(), command + "report").code == 0);
  CHECK(differences(tree(folder / "report"), tree(folder / "whole")).empty());
  write(folder / "begun/.SHA256SUMS.1-0.tmp", "half");
  CHECK(gen(folder.path(), command + "begun").code == 0);
  CHECK(differences(tree(folder / "begun"), tree(folder / "whole")).empty());
}

TEST_CASE("audit: speeds where there are some") {
  const Folder folder;
  small_specs(folder);
  const std::string name = "float32_to_float16__rne_inf",
                    head = "kernel\tisa\telements\telements_per_second\tof_memcpy\n";
  write(folder / "speeds.tsv", "# measured <here> & now\n" + head + name + "\tavx2\t16384\t2.5e+10\t0.91\n" + name +
                                   "\tportable\t16384\t1.5e+08\t0.01\n" + name + "\tavx2\t65536\t1e+05\t0.5\n" +
                                   "float8e4m3fn_to_float8e4m3fn__exact\tavx2\t16384\t6e+10\t1\n");
  const std::string command = "audit --specs specs -o report ";
  REQUIRE(gen(folder.path(), command + "--speeds speeds.tsv").code == 0);
  const std::string page = read(folder / "report/pairs/float32--float16.html");
  CHECK(page.find("Fastest: avx2, 25 G elements/s, 0.91 of memcpy. Slowest: portable, 150 M elements/s") !=
        std::string::npos);
  CHECK(page.find("Not measured") == std::string::npos);
  CHECK(page.find("Measured as") == std::string::npos);
  CHECK(read(folder / "report/index.html").find("measured &lt;here&gt; &amp; now") != std::string::npos);
  CHECK(read(folder / "report/pairs/float16--float32.html").find("Not measured") != std::string::npos);
  const std::string copy = read(folder / "report/pairs/int8--int8.html");
  CHECK(copy.find("Fastest: avx2, 60 G elements/s, 1 of memcpy.") != std::string::npos);
  CHECK(copy.find(" Measured as float8e4m3fn_to_float8e4m3fn__exact, which runs the same\nfunction.") !=
        std::string::npos);
  write(folder / "speeds.tsv", head + name + "\tavx2\tmany\n");
  const Run bad = gen(folder.path(), command + "--speeds speeds.tsv");
  CHECK(bad.code == 1);
  CHECK(bad.errors == "error: speeds.tsv:2: expected a kernel, an instruction set and three numbers\n");
  write(folder / "speeds.tsv", "# nothing else\n");
  const Run none = gen(folder.path(), command + "--speeds speeds.tsv");
  CHECK(none.code == 1);
  CHECK(none.errors == "error: speeds.tsv: expected a table of speeds, found none\n");
  CHECK(gen(folder.path(), command + "--speeds none.tsv").code == 4);  // input/output, as any file that is missing
  CHECK(gen(folder.path(), "audit --specs specs").code == 2);
}

TEST_CASE("audit: words of the specs are escaped") {
  const Folder folder;
  small_specs(folder);
  edit(folder / "specs/types/int8.json", "\"doc\": \"", "\"doc\": \"<script>alert('x')</script> & \\\"quoted\\\" ");
  REQUIRE(gen(folder.path(), "audit --specs specs -o report").code == 0);
  const Tree files = tree(folder / "report");
  check_report(files);
  const std::string& page = files.at("pairs/float32--int8.html");
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(") != std::string::npos);
}

TEST_CASE("check --manifest ties a library to its specs") {
  const Folder folder;
  small_specs(folder);
  REQUIRE(gen(folder.path(), "generate --specs specs --out generated").code == 0);
  const std::string ids = read(folder / "generated/tables/ids.hpp");
  const std::size_t at = ids.find("sha256:");
  REQUIRE(at != std::string::npos);
  const std::string hash = ids.substr(at, ids.find('"', at) - at);
  CHECK(gen(folder.path(), "check --specs specs --manifest " + hash).code == 0);
  const Run other = gen(folder.path(), "check --manifest " + hash);
  CHECK(other.code == 3);
  CHECK(other.errors.find("these specs give the manifest sha256:") != std::string::npos);
  const Run facts = gen(folder.path(), "check --specs specs --json --manifest " + hash);
  CHECK(nlohmann::json::parse(facts.output) == nlohmann::json{{"manifest", hash}, {"same", true}});
  CHECK(gen(folder.path(), "check --manifest ''").code == 2);
}
