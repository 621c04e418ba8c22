"""The command line, a file per command. Imports everything, imported by nobody."""
