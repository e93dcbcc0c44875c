"""Kernels compile without a GPU and without warnings for each architecture; the cache repairs itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from proverd.backend import compile as kernels
from proverd.errors import CompileError

pytest.importorskip("cuda.core", reason="cuda-core is not installed")

FIELDS_ONLY = {"PROVERD_FIELDS_ONLY": "1"}
MOST_REGISTERS = {8: 48, 12: 64}  # of a multiplication, by limbs: what full occupancy can bear


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arch", "curve", "macros"),
    [
        ("sm_90", "bn254", {}),
        ("sm_90", "bls12_381", {}),
        ("sm_80", "bls12_381", FIELDS_ONLY),
        ("sm_120", "bn254", FIELDS_ONLY),
    ],
)
def test_arithmetic_compiles(
    arch: str, curve: str, macros: Mapping[str, str], tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    cubin = kernels.compile_kernel(
        "arith_test", arch, {"PROVERD_CURVE": curve, **macros}, cache_folder=tmp_path
    )
    assert cubin.code.startswith(b"\x7fELF")
    assert cubin.warnings() == []
    usage = cubin.usage()
    for name, used in usage.items():
        record_property(name, f"{used.registers} registers, {used.spill_bytes} bytes spilled")
        if not name.startswith("g2"):
            assert used.spill_bytes == 0, name
    limbs = {"fr": 8, "fp": 8 if curve == "bn254" else 12}
    for prefix, count in limbs.items():
        for operation in ("multiply", "square"):
            assert usage[f"{prefix}_{operation}"].registers <= MOST_REGISTERS[count]


SOURCE = 'extern "C" __global__ void answer(int* out) { *out = VALUE; }\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of kernels with one header and one kernel."""
    (tmp_path / "header.h").write_text("#define VALUE 42\n")
    (tmp_path / "answer.cu").write_text('#include "header.h"\n' + SOURCE)
    monkeypatch.setattr(kernels, "KERNELS", tmp_path)
    return tmp_path


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that went through the compiler."""
    done: list[str] = []
    run = kernels.run_compiler

    def counted(source: str, arch: str, macros: list[tuple[str, str]]) -> kernels.Cubin:
        done.append(source)
        return run(source, arch, macros)

    monkeypatch.setattr(kernels, "run_compiler", counted)
    return done


def test_second_compilation_comes_from_the_cache(folder: Path, compilations: list[str]) -> None:
    cache = folder / "cache"
    first = kernels.compile_kernel("answer", "sm_90", cache_folder=cache)
    assert kernels.compile_kernel("answer", "sm_90", cache_folder=cache) == first
    assert len(compilations) == 1
    assert list(first.usage()) == ["answer"]


def test_key_depends_on_header_macros_and_architecture(folder: Path, compilations: list[str]) -> None:
    cache = folder / "cache"
    kernels.compile_kernel("answer", "sm_90", cache_folder=cache)
    kernels.compile_kernel("answer", "sm_80", cache_folder=cache)
    kernels.compile_kernel("answer", "sm_90", {"OTHER": "1"}, cache_folder=cache)
    (folder / "header.h").write_text("#define VALUE 43\n")
    kernels.compile_kernel("answer", "sm_90", cache_folder=cache)
    assert len(compilations) == 4
    assert len(list(cache.iterdir())) == 4


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "not_json", "wrong_record"])
def test_damaged_entry_is_replaced(folder: Path, compilations: list[str], damage: str) -> None:
    cache = folder / "cache"
    first = kernels.compile_kernel("answer", "sm_90", cache_folder=cache)
    (entry,) = cache.iterdir()
    content = entry.read_bytes()
    entry.write_bytes(
        {
            "truncated": content[:-1],
            "flipped": content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
            "empty": b"",
            "not_json": b"\xff\xfe" + content,
            "wrong_record": b'["sha256"]\n' + content,
        }[damage]
    )
    assert kernels.compile_kernel("answer", "sm_90", cache_folder=cache).code == first.code
    assert len(compilations) == 2
    assert [path.name for path in cache.iterdir()] == [entry.name], "nothing else stays in the cache"
    repaired = kernels.read_entry(entry)
    assert repaired is not None
    assert repaired.code == first.code


def test_folder_that_cannot_be_written(folder: Path) -> None:
    blocked = folder / "file"
    blocked.write_text("not a folder")
    assert kernels.compile_kernel("answer", "sm_90", cache_folder=blocked / "cache").code


def test_error_carries_the_log(folder: Path) -> None:
    (folder / "answer.cu").write_text('extern "C" __global__ void answer(int* out) { *out = missing; }\n')
    with pytest.raises(CompileError) as caught:
        kernels.compile_kernel("answer", "sm_90", cache_folder=folder / "cache")
    assert "missing" in caught.value.log
    assert "missing" in str(caught.value)
    assert not (folder / "cache").exists()
