"""Pure mathematics on counters: estimates and their errors. Imports no other room."""
