"""One module a command. This is the order of ``--help``."""

from proverd.cli.commands import demo, doctor, export_vkey, inspect, prove, setup, verify
from proverd.cli.parser import Command

COMMANDS: tuple[Command, ...] = (
    prove.COMMAND,
    verify.COMMAND,
    setup.COMMAND,
    inspect.COMMAND,
    export_vkey.COMMAND,
    demo.COMMAND,
    doctor.COMMAND,
)
