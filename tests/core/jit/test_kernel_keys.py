"""The keys of kernels: new for whatever changes the code that is compiled, and for nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from boomslang.cli.doctor.warmup_command import import_common
from boomslang.core.jit import jit
from tests.support.places import ROOT
from tests.support.process import run_python

pytestmark = pytest.mark.jit_only

PARAMS = """
import numpy as np

MARGIN = np.int64(10)
UNUSED = np.int64(11)
"""

SUBJECT = '''
import functools
import numpy as np
import params
from boomslang.core.jit.instructions import function_at, record_at
from boomslang.core.jit.jit import i64, jit, kernel, record_type, u64
from boomslang.core.jit.simd import four_fills
from numba.extending import intrinsic

I = np.int64
LIMIT = I(7)
WEIGHTS = (I(3), (I(5), 2.5))
TABLE = np.array([1, 2, 3], dtype=np.int64)
record = np.dtype([("a", "u4"), ("b", "u4", (2,))])
at = record_at(record)
pair = record_type(np.dtype([("one", "i4"), ("two", "i4")]))
spread = four_fills(((8, 0xFFFF), (-8, 0xFF)), slides=True)
call = function_at(i64(i64))


@kernel(i64(i64))
def other(n):
    return even(n * I(2))


@kernel(i64(i64, pair))
def shared(n, both):
    return n + both.one


@jit
def even(n):
    return odd(n - I(1))


@jit
def odd(n):
    return n + LIMIT


def _plus(builder, value):
    return builder.add(value, value)


@intrinsic
def doubled(context, value):
    """Twice as much."""

    def codegen(context, builder, signature, args):
        return _plus(builder, args[0])

    return i64(i64), codegen


@jit
def helper(n, by=I(2)):
    """Add up."""
    total = n * WEIGHTS[0]  # a remark
    return total + by


def make(step, at_most=I(9)):
    @jit
    def stepped(n):
        return min(n + step, at_most)

    return stepped


stepped = make(I(4))


@kernel(i64(i64, u64))
def top(n, address):
    """The kernel whose key is looked at."""
    found = at(address)
    first, second, third, fourth = spread(address, address, address, address, address)
    total = helper(n) + TABLE[I(1)] + params.MARGIN + other(n) + stepped(n) + doubled(n)
    return total + call(address, n) + I(found.b[I(0)]) + I(first[0])
'''

PROGRAM = """
import json, sys, types
from boomslang.core.jit import jit
from tests.support.machine_code import without_running_names

told = []
for texts, compiled in json.load(sys.stdin):
    for name, text in texts.items():
        module = sys.modules[name] = types.ModuleType(name)
        exec(compile(text, f"/{len(told)}/{name}.py", "exec"), vars(module))
    key = jit._keys().key_of(module.top)
    code = ""
    if compiled:
        jit.compile_kernel("subject.top")
        code = without_running_names(module.top.inspect_llvm(module.top.signatures[0]))
        jit._loaded.clear()
        jit._signed.clear()
    told.append([key, code])
