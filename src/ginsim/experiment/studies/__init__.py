"""The studies: each makes an experiment out of a question."""
