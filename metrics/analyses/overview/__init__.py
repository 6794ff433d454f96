"""How good is the judge: the first answer, from what the other analyses show."""