json.dump(told, sys.stdout)
"""

SAME = {
    "another folder": ("", ""),
    "a remark": ("# a remark", "# another remark"),
    "a line more": ("@jit\ndef helper", "\n\n\n@jit\ndef helper"),
    "a docstring": ("The kernel whose key", "This kernel's key"),
    "the docstring of a helper": ("Add up.", "Add."),
    "the docstring of what generates code": ("Twice as much", "Doubled"),
    "what is behind a pointer": ("return even(n * I(2))", "return even(n * I(3))"),
    "another kernel": ("return n + both.one", "return n + both.two"),
    "a constant that it does not read": ("UNUSED = np.int64(11)", "UNUSED = np.int64(12)"),
    "a function more": ("@jit\ndef even", "@jit\ndef more(n):\n    return n\n\n\n@jit\ndef even"),
}

COMPILED = ("", "another folder", "the docstring of a helper", "what is behind a pointer")

OTHER = {
    "its own code": ("found.b[I(0)]", "found.b[I(1)]"),
    "a helper": ("return total + by", "return total - by"),
    "a number in a helper": ("n * WEIGHTS[0]", "n * WEIGHTS[1][0]"),
    "a default": ("by=I(2)", "by=I(3)"),
    "a tuple": ("(I(3), (I(5), 2.5))", "(I(3), (I(6), 2.5))"),
    "a type in a tuple": ("(I(5), 2.5)", "(np.int32(5), 2.5)"),
    "an array": ("[1, 2, 3]", "[1, 2, 4]"),
    "the type of an array": ("3], dtype=np.int64", "3], dtype=np.uint64"),
    "the shape of an array": ("dtype=np.int64)", "dtype=np.int64)[None][0][:2]"),
    "a constant of a module": ("MARGIN = np.int64(10)", "MARGIN = np.int64(9)"),
    "the type of a constant": ("MARGIN = np.int64(10)", "MARGIN = np.int32(10)"),
    "a closure": ("make(I(4))", "make(I(5))"),
    "a default in a closure": ("at_most=I(9)", "at_most=I(8)"),
    "a field more": ('("a", "u4"), ', '("a", "u4"), ("c", "u4"), '),
    "the type of a field": ('("b", "u4", (2,))', '("b", "i4", (2,))'),
    "a step": ("(-8, 0xFF)", "(-7, 0xFF)"),
    "a mask": ("(-8, 0xFF)", "(-8, 0x7F)"),
    "a flag of what generates code": ("slides=True", "slides=False"),
    "what generates code": ("return _plus(builder, args[0])", "return args[0]"),
    "what it calls": ("builder.add(value, value)", "builder.mul(value, value)"),
    "the signature": ("@kernel(i64(i64, u64))\ndef top", "@kernel(u64(i64, u64))\ndef top"),
    "a callee's signature": ("@kernel(i64(i64))\ndef other", "@kernel(u64(i64))\ndef other"),
    "a callee that is a helper": ("@kernel(i64(i64))\ndef other", "@jit\ndef other"),
    "the signature of a pointer": ("function_at(i64(i64))", "function_at(u64(i64))"),
    "options": ("@kernel(i64(i64, u64))\ndef", "@kernel(i64(i64, u64), relaxed=True)\ndef"),
    "the options of a helper": (
        "@jit\ndef helper",
        "import numba\n\n@numba.njit(fastmath=True)\ndef helper",
    ),
    "a global that is another": ("LIMIT = I(7)", "LIMIT = I(7)\nmin = max"),
}


def edited(edit: tuple[str, str]) -> dict[str, str]:
    """The two modules after an edit of one of them."""
    texts = {"params": PARAMS, "subject": SUBJECT}
    assert any(edit[0] in text for text in texts.values())
    return {name: text.replace(*edit) for name, text in texts.items()}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The key of the kernel after each edit; for some of them its code too, which takes time."""
    edits = {"": ("", "")} | SAME | OTHER
    asked = [[edited(edit), name in COMPILED] for name, edit in edits.items()]
    variables = {"PYTHONPATH": str(ROOT), "BOOMSLANG_BOUNDS": "0"}
    variables["BOOMSLANG_CACHE_DIR"] = os.devnull  # nothing comes from the cache
    ended = run_python(
        "-c",
        PROGRAM,
        folder=tmp_path_factory.mktemp("keys"),
        given=json.dumps(asked),
        variables=variables,
    )
    assert ended.returncode == 0, ended.stderr
    return dict(zip(edits, json.loads(ended.stdout), strict=True))


@pytest.mark.parametrize("edit", SAME)
def test_what_changes_no_code_changes_no_key(keys: dict[str, list[str]], edit: str) -> None:
    assert keys[edit][0] == keys[""][0]


def test_the_code_is_the_same_too(keys: dict[str, list[str]]) -> None:
    assert len({keys[edit][1] for edit in COMPILED}) == 1 and "define" in keys[""][1]


@pytest.mark.parametrize("edit", OTHER)
def test_what_may_change_the_code_changes_the_key(keys: dict[str, list[str]], edit: str) -> None:
    assert [key for key, _ in keys.values()].count(keys[edit][0]) == 1


LOOPS = """
import sys, types
from boomslang.core.jit import jit
texts = ["@jit\\ndef one(n):\\n    return n if n < 1 else two(n)\\n",
    "@jit\\ndef two(n):\\n    return one(n - 1) + STEP\\n",
    "@kernel(i64(i64))\\ndef top(n):\\n    return two(n)\\n",
    "@kernel(i64(i64))\\ndef first(n):\\n    return one(n)\\n"]
head = "from boomslang.core.jit.jit import i64, jit, kernel\\nSTEP = {}\\n"
for order in ("top", "first"), ("first", "top"):
    for step in 1, 2:
        space = {"__name__": "subject"}
        exec(head.format(step) + "".join(texts), space)
        keys = {name: jit._keys().key_of(space[name]) for name in order}
        print(keys["top"], keys["first"])
"""


def test_helpers_that_call_each_other(tmp_path: Path) -> None:
    printed = run_python("-c", LOOPS, folder=tmp_path).stdout.split()
    # Whichever is described first, and both contain the constant.
    assert printed[:4] == printed[4:] and len(set(printed)) == 4


FILES = """
from boomslang.cli.doctor.warmup_command import import_common
from boomslang.core.jit import jit
import_common()
print(*sorted(jit._file(number) for number in range(len(jit._signed))))
"""


def test_every_kernel_is_found_again(kernels: None, tmp_path: Path) -> None:
    # Not if it contains a value of an unknown kind, or what differs from process to process.
    told = run_python(
        "-c", FILES, folder=tmp_path, variables={"PYTHONHASHSEED": "1"}
    ).stdout.split()
    import_common()
    here = [jit._file(number) for number in range(len(jit._signed))]
    assert len(set(told)) == len(told) > 20 and set(told) <= set(here)
