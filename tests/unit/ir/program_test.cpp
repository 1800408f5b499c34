// Programs under construction: one node per value, one width per value, one name per line, nothing unused in the end;
// and what finish() makes of a result.
#include <catch2/catch_all.hpp>

#include "ir/interpret.hpp"
#include "ir/program.hpp"
#include "ir/program_text.hpp"

using namespace castforge::ir;

namespace {

std::size_t count(const Program& program, Op op) {
  std::size_t n = 0;
  for (const Node& node : program.nodes) n += node.op == op;
  return n;
}

std::vector<std::uint64_t> results(const Program& program, std::vector<std::uint64_t> codes) {
  const std::string problem = interpret(program, codes);
  INFO(problem);
  CHECK(problem.empty());
  return codes;
}

using Codes = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("the same operation on the same operands is one node") {
  Builder b("test.integer", "here", 32, 32, 32);
  const Value x = b.input();
  CHECK(b.input().id == x.id);
  const Value one = b.constant("kOne", 1, "1");
  CHECK(b.constant("kOne", 1, "1").id == one.id);
  const Value sum = x + one;
  CHECK((x + one).id == sum.id);
  CHECK((one + x).id != sum.id);
  CHECK((x >> 3).id == (x >> 3).id);
  CHECK((x >> 3).id != (x >> 4).id);
  CHECK(truncate(x, 16).id == truncate(x, 16).id);
  CHECK(truncate(x, 16).id != truncate(x, 8).id);
  CHECK(select(equal(x, one), x, one).id == select(equal(x, one), x, one).id);
  CHECK(select(equal(x, one), x, one).id != select(equal(x, one), one, x).id);
}

TEST_CASE("operations without an effect leave no node") {
  Builder b("test.integer", "here", 16, 16, 16);
  const Value x = b.input(), zero = b.literal(0), all = b.literal(0xFFFF);
  CHECK((x << 0).id == x.id);
  CHECK((x >> 0).id == x.id);
  CHECK(sar(x, 0).id == x.id);
  CHECK((x + zero).id == x.id);
  CHECK((zero + x).id == x.id);
  CHECK((x - zero).id == x.id);
  CHECK((zero - x).id != x.id);
  CHECK((x | zero).id == x.id);
  CHECK((zero | x).id == x.id);
  CHECK((x ^ zero).id == x.id);
  CHECK((x & all).id == x.id);
  CHECK(widen(x, 16).id == x.id);
  CHECK(widen_signed(x, 16).id == x.id);
  CHECK(truncate(x, 16).id == x.id);
}

TEST_CASE("constants") {
  Builder b("test.integer", "here", 8, 8, 8);
  CHECK(b.at(b.constant("kWide", 0x1FF, "truncated to the lane")).imm == 0xFF);
  CHECK(b.is_constant(b.literal(7), 7));
  CHECK_FALSE(b.is_constant(b.literal(7), 8));
  CHECK_FALSE(b.is_constant(b.input(), 0));
  CHECK(b.literal(3).id != b.literal(4).id);
  CHECK(b.literal(3).id != b.literal(3, 32).id);  // of another width it is another number
  CHECK(b.literal(3, 32).bits() == 32);
  b.work_in(64);
  CHECK(b.literal(3).bits() == 64);
}

TEST_CASE("constants of one name and different values are numbered, as far as the result uses them") {
  Builder b("test.integer", "here", 8, 8, 8);
  const Value first = b.constant("kMask", 0x0F, "15"), second = b.constant("kMask", 0xF0, "240");
  CHECK(b.constant("kMask", 0xF0, "").id == second.id);
  CHECK(b.constant("kMask", 0xF0, "", 32).id != second.id);
  const auto names = [](const Program& program) {
    std::vector<std::string> all;
    for (const Node& node : program.nodes) {
      if (node.op == Op::constant) all.push_back(node.name + " " + std::to_string(node.imm));
    }
    return all;
  };
  Builder more = b;
  CHECK(names(b.finish((b.input() & first) + (b.input() ^ second))) ==
        std::vector<std::string>{"kMask 15", "kMask2 240"});
  CHECK(names(more.finish(more.input() ^ Value{&more, second.id})) == std::vector<std::string>{"kMask 240"});
}

TEST_CASE("tables: one per contents, one per name") {
  Builder b("test.integer", "here", 8, 8, 8);
  const Table ones{"kOnes", 8, std::vector<std::uint64_t>(16, 1), ""},
      twos{"kTwos", 8, std::vector<std::uint64_t>(16, 2), ""};
  const Table other_ones{"kOnes", 8, std::vector<std::uint64_t>(16, 3), ""};
  const int first = b.table(ones);
  CHECK(b.table(twos) != first);
  CHECK(b.table(ones) == first);
  CHECK_THROWS_AS(b.table(other_ones), std::logic_error);
  Table wide = ones;
  wide.name = "kWide";
  wide.bits = 16;
  CHECK(b.table(wide) != first);
}

TEST_CASE("names are unique, and the first one stays") {
  Builder b("test.integer", "here", 32, 32, 32);
  const Value x = b.input();
  const Value a = (x + b.literal(1)).named("sig", "first");
  const Value c = (x + b.literal(2)).named("sig", "second");
  CHECK(b.at(a).name == "sig");
  CHECK(b.at(c).name == "sig2");
  a.named("other");
  CHECK(b.at(a).name == "sig");
  CHECK(b.at(a).note == "first");
  CHECK(b.at((x + b.literal(3)).named("bits")).name == "bits2");  // the input's own name
  const Value constant = b.constant("kOne", 1, "1");
  constant.named("renamed");
  CHECK(b.at(constant).name == "kOne");
}

TEST_CASE("a shift by the width or more is refused") {
  Builder b("test.integer", "here", 8, 16, 16);
  const Value x = b.element(), wide = b.input();
  CHECK_NOTHROW(x << 7);
  CHECK_NOTHROW(sar(wide, 15));
  CHECK_THROWS_WITH(x << 8, "program test.integer: shl_imm: by 8 bits, expected less than the 8 of a lane");
  CHECK_THROWS_AS(x >> 8, std::logic_error);
  CHECK_THROWS_AS(wide >> 16, std::logic_error);
  CHECK_THROWS_AS(sar(wide, 16), std::logic_error);
  CHECK_THROWS_AS(wide << 24, std::logic_error);
}

TEST_CASE("operands of different widths are refused, and widths without a form") {
  Builder b("test.integer", "here", 8, 32, 32);
  const Value x = b.element(), wide = b.input(), mask = equal(wide, b.literal(3)),
              narrow_mask = equal(x, b.literal(3, 8));
  CHECK(x.bits() == 8);
  CHECK(wide.bits() == 32);
  CHECK(mask.bits() == 32);
  CHECK_NOTHROW(x + b.literal(1, 8));
  CHECK_THROWS_AS(x + wide, std::logic_error);
  CHECK_THROWS_AS(x + b.literal(1), std::logic_error);  // the number is as wide as what is worked in
  CHECK_THROWS_AS(equal(wide, x), std::logic_error);
  CHECK_THROWS_AS(merge(wide, x, wide), std::logic_error);
  CHECK_THROWS_AS(select(mask, x, x), std::logic_error);  // the mask of another width
  CHECK_THROWS_AS(select(mask, wide, x), std::logic_error);
  CHECK_THROWS_AS(mask_and(mask, narrow_mask), std::logic_error);
  CHECK_NOTHROW(select(narrow_mask, x, x + x));

  CHECK_THROWS_AS(shl(x, x), std::logic_error);                // no such shift of bytes
  CHECK_THROWS_AS(unary(Op::abs, wide), std::logic_error);     // of bytes only
  CHECK_THROWS_AS(unary(Op::high_half, x), std::logic_error);  // of 32 bits only
  CHECK_THROWS_AS(unary(Op::float32_of_float16, wide), std::logic_error);
  CHECK_THROWS_AS(fold(x, 20), std::logic_error);
  CHECK_THROWS_AS(byte(x, 0), std::logic_error);
}

TEST_CASE("masks are no numbers, and numbers no masks") {
  Builder b("test.integer", "here", 32, 32, 32);
  const Value x = b.input(), mask = equal(x, b.literal(3));
  CHECK(is_mask(b.at(mask)));
  CHECK(is_mask(b.at(mask_and(mask, mask))));
  CHECK_FALSE(is_mask(b.at(select(mask, x, x))));
  CHECK_THROWS_AS(mask + x, std::logic_error);
  CHECK_THROWS_AS(equal(mask, mask), std::logic_error);
  CHECK_THROWS_AS(select(x, x, x), std::logic_error);
  CHECK_THROWS_AS(select(mask, mask, mask), std::logic_error);
  CHECK_THROWS_AS(mask_and(mask, x), std::logic_error);
  CHECK_THROWS_AS(truncate(mask, 8), std::logic_error);
  for (const Op op : {Op::equal, Op::greater, Op::greater_unsigned, Op::mask_and}) {
    Node node;
    node.op = op;
    CHECK(is_mask(node));
  }
}

TEST_CASE("widths change in one direction per operation, and bytes are joined by their number") {
  Builder b("test.integer", "here", 16, 32, 16);
  const Value x = b.input();
  CHECK(widen(x, 32).bits() == 32);
  CHECK(widen_signed(x, 64).bits() == 64);
  CHECK(truncate(x, 8).bits() == 8);
  CHECK_THROWS_AS(widen(x, 8), std::logic_error);
  CHECK_THROWS_AS(widen_signed(x, 8), std::logic_error);
  CHECK_THROWS_AS(truncate(x, 32), std::logic_error);
  CHECK_THROWS_AS(b.node(Op::narrow, {x}, 0, 16), std::logic_error);
  const Value low = byte(x, 0), high = byte(x, 1);
  CHECK(low.bits() == 8);
  CHECK(join({low, high}, 16).bits() == 16);
  CHECK_THROWS_AS(join({low, high}, 32), std::logic_error);
  CHECK_THROWS_AS(join({x, x}, 16), std::logic_error);  // not bytes
  Table wide{"kWide", 32, std::vector<std::uint64_t>(16, 7), ""};
  const int table = b.table(wide);
  CHECK(lookup(Op::lookup16_wide, low, table).bits() == 32);
  CHECK(lookup(Op::lookup16_upper, low, table).bits() == 64);
  CHECK_THROWS_AS(lookup(Op::lookup8_wide, low, table), std::logic_error);  // of 8 entries of 64 bits
  CHECK(lookup(Op::table, low, table).bits() == 32);
  CHECK_THROWS_AS(lookup(Op::lookup16, low, table), std::logic_error);  // of bytes
  CHECK_THROWS_AS(lookup(Op::lookup16_wide, x, table), std::logic_error);
}

TEST_CASE("the element is as wide as its storage unit; input() extends it") {
  const int words[][2] = {{1, 8}, {4, 8}, {6, 8}, {8, 8}, {12, 16}, {16, 16}, {19, 32}, {32, 32}, {33, 64}, {64, 64}};
  for (const auto& [bits, word] : words) {
    CHECK(castforge::storage_unit(bits) == word);
    Builder b("test.integer", "here", bits, 64, 64);
    CHECK(b.element().bits() == word);
    CHECK(b.input().bits() == 64);
    CHECK(results(b.finish(b.input()), {low_bits(bits), 1}) == Codes{low_bits(bits), 1});
    Builder s("test.integer", "here", bits, 64, 64);
    CHECK(results(s.finish(s.signed_input()), {1ull << (bits - 1), low_bits(bits) >> 1}) ==
          Codes{~0ull << (bits - 1), low_bits(bits) >> 1});
  }
}

TEST_CASE("finish drops what the result does not use and keeps operands before users") {
  Builder b("test.integer", "here", 32, 32, 32);
  const Value x = b.input();
  (x + b.literal(77)).named("unused");
  const int unused_table = b.table({"kUnusedTable", 8, std::vector<std::uint64_t>(256, 1), ""});
  const int table = b.table({"kTable", 32, std::vector<std::uint64_t>(256, 1), ""});
  lookup(Op::table, truncate(x, 8), unused_table);
  const Value mag = (x & b.constant("kMask", 0x7F, "2^7 - 1")).named("mag");
  b.constant("kUnused", 9, "9");
  const Value result = select(greater(mag, b.literal(5)), mag, b.literal(5)) + lookup(Op::table, truncate(x, 8), table);
  const Value after = x ^ mag;
  (void)after;
  const Program program = b.finish(result);
  CHECK(program.nodes.back().op == Op::add);
  CHECK(count(program, Op::bit_xor) == 0);
  REQUIRE(program.tables.size() == 1);
  CHECK(program.tables[0].name == "kTable");
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const Node& node = program.nodes[i];
    CHECK(node.name != "kUnused");
    CHECK(node.name != "unused");
    CHECK((node.op == Op::table) == (node.table == 0));
    for (const int arg : node.args) {
      CHECK(arg >= 0);
      CHECK(arg < static_cast<int>(i));
    }
    const int arity = operation(node.op).signature.arity;
    CHECK(node.args.size() == static_cast<std::size_t>(arity));
  }
  CHECK(results(program, {0, 4, 5, 6, 0xFF, 0x80}) == Codes{6, 6, 6, 7, 0x80, 6});
}

