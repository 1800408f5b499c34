"""The examples in the docstrings."""

import doctest
import inspect

import pytest

import pycastforge as cf
import pycastforge.numpy as cfn

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def documented():
    for module in [cf, cfn]:
        yield module.__name__, module.__doc__
        for name, value in vars(module).items():
            if name.startswith("_") or not (inspect.isroutine(value) or inspect.isclass(value)):
                continue
            yield f"{module.__name__}.{name}", value.__doc__
            for member in vars(value) if inspect.isclass(value) else ():
                is_default = isinstance(vars(value)[member], int | str | None)  # of a field, which the class describes
                if not member.startswith("_") and not is_default:
                    yield f"{module.__name__}.{name}.{member}", getattr(value, member).__doc__


DOCS = dict(documented())


@pytest.mark.parametrize("name", [name for name, doc in DOCS.items() if doc and ">>>" in doc])
def test_example(name):
    example = doctest.DocTestParser().get_doctest(DOCS[name], {}, name, None, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(example, out=report.append)
    assert not report, "".join(report)


def test_everything_public_is_documented():
    missing = [name for name, doc in DOCS.items() if not doc]
    assert not missing


def test_there_are_examples():
    assert sum(1 for doc in DOCS.values() if doc and ">>>" in doc) >= 15
