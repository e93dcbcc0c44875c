"""``python -m proverd`` is the ``proverd`` command."""

from proverd.cli.main import run

run()
