"""The report: one document, written as HTML, Markdown, LaTeX, PDF, JSON, CSV and a workbook."""

from metrics.loading import modules_of

__getattr__ = modules_of(__name__)
