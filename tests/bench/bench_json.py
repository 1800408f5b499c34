"""Reads what `castforge bench --json` and castforge_bench write. Standard library only."""
import json


class BadFile(Exception):
    """The file is no benchmark JSON; the message says what is wrong."""


class Measurement:
    """One entry named cast/SRC:DST/OPSET/ISA/SIZE[/name:value...]."""

    def __init__(self, entry):
        name = entry["name"]
        parts = name.split("/")
        if len(parts) < 5 or parts[0] != "cast" or ":" not in parts[1] or not parts[4].isdigit():
            raise BadFile(f"{name!r} is not of the form cast/SRC:DST/OPSET/ISA/SIZE")
        self.name = name
        self.src, self.dst = parts[1].split(":", 1)
        self.opset, self.isa, self.size = parts[2], parts[3], int(parts[4])
        self.attributes = tuple(parts[5:])
        self.data = entry.get("data", "mixed")
        self.threads = int(entry.get("threads", 1))
        self.items_per_second = float(entry["items_per_second"])
        self.bytes_per_second = float(entry["bytes_per_second"])
        self.memcpy_ratio = float(entry["memcpy_ratio"])
        self.copy_loop_ratio = float(entry["copy_loop_ratio"])
        self.normal_ratio = float(entry["normal_ratio"]) if "normal_ratio" in entry else None


def read(path):
    """Returns the context block and the list of Measurements; raises BadFile or OSError."""
    with open(path, encoding="utf-8") as file:
        try:
            data = json.load(file)
        except ValueError as error:
            raise BadFile(f"{path}: {error}") from error
    try:
        entries = [e for e in data["benchmarks"] if e.get("run_type") != "aggregate"]
        return data["context"], [Measurement(entry) for entry in entries]
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{path}: not benchmark JSON: {error!r}") from error
    except BadFile as error:
        raise BadFile(f"{path}: {error}") from error
