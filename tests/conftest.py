"""What all tests share: tests against the npm tools skip loudly where these are absent, and fail in CI."""

from __future__ import annotations

import os

import pytest

import peers

NODE_PROBLEM = peers.missing()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if NODE_PROBLEM and item.get_closest_marker("node"):
        if os.environ.get("CI") == "true":
            pytest.fail(f"required in CI: {NODE_PROBLEM}", pytrace=False)
        pytest.skip(NODE_PROBLEM)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.getreports("skipped") if "node" in report.keywords]
    if NODE_PROBLEM and skipped:
        terminalreporter.section("NOT CHECKED against snarkjs and circom2", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} tests were skipped: {NODE_PROBLEM}")
