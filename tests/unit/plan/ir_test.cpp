// Plans under construction: one node per value, one name per line, nothing unused in the end.
#include <catch2/catch_all.hpp>

#include "plan/interpret.hpp"
#include "plan/ir.hpp"

using namespace castforge::plan;

namespace {

std::size_t count(const LanePlan& plan, Op op) {
  std::size_t n = 0;
  for (const Node& node : plan.nodes) n += node.op == op;
  return n;
}

}  // namespace

TEST_CASE("the same operation on the same operands is one node") {
  Builder b("test.integer", "here", 32);
  const Value x = b.input();
  CHECK(b.input().id == x.id);
  const Value one = b.constant("kOne", 1, "1");
  CHECK(b.constant("kOne", 1, "1").id == one.id);
  const Value sum = x + one;
  CHECK((x + one).id == sum.id);
  CHECK((one + x).id != sum.id);
  CHECK((x >> 3).id == (x >> 3).id);
  CHECK((x >> 3).id != (x >> 4).id);
  CHECK(select(equal(x, one), x, one).id == select(equal(x, one), x, one).id);
  CHECK(select(equal(x, one), x, one).id != select(equal(x, one), one, x).id);
}

TEST_CASE("operations without an effect leave no node") {
  Builder b("test.integer", "here", 16);
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
  CHECK((x & all).id == x.id);
}

TEST_CASE("constants") {
  Builder b("test.integer", "here", 8);
  CHECK(b.at(b.constant("kWide", 0x1FF, "cut to the lane")).imm == 0xFF);
  CHECK(b.is_constant(b.literal(7), 7));
  CHECK_FALSE(b.is_constant(b.literal(7), 8));
  CHECK_FALSE(b.is_constant(b.input(), 0));
  CHECK_THROWS_AS(b.constant("kWide", 1, ""), std::logic_error);  // one name, two values
  CHECK(b.literal(3).id != b.literal(4).id);
}

TEST_CASE("names are unique, and the first one stays") {
  Builder b("test.integer", "here", 32);
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

TEST_CASE("finish drops what the result does not use and keeps operands before users") {
  Builder b("test.integer", "here", 32);
  const Value x = b.input();
  (x + b.literal(77)).named("unused");
  const Value mag = (x & b.constant("kMask", 0x7F, "2^7 - 1")).named("mag");
  b.constant("kUnused", 9, "9");
  const Value result = select(greater(mag, b.literal(5)), mag, b.literal(5));
  const Value after = x ^ mag;
  (void)after;
  const LanePlan plan = b.finish(result);
  CHECK(plan.nodes.back().op == Op::select);
  CHECK(count(plan, Op::bit_xor) == 0);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    CHECK(node.name != "kUnused");
    CHECK(node.name != "unused");
    const int operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < 3; ++k) {
      CHECK(operands[k] < static_cast<int>(i));
      CHECK((operands[k] >= 0) == (k < operand_count(node.op)));
    }
  }
  std::vector<std::uint64_t> lanes = {0, 4, 5, 6, 0xFF, 0x80};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{5, 5, 5, 6, 0x7F, 5});
}

TEST_CASE("conversions at the ends of a plan move into its loads and stores") {
  Builder b("convert_float.half", "here", 32);
  LanePlan there_and_back = b.finish(float_to_half(half_to_float(b.input()) ^ b.constant("kSign", 0x80000000, "2^31")));
  fuse_conversions(there_and_back);
  CHECK(there_and_back.load == Load::float16);
  CHECK(there_and_back.store == Store::float16);
  CHECK(there_and_back.nodes.size() == 3);  // input, constant, exclusive or
  CHECK(first_lane_bits(there_and_back) == 16);
  CHECK(last_lane_bits(there_and_back) == 16);
  std::vector<std::uint64_t> lanes{0x3C00, 0x8001};
  CHECK(interpret(there_and_back, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0xBC00, 0x0001});

  Builder twice("convert_float.half", "here", 32);  // the element itself is used too: the conversion stays
  LanePlan kept = twice.finish(half_to_float(twice.input()) & twice.input());
  fuse_conversions(kept);
  CHECK(kept.load == Load::plain);
  CHECK(kept.nodes.size() == 3);

  Builder first("prepare", "here", 64);
  Builder rest("convert_float.nearest", "here", 32);
  LanePlan wide = rest.finish(rest.input() | rest.literal(1));
  wide.prepare = std::make_shared<const LanePlan>(first.finish(double_to_float(first.input() & first.constant("kKept", ~0xFFull, "the other bits"))));
  fuse_conversions(wide);
  CHECK(wide.load == Load::float64);
  REQUIRE(wide.prepare);
  CHECK(wide.prepare->nodes.size() == 3);
  lanes = {0x3FF00000000000FF};
  CHECK(interpret(wide, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0x3F800001});
}

