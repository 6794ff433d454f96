"""A 2 x 2 table by hand: what drives it, what it shows, and the lessons that can be told with it."""
