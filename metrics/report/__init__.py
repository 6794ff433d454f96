"""The report: one document, written as HTML, Markdown, LaTeX, PDF, JSON, CSV and a workbook."""
