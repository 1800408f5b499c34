// What a measurement was made on.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace castforge::cli {

/// The block "context" of Google Benchmark's JSON: date, host, processor, caches, load, versions.
nlohmann::ordered_json benchmark_context();

/// The processor's name as the system tells it; "unknown" where it does not.
std::string cpu_name();

/// "16 Ki", "64 Mi", "1000": a number of elements in the largest binary unit that divides it.
std::string short_count(std::size_t count);

}  // namespace castforge::cli
