"""Complaints about arguments in Python's words; those of nanobind are its signature and the types of what it got."""

import functools


def in_pythons_words(function):
    """A function of the extension module that complains of missing and unknown arguments as Python's own do."""

    @functools.wraps(function)
    def call(*given, **named):
        try:
            return function(*given, **named)
        except TypeError:
            try:
                _same_arguments(function)(*given, **named)
            except TypeError as complaint:
                raise TypeError(str(complaint)) from None
            raise

    call.__module__ = __package__
    return call


@functools.cache
def _same_arguments(function):
    """A function of Python that takes the same arguments, made of the line that stands in the stubs."""
    names = {}
    exec(f"from __future__ import annotations\n{function.__nb_signature__[0][0]}: ...", names)
    return names[function.__name__]
