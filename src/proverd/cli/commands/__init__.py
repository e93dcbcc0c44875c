"""One module a command. This is the order of ``--help``."""

from proverd.cli.commands import (
    check,
    demo,
    doctor,
    export_vkey,
    fullprove,
    inspect,
    prove,
    setup,
    verify,
    witness,
)
from proverd.cli.parser import Command

COMMANDS: tuple[Command, ...] = (
    prove.COMMAND,
    verify.COMMAND,
    fullprove.COMMAND,
    witness.COMMAND,
    setup.COMMAND,
    check.COMMAND,
    inspect.COMMAND,
    export_vkey.COMMAND,
    demo.COMMAND,
    doctor.COMMAND,
)
