#include "statistics.hpp"

#include "errors.hpp"

namespace pycastforge {

void Stats::add(Type before_type, const void* before, Type after_type, const void* after, std::size_t count,
                const castforge::Rule& rule) {
  const auto found = castforge::cli::CastComparison(before_type, after_type, rule).compare(before, after, count);
  const std::lock_guard guard(mutex_);
  totals_.add(found);
  totals_.elements += count;
}

Stats::Totals Stats::totals() const {
  const std::lock_guard guard(mutex_);
  return totals_;
}

Stats* stats_of(nb::handle object) {
  if (object.is_none()) return nullptr;
  if (!nb::isinstance<Stats>(object)) {
    raise_builtin(PyExc_TypeError, "stats: expected a pycastforge.Stats, found " + class_of(object));
  }
  return made_instance<Stats>(object);
}

void bind_statistics(nb::module_& module) {
  nb::class_<Stats>(
      module, "Stats",
      R"(Counts what casts do to numbers, in a second pass over source and result; give it to cast(stats=...), to
several calls if you like, of several threads, too. Whether a number is inexact is decided exactly; amax and the
largest error are float64, and integers above 2^53 that are the same float64 as the end of a range count as in it,
unless they wrap to the other sign.

>>> import numpy as np, pycastforge as cf
>>> stats = cf.Stats()
>>> y = cf.cast(np.array([1000, 1e-9, 0.3, 1, np.nan], np.float32), "float8e4m3fn", stats=stats)
>>> stats.elements, stats.saturated, stats.underflowed, stats.inexact, stats.nan
(5, 1, 1, 2, 1))")
      .def(nb::init<>())
      .def_prop_ro(
          "elements", [](const Stats& s) { return s.totals().elements; }, "Elements of all casts.")
      .def_prop_ro(
          "nan", [](const Stats& s) { return s.totals().nan; }, "NaNs before the cast.")
      .def_prop_ro(
          "infinite", [](const Stats& s) { return s.totals().infinite; }, "Infinities before the cast.")
      .def_prop_ro(
          "saturated", [](const Stats& s) { return s.totals().saturated; },
          "Finite numbers that, rounded, are out of the range of the result's type, and became another finite one: "
          "the end of the range, say, or the low bits of an integer. 456 is none in float8e4m3fn: it rounds to 448.")
      .def_prop_ro(
          "nonfinite", [](const Stats& s) { return s.totals().nonfinite; },
          "Finite numbers that became an infinity or NaN, as 480 does in float8e4m3fn where nothing saturates.")
      .def_prop_ro(
          "underflowed", [](const Stats& s) { return s.totals().underflowed; },
          "Numbers other than zero that became zero, but for those that are out of the range and wrap to it: they are "
          "saturated.")
      .def_prop_ro(
          "inexact", [](const Stats& s) { return s.totals().inexact; },
          "Numbers that round into the range and became other ones, those that became zero among them.")
      .def_prop_ro(
          "amax", [](const Stats& s) { return s.totals().largest; }, "The largest magnitude before the cast.")
      .def_prop_ro(
          "largest_error_ulp", [](const Stats& s) { return s.totals().largest_error; },
          "The largest error of a number that rounds into the range, in units in the last place of the result's type.")
      .def("__repr__", [](const Stats& s) {
        const Stats::Totals totals = s.totals();
        return "Stats(elements=" + std::to_string(totals.elements) + ", saturated=" + std::to_string(totals.saturated) +
               ", nonfinite=" + std::to_string(totals.nonfinite) + ", nan=" + std::to_string(totals.nan) +
               ", inexact=" + std::to_string(totals.inexact) + ", underflowed=" + std::to_string(totals.underflowed) +
               ")";
      });
}

}  // namespace pycastforge
