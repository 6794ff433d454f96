"""What must be said with a number: the eleven practices of Rao & Callison-Burch, section 8, on these data."""
