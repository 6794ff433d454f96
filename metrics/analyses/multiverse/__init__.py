"""One number under every defensible set of choices, and what pooling criteria does to it."""
