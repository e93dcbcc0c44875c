"""One module a command. This is the order of ``--help``."""

from proverd.cli.commands import doctor, export_vkey, inspect, prove, setup, verify
from proverd.cli.parser import Command

COMMANDS: tuple[Command, ...] = (
    prove.COMMAND,
    verify.COMMAND,
    setup.COMMAND,
    inspect.COMMAND,
    export_vkey.COMMAND,
    doctor.COMMAND,
)
