"""Whole checkpoints, here and on several workers."""

import concurrent.futures
import filecmp
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import pycastforge as cf
import pycastforge.distributed

HERE = os.path.dirname(os.path.abspath(__file__))
PLAN = {"opset": "onnx@28", "default": {"to": "float8e4m3fn"}, "rules": [{"tensors": ["*norm*"], "keep": True}]}


@pytest.fixture
def source(tmp_path):
    """Four shards with an index."""
    folder = tmp_path / "in"
    folder.mkdir()
    rng = np.random.default_rng(1)
    weights, size = {}, 0
    for i in range(4):
        name = f"model-{i + 1:05}-of-00004.safetensors"
        tensors = {
            f"layer.{i}.w": cf.cast(rng.standard_normal((64, 256), np.float32), "bfloat16"),
            f"layer.{i}.norm": cf.cast(rng.standard_normal(256, np.float32), "bfloat16"),
        }
        cf.save_safetensors(tensors, folder / name)
        weights |= dict.fromkeys(tensors, name)
        size += sum(t.nbytes for t in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": weights}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "config.json").write_text("{}")
    return folder


def shards_equal(a, b) -> bool:
    names = sorted(p.name for p in a.glob("*.safetensors"))
    assert len(names) == 4 and names == sorted(p.name for p in b.glob("*.safetensors"))
    return all(filecmp.cmp(a / name, b / name, shallow=False) for name in names)


def test_convert(source, tmp_path):
    shards = cf.convert(source, tmp_path / "out", PLAN, threads=2, verify=True)
    assert [s.outcome for s in shards] == ["converted"] * 4
    f = cf.open_safetensors(tmp_path / "out" / shards[2].name)
    x = cf.open_safetensors(source / shards[2].name)
    np.testing.assert_array_equal(
        f["layer.2.w"].view(np.uint8), cf.cast(x["layer.2.w"], "float8e4m3fn").view(np.uint8)
    )
    np.testing.assert_array_equal(f["layer.2.norm"].view(np.uint16), x["layer.2.norm"].view(np.uint16))
    assert (tmp_path / "out" / "model.safetensors.index.json").is_file()
    assert [s.outcome for s in cf.convert(source, tmp_path / "out", PLAN)] == ["skipped"] * 4
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    cf.convert(source, tmp_path / "again", tmp_path / "plan.json")
    assert shards_equal(tmp_path / "out", tmp_path / "again")
    (rules,) = [opset for opset in cf.opsets() if opset.name == PLAN["opset"]]
    cf.convert(source, tmp_path / "by_object", {**PLAN, "opset": rules})
    assert shards_equal(tmp_path / "out", tmp_path / "by_object")


def test_bad_plans_and_bad_shards(source, tmp_path):
    with pytest.raises(TypeError, match=r"plan: expected what JSON can hold, or an OpSet, found \{1\}"):
        cf.convert(source, tmp_path / "out", {**PLAN, "opset": {1}})
    with pytest.raises(cf.BadFile, match="plan:"):
        cf.convert(source, tmp_path / "out", {"opset": "onnx@28", "default": {"to": "float9"}})
    with pytest.raises(cf.BadFile):
        cf.convert(source, tmp_path / "out", {**PLAN, "rules": [{"tensors": ["nothing*"], "keep": True}]})
    damaged = source / "model-00003-of-00004.safetensors"
    damaged.write_bytes(damaged.read_bytes()[:-7])
    with pytest.raises(cf.BadFile, match="1 of 4 shards failed: .*model-00003-of-00004"):
        cf.convert(source, tmp_path / "out", PLAN)
    assert len(list((tmp_path / "out").glob("*.safetensors"))) == 3


def test_any_executor(source, tmp_path):
    cf.convert(source, tmp_path / "one", PLAN)
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        shards = pycastforge.distributed.convert(source, tmp_path / "many", PLAN, executor=executor)
    assert len(shards) == 4 and shards_equal(tmp_path / "one", tmp_path / "many")


class Flaky(concurrent.futures.ThreadPoolExecutor):
    """Every task dies as often as told."""

    def __init__(self, deaths: int) -> None:
        super().__init__(2)
        self.deaths, self.seen = deaths, {}

    def submit(self, function, *arguments):
        part = arguments[3]
        self.seen[part] = self.seen.get(part, 0) + 1
        if self.seen[part] <= self.deaths:
            future = concurrent.futures.Future()
            future.set_exception(concurrent.futures.BrokenExecutor("a worker died"))
            return future
        return super().submit(function, *arguments)


def test_retries(source, tmp_path):
    cf.convert(source, tmp_path / "one", PLAN)
    with Flaky(2) as executor:
        pycastforge.distributed.convert(source, tmp_path / "many", PLAN, executor=executor, retries=2)
    assert shards_equal(tmp_path / "one", tmp_path / "many")
    with Flaky(2) as executor, pytest.raises(concurrent.futures.BrokenExecutor):
        pycastforge.distributed.convert(source, tmp_path / "none", PLAN, executor=executor, retries=1)
    with Flaky(9) as executor, pytest.raises(concurrent.futures.BrokenExecutor):
        pycastforge.distributed.convert(source, tmp_path / "fewer", PLAN, executor=executor, retries=-1)


def slow_part(*arguments):
    """A part that takes a while, in whichever process."""
    time.sleep(0.3)
    return pycastforge._checkpoints.convert_part(*arguments)


def test_dask_with_a_worker_killed(source, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", exc_type=ImportError)
    cf.convert(source, tmp_path / "one", PLAN)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, worker_dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        client.run(os.getpid)
        executor = client.get_executor()
        monkeypatch.setattr(pycastforge.distributed._checkpoints, "convert_part", slow_part)
        victim = sorted(client.run(os.getpid).values())[0]
        killer = threading.Timer(0.2, os.kill, (victim, signal.SIGKILL))
        killer.start()
        shards = pycastforge.distributed.convert(source, tmp_path / "many", PLAN, executor=executor)
        killer.join()
        assert len(shards) == 4
    assert shards_equal(tmp_path / "one", tmp_path / "many")


def part_that_dies_once(folder, *arguments):
    """A part; the first worker that takes the third one dies."""
    if arguments[3] == 2 and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return pycastforge._checkpoints.convert_part(*arguments)


def test_ray_with_a_worker_killed(source, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray", exc_type=ImportError)
    monkeypatch.setenv("HOME", str(tmp_path))  # it writes there
    cf.convert(source, tmp_path / "one", PLAN)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": HERE}})
    try:
        executor = pycastforge.distributed.RayExecutor()
        part = functools.partial(part_that_dies_once, tmp_path)
        monkeypatch.setattr(pycastforge.distributed._checkpoints, "convert_part", part)
        shards = pycastforge.distributed.convert(source, tmp_path / "many", PLAN, executor=executor)
    finally:
        ray.shutdown()
    assert len(shards) == 4 and (tmp_path / "died").exists()
    assert shards_equal(tmp_path / "one", tmp_path / "many")


def blocks(language):
    """The scripts of a language in the README of convert."""
    text = (pathlib.Path(HERE).parents[1] / "cli" / "convert" / "README.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def run_parts(script, variable, source, tmp_path, program):
    """Every part of a job array, in disorder, each with the number that the scheduler would give it; then --finish."""
    script = script.replace("/data/in", str(source)).replace("/data/out", str(tmp_path / "out"))
    script = script.replace("/data/plan.json", "plan.json")
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    path = os.path.dirname(program) + os.pathsep + os.environ["PATH"]
    for part in reversed(range(16)):
        environment = {"PATH": path, variable: str(part)}
        subprocess.run(["sh", "-ec", script], check=True, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL)
    assert not (tmp_path / "out" / "model.safetensors.index.json").exists()
    subprocess.run([program, "convert", source, tmp_path / "out", "--finish"], check=True, stdout=subprocess.DEVNULL)
    cf.convert(source, tmp_path / "one", PLAN)
    assert shards_equal(tmp_path / "one", tmp_path / "out")
    assert (tmp_path / "out" / "model.safetensors.index.json").exists()


def test_slurm_example(source, tmp_path, program):
    (script,) = [block for block in blocks("sh") if "#SBATCH" in block]
    assert re.search(r"^#SBATCH --array=0-15 ", script, re.MULTILINE)
    run_parts(script, "SLURM_ARRAY_TASK_ID", source, tmp_path, program)


def test_kubernetes_example(source, tmp_path, program):
    (job,) = blocks("yaml")
    assert "completions: 16\n" in job and "completionMode: Indexed" in job
    command = re.search(r"command: \[sh, -c, '(.*?)'\]", job, re.DOTALL)[1]
    run_parts(" ".join(command.split()), "JOB_COMPLETION_INDEX", source, tmp_path, program)
