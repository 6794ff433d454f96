"""The simulation against the values of the reference, and against an own slow one."""
