"""The command line. Modules here import the rest of proverd inside functions, so that it starts at once."""
