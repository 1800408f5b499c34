"""Which files are changed, how many mutants of each are in the sample, and which default tests are responsible.

A step is a way to build and test a mutant: the TARGET whose command compiles it, the test PROGRAM that is linked with
the changed object before its own. For a header, `source` is what includes it, compiled like `like`. Steps are taken in
order until one notices. With a `tester` that test program of the build runs PROGRAM instead of castforge.
"""


def on_isas(isas, source, like):
    """A small program of its own, compiled for one instruction set after the other."""
    return [{"name": f"{source.rsplit('/', 1)[-1]} on {isa}", "target": f"unit_simd_{isa}",
             "program": f"unit_simd_{isa}", "source": source, "like": like, "own_objects": False} for isa in isas]


def loops(*isas):
    return on_isas(isas, "tests/mutation/runtime/loops.cpp", "tests/unit/simd/loops_test.cpp")


def simd_test(name, *isas):
    path = f"tests/unit/simd/{name}_test.cpp"
    return on_isas(isas, path, path)


def operations(isa):
    return [{"name": f"operations on {isa}", "target": f"unit_operations_ways_{isa}",
             "program": f"unit_operations_{isa}", "source": "tests/unit/operations/ways.cpp",
             "own_objects": ["unit_operations_cases", f"unit_operations_{isa}"]}]


def in_program(*programs, target="castforge", **more):
    return [{"target": target, "program": program, **more} for program in programs]


def lookup(*isas):
    return [{"name": f"{program} on {isa}", "target": f"castforge_isa_{isa}", "program": program,
             "source": "runtime/loops/lookup.cpp"}
            for isa in isas for program in ("unit_load_formats", "unit_load_shelf")]


def files(program, *tests, target="castforge_cli", **more):
    """Of a program's tests those in these files."""
    arguments = ["--filenames-as-tags", ",".join(f"[#{name}_test]" for name in tests)]
    return [{"name": " ".join([program, *tests]), "target": target, "program": program, "arguments": arguments, **more}]


def cli(*tests, **more):
    return files("unit_cli", *tests, **more)


def program(*tests):
    """The same for those that run the program itself, which is linked with the changed object."""
    return [{**cli(*tests)[0], "program": "castforge_program", "tester": "unit_cli"}]


def exact(**more):
    return (files("unit_semantics", "exact", target="castforge", **more) +
            in_program("unit_load_formats", "unit_text", "unit_load_shelf", **more))


ENGINE = "runtime/src/exact/cast.cpp"

