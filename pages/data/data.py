"""What is in the file, and what was left out?"""

from pages.shared import parts

parts.title("Data", "What is in the file, and what was left out?")
