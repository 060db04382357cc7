"""Experiments: what is played (`plan`), by whom (`executors`), where it is kept (`store`), and `run`."""