TEST_CASE("every conversion that ends a preparation is one of the load") {
  using Convert = Value (*)(Value);
  const std::pair<Convert, Load> conversions[] = {
      {double_to_float, Load::float64},
      {cut_double_to_float, Load::float64_toward_zero},
      {cut_to_int, Load::float64_cut},
      {[](Value v) { return nearest_single(v, true); }, Load::int64},
      {[](Value v) { return nearest_single(v, false); }, Load::uint64},
  };
  for (const auto& [convert, load] : conversions) {
    Builder first("prepare", "here", 64);
    Builder rest("convert_float.nearest", "here", 32);
    LanePlan plan = rest.finish(rest.input());
    plan.prepare = std::make_shared<const LanePlan>(first.finish(convert(first.input())));
    std::vector<std::uint64_t> before{0x3FF0000000000001, 0xC1E0000000100000, 0x36A0000000000000, 7}, after = before;
    CHECK(interpret(plan, before).empty());
    fuse_conversions(plan);
    CHECK(plan.load == load);
    CHECK_FALSE(plan.prepare);
    CHECK(first_lane_bits(plan) == 64);
    CHECK(interpret(plan, after).empty());
    CHECK(after == before);
  }
  Builder b("round_to_integer.cut", "here", 32);
  LanePlan cut = b.finish(cut_to_int(b.input()) & b.constant("kKept", 0xFFFF, "2^16 - 1"));
  fuse_conversions(cut);
  CHECK(cut.load == Load::float32_cut);
  CHECK(first_lane_bits(cut) == 32);
  std::vector<std::uint64_t> lanes{0x4F800000, 0x47800080, 0xC0200000, 0x7F800000};  // 2^32, 2^16 + 1, -2.5, infinity
  CHECK(interpret(cut, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0, 1, 0xFFFE, 0});
}

TEST_CASE("a plan that gives magnitudes has the sign of its source on top of the lane") {
  Builder b("convert_float.multiply_add", "here", 32);
  LanePlan plan = b.finish(((b.input() << 16) >> 20) & b.constant("kSmall", 0x7, "2^3 - 1"));
  LanePlan as_built = plan;
  fuse_conversions(as_built);
  CHECK(as_built.load_shift == 0);  // no sign asked for

  plan.sign_bit = 0x8;
  fuse_conversions(plan);
  CHECK(plan.load_shift == 16);
  CHECK(plan.nodes.size() == 4);  // input, shift, constant, and
  std::vector<std::uint64_t> lanes{0x0050, 0x8050, 0x8000, 0xFF90, 0xFF80};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0x5, 0xD, 0x8, 0x9, 0x8});
  plan.sign_unless_zero = true;
  lanes = {0x8050, 0x8000};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0xD, 0x0});
}

TEST_CASE("a plan may leave exponent and fraction to be folded, and its sign in the result") {
  Builder b("convert_float.multiply_add", "here", 32);
  LanePlan plan = b.finish(b.input() ^ b.literal(0x80000000));
  plan.fold = 20;
  std::vector<std::uint64_t> lanes{0x00500003, 0x80500003};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0x80500808, 0x00500008});
  plan.sign_bit = 0x80;
  lanes = {0x80500003, 0x00500003};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0x00500088, 0x80500808});
  plan.sign_in_result = true;
  lanes = {0x80500003, 0x00500003};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0x00500008, 0x80500888});
  lanes = {0x80008000};  // as two's complement the lower half outweighs the upper one
  CHECK(interpret(plan, lanes).find("sign") != std::string::npos);
}

TEST_CASE("a result may stay in the upper half of the lane") {
  Builder b("convert_float.integer", "here", 32);
  LanePlan plan = b.finish((b.input() + b.literal(0x8000)) >> 16);
  leave_in_upper_half(plan);
  CHECK(plan.store == Store::upper_half);
  CHECK(plan.nodes.back().op == Op::add);
  std::vector<std::uint64_t> lanes{0x3F808000, 0x3F807FFF};
  CHECK(interpret(plan, lanes).empty());
  CHECK(lanes == std::vector<std::uint64_t>{0x3F81, 0x3F80});

  Builder other("convert_float.integer", "here", 32);
  LanePlan lower = other.finish(other.input() >> 15);
  leave_in_upper_half(lower);
  CHECK(lower.store == Store::plain);
}

TEST_CASE("what a plan says about itself") {
  Builder b("narrow_float.integer", "here", 32);
  CHECK(b.finish(b.input()).variant() == "integer");
  CHECK_FALSE(b.finish(b.input() + b.literal(1)).uses_float_environment());
  Builder f("narrow_float.fma", "here", 32);
  CHECK(f.finish(multiply_add(f.input(), f.literal(0x3F800000), f.literal(0))).uses_float_environment());
  for (const Op op : {Op::equal, Op::greater, Op::mask_and, Op::mask_or}) CHECK(is_mask(op));
  for (const Op op : {Op::input, Op::constant, Op::add, Op::select, Op::multiply_add}) CHECK_FALSE(is_mask(op));
}
