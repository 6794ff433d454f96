"""What giving no verdict does: how far a number could move, who abstains on what, and what abstaining buys."""
