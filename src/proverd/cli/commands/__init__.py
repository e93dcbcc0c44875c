"""One module a command. This is the order of ``--help``."""

from proverd.cli.commands import doctor, export_vkey, inspect
from proverd.cli.parser import Command

COMMANDS: tuple[Command, ...] = (
    inspect.COMMAND,
    export_vkey.COMMAND,
    doctor.COMMAND,
)
