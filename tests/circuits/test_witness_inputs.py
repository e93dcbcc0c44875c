"""Input signals: names and values as circom reads them, and nothing but a typed error for what is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proverd.circuits.witness_inputs import read_inputs, signals
from proverd.errors import BadArgument, MalformedJson


def named(inputs: dict[str, Any]) -> dict[str, list[int]]:
    return dict(signals(inputs, "input.json"))


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({}, {}),
        ({"a": 1, "b": [[1, "2"], ["0x3", "-4"]]}, {"a": [1], "b": [1, 2, 3, -4]}),
        ({"a": [], "b": [[], []]}, {"a": [], "b": []}),
        ({"a": (True, False)}, {"a": [1, 0]}),
        ({"a": ["0xFf", "0XfF", "0o17", "0b101", " 7 ", "007", "-0"]}, {"a": [255, 255, 15, 5, 7, 7, 0]}),
        ({"a": {"x": 1, "y": {"z": [2, 3]}}}, {"a.x": [1], "a.y.z": [2, 3]}),
        ({"a": [{"x": 1}, {"x": 2}]}, {"a[0].x": [1], "a[1].x": [2]}),
        ({"a": [[{"x": [1]}], [{"x": 2}]]}, {"a[0][0].x": [1], "a[1][0].x": [2]}),
        ({"a.x": 1}, {"a.x": [1]}),
    ],
)
def test_names_and_values(inputs: dict[str, Any], expected: dict[str, list[int]]) -> None:
    assert named(inputs) == expected


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (1.5, "a float"),
        (None, "a NoneType"),
        (b"7", "a bytes"),
        ([1, {"x": 2}], "a dict"),
        ([1, None], "a NoneType"),
        *(
            (text, "a string that is no integer")
            for text in ["", "1_0", "- 1", "--1", "+1", "1e3", "0x", "0x-1"]
        ),
        *((text, "a string that is no integer") for text in ["abc", "0xg", "-0x1", "1 2", "٣", "9" * 5000]),
    ],
)
def test_what_is_no_integer(value: object, found: str) -> None:
    with pytest.raises(
        BadArgument, match=rf"^input\.json: input signal 'a': expected an integer, found {found}$"
    ):
        named({"a": value})


@pytest.mark.parametrize(
    "wrap", [lambda value: [value], lambda value: {"x": value}, lambda value: [{"x": value}]]
)
def test_absurd_nesting_is_refused(wrap: Any) -> None:
    value: object = 1
    for _ in range(500):
        value = wrap(value)
    with pytest.raises(BadArgument, match="nested more than 32 deep"):
        named({"a": value})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(inputs=st.dictionaries(st.text(max_size=4), json_values, max_size=4))
def test_any_document_gives_integers_or_a_typed_error(inputs: dict[str, Any]) -> None:
    try:
        found = list(signals(inputs, "input.json"))
    except BadArgument as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert all(type(value) is int for _, values in found for value in values)


@given(
    numbers=st.lists(st.integers(-(1 << 300), 1 << 300), max_size=8),
    base=st.sampled_from(["d", "#x", "#o", "#b"]),
)
def test_integers_in_every_base(numbers: list[int], base: str) -> None:
    texts = [format(number if base == "d" else abs(number), base) for number in numbers]
    expected = numbers if base == "d" else [abs(number) for number in numbers]
    assert named({"a": texts, "b": numbers}) == {"a": expected, "b": numbers}


@pytest.mark.parametrize("text", ["[1]", "7", "{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 10_000])
def test_files_that_are_no_inputs(tmp_path: Path, text: str) -> None:
    path = tmp_path / "input.json"
    path.write_text(text)
    with pytest.raises(MalformedJson, match=r"input\.json"):
        read_inputs(path)
