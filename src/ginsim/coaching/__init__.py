"""The coach: positions from text and records, what each answer is worth, and hands reviewed for mistakes."""
