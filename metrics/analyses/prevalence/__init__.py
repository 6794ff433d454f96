"""A judge carried to another prevalence: every metric there, and the answers it then needs."""
