"""The types of what commands give, one module a command."""
