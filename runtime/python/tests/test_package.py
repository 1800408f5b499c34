"""The package as it is installed."""

import ast
import builtins
import importlib.metadata
import importlib.resources
import subprocess
import sys

import pycastforge as cf


def test_version():
    assert importlib.metadata.version("pycastforge") == cf.__version__ == cf.info()["version"]


def test_only_numpy_is_required_and_imported():
    required = [r for r in importlib.metadata.requires("pycastforge") if "extra ==" not in r]
    assert [r.split(">")[0] for r in required] == ["numpy"]
    script = (
        "import sys\n"
        "for name in ['ml_dtypes', 'torch', 'jax', 'onnx', 'safetensors', 'dask']: sys.modules[name] = None\n"
        "import numpy as np, pycastforge as cf\n"
        "x = np.array([1, 480], np.float32)\n"
        "assert cf.cast(x, 'float16').tolist() == [1, 480]\n"
        "y = cf.cast(x, 'float8e4m3fn', layout='packed')\n"
        "assert y.data.tolist() == [0x38, 0x7E], y.data\n"
        "assert cf.cast(y, 'float32').tolist() == [1, 448]\n"
        "try: cf.cast(x, 'float8e4m3fn')\n"
        "except cf.UnknownType as e: assert 'ml_dtypes is not installed' in str(e), e\n"
        "else: raise SystemExit('no error')\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_typed():
    files = importlib.resources.files("pycastforge")
    assert files.joinpath("py.typed").is_file()
    stub = files.joinpath("_core.pyi").read_text()
    for name in ["def cast(", "class Packed", "class Kernel", "def arange(", "def info("]:
        assert name in stub
    tree = ast.parse(stub)
    known = set(dir(builtins))
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            known |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            known.add(node.name)
        elif isinstance(node, (ast.AnnAssign, ast.Assign)):
            known |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert used <= known
    for node in ast.walk(tree):  # what `object` has, classes may not narrow
        if isinstance(node, ast.FunctionDef) and node.name == "__eq__":
            _, other = node.args.posonlyargs + node.args.args
            assert ast.unparse(other.annotation).startswith("object")
        if isinstance(node, ast.FunctionDef) and node.name == "__reduce__":
            assert ast.unparse(node.returns).startswith("tuple")


def test_public_names():
    assert set(cf.__all__) <= set(dir(cf))
    assert {"cast", "kernel", "dtype", "Packed", "bitcast", "arange", "audit", "explain", "Stats"} <= set(cf.__all__)
