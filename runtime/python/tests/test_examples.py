"""The notebooks under examples/, cell by cell."""

import json
import pathlib

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).parent.parent / "examples").glob("*.ipynb"))


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_notebook(path, capsys):
    names: dict = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, {cell['id']}", "exec"), names)
    assert len(names["errors"]) == 10
    assert "signal to noise" in capsys.readouterr().out
