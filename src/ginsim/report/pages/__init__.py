"""What a report of each kind of study has: a module for each kind, with one function `contents`."""
