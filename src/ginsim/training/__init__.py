"""Training of value nets by self-play: from a course to a net's file."""

from .course import Course, CourseError
from .train import STATE, Progress, Strength, Training, TrainingError, starting_net

__all__ = [
    "STATE",
    "Course",
    "CourseError",
    "Progress",
    "Strength",
    "Training",
    "TrainingError",
    "starting_net",
]
