"""What lies between κ and φ: two label rates, and nothing else."""
