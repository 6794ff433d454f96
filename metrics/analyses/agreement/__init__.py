"""How far each judge agrees with the reference: micro, macro and item level."""
