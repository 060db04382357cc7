from typing import Any

import numpy as np

ROW: np.dtype[Any]
