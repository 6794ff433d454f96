"""Texts and published numbers: lessons, published systems, published tables, and a guide to scales."""