TEST_CASE("the order of nodes, constants and tables is that of their use, whatever came first") {
  const auto built = [](bool left_first) {
    Builder b("test.integer", "here", 32, 32, 32);
    const Value mag = (b.input() & b.constant("kMask", 0xFF, "2^8 - 1")).named("mag");
    const auto table = [&](const char* name, std::uint64_t entry) {
      return b.table({name, 32, std::vector<std::uint64_t>(256, entry), ""});
    };
    const auto left = [&] {
      return lookup(Op::table, truncate(mag, 8), table("kLeft", 1)) + b.constant("kOne", 1, "1");
    };
    const auto right = [&] {
      return lookup(Op::table, truncate(mag, 8), table("kRight", 2)) ^ b.constant("kTwo", 2, "2");
    };
    // What a compiler does with left() - right() as it likes.
    const Value first = left_first ? left() : right(), second = left_first ? right() : left();
    const Value difference = (left_first ? first - second : second - first).named("difference");
    return b.finish(difference >> 1);
  };
  const Program one = built(true), other = built(false);
  CHECK(program_text(one) == program_text(other));
  std::vector<std::string> names;
  for (const Node& node : other.nodes) {
    if (node.op == Op::constant) names.push_back(node.name);
  }
  CHECK(names == std::vector<std::string>{"kMask", "kOne", "kTwo"});
  REQUIRE(other.tables.size() == 2);
  CHECK(other.tables[0].name == "kLeft");
}

