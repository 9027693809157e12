"""The command line as a person and a script meet it: real processes, their output and their exit codes."""
