#include "syntax.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

namespace castforge::evaluator {

namespace {

/// Bits of std::uint8_t .. std::uint64_t, 0 for any other name.
int type_bits(std::string_view name) {
  for (int bits : {8, 16, 32, 64}) {
    if (name == "std::uint" + std::to_string(bits) + "_t") return bits;
  }
  return 0;
}

bool fits(std::uint64_t value, int bits) { return bits >= 64 || value >> bits == 0; }

/// How tightly an infix operator binds in C++, from the loosest; -1: none of the grammar's.
int precedence(std::string_view text) {
  if (text == "|") return 0;
  if (text == "^") return 1;
  if (text == "&") return 2;
  if (text == "<<" || text == ">>") return 3;
  if (text == "+" || text == "-") return 4;
  return -1;
}

/// The plans in the order of Plans<...>.
void sort_plans(Kernel& k) {
  const auto place = [&](const Plan& p) { return std::find(k.order.begin(), k.order.end(), p.name) - k.order.begin(); };
  std::sort(k.plans.begin(), k.plans.end(), [&](const Plan& a, const Plan& b) { return place(a) < place(b); });
}

class Parser {
 public:
  Parser(File& file, const Tokens& tokens) : file_(file), tokens_(tokens.tokens), comments_(tokens.comments) {}

