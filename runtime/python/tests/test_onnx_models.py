"""ONNX models through convert and info, judged by onnx itself."""

import json
import subprocess

import numpy as np
import pytest

import pycastforge as cf

onnx = pytest.importorskip("onnx")
import onnx.reference  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

RNG = np.random.default_rng(1)
W = RNG.standard_normal((64, 32), np.float32)
B = RNG.standard_normal(32, np.float32)
X = RNG.standard_normal((3, 64), np.float32)
PLAN = {"opset": "onnx@28", "default": {"to": "float8e4m3fn"}, "rules": [{"tensors": ["bias"], "keep": True}]}


def typed(name, array, data_type):
    """A tensor whose elements are in the typed field."""
    return helper.make_tensor(name, data_type, array.shape, array.ravel().tolist())


def model(*, opset=21, weight=None, inputs=(), **options):
    """x @ weight + bias where a condition holds, else x @ weight: the weight is used in graphs in a node too."""
    value = helper.make_tensor_value_info

    def branch(name, nodes):
        return helper.make_graph(nodes, name, [], [value(name, TensorProto.FLOAT, ["n", 32])])

    node = helper.make_node
    add = branch("then", [node("MatMul", ["x", "weight"], ["h"]), node("Add", ["h", "bias"], ["then"])])
    plain = branch("else", [node("MatMul", ["x", "weight"], ["else"])])
    graph = helper.make_graph(
        [
            helper.make_node("If", ["condition"], ["y"], then_branch=add, else_branch=plain),
            helper.make_node("Reshape", ["y", "shape"], ["z"]),
        ],
        "g",
        [value("x", TensorProto.FLOAT, ["n", 64]), value("condition", TensorProto.BOOL, []), *inputs],
        [value("z", TensorProto.FLOAT, ["m"]), value("weight", TensorProto.FLOAT, [64, 32])],
        initializer=[
            weight or numpy_helper.from_array(W, "weight"),
            numpy_helper.from_array(B, "bias"),
            numpy_helper.from_array(np.array([-1], np.int64), "shape"),
        ],
        value_info=[value("y", TensorProto.FLOAT, ["n", 32])],
        doc_string="kept",
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=options.get("ir", 10))


def convert(tmp_path, given, plan=PLAN, **options):
    """The converted model, checked; also what it computes, by onnx's own evaluator."""
    source = tmp_path / "in" / "net.onnx"
    source.parent.mkdir(exist_ok=True)
    onnx.save_model(given, source, **options)
    assert [s.outcome for s in cf.convert(source, tmp_path / "out", plan, threads=2, verify=True)] == ["converted"]
    target = tmp_path / "out" / "net.onnx"
    onnx.checker.check_model(target, full_check=True)
    return onnx.load(target)


def initializers(given):
    return {t.name: t for t in given.graph.initializer}


def run(given, condition=True):
    session = onnx.reference.ReferenceEvaluator(given)
    return session.run(None, {"x": X, "condition": np.array(condition)})


def codes(tensor):
    return numpy_helper.to_array(tensor).view(np.uint8)


def check_values(converted, plan_to="float8e4m3fn"):
    """What is stored is what cast() gives, and what is computed is what the rounded weights give."""
    stored = initializers(converted)
    rounded = cf.cast(W, plan_to)
    assert set(stored) == {f"weight.as_{plan_to}", "bias", "shape"}
    np.testing.assert_array_equal(codes(stored[f"weight.as_{plan_to}"]), rounded.view(np.uint8))
    np.testing.assert_array_equal(numpy_helper.to_array(stored["bias"]), B)
    wide = rounded.astype(np.float32)
    for condition in (True, False):
        z, weight = run(converted, condition)
        np.testing.assert_array_equal(weight, wide)
        np.testing.assert_allclose(z, (X @ wide + (B if condition else 0)).ravel(), rtol=1e-4, atol=1e-4)


def test_weights_are_stored_narrow_and_computed_wide(tmp_path):
    converted = convert(tmp_path, model())
    check_values(converted)
    assert [n.op_type for n in converted.graph.node] == ["Cast", "If", "Reshape"]
    assert converted.graph.doc_string == "kept" and len(converted.graph.value_info) == 1
    assert (tmp_path / "out" / "net.onnx").stat().st_size < (tmp_path / "in" / "net.onnx").stat().st_size / 2
    # Nothing to cast: the same bytes.
    convert(tmp_path, model(), {"opset": "onnx@28", "default": {"keep": True}})
    assert (tmp_path / "out" / "net.onnx").read_bytes() == (tmp_path / "in" / "net.onnx").read_bytes()


def test_typed_fields(tmp_path):
    check_values(convert(tmp_path, model(weight=typed("weight", W, TensorProto.FLOAT))))
    bfloat16s = cf.cast(W, "bfloat16")
    as_ints = onnx.TensorProto(name="weight", dims=W.shape, data_type=TensorProto.BFLOAT16)
    as_ints.int32_data.extend(bfloat16s.view(np.uint16).ravel().tolist())
    given = helper.make_model(
        helper.make_graph(
            [helper.make_node("Identity", ["weight"], ["y"])],
            "g",
            [],
            [helper.make_tensor_value_info("y", TensorProto.BFLOAT16, W.shape)],
            initializer=[as_ints],
        ),
        opset_imports=[helper.make_opsetid("", 21)],
        ir_version=10,
    )
    converted = convert(tmp_path, given, {"opset": "onnx@28", "default": {"to": "float32"}})
    np.testing.assert_array_equal(
        numpy_helper.to_array(initializers(converted)["weight.as_float32"]), bfloat16s.astype(np.float32)
    )


