"""A game at the terminal against a policy: course, screen, levels, what is kept, statistics."""
