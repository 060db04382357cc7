"""Training of value nets by self-play: from a course to a net's file."""

from .course import Course, CourseError
from .train import Progress, Strength, Training, TrainingError

__all__ = ["Course", "CourseError", "Progress", "Strength", "Training", "TrainingError"]