TARGETS = [
    # Loops, tails, packing: what moves elements in and out of vectors.
    ("runtime/loops/blocks.hpp", 12, loops("avx2", "avx512vbmi", "portable")),
    ("runtime/loops/packing.hpp", 8, loops("avx2", "avx512vbmi")),
    ("runtime/loops/nibbles.hpp", 5, loops("avx2", "avx512vbmi")),
    ("runtime/simd/dense.hpp", 6, loops("avx2", "avx512vbmi")),
    ("runtime/simd/dense_places.hpp", 3, loops("avx2", "sse4_2")),
    ("runtime/loops/loop.hpp", 5, loops("avx2", "avx512vbmi", "portable")),
    ("runtime/loops/scalar_loop.hpp", 4, loops("portable", "avx2")),
    ("runtime/include/castforge/elements.hpp", 6, loops("portable", "avx2")),
    # Operations on vectors.
    ("runtime/simd/avx2.hpp", 4, loops("avx2") + operations("avx2")),
    ("runtime/simd/sse4_2.hpp", 3, loops("sse4_2") + operations("sse4_2")),
    ("runtime/simd/avx512vbmi.hpp", 3, loops("avx512vbmi") + operations("avx512vbmi")),
    ("runtime/src/float_guard.hpp", 3, simd_test("environment", "avx2")),
    # Sequences, and tables loaded at run time.
    ("runtime/loops/ramp.hpp", 4, simd_test("ramp", "avx2", "portable")),
    ("runtime/loops/lookup.cpp", 4, in_program("unit_load_formats", target="castforge_isa_avx2") +
     in_program("unit_load_formats", target="castforge_isa_portable")),
    ("runtime/loops/lookup_lanes.hpp", 4, lookup("avx2")),
    ("runtime/loops/lookup_rows.hpp", 9, lookup("avx2")),
    ("runtime/loops/lookup_registers.hpp", 5, lookup("avx512", "avx512vbmi")),
    # The library: pieces and thresholds of large buffers, numbers and texts, ranges.
    ("runtime/src/streaming.cpp", 6, in_program("unit_api", "unit_environment")),
    ("runtime/src/tensor.cpp", 4, in_program("unit_api")),
    ("runtime/src/kernel.cpp", 3, in_program("unit_api", "unit_load_formats")),
    ("runtime/src/opset.cpp", 3, in_program("unit_api")),
    ("runtime/src/text/decimal_to_binary.cpp", 4, in_program("unit_text")),
    ("runtime/src/text/scan.cpp", 4, in_program("unit_text")),
    ("runtime/src/text/parse.cpp", 4, in_program("unit_text")),
    ("runtime/src/text/format.cpp", 4, in_program("unit_text")),
    ("runtime/src/range.cpp", 4, in_program("unit_range")),
    # The exact engine, which verifies kernels and runs the slow ones of loaded formats; files of loaded formats.
    ("runtime/src/exact/cast.cpp", 8, exact()),
    ("runtime/src/exact/rounding.hpp", 5, exact(source=ENGINE)),
    ("runtime/src/exact/value.hpp", 3, exact(source=ENGINE)),
    ("runtime/src/exact/format.hpp", 3, exact(source=ENGINE)),
    ("runtime/src/loaded/checked.cpp", 5, in_program("unit_load_formats", "unit_load_hostile")),
    ("runtime/src/loaded/data_kernel.cpp", 4, in_program("unit_load_formats", "unit_load_hostile")),
    ("runtime/src/loaded/read_file.cpp", 8, in_program("unit_load_hostile", "unit_load_formats")),
    # What reads files.
    ("runtime/cli/formats/npy_header.cpp", 6, cli("npy", "hostile")),
    ("runtime/cli/formats/npy_text.cpp", 3, cli("npy", "text", "hostile")),
    ("runtime/cli/formats/zip.cpp", 6, cli("npz", "hostile")),
    ("runtime/cli/formats/c_order.cpp", 4, cli("npz", "npy")),
    ("runtime/cli/formats/json_cursor.cpp", 5,
     cli("safetensors", "large_headers", "hostile") + program("convert_hostile")),
    ("runtime/cli/formats/safetensors_header.cpp", 6, cli("safetensors", "large_headers", "hostile")),
    ("runtime/cli/formats/wire.cpp", 4, cli("tensor_proto", "hostile") + program("onnx_model")),
    ("runtime/cli/formats/tensor_proto.cpp", 6, cli("tensor_proto", "hostile") + program("onnx_model")),
    ("runtime/cli/formats/typed_field_reader.cpp", 3, cli("tensor_proto", "hostile")),
    ("runtime/cli/formats/onnx_model.cpp", 5, program("onnx_model", "convert", "file_report")),
    ("runtime/cli/formats/code_layout.cpp", 3, cli("code_layout", "dense_files")),
    ("runtime/cli/formats/raw.cpp", 3, cli("raw") + program("raw")),
    ("runtime/cli/io/ordered_pipeline.hpp", 3,
     cli("ordered_pipeline", source="tests/unit/cli/ordered_pipeline_test.cpp", target="unit_cli",
         own_objects=False)),
]

# A file, its steps, a mutant that has to be noticed and one that changes no result: (line, change).
SELF_TEST = (
    "runtime/src/text/scan.cpp", in_program("unit_text"),
    ("constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }", "<= -> < at 54"),
    ("constexpr std::int64_t kExponentLimit = 1'000'000'000'000'000;", "1 -> 2 at 40"),
)
