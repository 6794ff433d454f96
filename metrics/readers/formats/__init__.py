"""Exports of known tools, told apart by their fields and read as they are meant: one `Format` each."""
