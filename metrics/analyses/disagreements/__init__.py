"""The one list of items: which decisions are on it, in which order, and what the file says of each."""