TEST_CASE("finish brings the result to the storage unit of the destination") {
  const auto finished = [](int src_bits, int dst_bits, int bits, const auto& build) {
    Builder b("test.integer", "here", src_bits, dst_bits, bits);
    return b.finish(build(b, b.input()));
  };
  const auto itself = [](Builder&, Value x) { return x; };

  SECTION("narrower results are zero-extended") {
    const Program program = finished(8, 32, 8, itself);
    CHECK(program.result().op == Op::widen);
    CHECK(program.result().bits == 32);
    CHECK(results(program, {0xFF}) == Codes{0xFF});
  }
  SECTION("a result that fits is narrowed, any other truncated") {
    const Program fits = finished(32, 8, 32, [](Builder& b, Value x) { return x & b.literal(0xFF); });
    CHECK(fits.result().op == Op::narrow);
    CHECK(results(fits, {0x1234}) == Codes{0x34});
    const Program other = finished(32, 8, 32, [](Builder& b, Value x) { return x + b.literal(1); });
    CHECK(other.result().op == Op::truncate);
    CHECK(results(other, {0x12FF, 0x1233}) == Codes{0, 0x34});
    const Program bound = finished(64, 16, 64, [](Builder& b, Value x) { return min(x, b.literal(0xFFFF)); });
    CHECK(bound.result().op == Op::narrow);
    CHECK(bound.result().bits == 16);
  }
  SECTION("a shift by half the lane is the upper half, one by bytes a byte") {
    const Program half = finished(32, 16, 32, [](Builder&, Value x) { return x >> 16; });
    CHECK(half.result().op == Op::high_half);
    CHECK(count(half, Op::shr_imm) == 0);
    CHECK(results(half, {0x12345678}) == Codes{0x1234});
    for (const int index : {1, 2, 3}) {
      const Program byte = finished(32, 8, 32, [index](Builder&, Value x) { return x >> (8 * index); });
      CHECK(byte.result().op == Op::byte);
      CHECK(byte.result().imm == static_cast<std::uint64_t>(index));
      CHECK(results(byte, {0x44332211}) == Codes{0x11ull * static_cast<std::uint64_t>(index + 1)});
    }
    CHECK(finished(32, 16, 32, [](Builder&, Value x) { return x >> 15; }).result().op == Op::truncate);
    CHECK(finished(32, 16, 32, [](Builder&, Value x) { return x >> 17; }).result().op == Op::narrow);
    CHECK(finished(32, 8, 32, [](Builder&, Value x) { return x >> 25; }).result().op == Op::narrow);
    CHECK(finished(64, 16, 64, [](Builder&, Value x) { return x >> 48; }).result().op == Op::narrow);
  }
  SECTION("bits above an element that does not fill its word are masked, where they may be set") {
    const Program masked = finished(8, 4, 8, [](Builder& b, Value x) { return x + b.literal(1); });
    CHECK(masked.result().op == Op::bit_and);
    CHECK(results(masked, {0x0F, 0xF3}) == Codes{0, 4});
    const Program clear = finished(8, 4, 8, [](Builder&, Value x) { return x >> 4; });
    CHECK(clear.result().op == Op::shr_imm);
    const Program from_narrow = finished(4, 4, 8, itself);
    CHECK(from_narrow.is_copy());
    const Program wide = finished(32, 12, 32, [](Builder& b, Value x) { return x ^ b.literal(1); });
    CHECK(wide.result().op == Op::bit_and);
    CHECK(wide.result().bits == 16);
    CHECK(results(wide, {0xFFFFFFFF}) == Codes{0xFFE});
  }
}

TEST_CASE("what a program says about itself") {
  Builder b("narrow_float.integer", "here", 32, 32, 32);
  const Program copy = b.finish(b.input());
  CHECK(copy.variant() == "integer");
  CHECK(copy.is_copy());
  CHECK_FALSE(b.finish(b.input() + b.literal(1)).is_copy());
  Builder other("move.integer", "here", 16, 32, 32);
  CHECK_FALSE(other.finish(other.input()).is_copy());
  CHECK(copy.needs == kNeedsNothing);
  b.needs(kNeedsVector);
  b.needs(kNeedsNeon);
  CHECK(b.finish(b.input()).needs == (kNeedsVector | kNeedsNeon));
  CHECK_THROWS_AS(unary(Op::add, b.input()), std::logic_error);
  CHECK_THROWS_AS(binary(Op::add, b.input(), Value{}), std::logic_error);
}
