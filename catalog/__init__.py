"""The facts: loading, validating and locating them, and reading every file format Passform knows."""
