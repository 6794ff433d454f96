"""Agreement among raters of one role: humans before a judge is compared with them, judges with each other."""