  void run() {
    try {
      while (now().kind != TokenKind::end) item();
      if (open_ != 0) throw Error(now().line, "a namespace without an end");
    } catch (const Error& e) {
      problem(e);
    }
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  bool sees(std::string_view text) const { return now().text == text && now().kind != TokenKind::string; }

  Token take() {
    const Token token = now();
    if (token.kind != TokenKind::end) ++at_;
    return token;
  }
  bool accept(std::string_view text) {
    if (!sees(text)) return false;
    ++at_;
    return true;
  }
  std::string found() const { return now().kind == TokenKind::end ? "the end" : "\"" + std::string(now().text) + "\""; }
  int expect(std::string_view text) {
    if (!sees(text)) throw Error(now().line, "expected \"" + std::string(text) + "\", found " + found());
    return take().line;
  }
  void expect_all(std::initializer_list<std::string_view> texts) {
    for (std::string_view text : texts) expect(text);
  }
  std::string name(const char* what) {
    if (now().kind != TokenKind::name || now().text.find("::") != std::string_view::npos) {
      throw Error(now().line, std::string("expected ") + what + ", found " + found());
    }
    return std::string(take().text);
  }
  Token number(const char* what) {
    if (now().kind != TokenKind::number)
      throw Error(now().line, std::string("expected ") + what + ", found " + found());
    return take();
  }

  void problem(const Error& e) { file_.problems.push_back({e.line(), kernel_, plan_, e.what()}); }

  /// Goes behind the closing brace, and the semicolon after it, of the block whose opening brace is at or after `from`.
  void skip_block(std::size_t from) {
    at_ = from;
    while (now().kind != TokenKind::end && !sees("{")) ++at_;
    int depth = 0;
    while (now().kind != TokenKind::end) {
      const Token token = take();
      if (token.kind != TokenKind::mark) continue;
      if (token.text == "{") ++depth;
      if (token.text == "}" && --depth == 0) break;
    }
    accept(";");
  }

  void item() {
    if (now().kind == TokenKind::directive) {
      const std::string_view text = now().text;
      constexpr std::string_view kInclude = "#include \"";
      if (text.starts_with(kInclude) && text.ends_with('"')) {
        file_.includes.emplace_back(text.substr(kInclude.size(), text.size() - kInclude.size() - 1));
      } else if (text != "#pragma once") {
        throw Error(now().line, "an unknown directive");
      }
      ++at_;
    } else if (sees("namespace") || sees("inline")) {
      accept("inline");
      expect("namespace");
      const std::string space = name("the name of a namespace");
      if (space.starts_with("to_")) dst_ = space.substr(3);
      expect("{");
      ++open_;
    } else if (sees("struct") && tokens_[at_ + 1].text.ends_with("_lookups")) {
      lookups();
    } else if (sees("struct")) {
      kernel();
    } else if (sees("static_assert")) {
      assertion();
    } else if (open_ > 0 && accept("}")) {
      --open_;
    } else {
      throw Error(now().line, "expected a kernel, found " + found());
    }
  }

  void kernel() {
    const std::size_t start = at_;
    Kernel k;
    seen_plans_.clear();
    try {
      k.line = expect("struct");
      k.structure = name("the name of a kernel");
      k.dst = dst_;
      k.file = file_.path;
      const std::size_t policy = k.structure.find("__");
      if (!k.structure.starts_with("from_") || policy == std::string::npos || k.dst.empty()) {
        throw Error(k.line, "a kernel is named from_<type>__<policy> and stands in a namespace to_<type>");
      }
      k.src = k.structure.substr(5, policy - 5);
      k.name = k.src + "_to_" + k.dst + k.structure.substr(policy);
      kernel_ = k.name;
      for (const Kernel& other : file_.kernels) {
        if (other.name == k.name) throw Error(k.line, "a second kernel of that name");
      }
      k.comments = comments_before(k.line);
      expect("{");
      widths(k);
      while (sees("static")) packing(k);
      while (sees("struct") || (sees("using") && tokens_[at_ + 1].text != "plans")) {
        if (sees("struct")) {
          plan(k.plans);
        } else {
          named(k);
        }
      }
      order(k);
      expect_all({"}", ";"});
      file_.kernels.push_back(std::move(k));
    } catch (const Error& e) {
      plan_.clear();
      problem(e);
      unreadable_.insert(k.structure);
      skip_block(start);
    }
    kernel_.clear();
  }

  void lookups() {
    expect("struct");
    Lookups l;
    l.dst = dst_;
    l.structure = name("the name of lookups");
    kernel_ = l.structure;
    seen_plans_.clear();
    expect("{");
    while (sees("struct")) plan(l.plans);
    expect_all({"}", ";"});
    file_.lookups.push_back(std::move(l));
    kernel_.clear();
  }

  /// using <plan> = <lookups>::<plan>;
  void named(Kernel& k) {
    Reference r;
    r.line = expect("using");
    r.plan = name("the name of a plan");
    expect("=");
    const std::string_view from = now().text;
    const std::size_t colons = from.find("::");
    if (now().kind != TokenKind::name || colons == std::string_view::npos || from.substr(colons + 2) != r.plan) {
      throw Error(r.line, "expected <lookups>::" + r.plan + ", found " + found());
    }
    r.structure = take().text.substr(0, colons);
    expect(";");
    if (!seen_plans_.insert(r.plan).second) throw Error(r.line, "a second plan of that name");
    k.references.push_back(std::move(r));
  }

  std::vector<std::string> comments_before(int line) const {
    std::vector<std::string> lines;
    for (auto c = comments_.rbegin(); c != comments_.rend(); ++c) {
      if (c->line >= line) continue;
      if (!c->alone || c->line != line - 1) break;
      lines.emplace_back(c->text);
      --line;
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

  void widths(Kernel& k) {
    expect_all({"static", "constexpr", "int", "kSrcBits", "="});
    k.src_bits = width_of_elements();
    expect_all({",", "kDstBits", "="});
    k.dst_bits = width_of_elements();
    expect(";");
  }
  /// How elements share bytes: on this only kOfNibble depends.
  void packing(Kernel& k) {
    expect_all({"static", "constexpr", "Packing"});
    const bool of_source = accept("kSrcPacking");
    if (!of_source) expect("kDstPacking");
    (of_source ? k.src_high_first : k.dst_high_first) = true;
    expect_all({"=", "Packing::high_first", ";"});
  }
  int width_of_elements() {
    const Token bits = number("the bits of an element");
    if (bits.value < 1 || bits.value > 64) throw Error(bits.line, "elements have 1 to 64 bits");
    return static_cast<int>(bits.value);
  }

  void order(Kernel& k) {
    const int line = expect("using");
    expect_all({"plans", "=", "lane::Plans", "<"});
    do {
      const std::string one = name("the name of a plan");
      if (std::find(k.order.begin(), k.order.end(), one) != k.order.end()) throw Error(line, "plan " + one + " twice");
      if (!seen_plans_.contains(one)) throw Error(line, "there is no plan " + one);
      k.order.push_back(one);
    } while (accept(","));
    expect_all({">", ";"});
    for (const std::string& one : seen_plans_) {
      if (std::find(k.order.begin(), k.order.end(), one) == k.order.end())
        throw Error(line, "plan " + one + " never runs");
    }
    sort_plans(k);
  }

  void plan(std::vector<Plan>& plans) {
    const std::size_t start = at_;
    Plan p;
    p.line = expect("struct");
    p.name = name("the name of a plan");
    if (!seen_plans_.insert(p.name).second) throw Error(p.line, "a second plan of that name");
    plan_ = p.name;
    try {
      expect("{");
      names_.clear();
      while (!sees("}")) member(p);
      if (p.statements.empty()) throw Error(now().line, "a plan without map()");
      if (p.needs.empty()) throw Error(now().line, "a plan without kNeeds");
      if (p.environment.empty()) p.environment = "none";
      expect_all({"}", ";"});
      p.file = file_.path;
      plans.push_back(std::move(p));
    } catch (const Error& e) {
      problem(e);
      skip_block(start);
    }
    plan_.clear();
  }

  void declare(const std::string& declared, int line) {
    if (!names_.insert(declared).second) throw Error(line, declared + " is declared twice");
  }

  void member(Plan& p) {
    const int line = now().line;
    if (!p.statements.empty()) throw Error(line, "map() is the last member of a plan");
    const bool aligned = accept("alignas");
    if (aligned) expect_all({"(", "64", ")"});
    expect_all({"static", "constexpr"});
    const std::string_view type = now().text;
    if (type == "std::array") {
      p.tables.push_back(table(line));
      return;
    }
    if (aligned) throw Error(line, "only tables are aligned");
    if (type == "auto") return map(p);
    if (type == "lane::Needs") return needs(p);
    if (type == "lane::Environment") return environment(p);
    Constant c;
    c.line = line;
    c.bits = type_bits(type);
    if (c.bits == 0) throw Error(line, "a member of an unknown type: " + found());
    ++at_;
    c.name = name("the name of a constant");
    declare(c.name, line);
    expect("=");
    c.value = literal(c.bits);
    expect(";");
    p.constants.push_back(std::move(c));
  }

  std::uint64_t literal(int bits) {
    const Token token = number("a literal");
    if (!fits(token.value, bits)) {
      throw Error(token.line, std::string(token.text) + " does not fit in " + std::to_string(bits) + " bits");
    }
    return token.value;
  }

  void needs(Plan& p) {
    static const std::set<std::string_view> known = {"nothing", "vector", "bytes16", "avx512",
                                                     "vbmi",    "neon",   "float16", "tables"};
    const int line = take().line;
    expect_all({"kNeeds", "="});
    declare("kNeeds", line);
    do p.needs.push_back(enumerator("lane::Needs::", known));
    while (accept("|"));
    expect(";");
  }

  void environment(Plan& p) {
    static const std::set<std::string_view> known = {"none", "rounding", "subnormals"};
    const int line = take().line;
    expect_all({"kEnvironment", "="});
    declare("kEnvironment", line);
    p.environment = enumerator("lane::Environment::", known);
    expect(";");
  }

  std::string enumerator(std::string_view prefix, const std::set<std::string_view>& known) {
    const std::string_view text = now().text;
    if (!text.starts_with(prefix) || !known.contains(text.substr(prefix.size()))) {
      throw Error(now().line, "expected one of " + std::string(prefix) + "..., found " + found());
    }
    return std::string(take().text.substr(prefix.size()));
  }

  Table table(int line) {
    expect_all({"std::array", "<"});
    Table t;
    t.line = line;
    t.bits = type_bits(now().text);
    if (t.bits == 0) throw Error(now().line, "a table of an unknown type: " + found());
    ++at_;
    expect(",");
    const Token count = number("the number of entries");
    expect(">");
    t.name = name("the name of a table");
    declare(t.name, line);
    expect_all({"=", "{"});
    while (!sees("}")) {
      t.entries.push_back(literal(t.bits));
      if (!accept(",")) break;
    }
    expect_all({"}", ";"});
    // C++ fills up with zeros without a word.
    if (t.entries.size() != count.value) {
      throw Error(line,
                  t.name + " has " + std::to_string(t.entries.size()) + " entries, not " + std::to_string(count.value));
    }
    return t;
  }

  void map(Plan& p) {
    expect_all({"auto", "map", "(", "auto"});
    p.parameter = name("the name of the source");
    declare(p.parameter, now().line);
    expect_all({")", "noexcept", "{"});
    std::vector<Statement> statements;
    for (bool returned = false; !returned;) {
      Statement s;
      s.line = now().line;
      returned = accept("return");
      if (!returned) {
        expect_all({"const", "auto"});
        s.name = name("the name of a value");
        declare(s.name, s.line);
        expect("=");
      }
      s.value = expression(0);
      expect(";");
      statements.push_back(std::move(s));
    }
    expect("}");
    p.statements = std::move(statements);
  }

  /// The infix operator that stands here; empty: none.
  std::string infix() const {
    if (now().kind != TokenKind::mark) return {};
    const Token& second = tokens_[at_ + 1];
    const std::string one(now().text);
    if (one == "<" || one == ">") {
      const bool doubled = second.kind == TokenKind::mark && second.text == one && second.glued;
      return doubled ? one + one : std::string();
    }
    return precedence(one) >= 0 ? one : std::string();
  }

  Expression expression(int least) {
    Expression left = primary();
    for (;;) {
      const std::string op = infix();
      if (op.empty() || precedence(op) < least) return left;
      Expression both;
      both.kind = Expression::Kind::infix;
      both.line = now().line;
      both.text = op;
      at_ += op.size();
      Expression right = expression(precedence(op) + 1);
      both.operands.push_back(std::move(left));
      both.operands.push_back(std::move(right));
      left = std::move(both);
    }
  }

  Expression primary() {
    Expression e;
    e.line = now().line;
    if (accept("(")) {
      e = expression(0);
      expect(")");
      return e;
    }
    if (now().kind == TokenKind::number) {
      e.kind = Expression::Kind::number;
      e.decimal = now().decimal;
      e.number = take().value;
      return e;
    }
    if (now().kind != TokenKind::name) throw Error(now().line, "expected a value, found " + found());
    if (!now().text.starts_with("lane::")) {
      e.kind = Expression::Kind::name;
      e.text = name("a value");
      return e;
    }
    e.kind = Expression::Kind::call;
    e.text = std::string(take().text.substr(6));
    if (accept("<")) {
      e.arguments.push_back(argument());
      expect(">");
    }
    expect("(");
    do e.operands.push_back(expression(0));
    while (accept(","));
    expect(")");
    return e;
  }

  Argument argument() {
    Argument a;
    if (now().kind == TokenKind::number) {
      a.number = take().value;
      return a;
    }
    if (now().kind != TokenKind::name)
      throw Error(now().line, "expected a number, a type or a table, found " + found());
    a.bits = type_bits(now().text);
    a.name = std::string(take().text);
    return a;
  }

  void assertion() {
    const int line = expect("static_assert");
    expect_all({"(", "lane::maps", "<"});
    const std::string of = name("the name of a kernel");
    const auto kernel = std::find_if(file_.kernels.begin(), file_.kernels.end(),
                                     [&](const Kernel& k) { return k.structure == of && k.dst == dst_; });
    expect_all({">", "(", "{"});
    std::vector<Row> rows;
    while (sees("{")) {
      Row row;
      row.line = expect("{");
      row.code = number("a source code").value;
      expect(",");
      row.result = number("a result code").value;
      expect("}");
      rows.push_back(row);
      if (!accept(",")) break;
    }
    expect_all({"}", ")", ")", ";"});
    if (kernel == file_.kernels.end()) {
      if (!unreadable_.contains(of))
        throw Error(line, "an assertion about " + of + ", which is no kernel of this file");
      return;
    }
    kernel->rows.insert(kernel->rows.end(), rows.begin(), rows.end());
  }

  File& file_;
  std::span<const Token> tokens_;
  std::span<const Comment> comments_;
  std::size_t at_ = 0;
  int open_ = 0;               // namespaces
  std::string dst_;            // of the namespace to_<type>
  std::string kernel_, plan_;  // in work
  std::set<std::string> seen_plans_, names_, unreadable_;
};

}  // namespace

File parse(const std::filesystem::path& path, const std::string& text) {
  File file;
  file.path = path;
  try {
    Parser(file, tokenize(text)).run();
  } catch (const Error& e) {
    file.problems.push_back({e.line(), "", "", e.what()});
  }
  return file;
}

File read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    File file;
    file.path = path;
    file.problems.push_back({0, "", "", "cannot be opened"});
    return file;
  }
  return parse(path, {std::istreambuf_iterator<char>(stream), {}});
}

void link(std::vector<File>& files) {
  for (File& file : files) {
    for (Kernel& k : file.kernels) {
      for (const Reference& r : k.references) {
        const Plan* plan = nullptr;
        for (const File& other : files) {
          // An include names a file by the end of its path.
          const bool included = std::any_of(file.includes.begin(), file.includes.end(), [&](const std::string& i) {
            return other.path.generic_string().ends_with("/" + i);
          });
          if (!included) continue;
          for (const Lookups& l : other.lookups) {
            if (l.structure != r.structure || l.dst != k.dst) continue;
            for (const Plan& p : l.plans) {
              if (p.name == r.plan) plan = &p;
            }
          }
        }
        if (plan == nullptr) {
          file.problems.push_back(
              {r.line, k.name, r.plan, "no file that is included has " + r.structure + "::" + r.plan});
        } else {
          k.plans.push_back(*plan);
        }
      }
      k.references.clear();
      sort_plans(k);
    }
  }
}

}  // namespace castforge::evaluator
