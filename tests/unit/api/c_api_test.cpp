// Runs the checks that c_api_calls.c makes as a C program.
#include <catch2/catch_test_macros.hpp>

#include "c_api_calls.h"

// The number is the line in c_api_calls.c that failed.
TEST_CASE("C: names of types, op-sets, instruction sets and statuses") { CHECK(c_names() == 0); }
TEST_CASE("C: kernels by what their system calls them") { CHECK(c_notation() == 0); }
TEST_CASE("C: kernels by value") { CHECK(c_kernels() == 0); }
TEST_CASE("C: failures report a code and a message that fits") { CHECK(c_failures() == 0); }
TEST_CASE("C: tensors") { CHECK(c_tensors() == 0); }
TEST_CASE("C: the caller's threads") { CHECK(c_threads() == 0); }
TEST_CASE("C: text") { CHECK(c_text() == 0); }