@pytest.mark.parametrize("one_file", [True, False])
def test_external_data(tmp_path, one_file):
    converted = convert(
        tmp_path, model(), save_as_external_data=True, all_tensors_to_one_file=one_file, size_threshold=100
    )
    check_values(converted)
    raw = onnx.load(tmp_path / "out" / "net.onnx", load_external_data=False)
    places = {t.name: {e.key: e.value for e in t.external_data} for t in raw.graph.initializer}
    assert {place.get("location") for name, place in places.items() if name != "shape"} == {"net.onnx.data"}
    assert not places["shape"]  # it was in the model, and is
    assert all(int(place.get("offset", 0)) % 64 == 0 for place in places.values())
    data = max((tmp_path / "in").iterdir(), key=lambda p: p.stat().st_size)  # with the weight in it
    data.write_bytes(bytes(data.stat().st_size))  # another content: not what was converted
    assert [s.outcome for s in cf.convert(tmp_path / "in" / "net.onnx", tmp_path / "out", PLAN)] == ["converted"]
    assert not codes(initializers(onnx.load(tmp_path / "out" / "net.onnx"))["weight.as_float8e4m3fn"]).any()


def test_initializer_that_is_an_input(tmp_path):
    """As all are before version 4 of the format."""
    value = helper.make_tensor_value_info
    inputs = [
        value("weight", TensorProto.FLOAT, [64, 32]),
        value("bias", TensorProto.FLOAT, [32]),
        value("shape", TensorProto.INT64, [1]),
    ]
    inputs[0].doc_string = "kept"
    converted = convert(tmp_path, model(inputs=inputs, ir=3, opset=13), {**PLAN, "default": {"to": "bfloat16"}})
    assert [i.name for i in converted.graph.input] == ["x", "condition", "weight.as_bfloat16", "bias", "shape"]
    weight = converted.graph.input[2]
    assert weight.type.tensor_type.elem_type == TensorProto.BFLOAT16 and weight.doc_string == "kept"
    assert [d.dim_value for d in weight.type.tensor_type.shape.dim] == [64, 32]
    check_values(converted, "bfloat16")


@pytest.mark.parametrize("to", ["float16", "bfloat16", "float8e5m2", "int4", "float4e2m1", "uint2", "float64"])
def test_types(tmp_path, to):
    opset = {"float4e2m1": 23, "uint2": 25}.get(to, 21)
    converted = convert(tmp_path, model(opset=opset, ir=8), {**PLAN, "default": {"to": to}})
    # Raised where older versions of the format have no such type (enum Version of onnx.proto).
    least = {"float8e5m2": 9, "int4": 10, "float4e2m1": 11, "uint2": 13}
    assert converted.ir_version == least.get(to, 8)
    assert int(cf.dtype(to).aliases.get("onnx_ir", [0])[0]) == least.get(to, 4 if to == "bfloat16" else 0)
    stored = initializers(converted)[f"weight.as_{to}"]
    expected = cf.cast(W, to, layout="packed")
    assert stored.raw_data == expected.data.tobytes()
    plan = {"opset": "onnx@28", "default": {"keep": True}, "rules": [{"tensors": ["weight*"], "to": "float32"}]}
    again = convert(tmp_path, converted, plan)
    back = numpy_helper.to_array(initializers(again)[f"weight.as_{to}.as_float32"])
    np.testing.assert_array_equal(back, cf.cast(expected, "float32", layout="bytes"))


def test_what_would_be_invalid_is_refused(tmp_path):
    taken = helper.make_tensor_value_info("weight.as_float8e4m3fn", TensorProto.FLOAT, [])
    for given, words in [
        (model(opset=17, ir=8), "version 17 .* does not admit float8e4m3fn to float32; version 19 does"),
        (model(inputs=[taken]), "another value"),
    ]:
        with pytest.raises(cf.BadFile, match=words):
            convert(tmp_path, given)
    with pytest.raises(cf.BadFile, match="cannot hold uint1"):
        convert(tmp_path, model(), {"opset": "castforge@1", "default": {"to": "uint1"}})
    assert not (tmp_path / "out" / "net.onnx").exists()


def test_info(tmp_path, program):
    """Wherever the elements are."""
    as_typed = model(weight=typed("weight", W, TensorProto.FLOAT))
    as_files = {"save_as_external_data": True, "all_tensors_to_one_file": False, "size_threshold": 0}
    for name, given, options in [("raw", model(), {}), ("typed", as_typed, {}), ("files", model(), as_files)]:
        onnx.save_model(given, tmp_path / f"{name}.onnx", **options)
        run_info = [program, "info", "--json", tmp_path / f"{name}.onnx"]
        tensors = json.loads(subprocess.run(run_info, check=True, capture_output=True).stdout)["tensors"]
        expected = {"weight": W, "bias": B, "shape": np.array([-1], np.int64)}
        assert [t["name"] for t in tensors] == list(expected)
        for found, array in zip(tensors, expected.values()):
            assert (found["type"], found["shape"]) == (array.dtype.name, list(array.shape))
            assert found["amax"] == np.abs(array).max()


def test_onnxruntime_runs_it(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    converted = convert(tmp_path, model(), save_as_external_data=True, size_threshold=100)
    session = onnxruntime.InferenceSession(tmp_path / "out" / "net.onnx")
    z, weight = session.run(None, {"x": X, "condition": np.array(True)})
    expected = run(converted)
    np.testing.assert_array_equal(weight, expected[1])
    np.testing.assert_allclose(z, expected[0], rtol=1e-4, atol=1e-4)
